#include "base/quantity.h"

#include "base/quote.h"
#include "base/status.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct dimension {
    int power[UNIT_NBASE];
    const char *name;
    const char *phrase; // with an example
    const char *common; // unit that suits a soft robot
    const char *si;
} dimension;

// clang-format off
static const dimension dimensions[QUANTITY_NDIMENSION] = {
    [QUANTITY_NUMBER]       = {{0, 0, 0, 0},   "number", "a number without a unit such as '0.45'", "", ""},
    [QUANTITY_LENGTH]       = {{1, 0, 0, 0},   "length", "a length such as '97 mm'", "mm", "m"},
    [QUANTITY_FORCE]        = {{1, 1, -2, 0},  "force", "a force such as '2.5 N'", "N", "N"},
    [QUANTITY_PRESSURE]     = {{-1, 1, -2, 0}, "pressure", "a pressure such as '180 kPa'", "kPa", "Pa"},
    [QUANTITY_MASS]         = {{0, 1, 0, 0},   "mass", "a mass such as '50 g'", "g", "kg"},
    [QUANTITY_TIME]         = {{0, 0, 1, 0},   "time", "a time such as '10 ms'", "ms", "s"},
    [QUANTITY_ANGLE]        = {{0, 0, 0, 1},   "angle", "an angle such as '15 deg'", "deg", "rad"},
    [QUANTITY_VOLUME]       = {{3, 0, 0, 0},   "volume", "a volume such as '20 ml'", "ml", "m^3"},
    [QUANTITY_DENSITY]      = {{-3, 1, 0, 0},  "density", "a density such as '1.08 g/cm^3'", "g/cm^3", "kg/m^3"},
    [QUANTITY_ACCELERATION] = {{1, 0, -2, 0},  "acceleration", "an acceleration such as '-9.81 m/s^2'", "m/s^2", "m/s^2"},
    [QUANTITY_VELOCITY]      = {{1, 0, -1, 0},  "velocity", "a velocity such as '50 mm/s'", "mm/s", "m/s"},
    [QUANTITY_FORCE_RATE]    = {{1, 1, -3, 0},  "force rate", "a force rate such as '2 N/s'", "N/s", "N/s"},
    [QUANTITY_PRESSURE_RATE] = {{-1, 1, -3, 0}, "pressure rate", "a pressure rate such as '10 kPa/s'", "kPa/s", "Pa/s"},
    [QUANTITY_VOLUME_RATE]   = {{3, 0, -1, 0},  "volume rate", "a volume rate such as '5 ml/s'", "ml/s", "m^3/s"},
    [QUANTITY_COMPLIANCE]    = {{0, -1, 2, 0},  "compliance", "a compliance such as '0.5 mm/N'", "mm/N", "m/N"},
    [QUANTITY_FREQUENCY]     = {{0, 0, -1, 0},  "frequency", "a frequency such as '2 s^-1'", "s^-1", "s^-1"},
    [QUANTITY_SPIN]          = {{0, 0, -1, 1},  "spin", "a spin such as '90 deg/s'", "rad/s", "rad/s"},
    [QUANTITY_STIFFNESS]     = {{0, 1, -2, 0},  "stiffness", "a stiffness such as '20 N/m'", "N/m", "N/m"},
    [QUANTITY_MOMENT]        = {{2, 1, -2, 0},  "moment", "a moment such as '5 N.mm'", "N.mm", "N.m"},
    [QUANTITY_INERTIA]       = {{2, 1, 0, 0},   "inertia", "an inertia such as '3 kg.mm^2'", "kg.mm^2", "kg.m^2"},
    [QUANTITY_ROTARY_STIFFNESS] = {{2, 1, -2, -1}, "rotary stiffness", "a rotary stiffness such as '20 N.mm/rad'", "N.mm/rad", "N.m/rad"},
    [QUANTITY_DAMPING]          = {{0, 1, -1, 0},  "damping", "a damping such as '2 N.s/m'", "N.s/m", "N.s/m"},
    [QUANTITY_ROTARY_DAMPING]   = {{2, 1, -1, -1}, "rotary damping", "a rotary damping such as '2 N.mm.s/rad'", "N.mm.s/rad", "N.m.s/rad"},
};

