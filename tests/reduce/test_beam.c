// Beam spaces: derivatives against differences, arcs, the whole robot, what is learned of sections.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/rotation.h"
#include "base/vec.h"
#include "reduce/beam_line.h"
#include "robot.h"
#include "step/phases.h"

// A bar with two cables. Without lateral contraction its sections are as good as rigid.
static void begin(robot *r, double poisson)
{
    robot_begin(r, false);
    r->material.poisson = poisson;
    r->def.gravity[0] = -1;
    add_cable(r, "left", -0.008);
    add_cable_at(r, "right", 0.002, 0.008);
    for (int k = 0; k < 2; k++) {
        r->actuator[k].effort_limit[0] = 0;
        r->actuator[k].effort_limit[1] = 0.6;
        r->actuator[k].command = LITHE_EFFORT;
    }
}

static void begin_beam(robot *r, double poisson, int nframe)
{
    begin(r, poisson);
    r->def.reduction.beam = true;
    r->def.reduction.nframe = nframe;
}

static double some(int i)
{
    return sin(1.7 * i + 0.3) + cos(0.3 * i * i);
}

// Frames whose sections deform by shapes that mean nothing.
static lithe_reduction *with_shapes(const robot *r, int nframe, int nshape)
{
    lithe_reduction *made = NULL;
    lithe_model *whole = NULL;
    lithe_report report = lithe_report_default();
    lithe_reduction_def d = lithe_reduction_def_default();
    d.beam = true;
    d.nframe = nframe;
    arena scratch = {0};
    beam_map *map = NULL;
    lithe_def def = r->def;
    def.reduction = lithe_reduction_def_default();
    assert_int_equal(lithe_compile(&def, &whole, &report), LITHE_OK);
    assert_int_equal(reduction_of_beam(&d, whole, &made, &report), LITHE_OK);
    assert_int_equal(beam_lay(&whole->body[0], made, &scratch, &map, &report), LITHE_OK);
    made->nshape = nshape;
    made->nside = beam_nside(map, whole->nnode);
    made->shape = arena_new(&made->memory, 3 * (size_t)(made->nside * nshape), double);
    for (int i = 0; i < 3 * made->nside * nshape; i++)
        made->shape[i] = 0.5 * some(i);
    arena_free(&scratch);
    lithe_model_free(whole);
    return made;
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
    point_evaluate(r->model, s, &s->now);
}

static void positions_have_the_derivatives_that_differences_say(void **unused)
{
    (void)unused;
    enum { MOST = 4096 };
    static double x[3][MOST], way[MOST], rate[MOST], q[MOST];
    robot r;
    begin(&r, 0.3);
    lithe_reduction *made = with_shapes(&r, 6, 3);
    r.def.reduction.given = made;
    robot_compile(&r);
    go_somewhere(&r, 1e-3);
    const body *b = &r.model->body[0];
    const lithe_state *s = r.state;
    double *dq = s->pass.dq, h = 1e-4;
    for (int i = 0; i < b->nq; i++)
        dq[i] = some(3 * i + 1) * (i % b->beam->size < 3 ? 1e-2 : 1);
    for (int k = 0; k < 3; k++) {
        b->space->advance(b, s->now.q, h * (k - 1), dq, q);
        b->space->positions(b, q, x[k]);
    }
    b->space->push(b, body_jacobian(b, s->now.J), dq, way);
    memset(rate, 0, sizeof rate);
    b->space->curve(b, s->now.q, dq, rate);
    double largest[2] = {0}, wrong[2] = {0};
    for (int i = 0; i < 3 * b->nnode; i++) {
        largest[0] = fmax(largest[0], fabs(way[i]));
        largest[1] = fmax(largest[1], fabs(rate[i]));
        wrong[0] = fmax(wrong[0], fabs(way[i] - (x[2][i] - x[0][i]) / (2 * h)));
        wrong[1] = fmax(wrong[1], fabs(rate[i] - (x[2][i] - 2 * x[1][i] + x[0][i]) / (h * h)));
    }
    assert_true(largest[0] > 0.1 && wrong[0] < 1e-6 * largest[0]);
    assert_true(largest[1] > 0.1 && wrong[1] < 1e-5 * largest[1]);
    b->space->motion(b, s->now.q, q, way); // back from the last of them
    for (int i = 0; i < b->nq; i++)
        assert_true(fabs(way[i] - h * dq[i]) < 1e-12);
    robot_end(&r);
    lithe_reduction_free(made);
}

