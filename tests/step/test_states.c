#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pool.h"
#include "robot.h"
#include "step/state.h"
#include "step/tangent.h"

enum { STATES = 12, STEPS = 3 };

typedef struct crowd {
    const lithe_model *model;
    lithe_state *state[STATES];
} crowd;

static void step_some(void *context, int first, int last)
{
    crowd *c = context;
    for (int i = first; i < last; i++) {
        lithe_state_reset(c->model, c->state[i]);
        for (int k = 1; k <= STEPS; k++) {
            lithe_command(c->model, c->state[i], 0, LITHE_DISPLACEMENT, &(double){1e-4 * i * k});
            lithe_step(c->model, c->state[i]);
        }
    }
}

static void states_of_one_model_do_not_know_of_each_other(void **unused)
{
    (void)unused;
    robot r;
    crowd c = {0};
    robot_begin(&r, false);
    r.def.gravity[2] = -9.81;
    r.def.step.mode = LITHE_REALTIME;
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    c.model = r.model;
    size_t bytes = 3 * (size_t)lithe_nnode(r.model) * sizeof(double);
    double *alone = malloc(STATES * bytes);
    for (int i = 0; i < STATES; i++)
        assert_int_equal(lithe_state_create(r.model, 1, &c.state[i], &r.report), LITHE_OK);
    for (int threads = 1; threads <= 4; threads *= 2) {
        pool *p = pool_create(threads);
        assert_non_null(p);
        pool_for(p, STATES, 1, step_some, &c);
        pool_free(p);
        for (int i = 0; i < STATES; i++) {
            double *mine = alone + (size_t)i * (bytes / sizeof(double));
            if (threads == 1)
                memcpy(mine, lithe_position(c.state[i]), bytes);
            assert_memory_equal(mine, lithe_position(c.state[i]), bytes);
        }
    }
    for (int i = 0; i < STATES; i++)
        lithe_state_free(c.state[i]);
    free(alone);
    robot_end(&r);
}

// Whatever a step's last pass was, the tangent is of the shape that is asked for.
static void an_exact_tangent_does_not_know_what_passes_have_kept(void **unused)
{
    (void)unused;
    robot r;
    lithe_state *used, *other;
    robot_begin(&r, false);
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    const lithe_model *m = r.model;
    assert_int_equal(lithe_state_create(m, 1, &used, &r.report), LITHE_OK);
    assert_int_equal(lithe_state_create(m, 1, &other, &r.report), LITHE_OK);
    lithe_command(m, used, 0, LITHE_DISPLACEMENT, &(double){1e-3});
    assert_int_equal(lithe_step(m, used), LITHE_OK);
    used->tangent.fresh[0] = false; // as a pass leaves it whose factor was kept
    lithe_state_reset(m, used);
    for (int i = 0; i < 3 * m->nnode; i++)
        used->now.x[i] = other->now.x[i] = m->X[i] * (1 + 0.01 * (i % 3));
    body_loading loads = state_loading(used);
    tangent_exact(m, &used->now, &loads, &used->tangent);
    loads = state_loading(other);
    tangent_exact(m, &other->now, &loads, &other->tangent);
    assert_memory_equal(used->tangent.K[0], other->tangent.K[0],
                        9 * (size_t)m->body[0].pattern.nblock * sizeof(double));
    lithe_state_free(used);
    lithe_state_free(other);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_one_model_do_not_know_of_each_other),
        cmocka_unit_test(an_exact_tangent_does_not_know_what_passes_have_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
