// What transports are made of.
#ifndef IO_WIRE_TRANSPORT_H
#define IO_WIRE_TRANSPORT_H

#include "io/wire.h"

enum { WIRE_NAME = 256 };

// Bytes of a stream that are no whole line yet.
typedef struct wire_lines {
    size_t n;
    bool overlong; // the line under way is too long, and is dropped
    char bytes[WIRE_BYTES];
} wire_lines;

typedef struct wire_transport {
    const wire_form *form;
    lithe_status (*open)(wire *w, lithe_report *report);
    // Neither waits. Bytes of one message, 0: none, -1: the other side has gone.
    bool (*send)(wire *w, const char *bytes, size_t n);
    long (*receive)(wire *w, char out[WIRE_BYTES]);
    void (*wait)(wire *w, double seconds);
    void (*close)(wire *w);
} wire_transport;

struct wire {
    const lithe_wire_def *def;
    const wire_transport *transport;
    bool machine;
    char name[WIRE_NAME];
    int fd, listener; // -1: none
    wire_lines in, out;
    char link[WIRE_NAME];                // that a pseudo-terminal is known by; "": none
    void *context, *to_peer, *from_peer; // ZeroMQ
    unsigned char peer[32];              // UDP: where to
    size_t npeer;
};

extern const wire_transport wire_serial, wire_tcp, wire_udp, wire_zmq;

// A stream on w->fd. Lines that do not fit are dropped, and so are messages while the last one is
// still under way.
bool wire_stream_send(wire *w, const char *bytes, size_t n);
long wire_stream_receive(wire *w, char out[WIRE_BYTES]);
void wire_stream_wait(wire *w, double seconds);
void wire_stream_close(wire *w);

lithe_status wire_fail(const wire *w, const char *doing, lithe_report *report); // by errno

// Whether an address is of this machine alone.
bool wire_is_loopback(const char *address);

#endif
