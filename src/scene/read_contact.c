#include "scene/obstacle_kind.h"

#include "base/status.h"

lithe_status read_waypath(const reader *r, const tree_node *map, int *n, const double **times,
                          const double **ways)
{
    const tree_node *node = tree_find(map, "path");
    double before = 0;
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST || node->nchild == 0)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of waypoints, [{time: 1 s, move: [x, y, z]}, ...]");
    double *time = read_alloc(r, node->nchild, sizeof *time);
    double *way = read_alloc(r, node->nchild, 6 * sizeof *way);
    if (!time || !way)
        return LITHE_NO_MEMORY;
    *n = node->nchild;
    *times = time;
    *ways = way;
    for (const tree_node *c = node->child; c; c = c->next, time++, way += 6) {
        LITHE_TRY(read_map(r, c, KEYS_OBSTACLE_WAYPOINT));
        LITHE_TRY(read_quantity(r, c, KEYS_OBSTACLE_WAYPOINT, "time", time));
        LITHE_TRY(read_triple(r, c, KEYS_OBSTACLE_WAYPOINT, "rotate", way));
        LITHE_TRY(read_triple(r, c, KEYS_OBSTACLE_WAYPOINT, "move", way + 3));
        if (*time < before)
            return tree_fail(r->report, tree_find(c, "time")->at,
                             "times must not fall, from 0 on; this one is %g s", *time);
        before = *time;
    }
    return LITHE_OK;
}

static lithe_status read_friction(const reader *r, const tree_node *map, keys_block block,
                                  double *friction)
{
    const tree_node *node = tree_find(map, "friction");
    LITHE_TRY(read_quantity(r, map, block, "friction", friction));
    if (node && !(*friction >= 0))
        return tree_fail(r->report, tree_value_location(node),
                         "the coefficient of friction is 0 or more");
    return LITHE_OK;
}

// Two coefficients, and the direction of the first.
static lithe_status read_frictions(const reader *r, const tree_node *map, keys_block block,
                                   double *friction, double *across, double along[3])
{
    const tree_node *node = tree_find(map, "friction_across"), *way = tree_find(map, "along");
    LITHE_TRY(read_friction(r, map, block, friction));
    LITHE_TRY(read_quantity(r, map, block, "friction_across", across));
    LITHE_TRY(read_triple(r, map, block, "along", along));
    if (node && !(*across >= 0))
        return tree_fail(r->report, tree_value_location(node),
                         "the coefficient of friction is 0 or more");
    if (!node != !way || (node && !tree_find(map, "friction")))
        return tree_fail(r->report, (node ? node : way)->key_at,
                         "friction by direction takes three keys: friction, that along a "
                         "direction, friction_across, and along, the direction");
    return LITHE_OK;
}

static lithe_status read_restitution(const reader *r, const tree_node *map, keys_block block,
                                     double *restitution)
{
    const tree_node *node = tree_find(map, "restitution");
    LITHE_TRY(read_quantity(r, map, block, "restitution", restitution));
    if (node && !(*restitution >= 0 && *restitution <= 1))
        return tree_fail(r->report, tree_value_location(node),
                         "a restitution is from 0, no bounce, to 1, at the speed of the blow: "
                         "above 1 every bounce would add energy");
    return LITHE_OK;
}

lithe_status read_obstacle(const reader *r, const tree_node *node, lithe_obstacle_def *obstacle)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE));
    for (int k = 0; k < OBSTACLE_KINDS; k++) {
        const tree_node *shape = tree_find(node, obstacle_kinds[k].name);
        if (!shape)
            continue;
        *obstacle = lithe_obstacle_def_default((lithe_obstacle_kind)k);
        obstacle->name = node->key;
        LITHE_TRY(read_location(r, node, &obstacle->location));
        LITHE_TRY(obstacle_kinds[k].read(r, shape, obstacle));
        LITHE_TRY(read_frictions(r, node, KEYS_OBSTACLE, &obstacle->friction,
                                 &obstacle->friction_across, obstacle->along));
        LITHE_TRY(read_restitution(r, node, KEYS_OBSTACLE, &obstacle->restitution));
        return read_waypath(r, node, &obstacle->nwaypoint, &obstacle->waypoint_time,
                            &obstacle->waypoint);
    }
    return LITHE_OK; // read_map has refused it
}

