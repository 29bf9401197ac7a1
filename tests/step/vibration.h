// Frequencies of a robot at rest, for tests of its masses.
#ifndef TESTS_STEP_VIBRATION_H
#define TESTS_STEP_VIBRATION_H

#include "step/phases.h"
#include "step/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of the first body's vibration that u is nearest to, rad/s: by inverse iteration with K and M at
// rest. With a few rounds only slower ones do not come up from roundoff. Leaves the shape in u.
static inline double vibration(const lithe_model *model, lithe_state *state, int rounds, double *u)
{
    const body *b = &model->body[0];
    size_t n = 3 * (size_t)b->nnode;
    double *f = calloc(2 * n, sizeof *f), *next = f + n, square = 0;
    body_elastic(b, &state->tangent.work[0], b->X, NULL, ELEMENT_EXACT, NULL, f,
                 state->tangent.K[0]);
    b->space->assemble(b, b->X, NULL, NULL, &state->tangent.of[0]);
    b->space->factor(b, &state->tangent.of[0], NULL, NULL);
    for (int k = 0; k < rounds; k++) {
        double above = 0, below = 0;
        memset(f, 0, n * sizeof *f);
        body_mass_times(b, b->X, 1, u, f);
        step_solve_body(model, state, 0, f, next);
        for (size_t i = 0; i < n; i++) {
            above += u[i] * f[i];
            below += next[i] * f[i];
        }
        square = above / below;
        for (size_t i = 0; i < n; i++)
            u[i] = next[i] * square;
    }
    free(f);
    return sqrt(square);
}

#endif
