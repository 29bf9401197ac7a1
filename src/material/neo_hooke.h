// Neo-Hookean: psi = mu/2 (I1 - 3) - mu L + lambda/2 L^2, L = ln J continued (material/strain.h)
//
//     P  = mu F + g cof,   g = (lambda L - mu) L'
//     dP = mu dF + g' (cof : dF) cof + g dcof,   g' = lambda L'^2 + (lambda L - mu) L''
#ifndef MATERIAL_NEO_HOOKE_H
#define MATERIAL_NEO_HOOKE_H

#include "material/law_definition.h"
#include "material/strain.h"

#include <stdbool.h>

static inline void neo_hooke(const lanes F[9], const lanes *p, bool stiff, lanes *energy,
                             lanes P[9], lanes C[81])
{
    lanes mu = p[0], lambda = p[1];
    strain s;
    strain_evaluate(F, &s);
    lanes slope = lambda * s.log - mu;
    lanes g = slope * s.log1, g1 = lambda * s.log1 * s.log1 + slope * s.log2;
    *energy = 0.5 * (mu * s.excess + lambda * s.log * s.log);
    for (int i = 0; i < 9; i++)
        P[i] = mu * F[i] + g * s.cof[i];
    if (!stiff)
        return;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            C[9 * i + j] = g1 * s.cof[i] * s.cof[j] + (i == j ? mu : lanes_set(0));
    strain_add_cofactor(F, g, C);
}

static inline bool neo_hooke_check(const lithe_material_def *d, material_fault *fault)
{
    if (d->ncoefficient > 0 && !(d->coefficient[0] > 0))
        return material_blame(fault, "coefficients",
                              "the coefficient of neo-hookean is %g Pa; it must be above 0",
                              d->coefficient[0]);
    return true;
}

static const law_definition neo_hooke_definition = {.name = "neo-hookean",
                                                    .most = 1,
                                                    .form = "[c1], which is half the shear modulus",
                                                    .lambda = 1,
                                                    .logarithmic = true,
                                                    .shear = law_shear_twice_first,
                                                    .fit = law_fit_shear,
                                                    .check = neo_hooke_check};

#endif
