// Steps with the hyperelastic laws: from rest to large strains, and what happens where a law lets
// go.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"
#include "step/state.h"

// A block of 20 mm between two plates that are glued to it.
static void block_begin(robot *r, lithe_law law, double share)
{
    robot_begin(r, false);
    robot_reshape(r, bar_make(4, 4, 4, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.02}));
    r->tip_point.at[2] = 0.02;
    r->fix[1] = lithe_fix_def_default();
    r->fix[1].where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, 0.0199}, .b = {1, 1, 1}};
    r->fix[1].displacement[2] = 0.02 * share;
    r->body.nfix = 2;
    r->material.law = law;
    if (law == LITHE_MOONEY_RIVLIN || law == LITHE_YEOH || law == LITHE_OGDEN) {
        r->material.ncoefficient = 2;
        r->material.coefficient[0] = 3;
        r->material.coefficient[1] = 1;
    }
    r->material.locking = law == LITHE_GENT ? 20 : 0;
    if (law == LITHE_OGDEN) {
        r->material.nexponent = 2;
        r->material.exponent[0] = 1.5;
        r->material.exponent[1] = 4;
    }
    robot_compile(r);
}

static void check_block(lithe_law law, double share, bool whole)
{
    robot r;
    block_begin(&r, law, share);
    lithe_status status = lithe_step(r.model, r.state);
    lithe_residual last = lithe_last_residual(r.state);
    if ((status == LITHE_OK) != whole || (whole && last.inverted))
        fail_msg("law %d moved by %g: status %d, %d inverted, %s", law, share, status,
                 last.inverted, lithe_state_error(r.state));
    assert_true(status != LITHE_OK || !lithe_state_error(r.state)[0]);
    robot_end(&r);
}

static void every_law_goes_to_twice_its_length_and_to_four_fifths_in_one_step(void **unused)
{
    (void)unused;
    for (int law = LITHE_COROTATIONAL; law <= LITHE_GENT; law++) {
        if (law == LITHE_ORTHOTROPIC)
            continue;
        check_block(law, 1, true);
        check_block(law, -0.2, true);
    }
}

static void laws_of_rubber_go_to_three_times_their_length_and_to_a_third(void **unused)
{
    (void)unused;
    for (int law = LITHE_NEO_HOOKEAN; law <= LITHE_GENT; law++) {
        if (law == LITHE_ORTHOTROPIC)
            continue;
        check_block(law, 2, true);
        check_block(law, -2.0 / 3, true);
    }
}

static void a_law_that_lets_go_is_a_failure_and_not_an_answer(void **unused)
{
    (void)unused;
    check_block(LITHE_ST_VENANT_KIRCHHOFF, -0.5, false);
}

// A load pushes the block beyond what St Venant-Kirchhoff can bear, 0.19 of Young's modulus: its
// only equilibria have everything inside out, and Newton would find them.
static void push(robot *r, lithe_law law)
{
    block_begin(r, law, 0);
    lithe_model_free(r->model);
    lithe_state_free(r->state);
    r->body.nfix = 1;
    r->surface[0].where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0.02}, .b = {0, 0, 1}};
    r->load[0] = lithe_load_def_default();
    r->load[0].name = "weight";
    r->load[0].kind = LITHE_TRACTION;
    r->load[0].body = "bar";
    r->load[0].surface = "top";
    r->load[0].value[2] = -0.6e5;
    r->def.nload = 1;
    robot_compile(r);
}

static void a_load_that_would_invert_elements_is_refused(void **unused)
{
    (void)unused;
    robot r;
    push(&r, LITHE_ST_VENANT_KIRCHHOFF);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    lithe_residual last = lithe_last_residual(r.state);
    assert_int_equal(last.inverted, 0);
    assert_true(last.load > 0.2 && last.load < 0.6);
    assert_non_null(strstr(lithe_state_error(r.state), "elements"));
    robot_end(&r);
    push(&r, LITHE_NEO_HOOKEAN);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    assert_int_equal(lithe_last_residual(r.state).inverted, 0);
    robot_end(&r);
}

static void elements_that_are_inside_out_are_counted(void **unused)
{
    (void)unused;
    robot r;
    block_begin(&r, LITHE_COROTATIONAL, 0);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    double *x = r.state->now.x, up[3] = {0, 0, 0.02};
    assert_int_equal(step_inverted(r.model, NULL, x), 0);
    int held_here = 0, middle = bar_node(&r.shape, 2, 2, 2);
    for (int i = 0; i < 4 * r.shape.ntet; i++)
        held_here += r.shape.tet[i] == middle;
    for (int i = 0; i < 3; i++)
        x[3 * middle + i] += up[i];
    int inverted = step_inverted(r.model, NULL, x);
    assert_true(inverted > 0 && inverted < held_here);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_law_goes_to_twice_its_length_and_to_four_fifths_in_one_step),
        cmocka_unit_test(laws_of_rubber_go_to_three_times_their_length_and_to_a_third),
        cmocka_unit_test(a_law_that_lets_go_is_a_failure_and_not_an_answer),
        cmocka_unit_test(a_load_that_would_invert_elements_is_refused),
        cmocka_unit_test(elements_that_are_inside_out_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
