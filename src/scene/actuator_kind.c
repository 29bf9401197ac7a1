#include "scene/actuator_kind.h"

#include "base/defaults.h"

#include <math.h>
#include <string.h>

extern const actuator_kind actuator_cable, actuator_piston, actuator_cavity, actuator_liquid,
    actuator_force, actuator_slider, actuator_modulus, actuator_servo, actuator_spring,
    actuator_motor, actuator_linear_motor, actuator_rest_length;

const actuator_kind *const actuator_kinds[ACTUATOR_KINDS] = {
    [LITHE_CABLE] = &actuator_cable,
    [LITHE_PISTON] = &actuator_piston,
    [LITHE_CAVITY] = &actuator_cavity,
    [LITHE_LIQUID] = &actuator_liquid,
    [LITHE_FORCE] = &actuator_force,
    [LITHE_SLIDER] = &actuator_slider,
    [LITHE_MODULUS] = &actuator_modulus,
    [LITHE_SERVO] = &actuator_servo,
    [LITHE_SPRING] = &actuator_spring,
    [LITHE_MOTOR] = &actuator_motor,
    [LITHE_LINEAR_MOTOR] = &actuator_linear_motor,
    [LITHE_REST_LENGTH] = &actuator_rest_length,
};

static bool is_known(lithe_actuator_kind kind)
{
    return (int)kind >= 0 && (int)kind < ACTUATOR_KINDS;
}

const lithe_quantity *lithe_actuator_quantity(lithe_actuator_kind type, lithe_command_kind kind)
{
    static const lithe_quantity none = {.read_only = true};
    bool known = is_known(type) && (kind == LITHE_EFFORT || kind == LITHE_DISPLACEMENT);
    return known ? &actuator_kinds[type]->quantity[kind] : &none;
}

const char *lithe_actuator_kind_name(lithe_actuator_kind kind)
{
    return is_known(kind) ? actuator_kinds[kind]->name : NULL;
}

void lithe_default(lithe_def_kind what, int kind, void *out, size_t size)
{
    lithe_actuator_def actuator;
    def_default(what, kind, out, size);
    if (what != LITHE_DEF_ACTUATOR || !is_known((lithe_actuator_kind)kind))
        return;
    def_default(what, kind, &actuator, sizeof actuator);
    actuator.bytes = size;
    actuator.effort_limit[0] = actuator_kinds[kind]->pulls ? 0 : -INFINITY;
    actuator.command = actuator_kinds[kind]->told;
    memcpy(out, &actuator, size < sizeof actuator ? size : sizeof actuator);
}
