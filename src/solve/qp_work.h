// What the parts of the QP solver share: the scaled problem, the factor of the active set, the
// iterate. Vectors are in the scaled problem unless their comment says otherwise.
#ifndef SOLVE_QP_WORK_H
#define SOLVE_QP_WORK_H

#include "solve/dense.h"
#include "solve/qp.h"

#include <math.h>
#include <stdbool.h>

struct qp_work {
    int nmax, mmax;

    // written by scale_problem
    int n, m, nc;          // nc = n + m constraints
    double *Q, *c;         // (n x n), (n)
    double *A;             // entry j of row i at A[j stride + i]; rows of about unit length
    int stride;            // = mmax, at least 1
    double *lower, *upper; // (nc)
    double *size;        // (nc) original value of a constraint = size * scaled value, bounds first
    double *shrink;      // (nc) 1 / size
    double q_max, c_max; // largest entries
    double far;          // largest finite limit; infinite if there is none but 0

    // the proximal problem: minimize 1/2 x'(Q + epsilon I)x + shifted'x, shifted = c - epsilon
    // center
    double epsilon;
    double *center, *shifted; // (n)

    // factor of the active set, see qp_factor.c
    bool factored; // it belongs to the answer of the last problem
    double *J;     // (n x n) J (Q + epsilon I) J' = I; rows nactive.. span the face
    double *R;     // (n x n) column k at R + k n: J times the gradient of active limit k
    int nactive;
    int *id;         // (n) constraint of active limit k
    int *side;       // (n) +1 upper, -1 lower, 0 an equation
    int *position;   // (nc) k where the constraint is active, else -1
    double *limit;   // (n) its value
    double *u;       // (n) its multiplier
    double *project; // (n) J times the gradient last offered to factor_project
    double tail;     // length of its part in the face, relative to all of it

    // the iterate
    double *x;     // (n)
    double *value; // (nc) of the constraints at x
    double *scale; // (nc) what their violation is measured against
    double pull;   // what Q x + c + A'y is measured against
    int iteration;
    bool *ignored; // (nc) violated by what only roundoff can mean

    double *step, *along, *gradient, *v, *r; // (n)
    double *hessian;                         // (n x n) of the face
    int *order;                              // (n)
    int rank;

    // the answer, in the original problem
    double *out_x, *out_y, *ray; // (n), (nc), (n)
    int nconflict;
    qp_conflict *conflict; // (n + 2)
};

// y += s x
static inline void qp_axpy(int n, double s, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += s * x[i];
}

// As fmax, without the call: what is not a number is never the larger one, if it comes first.
static inline double qp_larger(double a, double b)
{
    return a > b ? a : b;
}

// |x|_inf
static inline double qp_largest(int n, const double *x)
{
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = qp_larger(fabs(x[i]), largest);
    return largest;
}

// y += s times row i of A
static inline void qp_add_row(const qp_work *w, double s, int i, double *y)
{
    for (int j = 0; j < w->n; j++)
        y[j] += s * w->A[j * w->stride + i];
}

// qp_scale.c
bool scale_valid(const qp_problem *p);
void scale_problem(qp_work *w, const qp_problem *p);
double scale_typical(const qp_work *w); // geometric mean of the limits, 1 if there is none but 0
void scale_back(qp_work *w, const qp_problem *p, qp_solution *s);

// qp_factor.c
// Factors Q + epsilon I with no limit active; returns the smallest pivot, stops where it is <= 0.
double factor_start(qp_work *w);
// Takes up the factor and the active set of the last problem, with the limits of this one.
void factor_resume(qp_work *w);
// Prepares a constraint for factor_insert; false if it depends on the active ones.
bool factor_project(qp_work *w, int constraint);
void factor_insert(qp_work *w, int constraint, int side, double u);
void factor_drop(qp_work *w, int k);
void factor_solve(const qp_work *w, double *b);            // b = R^-1 b
void factor_solve_transposed(const qp_work *w, double *b); // b = R^-T b
void constraint_values(const qp_work *w, const double *x, double *value);
void constraint_scales(qp_work *w); // value and scale at x
void update_gradient(qp_work *w);   // gradient = Q x + c, and pull

// qp_dual.c
typedef enum dual_end { DUAL_DONE, DUAL_INFEASIBLE, DUAL_STUCK } dual_end;
void dual_warm(qp_work *w, const int *active);
dual_end dual_solve(qp_work *w);

// qp_face.c
typedef enum face_end { FACE_DONE, FACE_UNBOUNDED } face_end;
face_end face_minimize(qp_work *w);

#endif
