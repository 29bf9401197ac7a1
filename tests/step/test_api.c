// What the public header reads and writes beside commands and targets: what is set is as if it had
// been defined so, what is read fits what is known otherwise, and no number of a thing that is not
// there is followed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "robot.h"

#include <stdlib.h>

static double difference(const robot *a, const robot *b)
{
    const double *x = lithe_position(a->state), *y = lithe_position(b->state);
    double worst = 0;
    for (int i = 0; i < lithe_nnode(a->model); i++)
        worst = fmax(worst, vec_distance(&x[3 * i], &y[3 * i]));
    return worst / a->model->size;
}

static void begin(robot *r, lithe_mode mode)
{
    robot_begin(r, false);
    r->def.step.mode = mode;
    r->def.step.iterations = 3;
    r->def.step.factor_age = mode == LITHE_ASYNCHRONOUS ? 2 : 0;
    memcpy(r->def.gravity, (double[]){0, 0, -9.81}, sizeof r->def.gravity);
    add_cable(r, "cable", 0.008);
    r->actuator[0].value[0] = 0.3;
}

static void steps(robot *r, int n)
{
    for (int k = 0; k < n; k++) {
        lithe_status status = lithe_step(r->model, r->state);
        if (status != LITHE_OK)
            print_error("%s\n", lithe_state_error(r->state));
        assert_int_equal(status, LITHE_OK);
    }
}

static int steps_of(lithe_mode mode)
{
    return mode == LITHE_CONVERGED ? 1 : 60;
}

static void gravity_that_is_set_is_gravity_defined_so(void **unused)
{
    (void)unused;
    const double other[3] = {6, -2, 3};
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_ASYNCHRONOUS; mode++) {
        robot r, defined;
        double told[3];
        begin(&r, mode);
        begin(&defined, mode);
        memcpy(defined.def.gravity, other, sizeof other);
        robot_compile(&r);
        robot_compile(&defined);
        steps(&r, steps_of(mode));
        steps(&defined, steps_of(mode));
        assert_true(difference(&r, &defined) > 1e-3);
        assert_int_equal(lithe_set_gravity(r.model, r.state, other), LITHE_OK);
        lithe_gravity(r.model, r.state, told);
        assert_true(vec_distance(told, other) < 1e-14);
        steps(&r, steps_of(mode));
        assert_true(difference(&r, &defined) < 1e-7);
        double a = lithe_last_energy(r.model, r.state).potential,
               b = lithe_last_energy(defined.model, defined.state).potential;
        assert_true(fabs(a - b) < 1e-6 * fabs(b));
        lithe_state_reset(r.model, r.state);
        lithe_gravity(r.model, r.state, told);
        assert_true(told[2] == -9.81);
        robot_end(&r);
        robot_end(&defined);
    }
}

// A cavity full of liquid, whose weight is gravity's too.
static void gravity_pulls_on_liquids(void **unused)
{
    (void)unused;
    robot r, defined;
    const double other[3] = {8, 0, 2};
    for (int k = 0; k < 2; k++) {
        robot *one = k ? &defined : &r;
        robot_begin(one, true);
        one->def.nactuator = 1;
        one->actuator[0] = lithe_actuator_def_default(LITHE_LIQUID);
        one->actuator[0].name = "water";
        one->actuator[0].body = "bar";
        one->actuator[0].density = 1000;
        one->def.gravity[2] = -9.81;
        if (k)
            memcpy(one->def.gravity, other, sizeof other);
        robot_compile(one);
        steps(one, 1);
    }
    assert_true(difference(&r, &defined) > 1e-3);
    assert_int_equal(lithe_set_gravity(r.model, r.state, other), LITHE_OK);
    steps(&r, 1);
    assert_true(difference(&r, &defined) < 1e-8);
    robot_end(&r);
    robot_end(&defined);
}

static void add_modulus(robot *r)
{
    int k = r->def.nactuator++;
    r->actuator[k] = lithe_actuator_def_default(LITHE_MODULUS);
    r->actuator[k].name = "foot";
    r->actuator[k].body = "bar";
    r->actuator[k].where =
        (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 0.04}};
    r->actuator[k].effort_limit[0] = 1e3;
    r->actuator[k].effort_limit[1] = 1e7;
}

// With a spring, which is no material, and a region whose modulus an actuator has halved.
static void a_material_that_is_scaled_is_the_material_defined_so(void **unused)
{
    (void)unused;
    lithe_spring_def spring = {.name = "spring",
                               .from = {0.01, 0, 0.1},
                               .to = {0.05, 0, 0.1},
                               .tied = true,
                               .stiffness = 20,
                               .rest = 0.01};
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_ASYNCHRONOUS; mode++) {
        robot pair[2], *r = &pair[0], *defined = &pair[1];
        for (int k = 0; k < 2; k++) {
            begin(&pair[k], mode);
            pair[k].body.nspring = 1;
            pair[k].body.spring = &spring;
            pair[k].material.young = k ? 4e4 : 1e5;
            add_modulus(&pair[k]);
            pair[k].actuator[1].value[0] = k ? 2e4 : 5e4; // half of the material's
            robot_compile(&pair[k]);
            steps(&pair[k], steps_of(mode));
        }
        assert_true(difference(r, defined) > 1e-3);
        assert_true(fabs(lithe_material_young(r->model, 0) - 1e5) < 1e-9);
        int silicone = lithe_find_material(r->model, "silicone");
        assert_int_equal(lithe_scale_material(r->model, r->state, silicone, 0.4), LITHE_OK);
        assert_true(lithe_material_scale(r->model, r->state, silicone) == 0.4);
        steps(r, steps_of(mode));
        assert_true(difference(r, defined) < 1e-7);
        int n = lithe_nelement(r->model);
        double *field = malloc(4 * (size_t)n * sizeof *field);
        lithe_element_fields(r->model, r->state, field, field + n);
        lithe_element_fields(defined->model, defined->state, field + 2 * (size_t)n,
                             field + 3 * (size_t)n);
        for (int e = 0; e < n; e++) {
            assert_true(fabs(field[e] - field[2 * n + e]) < 1e-5 * (1 + field[e]));
            assert_true(fabs(field[n + e] - field[3 * n + e]) < 1e-4 * (1 + field[n + e]));
        }
        free(field);
        lithe_state_reset(r->model, r->state);
        assert_true(lithe_material_scale(r->model, r->state, silicone) == 1);
        lithe_scale_material(r->model, r->state, silicone, 2);
        lithe_state_reset(r->model, r->state); // it was asked for and never came
        lithe_state_reset(defined->model, defined->state);
        robot_end(r);
        robot_end(defined);
    }
}

