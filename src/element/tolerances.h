// Where rounding decides about elements.
#ifndef ELEMENT_TOLERANCES_H
#define ELEMENT_TOLERANCES_H

// Sine: a beam's axis of the section that is nearer to the beam's own has no direction across it
// that is known to six digits.
static const double BEAM_SECTION_ALONG = 1e-6;

// 1 - c^2 of half the rotation: only divides where the closed form holds, which begins at 0.36;
// elsewhere the series is taken and the quotient thrown away.
static const double BEAM_CLOSED_FORM = 1e-3;

// Sine between two edges: a triangle that is flatter has no normal, its sides cancel to rounding.
static const double SHELL_FLAT = 1e-12;

// det F: where it is below, F has no inverse, and F^-1 P is told as cof F' P.
static const double PRONY_FLAT = 1e-12;

#endif
