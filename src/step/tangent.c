#include "step/tangent.h"

#include "base/status.h"
#include "base/worst.h"
#include "step/need.h"
#include "step/reuse.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

static lithe_status body_create(const lithe_model *m, int k, int threads, arena *memory,
                                step_tangent *t)
{
    const body *b = &m->body[k];
    t->room[k] = arena_new(memory, b->nelement, double);
    if (!t->room[k])
        return LITHE_NO_MEMORY;
    LITHE_TRY(body_work_create(b, need_stiffness(m, b), threads, memory, &t->work[k]));
    space_size size = need_of_tangent(m, threads);
    t->of[k].threads = t->threads;
    return b->space->create(b, &size, memory, &t->of[k]);
}

lithe_status tangent_create(const lithe_model *m, int threads, arena *memory, step_tangent *t)
{
    t->work = arena_new(memory, m->nbody, body_work);
    t->stiffness = arena_new(memory, m->nbody, double *);
    t->room = arena_new(memory, m->nbody, double *);
    t->modulus = arena_new(memory, m->nmaterial, double);
    t->of = arena_new(memory, m->nbody, space_tangent);
    t->ahead = arena_new(memory, 3 * (size_t)m->nnode, double);
    t->fresh = arena_new(memory, m->nbody, bool);
    t->met = arena_new(memory, m->nbody, bool);
    t->alone = arena_new(memory, m->nbody, space_report);
    if (!t->work || !t->stiffness || !t->room || !t->modulus || !t->of || !t->ahead || !t->fresh ||
        !t->met || !t->alone)
        return LITHE_NO_MEMORY;
    for (int k = 0; k < m->nbody; k++)
        t->fresh[k] = true;
    for (int k = 0; k < m->nbody; k++)
        LITHE_TRY(body_create(m, k, threads, memory, t));
    tangent_forget_moduli(m, t);
    return LITHE_OK;
}

lithe_status tangent_create_nodal(const lithe_model *m, arena *memory, step_tangent *t)
{
    t->K = arena_new(memory, m->nbody, double *);
    for (int k = 0; t->K && k < m->nbody; k++) {
        LITHE_TRY(m->body[k].space->create_nodal(&m->body[k], memory, &t->of[k]));
        t->K[k] = t->of[k].K;
    }
    return t->K ? LITHE_OK : LITHE_NO_MEMORY;
}

void tangent_forget_moduli(const lithe_model *m, step_tangent *t)
{
    for (int i = 0; i < m->nmaterial; i++)
        t->modulus[i] = 1;
    for (int k = 0; k < m->nbody; k++) {
        for (int e = 0; e < m->body[k].nelement; e++)
            t->room[k][e] = 1;
        t->stiffness[k] = m->tuned[k] ? t->room[k] : NULL;
    }
    t->is_ahead = false;
}

// Elements that follow their material, from now on each with a factor of its own.
static void scale_materials(const lithe_model *m, const double *modulus, step_tangent *t)
{
    memcpy(t->modulus, modulus, (size_t)m->nmaterial * sizeof *modulus);
    for (int k = 0; k < m->nbody; k++) {
        const int *material = m->cell_material + m->body[k].element_adr;
        const bool *scaled = m->cell_scaled + m->body[k].element_adr;
        t->stiffness[k] = t->room[k];
        for (int e = 0; e < m->body[k].nelement; e++)
            t->room[k][e] = scaled[e] ? modulus[material[e]] : 1;
    }
    t->is_ahead = false;
}

void tangent_moduli(const lithe_model *m, const double *setting, const double *effort,
                    step_tangent *t)
{
    const double *modulus = setting + m->nload + 3;
    if (memcmp(t->modulus, modulus, (size_t)m->nmaterial * sizeof *modulus) != 0)
        scale_materials(m, modulus, t);
    for (int r = 0; r < m->nact; r++)
        if (row_scales_modulus(&m->row[r])) {
            const body *b = &m->body[row_region_body(&m->row[r])];
            row_scale_moduli(&m->row[r], effort[r], m->cell_material + b->element_adr, modulus,
                             t->stiffness);
        }
}

void tangent_elements(const lithe_model *m, step_point *p, const body_loading *loads,
                      step_tangent *t)
{
    bool clamped = t->found.clamped;
    tangent_moduli(m, loads->factor, p->effort, t);
    bool done = t->is_ahead && !clamped &&
                memcmp(t->ahead, p->x, 3 * (size_t)m->nnode * sizeof *t->ahead) == 0;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        if (!t->fresh[k])
            continue;
        if (!done)
            body_elastic(b, &t->work[k], p->x + at, t->stiffness[k],
                         clamped ? ELEMENT_POSITIVE : ELEMENT_EXACT, t->threads, p->internal + at,
                         t->K[k]);
        memset(p->external + at, 0, 3 * (size_t)b->nnode * sizeof(double));
        body_loads(b, loads, p->x + at, p->external + at, clamped ? NULL : t->K[k]);
    }
    t->is_ahead = false;
}

// Is one of its nodes in a body whose factor is made?
static bool is_asked(const lithe_model *m, const row *r, const bool *fresh)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0; i < r->nnode && fresh[k]; i++)
            if (r->node[i] >= b->node_adr && r->node[i] < b->node_adr + b->nnode)
                return true;
    }
    return false;
}

void tangent_efforts(const lithe_model *m, const step_point *p, step_tangent *t)
{
    for (int r = 0; r < m->nact; r++)
        if (is_asked(m, &m->row[r], t->fresh))
            row_stiffness(&m->row[r], p->x, p->effort[r], t->found.clamped, t->K);
}

