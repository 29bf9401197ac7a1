#include "scene/reader.h"

#include "base/status.h"
#include "scene/actuator_quantity.h"

#include <stdio.h>

static lithe_status read_through(const reader *r, const tree_node *map,
                                 lithe_actuator_def *actuator)
{
    const char *body = NULL;
    LITHE_TRY(read_body_name(r, map, &body));
    return read_carrieds(r, map, "through", body, &actuator->npoint, &actuator->point);
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
    LITHE_TRY(read_map(r, node, KEYS_CABLE));
    LITHE_TRY(read_through(r, node, actuator));
    LITHE_TRY(read_compliance(r, node, KEYS_CABLE, actuator));
    LITHE_TRY(read_triple(r, node, KEYS_CABLE, "pulled_from", actuator->pulled_from));
    LITHE_TRY(read_triple(r, node, KEYS_CABLE, "tied_to", actuator->tied_to));
    actuator->has_pulled_from = tree_find(node, "pulled_from") != NULL;
    actuator->has_tied_to = tree_find(node, "tied_to") != NULL;
    if (actuator->npoint + actuator->has_pulled_from + actuator->has_tied_to >= 2)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(node),
                     "a cable needs two points or more; add one to through, or give pulled_from or "
                     "tied_to");
}

static lithe_status read_piston(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    const char *body = NULL;
    LITHE_TRY(read_map(r, node, KEYS_PISTON));
    LITHE_TRY(read_body_name(r, node, &body));
    LITHE_TRY(read_compliance(r, node, KEYS_PISTON, actuator));
    lithe_point_def *point = read_alloc(r, 2, sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    actuator->npoint = 2;
    actuator->point = point;
    LITHE_TRY(read_carried(r, tree_find(node, "from"), body, &point[0]));
    return read_carried(r, tree_find(node, "to"), body, &point[1]);
}

static lithe_status read_cavity(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_CAVITY));
    return read_cavity_name(r, node, &actuator->body, &actuator->cavity);
}

static lithe_status read_liquid(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_LIQUID));
    LITHE_TRY(read_cavity_name(r, node, &actuator->body, &actuator->cavity));
    LITHE_TRY(read_positive(r, node, KEYS_LIQUID, "density", &actuator->density));
    return read_triple(r, node, KEYS_LIQUID, "reference", actuator->reference);
}

static lithe_status read_force(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_PUSH));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_text(r, node, "surface", &actuator->surface));
    LITHE_TRY(read_direction(r, node, KEYS_PUSH, &actuator->has_direction, actuator->direction));
    if (actuator->surface)
        return LITHE_OK;
    lithe_point_def *point = read_alloc(r, 1, sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    point->body = actuator->body;
    actuator->npoint = 1;
    actuator->point = point;
    return read_triple(r, node, KEYS_PUSH, "at", point->at);
}

static lithe_status read_slider(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_SLIDER));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_selection(r, node, &actuator->where));
    return read_direction(r, node, KEYS_SLIDER, &actuator->has_direction, actuator->direction);
}

static lithe_status read_modulus(const reader *r, const tree_node *node,
                                 lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_MODULUS));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_no_nearest(r, node, "a modulus"));
    return read_selection(r, node, &actuator->where);
}

static lithe_status read_servo(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_SERVO));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_text(r, node, "part", &actuator->part));
    if (!actuator->part)
        LITHE_TRY(read_selection(r, node, &actuator->where));
    LITHE_TRY(read_triple(r, node, KEYS_SERVO, "axis", actuator->direction));
    return read_triple(r, node, KEYS_SERVO, "through", actuator->through);
}

// What stands under each kind of actuator.
typedef struct actuator_kind {
    const char *key;
    lithe_actuator_kind kind;
    keys_block limits, command;
    lithe_status (*read)(const reader *r, const tree_node *node, lithe_actuator_def *actuator);
} actuator_kind;

