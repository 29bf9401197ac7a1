#include "base/eigen.h"
#include "base/vec.h"
#include "element/tet4.h"
#include "material/polar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NNODE = 4 * LANES, FORCE = 12, STIFF = 90 };

static const double young = 2.0, poisson = 0.45;

static law_kind law; // of the samples

// Eight unlike tetrahedra of about unit size, each with nodes of its own.
typedef struct sample {
    tet4_batch *batch;
    _Alignas(64) double room[200 * LANES]; // of the batch
    double X[3 * NNODE];
    double x[3 * NNODE];
    double energy[LANES], force[LANES * FORCE], stiff[LANES * STIFF];
} sample;

static double uniform(void)
{
    static uint64_t seed = 12345;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Every law with the same Young's modulus and Poisson's ratio.
static law_material rubber(void)
{
    static const lithe_material_def def[LAW_KINDS] = {
        [LAW_COROTATIONAL] = {.law = LITHE_COROTATIONAL},
        [LAW_ST_VENANT] = {.law = LITHE_ST_VENANT_KIRCHHOFF},
        [LAW_NEO_HOOKE] = {.law = LITHE_NEO_HOOKEAN},
        [LAW_MOONEY] = {.law = LITHE_MOONEY_RIVLIN, .ncoefficient = 2, .coefficient = {3, 1}},
        [LAW_YEOH] = {.law = LITHE_YEOH, .ncoefficient = 3, .coefficient = {5, -0.2, 0.1}},
        [LAW_OGDEN] = {.law = LITHE_OGDEN,
                       .ncoefficient = 3,
                       .coefficient = {0.8, 0.3, -0.2},
                       .nexponent = 3,
                       .exponent = {1.3, 3, -2}},
        [LAW_ORTHOTROPIC] = {.law = LITHE_ORTHOTROPIC, .fibre = {1, 2, 3}},
        [LAW_GENT] = {.law = LITHE_GENT, .locking = 20},
    };
    lithe_material_def d = def[law];
    law_material out;
    d.young = law == LAW_ORTHOTROPIC ? 0 : young;
    d.poisson = poisson;
    for (int i = 0; i < 3; i++) {
        d.moduli[i] = young;
        d.ratios[i] = poisson;
        d.shears[i] = young / (2 * (1 + poisson));
    }
    material_fault fault;
    assert_true(material_check(&d, &fault));
    material_fit(&d, &out);
    assert_int_equal(out.law, law);
    return out;
}

static void make_sample(sample *s)
{
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    law_material stuff = rubber();
    assert_true(tet4_kind(law, 0)->batch_size <= sizeof s->room);
    s->batch = (tet4_batch *)(void *)s->room;
    for (int l = 0; l < LANES; l++) {
        int node[4];
        const double *X[4];
        for (int a = 0; a < 4; a++) {
            node[a] = 4 * l + a;
            X[a] = &s->X[3 * node[a]];
            for (int i = 0; i < 3; i++)
                s->X[3 * node[a] + i] = corner[a][i] + 0.2 * uniform();
        }
        assert_true(tet4_prepare(s->batch, l, node, X, &stuff));
    }
    memcpy(s->x, s->X, sizeof s->x);
}

static void random_rotation(double R[9])
{
    double F[9];
    for (int i = 0; i < 9; i++)
        F[i] = uniform();
    polar_rotation(F, R);
}

// x = F X + t
static void deform(sample *s, const double F[9], double t)
{
    for (int n = 0; n < NNODE; n++) {
        mat_apply(&s->x[3 * n], F, &s->X[3 * n]);
        for (int i = 0; i < 3; i++)
            s->x[3 * n + i] += t;
    }
}

static void shake(sample *s, double size)
{
    for (int i = 0; i < 3 * NNODE; i++)
        s->x[i] += size * uniform();
}

static void evaluate(sample *s, element_tangent tangent)
{
    element_output out = {s->energy, s->force, s->stiff};
    tet4_kind(law, element_best_variant())->evaluate(s->batch, s->x, tangent, out);
}

static double largest(const double *v, int n)
{
    double top = 0;
    for (int i = 0; i < n; i++)
        top = fmax(top, fabs(v[i]));
    return top;
}

static void check_rigid_motion_gives_zero_force(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    for (int k = 0; k <= 180; k += 15) {
        double a = k * M_PI / 180, rotation[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
        double R[9], Q[9];
        random_rotation(R);
        mat_mul(Q, R, rotation);
        deform(&s, k % 30 ? Q : rotation, 0.5);
        evaluate(&s, ELEMENT_FORCE_ONLY);
        assert_true(largest(s.force, LANES * FORCE) < 1e-10 * young);
        assert_true(largest(s.energy, LANES) < 1e-20 * young);
    }
}

static void check_force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    sample s;
    for (int trial = 0; trial < 20; trial++) {
        make_sample(&s);
        shake(&s, law == LAW_COROTATIONAL ? 0.3 : 0.15);
        evaluate(&s, ELEMENT_FORCE_ONLY);
        double force[LANES * FORCE], h = 1e-5;
        memcpy(force, s.force, sizeof force);
        for (int d = 0; d < FORCE; d++) {
            double plus[LANES];
            for (int l = 0; l < LANES; l++)
                s.x[12 * l + d] += h;
            evaluate(&s, ELEMENT_FORCE_ONLY);
            memcpy(plus, s.energy, sizeof plus);
            for (int l = 0; l < LANES; l++)
                s.x[12 * l + d] -= 2 * h;
            evaluate(&s, ELEMENT_FORCE_ONLY);
            for (int l = 0; l < LANES; l++) {
                assert_true(fabs((plus[l] - s.energy[l]) / (2 * h) - force[FORCE * l + d]) <
                            1e-6 * (young + largest(force, LANES * FORCE)));
                s.x[12 * l + d] += h;
            }
        }
    }
}

static double stiffness(const sample *s, int lane, int row, int col)
{
    int a = row / 3, b = col / 3, i = row % 3, j = col % 3;
    const double *K = &s->stiff[STIFF * lane];
    return a >= b ? K[9 * element_pair(a, b) + 3 * i + j] : K[9 * element_pair(b, a) + 3 * j + i];
}

static void check_exact_stiffness_is_the_gradient_of_the_force(void **unused)
{
    (void)unused;
    sample s;
    for (int trial = 0; trial < 20; trial++) {
        make_sample(&s);
        double R[9];
        random_rotation(R);
        deform(&s, R, 0);
        shake(&s, 0.15);
        evaluate(&s, ELEMENT_EXACT);
        double h = 1e-6, scale = 10 * young + largest(s.stiff, LANES * STIFF);
        for (int d = 0; d < FORCE; d++) {
            double plus[LANES * FORCE];
            for (int l = 0; l < LANES; l++)
                s.x[12 * l + d] += h;
            evaluate(&s, ELEMENT_FORCE_ONLY);
            memcpy(plus, s.force, sizeof plus);
            for (int l = 0; l < LANES; l++)
                s.x[12 * l + d] -= 2 * h;
            evaluate(&s, ELEMENT_FORCE_ONLY);
            for (int k = 0; k < LANES * FORCE; k++) {
                double slope = (plus[k] - s.force[k]) / (2 * h);
                double K = stiffness(&s, k / FORCE, k % FORCE, d);
                assert_true(fabs(slope - K) < 1e-6 * scale);
            }
            for (int l = 0; l < LANES; l++)
                s.x[12 * l + d] += h;
        }
    }
}

// Cholesky with a small shift fails exactly when there is a negative eigenvalue.
static bool semi_definite(const sample *s, int lane)
{
    double A[12][12];
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++)
            A[i][j] = stiffness(s, lane, i, j) +
                      (i == j) * 1e-9 * (young + largest(&s->stiff[STIFF * lane], STIFF));
    for (int k = 0; k < 12; k++) {
        if (!(A[k][k] > 0))
            return false;
        for (int i = k + 1; i < 12; i++)
            for (int j = k + 1; j < 12; j++)
                A[i][j] -= A[i][k] * A[k][j] / A[k][k];
    }
    return true;
}

