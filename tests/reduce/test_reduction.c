// Reduced models against the whole robot, against modes without sampled elements, and against
// differences; their files against damage.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/vec.h"
#include "body/modal.h"
#include "control/samples.h"
#include "reduce/reduction.h"
#include "robot.h"

static const double TOLERANCE = 2e-4; // m

// A hollow bar with a chamber, two cables and weight.
static void begin(robot *r)
{
    robot_begin(r, true);
    r->material.law = LITHE_NEO_HOOKEAN;
    r->def.gravity[0] = 3;
    add_cable(r, "left", -0.008);
    add_cable_at(r, "right", 0.002, 0.008);
    add_cavity(r);
    for (int k = 0; k < 2; k++) {
        r->actuator[k].displacement_limit[0] = 0;
        r->actuator[k].displacement_limit[1] = 0.01;
        r->actuator[k].command = LITHE_DISPLACEMENT;
    }
    r->actuator[2].effort_limit[0] = 0;
    r->actuator[2].effort_limit[1] = 1e4;
    r->actuator[2].command = LITHE_EFFORT;
}

static lithe_reduction *make(const robot *r)
{
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_reduction *made = NULL;
    lithe_report report = lithe_report_default();
    how.tolerance = TOLERANCE;
    how.nsample = 16;
    how.threads = 1;
    lithe_status status = lithe_reduce(&r->def, &how, &made, &report);
    if (status != LITHE_OK)
        print_error("%s\n", report.error);
    assert_int_equal(status, LITHE_OK);
    return made;
}

static lithe_reduction *shared; // of the robot of begin
static lithe_reduction *reduction(void)
{
    if (!shared) {
        robot r;
        begin(&r);
        shared = make(&r);
        robot_end(&r);
    }
    return shared;
}

static int drop(void **unused)
{
    (void)unused;
    lithe_reduction_free(shared);
    return 0;
}

// The same reduction with all elements, each counting once.
static lithe_reduction *unsampled(const lithe_reduction *of)
{
    lithe_reduction *all = calloc(1, sizeof *all);
    *all = *of;
    all->memory = (arena){0};
    all->nelement = of->nwhole;
    all->element = arena_new(&all->memory, of->nwhole, int);
    all->weight = arena_new(&all->memory, of->nwhole, double);
    for (int e = 0; e < of->nwhole; e++) {
        all->element[e] = e;
        all->weight[e] = 1;
    }
    return all;
}

static void end_unsampled(lithe_reduction *all)
{
    arena_free(&all->memory);
    free(all);
}

static void tell(robot *r, const double value[3])
{
    command(r, 0, LITHE_DISPLACEMENT, value[0]);
    command(r, 1, LITHE_DISPLACEMENT, value[1]);
    command(r, 2, LITHE_EFFORT, value[2]);
}

static const double COMMANDS[][3] = {
    {0.004, 0.001, 2e3}, {0.0095, 0.0005, 9e3}, {0.0015, 0.0085, 500}, {0, 0.006, 6500}};
enum { NCOMMAND = sizeof COMMANDS / sizeof *COMMANDS };

static void the_tip_is_where_the_whole_robots_is_within_the_tolerance(void **unused)
{
    (void)unused;
    robot whole, few;
    lithe_reduction_info info;
    begin(&whole);
    begin(&few);
    few.def.reduction.given = reduction();
    robot_compile(&whole);
    robot_compile(&few);
    assert_true(lithe_model_reduction(few.model, &info));
    assert_false(lithe_model_reduction(whole.model, &info));
    assert_true(info.error <= TOLERANCE && info.ncheck > 0);
    assert_true(info.nelement < info.nelement_whole / 4);
    assert_int_equal(lithe_nnode(few.model), lithe_nnode(whole.model));
    assert_int_equal(lithe_nelement(few.model), lithe_nelement(whole.model));
    assert_int_equal(lithe_ndof(few.model), info.nmode);
    for (int k = 0; k < NCOMMAND; k++) {
        double tip[2][3], moved;
        tell(&whole, COMMANDS[k]);
        tell(&few, COMMANDS[k]);
        settle(&whole);
        settle(&few);
        lithe_effector_value(whole.model, whole.state, 0, tip[0]);
        lithe_effector_value(few.model, few.state, 0, tip[1]);
        moved = vec_distance(tip[0], whole.tip_point.at);
        assert_true(moved > 10 * TOLERANCE);
        assert_true(vec_distance(tip[0], tip[1]) < 1.5 * TOLERANCE);
        double farthest = 0; // of all nodes, as they are shown
        for (int i = 0; i < lithe_nnode(whole.model); i++)
            farthest = fmax(farthest, vec_distance(&lithe_position(whole.state)[3 * i],
                                                   &lithe_position(few.state)[3 * i]));
        assert_true(farthest < 10 * TOLERANCE);
    }
    robot_end(&whole);
    robot_end(&few);
}