// The step that a change comes in, and those after it, are the same bits after saving and loading.
static void what_is_set_is_saved(void **unused)
{
    (void)unused;
    robot r;
    double limit[2] = {0, 0.35}, read[2], other[2];
    begin(&r, LITHE_CONVERGED);
    robot_compile(&r);
    steps(&r, 1);
    assert_int_equal(lithe_set_gravity(r.model, r.state, (double[]){1, 2, 3}), LITHE_OK);
    assert_int_equal(lithe_scale_material(r.model, r.state, 0, 1.5), LITHE_OK);
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, limit, NULL), LITHE_OK);
    assert_int_equal(lithe_set_weight(r.model, r.state, 0, 7), LITHE_OK);
    assert_int_equal(lithe_set_tolerance(r.model, r.state, 1e-6), LITHE_OK);
    size_t bytes = lithe_state_size(r.model, r.state), n = 3 * (size_t)lithe_nnode(r.model);
    void *saved = malloc(bytes);
    double *x = malloc(n * sizeof *x);
    lithe_state_save(r.model, r.state, saved);
    steps(&r, 2);
    memcpy(x, lithe_position(r.state), n * sizeof *x);
    lithe_state_reset(r.model, r.state);
    assert_true(lithe_tolerance(r.state) == r.def.step.tolerance);
    assert_int_equal(lithe_state_load(r.model, r.state, saved, bytes), LITHE_OK);
    assert_int_equal(lithe_limits(r.model, r.state, 0, read, other), LITHE_OK);
    assert_true(read[0] == 0 && read[1] == 0.35 && other[1] == INFINITY);
    assert_true(lithe_weight(r.model, r.state, 0) == 7 && lithe_tolerance(r.state) == 1e-6);
    steps(&r, 2);
    assert_memory_equal(lithe_position(r.state), x, n * sizeof *x);
    free(x);
    free(saved);
    robot_end(&r);
}

static void limits_that_are_set_hold(void **unused)
{
    (void)unused;
    robot r, defined;
    for (int k = 0; k < 2; k++) {
        robot *one = k ? &defined : &r;
        begin(one, LITHE_CONVERGED);
        add_cable(one, "left", -0.008);
        one->actuator[0].value[0] = 0;
        one->actuator[0].effort_limit[1] = k ? 0.2 : 5;
        robot_compile(one);
    }
    double effort, target[3] = {0.02, 0, 0.095}, high[2] = {0, 0.2};
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, target, false), LITHE_OK);
    steps(&r, 1);
    lithe_effort(r.model, r.state, 0, &effort);
    assert_true(effort > 0.3);
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, high, NULL), LITHE_OK);
    assert_int_equal(lithe_command(r.model, r.state, 0, LITHE_EFFORT, &(double){0.3}),
                     LITHE_INVALID);
    steps(&r, 3);
    assert_int_equal(lithe_target_effector(defined.model, defined.state, 0, target, false),
                     LITHE_OK);
    steps(&defined, 3);
    lithe_effort(r.model, r.state, 0, &effort);
    assert_true(fabs(effort - 0.2) < 1e-9);
    assert_true(difference(&r, &defined) < 1e-5);
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, (double[]){1, 0}, NULL), LITHE_INVALID);
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, (double[]){NAN, 1}, NULL),
                     LITHE_INVALID);
    robot_end(&r);
    robot_end(&defined);
}

// What an actuator was told stands: a range that leaves it out is refused, and changes nothing.
static void limits_leave_no_command_out(void **unused)
{
    (void)unused;
    robot r;
    double effort[2], displacement[2], told;
    begin(&r, LITHE_CONVERGED);
    robot_compile(&r);
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, (double[]){0, 0.2}, NULL),
                     LITHE_INVALID);
    assert_non_null(strstr(lithe_state_error(r.state), "command it first"));
    lithe_limits(r.model, r.state, 0, effort, displacement);
    assert_true(effort[1] == INFINITY);
    command(&r, 0, LITHE_EFFORT, 0.1);
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, (double[]){0, 0.2}, NULL), LITHE_OK);
    lithe_told(r.model, r.state, 0, &told);
    assert_true(told == 0.1);
    robot_end(&r);
}

