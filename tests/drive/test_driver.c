// The closed loop on a clock of its own: a robot that is softer than its model, lags, and is told
// and heard over nothing but numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

#include "lithe/drive.h"

enum { CABLES = 3, AXES = 3, CYCLES = 150 };
#define DT   0.05
#define TAUT 1e-3 // m: cables that hang loose tell a Jacobian nothing

typedef struct loop {
    robot model, machine;
    lithe_goal_def goal;
    double point[6], time[2];
    lithe_channel_def out[CABLES], in[1 + CABLES];
    lithe_plant_actuator_def lag[CABLES];
    lithe_plant_sensor_def noise;
    lithe_drive_def def;
    lithe_driver *driver;
    lithe_plant *plant;
    // of the run
    double now, value[8], sent[CYCLES][CABLES];
    long number, answered;
    lithe_order order;
    double worst; // error once the path has ended, m
} loop;

static void build(loop *l, robot *r, double young)
{
    static const char *const name[] = {"a", "b", "c"};
    robot_begin(r, false);
    robot_coarsen(r);
    for (int k = 0; k < CABLES; k++) {
        double angle = 2.0943951023931953 * k;
        add_cable_at(r, name[k], 0.008 * cos(angle), 0.008 * sin(angle));
        r->actuator[k].command = LITHE_DISPLACEMENT;
        r->actuator[k].value[0] = TAUT;
        r->actuator[k].displacement_limit[0] = 0;
        r->actuator[k].displacement_limit[1] = 0.01;
    }
    r->tip.axes = LITHE_X | LITHE_Y;
    r->material.young = young;
    r->def.gravity[0] = 3; // what the machine's softness is seen by
    r->def.step.mode = LITHE_REALTIME;
    r->def.step.dt = DT;
    l->goal = lithe_goal_def_default(LITHE_WAYPOINTS);
    l->goal.effector = "tip";
    l->goal.npoint = 2;
    l->goal.point = l->point;
    l->goal.time = l->time;
    r->def.task.ngoal = 1;
    r->def.task.goal = &l->goal;
}

static void begin_with(loop *l, lithe_feedback law, double young)
{
    static const char *const name[] = {"a", "b", "c"};
    memset(l, 0, sizeof *l);
    memcpy(l->point, (double[]){0.002, 0, 0.006, 0.003}, 4 * sizeof(double));
    l->time[1] = 4;
    build(l, &l->model, 1e5);
    build(l, &l->machine, young);
    robot_compile(&l->model);
    robot_compile(&l->machine);
    l->def = lithe_drive_def_default();
    for (int k = 0; k < CABLES; k++) {
        l->out[k] = lithe_channel_def_default();
        l->out[k].name = name[k];
        l->out[k].kind = LITHE_DISPLACEMENT;
        l->out[k].unit = 1e-3;
        l->out[k].scale = 2;
        l->out[k].offset = 100;
        l->out[k].safe = TAUT;
        l->out[k].rate = 0.02;
        l->out[k].ramp = 0.1;
        l->lag[k] = (lithe_plant_actuator_def){.name = name[k], .lag = 0.05, .rate = INFINITY};
    }
    l->in[0] = lithe_channel_def_default();
    l->in[0].name = "tip";
    l->in[0].unit = 1e-3;
    l->in[0].limit[0] = -0.05;
    l->in[0].limit[1] = 0.05;
    l->noise = (lithe_plant_sensor_def){.name = "tip", .noise = 1e-6};
    l->def.wire.out = l->out;
    l->def.wire.nout = CABLES;
    l->def.wire.in = l->in;
    l->def.wire.nin = 1;
    l->def.wire.hold = 0.12;
    l->def.wire.safe = 0.3;
    l->def.plant.actuator = l->lag;
    l->def.plant.nactuator = CABLES;
    l->def.plant.sensor = &l->noise;
    l->def.plant.nsensor = 1;
    l->def.feedback.law = law;
    l->def.feedback.gains = (lithe_gains){0.5, 0.05};
    for (int i = 0; i < AXES; i++) {
        l->def.feedback.kp[i] = 0.3;
        l->def.feedback.ki[i] = 3;
    }
}

static void begin(loop *l, lithe_feedback law)
{
    begin_with(l, law, 0.8e5);
}

