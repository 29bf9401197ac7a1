// The few elements that stand for all: weights, none below 0, with which their forces on the
// coordinates sum to those of all elements in every sample [farhat2014]. Forces are compared by
// what they move, in metres (reduce_moved.h). Beside every equilibrium stands a shape near it that
// is none, so that the stiffness of all coordinates is right too, not only the forces along the
// samples' way.
#include "base/status.h"
#include "body/modal.h"
#include "solve/dense.h"
#include "solve/nnls.h"
#include "step/state.h"
#include "study/reduce_moved.h"

#include <math.h>
#include <string.h>

typedef struct training {
    reducing *r;
    const lithe_reduction *of;
    const body *b;
    int n, nsample, nline; // modes, samples, lines of G
    int nmoved;            // lines of a sample
    int *sample;           // (nsample) of train; each twice, the second time moved aside
    double *q;             // of each (nsample x n)
    double *aside;         // how far coordinates are moved aside at most (n)
    double *stiff;         // diagonals of A (nsample x n) N/m
    double energy;         // that A holds in the samples, in the mean, J
    double *x;             // of each (nsample x nnode x 3)
    double *moved;         // by a force on each coordinate (nsample x nmoved x n)
    double *factor;        // on elements' moduli (nsample x nelement); NULL: 1
    float *G;              // (nelement x nline)
    double *rhs;           // (nline)
} training;

// At most so many lines, so that G has room.
static void choose_samples(training *t)
{
    enum { LEAST = 1600, MOST = 8000, NUMBERS = 40000000, FEW = 8 };
    int lines = NUMBERS / t->b->nelement;
    lines = lines < LEAST ? LEAST : lines < MOST ? lines : MOST;
    int most = lines / (2 * t->nmoved);
    t->nsample = 2 * reduce_choose(t->r, most > FEW ? most : FEW, t->sample);
    for (int k = t->nsample - 1; k >= 0; k--)
        t->sample[k] = t->sample[k / 2];
    t->nline = t->nsample * t->nmoved;
}

// Coordinates of the samples, and how far those are apart.
static bool find_coordinates(training *t)
{
    const lithe_model *m = t->r->whole;
    size_t lines = 3 * (size_t)m->nnode, n = (size_t)t->n;
    double tolerance = t->r->how.tolerance; // farther aside, a bent robot would be stretched
    arena scratch = {0};
    double *u = arena_new(&scratch, lines, double), *weighed = arena_new(&scratch, lines, double);
    for (int k = 0; u && weighed && k < t->nsample; k++) {
        const double *found = reduce_found(t->r, &t->r->train, t->sample[k]);
        double *q = &t->q[(size_t)k * n];
        for (size_t i = 0; i < lines; i++)
            u[i] = reduce_x(found)[i] - m->X[i];
        double mass = basis_mass_times(t->b, u, weighed);
        for (size_t i = 0; i < lines; i++)
            for (size_t j = 0; j < n; j++)
                q[j] += t->of->mode[i * n + j] * weighed[i] / mass;
        for (size_t j = 0; j < n; j++)
            t->aside[j] += q[j] * q[j] / t->nsample;
    }
    for (size_t j = 0; j < n; j++)
        t->aside[j] = fmin(0.25 * sqrt(t->aside[j]), 2 * tolerance) + tolerance;
    bool well = u && weighed;
    arena_free(&scratch);
    return well;
}

// Phi' K Phi of a nodal tangent.
static void project_tangent(const training *t, const double *K, arena *scratch, double *A)
{
    const sparse_pattern *pattern = &t->b->pattern;
    size_t width = (size_t)modal_width(t->n), lines = 3 * (size_t)t->b->nnode, n = (size_t)t->n;
    modal_block *block = arena_new(scratch, pattern->nblock, modal_block);
    double *Phi = arena_alloc(scratch, lines * width / LANES, sizeof(lanes));
    double *KPhi = arena_alloc(scratch, lines * width / LANES, sizeof(lanes));
    double *square = arena_alloc(scratch, width * width / LANES, sizeof(lanes));
    if (!block || !Phi || !KPhi || !square)
        return;
    for (int j = 0; j < t->b->nrow; j++)
        for (int k = pattern->col_adr[j]; k < pattern->col_adr[j + 1]; k++)
            block[k] = (modal_block){t->b->block_node[pattern->row[k]], t->b->block_node[j]};
    for (size_t i = 0; i < lines; i++)
        memcpy(&Phi[i * width], &t->of->mode[i * n], n * sizeof *Phi);
    modal_choose()->multiply((int)lines, (int)width, pattern->nblock, block, K, Phi, KPhi);
    modal_choose()->square((int)lines, (int)width, Phi, KPhi, square);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            A[i * n + j] = A[j * n + i] = square[i * width + j];
}

