#include "app/show.h"

#include "app/tolerances.h"

#include <math.h>
#include <stdio.h>

typedef struct shown_unit {
    const char *name;
    double si;   // of one
    double from; // the smallest SI value that is shown in it
} shown_unit;

enum { NUNIT = 3 };

#define DEGREE 0.017453292519943295

// From small to large, for the dimensions that are shown; everyday sizes of a soft robot stay in
// mm, ml, kPa and g.
static const shown_unit UNITS[QUANTITY_NDIMENSION][NUNIT] = {
    [QUANTITY_LENGTH] = {{"um", 1e-6, 0}, {"mm", 1e-3, 1e-5}, {"m", 1, 1}},
    [QUANTITY_FORCE] = {{"mN", 1e-3, 0}, {"N", 1, 1e-2}, {"kN", 1e3, 1e4}},
    [QUANTITY_PRESSURE] = {{"Pa", 1, 0}, {"kPa", 1e3, 1e2}, {"MPa", 1e6, 1e6}},
    [QUANTITY_VOLUME] = {{"mm^3", 1e-9, 0}, {"ml", 1e-6, 1e-8}, {"l", 1e-3, 1e-2}},
    [QUANTITY_MASS] = {{"mg", 1e-6, 0}, {"g", 1e-3, 1e-5}, {"kg", 1, 1}},
    [QUANTITY_ANGLE] = {{"deg", DEGREE, 0}, {"deg", DEGREE, 0}, {"deg", DEGREE, 0}},
    [QUANTITY_MOMENT] = {{"N mm", 1e-3, 0}, {"N mm", 1e-3, 0}, {"N m", 1, 1}},
    [QUANTITY_TIME] = {{"us", 1e-6, 0}, {"ms", 1e-3, 1e-4}, {"s", 1, 1}},
};

// Nothing at all is said in the everyday unit.
static const shown_unit *unit_of(quantity_dimension dimension, double size)
{
    const shown_unit *best = &UNITS[dimension][1];
    if (!(size > 0) || isinf(size))
        return best;
    for (int i = 0; i < NUNIT; i++)
        if (size >= UNITS[dimension][i].from)
            best = &UNITS[dimension][i];
    return best;
}

const char *show_value(quantity_dimension dimension, double value, char text[SHOW_TEXT])
{
    if (fabs(value) < SHOW_ROUNDING * UNITS[dimension][0].si)
        value = 0; // roundoff
    const shown_unit *u = unit_of(dimension, fabs(value));
    snprintf(text, SHOW_TEXT, "%.4g %s", value / u->si, u->name);
    return text;
}

static double finite_size(double value)
{
    return isfinite(value) ? fabs(value) : 0;
}

const char *show_range(quantity_dimension dimension, const double range[2], char text[SHOW_TEXT])
{
    const shown_unit *u = unit_of(dimension, fmax(finite_size(range[0]), finite_size(range[1])));
    snprintf(text, SHOW_TEXT, "%.4g to %.4g %s", range[0] / u->si, range[1] / u->si, u->name);
    return text;
}

const char *show_point(const double point[3], char text[SHOW_TEXT])
{
    double size = fmax(fabs(point[0]), fmax(fabs(point[1]), fabs(point[2])));
    const shown_unit *u = unit_of(QUANTITY_LENGTH, size);
    double shown[3];
    for (int i = 0; i < 3; i++)
        shown[i] = round(point[i] / u->si * 1e3) / 1e3 + 0.0; // no "-0.000"
    snprintf(text, SHOW_TEXT, "(%.3f, %.3f, %.3f) %s", shown[0], shown[1], shown[2], u->name);
    return text;
}
