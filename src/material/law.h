// Laws: the energy of a unit of rest volume as a function of the deformation gradient F, its first
// derivative P (the first Piola-Kirchhoff stress) and its second derivative C = dP/dF, eight points
// at a time. F, P: row-major 3x3; C: 9x9, symmetric, row 3 i + J for P_iJ.
//
// Element kernels are instantiated per law: call law_evaluate with a constant law, and no choice is
// left at run time. Formulas and derivations are in docs/theory/laws.md.
#ifndef MATERIAL_LAW_H
#define MATERIAL_LAW_H

#include "base/spectrum.h"
#include "material/corotational.h"
#include "material/gent.h"
#include "material/kind.h"
#include "material/mooney.h"
#include "material/neo_hooke.h"
#include "material/ogden.h"
#include "material/orthotropic.h"
#include "material/st_venant.h"
#include "material/yeoh.h"

typedef enum law_tangent {
    LAW_STRESS,   // no C
    LAW_EXACT,    // the second derivative of the energy
    LAW_POSITIVE, // the same, its negative eigenvalues taken to zero
} law_tangent;

typedef struct law_point {
    lanes energy; // J/m^3
    lanes P[9];   // Pa
    lanes C[81];  // Pa; untouched for LAW_STRESS
} law_point;

static inline void law_corotational(const lanes F[9], const lanes *p, law_tangent tangent,
                                    law_point *out)
{
    corotational point;
    corotational_evaluate(F, p[0], p[1], &point);
    out->energy = point.energy;
    for (int i = 0; i < 9; i++)
        out->P[i] = point.P[i];
    if (tangent == LAW_STRESS)
        return;
    corotational_twist(F, p[0], p[1], tangent == LAW_POSITIVE, &point);
    corotational_tangent(&point, p[0], p[1], out->C);
}

__attribute__((always_inline)) static inline void law_evaluate(law_kind law, const lanes F[9],
                                                               const lanes *parameter,
                                                               law_tangent tangent, law_point *out)
{
    bool stiff = tangent != LAW_STRESS;
    if (law == LAW_COROTATIONAL) {
        law_corotational(F, parameter, tangent, out);
        return;
    }
#define LAW_CASE(name, n, lower, public)                                                           \
    if (law == LAW_##name)                                                                         \
        lower(F, parameter, stiff, &out->energy, out->P, out->C);
    LAW_SMOOTH(LAW_CASE)
#undef LAW_CASE
    if (tangent == LAW_POSITIVE)
        spectrum_clamp(9, out->C);
}

#endif
