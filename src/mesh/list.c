#include "mesh/list.h"

#include "base/memory.h"

#include <stdint.h>

enum { FIRST_ROOM = 1024 };

void *list_add(list *l, size_t bytes)
{
    if (bytes > SIZE_MAX / 4 - l->used)
        return NULL;
    if (!l->data || l->used + bytes > l->room) { // no bytes at all have an address too
        size_t room = l->used + l->used / 2 + bytes + FIRST_ROOM;
        void *grown = memory_grow(l->data, l->used, room);
        if (!grown)
            return NULL;
        l->data = grown;
        l->room = room;
    }
    void *added = (char *)l->data + l->used;
    l->used += bytes;
    return added;
}

void list_free(list *l)
{
    memory_free(l->data);
    *l = (list){0};
}
