// Cables through points of bodies and of the world, which pull.
#include "scene/actuator_kind.h"

static lithe_status read_through(const reader *r, const tree_node *map,
                                 lithe_actuator_def *actuator)
{
    const char *carrier = NULL;
    LITHE_TRY(read_body_name(r, map, &carrier));
    return read_carrieds(r, map, "through", carrier, &actuator->npoint, &actuator->point);
}

static lithe_status read_cable(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_CABLE)));
    LITHE_TRY(read_through(r, node, actuator));
    LITHE_TRY(actuator_read_compliance(r, node, KEYS_OF(LITHE_CABLE), actuator));
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