static double energy_at(const robot *r, const double *motion, double share)
{
    lithe_state *s = r->state;
    step_move(r->model, &s->now, share, motion, &s->trial);
    point_evaluate(r->model, s, &s->trial);
    return s->trial.energy;
}

// g = J' f is the slope of the energy and, far from any equilibrium, A its second derivative: for
// every coordinate, A dq is what g changes by.
static void forces_and_tangent_are_those_of_the_energy(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, 0.3);
    lithe_reduction *made = with_shapes(&r, 5, 2);
    r.def.reduction.given = made;
    robot_compile(&r);
    go_somewhere(&r, 3e-4);
    lithe_state *s = r.state;
    const body *b = &r.model->body[0];
    enum { N = 256 };
    double g[N], there[2][N], dq[N], y[N], h = 1e-5;
    int n = b->nq;
    assert_int_equal(step_linearize(r.model, s, STEP_FORWARD, false), LITHE_OK);
    assert_true(n < N);
    memcpy(g, b->space->pull(b, body_jacobian(b, s->now.J), s->now.internal, s->pulled),
           (size_t)n * sizeof *g);
    for (int k = 0; k < n; k++) {
        memset(dq, 0, sizeof dq);
        dq[k] = 1;
        double slope = (energy_at(&r, dq, h) - energy_at(&r, dq, -h)) / (2 * h);
        assert_true(fabs(slope - g[k]) < 1e-6 * sqrt(b->space->square(b, g)) + 1e-6 * fabs(g[k]));
    }
    // Along dq = A^-1 g the second derivative of the energy is g . dq.
    memcpy(y, g, sizeof y);
    b->space->forward(b, &s->tangent.of[0], 1, 0, NULL, y);
    b->space->backward(b, &s->tangent.of[0], 1, y);
    double product = 0, small = 1e-4 / b->space->largest(b, y);
    for (int i = 0; i < n; i++)
        product += g[i] * y[i];
    there[0][0] = energy_at(&r, y, small);
    there[1][0] = energy_at(&r, y, -small);
    double second = (there[0][0] - 2 * s->now.energy + there[1][0]) / (small * small);
    assert_true(fabs(second - product) < 2e-3 * fabs(product));
    robot_end(&r);
    lithe_reduction_free(made);
}

// Frames that stand on an arc: between them the line is on it too.
static void between_frames_on_an_arc_lies_the_arc(void **unused)
{
    (void)unused;
    enum { MOST = 4096 };
    static double q[MOST], x[MOST];
    robot r;
    begin_beam(&r, 0.3, 6);
    robot_compile(&r);
    const body *b = &r.model->body[0];
    const double curvature = 10, h = 0.1 / 5; // 1 rad over the bar
    b->space->rest(b, q);
    for (int k = 0; k < 5; k++) {
        double angle = curvature * h * (k + 1), *c = &q[6 * k];
        c[0] = (1 - cos(angle)) / curvature;
        c[2] = sin(angle) / curvature;
        c[4] = angle;
    }
    b->space->positions(b, q, x);
    double off = 0, sagitta = curvature * h * h / 8;
    for (int i = 0; i < b->nnode; i++) {
        const double *X = &b->X[3 * i];
        double angle = curvature * X[2], arm = X[0];
        double there[3] = {(1 - cos(angle)) / curvature + arm * cos(angle), X[1],
                           sin(angle) / curvature - arm * sin(angle)};
        if (fabs(arm) < 1e-9)
            off = fmax(off, vec_distance(&x[3 * i], there));
        else
            assert_true(vec_distance(&x[3 * i], there) < 0.006 * fabs(arm) + 0.05 * sagitta);
    }
    assert_true(off < 0.05 * sagitta);
    robot_end(&r);
}

static void go(robot *r, double left, double right)
{
    command(r, 0, LITHE_EFFORT, left);
    command(r, 1, LITHE_EFFORT, right);
    settle(r);
}

static double tips_apart(const robot *a, const robot *b, double *moved)
{
    double tip[2][3];
    lithe_effector_value(a->model, a->state, 0, tip[0]);
    lithe_effector_value(b->model, b->state, 0, tip[1]);
    *moved = vec_distance(tip[0], a->tip_point.at);
    return vec_distance(tip[0], tip[1]);
}

