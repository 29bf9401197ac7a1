// Bodies whose nodes are sums of the whole one's: with all elements and all cells of a cavity they
// are the whole robot in the same space.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/vec.h"
#include "reduce/beam_line.h"
#include "reduce/cavity_cells.h"
#include "robot.h"
#include "step/phases.h"

static double some(int i)
{
    return sin(1.7 * i + 0.3) + cos(0.3 * i * i);
}

// A hollow bar with a cable, air and a thread through its wall.
static lithe_thread_def thread;
static double thread_point[3][3] = {
    {0.0071, -0.0042, 0.012}, {0.0065, 0.0051, 0.044}, {0.0071, -0.003, 0.087}};

static void begin(robot *r)
{
    robot_begin(r, true);
    r->material.poisson = 0.3;
    r->def.gravity[0] = -3;
    add_cable(r, "left", -0.008);
    add_cavity(r);
    r->actuator[0].command = r->actuator[1].command = LITHE_EFFORT;
    thread = lithe_thread_def_default();
    thread.name = "thread";
    thread.material = "silicone";
    thread.radius = 5e-4;
    thread.npoint = 3;
    thread.point = &thread_point[0][0];
    r->body.nthread = 1;
    r->body.thread = &thread;
}

// Frames with shapes that mean nothing.
static lithe_reduction *with_shapes(const robot *r, int nframe, int nshape)
{
    lithe_reduction *made = NULL;
    lithe_model *whole = NULL;
    lithe_report report = lithe_report_default();
    lithe_reduction_def d = lithe_reduction_def_default();
    arena scratch = {0};
    beam_map *map = NULL;
    d.beam = true;
    d.nframe = nframe;
    assert_int_equal(lithe_compile(&r->def, &whole, &report), LITHE_OK);
    assert_int_equal(reduction_of_beam(&d, whole, &made, &report), LITHE_OK);
    assert_int_equal(beam_lay(&whole->body[0], made, &scratch, &map, &report), LITHE_OK);
    made->nshape = nshape;
    made->nside = nshape > 0 ? beam_nside(map, whole->nnode) : 0;
    made->shape = arena_new(&made->memory, 3 * (size_t)(made->nside * nshape), double);
    for (int i = 0; i < 3 * made->nside * nshape; i++)
        made->shape[i] = 0.5 * some(i);
    arena_free(&scratch);
    lithe_model_free(whole);
    return made;
}

// The same with all elements and cells by name, each for itself.
static lithe_reduction by_name(const robot *r, lithe_reduction *of)
{
    lithe_reduction out = *of;
    const lithe_model *whole = r->model->reduction->whole;
    const row_shell *shell = row_as_cavity(&whole->row[1]);
    out.element = arena_new(&of->memory, out.nelement, int);
    out.weight = arena_new(&of->memory, out.nelement, double);
    for (int i = 0; i < out.nelement; i++) {
        out.element[i] = i;
        out.weight[i] = 1;
    }
    out.ncell = shell->face.ntri;
    out.cell = arena_new(&of->memory, 2 * (size_t)out.ncell, int);
    out.cell_weight = arena_new(&of->memory, out.ncell, double);
    for (int i = 0; i < out.ncell; i++) {
        out.cell[2 * i] = 1;
        out.cell[2 * i + 1] = i;
        out.cell_weight[i] = 1;
    }
    return out;
}

typedef struct two {
    robot nodes, points;
    lithe_reduction *made, named;
} two;

static void begin_two(two *t, int nframe, int nshape, lithe_scheme scheme)
{
    begin(&t->nodes);
    begin(&t->points);
    t->nodes.def.dynamics.scheme = t->points.def.dynamics.scheme = scheme;
    t->nodes.def.step.dt = t->points.def.step.dt = 5e-3;
    t->made = with_shapes(&t->nodes, nframe, nshape);
    t->nodes.def.reduction.given = t->made;
    robot_compile(&t->nodes);
    t->named = by_name(&t->nodes, t->made);
    t->points.def.reduction.given = &t->named;
    robot_compile(&t->points);
    assert_true(t->nodes.model->reduction->all == NULL);
    assert_true(t->points.model->reduction->all != NULL);
}

