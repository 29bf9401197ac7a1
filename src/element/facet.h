// A triangle of a rigid body's skin: it shows where the body is, and has neither mass nor
// stiffness.
#ifndef ELEMENT_FACET_H
#define ELEMENT_FACET_H

#include "element/family.h"

// tri: (n x 3) nodes of the body. LITHE_NO_MEMORY is the only failure.
lithe_status facet_family(element_family *f, int n, const int *tri, arena *memory);

#endif