// Rigid sections of a material that does not contract: the beam is the bar.
static void without_contraction_the_beam_is_the_whole_robot(void **unused)
{
    (void)unused;
    robot whole, beam;
    double moved, error;
    begin(&whole, 0);
    begin_beam(&beam, 0, 11);
    robot_compile(&whole);
    robot_compile(&beam);
    assert_int_equal(lithe_ndof(beam.model), 60);
    assert_int_equal(lithe_nnode(beam.model), lithe_nnode(whole.model));
    for (int k = 0; k < 3; k++) {
        go(&whole, 0.15 * (k + 1), 0.1);
        go(&beam, 0.15 * (k + 1), 0.1);
        error = tips_apart(&whole, &beam, &moved);
        assert_true(moved > 0.004 && error < 0.03 * moved);
    }
    robot_end(&whole);
    robot_end(&beam);
}

static void in_motion_too(void **unused)
{
    (void)unused;
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++) {
        robot both[2];
        double moved, error;
        for (int k = 0; k < 2; k++) {
            begin_beam(&both[k], 0, 11);
            both[k].def.reduction.beam = k == 1;
            both[k].def.dynamics.scheme = (lithe_scheme)scheme;
            both[k].def.step.dt = 5e-3;
            robot_compile(&both[k]);
            for (int i = 0; i < 20; i++)
                go(&both[k], 0.3, 0);
        }
        error = tips_apart(&both[0], &both[1], &moved);
        assert_true(moved > 0.004 && error < 0.03 * moved);
        robot_end(&both[0]);
        robot_end(&both[1]);
    }
}

static void a_target_is_reached(void **unused)
{
    (void)unused;
    robot r, other;
    begin_beam(&r, 0.3, 8);
    begin_beam(&other, 0.3, 8);
    robot_compile(&r);
    robot_compile(&other);
    go(&other, 0.35, 0.2);
    double target[3], tip[3], effort;
    lithe_effector_value(other.model, other.state, 0, target);
    lithe_target_effector(r.model, r.state, 0, target, false);
    settle(&r);
    lithe_effector_value(r.model, r.state, 0, tip);
    assert_true(vec_distance(tip, target) < 1e-6);
    lithe_effort(r.model, r.state, 0, &effort);
    assert_true(fabs(effort - 0.35) < 1e-3);
    robot_end(&r);
    robot_end(&other);
}

static lithe_reduction *learn(const robot *r, int threads)
{
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_reduction *made = NULL;
    lithe_report report = lithe_report_default();
    how.tolerance = 4e-4;
    how.nsample = 6;
    how.threads = threads;
    lithe_status status = lithe_reduce(&r->def, &how, &made, &report);
    if (status != LITHE_OK)
        print_error("%s\n", report.error);
    assert_int_equal(status, LITHE_OK);
    return made;
}

// What rigid sections are too stiff by is mostly that they cannot contract: evenly as the bar is
// stretched or compressed, more on one side as it is bent.
static void sections_that_swell_take_most_of_the_stiffness_away(void **unused)
{
    (void)unused;
    robot whole, beam[3];
    begin(&whole, 0.45);
    robot_compile(&whole);
    for (int k = 0; k < 3; k++) {
        begin_beam(&beam[k], 0.45, 9);
        beam[k].def.reduction.nswell = k == 2 ? 3 : k;
        robot_compile(&beam[k]);
    }
    assert_int_equal(lithe_ndof(beam[2].model), 8 * 9);
    for (int k = 0; k < 2; k++) {
        double moved, error[3];
        go(&whole, k ? 0.3 : 0.1, k ? 0.3 : 0.5);
        for (int i = 0; i < 3; i++) {
            go(&beam[i], k ? 0.3 : 0.1, k ? 0.3 : 0.5);
            error[i] = tips_apart(&whole, &beam[i], &moved);
        }
        assert_true(moved > 0.008 && error[0] > 0.5 * moved);
        assert_true(error[1] < error[0] && error[2] < 0.04 * moved);
    }
    for (int k = 0; k < 3; k++)
        robot_end(&beam[k]);
    robot_end(&whole);
}

