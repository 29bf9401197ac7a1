// Whether a material makes physical sense, in words that say what to do where it does not.
#include "material/law_definition.h"
#include "material/orthotropic_frame.h"

#include "base/vec.h"
#include "material/tolerances.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define FAULT(fault, name, ...) material_blame(fault, name, __VA_ARGS__)

bool material_blame(material_fault *fault, const char *key, const char *form, ...)
{
    va_list list;
    va_start(list, form);
    fault->key = key;
    vsnprintf(fault->text, sizeof fault->text, form, list);
    va_end(list);
    return false;
}

static bool all_finite(const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

static bool check_counts(const lithe_material_def *d, material_fault *fault)
{
    const law_definition *t = law_definitions[d->law];
    int n = d->ncoefficient;
    if (t->most == 0 && n > 0)
        return FAULT(fault, "coefficients", "the law %s has no coefficients; remove them", t->name);
    if (n < t->least || n > t->most || n < 0)
        return FAULT(fault, "coefficients", "the law %s needs coefficients: %s%s, and %d are given",
                     t->name, t->form,
                     n == 0 ? " (with Young's modulus alone, use neo-hookean)" : "", n);
    if (!all_finite(d->coefficient, n) || !all_finite(d->exponent, n))
        return FAULT(fault, "coefficients", "a coefficient is not a number");
    if (t->exponents && d->nexponent != n)
        return FAULT(fault, "exponents",
                     "%s needs as many exponents as coefficients, %d, and %d are given", t->name, n,
                     d->nexponent);
    if (!t->exponents && d->nexponent != 0)
        return FAULT(fault, "exponents", "the law %s has no exponents; remove them", t->name);
    if (n == 0 && d->young == 0)
        return FAULT(fault, "young", "Young's modulus is missing; it must be above 0");
    return true;
}

static bool check_moduli(const lithe_material_def *d, material_fault *fault)
{
    bool logarithmic = law_definitions[d->law]->logarithmic;
    if (d->young < 0 || !isfinite(d->young))
        return FAULT(fault, "young", "Young's modulus is %g Pa; it must be above 0", d->young);
    if (!(d->poisson > -1 && d->poisson < 0.5))
        return FAULT(fault, "poisson",
                     "Poisson's ratio is %g; it must lie between -1 and 0.5, and nearly "
                     "incompressible rubber is 0.45 to 0.499",
                     d->poisson);
    if (logarithmic && d->poisson < 0)
        return FAULT(fault, "poisson",
                     "Poisson's ratio is %g; the law %s needs 0 or more. For a material that "
                     "widens when pulled take corotational or st-venant-kirchhoff",
                     d->poisson, law_definitions[d->law]->name);
    return true;
}

static bool check_along_axes(const lithe_material_def *d, material_fault *fault)
{
    static const char *const key[] = {"moduli", "shears"};
    const double *list[] = {d->moduli, d->shears};
    if (d->young != 0)
        return FAULT(fault, "young",
                     "an orthotropic material has moduli: [E1, E2, E3] instead of "
                     "young");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            if (!(list[k][i] > 0) || !isfinite(list[k][i]))
                return FAULT(fault, key[k], "an orthotropic material needs three %s, all above 0",
                             key[k]);
    if (!all_finite(d->ratios, 3) || !orthotropic_is_stable(d))
        return FAULT(fault, "ratios",
                     "with these ratios some strain would release energy: each |nu_ij| must stay "
                     "below sqrt(E_i / E_j), and together they must leave some resistance to "
                     "pressure; make them smaller");
    if (!all_finite(d->fibre, 3) || !(vec_norm(d->fibre) > 0))
        return FAULT(fault, "fibre",
                     "an orthotropic material needs fibre: [x, y, z], the "
                     "direction of its first axis");
    double cross[3];
    vec_cross(cross, d->fibre, d->across);
    bool given = vec_norm(d->across) > 0;
    if (given && !(vec_norm(cross) > MATERIAL_ACROSS * vec_norm(d->fibre) * vec_norm(d->across)))
        return FAULT(fault, "across", "across points along the fibre; it must lean away from it");
    if (!given && !orthotropic_is_round(d))
        return FAULT(fault, "across",
                     "directions across the fibre differ, so a second axis is needed: add across: "
                     "[x, y, z]. Without it, E2 = E3, nu12 = nu13, G12 = G13 and G23 = E2 / (2 (1 "
                     "+ nu23)) must hold");
    return true;
}

static bool check_law(const lithe_material_def *d, material_fault *fault)
{
    const law_definition *law = law_definitions[d->law];
    if (!law->locks && d->locking != 0)
        return FAULT(fault, "locking", "the law %s does not lock; remove locking", law->name);
    return !law->check || law->check(d, fault);
}

static bool check_prony(const lithe_material_def *d, material_fault *fault)
{
    double sum = 0;
    if (d->nprony < 0 || d->nprony > LITHE_PRONY)
        return FAULT(fault, "prony", "a Prony series has at most %d terms, not %d", LITHE_PRONY,
                     d->nprony);
    for (int k = 0; k < d->nprony; k++) {
        sum += d->prony[k].weight;
        if (!(d->prony[k].weight > 0) || !(d->prony[k].time > 0) || !isfinite(d->prony[k].time))
            return FAULT(fault, "prony",
                         "weight and time of every term must be above 0, not %g "
                         "and %g s",
                         d->prony[k].weight, d->prony[k].time);
    }
    if (!(sum < 1))
        return FAULT(fault, "prony",
                     "the weights sum to %g; they are shares of the stiffness under a sudden load, "
                     "and what is left after a long time must be above 0: keep the sum below 1",
                     sum);
    return true;
}

bool material_check(const lithe_material_def *d, material_fault *fault)
{
    *fault = (material_fault){0};
    if (!check_prony(d, fault))
        return false;
    if (!(d->density >= 0) || !isfinite(d->density))
        return FAULT(fault, "density", "density is %g kg/m^3; it must not be negative", d->density);
    if ((int)d->law < 0 || (int)d->law >= LAW_KINDS)
        return FAULT(fault, "law", "there is no law number %d", (int)d->law);
    if (law_definitions[d->law]->along_axes)
        return check_along_axes(d, fault);
    return check_counts(d, fault) && check_moduli(d, fault) && check_law(d, fault);
}
