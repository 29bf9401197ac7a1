// Obstacles, skins, and the pairs of them that may touch.
#include "base/vec.h"
#include "scene/compile.h"

#include <string.h>

// Any frame whose z axis is the given one.
static void frame_of_axis(const double axis[3], double R[9])
{
    double z[3], x[3] = {0}, y[3];
    memcpy(z, axis, sizeof z);
    double length = vec_norm(z);
    int least = 0;
    for (int i = 0; i < 3; i++) {
        z[i] /= length;
        least = fabs(z[i]) < fabs(z[least]) ? i : least;
    }
    x[least] = 1;
    vec_axpy(x, -vec_dot(x, z), z);
    length = vec_norm(x);
    for (int i = 0; i < 3; i++)
        x[i] /= length;
    vec_cross(y, z, x);
    for (int i = 0; i < 3; i++) {
        R[3 * i] = x[i];
        R[3 * i + 1] = y[i];
        R[3 * i + 2] = z[i];
    }
}

static lithe_status compile_axis(const compiler *c, const lithe_obstacle_def *d,
                                 const double axis[3], const char *what, contact_frame *at)
{
    if (!(vec_norm(axis) > 0))
        return compile_fail(c, d->place, "obstacle '%s' needs %s", d->name, what);
    frame_of_axis(axis, at->R);
    return LITHE_OK;
}

static lithe_status compile_round(const compiler *c, const lithe_obstacle_def *d, contact_shape *s,
                                  contact_frame *at)
{
    double axis[3];
    for (int i = 0; i < 3; i++) {
        axis[i] = d->to[i] - d->at[i];
        at->at[i] = 0.5 * (d->at[i] + d->to[i]);
    }
    s->half[2] = 0.5 * vec_norm(axis);
    return compile_axis(c, d, axis, "two ends that differ", at);
}

