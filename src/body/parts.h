// Elements are cut into parts, one for each thread: elements near each other, always the same ones.
// A part adds its elements' forces and stiffness to nodes and blocks of A as it makes them, unless
// another part adds there too. Those are few; they are kept, and summed when all parts are done, in
// the order in which one part would have come to them. So bits do not depend on the parts.
#ifndef BODY_PARTS_H
#define BODY_PARTS_H

#include "base/arena.h"
#include "base/status.h"
#include "element/family.h"

typedef struct body body;

typedef struct body_parts {
    int n;
    const int *into; // where element blocks go, see scatter.h (body.nblock)
    int *onto;       // the same of forces: PARTS_APART, or an entry of sum (body.nforce)
    double *sum;     // forces, part after part, so that none writes among another's (nsum x 3);
                     // one part has none, its entries are nodes
    int *sum_adr;    // where each part's entries begin (n + 1)
    int *from;       // the entry of every node, or PARTS_APART (nnode)
    int nblock;      // blocks of A that several parts add to
    int *block;      // (nblock)
    int nnode;       // … and nodes
    int *node;       // (nnode)
    int nlone;       // nodes that no element has
    int *lone;       // (nlone)
    size_t tile;     // numbers of one part's tile
    double *room;    // for a tile of every part (n x tile): stiffness, and before it forces
} body_parts;

enum {
    PARTS_TILE = 4, // batches whose stiffness is made and added to A at a time
    PARTS_APART = -1,
};

lithe_status parts_create(const body *b, int n, arena *memory, body_parts *out);

// The batches of a family that a part has: [first, last).
void parts_batches(const body_parts *p, const element_family *f, int part, int *first, int *last);

#endif
