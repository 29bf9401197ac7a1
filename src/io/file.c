#include "io/file.h"

#include "base/memory.h"
#include "base/status.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *file_remedy(int error)
{
    switch (error) {
    case ENOSPC:
    case EDQUOT: return "free some space there, or choose a folder on another disk";
    case EFBIG: return "raise the limit on the size of files (ulimit -f), or use a coarser mesh";
    case EACCES:
    case EPERM:
    case EROFS: return "choose a folder that you may write to";
    case ENOENT:
    case ENOTDIR:
        return "was its folder removed or renamed meanwhile? Leave it alone and run again";
    case EMFILE:
    case ENFILE: return "close other programs, or raise the limit on open files (ulimit -n)";
    case ENAMETOOLONG: return "choose a shorter name";
    default: return "check the disk, or choose a folder on another one, and run again";
    }
}

void *file_load(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (!file)
        return NULL;
    bool regular = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode);
    size_t n = regular ? (size_t)info.st_size : 0;
    char *data = regular ? memory_alloc(n + 1) : NULL;
    if (data && fread(data, 1, n, file) != n) {
        memory_free(data);
        data = NULL;
    }
    fclose(file);
    if (data)
        data[n] = '\0';
    *bytes = n;
    return data;
}

lithe_status file_create(const char *path, FILE **file, lithe_report *report)
{
    *file = fopen(path, "wb");
    if (!*file)
        return LITHE_FAIL(report, LITHE_IO, "'%s' cannot be written: %s; %s", path, strerror(errno),
                          file_remedy(errno));
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
    return LITHE_FAIL(report, LITHE_IO, "'%s' could not be written whole: %s; %s", path,
                      strerror(error), file_remedy(error));
}
