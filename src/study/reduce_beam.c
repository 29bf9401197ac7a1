// A beam space's sections: the shapes by which they deform, frame by frame, learned from samples.
// Each sample is first met as well as frames with rigid sections can; what is left, as frames see
// it, is decomposed (proper orthogonal decomposition, in the measure of the mass).
#include "base/eigen.h"
#include "base/rotation.h"
#include "base/status.h"
#include "base/vec.h"
#include "reduce/beam_line.h"
#include "step/state.h"
#include "study/reducing.h"
#include "study/tolerances.h"

#include <math.h>
#include <string.h>

typedef struct sections {
    reducing *r;
    lithe_reduction *out;
    lithe_model *rigid; // with rigid sections
    const body *b;      // … its body
    int nsample, nside;
    double *left; // what is left of every sample, by sides, in frames (nsample x nside x 3) m
} sections;

// What rigid sections leave of a sample, in the frames of all sides.
static void take_left(const sections *t, const lithe_state *s, const double *x, double *left)
{
    const beam_map *m = t->b->beam;
    for (int i = 0; i < t->b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int f = m->free[m->side[k].frame];
            double way[3], R[9];
            vec_sub(way, &x[3 * i], &s->now.x[3 * i]);
            if (f < 0)
                continue;
            rotation_matrix(&s->now.q[m->size * f + 3], R);
            mat_apply_transposed(&left[3 * k], R, way);
        }
}

static lithe_status meet_samples(sections *t)
{
    reducing *r = t->r;
    lithe_state *s = NULL;
    LITHE_TRY(lithe_state_create(t->rigid, 1, &s, r->report));
    lithe_status status = LITHE_OK;
    for (int i = 0; i < r->train.n && status == LITHE_OK; i++) {
        const double *found = reduce_found(r, &r->train, i);
        if (!reduce_converged(found))
            continue;
        lithe_state_reset(t->rigid, s);
        status = lithe_set_position(t->rigid, s, reduce_x(found), NULL);
        take_left(t, s, reduce_x(found), &t->left[3 * (size_t)(t->nsample++ * t->nside)]);
    }
    if (status != LITHE_OK)
        LITHE_FAIL(r->report, status, "%s", lithe_state_error(s));
    lithe_state_free(s);
    return status;
}

// What counts for a frame: the mass of its nodes' shares.
static double share_of(const sections *t, int side, int node)
{
    return t->b->beam->side[side].weight * t->r->whole->body[0].mass[node];
}

typedef struct decomposition {
    double *gram, *value, *vector; // of all samples
} decomposition;

static void fill_gram(const sections *t, int frame, double *gram, double *mass)
{
    const beam_map *m = t->b->beam;
    size_t n = (size_t)t->nsample, line = 3 * (size_t)t->nside;
    memset(gram, 0, n * n * sizeof *gram);
    *mass = 0;
    for (int i = 0; i < t->b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            if (m->side[k].frame != frame)
                continue;
            double share = share_of(t, k, i);
            *mass += share;
            for (size_t a = 0; a < n; a++)
                for (size_t c = 0; c <= a; c++)
                    gram[a * n + c] += share * vec_dot(&t->left[a * line + 3 * (size_t)k],
                                                       &t->left[c * line + 3 * (size_t)k]);
        }
    for (size_t a = 0; a < n; a++)
        for (size_t c = 0; c < a; c++)
            gram[c * n + a] = gram[a * n + c];
}

// The j-th shape of a frame: of length 1 in the mean over its nodes.
static void fill_shape(const sections *t, int frame, int j, const double *vector, double value,
                       double mass)
{
    const beam_map *m = t->b->beam;
    size_t line = 3 * (size_t)t->nside, nshape = (size_t)t->out->nshape;
    for (int k = 0; k < t->nside; k++)
        for (int a = 0; a < t->nsample && m->side[k].frame == frame; a++)
            vec_axpy(&t->out->shape[3 * ((size_t)k * nshape + (size_t)j)],
                     vector[(size_t)a * (size_t)t->nsample] * sqrt(mass / value),
                     &t->left[(size_t)a * line + 3 * (size_t)k]);
}

static void decompose(const sections *t, int frame, const decomposition *d)
{
    double mass = 0;
    int n = t->nsample;
    fill_gram(t, frame, d->gram, &mass);
    eigen_symmetric(n, d->gram, d->value, d->vector);
    double largest = 0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, d->value[i]);
    for (int j = 0; j < t->out->nshape; j++) {
        int best = 0;
        for (int i = 1; i < n; i++)
            best = d->value[i] > d->value[best] ? i : best;
        if (d->value[best] > REDUCE_LEAST * largest)
            fill_shape(t, frame, j, d->vector + best, d->value[best], mass);
        d->value[best] = -1;
    }
}

static lithe_status find_shapes(sections *t, arena *scratch)
{
    reducing *r = t->r;
    size_t n = (size_t)r->train.n;
    decomposition d = {arena_new(scratch, n * n, double), arena_new(scratch, n, double),
                       arena_new(scratch, n * n, double)};
    t->nside = beam_nside(t->b->beam, t->b->nnode);
    t->left = arena_new(scratch, 3 * n * (size_t)t->nside, double);
    t->out->nside = t->nside;
    t->out->shape =
        arena_new(&t->out->memory, 3 * (size_t)t->nside * (size_t)t->out->nshape, double);
    if (!d.gram || !d.value || !d.vector || !t->left || !t->out->shape)
        return report_no_memory(r->report, "shapes of sections");
    LITHE_TRY(meet_samples(t));
    if (2 * t->nsample < r->train.n)
        return LITHE_FAIL(r->report, LITHE_NOT_CONVERGED,
                          "of %d samples only %d have an equilibrium: narrow the actuators' "
                          "limits",
                          r->train.n, t->nsample);
    for (int f = 0; f < t->out->nframe; f++)
        if (t->b->beam->free[f] >= 0)
            decompose(t, f, &d);
    t->out->info.nsample = t->nsample;
    return LITHE_OK;
}

lithe_status reduce_sections(reducing *r, lithe_reduction *out)
{
    arena scratch = {0};
    sections t = {.r = r, .out = out};
    lithe_def def = *r->def;
    int nshape = out->nshape;
    out->nshape = 0; // as long as there are none
    def.reduction.given = out;
    LITHE_TRY(lithe_compile(&def, &t.rigid, r->report));
    out->nshape = nshape;
    t.b = &t.rigid->body[0];
    lithe_status status = find_shapes(&t, &scratch);
    lithe_model_free(t.rigid);
    arena_free(&scratch);
    return status;
}
