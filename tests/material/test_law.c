// Every law at a point: derivatives, closed forms, small strains, rotations, inversion.
#include "base/eigen.h"
#include "base/vec.h"
#include "material/law.h"
#include "material/polar.h"
#include "material/tolerances.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double mu = 0.7, lambda = 2.5;

static double uniform(void)
{
    static uint64_t seed = 99;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static const char *const law_name[] = {
#define NAME(name, n, lower, public) #name,
    LAW_EACH(NAME)
#undef NAME
};

// Numbers of a law whose constants at small strain are mu and lambda.
static void parameters(law_kind law, lanes p[LAW_PARAMETERS])
{
    double v[LAW_PARAMETERS] = {mu, lambda};
    switch (law) {
    case LAW_MOONEY: v[0] = 0.3 * mu, v[1] = 0.2 * mu, v[2] = lambda; break;
    case LAW_YEOH: v[0] = 0.5 * mu, v[1] = -0.02 * mu, v[2] = 0.01 * mu, v[3] = lambda; break;
    case LAW_GENT: v[1] = 15, v[2] = lambda; break;
    case LAW_OGDEN:
        v[0] = 0.4 * mu, v[1] = 0.2 * mu, v[2] = -0.1 * mu, v[3] = lambda;
        v[4] = 1.3, v[5] = 5.4, v[6] = -4;
        v[2] = (2 * mu - v[0] * v[4] - v[1] * v[5]) / v[6];
        break;
    case LAW_ORTHOTROPIC:
        for (int a = 0, n = 0; a < 6; a++)
            for (int b = 0; b <= a; b++, n++)
                v[n] = a == b ? (a < 3 ? lambda + 2 * mu : mu) : a < 3 ? lambda : 0;
        break;
    default: break;
    }
    for (int i = 0; i < LAW_PARAMETERS; i++)
        p[i] = lanes_set(v[i]);
}

// Stiffness with no symmetry but its own.
static void anisotropic(lanes p[LAW_PARAMETERS])
{
    for (int a = 0, n = 0; a < 6; a++)
        for (int b = 0; b <= a; b++, n++)
            p[n] = lanes_set((a == b ? 3 : 0) + 0.4 * uniform());
}

static void evaluate(law_kind law, const lanes F[9], const lanes *p, law_tangent tangent,
                     law_point *out)
{
    law_evaluate(law, F, p, tangent, out);
}

static void random_rotation(double R[9])
{
    double F[9];
    for (int i = 0; i < 9; i++)
        F[i] = uniform();
    polar_rotation(F, R);
}

static void set_lane(lanes F[9], int lane, const double f[9])
{
    for (int i = 0; i < 9; i++)
        F[i][lane] = f[i];
}

static double size_of(const lanes *v, int n, int lane)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i][lane] * v[i][lane];
    return sqrt(sum);
}

// Rest, tension, compression, shear, equal stretches, a rotated one, nearly equal ones, an inverted
// one.
static void sample(lanes F[9])
{
    static const double diagonal[LANES][3] = {
        {1, 1, 1}, {1.8, 0.7, 0.8},        {0.5, 0.9, 1.1}, {1.3, 1.3, 0.6},
        {2, 2, 2}, {1.2, 1.2 + 1e-7, 0.9}, {0.4, 0.3, 0.5}, {1.1, 0.9, -0.3}};
    for (int l = 0; l < LANES; l++) {
        double R[9], Q[9], RD[9], f[9];
        random_rotation(R);
        random_rotation(Q);
        for (int i = 0; i < 9; i++)
            RD[i] = R[i] * diagonal[l][i % 3];
        mat_mul(f, RD, Q);
        set_lane(F, l, f);
    }
}

// Central differences of order four.
static void check_derivatives(law_kind law, const lanes *p, const lanes F[9])
{
    static const double at[4] = {-2, -1, 1, 2},
                        weight[4] = {1 / 12.0, -8 / 12.0, 8 / 12.0, -1 / 12.0};
    const double h = 2e-4;
    law_point here, there;
    evaluate(law, F, p, LAW_EXACT, &here);
    for (int k = 0; k < 9; k++) {
        lanes slope = lanes_set(0), dP[9] = {0}, x[9];
        for (int n = 0; n < 4; n++) {
            for (int i = 0; i < 9; i++)
                x[i] = F[i] + (i == k ? at[n] * h : 0);
            evaluate(law, x, p, LAW_STRESS, &there);
            slope += weight[n] / h * there.energy;
            for (int i = 0; i < 9; i++)
                dP[i] += weight[n] / h * there.P[i];
        }
        for (int l = 0; l < LANES; l++) {
            double scale = size_of(here.C, 81, l);
            if (fabs(slope[l] - here.P[k][l]) > 1e-9 * scale)
                fail_msg("%s: P[%d] is %.12g, by differences %.12g in lane %d", law_name[law], k,
                         here.P[k][l], slope[l], l);
            for (int i = 0; i < 9; i++)
                if (fabs(dP[i][l] - here.C[9 * i + k][l]) > 1e-8 * scale)
                    fail_msg("%s: C[%d,%d] is %.12g, by differences %.12g in lane %d",
                             law_name[law], i, k, here.C[9 * i + k][l], dP[i][l], l);
        }
    }
}

