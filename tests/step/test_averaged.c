// Linear tetrahedra that share their changes of volume.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/eigen.h"
#include "base/vec.h"
#include "robot.h"

// One material of every law, nearly incompressible.
static lithe_material_def stuff_of(lithe_law law, double poisson)
{
    lithe_material_def m = lithe_material_def_default();
    m.name = "silicone";
    m.law = law;
    m.young = 1e5;
    m.poisson = poisson;
    m.density = 1000;
    m.ncoefficient = law == LITHE_YEOH ? 3 : law >= LITHE_MOONEY_RIVLIN && law < LITHE_GENT ? 2 : 0;
    m.locking = law == LITHE_GENT ? 30 : 0;
    m.coefficient[0] = 2;
    m.coefficient[1] = law == LITHE_OGDEN ? -0.5 : 0.7;
    m.coefficient[2] = 0.1;
    m.nexponent = law == LITHE_OGDEN ? 2 : 0;
    m.exponent[0] = 1.7;
    m.exponent[1] = -3;
    return m;
}

static double uniform(void)
{
    return rand() / (double)RAND_MAX * 2 - 1;
}

// A free block of n x n x n cells with its inner nodes moved about, in dynamics.
static void block_compile(robot *r, int n, lithe_law law, double poisson)
{
    robot_begin(r, false);
    srand(1);
    bar shape = bar_make(n, n, n, (double[]){0, 0, 0}, (double[]){0.1, 0.1, 0.1});
    for (int i = 0; i < shape.nnode; i++) {
        double *x = &shape.x[3 * i];
        bool inner = true;
        for (int axis = 0; axis < 3; axis++)
            inner = inner && x[axis] > 1e-9 && x[axis] < 0.1 - 1e-9;
        for (int axis = 0; axis < 3 && inner; axis++)
            x[axis] += 0.006 * uniform();
    }
    robot_reshape(r, shape);
    r->material = stuff_of(law, poisson);
    r->body.element = LITHE_TET4_AVERAGED;
    r->body.nfix = r->body.nsurface = r->def.neffector = 0;
    r->def.dynamics.scheme = LITHE_EULER;
    robot_compile(r);
}

static double evaluate(const robot *r, const double *x, double *force, double *blocks)
{
    const body *b = &r->model->body[0];
    return body_elastic(b, &r->state->tangent.work[0], x, NULL,
                        blocks ? ELEMENT_EXACT : ELEMENT_FORCE_ONLY, NULL, force, blocks);
}

// out = A v
static void times(const body *b, const double *blocks, const double *v, double *out)
{
    memset(out, 0, 3 * (size_t)b->nnode * sizeof *out);
    for (int column = 0; column < b->nrow; column++)
        for (int k = b->pattern.col_adr[column]; k < b->pattern.col_adr[column + 1]; k++) {
            int i = b->block_node[b->pattern.row[k]], j = b->block_node[column];
            for (int n = 0; n < 9; n++) {
                double K = blocks[9 * (size_t)k + (size_t)n];
                out[3 * i + n / 3] += K * v[3 * j + n % 3];
                if (i != j)
                    out[3 * j + n % 3] += K * v[3 * i + n / 3];
            }
        }
}

static void force_and_stiffness_are_derivatives_for_every_law(void **unused)
{
    (void)unused;
    for (lithe_law law = LITHE_COROTATIONAL; law <= LITHE_OGDEN; law++) {
        robot r;
        block_compile(&r, 3, law, 0.499);
        const body *b = &r.model->body[0];
        size_t n = 3 * (size_t)b->nnode;
        double *memory = malloc(7 * n * sizeof *memory), *x = memory, *way = x + n,
               *force = way + n;
        double *plus = force + n, *minus = plus + n, *rate = minus + n, *moved = rate + n;
        double *blocks = malloc(9 * (size_t)b->pattern.nblock * sizeof *blocks);
        double h = 1e-5, slope = 0, scale = 0, off = 0, energy[2];
        for (size_t i = 0; i < n; i++) {
            x[i] = b->X[i] + 0.004 * uniform();
            way[i] = 0.01 * uniform();
        }
        evaluate(&r, x, force, blocks);
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < n; i++)
                moved[i] = x[i] + (side ? h : -h) * way[i];
            energy[side] = evaluate(&r, moved, side ? plus : minus, NULL);
        }
        times(b, blocks, way, rate);
        for (size_t i = 0; i < n; i++) {
            slope += force[i] * way[i];
            scale = fmax(scale, fabs(rate[i]));
            off = fmax(off, fabs((plus[i] - minus[i]) / (2 * h) - rate[i]));
        }
        assert_true(fabs((energy[1] - energy[0]) / (2 * h) - slope) < 1e-7 * fabs(slope));
        assert_true(off < 1e-6 * scale);
        free(memory);
        free(blocks);
        robot_end(&r);
    }
}

