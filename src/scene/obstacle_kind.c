// Obstacles that a formula describes, or a mesh; and the table of all.
#include "scene/obstacle_kind.h"

#include "base/status.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

static lithe_status read_round(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_ROUND));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_ROUND, "from", o->at));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_ROUND, "to", o->to));
    return read_positive(r, node, KEYS_OBSTACLE_ROUND, "radius", &o->radius);
}

static lithe_status read_plane(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_PLANE)));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_PLANE), "at", o->at));
    return read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_PLANE), "normal", o->normal);
}

static lithe_status read_sphere(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_SPHERE)));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_SPHERE), "center", o->at));
    return read_positive(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_SPHERE), "radius", &o->radius);
}

static lithe_status read_box(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX)));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX), "center", o->at));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX), "size", o->size));
    return read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX), "rotate", o->rotate);
}

static lithe_status read_mesh(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    double scale = 1;
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH)));
    LITHE_TRY(read_file_name(r, node, "file", &o->mesh_file));
    LITHE_TRY(
        read_mesh_unit(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "file", &o->mesh_unit));
    LITHE_TRY(read_positive(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "scale", &scale));
    o->mesh_unit *= scale;
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "rotate", o->rotate));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "move", o->move));
    return read_bool(r, node, "hollow", &o->hollow);
}

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
        return compile_fail(c, d->location, "obstacle '%s' needs %s", d->name, what);
    frame_of_axis(axis, at->R);
    return LITHE_OK;
}

static lithe_status compile_plane(const compiler *c, const lithe_obstacle_def *d, contact_shape *s,
                                  contact_frame *at)
{
    (void)s;
    return compile_axis(c, d, d->normal, "a normal that is not 0", at);
}

// Along an axis, from `at` to `to`.
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

static lithe_status compile_box(const compiler *c, const lithe_obstacle_def *d, contact_shape *s,
                                contact_frame *at)
{
    for (int i = 0; i < 3; i++) {
        s->half[i] = 0.5 * d->size[i];
        if (!(d->size[i] > 0))
            return compile_fail(c, d->location, "obstacle '%s' needs three edges longer than 0",
                                d->name);
    }
    mat_from_angles(at->R, d->rotate);
    return LITHE_OK;
}

static lithe_status compile_mesh(const compiler *c, const lithe_obstacle_def *d, contact_shape *s,
                                 contact_frame *at)
{
    (void)c;
    (void)s;
    mat_from_angles(at->R, d->rotate);
    memcpy(at->at, d->move, sizeof at->at);
    return LITHE_OK;
}

// clang-format off
static const keys_row plane_keys[] = {
    {KEYS_OBSTACLE, "plane",    KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "solid behind it"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_PLANE),  "at",     KEYS_REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "a point of it"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_PLANE),  "normal", KEYS_REQUIRED, KEYS_TRIPLE,   QUANTITY_NUMBER, "out of the solid"},
};
static const keys_row sphere_keys[] = {
    {KEYS_OBSTACLE, "sphere",   KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a ball"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_SPHERE), "center", KEYS_REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "its centre"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_SPHERE), "radius", KEYS_REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH, "its radius"},
};
static const keys_row capsule_keys[] = {
    {KEYS_OBSTACLE, "capsule",  KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a rod with round ends"},
};
static const keys_row cylinder_keys[] = {
    {KEYS_OBSTACLE, "cylinder", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a rod with flat ends"},
};
static const keys_row box_keys[] = {
    {KEYS_OBSTACLE, "box",      KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a block"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX),    "center", KEYS_REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "its centre"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX),    "size",   KEYS_REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH, "lengths of its edges"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_BOX),    "rotate", KEYS_OPTIONAL, KEYS_TRIPLE,   QUANTITY_ANGLE,  "about the fixed x, then y, then z axis"},
};
static const keys_row pipe_keys[] = {
    {KEYS_OBSTACLE, "pipe",     KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "hollow and endless: solid outside"},
};
static const keys_row mesh_keys[] = {
    {KEYS_OBSTACLE, "mesh",     KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a surface of triangles"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "file",      KEYS_REQUIRED, KEYS_TEXT,     QUANTITY_NUMBER, "the mesh file"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "mesh_unit", KEYS_OPTIONAL, KEYS_UNIT,     QUANTITY_LENGTH, "unit of the mesh's coordinates"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "scale",     KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_NUMBER, "on the mesh's coordinates"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "rotate",    KEYS_OPTIONAL, KEYS_TRIPLE,   QUANTITY_ANGLE,  "about the fixed x, then y, then z axis"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "move",      KEYS_OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH, "translation after rotating"},
    {KEYS_OBSTACLE_OF(LITHE_OBSTACLE_MESH), "hollow",    KEYS_OPTIONAL, KEYS_BOOL,     QUANTITY_NUMBER, "solid is what lies outside"},
};
static const keys_row cone_keys[] = {
    {KEYS_OBSTACLE, "cone",     KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "from the middle of its base to its tip"},
};
// clang-format on

#define OWN(name)                                                                                  \
    {                                                                                              \
        "obstacles.NAME." name, "a " name, KEYS_SELECTS_NONE                                       \
    }
#define HAS_KEYS(which) .key = (which), .nkey = sizeof(which) / sizeof *(which)

const obstacle_kind obstacle_kinds[OBSTACLE_KINDS] = {
    [LITHE_OBSTACLE_PLANE] = {"plane", SHAPE_PLANE, .heading = OWN("plane"), HAS_KEYS(plane_keys),
                              .read = read_plane, .compile = compile_plane},
    [LITHE_OBSTACLE_SPHERE] = {"sphere", SHAPE_SPHERE, .round = true, .heading = OWN("sphere"),
                               HAS_KEYS(sphere_keys), .read = read_sphere},
    [LITHE_OBSTACLE_CAPSULE] = {"capsule", SHAPE_CAPSULE, .round = true, HAS_KEYS(capsule_keys),
                                .read = read_round, .compile = compile_round},
    [LITHE_OBSTACLE_CYLINDER] = {"cylinder", SHAPE_CYLINDER, .round = true, HAS_KEYS(cylinder_keys),
                                 .read = read_round, .compile = compile_round},
    [LITHE_OBSTACLE_BOX] = {"box", SHAPE_BOX, .heading = OWN("box"), HAS_KEYS(box_keys),
                            .read = read_box, .compile = compile_box},
    [LITHE_OBSTACLE_PIPE] = {"pipe", SHAPE_PIPE, .round = true, HAS_KEYS(pipe_keys),
                             .read = read_round, .compile = compile_round},
    [LITHE_OBSTACLE_MESH] = {"mesh", SHAPE_MESH, .heading = OWN("mesh"), HAS_KEYS(mesh_keys),
                             .read = read_mesh, .compile = compile_mesh},
    [LITHE_OBSTACLE_CONE] = {"cone", SHAPE_CONE, .round = true, HAS_KEYS(cone_keys),
                             .read = read_round, .compile = compile_round},
};

const char *lithe_obstacle_kind_name(lithe_obstacle_kind kind)
{
    return (int)kind >= 0 && (int)kind < OBSTACLE_KINDS ? obstacle_kinds[kind].name : NULL;
}
