// Shapes by proper orthogonal decomposition of the samples, in the measure of the mass.
#include "base/eigen.h"
#include "base/status.h"
#include "study/reducing.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

typedef struct snapshots {
    int n, lines;
    double *u;     // displacements, one after the other (n x lines)
    double *value; // of the Gram matrix, descending (n)
    double *vector;
    int *order;
    double mass;
} snapshots;

static void collect(const reducing *r, snapshots *s)
{
    for (int i = 0; i < r->train.n; i++) {
        const double *found = reduce_found(r, &r->train, i);
        if (!reduce_converged(found))
            continue;
        double *u = &s->u[(size_t)s->n++ * (size_t)s->lines];
        for (int l = 0; l < s->lines; l++)
            u[l] = reduce_x(found)[l] - r->whole->X[l];
    }
}

static bool decompose(const reducing *r, snapshots *s, arena *scratch)
{
    size_t n = (size_t)s->n;
    double *gram = arena_new(scratch, n * n, double);
    double *weighed = arena_new(scratch, s->lines, double);
    s->value = arena_new(scratch, n, double);
    s->vector = arena_new(scratch, n * n, double);
    s->order = arena_new(scratch, n, int);
    if (!gram || !weighed || !s->value || !s->vector || !s->order)
        return false;
    for (size_t i = 0; i < n; i++) {
        s->mass = basis_mass_times(&r->whole->body[0], &s->u[i * (size_t)s->lines], weighed);
        for (size_t j = 0; j <= i; j++) {
            const double *u = &s->u[j * (size_t)s->lines];
            double sum = 0;
            for (int l = 0; l < s->lines; l++)
                sum += weighed[l] * u[l];
            gram[i * n + j] = gram[j * n + i] = sum / s->mass;
        }
    }
    eigen_symmetric(s->n, gram, s->value, s->vector);
    for (int i = 0; i < s->n; i++) { // descending
        int at = i;
        for (; at > 0 && s->value[s->order[at - 1]] < s->value[i]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = i;
    }
    return true;
}

// As few as leave no more of the samples out than the tolerance allows.
static int count_modes(const reducing *r, const snapshots *s)
{
    double rest = 0, most = r->mode_share * r->how.tolerance;
    int n = s->n;
    while (n > 1) {
        rest += fmax(0, s->value[s->order[n - 1]]) / s->n;
        if (sqrt(rest) > most)
            break;
        n--;
    }
    while (n > 1 && !(s->value[s->order[n - 1]] > REDUCE_LEAST * s->value[s->order[0]]))
        n--;
    return n < REDUCTION_MODES ? n : REDUCTION_MODES;
}

static void make_modes(const snapshots *s, lithe_reduction *out)
{
    for (int k = 0; k < out->nmode; k++)
        for (int i = 0; i < s->n; i++) {
            double share = s->vector[(size_t)i * (size_t)s->n + (size_t)s->order[k]] /
                           sqrt(s->value[s->order[k]]);
            const double *u = &s->u[(size_t)i * (size_t)s->lines];
            for (int l = 0; l < s->lines; l++)
                out->mode[(size_t)l * (size_t)out->nmode + (size_t)k] += share * u[l];
        }
}

lithe_status reduce_shapes(reducing *r, lithe_reduction *out)
{
    arena scratch = {0};
    const body *b = &r->whole->body[0];
    snapshots s = {.lines = 3 * b->nnode};
    double mass = 0;
    lithe_status status = LITHE_OK;
    s.u = arena_new(&scratch, (size_t)r->train.n * (size_t)s.lines, double);
    if (s.u)
        collect(r, &s);
    if (s.u && 2 * s.n < r->train.n)
        status = LITHE_FAIL(r->report, LITHE_NOT_CONVERGED,
                            "of %d samples only %d have an equilibrium: narrow the actuators' "
                            "limits",
                            r->train.n, s.n);
    else if (!s.u || !decompose(r, &s, &scratch))
        status = report_no_memory(r->report, "shapes");
    if (status == LITHE_OK) {
        out->nmode = count_modes(r, &s);
        out->mode = arena_new(&out->memory, (size_t)s.lines * (size_t)out->nmode, double);
        if (!out->mode)
            status = report_no_memory(r->report, "shapes");
    }
    if (status == LITHE_OK) {
        make_modes(&s, out);
        status = basis_orthonormalize(b, out->nmode, out->mode, &scratch, &mass, r->report);
    }
    out->info.nsample = s.n;
    arena_free(&scratch);
    return status;
}
