// Where rounding decides in a step, and what is near enough. Lengths are shares of the robot's
// size.
#ifndef STEP_TOLERANCES_H
#define STEP_TOLERANCES_H

#include <float.h>

// What rounding leaves of differences. Of energies: sums over thousands of elements round some tens
// of times more than one number does. Of works: each is a force times a length that is rounded.
static const double STEP_ENERGY_NOISE = 64 * DBL_EPSILON, STEP_WORK_NOISE = DBL_EPSILON;

// Of what the slope promises: a decrease that is one [nocedal2006, 3.4].
static const double STEP_DECREASE = 1e-4;

// Relative force residual that is fine where features that meet change from pair to pair, and
// Newton slows down.
static const double STEP_FINE_IN_CONTACT = 1e-8;

// A last move that is longer leaves a tangent that cannot tell whether the shape it led to is
// stable.
static const double STEP_SHORT_MOVE = 1e-7;

// A factor of a shape that is farther away is made anew: the next one contracts ten times as fast
// or more.
static const double STEP_REUSE_NEAR = 2e-4;

// A move at which the shape that is nearest to given positions is found.
static const double STEP_SHAPE_FOUND = 1e-14;

// Positions so far from those of the factor get a warp of its own.
static const double STEP_WARP_DUE = 1e-3;

// Of inertia times a coordinate: what two roundings, of a position and of the one before, leave.
static const double STEP_INERTIA_NOISE = 2 * DBL_EPSILON;

// Of the size: joints that are open by more hold nothing, in passes; and what a pass may open.
static const double JOINT_OPEN = 1e-4, JOINT_OPEN_IN_PASSES = 1e-2, JOINT_OPEN_BY_PASS = 4e-2;

// Of a step of time: lengths that differ by less are the same; and of the rate that dampers know
// where time stands still.
static const double STEP_SAME_TIME = 1e-9, STEP_STANDSTILL = 1e-9;

// Of the largest energy: a gain within a step that is none of the integration's own, which is of
// the second order in dt.
static const double STEP_ENERGY_GAIN = 2e-3;

// Of a modulus: the smallest and the largest factor, between which matrices keep digits enough.
static const double STEP_LEAST_FACTOR = 1e-6, STEP_MOST_FACTOR = 1e6;

// Of the usual response, in units of rows' scales: a row that efforts move by less is moved by
// rounding; such a row that is as near as the second to its target is kept there already.
static const double STEP_STUCK = 1e-10, STEP_STUCK_AT_TARGET = 1e-9;

// Of a row's scale: a way to a limit that is rounding. rad, or of the size: one that is seen to be
// none, where positions are floats.
static const double STEP_AT_LIMIT = 1e-13, STEP_SEEN_AT_STOP = 1e-4;

// Squared error, in units of rows' scales, below which a target is reached, a millionth of them.
static const double STEP_REACHED_SQUARED = 1e-12;

// Relative change of an effort at which the sweeps of Gauss and Seidel end.
static const double STEP_SWEEPS = 1e-12;

// Cosine between a move and the change of the gradient: what is less says nothing of second
// derivatives. Of the largest: eigenvalues of a secant Hessian that are rounding.
static const double STEP_SECANT_SLOPE = 1e-12, STEP_SECANT_EIGENVALUE = 1e-9;

// How far a proposal may still want to move a wanted row, or any node, at an optimum; and how many
// times more with contacts, whose directions settle only to so much.
static const double STEP_OPTIMUM_ROW = 1e-9, STEP_OPTIMUM_NODE = 1e-7, STEP_CONTACT_SLACK = 10;

// Longest and shortest way at once in motion.
static const double STEP_MOST_TRUST = 0.25, STEP_LEAST_TRUST = 1e-5;

// Of the priority before it: what a level counts in the distance from all targets.
static const double STEP_NEXT_PRIORITY = 1e-2;

// Of the motion that a proposal asks for, and at most: relative force residual that the equilibrium
// it leads to may keep, since the next proposal goes on from there with what is left.
static const double STEP_LOOSE_SHARE = 0.1, STEP_LOOSE_MOST = 1e-6;

// Of the square of a motion: a gain that is not one of second derivatives that are left out.
static const double STEP_REAL_GAIN = 1e-3;

// A motion at whose end the proposal is better than what can be measured of it.
static const double STEP_END_OF_SEARCH = 1e-5;

// In units of rows' scales: how far off targets a way with less exertion may lead, at first and at
// the least; and targets that are met, so that no further start is searched from.
static const double STEP_FUNNEL = 1e-2, STEP_LEAST_FUNNEL = 1e-9, STEP_MET = 1e-6;

// Overlaps: that no converged step leaves; that are not looked at, positions are rounded; how deep
// they are looked for at rest.
static const double CONTACT_TOLERANCE = 1e-6, CONTACT_ROUNDING = 1e-9, CONTACT_DEPTH = 5e-3;

// Of the gap at which the law holds: the least that the barrier's safe steps leave. Of the reach: a
// way in a step that is none.
static const double CONTACT_LEAST_GAP = 1e-3, CONTACT_AT_REST = 1e-3;

// Of the largest compliance: what nodes that frames or modes carry get of their own. They do not
// move independently, and S would be singular.
static const double CONTACT_LOOSENED = 1e-9;

// Of the forces in the balance: contact forces that are measured against where contacts hardly
// push; and of those before the polish where none is left.
static const double POLISH_LEAST_FORCE = 1e-3;

// Of gaps and forces: how near to none a pass may bring them.
static const double POLISH_KEPT = 0.005;

// Of the tolerance: what it is of contact forces. Gaps are directions known to some roundings. Of
// force times the gap at which the law holds: their product at the end.
static const double POLISH_TOLERANCE = 1e-2, POLISH_DIRECTION = 4 * DBL_EPSILON, POLISH_END = 1e-2;

// Relative force residuals of realtime passes in contact: what they seek, what is no loss, where
// what waits for a settled shape goes on. Of the size: the inverse's last way.
static const double REALTIME_FINE = 1e-4, REALTIME_ENOUGH = 0.02, REALTIME_SETTLED = 1e-2;
static const double REALTIME_STEADY = 1e-4;

#endif