static void position_sample(training *t, int k)
{
    const lithe_model *m = t->r->whole;
    size_t lines = 3 * (size_t)m->nnode, n = (size_t)t->n;
    double *x = &t->x[(size_t)k * lines];
    const double *q = &t->q[(size_t)k * n];
    for (size_t i = 0; i < lines; i++) {
        x[i] = m->X[i];
        for (size_t j = 0; j < n; j++)
            x[i] += t->of->mode[i * n + j] * q[j];
    }
}

// Shapes of a patch are moved by as much as a share of the samples' energy does: few samples show
// them, or none, and some bend the whole robot while others dent a few elements.
static double how_far_aside(const training *t, int k, int j)
{
    const double share = 0.3;
    double stiff = t->stiff[(size_t)(k - 1) * (size_t)t->n + (size_t)j];
    bool of_patch = j >= t->n - t->of->npatch_shape;
    return of_patch && stiff > 0 ? share * sqrt(2 * t->energy / stiff) : t->aside[j];
}

// The same, moved aside by what the seed says; it is compared by the same compliance.
static void move_aside(training *t, int k)
{
    size_t n = (size_t)t->n;
    double point[SAMPLES_DIMENSIONS], *q = &t->q[(size_t)k * n];
    for (int j = 0; j < t->n; j++) {
        if (j % SAMPLES_DIMENSIONS == 0)
            samples_point(t->r->how.seed + (unsigned)j, k, SAMPLES_DIMENSIONS, point);
        q[j] += how_far_aside(t, k, j) * (2 * point[j % SAMPLES_DIMENSIONS] - 1);
    }
    position_sample(t, k);
    size_t numbers = (size_t)t->nmoved * n;
    memcpy(&t->moved[(size_t)k * numbers], &t->moved[(size_t)(k - 1) * numbers],
           numbers * sizeof *t->moved);
    if (t->factor)
        memcpy(&t->factor[(size_t)k * (size_t)t->b->nelement],
               &t->factor[(size_t)(k - 1) * (size_t)t->b->nelement],
               (size_t)t->b->nelement * sizeof *t->factor);
}

static void note_energy(training *t, int k, const double *A)
{
    size_t n = (size_t)t->n;
    const double *q = &t->q[(size_t)k * n];
    for (size_t i = 0; i < n; i++) {
        t->stiff[(size_t)k * n + i] = A[i * n + i];
        for (size_t j = 0; j < n; j++)
            t->energy += q[i] * A[i * n + j] * q[j] / t->nsample; // every other one is a sample
    }
}

// The sample as the shapes have it, and what forces move there. False: it has no compliance.
static bool linearize(training *t, int k, lithe_state *s, arena *scratch)
{
    const lithe_model *m = t->r->whole;
    const double *found = reduce_found(t->r, &t->r->train, t->sample[k]);
    size_t lines = 3 * (size_t)m->nnode, n = (size_t)t->n;
    double *x = &t->x[(size_t)k * lines], *inverse = arena_new(scratch, n * n, double);
    double *A = arena_new(scratch, n * n, double), *H = arena_new(scratch, lines, double);
    if (!A || !inverse || !H)
        return false;
    position_sample(t, k);
    memcpy(s->now.x, x, lines * sizeof *x);
    memcpy(s->now.effort, reduce_effort(t->r, found), (size_t)m->nact * sizeof *s->now.effort);
    s->aim_load = 1;
    body_loading loads = state_loading(s);
    tangent_exact(m, &s->now, &loads, &s->tangent);
    project_tangent(t, s->tangent.K[0], scratch, A);
    for (size_t i = 0; i < n; i++)
        inverse[i * n + i] = 1;
    note_energy(t, k, A);
    if (t->factor && s->tangent.stiffness[0])
        memcpy(&t->factor[(size_t)k * (size_t)t->b->nelement], s->tangent.stiffness[0],
               (size_t)t->b->nelement * sizeof *t->factor);
    const moved_sample of = {.m = m,
                             .range = t->r->range,
                             .n = t->n,
                             .Phi = t->of->mode,
                             .inverse = inverse,
                             .x = x,
                             .effort = reduce_effort(t->r, found),
                             .H = H};
    return dense_solve(t->n, t->n, A, inverse) &&
           reduce_moved(&of, scratch, &t->moved[(size_t)k * (size_t)t->nmoved * n]);
}