// A stretch, a shear and a rotation that change the volume, and a rotation alone.
static void constant_strain_balances_and_rigid_motion_brings_no_force(void **unused)
{
    (void)unused;
    static const double field[2][9] = {{1.05, 0.05, -0.02, -0.1, 0.97, 0.06, 0.03, 0.09, 1.02},
                                       {0.36, -0.48, 0.8, 0.8, 0.6, 0, -0.48, 0.64, 0.6}};
    for (lithe_law law = LITHE_COROTATIONAL; law <= LITHE_OGDEN; law++)
        for (int k = 0; k < 2; k++) {
            robot r;
            block_compile(&r, 3, law, 0.499);
            const body *b = &r.model->body[0];
            double *x = malloc(6 * (size_t)b->nnode * sizeof *x), *force = x + 3 * b->nnode;
            double inner = 0;
            for (int i = 0; i < b->nnode; i++)
                mat_apply(&x[3 * i], field[k], &b->X[3 * i]);
            evaluate(&r, x, force, NULL);
            for (int i = 0; i < b->nnode; i++) {
                bool outside = k == 0;
                for (int axis = 0; axis < 3; axis++)
                    outside =
                        outside && b->X[3 * i + axis] > 1e-9 && b->X[3 * i + axis] < 0.1 - 1e-9;
                if (k == 1 || outside)
                    inner = fmax(inner, vec_norm(&force[3 * i]));
            }
            assert_true(inner < 1e-12 * 500 * 1e5 * 0.01); // the bulk modulus is 500 times larger
            free(x);
            robot_end(&r);
        }
}

// Six motions without energy, and no other that is much softer than the material.
static void a_free_block_has_six_motions_without_energy(void **unused)
{
    (void)unused;
    robot r;
    block_compile(&r, 2, LITHE_NEO_HOOKEAN, 0.4999);
    const body *b = &r.model->body[0];
    size_t n = 3 * (size_t)b->nnode;
    double *force = malloc(n * sizeof *force), *unit = calloc(n, sizeof *unit);
    double *blocks = malloc(9 * (size_t)b->pattern.nblock * sizeof *blocks);
    double *K = malloc(2 * n * n * sizeof *K), *value = malloc(n * sizeof *value);
    evaluate(&r, b->X, force, blocks);
    for (size_t i = 0; i < n; i++) {
        unit[i] = 1;
        times(b, blocks, unit, &K[n * i]);
        unit[i] = 0;
    }
    eigen_symmetric((int)n, K, value, K + n * n);
    int still = 0, soft = 0;
    double mu = 1e5 / 3, size = 0.1 / 2;
    for (size_t i = 0; i < n; i++) {
        still += fabs(value[i]) < 1e-6 * mu * size;
        soft += value[i] < 0.02 * mu * size;
    }
    assert_int_equal(still, 6);
    assert_int_equal(soft, 6);
    free(force);
    free(unit);
    free(blocks);
    free(K);
    free(value);
    robot_end(&r);
}

// Of a bar under its own weight.
static double sag(lithe_element element, lithe_law law, double poisson)
{
    robot r;
    double tip[3];
    robot_begin(&r, false);
    robot_reshape(&r, bar_make(3, 3, 8, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.1}));
    r.material = stuff_of(law, poisson);
    r.body.element = element;
    r.def.gravity[0] = 9.81;
    robot_compile(&r);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_OK);
    lithe_effector_value(r.model, r.state, 0, tip);
    robot_end(&r);
    return tip[0];
}

// On this mesh linear tetrahedra are too stiff against bending at any Poisson's ratio; averaged
// ones are not stiffer where volume is kept than where nothing locks.
static void no_law_locks_where_volume_is_kept(void **unused)
{
    (void)unused;
    double truth = sag(LITHE_TET10, LITHE_NEO_HOOKEAN, 0.499);
    double share = sag(LITHE_TET4, LITHE_NEO_HOOKEAN, 0) / sag(LITHE_TET10, LITHE_NEO_HOOKEAN, 0);
    assert_true(sag(LITHE_TET4, LITHE_NEO_HOOKEAN, 0.499) < 0.6 * share * truth);
    for (lithe_law law = LITHE_COROTATIONAL; law <= LITHE_OGDEN; law++) {
        double bent = sag(LITHE_TET4_AVERAGED, law, law % 2 ? 0.4999 : 0.499);
        assert_true(bent > 0.98 * share * truth && bent < truth);
    }
}