static void end_two(two *t)
{
    robot_end(&t->nodes);
    robot_end(&t->points);
    lithe_reduction_free(t->made);
}

// Some way from rest: bent, twisted and stretched.
static void go_somewhere(const robot *r, double size)
{
    const body *b = &r->model->body[0];
    lithe_state *s = r->state;
    for (int i = 0; i < b->nq; i++) {
        int part = i % b->beam->size;
        s->pass.dq[i] = size * some(i) * (part >= 3 && part < 6 ? 100 : 1);
    }
    step_move(r->model, &s->now, 1, s->pass.dq, &s->now);
    s->now.effort[0] = 0.3;
    s->now.effort[1] = 800;
    s->aim_load = 1;
    point_evaluate(r->model, s, &s->now);
}

static void check_same(const char *what, int n, const double *a, const double *b, double accuracy)
{
    double size = 0, off = 0;
    for (int i = 0; i < n; i++) {
        size = fmax(size, fabs(a[i]));
        off = fmax(off, fabs(a[i] - b[i]));
    }
    if (!(size > 0 && off < accuracy * size))
        print_error("%s: %g of %g\n", what, off, size);
    assert_true(size > 0 && off < accuracy * size);
}

static void pull_all(const robot *r, double out[4][256])
{
    const body *b = &r->model->body[0];
    const step_point *p = &r->state->now;
    const double *part[] = {p->internal, p->external, p->pull};
    for (int i = 0; i < 3; i++)
        memcpy(out[i], b->space->pull(b, body_jacobian(b, p->J), part[i], r->state->pulled),
               (size_t)b->nq * sizeof(double));
    memcpy(out[3], out[0], sizeof out[3]); // A^-1 of it
    assert_int_equal(step_linearize(r->model, r->state, STEP_FORWARD, false), LITHE_OK);
    b->space->forward(b, &r->state->tangent.of[0], 1, 0, NULL, out[3]);
    b->space->backward(b, &r->state->tangent.of[0], 1, out[3]);
}

static void forces_rows_and_tangent_are_the_same(void **unused)
{
    (void)unused;
    static double pulled[2][4][256];
    for (int nshape = 0; nshape < 4; nshape += 3) {
        two t;
        begin_two(&t, 6, nshape, LITHE_STATIC);
        assert_int_equal(t.nodes.model->body[0].beam->nfree, 5); // what is inside holds nothing
        const lithe_state *s[2] = {t.nodes.state, t.points.state};
        go_somewhere(&t.nodes, 2e-4);
        go_somewhere(&t.points, 2e-4);
        check_same("rows", t.nodes.model->nrow, s[0]->now.delta, s[1]->now.delta, 1e-12);
        assert_true(fabs(s[0]->now.delta[1] - s[1]->now.delta[1]) <
                    1e-9 * fabs(s[0]->now.delta[1]));
        assert_true(fabs(s[0]->now.energy - s[1]->now.energy) < 1e-11 * s[0]->now.energy);
        pull_all(&t.nodes, pulled[0]);
        pull_all(&t.points, pulled[1]);
        int n = t.nodes.model->nq;
        check_same("internal", n, pulled[0][0], pulled[1][0], 1e-11);
        check_same("external", n, pulled[0][1], pulled[1][1], 1e-11);
        check_same("rows' forces", n, pulled[0][2], pulled[1][2], 1e-11);
        check_same("Newton's step", n, pulled[0][3], pulled[1][3], 1e-8);
        check_same("positions", 3 * lithe_nnode(t.nodes.model), lithe_position(t.nodes.state),
                   lithe_position(t.points.state), 1e-12);
        end_two(&t);
    }
}

static void go(robot *r, double cable, double pressure)
{
    command(r, 0, LITHE_EFFORT, cable);
    command(r, 1, LITHE_EFFORT, pressure);
    settle(r);
}

