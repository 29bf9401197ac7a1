// How far a reduced robot is from the whole one, on samples that it was not made of.
#include "base/status.h"
#include "base/vec.h"
#include "step/state.h"
#include "study/reducing.h"

#include <math.h>

typedef struct checking {
    reducing *r;
    const reduce_samples *some; // that are compared
    lithe_model *model;
    reduce_states states;
} checking;

// Of effectors that are positions; where there is none, of all nodes.
static double distance(const checking *c, const lithe_state *s, const double *found)
{
    const lithe_model *m = c->r->whole;
    double worst = -1;
    for (int e = 0; e < m->neffector; e++) {
        const model_group *group = &m->effector[e].group;
        double sum = 0;
        for (int i = group->adr; i < group->adr + group->n; i++)
            sum += pow(s->now.delta[i] - reduce_rows(c->r, found)[i], 2);
        if (m->row[group->adr].kind == ROW_MEAN)
            worst = fmax(worst, sqrt(sum));
    }
    const double *x = worst < 0 ? lithe_position(s) : NULL;
    for (int i = 0; x && i < m->nnode; i++)
        worst = fmax(worst, vec_distance(&x[3 * i], &reduce_x(found)[3 * i]));
    return worst;
}

static void compare_some(void *context, int first, int last)
{
    checking *c = context;
    const reduce_samples *some = c->some;
    lithe_state *s = reduce_take_state(&c->states);
    for (int i = first; i < last; i++) {
        const double *found = reduce_found(c->r, some, i);
        bool well = reduce_converged(found) && reduce_solve(c->r, c->model, s, some->number[i]);
        some->error[i] = !reduce_converged(found) ? 0 : well ? distance(c, s, found) : INFINITY;
    }
    reduce_give_state(&c->states, s);
}

static void compare(checking *c, const reduce_samples *some)
{
    c->some = some;
    pool_for(c->r->threads, some->n, 1, compare_some, c);
}

// What the reduced robot itself says; where it cannot, the whole one is asked whether there is
// anything to be missed.
static double probe(const checking *c, lithe_state *s, int number)
{
    double error = INFINITY;
    if (reduce_solve(c->r, c->model, s, number))
        lithe_estimate_reduction(c->model, s, &error);
    if (isfinite(error))
        return error;
    lithe_state *whole = reduce_take_state(&c->r->states);
    bool exists = reduce_solve(c->r, c->r->truth, whole, number);
    reduce_give_state(&c->r->states, whole);
    return exists ? INFINITY : 0;
}

static void probe_some(void *context, int first, int last)
{
    checking *c = context;
    lithe_state *s = reduce_take_state(&c->states);
    for (int i = first; i < last; i++)
        c->r->probe.error[i] = probe(c, s, c->r->probe.number[i]);
    reduce_give_state(&c->states, s);
}

double reduce_worst(const reduce_samples *some)
{
    double worst = 0;
    for (int i = 0; i < some->n; i++)
        worst = fmax(worst, some->error[i]);
    return worst;
}

lithe_status reduce_check(reducing *r, const lithe_reduction *made)
{
    checking c = {.r = r};
    lithe_def def = *r->def;
    def.reduction.given = made;
    LITHE_TRY(lithe_compile(&def, &c.model, r->report));
    lithe_status status =
        reduce_states_create(c.model, pool_size(r->threads), &c.states, r->report);
    if (status == LITHE_OK) {
        compare(&c, &r->check);
        compare(&c, &r->train); // corners are among them
        // with contacts an estimate costs what a sample does; of a choice alone there is none
        r->probed = !c.model->contact.on && r->truth == r->whole &&
                    reduce_worst(&r->check) <= r->how.tolerance;
    }
    if (status == LITHE_OK && r->probed)
        pool_for(r->threads, r->probe.n, 1, probe_some, &c);
    reduce_states_free(&c.states);
    lithe_model_free(c.model);
    return status;
}
