#include "scene/read.h"

#include "base/status.h"
#include "scene/command.h"

static lithe_status read_through(const reader *r, const tree_node *map,
                                 lithe_actuator_def *actuator)
{
    const tree_node *node = tree_find(map, "through");
    const char *body = NULL;
    LITHE_TRY(read_body_name(r, map, &body));
    bool one_point = node->kind == TREE_LIST && node->child && node->child->kind == TREE_TEXT;
    if (node->kind != TREE_LIST || node->nchild == 0 || one_point)
        return tree_fail(r->report, tree_value_place(node),
                         "expected a list of points, [[x, y, z], ...], also for a single one");
    lithe_point_def *point = read_alloc(r, node->nchild, sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    actuator->npoint = node->nchild;
    actuator->point = point;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_carried(r, c, body, point++));
    return LITHE_OK;
}

static lithe_status read_cable(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_CABLE));
    LITHE_TRY(read_through(r, node, actuator));
    LITHE_TRY(read_triple(r, node, KEYS_CABLE, "pulled_from", actuator->pulled_from));
    LITHE_TRY(read_triple(r, node, KEYS_CABLE, "tied_to", actuator->tied_to));
    actuator->has_pulled_from = tree_find(node, "pulled_from") != NULL;
    actuator->has_tied_to = tree_find(node, "tied_to") != NULL;
    if (actuator->npoint + actuator->has_pulled_from + actuator->has_tied_to >= 2)
        return LITHE_OK;
    return tree_fail(r->report, tree_place(node),
                     "a cable needs two points or more; add one to through, or give pulled_from or "
                     "tied_to");
}

static lithe_status read_piston(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    const char *body = NULL;
    LITHE_TRY(read_map(r, node, KEYS_PISTON));
    LITHE_TRY(read_body_name(r, node, &body));
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
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    const tree_node *body = tree_find(tree_find(r->root, "bodies"), actuator->body);
    return read_reference(r, node, "cavity", tree_find(body, "cavities"), "cavity of that body",
                          &actuator->cavity);
}

static lithe_status read_limits(const reader *r, const tree_node *map, lithe_actuator_def *actuator)
{
    static const keys_block block_of[] = {[LITHE_CABLE] = KEYS_CABLE_LIMITS,
                                          [LITHE_PISTON] = KEYS_PISTON_LIMITS,
                                          [LITHE_CAVITY] = KEYS_CAVITY_LIMITS};
    const tree_node *node = tree_find(map, "limits");
    if (!node)
        return LITHE_OK;
    keys_block block = block_of[actuator->kind];
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_range(r, node, block, command_quantity_of(actuator->kind, LITHE_EFFORT)->name,
                         actuator->effort_limit));
    return read_range(r, node, block, command_quantity_of(actuator->kind, LITHE_DISPLACEMENT)->name,
                      actuator->displacement_limit);
}

static lithe_status read_command(const reader *r, const tree_node *map,
                                 lithe_actuator_def *actuator)
{
    static const keys_block block_of[] = {[LITHE_CABLE] = KEYS_CABLE_COMMAND,
                                          [LITHE_PISTON] = KEYS_PISTON_COMMAND,
                                          [LITHE_CAVITY] = KEYS_CAVITY_COMMAND};
    const tree_node *node = tree_find(map, "command");
    if (!node)
        return LITHE_OK;
    keys_block block = block_of[actuator->kind];
    LITHE_TRY(read_map(r, node, block));
    const char *effort = command_quantity_of(actuator->kind, LITHE_EFFORT)->name;
    actuator->command = tree_find(node, effort) ? LITHE_EFFORT : LITHE_DISPLACEMENT;
    const char *given = command_quantity_of(actuator->kind, actuator->command)->name;
    return read_quantity(r, node, block, given, &actuator->value[0]);
}

static lithe_status check_command(const reader *r, const tree_node *map,
                                  const lithe_actuator_def *actuator)
{
    lithe_report outside = lithe_report_default();
    if (command_check_limits(actuator, actuator->command, actuator->value[0], &outside) == LITHE_OK)
        return LITHE_OK;
    const tree_node *command = tree_find(map, "command");
    if (command)
        return tree_fail(r->report, command->child->at, "%s", outside.error);
    return tree_fail(r->report, tree_place(map), "without a command, %s", outside.error);
}

static lithe_status read_kind(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    const tree_node *kind;
    if ((kind = tree_find(node, "cable"))) {
        *actuator = lithe_actuator_def_default(LITHE_CABLE);
        return read_cable(r, kind, actuator);
    }
    if ((kind = tree_find(node, "piston"))) {
        *actuator = lithe_actuator_def_default(LITHE_PISTON);
        return read_piston(r, kind, actuator);
    }
    *actuator = lithe_actuator_def_default(LITHE_CAVITY);
    return read_cavity(r, tree_find(node, "cavity"), actuator);
}

lithe_status read_actuator(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_ACTUATOR));
    LITHE_TRY(read_kind(r, node, actuator));
    actuator->name = node->key;
    LITHE_TRY(read_place(r, node, &actuator->place));
    LITHE_TRY(read_limits(r, node, actuator));
    LITHE_TRY(read_command(r, node, actuator));
    return check_command(r, node, actuator);
}
