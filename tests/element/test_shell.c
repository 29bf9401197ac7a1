#include "element/shell.h"
#include "rotating.h"

static const double young = 2.0, poisson = 0.3, thickness = 0.2;

typedef struct sample {
    _Alignas(64) shell_batch batch;
    rotating s;
} sample;

// Eight unlike triangles of about unit size, at rest. level: how far they and their surface leave
// the plane of x and y.
static void make_sample(sample *b, double level)
{
    static const double corner[3][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 1, 0}};
    memset(b, 0, sizeof *b);
    b->s =
        (rotating){.kind = shell_kind(element_best_variant()), .batch = &b->batch, .nposition = 3};
    for (int l = 0; l < LANES; l++) {
        int node[6];
        double *X = &b->s.x[18 * l];
        for (int i = 0; i < 9; i++)
            X[i] = corner[i / 3][i % 3] + (i % 3 < 2 ? 0.2 : level) * uniform();
        for (int a = 0; a < 6; a++)
            node[a] = 6 * l + a;
        const double *at[3] = {X, X + 3, X + 6};
        double u[3], v[3], normal[3][3]; // about those of the plane
        vec_sub(u, at[1], at[0]);
        vec_sub(v, at[2], at[0]);
        for (int a = 0; a < 3; a++) {
            vec_cross(normal[a], u, v);
            for (int i = 0; i < 3; i++)
                normal[a][i] += 0.4 * level * uniform();
        }
        assert_true(shell_prepare(&b->batch, l, node, at, (const double(*)[3])normal, thickness,
                                  young, poisson));
    }
}

static void random_rotation(double theta[3], double size)
{
    for (int i = 0; i < 3; i++)
        theta[i] = size * uniform();
}

static void shell_rigid_motion_gives_no_force(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 50; trial++) {
        sample b;
        double theta[3];
        make_sample(&b, 0.5);
        for (int rotation = 0; rotation < 3; rotation++) { // also past half a turn
            random_rotation(theta, 2);
            rotating_rigid(&b.s, theta, 0.5);
            rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
            assert_true(largest(b.s.force, 18 * LANES) < 1e-14 * young);
            assert_true(largest(b.s.energy, LANES) < 1e-28 * young);
        }
    }
}

static void shell_forces_and_moments_balance(void **unused)
{
    (void)unused;
    sample b;
    make_sample(&b, 0.5);
    rotating_shake(&b.s, 0.2, 0.7);
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    for (int l = 0; l < LANES; l++) {
        const double *f = &b.s.force[18 * l];
        double moment[3] = {0}, force[3] = {0}, arm[3];
        for (int a = 0; a < 3; a++) {
            vec_cross(arm, &b.s.x[18 * l + 3 * a], &f[3 * a]);
            vec_axpy(force, 1, &f[3 * a]);
            vec_axpy(moment, 1, arm);
            vec_axpy(moment, 1, &f[9 + 3 * a]);
        }
        assert_true(largest(force, 3) < 1e-14 * young);
        assert_true(largest(moment, 3) < 1e-14 * young);
    }
}

static void shell_force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 20; trial++) {
        sample b;
        double theta[3];
        make_sample(&b, 0.3);
        random_rotation(theta, 2);
        rotating_rigid(&b.s, theta, 0);
        rotating_shake(&b.s, 0.2, trial % 2 ? 0.8 : 0.1);
        assert_force_is_gradient(&b.s, young);
    }
}

static void shell_stiffness_is_the_second_derivative_of_the_energy(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 20; trial++) {
        sample b;
        double theta[3];
        make_sample(&b, 0.3);
        random_rotation(theta, 2);
        rotating_rigid(&b.s, theta, 0);
        rotating_shake(&b.s, 0.2, trial % 2 ? 0.8 : 0.1);
        assert_stiffness_is_gradient(&b.s, young);
    }
}