static void check_positive_stiffness_has_no_negative_eigenvalue(void **unused)
{
    (void)unused;
    sample s;
    int exact_negative = 0;
    for (int trial = 0; trial < 200; trial++) {
        make_sample(&s);
        shake(&s, 0.05 * (trial % 20)); // up to inverted elements
        evaluate(&s, ELEMENT_EXACT);
        for (int l = 0; l < LANES; l++)
            exact_negative += !semi_definite(&s, l);
        evaluate(&s, ELEMENT_POSITIVE);
        for (int l = 0; l < LANES; l++)
            assert_true(semi_definite(&s, l));
    }
    assert_true(exact_negative > 0); // or the clamp was never needed here
}

static void check_positive_stiffness_equals_the_exact_one_where_that_is_positive(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    double stretch[9] = {1.03, 0, 0, 0, 1.02, 0.01, 0, 0.01, 1.01}, K[LANES * STIFF];
    deform(&s, stretch, 0);
    evaluate(&s, ELEMENT_EXACT);
    memcpy(K, s.stiff, sizeof K);
    evaluate(&s, ELEMENT_POSITIVE);
    for (int i = 0; i < LANES * STIFF; i++)
        assert_true(fabs(K[i] - s.stiff[i]) < 1e-12 * 10 * young);
}

