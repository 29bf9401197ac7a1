// The few elements that stand for all in a beam space. An element's force reaches the frames near
// it alone, so elements are chosen group by group: those whose last frame is the same. Forces are
// compared by what they move, as they are with modes: these frames and the last one on the line,
// in samples and beside them.
#include "base/status.h"
#include "solve/nnls.h"
#include "step/state.h"
#include "study/reducing.h"

#include <math.h>
#include <string.h>

enum { COORDINATES = 1024, SAMPLES = 16 };

typedef struct training {
    reducing *r;
    const lithe_reduction *of;
    const body *whole;
    lithe_model *beam; // all elements, in the beam space
    lithe_state *state;
    const body *b;     // … its body
    int n, nsample;    // coordinates; samples, each twice, the second time moved aside
    int *sample;       // of train (nsample)
    double *q;         // (nsample x n)
    double *unit;      // of a coordinate: metres that it moves nodes by (n)
    double *aside;     // how far coordinates are moved aside at most (n)
    double *x;         // (nsample x nnode x 3)
    double *J;         // (nsample x nJ)
    double *inverse;   // A^-1 (nsample x n x n)
    double *force;     // of all elements (nsample x nforce x 3)
    double *factor;    // on elements' moduli (nsample x nelement); NULL: 1
    int *first, *last; // free frames that an element reaches; last -1: none (nelement)
    double *weight;    // that were found (nelement)
} training;

// Elements whose last frame is `last`; frames [first, last] and the tip are looked at.
typedef struct group {
    int first, last;
    int n, *element;
    int nline; // of one sample
    float *G;  // (n x nsample nline)
    double *rhs;
} group;

static void choose_samples(training *t)
{
    const reducing *r = t->r;
    int good = 0, seen = 0, k = 0;
    for (int i = 0; i < r->train.n; i++)
        good += reduce_converged(reduce_found(r, &r->train, i));
    int wanted = good < SAMPLES ? good : SAMPLES;
    for (int i = 0; i < r->train.n && k < wanted; i++) {
        if (!reduce_converged(reduce_found(r, &r->train, i)))
            continue;
        if (k * good <= seen * wanted) {
            t->sample[2 * k] = t->sample[2 * k + 1] = i;
            k++;
        }
        seen++;
    }
    t->nsample = 2 * k;
}

// Where the frames are in a sample: in equilibrium, or else as near to the sample as they come.
static void find_sample(training *t, int k)
{
    lithe_state *s = t->state;
    int sample = t->sample[k];
    if (!reduce_solve(t->r, t->beam, s, t->r->train.number[sample])) {
        lithe_state_reset(t->beam, s);
        lithe_set_position(t->beam, s, reduce_x(reduce_found(t->r, &t->r->train, sample)), NULL);
    }
    for (int i = k; i < k + 2; i++)
        memcpy(&t->q[(size_t)i * (size_t)t->n], s->now.q, (size_t)t->n * sizeof *t->q);
}

static void find_units(training *t)
{
    const beam_map *m = t->b->beam;
    for (int f = 0; f < m->nframe; f++)
        for (int i = 0; i < m->size && m->free[f] >= 0; i++)
            t->unit[m->size * m->free[f] + i] = i >= 3 && i < 6 ? m->reach[f] : 1;
}

static bool find_coordinates(training *t)
{
    arena scratch = {0};
    double *rest = arena_new(&scratch, t->n, double), *way = arena_new(&scratch, t->n, double);
    double tolerance = t->r->how.tolerance;
    find_units(t);
    if (rest)
        t->b->space->rest(t->b, rest);
    for (int k = 0; rest && way && k < t->nsample; k += 2) {
        find_sample(t, k);
        t->b->space->motion(t->b, rest, &t->q[(size_t)k * (size_t)t->n], way);
        for (int j = 0; j < t->n; j++)
            t->aside[j] += pow(t->unit[j] * way[j], 2) * 2 / t->nsample;
        if (!reduce_told(t->r, k / 2, t->nsample / 2))
            break;
    }
    // frames are near each other: farther aside, what is between them would be torn
    for (int j = 0; j < t->n; j++)
        t->aside[j] = 0.5 * fmin(0.5 * sqrt(t->aside[j]) + 0.1 * tolerance, tolerance) / t->unit[j];
    bool well = rest && way;
    arena_free(&scratch);
    return well;
}

