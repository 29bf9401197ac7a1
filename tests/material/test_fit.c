// From what a user says of a material to its law: numbers, and answers to mistakes.
#include "base/vec.h"
#include "material/fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void young_scales_coefficients_and_keeps_their_shape(void **state)
{
    (void)state;
    lithe_material_def d = {
        .law = LITHE_YEOH, .poisson = 0.4, .ncoefficient = 2, .coefficient = {10, 2}};
    law_material own, scaled;
    material_fit(&d, &own);
    assert_true(fabs(own.young - 2 * 20 * 1.4) < 1e-12); // mu = 2 c1
    d.young = 3 * own.young;
    material_fit(&d, &scaled);
    for (int i = 0; i < law_nparameter(LAW_YEOH); i++)
        assert_true(fabs(scaled.parameter[i] - 3 * own.parameter[i]) < 1e-12 * own.young);
}

static void ogden_has_the_shear_modulus_of_its_terms(void **state)
{
    (void)state;
    lithe_material_def d = {.law = LITHE_OGDEN,
                            .poisson = 0.45,
                            .ncoefficient = 2,
                            .coefficient = {3, -1},
                            .nexponent = 2,
                            .exponent = {1.5, -2}};
    law_material m;
    material_fit(&d, &m);
    double mu = 0.5 * (3 * 1.5 + 2);
    assert_true(fabs(m.young - 2 * mu * 1.45) < 1e-12);
    assert_true(fabs(m.parameter[3] - 2 * mu * 0.45 / 0.1) < 1e-12);
    assert_true(m.parameter[2] == 0 && m.parameter[6] == 2);
}

// E, nu and G measured on the stiffness itself: strains under one stress at a time, along rotated
// axes.
static void an_orthotropic_stiffness_has_the_moduli_it_was_given(void **state)
{
    (void)state;
    lithe_material_def d = {.law = LITHE_ORTHOTROPIC,
                            .moduli = {5, 2, 1},
                            .ratios = {0.3, 0.25, 0.4},
                            .shears = {0.7, 0.6, 0.5},
                            .fibre = {1, 2, -0.5},
                            .across = {0, 1, 3}};
    law_material m;
    material_fault fault;
    assert_true(material_check(&d, &fault));
    material_fit(&d, &m);
    double axis[3][3], third[3];
    for (int i = 0; i < 3; i++)
        axis[0][i] = d.fibre[i] / vec_norm(d.fibre);
    vec_cross(third, axis[0], d.across);
    for (int i = 0; i < 3; i++)
        axis[2][i] = third[i] / vec_norm(third);
    vec_cross(axis[1], axis[2], axis[0]);

    // strains that one stress along axis p makes, in the frame: 1/E_p there, -nu_pq/E_p across
    double nu[3][3] = {{0, 0.3, 0.25}, {0.3 * 2 / 5, 0, 0.4}, {0.25 * 1 / 5, 0.4 * 1 / 2, 0}};
    for (int p = 0; p < 3; p++) {
        double E[9] = {0}, e[6], s[6] = {0};
        for (int q = 0; q < 3; q++)
            for (int i = 0; i < 9; i++)
                E[i] += (p == q ? 1 : -nu[p][q]) / d.moduli[p] * axis[q][i / 3] * axis[q][i % 3];
        e[0] = E[0], e[1] = E[4], e[2] = E[8], e[3] = 2 * E[5], e[4] = 2 * E[2], e[5] = 2 * E[1];
        for (int a = 0; a < 6; a++)
            for (int b = 0; b < 6; b++)
                s[a] += m.parameter[a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a] * e[b];
        double want[6] = {axis[p][0] * axis[p][0], axis[p][1] * axis[p][1],
                          axis[p][2] * axis[p][2], axis[p][1] * axis[p][2],
                          axis[p][0] * axis[p][2], axis[p][0] * axis[p][1]};
        for (int a = 0; a < 6; a++)
            assert_true(fabs(s[a] - want[a]) < 1e-13);
    }
    // a shear of 1 between the axes 1 and 3 takes G13
    double E[9], e[6], work = 0;
    for (int i = 0; i < 9; i++)
        E[i] = 0.5 * (axis[0][i / 3] * axis[2][i % 3] + axis[2][i / 3] * axis[0][i % 3]);
    e[0] = E[0], e[1] = E[4], e[2] = E[8], e[3] = 2 * E[5], e[4] = 2 * E[2], e[5] = 2 * E[1];
    for (int a = 0; a < 6; a++)
        for (int b = 0; b < 6; b++)
            work += m.parameter[a >= b ? a * (a + 1) / 2 + b : b * (b + 1) / 2 + a] * e[a] * e[b];
    assert_true(fabs(work - 0.6) < 1e-13);
}

