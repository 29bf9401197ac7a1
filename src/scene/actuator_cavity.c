// Cavities under pressure.
#include "scene/actuator_kind.h"

static lithe_status read_cavity(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_CAVITY)));
    return read_cavity_name(r, node, &actuator->body, &actuator->cavity);
}

lithe_status actuator_add_cavity(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = compile_next_row(c, group);
    r->kind = ROW_CAVITY;
    LITHE_TRY(compile_shell(c, d->location, d->name, d->body, d->cavity, &r->shell));
    return compile_finish_row(c, r, true);
}

// clang-format off
static const keys_row cavity_keys[] = {
    {KEYS_ACTUATOR, "cavity",  KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a pressurized cavity of a body"},
    {KEYS_OF(LITHE_CAVITY), "body",   KEYS_REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_OF(LITHE_CAVITY), "cavity", KEYS_OPTIONAL, KEYS_NAME, QUANTITY_NUMBER, "a name under the body's cavities"},
    {KEYS_LIMITS_OF(LITHE_CAVITY),  "volume",        KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_VOLUME,        "range of the volume change"},
    {KEYS_LIMITS_OF(LITHE_CAVITY),  "pressure",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_PRESSURE,      "range of the pressure"},
    {KEYS_LIMITS_OF(LITHE_CAVITY),  "volume_rate",   KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VOLUME_RATE,   "fastest change of the volume"},
    {KEYS_LIMITS_OF(LITHE_CAVITY),  "pressure_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE_RATE, "fastest change of the pressure"},
    {KEYS_COMMAND_OF(LITHE_CAVITY), "volume",        KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_VOLUME,        "change from the volume at rest"},
    {KEYS_COMMAND_OF(LITHE_CAVITY), "pressure",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_PRESSURE,      "positive inflates"},
};
// clang-format on

const actuator_kind actuator_cavity = {
    .name = "cavity",
    .quantity = {[LITHE_EFFORT] = {"pressure", QUANTITY_PRESSURE, false},
                 [LITHE_DISPLACEMENT] = {"volume", QUANTITY_VOLUME, false}},
    .has_valve = true,
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("cavity", KEYS_SELECTS_NONE),
    .key = cavity_keys,
    .nkey = sizeof cavity_keys / sizeof *cavity_keys,
    .read = read_cavity,
    .compile = actuator_add_cavity,
};
