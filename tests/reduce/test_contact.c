// Reduced robots that lean on a post, against whole ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "lithe/reduce.h"
#include "robot.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static lithe_obstacle_def post;

// A cable bends the bar to -x, where a post stands.
static void begin(robot *r, double poisson)
{
    robot_begin(r, false);
    r->material.poisson = poisson;
    add_cable(r, "left", -0.008);
    r->actuator[0].effort_limit[0] = 0;
    r->actuator[0].effort_limit[1] = 1;
    r->actuator[0].command = LITHE_EFFORT;
    post = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    post.name = "post";
    memcpy(post.at, (double[]){-0.017, -0.05, 0.06}, sizeof post.at);
    memcpy(post.to, (double[]){-0.017, 0.05, 0.06}, sizeof post.to);
    post.radius = 0.005;
    r->def.nobstacle = 1;
    r->def.obstacle = &post;
}

// The whole contact force, of what nothing overlaps and only pushes.
static double lean(robot *r, double tension)
{
    double force[3] = {0};
    command(r, 0, LITHE_EFFORT, tension);
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
    for (int k = 0; k < lithe_ncontact(r->state); k++) {
        lithe_contact c;
        assert_int_equal(lithe_contact_get(r->model, r->state, k, &c), LITHE_OK);
        assert_true(c.gap > -1e-9 && c.force >= 0);
        vec_axpy(force, c.force, c.normal);
    }
    assert_true(lithe_last_overlap(r->model, r->state).depth < 1e-8);
    return vec_norm(force);
}

// Whole and reduced come to the same force on the post, and the same tip.
static void check_leaning(robot *whole, robot *few, double share)
{
    double force[2] = {0}, tip[2][3];
    robot_compile(whole);
    robot_compile(few);
    for (int k = 1; k < 5; k++) {
        force[0] = lean(whole, 0.2 * k);
        force[1] = lean(few, 0.2 * k);
    }
    assert_true(force[0] > 0.01);
    assert_true(fabs(force[1] - force[0]) < share * force[0]);
    lithe_effector_value(whole->model, whole->state, 0, tip[0]);
    lithe_effector_value(few->model, few->state, 0, tip[1]);
    assert_true(vec_distance(tip[0], tip[1]) < share * vec_distance(tip[0], whole->tip_point.at));
    robot_end(whole);
    robot_end(few);
}

static void by_modes_the_post_is_pushed_as_by_the_whole_robot(void **unused)
{
    (void)unused;
    robot whole, few;
    lithe_reduction *made = NULL;
    lithe_report report = lithe_report_default();
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = 5e-5;
    how.nsample = 8;
    begin(&whole, 0.4);
    begin(&few, 0.4);
    lithe_status status = lithe_reduce(&few.def, &how, &made, &report);
    if (status != LITHE_OK)
        print_error("%s\n", report.error);
    assert_int_equal(status, LITHE_OK);
    assert_true(lithe_reduction_get(made).nelement < lithe_reduction_get(made).nelement_whole / 2);
    few.def.reduction.given = made;
    check_leaning(&whole, &few, 0.02);
    lithe_reduction_free(made);
}

static void and_as_a_beam(void **unused)
{
    (void)unused;
    robot whole, few;
    begin(&whole, 0);
    begin(&few, 0);
    few.def.reduction.beam = true;
    few.def.reduction.nframe = 11;
    check_leaning(&whole, &few, 0.05);
}

static double tips_apart(const robot *a, const robot *b)
{
    double tip[2][3];
    lithe_effector_value(a->model, a->state, 0, tip[0]);
    lithe_effector_value(b->model, b->state, 0, tip[1]);
    return vec_distance(tip[0], tip[1]);
}

// Sections that are rigid make it too stiff, as one sees by its estimate.
static void begin_stiff(robot *r, double friction)
{
    begin(r, 0.3);
    post.friction = friction;
    r->def.reduction.beam = true;
    r->def.reduction.nframe = 11;
}

