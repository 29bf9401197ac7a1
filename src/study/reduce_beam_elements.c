// The few elements that stand for all in a beam space. An element's force reaches the frames near
// it alone, so elements are chosen group by group: those whose last frame is the same. Forces are
// compared by what they move, as they are with modes: these frames and the last one on the line,
// in samples and beside them.
#include "base/status.h"
#include "solve/nnls.h"
#include "step/state.h"
#include "study/beam_training.h"

#include <math.h>
#include <string.h>

enum { SAMPLES = 20 };

// Each stands here twice, the second time to be moved aside.
static void choose_samples(beam_training *t)
{
    t->nsample = 2 * reduce_choose(t->r, SAMPLES, t->sample);
    for (int k = t->nsample - 1; k >= 0; k--)
        t->sample[k] = t->sample[k / 2];
}

// Where the frames are in a sample: in equilibrium, or else as near to the sample as they come.
static void find_sample(beam_training *t, int k)
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

static void find_units(beam_training *t)
{
    const beam_map *m = t->b->beam;
    for (int f = 0; f < m->nframe; f++)
        for (int i = 0; i < m->size && m->free[f] >= 0; i++)
            t->unit[m->size * m->free[f] + i] = i >= 3 && i < 6 ? m->reach[f] : 1;
}

static bool find_coordinates(beam_training *t)
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

static void move_aside(beam_training *t, int k)
{
    double way[BEAM_COORDINATES], point[SAMPLES_DIMENSIONS], *q = &t->q[(size_t)k * (size_t)t->n];
    for (int j = 0; j < t->n; j++) {
        if (j % SAMPLES_DIMENSIONS == 0)
            samples_point(t->r->how.seed + (unsigned)j, k, SAMPLES_DIMENSIONS, point);
        way[j] = t->aside[j] * (2 * point[j % SAMPLES_DIMENSIONS] - 1);
    }
    t->b->space->advance(t->b, q, 1, way, q);
}

// A^-1, line by line; it is symmetric.
static bool invert(beam_training *t, double *inverse)
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
static bool linearize(beam_training *t, int k)
{
    const body *b = t->b;
    lithe_state *s = t->state;
    const double *found = reduce_found(t->r, &t->r->train, t->sample[k]);
    memcpy(s->now.x, &t->x[(size_t)k * 3 * (size_t)b->nnode],
           3 * (size_t)b->nnode * sizeof *s->now.x);
    memcpy(s->now.effort, reduce_effort(t->r, found),
           (size_t)t->beam->nact * sizeof *s->now.effort);
    s->aim_load = 1;
    body_loading loads = state_loading(s);
    tangent_exact(t->beam, &s->now, &loads, &s->tangent);
    b->space->assemble(b, &t->q[(size_t)k * (size_t)t->n], &t->J[(size_t)k * b->nJ], NULL,
                       &s->tangent.of[0]);
    for (int i = k; t->factor && s->tangent.stiffness[0] && i < k + 2; i++)
        memcpy(&t->factor[(size_t)i * (size_t)b->nelement], s->tangent.stiffness[0],
               (size_t)b->nelement * sizeof *t->factor);
    return invert(t, &t->inverse[(size_t)k * (size_t)t->n * (size_t)t->n]);
}

static void evaluate(beam_training *t, int k)
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

static bool train(beam_training *t)
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

static bool create(beam_training *t, arena *scratch)
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
static void find_frames(beam_training *t)
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

static float moved_by(const beam_training *t, const double *inverse, int line, int from, int to,
                      const double *force, double scale, double *rhs)
{
    double sum = 0;
    for (int j = from; j < to; j++)
        sum += inverse[(size_t)line * (size_t)t->n + (size_t)j] * force[j];
    sum *= scale * t->unit[line];
    *rhs += sum;
    return (float)sum;
}

void beam_group_fill(const beam_training *t, beam_group *group, int column, int sample, int first,
                     int last, const double *force, double scale)
{
    int size = t->b->beam->size, from = size * first, to = size * (last + 1), at = 0;
    const double *inverse = &t->inverse[(size_t)sample * (size_t)t->n * (size_t)t->n];
    size_t line = (size_t)sample * (size_t)group->nline;
    float *out = &group->G[(size_t)column * (size_t)t->nsample * (size_t)group->nline + line];
    for (int i = size * group->first; i < size * (group->last + 1); i++, at++)
        out[at] = moved_by(t, inverse, i, from, to, force, scale, &group->rhs[line + (size_t)at]);
    for (int i = t->n - size; i < t->n - size + 3; i++, at++)
        out[at] = moved_by(t, inverse, i, from, to, force, scale, &group->rhs[line + (size_t)at]);
}

