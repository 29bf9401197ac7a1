// Inertia of rotation of rods: about their axis that of the whole section, across it that of the
// axis in question. Against Timoshenko's beam, Saint-Venant's shaft and Euler's top.
#include "lithe/lithe.h"

#include "base/rotation.h"
#include "base/vec.h"
#include "body/body.h"
#include "step/phases.h"
#include "step/step.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "step/vibration.h"

static const double length = 0.1, density = 1200, young = 1e7, poisson = 0.3;
static const double wide = 0.03, thin = 0.015; // of the rectangle, along its first and second axis

typedef struct rod_robot {
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body;
    lithe_fix_def fix[2];
    lithe_rigid_def part;
    lithe_rod_def rod;
    double point[9];
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} rod_robot;

// A rod along `way` in motion, of a rectangle whose first axis is near `axis`.
static void rod_begin(rod_robot *r, int elements, const double way[3], const double axis[3])
{
    memset(r, 0, sizeof *r);
    r->report = lithe_report_default();
    r->material = lithe_material_def_default();
    r->material.name = "rubber";
    r->material.young = young;
    r->material.poisson = poisson;
    r->material.density = density;
    r->rod = lithe_rod_def_default();
    r->rod.name = "rod";
    r->rod.npoint = 2;
    r->rod.point = r->point;
    memcpy(&r->point[3], way, 3 * sizeof *way);
    memcpy(r->rod.axis, axis, 3 * sizeof *axis);
    r->rod.elements = elements;
    r->rod.section = LITHE_RECTANGLE;
    r->rod.size[0] = wide;
    r->rod.size[1] = thin;
    r->part = lithe_rigid_def_default();
    r->part.name = "part";
    r->part.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1}};
    r->body = lithe_body_def_default();
    r->body.name = "shaft";
    r->body.material = "rubber";
    r->body.nrod = 1;
    r->body.rod = &r->rod;
    r->body.fix = r->fix;
    r->body.rigid = &r->part;
    r->def = lithe_def_default();
    r->def.nmaterial = 1;
    r->def.material = &r->material;
    r->def.nbody = 1;
    r->def.body = &r->body;
    r->def.dynamics.scheme = LITHE_ALPHA;
    r->def.dynamics.spectral_radius = 1;
}

static void rod_compile(rod_robot *r)
{
    if (lithe_compile(&r->def, &r->model, &r->report) != LITHE_OK)
        fail_msg("%s", r->report.error);
    assert_int_equal(lithe_state_create(r->model, 1, &r->state, &r->report), LITHE_OK);
}

static void rod_end(rod_robot *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
}

static void hold(rod_robot *r, double x, int axes, int rotations)
{
    lithe_fix_def *fix = &r->fix[r->body.nfix++];
    *fix = lithe_fix_def_default();
    fix->where = (lithe_selection){.kind = LITHE_NEAREST, .a = {x, 0, 0}};
    fix->axes = axes;
    fix->rotations = rotations;
}

// The slower root of (k G A k^2 - rho A w^2) (E I k^2 + k G A - rho I w^2) = (k G A k)^2, where the
// second k is the wave's number and k G A what carries shear.
static double timoshenko(double wave, double EI, double GA, double area, double inertia)
{
    double a = density * area * density * inertia,
           b = density * area * (EI * wave * wave + GA) + density * inertia * GA * wave * wave,
           c = GA * wave * wave * EI * wave * wave;
    return sqrt(2 * c / (b + sqrt(b * b - 4 * a * c)));
}

// On two hinges, so thick that half of the inertia of rotation more would be seen: it is held
// along x at one end, across at both, and cannot twist.
static void a_thick_rod_on_hinges_swings_as_timoshenko_says(void **unused)
{
    (void)unused;
    const double x[3] = {length, 0, 0}, y[3] = {0, 1, 0};
    for (int wave = 1; wave <= 2; wave++)
        for (int axis = 1; axis <= 2; axis++) { // along which it swings
            rod_robot r;
            rod_begin(&r, 80, x, y);
            hold(&r, 0, LITHE_XYZ, LITHE_X);
            hold(&r, length, LITHE_Y | LITHE_Z, LITHE_X);
            rod_compile(&r);
            const body *b = &r.model->body[0];
            double *u = calloc(3 * (size_t)b->nnode, sizeof *u);
            double height = axis == 1 ? wide : thin, k = wave * M_PI / length, area = wide * thin,
                   inertia = area * height * height / 12,
                   shear = young / (2 * (1 + poisson)) * area * 10 * (1 + poisson) /
                           (12 + 11 * poisson);
            for (int i = 0; i < body_nposition(b); i++)
                u[3 * i + axis] = sin(k * b->X[3 * i]);
            double expected = timoshenko(k, young * inertia, shear, area, inertia);
            assert_true(fabs(vibration(r.model, r.state, 6, u) / expected - 1) < 1e-3);
            free(u);
            rod_end(&r);
        }
}

