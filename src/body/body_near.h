// The motion of a body's coordinates that is nearest to a way of its nodes, in the measure of its
// mass.
#ifndef BODY_BODY_NEAR_H
#define BODY_BODY_NEAR_H

#include "body/body.h"

// Memory for it, of bodies without rotations.
typedef struct body_near {
    space_tangent tangent;
    double *x, *J, *momentum, *line;
} body_near;

lithe_status body_near_create(const body *b, arena *memory, body_near *out);

// dq of a way (nnode x 3) from where q is. False: there are coordinates without mass.
bool body_nearest(const body *b, body_near *near, const double *q, const double *way, double *dq);

#endif
