// Shapes of a body as the lines of a matrix Phi (nnode x 3 x n), orthonormal in the measure of its
// mass: Phi' M Phi = (whole mass) 1. So a coordinate is about what nodes move by, in metres, and
// all have the same inertia. Of a body without mass all nodes weigh the same.
#ifndef REDUCE_BASIS_H
#define REDUCE_BASIS_H

#include "reduce/reduction.h"

// out = M shape (nnode x 3); returns the whole mass
double basis_mass_times(const body *b, const double *shape, double *out);

// Phi becomes orthonormal with the same span. LITHE_INVALID, said: its columns are dependent.
lithe_status basis_orthonormalize(const body *b, int n, double *Phi, arena *scratch, double *mass,
                                  lithe_report *report);

// back = M Phi / mass, so that q = back' u is nearest to a displacement u; and that q.
void basis_dual(const body *b, int n, const double *Phi, double mass, double *back);
void basis_nearest(const body *b, int n, const double *Phi, double mass, const double *shape,
                   arena *scratch, double *q);

#endif
