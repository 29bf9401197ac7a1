#include "base/plain_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *open_plain(const char *path, int flags, const char *mode)
{
    struct stat info;
    int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0)
        return NULL;
    bool regular = fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = regular ? fdopen(fd, mode) : NULL;
    if (file)
        return file;
    close(fd);
    errno = regular ? ENOMEM : EINVAL;
    return NULL;
}

FILE *plain_file_read(const char *path)
{
    return open_plain(path, O_RDONLY, "rb");
}

FILE *plain_file_write(const char *path)
{
    (void)unlink(path);
    return open_plain(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, "wb");
}

FILE *plain_file_update(const char *path)
{
    return open_plain(path, O_RDWR | O_CREAT | O_NOFOLLOW, "r+b");
}
