// The limits that keep a task from its targets, and what each costs.
#ifndef APP_LIMITS_H
#define APP_LIMITS_H

#include "lithe/lithe.h"

typedef struct active_limit {
    int actuator;
    int component; // which of its numbers
    lithe_command_kind kind;
    bool given;        // it is the command of an actuator that the inverse leaves alone
    bool rate;         // it is the limit per second
    bool upper;        // which end
    double limit;      // N, Pa, m, m^3, or one of them per second
    double multiplier; // m that the error would fall, per unit by which the limit gave way
    double error;      // m, of the first priority
} active_limit;

enum { LIMITS_MAX = 64 };

// Those that cost something, dearest first; returns how many. target: of each row (nrow).
int limits_find(const lithe_model *m, const lithe_state *s, const double *target,
                active_limit found[LIMITS_MAX]);

// "north: pull limit 20 mm holds it back: 1 mm more would bring the target 0.3 mm nearer".
enum { LIMITS_TEXT = 512 };
const char *limits_text(const lithe_model *m, const active_limit *a, char text[LIMITS_TEXT]);

const char *limits_quantity(const lithe_model *m, const active_limit *a);

#endif
