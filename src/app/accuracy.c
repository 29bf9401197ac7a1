#include "app/accuracy.h"

#include "base/worst.h"
#include "control/task.h"

#include <math.h>

bool accuracy_create(accuracy *a, const lithe_model *m, arena *memory)
{
    a->model = m;
    a->target = arena_new(memory, lithe_nrow(m), double);
    a->goal = arena_new(memory, lithe_ngoal(m), accuracy_goal);
    for (int r = 0; a->target && r < lithe_nrow(m); r++)
        a->target[r] = NAN;
    for (int i = 0; a->goal && i < lithe_ngoal(m); i++)
        a->goal[i].now = NAN;
    return a->target && a->goal;
}

void accuracy_add(accuracy *a, const lithe_state *s, bool counted)
{
    const control_task *task = control_of(a->model);
    a->ncounted += counted;
    for (int i = 0; i < task->ngoal; i++) {
        accuracy_goal *g = &a->goal[i];
        g->now = control_error(s, &task->goal[i], a->target);
        if (!counted)
            continue;
        g->square += g->now * g->now;
        g->largest = worst_of(g->largest, g->now);
    }
}

double accuracy_rms(const accuracy *a, int goal)
{
    return a->ncounted > 0 ? sqrt(a->goal[goal].square / a->ncounted) : NAN;
}

int accuracy_goal_of_effector(const accuracy *a, int effector)
{
    for (int i = 0; a && i < lithe_ngoal(a->model); i++)
        if (control_of(a->model)->goal[i].effector == effector)
            return i;
    return -1;
}

int accuracy_goal_of_sensor(const accuracy *a, int sensor)
{
    for (int i = 0; a && i < lithe_ngoal(a->model); i++)
        if (control_of(a->model)->goal[i].sensor == sensor)
            return i;
    return -1;
}

int accuracy_worst(const accuracy *a, double *share)
{
    const control_task *task = control_of(a->model);
    int worst = -1, first = lithe_first_priority(a->model);
    *share = 0;
    for (int i = 0; i < task->ngoal; i++) {
        const control_goal *g = &task->goal[i];
        double missed = a->goal[i].now / control_tolerance(a->model, g);
        if ((g->kept || g->priority == first) && missed > *share) {
            *share = missed;
            worst = i;
        }
    }
    return worst;
}
