// What the data say about each unknown at the end of a search, from the singular values of the
// Jacobian there. Internal to calibrate.
#ifndef CONTROL_CALIBRATE_JUDGE_H
#define CONTROL_CALIBRATE_JUDGE_H

#include "control/calibrate.h"

#include "control/tolerances.h"

// The Jacobian with columns of length 1, so that no unknown's scale matters: J = U S V'
// diag(length).
typedef struct spectrum {
    double *length; // of J's columns (nunknown); 1 where the column is taken as 0: its unknown is
                    // held at a bound, or moves no residual beyond their numerical error
    double *US;     // (nunknown x ndatum)
    double *V;      // (nunknown x nunknown) vector k begins at k nunknown
} spectrum;

bool spectrum_create(const calibrate_problem *p, arena *memory, spectrum *s); // false: no memory

// Takes jacobian and at_bound of the result and writes its singular values.
void spectrum_find(const calibrate_problem *p, calibrate_result *r, spectrum *s);

// Is direction k more than the error of the differences?
bool spectrum_seen(const calibrate_result *r, int k);

// Intervals and blind combinations; directions that are not seen are mixed anew on the way.
lithe_status calibrate_judge(const calibrate_problem *p, spectrum *s, arena *memory,
                             calibrate_result *r, lithe_report *report);

#endif
