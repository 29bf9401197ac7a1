// A block of bytes that grows, for what a reader cannot count beforehand. Zero-initialize; items of
// one type only.
#ifndef MESH_LIST_H
#define MESH_LIST_H

#include <stddef.h>

typedef struct list {
    void *data;
    size_t used; // bytes
    size_t room; // bytes
} list;

// The address of `bytes` new bytes at the end, or NULL when there is no memory. Earlier addresses
// become stale.
void *list_add(list *l, size_t bytes);

void list_free(list *l);

// How many items of the type, and where they are.
#define list_count(l, type) ((l)->used / sizeof(type))
#define list_at(l, type)    ((type *)(l)->data)

#endif