static void check_inverted_and_flat_elements_give_finite_forces_that_restore(void **unused)
{
    (void)unused;
    sample s;
    double mirrored[9] = {1, 0, 0, 0, 1, 0, 0, 0, -0.5}, flat[9] = {1, 0, 0, 0, 1, 0, 0, 0, 0};
    double point[9] = {0};
    const double *cases[3] = {mirrored, flat, point};
    for (int k = 0; k < 3; k++) {
        make_sample(&s);
        deform(&s, cases[k], 0);
        evaluate(&s, ELEMENT_POSITIVE);
        for (int i = 0; i < LANES * FORCE; i++)
            assert_true(isfinite(s.force[i]));
        for (int i = 0; i < LANES * STIFF; i++)
            assert_true(isfinite(s.stiff[i]));
        // moving from the bad shape towards rest must lower the energy; laws without ln J have no
        // force at a point, and a negative exponent of Ogden's is a barrier
        bool restores =
            law == LAW_COROTATIONAL || (law >= LAW_NEO_HOOKE && law <= LAW_YEOH && k < 2);
        for (int l = 0; l < LANES && restores; l++) {
            double work = 0;
            for (int d = 0; d < 12; d++)
                work += s.force[12 * l + d] * (s.X[12 * l + d] - s.x[12 * l + d]);
            assert_true(work < 0);
        }
    }
}

static void check_constant_strain_gives_hookes_stress_for_small_strain(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    double e = 1e-7, F[9] = {1 + e, 0, 0, 0, 1 - poisson * e, 0, 0, 0, 1 - poisson * e}; // uniaxial
    deform(&s, F, 0);
    evaluate(&s, ELEMENT_FORCE_ONLY);
    double density[LANES], mises[LANES];
    tet4_kind(law, element_best_variant())->stress(s.batch, s.x, density, mises);
    for (int l = 0; l < LANES; l++) {
        assert_true(fabs(mises[l] / (young * e) - 1) < 1e-6);
        assert_true(fabs(density[l] / (0.5 * young * e * e) - 1) < 1e-6);
        assert_true(fabs(s.energy[l] / s.batch->volume[l] / density[l] - 1) < 1e-6);
    }
}

static void check_instruction_sets_agree(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    shake(&s, 0.2);
    double force[LANES * FORCE], stiff[LANES * STIFF];
    tet4_kind(law, 0)->evaluate(s.batch, s.x, ELEMENT_EXACT,
                                (element_output){s.energy, force, stiff});
    double scale = largest(stiff, LANES * STIFF);
    for (int variant = 1; variant < 3; variant++) {
        if (!tet4_kind(law, variant))
            continue;
        tet4_kind(law, variant)
            ->evaluate(s.batch, s.x, ELEMENT_EXACT, (element_output){s.energy, s.force, s.stiff});
        for (int i = 0; i < LANES * FORCE; i++)
            assert_true(fabs(force[i] - s.force[i]) < 1e-12 * scale);
        for (int i = 0; i < LANES * STIFF; i++)
            assert_true(fabs(stiff[i] - s.stiff[i]) < 1e-12 * scale);
    }
}