static const actuator_kind kinds[] = {
    {"cable", LITHE_CABLE, KEYS_CABLE_LIMITS, KEYS_CABLE_COMMAND, read_cable},
    {"piston", LITHE_PISTON, KEYS_PISTON_LIMITS, KEYS_PISTON_COMMAND, read_piston},
    {"cavity", LITHE_CAVITY, KEYS_CAVITY_LIMITS, KEYS_CAVITY_COMMAND, read_cavity},
    {"liquid", LITHE_LIQUID, KEYS_CAVITY_LIMITS, KEYS_CAVITY_COMMAND, read_liquid},
    {"force", LITHE_FORCE, KEYS_PUSH_LIMITS, KEYS_PUSH_COMMAND, read_force},
    {"slider", LITHE_SLIDER, KEYS_SLIDER_LIMITS, KEYS_SLIDER_COMMAND, read_slider},
    {"modulus", LITHE_MODULUS, KEYS_MODULUS_LIMITS, KEYS_MODULUS_COMMAND, read_modulus},
    {"servo", LITHE_SERVO, KEYS_SERVO_LIMITS, KEYS_SERVO_COMMAND, read_servo},
};

static const actuator_kind *find_kind(const tree_node *node)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (tree_find(node, kinds[i].key))
            return &kinds[i];
    return NULL;
}

// The range of one quantity, and its rate where the block knows one.
static lithe_status read_limit(const reader *r, const tree_node *map, keys_block block,
                               const lithe_quantity *q, double range[2], double *rate)
{
    char key[64];
    if (!q->name || !keys_find(block, q->name))
        return LITHE_OK;
    LITHE_TRY(read_range(r, map, block, q->name, range));
    snprintf(key, sizeof key, "%s_rate", q->name);
    return keys_find(block, key) ? read_positive(r, map, block, key, rate) : LITHE_OK;
}

static lithe_status read_limits(const reader *r, const tree_node *map, keys_block block,
                                lithe_actuator_def *actuator)
{
    const tree_node *node = tree_find(map, "limits");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_limit(r, node, block, lithe_actuator_quantity(actuator->kind, LITHE_EFFORT),
                         actuator->effort_limit, &actuator->effort_rate));
    return read_limit(r, node, block, lithe_actuator_quantity(actuator->kind, LITHE_DISPLACEMENT),
                      actuator->displacement_limit, &actuator->displacement_rate);
}

static lithe_status read_command(const reader *r, const tree_node *map, keys_block block,
                                 lithe_actuator_def *actuator)
{
    const tree_node *node = tree_find(map, "command");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, block));
    const char *effort = lithe_actuator_quantity(actuator->kind, LITHE_EFFORT)->name;
    actuator->command = tree_find(node, effort) ? LITHE_EFFORT : LITHE_DISPLACEMENT;
    const char *given = lithe_actuator_quantity(actuator->kind, actuator->command)->name;
    if (command_count(actuator) == 3)
        return read_triple(r, node, block, given, actuator->value);
    return read_quantity(r, node, block, given, &actuator->value[0]);
}

static lithe_status check_command(const reader *r, const tree_node *map,
                                  const lithe_actuator_def *actuator)
{
    lithe_report outside = lithe_report_default();
    const tree_node *command = tree_find(map, "command");
    if (actuator->kind == LITHE_MODULUS && !(actuator->value[0] > 0))
        return tree_fail(r->report, command ? command->child->at : tree_location(map),
                         "a modulus needs a Young's modulus above 0 to start from; write command: "
                         "{young: 10 kPa}");
    if (command_check_limits(actuator, actuator->command, actuator->value, &outside) == LITHE_OK)
        return LITHE_OK;
    if (command)
        return tree_fail(r->report, command->child->at, "%s", outside.error);
    return tree_fail(r->report, tree_location(map), "without a command, %s", outside.error);
}

lithe_status read_actuator(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_ACTUATOR));
    const actuator_kind *kind = find_kind(node);
    *actuator = lithe_actuator_def_default(kind->kind);
    LITHE_TRY(kind->read(r, tree_find(node, kind->key), actuator));
    actuator->name = node->key;
    LITHE_TRY(read_location(r, node, &actuator->location));
    LITHE_TRY(read_limits(r, node, kind->limits, actuator));
    LITHE_TRY(read_command(r, node, kind->command, actuator));
    LITHE_TRY(read_bool(r, node, "given", &actuator->given));
    LITHE_TRY(check_command(r, node, actuator));
    return read_play(r, node, actuator);
}
