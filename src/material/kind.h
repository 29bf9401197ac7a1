// Which laws there are, and the numbers that each one takes.
#ifndef MATERIAL_KIND_H
#define MATERIAL_KIND_H

// X(name, n): every law and how many numbers it takes per element; its kind is LAW_name. The
// numbers in order, in Pa unless said otherwise; lambda is Lame's constant at small strain.
#define LAW_EACH(X)                                                                                \
    X(COROTATIONAL, 2) /* mu, lambda */                                                            \
    X(ST_VENANT, 2)    /* mu, lambda */                                                            \
    X(NEO_HOOKE, 2)    /* mu, lambda */                                                            \
    X(MOONEY, 3)       /* c1, c2, lambda */                                                        \
    X(YEOH, 4)         /* c1, c2, c3, lambda */                                                    \
    X(OGDEN, 7) /* mu1, mu2, mu3, lambda, alpha1, alpha2, alpha3 (-); no term: mu 0, alpha 2 */    \
    X(ORTHOTROPIC, 21) /* stiffness of Green's strain, 6x6, lower triangle; 11 22 33 23 13 12 */

typedef enum law_kind {
#define LAW_NAME(name, n) LAW_##name,
    LAW_EACH(LAW_NAME)
#undef LAW_NAME
        LAW_KINDS
} law_kind;

enum { LAW_PARAMETERS = 21 }; // the most that a law takes

static inline int law_nparameter(law_kind law)
{
#define LAW_COUNT(name, n) n,
    static const int count[LAW_KINDS] = {LAW_EACH(LAW_COUNT)};
#undef LAW_COUNT
    return count[law];
}

#endif
