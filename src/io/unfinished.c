#include "io/unfinished.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ROOM = 16, LONGEST = 4096 };

// A handler may come at any moment, so a name counts only while `used` says that it is whole.
typedef struct slot {
    atomic_bool taken, used;
    char path[LONGEST];
} slot;

static slot list[ROOM];

void unfinished_add(const char *path)
{
    if (strlen(path) >= LONGEST)
        return;
    for (int i = 0; i < ROOM; i++) {
        if (atomic_exchange(&list[i].taken, true))
            continue;
        memcpy(list[i].path, path, strlen(path) + 1);
        atomic_store(&list[i].used, true);
        return;
    }
}

void unfinished_drop(const char *path)
{
    for (int i = 0; i < ROOM; i++)
        if (atomic_load(&list[i].used) && strcmp(list[i].path, path) == 0) {
            atomic_store(&list[i].used, false);
            atomic_store(&list[i].taken, false);
            return;
        }
}

// As the kernel writes it; readdir allocates, which a handler must not.
typedef struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
} entry;

static void empty_folder(int folder)
{
    _Alignas(entry) char buffer[8192];
    long n;
    while ((n = syscall(SYS_getdents64, folder, buffer, sizeof buffer)) > 0)
        for (long at = 0; at < n;) {
            const entry *e = (const entry *)(const void *)(buffer + at);
            unlinkat(folder, e->name, 0);
            at += e->length;
        }
}

// Another thread may still be writing there.
static void remove_folder(const char *path)
{
    enum { ATTEMPTS = 10 };
    for (int k = 0; k < ATTEMPTS; k++) {
        int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
        if (folder < 0)
            return;
        empty_folder(folder);
        close(folder);
        if (rmdir(path) == 0)
            return;
    }
}

void unfinished_remove_all(void)
{
    for (int i = ROOM - 1; i >= 0; i--)
        if (atomic_load(&list[i].used) && unlink(list[i].path) != 0)
            remove_folder(list[i].path);
}
