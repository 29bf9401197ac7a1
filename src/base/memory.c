#include "base/memory.h"

#include "lithe/lithe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static void *(*allocate_hook)(size_t bytes) = malloc;
static void (*release_hook)(void *memory) = free;

void lithe_set_allocator(void *(*allocate)(size_t bytes), void (*release)(void *memory))
{
    allocate_hook = allocate ? allocate : malloc;
    release_hook = release ? release : free;
}

void *memory_alloc(size_t bytes)
{
    return allocate_hook(bytes ? bytes : 1);
}

void *memory_grow(void *block, size_t used, size_t bytes)
{
    void *grown = memory_alloc(bytes);
    if (!grown)
        return NULL;
    if (block)
        memcpy(grown, block, used < bytes ? used : bytes);
    memory_free(block);
    return grown;
}

void memory_free(void *block)
{
    if (block)
        release_hook(block);
}

// Address space in use; 0 where the system does not say.
static double memory_mapped(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

double memory_left(void)
{
    struct rlimit limit;
    struct sysinfo machine;
    double left = INFINITY;
    if (sysinfo(&machine) == 0)
        left = ((double)machine.totalram + (double)machine.totalswap) * machine.mem_unit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
        left = fmin(left, fmax(0, (double)limit.rlim_cur - memory_mapped()));
    return left;
}