static void the_error_is_known_in_contact(void **unused)
{
    (void)unused;
    for (int rough = 0; rough < 2; rough++) {
        robot whole, few;
        begin_stiff(&whole, 0.3 * rough);
        whole.def.reduction.beam = false;
        robot_compile(&whole);
        begin_stiff(&few, 0.3 * rough);
        robot_compile(&few);
        for (int k = 1; k < 5; k++) {
            double estimate, force = lean(&whole, 0.2 * k), before[3], after[3];
            lean(&few, 0.2 * k);
            double error = tips_apart(&whole, &few);
            lithe_effector_value(few.model, few.state, 0, before);
            assert_int_equal(lithe_estimate_reduction(few.model, few.state, &estimate), LITHE_OK);
            lithe_effector_value(few.model, few.state, 0, after);
            assert_true(estimate > (rough ? 0.7 : 1) * error && estimate < 1.5 * error);
            assert_memory_equal(before, after, sizeof before);
            assert_true(k < 3 || force > 0.01);
        }
        robot_end(&whole);
        robot_end(&few);
    }
}

static void beyond_the_tolerance_the_whole_robot_leans_on(void **unused)
{
    (void)unused;
    robot whole, few;
    begin_stiff(&whole, 0);
    whole.def.reduction.beam = false;
    robot_compile(&whole);
    begin_stiff(&few, 0);
    few.def.reduction.beyond_full = true;
    few.def.reduction.every = 1;
    few.def.reduction.tolerance = 5e-4;
    robot_compile(&few);
    bool went_on = false;
    for (int k = 1; k < 5; k++) {
        double force[2] = {lean(&whole, 0.2 * k), lean(&few, 0.2 * k)};
        lithe_reduction_error last = lithe_last_reduction(few.state);
        assert_true(last.whole || last.estimate <= 5e-4);
        assert_true(!last.whole || fabs(force[0] - force[1]) < 1e-3 * force[0] + 1e-9);
        assert_true(tips_apart(&whole, &few) < (last.whole ? 1e-6 : 5e-4));
        went_on = last.whole;
    }
    assert_true(went_on);
    robot_end(&whole);
    robot_end(&few);
}

// Where the post meets the bar, and a little farther.
static const lithe_selection meets = {
    .kind = LITHE_BOX, .a = {-0.0101, -0.02, 0.059}, .b = {-0.0099, 0.02, 0.082}};

// A thinner post, higher up, which the robot did not know when it was reduced: it stood far away.
static void begin_unknown(robot *r, bool far)
{
    begin(r, 0.4);
    double x = far ? -1 : -0.0155;
    memcpy(post.at, (double[]){x, -0.05, 0.07}, sizeof post.at);
    memcpy(post.to, (double[]){x, 0.05, 0.07}, sizeof post.to);
    post.radius = 0.004;
}

static lithe_reduction *reduce_unknown(const lithe_selection *patch)
{
    robot r;
    lithe_reduction *made = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = 5e-5;
    how.nsample = 10;
    begin_unknown(&r, true);
    r.def.reduction.patch = patch ? LITHE_PATCH_SELECTED : LITHE_NO_PATCH;
    r.def.reduction.patch_where = patch;
    lithe_status status = lithe_reduce(&r.def, &how, &made, &r.report);
    if (status != LITHE_OK)
        print_error("%s\n", r.report.error);
    assert_int_equal(status, LITHE_OK);
    robot_end(&r);
    return made;
}

static void open_unknown(robot *r, const lithe_reduction *made)
{
    begin_unknown(r, false);
    r->def.reduction.given = made;
    robot_compile(r);
}

