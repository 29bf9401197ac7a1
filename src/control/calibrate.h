// Finds the numbers that make a model agree best with data: damped Gauss-Newton on the sum of
// squared residuals, with an interval for every number and the combinations that the data leave
// open.
//
// Unknowns are sought in scaled form: the logarithm of a number that must stay positive, else the
// number in units of its scale. A scaled change of 1 is the yardstick of everything below.
#ifndef CONTROL_CALIBRATE_H
#define CONTROL_CALIBRATE_H

#include "base/arena.h"
#include "lithe/lithe.h"

typedef struct calibrate_unknown {
    double start;
    double low, high; // bounds, infinite where there are none
    double scale;     // above 0; not used if logarithmic
    bool logarithmic; // start and bounds are above 0
} calibrate_unknown;

typedef struct calibrate_problem {
    int nunknown, ndatum;
    const calibrate_unknown *unknown;
    bool weighted; // residuals are in units of their known standard deviation
    double noise;  // size of a residual's numerical error

    // Residuals (model minus datum) at npoint points: value (npoint x nunknown), residual (npoint x
    // ndatum). exists[i] becomes false where the model has no answer. A failure ends the search.
    lithe_status (*evaluate)(void *user, int npoint, const double *value, double *residual,
                             bool *exists);
    void *user;
} calibrate_problem;

// A combination of unknowns that can change without the data noticing.
typedef struct calibrate_blind {
    double *change; // scaled (nunknown); the largest is CALIBRATE_CHANGE
    bool *member;   // which unknowns take part (nunknown)
    double *effect; // change of the residuals that it makes (ndatum)
    bool numerical; // nothing is noticed at all; else: less than the data scatter
} calibrate_blind;

#define CALIBRATE_CHANGE 0.09531017980432493 // log(1.1): a rise by 10 %

typedef struct calibrate_result {
    bool converged;
    int iteration;
    int nevaluation;  // points at which residuals were asked for
    double *value;    // (nunknown)
    double *low;      // 95 % interval, clipped to the bounds (nunknown); NAN: there is none
    double *high;     //
    bool *open;       // takes part in a blind combination (nunknown)
    int *at_bound;    // -1, 1: the data would have it beyond its lower, upper bound; 0: free
    double *residual; // (ndatum)
    double *jacobian; // d residual / d scaled unknown (nunknown x ndatum)
    double *singular; // of the Jacobian with columns of length 1, descending (nunknown)
    int nblind;
    calibrate_blind *blind;
    int dof;         // data less what they determine
    double spread;   // standard deviation of a residual that intervals are built on; NAN: unknown
    double quantile; // by which it is multiplied
    double chance;   // weighted: of residuals at least as large, if the model is right; else NAN
} calibrate_result;

// Everything of the result lives in the arena. LITHE_NOT_CONVERGED: the model has no answer at the
// start, or around a point that it had an answer at; what evaluate returned otherwise. A search
// that ends without an optimum is LITHE_OK, with converged false.
lithe_status calibrate_solve(const calibrate_problem *problem, arena *memory,
                             calibrate_result *result, lithe_report *report);

// The scaled unknown, and back.
double calibrate_scaled(const calibrate_unknown *u, double value);
double calibrate_value(const calibrate_unknown *u, double scaled);

#endif
