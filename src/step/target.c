#include "step/target.h"

#include "step/inverse.h"

#include <string.h>

bool task_create(const lithe_model *m, arena *memory, step_task *t)
{
    size_t n = (size_t)m->nact, rows = (size_t)m->nrow, limits = n + rows;
    secant_hessian *b = &t->secant;
    struct {
        double **array;
        size_t n;
    } scratch[] = {
        {&b->B, n * n},      {&b->V, n * n},     {&b->value, n},    {&b->step, n},
        {&b->y, n},          {&b->miss, n},      {&t->next, rows},  {&t->lower, n},
        {&t->upper, n},      {&t->shortest, n},  {&t->farthest, n}, {&t->J, rows * n},
        {&t->e, rows},       {&t->weight, rows}, {&t->lo, n},       {&t->hi, n},
        {&t->A, limits * n}, {&t->blo, limits},  {&t->bhi, limits}, {&t->shift, rows},
        {&t->delta, n},      {&t->last, n},      {&t->home, n},     {&t->home_q, (size_t)m->nq},
    };
    for (size_t k = 0; k < sizeof scratch / sizeof *scratch; k++)
        if (!(*scratch[k].array = arena_new(memory, scratch[k].n, double)))
            return false;
    t->row_of = arena_new(memory, limits + rows, int);
    t->level = arena_new(memory, STEP_LEVELS + 1, hierarchy_level);
    t->work = hierarchy_create(memory, m->nact, (int)limits, STEP_LEVELS, m->nrow);
    return t->row_of && t->level && t->work;
}

static lithe_status set_target(const lithe_model *m, lithe_state *s, const model_group *group,
                               const double *target, bool kept)
{
    for (int i = 0; i < group->n; i++)
        if (target[i] - target[i] != 0)
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "the target of '%s' is not a finite number", group->name);
    if (kept && m->step.method == LITHE_SEIDEL)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "method seidel cannot keep '%s' at a value; use hierarchy", group->name);
    for (int i = 0; i < group->n; i++) {
        if (s->task.target[group->adr + i] != target[i])
            s->task.secant.started = false; // what was learnt of the way to another target
        s->task.wanted[group->adr + i] = true;
        s->task.kept[group->adr + i] = kept;
        s->task.target[group->adr + i] = target[i];
    }
    s->task.inverse = true;
    return LITHE_OK;
}

lithe_status lithe_target_effector(const lithe_model *m, lithe_state *s, int effector,
                                   const double *target, bool kept)
{
    if (effector < 0 || effector >= m->neffector)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no effector %d; there are %d",
                          effector, m->neffector);
    return set_target(m, s, &m->effector[effector].group, target, kept);
}

lithe_status lithe_target_sensor(const lithe_model *m, lithe_state *s, int sensor,
                                 const double *target, bool kept)
{
    if (sensor < 0 || sensor >= m->nsensor || m->sensor[sensor].group.n == 0)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no sensor %d that can have a target",
                          sensor);
    return set_target(m, s, &m->sensor[sensor].group, target, kept);
}

static bool is_asked(const model_group *group, const double *target)
{
    bool asked = false;
    for (int i = 0; i < group->n; i++)
        asked = asked || !isnan(target[group->adr + i]);
    return asked;
}

static lithe_status target_group(const lithe_model *m, lithe_state *s, const model_group *group,
                                 const double *target, const bool *kept)
{
    if (!is_asked(group, target)) {
        memset(&s->task.wanted[group->adr], 0, (size_t)group->n * sizeof *s->task.wanted);
        memset(&s->task.kept[group->adr], 0, (size_t)group->n * sizeof *s->task.kept);
        return LITHE_OK;
    }
    return set_target(m, s, group, &target[group->adr], kept && kept[group->adr]);
}

lithe_status lithe_target_all(const lithe_model *m, lithe_state *s, const double *target,
                              const bool *kept)
{
    bool any = false;
    for (int e = 0; e < m->neffector; e++) {
        LITHE_TRY(target_group(m, s, &m->effector[e].group, target, kept));
        any = any || is_asked(&m->effector[e].group, target);
    }
    for (int k = 0; k < m->nsensor; k++) {
        LITHE_TRY(target_group(m, s, &m->sensor[k].group, target, kept));
        any = any || is_asked(&m->sensor[k].group, target);
    }
    if (!any)
        lithe_forget_targets(m, s);
    return LITHE_OK;
}

void lithe_targets(const lithe_model *m, const lithe_state *s, double *target)
{
    for (int r = 0; r < m->nrow; r++)
        target[r] = s->task.inverse && s->task.wanted[r] ? s->task.target[r] : NAN;
}

void lithe_forget_targets(const lithe_model *m, lithe_state *s)
{
    memset(s->task.wanted, 0, (size_t)m->nrow * sizeof *s->task.wanted);
    memset(s->task.kept, 0, (size_t)m->nrow * sizeof *s->task.kept);
    s->task.inverse = false;
    s->task.secant.started = false;
    hierarchy_forget(s->task.work);
}
