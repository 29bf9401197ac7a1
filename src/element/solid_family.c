#include "element/solid_family.h"

#include "material/law_definition.h"

#include <math.h>
#include <string.h>

void solid_split(const law_material *stuff, double poisson, double parameter[LAW_PARAMETERS],
                 double *excess)
{
    const law_definition *law = law_definitions[stuff->law];
    int at = law->lambda;
    memcpy(parameter, stuff->parameter, sizeof stuff->parameter);
    *excess = 0;
    if (at < 0)
        return;
    double mu = stuff->young / (2 * (1 + stuff->poisson));
    double most = 2 * mu * poisson / (1 - 2 * poisson);
    if (law->least_lambda)
        most = fmax(most, law->least_lambda(parameter));
    if (parameter[at] > most) {
        *excess = parameter[at] - most;
        parameter[at] = most;
    }
}

const element_kind *solid_choose(const solid_table table[3], int variant, law_kind law)
{
    return element_has_variant(variant) ? &table[variant][law] : NULL;
}
