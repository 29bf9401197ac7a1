// Two-node beams that rotate as far as they like. Each end has a position and a rotation; the
// beam's frame is half-way between the rotations of its ends, and in that frame six numbers deform
// it: how much longer its chord is, how far the chord leans (2), twist, bending (2).
// docs/theory/beams.md derives it.
#ifndef ELEMENT_BEAM_H
#define ELEMENT_BEAM_H

#include "element/family.h"
#include "element/section.h"

enum {
    BEAM_NODE = 4,   // position of end 0, of end 1; rotation vector of end 0, of end 1
    BEAM_DEFORM = 6, // stretch, lean along 2 and 3, twist, bending about 2 and 3
};

// Eight beams, lane by lane. Lanes past the last element repeat it with no stiffness.
typedef struct beam_batch {
    double frame[4][LANES]; // rest frame as a quaternion: chord, first and second axis of section
    double length[LANES];   // m
    double stretch[LANES];  // as in beam_stiffness
    double twist[LANES];
    double lean[2][LANES];
    double bend[2][LANES];
    double mixed[2][LANES];
    double volume[LANES];   // m^3
    double fibre[4][LANES]; // as in beam_stiffness
    int node[BEAM_NODE][LANES];
} beam_batch;

// Of a whole beam, tapered or not; exact for small motions. Axis 1 runs along the chord, axes 2 and
// 3 are the section's.
typedef struct beam_stiffness {
    double stretch;   // of the chord's length, N/m
    double twist;     // N m
    double lean[2];   // along axes 2 and 3, of the chord's length times its slope, N/m
    double bend[2];   // about axes 3 and 2, N m
    double mixed[2];  // lean along 2 with bending about 3, lean along 3 with bending about 2, N
    double volume;    // m^3
    double rotary[2]; // second moments of area about axes 2 and 3, summed along the beam, m^5
    double fibre[4];  // stress in the outermost fibre of the middle section per unit pull (1/m^2),
                      // twisting moment and bending moments about 2 and 3 (1/m^3)
} beam_stiffness;

beam_stiffness beam_measure(const section *first, const section *last, double length, double young,
                            double poisson);

// Fills lane `lane` of a batch. X0, X1: the ends at rest; axis: a direction near the section's
// first axis. False if the beam has no length or the axis runs along it.
bool beam_prepare(beam_batch *batch, int lane, const int node[BEAM_NODE], const double X0[3],
                  const double X1[3], const double axis[3], const beam_stiffness *stiffness);

// The same for element e of a family with room for its inertia; fills node, share, inertia and
// stiffness too.
bool beam_set(element_family *f, int e, const int node[BEAM_NODE], const double *X,
              const double axis[3], const beam_stiffness *stiffness);

// Those of an instruction set; NULL: the processor cannot run it.
const element_kind *beam_kind(int variant);

#endif
