// tet10 and hex8 with every law.
#include "base/eigen.h"
#include "base/vec.h"
#include "element/hex8.h"
#include "element/tet10.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 10, NNODE = MOST * LANES, FORCE = 3 * MOST, STIFF = 9 * MOST * (MOST + 1) / 2 };

typedef lithe_status family_function(element_family *f, int n, const int *node, const double *X,
                                     const law_material *const *stuff, arena *memory, int *bad);

typedef struct shape {
    const char *name;
    int nnode;
    family_function *build;
    const element_kind *(*kind)(law_kind law, int variant);
} shape;

static const shape shapes[] = {{"tet10", TET10_NODES, tet10_family, tet10_kind},
                               {"hex8", HEX8_NODES, hex8_family, hex8_kind}};
enum { NSHAPE = 2 };

static const double young = 2.0;

static double uniform(void)
{
    static uint64_t seed = 4321;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static law_material rubber(law_kind law, double poisson)
{
    double mu = young / (2 * (1 + poisson)), lambda = 2 * mu * poisson / (1 - 2 * poisson);
    law_material m = {.law = law, .young = young, .poisson = poisson, .density = 1};
    const double numbers[LAW_KINDS][7] = {
        [LAW_COROTATIONAL] = {mu, lambda},
        [LAW_ST_VENANT] = {mu, lambda},
        [LAW_NEO_HOOKE] = {mu, lambda},
        [LAW_MOONEY] = {0.35 * mu, 0.15 * mu, lambda},
        [LAW_YEOH] = {0.5 * mu, -0.01 * mu, 0.001 * mu, lambda},
        [LAW_OGDEN] = {1.2 * mu, 0.1 * mu, -0.05 * mu, lambda, 1.5, 3, -2},
        [LAW_GENT] = {mu, 20, lambda}};
    memcpy(m.parameter, numbers[law], sizeof numbers[law]);
    if (law == LAW_ORTHOTROPIC)
        for (int i = 0, at = 0; i < 6; i++)
            for (int j = 0; j <= i; j++, at++)
                m.parameter[at] = i < 3 && i != j ? lambda
                                  : i == j ? (i < 3 ? lambda + (2 + i) * mu : (1 + 0.2 * i) * mu)
                                           : 0;
    m.stiffest = lambda + 2 * mu;
    return m;
}

// Eight unlike elements of about unit size, each with nodes of its own.
typedef struct sample {
    const shape *shape;
    arena memory;
    element_family family;
    double X[3 * NNODE], x[3 * NNODE];
    double energy[LANES], force[LANES * FORCE], stiff[LANES * STIFF];
} sample;

static void node_at(int nnode, int a, double out[3])
{
    static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                      {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    static const double tet[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; i++)
        out[i] = nnode == 8 ? cube[a][i]
                 : a < 4    ? tet[a][i]
                            : 0.5 * (tet[tet10_edge[a - 4][0]][i] + tet[tet10_edge[a - 4][1]][i]);
}

static void sample_make(sample *s, const shape *of, law_kind law, double poisson)
{
    memset(s, 0, sizeof *s);
    s->shape = of;
    int n = of->nnode, node[NNODE], bad;
    law_material stuff = rubber(law, poisson);
    const law_material *each[LANES];
    for (int l = 0; l < LANES; l++) {
        each[l] = &stuff;
        for (int a = 0; a < n; a++) {
            double *X = &s->X[3 * (n * l + a)];
            node_at(n, a, X);
            node[n * l + a] = n * l + a;
            for (int i = 0; i < 3; i++)
                X[i] += (n == 8 ? 0.1 : 0.04) * uniform();
        }
    }
    assert_int_equal(of->build(&s->family, LANES, node, s->X, each, &s->memory, &bad), LITHE_OK);
    memcpy(s->x, s->X, sizeof s->x);
}

static void sample_deform(sample *s, const double F[9], double noise)
{
    for (int i = 0; i < s->shape->nnode * LANES; i++) {
        mat_apply(&s->x[3 * i], F, &s->X[3 * i]);
        for (int k = 0; k < 3; k++)
            s->x[3 * i + k] += noise * uniform();
    }
}

static void evaluate_by(sample *s, const element_kind *kind, element_tangent tangent)
{
    kind->evaluate(s->family.batch, s->x, tangent, (element_output){s->energy, s->force, s->stiff});
}

static void evaluate(sample *s, element_tangent tangent)
{
    evaluate_by(s, s->family.kind, tangent);
}

static void rotation(double angle, double R[9])
{
    double c = cos(angle), q = sin(angle), about_z[9] = {c, -q, 0, q, c, 0, 0, 0, 1};
    double tilt[9] = {1, 0, 0, 0, 0.6, -0.8, 0, 0.8, 0.6};
    mat_mul(R, tilt, about_z);
}

typedef void claim(sample *s);

// For every shape and law, compressible and nearly not.
static void for_all(claim *check)
{
    static const double poisson[] = {0.3, 0.499};
    for (int k = 0; k < NSHAPE; k++)
        for (int law = 0; law < LAW_KINDS; law++)
            for (int p = 0; p < 2; p++) {
                sample s;
                sample_make(&s, &shapes[k], (law_kind)law, poisson[p]);
                check(&s);
                arena_free(&s.memory);
            }
}

static void check_rotation(sample *s)
{
    for (int k = 0; k <= 6; k++) {
        double R[9];
        rotation(k * acos(-1.0) / 6, R);
        sample_deform(s, R, 0);
        evaluate(s, ELEMENT_FORCE_ONLY);
        for (int i = 0; i < LANES * 3 * s->shape->nnode; i++)
            assert_true(fabs(s->force[i]) < 1e-10 * young);
    }
}

static void rigid_rotation_gives_no_force(void **unused)
{
    (void)unused;
    for_all(check_rotation);
}

static const double strained[9] = {1.1, 0.2, -0.1, 0.05, 0.95, 0.15, 0.1, -0.05, 1.02};

static void check_force(sample *s)
{
    int n = 3 * s->shape->nnode;
    double force[LANES * FORCE], h = 1e-5;
    sample_deform(s, strained, 0.03);
    evaluate(s, ELEMENT_FORCE_ONLY);
    memcpy(force, s->force, sizeof force);
    for (int d = 0; d < n; d++) {
        double plus[LANES];
        for (int l = 0; l < LANES; l++)
            s->x[n * l + d] += h;
        evaluate(s, ELEMENT_FORCE_ONLY);
        memcpy(plus, s->energy, sizeof plus);
        for (int l = 0; l < LANES; l++)
            s->x[n * l + d] -= 2 * h;
        evaluate(s, ELEMENT_FORCE_ONLY);
        for (int l = 0; l < LANES; l++) {
            s->x[n * l + d] += h;
            double slope = (plus[l] - s->energy[l]) / (2 * h);
            assert_true(fabs(slope - force[n * l + d]) < 1e-6 * s->family.stiffness[l]);
        }
    }
}

static void force_is_the_gradient_of_the_energy(void **unused)
{
    (void)unused;
    for_all(check_force);
}

static double entry(const sample *s, int lane, int r, int c)
{
    int n = s->shape->nnode, a = r / 3, b = c / 3, i = r % 3, j = c % 3;
    const double *K = &s->stiff[9 * (n * (n + 1) / 2) * lane];
    return a >= b ? K[9 * element_pair(a, b) + 3 * i + j] : K[9 * element_pair(b, a) + 3 * j + i];
}

static void check_stiffness(sample *s)
{
    int n = 3 * s->shape->nnode;
    double h = 1e-5;
    sample_deform(s, strained, 0.03);
    evaluate(s, ELEMENT_EXACT);
    for (int d = 0; d < n; d++) {
        double plus[LANES * FORCE];
        for (int l = 0; l < LANES; l++)
            s->x[n * l + d] += h;
        evaluate(s, ELEMENT_FORCE_ONLY);
        memcpy(plus, s->force, sizeof plus);
        for (int l = 0; l < LANES; l++)
            s->x[n * l + d] -= 2 * h;
        evaluate(s, ELEMENT_FORCE_ONLY);
        for (int l = 0; l < LANES; l++) {
            s->x[n * l + d] += h;
            for (int r = 0; r < n; r++) {
                double slope = (plus[n * l + r] - s->force[n * l + r]) / (2 * h);
                assert_true(fabs(slope - entry(s, l, r, d)) < 1e-6 * s->family.stiffness[l]);
            }
        }
    }
}

static void stiffness_is_the_derivative_of_the_force(void **unused)
{
    (void)unused;
    for_all(check_stiffness);
}

static double least_eigenvalue(const sample *s, int lane)
{
    int n = 3 * s->shape->nnode;
    double A[FORCE * FORCE], value[FORCE], vector[FORCE * FORCE], least = INFINITY;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            A[n * r + c] = 0.5 * (entry(s, lane, r, c) + entry(s, lane, c, r));
    eigen_symmetric(n, A, value, vector);
    for (int i = 0; i < n; i++)
        least = fmin(least, value[i]);
    return least;
}

static void check_positive(sample *s)
{
    double squeezed[9] = {0.6, 0.1, 0, 0, 0.7, 0.1, 0.1, 0, 0.65};
    sample_deform(s, squeezed, 0.05);
    evaluate(s, ELEMENT_POSITIVE);
    for (int l = 0; l < LANES; l++)
        assert_true(least_eigenvalue(s, l) > -1e-7 * s->family.stiffness[l]);
}

static void clamped_stiffness_is_positive(void **unused)
{
    (void)unused;
    for_all(check_positive);
}

static void check_rank(sample *s)
{
    int n = 3 * s->shape->nnode, zero = 0;
    double A[FORCE * FORCE], value[FORCE], vector[FORCE * FORCE];
    evaluate(s, ELEMENT_EXACT);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            A[n * r + c] = entry(s, 0, r, c);
    eigen_symmetric(n, A, value, vector);
    for (int i = 0; i < n; i++) {
        assert_true(value[i] > -1e-9 * young);
        zero += value[i] < 1e-4 * young;
    }
    assert_int_equal(zero, 6);
}

static void only_rigid_motions_are_free_at_rest(void **unused)
{
    (void)unused;
    for_all(check_rank);
}

// f_a = V P mean(g_a), and no stress depends on where in the element one looks.
static void check_density(sample *s)
{
    double density[LANES], mises[LANES];
    sample_deform(s, strained, 0);
    evaluate(s, ELEMENT_FORCE_ONLY);
    s->family.kind->stress(s->family.batch, s->x, density, mises);
    for (int l = 1; l < LANES; l++) {
        assert_true(fabs(density[l] / density[0] - 1) < 1e-9);
        assert_true(fabs(mises[l] / mises[0] - 1) < 1e-9);
        assert_true(fabs(s->energy[l] / family_volume(&s->family, l) / density[l] - 1) < 1e-9);
    }
}

static void uniform_strain_is_uniform_whatever_the_shape(void **unused)
{
    (void)unused;
    for_all(check_density);
}

static void check_variants(sample *s)
{
    int n = s->shape->nnode;
    double force[LANES * FORCE], stiff[LANES * STIFF];
    sample_deform(s, strained, 0.03);
    evaluate_by(s, s->shape->kind(LAW_NEO_HOOKE, 0), ELEMENT_EXACT);
    memcpy(force, s->force, sizeof force);
    memcpy(stiff, s->stiff, sizeof stiff);
    for (int variant = 1; variant < 3; variant++) {
        const element_kind *kind = s->shape->kind(LAW_NEO_HOOKE, variant);
        if (!kind)
            continue;
        evaluate_by(s, kind, ELEMENT_EXACT);
        for (int i = 0; i < LANES * 3 * n; i++)
            assert_true(fabs(s->force[i] - force[i]) < 1e-10 * young);
        for (int i = 0; i < LANES * 9 * n * (n + 1) / 2; i++)
            assert_true(fabs(s->stiff[i] - stiff[i]) < 1e-9 * s->family.stiffness[0]);
    }
}

static void instruction_sets_agree(void **unused)
{
    (void)unused;
    for_all(check_variants);
}

static void check_shares(sample *s)
{
    for (int l = 0; l < LANES; l++) {
        double lump = 0, volume = family_volume(&s->family, l);
        for (int a = 0; a < s->shape->nnode; a++) {
            assert_true(s->family.lump[s->shape->nnode * l + a] > 0);
            lump += s->family.lump[s->shape->nnode * l + a];
        }
        assert_true(fabs(lump / volume - 1) < 1e-12);
    }
}

static void lumps_and_shares_add_up_to_the_volume(void **unused)
{
    (void)unused;
    for_all(check_shares);
}

// Of a bar of one material, two elements long, of size 2 x 1 x 1 / 2: bent to a small curvature
// about y, nu = 0.
static void hexahedra_bend_as_beams_do(void **unused)
{
    (void)unused;
    double X[24] = {0, 0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 0, 0, 0, 0.5, 2, 0, 0.5, 2, 1, 0.5, 0, 1, 0.5};
    double x[24], curvature = 1e-4, energy[LANES], force[LANES * FORCE];
    int node[8] = {0, 1, 2, 3, 4, 5, 6, 7}, bad;
    law_material stuff = rubber(LAW_COROTATIONAL, 0.45);
    const law_material *each = &stuff;
    element_family f;
    arena memory = {0};
    assert_int_equal(hex8_family(&f, 1, node, X, &each, &memory, &bad), LITHE_OK);
    // plane sections about y: u_x = c s z about the middle, and nodes cannot show what is quadratic
    memcpy(x, X, sizeof x);
    for (int a = 0; a < 8; a++)
        x[3 * a] += curvature * (X[3 * a] - 1) * (X[3 * a + 2] - 0.25);
    f.kind->evaluate(f.batch, x, ELEMENT_FORCE_ONLY, (element_output){energy, force, NULL});
    // anticlastic bending is held by the width: plate modulus E / (1 - nu^2)
    double plate = young / (1 - 0.45 * 0.45),
           expected = 0.5 * plate * curvature * curvature * 2 * 0.125 / 12;
    assert_true(fabs(energy[0] / expected - 1) < 1e-3);
    arena_free(&memory);
}

static void what_is_inside_out_is_refused(void **unused)
{
    (void)unused;
    law_material stuff = rubber(LAW_NEO_HOOKE, 0.3);
    const law_material *each = &stuff;
    for (int k = 0; k < NSHAPE; k++) {
        int n = shapes[k].nnode, node[MOST], bad = -1;
        double X[3 * MOST];
        element_family f;
        arena memory = {0};
        for (int a = 0; a < n; a++) {
            node_at(n, a, &X[3 * a]);
            X[3 * a] = -X[3 * a];
            node[a] = a;
        }
        assert_int_equal(shapes[k].build(&f, 1, node, X, &each, &memory, &bad), LITHE_INVALID);
        assert_int_equal(bad, 0);
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_rotation_gives_no_force),
        cmocka_unit_test(force_is_the_gradient_of_the_energy),
        cmocka_unit_test(stiffness_is_the_derivative_of_the_force),
        cmocka_unit_test(clamped_stiffness_is_positive),
        cmocka_unit_test(only_rigid_motions_are_free_at_rest),
        cmocka_unit_test(uniform_strain_is_uniform_whatever_the_shape),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(lumps_and_shares_add_up_to_the_volume),
        cmocka_unit_test(hexahedra_bend_as_beams_do),
        cmocka_unit_test(what_is_inside_out_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
