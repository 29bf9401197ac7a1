#include "app/pace.h"

#include "base/clock.h"

#include <math.h>

pace pace_start(const lithe_model *m)
{
    const lithe_step_def *step = lithe_model_step(m);
    bool paced = step->mode == LITHE_ASYNCHRONOUS && step->factor_age == 0;
    return (pace){paced ? step->dt : 0, clock_now()};
}

// A sleeper wakes late and on a cold core, so the last moments are waited out awake.
void pace_wait(pace *p)
{
    const double awake = 3e-4;
    if (p->period == 0)
        return;
    double left = p->next - clock_now() - awake;
    struct timespec nap = {(time_t)left, (long)(1e9 * (left - floor(left)))};
    if (left > 0)
        nanosleep(&nap, NULL);
    while (clock_now() < p->next)
        ;
    p->next = fmax(p->next, clock_now()) + p->period;
}
