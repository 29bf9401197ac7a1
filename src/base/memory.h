// Every byte the library allocates comes through here, so that a test can count or refuse it.
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include <stddef.h>

// Uninitialized memory, or NULL. Release with memory_free.
void *memory_alloc(size_t bytes);

// Grows a block that holds `used` bytes to `bytes`; NULL (the old block stays) when there is no
// memory.
void *memory_grow(void *block, size_t used, size_t bytes);

void memory_free(void *block);

#define MEMORY_MIB 1048576.0

// Bytes that this process can still hope for: what its address-space limit (ulimit -v) leaves, and
// no more than the machine has.
double memory_left(void);

#endif
