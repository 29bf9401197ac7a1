// Case 14: laws at a point, by closed forms. Both deformations keep the volume.
#include "base/vec.h"
#include "material/law.h"
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

static const double stretch = 2, shear = 0.5;

// Cauchy's stress P F' (det F is 1).
static void cauchy(const law_material *stuff, const double F[9], double sigma[9])
{
    lanes wide[9], parameter[LAW_PARAMETERS];
    law_point point;
    for (int i = 0; i < 9; i++)
        wide[i] = lanes_set(F[i]);
    for (int i = 0; i < LAW_PARAMETERS; i++)
        parameter[i] = lanes_set(stuff->parameter[i]);
    law_evaluate(stuff->law, wide, parameter, LAW_STRESS, &point);
    for (int i = 0; i < 9; i++) {
        sigma[i] = 0;
        for (int k = 0; k < 3; k++)
            sigma[i] += point.P[3 * (i / 3) + k][0] * F[3 * (i % 3) + k];
    }
}

// sigma1 - sigma2 under F = diag(l, l^-1/2, l^-1/2); mu and lambda at small strain.
static double pulled(const law_material *stuff, double mu, double lambda)
{
    const double *p = stuff->parameter, l = stretch, s = 1 / sqrt(l), d = l * l - 1 / l;
    double K = l * l + 2 / l - 3, sum = 0, trace = l + 2 * s - 3;
    switch (stuff->law) {
    case LAW_NEO_HOOKE: return mu * d;
    case LAW_MOONEY: return 2 * d * (p[0] + p[1] / l);
    case LAW_YEOH: return 2 * d * (p[0] + 2 * p[1] * K + 3 * p[2] * K * K);
    case LAW_GENT: return mu * d * p[1] / (p[1] - K);
    case LAW_OGDEN:
        for (int i = 0; i < 3; i++)
            sum += p[i] * (pow(l, p[4 + i]) - pow(l, -p[4 + i] / 2));
        return sum;
    case LAW_COROTATIONAL:
        return l * (2 * mu * (l - 1) + lambda * trace) - s * (2 * mu * (s - 1) + lambda * trace);
    default: // Green's strain, linear
        return l * l * (mu * (l * l - 1) + lambda * K / 2) -
               (mu * (1 / l - 1) + lambda * K / 2) / l;
    }
}

// The shear stress under simple shear.
static double sheared(const law_material *stuff, double mu, double lambda)
{
    const double *p = stuff->parameter, g = shear, K = g * g;
    double l = g / 2 + sqrt(1 + g * g / 4), sum = 0;
    double c = 1 / sqrt(1 + g * g / 4), s = c * g / 2; // of the polar rotation
    switch (stuff->law) {
    case LAW_NEO_HOOKE: return mu * g;
    case LAW_MOONEY: return 2 * (p[0] + p[1]) * g;
    case LAW_YEOH: return 2 * g * (p[0] + 2 * p[1] * K + 3 * p[2] * K * K);
    case LAW_GENT: return mu * g * p[1] / (p[1] - K);
    case LAW_OGDEN:
        for (int i = 0; i < 3; i++)
            sum += p[i] * (pow(l, p[4 + i]) - pow(l, -p[4 + i]));
        return sum / (l + 1 / l);
    case LAW_COROTATIONAL:
        return 2 * mu * s * c + s * (2 * mu * (c + s * g - 1) + lambda * (2 * c + s * g - 2));
    default: return mu * g + g * g * g * (mu + lambda / 2);
    }
}

void verify_points(verify_table *table)
{
    const double F[2][9] = {{stretch, 0, 0, 0, sqrt(1 / stretch), 0, 0, 0, sqrt(1 / stretch)},
                            {1, shear, 0, 0, 1, 0, 0, 0, 1}};
    const double young = 1, poisson = 0.45, mu = young / 2 / (1 + poisson),
                 lambda = 2 * mu * poisson / (1 - 2 * poisson);
    verify_case(table, 14, "laws at a point");
    for (int law = 0; law < PIECE_LAWS; law++) {
        lithe_material_def def = piece_law((lithe_law)law, young, poisson, false);
        law_material stuff;
        double sigma[9];
        material_fit(&def, &stuff);
        verify_mesh(table, "%s", piece_law_name((lithe_law)law));
        cauchy(&stuff, F[0], sigma);
        verify_gate(table, "(sigma1 - sigma2) / mu at diag(2, 1/sqrt 2, 1/sqrt 2)",
                    (sigma[0] - sigma[4]) / mu, pulled(&stuff, mu, lambda) / mu, 1e-8);
        cauchy(&stuff, F[1], sigma);
        verify_gate(table, "tau / mu in simple shear by 0.5", sigma[1] / mu,
                    sheared(&stuff, mu, lambda) / mu, 1e-8);
    }
    verify_note(table, "Neo-Hookean: 3.5 and the shear itself. The others by their own closed "
                       "forms, at nu 0.45; orthotropic with the numbers of an isotropic material.");
}
