// Elements whose nodes rotate: random shapes, and derivatives by spins.
#ifndef TESTS_ROTATING_H
#define TESTS_ROTATING_H

#include "base/rotation.h"
#include "base/vec.h"
#include "element/family.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static inline double uniform(void)
{
    static uint64_t seed = 12345;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static inline double largest(const double *v, int n)
{
    double top = 0;
    for (int i = 0; i < n; i++)
        top = fmax(top, fabs(v[i]));
    return top;
}

// Eight elements with nodes of their own: position nodes first, then as many that rotate.
enum { MOST_NODE = 6, MOST_PAIR = 21 };

typedef struct rotating {
    const element_kind *kind;
    const void *batch;
    int nposition; // position nodes of one element
    double x[3 * MOST_NODE * LANES];
    double energy[LANES], force[LANES * 3 * MOST_NODE], stiff[LANES * 9 * MOST_PAIR];
} rotating;

static inline void rotating_evaluate(rotating *s, element_tangent tangent)
{
    s->kind->evaluate(s->batch, s->x, tangent, (element_output){s->energy, s->force, s->stiff});
}

// Moves coordinate d of all eight elements; rotations by spins.
static inline void rotating_move(rotating *s, int d, double h)
{
    int n = s->kind->nnode;
    for (int l = 0; l < LANES; l++) {
        double *x = &s->x[3 * (n * l + d / 3)], spin[3] = {0};
        if (d / 3 < s->nposition) {
            x[d % 3] += h;
            continue;
        }
        spin[d % 3] = 1;
        rotation_advance(x, h, spin, x);
    }
}

static inline double rotating_stiffness(const rotating *s, int lane, int row, int col)
{
    int a = row / 3, b = col / 3, i = row % 3, j = col % 3;
    const double *K = &s->stiff[9 * s->kind->nnode * (s->kind->nnode + 1) / 2 * lane];
    return a >= b ? K[9 * element_pair(a, b) + 3 * i + j] : K[9 * element_pair(b, a) + 3 * j + i];
}

// Force against differences of the energy; scale: of a force.
static inline void assert_force_is_gradient(rotating *s, double scale)
{
    int n = 3 * s->kind->nnode;
    double force[LANES * 3 * MOST_NODE], plus[LANES], h = 1e-5;
    rotating_evaluate(s, ELEMENT_FORCE_ONLY);
    memcpy(force, s->force, sizeof force);
    for (int d = 0; d < n; d++) {
        double keep[3 * MOST_NODE * LANES];
        memcpy(keep, s->x, sizeof keep);
        rotating_move(s, d, h);
        rotating_evaluate(s, ELEMENT_FORCE_ONLY);
        memcpy(plus, s->energy, sizeof plus);
        memcpy(s->x, keep, sizeof keep);
        rotating_move(s, d, -h);
        rotating_evaluate(s, ELEMENT_FORCE_ONLY);
        memcpy(s->x, keep, sizeof keep);
        for (int l = 0; l < LANES; l++)
            assert_true(fabs((plus[l] - s->energy[l]) / (2 * h) - force[n * l + d]) < 1e-6 * scale);
    }
}

// The stiffness is the second derivative of the energy along x -> exp(w) x. The force's derivative
// by spins has an antisymmetric part too, half the moment's cross product, which it leaves out.
static inline void assert_stiffness_is_gradient(rotating *s, double scale)
{
    int n = 3 * s->kind->nnode;
    double force[LANES * 3 * MOST_NODE], slope[LANES][3 * MOST_NODE][3 * MOST_NODE], h = 1e-6;
    rotating_evaluate(s, ELEMENT_EXACT);
    for (int d = 0; d < n; d++) {
        double keep[3 * MOST_NODE * LANES];
        memcpy(keep, s->x, sizeof keep);
        rotating_move(s, d, h);
        rotating_evaluate(s, ELEMENT_FORCE_ONLY);
        memcpy(force, s->force, sizeof force);
        memcpy(s->x, keep, sizeof keep);
        rotating_move(s, d, -h);
        rotating_evaluate(s, ELEMENT_FORCE_ONLY);
        memcpy(s->x, keep, sizeof keep);
        for (int l = 0; l < LANES; l++)
            for (int i = 0; i < n; i++)
                slope[l][i][d] = (force[n * l + i] - s->force[n * l + i]) / (2 * h);
    }
    for (int l = 0; l < LANES; l++)
        for (int i = 0; i < n; i++)
            for (int d = 0; d < n; d++) {
                double K = rotating_stiffness(s, l, i, d);
                double mean = 0.5 * (slope[l][i][d] + slope[l][d][i]);
                assert_true(fabs(mean - K) < 1e-6 * scale);
                if (i / 3 != d / 3)
                    assert_true(fabs(slope[l][i][d] - K) < 1e-6 * scale);
            }
}

// Cholesky with a small shift fails exactly when there is a negative eigenvalue.
static inline bool rotating_semi_definite(const rotating *s, int lane, double scale)
{
    double A[3 * MOST_NODE][3 * MOST_NODE];
    int n = 3 * s->kind->nnode;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i][j] = rotating_stiffness(s, lane, i, j) + (i == j) * 1e-9 * scale;
    for (int k = 0; k < n; k++) {
        if (!(A[k][k] > 0))
            return false;
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                A[i][j] -= A[i][k] * A[k][j] / A[k][k];
    }
    return true;
}

static inline void rotating_shake(rotating *s, double way, double rotation)
{
    for (int i = 0; i < 3 * s->kind->nnode * LANES; i++)
        s->x[i] += (i / 3 % s->kind->nnode < s->nposition ? way : rotation) * uniform();
}

// Moves everything as one rigid body, from wherever it is.
static inline void rotating_rigid(rotating *s, const double theta[3], double way)
{
    double R[9];
    rotation_matrix(theta, R);
    for (int i = 0; i < s->kind->nnode * LANES; i++) {
        double *x = &s->x[3 * i];
        if (i % s->kind->nnode >= s->nposition) {
            rotation_advance(x, 1, theta, x);
            continue;
        }
        mat_apply(x, R, x);
        for (int j = 0; j < 3; j++)
            x[j] += way;
    }
}

#endif
