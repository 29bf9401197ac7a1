// A file in the making, in the folder of the name that it gets when it is whole.
#ifndef IO_DRAFT_H
#define IO_DRAFT_H

#include "base/arena.h"
#include "lithe/lithe.h"

#include <stdio.h>

typedef struct draft {
    FILE *file;
    arena memory;
    const char *path;    // as the user wrote it, for messages
    const char *target;  // links resolved
    const char *partial; // NULL: what is written goes straight to the target, which is a device
} draft;

// On failure there is nothing to discard.
lithe_status draft_open(draft *d, const char *path, lithe_report *report);

// Both end the draft; after a failed commit nothing is left on the disk. Failures of earlier writes
// are told by draft_commit.
lithe_status draft_commit(draft *d, lithe_report *report);
void draft_discard(draft *d);

// Where a path leads, links resolved; NULL: no memory.
const char *draft_target(arena *memory, const char *path);

// Makes a file beside the target under a name that nothing has: what is there, be it a link, is
// neither overwritten nor followed. Returns its descriptor; -1: errno says why not.
int draft_make(arena *memory, const char *target, const char **partial);

#endif
