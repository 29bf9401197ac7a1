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

lithe_status actuator_check_ends(const compiler *c, const lithe_actuator_def *d)
{
    if (d->npoint != 2)
        return compile_fail(c, d->location, "%s '%s' needs two points, it has %d",
                            actuator_kinds[d->kind]->name, d->name, d->npoint);
    return LITHE_OK;
}
