// Glue: a node that rotates, held at a point of a solid element and rotated as the solid rotates
// there. Two stiff springs without length: one between the node and the point, one against what the
// skew part of R' F says, R the node's rotation and F the solid's deformation gradient at the
// point.
#ifndef ELEMENT_GLUE_H
#define ELEMENT_GLUE_H

#include "element/family.h"

enum {
    GLUE_HOST = 4,      // nodes of a linear tetrahedron
    GLUE_WIDE_HOST = 10 // … of solids with up to ten
};

typedef struct glue_def {
    int node, rotation;                 // the node and its rotation
    int nhost;                          // nodes of the solid element
    int host[GLUE_WIDE_HOST];           // these
    double weight[GLUE_WIDE_HOST];      // their shape functions at the point
    double gradient[GLUE_WIDE_HOST][3]; // … and gradients of these, 1/m
    double stiffness;                   // N/m
    double rotating;                    // N m
} glue_def;

// Eight of them, lane by lane. Host nodes that are not needed repeat the first with no weight, and
// lanes past the last element repeat it with no stiffness.
typedef struct glue_batch {
    double weight[GLUE_WIDE_HOST][LANES];
    double gradient[GLUE_WIDE_HOST][3][LANES];
    double stiffness[LANES];
    double rotating[LANES];
    int node[GLUE_WIDE_HOST + 2][LANES]; // the node, the hosts, the rotation
} glue_batch;

// Element e of a family made by family_create of glue_kind.
void glue_set(element_family *f, int e, const glue_def *def);

// Those of an instruction set; NULL: the processor cannot run it. wide: more than GLUE_HOST hosts.
const element_kind *glue_kind(int variant, bool wide);

#endif
