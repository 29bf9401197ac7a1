// Servos: what they carry rotates about an axis.
#include "scene/actuator_kind.h"

#include "row/point.h"

#include <stdio.h>
#include <string.h>

static lithe_status read_servo(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_SERVO)));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_text(r, node, "part", &actuator->part));
    if (!actuator->part)
        LITHE_TRY(read_selection(r, node, &actuator->where));
    LITHE_TRY(read_triple(r, node, KEYS_OF(LITHE_SERVO), "axis", actuator->direction));
    return read_triple(r, node, KEYS_OF(LITHE_SERVO), "through", actuator->through);
}

// The rotation of what it rotates, along its axis. The axis is of length 1, so is its own inverse.
static lithe_status add_servo(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = compile_next_row(c, group);
    int k = 0;
    const compile_body *part;
    r->kind = ROW_ANGLE;
    LITHE_TRY(compile_find_body(c, d->location, d->body, &r->cloud.body));
    part = &c->body[r->cloud.body];
    while (strcmp(part->frame[k].name, d->part ? d->part : d->name) != 0 || !part->frame[k].hinge)
        k++;
    memcpy(r->cloud.direction, part->frame[k].axis, sizeof r->cloud.direction);
    r->cloud.n = 1;
    r->cloud.node = arena_new(&c->model->memory, 1, int);
    r->cloud.weight = arena_new(&c->model->memory, 1, double);
    if (!r->cloud.node || !r->cloud.weight)
        return compile_no_memory(c);
    r->cloud.node[0] = c->model->body[r->cloud.body].node_adr + compile_frame_node(part, k);
    r->cloud.weight[0] = 1;
    return compile_finish_row(c, r, false);
}

static lithe_status check_servo(const compiler *c, const lithe_actuator_def *d)
{
    bool finite = isfinite(d->through[0]) && isfinite(d->through[1]) && isfinite(d->through[2]);
    if (!d->body || !finite)
        return compile_fail(c, d->location, "servo '%s' needs a body and a point of its axis",
                            d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row servo_keys[] = {
    {KEYS_ACTUATOR, "servo",   KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a rigid part or nodes that are rotated about an axis"},
    {KEYS_OF(LITHE_SERVO), "body",    KEYS_REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_OF(LITHE_SERVO), "part",    KEYS_ONE_OF,   KEYS_TEXT,   QUANTITY_NUMBER, "a rigid part of the body"},
    {KEYS_OF(LITHE_SERVO), "axis",    KEYS_REQUIRED, KEYS_TRIPLE, QUANTITY_NUMBER, "the direction of its axis; angles are right-handed about it"},
    {KEYS_OF(LITHE_SERVO), "through", KEYS_REQUIRED, KEYS_TRIPLE, QUANTITY_LENGTH, "a point of its axis"},
    {KEYS_LIMITS_OF(LITHE_SERVO),  "angle",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_ANGLE,  "range of the angle"},
    {KEYS_LIMITS_OF(LITHE_SERVO),  "torque",     KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_MOMENT, "range of the torque"},
    {KEYS_LIMITS_OF(LITHE_SERVO),  "angle_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_SPIN,   "fastest change of the angle"},
    {KEYS_COMMAND_OF(LITHE_SERVO), "angle",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_ANGLE,  "from rest"},
    {KEYS_COMMAND_OF(LITHE_SERVO), "torque",     KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_MOMENT, "about the axis"},
};
// clang-format on

const actuator_kind actuator_servo = {
    .name = "servo",
    .quantity = {[LITHE_EFFORT] = {"torque", QUANTITY_MOMENT, false},
                 [LITHE_DISPLACEMENT] = {"angle", QUANTITY_ANGLE, false}},
    .turns = true,
    .told = LITHE_DISPLACEMENT,
    .heading = ACTUATOR_HEADINGS("servo", KEYS_SELECTS_ONE),
    .key = servo_keys,
    .nkey = sizeof servo_keys / sizeof *servo_keys,
    .read = read_servo,
    .check = check_servo,
    .compile = add_servo,
};