static void elements_are_picked_for_sections_that_swell(void **unused)
{
    (void)unused;
    robot all, few;
    double moved;
    begin_beam(&all, 0.45, 6);
    all.def.reduction.nswell = 3;
    robot_compile(&all);
    begin_beam(&few, 0.45, 6);
    few.def.reduction.nswell = 3;
    lithe_reduction *made = learn(&few, 2);
    few.def.reduction.given = made;
    robot_compile(&few);
    assert_true(lithe_reduction_get(made).nelement < lithe_reduction_get(made).nelement_whole);
    go(&all, 0.15, 0.45);
    go(&few, 0.15, 0.45);
    assert_true(tips_apart(&all, &few, &moved) < 4e-4 && moved > 0.004);
    robot_end(&all);
    robot_end(&few);
    lithe_reduction_free(made);
}

static size_t file_of(const lithe_reduction *r, unsigned char **out)
{
    char path[] = "/tmp/lithe_beam_XXXXXX";
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

static void sections_learn_to_contract(void **unused)
{
    (void)unused;
    robot whole, beam, rigid;
    begin(&whole, 0.45);
    begin_beam(&rigid, 0.45, 6);
    begin_beam(&beam, 0.45, 9);
    beam.def.reduction.nshape = 4;
    lithe_reduction *made = learn(&beam, 1), *again = learn(&beam, 3), *read = NULL;
    lithe_report report = lithe_report_default();
    unsigned char *file[2];
    size_t bytes = file_of(made, &file[0]);
    assert_int_equal(bytes, file_of(again, &file[1])); // on any number of threads
    assert_memory_equal(file[0], file[1], bytes);
    assert_int_equal(reduction_parse(file[0], bytes, "memory", &read, &report), LITHE_OK);
    assert_true(lithe_reduction_get(read).nelement < lithe_reduction_get(read).nelement_whole);
    beam.def.reduction.given = read;
    robot_compile(&whole);
    robot_compile(&rigid);
    robot_compile(&beam);
    for (int k = 0; k < 3; k++) {
        double moved, stiff, error;
        go(&whole, 0.15 * k + 0.2, 0.5 - 0.2 * k);
        go(&rigid, 0.15 * k + 0.2, 0.5 - 0.2 * k);
        go(&beam, 0.15 * k + 0.2, 0.5 - 0.2 * k);
        stiff = tips_apart(&whole, &rigid, &moved);
        error = tips_apart(&whole, &beam, &moved);
        assert_true(moved > 0.004 && error < 6e-4 && error < 0.3 * stiff);
        double estimate;
        assert_int_equal(lithe_estimate_reduction(beam.model, beam.state, &estimate), LITHE_OK);
        assert_true(estimate > error && estimate < 2 * error + 1e-5);
        assert_int_equal(lithe_estimate_reduction(rigid.model, rigid.state, &estimate), LITHE_OK);
        assert_true(estimate > stiff && estimate < 2 * stiff);
    }
    free(file[0]);
    free(file[1]);
    robot_end(&whole);
    robot_end(&rigid);
    robot_end(&beam);
    lithe_reduction_free(made);
    lithe_reduction_free(again);
    lithe_reduction_free(read);
}

// Threads that are wound round it, so stiff that sections which cannot deform as they should put
// them in tension: that holds the whole robot back for the first of Newton's steps.
typedef struct wound {
    lithe_material_def material[2];
    lithe_thread_def thread;
    double point[3 * 81];
} wound;

static void wind(robot *r, wound *w)
{
    w->material[0] = r->material;
    w->material[1] = lithe_material_def_default();
    w->material[1].name = "polyester";
    w->material[1].young = 1e9;
    w->material[1].poisson = 0.3;
    w->material[1].density = 1400;
    w->thread = lithe_thread_def_default();
    w->thread.name = "winding";
    w->thread.material = "polyester";
    w->thread.npoint = 81;
    w->thread.point = w->point;
    w->thread.radius = 1e-4;
    for (int i = 0; i < 81; i++) {
        double angle = 2 * acos(-1.0) * i / 8;
        memcpy(&w->point[3 * i],
               (double[]){0.007 * cos(angle), 0.007 * sin(angle), 0.005 + 0.09 * i / 80},
               3 * sizeof *w->point);
    }
    r->def.nmaterial = 2;
    r->def.material = w->material;
    r->body.nthread = 1;
    r->body.thread = &w->thread;
}

static void stiff_threads_do_not_hide_the_error(void **unused)
{
    (void)unused;
    static wound of[2];
    robot whole, beam;
    begin(&whole, 0.45);
    begin_beam(&beam, 0.45, 6);
    wind(&whole, &of[0]);
    wind(&beam, &of[1]);
    robot_compile(&whole);
    robot_compile(&beam);
    for (int k = 0; k < 4; k++) {
        double moved, error, estimate;
        go(&whole, 0.15 * k + 0.1, 0.5 - 0.15 * k);
        go(&beam, 0.15 * k + 0.1, 0.5 - 0.15 * k);
        error = tips_apart(&whole, &beam, &moved);
        assert_int_equal(lithe_estimate_reduction(beam.model, beam.state, &estimate), LITHE_OK);
        assert_true(moved > 0.002 && estimate > error && estimate < 2 * error);
    }
    robot_end(&whole);
    robot_end(&beam);
}

// From six on, as many as are needed; a file that has them may be used without saying how many.
static void frames_are_as_many_as_the_tolerance_asks_for(void **unused)
{
    (void)unused;
    robot r, whole;
    double moved;
    begin_beam(&r, 0.45, 0);
    begin(&whole, 0.45);
    r.def.reduction.nshape = 4;
    lithe_reduction *made = learn(&r, 2);
    int nframe = lithe_reduction_get(made).nmode / (6 + 4);
    assert_true(nframe >= 6 && lithe_reduction_get(made).error <= 4e-4);
    r.def.reduction.given = made;
    robot_compile(&r);
    robot_compile(&whole);
    go(&r, 0.45, 0.1);
    go(&whole, 0.45, 0.1);
    assert_true(tips_apart(&r, &whole, &moved) < 6e-4 && moved > 0.004);
    robot_end(&r);
    robot_end(&whole);
    lithe_reduction_free(made);
}

// Corners are where it is bent most, so they may be missed by more than all samples between them,
// however well these are met. Shapes that are too few miss them.
static void the_error_that_is_told_holds_at_corners_too(void **unused)
{
    (void)unused;
    robot whole, beam;
    double moved, worst = 0;
    begin(&whole, 0.45);
    begin_beam(&beam, 0.45, 9);
    beam.def.reduction.nshape = 1;
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_reduction *made = NULL;
    how.tolerance = 4e-4;
    how.nsample = 6;
    how.round = 0;
    assert_int_equal(lithe_reduce(&beam.def, &how, &made, &beam.report), LITHE_NOT_CONVERGED);
    assert_non_null(made);
    beam.def.reduction.given = made;
    robot_compile(&whole);
    robot_compile(&beam);
    for (int k = 0; k < 4; k++) {
        go(&whole, k % 2 ? 0.6 : 0, k / 2 ? 0.6 : 0);
        go(&beam, k % 2 ? 0.6 : 0, k / 2 ? 0.6 : 0);
        worst = fmax(worst, tips_apart(&whole, &beam, &moved));
    }
    assert_true(worst > how.tolerance);
    assert_true(lithe_reduction_get(made).error > 0.99 * worst);
    robot_end(&whole);
    robot_end(&beam);
    lithe_reduction_free(made);
}

static void check_refused(robot *r, const char *reason)
{
    assert_int_equal(lithe_compile(&r->def, &r->model, &r->report), LITHE_INVALID);
    if (!strstr(r->report.error, reason))
        print_error("%s\n", r->report.error);
    assert_non_null(strstr(r->report.error, reason));
}

static void other_frames_and_shapes_are_refused_with_the_reason(void **unused)
{
    (void)unused;
    robot r;
    const double twice[] = {0, 0, 0, 0, 0, 0.05, 0, 0, 0.05};
    begin_beam(&r, 0.3, 6);
    lithe_reduction *made = with_shapes(&r, 6, 2);
    r.def.reduction.given = made;
    check_refused(&r, "it has 6 frames with 2 shapes each");
    r.def.reduction.nshape = 2;
    r.def.reduction.nframe = 7;
    check_refused(&r, "another one than beam asks for");
    r.def.reduction.nframe = 6;
    made->nside--;
    check_refused(&r, "sides");
    r.def.reduction.given = NULL;
    check_refused(&r, "lithe reduce");
    r.def.reduction.nshape = 0;
    r.def.reduction.nswell = 2;
    check_refused(&r, "1 or 3 numbers");
    r.def.reduction.nswell = 0;
    r.def.reduction.nframe = 200;
    check_refused(&r, "carries");
    r.def.reduction.nframe = 1;
    check_refused(&r, "2 to 256 frames");
    r.def.reduction.nframe = 0;
    r.def.reduction.nline = 3;
    r.def.reduction.line = twice;
    check_refused(&r, "are the same");
    robot_end(&r);
    lithe_reduction_free(made);
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
    robot r;
    double tip[2][3];
    begin_beam(&r, 0.3, 6);
    robot_compile(&r);
    size_t bytes = lithe_state_size(r.model, r.state);
    void *saved = malloc(bytes);
    lithe_set_allocator(counting, free);
    for (int k = 0; k < 20; k++) {
        if (k == 10)
            lithe_state_save(r.model, r.state, saved);
        go(&r, 0.02 * k, 0.01 * k);
        lithe_position(r.state);
    }
    lithe_set_allocator(NULL, NULL);
    assert_int_equal(asked, 0);
    lithe_effector_value(r.model, r.state, 0, tip[0]);
    assert_int_equal(lithe_state_load(r.model, r.state, saved, bytes), LITHE_OK);
    for (int k = 10; k < 20; k++)
        go(&r, 0.02 * k, 0.01 * k);
    lithe_effector_value(r.model, r.state, 0, tip[1]);
    assert_memory_equal(tip[0], tip[1], sizeof tip[0]);
    free(saved);
    robot_end(&r);
}

static void beyond_the_tolerance_the_whole_model_goes_on(void **unused)
{
    (void)unused;
    robot whole, beam;
    double moved;
    begin(&whole, 0.45);
    begin_beam(&beam, 0.45, 6);
    beam.def.reduction.tolerance = 1e-4;
    beam.def.reduction.every = 1;
    beam.def.reduction.beyond_full = true;
    robot_compile(&whole);
    robot_compile(&beam);
    for (int k = 1; k < 3; k++) {
        go(&whole, 0.2 * k, 0.1);
        go(&beam, 0.2 * k, 0.1);
        assert_true(lithe_last_reduction(beam.state).whole);
        assert_true(tips_apart(&whole, &beam, &moved) < 1e-6);
    }
    robot_end(&whole);
    robot_end(&beam);
}

static void a_centre_line_is_found_in_the_middle(void **unused)
{
    (void)unused;
    robot r;
    begin_beam(&r, 0.3, 6);
    robot_compile(&r);
    const beam_map *m = r.model->body[0].beam;
    for (int k = 0; k < 6; k++)
        assert_true(vec_distance(&m->origin[3 * k], (double[]){0, 0, 0.02 * k}) < 2e-3);
    robot_end(&r);
}

// Numbers in whole vectors, with zeros behind every line.
static double *lines_of(int nline, int n, int stride, int seed)
{
    double *out = aligned_alloc(64, (size_t)(nline * stride + 8) * sizeof *out);
    memset(out, 0, (size_t)(nline * stride + 8) * sizeof *out);
    for (int i = 0; i < nline; i++)
        for (int k = 0; k < n; k++)
            out[i * stride + k] = some(seed + 7 * i + k);
    return out;
}

static double entry_of(int nline, const double *J, int stride, int line, const double *KJ,
                       int other, int column)
{
    double sum = 0;
    for (int l = 0; l < nline; l++)
        sum += J[l * stride + line] * KJ[l * other + column];
    return sum;
}

static void products_are_what_their_sums_say(void **unused)
{
    (void)unused;
    enum { NLINE = 12, ROWS = 11, STRIDE = 16, COLUMNS = 21, WIDE = 24, LONG = 32 };
    double *J = lines_of(NLINE, ROWS, STRIDE, 1), *KJ = lines_of(NLINE, COLUMNS, WIDE, 5);
    for (int v = 0; v < 3 && beam_variant(v); v++) {
        const beam_kernels *k = beam_variant(v);
        double A[(ROWS + 8) * LONG] = {0}, K[9], out[3 * LONG] = {0};
        k->square(NLINE, ROWS, STRIDE, J, 10, COLUMNS, WIDE, KJ, LONG, A);
        for (int r = 0; r < ROWS; r++)
            for (int c = 0; c <= r + 10; c++)
                assert_true(fabs(A[r * LONG + c] - entry_of(NLINE, J, STRIDE, r, KJ, WIDE, c)) <
                            1e-11);
        for (int i = 0; i < 9; i++)
            K[i] = some(2 * i);
        k->multiply(ROWS, STRIDE, J, K, LONG, out + 3);
        for (int i = 0; i < 3 * ROWS; i++)
            assert_true(fabs(out[i / ROWS * LONG + 3 + i % ROWS] -
                             entry_of(3,
                                      (double[]){K[3 * (i / ROWS)], K[3 * (i / ROWS) + 1],
                                                 K[3 * (i / ROWS) + 2]},
                                      1, 0, J, STRIDE, i % ROWS)) < 1e-12);
    }
    free(J);
    free(KJ);
}

// All instruction sets say the same of eleven sides of a frame, and J' is what works as J does.
static void sides_are_moved_and_push_back(void **unused)
{
    (void)unused;
    enum { N = 11, SHAPES = 3, NQ = 6 + SHAPES };
    static beam_sides side[2];
    static _Alignas(64) double shape[2][3 * SHAPES][LANES];
    beam_pose p = {.c = {0.1, 0.2, 0.3}, .s = {0.2, -0.1, 0.4}};
    double x[3][3 * N], dx[3 * N], f[3 * N], dq[NQ], out[NQ], M[3][9], T[3][3 * SHAPES];
    rotation_matrix((double[]){0.5, -0.3, 0.8}, p.R);
    for (int k = 0; k < 2 * LANES; k++) {
        beam_sides *b = &side[k / LANES];
        b->shape = shape[k / LANES];
        b->node[k % LANES] = k < N ? k : -1;
        b->weight[k % LANES] = k < N ? some(k) : 0;
        for (int i = 0; i < 3; i++)
            b->arm[i][k % LANES] = k < N ? some(20 + 3 * k + i) : 0;
        for (int i = 0; i < 3 * SHAPES; i++)
            b->shape[i][k % LANES] = k < N ? some(60 + 9 * k + i) : 0;
    }
    for (int i = 0; i < 3 * N; i++)
        f[i] = some(3 * i);
    for (int i = 0; i < NQ; i++)
        dq[i] = some(5 * i);
    for (int v = 0; v < 3 && beam_variant(v); v++) {
        double work[2] = {0};
        memset(x[v], 0, sizeof x[v]);
        memset(dx, 0, sizeof dx);
        memset(out, 0, sizeof out);
        beam_variant(v)->position(2, side, SHAPES, &p, x[v]);
        beam_variant(v)->push(2, side, SHAPES, &p, dq, dx);
        beam_variant(v)->pull(2, side, SHAPES, &p, f, out);
        beam_variant(v)->moments(2, side, SHAPES, &p, f, M[v], T[v]);
        for (int i = 0; i < 3 * N; i++) {
            assert_true(fabs(x[v][i] - x[0][i]) < 1e-12);
            work[0] += f[i] * dx[i];
        }
        for (int i = 0; i < NQ; i++)
            work[1] += out[i] * dq[i];
        assert_true(fabs(work[0] - work[1]) < 1e-11 && fabs(work[0]) > 1);
        for (int i = 0; i < 9; i++)
            assert_true(fabs(M[v][i] - M[0][i]) < 1e-11);
        for (int i = 0; i < 3 * SHAPES; i++)
            assert_true(fabs(T[v][i] - T[0][i]) < 1e-11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_moved_and_push_back),
        cmocka_unit_test(positions_have_the_derivatives_that_differences_say),
        cmocka_unit_test(forces_and_tangent_are_those_of_the_energy),
        cmocka_unit_test(between_frames_on_an_arc_lies_the_arc),
        cmocka_unit_test(without_contraction_the_beam_is_the_whole_robot),
        cmocka_unit_test(in_motion_too),
        cmocka_unit_test(a_target_is_reached),
        cmocka_unit_test(sections_that_swell_take_most_of_the_stiffness_away),
        cmocka_unit_test(elements_are_picked_for_sections_that_swell),
        cmocka_unit_test(sections_learn_to_contract),
        cmocka_unit_test(frames_are_as_many_as_the_tolerance_asks_for),
        cmocka_unit_test(the_error_that_is_told_holds_at_corners_too),
        cmocka_unit_test(stiff_threads_do_not_hide_the_error),
        cmocka_unit_test(other_frames_and_shapes_are_refused_with_the_reason),
        cmocka_unit_test(steps_allocate_nothing_and_go_on_from_what_was_saved),
        cmocka_unit_test(beyond_the_tolerance_the_whole_model_goes_on),
        cmocka_unit_test(a_centre_line_is_found_in_the_middle),
        cmocka_unit_test(products_are_what_their_sums_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
