#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/vec.h"
#include "body/damping.h"
#include "body/gram.h"
#include "specimen.h"

typedef struct damped {
    specimen s;
    body_damping damping;
    double *force, *velocity;
} damped;

static lithe_material_def rubber(void)
{
    lithe_material_def d = lithe_material_def_default();
    d.young = 1e5;
    d.poisson = 0.4;
    d.density = 1000;
    return d;
}

// It has directions of its own.
static lithe_material_def wood(void)
{
    lithe_material_def d = lithe_material_def_default();
    d.law = LITHE_ORTHOTROPIC;
    d.young = 0;
    for (int i = 0; i < 3; i++) {
        d.moduli[i] = 1e5 * (3 - i);
        d.ratios[i] = 0.2 + 0.05 * i;
        d.shears[i] = 1e4 * (3 + i);
        d.fibre[i] = i + 1;
    }
    d.across[1] = 1;
    d.density = 1000;
    return d;
}

static void begin_of(damped *d, double shake, bool led, lithe_material_def material)
{
    bar shape = bar_make(2, 2, 4, (double[]){0, 0, 0}, (double[]){0.02, 0.02, 0.04});
    unsigned char held[64] = {0};
    assert_true(shape.nnode <= 64);
    for (int i = 0; i < shape.nnode; i++)
        held[i] = led && shape.x[3 * i + 2] < 1e-9 ? LITHE_XYZ : 0;
    assert_true(specimen_begin(&d->s, shape, material, held));
    assert_true(specimen_finish(&d->s, NULL));
    d->s.part.moves = led;
    size_t n = 3 * (size_t)d->s.part.nnode;
    d->force = arena_new(&d->s.memory, n, double);
    d->velocity = arena_new(&d->s.memory, n, double);
    specimen_shake(&d->s, shake); // strained, so that stress would show
    assert_int_equal(body_damping_create(&d->s.part, &d->s.memory, &d->damping), LITHE_OK);
    body_damping_find(&d->s.part, &d->damping, d->s.x, NULL);
    memset(d->force, 0, n * sizeof *d->force);
}

// led: nodes at the foot are held, and moved by who holds them.
static void begin_led(damped *d, double shake, bool led)
{
    begin_of(d, shake, led, rubber());
}

static void begin(damped *d, double shake)
{
    begin_led(d, shake, false);
}

static void check_rigid_motion(bool led, lithe_material_def material)
{
    damped d;
    begin_of(&d, 1e-3, led, material);
    double spin[3] = {3, -1, 2}, largest = 0;
    for (int i = 0; i < d.s.part.nnode; i++) {
        vec_cross(&d.velocity[3 * i], spin, &d.s.x[3 * i]);
        vec_axpy(&d.velocity[3 * i], 1, (double[]){1, 2, 3});
    }
    body_damping_times(&d.s.part, &d.damping, 1, d.velocity, d.force);
    for (int i = 0; i < 3 * d.s.part.nnode; i++)
        largest = fmax(largest, fabs(d.force[i]));
    assert_true(largest < 1e-10 * 1e5 * 0.02); // E L
    specimen_free(&d.s);
}

static void rigid_motion_meets_no_damping(void **unused)
{
    (void)unused;
    check_rigid_motion(false, rubber());
    check_rigid_motion(false, wood());
}

// What is held is no part of A, but what moves it moves the elements beside it.
static void a_robot_that_is_led_rigidly_meets_no_damping(void **unused)
{
    (void)unused;
    check_rigid_motion(true, rubber());
    check_rigid_motion(true, wood());
}

// Found again somewhere else, nothing is left of what was.
static void it_is_that_of_the_shape_at_hand(void **unused)
{
    (void)unused;
    damped d;
    begin_led(&d, 1e-3, true);
    size_t n = 3 * (size_t)d.s.part.nnode;
    double *again = arena_new(&d.s.memory, n, double);
    double *rest = arena_new(&d.s.memory, n, double);
    for (size_t i = 0; i < n; i++) {
        d.velocity[i] = specimen_uniform();
        rest[i] = 2 * d.s.x[i];
    }
    body_damping_times(&d.s.part, &d.damping, 1, d.velocity, d.force);
    body_damping_find(&d.s.part, &d.damping, rest, NULL);
    body_damping_find(&d.s.part, &d.damping, d.s.x, NULL);
    body_damping_times(&d.s.part, &d.damping, 1, d.velocity, again);
    assert_memory_equal(again, d.force, n * sizeof *again);
    specimen_free(&d.s);
}

