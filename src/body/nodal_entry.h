// Blocks of the nodal tangent as its rows need them: node by node, those below the diagonal and,
// transposed, those across it.
#ifndef BODY_NODAL_ENTRY_H
#define BODY_NODAL_ENTRY_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

struct body;

// One factor of a node's three lines of K: a block by the node `column`.
typedef struct nodal_entry {
    int block, column;
    bool transposed;
} nodal_entry;

// Of every node, in the order of columns of the pattern; the first of each at adr (nnode + 1).
lithe_status nodal_entries(const struct body *b, arena *memory, int **adr, nodal_entry **entry);

#endif
