// The view's server: one page and one WebSocket, on a thread of its own. It is told frames and is
// asked for messages; neither ever waits for a browser.
#ifndef APP_SERVER_H
#define APP_SERVER_H

#include "io/message.h"
#include "lithe/lithe.h"

#include <stddef.h>

typedef struct server server;

typedef struct server_setup {
    const char *address; // to listen at: "127.0.0.1"
    int port;            // 0: any that is free
    // The frame of a recording that a browser asks for, called on the server's thread: bytes to be
    // freed with free(), or NULL. Without it messages are for server_take.
    void *(*answer)(void *user, uint32_t frame, int fields, size_t *bytes);
    void *user;
} server_setup;

lithe_status server_start(const server_setup *setup, server **out, lithe_report *report);
void server_stop(server *s);
const char *server_address(const server *s); // "http://127.0.0.1:41231/"

// What every browser is told first; the bytes are copied. Those that were told another before are
// told again. LITHE_NO_MEMORY is the only failure.
lithe_status server_set_head(server *s, const void *bytes, size_t n);

// What every browser is told after that, if anything.
lithe_status server_set_series(server *s, const void *bytes, size_t n);

// A line for every browser; "" takes it away. Longer texts are cut.
void server_note(server *s, const char *text);

// Where to write the next frame; NULL when no browser waits for one. fields: what they want in it.
void *server_frame_begin(server *s, size_t bytes);
void server_frame_end(server *s);
int server_fields(const server *s);

// The next message of whoever drives. False: there is none.
bool server_take(server *s, message *out);

// The file that /recording.h5 is; NULL: there is none.
void server_set_download(server *s, const char *path);

#endif
