// How the server speaks: HTTP for the page and a download, WebSocket for everything else. Callbacks
// of libwebsockets; all on the server's thread.
#include "app/server_inside.h"
#include "app/server_mask.h"
#include "app/server_page.h"
#include "base/clock.h"
#include "io/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK = 32768,
    BURST = 600,        // messages that may come at once
    MESSAGE_RATE = 300, // messages a second
    HEADER_ROOM = 1024,
};

static server *server_of(struct lws *wsi)
{
    return lws_context_user(lws_get_context(wsi));
}

// ## who may speak to us

// A page of another site can make a browser connect here, but cannot hide where it comes from; and
// a name that somebody points at this machine is not one of ours.
static bool is_welcome(const server *s, struct lws *wsi)
{
    char host[128] = "", origin[160] = "", own[160];
    if (lws_hdr_copy(wsi, host, sizeof host, WSI_TOKEN_HOST) <= 0 || !server_host_allowed(s, host))
        return false;
    if (lws_hdr_total_length(wsi, WSI_TOKEN_ORIGIN) == 0)
        return true; // not a page at all
    if (lws_hdr_copy(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN) <= 0)
        return false;
    snprintf(own, sizeof own, "http://%s", host);
    return strcmp(origin, own) == 0;
}

// ## who has to go

// The one that has been silent for longest makes room for the next.
static void send_away(struct lws *wsi)
{
    lws_set_timeout(wsi, PENDING_TIMEOUT_USER_REASON_BASE, LWS_TO_KILL_ASYNC);
}

static void forget_guest(server *s, const struct lws *wsi)
{
    for (int i = 0; i < s->nguest; i++)
        if (s->guest[i].wsi == wsi)
            s->guest[i--] = s->guest[--s->nguest];
}

static void hear_guest(server *s, struct lws *wsi)
{
    forget_guest(s, wsi);
    if (s->nguest == SERVER_GUESTS) {
        int oldest = 0;
        for (int i = 1; i < s->nguest; i++)
            if (s->guest[i].heard < s->guest[oldest].heard)
                oldest = i;
        send_away(s->guest[oldest].wsi);
        s->guest[oldest] = s->guest[--s->nguest];
    }
    s->guest[s->nguest++] = (guest){wsi, clock_now()};
}

// ## HTTP

typedef struct visit {
    size_t sent;
} visit;

static bool add_header(struct lws *wsi, const char *name, const char *value, unsigned char **p,
                       unsigned char *end)
{
    return lws_add_http_header_by_name(wsi, (const unsigned char *)name,
                                       (const unsigned char *)value, (int)strlen(value), p,
                                       end) == 0;
}

static int begin_page(struct lws *wsi)
{
    unsigned char head[LWS_PRE + HEADER_ROOM], *p = head + LWS_PRE, *end = head + sizeof head - 1;
    unsigned char *start = p;
    if (lws_add_http_common_headers(wsi, HTTP_STATUS_OK, "text/html; charset=utf-8",
                                    server_page_bytes, &p, end) != 0 ||
        !add_header(wsi, "cache-control:", "no-store", &p, end) ||
        !add_header(wsi, "x-content-type-options:", "nosniff", &p, end) ||
        !add_header(wsi, "content-security-policy:",
                    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                    "img-src data: blob:; connect-src 'self'; frame-ancestors 'none'; base-uri "
                    "'none'; form-action 'none'",
                    &p, end) ||
        lws_finalize_write_http_header(wsi, start, &p, end) != 0)
        return 1;
    lws_callback_on_writable(wsi);
    return 0;
}

static int send_download(const server *s, struct lws *wsi)
{
    static const char extra[] =
        "content-disposition: attachment; filename=\"recording.h5\"\x0d\x0a";
    return lws_serve_http_file(wsi, s->download, "application/x-hdf5", extra, sizeof extra - 1) < 0;
}

static int refuse(struct lws *wsi, unsigned code)
{
    if (lws_return_http_status(wsi, code, NULL) != 0)
        return 1;
    return lws_http_transaction_completed(wsi) != 0;
}

static int begin_http(server *s, struct lws *wsi, visit *v, const char *path)
{
    v->sent = 0;
    if (!is_welcome(s, wsi))
        return refuse(wsi, HTTP_STATUS_FORBIDDEN);
    if (lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI) == 0)
        return refuse(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED);
    if (strcmp(path, "/") == 0)
        return begin_page(wsi);
    if (strcmp(path, "/recording.h5") == 0 && s->download[0])
        return send_download(s, wsi);
    return refuse(wsi, HTTP_STATUS_NOT_FOUND);
}