// A range that is moved away from where the effort is: it comes as fast as its rate lets it.
static void efforts_come_back_at_their_rate(void **unused)
{
    (void)unused;
    robot r;
    double effort, target[3] = {0.02, 0, 0.095};
    begin(&r, LITHE_REALTIME);
    r.def.step.dt = 0.01;
    r.actuator[0].value[0] = 0;
    robot_compile(&r);
    lithe_target_effector(r.model, r.state, 0, target, false);
    steps(&r, 40);
    lithe_effort(r.model, r.state, 0, &effort);
    assert_true(effort > 0.3);
    double before = effort;
    assert_int_equal(lithe_set_limits(r.model, r.state, 0, (double[]){0, 0.1}, NULL), LITHE_OK);
    assert_int_equal(lithe_set_rates(r.model, r.state, 0, 2, INFINITY), LITHE_OK);
    assert_int_equal(lithe_set_rates(r.model, r.state, 0, -1, INFINITY), LITHE_INVALID);
    steps(&r, 1);
    lithe_effort(r.model, r.state, 0, &effort);
    assert_true(effort < before && effort >= before - 3 * 0.02 - 1e-9); // iterations: 3
    steps(&r, 60);
    lithe_effort(r.model, r.state, 0, &effort);
    assert_true(fabs(effort - 0.1) < 1e-9);
    robot_end(&r);
}

// Two effectors that cannot both be served.
static void begin_torn(robot *r, lithe_effector_def both[2], double weight)
{
    static lithe_point_def low = {"bar", {0, 0, 0.05}};
    begin(r, LITHE_CONVERGED);
    r->actuator[0].value[0] = 0;
    both[0] = both[1] = r->tip;
    both[0].axes = both[1].axes = LITHE_X;
    both[1].name = "low";
    both[1].point = &low;
    both[1].weight = weight;
    r->def.neffector = 2;
    r->def.effector = both;
    robot_compile(r);
}

static void a_weight_that_is_set_is_a_weight_defined_so(void **unused)
{
    (void)unused;
    robot r, defined;
    lithe_effector_def both[2], other[2];
    begin_torn(&r, both, 1);
    begin_torn(&defined, other, 40);
    double *target = malloc((size_t)lithe_nrow(r.model) * sizeof *target), read[8];
    for (int k = 0; k < lithe_nrow(r.model); k++)
        target[k] = NAN;
    target[lithe_row_of_effector(r.model, 0)] = 0.01;
    target[lithe_row_of_effector(r.model, 1)] = 0.001;
    assert_int_equal(lithe_target_all(r.model, r.state, target, NULL), LITHE_OK);
    assert_int_equal(lithe_target_all(defined.model, defined.state, target, NULL), LITHE_OK);
    lithe_targets(r.model, r.state, read);
    assert_true(isnan(read[0]) && read[1] == 0.01 && read[2] == 0.001);
    steps(&r, 2);
    steps(&defined, 2);
    assert_true(difference(&r, &defined) > 1e-4);
    assert_int_equal(lithe_set_weight(r.model, r.state, 1, 40), LITHE_OK);
    steps(&r, 3);
    assert_true(difference(&r, &defined) < 1e-6);
    assert_int_equal(lithe_set_weight(r.model, r.state, 1, -1), LITHE_INVALID);
    target[lithe_row_of_effector(r.model, 0)] = target[lithe_row_of_effector(r.model, 1)] = NAN;
    assert_int_equal(lithe_target_all(r.model, r.state, target, NULL), LITHE_OK);
    lithe_targets(r.model, r.state, read);
    assert_true(isnan(read[1]) && !r.state->task.inverse); // forward again
    free(target);
    robot_end(&r);
    robot_end(&defined);
}

static void a_tolerance_that_is_set_is_met(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED);
    r.def.step.tolerance = 1e-2;
    robot_compile(&r);
    steps(&r, 1);
    int loose = lithe_last_residual(r.state).iteration;
    lithe_state_reset(r.model, r.state);
    assert_int_equal(lithe_set_tolerance(r.model, r.state, 1e-11), LITHE_OK);
    steps(&r, 1);
    assert_true(lithe_last_residual(r.state).force <= 1e-11);
    assert_true(lithe_last_residual(r.state).iteration > loose);
    for (int k = 0; k < 4; k++)
        assert_int_equal(lithe_set_tolerance(r.model, r.state, (double[]){0, 1, -1e-6, NAN}[k]),
                         LITHE_INVALID);
    assert_true(lithe_tolerance(r.state) == 1e-11);
    robot_end(&r);
}

static void all_commands_are_those_one_by_one(void **unused)
{
    (void)unused;
    robot r, single;
    lithe_command_kind kind[2] = {LITHE_DISPLACEMENT, LITHE_EFFORT};
    double value[2] = {4e-3, 0.1}, told;
    for (int k = 0; k < 2; k++) {
        begin(k ? &single : &r, LITHE_CONVERGED);
        add_cable(k ? &single : &r, "left", -0.008);
        robot_compile(k ? &single : &r);
    }
    assert_int_equal(lithe_command_all(r.model, r.state, kind, value), LITHE_OK);
    for (int k = 0; k < 2; k++)
        assert_int_equal(lithe_command(single.model, single.state, k, kind[k], &value[k]),
                         LITHE_OK);
    steps(&r, 1);
    steps(&single, 1);
    assert_true(difference(&r, &single) == 0);
    assert_int_equal(lithe_told(r.model, r.state, 0, &told), LITHE_DISPLACEMENT);
    assert_true(told == 4e-3);
    // the second is refused: a cable cannot push; the first stays as it was
    assert_int_equal(lithe_command_all(r.model, r.state, NULL, (double[]){5e-3, -1}),
                     LITHE_INVALID);
    lithe_told(r.model, r.state, 0, &told);
    assert_true(told == 4e-3);
    assert_int_equal(lithe_command_all(r.model, r.state, NULL, (double[]){5e-3, 0}), LITHE_OK);
    assert_int_equal(lithe_told(r.model, r.state, 0, &told), LITHE_DISPLACEMENT);
    assert_true(told == 5e-3);
    robot_end(&r);
    robot_end(&single);
}

