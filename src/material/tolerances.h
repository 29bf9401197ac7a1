// Where rounding decides about materials.
#ifndef MATERIAL_TOLERANCES_H
#define MATERIAL_TOLERANCES_H

// Sine: a second axis that is nearer to the fibre's leaves its own direction to rounding.
static const double MATERIAL_ACROSS = 1e-6;

// Of their sum: moduli of two axes that differ by less are one number, written with six digits.
static const double MATERIAL_ALIKE = 1e-6;

// Of the iterate: Newton doubles its digits, so that after a step of half of them the next one
// would change nothing.
static const double POLAR_HALF_DIGITS = 1e-9;

// Determinant of tr(S) I - V, 8 at rest: where it is below, two principal stretches cancel, every
// rotation about an axis is equally good, and its derivative is cut off.
static const double POLAR_FOLDED = 1e-6;

// |R'R - I|^2 and det of a polar decomposition in closed form that is as good as one by Jacobi
// rotations; others are made again that way.
static const double POLAR_ORTHOGONAL = 1e-17, POLAR_FLAT = 1e-3;

// Squared stretch below which Ogden's stress is continued by its tangent: a stretch of 0.01, which
// no specimen reaches.
static const double OGDEN_FLOOR = 1e-4;

#endif
