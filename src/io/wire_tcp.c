// JSON lines over TCP. The machine listens, for one client at a time.
#define _GNU_SOURCE // for accept4
#include "io/wire_transport.h"

#include "base/clock.h"
#include "base/status.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static bool set_up(int fd)
{
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fcntl(fd, F_SETFL, O_NONBLOCK) == 0;
}

static bool listen_at(wire *w, const struct sockaddr_in *at)
{
    int on = 1;
    w->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return w->listener >= 0 &&
           setsockopt(w->listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
           bind(w->listener, (const struct sockaddr *)at, sizeof *at) == 0 &&
           listen(w->listener, 1) == 0;
}

// Whoever does not answer within two seconds is not there.
static bool connect_to(wire *w, const struct sockaddr_in *at)
{
    enum { PATIENCE = 2000 };
    int error = 0;
    socklen_t size = sizeof error;
    w->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (w->fd < 0)
        return false;
    if (connect(w->fd, (const struct sockaddr *)at, sizeof *at) == 0)
        return set_up(w->fd);
    if (errno != EINPROGRESS)
        return false;
    struct pollfd p = {w->fd, POLLOUT, 0};
    if (poll(&p, 1, PATIENCE) <= 0) {
        errno = ETIMEDOUT;
        return false;
    }
    if (getsockopt(w->fd, SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
        errno = error;
        return false;
    }
    return set_up(w->fd);
}

static lithe_status open_tcp(wire *w, lithe_report *report)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)w->def->port)};
    snprintf(w->name, sizeof w->name, "TCP port %d of %s", w->def->port, w->def->address);
    if (inet_pton(AF_INET, w->def->address, &at.sin_addr) != 1) {
        errno = EADDRNOTAVAIL;
        return wire_fail(w, "understand the address of", report);
    }
    if (w->machine ? listen_at(w, &at) : connect_to(w, &at))
        return LITHE_OK;
    return wire_fail(w, w->machine ? "listen at" : "connect to", report);
}

static void answer(wire *w)
{
    w->fd = accept4(w->listener, NULL, NULL, SOCK_CLOEXEC);
    if (w->fd >= 0 && !set_up(w->fd)) {
        close(w->fd);
        w->fd = -1;
    }
    w->in = w->out = (wire_lines){0};
}

static long receive(wire *w, char out[WIRE_BYTES])
{
    if (w->fd < 0 && w->listener >= 0)
        answer(w);
    long n = wire_stream_receive(w, out);
    if (n < 0) {
        close(w->fd);
        w->fd = -1;
    }
    return n;
}

// A socket that is closed with something unread in it takes back what was sent last: the other side
// gets a moment to read it all and to hang up.
static void close_tcp(wire *w)
{
    const double patience = 0.2; // s
    char unused[WIRE_BYTES];
    struct pollfd p = {w->fd, POLLIN, 0};
    if (!w->machine && w->fd >= 0 && shutdown(w->fd, SHUT_WR) == 0) {
        double until = clock_now() + patience;
        while (clock_now() < until && poll(&p, 1, (int)(1e3 * patience)) > 0 &&
               read(w->fd, unused, sizeof unused) > 0)
            ;
    }
    wire_stream_close(w);
}

const wire_transport wire_tcp = {&wire_json_form, open_tcp,         wire_stream_send,
                                 receive,         wire_stream_wait, close_tcp};