// Modes of a definition know nothing of sampled elements, projected loads or polynomials.
static void with_all_elements_it_is_the_robot_that_moves_by_modes(void **unused)
{
    (void)unused;
    for (int moving = 0; moving < 2; moving++) {
        robot modes, all;
        lithe_reduction *every = unsampled(reduction());
        begin(&modes);
        begin(&all);
        modes.body.nmode = every->nmode;
        modes.body.mode = every->mode;
        all.def.reduction.given = every;
        if (moving) {
            modes.def.dynamics.scheme = all.def.dynamics.scheme = LITHE_EULER;
            modes.def.dynamics.stiffness_damping = all.def.dynamics.stiffness_damping = 1e-3;
            modes.def.step.dt = all.def.step.dt = 0.01;
        }
        robot_compile(&modes);
        robot_compile(&all);
        for (int k = 0; k < NCOMMAND; k++) {
            tell(&modes, COMMANDS[moving ? 0 : k]);
            tell(&all, COMMANDS[moving ? 0 : k]);
            settle(&modes);
            settle(&all);
            for (int i = 0; i < 3 * lithe_nnode(all.model); i++)
                assert_true(fabs(lithe_position(modes.state)[i] - lithe_position(all.state)[i]) <
                            1e-9);
            for (int a = 0; a < 3; a++) {
                double effort[2], way[2];
                lithe_effort(modes.model, modes.state, a, &effort[0]);
                lithe_effort(all.model, all.state, a, &effort[1]);
                lithe_displacement(modes.model, modes.state, a, &way[0]);
                lithe_displacement(all.model, all.state, a, &way[1]);
                assert_true(fabs(effort[0] - effort[1]) < 1e-6 * (1 + fabs(effort[0])));
                assert_true(fabs(way[0] - way[1]) < 1e-6 * (1e-6 + fabs(way[0])));
            }
            lithe_energy one = lithe_last_energy(modes.model, modes.state);
            lithe_energy two = lithe_last_energy(all.model, all.state);
            assert_true(fabs(one.elastic - two.elastic) < 1e-6 * one.elastic);
            assert_true(fabs(one.potential - two.potential) < 1e-6 * fabs(one.potential));
            assert_true(fabs(one.kinetic - two.kinetic) <= 1e-6 * one.kinetic);
            for (int i = 0; i < 3 && moving; i++)
                assert_true(fabs(one.linear[i] - two.linear[i]) < 1e-6 * vec_norm(one.linear));
        }
        robot_end(&modes);
        robot_end(&all);
        end_unsampled(every);
    }
}

