#include "probe.h"

#include "specimen.h"
#include "step/phases.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double uniform(void)
{
    return specimen_uniform();
}

// One coordinate of s->now moved into s->trial, which is evaluated there.
static void look_aside(const lithe_model *m, lithe_state *s, size_t i, double h, double *way)
{
    memset(way, 0, 3 * (size_t)m->nnode * sizeof *way);
    way[i] = 1;
    step_move(m, &s->now, h, way, &s->trial);
    memcpy(s->trial.effort, s->now.effort, (size_t)m->nact * sizeof *s->trial.effort);
    point_evaluate(m, s, &s->trial);
}

static double out_of_balance(const step_point *p, size_t i)
{
    return p->internal[i] - p->external[i] - p->pull[i];
}

static double entry(const lithe_model *m, const lithe_state *s, size_t i, size_t j)
{
    const body *b = &m->body[0];
    int p = b->block[i / 3], q = b->block[j / 3];
    if (p < 0 || q < 0)
        return 0;
    int at = p >= q ? sparse_find(&b->pattern, p, q) : sparse_find(&b->pattern, q, p);
    if (at < 0)
        return 0;
    const double *K = &s->tangent.K[0][9 * (size_t)at];
    bool lower = p > q || (p == q && i % 3 >= j % 3); // the half that the factor reads
    return lower ? K[3 * (i % 3) + j % 3] : K[3 * (j % 3) + i % 3];
}

static bool is_held(const lithe_model *m, size_t i)
{
    return m->body[0].held[i / 3] & (1 << i % 3);
}

static double gradient_entry(const lithe_model *m, const lithe_state *s, int r, size_t i)
{
    const row *w = &m->row[r];
    for (int k = 0; k < w->nnode; k++)
        if (w->node[k] == (int)(i / 3))
            return s->now.H[3 * ((size_t)m->row_adr[r] + (size_t)k) + i % 3];
    return 0;
}

typedef struct contrast {
    double worst, largest;
} contrast;

static void compare(contrast *c, double stated, double found)
{
    c->worst = fmax(c->worst, fabs(stated - found));
    c->largest = fmax(c->largest, fabs(found));
}

static double ratio(const contrast *c)
{
    return c->largest > 0 ? c->worst / c->largest : 0;
}

static void differences(const lithe_model *m, lithe_state *s, double *slope, double *way,
                        double *delta, probe *out)
{
    const double h = 1e-6;
    size_t n = 3 * (size_t)m->nnode;
    contrast force = {0}, stiffness = {0}, gradient = {0};
    for (size_t j = 0; j < n; j++) {
        look_aside(m, s, j, h, way);
        double energy = s->trial.energy;
        memcpy(delta, s->trial.delta, (size_t)m->nrow * sizeof *delta);
        for (size_t i = 0; i < n; i++)
            slope[n * i + j] = out_of_balance(&s->trial, i);
        look_aside(m, s, j, -h, way);
        for (size_t i = 0; i < n; i++)
            slope[n * i + j] = (slope[n * i + j] - out_of_balance(&s->trial, i)) / (2 * h);
        compare(&force, s->now.internal[j], (energy - s->trial.energy) / (2 * h));
        for (int r = 0; r < m->nrow; r++)
            if (!row_is_parameter(&m->row[r]))
                compare(&gradient, gradient_entry(m, s, r, j),
                        (delta[r] - s->trial.delta[r]) / (2 * h));
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            if (!is_held(m, i) && !is_held(m, j))
                compare(&stiffness, entry(m, s, i, j), 0.5 * (slope[n * i + j] + slope[n * j + i]));
    *out = (probe){ratio(&force), ratio(&stiffness), ratio(&gradient)};
}

bool probe_model(const lithe_model *m, double shake, double effort, probe *out)
{
    lithe_state *s = NULL;
    size_t n = 3 * (size_t)m->nnode;
    if (lithe_state_create(m, 1, &s, NULL) != LITHE_OK)
        return false;
    double *way = malloc(n * sizeof *way), *slope = malloc(n * n * sizeof *slope),
           *delta = malloc(((size_t)m->nrow + 1) * sizeof *delta);
    for (size_t i = 0; i < n; i++)
        way[i] = uniform() * (i / 3 < (size_t)body_nposition(&m->body[0]) ? 1 : 10);
    step_move(m, &s->now, shake, way, &s->now);
    for (int r = 0; r < m->nact; r++)
        if (!row_is_parameter(&m->row[r]))
            s->now.effort[r] = effort;
    s->aim_load = 1;
    point_evaluate(m, s, &s->now);
    bool good = step_phases(m, s, STEP_FORWARD, PHASE_ASSEMBLE, PHASE_ASSEMBLE) == LITHE_OK;
    if (good)
        differences(m, s, slope, way, delta, out);
    free(way);
    free(slope);
    free(delta);
    lithe_state_free(s);
    return good;
}
