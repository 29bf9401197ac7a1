#include "drive/feedback.h"

#include <math.h>

feedback_axis feedback_create(const lithe_feedback_def *def, int axis)
{
    feedback_axis f = {.kp = def->kp[axis],
                       .ki = def->ki[axis],
                       .kd = def->kd[axis],
                       .filter = def->filter,
                       .windup = def->windup};
    feedback_reset(&f);
    return f;
}

void feedback_reset(feedback_axis *f)
{
    f->integral = f->derivative = 0;
    f->error = NAN;
}

double feedback_ask(feedback_axis *f, double wanted, double measured, double beyond, double dt)
{
    double e = wanted - measured;
    if (!isfinite(e))
        return wanted + f->ki * f->integral;
    if (isfinite(f->error)) {
        double share = dt / (f->filter + dt); // of the new slope, in a filter of first order
        f->derivative += share * ((e - f->error) / dt - f->derivative);
    }
    f->error = e;
    if (f->ki > 0 && e * beyond <= 0) {
        double most = f->windup / f->ki;
        f->integral = fmin(fmax(f->integral + e * dt, -most), most);
    }
    return wanted + f->kp * e + f->ki * f->integral + f->kd * f->derivative;
}