static void create(loop *l)
{
    lithe_report report = lithe_report_default();
    lithe_status status = lithe_driver_create(l->model.model, &l->def, 1, &l->driver, &report);
    if (status == LITHE_OK)
        status = lithe_plant_create(l->machine.model, &l->def, 1, &l->plant, &report);
    if (status != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(lithe_driver_nout(l->driver), CABLES);
    assert_int_equal(lithe_plant_nin(l->plant), 1 + l->def.wire.nin);
    l->answered = -1;
    lithe_plant_read(l->plant, l->value);
}

static void end(loop *l)
{
    lithe_driver_free(l->driver);
    lithe_plant_free(l->plant);
    robot_end(&l->model);
    robot_end(&l->machine);
}

static lithe_status hear(loop *l)
{
    lithe_reading r = {.number = l->number++,
                       .time = l->now + 7,
                       .echo = l->answered,
                       .echo_time = l->now + 7,
                       .value = l->value};
    return lithe_driver_hear(l->driver, l->now, &r);
}

// One period: the machine's reading unless it is silent, an order, and what the machine makes of
// it.
static void go_on(loop *l, bool silent)
{
    l->now += DT;
    if (!silent)
        hear(l);
    assert_int_equal(lithe_driver_cycle(l->driver, l->now, &l->order), LITHE_OK);
    if (l->order.send) {
        assert_int_equal(lithe_plant_tell(l->plant, l->order.value), LITHE_OK);
        l->answered = l->order.number;
    }
    assert_int_equal(lithe_plant_step(l->plant), LITHE_OK);
    lithe_plant_read(l->plant, l->value);
}

static void go_on_for(loop *l, int periods, bool silent)
{
    for (int k = 0; k < periods; k++)
        go_on(l, silent);
}

// So many periods in which all is well. resume: it may go on by itself when a lost machine is back.
static void set_out(loop *l, lithe_feedback law, bool resume, int periods)
{
    begin(l, law);
    l->def.wire.resume = resume;
    create(l);
    go_on_for(l, periods, false);
}

// It counts from the beginning, and has heard nothing.
static void start_again(loop *l)
{
    l->number = 0;
    l->answered = -1;
}

static void assert_within_limits(const loop *l)
{
    for (int i = 0; i < CABLES; i++)
        assert_true(l->order.value[i] >= 100 && l->order.value[i] <= 120 + 1e-12);
}

static void run(loop *l)
{
    create(l);
    for (int k = 0; k < CYCLES; k++) {
        go_on(l, false);
        assert_within_limits(l);
        memcpy(l->sent[k], l->order.value, sizeof l->sent[k]);
        const double *target = lithe_driver_targets(l->driver);
        const double *asked = lithe_driver_asked(l->driver);
        double off = 0;
        for (int i = 0; i < 2; i++) {
            assert_true(isfinite(asked[CABLES + i]));
            double e =
                target[CABLES + i] - lithe_row_values(lithe_plant_state(l->plant))[CABLES + i];
            off += e * e;
        }
        l->worst = k > 2 * CYCLES / 3 ? fmax(l->worst, sqrt(off)) : 0;
    }
}

static double error_of(lithe_feedback law)
{
    loop *l = test_malloc(sizeof *l);
    begin(l, law);
    run(l);
    double worst = l->worst;
    end(l);
    test_free(l);
    return worst;
}

static void both_loops_take_most_of_the_error_away(void **state)
{
    (void)state;
    double open = error_of(LITHE_FEEDBACK_NONE);
    assert_true(open > 3e-4); // 0.3 mm: there is something to correct
    double task = error_of(LITHE_FEEDBACK_TASK), jacobian = error_of(LITHE_FEEDBACK_JACOBIAN);
    if (!(task < 0.2 * open && jacobian < 0.2 * open))
        fail_msg("%g open, %g in task space, %g by the Jacobian", open, task, jacobian);
}

// Half of the way along a straight path, at its steady speed: how far the machine is from where it
// should be.
static double behind(lithe_feedback law, double young, double late, double delay, double lead)
{
    loop *l = test_malloc(sizeof *l);
    begin_with(l, law, young);
    l->noise.delay = late;
    l->def.feedback.delay = delay;
    l->def.feedback.lead = lead;
    for (int k = 0; k < CABLES; k++)
        l->lag[k].lag = 0.2;
    create(l);
    double sum = 0, n = 0;
    for (int k = 0; k < CYCLES; k++) {
        go_on(l, false);
        const double *target = lithe_driver_targets(l->driver) + CABLES;
        const double *tip = lithe_row_values(lithe_plant_state(l->plant)) + CABLES;
        double along = lithe_driver_done(l->driver) - lithe_driver_approach(l->driver);
        if (along * DT > 2 && along * DT < 4) {
            sum += hypot(target[0] - tip[0], target[1] - tip[1]);
            n++;
        }
    }
    end(l);
    test_free(l);
    assert_true(n > 30);
    return sum / n;
}

static void a_lead_makes_up_for_a_lag(void **state)
{
    (void)state;
    double late = behind(LITHE_FEEDBACK_NONE, 1e5, 0, 0, 0);
    double early = behind(LITHE_FEEDBACK_NONE, 1e5, 0, 0, 0.2);
    double speed = 0.00125; // 4 mm by 3 mm in 4 s; it lags by its speed times 0.2 s
    if (!(late > 0.8 * 0.2 * speed && early < 0.2 * late))
        fail_msg("%g m off without a lead, %g m with", late, early);
}

static void late_readings_are_compared_with_what_was_wanted_then(void **state)
{
    (void)state;
    double unknown = behind(LITHE_FEEDBACK_TASK, 0.8e5, 0.2, 0, 0.2);
    double known = behind(LITHE_FEEDBACK_TASK, 0.8e5, 0.2, 0.2, 0.2);
    if (!(known < 0.5 * unknown))
        fail_msg("%g m off where the delay is not known, %g m where it is", unknown, known);
}

static void the_same_readings_give_the_same_bits(void **state)
{
    (void)state;
    loop *a = test_malloc(sizeof *a), *b = test_malloc(sizeof *b);
    begin(a, LITHE_FEEDBACK_TASK);
    begin(b, LITHE_FEEDBACK_TASK);
    run(a);
    run(b);
    assert_memory_equal(a->sent, b->sent, sizeof a->sent);
    end(a);
    end(b);
    test_free(a);
    test_free(b);
}

static void nothing_is_sent_before_the_machine_speaks(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    create(&l);
    go_on_for(&l, 20, true);
    assert_false(l.order.send);
    assert_int_equal(lithe_driver_done(l.driver), 0);
    go_on(&l, false);
    assert_true(l.order.send && l.order.mode == LITHE_GATE_OPEN);
    for (int i = 0; i < CABLES; i++) // from the safe state, no farther than a ramp allows
        assert_true(fabs(l.order.value[i] - 102) <= 2e3 * 0.02 / 0.1 * DT * DT + 1e-9);
    end(&l);
}

static void silence_is_held_and_then_safe_and_the_task_waits(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, false, 60);
    int done = lithe_driver_done(l.driver);
    go_on_for(&l, 5, true);
    assert_int_equal(l.order.mode, LITHE_GATE_HOLD);
    assert_within_limits(&l);
    go_on_for(&l, 100, true);
    assert_int_equal(l.order.mode, LITHE_GATE_SAFE);
    assert_true(lithe_driver_done(l.driver) <= done + 3);
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(l.order.value[i] - 102) < 1e-6);
    go_on(&l, false);
    assert_int_equal(l.order.mode, LITHE_GATE_SAFE); // nobody said that it may resume
    end(&l);
}