// Of Saint-Venant's torsion, and so are all directions of a rod: what counts is its own axis.
static void a_shaft_twists_at_its_frequency_wherever_it_points(void **unused)
{
    (void)unused;
    const double way[2][3] = {{length, 0, 0}, {0.48 * length, -0.6 * length, 0.64 * length}},
                 axis[3] = {0, 0, 1};
    for (int k = 0; k < 2; k++) {
        rod_robot r;
        rod_begin(&r, 40, way[k], axis);
        hold(&r, 0, LITHE_XYZ, LITHE_XYZ);
        rod_compile(&r);
        const body *b = &r.model->body[0];
        double *u = calloc(3 * (size_t)b->nnode, sizeof *u);
        for (int i = 0; i < body_nposition(b); i++)
            for (int j = 0; j < 3; j++)
                u[3 * b->rotation[i] + j] = way[k][j] * vec_dot(&b->X[3 * i], way[k]);
        // of a rectangle twice as wide as it is thin
        double torsion = 0.22868 * wide * thin * thin * thin,
               polar = wide * thin * (wide * wide + thin * thin) / 12,
               speed = sqrt(young / (2 * (1 + poisson)) * torsion / (density * polar));
        assert_true(fabs(vibration(r.model, r.state, 6, u) / (M_PI / (2 * length) * speed) - 1) <
                    1e-3);
        free(u);
        rod_end(&r);
    }
}

// The rod's tensor of inertia about its middle, across and along: lumps at its ends, and the
// rectangle's own.
static void principal_inertias(double out[3])
{
    double mass = density * length * wide * thin;
    out[0] = mass * (wide * wide + thin * thin) / 12;
    out[1] = mass * (0.25 * length * length + thin * thin / 12);
    out[2] = mass * (0.25 * length * length + wide * wide / 12);
}

// Whether its mass is told or its density, and whether solids beside it would be lumped or not.
static void a_spinning_rod_has_the_momentum_of_a_brick(void **unused)
{
    (void)unused;
    const double way[3] = {0, 0, length}, axis[3] = {0, 1, 0}, spin[3] = {3, 2, -5};
    for (int k = 0; k < 4; k++) {
        rod_robot r;
        double I[3];
        rod_begin(&r, 1, way, axis);
        memcpy(r.body.spin, spin, sizeof spin);
        r.body.mass = k & 1 ? density * length * wide * thin : 0;
        r.material.density = k & 1 ? 77 : density;
        r.def.dynamics.mass = k & 2 ? LITHE_CONSISTENT : LITHE_LUMPED;
        rod_compile(&r);
        principal_inertias(I);
        // along z, its first axis y, its second z cross y = -x
        double expected[3] = {I[2] * spin[0], I[1] * spin[1], I[0] * spin[2]};
        lithe_energy e = lithe_last_energy(r.model, r.state);
        assert_true(vec_distance(e.angular, expected) < 1e-12 * vec_norm(expected));
        assert_true(fabs(e.kinetic / (0.5 * vec_dot(expected, spin)) - 1) < 1e-12);
        rod_end(&r);
    }
}

// Free, stiff, for so long from a spin at the start.
static void fly(rod_robot *r, const double spin[3], double dt, double time)
{
    r->material.young = 1e11;
    memcpy(r->body.spin, spin, sizeof r->body.spin);
    r->def.dynamics.spectral_radius = 0.8;
    r->def.step.dt = dt;
    r->def.step.tolerance = 1e-10;
    rod_compile(r);
    for (int k = 0; k < lround(time / dt); k++)
        if (lithe_step(r->model, r->state) != LITHE_OK)
            fail_msg("%s", lithe_state_error(r->state));
}

// A round rod that is short for its radius, free, spun about an axis that leans against its own.
// Its own axis then goes round the momentum, which stays, at momentum over inertia across.
static double precession_error(double dt, double time, double *momentum)
{
    const double way[3] = {0.04, 0, 0}, axis[3] = {0, 1, 0}, radius = 0.04, size = 0.04;
    const double mass = density * M_PI * radius * radius * size,
                 along = 0.5 * mass * radius * radius,
                 across = mass * (0.25 * size * size + 0.25 * radius * radius),
                 L[3] = {along * 4, across * 3, 0};
    rod_robot r;
    double rotation[3], R[9], expected[3], found[3];
    rod_begin(&r, 1, way, axis);
    r.rod.section = LITHE_ROUND;
    r.rod.size[0] = radius;
    fly(&r, (double[]){4, 3, 0}, dt, time);
    for (int i = 0; i < 3; i++)
        rotation[i] = L[i] / across * time;
    rotation_matrix(rotation, R);
    mat_apply(expected, R, (double[]){size, 0, 0});
    vec_sub(found, lithe_position(r.state) + 3, lithe_position(r.state));
    *momentum = vec_distance(lithe_last_energy(r.model, r.state).angular, L) / vec_norm(L);
    rod_end(&r);
    return vec_distance(found, expected) / size;
}