static void any_number_of_threads_gives_the_same_bits(void **unused)
{
    (void)unused;
    robot r;
    double *one = NULL;
    robot_begin(&r, false);
    r.material = stuff_of(LITHE_NEO_HOOKEAN, 0.499);
    r.body.element = LITHE_TET4_AVERAGED;
    r.def.gravity[0] = 9.81;
    robot_compile(&r);
    size_t bytes = 3 * (size_t)lithe_nnode(r.model) * sizeof *one;
    one = malloc(bytes);
    settle(&r);
    memcpy(one, lithe_position(r.state), bytes);
    for (int threads = 2; threads <= 4; threads += 2) {
        lithe_state *other;
        assert_int_equal(lithe_state_create(r.model, threads, &other, &r.report), LITHE_OK);
        assert_int_equal(lithe_step(r.model, other), LITHE_OK);
        assert_memory_equal(one, lithe_position(other), bytes);
        lithe_state_free(other);
    }
    free(one);
    robot_end(&r);
}

// Patches lie within a region or outside it: its modulus is theirs too.
static void a_modulus_moves_the_patches_of_its_region(void **unused)
{
    (void)unused;
    double tip[2][3];
    for (int k = 0; k < 2; k++) {
        robot r;
        lithe_selection half = {.kind = LITHE_PLANE, .a = {0, 0, 0.05}, .b = {0, 0, 1}};
        lithe_material_def both[2] = {stuff_of(LITHE_NEO_HOOKEAN, 0.499),
                                      stuff_of(LITHE_NEO_HOOKEAN, 0.499)};
        lithe_region_def region = lithe_region_def_default();
        robot_begin(&r, false);
        both[1].name = "other";
        both[1].young *= k == 0 ? 3 : 1;
        region.where = half;
        region.material = "other";
        r.body.nregion = 1;
        r.body.region = &region;
        r.body.element = LITHE_TET4_AVERAGED;
        r.def.gravity[0] = 9.81;
        r.def.nmaterial = 2;
        r.def.material = both;
        if (k == 1) {
            r.def.nactuator = 1;
            r.actuator[0] = lithe_actuator_def_default(LITHE_MODULUS);
            r.actuator[0].name = "stiff";
            r.actuator[0].body = "bar";
            r.actuator[0].where = half;
            r.actuator[0].value[0] = 3e5;
        }
        robot_compile(&r);
        settle(&r);
        lithe_effector_value(r.model, r.state, 0, tip[k]);
        robot_end(&r);
    }
    assert_true(tip[0][0] > 1e-3);
    assert_true(vec_distance(tip[0], tip[1]) < 1e-9);
}

// Inverse, then forward: the pull that is found brings the tip to its target.
static void the_inverse_reaches_what_the_forward_step_shows(void **unused)
{
    (void)unused;
    robot r;
    double tip[3], target[3], pull = 0;
    robot_begin(&r, false);
    r.material = stuff_of(LITHE_MOONEY_RIVLIN, 0.499);
    r.body.element = LITHE_TET4_AVERAGED;
    r.tip.axes = LITHE_X;
    add_cable(&r, "east", 0.008);
    robot_compile(&r);
    assert_int_equal(lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT, &(double){0.004}),
                     LITHE_OK);
    settle(&r);
    lithe_effector_value(r.model, r.state, 0, target);
    assert_true(target[0] > 2e-3);
    assert_int_equal(lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT, &(double){0}),
                     LITHE_OK);
    settle(&r);
    assert_int_equal(lithe_target_effector(r.model, r.state, 0, target, false), LITHE_OK);
    settle(&r);
    lithe_effector_value(r.model, r.state, 0, tip);
    lithe_displacement(r.model, r.state, 0, &pull);
    assert_true(fabs(tip[0] - target[0]) < 1e-7);
    assert_true(fabs(pull - 0.004) < 1e-6);
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(force_and_stiffness_are_derivatives_for_every_law),
        cmocka_unit_test(constant_strain_balances_and_rigid_motion_brings_no_force),
        cmocka_unit_test(a_free_block_has_six_motions_without_energy),
        cmocka_unit_test(no_law_locks_where_volume_is_kept),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(a_modulus_moves_the_patches_of_its_region),
        cmocka_unit_test(the_inverse_reaches_what_the_forward_step_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