static lithe_status read_self(const reader *r, const tree_node *map, lithe_contacts_def *contacts)
{
    const tree_node *node = tree_find(map, "self");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of bodies such as [robot]");
    const char **name = read_alloc(r, node->nchild, sizeof *name);
    if (!name)
        return LITHE_NO_MEMORY;
    contacts->self = name;
    contacts->nself = node->nchild;
    for (const tree_node *c = node->child; c; c = c->next) {
        if (c->kind != TREE_TEXT)
            return tree_fail(r->report, tree_value_location(c), "expected the name of a body");
        *name++ = c->text;
    }
    return LITHE_OK;
}

static lithe_status read_pair(const reader *r, const tree_node *node, lithe_pair_def *pair)
{
    static const char *const ways[] = {"points", "volume"};
    const tree_node *patch = tree_find(node, "patch");
    int way = 0;
    *pair = lithe_pair_def_default();
    LITHE_TRY(read_map(r, node, KEYS_PAIR));
    LITHE_TRY(read_location(r, node, &pair->location));
    LITHE_TRY(read_body_name(r, node, &pair->body));
    LITHE_TRY(read_text(r, node, "surface", &pair->surface));
    LITHE_TRY(read_text(r, node, "with", &pair->with));
    LITHE_TRY(read_text(r, node, "with_surface", &pair->with_surface));
    LITHE_TRY(read_positive(r, node, KEYS_PAIR, "detection_distance", &pair->detection_distance));
    LITHE_TRY(read_word(r, node, "by", 2, ways, &way));
    pair->volume = way == 1;
    if (patch && !pair->volume)
        return tree_fail(r->report, patch->key_at, "patch is of contact by: volume; remove it");
    LITHE_TRY(read_positive(r, node, KEYS_PAIR, "patch", &pair->patch));
    LITHE_TRY(
        read_frictions(r, node, KEYS_PAIR, &pair->friction, &pair->friction_across, pair->along));
    LITHE_TRY(read_restitution(r, node, KEYS_PAIR, &pair->restitution));
    LITHE_TRY(read_bool(r, node, "off", &pair->off));
    return read_pair_frame(r, node, pair);
}

static lithe_status read_pairs(const reader *r, const tree_node *map, lithe_contacts_def *contacts)
{
    const tree_node *node = tree_find(map, "pairs");
    bool others = true;
    LITHE_TRY(read_bool(r, map, "others", &others));
    contacts->only_named = !others;
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of pairs such as [{body: robot, with: floor}]");
    lithe_pair_def *pair = read_alloc(r, node->nchild, sizeof *pair);
    if (!pair)
        return LITHE_NO_MEMORY;
    contacts->npair = node->nchild;
    contacts->pair = pair;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_pair(r, c, pair++));
    return LITHE_OK;
}

lithe_status read_contacts(const reader *r, lithe_contacts_def *contacts)
{
    static const char *const searches[] = {"local", "global"};
    const tree_node *node = tree_find(r->root, "contacts");
    if (!node)
        return LITHE_OK;
    int search = 0;
    LITHE_TRY(read_map(r, node, KEYS_CONTACTS));
    LITHE_TRY(read_location(r, node, &contacts->location));
    LITHE_TRY(read_count_to(r, node, "max", LITHE_CONTACTS_MAX, &contacts->max));
    LITHE_TRY(
        read_positive(r, node, KEYS_CONTACTS, "detection_distance", &contacts->detection_distance));
    LITHE_TRY(read_positive(r, node, KEYS_CONTACTS, "overlap", &contacts->overlap));
    LITHE_TRY(read_word(r, node, "search", 2, searches, &search));
    contacts->global = search == 1;
    LITHE_TRY(read_friction(r, node, KEYS_CONTACTS, &contacts->friction));
    LITHE_TRY(read_restitution(r, node, KEYS_CONTACTS, &contacts->restitution));
    LITHE_TRY(read_pairs(r, node, contacts));
    return read_self(r, node, contacts);
}
