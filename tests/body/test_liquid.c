#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "body/liquid.h"
#include "specimen.h"

static const lithe_material_def rubber = {.young = 1, .poisson = 0.45, .density = 1};

// The cavity of a hollow block, full of something heavy.
static void make(specimen *s, body_liquid *liquid)
{
    row r;
    bar shape = bar_make(4, 3, 4, (double[]){0, 0, 0}, (double[]){1, 0.7, 1.1});
    bar_hollow(&shape);
    assert_true(specimen_begin(s, shape, rubber, NULL));
    assert_true(specimen_cavity(s, &r));
    assert_true(specimen_finish(s, &r));
    *liquid = (body_liquid){
        .face = r.shell.face, .weight = {1.5, -0.4, -9}, .reference = {0.2, 0.3, 0.9}};
    assert_int_equal(liquid_finish(liquid, &s->part.pattern, s->part.block, &s->memory), LITHE_OK);
    specimen_shake(s, 0.03);
}

static void force_of(specimen *s, const void *liquid, double *force)
{
    memset(force, 0, 3 * (size_t)s->part.nnode * sizeof *force);
    liquid_force(liquid, s->x, 1, force);
}

static void wall_forces_add_up_to_the_weight(void **unused)
{
    (void)unused;
    specimen s;
    body_liquid liquid;
    make(&s, &liquid);
    double *force = arena_new(&s.memory, 3 * s.part.nnode, double), sum[3] = {0};
    force_of(&s, &liquid, force);
    for (int i = 0; i < 3 * s.part.nnode; i++)
        sum[i % 3] += force[i];
    double volume = face_volume(&liquid.face, s.x);
    assert_true(volume > 0.03);
    for (int i = 0; i < 3; i++)
        assert_true(fabs(sum[i] - liquid.weight[i] * volume) < 1e-13);
    specimen_free(&s);
}

static void stiffness_is_the_derivative_of_the_force(void **unused)
{
    (void)unused;
    specimen s;
    body_liquid liquid;
    make(&s, &liquid);
    liquid_stiffness(&liquid, s.x, 1, s.blocks);
    assert_true(specimen_stiffness_error(&s, force_of, &liquid, 1, false, 1e-5) < 1e-8);
    specimen_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_forces_add_up_to_the_weight),
        cmocka_unit_test(stiffness_is_the_derivative_of_the_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
