// Cables and pistons: lines through points.
#include "scene/actuator_kind.h"

#include "row/point.h"

#include <stdio.h>
#include <string.h>

static lithe_status read_through(const reader *r, const tree_node *map,
                                 lithe_actuator_def *actuator)
{
    const char *carrier = NULL;
    LITHE_TRY(read_body_name(r, map, &carrier));
    return read_carrieds(r, map, "through", carrier, &actuator->npoint, &actuator->point);
}

// Its own stretch, which is not negative.
static lithe_status read_compliance(const reader *r, const tree_node *map, keys_block block,
                                    lithe_actuator_def *actuator)
{
    LITHE_TRY(read_quantity(r, map, block, "compliance", &actuator->compliance));
    if (actuator->compliance >= 0)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(map, "compliance")->at,
                     "compliance must not be negative; leave it out for an actuator that does not "
                     "stretch");
}

static lithe_status read_cable(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_CABLE)));
    LITHE_TRY(read_through(r, node, actuator));
    LITHE_TRY(read_compliance(r, node, KEYS_OF(LITHE_CABLE), actuator));
    LITHE_TRY(read_triple(r, node, KEYS_OF(LITHE_CABLE), "pulled_from", actuator->pulled_from));
    LITHE_TRY(read_triple(r, node, KEYS_OF(LITHE_CABLE), "tied_to", actuator->tied_to));
    actuator->has_pulled_from = tree_find(node, "pulled_from") != NULL;
    actuator->has_tied_to = tree_find(node, "tied_to") != NULL;
    if (actuator->npoint + actuator->has_pulled_from + actuator->has_tied_to >= 2)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(node),
                     "a cable needs two points or more; add one to through, or give pulled_from or "
                     "tied_to");
}

lithe_status actuator_read_ends(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    const char *carrier = NULL;
    LITHE_TRY(read_body_name(r, node, &carrier));
    lithe_point_def *point = read_alloc(r, 2, sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    actuator->npoint = 2;
    actuator->point = point;
    LITHE_TRY(read_carried(r, tree_find(node, "from"), carrier, &point[0]));
    return read_carried(r, tree_find(node, "to"), carrier, &point[1]);
}

static lithe_status read_piston(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_PISTON)));
    LITHE_TRY(read_compliance(r, node, KEYS_OF(LITHE_PISTON), actuator));
    return actuator_read_ends(r, node, actuator);
}

static void world_point(row_point *p, const double at[3])
{
    p->body = -1;
    memcpy(p->world, at, sizeof p->world);
}

static lithe_status compile_line(compiler *c, const lithe_actuator_def *d, row *r)
{
    int n = 0;
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "actuator '%.200s'", d->name);
    r->line.point = arena_new(&c->model->memory, d->npoint + 2, row_point);
    if (!r->line.point)
        return compile_no_memory(c);
    if (d->kind == LITHE_CABLE && d->has_pulled_from)
        world_point(&r->line.point[n++], d->pulled_from);
    for (int i = 0; i < d->npoint; i++) {
        int body_id;
        LITHE_TRY(compile_find_body(c, d->location, d->point[i].body, &body_id));
        LITHE_TRY(
            compile_embed(c, body_id, d->location, what, d->point[i].at, &r->line.point[n++]));
    }
    if (d->kind == LITHE_CABLE && d->has_tied_to)
        world_point(&r->line.point[n++], d->tied_to);
    r->line.npoint = n;
    return LITHE_OK;
}

lithe_status actuator_add_line(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = compile_next_row(c, group);
    r->kind = d->kind == LITHE_CABLE ? ROW_CABLE : ROW_PISTON;
    r->compliance = d->compliance;
    LITHE_TRY(compile_line(c, d, r));
    LITHE_TRY(compile_check_segments(c, d->location, d->name, r));
    return compile_finish_row(c, r, true);
}

