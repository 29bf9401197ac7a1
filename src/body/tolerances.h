// Where rounding decides about bodies.
#ifndef BODY_TOLERANCES_H
#define BODY_TOLERANCES_H

#include <float.h>

// Of a coordinate: what positions are rounded by, and so what is known of a force that they make.
static const double BODY_ROUNDING = DBL_EPSILON;

// s: times that differ by less are the same moment to a load that begins or ends.
static const double BODY_MOMENT = 1e-9;

// Of the body's stiffness about it: a hinge that nothing but its command holds would leave A
// singular. A stiffness that small leaves the way to a commanded angle as it is, and makes that
// under a given torque a little slower.
static const double BODY_HINGE_SHARE = 1e-4;

// Largest entry of a matrix whose polar decomposition is none: its squares would underflow.
static const double BODY_NO_ROTATION = 1e-150;

// Of the trace cubed: a determinant above it is good to the six digits that damping needs, and the
// inverse is made of it; else of eigenvalues, of which those that are below a share of the largest
// are none: nodes in a line do not rotate about it.
static const double BODY_GRAM_DETERMINANT = 1e-9, BODY_GRAM_EIGENVALUE = 1e-10;

// Of an element's stiffness: how far it may be from that of an isotropic material, for rounding.
static const double BODY_ISOTROPIC = 1e-10;

// Of the stiffness that a body's weight would give a pendulum as long as it is: what is added to
// the tangent at rest where nothing but joints holds it. Passes contract by about as much.
static const double BODY_GRIP = 1e-2;

#endif