// One period in which the machine is heard and hears nothing.
static void go_unheard(loop *l, bool in_time)
{
    l->now += DT;
    assert_int_equal(hear(l), in_time ? LITHE_OK : LITHE_INVALID);
    assert_int_equal(lithe_driver_cycle(l->driver, l->now, &l->order), LITHE_OK);
    assert_within_limits(l);
    lithe_plant_rest(l->plant); // as a machine does that hears nothing
    assert_int_equal(lithe_plant_step(l->plant), LITHE_OK);
    lithe_plant_read(l->plant, l->value);
}

// Nobody knows where its motors are then: it went to its safe state by itself.
static void a_machine_that_no_longer_hears_is_lost_however_it_speaks(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, true, 60);
    for (int k = 0; k < 7; k++) // the safe time is 6 periods, and one is on the way
        go_unheard(&l, true);
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    for (int k = 0; k < 300; k++) {
        go_unheard(&l, false);
        assert_int_equal(l.order.mode, LITHE_GATE_SAFE);
    }
    const char *why = lithe_gate_reason(lithe_driver_gate(l.driver));
    assert_non_null(strstr(why, "no order has arrived"));
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(l.order.value[i] - 102) < 1e-6);
    l.answered = l.order.number;
    go_on(&l, false); // it hears again
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(l.order.value[i] - 102) < 2); // from there, along the ramps
    end(&l);
}

