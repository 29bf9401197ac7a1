#include "step/task.h"

#include "step/inverse.h"

#include <string.h>

bool task_create(const lithe_model *m, arena *memory, step_task *t)
{
    size_t n = (size_t)m->nact, rows = (size_t)m->nrow, limits = n + rows;
    t->wanted = arena_new(memory, rows, bool);
    t->kept = arena_new(memory, rows, bool);
    t->row_of = arena_new(memory, limits + rows, int);
    t->level = arena_new(memory, STEP_LEVELS + 1, hierarchy_level);
    curvature *b = &t->bend;
    double **array[] = {&b->S,      &b->B,     &b->V,        &b->J,        &b->g,      &b->effort,
                        &b->value,  &b->step,  &b->y,        &b->miss,     &t->target, &t->next,
                        &t->lower,  &t->upper, &t->shortest, &t->farthest, &t->J,      &t->e,
                        &t->weight, &t->lo,    &t->hi,       &t->A,        &t->blo,    &t->bhi,
                        &t->shift,  &t->delta, &t->price,    &t->last,     &t->home_q, &t->home};
    size_t size[] = {n * n,
                     n * n,
                     n * n,
                     rows * n,
                     n,
                     n,
                     n,
                     n,
                     n,
                     n,
                     rows,
                     rows,
                     n,
                     n,
                     n,
                     n,
                     rows * n,
                     rows,
                     rows,
                     n,
                     n,
                     limits * n,
                     limits,
                     limits,
                     rows,
                     n,
                     2 * n,
                     n,
                     (size_t)m->nq + 1,
                     n};
    for (size_t k = 0; k < sizeof array / sizeof *array; k++)
        if (!(*array[k] = arena_new(memory, size[k], double)))
            return false;
    t->work = hierarchy_create(memory, m->nact, (int)limits, STEP_LEVELS, m->nrow);
    return t->wanted && t->kept && t->row_of && t->level && t->work;
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
            s->task.bend.started = false; // what was learnt of the way to another target
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

void lithe_forget_targets(const lithe_model *m, lithe_state *s)
{
    memset(s->task.wanted, 0, (size_t)m->nrow * sizeof *s->task.wanted);
    memset(s->task.kept, 0, (size_t)m->nrow * sizeof *s->task.kept);
    s->task.inverse = false;
    s->task.bend.started = false;
    hierarchy_forget(s->task.work);
}