static void move_aside(training *t, int k)
{
    double way[COORDINATES], point[SAMPLES_DIMENSIONS], *q = &t->q[(size_t)k * (size_t)t->n];
    for (int j = 0; j < t->n; j++) {
        if (j % SAMPLES_DIMENSIONS == 0)
            samples_point(t->r->how.seed + (unsigned)j, k, SAMPLES_DIMENSIONS, point);
        way[j] = t->aside[j] * (2 * point[j % SAMPLES_DIMENSIONS] - 1);
    }
    t->b->space->advance(t->b, q, 1, way, q);
}

// A^-1, line by line; it is symmetric.
static bool invert(training *t, double *inverse)
{
    space_tangent *tangent = &t->state->tangent.of[0];
    if (t->b->space->factor(t->b, tangent, NULL, NULL).singular)
        return false;
    memset(inverse, 0, (size_t)t->n * (size_t)t->n * sizeof *inverse);
    for (int i = 0; i < t->n; i++) {
        double *line = &inverse[(size_t)i * (size_t)t->n];
        line[i] = 1;
        t->b->space->forward(t->b, tangent, 1, 0, NULL, line);
        t->b->space->backward(t->b, tangent, 1, line);
    }
    return true;
}

// Compliance at a sample. False: it has none.
static bool linearize(training *t, int k)
{
    const body *b = t->b;
    lithe_state *s = t->state;
    const double *found = reduce_found(t->r, &t->r->train, t->sample[k]);
    memcpy(s->now.x, &t->x[(size_t)k * 3 * (size_t)b->nnode],
           3 * (size_t)b->nnode * sizeof *s->now.x);
    memcpy(s->now.effort, reduce_effort(t->r, found),
           (size_t)t->beam->nact * sizeof *s->now.effort);
    s->aim_load = 1;
    s->tangent.found.clamped = false;
    s->tangent.is_ahead = false;
    body_loading loads = state_loading(s);
    tangent_elements(t->beam, &s->now, &loads, &s->tangent);
    tangent_efforts(t->beam, &s->now, &s->tangent);
    b->space->assemble(b, &t->q[(size_t)k * (size_t)t->n], &t->J[(size_t)k * b->nJ], NULL,
                       &s->tangent.of[0]);
    for (int i = k; t->factor && s->tangent.stiffness[0] && i < k + 2; i++)
        memcpy(&t->factor[(size_t)i * (size_t)b->nelement], s->tangent.stiffness[0],
               (size_t)b->nelement * sizeof *t->factor);
    return invert(t, &t->inverse[(size_t)k * (size_t)t->n * (size_t)t->n]);
}

static void evaluate(training *t, int k)
{
    const body *b = t->b;
    double energy[LANES], *force = &t->force[3 * (size_t)k * b->nforce];
    for (int i = 0; i < b->nfamily; i++) {
        const element_family *f = &b->family[i];
        for (int j = 0; j < f->nbatch; j++)
            f->kind->evaluate(
                family_batch(f, j), &t->x[(size_t)k * 3 * (size_t)b->nnode], ELEMENT_FORCE_ONLY,
                (element_output){
                    energy, &force[3 * (size_t)(f->force_adr + j * LANES * f->kind->nnode)], NULL});
    }
}

static bool train(training *t)
{
    const body *b = t->b;
    size_t square = (size_t)t->n * (size_t)t->n;
    for (int k = 0; k < t->nsample; k++) {
        const double *q = &t->q[(size_t)k * (size_t)t->n];
        if (k % 2 == 1)
            move_aside(t, k);
        b->space->positions(b, q, &t->x[(size_t)k * 3 * (size_t)b->nnode]);
        b->space->jacobian(b, q, &t->J[(size_t)k * b->nJ]);
        if (k % 2 == 0 && !linearize(t, k))
            return false;
        if (k % 2 == 1) // compared by the same compliance
            memcpy(&t->inverse[(size_t)k * square], &t->inverse[(size_t)(k - 1) * square],
                   square * sizeof *t->inverse);
        evaluate(t, k);
    }
    return true;
}

