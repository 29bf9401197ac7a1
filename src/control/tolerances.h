// Where rounding decides in control, and what is near enough.
#ifndef CONTROL_TOLERANCES_H
#define CONTROL_TOLERANCES_H

#include <float.h>

// Relative to the terms of a sum, a fraction or a rotation: the next one changes nothing.
static const double CONTROL_ROUNDING = DBL_EPSILON;

// Of a step of time: a duration that is so much longer than whole steps was rounded to it; and a
// time that lacks so little of a moment has come, after as many additions as a run has steps.
static const double CONTROL_WHOLE_STEPS = 1e-9, CONTROL_MOMENT = 1e-6;

// Of the scale of what is measured: an error up to this counts as reached.
static const double CONTROL_REACHED = 1e-5;

// Relative force residual of a realtime robot that stands still.
static const double CONTROL_STILL = 1e-8;

// Squared length of x in the plane of a path: where it is below, y is projected instead.
static const double PATH_FLAT = 1e-12;

// Change of a Riccati iterate, of numbers near 1, that is rounding.
static const double ROBUST_CHANGE = 1e-15;

// Of the largest singular value: what cannot be told from rounding of W.
static const double INVERSION_NOTHING = 1e-10;

// Of the largest compliance: a row whose displacement others have determined already.
static const double SENSITIVITY_DETERMINED = 1e-12;

// Of the range of an effort: minima that are nearer are one; and N, the least range that is drawn.
static const double LANDSCAPE_SAME = 1e-3, LANDSCAPE_LEAST_RANGE = 1e-12;

// rad: where sin(a) / a is 1 to rounding.
static const double ARC_SMALL_ANGLE = 1e-8;

// Residual of a joint, in units of its legs, at which Newton ends, and which is an answer; the step
// of its central differences, wrong by about its square.
static const double JOINT_END = 1e-14, JOINT_FOUND = 1e-10, JOINT_DIFFERENCE = 1e-5;

// Of a diameter: the step of central differences, and the change after which a fit ends.
static const double ARC_DIFFERENCE = 1e-6, ARC_STILL = 1e-9;

// Of a scaled singular value: directions that are lost in the error of the differences. Scaled step
// of these, which are wrong by about its square.
static const double CALIBRATE_UNSEEN = 1e-5, CALIBRATE_DIFFERENCE = 1e-3;

// Levenberg's damping at first and where the search gives up.
static const double CALIBRATE_FIRST_DAMPING = 1e-3, CALIBRATE_LAST_DAMPING = 1e12;

// A step below this share of the standard error, or this scaled change, is none.
static const double CALIBRATE_SMALL_SHARE = 1e-4, CALIBRATE_SMALL_CHANGE = 1e-10,
                    CALIBRATE_REST_SHARE = 1e-2;

// Of the largest singular value: directions that sensors do not see at all.
static const double ESTIMATE_UNSEEN = 1e-9;

// Of a reading's noise: the share that a fit leaves in its residual, below which there is nothing
// to judge it by.
static const double ESTIMATE_JUDGED = 1e-6;

// Of a reading's noise: an iteration that moves none by more is the last one; one that cannot move
// on is at its end if it wants to move none by more than the second.
static const double ESTIMATE_SMALL = 1e-6, ESTIMATE_STUCK = 1e-3;

// Of a cost: a rise that is no more than rounding.
static const double ESTIMATE_SAME_COST = 1e-9;

#endif
