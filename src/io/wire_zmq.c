// JSON over ZeroMQ. The machine binds both ends: it hears orders at one port (SUB) and tells
// readings at the other (PUB).
#include "io/wire_transport.h"

#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <zmq.h>

static bool attach(wire *w, void *socket, int port)
{
    char endpoint[WIRE_NAME];
    int linger = w->machine ? 0 : 200, most = 64; // ms for the last orders to leave
    snprintf(endpoint, sizeof endpoint, "tcp://%.200s:%d", w->def->address, port);
    zmq_setsockopt(socket, ZMQ_LINGER, &linger, sizeof linger);
    zmq_setsockopt(socket, ZMQ_SNDHWM, &most, sizeof most);
    zmq_setsockopt(socket, ZMQ_RCVHWM, &most, sizeof most);
    int64_t largest = WIRE_BYTES;
    zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &largest, sizeof largest);
    return (w->machine ? zmq_bind(socket, endpoint) : zmq_connect(socket, endpoint)) == 0;
}

static lithe_status open_zmq(wire *w, lithe_report *report)
{
    const lithe_wire_def *d = w->def;
    snprintf(w->name, sizeof w->name, "ZeroMQ ports %d and %d of %s", d->port, d->reply,
             d->address);
    w->context = zmq_ctx_new();
    w->to_peer = w->context ? zmq_socket(w->context, ZMQ_PUB) : NULL;
    w->from_peer = w->context ? zmq_socket(w->context, ZMQ_SUB) : NULL;
    if (!w->to_peer || !w->from_peer || zmq_setsockopt(w->from_peer, ZMQ_SUBSCRIBE, "", 0) != 0 ||
        !attach(w, w->to_peer, w->machine ? d->reply : d->port) ||
        !attach(w, w->from_peer, w->machine ? d->port : d->reply))
        return LITHE_FAIL(report, LITHE_INVALID, "%s: cannot open the %s: %s",
                          d->location ? d->location : "wire", w->name, zmq_strerror(zmq_errno()));
    return LITHE_OK;
}

static bool send_zmq(wire *w, const char *bytes, size_t n)
{
    return zmq_send(w->to_peer, bytes, n, ZMQ_DONTWAIT) == (int)n;
}

static long receive_zmq(wire *w, char out[WIRE_BYTES])
{
    int n = zmq_recv(w->from_peer, out, WIRE_BYTES, ZMQ_DONTWAIT);
    if (n < 0)
        return 0;
    if (n == 0 || n > WIRE_BYTES) {
        out[0] = 0;
        return 1; // no message
    }
    return n;
}

static void wait_zmq(wire *w, double seconds)
{
    zmq_pollitem_t item = {w->from_peer, 0, ZMQ_POLLIN, 0};
    zmq_poll(&item, 1, (long)(1e3 * seconds) + 1);
}

static void close_zmq(wire *w)
{
    if (w->to_peer)
        zmq_close(w->to_peer);
    if (w->from_peer)
        zmq_close(w->from_peer);
    if (w->context)
        zmq_ctx_term(w->context);
}

const wire_transport wire_zmq = {&wire_json_form, open_zmq, send_zmq,
                                 receive_zmq,     wait_zmq, close_zmq};
