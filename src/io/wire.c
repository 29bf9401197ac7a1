#include "io/wire_transport.h"

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const wire_transport *const transports[] = {[LITHE_SERIAL] = &wire_serial,
                                                   [LITHE_TCP] = &wire_tcp,
                                                   [LITHE_UDP] = &wire_udp,
                                                   [LITHE_ZMQ] = &wire_zmq};

lithe_status wire_open(const lithe_wire_def *def, bool machine, wire **out, lithe_report *report)
{
    *out = NULL;
    wire *w = memory_alloc(sizeof *w);
    if (!w)
        return report_no_memory(report, "the wire");
    memset(w, 0, sizeof *w);
    w->def = def;
    w->machine = machine;
    w->transport = transports[def->transport];
    w->fd = w->listener = -1;
    lithe_status status = w->transport->open(w, report);
    if (status == LITHE_OK)
        *out = w;
    else
        wire_close(w);
    return status;
}

void wire_close(wire *w)
{
    if (!w)
        return;
    w->transport->close(w);
    memory_free(w);
}

bool wire_send(wire *w, const wire_message *m)
{
    char bytes[WIRE_BYTES];
    size_t n = w->transport->form->write(m, bytes);
    return n > 0 && w->transport->send(w, bytes, n);
}

// Orders are for the machine and readings are not.
wire_event wire_receive(wire *w, wire_message *m)
{
    char bytes[WIRE_BYTES];
    long n = w->transport->receive(w, bytes);
    if (n <= 0)
        return n < 0 ? WIRE_GONE : WIRE_NOTHING;
    bool good = w->transport->form->parse(bytes, (size_t)n, m) && m->reading != w->machine;
    return good ? WIRE_MESSAGE : WIRE_NONSENSE;
}

void wire_wait(wire *w, double seconds)
{
    w->transport->wait(w, seconds);
}

const char *wire_name(const wire *w)
{
    return w->name;
}

lithe_status wire_fail(const wire *w, const char *doing, lithe_report *report)
{
    return LITHE_FAIL(report, LITHE_INVALID, "%s: cannot %s the %s: %s",
                      w->def->location ? w->def->location : "wire", doing, w->name,
                      strerror(errno));
}

bool wire_is_loopback(const char *address)
{
    return strncmp(address, "127.", 4) == 0;
}

static bool flush(wire *w)
{
    while (w->out.n > 0) {
        ssize_t sent = write(w->fd, w->out.bytes, w->out.n);
        if (sent <= 0)
            return false;
        w->out.n -= (size_t)sent;
        memmove(w->out.bytes, w->out.bytes + sent, w->out.n);
    }
    return true;
}

bool wire_stream_send(wire *w, const char *bytes, size_t n)
{
    if (w->fd < 0 || !flush(w) || n > sizeof w->out.bytes)
        return false;
    memcpy(w->out.bytes, bytes, n);
    w->out.n = n;
    flush(w); // what is left of it goes before the next one
    return true;
}

// Of bytes without an end no line can come; the first time that is told as a line that is none.
static size_t drop_overlong(wire_lines *l, char out[WIRE_BYTES])
{
    bool known = l->overlong;
    if (l->n < sizeof l->bytes)
        return 0;
    l->overlong = true;
    l->n = 0;
    out[0] = 0;
    return known ? 0 : 1;
}

// The next whole line, without its end; 0: none.
static size_t take_line(wire_lines *l, char out[WIRE_BYTES])
{
    for (;;) {
        char *end = memchr(l->bytes, '\n', l->n);
        if (!end)
            return drop_overlong(l, out);
        size_t n = (size_t)(end - l->bytes), length = n;
        bool overlong = l->overlong;
        while (length > 0 && l->bytes[length - 1] == '\r')
            length--;
        memcpy(out, l->bytes, length);
        l->overlong = false;
        l->n -= n + 1;
        memmove(l->bytes, end + 1, l->n);
        if (length > 0 && !overlong)
            return length;
    }
}

long wire_stream_receive(wire *w, char out[WIRE_BYTES])
{
    size_t line = take_line(&w->in, out);
    if (line > 0 || w->fd < 0)
        return (long)line;
    flush(w);
    errno = 0; // of reading alone
    ssize_t n = read(w->fd, w->in.bytes + w->in.n, sizeof w->in.bytes - w->in.n);
    if (n > 0) {
        w->in.n += (size_t)n;
        return (long)take_line(&w->in, out);
    }
    if (n < 0 && (errno == EAGAIN || errno == EINTR))
        return 0;
    // A terminal whose other end is not open reads as broken; a socket has ended.
    return w->def->transport == LITHE_SERIAL && w->machine && errno == EIO ? 0 : -1;
}

void wire_stream_wait(wire *w, double seconds)
{
    struct pollfd p[2] = {{w->fd, POLLIN, 0}, {w->listener, POLLIN, 0}};
    poll(p, 2, (int)(1e3 * seconds) + 1);
    if (p[0].revents & (POLLHUP | POLLERR) && !(p[0].revents & POLLIN)) {
        struct timespec nap = {0, 1000000}; // so as not to spin until somebody opens it
        nanosleep(&nap, NULL);
    }
}

void wire_stream_close(wire *w)
{
    if (w->fd >= 0)
        close(w->fd);
    if (w->listener >= 0)
        close(w->listener);
    if (w->link[0])
        unlink(w->link);
    w->fd = w->listener = -1;
}
