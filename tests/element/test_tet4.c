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

// Eight unlike tetrahedra of about unit size, each with nodes of its own.
typedef struct sample {
    _Alignas(64) tet4_batch batch;
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

static void make_sample(sample *s)
{
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int l = 0; l < LANES; l++) {
        int node[4];
        const double *X[4];
        for (int a = 0; a < 4; a++) {
            node[a] = 4 * l + a;
            X[a] = &s->X[3 * node[a]];
            for (int i = 0; i < 3; i++)
                s->X[3 * node[a] + i] = corner[a][i] + 0.2 * uniform();
        }
        assert_true(tet4_prepare(&s->batch, l, node, X, young, poisson));
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
    tet4_corotational(element_best_variant())->evaluate(&s->batch, s->x, tangent, out);
}

static double largest(const double *v, int n)
{
    double top = 0;
    for (int i = 0; i < n; i++)
        top = fmax(top, fabs(v[i]));
    return top;
}

static void rigid_motion_gives_zero_force(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    for (int k = 0; k <= 180; k += 15) {
        double a = k * M_PI / 180, turn[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
        double R[9], Q[9];
        random_rotation(R);
        mat_mul(Q, R, turn);
        deform(&s, k % 30 ? Q : turn, 0.5);
        evaluate(&s, ELEMENT_FORCE_ONLY);
        assert_true(largest(s.force, LANES * FORCE) < 1e-10 * young);
        assert_true(largest(s.energy, LANES) < 1e-20 * young);
    }
}

static void force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    sample s;
    for (int trial = 0; trial < 20; trial++) {
        make_sample(&s);
        shake(&s, 0.3);
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
                            1e-6 * young);
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

static void exact_stiffness_is_the_gradient_of_the_force(void **unused)
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
        double h = 1e-6;
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
                assert_true(fabs(slope - K) < 1e-6 * 10 * young);
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
            A[i][j] = stiffness(s, lane, i, j) + (i == j) * 1e-9 * young;
    for (int k = 0; k < 12; k++) {
        if (!(A[k][k] > 0))
            return false;
        for (int i = k + 1; i < 12; i++)
            for (int j = k + 1; j < 12; j++)
                A[i][j] -= A[i][k] * A[k][j] / A[k][k];
    }
    return true;
}

static void positive_stiffness_has_no_negative_eigenvalue(void **unused)
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

static void positive_stiffness_equals_the_exact_one_where_that_is_positive(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    double stretch[9] = {1.3, 0, 0, 0, 1.2, 0.1, 0, 0.1, 1.1}, K[LANES * STIFF];
    deform(&s, stretch, 0);
    evaluate(&s, ELEMENT_EXACT);
    memcpy(K, s.stiff, sizeof K);
    evaluate(&s, ELEMENT_POSITIVE);
    for (int i = 0; i < LANES * STIFF; i++)
        assert_true(fabs(K[i] - s.stiff[i]) < 1e-12 * young);
}

static void inverted_and_flat_elements_give_finite_forces_that_restore(void **unused)
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
        // moving from the bad shape towards rest must lower the energy
        for (int l = 0; l < LANES; l++) {
            double work = 0;
            for (int d = 0; d < 12; d++)
                work += s.force[12 * l + d] * (s.X[12 * l + d] - s.x[12 * l + d]);
            assert_true(work < 0);
        }
    }
}

static void constant_strain_gives_hookes_stress_for_small_strain(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    double e = 1e-7, F[9] = {1 + e, 0, 0, 0, 1 - poisson * e, 0, 0, 0, 1 - poisson * e}; // uniaxial
    deform(&s, F, 0);
    evaluate(&s, ELEMENT_FORCE_ONLY);
    double density[LANES], mises[LANES];
    tet4_corotational(element_best_variant())->stress(&s.batch, s.x, density, mises);
    for (int l = 0; l < LANES; l++) {
        assert_true(fabs(mises[l] / (young * e) - 1) < 1e-6);
        assert_true(fabs(density[l] / (0.5 * young * e * e) - 1) < 1e-6);
        assert_true(fabs(s.energy[l] / s.batch.volume[l] / density[l] - 1) < 1e-6);
    }
}

static void instruction_sets_agree(void **unused)
{
    (void)unused;
    sample s;
    make_sample(&s);
    shake(&s, 0.2);
    double force[LANES * FORCE], stiff[LANES * STIFF];
    tet4_corotational(0)->evaluate(&s.batch, s.x, ELEMENT_EXACT,
                                   (element_output){s.energy, force, stiff});
    for (int variant = 1; variant < 3; variant++) {
        if (!tet4_corotational(variant))
            continue;
        tet4_corotational(variant)->evaluate(&s.batch, s.x, ELEMENT_EXACT,
                                             (element_output){s.energy, s.force, s.stiff});
        for (int i = 0; i < LANES * FORCE; i++)
            assert_true(fabs(force[i] - s.force[i]) < 1e-12 * young);
        for (int i = 0; i < LANES * STIFF; i++)
            assert_true(fabs(stiff[i] - s.stiff[i]) < 1e-11 * young);
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
        cmocka_unit_test(polar_rotation_is_the_nearest_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