static void what_rows_measure_has_the_slopes_and_curvatures_that_differences_say(void **unused)
{
    (void)unused;
    robot r;
    begin(&r);
    r.def.reduction.given = reduction();
    robot_compile(&r);
    const lithe_model *m = r.model;
    const body *b = &m->body[0];
    size_t n = 3 * (size_t)m->nnode;
    double *x = calloc(n, sizeof *x), *y = calloc(n, sizeof *y), *way = calloc(n, sizeof *way);
    double *force = calloc(n, sizeof *force), *q = calloc((size_t)m->nq, sizeof *q);
    for (int i = 0; i < m->nq; i++)
        q[i] = 0.003 * sin(1 + i);
    b->space->positions(b, q, x);
    for (int i = 0; i < m->nq; i++)
        q[i] = 0.7 * cos(3 * i);
    b->space->push(b, NULL, q, way);
    for (int k = 0; k < m->nrow; k++) {
        const row *of = &m->row[k];
        double *H = calloc(6 * (size_t)of->nnode, sizeof *H), *G = H + 3 * of->nnode;
        const double h = 1e-5;
        double slope = 0, value[2], bent = 0, rate = 0;
        row_gradient(of, x, H);
        for (int i = 0; i < of->nnode; i++)
            slope += vec_dot(&H[3 * i], &way[3 * of->node[i]]);
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < n; i++)
                y[i] = x[i] + (side ? h : -h) * way[i];
            value[side] = row_value(of, y);
            row_gradient(of, y, G);
            for (int i = 0; i < of->nnode; i++)
                rate += (side ? 1 : -1) / (2 * h) * vec_dot(&G[3 * i], &way[3 * of->node[i]]);
        }
        assert_true(fabs((value[1] - value[0]) / (2 * h) - slope) < 1e-6 * (fabs(slope) + 1e-9));
        memset(force, 0, n * sizeof *force);
        row_stiffness_times(of, x, -1, way, force);
        for (size_t i = 0; i < n; i++)
            bent += force[i] * way[i];
        assert_true(fabs(rate - bent) < 1e-5 * fabs(bent) + 1e-9);
        free(H);
    }
    free(x), free(y), free(way), free(force), free(q);
    robot_end(&r);
}

static void a_target_is_reached_and_the_whole_robot_goes_there_by_the_same_commands(void **unused)
{
    (void)unused;
    robot few, whole;
    begin(&few);
    begin(&whole);
    few.def.reduction.given = reduction();
    few.tip.axes = whole.tip.axes = LITHE_X | LITHE_Y;
    robot_compile(&few);
    robot_compile(&whole);
    double target[2] = {-0.002, 0.004}, told[3], tip[2];
    assert_int_equal(lithe_target_effector(few.model, few.state, 0, target, false), LITHE_OK);
    assert_int_equal(lithe_step(few.model, few.state), LITHE_OK);
    for (int a = 0; a < 3; a++)
        lithe_told(few.model, few.state, a, &told[a]);
    tell(&whole, told);
    settle(&whole);
    lithe_effector_value(few.model, few.state, 0, tip);
    assert_true(hypot(tip[0] - target[0], tip[1] - target[1]) < 1e-7);
    lithe_effector_value(whole.model, whole.state, 0, tip);
    assert_true(hypot(tip[0] - target[0], tip[1] - target[1]) < 1.5 * TOLERANCE);
    robot_end(&few);
    robot_end(&whole);
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
    begin(&r);
    r.def.reduction.given = reduction();
    robot_compile(&r);
    size_t bytes = lithe_state_size(r.model, r.state);
    void *saved = malloc(bytes);
    lithe_set_allocator(counting, free);
    for (int k = 0; k < 40; k++) {
        if (k == 20)
            lithe_state_save(r.model, r.state, saved);
        tell(&r, (double[]){2e-4 * k, 1e-4 * k, 100 * k});
        settle(&r);
        lithe_position(r.state);
    }
    lithe_set_allocator(NULL, NULL);
    assert_int_equal(asked, 0);
    double tip[2][3];
    lithe_effector_value(r.model, r.state, 0, tip[0]);
    assert_int_equal(lithe_state_load(r.model, r.state, saved, bytes), LITHE_OK);
    for (int k = 20; k < 40; k++) {
        tell(&r, (double[]){2e-4 * k, 1e-4 * k, 100 * k});
        settle(&r);
    }
    lithe_effector_value(r.model, r.state, 0, tip[1]);
    assert_memory_equal(tip[0], tip[1], sizeof tip[0]);
    free(saved);
    robot_end(&r);
}