// What a scene never asks for but people write by mistake.
static const dimension strangers[] = {
    {{2, 0, 0, 0},  "area", "", "", ""},
    {{2, 1, -3, 0}, "power", "", "", ""},
};
// clang-format on

const char *quantity_name(quantity_dimension d)
{
    return dimensions[d].name;
}

const char *quantity_expected(quantity_dimension d)
{
    return dimensions[d].phrase;
}

const char *quantity_si_unit(quantity_dimension d)
{
    return dimensions[d].si;
}

__attribute__((format(printf, 2, 3))) static lithe_status refuse(char message[QUANTITY_MESSAGE_MAX],
                                                                 const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, QUANTITY_MESSAGE_MAX, format, args);
    va_end(args);
    return LITHE_INVALID;
}

static const dimension *find_dimension(const int power[UNIT_NBASE])
{
    for (int i = 0; i < QUANTITY_NDIMENSION; i++)
        if (unit_same_dimension(power, dimensions[i].power))
            return &dimensions[i];
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++)
        if (unit_same_dimension(power, strangers[i].power))
            return &strangers[i];
    return NULL;
}

static lithe_status refuse_dimension(const char *text, const unit *u, const char *expected,
                                     char message[QUANTITY_MESSAGE_MAX])
{
    const dimension *got = find_dimension(u->power);
    if (!got)
        return refuse(message, "'%s' has the dimension m^%d.kg^%d.s^%d.rad^%d, expected %s",
                      QUOTE(text), u->power[0], u->power[1], u->power[2], u->power[3], expected);
    const char *article = strchr("aeiou", got->name[0]) ? "an" : "a";
    return refuse(message, "'%s' is %s %s, expected %s", QUOTE(text), article, got->name, expected);
}

static const char *skip_digits(const char *s)
{
    while (isdigit((unsigned char)*s))
        s++;
    return s;
}

// The end of the decimal number at s; s itself if there is none. strtod alone would take hex
// numbers, "inf" and "nan" as well.
static const char *number_end(const char *s)
{
    const char *first = s + (*s == '+' || *s == '-');
    const char *end = skip_digits(first);
    bool any = end > first;
    if (*end == '.') {
        const char *fraction = skip_digits(end + 1);
        any = any || fraction > end + 1;
        end = fraction;
    }
    if (!any)
        return s;
    if (*end == 'e' || *end == 'E') {
        const char *digits = end + 1 + (end[1] == '+' || end[1] == '-');
        if (isdigit((unsigned char)*digits))
            end = skip_digits(digits);
    }
    return end;
}

// The end of a YAML infinity at s, or s.
static const char *infinity_end(const char *s)
{
    const char *word = s + (*s == '+' || *s == '-');
    bool is = strncmp(word, ".inf", 4) == 0 || strncmp(word, ".Inf", 4) == 0 ||
              strncmp(word, ".INF", 4) == 0;
    return is ? word + 4 : s;
}

// The number at s in the C locale, whatever the program's own one is. uselocale changes this
// thread only.
static lithe_status convert(const char *s, double *value, char message[QUANTITY_MESSAGE_MAX])
{
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c) {
        refuse(message, "out of memory while reading a number");
        return LITHE_NO_MEMORY;
    }
    locale_t own = uselocale(c);
    *value = strtod(s, NULL);
    uselocale(own);
    freelocale(c);
    return LITHE_OK;
}