static void damping_takes_energy_and_gives_no_resultant_and_no_moment(void **unused)
{
    (void)unused;
    damped d;
    begin(&d, 1e-3);
    double sum[3] = {0}, moment[3] = {0}, power = 0, size = 0;
    for (int i = 0; i < 3 * d.s.part.nnode; i++)
        d.velocity[i] = specimen_uniform();
    body_damping_times(&d.s.part, &d.damping, 1, d.velocity, d.force);
    for (int i = 0; i < d.s.part.nnode; i++) {
        double rotation[3];
        vec_cross(rotation, &d.s.x[3 * i], &d.force[3 * i]);
        vec_axpy(sum, 1, &d.force[3 * i]);
        vec_axpy(moment, 1, rotation);
        power += vec_dot(&d.velocity[3 * i], &d.force[3 * i]);
        size += vec_norm(&d.force[3 * i]);
    }
    assert_true(power > 0);
    assert_true(vec_norm(sum) < 1e-12 * size);
    assert_true(vec_norm(moment) < 1e-12 * size * 0.04);
    specimen_free(&d.s);
}

static void its_blocks_are_its_products(void **unused)
{
    (void)unused;
    damped d;
    begin(&d, 1e-3);
    int n = 3 * d.s.part.nnode;
    double worst = 0, largest = 0;
    memset(d.s.blocks, 0, 9 * (size_t)d.s.part.pattern.nblock * sizeof *d.s.blocks);
    body_add_damping(&d.s.part, &d.damping, 2, d.s.blocks);
    for (int i = 0; i < n; i++)
        d.velocity[i] = specimen_uniform();
    body_damping_times(&d.s.part, &d.damping, 2, d.velocity, d.force);
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++)
            sum += specimen_entry(&d.s, i, j) * d.velocity[j];
        worst = fmax(worst, fabs(sum - d.force[i]));
        largest = fmax(largest, fabs(sum));
    }
    assert_true(worst < 1e-12 * largest);
    specimen_free(&d.s);
}

// D v with v = F'^-1 w is F K w where the whole body has the gradient F, and K is that at rest.
static void check_carried(const double F[9], lithe_material_def material)
{
    damped d;
    begin_of(&d, 0, false, material);
    int n = 3 * d.s.part.nnode;
    double worst = 0, largest = 0, inverse[9];
    double *w = arena_new(&d.s.memory, n, double), *force = arena_new(&d.s.memory, n, double);
    double *x = arena_new(&d.s.memory, n, double);
    for (int i = 0; i < 9; i++) { // adjugate
        int r = i % 3, c = i / 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3,
            c2 = (c + 2) % 3;
        inverse[i] =
            (F[3 * r1 + c1] * F[3 * r2 + c2] - F[3 * r1 + c2] * F[3 * r2 + c1]) / mat_det(F);
    }
    for (int i = 0; i < n; i++)
        w[i] = specimen_uniform();
    for (int i = 0; i < n; i += 3) {
        mat_apply(&x[i], F, &d.s.part.X[i]);
        mat_apply_transposed(&d.velocity[i], inverse, &w[i]);
    }
    body_damping_find(&d.s.part, &d.damping, x, NULL);
    body_damping_times(&d.s.part, &d.damping, 1, d.velocity, d.force);
    body_elastic(&d.s.part, &d.s.work, d.s.part.X, NULL, ELEMENT_EXACT, NULL, force, d.s.blocks);
    memset(force, 0, (size_t)n * sizeof *force);
    body_stiffness_times(&d.s.part, &d.s.work, w, force);
    for (int i = 0; i < n; i += 3) {
        double expected[3];
        mat_apply(expected, F, &force[i]);
        for (int k = 0; k < 3; k++) {
            worst = fmax(worst, fabs(d.force[i + k] - expected[k]));
            largest = fmax(largest, fabs(expected[k]));
        }
    }
    assert_true(largest > 0);
    assert_true(worst < 1e-10 * largest);
    specimen_free(&d.s);
}

