#include "scene/reader.h"

#include "base/status.h"
#include "scene/actuator_kind.h"
#include "scene/actuator_quantity.h"

#include <stdio.h>

static lithe_actuator_kind find_kind(const tree_node *node)
{
    int kind = 0;
    while (kind + 1 < ACTUATOR_KINDS && !tree_find(node, actuator_kinds[kind]->name))
        kind++;
    return (lithe_actuator_kind)kind;
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
    if (actuator_kinds[actuator->kind]->parameter && !(actuator->value[0] > 0))
        return tree_fail(r->report, command ? command->child->at : tree_location(map),
                         "a modulus needs a Young's modulus above 0 to start from; write command: "
                         "{young: 10 kPa}");
    if (command_check_limits(actuator, actuator->command, actuator->value, &outside) == LITHE_OK)
        return LITHE_OK;
    if (command)
        return tree_fail(r->report, command->child->at, "%s", outside.error);
    return tree_fail(r->report, tree_location(map), "without a command, %s", outside.error);
}

static lithe_status read_valve(const reader *r, const tree_node *map, lithe_actuator_def *actuator)
{
    const tree_node *node = tree_find(map, "valve");
    if (!node)
        return LITHE_OK;
    if (!actuator_kinds[actuator->kind]->has_valve)
        return tree_fail(r->report, node->key_at,
                         "only what is told a pressure has a valve; leave it out");
    LITHE_TRY(read_map(r, node, KEYS_VALVE));
    LITHE_TRY(read_positive(r, node, KEYS_VALVE, "inflation", &actuator->inflation_time));
    LITHE_TRY(read_positive(r, node, KEYS_VALVE, "deflation", &actuator->deflation_time));
    LITHE_TRY(read_positive(r, node, KEYS_VALVE, "inflation_rate", &actuator->inflation_rate));
    return read_positive(r, node, KEYS_VALVE, "deflation_rate", &actuator->deflation_rate);
}

lithe_status read_actuator(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_ACTUATOR));
    lithe_actuator_kind kind = find_kind(node);
    *actuator = lithe_actuator_def_default(kind);
    LITHE_TRY(actuator_kinds[kind]->read(r, tree_find(node, actuator_kinds[kind]->name), actuator));
    LITHE_TRY(read_actuator_frame(r, node, actuator_kinds[actuator->kind]->on_joint, actuator));
    actuator->name = node->key;
    LITHE_TRY(read_location(r, node, &actuator->location));
    LITHE_TRY(read_limits(r, node, KEYS_LIMITS_OF(kind), actuator));
    LITHE_TRY(read_command(r, node, KEYS_COMMAND_OF(kind), actuator));
    LITHE_TRY(read_bool(r, node, "given", &actuator->given));
    LITHE_TRY(check_command(r, node, actuator));
    LITHE_TRY(read_valve(r, node, actuator));
    return read_play(r, node, actuator);
}
