// The landscape of the lever between its posts: what is told of it fits together, and its cost is
// that of the inverse's own way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lithe/landscape.h"

#include <math.h>
#include <stdlib.h>

typedef struct lever {
    lithe_report report;
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
} lever;

static void begin(lever *l)
{
    *l = (lever){.report = lithe_report_default()};
    assert_int_equal(
        lithe_scene_read(LITHE_ROOT "/examples/lever/robot.yaml", 0, NULL, &l->scene, &l->report),
        LITHE_OK);
    assert_int_equal(lithe_compile(lithe_scene_def(l->scene), &l->model, &l->report), LITHE_OK);
    assert_int_equal(lithe_state_create(l->model, 1, &l->state, &l->report), LITHE_OK);
    assert_int_equal(lithe_begin(l->model, l->state), LITHE_OK);
}

static void aim(lever *l)
{
    double *start = malloc((size_t)lithe_nrow(l->model) * sizeof *start);
    lithe_task_start(l->model, l->state, start);
    double time = lithe_task_approach(l->model, start) + lithe_task_duration(l->model);
    assert_int_equal(lithe_task_apply(l->model, l->state, start, time), LITHE_OK);
    free(start);
}

static void end(lever *l)
{
    lithe_state_free(l->state);
    lithe_model_free(l->model);
    lithe_scene_free(l->scene);
}

static double lowest(const lithe_landscape *l)
{
    double least = INFINITY;
    for (int k = 0; k < l->points * l->points; k++)
        least = fmin(least, l->cost[k]);
    return least;
}

static void minima_are_below_the_grid(void **unused)
{
    (void)unused;
    lever l;
    lithe_landscape *found;
    begin(&l);
    aim(&l);
    assert_int_equal(lithe_landscape_create(l.model, l.state, 31, &found), LITHE_OK);
    assert_int_equal(found->n, 2);
    assert_true(found->nminimum >= 1 && found->npiece >= 2 && found->solved);
    // no point of the grid is lower than the least minimum, and one is near it
    assert_true(lowest(found) >= found->least[0] * (1 - 1e-9));
    assert_true(lowest(found) <= found->least[0] + 0.05 * found->cost[0]);
    for (int k = 1; k < found->nminimum; k++)
        assert_true(found->least[k] >= found->least[k - 1]);
    // the way begins where the robot is
    for (int i = 0; i < 2; i++)
        assert_true(found->path[0][i] == found->effort[i] && found->low[i] < found->high[i]);
    lithe_landscape_free(found);
    end(&l);
}

// A finer grid has the coarse one's points, with the same costs and sets.
static void grids_agree(void **unused)
{
    (void)unused;
    lever l;
    lithe_landscape *coarse, *fine;
    begin(&l);
    aim(&l);
    size_t bytes = lithe_state_size(l.model, l.state);
    void *before = malloc(bytes);
    lithe_state_save(l.model, l.state, before);
    assert_int_equal(lithe_landscape_create(l.model, l.state, 11, &coarse), LITHE_OK);
    assert_int_equal(lithe_state_load(l.model, l.state, before, bytes), LITHE_OK);
    assert_int_equal(lithe_landscape_create(l.model, l.state, 21, &fine), LITHE_OK);
    for (int j = 0; j < 11; j++)
        for (int i = 0; i < 11; i++) {
            double a = coarse->cost[11 * j + i], b = fine->cost[21 * 2 * j + 2 * i];
            assert_true(fabs(a - b) <= 1e-9 * fabs(a));
        }
    lithe_landscape_free(coarse);
    lithe_landscape_free(fine);
    free(before);
    end(&l);
}

static void what_has_no_landscape_is_told(void **unused)
{
    (void)unused;
    lever l;
    lithe_landscape *found;
    begin(&l);
    assert_int_equal(lithe_landscape_create(l.model, l.state, 31, &found), LITHE_INVALID);
    assert_null(found);
    aim(&l);
    assert_int_equal(lithe_landscape_create(l.model, l.state, 1, &found), LITHE_INVALID);
    assert_int_equal(lithe_landscape_create(l.model, l.state, 100000, &found), LITHE_INVALID);
    lithe_landscape_free(NULL);
    end(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(minima_are_below_the_grid),
        cmocka_unit_test(grids_agree),
        cmocka_unit_test(what_has_no_landscape_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