static void a_patch_gives_way_to_what_no_sample_met(void **unused)
{
    (void)unused;
    lithe_reduction *made[2] = {reduce_unknown(NULL), reduce_unknown(&meets)};
    lithe_reduction_patch patch = lithe_reduction_get_patch(made[1]), of_model;
    assert_true(patch.nnode == 15 && patch.nshape > 0 &&
                patch.nshape < lithe_reduction_get(made[1]).nmode);
    assert_true(lithe_reduction_get(made[1]).nelement <
                lithe_reduction_get(made[1]).nelement_whole / 4);
    int passes[2] = {0};
    robot whole, stiff, few;
    open_unknown(&whole, NULL);
    open_unknown(&stiff, made[0]);
    open_unknown(&few, made[1]);
    assert_false(lithe_model_patch(stiff.model, &of_model));
    assert_true(lithe_model_patch(few.model, &of_model) && of_model.nshape == patch.nshape);
    for (int k = 1; k < 5; k++) {
        double force = lean(&whole, 0.25 * k), alone = lean(&stiff, 0.25 * k);
        passes[0] += lithe_last_residual(whole.state).iteration;
        assert_true(alone > 3 * force);
        assert_true(fabs(lean(&few, 0.25 * k) - force) < 0.02 * force);
        passes[1] += lithe_last_residual(few.state).iteration;
        assert_true(tips_apart(&whole, &few) < 5e-4 && tips_apart(&whole, &stiff) > 3e-4);
    }
    assert_true(passes[1] < 1.5 * passes[0]); // its tangent knows what gives way beside contacts
    robot_end(&whole);
    robot_end(&stiff);
    robot_end(&few);
    lithe_reduction_free(made[0]);
    lithe_reduction_free(made[1]);
}

// A post that it knows, at a tolerance by which modes alone are off by a quarter and more.
static void begin_known(robot *r, bool contact)
{
    begin_unknown(r, false);
    post.at[2] = post.to[2] = 0.06;
    r->def.reduction.patch = contact ? LITHE_PATCH_CONTACT : LITHE_NO_PATCH;
}

static lithe_reduction *reduce_known(bool contact)
{
    robot r;
    lithe_reduction *made = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = 3e-4;
    how.nsample = 10;
    begin_known(&r, contact);
    assert_int_equal(lithe_reduce(&r.def, &how, &made, &r.report), LITHE_OK);
    robot_end(&r);
    return made;
}

static void or_to_what_samples_met(void **unused)
{
    (void)unused;
    lithe_reduction *made[2] = {reduce_known(false), reduce_known(true)};
    double off[2] = {0};
    for (int i = 0; i < 2; i++) {
        robot whole, few;
        begin_known(&whole, false);
        begin_known(&few, i == 1);
        few.def.reduction.given = made[i];
        robot_compile(&whole);
        robot_compile(&few);
        lean(&whole, 0.25); // it just meets the post
        lean(&few, 0.25);
        for (int k = 2; k < 5; k++) {
            double force = lean(&whole, 0.25 * k);
            off[i] = fmax(off[i], fabs(lean(&few, 0.25 * k) / force - 1));
        }
        // that was a corner of the range
        double told = lithe_reduction_get(made[i]).error;
        assert_true(told < 3e-4 && tips_apart(&whole, &few) < 1.001 * told);
        robot_end(&whole);
        robot_end(&few);
    }
    assert_true(off[0] > 0.25 && off[1] < 0.02);
    lithe_reduction_free(made[0]);
    lithe_reduction_free(made[1]);
}

// In realtime and in motion, forward and inverse, from what was saved on: as the whole robot.
static void swing(robot *whole, robot *few, lithe_mode mode)
{
    robot *both[] = {whole, few};
    for (int i = 0; i < 2; i++) {
        both[i]->def.step.mode = mode;
        both[i]->def.step.iterations = 3;
        both[i]->def.step.dt = 0.01;
        both[i]->def.dynamics.scheme = LITHE_EULER;
        both[i]->def.dynamics.stiffness_damping = 0.02;
        robot_compile(both[i]);
    }
    for (int k = 1; k <= 100; k++) {
        for (int i = 0; i < 2; i++) {
            command(both[i], 0, LITHE_EFFORT, 0.01 * fmin(k, 60));
            assert_int_equal(lithe_step(both[i]->model, both[i]->state), LITHE_OK);
        }
        assert_true(tips_apart(whole, few) < 5e-4);
    }
    assert_true(lithe_ncontact(few->state) > 0);
}

