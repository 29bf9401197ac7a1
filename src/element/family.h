// A family: elements of one kind in a body, evaluated eight at a time. A body holds any number of
// families and knows of them only what stands here, so a new element is a new kind and nothing
// else.
//
// A node has three numbers, and so has its force; the stiffness between two nodes is a 3x3 block.
// A node that rotates has a second one, whose numbers are its rotation vector from rest (rad),
// whose motion is a spin in the world frame and whose force is a moment (N m). An element couples
// all its nodes with each other.
#ifndef ELEMENT_FAMILY_H
#define ELEMENT_FAMILY_H

#include "base/arena.h"
#include "base/lanes.h"
#include "base/status.h"

typedef enum element_tangent {
    ELEMENT_FORCE_ONLY, // no stiffness
    ELEMENT_EXACT,      // the second derivative of the energy
    ELEMENT_POSITIVE,   // the same, clamped to be positive semi-definite
    ELEMENT_LENGTH,     // of springs: what resists a change of length, and no rigid motion
} element_tangent;

// Pairs of nodes (a, b) with a >= b, in the order (0,0) (1,0) (1,1) (2,0) …
static inline int element_pair(int a, int b)
{
    return a * (a + 1) / 2 + b;
}

// What one batch writes, element by element. energy: (LANES) J; force: (LANES x nnode x 3) N, the
// gradient of the energy; stiff: (LANES x npair x 9) N/m, a row-major block per pair.
typedef struct element_output {
    double *energy;
    double *force;
    double *stiff; // NULL with ELEMENT_FORCE_ONLY
} element_output;

// x: positions of all nodes of the body (nnode x 3).
typedef void element_evaluate(const void *batch, const double *x, element_tangent tangent,
                              element_output out);

// Strain energy density (J/m^3 at rest) and von Mises stress (Pa, of the Cauchy stress), (LANES)
// each.
typedef void element_stress(const void *batch, const double *x, double *energy_density,
                            double *von_mises);

// How many of a batch's elements are inside out at some point: det F <= 0 there.
typedef int element_inverted(const void *batch, const double *x);

// The points of a batch at which its law is evaluated: fills point q and says how many there are.
// gradient: of the shape functions there (nnode x 3) 1/m; weight: (LANES) m^3; parameter: of the
// law.
typedef int element_points(void *batch, int q, double (*gradient)[LANES], double *weight,
                           double (**parameter)[LANES]);

// Strains that have an energy of their own beside the law's points, six at a time: what a share of
// that energy and constant stresses `hold` on set number `set` add, and the stresses. Of elements
// that remember (element/prony.h). share, factor: (LANES); hold, stress: (6 x LANES) J.
enum { ELEMENT_SET = 6 };
typedef struct element_extra {
    int nset;
    void (*add)(const void *batch, int set, const double *x, const double *share,
                double (*hold)[LANES], element_tangent tangent, element_output out);
    void (*stress)(const void *batch, int set, const double *x, double (*stress)[LANES]);
} element_extra;

// Integrals of products of two shape functions at rest, pair by pair, m^3. X: of its nodes.
typedef void element_mass(const double (*X)[3], double *pair);

// Compiled once for each instruction set; the room picks the best that the processor can run.
typedef struct element_kind {
    const char *name;  // "tet4"
    int nnode;         // of one element
    int nrotation;     // of these, the last ones, are rotation vectors of the first ones
    int cell;          // the cell that shows it, as VTK numbers cells
    size_t batch_size; // bytes
    size_t index_at;   // where in a batch its nodes stand, (index_rows x LANES) int; all else are
    int index_rows;    // rows of LANES doubles. 0: a batch is not made like that
    element_evaluate *evaluate;
    element_stress *stress;
    element_inverted *inverted; // NULL: as its points say; without points it cannot be
    element_points *points;     // NULL: it has no law at points
    element_mass *mass;         // NULL: it only has lumps
    const element_extra *extra; // NULL: none
    bool lengthwise;            // it knows ELEMENT_LENGTH
} element_kind;

typedef struct element_family {
    const element_kind *kind;
    int n;             // elements
    int nbatch;        // n / LANES, rounded up; lanes past the last element weigh nothing
    void *batch;       // (nbatch) of kind->batch_size bytes each, 64-byte aligned
    int *node;         // (n x nnode) nodes of the body
    double *share;     // integral of each one's shape function at rest (n x nnode) m^3; of a
                       // rotation: second moment of volume about any axis, m^5
    double *lump;      // what each stands for in a lumped mass, above 0; share itself unless that
                       // may be negative (n x nnode) m^3
    double *inertia;   // of beams: what second moments of volume each of its rotations has beyond
                       // that, about the world's axes at rest (n x 9) m^5; NULL: none
    double *stiffness; // size of an element's stiffness, for what roundoff leaves (n) N/m
    struct section *profile; // of beams: sections at both ends (n x 2); NULL: of others
    bool still;              // one frame carries each of them: they have mass, and never deform
    // where it stands in the body; written by body_begin
    int element_adr; // its first element among the body's elements
    int slot_adr;    // its first lane in the energies
    int force_adr;   // its first node in the forces, counted in nodes
    int block_adr;   // its first block in the stiffnesses, counted in blocks
} element_family;

// Blocks of one element's stiffness.
static inline int family_npair(const element_family *f)
{
    return f->kind->nnode * (f->kind->nnode + 1) / 2;
}

static inline void *family_batch(const element_family *f, int k)
{
    return (char *)f->batch + (size_t)k * f->kind->batch_size;
}

// Of an element at rest, m^3.
static inline double family_volume(const element_family *f, int e)
{
    double volume = 0;
    for (int a = 0; a < f->kind->nnode - f->kind->nrotation; a++)
        volume += f->share[f->kind->nnode * e + a];
    return volume;
}

// Room for n elements of a kind, everything 0.
lithe_status family_create(element_family *f, const element_kind *kind, int n, arena *memory);

// A family of some of another's elements, with other nodes (n x nnode).
// False: batches of that kind cannot be taken apart.
bool family_can_pick(const element_family *f);
lithe_status family_pick(const element_family *from, int n, const int *element, const int *node,
                         arena *memory, element_family *out);

// The best instruction set that the processor can run (0 portable, 1 AVX2, 2 AVX-512), and whether
// it can run one.
int element_best_variant(void);
bool element_has_variant(int variant);

#endif
