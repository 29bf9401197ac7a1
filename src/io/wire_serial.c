// Lines over a serial port. The machine's side makes a pseudo-terminal where there is no such port,
// and a link of the port's name to it.
#define _GNU_SOURCE // for pseudo-terminals
#include "io/wire_transport.h"

#include "base/status.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

typedef struct speed {
    int baud;
    speed_t code;
} speed;

static const speed speeds[] = {
    {9600, B9600},     {19200, B19200},     {38400, B38400},     {57600, B57600},
    {115200, B115200}, {230400, B230400},   {460800, B460800},   {500000, B500000},
    {921600, B921600}, {1000000, B1000000}, {2000000, B2000000},
};

static bool find_speed(int baud, speed_t *code)
{
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        if (speeds[i].baud == baud) {
            *code = speeds[i].code;
            return true;
        }
    return false;
}

// Eight bits, no parity, one stop bit; every byte as it is.
static bool set_raw(int fd, speed_t code)
{
    struct termios t;
    if (tcgetattr(fd, &t) != 0)
        return false;
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= (tcflag_t) ~(CSTOPB | CRTSCTS);
    t.c_cc[VMIN] = 0;
    t.c_cc[VTIME] = 0;
    cfsetispeed(&t, code);
    cfsetospeed(&t, code);
    return tcsetattr(fd, TCSANOW, &t) == 0 && tcflush(fd, TCIOFLUSH) == 0;
}

static bool make_terminal(wire *w, speed_t code)
{
    const char *path = w->def->device;
    struct stat info;
    if (lstat(path, &info) == 0 && (!S_ISLNK(info.st_mode) || unlink(path) != 0)) {
        errno = EEXIST; // a link that leads nowhere is left of a plant that was killed
        return false;
    }
    w->fd = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (w->fd < 0 || grantpt(w->fd) != 0 || unlockpt(w->fd) != 0 || !set_raw(w->fd, code))
        return false;
    const char *name = ptsname(w->fd);
    if (!name || symlink(name, path) != 0)
        return false;
    snprintf(w->link, sizeof w->link, "%s", path);
    return true;
}

static lithe_status open_serial(wire *w, lithe_report *report)
{
    const lithe_wire_def *d = w->def;
    speed_t code = B115200;
    snprintf(w->name, sizeof w->name, "serial port %s at %d baud", d->device, d->baud);
    if (!find_speed(d->baud, &code))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "%s: a serial port has no %d baud; 9600, 115200 and 1000000 are usual",
                          d->location ? d->location : "wire", d->baud);
    struct stat info;
    if (w->machine && stat(d->device, &info) != 0 && errno == ENOENT)
        return make_terminal(w, code) ? LITHE_OK : wire_fail(w, "make", report);
    w->fd = open(d->device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (w->fd < 0)
        return wire_fail(w, "open", report);
    if (flock(w->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        errno = EBUSY; // two programs would take each other's readings, and both give orders
        return wire_fail(w, "open", report);
    }
    if (!set_raw(w->fd, code))
        return wire_fail(w, "set up", report);
    return LITHE_OK;
}

// A terminal of which VMIN is 0 has nothing where a socket would have ended; so has one that was
// unplugged, for ever.
static long receive(wire *w, char out[WIRE_BYTES])
{
    long n = wire_stream_receive(w, out);
    if (n >= 0 || errno != 0)
        return n;
    struct pollfd p = {w->fd, POLLIN, 0};
    bool unplugged = !w->machine && poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR);
    return unplugged ? -1 : 0;
}

const wire_transport wire_serial = {&wire_line_form, open_serial,      wire_stream_send,
                                    receive,         wire_stream_wait, wire_stream_close};