// A run that is told to end, and goes on from its journal.
static bool stop_after(void *user, const char *what, int done, int total)
{
    (void)what, (void)done, (void)total;
    return --*(int *)user > 0;
}

static size_t file_of(const lithe_reduction *made, unsigned char **data)
{
    char path[] = "/tmp/lithe-patch-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_reduction_write(made, path, &report), LITHE_OK);
    close(file);
    FILE *from = fopen(path, "rb");
    assert_non_null(from);
    *data = malloc(1 << 22);
    assert_non_null(*data);
    size_t bytes = fread(*data, 1, 1 << 22, from);
    fclose(from);
    remove(path);
    return bytes;
}

static void a_patch_is_the_same_on_any_number_of_threads_and_after_an_end(void **unused)
{
    (void)unused;
    robot r;
    char journal[] = "/tmp/lithe-patch-XXXXXX";
    int file = mkstemp(journal), left = 9;
    assert_true(file >= 0);
    close(file);
    lithe_reduction *one = reduce_known(true), *other = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = 3e-4;
    how.nsample = 10;
    how.threads = 3;
    how.journal = journal;
    how.progress = stop_after;
    how.user = &left;
    begin_known(&r, true);
    // what was found beside a post that stood elsewhere is of no use
    post.at[2] = post.to[2] = 0.05;
    assert_int_not_equal(lithe_reduce(&r.def, &how, &other, &r.report), LITHE_OK);
    lithe_reduction_free(other);
    post.at[2] = post.to[2] = 0.06;
    left = 9;
    assert_int_not_equal(lithe_reduce(&r.def, &how, &other, &r.report), LITHE_OK);
    lithe_reduction_free(other);
    how.progress = NULL;
    assert_int_equal(lithe_reduce(&r.def, &how, &other, &r.report), LITHE_OK);
    unsigned char *data[2];
    size_t bytes = file_of(one, &data[0]);
    assert_int_equal(file_of(other, &data[1]), bytes);
    assert_memory_equal(data[0], data[1], bytes);
    free(data[0]);
    free(data[1]);
    remove(journal);
    lithe_reduction_free(one);
    lithe_reduction_free(other);
    robot_end(&r);
}

static double push_of(const robot *r)
{
    double force[3];
    lithe_pair_force(r->model, r->state, 0, force);
    return vec_norm(force);
}

static void check_saved(robot *r)
{
    double tip[2][3];
    size_t bytes = lithe_state_size(r->model, r->state);
    void *saved = malloc(bytes);
    assert_non_null(saved);
    lithe_state_save(r->model, r->state, saved);
    for (int k = 0; k < 2; k++) {
        if (k == 1)
            assert_int_equal(lithe_state_load(r->model, r->state, saved, bytes), LITHE_OK);
        assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
        lithe_effector_value(r->model, r->state, 0, tip[k]);
    }
    assert_memory_equal(tip[0], tip[1], sizeof tip[0]);
    free(saved);
}

static void a_patch_serves_in_motion_and_goes_on_from_what_was_saved(void **unused)
{
    (void)unused;
    lithe_reduction *made = reduce_unknown(&meets);
    for (int mode = 0; mode < 2; mode++) {
        robot whole, few;
        begin_unknown(&whole, false);
        begin_unknown(&few, false);
        few.def.reduction.given = made;
        swing(&whole, &few, mode ? LITHE_REALTIME : LITHE_CONVERGED);
        double force = push_of(&whole);
        assert_true(force > 0.02 && fabs(push_of(&few) - force) < 0.04 * force);
        check_saved(&few);
        robot_end(&whole);
        robot_end(&few);
    }
    lithe_reduction_free(made);
}

