// Pressure, tractions and liquids on faces of four and six nodes.
#include "base/vec.h"
#include "body/face.h"
#include "row/row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "cells.h"
#include "robot.h"

static const lithe_element elements[] = {LITHE_TET10, LITHE_HEX8};

static void begin(robot *r, lithe_element element)
{
    robot_begin(r, true);
    if (element == LITHE_HEX8)
        assert_true(take_cells_whole(&r->shape, true, r->mesh));
    r->body.element = element;
    add_cavity(r);
}

static void shake(double *x, int n, double way)
{
    srand(7);
    for (int i = 0; i < 3 * n; i++)
        x[i] += way * (rand() / (double)RAND_MAX * 2 - 1);
}

static void times(const body *b, const double *blocks, const double *v, double *out)
{
    memset(out, 0, 3 * (size_t)b->nnode * sizeof *out);
    for (int j = 0; j < b->nrow; j++)
        for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++) {
            int i = b->block_node[b->pattern.row[k]], c = b->block_node[j];
            for (int n = 0; n < 9; n++) {
                double K = blocks[9 * (size_t)k + (size_t)n];
                out[3 * i + n / 3] += K * v[3 * c + n % 3];
                if (i != c)
                    out[3 * c + n % 3] += K * v[3 * i + n / 3];
            }
        }
}

// Along a random direction of the free nodes: volume to force, force to its stiffness and rate.
static void wall_derivatives_are_exact(void **unused)
{
    (void)unused;
    for (int e = 0; e < 2; e++) {
        robot r;
        begin(&r, elements[e]);
        robot_compile(&r);
        const body *b = &r.model->body[0];
        const row_shell *shell = &r.model->row[0].shell;
        size_t n = 3 * (size_t)b->nnode;
        assert_int_equal(shell->face.ntri, 0);
        assert_int_equal(shell->face.nwide * (e ? 2 : 4), shell->ntri);
        double *x = malloc(7 * n * sizeof *x), *way = x + n, *moved = way + n, *plus = moved + n;
        double *minus = plus + n, *rate = minus + n, *flipped = rate + n, h = 1e-5;
        double *blocks = calloc(9 * (size_t)b->pattern.nblock, sizeof *blocks), slope = 0;
        memcpy(x, b->X, n * sizeof *x);
        shake(x, b->nnode, 1e-3);
        memset(way, 0, n * sizeof *way);
        shake(way, b->nnode, 1e-2);
        for (size_t i = 0; i < n; i++)
            way[i] = b->held[i / 3] ? 0 : way[i];
        double volume[2];
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < n; i++)
                moved[i] = x[i] + (side ? h : -h) * way[i];
            memset(side ? plus : minus, 0, n * sizeof *plus);
            face_force(&shell->face, NULL, moved, 1, side ? plus : minus);
            volume[side] = face_volume(&shell->face, moved);
        }
        memset(rate, 0, 2 * n * sizeof *rate);
        face_rate(&shell->face, x, way, 1, rate);
        face_stiffness(&shell->face, x, 1, shell->block, blocks);
        times(b, blocks, way, flipped);
        double size = 0, off = 0, skew = 0, work = 0;
        for (size_t i = 0; i < n; i++) {
            slope += 0.5 * (plus[i] + minus[i]) * way[i];
            work += fabs(plus[i] * way[i]);
            size = fmax(size, fabs(rate[i]));
            off = fmax(off, fabs((plus[i] - minus[i]) / (2 * h) - rate[i]));
            skew = fmax(skew, b->held[i / 3] ? 0 : fabs(flipped[i] - rate[i]));
        }
        assert_true(fabs((volume[1] - volume[0]) / (2 * h) - slope) < 1e-8 * work);
        assert_true(off < 1e-7 * size);
        assert_true(skew < 1e-12 * size); // closed, so that it is symmetric
        free(x);
        free(blocks);
        robot_end(&r);
    }
}

static double sum(const double *f, int n, int axis)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += f[3 * i + axis];
    return s;
}

// A six-node face hangs on its middles, a four-node one on all corners alike.
static void tractions_are_as_the_shape_functions_want(void **unused)
{
    (void)unused;
    for (int e = 0; e < 2; e++) {
        robot r;
        begin(&r, elements[e]);
        r.def.nload = 1;
        r.load[0] = lithe_load_def_default();
        r.load[0].name = "pull";
        r.load[0].kind = LITHE_TRACTION;
        r.load[0].body = "bar";
        r.load[0].surface = "top";
        r.load[0].value[2] = 1e3;
        robot_compile(&r);
        const body *b = &r.model->body[0];
        double *force = calloc(3 * (size_t)b->nnode, sizeof *force);
        assert_non_null(force);
        body_loads(b, &(body_loading){.share = 1}, b->X, force, NULL);
        assert_true(fabs(sum(force, b->nnode, 2) - 1e3 * 4e-4) < 1e-12);
        for (int i = 0; i < r.shape.nnode; i++) { // nodes of the file: corners of the elements
            bool top = fabs(b->X[3 * i + 2] - 0.1) < 1e-9;
            double inner = fabs(b->X[3 * i]) < 9e-3 && fabs(b->X[3 * i + 1]) < 9e-3;
            if (e == 0)
                assert_true(fabs(force[3 * i + 2]) < 1e-13);
            else if (top && inner)
                assert_true(fabs(force[3 * i + 2] - 1e3 * 2.5e-5) < 1e-13);
        }
        free(force);
        robot_end(&r);
    }
}

