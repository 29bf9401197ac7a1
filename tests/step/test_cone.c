// Bars against cones: a tip, a slope and a base, at rest and in realtime. The truth check, which
// has a formula of its own, looks at every answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"
#include "sanitized.h"

static lithe_obstacle_def cone(const double base[3], const double tip[3], double radius)
{
    lithe_obstacle_def o = lithe_obstacle_def_default(LITHE_OBSTACLE_CONE);
    o.name = "cone";
    memcpy(o.at, base, sizeof o.at);
    memcpy(o.to, tip, sizeof o.to);
    o.radius = radius;
    return o;
}

// A cable bends the bar towards +x, where the cone is: by its tip, its slope, its base's rim, and
// its base flat before the bar's side.
static const struct {
    double base[3], tip[3], radius;
} cases[] = {
    {{0.05, 0, 0.08}, {0.013, 0, 0.08}, 0.01},
    {{0.026, 0, 0.04}, {0.026, 0, 0.11}, 0.02},
    {{0.024, -0.002, 0.09}, {0.03, 0, 0.04}, 0.01},
    {{0.014, 0, 0.085}, {0.06, 0, 0.085}, 0.008},
};

static void a_bar_bends_onto_a_cone(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += (size_t)samples_of(1, 2))
        for (int realtime = 0; realtime < 2; realtime++) {
            robot r;
            double force[3];
            lithe_obstacle_def o = cone(cases[k].base, cases[k].tip, cases[k].radius);
            robot_begin(&r, false);
            add_cable(&r, "east", 0.008);
            r.def.nobstacle = 1;
            r.def.obstacle = &o;
            r.def.step.mode = realtime ? LITHE_REALTIME : LITHE_CONVERGED;
            robot_compile(&r);
            int steps = realtime ? 20 : 2;
            for (int i = 1; i <= steps; i++) {
                lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT,
                              (double[]){0.012 * i / steps});
                assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
                assert_true(lithe_penetration(r.state) <= (realtime ? 1e-3 : 1e-8) * 0.1);
            }
            lithe_pair_force(r.model, r.state, 0, force);
            assert_true(force[0] < -0.005); // it pushes the bar back
            robot_end(&r);
        }
}

static void a_cone_needs_two_ends_and_a_radius(void **unused)
{
    (void)unused;
    robot r;
    lithe_obstacle_def o = cone(cases[0].base, cases[0].base, 0.01);
    robot_begin(&r, false);
    r.def.nobstacle = 1;
    r.def.obstacle = &o;
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "two ends that differ"));
    o = cone(cases[0].base, cases[0].tip, 0);
    assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_INVALID);
    assert_non_null(strstr(r.report.error, "radius above 0"));
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bar_bends_onto_a_cone),
        cmocka_unit_test(a_cone_needs_two_ends_and_a_radius),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
