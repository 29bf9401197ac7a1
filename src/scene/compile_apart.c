// Rods that are in themselves at rest. Nothing could tell on which side of each other their parts
// belong; what is only a little deep is taken apart as the first step begins (step/contact.c).
#include "scene/compile.h"

#include "scene/tolerances.h"

lithe_status compile_check_apart(const compiler *c)
{
    const model_contact *t = &c->model->contact;
    const double little = SCENE_APART * c->model->size;
    for (int i = 0; i < t->world.nmatch; i++) {
        const proximity_match *p = &t->world.match[i];
        double at[3] = {0}, depth = 0;
        if (p->self && p->first == p->second)
            depth = contact_surface_depth_at_rest(&t->world.surface[p->first], at);
        if (depth > little)
            return compile_fail(
                c, c->def->contacts.location,
                "body '%s' is %.3g mm deep in itself at rest, at (%.3g, %.3g, %.3g) m: lead its "
                "rods farther apart, make them thinner, or join them in a common point",
                t->sides[t->law[i].sides].name[0], 1e3 * depth, at[0], at[1], at[2]);
    }
    return LITHE_OK;
}
