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
#include "material/mooney.h"
#include "material/neo_hooke.h"
#include "material/ogden.h"
#include "material/orthotropic.h"
#include "material/st_venant.h"
#include "material/yeoh.h"

// X(name): every law, its kind is LAW_name. The numbers that each one takes per element, in order,
// Pa unless said otherwise; lambda is Lame's constant at small strain.
#define LAW_EACH(X)                                                                                \
    X(COROTATIONAL) /* mu, lambda                                                              */  \
    X(ST_VENANT)    /* mu, lambda                                                              */  \
    X(NEO_HOOKE)    /* mu, lambda                                                              */  \
    X(MOONEY)       /* c1, c2, lambda                                                          */  \
    X(YEOH)         /* c1, c2, c3, lambda                                                      */  \
    X(OGDEN)        /* mu1, mu2, mu3, lambda, alpha1, alpha2, alpha3 (-); no term: mu 0, alpha 2*/ \
    X(ORTHOTROPIC)  /* stiffness of Green's strain, 6x6, lower triangle by rows, 11 22 33 23 13 12 \
                     */

typedef enum law_kind {
#define LAW_NAME(name) LAW_##name,
    LAW_EACH(LAW_NAME)
#undef LAW_NAME
        LAW_KINDS
} law_kind;

enum { LAW_PARAMETERS = 21 }; // the most that a law takes

static inline int law_nparameter(law_kind law)
{
    static const int n[LAW_KINDS] = {2, 2, 2, 3, 4, 7, 21};
    return n[law];
}

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
    switch (law) {
    case LAW_COROTATIONAL: law_corotational(F, parameter, tangent, out); return;
    case LAW_ST_VENANT: st_venant(F, parameter, stiff, &out->energy, out->P, out->C); break;
    case LAW_NEO_HOOKE: neo_hooke(F, parameter, stiff, &out->energy, out->P, out->C); break;
    case LAW_MOONEY: mooney(F, parameter, stiff, &out->energy, out->P, out->C); break;
    case LAW_YEOH: yeoh(F, parameter, stiff, &out->energy, out->P, out->C); break;
    case LAW_OGDEN: ogden(F, parameter, stiff, &out->energy, out->P, out->C); break;
    case LAW_ORTHOTROPIC: orthotropic(F, parameter, stiff, &out->energy, out->P, out->C); break;
    case LAW_KINDS: return;
    }
    if (tangent == LAW_POSITIVE)
        spectrum_clamp(9, out->C);
}

#endif
