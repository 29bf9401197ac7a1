// Where a run begins: at rest under the commands that the state has been told.
#include "base/memory.h"
#include "base/status.h"
#include "control/tolerances.h"
#include "lithe/lithe.h"

#include <math.h>

typedef struct order {
    lithe_command_kind kind;
    double value[3]; // of an actuator, at most
} order;

// A share of the way from 0.
static lithe_status give(const lithe_model *m, lithe_state *s, const order *all, double share)
{
    for (int a = 0; a < lithe_nactuator(m); a++)
        LITHE_TRY(lithe_command_share(m, s, a, all[a].kind, NULL, all[a].value, share));
    return LITHE_OK;
}

// A realtime step does not end in an equilibrium, but many of them do.
static lithe_status settle_in_steps(const lithe_model *m, lithe_state *s, const order *all)
{
    enum { MOST_STEPS = 200 };
    const double still = CONTROL_STILL;
    int ramp = lithe_model_step(m)->steps;
    for (int k = 1; k <= ramp + MOST_STEPS; k++) {
        LITHE_TRY(give(m, s, all, fmin((double)k / ramp, 1)));
        LITHE_TRY(lithe_step(m, s));
        if (k >= ramp && lithe_last_residual(s).force < still)
            break;
    }
    return LITHE_OK;
}

lithe_status lithe_begin(const lithe_model *m, lithe_state *s)
{
    const lithe_dynamics_def *d = lithe_model_dynamics(m);
    if (d->scheme != LITHE_STATIC)
        return d->from_equilibrium ? lithe_settle(m, s) : LITHE_OK;
    if (lithe_model_step(m)->mode == LITHE_CONVERGED)
        return lithe_step(m, s);
    order *all = memory_alloc(((size_t)lithe_nactuator(m) + 1) * sizeof *all);
    if (!all)
        return LITHE_NO_MEMORY;
    for (int a = 0; a < lithe_nactuator(m); a++)
        all[a].kind = lithe_told(m, s, a, all[a].value);
    lithe_status status = settle_in_steps(m, s, all);
    memory_free(all);
    return status;
}
