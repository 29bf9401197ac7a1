// What two things that meet are like: friction, by direction where it is told so, and restitution.
#include "base/vec.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <string.h>

// Of the pair, or else of obstacle o, or else of all; with the direction of the same, which it
// carries.
static void find_friction(const compiler *c, const lithe_pair_def *d, int o, compile_law *out)
{
    const lithe_obstacle_def *obstacle = o >= 0 ? &c->def->obstacle[o] : NULL;
    out->obstacle = -1;
    out->across = -1;
    out->friction = c->def->contacts.friction;
    if (d->friction >= 0) {
        out->friction = d->friction;
        out->across = d->friction_across;
        memcpy(out->along, d->along, sizeof out->along);
    } else if (obstacle && obstacle->friction >= 0) {
        out->friction = obstacle->friction;
        out->across = obstacle->friction_across;
        memcpy(out->along, obstacle->along, sizeof out->along);
        out->obstacle = o;
    }
}

static lithe_status check_direction(const compiler *c, const lithe_pair_def *d, bool self,
                                    const compile_law *told)
{
    if (isnan(told->friction) || isnan(told->across) ||
        (d->friction < 0 && d->friction_across >= 0))
        return compile_fail(c, d->location,
                            "'%s' and '%s': friction by direction takes friction, that along the "
                            "direction, and friction_across, 0 or more",
                            d->body, d->with);
    if (told->across >= 0 && !(vec_norm(told->along) > 0))
        return compile_fail(c, d->location,
                            "'%s' and '%s': friction by direction needs `along`, a direction that "
                            "is not 0",
                            d->body, d->with);
    if (told->across >= 0 && self)
        return compile_fail(c, d->location,
                            "body '%s' is in contact with itself, where friction is the same in "
                            "all directions; leave friction_across out",
                            d->body);
    return LITHE_OK;
}

static double restitution_of(const compiler *c, const lithe_pair_def *d, int o)
{
    if (d->restitution >= 0)
        return d->restitution;
    if (o >= 0 && c->def->obstacle[o].restitution >= 0)
        return c->def->obstacle[o].restitution;
    return c->def->contacts.restitution;
}

static double detection_distance_of(const compiler *c, const lithe_pair_def *d)
{
    if (d->detection_distance > 0)
        return d->detection_distance;
    double all = c->def->contacts.detection_distance;
    return all > 0 ? all : SCENE_DETECTION_DISTANCE * c->model->size;
}

// What a blow leaves of the speed is of two rigid things: soft ones have it from their material.
static lithe_status check_restitution(const compiler *c, const lithe_pair_def *d, int o, int k,
                                      int other)
{
    double restitution = restitution_of(c, d, o);
    if (!(restitution >= 0 && restitution <= 1) || isnan(d->restitution))
        return compile_fail(c, d->location,
                            "'%s' and '%s' have a restitution of %g: it is from 0, no bounce, to "
                            "1, at the speed of the blow",
                            d->body, d->with, restitution);
    int soft = !compile_is_rigid(&c->body[k])                     ? k
               : other >= 0 && !compile_is_rigid(&c->body[other]) ? other
                                                                  : -1;
    if (d->restitution > 0 && soft >= 0)
        return compile_fail(c, d->location,
                            "body '%s' is not rigid, and a restitution is of rigid bodies: how a "
                            "soft one bounces follows from its material and damping; leave "
                            "restitution out",
                            c->model->body[soft].name);
    return LITHE_OK;
}

// Where the first friction of the scene stands; the inverse will ask.
static lithe_status note_friction(compiler *c, const lithe_pair_def *d, int o,
                                  const compile_law *told)
{
    model_contact *t = &c->model->contact;
    const char *location = d->friction >= 0 ? d->location
                           : o >= 0 && c->def->obstacle[o].friction >= 0
                               ? c->def->obstacle[o].location
                               : c->def->contacts.location;
    if (t->friction || (told->friction <= 0 && told->across <= 0))
        return LITHE_OK;
    t->friction = true;
    if (location && !(t->friction_location = arena_strdup(&c->model->memory, location)))
        return compile_no_memory(c);
    return LITHE_OK;
}

lithe_status compile_pair_law(compiler *c, const lithe_pair_def *d, int o, int k, int other,
                              compile_law *out)
{
    find_friction(c, d, o, out);
    LITHE_TRY(check_direction(c, d, k == other, out));
    LITHE_TRY(note_friction(c, d, o, out));
    LITHE_TRY(check_restitution(c, d, o, k, other));
    out->restitution = restitution_of(c, d, o);
    out->detection_distance = detection_distance_of(c, d);
    out->location = d->location;
    return LITHE_OK;
}

// An obstacle carries the direction in its frame, a body by what its surface is made of.
lithe_status compile_ease(compiler *c, const compile_law *told, const contact_surface *surface,
                          contact_law *law)
{
    const contact_frame *pose = c->model->contact.pose;
    int bad = -1;
    law->carrier = -1;
    if (told->across < 0)
        return LITHE_OK;
    double along[3], length = vec_norm(told->along);
    for (int i = 0; i < 3; i++)
        along[i] = told->along[i] / length;
    if (told->obstacle >= 0) {
        law->carrier = told->obstacle;
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                law->along[i] += pose[told->obstacle].R[3 * j + i] * along[j];
        return LITHE_OK;
    }
    if (surface->ntri == 0 && !surface->rolls)
        return compile_fail(c, told->location,
                            "friction by direction is of surfaces, of rigid bodies and of "
                            "obstacles: a rod has no direction beside its own");
    if (surface_direction_build(surface, along, &c->model->memory, &law->direction, &bad) !=
        LITHE_OK)
        return compile_no_memory(c);
    if (bad >= 0)
        return compile_fail(c, told->location,
                            "the direction `along` (%g, %g, %g) of friction stands across the "
                            "surface near (%.6g, %.6g, %.6g) m: choose one that lies in it, or a "
                            "surface in which it lies",
                            told->along[0], told->along[1], told->along[2], surface->rest[3 * bad],
                            surface->rest[3 * bad + 1], surface->rest[3 * bad + 2]);
    return LITHE_OK;
}