static void nodes_are_put_where_shapes_come_nearest(void **unused)
{
    (void)unused;
    robot r;
    begin(&r);
    r.def.reduction.given = reduction();
    robot_compile(&r);
    tell(&r, COMMANDS[1]);
    settle(&r);
    size_t n = 3 * (size_t)lithe_nnode(r.model);
    double *there = malloc(n * sizeof *there);
    memcpy(there, lithe_position(r.state), n * sizeof *there);
    lithe_state_reset(r.model, r.state);
    assert_int_equal(lithe_set_position(r.model, r.state, there, NULL), LITHE_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(lithe_position(r.state)[i] - there[i]) < 1e-10);
    free(there);
    robot_end(&r);
}

static bool stop_after(void *user, const char *what, int done, int total)
{
    (void)what, (void)done, (void)total;
    return --*(int *)user > 0;
}

static size_t file_of(const lithe_reduction *r, unsigned char **out)
{
    char path[] = "/tmp/lithe_reduction_XXXXXX";
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

// Made by two threads, which are interrupted again and again, it is as made by one in one go.
static void threads_and_interruptions_do_not_show_in_the_file(void **unused)
{
    (void)unused;
    robot r;
    unsigned char *one, *other;
    char journal[] = "/tmp/lithe_journal_XXXXXX";
    lithe_reduction *made = NULL;
    size_t bytes = file_of(reduction(), &one);
    begin(&r);
    close(mkstemp(journal));
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = TOLERANCE;
    how.nsample = 16;
    how.threads = 2;
    how.journal = journal;
    how.progress = stop_after;
    lithe_status status = LITHE_NOT_CONVERGED;
    for (int some = 5; status != LITHE_OK && some < 5000; some = 5 * some) {
        int left = some;
        how.user = &left;
        lithe_reduction_free(made); // the best of a run that was ended
        status = lithe_reduce(&r.def, &how, &made, &r.report);
        FILE *cut = fopen(journal, "r+b"); // what was being written when it ended
        fseek(cut, 0, SEEK_END);
        long size = ftell(cut);
        fclose(cut);
        assert_int_equal(truncate(journal, size - 100), 0);
    }
    assert_int_equal(status, LITHE_OK);
    assert_int_equal(file_of(made, &other), bytes);
    assert_memory_equal(one, other, bytes);
    free(one);
    free(other);
    unlink(journal);
    lithe_reduction_free(made);
    robot_end(&r);
}

static void damaged_files_are_refused(void **unused)
{
    (void)unused;
    unsigned char *file;
    size_t bytes = file_of(reduction(), &file);
    lithe_reduction *back;
    lithe_report report = lithe_report_default();
    assert_int_equal(reduction_parse(file, bytes, "whole", &back, &report), LITHE_OK);
    assert_int_equal(back->nmode, reduction()->nmode);
    assert_memory_equal(back->weight, reduction()->weight,
                        (size_t)back->nelement * sizeof *back->weight);
    lithe_reduction_free(back);
    for (size_t at = 0; at < bytes; at += at < 2000 ? 1 : 997)
        for (int bit = 0; bit < 8; bit++) {
            unsigned char *copy = malloc(bytes); // of its own size, so that reading past it shows
            memcpy(copy, file, bytes);
            copy[at] ^= (unsigned char)(1 << bit);
            lithe_status status = reduction_parse(copy, bytes, "damaged", &back, &report);
            if (status == LITHE_OK) // what nobody reads: the gaps between things
                assert_memory_equal(back->mode, reduction()->mode,
                                    3 * (size_t)(back->nnode * back->nmode) * sizeof *back->mode);
            lithe_reduction_free(back);
            free(copy);
        }
    for (size_t n = 0; n < bytes; n += n < 2000 ? 7 : 4999) {
        unsigned char *copy = malloc(n + 1);
        memcpy(copy, file, n);
        assert_int_equal(reduction_parse(copy, n, "cut", &back, &report), LITHE_INVALID);
        free(copy);
    }
    free(file);
}

static void check_refused(robot *r, const char *reason)
{
    r->def.reduction.given = reduction();
    assert_int_equal(lithe_compile(&r->def, &r->model, &r->report), LITHE_INVALID);
    if (!strstr(r->report.error, reason))
        print_error("%s\n", r->report.error);
    assert_non_null(strstr(r->report.error, reason));
    robot_end(r);
}

static void a_reduction_of_another_robot_is_refused_with_the_reason(void **unused)
{
    (void)unused;
    robot r;
    begin(&r);
    r.shape.x[3 * r.shape.nnode - 1] += 1e-4;
    robot_reshape(&r, r.shape.nnode > 0 ? bar_make(4, 4, 9, (double[]){-0.01, -0.01, 0},
                                                   (double[]){0.01, 0.01, 0.1})
                                        : r.shape);
    r.def.nactuator = 2; // it is not hollow
    check_refused(&r, "other mesh");
    begin(&r);
    r.material.young *= 1.01;
    check_refused(&r, "other materials");
    begin(&r);
    r.point[0][1].at[2] = 0.09;
    check_refused(&r, "other actuators");
    begin(&r);
    r.def.gravity[0] = 4;
    check_refused(&r, "other loads or gravity");
    begin(&r);
    r.def.step.mode = LITHE_ASYNCHRONOUS;
    check_refused(&r, "cannot be reduced");
    begin(&r);
    r.body.nfix = 0;
    r.def.dynamics.scheme = LITHE_EULER;
    check_refused(&r, "nothing holds it");
}

static void keep_notice(void *user, const char *text)
{
    snprintf(user, 400, "%s", text);
}

static const char *compile_and_hear(robot *r)
{
    static char notice[400];
    notice[0] = 0;
    r->report.on_notice = keep_notice;
    r->report.user = notice;
    r->def.reduction.given = reduction();
    assert_int_equal(lithe_compile(&r->def, &r->model, &r->report), LITHE_OK);
    robot_end(r);
    return notice;
}

static void an_actuator_that_may_go_farther_than_it_was_sampled_is_told(void **unused)
{
    (void)unused;
    robot r;
    begin(&r);
    assert_string_equal(compile_and_hear(&r), "");
    begin(&r);
    r.actuator[0].displacement_limit[1] = 0.008; // less is covered
    r.actuator[0].effort_limit[1] = 100;
    assert_string_equal(compile_and_hear(&r), "");
    begin(&r);
    r.actuator[1].displacement_limit[1] = 0.012;
    const char *told = compile_and_hear(&r);
    assert_non_null(strstr(told, "'right' may go from pull 0 to 0.012 m"));
    assert_non_null(strstr(told, "made from 0 to 0.01 m"));
    assert_non_null(strstr(told, "lithe reduce"));
    begin(&r);
    r.actuator[2].effort_limit[1] = INFINITY;
    assert_non_null(strstr(compile_and_hear(&r), "'air' may go from pressure 0 to inf Pa"));
}

// It travels in the file.
static void and_so_it_is_of_a_file(void **unused)
{
    (void)unused;
    robot r;
    char path[] = "/tmp/lithe-range-XXXXXX", notice[400] = "";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_reduction_write(reduction(), path, &report), LITHE_OK);
    for (int wide = 0; wide < 2; wide++) {
        begin(&r);
        r.def.reduction.file = path;
        r.actuator[0].displacement_limit[0] = wide ? -0.001 : 0;
        r.report.on_notice = keep_notice;
        r.report.user = notice;
        assert_int_equal(lithe_compile(&r.def, &r.model, &r.report), LITHE_OK);
        assert_int_equal(notice[0] != 0, wide);
        robot_end(&r);
    }
    assert_non_null(strstr(notice, "'left' may go from pull -0.001 to 0.01 m"));
    remove(path);
}