// One that does not tell what it heard is believed to hear.
static void a_machine_that_echoes_nothing_is_driven_on(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    create(&l);
    for (int k = 0; k < 60; k++) {
        l.answered = -1;
        go_on(&l, false);
    }
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    end(&l);
}

static void a_machine_that_is_started_again_is_driven_on(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, true, 40);
    lithe_driver_lose(l.driver, "the connection is lost");
    go_on_for(&l, 40, true);
    assert_int_equal(l.order.mode, LITHE_GATE_SAFE);
    start_again(&l);
    go_on_for(&l, 15, false);
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    end(&l);
}

// Its motors are in the safe state then, wherever they were before: an order on the way there would
// throw them back.
static void a_machine_that_is_started_again_at_once_is_met_where_it_is(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, true, 80);
    assert_true(fabs(l.order.value[0] - 102) > 1); // far from the safe state
    start_again(&l);
    bool found = false;
    for (int k = 0; k < 60 && !found; k++) {
        go_on(&l, false);
        found = l.order.mode == LITHE_GATE_OPEN;
        assert_true(l.order.send == found && (!found || k > 6));
    }
    assert_true(found);
    for (int i = 0; i < CABLES; i++) // from the safe state, no farther than a ramp allows
        assert_true(fabs(l.order.value[i] - 102) <= 2e3 * 0.02 / 0.1 * DT * DT + 0.02 + 1e-9);
    end(&l);
}

// Readings that were on the way for long, after newer ones: nobody was started again.
static void a_machine_that_remembers_our_orders_is_brought_back_by_them(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, false, 80);
    assert_true(fabs(l.order.value[0] - 102) > 1);
    l.number = 20;
    for (int k = 0; k < 60; k++) {
        go_on(&l, false);
        assert_true(l.order.send);
    }
    assert_int_equal(l.order.mode, LITHE_GATE_SAFE);
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(l.order.value[i] - 102) < 1e-6);
    end(&l);
}

// The connection was cut for a moment: motors are still on their way to where they were told.
static void a_machine_that_was_lost_for_a_moment_is_waited_for(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, true, 80);
    l.answered -= 3; // the last orders never came
    lithe_driver_lose(l.driver, "the connection is lost");
    double lost = l.now;
    go_on(&l, false);
    for (int k = 0; k < 60 && l.order.mode != LITHE_GATE_OPEN; k++) {
        assert_false(l.order.send);
        go_on(&l, false);
    }
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    assert_true(l.now - lost > l.def.wire.safe);
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(l.order.value[i] - 102) <= 2e3 * 0.02 / 0.1 * DT * DT + 1e-9);
    for (int k = 0; k < 20; k++) {
        go_on(&l, false);
        assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    }
    end(&l);
}

// Who drives a machine after a program that was killed must not begin before that machine has gone
// to its safe state, nor while somebody else drives it.
static void nobody_begins_while_a_machine_obeys_somebody_else(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) { // by the machine's stamps, or by what it echoes alone
        loop l;
        begin(&l, LITHE_FEEDBACK_TASK);
        create(&l);
        double heard = 0;
        for (int k = 0; k < 60; k++) {
            l.now += DT;
            heard = k < 30 ? l.now : heard; // the other drive ends then
            lithe_reading r = {.number = l.number++,
                               .time = l.now + 7,
                               .echo = 1000 + (k < 30 ? k : 29),
                               .echo_time = told ? heard + 7 : NAN,
                               .value = l.value};
            assert_int_equal(lithe_driver_hear(l.driver, l.now, &r), LITHE_OK);
            assert_int_equal(lithe_driver_cycle(l.driver, l.now, &l.order), LITHE_OK);
            double idle = l.now - heard - l.def.wire.safe - DT;
            assert_true(l.order.send == (idle > 0) || fabs(idle) < 1e-9);
            if (!l.order.send)
                assert_non_null(strstr(lithe_gate_reason(lithe_driver_gate(l.driver)),
                                       "obeys orders of somebody else"));
        }
        assert_true(l.order.send);
        end(&l);
    }
}

static void measure_cables(loop *l)
{
    for (int k = 0; k < CABLES; k++) {
        l->in[1 + k] = l->out[k];
        l->in[1 + k].limit[0] = -INFINITY;
        l->in[1 + k].limit[1] = INFINITY;
        l->lag[k].lag = 0.4; // what is told and what is measured are far from each other
    }
    l->def.wire.nin = 1 + CABLES;
}