static lithe_status compile_obstacle(const compiler *c, const lithe_obstacle_def *d,
                                     contact_shape *s, contact_frame *at)
{
    static const shape_kind kind[] = {
        [LITHE_OBSTACLE_PLANE] = SHAPE_PLANE,     [LITHE_OBSTACLE_SPHERE] = SHAPE_SPHERE,
        [LITHE_OBSTACLE_CAPSULE] = SHAPE_CAPSULE, [LITHE_OBSTACLE_CYLINDER] = SHAPE_CYLINDER,
        [LITHE_OBSTACLE_BOX] = SHAPE_BOX,         [LITHE_OBSTACLE_PIPE] = SHAPE_PIPE};
    *s = (contact_shape){.kind = kind[d->kind], .radius = d->radius};
    *at = (contact_frame){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(at->at, d->at, sizeof at->at);
    bool round = d->kind != LITHE_OBSTACLE_PLANE && d->kind != LITHE_OBSTACLE_BOX;
    if (round && !(d->radius > 0))
        return compile_fail(c, d->place, "obstacle '%s' needs a radius above 0", d->name);
    for (int i = 0; i < 3; i++) {
        s->half[i] = 0.5 * d->size[i];
        if (d->kind == LITHE_OBSTACLE_BOX && !(d->size[i] > 0))
            return compile_fail(c, d->place, "obstacle '%s' needs three edges longer than 0",
                                d->name);
    }
    if (d->kind == LITHE_OBSTACLE_PLANE)
        return compile_axis(c, d, d->normal, "a normal that is not 0", at);
    if (d->kind == LITHE_OBSTACLE_BOX)
        mat_from_angles(at->R, d->rotate);
    if (d->kind == LITHE_OBSTACLE_SPHERE || d->kind == LITHE_OBSTACLE_BOX)
        return LITHE_OK;
    return compile_round(c, d, s, at);
}

// The outside of a body: its boundary without the walls of closed cavities.
static lithe_status compile_skin(compiler *c, int k, contact_skin *out)
{
    const compile_body *part = &c->body[k];
    const mesh_boundary *b = &part->boundary;
    int ntri = 0, *tri = arena_new(&c->scratch, 3 * (size_t)b->ntri + 1, int);
    if (!tri)
        return compile_no_memory(c);
    for (int t = 0; t < b->ntri; t++) {
        bool inner = false;
        for (int v = 0; v < b->ncavity; v++)
            inner = inner || b->piece[t] == b->cavity[v];
        if (!inner)
            memcpy(&tri[3 * ntri++], &b->tri[3 * t], 3 * sizeof *tri);
    }
    if (ntri == 0)
        return compile_fail(c, part->def->place,
                            "body '%s' is of rods or springs alone and has no surface that could "
                            "touch; leave obstacles and contacts out, or give the body a mesh",
                            part->def->name);
    if (skin_build(out, part->mesh->nnode, part->X, c->model->body[k].node_adr, ntri, tri, 0, NULL,
                   NULL, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    return LITHE_OK;
}

static lithe_status compile_pairs(compiler *c, int nskin, int nshape, double alarm,
                                  contact_pair *pair, int *count)
{
    const lithe_contacts_def *d = &c->def->contacts;
    for (int k = 0; k < nskin; k++) {
        for (int o = 0; o < nshape; o++)
            pair[(*count)++] = (contact_pair){.first = k, .second = -1, .shape = o, .alarm = alarm};
        for (int other = k + 1; other < nskin; other++)
            pair[(*count)++] = (contact_pair){.first = k, .second = other, .alarm = alarm};
    }
    for (int i = 0; i < d->nself; i++) {
        int body_id;
        LITHE_TRY(compile_find_body(c, d->place, d->self[i], &body_id));
        pair[(*count)++] =
            (contact_pair){.first = body_id, .second = body_id, .self = true, .alarm = alarm};
    }
    return LITHE_OK;
}

lithe_status compile_contacts(compiler *c)
{
    const lithe_def *d = c->def;
    lithe_model *m = c->model;
    int nskin = d->nbody, nshape = d->nobstacle, npair = 0;
    int most = nskin * nshape + nskin * (nskin - 1) / 2 + d->contacts.nself;
    bool asked = d->contacts.place || nshape > 0 || d->contacts.nself > 0;
    if (most == 0 || d->contacts.max < 1 || !asked)
        return LITHE_OK;
    if (d->step.mode == LITHE_ASYNCHRONOUS)
        return compile_fail(c, d->contacts.place,
                            "the mode asynchronous knows no contacts; use realtime or converged");
    contact_skin *skins = arena_new(&m->memory, nskin, contact_skin);
    contact_shape *shapes = arena_new(&m->memory, nshape + 1, contact_shape);
    contact_pair *pairs = arena_new(&m->memory, most, contact_pair);
    m->touch.pose = arena_new(&m->memory, nshape + 1, contact_frame);
    m->touch.skin_name = arena_new(&m->memory, nskin, const char *);
    m->touch.shape_name = arena_new(&m->memory, nshape + 1, const char *);
    if (!skins || !shapes || !pairs || !m->touch.pose || !m->touch.skin_name ||
        !m->touch.shape_name)
        return compile_no_memory(c);
    for (int o = 0; o < nshape; o++) {
        LITHE_TRY(compile_obstacle(c, &d->obstacle[o], &shapes[o], &m->touch.pose[o]));
        if (!(m->touch.shape_name[o] = arena_strdup(&m->memory, d->obstacle[o].name)))
            return compile_no_memory(c);
    }
    for (int k = 0; k < nskin; k++) {
        LITHE_TRY(compile_skin(c, k, &skins[k]));
        m->touch.skin_name[k] = m->body[k].name;
    }
    double alarm = d->contacts.alarm > 0 ? d->contacts.alarm : 0.02 * m->size;
    LITHE_TRY(compile_pairs(c, nskin, nshape, alarm, pairs, &npair));
    m->touch.world = (contact_world){nskin, skins, nshape, shapes, npair, pairs};
    m->touch.max = d->contacts.max;
    m->touch.global = d->contacts.global;
    return LITHE_OK;
}
