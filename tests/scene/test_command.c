#include "scene/command.h"
#include "scene/keys.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "units: {length: mm}\n"
                           "materials: {m: {law: corotational, young: 3 kPa, poisson: 0.4}}\n"
                           "bodies: {b: {mesh: f, material: m}}\n"
                           "actuators:\n"
                           "  north:\n"
                           "    cable: {body: b, through: [[0, 0, 1]], tied_to: [0, 0, 2]}\n"
                           "    limits: {pull: [0, 20]}\n"
                           "  rod: {piston: {body: b, from: [0, 0, 0], to: [0, 0, 1]}}\n"
                           "  air: {cavity: {body: b}}\n";

static int read_it(void **state)
{
    return scene_read_text(text, sizeof text - 1, "s.yaml", 0, NULL, (lithe_scene **)state, NULL);
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
    double got_value = 0;
    if (scene_parse_command(scene, command, &got, &got_kind, &got_value, &report) != LITHE_OK)
        fail_msg("%s", report.error);
    assert_int_equal(got, actuator);
    assert_int_equal(got_kind, kind);
    assert_true(got_value == value);
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
}

static void wrong_commands_say_what_was_meant(void **state)
{
    static const char *const wrong[][2] = {
        {"nort.pull=10mm", "nort.pull=10mm: there is no actuator 'nort': did you mean 'north'?"},
        {"wheel.pull=10mm",
         "wheel.pull=10mm: there is no actuator 'wheel'; the first of the scene is 'north'"},
        {"north.pul=10mm", "north.pul=10mm: 'north' has no 'pul': did you mean 'pull'?"},
        {"air.pull=10mm", "air.pull=10mm: 'air' has no 'pull'; it has volume and pressure"},
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
        {"north", "north: expected NAME.QUANTITY=VALUE, such as north.pull=10mm"},
        {"north=3.0", "north=3.0: expected NAME.QUANTITY=VALUE, such as north.pull=10mm"},
        {"", ": expected NAME.QUANTITY=VALUE, such as north.pull=10mm"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        lithe_report report = lithe_report_default();
        int actuator;
        lithe_command_kind kind;
        double value;
        assert_int_equal(
            scene_parse_command(*state, wrong[i][0], &actuator, &kind, &value, &report),
            LITHE_INVALID);
        assert_string_equal(report.error, wrong[i][1]);
    }
}

static void the_key_table_and_the_command_table_agree(void **state)
{
    (void)state;
    static const keys_block blocks[3][2] = {{KEYS_CABLE_LIMITS, KEYS_CABLE_COMMAND},
                                            {KEYS_PISTON_LIMITS, KEYS_PISTON_COMMAND},
                                            {KEYS_CAVITY_LIMITS, KEYS_CAVITY_COMMAND}};
    for (int type = 0; type < 3; type++)
        for (int kind = 0; kind < 2; kind++) {
            const command_quantity *q = command_quantity_of(type, kind);
            for (int b = 0; b < 2; b++) {
                const keys_row *row = keys_find(blocks[type][b], q->name);
                assert_non_null(row);
                assert_int_equal(row->dimension, q->dimension);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_name_an_actuator_and_a_quantity),
        cmocka_unit_test(wrong_commands_say_what_was_meant),
        cmocka_unit_test(the_key_table_and_the_command_table_agree),
    };
    return cmocka_run_group_tests(tests, read_it, free_it);
}
