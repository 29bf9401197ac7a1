#include "base/arena.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { ALIGNMENT = 64, CHUNK_BYTES = 64 * 1024 };

struct arena_chunk {
    arena_chunk *older;
    size_t used; // offset of the first free byte, from the chunk's own start
    size_t size;
};

static size_t aligned_offset(const arena_chunk *chunk)
{
    uintptr_t free_at = (uintptr_t)chunk + chunk->used;
    uintptr_t aligned = (free_at + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    return (size_t)(aligned - (uintptr_t)chunk);
}

static arena_chunk *add_chunk(arena *a, size_t bytes)
{
    size_t size = sizeof(arena_chunk) + ALIGNMENT + bytes;
    if (size < CHUNK_BYTES)
        size = CHUNK_BYTES;
    arena_chunk *chunk = memory_alloc(size);
    if (!chunk)
        return NULL;
    *chunk = (arena_chunk){a->newest, sizeof(arena_chunk), size};
    a->newest = chunk;
    return chunk;
}

void *arena_alloc(arena *a, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 4) / size)
        return NULL;
    size_t bytes = count * size;
    arena_chunk *chunk = a->newest;
    if (!chunk || aligned_offset(chunk) > chunk->size ||
        chunk->size - aligned_offset(chunk) < bytes) {
        chunk = add_chunk(a, bytes);
        if (!chunk)
            return NULL;
    }
    size_t at = aligned_offset(chunk);
    chunk->used = at + bytes;
    a->bytes += bytes;
    return memset((char *)chunk + at, 0, bytes);
}

char *arena_strdup(arena *a, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = arena_alloc(a, bytes, 1);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

char *arena_format(arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : arena_alloc(a, (size_t)length + 1, 1);
    if (!text)
        return NULL;
    va_start(args, format);
    vsnprintf(text, (size_t)length + 1, format, args);
    va_end(args);
    return text;
}

void arena_free(arena *a)
{
    for (arena_chunk *chunk = a->newest; chunk;) {
        arena_chunk *older = chunk->older;
        memory_free(chunk);
        chunk = older;
    }
    *a = (arena){0};
}