static void the_axis_of_a_free_top_goes_round_its_momentum(void **unused)
{
    (void)unused;
    double lost[2], error[2];
    for (int k = 0; k < 2; k++)
        error[k] = precession_error(k ? 5e-3 : 1e-2, 1, &lost[k]);
    assert_true(error[1] < 1e-2 && lost[1] < 1e-3);
    assert_true(error[0] / error[1] > 3.5 && lost[0] / lost[1] > 3.5); // second order
}

// An angle of two thick rods tumbles as the rigid part that it is.
static void rods_in_a_rigid_part_tumble_as_stiff_ones_do(void **unused)
{
    (void)unused;
    double at[2][9];
    for (int rigid = 0; rigid < 2; rigid++) {
        rod_robot r;
        rod_begin(&r, 2, (double[]){0.03, 0, 0}, (double[]){0, 0, 1});
        memcpy(&r.point[6], (double[]){0.03, 0.03, 0}, 3 * sizeof *r.point);
        r.rod.npoint = 3;
        r.body.nrigid = rigid;
        fly(&r, (double[]){4, 3, -2}, 5e-3, 1);
        assert_int_equal(lithe_nnode(r.model), 3);
        memcpy(at[rigid], lithe_position(r.state), sizeof at[rigid]);
        rod_end(&r);
    }
    for (int i = 0; i < 3; i++)
        assert_true(vec_distance(&at[0][3 * i], &at[1][3 * i]) < 1e-3 * 0.03);
}

// I acceleration + w x I w is the rate of I w, where I rotates with the rod.
static void inertia_and_gyroscopic_moment_are_the_rate_of_momentum(void **unused)
{
    (void)unused;
    const double way[3] = {0.48 * length, -0.6 * length, 0.64 * length}, axis[3] = {0, 0, 1},
                 theta[3] = {0.4, -1.1, 0.7}, spin[3] = {0.9, 0.3, -0.5},
                 rate[3] = {-0.2, 0.6, 1.3}, h = 1e-5;
    rod_robot r;
    rod_begin(&r, 1, way, axis);
    rod_compile(&r);
    const body *b = &r.model->body[0];
    double momentum[2][12], force[12] = {0}, v[12], x[12];
    for (int end = 0; end < 2; end++) {
        double t = end ? h : -h, swept[3];
        memcpy(x, b->X, sizeof x);
        memset(v, 0, sizeof v);
        memset(momentum[end], 0, sizeof momentum[end]);
        for (int i = 0; i < 3; i++) {
            swept[i] = t * spin[i] + 0.5 * t * t * rate[i];
            v[6 + i] = v[9 + i] = spin[i] + t * rate[i];
        }
        rotation_advance(theta, 1, swept, &x[6]);
        memcpy(&x[9], &x[6], 3 * sizeof *x);
        body_mass_times(b, x, 1, v, momentum[end]);
    }
    for (int i = 0; i < 6; i++) {
        x[6 + i] = theta[i % 3];
        v[6 + i] = spin[i % 3];
    }
    body_gyroscopic(b, x, 1, v, force);
    for (int i = 0; i < 6; i++)
        v[6 + i] = rate[i % 3];
    body_mass_times(b, x, 1, v, force);
    for (int i = 6; i < 12; i++)
        assert_true(fabs((momentum[1][i] - momentum[0][i]) / (2 * h) - force[i]) <
                    1e-8 * vec_norm(&force[6]));
    assert_true(vec_norm(&force[6]) > 0);
    rod_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thick_rod_on_hinges_swings_as_timoshenko_says),
        cmocka_unit_test(a_shaft_twists_at_its_frequency_wherever_it_points),
        cmocka_unit_test(a_spinning_rod_has_the_momentum_of_a_brick),
        cmocka_unit_test(the_axis_of_a_free_top_goes_round_its_momentum),
        cmocka_unit_test(rods_in_a_rigid_part_tumble_as_stiff_ones_do),
        cmocka_unit_test(inertia_and_gyroscopic_moment_are_the_rate_of_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
