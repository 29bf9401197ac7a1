// Which laws there are, and the numbers that each one takes.
#ifndef MATERIAL_KIND_H
#define MATERIAL_KIND_H

// X(name, n, lower, public): every law. Its kind is LAW_name; it takes n numbers per element; its
// formula is the function `lower` in material/lower.h, with `lower_definition` beside it
// (material/law_definition.h); in the public header it is `public`.
//
// The numbers in order, in Pa unless said otherwise; lambda is Lame's constant at small strain.
// clang-format off
#define LAW_SMOOTH(X)                                                                              \
    X(ST_VENANT, 2, st_venant, LITHE_ST_VENANT_KIRCHHOFF) /* mu, lambda */                         \
    X(NEO_HOOKE, 2, neo_hooke, LITHE_NEO_HOOKEAN) /* mu, lambda */                                 \
    X(MOONEY, 3, mooney, LITHE_MOONEY_RIVLIN) /* c1, c2, lambda */                                 \
    X(YEOH, 4, yeoh, LITHE_YEOH) /* c1, c2, c3, lambda */                                          \
    X(OGDEN, 7, ogden, LITHE_OGDEN) /* mu1, mu2, mu3, lambda, alpha1, alpha2, alpha3 (-); no term: mu 0, alpha 2 */ \
    X(ORTHOTROPIC, 21, orthotropic, LITHE_ORTHOTROPIC) /* stiffness of Green's strain, 6x6, lower triangle; 11 22 33 23 13 12 */ \
    X(GENT, 3, gent, LITHE_GENT) /* mu, J_m (-), lambda */

// The first one has a polar decomposition in it, and clamps its own tangent: law_corotational.
#define LAW_EACH(X)                                                                                \
    X(COROTATIONAL, 2, corotational, LITHE_COROTATIONAL) /* mu, lambda */                          \
    LAW_SMOOTH(X)
// clang-format on

typedef enum law_kind {
#define LAW_NAME(name, n, lower, public) LAW_##name,
    LAW_EACH(LAW_NAME)
#undef LAW_NAME
        LAW_KINDS
} law_kind;

enum { LAW_PARAMETERS = 21 }; // the most that a law takes

static inline int law_nparameter(law_kind law)
{
#define LAW_COUNT(name, n, lower, public) n,
    static const int count[LAW_KINDS] = {LAW_EACH(LAW_COUNT)};
#undef LAW_COUNT
    return count[law];
}

#endif
