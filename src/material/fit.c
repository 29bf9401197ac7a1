#include "material/law_definition.h"
#include "material/orthotropic_frame.h"

#include <math.h>

static void fit_isotropic(const lithe_material_def *d, law_material *out)
{
    const law_definition *law = law_definitions[d->law];
    double own = d->ncoefficient > 0 ? law->shear(d) : 0; // what the coefficients make
    double mu = d->young > 0 ? d->young / (2 * (1 + d->poisson)) : own;
    double lambda = 2 * mu * d->poisson / (1 - 2 * d->poisson);
    out->law = (law_kind)d->law;
    out->young = 2 * mu * (1 + d->poisson);
    out->stiffest = lambda + 2 * mu;
    law->fit(d, mu, d->ncoefficient > 0 ? mu / own : 1, out->parameter);
    out->parameter[law->lambda] = lambda;
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
    if (law_definitions[d->law]->along_axes) {
        out->law = (law_kind)d->law;
        out->young = d->moduli[0];
        out->poisson = d->ratios[0];
        orthotropic_stiffness(d, out->parameter);
        for (int i = 0; i < LAW_PARAMETERS; i++)
            out->stiffest = fmax(out->stiffest, fabs(out->parameter[i]));
    } else {
        fit_isotropic(d, out);
    }
}
