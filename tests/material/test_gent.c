// Gent's law near its limit and beyond, where the other tests of laws do not come.
#include "material/law.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double mu = 0.7, lambda = 2.5;

static law_point at(const double F[9], double limit, law_tangent tangent)
{
    lanes wide[9], p[3] = {lanes_set(mu), lanes_set(limit), lanes_set(lambda)};
    law_point out;
    for (int i = 0; i < 9; i++)
        wide[i] = lanes_set(F[i]);
    law_evaluate(LAW_GENT, wide, p, tangent, &out);
    return out;
}

// Cauchy's sigma_1 - sigma_2 = mu (l^2 - 1/l) J_m / (J_m - K) under F = diag(l, l^-1/2, l^-1/2).
static void a_pulled_bar_has_the_stress_of_the_closed_form_up_to_its_limit(void **unused)
{
    (void)unused;
    for (double l = 0.4; l < 3.5; l += 0.1) {
        double K = l * l + 2 / l - 3, s = 1 / sqrt(l), limit = 10;
        const double F[9] = {l, 0, 0, 0, s, 0, 0, 0, s};
        if (K > 0.985 * limit)
            break;
        law_point point = at(F, limit, LAW_STRESS);
        double found = point.P[0][0] * l - point.P[4][0] * s;
        double expected = mu * (l * l - 1 / l) * limit / (limit - K);
        assert_true(fabs(found - expected) < 1e-12 * (1 + fabs(expected)));
    }
}

static void without_a_limit_it_is_neo_hookean(void **unused)
{
    (void)unused;
    const double F[9] = {1.3, 0.2, -0.1, 0.4, 0.8, 0.3, 0.1, -0.2, 1.1};
    lanes wide[9], p[2] = {lanes_set(mu), lanes_set(lambda)};
    for (int i = 0; i < 9; i++)
        wide[i] = lanes_set(F[i]);
    law_point gent_point = at(F, 1e12, LAW_EXACT), other;
    law_evaluate(LAW_NEO_HOOKE, wide, p, LAW_EXACT, &other);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(gent_point.P[i][0] - other.P[i][0]) < 1e-10);
    for (int i = 0; i < 81; i++)
        assert_true(fabs(gent_point.C[i][0] - other.C[i][0]) < 1e-10);
}

// On both sides of 0.99 J_m and far beyond J_m: stress and tangent are derivatives of the energy.
static void stress_and_tangent_are_derivatives_within_and_beyond_the_limit(void **unused)
{
    (void)unused;
    const double limit = 2;
    for (double l = 1.5; l < 3; l += 0.05) {
        const double F[9] = {l, 0.3, 0.1, 0, 0.9 / sqrt(l), 0.2, 0.05, 0, 1.05 / sqrt(l)};
        law_point point = at(F, limit, LAW_EXACT);
        for (int k = 0; k < 9; k++) {
            double h = 1e-6, a[9], b[9];
            for (int i = 0; i < 9; i++) {
                a[i] = F[i] - (i == k ? h : 0);
                b[i] = F[i] + (i == k ? h : 0);
            }
            law_point low = at(a, limit, LAW_STRESS), high = at(b, limit, LAW_STRESS);
            double slope = (high.energy[0] - low.energy[0]) / (2 * h);
            assert_true(isfinite(point.energy[0]));
            assert_true(fabs(slope - point.P[k][0]) < 1e-5 * (1 + fabs(point.C[10 * k][0])));
            for (int i = 0; i < 9; i++) {
                double rate = (high.P[i][0] - low.P[i][0]) / (2 * h);
                assert_true(fabs(rate - point.C[9 * i + k][0]) <
                            1e-4 * (1 + fabs(point.C[10 * i][0]) + fabs(point.C[10 * k][0])));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pulled_bar_has_the_stress_of_the_closed_form_up_to_its_limit),
        cmocka_unit_test(without_a_limit_it_is_neo_hookean),
        cmocka_unit_test(stress_and_tangent_are_derivatives_within_and_beyond_the_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
