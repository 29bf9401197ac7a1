#include "solve/box.h"

#include "base/memory.h"
#include "body/body_near.h"
#include "body/panel.h"
#include "step/async.h"
#include "step/configuration.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/model.h"
#include "step/need.h"
#include "step/reuse.h"

#include <math.h>
#include <string.h>

// Of s->now the configuration's part is there already.
static bool point_create(const lithe_model *m, arena *memory, step_point *p)
{
    size_t n = 3 * (size_t)m->nnode, rows = (size_t)m->nrow;
    p->q = p->q ? p->q : arena_new(memory, m->nq, double);
    p->x = arena_new(memory, n, double);
    p->J = arena_new(memory, m->nJ, double);
    p->effort = p->effort ? p->effort : arena_new(memory, (size_t)m->nact, double);
    p->internal = arena_new(memory, n, double);
    p->external = arena_new(memory, n, double);
    p->pull = arena_new(memory, n, double);
    p->inertial = arena_new(memory, n, double);
    p->delta = arena_new(memory, rows, double);
    p->H = arena_new(memory, 3 * (size_t)m->row_adr[m->nrow], double);
    return contact_rows_create(m, memory, &p->contact) && p->q && p->x && p->J && p->effort &&
           p->internal && p->external && p->pull && p->inertial && p->delta && p->H;
}

// A point of which only the outline is kept.
static bool sketch_create(const lithe_model *m, arena *memory, step_point *p)
{
    p->q = arena_new(memory, m->nq, double);
    p->x = arena_new(memory, 3 * (size_t)m->nnode, double);
    p->effort = arena_new(memory, (size_t)m->nact, double);
    p->delta = arena_new(memory, (size_t)m->nrow, double);
    return p->q && p->x && p->effort && p->delta;
}

static bool rows_create(const lithe_model *m, lithe_state *s)
{
    size_t n = (size_t)m->nact, rows = (size_t)m->nrow;
    s->start = arena_new(&s->memory, n, double);
    s->setting_start = arena_new(&s->memory, m->nsetting, double);
    s->setting_saved = arena_new(&s->memory, m->nsetting, double);
    s->aim = arena_new(&s->memory, n, double);
    s->told = arena_new(&s->memory, n, double);
    s->axes.start = arena_new(&s->memory, n, double);
    s->axes.give = arena_new(&s->memory, n, double);
    s->pass.delta_free = arena_new(&s->memory, rows, double);
    s->pass.target = arena_new(&s->memory, n, double);
    s->pass.W = arena_new(&s->memory, rows * n, double);
    s->pass.W_kept = arena_new(&s->memory, rows * n, double);
    s->pass.kept = arena_new(&s->memory, m->nbody, bool);
    s->W_before = arena_new(&s->memory, n * n, double);
    s->square = arena_new(&s->memory, n * n, double);
    s->bounds = arena_new(&s->memory, 6 * n + 2 * n * n, double);
    s->box = box_create(&s->memory, m->nact);
    return s->setting_start && s->setting_saved && s->axes.start && s->axes.give && s->start &&
           s->aim && s->told && s->pass.delta_free && s->pass.target && s->pass.W &&
           s->pass.W_kept && s->pass.kept && s->W_before && s->square && s->bounds && s->box &&
           elimination_create(&s->memory, m->nact, m->njoined, &s->pass.joints);
}

// The force that a parameter brings may be anywhere.
static void mark_row(const body *b, const row *r, bool *mark)
{
    for (int i = 0; i < b->nnode && row_is_parameter(r); i++)
        b->space->mark(b, i, mark);
    for (int i = 0; i < r->nnode; i++) {
        int node = r->node[i] - b->node_adr;
        if (node >= 0 && node < b->nnode)
            b->space->mark(b, node, mark);
    }
}

static lithe_status rows_of_body(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    int split = m->nown < m->nact ? m->nown : m->nrow; // what joints hold by itself
    bool *mark[2] = {arena_new(&s->memory, panel_nmark(b), bool),
                     arena_new(&s->memory, panel_nmark(b), bool)};
    s->pass.rhs[k] = arena_new(&s->memory, b->nline, double);
    if (!mark[0] || !mark[1] || !s->pass.rhs[k])
        return LITHE_NO_MEMORY;
    for (int r = 0; r < m->nrow; r++)
        mark_row(b, &m->row[r], mark[r >= split]);
    return row_panels_create(b, split, m->nrow, mark, &s->memory, &s->pass.rows[k]);
}

