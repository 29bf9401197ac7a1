// Springs between two points that are carried by nodes: springs between points of a body, and the
// pieces of threads that run through its elements. Only the way between the points matters, d =
// sum of coefficients times nodes, plus a constant where an end is tied to the world.
#ifndef ELEMENT_SPRING_H
#define ELEMENT_SPRING_H

#include "element/family.h"

enum {
    SPRING_KINDS = 4,
    SPRING_ENDS = 2,        // two points that are nodes
    SPRING_NARROW_NODE = 4, // two points on edges, or in one element of four nodes
    SPRING_NODE = 8,        // … in two of them
    SPRING_WIDE_NODE = 20,  // … in elements of up to ten
};

typedef struct spring_def {
    int nnode;                            // that carry it
    int node[SPRING_WIDE_NODE];           // each once
    double coefficient[SPRING_WIDE_NODE]; // of their positions in d
    double anchor[3];                     // constant part of d, m
    double stiffness;                     // N/m
    double rest;                          // length at which it pulls with nothing, m
    bool slack;                           // it does not push
    double volume;                        // m^3
} spring_def;

// Eight springs, lane by lane. Nodes that are not needed repeat the first with no coefficient, and
// lanes past the last element repeat it with no stiffness.
typedef struct spring_batch {
    double coefficient[SPRING_WIDE_NODE][LANES];
    double anchor[3][LANES];
    double stiffness[LANES];
    double rest[LANES];
    double push[LANES];   // 0: slack instead of pushing, 1: pushes as it pulls
    double volume[LANES]; // m^3; 0: none
    int node[SPRING_WIDE_NODE][LANES];
} spring_batch;

// Element e of a family made by family_create of spring_kind.
void spring_set(element_family *f, int e, const spring_def *def);

// Which of the kinds, from narrow to wide, is the first to have room for so many nodes; and that of
// an instruction set, NULL: the processor cannot run it.
int spring_width(int nnode);
const element_kind *spring_kind(int variant, int width);

bool spring_is(const element_kind *kind);

// The way between the ends of element e: coefficients of its nodes (kind->nnode), without anchor.
void spring_way(const element_family *f, int e, double *coefficient);

// Some of a family's springs between nodes that take the place of their ends: node (n x 2).
lithe_status spring_pick(const element_family *from, int n, const int *element, const int *node,
                         arena *memory, element_family *out);

#endif
