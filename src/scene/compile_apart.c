// Rods and shells that are in themselves at rest. Nothing could tell on which side of each other
// their parts belong; what is only a little deep is taken apart as the first step begins
// (step/contact.c).
#include "base/vec.h"
#include "contact/proximity.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

// Between the points of a pair that are nearest to each other.
static void middle_of(const proximity_positions *at, const proximity_pair *pair,
                      const proximity_measure *m, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < pair->npoint; i++)
        vec_axpy(out, 0.5 * fabs(m->share[i]), &at->x[3 * (size_t)pair->vertex[i]]);
}

static lithe_status judge(const compiler *c, const proximity_positions *at,
                          const proximity_list *list)
{
    const model_contact *t = &c->model->contact;
    double deepest = SCENE_APART * c->model->size, where[3] = {0};
    const char *name = NULL;
    for (int i = 0; i < list->n; i++) {
        const proximity_match *match = &t->world.match[list->pair[i].match];
        proximity_measure m;
        if (!match->self || match->first != match->second || list->pair[i].thickness == 0 ||
            t->law[list->pair[i].match].sides < 0)
            continue;
        proximity_measure_pair(&t->world, at, &list->pair[i], &m);
        if (-m.distance <= deepest)
            continue;
        deepest = -m.distance;
        name = t->sides[t->law[list->pair[i].match].sides].name[0];
        middle_of(at, &list->pair[i], &m, where);
    }
    if (!name)
        return LITHE_OK;
    return compile_fail(c, c->def->contacts.location,
                        "body '%s' is %.3g mm deep in itself at rest, at (%.3g, %.3g, %.3g) m: "
                        "lead its rods and shells farther apart, make them thinner, or join them "
                        "in a common point",
                        name, 1e3 * deepest, where[0], where[1], where[2]);
}

lithe_status compile_check_apart(compiler *c)
{
    const model_contact *t = &c->model->contact;
    proximity_positions at;
    proximity_list list = {0};
    if (proximity_positions_create(&t->world, &c->scratch, &at) != LITHE_OK)
        return compile_no_memory(c);
    proximity_positions_at(&t->world, &at, c->model->X, t->pose);
    int n;
    lithe_status status = LITHE_OK;
    while ((n = proximity_find(&t->world, &at, NULL, 0, &list)) > list.max && status == LITHE_OK)
        status = proximity_reserve(&list, n);
    status = status == LITHE_OK ? judge(c, &at, &list) : compile_no_memory(c);
    proximity_list_free(&list);
    return status;
}
