#include "io/outdir.h"

#include "base/status.h"
#include "io/file.h"
#include "io/unfinished.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_frame(const char *file)
{
    int number;
    int end = -1;
    return sscanf(file, "frame_%d.vtu%n", &number, &end) == 1 && end >= 0 && file[end] == '\0';
}

static bool is_ours(const char *file)
{
    static const char *const name[] = {
        OUTDIR_SUMMARY,    OUTDIR_SERIES,     OUTDIR_INDEX,     OUTDIR_ACTUATION, OUTDIR_JACOBIAN,
        OUTDIR_COMPLIANCE, OUTDIR_PARAMETERS, OUTDIR_RESIDUALS, OUTDIR_OVERRIDES, OUTDIR_RECORDING,
        OUTDIR_CONTACTS,   OUTDIR_GAINS,      OUTDIR_WORKSPACE, OUTDIR_POSES,     OUTDIR_ESTIMATE};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (strcmp(file, name[i]) == 0)
            return true;
    return is_frame(file);
}

static bool is_dots(const char *file)
{
    return strcmp(file, ".") == 0 || strcmp(file, "..") == 0;
}

static lithe_status fail_reading(const char *name, int error, lithe_report *report)
{
    return LITHE_FAIL(report, LITHE_IO, "the folder '%s' cannot be read: %s; %s", name,
                      strerror(error), file_remedy(error));
}

// Others write files called summary.json too; ours begins with the scene.
static lithe_status check_summary(DIR *dir, const char *name, lithe_report *report)
{
    static const char head[] = "{\"scene\": ";
    char text[sizeof head] = "";
    int fd = openat(dirfd(dir), OUTDIR_SUMMARY, O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof head - 1);
    int error = n < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    if (error && error != ENOENT && error != EISDIR)
        return fail_reading(name, error, report);
    if (!error && strcmp(text, head) == 0)
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "the folder '%s' is not empty and has no %s of lithe; choose another folder "
                      "for the results, or empty this one",
                      name, OUTDIR_SUMMARY);
}

static lithe_status check_content(DIR *dir, const char *name, lithe_report *report)
{
    bool empty = true;
    for (const struct dirent *entry; errno = 0, (entry = readdir(dir));) {
        if (is_dots(entry->d_name))
            continue;
        empty = false;
        if (!is_ours(entry->d_name))
            return LITHE_FAIL(report, LITHE_INVALID,
                              "the folder '%s' holds '%s', which is no result of lithe; choose "
                              "another folder for the results, or move that file away",
                              name, entry->d_name);
    }
    if (errno)
        return fail_reading(name, errno, report);
    return empty ? LITHE_OK : check_summary(dir, name, report);
}

static lithe_status check_existing(const char *name, lithe_report *report)
{
    struct stat info;
    if (stat(name, &info) != 0)
        return LITHE_FAIL(report, LITHE_INVALID, "'%s' is a link that leads nowhere; remove it",
                          name);
    if (!S_ISDIR(info.st_mode))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "'%s' is a file; results need a folder, choose another name", name);
    DIR *dir = opendir(name);
    if (!dir)
        return fail_reading(name, errno, report);
    lithe_status status = check_content(dir, name, report);
    closedir(dir);
    return status;
}

// Length without trailing slashes.
static size_t trimmed(const char *name)
{
    size_t length = strlen(name);
    while (length > 1 && name[length - 1] == '/')
        length--;
    return length;
}

// A folder that takes its name at the end needs a name of its own.
static bool has_own_name(const char *name)
{
    size_t length = trimmed(name);
    size_t start = length;
    while (start > 0 && name[start - 1] != '/')
        start--;
    size_t last = length - start;
    return last > 2 || (last == 2 && strncmp(name + start, "..", 2) != 0) ||
           (last == 1 && name[start] != '.');
}

lithe_status outdir_check(const char *name, lithe_report *report)
{
    struct stat info;
    if (!has_own_name(name))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "'%s' cannot be the folder for results; name a folder of its own, such "
                          "as 'results'",
                          name);
    if (lstat(name, &info) == 0)
        return check_existing(name, report);
    if (errno == ENOENT)
        return LITHE_OK;
    return LITHE_FAIL(report, errno == ENOTDIR ? LITHE_INVALID : LITHE_IO,
                      "'%s' cannot be the folder for results: %s; choose another folder", name,
                      strerror(errno));
}

static lithe_status set_paths(outdir *out, const char *name, lithe_report *report)
{
    char *resolved = realpath(name, NULL);
    char *path = arena_strdup(&out->memory, resolved ? resolved : name);
    free(resolved);
    out->name = arena_strdup(&out->memory, name);
    out->path = path;
    if (!out->name || !path)
        return report_no_memory(report, "the results' folder");
    path[trimmed(path)] = '\0';
    return LITHE_OK;
}

