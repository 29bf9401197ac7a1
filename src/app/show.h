// Quantities as people say them: "12.5 mm", "180 kPa", "3.2 ml".
#ifndef APP_SHOW_H
#define APP_SHOW_H

#include "base/quantity.h"

enum { SHOW_TEXT = 96 };

// Each takes SI values and returns text.
const char *show_value(quantity_dimension dimension, double value, char text[SHOW_TEXT]);
const char *show_range(quantity_dimension dimension, const double range[2], char text[SHOW_TEXT]);
const char *show_point(const double point[3], char text[SHOW_TEXT]);

#endif
