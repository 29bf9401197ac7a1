// Whether a material makes physical sense, in words that say what to do where it does not.
#include "material/fit.h"
#include "material/orthotropic_frame.h"

#include "base/vec.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#define FAULT(fault, name, ...) material_blame(fault, name, __VA_ARGS__)

__attribute__((format(printf, 3, 4))) static bool
material_blame(material_fault *fault, const char *key, const char *form, ...)
{
    va_list list;
    va_start(list, form);
    fault->key = key;
    vsnprintf(fault->text, sizeof fault->text, form, list);
    va_end(list);
    return false;
}

typedef struct law_terms {
    const char *name;
    int least, most; // coefficients
    const char *form;
} law_terms;

static const law_terms terms[] = {
    [LITHE_COROTATIONAL] = {"corotational", 0, 0, ""},
    [LITHE_ST_VENANT_KIRCHHOFF] = {"st-venant-kirchhoff", 0, 0, ""},
    [LITHE_NEO_HOOKEAN] = {"neo-hookean", 0, 1, "[c1], which is half the shear modulus"},
    [LITHE_MOONEY_RIVLIN] = {"mooney-rivlin", 2, 2, "[c1, c2]"},
    [LITHE_YEOH] = {"yeoh", 1, 3, "[c1], [c1, c2] or [c1, c2, c3]"},
    [LITHE_OGDEN] = {"ogden", 1, 3, "[mu1], [mu1, mu2] or [mu1, mu2, mu3]"},
    [LITHE_ORTHOTROPIC] = {"orthotropic", 0, 0, ""},
};

static bool all_finite(const double *v, int n)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return false;
    return true;
}

static bool check_counts(const lithe_material_def *d, material_fault *fault)
{
    const law_terms *t = &terms[d->law];
    int n = d->ncoefficient;
    if (t->most == 0 && n > 0)
        return FAULT(fault, "coefficients", "the law %s has no coefficients; remove them", t->name);
    if (n < t->least || n > t->most || n < 0)
        return FAULT(fault, "coefficients", "the law %s needs coefficients: %s%s, and %d are given",
                     t->name, t->form,
                     n == 0 ? " (with Young's modulus alone, use neo-hookean)" : "", n);
    if (!all_finite(d->coefficient, n) || !all_finite(d->exponent, n))
        return FAULT(fault, "coefficients", "a coefficient is not a number");
    if (d->law == LITHE_OGDEN && d->nexponent != n)
        return FAULT(fault, "exponents",
                     "ogden needs as many exponents as coefficients, %d, and %d are given", n,
                     d->nexponent);
    if (d->law != LITHE_OGDEN && d->nexponent != 0)
        return FAULT(fault, "exponents", "the law %s has no exponents; remove them", t->name);
    if (n == 0 && d->young == 0)
        return FAULT(fault, "young", "Young's modulus is missing; it must be above 0");
    return true;
}

static bool check_moduli(const lithe_material_def *d, material_fault *fault)
{
    bool logarithmic = d->law != LITHE_COROTATIONAL && d->law != LITHE_ST_VENANT_KIRCHHOFF;
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
                     d->poisson, terms[d->law].name);
    return true;
}

static bool check_mooney(const lithe_material_def *d, material_fault *fault)
{
    double c1 = d->coefficient[0], c2 = d->coefficient[1];
    if (!(c1 >= 0 && c2 >= 0 && c1 + c2 > 0))
        return FAULT(fault, "coefficients",
                     "mooney-rivlin loses its stiffness in some strains unless c1 and c2 are both "
                     "0 or more; they are %g and %g Pa. Fit again with that bound, or use yeoh",
                     c1, c2);
    // lambda >= 4 c2, with lambda = 4 (c1 + c2) nu / (1 - 2 nu)
    double least = c2 / (c1 + 3 * c2);
    if (d->poisson < least)
        return FAULT(fault, "poisson",
                     "mooney-rivlin with these coefficients needs a Poisson's ratio of %.3g or "
                     "more, not %g; rubber is 0.45 to 0.499",
                     least, d->poisson);
    return true;
}

// c1 + 2 c2 K + 3 c3 K^2 must stay positive over the strains that are used, K = I1 - 3: until it is
// pulled to three times its length.
static bool check_yeoh(const lithe_material_def *d, material_fault *fault)
{
    const double top = 9 + 2.0 / 3 - 3;
    const double *c = d->coefficient;
    double c2 = d->ncoefficient > 1 ? c[1] : 0, c3 = d->ncoefficient > 2 ? c[2] : 0;
    if (!(c[0] > 0))
        return FAULT(fault, "coefficients",
                     "the first coefficient of yeoh is %g Pa; it must be "
                     "above 0",
                     c[0]);
    double worst = c3 > 0 && c2 < 0 ? fmin(top, -c2 / (3 * c3)) : top;
    if (!(c[0] + worst * (2 * c2 + 3 * c3 * worst) > 0))
        return FAULT(fault, "coefficients",
                     "yeoh with these coefficients loses its stiffness before a stretch of 3; fit "
                     "again, or leave out the last coefficient");
    return true;
}

static bool check_ogden(const lithe_material_def *d, material_fault *fault)
{
    for (int i = 0; i < d->ncoefficient; i++)
        if (!(d->coefficient[i] * d->exponent[i] > 0))
            return FAULT(fault, "coefficients",
                         "coefficient and exponent %d of ogden must have the same sign, not %g Pa "
                         "and %g; their product is a stiffness",
                         i + 1, d->coefficient[i], d->exponent[i]);
    return true;
}

static bool check_orthotropic(const lithe_material_def *d, material_fault *fault)
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
    if (given && !(vec_norm(cross) > 1e-6 * vec_norm(d->fibre) * vec_norm(d->across)))
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
    switch (d->law) {
    case LITHE_MOONEY_RIVLIN: return check_mooney(d, fault);
    case LITHE_YEOH: return check_yeoh(d, fault);
    case LITHE_OGDEN: return check_ogden(d, fault);
    case LITHE_NEO_HOOKEAN:
        if (d->ncoefficient > 0 && !(d->coefficient[0] > 0))
            return FAULT(fault, "coefficients",
                         "the coefficient of neo-hookean is %g Pa; it must be above 0",
                         d->coefficient[0]);
        return true;
    default: return true;
    }
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
    if ((int)d->law < 0 || d->law > LITHE_ORTHOTROPIC)
        return FAULT(fault, "law", "there is no law number %d", (int)d->law);
    if (d->law == LITHE_ORTHOTROPIC)
        return check_orthotropic(d, fault);
    return check_counts(d, fault) && check_moduli(d, fault) && check_law(d, fault);
}
