// The shape of the whole robot from what it measures: damped Gauss-Newton over the efforts that are
// not known, every trial a forward step of the model [bieze2018, figure 16].
//
//     minimize  sum ((measured - model) / noise)^2 + sum ((unknown - its command) / spread)^2
//
// and, where there is a memory, with what earlier estimates say of the difference in the second
// sum, within the actuators' limits. Derivatives are rows of the sensitivity S, so an iteration
// costs one factor and one step. docs/theory/estimate.md.
#ifndef CONTROL_ESTIMATE_H
#define CONTROL_ESTIMATE_H

#include "base/arena.h"
#include "solve/hierarchy.h"
#include "step/model.h"

typedef struct estimate_number {
    const char *name; // of the sensor or effector
    int row;          // of the model
    bool effort;      // it is the effort of that driven row
    double noise;
    bool believed; // given, and no outlier
    double off;    // what the model reads too much, over the noise that it should have there
} estimate_number;

typedef struct estimate_unknown {
    int actuator, row;
    double spread; // about what it is told; as the row has it: a modulus by its logarithm
    double told;
    double about;     // where it is thought to be before the readings
    double low, high; //
} estimate_unknown;

struct lithe_estimator {
    arena memory;
    const lithe_model *m;
    lithe_state *s;
    int nnumber, nunknown;
    estimate_number *number;
    estimate_unknown *unknown;
    double outlier;
    double keep;     // share of what an unknown is off by that lasts a step: the memory
    double *reading; // (nnumber)

    double *S;          // sensitivity at the present shape (nrow x nact)
    double *value;      // of the unknowns (nunknown)
    double *trial;      //
    double *prior;      // lower half of what makes (unknowns - about) of deviation 1 and
                        // independent; 0: nothing is known (nunknown x nunknown)
    double *covariance; // scratch (nunknown x nunknown)
    double *J;          // rows of numbers over their noise, then of the prior (nnumber + nunknown x
                        // nunknown)
    double *e;          // (nnumber + nunknown)
    double *weight;     // 0: not believed (nnumber + nunknown)
    double *R, *lo, *hi; // of the step: see hierarchy.h
    hierarchy_work *work;

    // J = U s V' diag(scale); written by estimate_judge
    double *US, *singular, *V, *scale;
    int rank;
    double *part; // scratch (nunknown x 3)
};

// The prior without a memory of earlier estimates; the one that the last estimate leaves; row j of
// what it holds against these values.
void prior_start(struct lithe_estimator *e);
void prior_remember(struct lithe_estimator *e);
double prior_off(const struct lithe_estimator *e, const double *value, int j);

// Row `row` of the model by the unknowns; effort: the effort of a driven one.
void estimate_row(const struct lithe_estimator *e, int row, bool effort, double *slope);

// Singular values of J, and how far off each number is; after a change of the unknowns, as the
// linear model foretells it, if that is not NULL.
void estimate_judge(struct lithe_estimator *e, const double *change);

// The number that is farthest off beyond what is believed; -1: none.
int estimate_find_outlier(const struct lithe_estimator *e);

#endif
