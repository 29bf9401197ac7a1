// Motors: what a joint leaves free is driven, an angle or a travel.
#include "scene/actuator_kind.h"

#include "base/status.h"

static lithe_status read_joint_name(const reader *r, const tree_node *node,
                                    lithe_actuator_def *actuator)
{
    return read_reference(r, node, "joint", tree_find(r->root, "joints"), "joint", &actuator->part);
}

static lithe_status read_motor(const reader *r, const tree_node *node, lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_MOTOR)));
    actuator->has_direction = tree_find(node, "about");
    LITHE_TRY(read_triple(r, node, KEYS_OF(LITHE_MOTOR), "about", actuator->direction));
    return read_joint_name(r, node, actuator);
}

static lithe_status read_linear_motor(const reader *r, const tree_node *node,
                                      lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_LINEAR_MOTOR)));
    actuator->has_direction = tree_find(node, "along");
    LITHE_TRY(read_triple(r, node, KEYS_OF(LITHE_LINEAR_MOTOR), "along", actuator->direction));
    return read_joint_name(r, node, actuator);
}

static lithe_status check_motor(const compiler *c, const lithe_actuator_def *d)
{
    if (!d->part)
        return compile_fail(c, d->location, "motor '%s' needs a joint", d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row motor_keys[] = {
    {KEYS_ACTUATOR, "motor",   KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "drives an angle of a joint"},
    {KEYS_OF(LITHE_MOTOR), "joint", KEYS_REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under joints"},
    {KEYS_OF(LITHE_MOTOR), "about", KEYS_OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "which of two axes, at rest"},
    {KEYS_LIMITS_OF(LITHE_MOTOR),  "angle",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_ANGLE,  "range of the angle"},
    {KEYS_LIMITS_OF(LITHE_MOTOR),  "torque",     KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_MOMENT, "range of the torque"},
    {KEYS_LIMITS_OF(LITHE_MOTOR),  "angle_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_SPIN,   "fastest change of the angle"},
    {KEYS_COMMAND_OF(LITHE_MOTOR), "angle",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_ANGLE,  "from rest"},
    {KEYS_COMMAND_OF(LITHE_MOTOR), "torque",     KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_MOMENT, "about the axis"},
};

static const keys_row linear_motor_keys[] = {
    {KEYS_ACTUATOR, "linear_motor",   KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "drives a travel of a joint"},
    {KEYS_OF(LITHE_LINEAR_MOTOR), "joint", KEYS_REQUIRED, KEYS_NAME,   QUANTITY_NUMBER, "a name under joints"},
    {KEYS_OF(LITHE_LINEAR_MOTOR), "along", KEYS_OPTIONAL, KEYS_TRIPLE, QUANTITY_NUMBER, "planar: the direction, at rest"},
    {KEYS_LIMITS_OF(LITHE_LINEAR_MOTOR),  "travel",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,     "range of the travel"},
    {KEYS_LIMITS_OF(LITHE_LINEAR_MOTOR),  "force",       KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,      "range of the force"},
    {KEYS_LIMITS_OF(LITHE_LINEAR_MOTOR),  "travel_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY,   "fastest change of the travel"},
    {KEYS_LIMITS_OF(LITHE_LINEAR_MOTOR),  "force_rate",  KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE_RATE, "fastest change of the force"},
    {KEYS_COMMAND_OF(LITHE_LINEAR_MOTOR), "travel",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH,     "from rest"},
    {KEYS_COMMAND_OF(LITHE_LINEAR_MOTOR), "force",       KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_FORCE,      "along the axis"},
};
// clang-format on

const actuator_kind actuator_motor = {
    .name = "motor",
    .quantity = {[LITHE_EFFORT] = {"torque", QUANTITY_MOMENT, false},
                 [LITHE_DISPLACEMENT] = {"angle", QUANTITY_ANGLE, false}},
    .on_joint = true,
    .told = LITHE_DISPLACEMENT,
    .heading = ACTUATOR_HEADINGS("motor", KEYS_SELECTS_NONE),
    .key = motor_keys,
    .nkey = sizeof motor_keys / sizeof *motor_keys,
    .read = read_motor,
    .check = check_motor,
    .compile = compile_motor,
};

const actuator_kind actuator_linear_motor = {
    .name = "linear_motor",
    .quantity = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE, false},
                 [LITHE_DISPLACEMENT] = {"travel", QUANTITY_LENGTH, false}},
    .on_joint = true,
    .told = LITHE_DISPLACEMENT,
    .heading = ACTUATOR_HEADINGS("linear_motor", KEYS_SELECTS_NONE),
    .key = linear_motor_keys,
    .nkey = sizeof linear_motor_keys / sizeof *linear_motor_keys,
    .read = read_linear_motor,
    .check = check_motor,
    .compile = compile_motor,
};
