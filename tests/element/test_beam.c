#include "element/beam.h"
#include "rotating.h"

static const double young = 2.0, poisson = 0.3;

typedef struct sample {
    _Alignas(64) beam_batch batch;
    rotating s;
} sample;

// Eight unlike tapered beams of about unit length.
static void make_sample(sample *b)
{
    memset(b, 0, sizeof *b);
    b->s =
        (rotating){.kind = beam_kind(element_best_variant()), .batch = &b->batch, .nposition = 2};
    for (int l = 0; l < LANES; l++) {
        int node[4] = {4 * l, 4 * l + 1, 4 * l + 2, 4 * l + 3};
        double *X = &b->s.x[12 * l], axis[3] = {0.2 * uniform(), 1, 0.2 * uniform()};
        for (int i = 0; i < 6; i++)
            X[i] = (i == 3) + 0.2 * uniform();
        section first = {SECTION_RECTANGLE, {0.5, 0.3}}, last = {SECTION_RECTANGLE, {0.2, 0.4}};
        beam_stiffness k = beam_measure(&first, &last, vec_distance(X, X + 3), young, poisson);
        assert_true(beam_prepare(&b->batch, l, node, X, X + 3, axis, &k));
    }
}

static void random_rotation(double theta[3], double size)
{
    for (int i = 0; i < 3; i++)
        theta[i] = size * uniform();
}

static void beam_rigid_motion_gives_no_force(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 50; trial++) {
        sample b;
        double theta[3];
        make_sample(&b);
        for (int rotation = 0; rotation < 3; rotation++) { // also past half a turn
            random_rotation(theta, 2);
            rotating_rigid(&b.s, theta, 0.5);
            rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
            assert_true(largest(b.s.force, 12 * LANES) < 1e-13 * young);
            assert_true(largest(b.s.energy, LANES) < 1e-26 * young);
        }
    }
}

static void beam_energy_does_not_feel_a_rigid_motion(void **unused)
{
    (void)unused;
    sample b;
    double theta[3], energy[LANES];
    make_sample(&b);
    rotating_shake(&b.s, 0.2, 0.5);
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    memcpy(energy, b.s.energy, sizeof energy);
    random_rotation(theta, 1.5);
    rotating_rigid(&b.s, theta, 0.3);
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    for (int l = 0; l < LANES; l++)
        assert_true(fabs(b.s.energy[l] - energy[l]) < 1e-13 * young);
}

static void beam_forces_and_moments_balance(void **unused)
{
    (void)unused;
    sample b;
    make_sample(&b);
    rotating_shake(&b.s, 0.2, 0.7);
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    for (int l = 0; l < LANES; l++) {
        const double *f = &b.s.force[12 * l];
        double moment[3] = {0}, arm[3];
        for (int e = 0; e < 2; e++) {
            vec_cross(arm, &b.s.x[12 * l + 3 * e], &f[3 * e]);
            vec_axpy(moment, 1, arm);
            vec_axpy(moment, 1, &f[6 + 3 * e]);
        }
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(f[i] + f[3 + i]) < 1e-15 * young);
            assert_true(fabs(moment[i]) < 1e-14 * young);
        }
    }
}

static void beam_force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 20; trial++) {
        sample b;
        double theta[3];
        make_sample(&b);
        random_rotation(theta, 2);
        rotating_rigid(&b.s, theta, 0);
        rotating_shake(&b.s, 0.2, trial % 2 ? 0.8 : 0.1);
        assert_force_is_gradient(&b.s, young);
    }
}

static void beam_stiffness_is_the_second_derivative_of_the_energy(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 20; trial++) {
        sample b;
        double theta[3];
        make_sample(&b);
        random_rotation(theta, 2);
        rotating_rigid(&b.s, theta, 0);
        rotating_shake(&b.s, 0.2, trial % 2 ? 0.8 : 0.1);
        assert_stiffness_is_gradient(&b.s, young);
    }
}

static void beam_positive_stiffness_has_no_negative_eigenvalue(void **unused)
{
    (void)unused;
    int exact_negative = 0;
    for (int trial = 0; trial < 50; trial++) {
        sample b;
        make_sample(&b);
        rotating_shake(&b.s, 0.3, 0.8);
        rotating_evaluate(&b.s, ELEMENT_EXACT);
        for (int l = 0; l < LANES; l++)
            exact_negative += !rotating_semi_definite(&b.s, l, young);
        rotating_evaluate(&b.s, ELEMENT_POSITIVE);
        for (int l = 0; l < LANES; l++)
            assert_true(rotating_semi_definite(&b.s, l, young));
    }
    assert_true(exact_negative > 0); // or the clamp was never needed here
}

static void beam_instruction_sets_agree(void **unused)
{
    (void)unused;
    sample b;
    make_sample(&b);
    rotating_shake(&b.s, 0.2, 0.5);
    rotating other = b.s;
    b.s.kind = beam_kind(0);
    rotating_evaluate(&b.s, ELEMENT_EXACT);
    for (int variant = 1; variant < 3; variant++) {
        if (!(other.kind = beam_kind(variant)))
            continue;
        rotating_evaluate(&other, ELEMENT_EXACT);
        for (int i = 0; i < 12 * LANES; i++)
            assert_true(fabs(b.s.force[i] - other.force[i]) < 1e-13 * young);
        for (int i = 0; i < 90 * LANES; i++)
            assert_true(fabs(b.s.stiff[i] - other.stiff[i]) < 1e-12 * young);
    }
}

