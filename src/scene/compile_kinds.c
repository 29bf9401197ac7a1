// Enumerators of definitions: numbers that a C program may get wrong, and that everything after
// this takes as they are.
#include "scene/compile.h"

// Whose it is, for messages.
typedef struct owner {
    const compiler *c;
    const char *location;
    const char *what, *name; // "body" 'finger'
} owner;

static lithe_status check(const owner *o, const char *key, const char *type, int value, int least,
                          int most)
{
    if (value >= least && value <= most)
        return LITHE_OK;
    return compile_fail(o->c, o->location, "%s%s%.100s%s: %s is %d; %s has %d to %d", o->what,
                        o->name ? " '" : "", o->name ? o->name : "", o->name ? "'" : "", key, value,
                        type, least, most);
}

static lithe_status check_part(const owner *o, const lithe_selection *where, int depth)
{
    bool made =
        where->kind == LITHE_ALL_OF || where->kind == LITHE_ANY_OF || where->kind == LITHE_NONE_OF;
    LITHE_TRY(check(o, "where.kind", "lithe_selection_kind", (int)where->kind, 0, LITHE_NONE_OF));
    if (made && (where->npart < 1 || !where->part || depth >= LITHE_SELECTION_DEPTH))
        return compile_fail(o->c, o->location,
                            "a selection of selections needs parts, at most %d deep within each "
                            "other",
                            LITHE_SELECTION_DEPTH);
    for (int i = 0; made && i < where->npart; i++) {
        if (where->part[i].kind == LITHE_NEAREST)
            return compile_fail(o->c, o->location,
                                "the nearest node cannot be a part of a selection");
        LITHE_TRY(check_part(o, &where->part[i], depth + 1));
    }
    return LITHE_OK;
}

static lithe_status check_selection(const owner *o, const lithe_selection *where)
{
    return check_part(o, where, 0);
}

static lithe_status check_fix(const compiler *c, const lithe_fix_def *d)
{
    owner o = {c, d->location, "a fix", NULL};
    LITHE_TRY(check(&o, "axes", "a sum of LITHE_X, LITHE_Y and LITHE_Z", d->axes, 0, LITHE_XYZ));
    LITHE_TRY(check(&o, "rotations", "LITHE_AS_AXES, or a sum of LITHE_X, LITHE_Y and LITHE_Z",
                    d->rotations, LITHE_AS_AXES, LITHE_XYZ));
    return check_selection(&o, &d->where);
}

static lithe_status check_parts(const compiler *c, const lithe_body_def *d)
{
    for (int i = 0; i < d->nfix; i++)
        LITHE_TRY(check_fix(c, &d->fix[i]));
    for (int i = 0; i < d->nregion; i++)
        LITHE_TRY(check_selection(&(owner){c, d->region[i].location, "a region", NULL},
                                  &d->region[i].where));
    for (int i = 0; i < d->nsurface; i++)
        LITHE_TRY(
            check_selection(&(owner){c, d->surface[i].location, "surface", d->surface[i].name},
                            &d->surface[i].where));
    for (int i = 0; i < d->nrigid; i++)
        LITHE_TRY(check_selection(&(owner){c, d->rigid[i].location, "rigid part", d->rigid[i].name},
                                  &d->rigid[i].where));
    for (int i = 0; i < d->nmember; i++) {
        owner o = {c, d->member[i].location, "member", d->member[i].name};
        LITHE_TRY(check(&o, "shape", "lithe_rigid_shape", (int)d->member[i].shape, 0,
                        LITHE_RIGID_CAPSULE));
        LITHE_TRY(
            check(&o, "solid", "lithe_solid", (int)d->member[i].solid, 0, LITHE_SOLID_CYLINDER));
    }
    for (int i = 0; i < d->nattachment; i++) {
        owner o = {c, d->attachment[i].location, "an attachment", NULL};
        LITHE_TRY(check(&o, "kind", "lithe_attachment_kind", (int)d->attachment[i].kind, 0,
                        LITHE_ATTACH_OVERLAP));
        LITHE_TRY(check_selection(&o, &d->attachment[i].where));
    }
    for (int i = 0; i < d->ncavity; i++)
        LITHE_TRY(check(&(owner){c, d->cavity[i].location, "cavity", d->cavity[i].name}, "pick",
                        "lithe_cavity_pick", (int)d->cavity[i].pick, 0, LITHE_CAVITY_GROUP));
    for (int i = 0; i < d->nrod; i++)
        LITHE_TRY(check(&(owner){c, d->rod[i].location, "rod", d->rod[i].name}, "section",
                        "lithe_section_kind", (int)d->rod[i].section, 0, LITHE_RECTANGLE));
    LITHE_TRY(check(&(owner){c, d->location, "body", d->name}, "solid", "lithe_solid",
                    (int)d->solid, 0, LITHE_SOLID_CYLINDER));
    LITHE_TRY(check(&(owner){c, d->location, "body", d->name}, "shape", "lithe_rigid_shape",
                    (int)d->shape, 0, LITHE_RIGID_CAPSULE));
    return check(&(owner){c, d->location, "body", d->name}, "element", "lithe_element",
                 (int)d->element, 0, LITHE_TET4_AVERAGED);
}