static void steps_end_at_the_same_shape(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_STATIC; scheme <= LITHE_ALPHA; scheme++) {
        two t;
        begin_two(&t, 5, 2, (lithe_scheme)scheme);
        for (int k = 1; k < 6; k++) {
            go(&t.nodes, 0.1 * k, 400 * k);
            go(&t.points, 0.1 * k, 400 * k);
        }
        int n = 3 * lithe_nnode(t.nodes.model);
        double *way[2] = {calloc((size_t)n, sizeof(double)), calloc((size_t)n, sizeof(double))};
        for (int i = 0; i < n; i++) {
            way[0][i] = lithe_position(t.nodes.state)[i] - lithe_rest(t.nodes.model)[i];
            way[1][i] = lithe_position(t.points.state)[i] - lithe_rest(t.nodes.model)[i];
        }
        check_same("ways", n, way[0], way[1], 1e-6);
        if (scheme != LITHE_STATIC) {
            lithe_velocity(t.nodes.model, t.nodes.state, way[0]);
            lithe_velocity(t.points.model, t.points.state, way[1]);
            check_same("velocities", n, way[0], way[1], 1e-5);
        }
        free(way[0]);
        free(way[1]);
        end_two(&t);
    }
}

static lithe_reduction *learn(const robot *r, int threads)
{
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_reduction *made = NULL;
    lithe_report report = lithe_report_default();
    how.tolerance = 3e-4;
    how.nsample = 6;
    how.threads = threads;
    lithe_status status = lithe_reduce(&r->def, &how, &made, &report);
    if (status != LITHE_OK)
        print_error("%s\n", report.error);
    assert_int_equal(status, LITHE_OK);
    return made;
}

static size_t file_of(const lithe_reduction *r, unsigned char **out)
{
    char path[] = "/tmp/lithe_points_XXXXXX";
    lithe_report report = lithe_report_default();
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(lithe_reduction_write(r, path, &report), LITHE_OK);
    FILE *in = fopen(path, "rb");
    fseek(in, 0, SEEK_END);
    size_t bytes = (size_t)ftell(in);
    rewind(in);
    *out = malloc(bytes);
    assert_int_equal(fread(*out, 1, bytes, in), bytes);
    fclose(in);
    unlink(path);
    return bytes;
}

static void begin_rigid(robot *r)
{
    begin(r);
    for (int k = 0; k < 2; k++)
        r->actuator[k].effort_limit[1] = k == 0 ? 0.5 : 2000;
    r->actuator[0].effort_limit[0] = r->actuator[1].effort_limit[0] = 0;
    r->def.reduction.beam = true;
    r->def.reduction.nframe = 6;
}

// A few elements and cells of a beam with rigid sections are compared with all of them.
static void a_few_elements_and_cells_stand_for_all(void **unused)
{
    (void)unused;
    robot all, few;
    lithe_report report = lithe_report_default();
    lithe_reduction *read = NULL;
    unsigned char *file[2];
    begin_rigid(&all);
    begin_rigid(&few);
    lithe_reduction *made = learn(&few, 1), *again = learn(&few, 3);
    size_t bytes = file_of(made, &file[0]);
    assert_int_equal(bytes, file_of(again, &file[1])); // on any number of threads
    assert_memory_equal(file[0], file[1], bytes);
    assert_int_equal(reduction_parse(file[0], bytes, "memory", &read, &report), LITHE_OK);
    assert_true(made->ncell > 0 && read->ncell == made->ncell);
    assert_memory_equal(read->cell, made->cell, 2 * (size_t)made->ncell * sizeof *made->cell);
    few.def.reduction.given = read;
    robot_compile(&all);
    robot_compile(&few);
    assert_true(read->nelement < all.model->nelement / 2);
    assert_true(read->ncell < row_as_cavity(&all.model->row[1])->face.ntri);
    for (int k = 0; k < 3; k++) {
        double tip[2][3];
        go(&all, 0.15 * k + 0.1, 1900 - 700 * k);
        go(&few, 0.15 * k + 0.1, 1900 - 700 * k);
        lithe_effector_value(all.model, all.state, 0, tip[0]);
        lithe_effector_value(few.model, few.state, 0, tip[1]);
        assert_true(vec_distance(tip[0], all.tip_point.at) > 1e-3);
        assert_true(vec_distance(tip[0], tip[1]) < 4e-4);
    }
    read->cell[2 * read->ncell - 1] = row_as_cavity(&all.model->row[1])->face.ntri;
    lithe_model *none = NULL;
    assert_int_equal(lithe_compile(&few.def, &none, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "cells of a cavity that this robot does not have"));
    free(file[0]);
    free(file[1]);
    robot_end(&all);
    robot_end(&few);
    lithe_reduction_free(made);
    lithe_reduction_free(again);
    lithe_reduction_free(read);
}