// Under volume control the cavity has the volume that was asked for, whatever the element; and the
// force on the supports is the pressure's, which is none for a closed wall.
static void the_volume_asked_for_is_reached_to_roundoff(void **unused)
{
    (void)unused;
    static const lithe_element every[] = {LITHE_TET4, LITHE_TET4_AVERAGED, LITHE_TET10, LITHE_HEX8};
    for (int e = 0; e < 4; e++) {
        robot r;
        double volume, pressure;
        begin(&r, every[e]);
        robot_compile(&r);
        const row *wall = &r.model->row[0];
        assert_true(fabs(wall->rest - 0.01 * 0.01 * 0.08) < 1e-15);
        assert_int_equal(lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT, &(double){2e-6}),
                         LITHE_OK);
        settle(&r);
        lithe_displacement(r.model, r.state, 0, &volume);
        lithe_effort(r.model, r.state, 0, &pressure);
        assert_true(fabs(volume - 2e-6) < 1e-10 * wall->rest);
        assert_true(pressure > 1e2);
        double *f = calloc(3 * (size_t)r.model->nnode, sizeof *f);
        face_force(&wall->shell.face, NULL, lithe_position(r.state), pressure, f);
        for (int axis = 0; axis < 3; axis++)
            assert_true(fabs(sum(f, r.model->nnode, axis)) < 1e-10 * pressure * 4e-4);
        free(f);
        robot_end(&r);
    }
}

// A liquid's wall forces add up to its weight, on deformed faces too.
static void a_liquid_weighs_what_it_weighs(void **unused)
{
    (void)unused;
    for (int e = 0; e < 2; e++) {
        robot r;
        begin(&r, elements[e]);
        r.actuator[0] = lithe_actuator_def_default(LITHE_LIQUID);
        r.actuator[0].name = "water";
        r.actuator[0].body = "bar";
        r.actuator[0].density = 1000;
        r.def.gravity[0] = 3;
        r.def.gravity[2] = -9;
        robot_compile(&r);
        body *b = &r.model->body[0];
        size_t n = 3 * (size_t)b->nnode;
        double *x = malloc(6 * n * sizeof *x), *f = x + n, *plus = f + n, *minus = plus + n;
        double *way = minus + n, *flipped = way + n, h = 1e-6, size = 0, off = 0;
        double *blocks = calloc(9 * (size_t)b->pattern.nblock, sizeof *blocks);
        memcpy(x, b->X, n * sizeof *x);
        shake(x, b->nnode, 1e-3);
        memset(f, 0, 4 * n * sizeof *f);
        liquid_force(&b->liquid[0], x, 1, f);
        double volume = face_volume(&b->liquid[0].face, x);
        assert_true(fabs(sum(f, b->nnode, 0) - 3000 * volume) < 1e-12);
        assert_true(fabs(sum(f, b->nnode, 1)) < 1e-12);
        assert_true(fabs(sum(f, b->nnode, 2) + 9000 * volume) < 1e-12);
        shake(way, b->nnode, 1);
        for (size_t i = 0; i < n; i++)
            way[i] = b->held[i / 3] ? 0 : way[i];
        for (size_t i = 0; i < n; i++)
            x[i] += h * way[i];
        liquid_force(&b->liquid[0], x, 1, plus);
        for (size_t i = 0; i < n; i++)
            x[i] -= 2 * h * way[i];
        liquid_force(&b->liquid[0], x, 1, minus);
        for (size_t i = 0; i < n; i++)
            x[i] += h * way[i];
        liquid_stiffness(&b->liquid[0], x, 1, blocks);
        times(b, blocks, way, flipped);
        for (size_t i = 0; i < n; i++) {
            size = fmax(size, fabs(flipped[i]));
            off = fmax(off, b->held[i / 3] ? 0 : fabs((plus[i] - minus[i]) / (2 * h) - flipped[i]));
        }
        assert_true(size > 0 && off < 1e-7 * size);
        free(x);
        free(blocks);
        robot_end(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wall_derivatives_are_exact),
        cmocka_unit_test(tractions_are_as_the_shape_functions_want),
        cmocka_unit_test(the_volume_asked_for_is_reached_to_roundoff),
        cmocka_unit_test(a_liquid_weighs_what_it_weighs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