static void stress_and_tangent_are_derivatives_of_the_energy(void **state)
{
    (void)state;
    for (int trial = 0; trial < 10; trial++)
        for (int law = 0; law < LAW_KINDS; law++) {
            lanes p[LAW_PARAMETERS], F[9];
            parameters(law, p);
            sample(F);
            if (law == LAW_COROTATIONAL) // its nearest rotation jumps there; test_tet4 has it
                for (int i = 0; i < 9; i++)
                    F[i][7] = F[i][1];
            if (law == LAW_ORTHOTROPIC)
                anisotropic(p);
            check_derivatives(law, p, F);
        }
}

static void a_tangent_is_symmetric(void **state)
{
    (void)state;
    for (int law = 0; law < LAW_KINDS; law++) {
        lanes p[LAW_PARAMETERS], F[9];
        law_point point;
        parameters(law, p);
        sample(F);
        evaluate(law, F, p, LAW_EXACT, &point);
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < i; j++)
                for (int l = 0; l < LANES; l++)
                    assert_true(fabs(point.C[9 * i + j][l] - point.C[9 * j + i][l]) <
                                1e-13 * size_of(point.C, 81, l));
    }
}

static void a_clamped_tangent_has_no_negative_eigenvalue_and_keeps_the_positive_ones(void **state)
{
    (void)state;
    for (int trial = 0; trial < 5; trial++)
        for (int law = 0; law < LAW_KINDS; law++) {
            lanes p[LAW_PARAMETERS], F[9];
            law_point exact, clamped;
            parameters(law, p);
            sample(F);
            evaluate(law, F, p, LAW_EXACT, &exact);
            evaluate(law, F, p, LAW_POSITIVE, &clamped);
            for (int l = 0; l < LANES; l++) {
                double a[81], e[81], value[9], own[9], v[81], scale = size_of(exact.C, 81, l);
                for (int i = 0; i < 81; i++) {
                    a[i] = clamped.C[i][l];
                    e[i] = exact.C[i][l];
                }
                eigen_symmetric(9, a, value, v);
                for (int k = 0; k < 9; k++)
                    assert_true(value[k] > -1e-11 * scale);
                eigen_symmetric(9, e, own, v);
                double least = 0;
                for (int k = 0; k < 9; k++)
                    least = fmin(least, own[k]);
                for (int i = 0; i < 81 && least > -1e-13 * scale; i++)
                    assert_true(fabs(exact.C[i][l] - clamped.C[i][l]) < 1e-11 * scale);
            }
        }
}

static void rotations_cost_nothing(void **state)
{
    (void)state;
    for (int law = 0; law < LAW_KINDS; law++) {
        lanes p[LAW_PARAMETERS], F[9];
        law_point point;
        parameters(law, p);
        for (int l = 0; l < LANES; l++) {
            double R[9];
            random_rotation(R);
            set_lane(F, l, R);
        }
        evaluate(law, F, p, LAW_STRESS, &point);
        for (int l = 0; l < LANES; l++) {
            assert_true(size_of(point.P, 9, l) < 1e-14 * (lambda + mu));
            assert_true(fabs(point.energy[l]) < 1e-28);
        }
    }
}

static void rotating_the_space_rotates_the_stress(void **state)
{
    (void)state;
    for (int law = 0; law < LAW_KINDS; law++) {
        lanes p[LAW_PARAMETERS], F[9], rotated[9], want[9], Q[9];
        law_point point, other;
        double R[9];
        parameters(law, p);
        if (law == LAW_ORTHOTROPIC)
            anisotropic(p);
        sample(F);
        random_rotation(R);
        for (int i = 0; i < 9; i++)
            Q[i] = lanes_set(R[i]);
        lanes_mat_mul(rotated, Q, F);
        evaluate(law, F, p, LAW_STRESS, &point);
        evaluate(law, rotated, p, LAW_STRESS, &other);
        lanes_mat_mul(want, Q, point.P);
        for (int l = 0; l < LANES - (law == LAW_COROTATIONAL); l++)
            for (int i = 0; i < 9; i++)
                assert_true(fabs(want[i][l] - other.P[i][l]) < 1e-12 * (1 + size_of(want, 9, l)));
    }
}

