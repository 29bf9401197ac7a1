// What is too little to be shown or said.
#ifndef APP_TOLERANCES_H
#define APP_TOLERANCES_H

// Of the smallest unit that is shown: rounding, which is shown as 0.
static const double SHOW_ROUNDING = 1e-6;

// m: errors that are not worth their digits.
static const double SHOW_LEAST_ERROR = 1e-9;

// Of a step of time: a duration that is so much longer than whole steps was rounded to it.
static const double RUN_WHOLE_STEPS = 1e-6;

// Of a range: a displacement may be that much outside, as far as steps converge.
static const double RUN_OUTSIDE = 1e-6;

// Of a rate's step: an actuator that is nearer to its limit is at the limit, not at its rate. Of
// the error: what a unit more of a limit must be worth to be told.
static const double LIMITS_AT = 1e-3, LIMITS_WORTH = 1e-4;

// rad, m: a joint that is as near as that to its limit is at its stop.
static const double STOP_REACHED = 1e-6;

// N, m, m^3: the range of a command that has none.
static const double LIVE_LEAST_RANGE = 1e-12;

// 1 - gamma that is shaded darkest; and m, the least half width of a drawn workspace.
static const double ROBUST_DARKEST = 1e-3, ROBUST_LEAST_WIDTH = 1e-6;

#endif
