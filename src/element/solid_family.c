#include "element/solid_family.h"

#include "material/law_definition.h"

#include <math.h>
#include <string.h>

void solid_split(const law_material *stuff, double poisson, double parameter[LAW_PARAMETERS],
                 double *excess)
{
    int at = law_definitions[stuff->law]->lambda;
    memcpy(parameter, stuff->parameter, sizeof stuff->parameter);
    *excess = 0;
    if (at < 0)
        return;
    double mu = stuff->young / (2 * (1 + stuff->poisson));
    double most = 2 * mu * poisson / (1 - 2 * poisson);
    if (stuff->law == LAW_MOONEY) // less would turn its part in L^2 around
        most = fmax(most, 4 * parameter[1]);
    if (parameter[at] > most) {
        *excess = parameter[at] - most;
        parameter[at] = most;
    }
}

const element_kind *solid_choose(const solid_table table[3], int variant, law_kind law)
{
    return element_has_variant(variant) ? &table[variant][law] : NULL;
}