bool beam_group_create(const beam_training *t, arena *scratch, beam_group *group)
{
    group->nline = t->b->beam->size * (group->last - group->first + 1) + 3;
    size_t lines = (size_t)t->nsample * (size_t)group->nline;
    group->G = arena_new(scratch, (size_t)group->n * lines, float);
    group->rhs = arena_new(scratch, lines, double);
    return group->G && group->rhs;
}

lithe_status beam_group_choose(const beam_training *t, const beam_group *group, double tolerance,
                               int least, double *weight, int *found)
{
    int lines = t->nsample * group->nline;
    nnls_result result = {0};
    nnls_problem p = {.nline = lines,
                      .ncolumn = group->n,
                      .G = group->G,
                      .b = group->rhs,
                      .group = group->nline,
                      .tolerance = tolerance,
                      .least = least,
                      .most = group->n < lines ? group->n : lines,
                      .threads = t->r->threads};
    LITHE_TRY(nnls_solve(&p, weight, &result));
    *found = result.n;
    return LITHE_OK;
}

// What an element's force moves in sample k.
static void element_column(const beam_training *t, beam_group *group, int column, int k,
                           const element_family *f, int e)
{
    int element = f->element_adr + e, nnode = f->kind->nnode;
    const double *force =
        &t->force[3 * ((size_t)k * t->b->nforce + (size_t)(f->force_adr + e * nnode))];
    double g[BEAM_COORDINATES] = {0}, scale = beam_counts(k);
    for (int a = 0; a < nnode; a++)
        t->b->space->scatter(t->b, &t->J[(size_t)k * t->b->nJ], f->node[nnode * e + a],
                             &force[3 * a], 1, g);
    if (t->factor)
        scale *= t->factor[(size_t)k * (size_t)t->b->nelement + (size_t)element];
    beam_group_fill(t, group, column, k, t->first[element], t->last[element], g, scale);
}

static bool open_group(const beam_training *t, int last, arena *scratch, beam_group *out)
{
    *out = (beam_group){.first = last, .last = last};
    for (int e = 0; e < t->b->nelement; e++)
        if (t->last[e] == last) {
            out->n++;
            out->first = t->first[e] < out->first ? t->first[e] : out->first;
        }
    out->member = arena_new(scratch, out->n, int);
    if (!out->member || !beam_group_create(t, scratch, out))
        return false;
    for (int i = 0, column = 0; i < t->b->nfamily; i++)
        for (int e = 0; e < t->b->family[i].n; e++) {
            int element = t->b->family[i].element_adr + e;
            if (t->last[element] != last)
                continue;
            out->member[column] = element;
            for (int k = 0; k < t->nsample; k++)
                element_column(t, out, column, k, &t->b->family[i], e);
            column++;
        }
    return true;
}

static lithe_status choose_group(beam_training *t, int last, int *found)
{
    enum { PER_COORDINATE = 2 };
    const reducing *r = t->r;
    arena scratch = {0};
    beam_group of;
    int n = 0;
    bool well = open_group(t, last, &scratch, &of);
    double *weight = well ? arena_new(&scratch, of.n, double) : NULL;
    // what groups leave adds up
    double tolerance = 0.5 * r->element_share * r->how.tolerance / sqrt(t->b->beam->nfree);
    if (weight && of.n > 0)
        well = beam_group_choose(t, &of, tolerance, PER_COORDINATE * t->b->beam->size, weight,
                                 &n) == LITHE_OK;
    for (int i = 0; weight && well && i < of.n; i++)
        t->weight[of.member[i]] = weight[i];
    *found += n;
    arena_free(&scratch);
    return weight && well ? LITHE_OK : report_no_memory(r->report, "elements");
}

// The robot in its beam space, with all elements.
static lithe_status open_beam(beam_training *t)
{
    const reducing *r = t->r;
    lithe_def def = *r->def;
    def.reduction.given = t->of;
    LITHE_TRY(lithe_compile(&def, &t->beam, r->report));
    t->b = &t->beam->body[0];
    t->n = t->b->nq;
    if (t->n > BEAM_COORDINATES)
        return LITHE_FAIL(r->report, LITHE_INVALID,
                          "%d frames with %d shapes each have %d coordinates, and elements can be "
                          "chosen for %d: take fewer",
                          t->of->nframe, t->of->nshape, t->n, BEAM_COORDINATES);
    return lithe_state_create(t->beam, 1, &t->state, r->report);
}

static lithe_status choose(beam_training *t, arena *scratch, lithe_reduction *out)
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
    LITHE_TRY(reduce_keep_elements(r, t->weight, found, out));
    return reduce_cells(t, out);
}

lithe_status reduce_beam_elements(reducing *r, lithe_reduction *out)
{
    arena scratch = {0};
    beam_training t = {.r = r, .of = out};
    lithe_status status = choose(&t, &scratch, out);
    lithe_state_free(t.state);
    lithe_model_free(t.beam);
    arena_free(&scratch);
    return status;
}
