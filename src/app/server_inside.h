// What the server's own files share: the exchange between its thread and the one that computes.
#ifndef APP_SERVER_INSIDE_H
#define APP_SERVER_INSIDE_H

#include "app/server.h"

#include <libwebsockets.h>
#include <pthread.h>
#include <stdatomic.h>

enum {
    SERVER_CLIENTS = 16,
    SERVER_GUESTS = 64, // connections that are not browsers' sockets, or not yet
    SERVER_FILES = 512, // more than both, for those that are still being closed
    SERVER_MAILBOX = 256,
    SERVER_NOTE = 1024,
    SERVER_AHEAD = 2, // frames that a browser may be behind before it gets no more
};

// One browser.
typedef struct client {
    struct lws *wsi;
    uint32_t head, series, note; // that it was told last
    uint32_t sent[SERVER_AHEAD]; // frames that were sent last, newest first
    uint32_t seen;               // frame that it drew last
    int fields;
    double tokens,
        filled; // messages it may send, and when that was counted: the last one came then
    unsigned char word[MESSAGE_BYTES];
    size_t nword;
    bool leaving; // was told to go
    bool wishes;  // to see one frame of a recording
    uint32_t wish;
} client;

// A connection that asks for the page, or has not said what it wants.
typedef struct guest {
    struct lws *wsi;
    double heard; // s
} guest;

// Bytes with room in front for what the protocol puts there.
typedef struct parcel {
    unsigned char *memory;
    size_t room, bytes;
    uint32_t number;
} parcel;

static inline unsigned char *parcel_bytes(const parcel *p)
{
    return p->memory + LWS_PRE;
}

bool parcel_grow(parcel *p, size_t bytes);

struct server {
    server_setup setup;
    struct lws_context *context;
    pthread_t thread;
    bool running;
    atomic_bool stop;
    char address[128];
    char host[3][80]; // names under which a browser may ask for us
    bool any_host;    // listening at every address: any that is written in numbers

    // Only the server's thread uses these.
    client *client[SERVER_CLIENTS];
    int nclient;
    client *driver;
    guest guest[SERVER_GUESTS];
    int nguest;
    parcel answer;

    atomic_int waiting; // browsers that would take a frame
    atomic_int fields;

    pthread_mutex_t lock; // of everything below; held for moments only
    parcel head, series, front, back;
    uint32_t nnote, nframe;
    char note[SERVER_NOTE];
    char download[1024];
    message mailbox[SERVER_MAILBOX];
    int first, nmessage;
};

// The protocols that the server speaks.
extern const struct lws_protocols server_protocols[];

// May a browser that asks for us under this name be answered? text: "127.0.0.1:8080"
bool server_host_allowed(const server *s, const char *text);

void server_count_waiting(server *s);

// Browsers that do not mask what they send are closed.
void server_refuse_unmasked(server *s);

// A message of a browser: acted on, or put into the mailbox if it drives.
void server_hear(server *s, client *c, const message *m);

#endif
