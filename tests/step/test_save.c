#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

// Bytes of the state, which the caller frees.
static void *save(const robot *r, size_t *bytes)
{
    *bytes = lithe_state_size(r->model, r->state);
    void *buffer = malloc(*bytes);
    assert_non_null(buffer);
    lithe_state_save(r->model, r->state, buffer);
    return buffer;
}

static void load(robot *r, const void *buffer, size_t bytes)
{
    lithe_status status = lithe_state_load(r->model, r->state, buffer, bytes);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
}

// Steps on from a saved state, in the state itself and in a new one, and compares every byte.
static void check_continues(robot *r, void (*go_on)(robot *r))
{
    size_t bytes;
    void *before = save(r, &bytes);
    go_on(r);
    void *once = save(r, &bytes);
    lithe_state_free(r->state);
    assert_int_equal(lithe_state_create(r->model, 2, &r->state, &r->report), LITHE_OK);
    load(r, before, bytes);
    void *same = save(r, &bytes);
    assert_memory_equal(before, same, bytes);
    go_on(r);
    void *again = save(r, &bytes);
    assert_memory_equal(once, again, bytes);
    free(before);
    free(same);
    free(once);
    free(again);
}

static void pull_on(robot *r)
{
    command(r, 0, LITHE_DISPLACEMENT, 0.012);
    settle(r);
    command(r, 1, LITHE_EFFORT, 3e3);
    settle(r);
}

static void a_loaded_state_steps_on_with_the_same_bits(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    r.def.gravity[2] = -9.81;
    add_cable(&r, "cable", 0.008);
    add_cavity(&r);
    robot_compile(&r);
    command(&r, 0, LITHE_DISPLACEMENT, 0.01);
    command(&r, 1, LITHE_EFFORT, 2e3);
    settle(&r);
    check_continues(&r, pull_on);
    robot_end(&r);
}

static void chase(robot *r)
{
    double tip[3] = {0.012, -0.004, 0.096};
    for (int k = 0; k < 3; k++) {
        tip[1] += 0.002;
        assert_int_equal(lithe_target_effector(r->model, r->state, 0, tip, false), LITHE_OK);
        assert_int_equal(lithe_step(r->model, r->state), LITHE_OK);
    }
}

static void an_inverse_goes_on_with_the_same_bits_too(void **unused)
{
    (void)unused;
    for (int mode = 0; mode < 2; mode++) {
        robot r;
        robot_begin(&r, false);
        r.def.step.mode = mode ? LITHE_REALTIME : LITHE_CONVERGED;
        add_cable_at(&r, "east", 0.008, 0);
        add_cable_at(&r, "north", 0, 0.008);
        add_cable_at(&r, "west", -0.008, 0);
        add_cable_at(&r, "south", 0, -0.008);
        robot_compile(&r);
        chase(&r);
        check_continues(&r, chase);
        robot_end(&r);
    }
}

static void expect_refused(robot *r, const void *buffer, size_t bytes, const char *why)
{
    assert_int_equal(lithe_state_load(r->model, r->state, buffer, bytes), LITHE_INVALID);
    assert_non_null(strstr(lithe_state_error(r->state), why));
}

static void bytes_that_do_not_fit_are_refused_and_change_nothing(void **unused)
{
    (void)unused;
    robot r, other;
    robot_begin(&r, false);
    add_cable(&r, "cable", 0.008);
    robot_compile(&r);
    robot_begin(&other, false);
    other.body.move[0] = 0.01;
    add_cable(&other, "cable", 0.016);
    other.tip_point.at[0] = 0.01;
    robot_compile(&other);
    command(&r, 0, LITHE_DISPLACEMENT, 0.01);
    settle(&r);
    size_t bytes, left;
    unsigned char *buffer = save(&r, &bytes);
    expect_refused(&r, buffer, 0, "not a saved state");
    expect_refused(&r, buffer, bytes - 1, "cut short");
    expect_refused(&other, buffer, bytes, "another model");
    buffer[bytes / 2] ^= 1;
    expect_refused(&r, buffer, bytes, "damaged");
    buffer[bytes / 2] ^= 1;
    buffer[0] ^= 1;
    expect_refused(&r, buffer, bytes, "not a saved state");
    buffer[0] ^= 1;
    unsigned char format = buffer[6];
    buffer[6] = '3';
    expect_refused(&r, buffer, bytes, "another version of Lithe, in format 3");
    buffer[6] = format;
    unsigned char *still = save(&r, &left);
    assert_memory_equal(buffer, still, bytes);
    free(buffer);
    free(still);
    robot_end(&other);
    robot_end(&r);
}