static bool create(training *t, arena *scratch)
{
    const body *b = t->b;
    size_t n = (size_t)t->n, k = (size_t)t->nsample, elements = (size_t)b->nelement;
    t->q = arena_new(scratch, k * n, double);
    t->unit = arena_new(scratch, n, double);
    t->aside = arena_new(scratch, n, double);
    t->x = arena_new(scratch, k * 3 * (size_t)b->nnode, double);
    t->J = arena_new(scratch, k * b->nJ, double);
    t->inverse = arena_new(scratch, k * n * n, double);
    t->force = arena_new(scratch, 3 * k * b->nforce, double);
    t->factor = t->beam->tuned[0] ? arena_new(scratch, k * elements, double) : NULL;
    t->first = arena_new(scratch, elements, int);
    t->last = arena_new(scratch, elements, int);
    t->weight = arena_new(scratch, elements, double);
    return t->q && t->unit && t->aside && t->x && t->J && t->inverse && t->force && t->first &&
           t->last && t->weight && (t->factor || !t->beam->tuned[0]);
}

// Frames that elements reach.
static void find_frames(training *t)
{
    const beam_map *m = t->b->beam;
    for (int i = 0; i < t->b->nfamily; i++) {
        const element_family *f = &t->b->family[i];
        for (int e = 0; e < f->n; e++) {
            int first = m->nfree, last = -1, at = f->element_adr + e;
            for (int a = 0; a < f->kind->nnode; a++) {
                int node = f->node[f->kind->nnode * e + a];
                for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
                    int free = m->free[m->side[k].frame];
                    first = free >= 0 && free < first ? free : first;
                    last = free > last ? free : last;
                }
            }
            t->first[at] = first;
            t->last[at] = last;
        }
    }
}

static void add_row(const training *t, const double *inverse, int line, int from, int to,
                    const double *g, double scale, float *out, double *rhs)
{
    double sum = 0;
    for (int j = from; j < to; j++)
        sum += inverse[(size_t)line * (size_t)t->n + (size_t)j] * g[j];
    sum *= scale * t->unit[line];
    *out = (float)sum;
    *rhs += sum;
}

// What an element's force moves in sample k: the group's frames, then the last one.
static void element_column(const training *t, const group *of, int column, int k,
                           const element_family *f, int e)
{
    const double aside_counts = 0.2; // a stiffness need not be as right as a force
    int element = f->element_adr + e, size = t->b->beam->size, nnode = f->kind->nnode, at = 0;
    const double *force =
        &t->force[3 * ((size_t)k * t->b->nforce + (size_t)(f->force_adr + e * nnode))];
    double g[COORDINATES] = {0}, scale = k % 2 == 1 ? aside_counts : 1;
    for (int a = 0; a < nnode; a++)
        t->b->space->scatter(t->b, &t->J[(size_t)k * t->b->nJ], f->node[nnode * e + a],
                             &force[3 * a], 1, g);
    if (t->factor)
        scale *= t->factor[(size_t)k * (size_t)t->b->nelement + (size_t)element];
    const double *inverse = &t->inverse[(size_t)k * (size_t)t->n * (size_t)t->n];
    int from = size * t->first[element], to = size * (t->last[element] + 1);
    float *out = &of->G[((size_t)column * (size_t)t->nsample + (size_t)k) * (size_t)of->nline];
    double *rhs = &of->rhs[(size_t)k * (size_t)of->nline];
    for (int i = size * of->first; i < size * (of->last + 1); i++, at++)
        add_row(t, inverse, i, from, to, g, scale, &out[at], &rhs[at]);
    for (int i = t->n - size; i < t->n - size + 3; i++, at++)
        add_row(t, inverse, i, from, to, g, scale, &out[at], &rhs[at]);
}

