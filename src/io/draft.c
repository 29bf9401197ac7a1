#include "io/draft.h"

#include "base/status.h"
#include "io/file.h"
#include "io/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *draft_target(arena *memory, const char *path)
{
    char *resolved = realpath(path, NULL);
    const char *target = arena_strdup(memory, resolved ? resolved : path);
    free(resolved);
    return target;
}

// The number keeps apart what one process writes, and processes that share an id on a network disk.
int draft_make(arena *memory, const char *target, const char **partial)
{
    for (int number = 0; number < 1000; number++) {
        const char *name =
            arena_format(memory, "%s.partial-%ld-%d", target, (long)getpid(), number);
        int fd = -1;
        if (name)
            fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        else
            errno = ENOMEM;
        if (fd >= 0)
            unfinished_add(*partial = name);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static bool is_device(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

lithe_status draft_open(draft *d, const char *path, lithe_report *report)
{
    *d = (draft){.path = path};
    d->target = draft_target(&d->memory, path);
    int fd = -1;
    if (!d->target)
        errno = ENOMEM;
    else if (is_device(path))
        fd = open(path, O_WRONLY | O_CLOEXEC);
    else
        fd = draft_make(&d->memory, d->target, &d->partial);
    d->file = fd >= 0 ? fdopen(fd, "wb") : NULL;
    if (d->file)
        return LITHE_OK;
    int error = errno;
    if (fd >= 0)
        close(fd);
    draft_discard(d);
    return LITHE_FAIL(report, LITHE_IO, "'%s' cannot be written: %s; %s", path, strerror(error),
                      file_remedy(error));
}

lithe_status draft_commit(draft *d, lithe_report *report)
{
    int error = fflush(d->file) != 0 ? errno : ferror(d->file) ? EIO : 0;
    if (fclose(d->file) != 0 && !error)
        error = errno;
    d->file = NULL;
    if (!error && d->partial && rename(d->partial, d->target) != 0)
        error = errno;
    lithe_status status = LITHE_OK;
    if (error)
        status = LITHE_FAIL(report, LITHE_IO, "'%s' could not be written whole: %s; %s", d->path,
                            strerror(error), file_remedy(error));
    else if (d->partial) {
        unfinished_drop(d->partial);
        d->partial = NULL;
    }
    draft_discard(d);
    return status;
}

void draft_discard(draft *d)
{
    if (d->file)
        fclose(d->file);
    if (d->partial) {
        unlink(d->partial);
        unfinished_drop(d->partial);
    }
    arena_free(&d->memory);
    *d = (draft){0};
}
