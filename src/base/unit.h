// Units: symbols with SI prefixes, their products, quotients and powers ("kPa", "g/cm^3", "N.m").
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stdbool.h>

// The plane angle is kept as a dimension of its own, so that an angle is never taken for a number.
enum { UNIT_METRE, UNIT_KILOGRAM, UNIT_SECOND, UNIT_RADIAN, UNIT_NBASE };

// factor * 10^decade in SI. The power of ten stands apart so that 97 mm is 97 / 1000, correctly
// rounded.
typedef struct unit {
    double factor;
    int decade;
    int power[UNIT_NBASE];
} unit;

enum { UNIT_MESSAGE_MAX = 320 };

// The whole text as one unit. On failure the message says why, without a location.
bool unit_parse(const char *text, unit *u, char message[UNIT_MESSAGE_MAX]);

bool unit_same_dimension(const int a[UNIT_NBASE], const int b[UNIT_NBASE]);

double unit_to_si(const unit *u, double value);

#endif
