#include "drive/feedback.h"

#include "base/status.h"

#include <math.h>

lithe_status feedback_check(const lithe_feedback_def *def, lithe_report *report)
{
    bool good = def->delay >= 0 && isfinite(def->delay) && def->lead >= 0 && isfinite(def->lead) &&
                def->filter >= 0 && def->windup >= 0;
    for (int i = 0; i < 3; i++)
        good = good && def->kp[i] >= 0 && def->ki[i] >= 0 && def->kd[i] >= 0;
    if (good)
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "a gain or a time of the controller is negative or no number; make them 0 or "
                      "more, and delay and lead finite");
}

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
