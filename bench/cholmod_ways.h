// CHOLMOD's ways to factor the same matrix.
#ifndef BENCH_CHOLMOD_WAYS_H
#define BENCH_CHOLMOD_WAYS_H

#include "sparse/sparse.h"

#include <cholmod.h>

enum { CHOLMOD_WAYS = 4 };
extern const char *const CHOLMOD_WAY_NAME[CHOLMOD_WAYS];

typedef struct cholmod_ways {
    cholmod_sparse *A;
    cholmod_common common[CHOLMOD_WAYS];
    cholmod_factor *L[CHOLMOD_WAYS];
} cholmod_ways;

// Takes over the matrix and analyzes it in every way.
void cholmod_ways_open(cholmod_ways *c, const sparse_pattern *p, const double *blocks);
void cholmod_ways_close(cholmod_ways *c);

// Into the factor that the way has. False: the matrix is not positive definite.
bool cholmod_ways_factor(cholmod_ways *c, int way);

double cholmod_ways_flops(const cholmod_ways *c, int way);

// x = A^-1 b with the last factor of a way.
void cholmod_ways_solve(cholmod_ways *c, int way, const double *b, double *x);

#endif
