// Points on arms that rotate with nodes: a cable's guides, a point effector off a rod's axis.
#include "row/point.h"

#include "base/rotation.h"
#include "base/vec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NODES = 6, ROTATION = 3 }; // three positions, then their rotations

static double uniform(void)
{
    static uint64_t seed = 7;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static void shape(double *x)
{
    for (int i = 0; i < 3 * NODES; i++)
        x[i] = 0.5 * uniform() + (i < 9 && i % 3 == 0 ? i / 3 : 0);
}

static row_point guide(int node, double share)
{
    row_point p = {.nposition = 2,
                   .nrotation = 2,
                   .node = {node, node + 1, ROTATION + node, ROTATION + node + 1}};
    p.weight[0] = 1 - share;
    p.weight[1] = share;
    for (int i = 0; i < 6; i++)
        p.arm[i / 3][i % 3] = 0.3 * uniform() * (i < 3 ? 1 - share : share);
    return p;
}

static void move(double *x, int d, double h)
{
    double spin[3] = {0};
    if (d < 3 * ROTATION) {
        x[d] += h;
        return;
    }
    spin[d % 3] = 1;
    rotation_advance(&x[d - d % 3], h, spin, &x[d - d % 3]);
}

static void gradient(const row *r, const double *x, double *out)
{
    double H[3 * NODES];
    memset(out, 0, 3 * NODES * sizeof *out);
    row_gradient(r, x, H);
    for (int i = 0; i < r->nnode; i++)
        memcpy(&out[3 * r->node[i]], &H[3 * i], 3 * sizeof *out);
}

// H by differences of delta; the stiffness, which is that of the energy along exp(w), by
// differences of H whose antisymmetric part, half the moment's cross product, is left out.
static void check(const row *r)
{
    double x[3 * NODES], H[3 * NODES], plus[3 * NODES], minus[3 * NODES], h = 1e-6;
    double slope[3 * NODES][3 * NODES], K[3 * NODES][3 * NODES] = {{0}};
    shape(x);
    gradient(r, x, H);
    for (int d = 0; d < 3 * NODES; d++) {
        double at[3 * NODES], unit[3 * NODES] = {0}, force[3 * NODES] = {0};
        memcpy(at, x, sizeof at);
        move(at, d, h);
        double above = row_value(r, at);
        gradient(r, at, plus);
        memcpy(at, x, sizeof at);
        move(at, d, -h);
        assert_true(fabs((above - row_value(r, at)) / (2 * h) - H[d]) < 1e-8);
        gradient(r, at, minus);
        unit[d] = 1;
        row_stiffness_times(r, x, 2, unit, force);
        for (int i = 0; i < 3 * NODES; i++) {
            slope[i][d] = -2 * (plus[i] - minus[i]) / (2 * h);
            K[i][d] = force[i];
        }
    }
    for (int i = 0; i < 3 * NODES; i++)
        for (int d = 0; d < 3 * NODES; d++) {
            assert_true(fabs(K[i][d] - K[d][i]) < 1e-12);
            assert_true(fabs(0.5 * (slope[i][d] + slope[d][i]) - K[i][d]) < 1e-6);
        }
}

static void a_line_over_rotating_guides_has_its_derivatives(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10; trial++) {
        arena memory = {0};
        row_point point[3] = {{.body = -1, .world = {0.2, -1, 0.4}}, guide(0, 0.3), guide(1, 0.6)};
        row r = {.name = "cable", .kind = ROW_CABLE, .line = {.npoint = 3, .point = point}};
        double X[3 * NODES] = {0};
        assert_int_equal(row_begin(&r, true, X, &memory), LITHE_OK);
        assert_int_equal(r.nnode, NODES);
        check(&r);
        arena_free(&memory);
    }
}

static void a_point_on_an_arm_has_its_derivatives(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 10; trial++) {
        arena memory = {0};
        int node[2] = {0, 1};
        double weight[2] = {0.4, 0.6}, X[3 * NODES] = {0};
        row r = {.name = "tip", .kind = ROW_MEAN};
        r.cloud =
            (row_cloud){.n = 2, .node = node, .weight = weight, .nrotation = 2, .rotation = {3, 4}};
        for (int i = 0; i < 6; i++)
            r.cloud.rotation_arm[i / 3][i % 3] = uniform();
        memcpy(r.cloud.direction, (double[]){0.6, 0, 0.8}, sizeof r.cloud.direction);
        assert_int_equal(row_begin(&r, false, X, &memory), LITHE_OK);
        check(&r);
        arena_free(&memory);
    }
}

static void the_rotation_of_a_node_is_its_vector(void **unused)
{
    (void)unused;
    for (int component = 0; component < 3; component++) {
        arena memory = {0};
        row r = {.name = "turn", .kind = ROW_ROTATION, .cloud = {.nrotation = 1, .rotation = {4}}};
        double x[3 * NODES], H[3 * NODES], h = 1e-6;
        r.cloud.component = component;
        shape(x);
        assert_int_equal(row_begin(&r, false, x, &memory), LITHE_OK);
        assert_true(row_value(&r, x) == x[12 + component]);
        gradient(&r, x, H);
        for (int d = 0; d < 3 * NODES; d++) {
            double at[3 * NODES];
            memcpy(at, x, sizeof at);
            move(at, d, h);
            double above = row_value(&r, at);
            memcpy(at, x, sizeof at);
            move(at, d, -h);
            assert_true(fabs((above - row_value(&r, at)) / (2 * h) - H[d]) < 1e-8);
        }
        arena_free(&memory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_over_rotating_guides_has_its_derivatives),
        cmocka_unit_test(a_point_on_an_arm_has_its_derivatives),
        cmocka_unit_test(the_rotation_of_a_node_is_its_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
