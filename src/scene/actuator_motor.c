// Motors: what a hinge leaves free is driven.
#include "scene/actuator_kind.h"

#include "base/status.h"

static lithe_status read_motor(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_MOTOR)));
    return read_reference(r, node, "joint", tree_find(r->root, "joints"), "joint", &actuator->part);
}

static lithe_status check_motor(const compiler *c, const lithe_actuator_def *d)
{
    if (!d->part)
        return compile_fail(c, d->location, "motor '%s' needs a joint", d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row motor_keys[] = {
    {KEYS_ACTUATOR, "motor",   KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "drives a hinge between two bodies"},
    {KEYS_OF(LITHE_MOTOR), "joint", KEYS_REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a hinge under joints"},
    {KEYS_LIMITS_OF(LITHE_MOTOR),  "angle",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_ANGLE,  "range of the angle"},
    {KEYS_LIMITS_OF(LITHE_MOTOR),  "torque",     KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_MOMENT, "range of the torque"},
    {KEYS_LIMITS_OF(LITHE_MOTOR),  "angle_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_SPIN,   "fastest change of the angle"},
    {KEYS_COMMAND_OF(LITHE_MOTOR), "angle",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_ANGLE,  "from rest"},
    {KEYS_COMMAND_OF(LITHE_MOTOR), "torque",     KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_MOMENT, "about the axis"},
};
// clang-format on

const actuator_kind actuator_motor = {
    .name = "motor",
    .quantity = {[LITHE_EFFORT] = {"torque", QUANTITY_MOMENT, false},
                 [LITHE_DISPLACEMENT] = {"angle", QUANTITY_ANGLE, false}},
    .told = LITHE_DISPLACEMENT,
    .heading = ACTUATOR_HEADINGS("motor", KEYS_SELECTS_NONE),
    .key = motor_keys,
    .nkey = sizeof motor_keys / sizeof *motor_keys,
    .read = read_motor,
    .check = check_motor,
    .compile = compile_motor,
};
