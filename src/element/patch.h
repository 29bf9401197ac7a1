// Patches: closed surfaces of triangles inside a body whose content resists a change of volume.
// They carry the bulk modulus of linear tetrahedra that would lock if each had to keep its own
// volume: see docs/theory/patches.md.
//
//     E = V k/2 L(theta)^2,   theta = v(x) / V,   v = sum over triangles of x0 . (x1 x x2) / 6
//
// V is the content at rest and L is ln, continued below 0.1 as the laws do.
#ifndef ELEMENT_PATCH_H
#define ELEMENT_PATCH_H

#include "element/family.h"

enum {
    PATCH_NODES = 16, // at most
    PATCH_TRIANGLES = 2 * PATCH_NODES,
    PATCH_CLASSES = 6, // sizes that a family can have
};

// Nodes ascend; triangles count these nodes, normals outwards.
typedef struct patch_def {
    int nnode, ntri;
    int node[PATCH_NODES];
    int tri[PATCH_TRIANGLES][3];
    double bulk; // k, Pa
} patch_def;

// Eight of them, lane by lane. Nodes that are not needed repeat the first, triangles that are not
// needed have no area, and lanes past the last patch repeat it with no stiffness.
typedef struct patch_batch {
    _Alignas(64) double volume[LANES]; // V, m^3
    double bulk[LANES];                // k, Pa
    int nnode;                         // of the family's class
    int index[][LANES]; // (nnode) nodes of the body, then (2 nnode x 3) corners of the triangles
} patch_batch;

#define PATCH_BATCH_SIZE(n) (sizeof(patch_batch) + 7 * (size_t)(n)*LANES * sizeof(int))

// The smallest class that has room for a patch.
int patch_class(const patch_def *def);

// For an instruction set (see element_best_variant); NULL if the processor cannot run it.
const element_kind *patch_kind(int size, int variant);

// Element e of a family made by family_create of patch_kind; X: rest positions of all nodes.
void patch_set(element_family *f, int e, const patch_def *def, const double *X);

#endif
