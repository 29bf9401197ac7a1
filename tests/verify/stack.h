// Solids from a surface of triangles or squares that is stacked in layers: columns of nodes stand
// over its corners, prisms between them are cut into tetrahedra, or are hexahedra.
#ifndef VERIFY_STACK_H
#define VERIFY_STACK_H

#include "piece.h"

typedef struct stack {
    double reach; // coordinates are told in whole numbers over this
    int nslot;    // of the table that finds columns by their coordinates
    int *slot;    // (nslot) columns; -1: none
    int ncolumn;  //
    int *key;     // (ncolumn x 3) coordinates
    int corner;   // 3: triangles, for tetrahedra; 4: squares, for hexahedra
    int nfacet;   //
    int *facet;   // (nfacet x corner) columns; squares turn left seen from where layers rise to
    int *kind;    // (nfacet) as the maker likes
} stack;

// room: for how many facets.
bool stack_begin(stack *s, lithe_element element, int reach, int room);
void stack_facet(stack *s, int kind, const int (*corner)[3]);

// Where a column's node of some layer is, before the piece's curve; and whether a facet has a cell
// in the layer above it.
typedef void stack_position(const double at[3], int layer, double out[3]);
typedef bool stack_keep(int kind, int layer);

// Begins a piece of it, E 1, nu 0; frees the stack. keep: NULL: always.
void stack_finish(stack *s, piece *p, lithe_element element, int nlayer, stack_position *position,
                  stack_keep *keep);

#endif
