// Every kind has all of its parts.
#include "scene/actuator_kind.h"
#include "scene/obstacle_kind.h"
#include "scene/sensor_kind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool has_key(const keys_row *key, int nkey, keys_block block, const char *name)
{
    for (int i = 0; i < nkey; i++)
        if (key[i].block == block && strcmp(key[i].key, name) == 0)
            return true;
    return false;
}

static void every_actuator_has_all_of_its_parts(void **unused)
{
    (void)unused;
    for (int k = 0; k < ACTUATOR_KINDS; k++) {
        const actuator_kind *a = actuator_kinds[k];
        assert_non_null(a);
        assert_non_null(a->name);
        assert_string_equal(lithe_actuator_kind_name((lithe_actuator_kind)k), a->name);
        assert_non_null(a->read);
        assert_non_null(a->compile);
        assert_false(a->quantity[a->told].read_only);
        assert_true(has_key(a->key, a->nkey, KEYS_ACTUATOR, a->name));
        for (int q = 0; q < 2; q++) {
            const char *name = a->quantity[q].name;
            assert_true(name || a->quantity[q].read_only);
            if (a->quantity[q].read_only)
                continue;
            assert_true(has_key(a->key, a->nkey, KEYS_LIMITS_OF(k), name));
            assert_true(has_key(a->key, a->nkey, KEYS_COMMAND_OF(k), name));
        }
        for (int i = 0; i < a->nkey; i++) { // and none of another kind
            int block = (int)a->key[i].block - (int)KEYS_OF(k);
            assert_true(a->key[i].block == KEYS_ACTUATOR ||
                        (block >= 0 && block < KEYS_KIND_BLOCKS));
        }
        for (int b = 0; b < KEYS_KIND_BLOCKS; b++)
            assert_true(a->heading[b].path && a->heading[b].what);
        for (int other = 0; other < k; other++)
            assert_string_not_equal(a->name, actuator_kinds[other]->name);
    }
}

static void every_sensor_has_all_of_its_parts(void **unused)
{
    (void)unused;
    for (int k = 0; k < SENSOR_KINDS; k++) {
        const sensor_kind *s = sensor_kinds[k];
        assert_non_null(s);
        assert_string_equal(lithe_sensor_kind_name((lithe_sensor_kind)k), s->name);
        assert_non_null(s->read);
        assert_non_null(s->measure);
        assert_non_null(s->compile);
        assert_non_null(s->choice[0]);
        for (int i = 0; i < SENSOR_CHOICES && s->choice[i]; i++)
            assert_true(has_key(s->key, s->nkey, KEYS_SENSOR, s->choice[i]));
        for (int i = 0; i < s->nkey; i++)
            assert_true(s->key[i].block == KEYS_SENSOR ||
                        (s->key[i].block == KEYS_SENSOR_OF(k) && s->heading.path));
    }
}

// Whatever an actuator's effort is, a sensor of it is told in its unit.
static void sensors_of_efforts_have_the_unit_of_the_effort(void **unused)
{
    (void)unused;
    for (int k = 0; k < ACTUATOR_KINDS; k++) {
        lithe_def def = lithe_def_default();
        lithe_actuator_def a = lithe_actuator_def_default((lithe_actuator_kind)k);
        lithe_sensor_def s = lithe_sensor_def_default(LITHE_SENSOR_EFFORT);
        a.name = s.actuator = "a";
        s.name = "s";
        def.nactuator = 1;
        def.actuator = &a;
        lithe_measure m = sensor_measure(&def, &s);
        assert_int_equal(m.dimension, actuator_kinds[k]->quantity[LITHE_EFFORT].dimension);
        assert_int_equal(measure_rows(&m), k == LITHE_FORCE ? 3 : 1);
        char text[MEASURE_TEXT];
        if (k == LITHE_CAVITY)
            assert_string_equal(measure_column(&m, 0, text), "s_Pa");
        if (k == LITHE_SERVO)
            assert_string_equal(measure_column(&m, 0, text), "s_N.m");
        if (k == LITHE_FORCE)
            assert_string_equal(measure_column(&m, 2, text), "s.z_N");
    }
}

// What their shapes are to contact, the check and pictures: tests/contact/test_shape.c and
// tests/io/test_obstacle_draw.c, over all of them.
static void every_obstacle_has_all_of_its_parts(void **unused)
{
    (void)unused;
    for (int k = 0; k < OBSTACLE_KINDS; k++) {
        const obstacle_kind *o = &obstacle_kinds[k];
        assert_non_null(o->name);
        assert_string_equal(lithe_obstacle_kind_name((lithe_obstacle_kind)k), o->name);
        assert_non_null(o->read);
        assert_true(has_key(o->key, o->nkey, KEYS_OBSTACLE, o->name));
        for (int i = 0; i < o->nkey; i++)
            assert_true(o->key[i].block == KEYS_OBSTACLE ||
                        (o->key[i].block == KEYS_OBSTACLE_OF(k) && o->heading.path));
        assert_true(o->nkey > 1 || !o->heading.path); // or it has the keys of round ones
        for (int other = 0; other < k; other++) {
            assert_string_not_equal(o->name, obstacle_kinds[other].name);
            assert_true(o->shape != obstacle_kinds[other].shape);
        }
    }
    assert_int_equal(OBSTACLE_KINDS, SHAPE_KINDS); // no shape is left over
}

static void there_is_no_other_kind(void **unused)
{
    (void)unused;
    assert_null(lithe_actuator_kind_name((lithe_actuator_kind)ACTUATOR_KINDS));
    assert_null(lithe_sensor_kind_name((lithe_sensor_kind)SENSOR_KINDS));
    assert_null(lithe_obstacle_kind_name((lithe_obstacle_kind)OBSTACLE_KINDS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_actuator_has_all_of_its_parts),
        cmocka_unit_test(every_sensor_has_all_of_its_parts),
        cmocka_unit_test(sensors_of_efforts_have_the_unit_of_the_effort),
        cmocka_unit_test(every_obstacle_has_all_of_its_parts),
        cmocka_unit_test(there_is_no_other_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
