#include "app/limits.h"

#include "app/show.h"
#include "app/tolerances.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// What the limit is: the command of a given actuator, an end of the range, or the rate.
static void find_limit(const lithe_model *m, double value, active_limit *a)
{
    double effort[2], displacement[2], effort_rate, displacement_rate;
    lithe_actuator_limits(m, a->actuator, effort, displacement);
    lithe_actuator_rates(m, a->actuator, &effort_rate, &displacement_rate);
    double rate = a->kind == LITHE_EFFORT ? effort_rate : displacement_rate;
    double step = rate * lithe_model_step(m)->dt;
    a->given = lithe_actuator_given(m, a->actuator);
    a->limit = a->given ? value : (a->kind == LITHE_EFFORT ? effort : displacement)[a->upper];
    a->rate = !a->given && isfinite(rate) && !(fabs(value - a->limit) <= LIMITS_AT * step);
    if (a->rate)
        a->limit = rate;
}

static int dearest_first(const void *x, const void *y)
{
    const active_limit *a = x, *b = y;
    double first = fabs(a->multiplier * a->error), second = fabs(b->multiplier * b->error);
    if (first != second)
        return first < second ? 1 : -1;
    return (a->actuator > b->actuator) - (a->actuator < b->actuator);
}

// One everyday unit of the quantity.
static double everyday(quantity_dimension dimension)
{
    switch (dimension) {
    case QUANTITY_LENGTH: return 1e-3;
    case QUANTITY_PRESSURE: return 1e3;
    case QUANTITY_VOLUME: return 1e-6;
    default: return 1;
    }
}

static quantity_dimension dimension_of(const lithe_model *m, const active_limit *a)
{
    return lithe_actuator_quantity(lithe_actuator_type(m, a->actuator), a->kind)->dimension;
}

static int add(const lithe_model *m, active_limit a, double multiplier, double value, int n,
               active_limit found[LIMITS_MAX])
{
    double worth = fabs(multiplier) / a.error * everyday(dimension_of(m, &a));
    if (n == LIMITS_MAX || !(worth > LIMITS_WORTH * a.error))
        return n;
    a.multiplier = fabs(multiplier) / a.error;
    a.upper = multiplier < 0; // half the squared error falls as the limit rises
    find_limit(m, value, &a);
    found[n] = a;
    return n + 1;
}

int limits_find(const lithe_model *m, const lithe_state *s, const double *target,
                active_limit found[LIMITS_MAX])
{
    int n = 0;
    double error = lithe_first_error(m, s, target);
    if (!(error > lithe_length_tolerance(m)))
        return 0;
    for (int i = 0; i < lithe_nactuator(m); i++) {
        double effort[3], displacement[3], effort_multiplier[3], displacement_multiplier[3];
        lithe_effort(m, s, i, effort);
        lithe_displacement(m, s, i, displacement);
        lithe_limit_multiplier(m, s, i, effort_multiplier, displacement_multiplier);
        if (lithe_actuator_type(m, i) == LITHE_MODULUS)
            effort_multiplier[0] /= effort[0]; // told of its logarithm
        // a slider's number is its travel
        bool slider = lithe_actuator_quantity(lithe_actuator_type(m, i), LITHE_EFFORT)->read_only;
        for (int k = 0; k < lithe_actuator_rows(m, i); k++) {
            active_limit a = {.actuator = i, .component = k, .error = error};
            a.kind = slider ? LITHE_DISPLACEMENT : LITHE_EFFORT;
            n = add(m, a, effort_multiplier[k], slider ? displacement[k] : effort[k], n, found);
            a.kind = LITHE_DISPLACEMENT;
            n = add(m, a, displacement_multiplier[k], displacement[k], n, found);
        }
    }
    qsort(found, (size_t)n, sizeof *found, dearest_first);
    return n;
}

const char *limits_quantity(const lithe_model *m, const active_limit *a)
{
    return lithe_actuator_quantity(lithe_actuator_type(m, a->actuator), a->kind)->name;
}

// A step by which the linear forecast does not promise more than half of the error.
static double honest_step(const active_limit *a, double step)
{
    while (a->multiplier * step > 0.5 * a->error)
        step *= 0.1;
    return step;
}

static bool is_slack(const lithe_model *m, const active_limit *a)
{
    return lithe_actuator_type(m, a->actuator) == LITHE_CABLE && a->kind == LITHE_EFFORT &&
           !a->upper && !a->rate && !a->given && a->limit == 0;
}

const char *limits_text(const lithe_model *m, const active_limit *a, char text[LIMITS_TEXT])
{
    char limit[SHOW_TEXT], more[SHOW_TEXT], nearer[SHOW_TEXT];
    quantity_dimension dimension = dimension_of(m, a);
    double step = honest_step(a, everyday(dimension));
    const char *name = lithe_actuator_name(m, a->actuator), *quantity = limits_quantity(m, a);
    const char *way = a->upper || a->rate ? "more" : "less";
    show_value(dimension, a->limit, limit);
    show_value(dimension, step, more);
    show_value(QUANTITY_LENGTH, a->multiplier * step, nearer);
    if (is_slack(m, a))
        snprintf(text, LIMITS_TEXT,
                 "%s: it is slack, and a cable cannot push: a push of %s would bring the target %s "
                 "nearer",
                 name, more, nearer);
    else if (a->given)
        snprintf(text, LIMITS_TEXT,
                 "%s: its given %s %s holds it back: %s %s would bring the target %s nearer", name,
                 quantity, limit, more, way, nearer);
    else
        snprintf(text, LIMITS_TEXT,
                 "%s: %s%s limit %s%s holds it back: %s %s would bring the target %s nearer", name,
                 quantity, a->rate ? " rate" : "", limit, a->rate ? "/s" : "", more, way, nearer);
    return text;
}
