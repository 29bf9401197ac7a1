// Proofs are of answers: a step that did not end at an optimum has none, whatever was proved on its
// way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lithe/lithe.h"

#include <stdlib.h>

typedef struct lever {
    lithe_report report;
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    int proofs;
} lever;

static bool stops_at_a_proof(void *user)
{
    lever *l = user;
    bool proved = lithe_last_contact_search(l->state).proof != NULL;
    l->proofs += proved;
    return proved;
}

static void a_step_that_was_ended_early_proves_nothing(void **unused)
{
    (void)unused;
    lever l = {.report = lithe_report_default()};
    assert_int_equal(
        lithe_scene_read(LITHE_ROOT "/examples/lever/robot.yaml", 0, NULL, &l.scene, &l.report),
        LITHE_OK);
    assert_int_equal(lithe_compile(lithe_scene_def(l.scene), &l.model, &l.report), LITHE_OK);
    assert_int_equal(lithe_state_create(l.model, 1, &l.state, &l.report), LITHE_OK);
    assert_int_equal(lithe_begin(l.model, l.state), LITHE_OK);
    double *start = malloc((size_t)lithe_nrow(l.model) * sizeof *start);
    lithe_task_start(l.model, l.state, start);
    double time = lithe_task_approach(l.model, start) + lithe_task_duration(l.model);
    assert_int_equal(lithe_task_apply(l.model, l.state, start, time), LITHE_OK);
    lithe_watch(l.state, stops_at_a_proof, &l);
    assert_int_equal(lithe_step(l.model, l.state), LITHE_NOT_CONVERGED);
    assert_true(l.proofs > 0);
    assert_null(lithe_last_contact_search(l.state).proof);
    lithe_watch(l.state, NULL, NULL);
    assert_int_equal(lithe_step(l.model, l.state), LITHE_OK);
    assert_non_null(lithe_last_contact_search(l.state).proof);
    free(start);
    lithe_state_free(l.state);
    lithe_model_free(l.model);
    lithe_scene_free(l.scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_that_was_ended_early_proves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
