// Any surface of triangles: contact_surface.h has it, no formula.
#include "contact/shape_traits.h"

const shape_traits shape_mesh = {.told = true};
