// Triangular shells that rotate as far as they like: membrane with drilling rotations, and bending
// that keeps normals normal. Each corner has a position and a rotation. In a frame that no choice
// of corner enters, twelve numbers deform the triangle: three strains, three drilling angles, and
// two tilts of each corner's normal. docs/theory/shells.md derives it.
#ifndef ELEMENT_SHELL_H
#define ELEMENT_SHELL_H

#include "element/family.h"

enum {
    SHELL_NODE = 6,  // positions of the three corners, then their rotation vectors
    SHELL_HALF = 6,  // strains and drilling angles; and as many tilts
    SHELL_UPPER = 21 // numbers of a symmetric 6x6 matrix, in the order of element_pair
};

// Eight triangles, lane by lane. Lanes past the last element repeat it with no stiffness.
typedef struct shell_batch {
    double axes[9][LANES];               // rest frame: columns are two axes in the plane, normal
    double gradient[6][LANES];           // of the corners' linear shape functions, (3 x 2) 1/m
    double membrane[SHELL_UPPER][LANES]; // J, of strains (11, 22, 2 x 12) and drilling angles
    double bending[SHELL_UPPER][LANES];  // J, of tilts (corner by corner, along both axes)
    double way[3][2][LANES];             // unit vectors along the sides, from corner s to s + 1
    double side_strain[9][LANES];        // strains 11, 22, 2 x 12 of a unit strain of each side
    double lean[SHELL_HALF][LANES];      // of the surface's normals at the corners, at rest
    double rigidity[4][LANES];           // E/(1 - nu^2) (Pa), nu, thickness (m), volume (m^3)
    int node[SHELL_NODE][LANES];
} shell_batch;

// Fills lane `lane` of a batch. normal: of the curved surface that the triangle stands for, at its
// corners, to either side; NULL: the triangle is flat. False if it has no area.
bool shell_prepare(shell_batch *batch, int lane, const int node[SHELL_NODE],
                   const double *const X[3], const double normal[3][3], double thickness,
                   double young, double poisson);

// The same for element e of a family made by family_create; fills node, share and stiffness too.
bool shell_set(element_family *f, int e, const int node[SHELL_NODE], const double *X,
               const double normal[3][3], double thickness, double young, double poisson);

// Those of an instruction set; NULL: the processor cannot run it.
const element_kind *shell_kind(int variant);

#endif
