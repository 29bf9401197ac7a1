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

double feedback_correct(feedback_axis *f, double error, double beyond, double dt)
{
    if (!isfinite(error))
        return f->ki * f->integral;
    if (f->kd > 0 && isfinite(f->error)) {
        double share = dt / (f->filter + dt); // of the new slope, in a filter of first order
        f->derivative += share * ((error - f->error) / dt - f->derivative);
    }
    f->error = error;
    if (f->ki > 0 && error * beyond <= 0) {
        double most = f->windup / f->ki;
        f->integral = fmin(fmax(f->integral + error * dt, -most), most);
    }
    return f->kp * error + f->ki * f->integral + f->kd * f->derivative;
}