// A pipe would be waited for, a link may lead to somebody's file, a journal may be none.
static void only_files_of_ours_are_read_and_written(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/lithe-reduction-XXXXXX", name[3][64];
    lithe_report report = lithe_report_default();
    lithe_reduction *back;
    samples_journal *journal;
    assert_non_null(mkdtemp(folder));
    snprintf(name[0], sizeof name[0], "%s/few.h5", folder);
    snprintf(name[1], sizeof name[1], "%s/few.h5.part", folder);
    snprintf(name[2], sizeof name[2], "%s/letter", folder);
    assert_int_equal(mkfifo(name[0], 0600), 0);
    assert_int_equal(lithe_reduction_read(name[0], &back, &report), LITHE_INVALID);
    assert_int_equal(unlink(name[0]), 0);
    assert_int_equal(lithe_reduction_read(name[0], &back, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "lithe reduce"));
    FILE *letter = fopen(name[2], "w");
    fputs("dear reader, this is more than the head of a journal has", letter);
    fclose(letter);
    assert_int_equal(symlink(name[2], name[1]), 0);
    assert_int_equal(lithe_reduction_write(reduction(), name[0], &report), LITHE_OK);
    assert_int_equal(samples_journal_open(name[2], 1, 2, &journal, &report), LITHE_IO);
    struct stat info;
    assert_int_equal(stat(name[2], &info), 0);
    assert_int_equal(info.st_size, 56);
    unlink(name[0]);
    unlink(name[2]);
    rmdir(folder);
}

