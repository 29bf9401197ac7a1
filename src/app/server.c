#include "app/server_inside.h"
#include "base/status.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

bool parcel_grow(parcel *p, size_t bytes)
{
    if (bytes > p->room) {
        unsigned char *grown = realloc(p->memory, LWS_PRE + bytes);
        if (!grown)
            return false;
        p->memory = grown;
        p->room = bytes;
    }
    p->bytes = bytes;
    return true;
}

bool server_host_allowed(const server *s, const char *text)
{
    char host[80];
    struct in_addr four;
    struct in6_addr six;
    for (size_t i = 0; i < sizeof s->host / sizeof s->host[0]; i++)
        if (strcmp(text, s->host[i]) == 0)
            return true;
    const char *colon = strrchr(text, ':');
    if (!s->any_host || !colon || (size_t)(colon - text) >= sizeof host)
        return false;
    memcpy(host, text, (size_t)(colon - text));
    host[colon - text] = '\0';
    size_t length = strlen(host);
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        host[length - 1] = '\0';
        return inet_pton(AF_INET6, host + 1, &six) == 1;
    }
    return inet_pton(AF_INET, host, &four) == 1;
}

static bool takes_frame(const client *c)
{
    return c->sent[SERVER_AHEAD - 1] <= c->seen;
}

void server_count_waiting(server *s)
{
    int waiting = 0, fields = 0;
    for (int i = 0; i < s->nclient; i++) {
        waiting += takes_frame(s->client[i]);
        fields |= s->client[i]->fields;
    }
    atomic_store(&s->waiting, waiting);
    atomic_store(&s->fields, fields);
}

// An emergency stop has room in a full mailbox, too.
static void post(server *s, const message *m)
{
    pthread_mutex_lock(&s->lock);
    bool room = s->nmessage < SERVER_MAILBOX;
    s->nmessage += room;
    if (room || m->type == MESSAGE_STOP)
        s->mailbox[(s->first + s->nmessage - 1) % SERVER_MAILBOX] = *m;
    pthread_mutex_unlock(&s->lock);
}

void server_hear(server *s, client *c, const message *m)
{
    switch (m->type) {
    case MESSAGE_FIELDS: c->fields = (int)m->number; break;
    case MESSAGE_SEEN: c->seen = m->number; break;
    case MESSAGE_SEEK:
        c->wish = m->number;
        c->wishes = true;
        break;
    case MESSAGE_DRIVE: s->driver = c; break;
    case MESSAGE_STOP: post(s, m); break; // anyone may
    default:
        if (!s->driver)
            s->driver = c;
        if (s->driver == c)
            post(s, m);
    }
    server_count_waiting(s);
    lws_callback_on_writable(c->wsi);
}