// Sensors fall silent and speak again while outputs are on the way to the safe state.
static void outputs_that_are_measured_do_not_jump_when_readings_come_again(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    l.def.wire.resume = true;
    measure_cables(&l);
    create(&l);
    double last[CABLES] = {0}, speed[CABLES] = {0};
    bool safe = false;
    for (int k = 0; k < 200; k++) {
        go_on(&l, k >= 80 && k < 89);
        for (int i = 0; i < CABLES && k > 0; i++) {
            double v = (l.order.value[i] - last[i]) / DT;
            assert_true(fabs(v) <= 2e3 * 0.02 * (1 + 1e-9));
            assert_true(fabs(v - speed[i]) <= 2e3 * 0.02 / 0.1 * DT * (1 + 1e-9));
            speed[i] = v;
        }
        memcpy(last, l.order.value, sizeof last);
        safe = safe || l.order.mode == LITHE_GATE_SAFE;
    }
    assert_true(safe);
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    end(&l);
}

static void readings_that_cannot_be_are_not_believed(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    l.in[0].stuck = 0.2;
    create(&l);
    go_on_for(&l, 5, false);
    double good = l.value[0];
    l.value[0] = NAN;
    assert_int_equal(hear(&l), LITHE_INVALID);
    assert_non_null(strstr(lithe_driver_text(l.driver), "'tip' is no number"));
    l.value[0] = 51;
    assert_int_equal(hear(&l), LITHE_INVALID);
    assert_non_null(strstr(lithe_driver_text(l.driver), "limits"));
    l.value[0] = good;
    assert_int_equal(hear(&l), LITHE_OK);
    l.number--;
    assert_int_equal(hear(&l), LITHE_INVALID);
    assert_non_null(strstr(lithe_driver_text(l.driver), "not new"));
    l.now += 0.3; // the same numbers for too long
    assert_int_equal(hear(&l), LITHE_INVALID);
    assert_non_null(strstr(lithe_driver_text(l.driver), "stuck"));
    lithe_drive_report r = lithe_driver_report(l.driver);
    assert_true(r.refused == 3 && r.repeated == 1);
    l.now += DT;
    assert_int_equal(lithe_driver_cycle(l.driver, l.now, &l.order), LITHE_OK);
    assert_int_equal(l.order.mode, LITHE_GATE_SAFE);
    assert_non_null(strstr(lithe_gate_reason(lithe_driver_gate(l.driver)),
                           "ms: the reading of 'tip' is stuck"));
    end(&l);
}

static void clocks_and_gaps_are_told(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_NONE);
    create(&l);
    for (int k = 0; k < 10; k++) {
        go_on(&l, false);
        l.number += k == 4 ? 3 : 0;
    }
    lithe_drive_report r = lithe_driver_report(l.driver);
    assert_int_equal(r.missing, 3);
    assert_true(fabs(r.offset - 7) <= DT && fabs(r.age) <= DT && r.heard == 10);
    end(&l);
}

// What a cycle computes is on the way from a sensor to an order, too.
static void the_age_of_a_reading_is_counted_until_its_order_leaves(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_NONE, false, 5);
    double begun = lithe_driver_report(l.driver).age;
    lithe_driver_sent(l.driver, l.now + 0.02);
    assert_true(fabs(lithe_driver_report(l.driver).age - begun - 0.02) < 1e-9);
    go_on(&l, true);
    lithe_driver_sent(l.driver, l.now);
    assert_true(isnan(lithe_driver_report(l.driver).age)); // of no reading
    end(&l);
}

// As a small board's does after 71 minutes, or one that was started again.
static void a_clock_that_goes_back_is_another_one(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_NONE, false, 10);
    l.now += DT;
    double answered = l.now + 7; // by the clock as it was
    for (int k = 0; k < 3; k++) {
        lithe_reading r = {.number = l.number++,
                           .time = l.now - 4000,
                           .echo = l.answered,
                           .echo_time = k ? l.now - 4000 : answered,
                           .value = l.value};
        assert_int_equal(lithe_driver_hear(l.driver, l.now, &r), LITHE_OK);
        assert_int_equal(lithe_driver_cycle(l.driver, l.now, &l.order), LITHE_OK);
        lithe_drive_report told = lithe_driver_report(l.driver);
        assert_true(k ? fabs(told.age) <= DT : isnan(told.age));
        assert_true(k ? fabs(told.offset + 4000) <= DT : isnan(told.offset));
        l.answered = l.order.number;
        l.now += DT;
    }
    end(&l);
}