void tangent_exact(const lithe_model *m, step_point *p, const body_loading *loads, step_tangent *t)
{
    for (int k = 0; k < m->nbody; k++)
        t->fresh[k] = true;
    t->found.clamped = false;
    t->is_ahead = false;
    tangent_elements(m, p, loads, t);
    tangent_efforts(m, p, t);
}

void tangent_pull_back(const lithe_model *m, const step_point *p, double *scratch, step_tangent *t)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        bool curved = b->nJ > 0 && !t->found.clamped;
        if (!t->fresh[k])
            continue;
        if (curved)
            point_out_of_balance(b, p, scratch);
        b->space->assemble(b, p->q + b->q_adr, body_jacobian(b, p->J), curved ? scratch : NULL,
                           &t->of[k]);
    }
}

tangent_report tangent_factor(const lithe_model *m, step_tangent *t, double *const *y)
{
    tangent_report sum = {.body = -1, .node = -1};
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        space_report *report = &t->alone[k];
        if (t->fresh[k])
            *report = b->space->factor(b, &t->of[k], t->threads, y ? y[k] : NULL);
        sum.negative += report->negative;
        sum.singular = sum.singular || report->singular;
        if (report->negative || report->singular) {
            sum.body = k;
            sum.node = report->node;
        }
    }
    return sum;
}

static tangent_use use_of(const tangent_report *sum, bool clamped, int taut)
{
    if (sum->singular)
        return TANGENT_SINGULAR;
    if (sum->negative == 0)
        return TANGENT_GOOD;
    return !clamped && sum->negative <= taut ? TANGENT_SADDLE : TANGENT_INDEFINITE;
}

static lithe_status say_singular(const lithe_model *m, const tangent_report *sum,
                                 lithe_report *report)
{
    if (sum->body < 0)
        return LITHE_FAIL(
            report, LITHE_NOT_CONVERGED,
            "the stiffness of bodies in contact with each other is singular, as if they "
            "lay deep in each other");
    const char *name = m->body[sum->body].name;
    if (sum->node < 0)
        return LITHE_FAIL(report, LITHE_NOT_CONVERGED,
                          "the stiffness of body '%s' is singular, as if nothing held it", name);
    return LITHE_FAIL(
        report, LITHE_NOT_CONVERGED,
        "the stiffness is singular at node %d of body '%s', as if nothing held that part",
        sum->node, name);
}

lithe_status tangent_judge(const lithe_model *m, const tangent_report *sum, int taut,
                           step_tangent *t, lithe_report *report)
{
    if (!t->found.clamped && !t->found.flat)
        t->found.negative = sum->negative;
    t->found.use = use_of(sum, t->found.clamped, taut);
    if (t->found.use < TANGENT_INDEFINITE)
        return LITHE_OK;
    if (sum->singular)
        return say_singular(m, sum, report);
    return LITHE_FAIL(report, LITHE_NOT_CONVERGED,
                      "the stiffness has %d negative modes that no command holds", sum->negative);
}

bool reuse_create(const lithe_model *m, arena *memory, step_source *out)
{
    *out = (step_source){.x = arena_new(memory, 3 * (size_t)m->nnode, double),
                         .effort = arena_new(memory, m->nact, double),
                         .setting = arena_new(memory, m->nsetting, double)};
    return out->x && out->effort && out->setting;
}

bool reuse_is_plain(const lithe_model *m)
{
    bool plain = !m->contact.on && !step_is_moving(m) && m->step.mode == LITHE_CONVERGED;
    for (int k = 0; k < m->nbody; k++)
        plain = plain && !m->body[k].prony && !m->body[k].moves; // elements' own stiffness is asked
                                                                 // for there
    return plain;
}

void reuse_begin(lithe_state *s)
{
    s->tangent.source.known = false;
}

void reuse_remember(const lithe_model *m, lithe_state *s)
{
    step_source *source = &s->tangent.source;
    const step_finding *found = &s->tangent.found;
    source->made = source->known =
        reuse_is_plain(m) && found->use == TANGENT_GOOD && !found->clamped;
    if (!source->known)
        return;
    memcpy(source->x, s->now.x, 3 * (size_t)m->nnode * sizeof *source->x);
    memcpy(source->effort, s->now.effort, (size_t)m->nact * sizeof *source->effort);
    memcpy(source->setting, s->setting, (size_t)m->nsetting * sizeof *source->setting);
    source->load = s->aim_load;
    source->time = s->motion.time;
    source->number = s->now.number;
}

double reuse_distance(const lithe_model *m, const lithe_state *s)
{
    const step_source *source = &s->tangent.source;
    if (!source->known)
        return INFINITY;
    return worst_way(3 * (size_t)m->nnode, s->now.x, source->x) / m->size;
}

// Loads that follow the shape are in A.
static bool follows(const lithe_model *m)
{
    bool any = false;
    for (int k = 0; k < m->nbody; k++)
        any = any || m->body[k].npressure + m->body[k].nhang + m->body[k].nliquid > 0;
    return any;
}

bool reuse_is_exact(const lithe_model *m, const lithe_state *s)
{
    const step_source *source = &s->tangent.source;
    return source->made &&
           memcmp(source->x, s->now.x, 3 * (size_t)m->nnode * sizeof *source->x) == 0 &&
           memcmp(source->effort, s->now.effort, (size_t)m->nact * sizeof *source->effort) == 0 &&
           memcmp(source->setting, s->setting, (size_t)m->nsetting * sizeof *source->setting) ==
               0 &&
           (!follows(m) || (source->load == s->aim_load && source->time == s->motion.time));
}

bool reuse_is_evaluated(const lithe_model *m, const lithe_state *s)
{
    const step_source *source = &s->tangent.source;
    return reuse_is_exact(m, s) && source->number > 0 && source->number == s->now.number &&
           source->load == s->aim_load && source->time == s->motion.time;
}
