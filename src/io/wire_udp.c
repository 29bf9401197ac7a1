// Open Sound Control over UDP: the machine listens at one port and its readings go to another, both
// on the same address or on each one's own.
#include "io/wire_transport.h"

#include "base/status.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

_Static_assert(sizeof(struct sockaddr_in) <= sizeof((wire *)0)->peer, "an address fits");

static lithe_status open_udp(wire *w, lithe_report *report)
{
    const lithe_wire_def *d = w->def;
    struct sockaddr_in own = {.sin_family = AF_INET}, peer = {.sin_family = AF_INET};
    snprintf(w->name, sizeof w->name, "UDP ports %d and %d of %s", d->port, d->reply, d->address);
    if (inet_pton(AF_INET, d->address, &peer.sin_addr) != 1) {
        errno = EADDRNOTAVAIL;
        return wire_fail(w, "understand the address of", report);
    }
    own.sin_port = htons((uint16_t)(w->machine ? d->port : d->reply));
    peer.sin_port = htons((uint16_t)(w->machine ? d->reply : d->port));
    own.sin_addr = peer.sin_addr; // of a machine elsewhere the answers come in from there
    if (!wire_is_loopback(d->address) && !w->machine)
        own.sin_addr.s_addr = htonl(INADDR_ANY);
    memcpy(w->peer, &peer, sizeof peer);
    w->npeer = w->machine && !wire_is_loopback(d->address) ? 0 : sizeof peer;
    w->fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (w->fd < 0 || bind(w->fd, (struct sockaddr *)&own, sizeof own) != 0)
        return wire_fail(w, "listen at", report);
    return LITHE_OK;
}

static bool send_udp(wire *w, const char *bytes, size_t n)
{
    return w->npeer > 0 && sendto(w->fd, bytes, n, 0, (const struct sockaddr *)w->peer,
                                  (socklen_t)w->npeer) == (ssize_t)n;
}

// Whoever is told of nowhere else is answered at the address that it writes from; others than the
// one that is known are not listened to.
static bool is_peer(wire *w, const struct sockaddr_in *from)
{
    struct sockaddr_in peer;
    memcpy(&peer, w->peer, sizeof peer);
    if (w->npeer > 0)
        return peer.sin_addr.s_addr == from->sin_addr.s_addr;
    peer.sin_addr = from->sin_addr;
    memcpy(w->peer, &peer, sizeof peer);
    w->npeer = sizeof peer;
    return true;
}

static long receive_udp(wire *w, char out[WIRE_BYTES])
{
    struct sockaddr_in from = {0};
    socklen_t size = sizeof from;
    ssize_t n = recvfrom(w->fd, out, WIRE_BYTES, MSG_TRUNC, (struct sockaddr *)&from, &size);
    if (n < 0)
        return 0; // also where nobody listens yet: the next message may find somebody
    if (!is_peer(w, &from) || n == 0 || n > WIRE_BYTES) {
        out[0] = 0;
        return 1; // no message
    }
    return (long)n;
}

const wire_transport wire_udp = {&wire_osc_form, open_udp,         send_udp,
                                 receive_udp,    wire_stream_wait, wire_stream_close};
