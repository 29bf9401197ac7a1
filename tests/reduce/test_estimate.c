// The error that a reduced robot knows, where it is hard to know.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/vec.h"
#include "lithe/lithe.h"
#include "lithe/reduce.h"

// One robot of a scene, whole or as a beam, brought to three pressures.
static void go(const char *set, const double pressure[3], double tip[3], double *estimate)
{
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    lithe_model *m = NULL;
    lithe_state *s = NULL;
    const char *sets[] = {"step.mode=converged", set};
    assert_int_equal(lithe_scene_read(LITHE_ROOT "/examples/module/robot.yaml", set ? 2 : 1, sets,
                                      &scene, &report),
                     LITHE_OK);
    assert_int_equal(lithe_compile(lithe_scene_def(scene), &m, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(m, 1, &s, &report), LITHE_OK);
    for (int a = 0; a < 3; a++)
        lithe_command(m, s, a, LITHE_EFFORT, &pressure[a]);
    assert_int_equal(lithe_step(m, s), LITHE_OK);
    lithe_effector_value(m, s, 0, tip);
    if (set)
        assert_int_equal(lithe_estimate_reduction(m, s, estimate), LITHE_OK);
    lithe_state_free(s);
    lithe_model_free(m);
    lithe_scene_free(scene);
}

// The tip of the whole robot is 14 mm from there. Threads hold the sections, so Newton's steps go
// along a narrow valley: short ones, which balance what a long one has torn, before the next long
// one.
static void a_short_step_in_a_valley_is_not_its_end(void **unused)
{
    (void)unused;
    static const double pressure[3] = {31.2e3, 81.2e3, 57.4e3};
    double tip[2][3], estimate;
    go(NULL, pressure, tip[0], NULL);
    go("reduction.beam.frames=15", pressure, tip[1], &estimate);
    double error = vec_distance(tip[0], tip[1]);
    assert_true(error > 0.01 && estimate >= error && estimate < 1.3 * error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_short_step_in_a_valley_is_not_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
