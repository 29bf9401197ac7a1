// Quantities: a number with its unit ("180 kPa", "97mm", "-9.81 m/s^2", ".inf"), turned into SI.
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include "base/unit.h"

#include "lithe/lithe.h"

typedef enum quantity_dimension {
    QUANTITY_NUMBER, // without a unit, or in %
    QUANTITY_LENGTH,
    QUANTITY_FORCE,
    QUANTITY_PRESSURE,
    QUANTITY_MASS,
    QUANTITY_TIME,
    QUANTITY_ANGLE,
    QUANTITY_VOLUME,
    QUANTITY_DENSITY,
    QUANTITY_ACCELERATION,
    QUANTITY_NDECLARED, // those before can be declared in a scene's `units`
    QUANTITY_VELOCITY = QUANTITY_NDECLARED,
    QUANTITY_FORCE_RATE,
    QUANTITY_PRESSURE_RATE,
    QUANTITY_VOLUME_RATE,
    QUANTITY_COMPLIANCE,
    QUANTITY_FREQUENCY,
    QUANTITY_SPIN,
    QUANTITY_STIFFNESS,
    QUANTITY_MOMENT,
    QUANTITY_NDIMENSION,
} quantity_dimension;

// "length", "force", ...: also the keys of a scene's `units`.
const char *quantity_name(quantity_dimension dimension);
const char *quantity_expected(quantity_dimension dimension); // "a length such as '97 mm'"
const char *quantity_si_unit(quantity_dimension dimension);  // "m", "N", ...; "" for a number

// What bare numbers mean; zero-initialize for nothing.
typedef struct quantity_units {
    bool declared[QUANTITY_NDECLARED];
    unit unit[QUANTITY_NDECLARED];
} quantity_units;

enum { QUANTITY_MESSAGE_MAX = 448 };

// Reads a quantity of the given dimension into SI. Exactly 0 and infinity need no unit; .inf and
// -.inf are refused unless `infinite`. On failure the message says why and what to write instead,
// without a place.
lithe_status quantity_parse(const char *text, quantity_dimension dimension,
                            const quantity_units *units, bool infinite, double *value,
                            char message[QUANTITY_MESSAGE_MAX]);

// Reads a unit alone ("kPa") and checks its dimension.
lithe_status quantity_parse_unit(const char *text, quantity_dimension dimension, unit *u,
                                 char message[QUANTITY_MESSAGE_MAX]);

#endif