static void arrays_keep_their_address_and_follow_the_steps(void **unused)
{
    (void)unused;
    for (lithe_mode mode = LITHE_CONVERGED; mode <= LITHE_ASYNCHRONOUS; mode++) {
        robot r;
        double tip[3];
        begin(&r, mode);
        robot_compile(&r);
        const double *x = lithe_position(r.state), *value = lithe_row_values(r.state);
        assert_memory_equal(x, lithe_rest(r.model), 3 * sizeof *x * (size_t)lithe_nnode(r.model));
        int node = bar_node(&r.shape, 2, 2, 10); // where the tip is
        for (int k = 0; k < 5; k++) {
            double tension = 0.05 * k;
            lithe_command(r.model, r.state, 0, LITHE_EFFORT, &tension);
            steps(&r, 1);
            assert_ptr_equal(lithe_position(r.state), x);
            assert_ptr_equal(lithe_row_values(r.state), value);
            lithe_effector_value(r.model, r.state, 0, tip);
            assert_true(vec_distance(&x[3 * node], tip) < 1e-12);
            assert_memory_equal(&value[lithe_row_of_effector(r.model, 0)], tip, sizeof tip);
        }
        lithe_state_reset(r.model, r.state);
        assert_memory_equal(x, lithe_rest(r.model), 3 * sizeof *x * (size_t)lithe_nnode(r.model));
        robot_end(&r);
    }
}

// Half of the way is half of the command, unless a limit is nearer; the whole is the command
// itself.
static void a_share_of_a_command_stays_within_limits(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED);
    r.actuator[0].command = LITHE_DISPLACEMENT;
    r.actuator[0].value[0] = 6e-3;
    r.actuator[0].displacement_limit[0] = 4e-3;
    r.actuator[0].displacement_limit[1] = 9e-3;
    robot_compile(&r);
    double from = 8e-3, to = 9e-3, beyond = 1e-2, none = NAN, told;
    const struct {
        const double *from, *to;
        double share, told;
    } cases[] = {{NULL, &to, 0, 4e-3},
                 {NULL, &to, 0.5, 4.5e-3},
                 {&from, &to, 0.5, 8.5e-3},
                 {NULL, &to, 1, 9e-3},
                 {NULL, &beyond, 0.95, 9e-3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(lithe_command_share(r.model, r.state, 0, LITHE_DISPLACEMENT, cases[i].from,
                                             cases[i].to, cases[i].share),
                         LITHE_OK);
        assert_int_equal(lithe_told(r.model, r.state, 0, &told), LITHE_DISPLACEMENT);
        assert_true(fabs(told - cases[i].told) < 1e-15);
    }
    assert_int_equal(lithe_command_share(r.model, r.state, 0, LITHE_DISPLACEMENT, NULL, &beyond, 1),
                     LITHE_INVALID);
    assert_int_equal(lithe_command_share(r.model, r.state, 0, LITHE_DISPLACEMENT, NULL, &none, 0.5),
                     LITHE_INVALID);
    assert_int_equal(lithe_command_share(r.model, r.state, 0, LITHE_DISPLACEMENT, NULL, &to, NAN),
                     LITHE_INVALID);
    assert_int_equal(lithe_command_share(r.model, r.state, 1, LITHE_DISPLACEMENT, NULL, &to, 1),
                     LITHE_INVALID);
    assert_true(lithe_actuator_is_free(r.model, 0));
    assert_false(lithe_actuator_is_free(r.model, 1));
    robot_end(&r);
}

// All rows by number: what they are called, what they measure, and what drives them.
static void rows_have_names_values_and_efforts(void **unused)
{
    (void)unused;
    robot r;
    char name[LITHE_ROW_NAME];
    begin(&r, LITHE_CONVERGED);
    robot_compile(&r);
    double pull = 1e-3, effort[2] = {0}, one;
    int n = lithe_ndriven(r.model), cable = lithe_row_of_actuator(r.model, 0);
    int tip = lithe_row_of_effector(r.model, 0);
    assert_in_range(n, 1, 2);
    lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT, &pull);
    steps(&r, 1);
    lithe_efforts(r.model, r.state, effort);
    lithe_effort(r.model, r.state, 0, &one);
    assert_true(one > 0 && effort[cable] == one);
    const char *actuator = lithe_actuator_name(r.model, 0);
    assert_ptr_equal(lithe_row_name(r.model, cable, LITHE_DISPLACEMENT, name), name);
    assert_string_equal(name + strlen(actuator), ".pull_m");
    lithe_row_name(r.model, cable, LITHE_EFFORT, name);
    assert_string_equal(name + strlen(actuator), ".tension_N");
    for (int i = 0; i < 3; i++) {
        lithe_row_name(r.model, tip + i, LITHE_EFFORT, name);
        const char *const end[] = {".x_m", ".y_m", ".z_m"};
        assert_string_equal(name + strlen(lithe_effector_name(r.model, 0)), end[i]);
    }
    assert_string_equal(lithe_row_name(r.model, -1, LITHE_EFFORT, name), "");
    assert_string_equal(lithe_row_name(r.model, lithe_nrow(r.model), LITHE_EFFORT, name), "");
    robot_end(&r);
}

