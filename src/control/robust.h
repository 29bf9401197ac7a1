// How wrong the Jacobian may be in the discrete closed loop of sensors [bieze2018, section V.B]:
//
//     e+ = e + J J_hat^+ v,   v = -kp e - ki h,   h+ = h + e
//
// With Delta = J J_hat^+ - I the loop is one of kp, ki alone, closed over Delta:
//
//     x+ = C x + D w,   w = Delta v,   C = [1 - kp, -ki; 1, 1],   D = [1; 0],   x = (e, h)
//
// and stable for every Delta, also one that changes with time, with |Delta| <= gamma, if gamma
// times the peak of G(z) = (kp (z-1) + ki) / ((z-1)^2 + kp (z-1) + ki) is below 1. Above, there is
// a constant Delta of that size with which it is not: docs/theory/robustness.md.
#ifndef CONTROL_ROBUST_H
#define CONTROL_ROBUST_H

#include "lithe/lithe.h"

// Is the loop stable with an exact Jacobian?
bool robust_is_stable(lithe_gains gains);

// |G|^2 over t = |z - 1|^2 = 2 - 2 cos(frequency), from 0 to 4.
double robust_square(lithe_gains gains, double t);

// The complex G at a frequency, rad a step.
void robust_transfer(lithe_gains gains, double frequency, double *real, double *imaginary);

#endif
