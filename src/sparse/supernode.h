// Columns of L with nearly the same structure, put together into dense fronts.
#ifndef SPARSE_SUPERNODE_H
#define SPARSE_SUPERNODE_H

#include "sparse/etree.h"

// Fronts are in postorder: every front follows the whole of its subtree.
typedef struct supernodes {
    int nfront;
    int *order;  // (n) the graph's number of every column
    int *first;  // (nfront + 1) first column of every front
    int *nrow;   // (nfront) block rows below its columns
    int *parent; // (nfront) -1 at roots
} supernodes;

// t must be postordered. Everything is allocated in `memory`.
lithe_status supernodes_create(const etree *t, arena *memory, supernodes *out);

// One supernode while merging.
typedef struct supernode_group {
    int npivot;
    int nrow;
    int parent;
    int into; // the supernode that swallowed it; itself if none did
    double cost;
} supernode_group;

// Estimated time of all fronts that supernodes_create would make. t must be postordered; groups (n)
// and scratch (3 n) are overwritten.
double supernodes_time(const etree *t, supernode_group *groups, int *scratch);

// Estimated time of a front of npivot block columns and nrow block rows below them, in ns of a
// machine of today. Only ratios matter: it decides which order is taken, what is merged and
// what is shared out.
double supernode_cost(int npivot, int nrow);

#endif