static lithe_status check_cable(const compiler *c, const lithe_actuator_def *d)
{
    int npoint = d->npoint + d->has_pulled_from + d->has_tied_to;
    if (d->npoint < 1 || npoint < 2)
        return compile_fail(c, d->location, "cable '%s' needs a point on a body and another point",
                            d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row cable_keys[] = {
    {KEYS_ACTUATOR, "cable",   KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a cable through points of bodies"},
    {KEYS_OF(LITHE_CABLE), "body",        KEYS_OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER,     "carries the points that do not name their own"},
    {KEYS_OF(LITHE_CABLE), "through",     KEYS_REQUIRED, KEYS_CARRIEDS, QUANTITY_LENGTH,     "points in order, from the pulled end to the tied end"},
    {KEYS_OF(LITHE_CABLE), "pulled_from", KEYS_OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH,     "point of the world where it is pulled"},
    {KEYS_OF(LITHE_CABLE), "tied_to",     KEYS_OPTIONAL, KEYS_TRIPLE,   QUANTITY_LENGTH,     "point of the world where its far end is tied"},
    {KEYS_OF(LITHE_CABLE), "compliance",  KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_COMPLIANCE, "its own stretch"},
    {KEYS_LIMITS_OF(LITHE_CABLE),  "pull",         KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,     "range of the shortening"},
    {KEYS_LIMITS_OF(LITHE_CABLE),  "tension",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,      "range of the tension"},
    {KEYS_LIMITS_OF(LITHE_CABLE),  "pull_rate",    KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY,   "fastest change of the shortening"},
    {KEYS_LIMITS_OF(LITHE_CABLE),  "tension_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE_RATE, "fastest change of the tension"},
    {KEYS_COMMAND_OF(LITHE_CABLE), "pull",         KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH,     "shortening from the rest length"},
    {KEYS_COMMAND_OF(LITHE_CABLE), "tension",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_FORCE,      "tension"},
};
// clang-format on

const actuator_kind actuator_cable = {
    .name = "cable",
    .quantity = {[LITHE_EFFORT] = {"tension", QUANTITY_FORCE, false},
                 [LITHE_DISPLACEMENT] = {"pull", QUANTITY_LENGTH, false}},
    .pulls = true,
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("cable", KEYS_SELECTS_NONE),
    .key = cable_keys,
    .nkey = sizeof cable_keys / sizeof *cable_keys,
    .read = read_cable,
    .check = check_cable,
    .compile = actuator_add_line,
};

lithe_status actuator_check_ends(const compiler *c, const lithe_actuator_def *d)
{
    if (d->npoint != 2)
        return compile_fail(c, d->location, "%s '%s' needs two points, it has %d",
                            actuator_kinds[d->kind]->name, d->name, d->npoint);
    return LITHE_OK;
}

// clang-format off
static const keys_row piston_keys[] = {
    {KEYS_ACTUATOR, "piston",  KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a piston between two points of bodies"},
    {KEYS_OF(LITHE_PISTON), "body",       KEYS_OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER,     "carries the points that do not name their own"},
    {KEYS_OF(LITHE_PISTON), "from",       KEYS_REQUIRED, KEYS_CARRIED,  QUANTITY_LENGTH,     "one end"},
    {KEYS_OF(LITHE_PISTON), "to",         KEYS_REQUIRED, KEYS_CARRIED,  QUANTITY_LENGTH,     "the other end"},
    {KEYS_OF(LITHE_PISTON), "compliance", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_COMPLIANCE, "its own stretch"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "stroke",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,     "range of the lengthening"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "force",       KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,      "range of the force"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "stroke_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY,   "fastest change of the lengthening"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "force_rate",  KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE_RATE, "fastest change of the force"},
    {KEYS_COMMAND_OF(LITHE_PISTON), "stroke",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH,     "lengthening from the rest distance"},
    {KEYS_COMMAND_OF(LITHE_PISTON), "force",       KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_FORCE,      "positive pushes the ends apart"},
};
// clang-format on

const actuator_kind actuator_piston = {
    .name = "piston",
    .quantity = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE, false},
                 [LITHE_DISPLACEMENT] = {"stroke", QUANTITY_LENGTH, false}},
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("piston", KEYS_SELECTS_NONE),
    .key = piston_keys,
    .nkey = sizeof piston_keys / sizeof *piston_keys,
    .read = read_piston,
    .check = actuator_check_ends,
    .compile = actuator_add_line,
};
