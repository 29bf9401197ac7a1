// A temporary folder for tests that write, and a disk that is full.
#ifndef TESTS_IO_FOLDER_H
#define TESTS_IO_FOLDER_H

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_ROOM = 512 };

// A new folder, made the current one.
static inline void folder_enter(char path[PATH_ROOM])
{
    const char *base = getenv("TMPDIR");
    snprintf(path, PATH_ROOM, "%s/lithe-test-XXXXXX", base ? base : "/tmp");
    if (!mkdtemp(path) || chdir(path) != 0)
        abort();
}

static inline void folder_leave(const char *path)
{
    char command[PATH_ROOM + 16];
    snprintf(command, sizeof command, "rm -rf '%s'", path);
    if (chdir("/") != 0 || system(command) != 0)
        abort();
}

static inline int folder_count(const char *path)
{
    int n = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return -1;
    for (const struct dirent *entry; (entry = readdir(dir));)
        n += entry->d_name[0] != '.';
    closedir(dir);
    return n;
}

static inline void folder_write(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        abort();
}

// Writes past this many bytes of a file fail, as on a full disk. RLIM_INFINITY: no more.
static inline void folder_limit_files(rlim_t bytes)
{
    struct rlimit limit;
    signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
}

#endif