// The stiffness of a straight beam is Timoshenko's: deflection and slope at the end of a
// cantilever of one element.
static void one_beam_is_exact_for_a_tip_force(void **unused)
{
    (void)unused;
    sample b;
    section s = {SECTION_CIRCLE, {0.1, 0}};
    double X[12] = {0, 0, 0, 2, 0, 0}, axis[3] = {0, 1, 0};
    int node[4] = {0, 1, 2, 3};
    memset(&b, 0, sizeof b);
    beam_stiffness k = beam_measure(&s, &s, 2, young, poisson);
    for (int l = 0; l < LANES; l++)
        assert_true(beam_prepare(&b.batch, l, node, X, X + 3, axis, &k));
    b.s = (rotating){.kind = beam_kind(0), .batch = &b.batch, .nposition = 2};
    memcpy(b.s.x, X, sizeof X);
    rotating_evaluate(&b.s, ELEMENT_EXACT);
    section_constants c = section_measure(&s, poisson);
    double EI = young * c.inertia[1], GA = young / (2 * (1 + poisson)) * c.shear[0];
    double w = 8 / (3 * EI) + 2 / GA, slope = 4 / (2 * EI); // of a unit force along y
    double force =
        rotating_stiffness(&b.s, 0, 4, 4) * w + rotating_stiffness(&b.s, 0, 4, 11) * slope;
    double moment =
        rotating_stiffness(&b.s, 0, 11, 4) * w + rotating_stiffness(&b.s, 0, 11, 11) * slope;
    assert_true(fabs(force - 1) < 1e-12);
    assert_true(fabs(moment) < 1e-12);
}

// Tip deflection of a cone under a tip force, radius 2r at the root and r at the tip: w is
// the integral of P s^2/EI from the tip, P L^3 / (3 E I_tip) (r/R)^3.
static void one_tapered_beam_is_exact_for_a_tip_force(void **unused)
{
    (void)unused;
    section root = {SECTION_CIRCLE, {0.02, 0}}, tip = {SECTION_CIRCLE, {0.01, 0}};
    double L = 2, EI = young * 0.25 * M_PI * 1e-8;
    beam_stiffness k = beam_measure(&root, &tip, L, young, poisson);
    // from the middle frame: lean and bend flexibilities, inverse of the stiffness
    double det = k.lean[0] * k.bend[0] - k.mixed[0] * k.mixed[0];
    double lean = k.bend[0] / det, bend = k.lean[0] / det, mixed = -k.mixed[0] / det;
    // P at the tip: Q = P, mean moment P L / 2; tip = lean + rotation of the middle by bend L/2
    double w = (lean + 0.5 * L * mixed) + 0.5 * L * (mixed + 0.5 * L * bend);
    double cone = L * L * L / (3 * EI) / 8;
    assert_true(fabs(w / cone - 1) < 1e-3); // shear and quadrature
}

static void sections_match_handbooks(void **unused)
{
    (void)unused;
    section square = {SECTION_RECTANGLE, {1, 1}}, flat = {SECTION_RECTANGLE, {10, 1}};
    section pipe = {SECTION_TUBE, {1, 0.5}};
    section_constants a = section_measure(&square, 0), b = section_measure(&flat, 0);
    section_constants c = section_measure(&pipe, 0.3);
    assert_true(fabs(a.torsion - 0.140577) < 1e-6); // Roark: 2.25 a^4 with a half the side
    assert_true(fabs(b.torsion - 0.312325 * 10) < 1e-4);
    assert_true(fabs(a.shear[0] - 5.0 / 6) < 1e-12);
    assert_true(fabs(c.inertia[0] - 0.25 * M_PI * (1 - 0.0625)) < 1e-12);
    assert_true(fabs(c.torsion - 2 * c.inertia[0]) < 1e-12);
    // a thin tube carries shear on half its area at nu = 0 [cowper1966]
    section thin = {SECTION_TUBE, {1, 0.999999}};
    section_constants d = section_measure(&thin, 0);
    assert_true(fabs(d.shear[0] / d.area - 0.5) < 1e-6);
}

static void beam_refuses_an_axis_along_it(void **unused)
{
    (void)unused;
    beam_batch batch;
    beam_stiffness k = {0};
    double X0[3] = {0, 0, 0}, X1[3] = {0, 0, 1}, along[3] = {0, 0, 2}, across[3] = {1, 0, 0};
    int node[4] = {0, 1, 2, 3};
    assert_false(beam_prepare(&batch, 0, node, X0, X1, along, &k));
    assert_false(beam_prepare(&batch, 0, node, X0, X0, across, &k));
    assert_true(beam_prepare(&batch, 0, node, X0, X1, across, &k));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beam_rigid_motion_gives_no_force),
        cmocka_unit_test(beam_energy_does_not_feel_a_rigid_motion),
        cmocka_unit_test(beam_forces_and_moments_balance),
        cmocka_unit_test(beam_force_is_the_gradient_of_the_energy),
        cmocka_unit_test(beam_stiffness_is_the_second_derivative_of_the_energy),
        cmocka_unit_test(beam_positive_stiffness_has_no_negative_eigenvalue),
        cmocka_unit_test(beam_instruction_sets_agree),
        cmocka_unit_test(one_beam_is_exact_for_a_tip_force),
        cmocka_unit_test(one_tapered_beam_is_exact_for_a_tip_force),
        cmocka_unit_test(sections_match_handbooks),
        cmocka_unit_test(beam_refuses_an_axis_along_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