// A shape that another state has found is an equilibrium here, and no step leaves it.
static void positions_that_are_set_are_gone_on_from(void **unused)
{
    (void)unused;
    robot r;
    lithe_state *other;
    begin(&r, LITHE_CONVERGED);
    robot_compile(&r);
    assert_int_equal(lithe_state_create(r.model, 1, &other, &r.report), LITHE_OK);
    steps(&r, 1);
    lithe_command(r.model, other, 0, LITHE_EFFORT, &(double){0.3});
    size_t bytes = 3 * sizeof(double) * (size_t)lithe_nnode(r.model);
    double *shape = malloc(bytes);
    memcpy(shape, lithe_position(r.state), bytes);
    assert_int_equal(lithe_set_position(r.model, other, shape, NULL), LITHE_OK);
    assert_memory_equal(lithe_position(other), shape, bytes);
    double tip[2][3];
    lithe_effector_value(r.model, r.state, 0, tip[0]);
    lithe_effector_value(r.model, other, 0, tip[1]);
    assert_memory_equal(tip[0], tip[1], sizeof *tip);
    double elastic = lithe_last_energy(r.model, r.state).elastic;
    assert_true(fabs(lithe_last_energy(r.model, other).elastic - elastic) < 1e-12 * elastic);
    assert_int_equal(lithe_step(r.model, other), LITHE_OK);
    for (size_t i = 0; i < bytes / sizeof *shape; i++)
        assert_true(fabs(lithe_position(other)[i] - shape[i]) < 1e-8 * r.model->size);
    shape[5] = NAN;
    assert_int_equal(lithe_set_position(r.model, other, shape, NULL), LITHE_INVALID);
    free(shape);
    lithe_state_free(other);
    robot_end(&r);
}

// A rigid head on a bar: its shape under a pull comes back in another state, frame and all; what no
// rigid head can do leaves it rigid; and without mass nothing says what is near.
static void rigid_parts_go_to_the_nearest_shape(void **unused)
{
    (void)unused;
    robot r;
    lithe_state *other;
    lithe_rigid_def head = lithe_rigid_def_default();
    head.name = "head";
    head.where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0.079}, .b = {0, 0, 1}};
    begin(&r, LITHE_CONVERGED);
    r.body.nrigid = 1;
    r.body.rigid = &head;
    r.actuator[0].value[0] = 0.6;
    robot_compile(&r);
    steps(&r, 1);
    size_t n = 3 * (size_t)lithe_nnode(r.model);
    double *shape = malloc(n * sizeof *shape);
    memcpy(shape, lithe_position(r.state), n * sizeof *shape);
    assert_int_equal(lithe_state_create(r.model, 1, &other, &r.report), LITHE_OK);
    assert_int_equal(lithe_set_position(r.model, other, shape, NULL), LITHE_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(lithe_position(other)[i] - shape[i]) < 1e-12);
    lithe_command(r.model, other, 0, LITHE_EFFORT, &(double){0.6});
    assert_int_equal(lithe_step(r.model, other), LITHE_OK);
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(lithe_position(other)[i] - shape[i]) < 1e-8 * r.model->size);
    int a = bar_node(&r.shape, 0, 0, 10), b = bar_node(&r.shape, 4, 4, 9);
    double before = vec_distance(&shape[3 * a], &shape[3 * b]);
    for (size_t i = 0; i < n; i++)
        shape[i] *= 1.2; // a head that grows
    assert_int_equal(lithe_set_position(r.model, other, shape, NULL), LITHE_OK);
    const double *x = lithe_position(other);
    assert_true(fabs(vec_distance(&x[3 * a], &x[3 * b]) - before) < 1e-12);
    free(shape);
    lithe_state_free(other);
    robot_end(&r);

    begin(&r, LITHE_CONVERGED);
    r.body.nrigid = 1;
    r.body.rigid = &head;
    r.material.density = 0;
    robot_compile(&r);
    assert_int_equal(lithe_set_position(r.model, r.state, lithe_rest(r.model), NULL),
                     LITHE_INVALID);
    assert_non_null(strstr(lithe_state_error(r.state), "density"));
    robot_end(&r);
}

// A bar that nothing holds flies as its momentum says, and rotates as a rigid body would.
static void velocities_that_are_set_carry_momentum(void **unused)
{
    (void)unused;
    for (int rigid = 0; rigid < 2; rigid++) {
        robot r;
        lithe_body_info info;
        lithe_rigid_def all = {.name = "all", .where = {.kind = LITHE_ALL}};
        robot_begin(&r, false);
        robot_coarsen(&r);
        r.body.nfix = 0;
        r.body.nrigid = rigid;
        r.body.rigid = &all;
        r.def.dynamics.scheme = LITHE_ALPHA;
        r.def.step.dt = 1e-3;
        robot_compile(&r);
        steps(&r, 2);
        const double speed[3] = {0.3, -0.1, 0.2}, *x = lithe_position(r.state);
        int n = lithe_nnode(r.model);
        double *velocity = malloc(6 * (size_t)n * sizeof *velocity), *read = velocity + 3 * n;
        for (int i = 0; i < 3 * n; i++)
            velocity[i] = speed[i % 3];
        assert_int_equal(lithe_set_velocity(r.model, r.state, velocity, NULL), LITHE_OK);
        lithe_velocity(r.model, r.state, read);
        assert_memory_equal(read, velocity, 3 * (size_t)n * sizeof *read);
        double before[3] = {x[0], x[1], x[2]};
        steps(&r, 10);
        assert_int_equal(lithe_body_get(r.model, 0, &info), LITHE_OK);
        assert_true(fabs(info.mass - 1000 * 0.02 * 0.02 * 0.1) < 1e-9);
        lithe_energy e = lithe_last_energy(r.model, r.state);
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(e.linear[axis] - info.mass * speed[axis]) < 1e-9 * info.mass);
            assert_true(fabs(x[axis] - before[axis] - 0.01 * speed[axis]) < 1e-8);
        }
        free(velocity);
        robot_end(&r);
    }
}

