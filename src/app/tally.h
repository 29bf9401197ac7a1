// Numbers that a run collects, to say of them in the end where the middle and the extremes were.
#ifndef APP_TALLY_H
#define APP_TALLY_H

#include "io/json.h"

typedef struct tally {
    int n, max;
    double *value; // (max)
} tally;

// False: no memory.
bool tally_create(tally *s, int max);
void tally_free(tally *s);
void tally_add(tally *s, double value); // what is no number, or too much, is left out
void tally_sort(tally *s);

// Once sorted: {"n", "mean", "median", "p99", "max"}, each times the factor.
void tally_write(const tally *s, json *j, const char *key, double factor);

#endif
