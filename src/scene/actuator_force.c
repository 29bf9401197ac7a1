// Forces on a point or a surface.
#include "scene/actuator_kind.h"

#include "row/point.h"

#include <stdio.h>
#include <string.h>

static lithe_status read_force(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_FORCE)));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_text(r, node, "surface", &actuator->surface));
    LITHE_TRY(read_direction(r, node, KEYS_OF(LITHE_FORCE), &actuator->has_direction,
                             actuator->direction));
    if (actuator->surface)
        return LITHE_OK;
    lithe_point_def *point = read_alloc(r, 1, sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    point->body = actuator->body;
    actuator->npoint = 1;
    actuator->point = point;
    return read_triple(r, node, KEYS_OF(LITHE_FORCE), "at", point->at);
}

static lithe_status add_force(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    double direction[3][3];
    int n, body_id;
    row_cloud cloud = {0};
    row_point point;
    LITHE_TRY(compile_directions(c, d->location, d->name, d->has_direction, d->direction, LITHE_XYZ,
                                 direction, &n));
    if (d->surface) {
        LITHE_TRY(compile_cloud_of_surface(c, d->location, d->body, d->surface, &cloud));
    } else {
        char what[LITHE_TEXT_MAX];
        snprintf(what, sizeof what, "actuator '%.200s'", d->name);
        LITHE_TRY(compile_find_body(c, d->location, d->point[0].body, &body_id));
        LITHE_TRY(compile_embed(c, body_id, d->location, what, d->point[0].at, &point));
        LITHE_TRY(compile_cloud_of_point(c, &point, &cloud));
    }
    return compile_means(c, group, &cloud, n, direction, true);
}

static lithe_status check_force(const compiler *c, const lithe_actuator_def *d)
{
    if (!d->surface && d->npoint != 1)
        return compile_fail(c, d->location, "force '%s' needs a surface or one point", d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row force_keys[] = {
    {KEYS_ACTUATOR, "force",   KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a force on a point or a surface"},
    {KEYS_OF(LITHE_FORCE), "body",      KEYS_REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_OF(LITHE_FORCE), "at",        KEYS_ONE_OF,   KEYS_TRIPLE, QUANTITY_LENGTH, "the material point, at rest"},
    {KEYS_OF(LITHE_FORCE), "surface",   KEYS_ONE_OF,   KEYS_TEXT,   QUANTITY_NUMBER, "a surface of the body or a group of its mesh"},
    {KEYS_OF(LITHE_FORCE), "direction", KEYS_OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "the one direction in which it acts"},
    {KEYS_LIMITS_OF(LITHE_FORCE),  "displacement",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,     "range of each displacement"},
    {KEYS_LIMITS_OF(LITHE_FORCE),  "force",             KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,      "range of each force"},
    {KEYS_LIMITS_OF(LITHE_FORCE),  "displacement_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY,   "fastest change of the displacement"},
    {KEYS_LIMITS_OF(LITHE_FORCE),  "force_rate",        KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE_RATE, "fastest change of the force"},
    {KEYS_COMMAND_OF(LITHE_FORCE), "displacement",      KEYS_ONE_OF,   KEYS_EFFORT,   QUANTITY_LENGTH,     "from rest"},
    {KEYS_COMMAND_OF(LITHE_FORCE), "force",             KEYS_ONE_OF,   KEYS_EFFORT,   QUANTITY_FORCE,      "the force"},
};
// clang-format on

const actuator_kind actuator_force = {
    .name = "force",
    .quantity = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE, false},
                 [LITHE_DISPLACEMENT] = {"displacement", QUANTITY_LENGTH, false}},
    .along_axes = true,
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("force", KEYS_SELECTS_NONE),
    .key = force_keys,
    .nkey = sizeof force_keys / sizeof *force_keys,
    .read = read_force,
    .check = check_force,
    .compile = add_force,
};
