#include "base/unit.h"

#include "base/quote.h"
#include "base/spelling.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMBOL_MAX = 16, FACTORS_MAX = 16, POWER_MAX = 9 };

typedef struct symbol {
    const char *name;
    bool prefixed; // takes SI prefixes
    unit value;
} symbol;

// clang-format off
static const symbol symbols[] = {
    {"m",     true,  {1, 0, {1, 0, 0, 0}}},
    {"in",    false, {254, -4, {1, 0, 0, 0}}},
    {"ft",    false, {3048, -4, {1, 0, 0, 0}}},
    {"l",     true,  {1, -3, {3, 0, 0, 0}}},
    {"L",     true,  {1, -3, {3, 0, 0, 0}}},
    {"g",     true,  {1, -3, {0, 1, 0, 0}}},
    {"t",     false, {1, 3, {0, 1, 0, 0}}},
    {"lb",    false, {0.45359237, 0, {0, 1, 0, 0}}},
    {"s",     true,  {1, 0, {0, 0, 1, 0}}},
    {"min",   false, {60, 0, {0, 0, 1, 0}}},
    {"h",     false, {3600, 0, {0, 0, 1, 0}}},
    {"Hz",    true,  {1, 0, {0, 0, -1, 0}}},
    {"rad",   true,  {1, 0, {0, 0, 0, 1}}},
    {"deg",   false, {0.017453292519943295, 0, {0, 0, 0, 1}}},
    {"°",     false, {0.017453292519943295, 0, {0, 0, 0, 1}}},
    {"N",     true,  {1, 0, {1, 1, -2, 0}}},
    {"dyn",   false, {1, -5, {1, 1, -2, 0}}},
    {"kgf",   false, {9.80665, 0, {1, 1, -2, 0}}},
    {"gf",    false, {9.80665, -3, {1, 1, -2, 0}}},
    {"lbf",   false, {4.4482216152605, 0, {1, 1, -2, 0}}},
    {"J",     true,  {1, 0, {2, 1, -2, 0}}},
    {"W",     true,  {1, 0, {2, 1, -3, 0}}},
    {"Pa",    true,  {1, 0, {-1, 1, -2, 0}}},
    {"bar",   true,  {1, 5, {-1, 1, -2, 0}}},
    {"atm",   false, {101325, 0, {-1, 1, -2, 0}}},
    {"psi",   false, {6894.757293168361, 0, {-1, 1, -2, 0}}},
    {"mmHg",  false, {133.322387415, 0, {-1, 1, -2, 0}}},
    {"cmH2O", false, {98.0665, 0, {-1, 1, -2, 0}}},
    {"%",     false, {1, -2, {0, 0, 0, 0}}},
};
// clang-format on

typedef struct prefix {
    const char *name;
    int decade;
} prefix;

static const prefix prefixes[] = {
    {"k", 3},  {"m", -3}, {"c", -2}, {"d", -1}, {"M", 6},   {"G", 9}, {"T", 12},
    {"u", -6}, {"µ", -6}, {"μ", -6}, {"n", -9}, {"p", -12}, {"h", 2}, {"da", 1},
};

enum {
    NSYMBOL = sizeof symbols / sizeof symbols[0],
    NPREFIX = sizeof prefixes / sizeof prefixes[0],
};

static bool find_prefixed(const char *name, unit *u)
{
    for (int p = 0; p < NPREFIX; p++) {
        size_t n = strlen(prefixes[p].name);
        if (strncmp(name, prefixes[p].name, n) != 0)
            continue;
        for (int i = 0; i < NSYMBOL; i++)
            if (symbols[i].prefixed && strcmp(name + n, symbols[i].name) == 0) {
                *u = symbols[i].value;
                u->decade += prefixes[p].decade;
                return true;
            }
    }
    return false;
}

// A plain symbol wins over a prefixed one: "min" is a minute.
static bool find_symbol(const char *name, unit *u)
{
    for (int i = 0; i < NSYMBOL; i++)
        if (strcmp(name, symbols[i].name) == 0) {
            *u = symbols[i].value;
            return true;
        }
    return find_prefixed(name, u);
}

static void offer_symbols(nearest *n)
{
    for (int i = 0; i < NSYMBOL; i++)
        nearest_offer(n, symbols[i].name);
    for (int i = 0; i < NSYMBOL; i++)
        for (int p = 0; symbols[i].prefixed && p < NPREFIX; p++) {
            char name[SYMBOL_MAX];
            snprintf(name, sizeof name, "%s%s", prefixes[p].name, symbols[i].name);
            nearest_offer(n, name);
        }
}

// "mm2" most likely meant "mm^2".
static bool suggest_power(const char *name, char message[UNIT_MESSAGE_MAX])
{
    size_t n = strlen(name);
    if (n < 2 || !isdigit((unsigned char)name[n - 1]))
        return false;
    char stem[SYMBOL_MAX];
    snprintf(stem, sizeof stem, "%.*s", (int)(n - 1), name);
    unit u;
    if (!find_symbol(stem, &u))
        return false;
    snprintf(message, UNIT_MESSAGE_MAX, "unknown unit '%s': did you mean '%s^%c'?", name, stem,
             name[n - 1]);
    return true;
}

