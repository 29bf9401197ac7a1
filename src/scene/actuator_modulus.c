// Young's modulus of a region.
#include "scene/actuator_kind.h"

static lithe_status read_modulus(const reader *r, const tree_node *node,
                                 lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_MODULUS)));
    LITHE_TRY(read_body_name(r, node, &actuator->body));
    LITHE_TRY(read_no_nearest(r, node, "a modulus"));
    return read_selection(r, node, &actuator->where);
}

// Elements of one region share one modulus at factor 1: that of the region's first element.
static lithe_status add_modulus(compiler *c, const lithe_actuator_def *d, model_group *group)
{
    row *r = compile_next_row(c, group);
    int n, *element;
    r->kind = ROW_MODULUS;
    r->compliance = 1;
    LITHE_TRY(compile_find_body(c, d->location, d->body, &r->region.body));
    LITHE_TRY(compile_find_elements(c, r->region.body, d->location, &d->where, &n, &element));
    const law_material *const *stuff = c->body[r->region.body].stuff;
    for (int i = 0; i < n; i++)
        if (stuff[element[i]]->young != stuff[element[0]]->young)
            return compile_fail(
                c, d->location,
                "actuator '%s': its region has elements of different Young's moduli; give "
                "each its own",
                d->name);
    LITHE_TRY(compile_members(c, n, element, &r->region));
    LITHE_TRY(compile_finish_row(c, r, false));
    r->rest = stuff[element[0]]->young;
    c->model->tuned[r->region.body] = true;
    return LITHE_OK;
}

static lithe_status check_modulus(const compiler *c, const lithe_actuator_def *d)
{
    if (!(d->value[0] > 0))
        return compile_fail(c, d->location,
                            "actuator '%s' needs a Young's modulus above 0 to start from", d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row modulus_keys[] = {
    {KEYS_ACTUATOR, "modulus", KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "Young's modulus of a region"},
    {KEYS_OF(LITHE_MODULUS), "body", KEYS_REQUIRED, KEYS_NAME, QUANTITY_NUMBER, "a name under bodies"},
    {KEYS_LIMITS_OF(LITHE_MODULUS),  "young", KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_PRESSURE, "range of Young's modulus"},
    {KEYS_COMMAND_OF(LITHE_MODULUS), "young", KEYS_REQUIRED, KEYS_QUANTITY, QUANTITY_PRESSURE, "Young's modulus"},
};
// clang-format on

const actuator_kind actuator_modulus = {
    .name = "modulus",
    .quantity = {[LITHE_EFFORT] = {"young", QUANTITY_PRESSURE, false},
                 [LITHE_DISPLACEMENT] = {NULL, QUANTITY_NUMBER, true}},
    .pulls = true,
    .parameter = true,
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("modulus", KEYS_SELECTS_SOME),
    .key = modulus_keys,
    .nkey = sizeof modulus_keys / sizeof *modulus_keys,
    .read = read_modulus,
    .check = check_modulus,
    .compile = add_modulus,
};
