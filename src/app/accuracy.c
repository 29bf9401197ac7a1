#include "app/accuracy.h"

#include "base/worst.h"

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
    a->ncounted += counted;
    for (int i = 0; i < lithe_ngoal(a->model); i++) {
        accuracy_goal *g = &a->goal[i];
        g->now = lithe_goal_error(a->model, s, i, a->target);
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
    lithe_goal goal;
    for (int i = 0; a && lithe_goal_get(a->model, i, &goal) == LITHE_OK; i++)
        if (goal.effector == effector)
            return i;
    return -1;
}

int accuracy_goal_of_sensor(const accuracy *a, int sensor)
{
    lithe_goal goal;
    for (int i = 0; a && lithe_goal_get(a->model, i, &goal) == LITHE_OK; i++)
        if (goal.sensor == sensor)
            return i;
    return -1;
}

int accuracy_worst(const accuracy *a, double *share)
{
    lithe_goal g;
    int worst = -1, first = lithe_first_priority(a->model);
    *share = 0;
    for (int i = 0; lithe_goal_get(a->model, i, &g) == LITHE_OK; i++) {
        double missed = a->goal[i].now / g.tolerance;
        if ((g.kept || g.priority == first) && missed > *share) {
            *share = missed;
            worst = i;
        }
    }
    return worst;
}