static void it_is_the_stiffness_at_rest_carried_along(void **unused)
{
    (void)unused;
    const double rest[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double strained[9] = {0.3, 0.9, -0.2, -1.1, 0.4, 0.1, 0.2, 0.3, 0.8};
    check_carried(rest, rubber());
    check_carried(rest, wood());
    check_carried(strained, rubber());
    check_carried(strained, wood());
}

// K of one element of the batch, as a full matrix.
static double entry_of(const double *out, int nnode, int lane, int i, int j)
{
    const double *own = out + 9 * (nnode * (nnode + 1) / 2) * lane;
    int a = i / 3, c = j / 3;
    return a >= c ? own[9 * (a * (a + 1) / 2 + c) + 3 * (i % 3) + j % 3]
                  : own[9 * (c * (c + 1) / 2 + a) + 3 * (j % 3) + i % 3];
}

// What is left of K gives rotations no force, and is K for what has nothing of them: both together
// leave no choice.
static void rotations_are_taken_out_and_nothing_else(void **unused)
{
    (void)unused;
    enum { NODES = 5, N = 3 * NODES, NUMBERS = 9 * NODES * (NODES + 1) / 2 };
    _Alignas(64) double R[9 * NODES * LANES], inverse[9 * LANES], K[NUMBERS * LANES];
    double out[NUMBERS * LANES], arm[LANES][N];
    for (int l = 0; l < LANES; l++) {
        double gram[9] = {0}, own[9];
        for (int a = 0; a < NODES; a++) {
            double *at = &arm[l][3 * a];
            for (int i = 0; i < 3; i++)
                at[i] = specimen_uniform();
            const double block[9] = {0, at[2], -at[1], -at[2], 0, at[0], at[1], -at[0], 0};
            for (int i = 0; i < 9; i++) {
                R[(9 * a + i) * LANES + l] = block[i];
                for (int k = 0; k < 3; k++)
                    gram[i] += block[3 * k + i / 3] * block[3 * k + i % 3];
            }
        }
        gram_invert(gram, own);
        for (int i = 0; i < 9; i++)
            inverse[i * LANES + l] = own[i];
        for (int i = 0; i < NUMBERS; i++)
            K[NUMBERS * l + i] = specimen_uniform();
        for (int a = 0; a < NODES; a++) // a node's own block is symmetric
            for (int i = 0; i < 9; i++) {
                double *block = &K[NUMBERS * l + 9 * (a * (a + 3) / 2)];
                block[i] = block[3 * (i % 3) + i / 3];
            }
    }
    memcpy(out, K, sizeof out);
    damping_choose()->project(NODES, R, inverse, out);
    for (int l = 0; l < LANES; l++) {
        double v[N], share[3] = {0}, kept[2] = {0};
        for (int axis = 0; axis < 3; axis++) {
            double rotating[N], spin[3] = {0}, force;
            spin[axis] = 1;
            for (int a = 0; a < NODES; a++)
                vec_cross(&rotating[3 * a], spin, &arm[l][3 * a]);
            for (int i = 0; i < N; i++) {
                force = 0;
                for (int j = 0; j < N; j++)
                    force += entry_of(out, NODES, l, i, j) * rotating[j];
                assert_true(fabs(force) < 1e-12);
            }
        }
        for (int i = 0; i < N; i++)
            v[i] = specimen_uniform();
        for (int i = 0; i < N; i++) // R'v, and v less R (R'R)^-1 R'v
            for (int k = 0; k < 3; k++)
                share[k] += R[(9 * (i / 3) + 3 * (i % 3) + k) * LANES + l] * v[i];
        for (int i = 0; i < N; i++)
            for (int k = 0; k < 9; k++)
                v[i] -= R[(9 * (i / 3) + 3 * (i % 3) + k / 3) * LANES + l] *
                        inverse[k * LANES + l] * share[k % 3];
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                kept[0] += v[i] * entry_of(K, NODES, l, i, j) * v[j];
                kept[1] += v[i] * entry_of(out, NODES, l, i, j) * v[j];
            }
        assert_true(fabs(kept[0] - kept[1]) < 1e-12 * N);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rigid_motion_meets_no_damping),
        cmocka_unit_test(a_robot_that_is_led_rigidly_meets_no_damping),
        cmocka_unit_test(it_is_that_of_the_shape_at_hand),
        cmocka_unit_test(damping_takes_energy_and_gives_no_resultant_and_no_moment),
        cmocka_unit_test(it_is_the_stiffness_at_rest_carried_along),
        cmocka_unit_test(its_blocks_are_its_products),
        cmocka_unit_test(rotations_are_taken_out_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