static bool fail_unknown(const char *name, char message[UNIT_MESSAGE_MAX])
{
    if (suggest_power(name, message))
        return false;
    nearest n = nearest_start(name);
    offer_symbols(&n);
    const char *meant = nearest_found(&n);
    if (meant)
        snprintf(message, UNIT_MESSAGE_MAX, "unknown unit '%s': did you mean '%s'?", name, meant);
    else
        snprintf(message, UNIT_MESSAGE_MAX,
                 "unknown unit '%s'; units are such as mm, N, kPa, g/cm^3, deg, ml, s", name);
    return false;
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool in_symbol(const char *s)
{
    unsigned char c = (unsigned char)*s;
    bool operator_sign = starts(s, "·") || starts(s, "²") || starts(s, "³");
    return isalnum(c) || c == '%' || (c >= 0x80 && !operator_sign);
}

static const char *skip_spaces(const char *s)
{
    while (*s == ' ')
        s++;
    return s;
}

// Reads one symbol; s is moved behind it.
static bool take_symbol(const char **s, unit *u, char message[UNIT_MESSAGE_MAX])
{
    const char *end = *s;
    while (in_symbol(end))
        end++;
    if (end == *s || isdigit((unsigned char)**s)) {
        snprintf(message, UNIT_MESSAGE_MAX, "expected a unit such as mm, N or kPa at '%s'",
                 QUOTE(*s));
        return false;
    }
    char name[SYMBOL_MAX];
    if (end - *s >= SYMBOL_MAX) {
        snprintf(message, UNIT_MESSAGE_MAX, "unknown unit '%s'", QUOTE(*s));
        return false;
    }
    snprintf(name, sizeof name, "%.*s", (int)(end - *s), *s);
    if (!find_symbol(name, u))
        return fail_unknown(name, message);
    *s = end;
    return true;
}

// Reads an exponent if there is one.
static bool take_power(const char **s, int *power, char message[UNIT_MESSAGE_MAX])
{
    *power = 1;
    if (starts(*s, "²") || starts(*s, "³")) {
        *power = starts(*s, "²") ? 2 : 3;
        *s += strlen("²");
        return true;
    }
    if (**s != '^')
        return true;
    const char *digit = *s + 1;
    int sign = *digit == '-' ? -1 : 1;
    digit += *digit == '-' || *digit == '+';
    if (*digit < '1' || *digit > '9' || isdigit((unsigned char)digit[1]) || digit[1] == '.') {
        snprintf(message, UNIT_MESSAGE_MAX,
                 "the exponent in '%s' must be a whole number from -%d to %d, such as ^2",
                 QUOTE(*s), POWER_MAX, POWER_MAX);
        return false;
    }
    *power = sign * (*digit - '0');
    *s = digit + 1;
    return true;
}

static void multiply(unit *u, const unit *by, int power)
{
    for (int i = 0; i < abs(power); i++)
        u->factor = power > 0 ? u->factor * by->factor : u->factor / by->factor;
    u->decade += power * by->decade;
    for (int i = 0; i < UNIT_NBASE; i++)
        u->power[i] += power * by->power[i];
}

// Reads the operator between two symbols, 0 at the end of the text.
static char take_operator(const char **s)
{
    const char *at = skip_spaces(*s);
    char sign = *at;
    if (starts(at, "·")) {
        at++;
        sign = '*';
    }
    if (sign != '*' && sign != '.' && sign != '/') {
        *s = at;
        return sign ? '?' : 0;
    }
    *s = skip_spaces(at + 1);
    return sign;
}

bool unit_parse(const char *text, unit *u, char message[UNIT_MESSAGE_MAX])
{
    *u = (unit){.factor = 1};
    const char *s = skip_spaces(text);
    char sign = '*';
    for (int i = 0; i < FACTORS_MAX; i++) {
        unit one;
        int power;
        if (!take_symbol(&s, &one, message) || !take_power(&s, &power, message))
            return false;
        multiply(u, &one, sign == '/' ? -power : power);
        sign = take_operator(&s);
        if (sign == 0)
            return true;
        if (sign == '?') {
            snprintf(message, UNIT_MESSAGE_MAX,
                     "cannot read the unit from '%s' on; write it like kg.m/s^2", QUOTE(s));
            return false;
        }
    }
    snprintf(message, UNIT_MESSAGE_MAX, "the unit '%s' has more than %d parts", QUOTE(text),
             FACTORS_MAX);
    return false;
}

bool unit_same_dimension(const int a[UNIT_NBASE], const int b[UNIT_NBASE])
{
    return memcmp(a, b, UNIT_NBASE * sizeof a[0]) == 0;
}

double unit_to_si(const unit *u, double value)
{
    double ten = 1; // exact up to 10^22
    for (int i = 0; i < abs(u->decade); i++)
        ten *= 10;
    value *= u->factor;
    return u->decade < 0 ? value / ten : value * ten;
}
