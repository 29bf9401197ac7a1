#include "base/memory.h"

#include "lithe/lithe.h"

#include <stdlib.h>
#include <string.h>

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
