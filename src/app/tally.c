#include "app/tally.h"

#include "app/timing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool tally_create(tally *s, int max)
{
    size_t bytes = ((size_t)max + 1) * sizeof *s->value;
    *s = (tally){.max = max, .value = malloc(bytes)};
    if (s->value)
        memset(s->value, 0xff, bytes); // all of it is there before the loop begins: zeros would
                                       // become a calloc, which maps no page
    return s->value != NULL;
}

void tally_free(tally *s)
{
    free(s->value);
    *s = (tally){0};
}

void tally_add(tally *s, double value)
{
    if (s->n < s->max && isfinite(value))
        s->value[s->n++] = value;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void tally_sort(tally *s)
{
    qsort(s->value, (size_t)s->n, sizeof *s->value, ascending);
}

void tally_write(const tally *s, json *j, const char *key, double factor)
{
    double none = s->n > 0 ? factor : NAN;
    json_begin_object(j, key);
    json_integer(j, "n", s->n);
    json_number(j, "mean", none * timing_mean(s->value, s->n));
    json_number(j, "median", none * timing_rank(s->value, s->n, 0.5));
    json_number(j, "p99", none * timing_rank(s->value, s->n, 0.99));
    json_number(j, "max", none * timing_rank(s->value, s->n, 1));
    json_end_object(j);
}
