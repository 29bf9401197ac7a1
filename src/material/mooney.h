// Mooney-Rivlin: psi = c1 (I1 - 3 - 2 L) + c2 (I2 - 3 - 4 L) + (lambda - 4 c2)/2 L^2,
// L = ln J continued (material/strain.h). mu = 2 (c1 + c2); the shift of lambda makes it Lame's
// constant at small strain.
//
//     P  = 2 c1 F + 2 c2 (I1 F - F F'F) + g cof,   g = ((lambda - 4 c2) L - 2 c1 - 4 c2) L'
//     dP = 2 c1 dF + 2 c2 (I1 dF + 2 (F : dF) F - dF F'F - F dF' F - F F' dF)
//          + g' (cof : dF) cof + g dcof
#ifndef MATERIAL_MOONEY_H
#define MATERIAL_MOONEY_H

#include "material/law_definition.h"
#include "material/strain.h"

#include <stdbool.h>

static inline void mooney_tangent(const lanes F[9], lanes c1, lanes c2, const strain *s, lanes g1,
                                  lanes C[81])
{
    lanes B[9], own = 2 * (c1 + c2 * (3 + 2 * s->trace));
    lanes_mat_mul_nt(B, F, F);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    lanes c = 2 * F[3 * i + j] * F[3 * k + l] - F[3 * i + l] * F[3 * k + j];
                    if (j == l)
                        c -= B[3 * i + k];
                    if (i == k) // F'F = I + 2 E
                        c -= 2 * s->E[3 * j + l] + (j == l ? lanes_set(1) : lanes_set(0));
                    C[9 * (3 * i + j) + 3 * k + l] =
                        2 * c2 * c + g1 * s->cof[3 * i + j] * s->cof[3 * k + l];
                }
    for (int i = 0; i < 9; i++)
        C[10 * i] += own;
}

static inline void mooney(const lanes F[9], const lanes *p, bool stiff, lanes *energy, lanes P[9],
                          lanes C[81])
{
    lanes c1 = p[0], c2 = p[1], lambda = p[2] - 4 * c2, FE[9];
    strain s;
    strain_evaluate(F, &s);
    lanes slope = lambda * s.log - 2 * c1 - 4 * c2;
    lanes g = slope * s.log1, g1 = lambda * s.log1 * s.log1 + slope * s.log2;
    *energy = c1 * s.excess + c2 * (2 * s.excess + 4 * s.second) + 0.5 * lambda * s.log * s.log;
    lanes_mat_mul(FE, F, s.E); // I1 F - F F'F = (I1 - 1) F - 2 F E
    lanes own = 2 * (c1 + c2 * (2 + 2 * s.trace));
    for (int i = 0; i < 9; i++)
        P[i] = own * F[i] - 4 * c2 * FE[i] + g * s.cof[i];
    if (!stiff)
        return;
    mooney_tangent(F, c1, c2, &s, g1, C);
    strain_add_cofactor(F, g, C);
}

static inline double mooney_shear(const lithe_material_def *d)
{
    return 2 * (d->coefficient[0] + d->coefficient[1]);
}

static inline bool mooney_check(const lithe_material_def *d, material_fault *fault)
{
    double c1 = d->coefficient[0], c2 = d->coefficient[1];
    if (!(c1 >= 0 && c2 >= 0 && c1 + c2 > 0))
        return material_blame(
            fault, "coefficients",
            "mooney-rivlin loses its stiffness in some strains unless c1 and c2 are both "
            "0 or more; they are %g and %g Pa. Fit again with that bound, or use yeoh",
            c1, c2);
    // lambda >= 4 c2, with lambda = 4 (c1 + c2) nu / (1 - 2 nu)
    double least = c2 / (c1 + 3 * c2);
    if (d->poisson < least)
        return material_blame(
            fault, "poisson",
            "mooney-rivlin with these coefficients needs a Poisson's ratio of %.3g or "
            "more, not %g; rubber is 0.45 to 0.499",
            least, d->poisson);
    return true;
}

// Less would turn its part in L^2 around.
static inline double mooney_least_lambda(const double *number)
{
    return 4 * number[1];
}

static const law_definition mooney_definition = {.name = "mooney-rivlin",
                                                 .least = 2,
                                                 .most = 2,
                                                 .form = "[c1, c2]",
                                                 .lambda = 2,
                                                 .least_lambda = mooney_least_lambda,
                                                 .logarithmic = true,
                                                 .shear = mooney_shear,
                                                 .fit = law_fit_sum,
                                                 .check = mooney_check};

#endif
