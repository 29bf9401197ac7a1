#define _GNU_SOURCE
#include "app/server_mask.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

enum { CONNECTIONS = 1024, HEAD_MOST = 14 };

typedef enum stage { OTHER, REQUEST, FRAMES } stage;

// One connection: requests of HTTP, one of which asks for a WebSocket, and then frames.
typedef struct stream {
    stage stage;
    bool upgrade, missing;
    int matched;                   // letters of UPGRADE
    int ended;                     // bytes of the empty line that ends a request
    unsigned char head[HEAD_MOST]; // of a frame
    int nhead;
    uint64_t left; // bytes of its content
} stream;

static const char UPGRADE[] = "\nupgrade:";
static const char END[] = "\r\n\r\n";
static stream streams[CONNECTIONS]; // only the server's thread has sockets to receive from

void mask_begin(int fd)
{
    if (fd >= 0 && fd < CONNECTIONS)
        streams[fd] = (stream){.stage = REQUEST};
}

bool mask_missing(int fd)
{
    return fd < 0 || fd >= CONNECTIONS || streams[fd].missing;
}

static void read_request(stream *s, char c)
{
    char letter = (char)tolower((unsigned char)c);
    s->matched = letter == UPGRADE[s->matched] ? s->matched + 1 : letter == UPGRADE[0];
    if (!UPGRADE[s->matched]) {
        s->upgrade = true;
        s->matched = 0;
    }
    s->ended = c == END[s->ended] ? s->ended + 1 : c == END[0];
    if (END[s->ended])
        return;
    s->stage = s->upgrade ? FRAMES : REQUEST;
    s->ended = s->matched = 0;
}

// Bytes of a frame's head, as far as it is known.
static int head_length(const stream *s)
{
    if (s->nhead < 2)
        return 2;
    int length = s->head[1] & 127;
    return 2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + (s->head[1] & 128 ? 4 : 0);
}

static void read_head(stream *s, unsigned char c)
{
    s->head[s->nhead++] = c;
    if (s->nhead < head_length(s))
        return;
    int length = s->head[1] & 127, nbyte = length == 126 ? 2 : length == 127 ? 8 : 0;
    s->left = nbyte ? 0 : (uint64_t)length;
    for (int i = 0; i < nbyte; i++)
        s->left = s->left << 8 | s->head[2 + i];
    s->missing = s->missing || !(s->head[1] & 128);
    s->nhead = 0;
}

static void look_at(stream *s, const unsigned char *data, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s->stage == REQUEST) {
            read_request(s, (char)data[i]);
        } else if (s->left > 0) {
            size_t some = n - i < s->left ? n - i : (size_t)s->left;
            s->left -= some;
            i += some - 1;
        } else {
            read_head(s, data[i]);
        }
    }
}

__attribute__((visibility("default"))) ssize_t recv(int fd, void *data, size_t size, int flags)
{
    static ssize_t (*next)(int, void *, size_t, int);
    if (!next) {
        void *found = dlsym(RTLD_NEXT, "recv");
        memcpy(&next, &found, sizeof next);
    }
    ssize_t n = next(fd, data, size, flags);
    if (n > 0 && fd >= 0 && fd < CONNECTIONS && streams[fd].stage != OTHER && !(flags & MSG_PEEK))
        look_at(&streams[fd], data, (size_t)n);
    return n;
}