static int go_on_with_page(struct lws *wsi, visit *v)
{
    unsigned char piece[LWS_PRE + CHUNK];
    size_t left = server_page_bytes - v->sent, n = left < CHUNK ? left : CHUNK;
    bool last = n == left;
    memcpy(piece + LWS_PRE, server_page + v->sent, n);
    if (lws_write(wsi, piece + LWS_PRE, n, last ? LWS_WRITE_HTTP_FINAL : LWS_WRITE_HTTP) < (int)n)
        return 1;
    v->sent += n;
    if (last)
        return lws_http_transaction_completed(wsi) != 0;
    lws_callback_on_writable(wsi);
    return 0;
}

static int on_http(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                   size_t length)
{
    server *s = server_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_SERVER_NEW_CLIENT_INSTANTIATED:
        mask_begin(lws_get_socket_fd(wsi));
        hear_guest(s, wsi);
        return 0;
    case LWS_CALLBACK_WSI_DESTROY: forget_guest(s, wsi); return 0;
    case LWS_CALLBACK_HTTP: hear_guest(s, wsi); return begin_http(s, wsi, user, in);
    case LWS_CALLBACK_HTTP_WRITEABLE: return go_on_with_page(wsi, user);
    case LWS_CALLBACK_HTTP_FILE_COMPLETION: return lws_http_transaction_completed(wsi) != 0;
    case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
        lws_callback_on_writable_all_protocol(lws_get_context(wsi), &server_protocols[1]);
        return 0;
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return 1; // a WebSocket without our protocol
    default: return lws_callback_http_dummy(wsi, reason, user, in, length);
    }
}

// ## WebSocket

static void leave(server *s, const client *c)
{
    for (int i = 0; i < s->nclient; i++)
        if (s->client[i] == c)
            s->client[i--] = s->client[--s->nclient];
    if (s->driver == c)
        s->driver = NULL;
    server_count_waiting(s);
}

// False: all are in use. A browser says with every frame that it has drawn it.
static bool make_room(server *s)
{
    const double idle = 2; // s
    client *oldest = s->client[0];
    for (int i = 1; i < s->nclient; i++)
        if (s->client[i]->filled < oldest->filled)
            oldest = s->client[i];
    if (clock_now() - oldest->filled < idle)
        return false;
    oldest->leaving = true;
    send_away(oldest->wsi);
    leave(s, oldest);
    return true;
}

static int join(server *s, struct lws *wsi, client *c)
{
    forget_guest(s, wsi);
    if (s->nclient == SERVER_CLIENTS && !make_room(s))
        return 1;
    *c = (client){.wsi = wsi, .tokens = BURST, .filled = clock_now()};
    s->client[s->nclient++] = c;
    if (!s->driver)
        s->driver = c;
    server_count_waiting(s);
    lws_callback_on_writable(wsi);
    return 0;
}

static bool may_speak(client *c)
{
    double now = clock_now();
    c->tokens += (now - c->filled) * MESSAGE_RATE;
    c->filled = now;
    if (c->tokens > BURST)
        c->tokens = BURST;
    c->tokens -= 1;
    return c->tokens >= 0;
}

static int hang_up(struct lws *wsi, client *c, enum lws_close_status status)
{
    c->leaving = true;
    lws_close_reason(wsi, status, NULL, 0);
    return 1;
}

static int receive(server *s, struct lws *wsi, client *c, const void *in, size_t length)
{
    message m;
    if (mask_missing(lws_get_socket_fd(wsi)))
        return hang_up(wsi, c, LWS_CLOSE_STATUS_PROTOCOL_ERR);
    if (!lws_frame_is_binary(wsi))
        return hang_up(wsi, c, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE);
    if (length > sizeof c->word - c->nword)
        return hang_up(wsi, c, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE);
    memcpy(c->word + c->nword, in, length);
    c->nword += length;
    if (!lws_is_final_fragment(wsi) || lws_remaining_packet_payload(wsi) > 0)
        return 0;
    size_t n = c->nword;
    c->nword = 0;
    if (!may_speak(c) || !message_parse(c->word, n, &m))
        return hang_up(wsi, c, LWS_CLOSE_STATUS_POLICY_VIOLATION);
    server_hear(s, c, &m);
    return 0;
}

