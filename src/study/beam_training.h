// Choosing the few elements and cells that stand for all in a beam space: what its parts share.
#ifndef STUDY_BEAM_TRAINING_H
#define STUDY_BEAM_TRAINING_H

#include "study/reducing.h"

enum { BEAM_COORDINATES = 1024 };

typedef struct beam_training {
    reducing *r;
    const lithe_reduction *of;
    lithe_model *beam; // all elements, in the beam space
    lithe_state *state;
    const body *b;     // … its body
    int n, nsample;    // coordinates; samples, each twice, the second time moved aside
    int *sample;       // of train (nsample)
    double *q;         // (nsample x n)
    double *unit;      // of a coordinate: metres that it moves nodes by (n)
    double *aside;     // how far coordinates are moved aside at most (n)
    double *x;         // (nsample x nnode x 3)
    double *J;         // (nsample x nJ)
    double *inverse;   // A^-1 (nsample x n x n)
    double *force;     // of all elements (nsample x nforce x 3)
    double *factor;    // on elements' moduli (nsample x nelement); NULL: 1
    int *first, *last; // free frames that an element reaches; last -1: none (nelement)
    double *weight;    // that were found (nelement)
} beam_training;

// Forces are compared by what they move: some frames, and the last one on the line, in every
// sample.
typedef struct beam_group {
    int first, last; // frames that are looked at
    int n;           // columns
    int *member;     // what each is of (n)
    int nline;       // of one sample
    float *G;        // (n x nsample nline)
    double *rhs;     // their sum (nsample nline)
} beam_group;

// Room for columns, whose members are set; false: there is no memory.
bool beam_group_create(const beam_training *t, arena *scratch, beam_group *group);

// A column in one sample: what a force on coordinates (n), which is 0 outside of frames [first,
// last], moves; times a scale. It is added to the sum too.
void beam_group_fill(const beam_training *t, beam_group *group, int column, int sample, int first,
                     int last, const double *force, double scale);

// How much less than an equilibrium what is moved aside counts: a stiffness need not be as right as
// a force.
static inline double beam_counts(int sample)
{
    return sample % 2 == 1 ? 0.2 : 1;
}

// Weights of columns (n) whose sum comes near enough; at least so many have one, if that helps.
lithe_status beam_group_choose(const beam_training *t, const beam_group *group, double tolerance,
                               int least, double *weight, int *found);

// Cells of cavities' walls.
lithe_status reduce_cells(beam_training *t, lithe_reduction *out);

#endif