// C at rest is Hooke's, exactly; near rest energies keep their digits.
static void small_strains_follow_hooke(void **state)
{
    (void)state;
    for (int law = 0; law < LAW_KINDS; law++) {
        lanes p[LAW_PARAMETERS], F[9];
        law_point point;
        parameters(law, p);
        for (int i = 0; i < 9; i++)
            F[i] = lanes_set(i % 4 == 0);
        evaluate(law, F, p, LAW_EXACT, &point);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int k = 0; k < 3; k++)
                    for (int l = 0; l < 3; l++) {
                        double hooke = lambda * (i == j && k == l) +
                                       mu * ((i == k && j == l) + (i == l && j == k));
                        double c = point.C[9 * (3 * i + j) + 3 * k + l][0];
                        if (fabs(c - hooke) > 1e-14 * lambda)
                            fail_msg("%s: C is %.16g at rest, Hooke's is %.16g", law_name[law], c,
                                     hooke);
                    }
        const double e = 1e-7;
        F[0] += e;
        F[1] += 0.5 * e;
        F[3] += 0.5 * e;
        evaluate(law, F, p, LAW_STRESS, &point);
        double want = e * e * (0.5 * lambda + mu * 1.5);
        if (fabs(point.energy[0] / want - 1) > 2e-6) // the next order of the strain, and a rounding
            fail_msg("%s: energy %.12g, Hooke's %.12g", law_name[law], point.energy[0], want);
    }
}

// sigma = P F' / J
static void cauchy(const law_point *point, const lanes F[9], int lane, double sigma[9])
{
    lanes cof[9], s[9];
    lanes_mat_cofactor(cof, F);
    lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    lanes_mat_mul_nt(s, point->P, F);
    for (int i = 0; i < 9; i++)
        sigma[i] = s[i][lane] / J[lane];
}

static void stretch_and_shear_without_change_of_volume_match_closed_forms(void **state)
{
    (void)state;
    const double g = 0.6, l1 = 2, l2 = 1 / sqrt(2.0);
    lanes F[9];
    for (int i = 0; i < 9; i++)
        F[i] = lanes_set(i % 4 == 0);
    F[0][0] = l1;
    F[4][0] = F[8][0] = l2;
    F[1][1] = g;
    for (int law = 0; law < LAW_KINDS; law++) {
        if (law == LAW_COROTATIONAL || law == LAW_ST_VENANT || law == LAW_ORTHOTROPIC)
            continue;
        lanes p[LAW_PARAMETERS];
        double s[9], t[9];
        law_point point;
        parameters(law, p);
        evaluate(law, F, p, LAW_STRESS, &point);
        cauchy(&point, F, 0, s);
        cauchy(&point, F, 1, t);
        double difference = 0, shear = 0, I1 = l1 * l1 + 2 * l2 * l2 - 3;
        if (law == LAW_NEO_HOOKE) {
            difference = 3.5 * mu;
            shear = mu * g;
        } else if (law == LAW_MOONEY) { // 2 (l1^2 - l2^2) (c1 + c2 / l1)
            difference = 2 * (l1 * l1 - l2 * l2) * (p[0][0] + p[1][0] * l2 * l2);
            shear = 2 * (p[0][0] + p[1][0]) * g;
        } else if (law == LAW_YEOH) {
            difference =
                2 * (l1 * l1 - l2 * l2) * (p[0][0] + 2 * p[1][0] * I1 + 3 * p[2][0] * I1 * I1);
            shear = 2 * g * (p[0][0] + 2 * p[1][0] * g * g + 3 * p[2][0] * g * g * g * g);
        } else if (law == LAW_GENT) {
            difference = mu * (l1 * l1 - l2 * l2) * p[1][0] / (p[1][0] - I1);
            shear = mu * g * p[1][0] / (p[1][0] - g * g);
        } else { // sum mu_p (l1^a - l2^a); the shear's stretches are l and 1/l with l - 1/l = g
            double l = 0.5 * (g + sqrt(g * g + 4));
            for (int k = 0; k < OGDEN_TERMS; k++) {
                double m = p[k][0], a = p[4 + k][0];
                difference += m * (pow(l1, a) - pow(l2, a));
                shear += m * (pow(l, a) - pow(l, -a)) / (l + 1 / l);
            }
        }
        assert_true(fabs(s[0] - s[4] - difference) < 1e-13 * difference);
        assert_true(fabs(t[1] - shear) < 1e-13 * difference);
    }
}

