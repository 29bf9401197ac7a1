// Contacts as outsiders see them, and obstacles that they move.
#include "base/vec.h"
#include "step/step.h"

#include <string.h>

int lithe_nobstacle(const lithe_model *m)
{
    return m->touch.world.nshape;
}

const char *lithe_obstacle_name(const lithe_model *m, int obstacle)
{
    return obstacle >= 0 && obstacle < m->touch.world.nshape ? m->touch.shape_name[obstacle] : NULL;
}

lithe_status lithe_move_obstacle(const lithe_model *m, lithe_state *s, int obstacle,
                                 const double rotate[3], const double move[3])
{
    if (obstacle < 0 || obstacle >= m->touch.world.nshape)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no obstacle %d; there are %d",
                          obstacle, m->touch.world.nshape);
    for (int i = 0; i < 3; i++)
        if (!isfinite(rotate[i]) || !isfinite(move[i]))
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "the way of obstacle '%s' is not a finite number",
                              m->touch.shape_name[obstacle]);
    const contact_frame *from = &m->touch.pose[obstacle];
    contact_frame *to = &s->touch.shape[obstacle];
    double R[9];
    mat_from_angles(R, rotate);
    mat_mul(to->R, R, from->R);
    mat_apply(to->at, R, from->at);
    vec_axpy(to->at, 1, move);
    return LITHE_OK;
}

double lithe_penetration(const lithe_state *s)
{
    return s->touch.depth;
}

int lithe_ncontact(const lithe_state *s)
{
    return s->touch.list.n;
}

lithe_status lithe_contact_get(const lithe_model *m, const lithe_state *s, int i,
                               lithe_contact *out)
{
    *out = (lithe_contact){0};
    if (i < 0 || i >= s->touch.list.n)
        return LITHE_INVALID;
    const contact *c = &s->touch.list.contact[i];
    const contact_pair *pair = &m->touch.world.pair[c->pair];
    out->id = c->id;
    out->first = m->touch.skin_name[pair->first];
    out->second =
        pair->second >= 0 ? m->touch.skin_name[pair->second] : m->touch.shape_name[pair->shape];
    out->gap = c->gap;
    out->force = s->now.press[i];
    memcpy(out->normal, c->normal, sizeof out->normal);
    memcpy(out->at, c->at, sizeof out->at);
    return LITHE_OK;
}