// Error at the tip, and what is estimated of it, at a command of the range.
static double true_error(robot *few, robot *whole, const double told[3], double *estimate)
{
    double tip[2][3];
    tell(few, told);
    tell(whole, told);
    settle(few);
    settle(whole);
    assert_int_equal(lithe_estimate_reduction(few->model, few->state, estimate), LITHE_OK);
    lithe_effector_value(few->model, few->state, 0, tip[0]);
    lithe_effector_value(whole->model, whole->state, 0, tip[1]);
    return vec_distance(tip[0], tip[1]);
}

static void the_error_is_known_while_it_runs(void **unused)
{
    (void)unused;
    enum { N = 24 };
    robot few, whole;
    int safe = 0;
    begin(&few);
    begin(&whole);
    few.def.reduction.given = reduction();
    robot_compile(&few);
    robot_compile(&whole);
    assert_true(isnan(lithe_last_reduction(few.state).estimate));
    for (int k = 0; k < N; k++) {
        double estimate,
            told[3] = {0.01 * fmod(0.13 + 0.618 * k, 1), 0.01 * fmod(0.7 + 0.414 * k, 1),
                       1e4 * fmod(0.3 + 0.732 * k, 1)};
        double error = true_error(&few, &whole, told, &estimate);
        assert_true(estimate > 0.5 * error && estimate < 3 * error);
        assert_true(lithe_last_reduction(few.state).estimate == estimate);
        safe += estimate >= error;
    }
    assert_true(safe >= 0.95 * N);
    assert_int_equal(lithe_estimate_reduction(whole.model, whole.state, &(double){0}),
                     LITHE_INVALID);
    robot_end(&few);
    robot_end(&whole);
}

static void beyond_the_tolerance_the_whole_model_goes_on(void **unused)
{
    (void)unused;
    robot few, whole;
    double tip[2][3];
    begin(&few);
    begin(&whole);
    few.def.reduction.given = reduction();
    few.def.reduction.every = 2;
    few.def.reduction.beyond_full = true;
    few.def.reduction.tolerance = 1e-9; // it cannot be that good
    robot_compile(&few);
    robot_compile(&whole);
    void *saved = NULL;
    size_t bytes = 0;
    for (int k = 1; k <= 4; k++) {
        double told[3] = {0.002 * k, 0.001 * k, 2e3 * k};
        tell(&few, told);
        tell(&whole, told);
        settle(&few);
        settle(&whole);
        assert_int_equal(lithe_last_reduction(few.state).whole, k >= 2);
        lithe_effector_value(few.model, few.state, 0, tip[0]);
        lithe_effector_value(whole.model, whole.state, 0, tip[1]);
        assert_true((vec_distance(tip[0], tip[1]) < 1e-8) == (k >= 2));
        if (k == 3) {
            bytes = lithe_state_size(few.model, few.state);
            saved = malloc(bytes);
            lithe_state_save(few.model, few.state, saved);
        }
    }
    for (int i = 0; i < 3 * lithe_nnode(whole.model); i++)
        assert_true(fabs(lithe_position(few.state)[i] - lithe_position(whole.state)[i]) < 1e-8);
    lithe_state_reset(few.model, few.state);
    assert_false(lithe_last_reduction(few.state).whole);
    assert_int_equal(lithe_state_load(few.model, few.state, saved, bytes), LITHE_OK);
    assert_true(lithe_last_reduction(few.state).whole);
    tell(&few, (double[]){0.008, 0.004, 8e3});
    settle(&few);
    lithe_effector_value(few.model, few.state, 0, tip[0]);
    assert_true(vec_distance(tip[0], tip[1]) < 1e-8);
    free(saved);
    robot_end(&few);
    robot_end(&whole);
}

