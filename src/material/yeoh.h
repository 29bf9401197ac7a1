// Yeoh: psi = c1 K + c2 K^2 + c3 K^3 + lambda/2 L^2 with K = I1 - 3 - 2 L, L = ln J continued
// (material/strain.h). Without change of volume K is I1 - 3, the usual form; K has no slope at
// rest, so that mu = 2 c1 and lambda are Lame's constants at small strain.
//
//     w = c1 + 2 c2 K + 3 c3 K^2,   w' = 2 c2 + 6 c3 K
//
// Stress and stiffness: strain_of_excess.
#ifndef MATERIAL_YEOH_H
#define MATERIAL_YEOH_H

#include "material/law_definition.h"
#include "material/strain.h"

#include <stdbool.h>

static inline void yeoh(const lanes F[9], const lanes *p, bool stiff, lanes *energy, lanes P[9],
                        lanes C[81])
{
    lanes c1 = p[0], c2 = p[1], c3 = p[2], lambda = p[3];
    strain s;
    strain_evaluate(F, &s);
    lanes K = s.excess, w = c1 + K * (2 * c2 + 3 * c3 * K), w1 = 2 * c2 + 6 * c3 * K;
    *energy = K * (c1 + K * (c2 + K * c3)) + 0.5 * lambda * s.log * s.log;
    strain_of_excess(F, &s, w, w1, lambda, stiff, P, C);
}

// c1 + 2 c2 K + 3 c3 K^2 must stay positive over the strains that are used, K = I1 - 3: until it is
// pulled to three times its length.
static inline bool yeoh_check(const lithe_material_def *d, material_fault *fault)
{
    const double top = 9 + 2.0 / 3 - 3;
    const double *c = d->coefficient;
    double c2 = d->ncoefficient > 1 ? c[1] : 0, c3 = d->ncoefficient > 2 ? c[2] : 0;
    if (!(c[0] > 0))
        return material_blame(fault, "coefficients",
                              "the first coefficient of yeoh is %g Pa; it must be "
                              "above 0",
                              c[0]);
    double worst = c3 > 0 && c2 < 0 ? fmin(top, -c2 / (3 * c3)) : top;
    if (!(c[0] + worst * (2 * c2 + 3 * c3 * worst) > 0))
        return material_blame(
            fault, "coefficients",
            "yeoh with these coefficients loses its stiffness before a stretch of 3; fit "
            "again, or leave out the last coefficient");
    return true;
}

static const law_definition yeoh_definition = {.name = "yeoh",
                                               .least = 1,
                                               .most = 3,
                                               .form = "[c1], [c1, c2] or [c1, c2, c3]",
                                               .lambda = 3,
                                               .logarithmic = true,
                                               .shear = law_shear_twice_first,
                                               .fit = law_fit_sum,
                                               .check = yeoh_check};

#endif