// What an element's force moves in sample k.
static void element_column(const training *t, int k, const element_family *f, int e,
                           const double *force)
{
    // a stiffness need not be as right as a force, but where contacts push as the samples do not
    const double aside_counts = t->of->npatch > 0 ? 1 : 0.2;
    int n = t->n, nnode = f->kind->nnode, element = f->element_adr + e;
    double g[REDUCTION_MODES] = {0};
    double factor = t->factor ? t->factor[(size_t)k * (size_t)t->b->nelement + (size_t)element] : 1;
    for (int i = 0; i < 3 * nnode; i++) {
        size_t line = 3 * (size_t)f->node[nnode * e + i / 3] + (size_t)(i % 3);
        const double *Phi = &t->of->mode[line * (size_t)n];
        for (int j = 0; j < n; j++)
            g[j] += factor * Phi[j] * force[i];
    }
    size_t line = (size_t)k * (size_t)t->nmoved;
    const double *moved = &t->moved[line * (size_t)n];
    float *out = &t->G[(size_t)element * (size_t)t->nline + line];
    double counts = k % 2 == 1 ? aside_counts : 1;
    for (int i = 0; i < t->nmoved; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += moved[i * n + j] * g[j];
        out[i] = (float)(counts * sum);
        t->rhs[line + (size_t)i] += counts * sum;
    }
}

static void fill_samples(void *context, int first, int last)
{
    enum { MOST_NODES = 64 };
    const training *t = context;
    double energy[LANES], force[LANES * MOST_NODES * 3];
    for (int k = first; k < last; k++)
        for (int i = 0; i < t->b->nfamily; i++) {
            const element_family *f = &t->b->family[i];
            for (int e = 0; e < f->n; e++) {
                if (e % LANES == 0)
                    f->kind->evaluate(family_batch(f, e / LANES),
                                      &t->x[(size_t)k * 3 * (size_t)t->b->nnode],
                                      ELEMENT_FORCE_ONLY, (element_output){energy, force, NULL});
                element_column(t, k, f, e, &force[(size_t)(e % LANES * f->kind->nnode) * 3]);
            }
        }
}

static bool train(training *t, arena *scratch)
{
    size_t n = (size_t)t->n, lines = 3 * (size_t)t->b->nnode;
    t->x = arena_new(scratch, (size_t)t->nsample * lines, double);
    t->moved = arena_new(scratch, (size_t)t->nsample * (size_t)t->nmoved * n, double);
    t->factor = t->r->whole->tuned[0]
                    ? arena_new(scratch, (size_t)t->nsample * (size_t)t->b->nelement, double)
                    : NULL;
    t->G = arena_new(scratch, (size_t)t->b->nelement * (size_t)t->nline, float);
    t->rhs = arena_new(scratch, t->nline, double);
    t->q = arena_new(scratch, (size_t)t->nsample * n, double);
    t->aside = arena_new(scratch, n, double);
    t->stiff = arena_new(scratch, (size_t)t->nsample * n, double);
    if (!t->q || !t->aside || !t->stiff || !find_coordinates(t))
        return false;
    if (!t->x || !t->moved || !t->G || !t->rhs || (t->r->whole->tuned[0] && !t->factor))
        return false;
    lithe_state *s = reduce_take_state(&t->r->states);
    lithe_state_reset(t->r->whole, s);
    bool well = true;
    for (int k = 0; k < t->nsample && well; k += 2) {
        arena own = {0};
        well = linearize(t, k, s, &own);
        arena_free(&own);
    }
    for (int k = 1; k < t->nsample && well; k += 2)
        move_aside(t, k);
    reduce_give_state(&t->r->states, s);
    if (well)
        pool_for(t->r->threads, t->nsample, 1, fill_samples, t);
    return well;
}

static bool told_elements(void *user, int ncolumn, double error)
{
    (void)error;
    return reduce_told(user, ncolumn, 0);
}

lithe_status reduce_keep_elements(reducing *r, const double *weight, int n, lithe_reduction *out)
{
    out->nelement = 0;
    out->element = arena_new(&out->memory, n, int);
    out->weight = arena_new(&out->memory, n, double);
    if (!out->element || !out->weight)
        return report_no_memory(r->report, "elements");
    for (int e = 0; e < r->whole->nelement; e++)
        if (weight[e] > 0) {
            out->element[out->nelement] = e;
            out->weight[out->nelement++] = weight[e];
        }
    return LITHE_OK;
}