static void a_stop_goes_to_the_safe_state_for_good(void **state)
{
    (void)state;
    loop l;
    set_out(&l, LITHE_FEEDBACK_TASK, true, 60);
    lithe_driver_stop(l.driver, "key");
    go_on_for(&l, 60, false);
    assert_int_equal(l.order.mode, LITHE_GATE_STOP);
    assert_true(fabs(l.order.value[0] - 102) < 1e-6);
    end(&l);
}

// Outputs of a cycle that fails, from where they were to the safe state and no faster than they
// may.
static void assert_ramps_to_safe(loop *l, double *last, double *speed)
{
    const double rate = 2e3 * 0.02, most = rate / 0.1; // wire's units, a second and its square
    for (int i = 0; i < CABLES; i++) {
        double v = (l->order.value[i] - last[i]) / DT;
        assert_true(fabs(v) <= rate * (1 + 1e-9) && fabs(v - speed[i]) <= most * DT * (1 + 1e-9));
        last[i] = l->order.value[i];
        speed[i] = v;
    }
}

static void a_model_that_fails_is_stopped_along_the_ramps(void **state)
{
    (void)state;
    double last[CABLES], speed[CABLES];
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    l.in[0].limit[1] = INFINITY; // so that what makes no sense is believed
    l.in[0].unit = 1;
    l.def.feedback.kp[0] = 1;
    l.def.wire.resume = true;
    create(&l);
    for (int k = 0; k < 40; k++) {
        memcpy(last, l.order.value ? l.order.value : l.sent[0], sizeof last);
        go_on(&l, false);
    }
    for (int i = 0; i < CABLES; i++)
        speed[i] = (l.order.value[i] - last[i]) / DT;
    memcpy(last, l.order.value, sizeof last);
    l.now += DT;
    l.value[0] = 1.7e308; // m, times kp + ki dt: no number
    hear(&l);
    assert_int_equal(lithe_driver_cycle(l.driver, l.now, &l.order), LITHE_INVALID);
    assert_non_null(strstr(lithe_driver_text(l.driver), "the model failed"));
    assert_non_null(strstr(lithe_driver_text(l.driver), "not a finite number"));
    for (int k = 0; k < 60; k++) {
        assert_true(l.order.send && l.order.mode == LITHE_GATE_STOP);
        assert_within_limits(&l);
        assert_ramps_to_safe(&l, last, speed);
        l.value[0] = 1e-3;
        go_on(&l, false); // readings that are good again change nothing
    }
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(last[i] - 102) < 1e-6);
    assert_non_null(strstr(lithe_gate_reason(lithe_driver_gate(l.driver)), "the model failed"));
    end(&l);
}

static bool always(void *unused)
{
    (void)unused;
    return true;
}

static void a_model_that_never_converges_is_not_driven_on(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    robot_end(&l.model);
    build(&l, &l.model, 1e5);
    l.model.def.step.mode = LITHE_CONVERGED;
    robot_compile(&l.model);
    create(&l);
    go_on_for(&l, 20, false);
    lithe_watch(lithe_driver_state(l.driver), always, NULL);
    double begun = l.now;
    for (int k = 0; k < 40; k++) {
        l.now += DT;
        lithe_plant_read(l.plant, l.value);
        hear(&l);
        lithe_status status = lithe_driver_cycle(l.driver, l.now, &l.order);
        l.answered = l.order.number;
        double failing = l.now - begun - DT;
        if (fabs(failing - l.def.wire.safe) > 1e-9)
            assert_int_equal(l.order.mode,
                             failing > l.def.wire.safe ? LITHE_GATE_SAFE : LITHE_GATE_OPEN);
        assert_true(l.order.mode == LITHE_GATE_SAFE || status == LITHE_NOT_CONVERGED);
        assert_within_limits(&l);
    }
    for (int i = 0; i < CABLES; i++)
        assert_true(fabs(l.order.value[i] - 102) < 1e-6);
    assert_non_null(
        strstr(lithe_gate_reason(lithe_driver_gate(l.driver)), "no step of the model converged"));
    end(&l);
}

