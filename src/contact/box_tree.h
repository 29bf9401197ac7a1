// A tree of boxes around things that move: its branches are chosen once, its boxes follow.
#ifndef CONTACT_BOX_TREE_H
#define CONTACT_BOX_TREE_H

#include "base/arena.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct box3 {
    double lower[3], upper[3]; // m
} box3;

// Without branches: which axis separates two boxes is as good as random.
static inline bool box_meets(const box3 *a, const box3 *b)
{
    int apart = 0;
    for (int i = 0; i < 3; i++)
        apart |= (a->lower[i] > b->upper[i]) | (b->lower[i] > a->upper[i]);
    return !apart;
}

static inline box3 box_empty(void)
{
    return (box3){{1e300, 1e300, 1e300}, {-1e300, -1e300, -1e300}};
}

static inline void box_add(box3 *b, const double p[3])
{
    for (int i = 0; i < 3; i++) {
        b->lower[i] = p[i] < b->lower[i] ? p[i] : b->lower[i];
        b->upper[i] = p[i] > b->upper[i] ? p[i] : b->upper[i];
    }
}

static inline void box_grow(box3 *b, double margin)
{
    for (int i = 0; i < 3; i++) {
        b->lower[i] -= margin;
        b->upper[i] += margin;
    }
}

// Squared distance of a point from a box, 0 inside.
static inline double box_distance2(const box3 *b, const double p[3])
{
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double d = p[i] < b->lower[i]   ? b->lower[i] - p[i]
                   : p[i] > b->upper[i] ? p[i] - b->upper[i]
                                        : 0;
        sum += d * d;
    }
    return sum;
}

enum { TREE_LEAF = 4, TREE_DEPTH = 64 };

// Node 0 is the root; children stand behind their parent. A leaf holds the items
// item[first] … item[first + n - 1]; a branch (n = 0) has its children at first and first + 1.
typedef struct box_node {
    int first, n;
} box_node;

typedef struct tree {
    int nitem, nnode;
    int *item;
    box_node *node;
} tree;

// Splits items at the median of their centres (nitem x 3) along the longest side. LITHE_NO_MEMORY
// is the only failure.
lithe_status tree_build(tree *t, int nitem, const double *centre, arena *memory);

// Fits the boxes of all nodes (nnode) around the boxes of the items (nitem).
void tree_fit(const tree *t, const box3 *item, box3 *node);

#endif
