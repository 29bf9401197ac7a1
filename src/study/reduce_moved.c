// What elements are compared by: what their forces move in a sample. Effectors first, for the
// tolerance is theirs, under the commands of the sample: a cable that is told its pull stays as
// long as it is whatever elements push with. Then all coordinates, which count for less where there
// are effectors: shapes must be right too, and efforts, by which commands may be told instead.
#include "study/reduce_moved.h"
#include "solve/dense.h"
#include "step/state.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

// Effectors that are positions; in contact the whole surface counts.
static bool leads(const lithe_model *m, int effector)
{
    return !m->contact.on && m->row[m->effector[effector].group.adr].kind == ROW_MEAN;
}

int reduce_nled(const lithe_model *m)
{
    int n = 0;
    for (int e = 0; e < m->neffector; e++)
        n += leads(m, e) ? m->effector[e].group.n : 0;
    return n;
}

// out = Phi' H of a row.
static void project_row(const moved_sample *k, const row *of, double *out)
{
    size_t n = (size_t)k->n;
    row_gradient(of, k->x, k->H);
    memset(out, 0, n * sizeof *out);
    for (size_t i = 0; i < 3 * (size_t)of->nnode; i++) {
        const double *Phi = &k->Phi[(3 * (size_t)of->node[i / 3] + i % 3) * n];
        for (size_t j = 0; j < n; j++)
            out[j] += k->H[i] * Phi[j];
    }
}

// out = A^-1 h
static void times_compliance(const moved_sample *k, const double *h, double *out)
{
    for (int i = 0; i < k->n; i++)
        out[i] = dense_dot(k->n, &k->inverse[(size_t)i * (size_t)k->n], h);
}

static bool is_held(const moved_sample *k, int actuator)
{
    return k->range[actuator].kind == LITHE_DISPLACEMENT &&
           !row_is_parameter(&k->m->row[actuator]) && fabs(k->effort[actuator]) > 0;
}

// Rows that hold their displacement, h, and Y = A^-1 h, Z = W^-1 Y, W = h A^-1 h' + c. How many;
// -1: W is singular.
static int hold_rows(const moved_sample *k, double *h, double *Y, double *Z, double *W)
{
    size_t n = (size_t)k->n, held = 0;
    double own[SAMPLES_DIMENSIONS];
    for (int a = 0; a < k->m->nact; a++)
        if (is_held(k, a)) {
            project_row(k, &k->m->row[a], &h[held * n]);
            times_compliance(k, &h[held * n], &Y[held * n]);
            own[held++] = k->m->row[a].compliance;
        }
    for (size_t a = 0; a < held; a++) {
        for (size_t b = 0; b < held; b++)
            W[a * held + b] = dense_dot(k->n, &h[a * n], &Y[b * n]);
        W[a * held + a] += own[a] + REDUCE_GIVES * W[a * held + a];
    }
    memcpy(Z, Y, held * n * sizeof *Z);
    return held == 0 || dense_solve((int)held, k->n, W, Z) ? (int)held : -1;
}

bool reduce_moved(const moved_sample *k, arena *scratch, double *out)
{
    const double coordinates_count = 0.2;
    size_t n = (size_t)k->n, nact = (size_t)k->m->nact, at = 0;
    double *h = arena_new(scratch, nact * n, double), *Y = arena_new(scratch, nact * n, double);
    double *Z = arena_new(scratch, nact * n, double), *W = arena_new(scratch, nact * nact, double);
    double *led = arena_new(scratch, n, double);
    int held = h && Y && Z && W && led ? hold_rows(k, h, Y, Z, W) : -1;
    if (held < 0)
        return false;
    for (int e = 0; e < k->m->neffector; e++)
        for (int i = 0; i < k->m->effector[e].group.n && leads(k->m, e); i++, at++) {
            project_row(k, &k->m->row[k->m->effector[e].group.adr + i], led);
            times_compliance(k, led, &out[at * n]);
            for (int a = 0; a < held; a++) {
                double share = dense_dot(k->n, led, &Y[(size_t)a * n]);
                for (size_t j = 0; j < n; j++)
                    out[at * n + j] -= share * Z[(size_t)a * n + j];
            }
        }
    double counts = at > 0 ? coordinates_count : 1;
    for (size_t i = 0; i < n * n; i++)
        out[at * n + i] = counts * k->inverse[i];
    return true;
}