// A model that has gone astray would never find back by itself.
static void a_machine_that_is_driven_on_has_a_model_that_begins_anew(void **state)
{
    (void)state;
    loop l;
    bool safe = false;
    begin(&l, LITHE_FEEDBACK_TASK);
    robot_end(&l.model);
    build(&l, &l.model, 1e5);
    l.model.material.law = LITHE_NEO_HOOKEAN;
    for (int i = 0; i < CABLES; i++)
        l.model.actuator[i].displacement_limit[1] = 0.04;
    robot_compile(&l.model);
    l.in[0].limit[1] = INFINITY; // so that what makes no sense is believed
    l.in[0].unit = 1;
    l.def.wire.resume = true;
    create(&l);
    for (int k = 0; k < 2 * CYCLES; k++) {
        l.now += DT;
        lithe_plant_read(l.plant, l.value);
        if (k > 40 && !safe)
            l.value[0] = 1e4 * sin(k); // m
        hear(&l);
        lithe_status status = lithe_driver_cycle(l.driver, l.now, &l.order);
        assert_true(!safe || status == LITHE_OK);
        safe = safe || l.order.mode == LITHE_GATE_SAFE;
        lithe_plant_tell(l.plant, l.order.value);
        assert_int_equal(lithe_plant_step(l.plant), LITHE_OK);
    }
    assert_true(safe && lithe_driver_report(l.driver).failed > 0);
    assert_int_equal(l.order.mode, LITHE_GATE_OPEN);
    const double *target = lithe_driver_targets(l.driver) + CABLES;
    const double *tip = lithe_row_values(lithe_plant_state(l.plant)) + CABLES;
    assert_true(hypot(target[0] - tip[0], target[1] - tip[1]) < 2e-4);
    end(&l);
}

static void assert_refused(const loop *l, const char *why)
{
    lithe_report report = lithe_report_default();
    lithe_driver *driver;
    assert_int_equal(lithe_driver_create(l->model.model, &l->def, 1, &driver, &report),
                     LITHE_INVALID);
    assert_non_null(strstr(report.error, why));
}

static void what_is_not_complete_is_refused(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_TASK);
    l.def.wire.nout = 2;
    assert_refused(&l, "'c' is not on the wire");
    l.def.wire.nout = 3;
    l.out[1].safe = 0.02;
    assert_refused(&l, "safe");
    l.out[1].safe = 0;
    l.out[1].kind = LITHE_EFFORT; // a tension has no upper limit of its own
    assert_refused(&l, "no finite limits");
    l.out[1].kind = LITHE_DISPLACEMENT;
    l.out[1].rate = INFINITY;
    assert_refused(&l, "add rate: VALUE");
    l.out[1].rate = 0.02;
    l.out[1].scale = 1e305;
    l.out[1].offset = 1.7976e308;
    assert_refused(&l, "'b' is no number on the wire");
    l.out[1].scale = 2;
    l.out[1].offset = 100;
    l.in[0].name = "tap";
    assert_refused(&l, "'tap'");
    l.in[0].name = "tip";
    double *number[] = {&l.def.feedback.delay, &l.def.feedback.lead,  &l.def.feedback.kp[1],
                        &l.def.feedback.ki[0], &l.def.feedback.kd[2], &l.def.feedback.filter,
                        &l.in[0].stuck,        &l.def.feedback.windup};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        for (int k = 0; k < 2; k++) {
            double well = *number[i];
            *number[i] = k ? NAN : -1;
            assert_refused(&l, "");
            *number[i] = well;
        }
    robot_end(&l.model);
    robot_end(&l.machine);
}

static void a_plant_of_which_a_number_makes_no_sense_is_refused(void **state)
{
    (void)state;
    lithe_report report = lithe_report_default();
    lithe_plant_load_def load = {.name = "none", .until = INFINITY, .every = INFINITY, .factor = 1};
    lithe_plant *plant;
    loop l;
    begin(&l, LITHE_FEEDBACK_NONE);
    double *number[] = {&l.lag[0].lag,      &l.lag[1].rate,    &l.lag[0].dead_band,
                        &l.lag[0].backlash, &l.noise.noise,    &l.noise.quantum,
                        &l.noise.delay,     &l.def.plant.lost, &l.lag[2].wrap};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        for (int k = 0; k < 2; k++) {
            double well = *number[i];
            *number[i] = k ? NAN : -0.1;
            assert_int_equal(lithe_plant_create(l.machine.model, &l.def, 1, &plant, &report),
                             LITHE_INVALID);
            *number[i] = well;
        }
    l.def.plant.load = &load;
    l.def.plant.nload = 1;
    for (int k = 0; k < 4; k++) {
        lithe_plant_load_def one = load;
        *(k == 0 ? &one.from : k == 1 ? &one.until : k == 2 ? &one.every : &one.factor) = NAN;
        l.def.plant.load = &one;
        assert_int_equal(lithe_plant_create(l.machine.model, &l.def, 1, &plant, &report),
                         LITHE_INVALID);
        assert_non_null(strstr(report.error, "of the load"));
    }
    robot_end(&l.model);
    robot_end(&l.machine);
}

