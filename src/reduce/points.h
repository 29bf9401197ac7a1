// The nodes of a reduced body: sums of the whole one's nodes, each with a factor. An edge of an
// element is one, and so is what a row measures the mean of, or a load acts on. Spaces are made
// of such sums as of nodes, so nothing is lost by them.
#ifndef REDUCE_POINTS_H
#define REDUCE_POINTS_H

#include "base/arena.h"

#include <stdbool.h>

typedef struct points {
    arena *memory;
    int n, room;
    int nterm, term_room;
    int *adr;       // first term of every point (n + 1)
    int *node;      // (nterm)
    double *weight; // (nterm)
    bool *light;    // it has no stiffness: nothing but rows' gradients and loads is there (n)
} points;

// The first point is the origin, of no nodes.
enum { POINTS_ORIGIN = 0 };

// False: there is no memory. What is made lives as long as memory does.
bool points_create(arena *memory, points *out);

// The number of a new point; -1: there is no memory. Terms without weight are left out.
int points_add(points *p, int n, const int *node, const double *weight, bool light);
int points_add_edge(points *p, int from, int to); // a node less another

// Its sum of numbers of nodes, three each.
void points_sum(const points *p, int point, const double *x, double out[3]);

#endif
