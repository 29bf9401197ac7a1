#include "reduce/basis.h"

#include "base/status.h"
#include "base/vec.h"
#include "reduce/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

double basis_mass_times(const body *b, const double *shape, double *out)
{
    double mass = 0;
    for (int i = 0; i < b->nnode; i++)
        mass += b->mass[i];
    memset(out, 0, 3 * (size_t)b->nnode * sizeof *out);
    if (!(mass > 0)) {
        memcpy(out, shape, 3 * (size_t)b->nnode * sizeof *out);
        return b->nnode;
    }
    for (int k = 0; k < b->nmass; k++)
        mass += 2 * b->coupled[k].mass;
    body_mass_times(b, b->X, 1, shape, out);
    return mass;
}

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void take_column(int lines, int n, const double *Phi, int k, double *out)
{
    for (int i = 0; i < lines; i++)
        out[i] = Phi[(size_t)i * (size_t)n + (size_t)k];
}

// Gram and Schmidt, each column twice.
lithe_status basis_orthonormalize(const body *b, int n, double *Phi, arena *scratch, double *mass,
                                  lithe_report *report)
{
    int lines = 3 * b->nnode;
    double *column = arena_new(scratch, (size_t)lines * (size_t)n, double); // one after the other
    double *weighed = arena_new(scratch, (size_t)lines * (size_t)n, double);
    if (!column || !weighed)
        return report_no_memory(report, "the basis");
    for (int k = 0; k < n; k++) {
        double *own = &column[(size_t)k * (size_t)lines], *M = &weighed[(size_t)k * (size_t)lines];
        take_column(lines, n, Phi, k, own);
        *mass = basis_mass_times(b, own, M);
        double before = dot(lines, own, M);
        for (int twice = 0; twice < 2; twice++)
            for (int j = 0; j < k; j++) {
                const double *other = &column[(size_t)j * (size_t)lines];
                double share = dot(lines, &weighed[(size_t)j * (size_t)lines], own) / *mass;
                for (int i = 0; i < lines; i++)
                    own[i] -= share * other[i];
            }
        basis_mass_times(b, own, M);
        double size = dot(lines, own, M);
        if (!(size > BASIS_NOTHING * before) || !isfinite(size))
            return LITHE_FAIL(report, LITHE_INVALID,
                              "shape %d of the reduction is none of its own: it is a sum of those "
                              "before it, or moves nothing",
                              k);
        double scale = sqrt(*mass / size);
        for (int i = 0; i < lines; i++) {
            own[i] *= scale;
            M[i] *= scale;
            Phi[(size_t)i * (size_t)n + (size_t)k] = own[i];
        }
    }
    return LITHE_OK;
}

void basis_dual(const body *b, int n, const double *Phi, double mass, double *back)
{
    // M is the same for all axes and sparse: line by line
    int lines = 3 * b->nnode;
    double lumped = 0;
    for (int i = 0; i < b->nnode; i++)
        lumped += b->mass[i];
    for (int i = 0; i < lines; i++)
        for (int k = 0; k < n; k++)
            back[(size_t)i * (size_t)n + (size_t)k] =
                Phi[(size_t)i * (size_t)n + (size_t)k] * (lumped > 0 ? b->mass[i / 3] : 1) / mass;
    for (int j = 0; j < b->nmass; j++)
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < n; k++) {
                size_t at = (size_t)(3 * b->coupled[j].node[0] + axis) * (size_t)n + (size_t)k;
                size_t other = (size_t)(3 * b->coupled[j].node[1] + axis) * (size_t)n + (size_t)k;
                back[at] += b->coupled[j].mass / mass * Phi[other];
                back[other] += b->coupled[j].mass / mass * Phi[at];
            }
}

void basis_nearest(const body *b, int n, const double *Phi, double mass, const double *shape,
                   arena *scratch, double *q)
{
    double *weighed = arena_new(scratch, 3 * (size_t)b->nnode, double);
    memset(q, 0, (size_t)n * sizeof *q);
    if (!weighed)
        return;
    basis_mass_times(b, shape, weighed);
    for (int i = 0; i < 3 * b->nnode; i++)
        for (int k = 0; k < n; k++)
            q[k] += Phi[(size_t)i * (size_t)n + (size_t)k] * weighed[i] / mass;
}