static bool in_patch(const lithe_reduction *r, int node)
{
    int low = 0, high = r->npatch;
    while (low < high) {
        int middle = (low + high) / 2;
        if (r->patch[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->npatch && r->patch[low] == node;
}

// Elements at a patch stand for themselves: contacts strain them as no sample does.
static int keep_patch(const training *t, double *weight)
{
    int n = 0;
    for (int i = 0; i < t->b->nfamily && t->of->npatch > 0; i++) {
        const element_family *f = &t->b->family[i];
        for (int k = 0; k < f->n * f->kind->nnode; k++) {
            if (in_patch(t->of, f->node[k]))
                weight[f->element_adr + k / f->kind->nnode] = 1;
        }
    }
    for (int e = 0; e < t->b->nelement; e++)
        n += weight[e] > 0;
    return n;
}

// What those leave to be stood for; the others' columns move together. column: the element of each.
static int leave_rest(training *t, const double *weight, int *column)
{
    int n = 0;
    for (int e = 0; e < t->b->nelement; e++) {
        const float *G = &t->G[(size_t)e * (size_t)t->nline];
        float *to = &t->G[(size_t)n * (size_t)t->nline];
        for (int i = 0; i < t->nline; i++)
            if (weight[e] > 0)
                t->rhs[i] -= (double)G[i];
            else
                to[i] = G[i];
        if (weight[e] == 0)
            column[n++] = e;
    }
    return n;
}

static lithe_status choose(training *t, int nkept, int ncolumn, double *found)
{
    enum { SHARE = 3, LEAST = 64, PER_SHAPE = 2 };
    reducing *r = t->r;
    nnls_result result;
    int least = PER_SHAPE * t->n - nkept, own = PER_SHAPE * (t->n - t->of->npatch_shape);
    int most = ncolumn / SHARE > LEAST ? ncolumn / SHARE : ncolumn;
    nnls_problem p = {.nline = t->nline,
                      .ncolumn = ncolumn,
                      .G = t->G,
                      .b = t->rhs,
                      .group = t->nmoved,
                      .tolerance = r->element_share * r->how.tolerance,
                      .least = least > own ? least : own, // fewer could not resist all shapes
                      .most = most < t->nline ? most : t->nline,
                      .threads = r->threads,
                      .progress = told_elements,
                      .user = r};
    r->doing = "elements";
    if (nnls_solve(&p, found, &result) != LITHE_OK)
        return report_no_memory(r->report, "elements");
    return result.ended ? LITHE_FAIL(r->report, LITHE_NOT_CONVERGED,
                                     "the choice of elements was told to end")
                        : LITHE_OK;
}

static lithe_status solve(training *t, arena *scratch, lithe_reduction *out)
{
    double *weight = arena_new(scratch, t->b->nelement, double);
    double *found = arena_new(scratch, t->b->nelement, double);
    int *column = arena_new(scratch, t->b->nelement, int);
    if (!weight || !found || !column)
        return report_no_memory(t->r->report, "elements");
    int n = keep_patch(t, weight), ncolumn = leave_rest(t, weight, column);
    if (ncolumn > 0)
        LITHE_TRY(choose(t, n, ncolumn, found));
    for (int i = 0; i < ncolumn; i++) {
        weight[column[i]] = found[i];
        n += found[i] > 0;
    }
    return reduce_keep_elements(t->r, weight, n, out);
}

lithe_status reduce_elements(reducing *r, lithe_reduction *out)
{
    arena scratch = {0};
    training t = {.r = r, .of = out, .b = &r->whole->body[0], .n = out->nmode};
    t.nmoved = reduce_nled(r->whole) + t.n;
    t.sample = arena_new(&scratch, 2 * (size_t)r->train.n, int);
    lithe_status status = LITHE_OK;
    if (t.sample)
        choose_samples(&t);
    if (!t.sample || !train(&t, &scratch))
        status = LITHE_FAIL(r->report, LITHE_NO_MEMORY,
                            "there is no memory for the forces of %d elements in %d samples, or a "
                            "sample is singular",
                            t.b->nelement, t.nsample);
    if (status == LITHE_OK)
        status = solve(&t, &scratch, out);
    arena_free(&scratch);
    return status;
}