static lithe_status panels_create(const lithe_model *m, lithe_state *s)
{
    s->pass.rhs = arena_new(&s->memory, m->nbody, double *);
    s->pass.rows = arena_new(&s->memory, m->nbody, row_panels);
    for (int k = 0; s->pass.rhs && s->pass.rows && k < m->nbody; k++)
        LITHE_TRY(rows_of_body(m, s, k));
    return s->pass.rhs && s->pass.rows ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status arrays_create(const lithe_model *m, lithe_state *s, int threads)
{
    size_t n = 3 * (size_t)m->nnode;
    s->model = m;
    s->nodal = arena_new(&s->memory, 2 * n, double);
    s->support = arena_new(&s->memory, n, double);
    s->support_q = arena_new(&s->memory, m->nq, double);
    s->pass.dq = arena_new(&s->memory, m->nq, double);
    s->pass.dx = arena_new(&s->memory, n, double);
    s->pulled = arena_new(&s->memory, m->nq, double);
    s->unbalanced = arena_new(&s->memory, m->nq, double);
    if (!configuration_create(m, s) || !s->nodal || !s->support || !s->support_q || !s->pass.dq ||
        !s->pass.dx || !s->pulled || !s->unbalanced || !sketch_create(m, &s->memory, &s->saved) ||
        !sketch_create(m, &s->memory, &s->proposal) || !point_create(m, &s->memory, &s->now) ||
        !point_create(m, &s->memory, &s->trial) || !rows_create(m, s) ||
        !task_create(m, &s->memory, &s->task) || !motion_create(m, &s->memory, &s->motion) ||
        contact_create(m, &s->memory, &s->contact) != LITHE_OK ||
        !truth_create(m, &s->memory, &s->truth))
        return LITHE_NO_MEMORY;
    bool rotations = m->nposition < m->nnode;
    s->position = arena_new(&s->memory, 3 * (size_t)m->nposition, double);
    s->rotation = rotations ? arena_new(&s->memory, 3 * (size_t)m->nposition, double) : NULL;
    s->measured = arena_new(&s->memory, m->nrow, double);
    if (!s->position || (rotations && !s->rotation) || !s->measured)
        return LITHE_NO_MEMORY;
    LITHE_TRY(panels_create(m, s));
    LITHE_TRY(tangent_create(m, threads, &s->memory, &s->tangent));
    if (!reuse_create(m, &s->memory, &s->tangent.source))
        return LITHE_NO_MEMORY;
    return m->step.mode == LITHE_ASYNCHRONOUS ? async_create(m, s, threads)
                                              : tangent_create_nodal(m, &s->memory, &s->tangent);
}

// What outsiders see of a reduced model.
static lithe_status whole_create(const lithe_model *m, int threads, lithe_state *s,
                                 lithe_report *report)
{
    s->whole = arena_new(&s->memory, 1, state_whole);
    if (!s->whole)
        return report_no_memory(report, "a state");
    pthread_mutex_init(&s->whole->lock, NULL);
    const body *all = m->reduction->all;
    if (all && (!(s->whole->near = arena_new(&s->memory, 1, body_near)) ||
                body_near_create(all, &s->memory, s->whole->near) != LITHE_OK))
        return report_no_memory(report, "a state");
    return lithe_state_create(m->reduction->whole, threads, &s->whole->state, report);
}

static void whole_free(state_whole *whole)
{
    lithe_state_free(whole->state);
    pthread_mutex_destroy(&whole->lock);
}

lithe_status lithe_state_create(const lithe_model *m, int threads, lithe_state **state,
                                lithe_report *report)
{
    enum { MOST_THREADS = 256 };
    *state = NULL;
    if (threads < 1 || threads > MOST_THREADS)
        return LITHE_FAIL(report, LITHE_INVALID, "%d threads asked for; give 1 to %d", threads,
                          MOST_THREADS);
    lithe_state *s = memory_alloc(sizeof *s);
    if (!s)
        return report_no_memory(report, "a state");
    memset(s, 0, sizeof *s);
    int own = m->reduction ? 1 : threads; // so little work is not worth sharing; the whole one's is
    bool shared = own > 1 && m->step.mode != LITHE_ASYNCHRONOUS;
    if (shared && !(s->tangent.threads = pool_create(threads))) {
        lithe_state_free(s);
        return LITHE_FAIL(report, LITHE_NO_MEMORY, "%d threads could not be started; ask for fewer",
                          threads);
    }
    double need = need_of_state(m, own);
    lithe_status status = need_check(need, need + (double)lithe_model_bytes(m), report);
    if (status == LITHE_OK && arrays_create(m, s, own) != LITHE_OK)
        status = report_too_large(report, need + (double)lithe_model_bytes(m));
    if (status == LITHE_OK && m->reduction)
        status = whole_create(m, threads, s, report);
    if (status != LITHE_OK) {
        lithe_state_free(s);
        return status;
    }
    lithe_state_reset(m, s);
    *state = s;
    return LITHE_OK;
}

void lithe_state_reset(const lithe_model *m, lithe_state *s)
{
    if (s->whole && m->reduction) {
        lithe_state_reset(m->reduction->whole, s->whole->state);
        s->whole->count = s->whole->age = 0;
        s->whole->error = NAN;
        s->whole->full = false;
    }
    configuration_clear(m, s);
    step_rest(m, &s->now);
    memset(s->support, 0, 3 * (size_t)m->nnode * sizeof *s->support);
    memset(s->support_q, 0, (size_t)m->nq * sizeof *s->support_q);
    memset(s->pass.dq, 0, (size_t)m->nq * sizeof *s->pass.dq);
    s->aim_load = 0;
    motion_reset(m, s);
    for (int k = 0; k < m->nbody; k++)
        if (m->body[k].prony)
            body_prony_reset(&m->body[k], &s->tangent.work[k]);
    settings_reset(m, s);
    for (int e = 0; e < m->neffector; e++)
        s->weight[e] = m->effector[e].weight;
    s->tolerance = m->step.tolerance;
    tangent_forget_moduli(m, &s->tangent);
    for (int r = 0; r < m->nact; r++) {
        s->limit[r] = m->row[r].limit;
        s->now.effort[r] = row_scales_modulus(&m->row[r]) ? m->row[r].value : 0;
        s->command[r] = m->row[r].command;
        s->value[r] = m->row[r].value;
    }
    lithe_forget_targets(m, s);
    contact_reset(m, s);
    s->report = lithe_report_default();
    s->nhistory = 0;
    if (s->async)
        async_reset(m, s);
    point_evaluate(m, s, &s->now);
    truth_measure(m, s);
    s->last = (lithe_residual){.force = s->now.relative};
    s->time = (lithe_phase_time){0};
    state_publish(s);
}

void lithe_state_free(lithe_state *s)
{
    if (!s)
        return;
    if (s->whole)
        whole_free(s->whole);
    pool_free(s->tangent.threads);
    async_free(s->async);
    contact_rows_free(s->now.contact);
    contact_rows_free(s->trial.contact);
    contact_free(&s->contact);
    arena_free(&s->memory);
    memory_free(s);
}

int need_columns(const lithe_model *m)
{
    int most = m->contact.on && m->nrow < PANEL_WIDTH ? PANEL_WIDTH : m->nrow;
    return most > 1 ? most : 1;
}

bool need_stiffness(const lithe_model *m, const body *b)
{
    return b->moves || b->prony || m->dynamics.scheme != LITHE_STATIC;
}

space_size need_of_tangent(const lithe_model *m, int threads)
{
    return (space_size){need_columns(m), threads, m->step.mode == LITHE_ASYNCHRONOUS};
}

static double body_need(const lithe_model *m, const body *b, int threads)
{
    double rows = b->nline;
    space_size size = need_of_tangent(m, threads);
    double numbers =
        body_work_numbers(b, need_stiffness(m, b), threads, m->dynamics.stiffness_damping > 0) +
        rows * (1 + m->nrow) + b->nelement;
    return (double)sizeof(double) * numbers + b->space->bytes(b, &size);
}

double need_of_state(const lithe_model *m, int threads)
{
    enum { NODAL = 16, MOVING = 6 }; // arrays of three numbers a node
    int moving = m->dynamics.scheme == LITHE_STATIC ? 0 : MOVING;
    double numbers = 3.0 * (NODAL + moving) * m->nnode + 6.0 * m->row_adr[m->nrow];
    double bytes = (double)sizeof *m + (double)sizeof(double) * numbers;
    bool twice = m->step.mode == LITHE_ASYNCHRONOUS; // a factor in use and one that is made
    for (int k = 0; k < m->nbody; k++)
        bytes += (twice ? 2 : 1) * body_need(m, &m->body[k], threads);
    if (twice)
        bytes += 8.0 * (3.0 * m->step.factor_age + 24) * m->nnode;
    return bytes;
}

double need_of_elements(int ntet)
{
    return 400.0 * ntet;
}

// The constant is that of cubes of 14^3 to 32^3 cells, each cut into six.
double need_of_mesh(int nnode, int ntet)
{
    return need_of_elements(ntet) + 1300 * pow(nnode, 4.0 / 3);
}

lithe_status need_check(double sure, double all, lithe_report *report)
{
    return sure > memory_left() ? report_too_large(report, all) : LITHE_OK;
}