bool server_take(server *s, message *out)
{
    bool found = false;
    pthread_mutex_lock(&s->lock);
    if (s->nmessage > 0) {
        *out = s->mailbox[s->first];
        s->first = (s->first + 1) % SERVER_MAILBOX;
        s->nmessage--;
        found = true;
    }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static lithe_status set_parcel(server *s, parcel *p, const void *bytes, size_t n)
{
    pthread_mutex_lock(&s->lock);
    bool grown = parcel_grow(p, n);
    if (grown) {
        memcpy(parcel_bytes(p), bytes, n);
        p->number++;
    }
    pthread_mutex_unlock(&s->lock);
    lws_cancel_service(s->context);
    return grown ? LITHE_OK : LITHE_NO_MEMORY;
}

lithe_status server_set_head(server *s, const void *bytes, size_t n)
{
    return set_parcel(s, &s->head, bytes, n);
}

lithe_status server_set_series(server *s, const void *bytes, size_t n)
{
    return set_parcel(s, &s->series, bytes, n);
}

void server_note(server *s, const char *text)
{
    pthread_mutex_lock(&s->lock);
    bool changed = strncmp(s->note, text, sizeof s->note - 1) != 0;
    if (changed) {
        snprintf(s->note, sizeof s->note, "%s", text);
        s->nnote++;
    }
    pthread_mutex_unlock(&s->lock);
    if (changed)
        lws_cancel_service(s->context);
}

void server_set_download(server *s, const char *path)
{
    pthread_mutex_lock(&s->lock);
    snprintf(s->download, sizeof s->download, "%s", path ? path : "");
    pthread_mutex_unlock(&s->lock);
}

void *server_frame_begin(server *s, size_t bytes)
{
    if (atomic_load(&s->waiting) == 0 || !parcel_grow(&s->back, bytes))
        return NULL;
    return parcel_bytes(&s->back);
}

// Should the server be busy with the frame before, this one is not shown.
void server_frame_end(server *s)
{
    if (pthread_mutex_trylock(&s->lock) != 0)
        return;
    parcel old = s->front;
    s->front = s->back;
    s->front.number = ++s->nframe;
    s->back = old;
    pthread_mutex_unlock(&s->lock);
    lws_cancel_service(s->context);
}

int server_fields(const server *s)
{
    return atomic_load(&s->fields);
}

const char *server_address(const server *s)
{
    return s->address;
}

static void *serve(void *user)
{
    server *s = user;
    while (!atomic_load(&s->stop) && lws_service(s->context, 0) >= 0)
        server_refuse_unmasked(s);
    return NULL;
}

static bool is_every_address(const char *address)
{
    return strcmp(address, "0.0.0.0") == 0 || strcmp(address, "::") == 0;
}

static void set_names(server *s, int port)
{
    const char *address = s->setup.address;
    bool six = strchr(address, ':') != NULL;
    s->any_host = is_every_address(address);
    snprintf(s->address, sizeof s->address, six ? "http://[%s]:%d/" : "http://%s:%d/", address,
             port);
    snprintf(s->host[0], sizeof s->host[0], six ? "[%s]:%d" : "%s:%d", address, port);
    snprintf(s->host[1], sizeof s->host[1], "localhost:%d", port);
    snprintf(s->host[2], sizeof s->host[2], "127.0.0.1:%d", port);
}

// The system's own reason why nobody can listen there; 0: there is none.
static int why_not(const char *address, int port)
{
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((uint16_t)port)};
    bool is_four = inet_pton(AF_INET, address, &four.sin_addr) == 1;
    if (!is_four && inet_pton(AF_INET6, address, &six.sin6_addr) != 1)
        return EINVAL;
    int fd = socket(is_four ? AF_INET : AF_INET6, SOCK_STREAM, 0), on = 1;
    if (fd < 0)
        return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    int error = 0;
    if (bind(fd, is_four ? (struct sockaddr *)&four : (struct sockaddr *)&six,
             is_four ? sizeof four : sizeof six) != 0)
        error = errno;
    close(fd);
    return error;
}

static lithe_status fail_listening(const server *s, int error, lithe_report *report)
{
    return LITHE_FAIL(report, LITHE_INVALID,
                      "the view cannot listen at %s, port %d: %s; choose another port with --port, "
                      "or an address of this machine, in numbers, with --address",
                      s->setup.address, s->setup.port,
                      error ? strerror(error) : "the server could not be made");
}

static lithe_status listen_there(server *s, lithe_report *report)
{
    int error = why_not(s->setup.address, s->setup.port);
    if (error)
        return fail_listening(s, error, report);
    struct lws_context_creation_info info = {
        .port = s->setup.port,
        .iface = is_every_address(s->setup.address) ? NULL : s->setup.address,
        .protocols = server_protocols,
        .options = LWS_SERVER_OPTION_FAIL_UPON_UNABLE_TO_BIND,
        .fd_limit_per_thread = SERVER_FILES,
        .user = s,
        .gid = (gid_t)-1,
        .uid = (uid_t)-1,
        .timeout_secs = 10,
        .server_string = "lithe",
    };
    lws_set_log_level(0, NULL);
    s->context = lws_create_context(&info);
    struct lws_vhost *host = s->context ? lws_get_vhost_by_name(s->context, "default") : NULL;
    int port = host ? lws_get_vhost_listen_port(host) : 0;
    if (port <= 0)
        return fail_listening(s, 0, report);
    set_names(s, port);
    return LITHE_OK;
}

lithe_status server_start(const server_setup *setup, server **out, lithe_report *report)
{
    server *s = *out = calloc(1, sizeof *s);
    if (!s)
        return report_no_memory(report, "the server");
    s->setup = *setup;
    pthread_mutex_init(&s->lock, NULL);
    lithe_status status = listen_there(s, report);
    if (status == LITHE_OK && pthread_create(&s->thread, NULL, serve, s) != 0)
        status = LITHE_FAIL(report, LITHE_NO_MEMORY, "the server's thread could not be started");
    s->running = status == LITHE_OK;
    if (status != LITHE_OK) {
        server_stop(s);
        *out = NULL;
    }
    return status;
}

void server_stop(server *s)
{
    if (!s)
        return;
    atomic_store(&s->stop, true);
    if (s->running) {
        lws_cancel_service(s->context);
        pthread_join(s->thread, NULL);
    }
    if (s->context)
        lws_context_destroy(s->context);
    pthread_mutex_destroy(&s->lock);
    free(s->head.memory);
    free(s->series.memory);
    free(s->front.memory);
    free(s->back.memory);
    free(s->answer.memory);
    free(s);
}
