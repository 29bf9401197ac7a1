// Held nodes that are moved along an axis.
#include "scene/actuator_kind.h"

static lithe_status read_slider(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_SLIDER)));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_selection(r, node, &actuator->where));
    return read_direction(r, node, KEYS_OF(LITHE_SLIDER), &actuator->has_direction,
                          actuator->direction);
}

static lithe_status add_slider(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = compile_next_row(c, group);
    int n, *node;
    r->kind = ROW_SLIDER;
    r->compliance = 1;
    LITHE_TRY(compile_direction(c, d->location, d->name, d->direction, r->region.axis));
    LITHE_TRY(compile_find_body(c, d->location, d->body, &r->region.body));
    LITHE_TRY(compile_find_nodes(c, r->region.body, d->location, &d->where, &n, &node));
    for (int i = 0; i < n; i++)
        if (body_is_carried(&c->model->body[r->region.body], node[i]))
            return compile_fail(c, d->location,
                                "slider '%s' moves node %d, which a rigid part or a servo carries; "
                                "leave it out of one of the two",
                                d->name, node[i]);
    LITHE_TRY(compile_members(c, n, node, &r->region));
    c->model->body[r->region.body].moves = true;
    return compile_finish_row(c, r, false);
}

// clang-format off
static const keys_row slider_keys[] = {
    {KEYS_ACTUATOR, "slider",  KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "nodes that are moved along an axis"},
    {KEYS_OF(LITHE_SLIDER), "body",      KEYS_REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_OF(LITHE_SLIDER), "direction", KEYS_REQUIRED, KEYS_TRIPLE, QUANTITY_NUMBER, "the axis along which the nodes are moved"},
    {KEYS_LIMITS_OF(LITHE_SLIDER),  "travel",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,   "range of the travel"},
    {KEYS_LIMITS_OF(LITHE_SLIDER),  "travel_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY, "fastest travel"},
    {KEYS_COMMAND_OF(LITHE_SLIDER), "travel",      KEYS_REQUIRED, KEYS_QUANTITY, QUANTITY_LENGTH,   "from rest"},
};
// clang-format on

const actuator_kind actuator_slider = {
    .name = "slider",
    .quantity = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE, true},
                 [LITHE_DISPLACEMENT] = {"travel", QUANTITY_LENGTH, false}},
    .holds = true,
    .told = LITHE_DISPLACEMENT,
    .heading = ACTUATOR_HEADINGS("slider", KEYS_SELECTS_ONE),
    .key = slider_keys,
    .nkey = sizeof slider_keys / sizeof *slider_keys,
    .read = read_slider,
    .compile = add_slider,
};
