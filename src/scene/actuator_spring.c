// A spring between two points whose rest length is told: something like a winch in series with a
// spring. Its row is that of a piston with the spring's own give: length + force / stiffness = rest
// length, so that force = stiffness (rest length - length) pushes its ends apart.
#include "scene/actuator_kind.h"

static lithe_status read_spring(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    double stiffness = 0;
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_SPRING)));
    LITHE_TRY(read_positive(r, node, KEYS_OF(LITHE_SPRING), "stiffness", &stiffness));
    actuator->compliance = 1 / stiffness;
    return actuator_read_ends(r, node, actuator);
}

static lithe_status check_spring(const compiler *c, const lithe_actuator_def *d)
{
    LITHE_TRY(actuator_check_ends(c, d));
    if (!(d->compliance > 0))
        return compile_fail(c, d->location,
                            "spring '%s' needs a compliance above 0, one over its stiffness; "
                            "without one it is a piston",
                            d->name);
    return LITHE_OK;
}

// clang-format off
static const keys_row spring_keys[] = {
    {KEYS_ACTUATOR, "spring", KEYS_ONE_OF, KEYS_MAP, QUANTITY_NUMBER, "a spring between two points whose rest length is told"},
    {KEYS_OF(LITHE_SPRING), "body",      KEYS_OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER,    "carries the points that do not name their own"},
    {KEYS_OF(LITHE_SPRING), "from",      KEYS_REQUIRED, KEYS_CARRIED,  QUANTITY_LENGTH,    "one end"},
    {KEYS_OF(LITHE_SPRING), "to",        KEYS_REQUIRED, KEYS_CARRIED,  QUANTITY_LENGTH,    "the other end"},
    {KEYS_OF(LITHE_SPRING), "stiffness", KEYS_REQUIRED, KEYS_QUANTITY, QUANTITY_STIFFNESS, "force for a change of length"},
    {KEYS_LIMITS_OF(LITHE_SPRING), "lengthening",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,     "range of the rest length, from the distance at rest"},
    {KEYS_LIMITS_OF(LITHE_SPRING), "force",            KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,      "range of the force"},
    {KEYS_LIMITS_OF(LITHE_SPRING), "lengthening_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY,   "fastest change of the rest length"},
    {KEYS_LIMITS_OF(LITHE_SPRING), "force_rate",       KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE_RATE, "fastest change of the force"},
    {KEYS_COMMAND_OF(LITHE_SPRING), "lengthening", KEYS_ONE_OF, KEYS_QUANTITY, QUANTITY_LENGTH, "of the rest length, from the distance at rest"},
    {KEYS_COMMAND_OF(LITHE_SPRING), "force",       KEYS_ONE_OF, KEYS_QUANTITY, QUANTITY_FORCE,  "positive pushes the ends apart"},
};
// clang-format on

const actuator_kind actuator_spring = {
    .name = "spring",
    .quantity = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE, false},
                 [LITHE_DISPLACEMENT] = {"lengthening", QUANTITY_LENGTH, false}},
    .told = LITHE_DISPLACEMENT,
    .heading = ACTUATOR_HEADINGS("spring", KEYS_SELECTS_NONE),
    .key = spring_keys,
    .nkey = sizeof spring_keys / sizeof *spring_keys,
    .read = read_spring,
    .check = check_spring,
    .compile = actuator_add_line,
};
