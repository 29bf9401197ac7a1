// Cavities full of liquid: under pressure, and with its weight.
#include "scene/actuator_kind.h"

#include <math.h>

static lithe_status read_liquid(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_LIQUID)));
    LITHE_TRY(read_cavity_name(r, node, &actuator->body, &actuator->cavity));
    LITHE_TRY(read_positive(r, node, KEYS_OF(LITHE_LIQUID), "density", &actuator->density));
    return read_triple(r, node, KEYS_OF(LITHE_LIQUID), "reference", actuator->reference);
}

// The liquid's weight is a load of the body.
static lithe_status fill_liquid(compiler *c, const lithe_actuator_def *d, const row_shell *shell)
{
    body *b = &c->model->body[shell->body];
    body_liquid *liquid = &b->liquid[b->nliquid++];
    if (face_shifted(&shell->face, -b->node_adr, &c->model->memory, &liquid->face) != LITHE_OK)
        return compile_no_memory(c);
    liquid->density = d->density;
    for (int i = 0; i < 3; i++) {
        liquid->weight[i] = d->density * c->def->gravity[i];
        liquid->reference[i] = d->reference[i];
    }
    return LITHE_OK;
}

static lithe_status add_liquid(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    LITHE_TRY(actuator_add_cavity(c, d, group));
    return fill_liquid(c, d, &c->model->row[group->adr].shell);
}

static lithe_status check_liquid(const compiler *c, const lithe_actuator_def *d)
{
    if (!(d->density > 0) || !isfinite(d->density))
        return compile_fail(c, d->location,
                            "liquid '%s': its density is %g kg/m^3; it must be above 0", d->name,
                            d->density);
    return LITHE_OK;
}

// clang-format off
static const keys_row liquid_keys[] = {
    {KEYS_ACTUATOR, "liquid",  KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a cavity of a body full of liquid"},
    {KEYS_LIMITS_OF(LITHE_LIQUID),  "volume",        KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_VOLUME,        "range of the volume change"},
    {KEYS_LIMITS_OF(LITHE_LIQUID),  "pressure",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_PRESSURE,      "range of the pressure"},
    {KEYS_LIMITS_OF(LITHE_LIQUID),  "volume_rate",   KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VOLUME_RATE,   "fastest change of the volume"},
    {KEYS_LIMITS_OF(LITHE_LIQUID),  "pressure_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_PRESSURE_RATE, "fastest change of the pressure"},
    {KEYS_COMMAND_OF(LITHE_LIQUID), "volume",        KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_VOLUME,        "change from the volume at rest"},
    {KEYS_COMMAND_OF(LITHE_LIQUID), "pressure",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_PRESSURE,      "positive inflates"},
    {KEYS_OF(LITHE_LIQUID), "body",      KEYS_REQUIRED, KEYS_NAME,     QUANTITY_NUMBER,  "a name under bodies"},
    {KEYS_OF(LITHE_LIQUID), "cavity",    KEYS_OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER,  "a name under the body's cavities"},
    {KEYS_OF(LITHE_LIQUID), "density",   KEYS_REQUIRED, KEYS_QUANTITY, QUANTITY_DENSITY, "of the liquid"},
    {KEYS_OF(LITHE_LIQUID), "reference", KEYS_REQUIRED, KEYS_TRIPLE,   QUANTITY_LENGTH,  "where the pressure is told"},
};
// clang-format on

const actuator_kind actuator_liquid = {
    .name = "liquid",
    .quantity = {[LITHE_EFFORT] = {"pressure", QUANTITY_PRESSURE, false},
                 [LITHE_DISPLACEMENT] = {"volume", QUANTITY_VOLUME, false}},
    .has_valve = true,
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("liquid", KEYS_SELECTS_NONE),
    .key = liquid_keys,
    .nkey = sizeof liquid_keys / sizeof *liquid_keys,
    .read = read_liquid,
    .check = check_liquid,
    .compile = add_liquid,
};
