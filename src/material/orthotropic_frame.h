// The stiffness of an orthotropic material, rotated from its own axes into those of the rest shape.
#ifndef MATERIAL_ORTHOTROPIC_FRAME_H
#define MATERIAL_ORTHOTROPIC_FRAME_H

#include "lithe/lithe.h"

// Whether all directions across the fibre are alike, so that no second axis is needed.
bool orthotropic_is_round(const lithe_material_def *d);

// Whether moduli and ratios leave the energy positive for every strain.
bool orthotropic_is_stable(const lithe_material_def *d);

// D (6x6, lower triangle by rows; 11 22 33 23 13 12, shears as engineering strains). Pa
void orthotropic_stiffness(const lithe_material_def *d, double D[21]);

#endif