// The sum of what is there, as whoever writes such bytes would make it: FNV-1a of all after the
// head.
static void make_sum_right(unsigned char *buffer, size_t bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (size_t i = 32; i < bytes; i++)
        sum = (sum ^ buffer[i]) * 1099511628211u;
    memcpy(buffer + 24, &sum, sizeof sum);
}

static const uint64_t lies[] = {0xffffffffffffffffu, 0x7fffffff7fffffffu, 0x7ff0000000000000u,
                                0x0000000100000001u, 0x4d4d4d4d4d4d4d4du, 0x8000000080000000u,
                                0xfe37e43c8800759cu}; // -1e300

// Writes lies over many bytes of a state, one at a time: what is loaded can be stepped on, what is
// not is told, and leaves a state that can.
static int tell_lies(robot *r, int ntrial)
{
    size_t bytes;
    int refused = 0;
    unsigned char *good = save(r, &bytes), *bad = malloc(bytes);
    uint64_t random = 12345;
    for (int k = 0; k < ntrial; k++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t at = 32 + (size_t)(random >> 20) % (bytes - 32 - sizeof *lies);
        memcpy(bad, good, bytes);
        memcpy(bad + (at & ~(size_t)3), &lies[k % 7], k % 3 ? sizeof *lies : sizeof(int));
        make_sum_right(bad, bytes);
        lithe_status status = lithe_state_load(r->model, r->state, bad, bytes);
        assert_true(status == LITHE_OK || status == LITHE_INVALID);
        refused += status == LITHE_INVALID;
        if (k % 8 == 0 || status == LITHE_OK)
            lithe_step(r->model, r->state);
        for (int i = 0; i < lithe_ncontact(r->state); i++) {
            lithe_contact c;
            assert_int_equal(lithe_contact_get(r->model, r->state, i, &c), LITHE_OK);
        }
    }
    load(r, good, bytes);
    free(good);
    free(bad);
    return refused;
}

static void numbers_that_no_state_has_are_refused(void **unused)
{
    (void)unused;
    for (int mode = 0; mode < 2; mode++) {
        robot r;
        robot_begin(&r, false);
        robot_coarsen(&r);
        r.def.step.mode = LITHE_REALTIME;
        r.def.dynamics.scheme = mode ? LITHE_EULER : LITHE_STATIC;
        lithe_obstacle_def ball = lithe_obstacle_def_default(LITHE_OBSTACLE_SPHERE);
        ball.name = "ball";
        ball.at[0] = 0.0149;
        ball.at[2] = 0.09;
        ball.radius = 0.005;
        ball.friction = 0.4;
        r.def.nobstacle = 1;
        r.def.obstacle = &ball;
        r.def.contacts.max = 8;
        add_cable(&r, "cable", 0.008);
        robot_compile(&r);
        command(&r, 0, LITHE_DISPLACEMENT, 0.002);
        for (int k = 0; k < 4; k++)
            assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
        assert_true(lithe_ncontact(r.state) > 0);
        assert_true(tell_lies(&r, 400) > 50);
        robot_end(&r);
    }
}

// Whatever a state was, reset it is the same, byte by byte, as one that was never used.
static void a_reset_state_is_a_new_one(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, true);
    add_cable(&r, "cable", 0.008);
    add_cavity(&r);
    robot_compile(&r);
    size_t bytes;
    void *fresh = save(&r, &bytes);
    pull_on(&r);
    chase(&r);
    lithe_state_reset(r.model, r.state);
    void *reset = save(&r, &bytes);
    assert_memory_equal(fresh, reset, bytes);
    free(fresh);
    free(reset);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reset_state_is_a_new_one),
        cmocka_unit_test(a_loaded_state_steps_on_with_the_same_bits),
        cmocka_unit_test(an_inverse_goes_on_with_the_same_bits_too),
        cmocka_unit_test(bytes_that_do_not_fit_are_refused_and_change_nothing),
        cmocka_unit_test(numbers_that_no_state_has_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
