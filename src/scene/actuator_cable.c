// Cables through points of bodies and of the world, which pull.
#include "scene/actuator_kind.h"

#include <string.h>

// One end of it: a point of the world, or one that is carried, which goes to the points.
static lithe_status read_end(const reader *r, const tree_node *map, const char *key, int at,
                             point_list *through, bool *of_world, double world[3])
{
    const tree_node *node = tree_find(map, key);
    *of_world = node && node->kind != TREE_MAP;
    if (!node || *of_world)
        return read_triple(r, map, KEYS_OF(LITHE_CABLE), key, world);
    const char *carrier = NULL;
    LITHE_TRY(read_body_name(r, map, &carrier));
    memmove(&through->point[at + 1], &through->point[at],
            (size_t)(through->n - at) * sizeof *through->point);
    memmove(&through->patch[at + 1], &through->patch[at],
            (size_t)(through->n - at) * sizeof *through->patch);
    through->n++;
    through->patch[at] = NULL;
    return read_carried(r, node, carrier, &through->point[at], &through->patch[at]);
}

static lithe_status read_cable(const reader *r, const tree_node *node, lithe_actuator_def *a)
{
    point_list through = {.patches = true};
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_CABLE)));
    LITHE_TRY(actuator_read_compliance(r, node, KEYS_OF(LITHE_CABLE), a));
    LITHE_TRY(read_carrieds(r, node, "through", 2, &through));
    LITHE_TRY(read_end(r, node, "pulled_from", 0, &through, &a->has_pulled_from, a->pulled_from));
    LITHE_TRY(read_end(r, node, "tied_to", through.n, &through, &a->has_tied_to, a->tied_to));
    a->npoint = through.n;
    a->point = through.point;
    a->patch = through.patch;
    if (a->npoint + a->has_pulled_from + a->has_tied_to >= 2)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(node),
                     "a cable needs two points or more; add one to through, or give pulled_from or "
                     "tied_to");
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
    {KEYS_OF(LITHE_CABLE), "pulled_from", KEYS_OPTIONAL, KEYS_CARRIED,  QUANTITY_LENGTH,     "where it is pulled"},
    {KEYS_OF(LITHE_CABLE), "tied_to",     KEYS_OPTIONAL, KEYS_CARRIED,  QUANTITY_LENGTH,     "where its far end is tied"},
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
