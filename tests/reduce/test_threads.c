// Steps of reduced robots are the same, bit by bit, on any number of threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lithe/reduce.h"
#include "robot.h"

static void begin(robot *r)
{
    robot_begin(r, true);
    r->def.gravity[0] = -1;
    add_cable(r, "left", -0.008);
    r->actuator[0].displacement_limit[0] = 0;
    r->actuator[0].displacement_limit[1] = 0.01;
    r->actuator[0].command = LITHE_DISPLACEMENT;
    add_cavity(r);
    r->actuator[1].effort_limit[0] = 0;
    r->actuator[1].effort_limit[1] = 1e4;
    r->actuator[1].command = LITHE_EFFORT;
}

// Positions of all nodes after some steps, and the error that is estimated there.
static double *walk(const lithe_def *def, int threads, size_t *n)
{
    lithe_report report = lithe_report_default();
    lithe_model *m = NULL;
    lithe_state *s = NULL;
    assert_int_equal(lithe_compile(def, &m, &report), LITHE_OK);
    assert_int_equal(lithe_state_create(m, threads, &s, &report), LITHE_OK);
    *n = 3 * (size_t)lithe_nnode(m) + 1;
    double *out = malloc(*n * sizeof *out);
    for (int k = 1; k <= 5; k++) {
        lithe_command(m, s, 0, LITHE_DISPLACEMENT, (double[]){2e-3 * k, 0, 0});
        lithe_command(m, s, 1, LITHE_EFFORT, (double[]){1e3 * k, 0, 0});
        assert_int_equal(lithe_step(m, s), LITHE_OK);
    }
    memcpy(out, lithe_position(s), (*n - 1) * sizeof *out);
    assert_int_equal(lithe_estimate_reduction(m, s, &out[*n - 1]), LITHE_OK);
    lithe_state_free(s);
    lithe_model_free(m);
    return out;
}

static void check_threads(const lithe_def *def)
{
    size_t n;
    double *one = walk(def, 1, &n);
    for (int threads = 2; threads <= 4; threads++) {
        double *many = walk(def, threads, &n);
        assert_memory_equal(one, many, n * sizeof *one);
        free(many);
    }
    free(one);
}

static void by_modes(void **unused)
{
    (void)unused;
    robot r;
    lithe_reduction *made = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    begin(&r);
    how.tolerance = 2e-4;
    how.nsample = 8;
    assert_int_equal(lithe_reduce(&r.def, &how, &made, &r.report), LITHE_OK);
    r.def.reduction.given = made;
    check_threads(&r.def);
    lithe_reduction_free(made);
    robot_end(&r);
}

static void as_a_beam(void **unused)
{
    (void)unused;
    for (int swell = 0; swell <= 3; swell += 3) {
        robot r;
        begin(&r);
        r.def.reduction.beam = true;
        r.def.reduction.nframe = 8;
        r.def.reduction.nswell = swell;
        check_threads(&r.def);
        robot_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_modes),
        cmocka_unit_test(as_a_beam),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
