// Preloaded into the program, makes one call to the system fail:
//
//     LITHE_FAULT=NUMBER         the call that fails, counted from 1 …
//     LITHE_FAULT=NUMBER+        … and every one after it
//     LITHE_FAULT_LOG=FILE       gets one line, "NUMBER CALL", when the fault strikes
//
// Counted are the calls that make, read and write files and folders in the working folder. Streams
// are opened over read and write of this file, as those inside the C library cannot be replaced.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) (__extension__(__typeof__(&name)) dlsym(RTLD_NEXT, #name))

enum { MOST_STREAMS = 64 };

static int count;
static struct {
    FILE *file;
    int fd;
} stream[MOST_STREAMS];

static void log_fault(const char *call)
{
    char line[64];
    const char *path = getenv("LITHE_FAULT_LOG");
    int fd = path ? REAL(open)(path, O_WRONLY | O_CREAT | O_APPEND, 0666) : -1;
    int n = snprintf(line, sizeof line, "%d %s\n", count, call);
    if (fd < 0)
        return;
    if (REAL(write)(fd, line, (size_t)n) != n)
        abort();
    close(fd);
}

// True, with errno set, when this call is to fail.
static bool strikes(const char *call, int error)
{
    const char *text = getenv("LITHE_FAULT");
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    count++;
    if (number < 1 || count < number || (count > number && *end != '+'))
        return false;
    log_fault(call);
    errno = error;
    return true;
}

// What the system and its libraries read on their own is none of the program's business.
static bool counts(const char *path)
{
    return strncmp(path, "/proc/", 6) != 0 && strncmp(path, "/dev/", 5) != 0 &&
           strncmp(path, "/sys/", 5) != 0;
}

static int open_error(int flags)
{
    return (flags & O_ACCMODE) == O_RDONLY ? EIO : ENOSPC;
}

static mode_t mode_of(int flags, va_list args)
{
    return flags & O_CREAT ? (mode_t)va_arg(args, int) : 0;
}

int open(const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    if (counts(path) && strikes("open", open_error(flags)))
        return -1;
    return REAL(open)(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list args;
    va_start(args, flags);
    mode_t mode = mode_of(flags, args);
    va_end(args);
    if (strikes("openat", open_error(flags)))
        return -1;
    return REAL(openat)(folder, path, flags, mode);
}

// A page at a time, so that a file can fail in its middle.
ssize_t read(int fd, void *buffer, size_t size)
{
    enum { PAGE = 4096 };
    return strikes("read", EIO) ? -1 : REAL(read)(fd, buffer, size < PAGE ? size : PAGE);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
    return strikes("write", ENOSPC) ? -1 : REAL(write)(fd, buffer, size);
}

int fsync(int fd)
{
    return strikes("fsync", EIO) ? -1 : REAL(fsync)(fd);
}

int mkdir(const char *path, mode_t mode)
{
    return strikes("mkdir", ENOSPC) ? -1 : REAL(mkdir)(path, mode);
}

int rename(const char *from, const char *to)
{
    return strikes("rename", EIO) ? -1 : REAL(rename)(from, to);
}

static ssize_t stream_read(void *cookie, char *buffer, size_t size)
{
    return read((int)(intptr_t)cookie, buffer, size);
}

static ssize_t stream_write(void *cookie, const char *buffer, size_t size)
{
    ssize_t n = write((int)(intptr_t)cookie, buffer, size);
    return n < 0 ? 0 : n;
}

static int stream_close(void *cookie)
{
    int fd = (int)(intptr_t)cookie;
    for (int i = 0; i < MOST_STREAMS; i++)
        if (stream[i].file && stream[i].fd == fd)
            stream[i].file = NULL;
    return close(fd);
}

static FILE *wrap(int fd, const char *mode)
{
    cookie_io_functions_t functions = {stream_read, stream_write, NULL, stream_close};
    int free_one = 0;
    while (free_one < MOST_STREAMS && stream[free_one].file)
        free_one++;
    if (free_one == MOST_STREAMS)
        abort();
    stream[free_one].fd = fd;
    return stream[free_one].file = fopencookie((void *)(intptr_t)fd, mode, functions);
}

FILE *fopen(const char *path, const char *mode)
{
    int flags = *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    if (!counts(path))
        return REAL(fopen)(path, mode);
    int fd = open(path, flags, 0666);
    return fd < 0 ? NULL : wrap(fd, mode);
}

FILE *fdopen(int fd, const char *mode)
{
    return wrap(fd, mode);
}

int fileno(FILE *file)
{
    for (int i = 0; i < MOST_STREAMS; i++)
        if (stream[i].file == file)
            return stream[i].fd;
    return REAL(fileno)(file);
}