static void ogden_with_exponent_two_is_neo_hookean(void **state)
{
    (void)state;
    lanes p[LAW_PARAMETERS] = {lanes_set(mu), lanes_set(0), lanes_set(0), lanes_set(lambda),
                               lanes_set(2),  lanes_set(2), lanes_set(2)};
    lanes q[2] = {lanes_set(mu), lanes_set(lambda)}, F[9];
    law_point a, b;
    sample(F);
    evaluate(LAW_OGDEN, F, p, LAW_EXACT, &a);
    evaluate(LAW_NEO_HOOKE, F, q, LAW_EXACT, &b);
    for (int l = 0; l < LANES; l++) {
        double scale = size_of(b.C, 81, l);
        assert_true(fabs(a.energy[l] - b.energy[l]) < 1e-13 * scale);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(a.P[i][l] - b.P[i][l]) < 1e-13 * scale);
        for (int i = 0; i < 81; i++)
            assert_true(fabs(a.C[i][l] - b.C[i][l]) < 1e-12 * scale);
    }
}

// Laws with ln J push an inverted element back, harder the more it is inverted, and their
// continuation joins without a jump.
static void an_inverted_point_is_pushed_back(void **state)
{
    (void)state;
    for (int law = LAW_NEO_HOOKE; law <= LAW_OGDEN; law++) {
        lanes p[LAW_PARAMETERS], F[9];
        law_point point;
        parameters(law, p);
        if (law == LAW_OGDEN) // a negative exponent is a barrier at zero stretch, from both sides
            p[2] = lanes_set(0);
        static const double height[LANES] = {-2, -1, -0.5, -0.1, 0, 0.05, 0.1, 0.2};
        for (int i = 0; i < 9; i++)
            F[i] = lanes_set(i % 4 == 0);
        for (int l = 0; l < LANES; l++)
            F[8][l] = height[l];
        evaluate(law, F, p, LAW_EXACT, &point);
        for (int l = 0; l < LANES; l++) {
            assert_true(isfinite(point.energy[l]) && isfinite(size_of(point.C, 81, l)));
            assert_true(point.P[8][l] < 0); // thickening lowers the energy
            assert_true(l == 0 || point.energy[l] < point.energy[l - 1]);
        }
    }
}

static void check_join(law_kind law, const double below[9], const double above[9])
{
    lanes p[LAW_PARAMETERS], F[9];
    law_point point;
    parameters(law, p);
    for (int l = 0; l < LANES; l++)
        set_lane(F, l, l % 2 ? above : below);
    evaluate(law, F, p, LAW_EXACT, &point);
    double scale = size_of(point.C, 81, 0);
    assert_true(fabs(point.energy[0] - point.energy[1]) < 1e-7 * scale);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(point.P[i][0] - point.P[i][1]) < 1e-7 * scale);
    for (int i = 0; i < 81; i++)
        assert_true(fabs(point.C[i][0] - point.C[i][1]) < 1e-5 * scale);
}

static void continuations_join_with_equal_stress_and_tangent(void **state)
{
    (void)state;
    const double e = 1e-9;
    for (int law = LAW_NEO_HOOKE; law <= LAW_OGDEN; law++) {
        double below[9] = {1, 0, 0, 0, 1, 0, 0, 0, STRAIN_FLOOR - e};
        double above[9] = {1, 0, 0, 0, 1, 0, 0, 0, STRAIN_FLOOR + e};
        check_join(law, below, above);
    }
    double l = sqrt(OGDEN_FLOOR);
    double thin[9] = {10, 0, 0, 0, 10, 0, 0, 0, l - 1e-4 * e};
    double thick[9] = {10, 0, 0, 0, 10, 0, 0, 0, l + 1e-4 * e};
    check_join(LAW_OGDEN, thin, thick);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_and_tangent_are_derivatives_of_the_energy),
        cmocka_unit_test(a_tangent_is_symmetric),
        cmocka_unit_test(a_clamped_tangent_has_no_negative_eigenvalue_and_keeps_the_positive_ones),
        cmocka_unit_test(rotations_cost_nothing),
        cmocka_unit_test(rotating_the_space_rotates_the_stress),
        cmocka_unit_test(small_strains_follow_hooke),
        cmocka_unit_test(stretch_and_shear_without_change_of_volume_match_closed_forms),
        cmocka_unit_test(ogden_with_exponent_two_is_neo_hookean),
        cmocka_unit_test(an_inverted_point_is_pushed_back),
        cmocka_unit_test(continuations_join_with_equal_stress_and_tangent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