static void shell_positive_stiffness_has_no_negative_eigenvalue(void **unused)
{
    (void)unused;
    int exact_negative = 0;
    for (int trial = 0; trial < 50; trial++) {
        sample b;
        make_sample(&b, 0.3);
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

static void shell_instruction_sets_agree(void **unused)
{
    (void)unused;
    sample b;
    make_sample(&b, 0.3);
    rotating_shake(&b.s, 0.2, 0.5);
    rotating other = b.s;
    b.s.kind = shell_kind(0);
    rotating_evaluate(&b.s, ELEMENT_EXACT);
    for (int variant = 1; variant < 3; variant++) {
        if (!(other.kind = shell_kind(variant)))
            continue;
        rotating_evaluate(&other, ELEMENT_EXACT);
        for (int i = 0; i < 18 * LANES; i++)
            assert_true(fabs(b.s.force[i] - other.force[i]) < 1e-13 * young);
        for (int i = 0; i < 9 * SHELL_UPPER * LANES; i++)
            assert_true(fabs(b.s.stiff[i] - other.stiff[i]) < 1e-12 * young);
    }
}

static double area_of(const double *X)
{
    double a[3], b[3], n[3];
    vec_sub(a, X + 3, X);
    vec_sub(b, X + 6, X);
    vec_cross(n, a, b);
    return 0.5 * vec_norm(n);
}

// Small: x = X + e (strain X), with no rotation.
static void shell_constant_strain_has_hookes_energy(void **unused)
{
    (void)unused;
    sample b;
    double e = 1e-6, strain[3] = {1, 0.5, 0.3}, area[LANES]; // 11, 22, 12
    make_sample(&b, 0);
    for (int l = 0; l < LANES; l++) {
        area[l] = area_of(&b.s.x[18 * l]);
        for (int a = 0; a < 3; a++) {
            double *x = &b.s.x[18 * l + 3 * a], X = x[0], Y = x[1];
            x[0] += e * (strain[0] * X + strain[2] * Y);
            x[1] += e * (strain[2] * X + strain[1] * Y);
        }
    }
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    double d = young / (1 - poisson * poisson) * thickness;
    double density =
        0.5 * e * e * d *
        (strain[0] * strain[0] + strain[1] * strain[1] + 2 * poisson * strain[0] * strain[1] +
         0.5 * (1 - poisson) * 4 * strain[2] * strain[2]);
    for (int l = 0; l < LANES; l++)
        assert_true(fabs(b.s.energy[l] / (density * area[l]) - 1) < 1e-5);
}

// Small: w = e (k11 X^2 + k22 Y^2 + 2 k12 X Y) / 2 and normals that follow.
static void shell_constant_curvature_has_kirchhoffs_energy(void **unused)
{
    (void)unused;
    sample b;
    double e = 1e-6, k[3] = {1, -0.5, 0.3}, area[LANES]; // 11, 22, 12
    make_sample(&b, 0);
    for (int l = 0; l < LANES; l++) {
        area[l] = area_of(&b.s.x[18 * l]);
        for (int a = 0; a < 3; a++) {
            double *x = &b.s.x[18 * l + 3 * a], *rotation = x + 9, X = x[0], Y = x[1];
            x[2] = 0.5 * e * (k[0] * X * X + k[1] * Y * Y + 2 * k[2] * X * Y);
            rotation[0] = e * (k[1] * Y + k[2] * X);  // w,y
            rotation[1] = -e * (k[0] * X + k[2] * Y); // -w,x
        }
    }
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    double d = young / (1 - poisson * poisson) * thickness * thickness * thickness / 12;
    double density = 0.5 * e * e * d *
                     (k[0] * k[0] + k[1] * k[1] + 2 * poisson * k[0] * k[1] +
                      0.5 * (1 - poisson) * 4 * k[2] * k[2]);
    for (int l = 0; l < LANES; l++)
        assert_true(fabs(b.s.energy[l] / (density * area[l]) - 1) < 1e-5);
}

// The optimal element's name-giving property: a strip of rectangles of two triangles each, bent in
// its plane, has the energy of a beam for any side ratio [felippa2003, section 5].
static void shell_bends_in_its_plane_like_a_beam(void **unused)
{
    (void)unused;
    for (int ratio = 1; ratio <= 16; ratio *= 4) {
        _Alignas(64) shell_batch batch;
        double a = ratio, h = 1, curve = 1e-6, energy[LANES], force[18 * LANES];
        double X[4][3] = {{0, 0, 0}, {a, 0, 0}, {a, h, 0}, {0, h, 0}};
        static const int tri[2][3] = {{0, 1, 2}, {0, 2, 3}};
        double x[3 * 8];
        memset(&batch, 0, sizeof batch);
        for (int l = 0; l < LANES; l++) {
            const int *t = tri[l % 2];
            const double *at[3] = {X[t[0]], X[t[1]], X[t[2]]};
            int node[6] = {t[0], t[1], t[2], 4 + t[0], 4 + t[1], 4 + t[2]};
            assert_true(shell_prepare(&batch, l, node, at, NULL, thickness, young, poisson));
        }
        // u = -k x y, v = k (x^2 + nu y^2) / 2, drilling (v,x - u,y) / 2 = k x
        for (int i = 0; i < 4; i++) {
            double px = X[i][0] - 0.5 * a, py = X[i][1] - 0.5 * h;
            double at[3] = {X[i][0] - curve * px * py,
                            X[i][1] + 0.5 * curve * (px * px + poisson * py * py), 0};
            double rotation[3] = {0, 0, curve * px};
            memcpy(&x[3 * i], at, sizeof at);
            memcpy(&x[3 * (4 + i)], rotation, sizeof rotation);
        }
        shell_kind(0)->evaluate(&batch, x, ELEMENT_FORCE_ONLY,
                                (element_output){energy, force, NULL});
        double beam = 0.5 * young * thickness * h * h * h / 12 * curve * curve * a;
        double ratio_of_energies = (energy[0] + energy[1]) / beam;
        assert_true(fabs(ratio_of_energies - 1) < 1e-4);
    }
}

// From a helicoid (t = 0) towards a catenoid: all surfaces of the family have the same lengths and
// the same normals, and every point rotates about its normal by -t.
static void helicoid(double u, double v, double t, double x[3], double n[3])
{
    const double at[3] = {cos(t) * sinh(v) * sin(u) + sin(t) * cosh(v) * cos(u),
                          -cos(t) * sinh(v) * cos(u) + sin(t) * cosh(v) * sin(u),
                          u * cos(t) + v * sin(t)};
    const double normal[3] = {cos(u) / cosh(v), sin(u) / cosh(v), -tanh(v)};
    memcpy(x, at, sizeof at);
    memcpy(n, normal, sizeof normal);
}

// Energy of membrane per volume and modulus: the wall is so thin that bending takes nothing.
static double stretch_of_helicoid(double size, double t, bool curved)
{
    static const double corner[3][2] = {{0.3, 0.4}, {1.3, 0.6}, {0.7, 1.5}};
    sample b;
    double thin = 1e-6, volume = 0;
    memset(&b, 0, sizeof b);
    b.s = (rotating){.kind = shell_kind(element_best_variant()), .batch = &b.batch, .nposition = 3};
    for (int l = 0; l < LANES; l++) {
        double *x = &b.s.x[18 * l], normal[3][3];
        int node[6];
        const double *at[3] = {x, x + 3, x + 6};
        for (int a = 0; a < 6; a++)
            node[a] = 6 * l + a;
        for (int a = 0; a < 3; a++)
            helicoid(size * corner[a][0], size * corner[a][1], 0, x + 3 * a, normal[a]);
        assert_true(shell_prepare(&b.batch, l, node, at, curved ? (const double(*)[3])normal : NULL,
                                  thin, 1, poisson));
        volume = b.batch.rigidity[3][0];
        for (int a = 0; a < 3; a++) {
            helicoid(size * corner[a][0], size * corner[a][1], t, x + 3 * a, normal[a]);
            for (int i = 0; i < 3; i++)
                x[9 + 3 * a + i] = -t * normal[a][i];
        }
    }
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    return b.s.energy[0] / volume;
}

static void shell_curved_and_bent_without_strain_has_no_membrane_energy(void **unused)
{
    (void)unused;
    for (double t = 0.01; t < 1; t *= 30) {
        double flat = stretch_of_helicoid(0.2, t, false), large = stretch_of_helicoid(0.2, t, true),
               small = stretch_of_helicoid(0.1, t, true);
        assert_true(large < 0.02 * flat);
        assert_true(small < large / 40); // strains of third order: energy falls by 64
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shell_rigid_motion_gives_no_force),
        cmocka_unit_test(shell_forces_and_moments_balance),
        cmocka_unit_test(shell_force_is_the_gradient_of_the_energy),
        cmocka_unit_test(shell_stiffness_is_the_second_derivative_of_the_energy),
        cmocka_unit_test(shell_positive_stiffness_has_no_negative_eigenvalue),
        cmocka_unit_test(shell_instruction_sets_agree),
        cmocka_unit_test(shell_constant_strain_has_hookes_energy),
        cmocka_unit_test(shell_constant_curvature_has_kirchhoffs_energy),
        cmocka_unit_test(shell_bends_in_its_plane_like_a_beam),
        cmocka_unit_test(shell_curved_and_bent_without_strain_has_no_membrane_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
