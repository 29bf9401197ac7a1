// The table of laws.
#include "material/law.h"

// A law of the public header has the number of its kind.
#define LAW_SAME(name, n, lower, public) _Static_assert((int)LAW_##name == (int)(public), #name);
LAW_EACH(LAW_SAME)

#define LAW_DEFINITION(name, n, lower, public) [LAW_##name] = &lower##_definition,
const law_definition *const law_definitions[LAW_KINDS] = {LAW_EACH(LAW_DEFINITION)};