static long asked;

static void *counting(size_t bytes)
{
    asked++;
    return malloc(bytes);
}

static void steps_allocate_nothing_and_go_on_from_what_was_saved(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_STATIC; scheme <= LITHE_ALPHA; scheme += LITHE_ALPHA) {
        two t;
        double tip[2][3];
        begin_two(&t, 5, 2, (lithe_scheme)scheme);
        robot *r = &t.points;
        size_t bytes = lithe_state_size(r->model, r->state);
        void *saved = malloc(bytes);
        asked = 0;
        lithe_set_allocator(counting, free);
        for (int k = 0; k < 8; k++) {
            if (k == 4)
                lithe_state_save(r->model, r->state, saved);
            go(r, 0.05 * k, 200 * k);
            lithe_position(r->state);
        }
        lithe_set_allocator(NULL, NULL);
        assert_int_equal(asked, 0);
        lithe_effector_value(r->model, r->state, 0, tip[0]);
        assert_int_equal(lithe_state_load(r->model, r->state, saved, bytes), LITHE_OK);
        for (int k = 4; k < 8; k++)
            go(r, 0.05 * k, 200 * k);
        lithe_effector_value(r->model, r->state, 0, tip[1]);
        assert_memory_equal(tip[0], tip[1], sizeof tip[0]);
        free(saved);
        end_two(&t);
    }
}

// What was a shape of the space is found again, with its velocities.
static void shapes_and_velocities_that_are_set_are_there(void **unused)
{
    (void)unused;
    two t;
    begin_two(&t, 5, 2, LITHE_EULER);
    robot *r = &t.points;
    int n = 3 * lithe_nnode(r->model);
    double *there = malloc((size_t)n * sizeof *there), *rate = malloc((size_t)n * sizeof *rate),
           *found = malloc((size_t)n * sizeof *found);
    for (int k = 1; k < 4; k++)
        go(r, 0.1 * k, 300 * k);
    memcpy(there, lithe_position(r->state), (size_t)n * sizeof *there);
    lithe_velocity(r->model, r->state, rate);
    lithe_state_reset(r->model, r->state);
    assert_int_equal(lithe_set_position(r->model, r->state, there, NULL), LITHE_OK);
    assert_int_equal(lithe_set_velocity(r->model, r->state, rate, NULL), LITHE_OK);
    check_same("positions", n, there, lithe_position(r->state), 1e-9);
    lithe_velocity(r->model, r->state, found);
    check_same("velocities", n, rate, found, 1e-2); // those of a step are of a way, not of a moment
    assert_int_equal(lithe_set_velocity(r->model, r->state, found, NULL), LITHE_OK);
    lithe_velocity(r->model, r->state, rate);
    check_same("velocities of the space", n, found, rate, 1e-9);
    free(there);
    free(rate);
    free(found);
    end_two(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_elements_and_cells_stand_for_all),
        cmocka_unit_test(steps_allocate_nothing_and_go_on_from_what_was_saved),
        cmocka_unit_test(shapes_and_velocities_that_are_set_are_there),
        cmocka_unit_test(forces_rows_and_tangent_are_the_same),
        cmocka_unit_test(steps_end_at_the_same_shape),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
