#include "element/glue.h"
#include "rotating.h"

// A node glued to a tetrahedron, in all eight lanes.
typedef struct sample {
    arena memory;
    element_family family;
    rotating s;
} sample;

static void make_sample(sample *b)
{
    memset(b, 0, sizeof *b);
    assert_int_equal(
        family_create(&b->family, glue_kind(element_best_variant(), false), LANES, &b->memory),
        LITHE_OK);
    b->s = (rotating){.kind = b->family.kind, .batch = b->family.batch, .nposition = 5};
    static const double corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int e = 0; e < LANES; e++) {
        glue_def d = {
            .node = 6 * e, .rotation = 6 * e + 5, .nhost = 4, .stiffness = 3, .rotating = 2};
        for (int a = 0; a < 4; a++) {
            d.host[a] = 6 * e + 1 + a;
            d.weight[a] = (a + 1) / 10.0;
            for (int i = 0; i < 3; i++) {
                d.gradient[a][i] = a ? corner[a][i] : -1;
                b->s.x[3 * d.host[a] + i] = corner[a][i];
                b->s.x[3 * d.node + i] += d.weight[a] * corner[a][i];
            }
        }
        glue_set(&b->family, e, &d);
    }
}

static void glue_rigid_motion_gives_no_force(void **unused)
{
    (void)unused;
    sample b;
    double theta[3] = {1.5, -0.7, 1};
    make_sample(&b);
    rotating_rigid(&b.s, theta, 0.5);
    rotating_rigid(&b.s, theta, 0.5);
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    assert_true(largest(b.s.force, 18 * LANES) < 1e-13);
    arena_free(&b.memory);
}

static void glue_gives_back_what_it_takes(void **unused)
{
    (void)unused;
    sample b;
    make_sample(&b);
    rotating_shake(&b.s, 0.2, 0.5);
    rotating_evaluate(&b.s, ELEMENT_FORCE_ONLY);
    for (int l = 0; l < LANES; l++) {
        double force[3] = {0}, moment[3] = {0}, arm[3];
        for (int a = 0; a < 5; a++) {
            vec_axpy(force, 1, &b.s.force[18 * l + 3 * a]);
            vec_cross(arm, &b.s.x[18 * l + 3 * a], &b.s.force[18 * l + 3 * a]);
            vec_axpy(moment, 1, arm);
        }
        vec_axpy(moment, 1, &b.s.force[18 * l + 15]);
        assert_true(largest(force, 3) < 1e-14);
        assert_true(largest(moment, 3) < 1e-14);
    }
    arena_free(&b.memory);
}

static void glue_force_and_stiffness_are_derivatives(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10; trial++) {
        sample b;
        make_sample(&b);
        rotating_shake(&b.s, 0.2, 0.7);
        assert_force_is_gradient(&b.s, 1);
        assert_stiffness_is_gradient(&b.s, 1);
        rotating_evaluate(&b.s, ELEMENT_POSITIVE);
        for (int l = 0; l < LANES; l++)
            assert_true(rotating_semi_definite(&b.s, l, 1));
        arena_free(&b.memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(glue_rigid_motion_gives_no_force),
        cmocka_unit_test(glue_gives_back_what_it_takes),
        cmocka_unit_test(glue_force_and_stiffness_are_derivatives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