static void statics_has_no_velocities(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED);
    robot_compile(&r);
    assert_int_equal(lithe_set_velocity(r.model, r.state, lithe_rest(r.model), NULL),
                     LITHE_INVALID);
    robot_end(&r);
}

// Volume within triangles that look out, by the divergence theorem.
static double volume_within(const lithe_surface_info *s, const double *x)
{
    double sum = 0;
    for (int t = 0; t < s->ntri; t++) {
        double n[3];
        vec_cross(n, &x[3 * s->tri[3 * t + 1]], &x[3 * s->tri[3 * t + 2]]);
        sum += vec_dot(&x[3 * s->tri[3 * t]], n) / 6;
    }
    return sum;
}

static double volume_of_tet(const double *x, const int *node)
{
    double e[3][3], n[3];
    for (int k = 0; k < 3; k++)
        vec_sub(e[k], &x[3 * node[k + 1]], &x[3 * node[0]]);
    vec_cross(n, e[0], e[1]);
    return vec_dot(n, e[2]) / 6;
}

// Two bodies, of which each has its range of nodes, elements and surfaces.
static void what_a_model_is_made_of_can_be_read(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED);
    lithe_body_def both[2] = {r.body, r.body};
    both[1].name = "twin";
    both[1].move[0] = 0.5;
    lithe_fix_def foot = lithe_fix_def_default();
    foot.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1e-6}};
    both[1].fix = &foot;
    both[1].nsurface = 0;
    r.def.nbody = 2;
    r.def.body = both;
    robot_compile(&r);
    const double *x = lithe_rest(r.model);
    const int *start = lithe_element_start(r.model), *node = lithe_element_node(r.model);
    int twin = lithe_find_body(r.model, "twin");
    assert_int_equal(lithe_nbody(r.model), 2);
    assert_int_equal(twin, 1);
    assert_int_equal(lithe_find_body(r.model, "nobody"), -1);
    for (int k = 0; k < 2; k++) {
        lithe_body_info info;
        lithe_surface_info whole;
        double volume = 0;
        assert_int_equal(lithe_body_get(r.model, k, &info), LITHE_OK);
        assert_int_equal(info.nnode, r.shape.nnode);
        assert_int_equal(info.first_node, k * r.shape.nnode);
        assert_int_equal(info.first_element, k * r.shape.ntet);
        for (int e = info.first_element; e < info.first_element + info.nelement; e++) {
            assert_int_equal(lithe_element_cell(r.model)[e], 10);
            assert_int_equal(lithe_element_body(r.model)[e], k);
            assert_int_equal(lithe_element_material(r.model)[e], 0);
            assert_int_equal(start[e + 1] - start[e], 4);
            volume += fabs(volume_of_tet(x, &node[start[e]]));
            for (int i = start[e]; i < start[e + 1]; i++)
                assert_true(node[i] >= info.first_node && node[i] < info.first_node + info.nnode);
        }
        assert_true(fabs(volume - info.volume) < 1e-12 && fabs(volume - 4e-5) < 1e-12);
        int outside = lithe_find_surface(r.model, k, "");
        assert_int_equal(lithe_surface_get(r.model, outside, &whole), LITHE_OK);
        assert_int_equal(whole.body, k);
        assert_true(fabs(volume_within(&whole, x) - volume) < 1e-12);
    }
    lithe_surface_info top;
    assert_int_equal(lithe_surface_get(r.model, lithe_find_surface(r.model, 0, "top"), &top),
                     LITHE_OK);
    assert_int_equal(top.ntri, 2 * 4 * 4);
    for (int i = 0; i < 3 * top.ntri; i++)
        assert_true(fabs(x[3 * top.tri[i] + 2] - 0.1) < 1e-12);
    assert_int_equal(lithe_nsurface(r.model), 4);
    assert_int_equal(lithe_find_surface(r.model, 1, "top"), -1);
    robot_end(&r);
}

static void quantities_have_names_and_dimensions(void **unused)
{
    (void)unused;
    robot r;
    double effort[2], displacement[2], value;
    begin(&r, LITHE_CONVERGED);
    r.actuator[0].displacement_limit[1] = 0.02;
    robot_compile(&r);
    const lithe_quantity *pull = lithe_actuator_quantity(LITHE_CABLE, LITHE_DISPLACEMENT);
    assert_string_equal(pull->name, "pull");
    assert_int_equal(pull->dimension, LITHE_DIMENSION_LENGTH);
    assert_string_equal(lithe_dimension_unit(pull->dimension), "m");
    assert_true(lithe_actuator_quantity(LITHE_SLIDER, LITHE_EFFORT)->read_only);
    assert_null(lithe_actuator_quantity((lithe_actuator_kind)99, LITHE_EFFORT)->name);
    const lithe_measure *tip = lithe_effector_measure(r.model, 0);
    assert_true(tip->npoint == 1 && tip->ncomponent == 3 && tip->axes == LITHE_XYZ);
    assert_string_equal(tip->name, "tip");
    assert_int_equal(lithe_actuator_limits(r.model, 0, effort, displacement), LITHE_OK);
    assert_true(effort[0] == 0 && effort[1] == INFINITY && displacement[1] == 0.02);
    assert_int_equal(lithe_actuator_command(r.model, 0, &value), LITHE_EFFORT);
    assert_true(value == 0.3 && !lithe_actuator_given(r.model, 0));
    assert_true(lithe_model_step(r.model)->dt == r.def.step.dt);
    robot_end(&r);
}