static long allocated, until_refusal, outstanding;

static void *count_allocate(size_t bytes)
{
    allocated++;
    if (until_refusal-- == 0)
        return NULL;
    outstanding++;
    return malloc(bytes);
}

static void count_release(void *memory)
{
    outstanding -= memory != NULL;
    free(memory);
}

static void a_cycle_allocates_nothing(void **state)
{
    (void)state;
    for (int law = LITHE_FEEDBACK_NONE; law <= LITHE_FEEDBACK_JACOBIAN; law++) {
        loop l;
        until_refusal = -1;
        lithe_set_allocator(count_allocate, count_release);
        begin(&l, (lithe_feedback)law);
        create(&l);
        go_on(&l, false);
        allocated = 0;
        for (int k = 0; k < 20; k++)
            go_on(&l, false);
        assert_int_equal(allocated, 0);
        end(&l);
        lithe_set_allocator(NULL, NULL);
    }
}

static void every_refused_request_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    loop l;
    begin(&l, LITHE_FEEDBACK_JACOBIAN);
    lithe_set_allocator(count_allocate, count_release);
    for (long k = 0;; k++) {
        lithe_report report = lithe_report_default();
        lithe_driver *driver = NULL;
        lithe_plant *plant = NULL;
        until_refusal = k;
        outstanding = 0;
        lithe_status status = lithe_driver_create(l.model.model, &l.def, 1, &driver, &report);
        if (status == LITHE_OK)
            status = lithe_plant_create(l.machine.model, &l.def, 1, &plant, &report);
        lithe_driver_free(driver);
        lithe_plant_free(plant);
        assert_int_equal(outstanding, 0);
        if (until_refusal >= 0)
            break;
        if (status != LITHE_NO_MEMORY || !report.error[0])
            fail_msg("refusal %ld gives status %d, '%s'", k, status, report.error);
    }
    lithe_set_allocator(NULL, NULL);
    robot_end(&l.model);
    robot_end(&l.machine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_loops_take_most_of_the_error_away),
        cmocka_unit_test(a_lead_makes_up_for_a_lag),
        cmocka_unit_test(late_readings_are_compared_with_what_was_wanted_then),
        cmocka_unit_test(the_same_readings_give_the_same_bits),
        cmocka_unit_test(nothing_is_sent_before_the_machine_speaks),
        cmocka_unit_test(silence_is_held_and_then_safe_and_the_task_waits),
        cmocka_unit_test(a_machine_that_no_longer_hears_is_lost_however_it_speaks),
        cmocka_unit_test(a_machine_that_echoes_nothing_is_driven_on),
        cmocka_unit_test(a_machine_that_is_started_again_is_driven_on),
        cmocka_unit_test(a_machine_that_is_started_again_at_once_is_met_where_it_is),
        cmocka_unit_test(a_machine_that_remembers_our_orders_is_brought_back_by_them),
        cmocka_unit_test(a_machine_that_was_lost_for_a_moment_is_waited_for),
        cmocka_unit_test(nobody_begins_while_a_machine_obeys_somebody_else),
        cmocka_unit_test(outputs_that_are_measured_do_not_jump_when_readings_come_again),
        cmocka_unit_test(readings_that_cannot_be_are_not_believed),
        cmocka_unit_test(clocks_and_gaps_are_told),
        cmocka_unit_test(the_age_of_a_reading_is_counted_until_its_order_leaves),
        cmocka_unit_test(a_clock_that_goes_back_is_another_one),
        cmocka_unit_test(a_stop_goes_to_the_safe_state_for_good),
        cmocka_unit_test(a_model_that_fails_is_stopped_along_the_ramps),
        cmocka_unit_test(a_model_that_never_converges_is_not_driven_on),
        cmocka_unit_test(a_machine_that_is_driven_on_has_a_model_that_begins_anew),
        cmocka_unit_test(what_is_not_complete_is_refused),
        cmocka_unit_test(a_plant_of_which_a_number_makes_no_sense_is_refused),
        cmocka_unit_test(a_cycle_allocates_nothing),
        cmocka_unit_test(every_refused_request_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
