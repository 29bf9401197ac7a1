// Position control by Gauss-Seidel [duriez2013, eq. 4 to 8]: one actuator after the other takes the
// effort that brings the effectors nearest to their targets while the others hold theirs, and is
// clamped to its limits. Simple, and useful as a cross-check of the QP; where actuators are
// redundant it finds some solution, and under displacement limits that couple the actuators it may
// stop short of the optimum. Derivation, with the paper's misprints: docs/theory/qp.md.
#ifndef SOLVE_SEIDEL_H
#define SOLVE_SEIDEL_H

#include <stdbool.h>

// Contacts, swept after the actuators in each iteration (section IV.C): each takes the force that
// closes its gap, or none.
typedef struct seidel_contacts {
    int n;
    const double *W_ec;     // (neffector x n)
    const double *W_ac;     // (nactuator x n)
    const double *W_cc;     // (n x n)
    const double *gap_free; // (n) at zero effort and force
    double *force;          // (n) in, where to start; out, >= 0
    double *gap;            // (n) out
} seidel_contacts;

typedef struct seidel_problem {
    int nactuator, neffector;            // rows
    const double *W_ea;                  // (neffector x nactuator)
    const double *W_aa;                  // (nactuator x nactuator)
    const double *shift_free;            // (neffector) effector minus target at zero effort
    const double *delta_free;            // (nactuator) displacement at zero effort
    const double *effort_lo, *effort_hi; // (nactuator) may be infinite
    const double *delta_lo, *delta_hi;   // (nactuator) may be infinite
    double omega;                        // relaxation, 0 < omega < 2; below 1 damps oscillation
    int max_iteration;
    double tolerance;                // stop when no effector moves by more than this in a sweep, m
    const seidel_contacts *contacts; // NULL: none
} seidel_problem;

typedef struct seidel_result {
    int iteration;  // sweeps over all actuators
    double change;  // largest effector motion caused by one actuator in the last sweep, m
    double shift;   // norm of W_ea effort + shift_free, m
    double overrun; // largest violation of a displacement limit; 0 unless effort and displacement
                    // limits contradict, or the sweeps ended too early
    double depth;   // largest negative gap
    bool converged;
} seidel_result;

// effort: (nactuator) in, where to start; out, the efforts. shift: (neffector) out, W_ea effort +
// shift_free. delta: (nactuator) out, W_aa effort + delta_free.
seidel_result seidel_solve(const seidel_problem *p, double *effort, double *shift, double *delta);

#endif