static bool open_group(const training *t, int last, arena *scratch, group *out)
{
    *out = (group){.first = last, .last = last};
    for (int e = 0; e < t->b->nelement; e++)
        if (t->last[e] == last) {
            out->n++;
            out->first = t->first[e] < out->first ? t->first[e] : out->first;
        }
    out->nline = t->b->beam->size * (out->last - out->first + 1) + 3;
    size_t lines = (size_t)t->nsample * (size_t)out->nline;
    out->element = arena_new(scratch, out->n, int);
    out->G = arena_new(scratch, (size_t)out->n * lines, float);
    out->rhs = arena_new(scratch, lines, double);
    if (!out->element || !out->G || !out->rhs)
        return false;
    for (int i = 0, column = 0; i < t->b->nfamily; i++)
        for (int e = 0; e < t->b->family[i].n; e++) {
            int element = t->b->family[i].element_adr + e;
            if (t->last[element] != last)
                continue;
            out->element[column] = element;
            for (int k = 0; k < t->nsample; k++)
                element_column(t, out, column, k, &t->b->family[i], e);
            column++;
        }
    return true;
}

static lithe_status choose_group(training *t, int last, int *found)
{
    enum { PER_COORDINATE = 2 };
    reducing *r = t->r;
    arena scratch = {0};
    group of;
    nnls_result result = {0};
    bool well = open_group(t, last, &scratch, &of);
    double *weight = well ? arena_new(&scratch, of.n, double) : NULL;
    if (weight && of.n > 0) {
        int lines = t->nsample * of.nline;
        nnls_problem p = {.nline = lines,
                          .ncolumn = of.n,
                          .G = of.G,
                          .b = of.rhs,
                          .group = of.nline,
                          // what groups leave adds up
                          .tolerance =
                              0.5 * r->element_share * r->how.tolerance / sqrt(t->b->beam->nfree),
                          .least = PER_COORDINATE * t->b->beam->size,
                          .most = of.n < lines ? of.n : lines,
                          .threads = r->threads};
        well = nnls_solve(&p, weight, &result) == LITHE_OK;
        for (int i = 0; well && i < of.n; i++)
            t->weight[of.element[i]] = weight[i];
        *found += result.n;
    }
    arena_free(&scratch);
    return weight && well ? LITHE_OK : report_no_memory(r->report, "elements");
}

// The robot in its beam space, with all elements.
static lithe_status open_beam(training *t)
{
    const reducing *r = t->r;
    lithe_def def = *r->def;
    def.reduction.given = t->of;
    LITHE_TRY(lithe_compile(&def, &t->beam, r->report));
    t->b = &t->beam->body[0];
    t->n = t->b->nq;
    if (t->n > COORDINATES)
        return LITHE_FAIL(r->report, LITHE_INVALID,
                          "%d frames with %d shapes each have %d coordinates, and elements can be "
                          "chosen for %d: take fewer",
                          t->of->nframe, t->of->nshape, t->n, COORDINATES);
    return lithe_state_create(t->beam, 1, &t->state, r->report);
}

static lithe_status choose(training *t, arena *scratch, lithe_reduction *out)
{
    reducing *r = t->r;
    LITHE_TRY(open_beam(t));
    t->sample = arena_new(scratch, 2 * (size_t)r->train.n, int);
    if (t->sample)
        choose_samples(t);
    r->doing = "samples in the beam space";
    if (!t->sample || !create(t, scratch) || !find_coordinates(t) || !train(t))
        return LITHE_FAIL(r->report, LITHE_NO_MEMORY,
                          "there is no memory for the forces of %d elements in %d samples, or a "
                          "sample is singular",
                          t->b->nelement, t->nsample);
    find_frames(t);
    r->doing = "elements";
    int found = 0;
    for (int f = 0; f < t->b->beam->nfree; f++) {
        if (!reduce_told(r, f, t->b->beam->nfree))
            return LITHE_FAIL(r->report, LITHE_NOT_CONVERGED,
                              "the choice of elements was told to end");
        LITHE_TRY(choose_group(t, f, &found));
    }
    return reduce_keep_elements(r, t->weight, found, out);
}

lithe_status reduce_beam_elements(reducing *r, lithe_reduction *out)
{
    arena scratch = {0};
    training t = {.r = r, .of = out, .whole = &r->whole->body[0]};
    lithe_status status = choose(&t, &scratch, out);
    lithe_state_free(t.state);
    lithe_model_free(t.beam);
    arena_free(&scratch);
    return status;
}
