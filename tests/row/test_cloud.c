#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/vec.h"
#include "row/cloud.h"
#include "specimen.h"

static const lithe_material_def rubber = {.young = 1, .poisson = 0.45, .density = 1};

// A row that measures every third node of a small block, with unequal weights.
static void make(specimen *s, row *r, row_kind kind, int component)
{
    assert_true(specimen_begin(s, bar_make(2, 2, 3, (double[]){0, 0, 0}, (double[]){1, 0.8, 1.4}),
                               rubber, NULL));
    *r = (row){.name = "row", .kind = kind};
    row_cloud *cloud = &r->cloud;
    cloud->n = s->part.nnode / 3;
    cloud->component = component;
    cloud->node = arena_new(&s->memory, cloud->n, int);
    cloud->weight = arena_new(&s->memory, cloud->n, double);
    memcpy(cloud->direction, (double[]){0.6, 0, 0.8}, sizeof cloud->direction);
    double sum = 0;
    for (int i = 0; i < cloud->n; i++) {
        cloud->node[i] = 3 * i;
        sum += cloud->weight[i] = 1 + i % 3;
    }
    for (int i = 0; i < cloud->n; i++)
        cloud->weight[i] /= sum;
    assert_int_equal(row_begin(r, kind == ROW_MEAN, s->shape.x, &s->memory), LITHE_OK);
    assert_true(specimen_finish(s, r));
}

static void rotate_by(specimen *s, const double theta[3])
{
    double angle = vec_norm(theta), k[3], c = cos(angle), w = sin(angle);
    for (int i = 0; i < 3; i++)
        k[i] = theta[i] / angle;
    for (int n = 0; n < s->part.nnode; n++) { // Rodrigues
        double *x = &s->x[3 * n], cross[3], along = vec_dot(k, x);
        vec_cross(cross, k, x);
        for (int i = 0; i < 3; i++)
            x[i] = c * x[i] + w * cross[i] + (1 - c) * along * k[i] + 0.3;
    }
}

static void a_rigid_rotation_is_measured_as_its_vector(void **unused)
{
    (void)unused;
    const double angle[] = {1e-9, 0.01, 0.7, 2, 3.1, M_PI};
    for (int a = 0; a < 6; a++)
        for (int component = 0; component < 3; component++) {
            specimen s;
            row r;
            double theta[3] = {0.36, 0.48, -0.8};
            make(&s, &r, ROW_ROTATION, component);
            for (int i = 0; i < 3; i++)
                theta[i] *= angle[a];
            rotate_by(&s, theta);
            double found = row_value(&r, s.x), expected = theta[component];
            if (a == 5) // half a turn has two rotation vectors
                found = fabs(found), expected = fabs(expected);
            assert_true(fabs(found - expected) < 1e-9);
            specimen_free(&s);
        }
}

static void gradients_are_derivatives(void **unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        specimen s;
        row r;
        make(&s, &r, k < 3 ? ROW_ROTATION : ROW_MEAN, k % 3);
        rotate_by(&s, (double[]){0.5, -0.9, 0.4});
        specimen_shake(&s, 0.05);
        double *H = arena_new(&s.memory, 3 * s.part.nnode, double);
        specimen_row_gradient(&s, &r, H);
        assert_true(specimen_gradient_error(&s, specimen_row_value, &r, H, 1e-6) < 1e-7);
        specimen_free(&s);
    }
}

static void nodes_on_a_line_cannot_rotate(void **unused)
{
    (void)unused;
    specimen s;
    row r;
    make(&s, &r, ROW_ROTATION, 0);
    assert_true(cloud_can_rotate(&r.cloud));
    for (int i = 0; i < r.cloud.n; i++)
        for (int axis = 0; axis < 2; axis++)
            r.cloud.arm[3 * i + axis] = 0;
    assert_false(cloud_can_rotate(&r.cloud));
    specimen_free(&s);
}

// (A - A before) displacement, from blocks and directly.
static void check_stiffness_times(specimen *s, const row *r)
{
    size_t n = 3 * (size_t)s->part.nnode;
    double *u = arena_new(&s->memory, n, double), *f = arena_new(&s->memory, n, double);
    for (size_t i = 0; i < n; i++)
        u[i] = specimen_uniform();
    specimen_shake(s, 0.03);
    row_stiffness(r, s->x, 1.7, false, &s->blocks);
    row_stiffness_times(r, s->x, 1.7, u, f);
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t j = 0; j < n; j++)
            sum += specimen_entry(s, (int)i, (int)j) * u[j];
        assert_true(fabs(sum - f[i]) < 1e-12);
    }
}

static void stiffness_times_a_displacement_is_the_blocks_times_it(void **unused)
{
    (void)unused;
    static const double at[3][3] = {{-0.3, 0.5, 0.1}, {0.1, 0.4, 0.2}, {0.9, 0.8, 0.95}};
    static const bool world[3] = {true};
    for (int k = 0; k < 2; k++) {
        specimen s;
        row r;
        bar shape = bar_make(3, 3, 3, (double[]){0, 0, 0}, (double[]){1, 1, 1});
        bar_hollow(&shape);
        assert_true(specimen_begin(&s, shape, rubber, NULL));
        assert_true(k ? specimen_cavity(&s, &r) : specimen_line(&s, &r, ROW_CABLE, 3, at, world));
        assert_true(specimen_finish(&s, &r));
        check_stiffness_times(&s, &r);
        specimen_free(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rigid_rotation_is_measured_as_its_vector),
        cmocka_unit_test(gradients_are_derivatives),
        cmocka_unit_test(nodes_on_a_line_cannot_rotate),
        cmocka_unit_test(stiffness_times_a_displacement_is_the_blocks_times_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