typedef struct mistake {
    lithe_material_def def;
    const char *key;
    const char *word;
} mistake;

#define MISTAKE(name, text, ...)                                                                   \
    {                                                                                              \
        {__VA_ARGS__}, name, text                                                                  \
    }

static void mistakes_are_answered_with_what_to_do(void **state)
{
    (void)state;
    const mistake list[] = {
        MISTAKE("poisson", "0.45 to 0.499", .young = 1, .poisson = 0.5),
        MISTAKE("poisson", "between -1 and 0.5", .young = 1, .poisson = -1),
        MISTAKE("young", "above 0", .young = -1, .poisson = 0.3),
        MISTAKE("young", "missing", .poisson = 0.3),
        MISTAKE("density", "negative", .young = 1, .density = -1),
        MISTAKE("poisson", "needs 0 or more", .law = LITHE_NEO_HOOKEAN, .young = 1,
                .poisson = -0.1),
        MISTAKE("coefficients", "no coefficients", .young = 1, .ncoefficient = 1,
                .coefficient = {1}),
        MISTAKE("coefficients", "use neo-hookean", .law = LITHE_MOONEY_RIVLIN, .young = 1),
        MISTAKE("coefficients", "0 or more", .law = LITHE_MOONEY_RIVLIN, .poisson = 0.45,
                .ncoefficient = 2, .coefficient = {2, -1}),
        MISTAKE("poisson", "0.25 or more", .law = LITHE_MOONEY_RIVLIN, .poisson = 0.2,
                .ncoefficient = 2, .coefficient = {1, 1}),
        MISTAKE("coefficients", "stretch of 3", .law = LITHE_YEOH, .poisson = 0.45,
                .ncoefficient = 2, .coefficient = {1, -0.1}),
        MISTAKE("coefficients", "stretch of 3", .law = LITHE_YEOH, .poisson = 0.45,
                .ncoefficient = 3, .coefficient = {1, -1, 0.2}),
        MISTAKE("exponents", "as many", .law = LITHE_OGDEN, .poisson = 0.45, .ncoefficient = 2,
                .coefficient = {1, 1}, .nexponent = 1, .exponent = {2}),
        MISTAKE("coefficients", "same sign", .law = LITHE_OGDEN, .poisson = 0.45, .ncoefficient = 1,
                .coefficient = {1}, .nexponent = 1, .exponent = {-2}),
        MISTAKE("prony", "below 1", .young = 1, .poisson = 0.3, .nprony = 2,
                .prony = {{0.6, 1}, {0.5, 2}}),
        MISTAKE("prony", "above 0", .young = 1, .poisson = 0.3, .nprony = 1, .prony = {{0.6, 0}}),
        MISTAKE("moduli", "above 0", .law = LITHE_ORTHOTROPIC, .shears = {1, 1, 1}),
        MISTAKE("ratios", "release energy", .law = LITHE_ORTHOTROPIC, .moduli = {1, 1, 1},
                .shears = {1, 1, 1}, .ratios = {0.6, 0.6, 0.6}),
        MISTAKE("fibre", "direction", .law = LITHE_ORTHOTROPIC, .moduli = {1, 1, 1},
                .shears = {1, 1, 1}),
        MISTAKE("across", "second axis", .law = LITHE_ORTHOTROPIC, .moduli = {3, 2, 1},
                .shears = {1, 1, 1}, .fibre = {1, 0, 0}),
        MISTAKE("across", "along the fibre", .law = LITHE_ORTHOTROPIC, .moduli = {3, 2, 1},
                .shears = {1, 1, 1}, .fibre = {1, 0, 0}, .across = {2, 0, 0}),
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        material_fault fault;
        if (material_check(&list[i].def, &fault))
            fail_msg("mistake %zu passes, expected: %s", i, list[i].word);
        assert_string_equal(fault.key, list[i].key);
        if (!strstr(fault.text, list[i].word))
            fail_msg("'%s' does not say '%s'", fault.text, list[i].word);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(young_scales_coefficients_and_keeps_their_shape),
        cmocka_unit_test(ogden_has_the_shear_modulus_of_its_terms),
        cmocka_unit_test(an_orthotropic_stiffness_has_the_moduli_it_was_given),
        cmocka_unit_test(mistakes_are_answered_with_what_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
