#include "element/spring.h"
#include "rotating.h"

static void make_family(element_family *f, arena *memory, bool wide, bool slack)
{
    assert_int_equal(family_create(f, spring_kind(element_best_variant(), wide), 3, memory),
                     LITHE_OK);
    for (int e = 0; e < 3; e++) { // from a point between nodes 0, 1, 2 to one between 3 and 4
        spring_def d = {.nnode = 5,
                        .node = {0, 1, 2, 3, 4},
                        .coefficient = {-0.5, -0.3, -0.2, 0.25, 0.75},
                        .anchor = {0, 0, 0.1 * e},
                        .stiffness = 2 + e,
                        .rest = 0.4,
                        .slack = slack};
        spring_set(f, e, &d);
    }
}

typedef struct values {
    double energy[LANES], force[3 * SPRING_WIDE_NODE * LANES], stiff[9 * 210 * LANES];
} values;

static void evaluate(const element_family *f, const double *x, element_tangent tangent, values *v)
{
    f->kind->evaluate(f->batch, x, tangent, (element_output){v->energy, v->force, v->stiff});
}

static void check_derivatives(bool wide, double way)
{
    static values v, plus, minus;
    arena memory = {0};
    element_family f;
    double x[15], h = 1e-6;
    make_family(&f, &memory, wide, true);
    int n = f.kind->nnode;
    for (int i = 0; i < 15; i++)
        x[i] = 0.2 * uniform() + (i / 3 > 2 && i % 3 == 0 ? way : 0);
    evaluate(&f, x, ELEMENT_EXACT, &v);
    for (int d = 0; d < 15; d++) {
        double keep = x[d];
        x[d] = keep + h;
        evaluate(&f, x, ELEMENT_FORCE_ONLY, &plus);
        x[d] = keep - h;
        evaluate(&f, x, ELEMENT_FORCE_ONLY, &minus);
        x[d] = keep;
        for (int e = 0; e < 3; e++) {
            double slope = (plus.energy[e] - minus.energy[e]) / (2 * h);
            assert_true(fabs(slope - v.force[3 * n * e + d]) < 1e-8);
            for (int i = d - d % 3; i < 15; i++) {
                const double *K = &v.stiff[9 * (n * (n + 1) / 2 * e + element_pair(i / 3, d / 3))];
                double rate = (plus.force[3 * n * e + i] - minus.force[3 * n * e + i]) / (2 * h);
                assert_true(fabs(rate - K[3 * (i % 3) + d % 3]) < 1e-8);
            }
        }
    }
    for (int e = 3; e < LANES; e++) // lanes past the last
        assert_true(v.energy[e] == 0);
    arena_free(&memory);
}

static void spring_forces_and_stiffness_are_derivatives(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10; trial++) {
        check_derivatives(false, 1);
        check_derivatives(true, 1);
    }
}

static void a_slack_spring_does_nothing(void **unused)
{
    (void)unused;
    static values v;
    arena memory = {0};
    element_family f;
    double x[15] = {0};
    for (int slack = 0; slack < 2; slack++) {
        make_family(&f, &memory, false, slack);
        for (int i = 3; i < 5; i++)
            x[3 * i] = 0.1; // shorter than at rest
        evaluate(&f, x, ELEMENT_POSITIVE, &v);
        assert_true(slack ? largest(v.force, 24) == 0 : largest(v.force, 24) > 0.1);
        assert_true(slack ? largest(v.stiff, 324) == 0 : largest(v.stiff, 324) > 0.1);
    }
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_forces_and_stiffness_are_derivatives),
        cmocka_unit_test(a_slack_spring_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