static lithe_status make_parents(outdir *out, lithe_report *report)
{
    char *path = arena_strdup(&out->memory, out->path);
    if (!path)
        return report_no_memory(report, "the results' folder");
    for (char *slash = path; (slash = strchr(slash + 1, '/'));) {
        *slash = '\0';
        if (mkdir(path, 0777) == 0) {
            if (out->made == 0)
                out->made = (size_t)(slash - path);
        } else if (errno != EEXIST && errno != EISDIR) {
            return LITHE_FAIL(report, LITHE_IO, "the folder '%s' cannot be made: %s; %s", path,
                              strerror(errno), file_remedy(errno));
        }
        *slash = '/';
    }
    return LITHE_OK;
}

// The number keeps apart runs that share a process id on a network disk.
static lithe_status make_partial(outdir *out, lithe_report *report)
{
    for (int number = 0; number < 1000; number++) {
        out->partial =
            arena_format(&out->memory, "%s.partial-%ld-%d", out->path, (long)getpid(), number);
        if (!out->partial)
            return report_no_memory(report, "the results' folder");
        if (mkdir(out->partial, 0777) == 0) {
            unfinished_add(out->partial);
            return LITHE_OK;
        }
        if (errno != EEXIST)
            break;
    }
    lithe_status status = LITHE_FAIL(report, LITHE_IO, "the folder '%s' cannot be made: %s; %s",
                                     out->partial, strerror(errno), file_remedy(errno));
    out->partial = NULL;
    return status;
}

lithe_status outdir_open(const char *name, outdir *out, lithe_report *report)
{
    *out = (outdir){0};
    LITHE_TRY(outdir_check(name, report));
    lithe_status status = set_paths(out, name, report);
    if (status == LITHE_OK)
        status = make_parents(out, report);
    if (status == LITHE_OK)
        status = make_partial(out, report);
    if (status != LITHE_OK)
        outdir_discard(out);
    return status;
}

const char *outdir_file(outdir *out, const char *file)
{
    return arena_format(&out->memory, "%s/%s", out->partial, file);
}

// Only what has our names goes; a folder that turns out to hold more stays, with that in it.
static bool remove_results(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return false;
    for (const struct dirent *entry; (entry = readdir(dir));)
        if (is_ours(entry->d_name))
            unlinkat(dirfd(dir), entry->d_name, 0);
    closedir(dir);
    return rmdir(path) == 0;
}

static void remove_parents(const outdir *out)
{
    char *path = strdup(out->path);
    if (!path)
        return;
    for (char *slash; (slash = strrchr(path, '/')) && (size_t)(slash - path) >= out->made;) {
        *slash = '\0';
        rmdir(path);
    }
    free(path);
}

void outdir_discard(outdir *out)
{
    if (out->partial) {
        remove_results(out->partial);
        unfinished_drop(out->partial);
    }
    if (out->made > 0)
        remove_parents(out);
    arena_free(&out->memory);
    *out = (outdir){0};
}

// The only moment without a folder of that name is between the two renames.
static int replace(const outdir *out, const char *old, lithe_report *report)
{
    if (rename(out->path, old) != 0)
        return errno;
    if (rename(out->partial, out->path) == 0)
        return 0;
    int error = errno;
    if (rename(old, out->path) != 0)
        report_notice(report, "the earlier results of '%s' are now in '%s'", out->name, old);
    return error;
}

// A folder may take the place of a missing or an empty one at once.
static int take_name(outdir *out, lithe_report *report)
{
    if (rename(out->partial, out->path) == 0)
        return 0;
    if (errno != ENOTEMPTY && errno != EEXIST)
        return errno;
    const char *old = arena_format(&out->memory, "%s.old", out->partial);
    if (!old)
        return ENOMEM;
    int error = replace(out, old, report);
    if (!error && !remove_results(old))
        report_notice(report, "the folder '%s' changed meanwhile; what it held is now in '%s'",
                      out->name, old);
    return error;
}

// A signal between the two renames would leave earlier results without their name.
static int take_name_undisturbed(outdir *out, lithe_report *report)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int error = take_name(out, report);
    if (!error)
        unfinished_drop(out->partial);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

// Some disks notice only here that they are full. All at once in the end, so that no step waits for
// the disk.
static int force_out(const char *path)
{
    DIR *dir = opendir(path);
    if (!dir)
        return errno;
    int error = 0;
    for (const struct dirent *entry; !error && (errno = 0, entry = readdir(dir));) {
        if (is_dots(entry->d_name))
            continue;
        int fd = openat(dirfd(dir), entry->d_name, O_RDONLY);
        if (fd < 0 || fsync(fd) != 0)
            error = errno;
        if (fd >= 0)
            close(fd);
    }
    if (!error)
        error = errno;
    closedir(dir);
    return error;
}

lithe_status outdir_commit(outdir *out, lithe_report *report)
{
    lithe_status status = LITHE_OK;
    int error = force_out(out->partial);
    if (!error)
        error = take_name_undisturbed(out, report);
    if (error) {
        status = LITHE_FAIL(report, LITHE_IO, "the results cannot be put at '%s': %s; %s",
                            out->name, strerror(error), file_remedy(error));
        outdir_discard(out);
    }
    arena_free(&out->memory);
    *out = (outdir){0};
    return status;
}
