#include "material/fit.h"

#include "material/orthotropic_frame.h"

#include <math.h>

// Shear modulus at small strain that the coefficients make.
static double coefficient_shear(const lithe_material_def *d)
{
    const double *c = d->coefficient;
    double sum = 0;
    switch (d->law) {
    case LITHE_NEO_HOOKEAN:
    case LITHE_YEOH: return 2 * c[0];
    case LITHE_MOONEY_RIVLIN: return 2 * (c[0] + c[1]);
    case LITHE_OGDEN:
        for (int i = 0; i < d->ncoefficient; i++)
            sum += 0.5 * c[i] * d->exponent[i];
        return sum;
    default: return 0;
    }
}

static double shear_modulus(const lithe_material_def *d)
{
    return d->young > 0 ? d->young / (2 * (1 + d->poisson)) : coefficient_shear(d);
}

static void fit_ogden(const lithe_material_def *d, double scale, double *p)
{
    for (int i = 0; i < LITHE_COEFFICIENTS; i++) {
        bool given = i < d->ncoefficient;
        p[i] = given ? scale * d->coefficient[i] : 0;
        p[LITHE_COEFFICIENTS + 1 + i] = given ? d->exponent[i] : 2;
    }
}

static void fit_isotropic(const lithe_material_def *d, law_material *out)
{
    static const law_kind kind[] = {
        [LITHE_COROTATIONAL] = LAW_COROTATIONAL,
        [LITHE_ST_VENANT_KIRCHHOFF] = LAW_ST_VENANT,
        [LITHE_NEO_HOOKEAN] = LAW_NEO_HOOKE,
        [LITHE_MOONEY_RIVLIN] = LAW_MOONEY,
        [LITHE_YEOH] = LAW_YEOH,
        [LITHE_OGDEN] = LAW_OGDEN,
    };
    double mu = shear_modulus(d), lambda = 2 * mu * d->poisson / (1 - 2 * d->poisson);
    double scale = d->ncoefficient > 0 ? mu / coefficient_shear(d) : 1;
    double *p = out->parameter;
    out->law = kind[d->law];
    out->young = 2 * mu * (1 + d->poisson);
    out->stiffest = lambda + 2 * mu;
    p[law_nparameter(out->law) - 1] = lambda;
    switch (d->law) {
    case LITHE_MOONEY_RIVLIN:
    case LITHE_YEOH:
        for (int i = 0; i < law_nparameter(out->law) - 1; i++)
            p[i] = i < d->ncoefficient ? scale * d->coefficient[i] : 0;
        break;
    case LITHE_OGDEN:
        fit_ogden(d, scale, p);
        p[LITHE_COEFFICIENTS] = lambda;
        break;
    default: p[0] = mu;
    }
}

static void fit_prony(const lithe_material_def *d, law_material *out)
{
    double rest = 1;
    for (int k = 0; k < d->nprony; k++)
        rest -= d->prony[k].weight;
    out->nprony = d->nprony;
    for (int k = 0; k < d->nprony; k++) {
        out->ratio[k] = d->prony[k].weight / rest;
        out->time[k] = d->prony[k].time;
    }
}

void material_fit(const lithe_material_def *d, law_material *out)
{
    *out = (law_material){.poisson = d->poisson, .density = d->density};
    fit_prony(d, out);
    if (d->law == LITHE_ORTHOTROPIC) {
        out->law = LAW_ORTHOTROPIC;
        out->young = d->moduli[0];
        out->poisson = d->ratios[0];
        orthotropic_stiffness(d, out->parameter);
        for (int i = 0; i < LAW_PARAMETERS; i++)
            out->stiffest = fmax(out->stiffest, fabs(out->parameter[i]));
    } else {
        fit_isotropic(d, out);
    }
}
