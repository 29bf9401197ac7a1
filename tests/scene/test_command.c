#include "scene/actuator_quantity.h"
#include "scene/keys.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "units: {length: mm}\n"
    "materials: {m: {law: corotational, young: 3 kPa, poisson: 0.4}}\n"
    "bodies: {b: {mesh: f, material: m}}\n"
    "actuators:\n"
    "  north:\n"
    "    cable: {body: b, through: [[0, 0, 1]], tied_to: [0, 0, 2]}\n"
    "    limits: {pull: [0, 20]}\n"
    "  rod: {piston: {body: b, from: [0, 0, 0], to: [0, 0, 1]}}\n"
    "  air: {cavity: {body: b}}\n"
    "  oil: {liquid: {body: b, density: 900 kg/m^3, reference: [0, 0, 0]}}\n"
    "  push: {force: {body: b, at: [0, 0, 0]}, limits: {force: [-1 N, 2 N]}}\n"
    "  tap: {force: {body: b, at: [0, 0, 0], direction: [0, 0, 1]}}\n"
    "  rail: {slider: {body: b, all: true, direction: [1, 0, 0]}}\n"
    "  soft: {modulus: {body: b}, command: {young: 3 kPa}}\n";

static int read_it(void **state)
{
    return lithe_scene_read_text(text, sizeof text - 1, "s.yaml", 0, NULL, (lithe_scene **)state,
                                 NULL);
}

static int free_it(void **state)
{
    lithe_scene_free(*state);
    return 0;
}

