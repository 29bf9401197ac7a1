// Control in the space of the task: what the inverse is asked for, so that what is measured comes
// to what is wanted [chaillou2023, eq. 11].
#ifndef DRIVE_FEEDBACK_H
#define DRIVE_FEEDBACK_H

#include "lithe/drive.h"

// Of one number.
typedef struct feedback_axis {
    double kp, ki, kd, filter, windup;
    double integral;   // of the error
    double error;      // the last; NAN: none yet
    double derivative; //
} feedback_axis;

// LITHE_INVALID where a number of it makes no sense.
lithe_status feedback_check(const lithe_feedback_def *def, lithe_report *report);

feedback_axis feedback_create(const lithe_feedback_def *def, int axis);
void feedback_reset(feedback_axis *f);

// kp e + ki integral + kd de/dt after dt. beyond: how far what was asked for last is from what the
// model or the machine could do of it; an integral does not grow towards there.
double feedback_correct(feedback_axis *f, double error, double beyond, double dt);

#endif
