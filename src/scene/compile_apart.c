// Rods and shells that are in themselves at rest. Nothing could tell on which side of each other
// their parts belong; what is only a little deep is taken apart as the first step begins
// (step/contact.c). Other things that are deep in each other are told of.
#include "base/vec.h"
#include "contact/check.h"
#include "contact/proximity.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <string.h>

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

static bool is_side(const lithe_joint_def *d, const char *name)
{
    return (d->body && strcmp(d->body, name) == 0) || (d->with && strcmp(d->with, name) == 0);
}

// What holds both where they are; NULL: nothing does.
static const char *joint_between(const compiler *c, const contact_sides *pair)
{
    for (int j = 0; j < c->def->njoint; j++)
        if (is_side(&c->def->joint[j], pair->name[0]) && is_side(&c->def->joint[j], pair->name[1]))
            return c->def->joint[j].name;
    return NULL;
}

static void tell(const compiler *c, const check_depth *deepest)
{
    const model_contact *t = &c->model->contact;
    const contact_sides *pair = &t->sides[t->law[deepest->pair].sides];
    const char *joint = joint_between(c, pair);
    report_notice(c->report,
                  "'%s' and '%s' overlap by %.3g mm at rest, at (%.4f, %.4f, %.4f) m%s%s%s; or "
                  "switch the pair off: contacts: {pairs: [{body: %s, with: %s, off: true}]}",
                  pair->name[0], pair->name[1], 1e3 * deepest->depth, deepest->at[0],
                  deepest->at[1], deepest->at[2], joint ? ", and joint '" : "", joint ? joint : "",
                  joint ? "' keeps them from parting: place them so that they do not touch"
                        : ", and no step may find how to take them apart: place them apart",
                  pair->name[0], pair->name[1]);
}

// By the check of steps, which knows neither a barrier nor its reach.
static lithe_status look(compiler *c)
{
    const lithe_model *m = c->model;
    const model_contact *t = &m->contact;
    check_work *work = NULL;
    bool *off = arena_new(&c->scratch, t->world.nmatch + 1, bool);
    if (!off || check_work_create(m->check, &c->scratch, &work) != LITHE_OK)
        return compile_no_memory(c);
    for (int k = 0; k < t->world.nmatch; k++)
        off[k] = t->law[k].sides >= 0 && t->sides[t->law[k].sides].off;
    check_positions at = {m->X, t->pose, off};
    double small = SCENE_APART * m->size;
    check_depth deepest = check_overlap(m->check, work, &at, false, small, small);
    if (deepest.pair >= 0 && !t->world.match[deepest.pair].self)
        tell(c, &deepest);
    return LITHE_OK;
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
    return status == LITHE_OK ? look(c) : status;
}