static void assert_command(const lithe_scene *scene, const char *command, int actuator,
                           lithe_command_kind kind, double value)
{
    lithe_report report = lithe_report_default();
    int got = -1;
    lithe_command_kind got_kind;
    double got_value[3] = {0};
    if (lithe_scene_command(scene, command, &got, &got_kind, got_value, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(got, actuator);
    assert_int_equal(got_kind, kind);
    assert_true(got_value[0] == value);
}

static void commands_name_an_actuator_and_a_quantity(void **state)
{
    assert_command(*state, "north.pull=10 mm", 0, LITHE_DISPLACEMENT, 0.01);
    assert_command(*state, "north.pull=10", 0, LITHE_DISPLACEMENT, 0.01);
    assert_command(*state, "north.pull=0.5cm", 0, LITHE_DISPLACEMENT, 0.005);
    assert_command(*state, "north.tension=2N", 0, LITHE_EFFORT, 2);
    assert_command(*state, "rod.stroke=-3", 1, LITHE_DISPLACEMENT, -0.003);
    assert_command(*state, "rod.force=0", 1, LITHE_EFFORT, 0);
    assert_command(*state, "air.volume=5 ml", 2, LITHE_DISPLACEMENT, 5e-6);
    assert_command(*state, "air.pressure= -1 kPa", 2, LITHE_EFFORT, -1000);
    assert_command(*state, "oil.pressure=1kPa", 3, LITHE_EFFORT, 1000);
    assert_command(*state, "tap.force=1N", 5, LITHE_EFFORT, 1);
    assert_command(*state, "tap.displacement=1", 5, LITHE_DISPLACEMENT, 0.001);
    assert_command(*state, "rail.travel=2mm", 6, LITHE_DISPLACEMENT, 0.002);
    assert_command(*state, "soft.young=4kPa", 7, LITHE_EFFORT, 4000);
}

static void a_free_force_is_told_three_numbers(void **state)
{
    static const char *const same[] = {"push.force=[1 N, 0, -1 N]", "push.force=1N,0,-1N",
                                       "push.force= [1N,0,-1000 mN]"};
    for (int i = 0; i < 3; i++) {
        int actuator;
        lithe_command_kind kind;
        double value[3];
        lithe_report report = lithe_report_default();
        if (lithe_scene_command(*state, same[i], &actuator, &kind, value, &report) != LITHE_OK)
            fail_msg("%s", report.error);
        assert_int_equal(actuator, 4);
        assert_true(value[0] == 1 && value[1] == 0 && value[2] == -1);
    }
}

static void wrong_commands_say_what_was_meant(void **state)
{
    static const char *const wrong[][2] = {
        {"nort.pull=10mm", "nort.pull=10mm: there is no actuator 'nort': did you mean 'north'?"},
        {"wheel.pull=10mm",
         "wheel.pull=10mm: there is no actuator 'wheel'; the first of the scene is 'north'"},
        {"north.pul=10mm", "north.pul=10mm: 'north' has no 'pul': did you mean 'pull'?"},
        {"air.pull=10mm",
         "air.pull=10mm: 'air' has no 'pull' to be told; it has volume and pressure"},
        {"north.pull=10kPa",
         "north.pull=10kPa: '10kPa' is a pressure, expected a length such as '97 mm'"},
        {"north.tension=3",
         "north.tension=3: 3 has no unit; write '3 N' or declare units: {force: N}"},
        {"north.pull=30",
         "north.pull=30: pull 0.03 m is outside the limits of 'north', [0, 0.02] m; "
         "change one of them"},
        {"north.tension=-1 N", "north.tension=-1 N: tension -1 N is outside the limits of 'north', "
                               "[0, inf] N; change one of them"},
        {"rod.force=.inf", "rod.force=.inf: '.inf' must be finite here; expected a force such as "
                           "'2.5 N'"},
        {"push.force=1N", "push.force=1N: expected 3 values, such as [0, 0, -1 N]"},
        {"push.force=[1N, 2N", "push.force=[1N, 2N: expected 3 values, such as [0, 0, -1 N]"},
        {"push.force=[1N, 0, 0", "push.force=[1N, 0, 0: expected 3 values, such as [0, 0, -1 N]"},
        {"push.force=0,0,3N",
         "push.force=0,0,3N: force 3 N is outside the limits of 'push', [-1, 2] "
         "N; change one of them"},
        {"push.force=0,,0",
         "push.force=0,,0: '' is not a number; expected a force such as '2.5 N'"},
        {"rail.force=1N", "rail.force=1N: 'rail' has no 'force' to be told; it has travel"},
        {"soft.none=1", "soft.none=1: 'soft' has no 'none' to be told; it has young"},
        {"north", "north: expected NAME.QUANTITY=VALUE, such as north.pull=10mm"},
        {"north=3.0", "north=3.0: expected NAME.QUANTITY=VALUE, such as north.pull=10mm"},
        {"", ": expected NAME.QUANTITY=VALUE, such as north.pull=10mm"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lithe_report report = lithe_report_default();
        int actuator;
        lithe_command_kind kind;
        double value[3];
        assert_int_equal(lithe_scene_command(*state, wrong[i][0], &actuator, &kind, value, &report),
                         LITHE_INVALID);
        assert_string_equal(report.error, wrong[i][1]);
    }
}

static void the_key_table_and_the_command_table_agree(void **state)
{
    (void)state;
    for (int type = LITHE_CABLE; type < ACTUATOR_KINDS; type++)
        for (int kind = 0; kind < 2; kind++) {
            const lithe_quantity *q = lithe_actuator_quantity(type, kind);
            for (int b = 0; b < 2 && !q->read_only; b++) {
                keys_block block = b ? KEYS_COMMAND_OF(type) : KEYS_LIMITS_OF(type);
                const keys_row *row = keys_find(block, q->name);
                assert_non_null(row);
                assert_int_equal(row->dimension, q->dimension);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_name_an_actuator_and_a_quantity),
        cmocka_unit_test(a_free_force_is_told_three_numbers),
        cmocka_unit_test(wrong_commands_say_what_was_meant),
        cmocka_unit_test(the_key_table_and_the_command_table_agree),
    };
    return cmocka_run_group_tests(tests, read_it, free_it);
}