static void a_target_is_reached_against_a_post_with_a_patch(void **unused)
{
    (void)unused;
    lithe_reduction *made = reduce_unknown(&meets);
    robot whole, few;
    begin_unknown(&few, false);
    few.def.reduction.given = made;
    few.tip.axes = LITHE_X;
    robot_compile(&few);
    open_unknown(&whole, NULL);
    lean(&few, 0.4);
    double tip[3], wanted[3], found;
    lithe_effector_value(few.model, few.state, 0, tip);
    wanted[0] = tip[0] - 1e-3;
    assert_int_equal(lithe_target_effector(few.model, few.state, 0, wanted, false), LITHE_OK);
    assert_int_equal(lithe_step(few.model, few.state), LITHE_OK);
    lithe_effort(few.model, few.state, 0, &found);
    lean(&whole, found);
    lithe_effector_value(whole.model, whole.state, 0, tip);
    assert_true(push_of(&whole) > 0.05);
    assert_true(fabs(tip[0] - wanted[0]) < 1e-4);
    robot_end(&whole);
    robot_end(&few);
    lithe_reduction_free(made);
}

static lithe_status compile_with(const lithe_reduction *made, lithe_patch_kind kind,
                                 const lithe_selection *where, lithe_report *report)
{
    robot r;
    begin_unknown(&r, false);
    r.def.reduction.given = made;
    r.def.reduction.patch = kind;
    r.def.reduction.patch_where = where;
    lithe_status status = lithe_compile(&r.def, &r.model, report);
    robot_end(&r);
    return status;
}

static void a_file_of_another_patch_is_refused(void **unused)
{
    (void)unused;
    lithe_selection other = meets;
    other.b[2] = 0.095;
    lithe_report report = lithe_report_default();
    lithe_reduction *made = reduce_unknown(&meets), *read = NULL, *none = reduce_unknown(NULL);
    char path[] = "/tmp/lithe-patch-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    assert_int_equal(lithe_reduction_write(made, path, &report), LITHE_OK);
    assert_int_equal(lithe_reduction_read(path, &read, &report), LITHE_OK);
    lithe_reduction_patch a = lithe_reduction_get_patch(made), b = lithe_reduction_get_patch(read);
    assert_true(a.nnode == b.nnode && a.nshape == b.nshape);
    assert_int_equal(compile_with(read, LITHE_PATCH_SELECTED, &meets, &report), LITHE_OK);
    assert_int_equal(compile_with(read, LITHE_NO_PATCH, NULL, &report), LITHE_OK);
    assert_int_equal(compile_with(read, LITHE_PATCH_SELECTED, &other, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "other nodes"));
    assert_int_equal(compile_with(read, LITHE_PATCH_CONTACT, NULL, &report), LITHE_INVALID);
    assert_int_equal(compile_with(none, LITHE_PATCH_SELECTED, &meets, &report), LITHE_INVALID);
    assert_non_null(strstr(report.error, "it has none"));
    remove(path);
    lithe_reduction_free(made);
    lithe_reduction_free(read);
    lithe_reduction_free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_modes_the_post_is_pushed_as_by_the_whole_robot),
        cmocka_unit_test(and_as_a_beam),
        cmocka_unit_test(the_error_is_known_in_contact),
        cmocka_unit_test(beyond_the_tolerance_the_whole_robot_leans_on),
        cmocka_unit_test(a_patch_gives_way_to_what_no_sample_met),
        cmocka_unit_test(or_to_what_samples_met),
        cmocka_unit_test(a_patch_is_the_same_on_any_number_of_threads_and_after_an_end),
        cmocka_unit_test(a_patch_serves_in_motion_and_goes_on_from_what_was_saved),
        cmocka_unit_test(a_target_is_reached_against_a_post_with_a_patch),
        cmocka_unit_test(a_file_of_another_patch_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
