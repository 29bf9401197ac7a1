// FNV-1a: tells whether bytes are those that they were. It is no defence against
// somebody who wants it to be fooled.
#ifndef BASE_FNV_H
#define BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define FNV_START 14695981039346656037u

// One more piece, as a whole; and bytes, one by one.
static inline uint64_t fnv_add_word(uint64_t h, uint64_t word)
{
    return (h ^ word) * 1099511628211u;
}

static inline uint64_t fnv_add(uint64_t h, const void *data, size_t bytes)
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < bytes; i++)
        h = fnv_add_word(h, byte[i]);
    return h;
}

#endif
