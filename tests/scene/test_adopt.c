// Definitions of an older program: structs that end earlier than ours, in arrays and inside of the
// definition, are read as if what they lack had been left at its default.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

#include <stdlib.h>

// A bar with two cables and a load, everything as in its defaults beyond what old structs had.
static void begin(robot *r)
{
    robot_begin(r, false);
    r->def.gravity[2] = -9.81;
    add_cable(r, "east", 0.008);
    add_cable(r, "west", -0.008);
    r->actuator[0].value[0] = 0.2;
    r->actuator[1].effort_limit[1] = 3;
    r->def.nload = 1;
    r->load[0] = lithe_load_def_default();
    r->load[0].name = "push";
    r->load[0].body = "bar";
    r->load[0].kind = LITHE_TRACTION;
    r->load[0].surface = "top";
    r->load[0].total = true;
    r->load[0].value[0] = 0.02;
    r->def.step.steps = 7;
}

// n structs of `now` bytes as an older header would have them: each cut off at `then`.
static void *shorten(const void *from, int n, size_t now, size_t then)
{
    char *out = malloc((size_t)n * then);
    for (int i = 0; i < n; i++) {
        memcpy(out + (size_t)i * then, (const char *)from + (size_t)i * now, then);
        memcpy(out + (size_t)i * then, &then, sizeof then);
    }
    return out;
}

// Appends bytes of a definition; sized: a struct that ends there.
static void append(char **to, const void *from, size_t bytes, bool sized)
{
    memcpy(*to, from, bytes);
    if (sized)
        memcpy(*to, &bytes, sizeof bytes);
    *to += bytes;
}

static lithe_status compile_old(robot *r, lithe_model **model)
{
    enum { STEP = offsetof(lithe_step_def, epsilon) / 8 * 8 };
    enum { CONTACTS = offsetof(lithe_contacts_def, friction) };
    enum { ACTUATOR = offsetof(lithe_actuator_def, nwaypoint) / 8 * 8 };
    enum { BODY = offsetof(lithe_body_def, nrigid) / 8 * 8 };
    enum { LOAD = offsetof(lithe_load_def, from) / 8 * 8 };
    lithe_def d = r->def;
    lithe_body_def *bar_body = shorten(d.body, 1, sizeof *d.body, BODY);
    lithe_actuator_def *actuator = shorten(d.actuator, 2, sizeof *d.actuator, ACTUATOR);
    lithe_load_def *load = shorten(d.load, 1, sizeof *d.load, LOAD);
    d.body = bar_body;
    d.actuator = actuator;
    d.load = load;
    char *old = calloc(1, sizeof d), *to = old;
    append(&to, &d, offsetof(lithe_def, step), false);
    append(&to, &d.step, STEP, true);
    append(&to, &d.dynamics, sizeof d.dynamics, true);
    append(&to, &d.nmaterial, offsetof(lithe_def, task) - offsetof(lithe_def, nmaterial), false);
    append(&to, &d.task, sizeof d.task, true);
    append(&to, &d.nobstacle, offsetof(lithe_def, contacts) - offsetof(lithe_def, nobstacle),
           false);
    append(&to, &d.contacts, CONTACTS, true);
    append(&to, &d.estimate, sizeof d.estimate, true);
    append(&to, &d.controller, sizeof d.controller, true);
    lithe_status status = lithe_compile((const lithe_def *)(void *)old, model, &r->report);
    if (status != LITHE_OK)
        print_error("%s\n", r->report.error);
    free(bar_body);
    free(actuator);
    free(load);
    free(old);
    return status;
}

static void older_definitions_are_read(void **unused)
{
    (void)unused;
    robot r;
    lithe_model *old;
    lithe_state *state;
    double effort[2], displacement[2], value;
    begin(&r);
    robot_compile(&r);
    assert_int_equal(compile_old(&r, &old), LITHE_OK);
    assert_int_equal(lithe_model_step(old)->steps, 7);
    assert_true(lithe_model_step(old)->relaxation == 0.7 && lithe_model_step(old)->epsilon == 1e-3);
    lithe_actuator_limits(old, 1, effort, displacement);
    assert_true(effort[1] == 3 && lithe_play_duration(old) == 0);
    lithe_actuator_command(old, 0, &value);
    assert_true(value == 0.2);
    assert_int_equal(lithe_state_create(old, 1, &state, &r.report), LITHE_OK);
    assert_int_equal(lithe_step(old, state), LITHE_OK);
    settle(&r);
    assert_memory_equal(lithe_position(state), lithe_position(r.state),
                        3 * sizeof(double) * (size_t)lithe_nnode(old));
    lithe_state_free(state);
    lithe_model_free(old);
    robot_end(&r);
}

// Of a definition that was not made by its default function but is all there.
static void definitions_without_a_size_are_of_the_first_version(void **unused)
{
    (void)unused;
    robot r;
    begin(&r);
    r.body.bytes = r.actuator[0].bytes = r.actuator[1].bytes = r.def.bytes = r.def.step.bytes = 0;
    robot_compile(&r);
    settle(&r);
    robot_end(&r);
}

static void newer_definitions_are_refused(void **unused)
{
    (void)unused;
    robot r;
    lithe_model *model;
    begin(&r);
    r.body.bytes += 8;
    assert_int_equal(lithe_compile(&r.def, &model, &r.report), LITHE_INVALID);
    assert_null(model);
    assert_non_null(strstr(r.report.error, "newer library"));
    r.body.bytes -= 9; // of nothing
    assert_int_equal(lithe_compile(&r.def, &model, &r.report), LITHE_INVALID);
    lithe_mesh_free(r.mesh);
    bar_free(&r.shape);
}

// An older header's default function asks for fewer bytes, and gets no more.
static void defaults_are_as_long_as_asked(void **unused)
{
    (void)unused;
    lithe_actuator_def whole = lithe_actuator_def_default(LITHE_CABLE);
    size_t then = offsetof(lithe_actuator_def, effort_rate), told;
    unsigned char part[sizeof whole];
    memset(part, 0xa5, sizeof part);
    lithe_default(LITHE_DEF_ACTUATOR, LITHE_CABLE, part, then);
    memcpy(&told, part, sizeof told);
    assert_true(whole.bytes == sizeof whole && told == then);
    assert_memory_equal(part + sizeof told, (unsigned char *)&whole + sizeof told,
                        then - sizeof told);
    for (size_t i = then; i < sizeof part; i++)
        assert_int_equal(part[i], 0xa5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(older_definitions_are_read),
        cmocka_unit_test(definitions_without_a_size_are_of_the_first_version),
        cmocka_unit_test(newer_definitions_are_refused),
        cmocka_unit_test(defaults_are_as_long_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
