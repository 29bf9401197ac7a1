// A mesh with more nodes of the same shape, so that no large mesh need be kept.
#ifndef BENCH_REFINE_H
#define BENCH_REFINE_H

#include "mesh/mesh.h"

// Cuts tetrahedra in two at their longest edges until there are `nnode` nodes, or returns a copy if
// there are as many already. NULL: no memory. Groups are not kept.
lithe_mesh *refine_mesh(const lithe_mesh *coarse, int nnode);

#endif
