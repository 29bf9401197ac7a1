#include "io/file.h"

#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

lithe_status file_create(const char *path, FILE **file, lithe_report *report)
{
    *file = fopen(path, "wb");
    if (!*file)
        return LITHE_FAIL(report, LITHE_IO, "'%s' cannot be written: %s", path, strerror(errno));
    return LITHE_OK;
}

lithe_status file_finish(FILE *file, const char *path, lithe_report *report)
{
    struct stat info;
    bool regular = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    int error = fflush(file) != 0 ? errno : ferror(file) ? EIO : 0;
    if (fclose(file) != 0 && !error)
        error = errno;
    if (!error)
        return LITHE_OK;
    if (regular)
        unlink(path);
    return LITHE_FAIL(report, LITHE_IO, "'%s' could not be written whole: %s; make room and retry",
                      path, strerror(error));
}
