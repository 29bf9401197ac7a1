// Quaternions of lanes, scalar first. Those of a beam's ends have length 1.
#ifndef ELEMENT_QUATERNION_H
#define ELEMENT_QUATERNION_H

#include "base/lanes.h"

#include "base/tolerances.h"

static inline void quaternion_mul(lanes out[4], const lanes a[4], const lanes b[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3];
    out[3] = a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1];
}

static inline void quaternion_conjugate(lanes out[4], const lanes a[4])
{
    out[0] = a[0];
    for (int i = 1; i < 4; i++)
        out[i] = -a[i];
}

static inline lanes quaternion_dot(const lanes a[4], const lanes b[4])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

// a v b*, with a vector v
static inline void quaternion_carry(lanes out[4], const lanes a[4], const lanes v[3],
                                    const lanes b[4])
{
    lanes pure[4] = {lanes_set(0), v[0], v[1], v[2]}, av[4], conjugate[4];
    quaternion_mul(av, a, pure);
    quaternion_conjugate(conjugate, b);
    quaternion_mul(out, av, conjugate);
}

// Of a rotation vector.
static inline void quaternion_of_rotation(lanes q[4], const lanes theta[3])
{
    lanes square = theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2];
    lanes scale = lanes_set(0), cosine = scale;
    for (int l = 0; l < LANES; l++) {
        double angle = sqrt(square[l]);
        cosine[l] = cos(0.5 * angle);
        scale[l] = angle > SMALL_ANGLE ? sin(0.5 * angle) / angle : 0.5 - square[l] / 48;
    }
    q[0] = cosine;
    for (int i = 0; i < 3; i++)
        q[1 + i] = scale * theta[i];
}

#endif
