// Sparse non-negative least squares: few columns of a wide matrix, with weights above 0, whose sum
// comes near enough to a vector. Lawson and Hanson's active set, stopped as soon as every group of
// lines is near enough [lawson1974, chapter 23; farhat2014].
#ifndef SOLVE_NNLS_H
#define SOLVE_NNLS_H

#include "base/pool.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct nnls_problem {
    int nline, ncolumn;
    const float *G;   // one column after the other (ncolumn x nline)
    const double *b;  // (nline)
    int group;        // lines of a group, which divides nline
    double tolerance; // largest 2-norm of G w - b over a group
    int least, most;  // columns that shall have a weight, if that lowers the error, and that may
    pool *threads;    // NULL: the caller's alone
    bool (*progress)(void *user, int ncolumn, double error); // false: end; NULL: nobody is told
    void *user;
} nnls_problem;

typedef struct nnls_result {
    int n;        // columns that have a weight
    double error; // largest norm over a group
    bool ended;   // progress wanted that
} nnls_result;

// weight: (ncolumn), 0 where a column is not needed. The same bits on any number of threads.
lithe_status nnls_solve(const nnls_problem *p, double *weight, nnls_result *out);

#endif