static void a_law_by_its_tangent_equals_the_special_corotational_kernel(void **unused)
{
    (void)unused;
    extern const element_kind tet4_law_portable[LAW_KINDS];
    sample s;
    law = LAW_COROTATIONAL;
    for (int positive = 0; positive < 2; positive++) {
        make_sample(&s);
        shake(&s, 0.3);
        double force[LANES * FORCE], stiff[LANES * STIFF];
        element_tangent tangent = positive ? ELEMENT_POSITIVE : ELEMENT_EXACT;
        evaluate(&s, tangent);
        tet4_law_portable[law].evaluate(s.batch, s.x, tangent,
                                        (element_output){s.energy, force, stiff});
        for (int i = 0; i < LANES * FORCE; i++)
            assert_true(fabs(force[i] - s.force[i]) < 1e-12 * 10 * young);
        for (int i = 0; i < LANES * STIFF; i++)
            assert_true(fabs(stiff[i] - s.stiff[i]) < 1e-12 * 100 * young);
    }
}

static void polar_rotation_is_the_nearest_one(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 1000; trial++) {
        double F[9], R[9], Q[9], best = 0, other = 0;
        for (int i = 0; i < 9; i++)
            F[i] = uniform();
        polar_rotation(F, R);
        random_rotation(Q);
        for (int i = 0; i < 9; i++) {
            best += R[i] * F[i];
            other += Q[i] * F[i];
        }
        assert_true(fabs(mat_det(R) - 1) < 1e-12);
        assert_true(best >= other);
    }
}

typedef void claim(void **unused);

static void for_every_law(claim *test)
{
    for (law = 0; law < LAW_KINDS; law++)
        test(NULL);
}

static void rigid_motion_gives_zero_force(void **unused)
{
    (void)unused;
    for_every_law(check_rigid_motion_gives_zero_force);
}

static void force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    for_every_law(check_force_is_the_gradient_of_the_energy);
}

static void exact_stiffness_is_the_gradient_of_the_force(void **unused)
{
    (void)unused;
    for_every_law(check_exact_stiffness_is_the_gradient_of_the_force);
}

static void positive_stiffness_has_no_negative_eigenvalue(void **unused)
{
    (void)unused;
    for_every_law(check_positive_stiffness_has_no_negative_eigenvalue);
}

static void positive_stiffness_equals_the_exact_one_where_that_is_positive(void **unused)
{
    (void)unused;
    for_every_law(check_positive_stiffness_equals_the_exact_one_where_that_is_positive);
}

static void inverted_and_flat_elements_give_finite_forces_that_restore(void **unused)
{
    (void)unused;
    for_every_law(check_inverted_and_flat_elements_give_finite_forces_that_restore);
}

static void constant_strain_gives_hookes_stress_for_small_strain(void **unused)
{
    (void)unused;
    for_every_law(check_constant_strain_gives_hookes_stress_for_small_strain);
}

static void instruction_sets_agree(void **unused)
{
    (void)unused;
    for_every_law(check_instruction_sets_agree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_gives_zero_force),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(exact_stiffness_is_the_gradient_of_the_force),
        cmocka_unit_test(positive_stiffness_has_no_negative_eigenvalue),
        cmocka_unit_test(positive_stiffness_equals_the_exact_one_where_that_is_positive),
        cmocka_unit_test(inverted_and_flat_elements_give_finite_forces_that_restore),
        cmocka_unit_test(constant_strain_gives_hookes_stress_for_small_strain),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(a_law_by_its_tangent_equals_the_special_corotational_kernel),
        cmocka_unit_test(polar_rotation_is_the_nearest_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
