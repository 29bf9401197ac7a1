// What the inverse is asked for in one step. Filled by control through the public functions, read
// by inverse_solve.
#ifndef STEP_TARGET_H
#define STEP_TARGET_H

#include "solve/eliminate.h"
#include "solve/hierarchy.h"

#include <stdbool.h>

// Of driven rows, where joints leave something free.
typedef struct step_axes {
    double *angle; // at the last equilibrium, whole rounds too (nact)
    double *start; // when the step of time began (nact)
    double *give;  // own compliance in this step (nact)
} step_axes;

// What the linear model leaves out where a target cannot be reached: S, the sum of the wanted rows'
// errors times their second derivatives by the efforts. See inverse.c.
typedef struct secant_hessian {
    bool started;
    int nrow;                        // of the first level, last time
    double *S;                       // (nact x nact)
    double *J;                       // the first level's gradient, last time (nrow x nact)
    double *g;                       // J' w e, last time (nact)
    double *effort;                  // last time (nact)
    double *B, *V;                   // (nact x nact)
    double *value, *step, *y, *miss; // (nact)
} secant_hessian;

// What a step, or a pass, is asked: every driven row has its command, or efforts are to be found.
typedef enum step_problem { STEP_FORWARD, STEP_INVERSE } step_problem;

enum { STEP_LEVELS = 8 }; // priorities

typedef struct step_task {
    bool inverse;   // there are targets: steps are inverse
    bool displaced; // this pass proposes displacements, and these may hold unstable modes
    bool *wanted;   // rows that have a target (nrow)
    bool *kept;     // rows that must measure exactly their target (nrow)
    double *target; // (nrow) m, m^3, rad
    double *next;   // where control writes targets before they are given (nrow)
    // bounds of this step, from limits and rates; written by inverse_bounds
    double *lower, *upper;       // of every driven row's effort (nact)
    double *shortest, *farthest; // of its displacement (nact)
    // the problem that is solved; written by inverse_solve
    hierarchy_work *work;
    hierarchy_level *level; // (priorities)
    double *J, *e, *weight; // of all levels (nrow x nact), (nrow), (nrow)
    double *lo, *hi;        // of effort increments (nact)
    double *A, *blo, *bhi;  // displacement limits, kept rows (nact + nrow rows)
    int *row_of;            // the row that each of these limits (nact + nrow), then scratch (nrow)
    secant_hessian secant;  // of the first level, learnt from equilibrium to equilibrium
    double *last;           // way in efforts of the last proposal (nact)
    double *home_q, *home;  // search: global, where every search starts: (nq), efforts (nact)
    double *shift, *delta;  // Gauss-Seidel: where rows end (nrow), (nact)
    // what came out
    double *multiplier; // cost of each effort limit, then of each displacement limit (2 nact)
    double predicted;   // how far the solve wants to move a wanted row, relative to its scale
} step_task;

#endif
