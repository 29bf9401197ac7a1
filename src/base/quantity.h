// Quantities: a number with its unit ("180 kPa", "97mm", "-9.81 m/s^2", ".inf"), turned into SI.
#ifndef BASE_QUANTITY_H
#define BASE_QUANTITY_H

#include "base/unit.h"

#include "lithe/lithe.h"

// Those of the public header, by shorter names.
typedef lithe_dimension quantity_dimension;
#define QUANTITY_NUMBER           LITHE_DIMENSION_NUMBER
#define QUANTITY_LENGTH           LITHE_DIMENSION_LENGTH
#define QUANTITY_FORCE            LITHE_DIMENSION_FORCE
#define QUANTITY_PRESSURE         LITHE_DIMENSION_PRESSURE
#define QUANTITY_MASS             LITHE_DIMENSION_MASS
#define QUANTITY_TIME             LITHE_DIMENSION_TIME
#define QUANTITY_ANGLE            LITHE_DIMENSION_ANGLE
#define QUANTITY_VOLUME           LITHE_DIMENSION_VOLUME
#define QUANTITY_DENSITY          LITHE_DIMENSION_DENSITY
#define QUANTITY_ACCELERATION     LITHE_DIMENSION_ACCELERATION
#define QUANTITY_VELOCITY         LITHE_DIMENSION_VELOCITY
#define QUANTITY_FORCE_RATE       LITHE_DIMENSION_FORCE_RATE
#define QUANTITY_PRESSURE_RATE    LITHE_DIMENSION_PRESSURE_RATE
#define QUANTITY_VOLUME_RATE      LITHE_DIMENSION_VOLUME_RATE
#define QUANTITY_COMPLIANCE       LITHE_DIMENSION_COMPLIANCE
#define QUANTITY_FREQUENCY        LITHE_DIMENSION_FREQUENCY
#define QUANTITY_SPIN             LITHE_DIMENSION_SPIN
#define QUANTITY_STIFFNESS        LITHE_DIMENSION_STIFFNESS
#define QUANTITY_MOMENT           LITHE_DIMENSION_MOMENT
#define QUANTITY_INERTIA          LITHE_DIMENSION_INERTIA
#define QUANTITY_ROTARY_STIFFNESS LITHE_DIMENSION_ROTARY_STIFFNESS
#define QUANTITY_DAMPING          LITHE_DIMENSION_DAMPING
#define QUANTITY_ROTARY_DAMPING   LITHE_DIMENSION_ROTARY_DAMPING
#define QUANTITY_NDECLARED        QUANTITY_VELOCITY // those before can be declared in a scene's `units`
#define QUANTITY_NDIMENSION       (QUANTITY_ROTARY_DAMPING + 1)

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
// without a location.
lithe_status quantity_parse(const char *text, quantity_dimension dimension,
                            const quantity_units *units, bool infinite, double *value,
                            char message[QUANTITY_MESSAGE_MAX]);

// Reads a unit alone ("kPa") and checks its dimension.
lithe_status quantity_parse_unit(const char *text, quantity_dimension dimension, unit *u,
                                 char message[QUANTITY_MESSAGE_MAX]);

#endif
