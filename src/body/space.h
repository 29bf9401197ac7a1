// A space says what the generalized coordinates q of a body are and what they do to its nodes:
//
//     x = phi(q),   dx = J dq,   A = J' K J + sum over nodes of force . d2(phi)
//
// where K is the nodal tangent, block by block, and the last term takes the whole nodal force that
// is out of balance: it is the second derivative of force . phi(advance(q, dq)), so it is
// symmetric. Elements, loads, rows and masses know nodes alone; the step knows spaces alone. Which
// one a body has is chosen once, at compile:
//
//     nodal     q are the nodes themselves; A is the nodal tangent
//     carried   some nodes follow frames that move and rotate, the others are themselves
//     dense     x = X + Phi q with a few coordinates and a dense A
//     beam      all nodes follow frames along a line, whose sections may deform
//
// Held coordinates are in q too: they go where supports take them, and have no line of A.
// docs/theory/spaces.md
#ifndef BODY_SPACE_H
#define BODY_SPACE_H

#include "base/arena.h"
#include "base/pool.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct body body;

// Lines [first, last) of A, in the order of the factor.
typedef struct space_span {
    int first, last;
} space_span;

typedef struct space_report {
    int negative; // pivots below 0 by more than rounding: as many as A has negative eigenvalues
    bool singular;
    int node; // near the first bad pivot; -1: none
} space_report;

// One body's A in one state: blocks of the nodal tangent, which everybody adds to, what the space
// makes of them, and the factor.
typedef struct space_tangent {
    double *K; // nodal, see body.h (pattern.nblock x 9) N/m
    double *A; // the space's own storage; nodal: blocks
    struct sparse_factor *factor;
    int stride;                 // of a small A, see space_small.h
    struct small_factor *small; // … and its factor
    struct dense_work *dense;
    struct beam_work *beam;
    pool *threads; // that share solves; NULL: the caller's alone
} space_tangent;

// How much of a tangent is wanted.
typedef struct space_size {
    int max_rhs; // right-hand sides of one solve
    int threads;
    bool single; // a factor in single precision beside the other
} space_size;

// J stands for what `jacobian` writes at some q. In a nodal space it is NULL, or rotations (nnode x
// 9) in whose frames the factor's lines are taken.
typedef struct space {
    const char *name;

    // q at rest; q moved on by a share of a motion (out may be q); the motion from one q to another
    void (*rest)(const body *b, double *q);
    void (*advance)(const body *b, const double *q, double share, const double *motion,
                    double *out);
    void (*motion)(const body *b, const double *from, const double *to, double *motion);

    // x of q, but of idle nodes, which `follow` puts where they are; J there; dx = J dq; J' f, in
    // out or, where J' f = f, f itself. NULL: no node is idle.
    void (*positions)(const body *b, const double *q, double *x);
    void (*follow)(const body *b, const double *q, double *x);
    void (*jacobian)(const body *b, const double *q, double *J);
    void (*push)(const body *b, const double *J, const double *dq, double *dx);
    const double *(*pull)(const body *b, const double *J, const double *f, double *out);

    // dq whose dx is nearest to the given one, held coordinates too; NULL: not for this space
    void (*fit)(const body *b, const double *q, const double *dx, double *dq);

    // dx += second derivative of phi along dq: accelerations of a uniform motion
    void (*curve)(const body *b, const double *q, const double *dq, double *dx);

    // Held coordinates: how far they are from where a share of the load wants them; and of a motion
    // of all coordinates, that of the held ones alone
    void (*support)(const body *b, const double *q, double load, double *out);
    void (*only_held)(const body *b, const double *from, double *out);

    // Sum of squares over free coordinates; a moment counts as the force that it takes across what
    // rotates. Largest free coordinate, the same way.
    double (*square)(const body *b, const double *f);
    double (*largest)(const body *b, const double *motion);

    // Memory of a tangent, and how much that is
    lithe_status (*create)(const body *b, const space_size *size, arena *memory,
                           space_tangent *out);
    lithe_status (*create_nodal)(const body *b, arena *memory, space_tangent *out);
    double (*bytes)(const body *b, const space_size *size);

    // A from the nodal blocks at q. force: what is out of balance at the nodes (f_int - f_ext),
    // NULL leaves the second derivative of phi out. `mass`: the same of a mass matrix, for
    // accelerations.
    void (*assemble)(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t);
    // … and its factor; y, or NULL, becomes what `forward` would make of it, at less cost
    space_report (*factor)(const body *b, space_tangent *t, pool *threads, double *y);

    // Lines of A: J' f without held coordinates, one number every `stride`; the same of a force on
    // one node, added; and back to q, where held coordinates are left alone
    void (*gather)(const body *b, const double *J, const double *f, int stride, double *line);
    void (*scatter)(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line);
    void (*spread)(const body *b, const double *J, const double *line, double *dq);

    // Block rows that a force on a node reaches, marked
    void (*mark)(const body *b, int node, bool *mark);

    // Y = L^-1 B for right-hand sides that are zero but in some block rows (NULL: anywhere), where
    // that may be other than zero, 1 / D, and L'^-1 D^-1 Y. B1' A^-1 B2 = Y1' D^-1 Y2.
    void (*forward)(const body *b, space_tangent *t, int nrhs, int nblock, const int *block,
                    double *B);
    int (*reach)(const body *b, const space_tangent *t, space_span *span);
    const double *(*inverse_pivots)(const space_tangent *t);
    void (*backward)(const body *b, space_tangent *t, int nrhs, double *Y);

    // For the asynchronous mode; NULL: not for this space. A factor in single precision, and parts
    // of it brought near.
    void (*round)(space_tangent *t);
    void (*fetch)(const space_tangent *t, int part, int parts);
} space;

extern const space space_nodal, space_carried, space_dense, space_beam;

#endif
