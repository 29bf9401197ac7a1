// Where rounding decides. Every room has one such header: all its numbers of this kind, each with
// its reason. What several rooms need is here.
#ifndef BASE_TOLERANCES_H
#define BASE_TOLERANCES_H

// Divisors are no smaller: where one vanishes, as in empty lanes, what is divided does too, and
// 0 / 0 shall be 0.
static const double SMALLEST_DIVISOR = 1e-300;

// rad: below it the first terms of the series stand for (sin a) / a and the like, whose numerators
// cancel; what the next term would add is below rounding.
static const double SMALL_ANGLE = 1e-4;

// Of the cosine of half an angle: where its sine is below, the angle is twice the sine to rounding.
static const double ROTATION_SMALL_SINE = 1e-8;

// Of the squared diagonal entries: squared entries beside the diagonal that change no eigenvalue.
static const double SPECTRUM_OFF_DIAGONAL = 1e-30;

// Of the trace: a matrix whose pivots are all above needs no eigenvalues to be known as positive.
static const double SPECTRUM_POSITIVE = 1e-12;

// Of the largest pivot or diagonal entry of a matrix: a pivot of L D L' that is not above it is
// zero, in every factorization, sparse or dense. Entries of a matrix carry roundings of some 1e-16
// of the largest, and elimination adds up some tens of them; what is as small as that has no sign.
static const double ZERO_PIVOT = 1e-14;

#endif
