// What effectors and sensors measure, told from their definitions alone: how many numbers, of which
// dimension, and what each is called in tables. Sensors have it in their kind.
#ifndef CONTROL_MEASURE_H
#define CONTROL_MEASURE_H

#include "base/quantity.h"

lithe_measure measure_of_effector(const lithe_effector_def *d);

// So many points along some axes; 0: a number without.
lithe_measure measure_along(const char *name, quantity_dimension dimension, int npoint, int axes);

int measure_rows(const lithe_measure *m);

// The column of one of its numbers: "tip.x_m", "skin.2.z_m", "string_m".
enum { MEASURE_TEXT = 96 };
const char *measure_column(const lithe_measure *m, int row, char text[MEASURE_TEXT]);

#endif