static void instruction_sets_agree(void **unused)
{
    (void)unused;
    enum { NODES = 5, N = 11, WIDTH = 16, LINES = 3 * NODES };
    static _Alignas(64) double Phi[WIDTH * WIDTH], out[3][5][WIDTH * WIDTH], q[WIDTH];
    static _Alignas(64) float single[LINES * WIDTH],
        single_work[(3 * MODAL_NODES + WIDTH) * WIDTH + 27];
    double K[9 * 3], f[LINES], X[LINES];
    const modal_block block[3] = {{0, 0}, {3, 1}, {4, 4}};
    const nodal_entry entry[4] = {{0, 0, false}, {1, 3, true}, {1, 1, false}, {2, 4, false}};
    const int adr[NODES + 1] = {0, 1, 2, 2, 3, 4};
    for (int i = 0; i < LINES * WIDTH; i++)
        single[i] = (float)(Phi[i] = i % WIDTH < N ? sin(1 + i) : 0);
    for (int i = 0; i < N; i++)
        q[i] = cos(i);
    for (int i = 0; i < 27; i++)
        K[i] = i < 9 || i >= 18 ? 1.0 / (1 + i % 9 / 3 + i % 3) : sin(i);
    for (int i = 0; i < LINES; i++)
        f[i] = cos(2 * i), X[i] = i;
    for (int v = 0; v < 3 && modal_variant(v); v++) {
        const modal_kernels *k = modal_variant(v);
        k->push(LINES, WIDTH, Phi, q, X, out[v][0]);
        k->pull(LINES, WIDTH, Phi, f, out[v][1]);
        k->multiply(LINES, WIDTH, 3, block, K, Phi, out[v][2]);
        k->square(LINES, WIDTH, Phi, out[v][2], out[v][3]);
        k->tangent(NODES, WIDTH, adr, entry, 3, K, single, single_work, out[v][4]);
        for (int i = 0; i < WIDTH * WIDTH; i++)
            assert_true(i / WIDTH < i % WIDTH || fabs(out[v][4][i] - out[v][3][i]) < 1e-4);
        for (int i = 0; i < LINES * WIDTH; i++)
            for (int j = 0; j < 4; j++)
                assert_true(fabs(out[v][j][i] - out[0][j][i]) < 1e-12);
        double sum = 0, slow = 0; // f' Phi q, both ways round
        for (int i = 0; i < N; i++)
            sum += out[v][1][i] * q[i];
        for (int i = 0; i < LINES; i++)
            slow += f[i] * (out[v][0][i] - X[i]);
        assert_true(fabs(sum - slow) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tip_is_where_the_whole_robots_is_within_the_tolerance),
        cmocka_unit_test(with_all_elements_it_is_the_robot_that_moves_by_modes),
        cmocka_unit_test(what_rows_measure_has_the_slopes_and_curvatures_that_differences_say),
        cmocka_unit_test(a_target_is_reached_and_the_whole_robot_goes_there_by_the_same_commands),
        cmocka_unit_test(steps_allocate_nothing_and_go_on_from_what_was_saved),
        cmocka_unit_test(nodes_are_put_where_shapes_come_nearest),
        cmocka_unit_test(threads_and_interruptions_do_not_show_in_the_file),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(a_reduction_of_another_robot_is_refused_with_the_reason),
        cmocka_unit_test(an_actuator_that_may_go_farther_than_it_was_sampled_is_told),
        cmocka_unit_test(and_so_it_is_of_a_file),
        cmocka_unit_test(only_files_of_ours_are_read_and_written),
        cmocka_unit_test(the_error_is_known_while_it_runs),
        cmocka_unit_test(beyond_the_tolerance_the_whole_model_goes_on),
        cmocka_unit_test(instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, drop);
}
