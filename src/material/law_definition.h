// What a law is besides its formula: the word for it, the numbers it is given and those it computes
// with, and what makes no sense. Each law has one, beside its formula; law_definitions is the
// table.
#ifndef MATERIAL_LAW_DEFINITION_H
#define MATERIAL_LAW_DEFINITION_H

#include "material/fit.h"

typedef struct law_definition {
    const char *name; // in scenes
    int least, most;  // coefficients that it takes
    const char *form; // which, for messages
    int lambda;       // where lambda stands among its numbers; -1: nowhere
    // Of its numbers: what lambda must be at least; NULL: 0.
    double (*least_lambda)(const double *number);
    bool logarithmic; // in ln J, so Poisson's ratio must not be negative
    bool exponents;   // it takes one beside every coefficient
    bool locks;       // it takes the invariant at which it is stretched out
    bool along_axes;  // it takes moduli along three axes instead of all else
    // Shear modulus at small strain that the coefficients make; NULL: it takes none.
    double (*shear)(const lithe_material_def *d);
    // Its numbers but lambda, as material/kind.h says. scale: on the coefficients.
    void (*fit)(const lithe_material_def *d, double mu, double scale, double *number);
    // What of its own may make no sense; NULL: nothing. material_blame says it.
    bool (*check)(const lithe_material_def *d, material_fault *fault);
} law_definition;

// Of lithe_law and law_kind, which are the same numbers.
extern const law_definition *const law_definitions[LAW_KINDS];

// False, with what is wrong in the fault.
__attribute__((format(printf, 3, 4))) bool material_blame(material_fault *fault, const char *key,
                                                          const char *form, ...);

// Numbers of laws whose only one is mu.
static inline void law_fit_shear(const lithe_material_def *d, double mu, double scale,
                                 double *number)
{
    (void)d;
    (void)scale;
    number[0] = mu;
}

// Numbers of laws that are sums with the coefficients; what is not given is 0.
static inline void law_fit_sum(const lithe_material_def *d, double mu, double scale, double *number)
{
    (void)mu;
    for (int i = 0; i < d->ncoefficient; i++)
        number[i] = scale * d->coefficient[i];
}

// Of laws whose first coefficient is half of it.
static inline double law_shear_twice_first(const lithe_material_def *d)
{
    return 2 * d->coefficient[0];
}

#endif
