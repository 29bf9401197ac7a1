// Gent: psi = -mu J_m/2 ln(1 - K / J_m) + lambda/2 L^2 with K = I1 - 3 - 2 L, L = ln J continued
// (material/strain.h). Chains that are all but straight: the stress grows without bound as K goes
// to J_m [gent1996]. K has no slope at rest, so mu and lambda are Lame's constants at small strain.
//
//     w = dpsi/dK = mu/2 J_m / (J_m - K),   w' = mu/2 J_m / (J_m - K)^2
//
// Stress and stiffness: strain_of_excess.
//
// On its way an iteration may come to K beyond J_m. From GENT_LAST of J_m on, w goes on along its
// tangent, so that every shape has an energy and a force that leads back; w is 100 times as large
// as at rest there.
#ifndef MATERIAL_GENT_H
#define MATERIAL_GENT_H

#include "base/elementary.h"
#include "material/law_definition.h"
#include "material/strain.h"

#include <math.h>

#define GENT_LAST 0.99

static inline void gent(const lanes F[9], const lanes *p, bool stiff, lanes *energy, lanes P[9],
                        lanes C[81])
{
    lanes mu = p[0], limit = p[1], lambda = p[2];
    strain s;
    strain_evaluate(F, &s);
    lanes K = s.excess, last = GENT_LAST * limit, within = lanes_min(K, last), over = K - within;
    lanes left = limit / (limit - within), w1 = 0.5 * mu * left * left / limit;
    lanes w = 0.5 * mu * left + w1 * over;
    *energy = -0.5 * mu * limit * lanes_log1p(-within / limit) +
              over * (0.5 * mu * left + 0.5 * w1 * over) + 0.5 * lambda * s.log * s.log;
    strain_of_excess(F, &s, w, w1, lambda, stiff, P, C);
}

static inline void gent_fit(const lithe_material_def *d, double mu, double scale, double *number)
{
    (void)scale;
    number[0] = mu;
    number[1] = d->locking;
}

static inline bool gent_check(const lithe_material_def *d, material_fault *fault)
{
    if (d->ncoefficient > 0 && !(d->coefficient[0] > 0))
        return material_blame(fault, "coefficients",
                              "the coefficient of gent is %g Pa; it must be above 0",
                              d->coefficient[0]);
    if (d->locking > 0 && isfinite(d->locking))
        return true;
    return material_blame(fault, "locking",
                          "the law gent needs locking, J_m: I1 - 3 where it is stretched out, "
                          "above 0 and not %g; rubber has 30 to 100, muscle 0.5 to 3",
                          d->locking);
}

static const law_definition gent_definition = {.name = "gent",
                                               .most = 1,
                                               .form = "[c1], which is half the shear modulus",
                                               .lambda = 2,
                                               .logarithmic = true,
                                               .locks = true,
                                               .shear = law_shear_twice_first,
                                               .fit = gent_fit,
                                               .check = gent_check};

#endif