// Reads the leading number; rest is set behind it.
static lithe_status take_number(const char *text, bool infinite, const dimension *d, double *value,
                                const char **rest, char message[QUANTITY_MESSAGE_MAX])
{
    *rest = infinity_end(text);
    if (*rest > text) {
        if (!infinite)
            return refuse(message, "'%s' must be finite here; expected %s", QUOTE(text), d->phrase);
        *value = *text == '-' ? -INFINITY : INFINITY;
        return LITHE_OK;
    }
    *rest = number_end(text);
    if (*rest == text)
        return refuse(message, "'%s' is not a number; expected %s%s", QUOTE(text), d->phrase,
                      infinite ? ", or .inf" : "");
    LITHE_TRY(convert(text, value, message));
    if (!isfinite(*value))
        return refuse(message, "'%s' is too large for a number", QUOTE(text));
    return LITHE_OK;
}

static lithe_status apply_unit(const unit *u, const char *text, double *value,
                               char message[QUANTITY_MESSAGE_MAX])
{
    if (isinf(*value) || *value == 0)
        return LITHE_OK;
    double si = unit_to_si(u, *value);
    if (!isfinite(si) || si == 0)
        return refuse(message, "'%s' is too %s for a number in SI units", QUOTE(text),
                      si == 0 ? "small" : "large");
    *value = si;
    return LITHE_OK;
}

static lithe_status apply_default(const char *text, quantity_dimension d,
                                  const quantity_units *units, double *value,
                                  char message[QUANTITY_MESSAGE_MAX])
{
    if (d == QUANTITY_NUMBER || *value == 0 || isinf(*value))
        return LITHE_OK;
    if (d >= QUANTITY_NDECLARED)
        return refuse(message, "%s has no unit; write '%s %s'", QUOTE(text), QUOTE(text),
                      dimensions[d].common);
    if (units->declared[d])
        return apply_unit(&units->unit[d], text, value, message);
    return refuse(message, "%s has no unit; write '%s %s' or declare units: {%s: %s}", QUOTE(text),
                  QUOTE(text), dimensions[d].common, dimensions[d].name, dimensions[d].common);
}

lithe_status quantity_parse(const char *text, quantity_dimension d, const quantity_units *units,
                            bool infinite, double *value, char message[QUANTITY_MESSAGE_MAX])
{
    const char *rest;
    while (*text == ' ')
        text++;
    LITHE_TRY(take_number(text, infinite, &dimensions[d], value, &rest, message));
    while (*rest == ' ')
        rest++;
    if (!*rest)
        return apply_default(text, d, units, value, message);
    unit u;
    if (!unit_parse(rest, &u, message))
        return LITHE_INVALID;
    if (!unit_same_dimension(u.power, dimensions[d].power))
        return refuse_dimension(text, &u, dimensions[d].phrase, message);
    return apply_unit(&u, text, value, message);
}

static lithe_status refuse_unit(const char *text, const unit *u, quantity_dimension d,
                                char message[QUANTITY_MESSAGE_MAX])
{
    char expected[64];
    snprintf(expected, sizeof expected, "a unit of %s such as '%s'", dimensions[d].name,
             dimensions[d].common);
    const dimension *got = find_dimension(u->power);
    if (got)
        return refuse(message, "'%s' is a unit of %s, expected %s", QUOTE(text), got->name,
                      expected);
    return refuse_dimension(text, u, expected, message);
}

lithe_status quantity_parse_unit(const char *text, quantity_dimension d, unit *u,
                                 char message[QUANTITY_MESSAGE_MAX])
{
    if (!unit_parse(text, u, message))
        return LITHE_INVALID;
    if (!unit_same_dimension(u->power, dimensions[d].power))
        return refuse_unit(text, u, d, message);
    double one = 1;
    return apply_unit(u, text, &one, message);
}

const char *lithe_dimension_unit(lithe_dimension of)
{
    bool known = (int)of >= 0 && (int)of < QUANTITY_NDIMENSION;
    return known ? quantity_si_unit(of) : "";
}
