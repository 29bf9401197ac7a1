// What actuators along lines through points have in common.
#include "scene/actuator_kind.h"

#include "row/point.h"

#include <stdio.h>
#include <string.h>

// Its own stretch, which is not negative.
lithe_status actuator_read_compliance(const reader *r, const tree_node *map, keys_block block,
                                      lithe_actuator_def *actuator)
{
    LITHE_TRY(read_quantity(r, map, block, "compliance", &actuator->compliance));
    if (actuator->compliance >= 0)
        return LITHE_OK;
    return tree_fail(r->report, tree_find(map, "compliance")->at,
                     "compliance must not be negative; leave it out for an actuator that does not "
                     "stretch");
}

lithe_status actuator_read_ends(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    point_list ends = {.patches = true};
    LITHE_TRY(read_ends(r, node, &ends));
    actuator->npoint = ends.n;
    actuator->point = ends.point;
    actuator->patch = ends.patch;
    return LITHE_OK;
}

static lithe_status compile_patch(compiler *c, const lithe_actuator_def *d, int i, row_point *out)
{
    row_cloud cloud = {0};
    row_patch *patch = arena_new(&c->model->memory, 1, row_patch);
    if (!patch)
        return compile_no_memory(c);
    LITHE_TRY(compile_cloud_of_patch(c, d->location, d->point[i].body, d->patch[i], &cloud));
    if (cloud.n > ROW_PATCH_NODE)
        return compile_fail(c, d->location,
                            "actuator '%s': its patch has %d nodes, and all of them are coupled; "
                            "select at most %d, or make it a rigid part and pull on a point of it",
                            d->name, cloud.n, ROW_PATCH_NODE);
    *patch = (row_patch){cloud.n, cloud.node, cloud.weight};
    *out = (row_point){.body = cloud.body, .patch = patch};
    return LITHE_OK;
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
        compile_world_point(d->pulled_from, &r->line.point[n++]);
    for (int i = 0; i < d->npoint; i++, n++)
        if (d->patch && d->patch[i])
            LITHE_TRY(compile_patch(c, d, i, &r->line.point[n]));
        else
            LITHE_TRY(compile_line_point(c, d->location, what, &d->point[i], &r->line.point[n]));
    if (d->kind == LITHE_CABLE && d->has_tied_to)
        compile_world_point(d->tied_to, &r->line.point[n++]);
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

lithe_status actuator_check_ends(const compiler *c, const lithe_actuator_def *d)
{
    if (d->npoint != 2)
        return compile_fail(c, d->location, "%s '%s' needs two points, it has %d",
                            actuator_kinds[d->kind]->name, d->name, d->npoint);
    return LITHE_OK;
}