// The line of a cable from where it is pulled to its far end, as it is bent; where points are that
// are measured otherwise; a string that is a sensor.
static void rows_are_where_they_are_drawn(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED);
    lithe_sensor_def string = lithe_sensor_def_default(LITHE_STRING);
    lithe_effector_def both[2] = {r.tip, lithe_effector_def_default(LITHE_BARYCENTRE)};
    string.name = "string";
    string.npoint = 2;
    string.point = r.point[0];
    both[1].name = "middle";
    both[1].body = "bar";
    both[1].has_direction = true;
    both[1].direction[0] = 2;
    r.def.nsensor = 1;
    r.def.sensor = &string;
    r.def.neffector = 2;
    r.def.effector = both;
    robot_compile(&r);
    steps(&r, 1);
    double x[3][3], length = 0, middle[3], along[3], mean[3] = {0};
    const double *at = lithe_position(r.state);
    int cable = lithe_row_of_actuator(r.model, 0), measured = lithe_row_of_sensor(r.model, 0);
    int mid = lithe_row_of_effector(r.model, 1);
    assert_int_equal(lithe_row_npoint(r.model, cable), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(lithe_row_point(r.model, r.state, cable, i, x[i]), LITHE_OK);
    assert_int_equal(lithe_row_point(r.model, r.state, cable, 3, x[0]), LITHE_INVALID);
    assert_true(vec_distance(x[0], r.actuator[0].pulled_from) < 1e-15);
    assert_int_equal(lithe_row_npoint(r.model, measured), 2);
    for (int i = 0; i < 2; i++) {
        double end[3];
        assert_int_equal(lithe_row_point(r.model, r.state, measured, i, end), LITHE_OK);
        assert_true(vec_distance(end, x[i + 1]) < 1e-15);
    }
    assert_int_equal(lithe_sensor_value(r.model, r.state, 0, &length), LITHE_OK);
    assert_true(fabs(length - vec_distance(x[1], x[2])) < 1e-12);
    assert_int_equal(lithe_row_npoint(r.model, mid), 0);
    assert_true(lithe_row_centre(r.model, r.state, mid, middle));
    assert_true(lithe_row_direction(r.model, mid, along));
    assert_true(fabs(fabs(along[0]) - 1) < 1e-12 && !lithe_row_direction(r.model, cable, along));
    for (int i = 0; i < 3 * lithe_nnode(r.model); i++)
        mean[i % 3] += at[i] / lithe_nnode(r.model);
    assert_true(vec_distance(mean, middle) < 1e-12);
    assert_int_equal(lithe_nsensor(r.model), 1);
    assert_int_equal(lithe_sensor_type(r.model, 0), LITHE_STRING);
    assert_int_equal(lithe_nmaterial(r.model), 1);
    assert_false(lithe_body_is_rigid(r.model, 0));
    assert_string_equal(lithe_version(), LITHE_VERSION);
    robot_end(&r);
}

// An obstacle is found by its name, stands where it is moved, and its waypoints are told.
static void obstacles_are_where_they_are_told(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    const double time[] = {0, 2}, way[] = {0, 0, 0, 0, 0, 0, 0, 0, M_PI / 2, 0.01, 0, 0};
    lithe_obstacle_def balls[2] = {lithe_obstacle_def_default(LITHE_OBSTACLE_SPHERE),
                                   lithe_obstacle_def_default(LITHE_OBSTACLE_SPHERE)};
    for (int k = 0; k < 2; k++) {
        balls[k].name = k ? "far" : "near";
        balls[k].at[0] = 0.3 + k;
        balls[k].radius = 0.01;
    }
    balls[1].nwaypoint = 2;
    balls[1].waypoint_time = time;
    balls[1].waypoint = way;
    r.def.nobstacle = 2;
    r.def.obstacle = balls;
    robot_compile(&r);
    double motion[LITHE_MOTION], rotate[3], move[3];
    assert_int_equal(lithe_find_obstacle(r.model, "far"), 1);
    assert_int_equal(lithe_find_obstacle(r.model, "nowhere"), -1);
    assert_false(lithe_obstacle_path(r.model, 0, 1, rotate, move));
    assert_true(vec_dot(move, move) == 0 && vec_dot(rotate, rotate) == 0);
    assert_true(lithe_obstacle_path(r.model, 1, 1, rotate, move));
    assert_true(fabs(move[0] - 0.005) < 1e-15 && fabs(rotate[2] - M_PI / 4) < 1e-12);
    assert_int_equal(lithe_move_obstacle(r.model, r.state, 1, rotate, move), LITHE_OK);
    steps(&r, 1);
    assert_int_equal(lithe_obstacle_motion(r.model, r.state, 1, motion), LITHE_OK);
    assert_true(fabs(motion[5] - M_PI / 4) < 1e-12);
    assert_int_equal(lithe_obstacle_motion(r.model, r.state, 2, motion), LITHE_INVALID);
    robot_end(&r);
}