static bool send_bytes(struct lws *wsi, unsigned char *bytes, size_t n)
{
    return lws_write(wsi, bytes, n, LWS_WRITE_BINARY) >= (int)n;
}

static bool send_note(const server *s, struct lws *wsi)
{
    unsigned char text[LWS_PRE + SERVER_NOTE + 8];
    size_t n = stream_write_text(STREAM_NOTE, s->note, text + LWS_PRE, sizeof text - LWS_PRE);
    return send_bytes(wsi, text + LWS_PRE, n);
}

static bool send_answer(server *s, struct lws *wsi, client *c)
{
    size_t n = 0;
    void *bytes = s->setup.answer ? s->setup.answer(s->setup.user, c->wish, c->fields, &n) : NULL;
    c->wishes = false;
    if (!bytes)
        return true;
    bool sent = parcel_grow(&s->answer, n);
    if (sent) {
        memcpy(parcel_bytes(&s->answer), bytes, n);
        sent = send_bytes(wsi, parcel_bytes(&s->answer), n);
    }
    free(bytes);
    return sent;
}

static bool send_frame(server *s, struct lws *wsi, client *c)
{
    unsigned char *frame = parcel_bytes(&s->front);
    unsigned char flags = frame[STREAM_FLAGS_AT];
    for (int i = SERVER_AHEAD - 1; i > 0; i--)
        c->sent[i] = c->sent[i - 1];
    c->sent[0] = s->front.number;
    memcpy(frame + STREAM_NUMBER_AT, &s->front.number, sizeof s->front.number);
    if (s->driver == c)
        frame[STREAM_FLAGS_AT] |= STREAM_DRIVES;
    if (s->download[0])
        frame[STREAM_FLAGS_AT] |= STREAM_RECORDED;
    bool sent = send_bytes(wsi, frame, s->front.bytes);
    frame[STREAM_FLAGS_AT] = flags;
    server_count_waiting(s);
    return sent;
}

// What this browser has not been told yet, one thing at a time; true: all went well.
static bool tell(server *s, struct lws *wsi, client *c, bool *more)
{
    *more = true;
    if (c->head != s->head.number) {
        c->head = s->head.number;
        return send_bytes(wsi, parcel_bytes(&s->head), s->head.bytes);
    }
    if (c->series != s->series.number) {
        c->series = s->series.number;
        return send_bytes(wsi, parcel_bytes(&s->series), s->series.bytes);
    }
    if (c->note != s->nnote) {
        c->note = s->nnote;
        return send_note(s, wsi);
    }
    if (c->wishes)
        return send_answer(s, wsi, c);
    *more = false;
    if (s->front.number != c->sent[0] && c->sent[SERVER_AHEAD - 1] <= c->seen)
        return send_frame(s, wsi, c);
    return true;
}

static int write_more(server *s, struct lws *wsi, client *c)
{
    bool more;
    if (mask_missing(lws_get_socket_fd(wsi)))
        return hang_up(wsi, c, LWS_CLOSE_STATUS_PROTOCOL_ERR);
    if (c->leaving)
        return 0;
    pthread_mutex_lock(&s->lock);
    bool well = tell(s, wsi, c, &more);
    pthread_mutex_unlock(&s->lock);
    if (more)
        lws_callback_on_writable(wsi);
    return !well;
}

// Not every frame is heard of otherwise: an empty one, a ping.
void server_refuse_unmasked(server *s)
{
    for (int i = 0; i < s->nclient; i++)
        if (mask_missing(lws_get_socket_fd(s->client[i]->wsi)))
            lws_callback_on_writable(s->client[i]->wsi);
}

static int on_socket(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                     size_t length)
{
    server *s = server_of(wsi);
    switch (reason) {
    case LWS_CALLBACK_FILTER_PROTOCOL_CONNECTION: return !is_welcome(s, wsi);
    case LWS_CALLBACK_ESTABLISHED: return join(s, wsi, user);
    case LWS_CALLBACK_CLOSED: leave(s, user); return 0;
    case LWS_CALLBACK_RECEIVE: return receive(s, wsi, user, in, length);
    case LWS_CALLBACK_SERVER_WRITEABLE: return write_more(s, wsi, user);
    default: return 0;
    }
}

const struct lws_protocols server_protocols[] = {
    {"http", on_http, sizeof(visit), 0, 0, NULL, 0},
    {"lithe", on_socket, sizeof(client), MESSAGE_BYTES, 0, NULL, 0},
    {NULL, NULL, 0, 0, 0, NULL, 0},
};
