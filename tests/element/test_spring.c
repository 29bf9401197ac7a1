#include "element/spring.h"
#include "rotating.h"

// From a point between some nodes to one between two others: two in all, four, five.
static const int nodes_of[SPRING_KINDS] = {2, 4, 5, 5};

static void make_family(element_family *f, arena *memory, int width, bool slack)
{
    assert_int_equal(family_create(f, spring_kind(element_best_variant(), width), 3, memory),
                     LITHE_OK);
    for (int e = 0; e < 3; e++) {
        spring_def d = {.nnode = nodes_of[width],
                        .node = {0, 4, 3, 1, 2},
                        .coefficient = {-0.5, 0.75, 0.25, -0.5, 0},
                        .anchor = {0, 0, 0.1 * e},
                        .stiffness = 2 + e,
                        .rest = 0.4,
                        .slack = slack};
        if (d.nnode == 2)
            memcpy(d.coefficient, (double[]){-1, 1}, 2 * sizeof(double));
        if (d.nnode == 5)
            memcpy(&d.coefficient[3], (double[]){-0.3, -0.2}, 2 * sizeof(double));
        assert_int_equal(spring_width(d.nnode), width > 2 ? 2 : width);
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

static void check_derivatives(int width, double way)
{
    static values v, plus, minus;
    arena memory = {0};
    element_family f;
    double x[15], h = 1e-6;
    make_family(&f, &memory, width, true);
    int n = f.kind->nnode, own = 3 * nodes_of[width]; // numbers that it has
    for (int i = 0; i < 15; i++)
        x[i] = 0.2 * uniform() + (i / 3 > 2 && i % 3 == 0 ? way : 0);
    evaluate(&f, x, ELEMENT_EXACT, &v);
    for (int d = 0; d < own; d++) {
        int at = 3 * f.node[d / 3] + d % 3;
        double keep = x[at];
        x[at] = keep + h;
        evaluate(&f, x, ELEMENT_FORCE_ONLY, &plus);
        x[at] = keep - h;
        evaluate(&f, x, ELEMENT_FORCE_ONLY, &minus);
        x[at] = keep;
        for (int e = 0; e < 3; e++) {
            double slope = (plus.energy[e] - minus.energy[e]) / (2 * h);
            assert_true(fabs(slope - v.force[3 * n * e + d]) < 1e-8);
            for (int i = d - d % 3; i < own; i++) {
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
        for (int width = 0; width < SPRING_KINDS; width++)
            check_derivatives(width, 1);
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
        make_family(&f, &memory, 2, slack);
        for (int i = 3; i < 5; i++)
            x[3 * i] = 0.1; // shorter than at rest
        evaluate(&f, x, ELEMENT_POSITIVE, &v);
        assert_true(slack ? largest(v.force, 24) == 0 : largest(v.force, 24) > 0.1);
        assert_true(slack ? largest(v.stiff, 324) == 0 : largest(v.stiff, 324) > 0.1);
    }
    arena_free(&memory);
}

// Of length alone: neither a motion along with it nor a rotation of a spring that pulls is
// resisted.
static void a_change_of_length_is_no_rigid_motion(void **unused)
{
    (void)unused;
    static values v;
    arena memory = {0};
    element_family f;
    double x[15], spin[3] = {0.3, -1, 2};
    make_family(&f, &memory, 2, true);
    for (int i = 0; i < 15; i++)
        x[i] = 0.2 * uniform() + (i / 3 > 2 && i % 3 == 0);
    evaluate(&f, x, ELEMENT_LENGTH, &v);
    for (int i = 0; i < 15; i++) { // of the first one, which no anchor holds
        double sum = 0, size = 0;
        for (int j = 0; j < 15; j++) {
            int a = i / 3, b = j / 3;
            const double *K = &v.stiff[9 * element_pair(a > b ? a : b, a > b ? b : a)];
            double entry = a >= b ? K[3 * (i % 3) + j % 3] : K[3 * (j % 3) + i % 3];
            const double *at = &x[3 * f.node[b]];
            double moved =
                1 + spin[(j + 1) % 3] * at[(j + 2) % 3] - spin[(j + 2) % 3] * at[(j + 1) % 3];
            sum += entry * moved;
            size += fabs(entry * moved);
        }
        assert_true(fabs(sum) < 1e-12 * (size + 1));
    }
    assert_true(largest(v.stiff, 9) > 0.1);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_forces_and_stiffness_are_derivatives),
        cmocka_unit_test(a_slack_spring_does_nothing),
        cmocka_unit_test(a_change_of_length_is_no_rigid_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
