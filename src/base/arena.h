// An arena owns everything that lives and dies together: a mesh, a scene, a model, a state.
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stddef.h>

typedef struct arena_chunk arena_chunk;

// Zero-initialize to make an empty arena.
typedef struct arena {
    arena_chunk *newest;
    size_t bytes; // asked for so far
} arena;

// Zeroed memory, aligned to 64 bytes; NULL when there is none, or when count * size overflows.
void *arena_alloc(arena *a, size_t count, size_t size);

char *arena_strdup(arena *a, const char *text);

__attribute__((format(printf, 2, 3))) char *arena_format(arena *a, const char *format, ...);

void arena_free(arena *a);

// arena_new(a, n, double): n doubles.
#define arena_new(a, count, type) ((type *)arena_alloc((a), (size_t)(count), sizeof(type)))

#endif