static lithe_status check_actuator(const compiler *c, const lithe_actuator_def *d)
{
    owner o = {c, d->location, "actuator", d->name};
    LITHE_TRY(check(&o, "kind", "lithe_actuator_kind", (int)d->kind, 0, LITHE_REST_LENGTH));
    LITHE_TRY(check(&o, "command", "lithe_command_kind", (int)d->command, 0, LITHE_DISPLACEMENT));
    for (int i = 0; d->patch && i < d->npoint; i++)
        if (d->patch[i])
            LITHE_TRY(check_selection(&o, d->patch[i]));
    return check_selection(&o, &d->where);
}

static lithe_status check_effector(const compiler *c, const lithe_effector_def *d)
{
    owner o = {c, d->location, "effector", d->name};
    LITHE_TRY(check(&o, "kind", "lithe_effector_kind", (int)d->kind, 0, LITHE_LENGTH));
    LITHE_TRY(check(&o, "axes", "a sum of LITHE_X, LITHE_Y and LITHE_Z", d->axes, 0, LITHE_XYZ));
    return check_selection(&o, &d->where);
}

static lithe_status check_settings(const compiler *c)
{
    const lithe_step_def *s = &c->def->step;
    const lithe_dynamics_def *d = &c->def->dynamics;
    owner step = {c, NULL, "step", NULL}, dynamics = {c, NULL, "dynamics", NULL};
    LITHE_TRY(check(&step, "mode", "lithe_mode", (int)s->mode, 0, LITHE_ASYNCHRONOUS));
    LITHE_TRY(check(&step, "method", "lithe_inverse_method", (int)s->method, 0, LITHE_SEIDEL));
    LITHE_TRY(check(&dynamics, "scheme", "lithe_scheme", (int)d->scheme, 0, LITHE_ALPHA));
    return check(&dynamics, "mass", "lithe_mass", (int)d->mass, 0, LITHE_CONSISTENT);
}

static lithe_status check_reduction(const compiler *c)
{
    const lithe_reduction_def *d = &c->def->reduction;
    owner o = {c, d->location, "a reduction", NULL};
    LITHE_TRY(check(&o, "patch", "lithe_patch_kind", (int)d->patch, 0, LITHE_PATCH_CONTACT));
    return d->patch_where ? check_selection(&o, d->patch_where) : LITHE_OK;
}

lithe_status compile_check_kinds(const compiler *c)
{
    const lithe_def *d = c->def;
    LITHE_TRY(check_settings(c));
    LITHE_TRY(check_reduction(c));
    for (int i = 0; i < d->nmaterial; i++)
        LITHE_TRY(check(&(owner){c, d->material[i].location, "material", d->material[i].name},
                        "law", "lithe_law", (int)d->material[i].law, 0, LITHE_GENT));
    for (int i = 0; i < d->nbody; i++)
        LITHE_TRY(check_parts(c, &d->body[i]));
    for (int i = 0; i < d->nload; i++)
        LITHE_TRY(check(&(owner){c, d->load[i].location, "load", d->load[i].name}, "kind",
                        "lithe_load_kind", (int)d->load[i].kind, 0, LITHE_MOMENT));
    for (int i = 0; i < d->njoint; i++)
        LITHE_TRY(check(&(owner){c, d->joint[i].location, "joint", d->joint[i].name}, "kind",
                        "lithe_joint_kind", (int)d->joint[i].kind, 0, LITHE_JOINT_UNIVERSAL));
    for (int i = 0; i < d->nactuator; i++)
        LITHE_TRY(check_actuator(c, &d->actuator[i]));
    for (int i = 0; i < d->neffector; i++)
        LITHE_TRY(check_effector(c, &d->effector[i]));
    for (int i = 0; i < d->nsensor; i++)
        LITHE_TRY(check(&(owner){c, d->sensor[i].location, "sensor", d->sensor[i].name}, "kind",
                        "lithe_sensor_kind", (int)d->sensor[i].kind, 0, LITHE_DISTANCE));
    for (int i = 0; i < d->task.ngoal; i++)
        LITHE_TRY(check(&(owner){c, d->task.goal[i].location, "a goal", NULL}, "path",
                        "lithe_path_kind", (int)d->task.goal[i].path, 0, LITHE_LINE));
    for (int i = 0; i < d->nobstacle; i++)
        LITHE_TRY(check(&(owner){c, d->obstacle[i].location, "obstacle", d->obstacle[i].name},
                        "kind", "lithe_obstacle_kind", (int)d->obstacle[i].kind, 0,
                        LITHE_OBSTACLE_CONE));
    return LITHE_OK;
}
