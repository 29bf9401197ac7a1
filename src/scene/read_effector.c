// What is measured: effectors and sensors.
#include "scene/reader.h"

#include "base/status.h"
#include "scene/sensor_kind.h"
#include "step/target.h"

#include <string.h>

lithe_status read_one_point(const reader *r, const tree_node *node, int *n,
                            const lithe_point_def **point)
{
    LITHE_TRY(read_map(r, node, KEYS_POINT));
    lithe_point_def *at = read_alloc(r, 1, sizeof *at);
    if (!at)
        return LITHE_NO_MEMORY;
    *n = 1;
    *point = at;
    LITHE_TRY(read_body_name(r, node, &at->body));
    return read_triple(r, node, KEYS_POINT, "at", at->at);
}

static lithe_status read_several(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    point_list points = {0};
    LITHE_TRY(read_map(r, node, KEYS_POINTS));
    LITHE_TRY(read_carrieds(r, node, "at", 0, &points));
    e->npoint = points.n;
    e->point = points.point;
    return LITHE_OK;
}

lithe_status read_volume_of(const reader *r, const tree_node *node, const char **carrier,
                            const char **cavity)
{
    LITHE_TRY(read_map(r, node, KEYS_VOLUME));
    return read_cavity_name(r, node, carrier, cavity);
}

static lithe_status read_patch(const reader *r, const tree_node *node, keys_block block,
                               lithe_effector_def *e)
{
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_body_name(r, node, &e->body));
    return keys_selection(block) == KEYS_SELECTS_NONE ? LITHE_OK
                                                      : read_selection(r, node, &e->where);
}

// Fills what its one kind of measure needs.
static lithe_status read_kind(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    const tree_node *kind;
    e->kind = LITHE_POINTS;
    if ((kind = tree_find(node, "point")))
        return read_one_point(r, kind, &e->npoint, &e->point);
    if ((kind = tree_find(node, "points")))
        return read_several(r, kind, e);
    e->kind = LITHE_BARYCENTRE;
    if ((kind = tree_find(node, "barycentre")))
        return read_patch(r, kind, KEYS_BARYCENTRE, e);
    e->kind = LITHE_MASS_CENTRE;
    if ((kind = tree_find(node, "mass_centre")))
        return read_patch(r, kind, KEYS_MASS_CENTRE, e);
    e->kind = LITHE_ROTATION;
    if ((kind = tree_find(node, "orientation")))
        return read_patch(r, kind, KEYS_ORIENTATION, e);
    e->kind = LITHE_VOLUME;
    if ((kind = tree_find(node, "volume")))
        return read_volume_of(r, kind, &e->body, &e->cavity);
    e->kind = LITHE_LENGTH;
    return read_line_points(r, tree_find(node, "length"), &e->npoint, &e->point);
}

// A key that means nothing for this kind of effector.
static lithe_status refuse_key(const reader *r, const tree_node *node, const char *key, bool wrong,
                               const char *why)
{
    const tree_node *found = tree_find(node, key);
    if (!found || !wrong)
        return LITHE_OK;
    return tree_fail(r->report, found->key_at, "%s; remove %s", why, key);
}

static lithe_status check_keys(const reader *r, const tree_node *node, const lithe_effector_def *e)
{
    bool number = e->kind == LITHE_VOLUME || e->kind == LITHE_LENGTH;
    LITHE_TRY(refuse_key(r, node, "axes", number, "a volume or a length is one number"));
    LITHE_TRY(refuse_key(r, node, "direction", number || e->kind == LITHE_ROTATION,
                         "only positions are measured along a direction"));
    LITHE_TRY(refuse_key(r, node, "direction", tree_find(node, "axes") != NULL,
                         "axes say already what counts"));
    return refuse_key(r, node, "load", e->kind != LITHE_POINTS, "a load hangs on points only");
}

static lithe_status read_rank(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    LITHE_TRY(read_positive(r, node, KEYS_EFFECTOR, "weight", &e->weight));
    LITHE_TRY(read_count(r, node, "priority", &e->priority));
    if (e->priority <= STEP_LEVELS)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(node, "priority")->at, "priorities are 1 to %d",
                     STEP_LEVELS);
}

lithe_status read_effector(const reader *r, const tree_node *node, lithe_effector_def *e)
{
    *e = lithe_effector_def_default(LITHE_POINTS);
    e->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_EFFECTOR));
    LITHE_TRY(read_location(r, node, &e->location));
    LITHE_TRY(read_kind(r, node, e));
    LITHE_TRY(check_keys(r, node, e));
    LITHE_TRY(read_axes(r, node, &e->axes));
    LITHE_TRY(read_direction(r, node, KEYS_EFFECTOR, &e->has_direction, e->direction));
    LITHE_TRY(read_rank(r, node, e));
    LITHE_TRY(read_triple(r, node, KEYS_EFFECTOR, "load", e->load));
    return read_effector_frame(r, node, e);
}

lithe_status read_sensor(const reader *r, const tree_node *node, const lithe_def *def,
                         lithe_sensor_def *sensor)
{
    LITHE_TRY(read_map(r, node, KEYS_SENSOR));
    int kind = 0;
    const tree_node *found = NULL;
    for (; kind < SENSOR_KINDS; kind++) {
        const char *const *key = sensor_kinds[kind]->choice;
        for (int i = 0; i < SENSOR_CHOICES && key[i] && !found; i++)
            found = tree_find(node, key[i]);
        if (found)
            break;
    }
    *sensor = lithe_sensor_def_default((lithe_sensor_kind)kind);
    sensor->name = node->key;
    LITHE_TRY(read_location(r, node, &sensor->location));
    LITHE_TRY(sensor_kinds[kind]->read(r, found, def, sensor));
    return read_sensor_frame(r, node, sensor);
}
