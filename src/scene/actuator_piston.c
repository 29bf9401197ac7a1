// Pistons between two points, which push and pull.
#include "scene/actuator_kind.h"

static lithe_status read_piston(const reader *r, const tree_node *node,
                                lithe_actuator_def *actuator)
{
    LITHE_TRY(read_map(r, node, KEYS_OF(LITHE_PISTON)));
    LITHE_TRY(actuator_read_compliance(r, node, KEYS_OF(LITHE_PISTON), actuator));
    return actuator_read_ends(r, node, actuator);
}

// clang-format off
static const keys_row piston_keys[] = {
    {KEYS_ACTUATOR, "piston",  KEYS_ONE_OF,   KEYS_MAP,  QUANTITY_NUMBER, "a piston between two points of bodies"},
    {KEYS_OF(LITHE_PISTON), "body",       KEYS_OPTIONAL, KEYS_NAME,     QUANTITY_NUMBER,     "carries the points that do not name their own"},
    {KEYS_OF(LITHE_PISTON), "from",       KEYS_REQUIRED, KEYS_CARRIED,  QUANTITY_LENGTH,     "one end"},
    {KEYS_OF(LITHE_PISTON), "to",         KEYS_REQUIRED, KEYS_CARRIED,  QUANTITY_LENGTH,     "the other end"},
    {KEYS_OF(LITHE_PISTON), "compliance", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_COMPLIANCE, "its own stretch"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "stroke",      KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_LENGTH,     "range of the lengthening"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "force",       KEYS_OPTIONAL, KEYS_RANGE,    QUANTITY_FORCE,      "range of the force"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "stroke_rate", KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_VELOCITY,   "fastest change of the lengthening"},
    {KEYS_LIMITS_OF(LITHE_PISTON),  "force_rate",  KEYS_OPTIONAL, KEYS_QUANTITY, QUANTITY_FORCE_RATE, "fastest change of the force"},
    {KEYS_COMMAND_OF(LITHE_PISTON), "stroke",      KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_LENGTH,     "lengthening from the rest distance"},
    {KEYS_COMMAND_OF(LITHE_PISTON), "force",       KEYS_ONE_OF,   KEYS_QUANTITY, QUANTITY_FORCE,      "positive pushes the ends apart"},
};
// clang-format on

const actuator_kind actuator_piston = {
    .name = "piston",
    .quantity = {[LITHE_EFFORT] = {"force", QUANTITY_FORCE, false},
                 [LITHE_DISPLACEMENT] = {"stroke", QUANTITY_LENGTH, false}},
    .told = LITHE_EFFORT,
    .heading = ACTUATOR_HEADINGS("piston", KEYS_SELECTS_NONE),
    .key = piston_keys,
    .nkey = sizeof piston_keys / sizeof *piston_keys,
    .read = read_piston,
    .check = actuator_check_ends,
    .compile = actuator_add_line,
};