// Every function that takes a number of something, with one too few and one too many.
static void numbers_of_what_is_not_there_are_refused(void **unused)
{
    (void)unused;
    robot r;
    begin(&r, LITHE_CONVERGED);
    robot_compile(&r);
    const lithe_model *m = r.model;
    lithe_state *s = r.state;
    for (int k = 0; k < 3; k++) {
        int no = (int[]){-1, 1, 1000}[k];
        double a[8] = {5}, b[8];
        lithe_body_info info;
        lithe_surface_info surface;
        lithe_goal goal;
        lithe_contact contact;
        assert_null(lithe_body_name(m, no));
        assert_null(lithe_actuator_name(m, no));
        assert_null(lithe_effector_name(m, no));
        assert_null(lithe_sensor_name(m, no));
        assert_null(lithe_material_name(m, no));
        assert_null(lithe_load_name(m, no));
        assert_null(lithe_obstacle_name(m, no));
        assert_null(lithe_pair_name(m, no, 0));
        assert_int_equal(lithe_actuator_rows(m, no), 0);
        assert_int_equal(lithe_effector_rows(m, no), 0);
        assert_int_equal(lithe_sensor_rows(m, no), 0);
        assert_int_equal(lithe_row_of_actuator(m, no), -1);
        assert_int_equal(lithe_row_of_effector(m, no), -1);
        assert_int_equal(lithe_row_of_sensor(m, no), -1);
        assert_int_equal((int)lithe_actuator_type(m, no), -1);
        assert_int_equal((int)lithe_effector_type(m, no), -1);
        assert_int_equal(lithe_body_get(m, no, &info), LITHE_INVALID);
        assert_int_equal(lithe_surface_get(m, no > 0 ? 1000 : no, &surface), LITHE_INVALID);
        assert_null(lithe_effector_measure(m, no));
        assert_null(lithe_sensor_measure(m, no));
        assert_int_equal(lithe_goal_get(m, no, &goal), LITHE_INVALID);
        assert_int_equal(lithe_contact_get(m, s, no, &contact), LITHE_INVALID);
        assert_int_equal(lithe_actuator_limits(m, no, a, b), LITHE_INVALID);
        assert_int_equal(lithe_actuator_rates(m, no, a, b), LITHE_INVALID);
        assert_int_equal(lithe_limits(m, s, no, a, b), LITHE_INVALID);
        assert_int_equal(lithe_set_limits(m, s, no, a, b), LITHE_INVALID);
        assert_int_equal(lithe_set_rates(m, s, no, 1, 1), LITHE_INVALID);
        assert_int_equal(lithe_set_weight(m, s, no, 1), LITHE_INVALID);
        assert_int_equal(lithe_scale_material(m, s, no, 1), LITHE_INVALID);
        assert_int_equal(lithe_scale_load(m, s, no, 1), LITHE_INVALID);
        assert_int_equal(lithe_set_friction(m, s, no, 0), LITHE_INVALID);
        assert_int_equal(lithe_switch_pair(m, s, no, true), LITHE_INVALID);
        assert_int_equal(lithe_move_obstacle(m, s, no, b, b), LITHE_INVALID);
        assert_int_equal(lithe_command(m, s, no, LITHE_EFFORT, a), LITHE_INVALID);
        assert_int_equal(lithe_effort(m, s, no, a), LITHE_INVALID);
        assert_int_equal(lithe_displacement(m, s, no, a), LITHE_INVALID);
        assert_int_equal(lithe_effector_value(m, s, no, a), LITHE_INVALID);
        assert_int_equal(lithe_sensor_value(m, s, no, a), LITHE_INVALID);
        assert_int_equal(lithe_limit_multiplier(m, s, no, a, b), LITHE_INVALID);
        assert_int_equal(lithe_target_effector(m, s, no, a, false), LITHE_INVALID);
        assert_int_equal(lithe_target_sensor(m, s, no, a, false), LITHE_INVALID);
        assert_true(isnan(lithe_weight(m, s, no)) && isnan(lithe_material_scale(m, s, no)));
        assert_true(isnan(lithe_load_scale(m, s, no)) && isnan(lithe_friction(m, s, no)));
        assert_true(isnan(lithe_goal_error(m, s, no, a)) && isnan(lithe_material_young(m, no)));
        assert_true(!lithe_actuator_given(m, no) && a[0] == 5);
    }
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gravity_that_is_set_is_gravity_defined_so),
        cmocka_unit_test(gravity_pulls_on_liquids),
        cmocka_unit_test(a_material_that_is_scaled_is_the_material_defined_so),
        cmocka_unit_test(what_is_set_is_saved),
        cmocka_unit_test(limits_that_are_set_hold),
        cmocka_unit_test(limits_leave_no_command_out),
        cmocka_unit_test(efforts_come_back_at_their_rate),
        cmocka_unit_test(a_weight_that_is_set_is_a_weight_defined_so),
        cmocka_unit_test(a_tolerance_that_is_set_is_met),
        cmocka_unit_test(all_commands_are_those_one_by_one),
        cmocka_unit_test(arrays_keep_their_address_and_follow_the_steps),
        cmocka_unit_test(a_share_of_a_command_stays_within_limits),
        cmocka_unit_test(rows_have_names_values_and_efforts),
        cmocka_unit_test(positions_that_are_set_are_gone_on_from),
        cmocka_unit_test(rigid_parts_go_to_the_nearest_shape),
        cmocka_unit_test(velocities_that_are_set_carry_momentum),
        cmocka_unit_test(statics_has_no_velocities),
        cmocka_unit_test(what_a_model_is_made_of_can_be_read),
        cmocka_unit_test(quantities_have_names_and_dimensions),
        cmocka_unit_test(rows_are_where_they_are_drawn),
        cmocka_unit_test(obstacles_are_where_they_are_told),
        cmocka_unit_test(numbers_of_what_is_not_there_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
