// The ghost of a machine is near its true shape, from few points of it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "io/ghost.h"
#include "robot.h"
#include "step/outline.h"

enum { MOST = 16 };

typedef struct pair {
    robot model, machine; // the same but for how soft they are
    arena memory;
    skin skin;
    int npoint;
    int vertex[MOST]; // that are told
    ghost ghost;
    float *model_at, *ghost_at;
} pair;

static void bend(robot *r, double young)
{
    robot_begin(r, false);
    robot_coarsen(r);
    add_cable_at(r, "east", 0.008, 0);
    r->material.young = young;
    r->def.gravity[1] = 3;
    robot_compile(r);
    double pull = 0.004;
    assert_int_equal(lithe_command(r->model, r->state, 0, LITHE_DISPLACEMENT, &pull), LITHE_OK);
    assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
}

static const double *at(const robot *r, const pair *p, int v)
{
    return lithe_position(r->state) + 3 * (size_t)p->skin.node[v];
}

// Vertices that are nearest to points on the edges of the bar, two that face each other at each of
// so many heights.
static void choose_points(pair *p, int heights)
{
    for (int k = 0; k < 2 * heights; k++) {
        double side = k % 2 ? 0.01 : -0.01, other = k / 2 % 2 ? side : -side;
        double wanted[3] = {side, other, 0.1 * (1 + k / 2) / heights};
        int best = 0;
        for (int v = 0; v < p->skin.nvertex; v++) {
            const double *x = lithe_rest(p->model.model) + 3 * (size_t)p->skin.node[v];
            const double *y = lithe_rest(p->model.model) + 3 * (size_t)p->skin.node[best];
            best = vec_distance(x, wanted) < vec_distance(y, wanted) ? v : best;
        }
        p->vertex[p->npoint++] = best;
    }
}

static void begin(pair *p, int heights)
{
    double point[3 * MOST];
    *p = (pair){0};
    bend(&p->model, 1e5);
    bend(&p->machine, 0.6e5);
    assert_int_equal(skin_find(p->model.model, &p->memory, &p->skin, NULL), LITHE_OK);
    choose_points(p, heights);
    for (int i = 0; i < p->npoint; i++)
        memcpy(point + 3 * (size_t)i, at(&p->model, p, p->vertex[i]), 3 * sizeof *point);
    assert_int_equal(ghost_create(p->model.model, p->model.state, &p->skin, p->npoint, point,
                                  &p->memory, &p->ghost),
                     LITHE_OK);
    p->model_at = arena_new(&p->memory, 3 * p->skin.nvertex, float);
    p->ghost_at = arena_new(&p->memory, 3 * p->skin.nvertex, float);
    for (int v = 0; v < p->skin.nvertex; v++)
        for (int i = 0; i < 3; i++)
            p->model_at[3 * v + i] = (float)at(&p->model, p, v)[i];
    for (int k = 0; k < p->ghost.npoint; k++) {
        int v = p->vertex[p->ghost.point[k]];
        for (int i = 0; i < 3; i++)
            p->ghost.off[3 * k + i] = (float)(at(&p->machine, p, v)[i] - at(&p->model, p, v)[i]);
    }
    ghost_vertices(&p->ghost, p->skin.nvertex, p->model_at, p->ghost_at);
}

static void end(pair *p)
{
    arena_free(&p->memory);
    robot_end(&p->model);
    robot_end(&p->machine);
}

// From where the machine's vertex truly is, m.
static double off(const pair *p, const float *vertices, int v)
{
    double x[3] = {vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]};
    return vec_distance(x, at(&p->machine, p, v));
}

static double worst(const pair *p, const float *vertices)
{
    double most = 0;
    for (int v = 0; v < p->skin.nvertex; v++)
        most = fmax(most, off(p, vertices, v));
    return most;
}

static void it_goes_through_the_points_that_are_told_and_stays_where_the_robot_is_held(void **state)
{
    (void)state;
    pair p;
    begin(&p, 3);
    assert_int_equal(p.ghost.npoint, 6);
    for (int i = 0; i < p.npoint; i++)
        assert_true(off(&p, p.ghost_at, p.vertex[i]) < 1e-7);
    for (int v = 0; v < p.skin.nvertex; v++)
        if (outline_is_held(p.model.model, p.skin.node[v]))
            assert_true(off(&p, p.ghost_at, v) < 1e-5);
    end(&p);
}

static void it_is_near_the_machine_between_them(void **state)
{
    (void)state;
    double before = INFINITY;
    for (int heights = 2; heights <= 5; heights++) {
        pair p;
        begin(&p, heights);

        double model = worst(&p, p.model_at), left = worst(&p, p.ghost_at);
        assert_true(model > 5e-4);
        if (!(left < 0.1 * model && left < 1.1 * before))
            fail_msg("%d heights: the model is %g m off, the ghost %g m", heights, model, left);
        before = left;
        end(&p);
    }
}

static void few_or_equal_points_make_none(void **state)
{
    (void)state;
    pair p;
    begin(&p, 1);
    assert_int_equal(p.ghost.npoint, 0);
    double same[9], *x = same;
    for (int i = 0; i < 3; i++, x += 3)
        memcpy(x, at(&p.model, &p, p.vertex[0]), 3 * sizeof *x);
    ghost g;
    assert_int_equal(ghost_create(p.model.model, p.model.state, &p.skin, 3, same, &p.memory, &g),
                     LITHE_OK);
    assert_int_equal(g.npoint, 0);
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            it_goes_through_the_points_that_are_told_and_stays_where_the_robot_is_held),
        cmocka_unit_test(it_is_near_the_machine_between_them),
        cmocka_unit_test(few_or_equal_points_make_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
