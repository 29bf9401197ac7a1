// A soft block on a plane, free to move: dropped, sliding, sticking; and pushed in statics.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "robot.h"
#include "step/tolerances.h"

static const double g = 9.81;
static lithe_obstacle_def floor_def;

static void begin(robot *r, int cells, double friction)
{
    memset(r, 0, sizeof *r);
    robot_begin(r, false);
    robot_reshape(r, bar_make(cells, cells, cells, (double[]){-0.01, -0.01, 0},
                              (double[]){0.01, 0.01, 0.02}));
    r->body.nfix = r->body.nsurface = 0;
    r->tip_point = (lithe_point_def){"bar", {0, 0, 0}};
    floor_def = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    floor_def.name = "floor";
    floor_def.friction = friction;
    r->def.obstacle = &floor_def;
    r->def.nobstacle = 1;
    r->def.step.dt = 1e-3;
    r->def.dynamics.scheme = LITHE_EULER;
}

// Gravity of a plane that leans by an angle, in the plane's own frame.
static void lean(robot *r, double angle)
{
    r->def.gravity[0] = g * sin(angle);
    r->def.gravity[2] = -g * cos(angle);
}

static void take_step(robot *r)
{
    lithe_status status = lithe_step(r->model, r->state);
    if (status != LITHE_OK)
        print_error("%s\n", lithe_state_error(r->state));
    assert_int_equal(status, LITHE_OK);
}

// Mean velocity of the mass along an axis.
static double velocity(const robot *r, int axis)
{
    double sum = 0, mass = 0;
    const body *b = &r->model->body[0];
    for (int i = 0; i < b->nnode; i++) {
        sum += b->mass[i] * r->state->motion.velocity[3 * i + axis];
        mass += b->mass[i];
    }
    return sum / mass;
}

static double position(robot *r, int axis)
{
    double x[3];
    lithe_effector_value(r->model, r->state, 0, x);
    return x[axis];
}

static void forces(const robot *r, double normal[3], double friction[3])
{
    memset(normal, 0, 3 * sizeof *normal);
    memset(friction, 0, 3 * sizeof *friction);
    for (int i = 0; i < lithe_ncontact(r->state); i++) {
        lithe_contact c;
        lithe_contact_get(r->model, r->state, i, &c);
        for (int k = 0; k < 3; k++) {
            normal[k] += c.force * c.normal[k];
            friction[k] += c.friction[k];
        }
    }
}

// Settled on the plane, then it leans by 30 degrees: g (sin - mu cos).
static void a_block_slides_down_an_incline_as_coulomb_says(void **unused)
{
    (void)unused;
    robot r;
    double angle = 30 * acos(-1) / 180, mu = 0.3, expected = g * (sin(angle) - mu * cos(angle));
    begin(&r, 3, mu);
    r.def.dynamics.stiffness_damping = 1e-3;
    lean(&r, angle);
    robot_compile(&r);
    for (int k = 0; k < 200; k++)
        take_step(&r);
    double before = velocity(&r, 0), N[3], T[3];
    for (int k = 0; k < 100; k++)
        take_step(&r);
    assert_true(fabs((velocity(&r, 0) - before) / 0.1 - expected) < 5e-3 * expected);
    forces(&r, N, T);
    double weight = 1000 * 8e-6 * g;
    assert_true(fabs(N[2] - weight * cos(angle)) < 0.02 * weight);
    assert_true(fabs(T[0] + mu * N[2]) < 1e-9);
    robot_end(&r);
}

// tan(angle) = mu: just below it sticks and stays where it is, just above it slides.
static void a_block_sticks_up_to_the_angle_of_friction(void **unused)
{
    (void)unused;
    for (int above = 0; above < 2; above++) {
        robot r;
        double mu = 0.3, angle = atan(mu * (above ? 1.01 : 0.99));
        begin(&r, 2, mu);
        r.def.dynamics.stiffness_damping = 2e-3;
        lean(&r, angle);
        robot_compile(&r);
        for (int k = 0; k < 300; k++)
            take_step(&r);
        double settled = position(&r, 0);
        for (int k = 0; k < 500; k++)
            take_step(&r);
        double way = position(&r, 0) - settled;
        if (above)
            assert_true(way > 0.5 * 0.5 * g * 0.01 * mu * 0.25);
        else
            assert_true(fabs(way) < 1e-9);
        robot_end(&r);
    }
}

// From a height, onto a floor with friction, spinning a little: it never sinks in, its energy never
// grows, and it comes to rest.
static void a_dropped_block_comes_to_rest(void **unused)
{
    (void)unused;
    for (int scheme = 0; scheme < 2; scheme++) {
        robot r;
        begin(&r, 2, 0.5);
        r.def.dynamics.scheme = scheme ? LITHE_ALPHA : LITHE_EULER;
        r.def.dynamics.stiffness_damping = 5e-4;
        r.def.gravity[2] = -g;
        memcpy(floor_def.at, (double[]){0, 0, -0.02}, sizeof floor_def.at);
        robot_compile(&r);
        double most = 0, energy = 0;
        for (int k = 0; k < 600; k++) {
            take_step(&r);
            assert_true(lithe_penetration(r.state) <= CONTACT_TOLERANCE * r.model->size);
            double kinetic = 0, height = 0;
            const body *b = &r.model->body[0];
            for (int i = 0; i < 3 * b->nnode; i++)
                kinetic += 0.5 * b->mass[i / 3] * pow(r.state->motion.velocity[i], 2);
            for (int i = 0; i < b->nnode; i++)
                height += b->mass[i] * g * (r.state->now.x[3 * i + 2] + 0.02);
            energy = kinetic + height + r.state->now.energy;
            most = fmax(most, energy);
        }
        double start = 1000 * 8e-6 * g * 0.03;
        assert_true(most < 1.001 * start);
        assert_true(fabs(position(&r, 2) + 0.02) < 1e-4); // it rests within reach of the barrier
        assert_true(fabs(velocity(&r, 2)) < 1e-4);
        assert_true(energy < 0.4 * start);
        robot_end(&r);
    }
}

// In statics: a bar is pushed onto the floor and then pulled sideways. It sticks until friction is
// spent; afterwards it slides with mu N, whatever the way.
static void a_compressed_bar_sticks_and_then_slides(void **unused)
{
    (void)unused;
    robot r;
    double N[3], T[3], mu = 0.4;
    begin(&r, 3, mu);
    r.def.dynamics.scheme = LITHE_STATIC;
    r.material.poisson = 0;
    r.fix[0].where = (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, 0.02}, .b = {0, 0, 1}};
    r.fix[0].displacement[2] = -0.0005;
    r.body.nfix = 1;
    floor_def.nwaypoint = 0;
    robot_compile(&r);
    take_step(&r);
    forces(&r, N, T);
    assert_true(N[2] > 0.5);
    double before = position(&r, 0);
    for (int k = 1; k <= 20; k++) {
        assert_int_equal(lithe_move_obstacle(r.model, r.state, 0, (double[3]){0},
                                             (double[3]){0.00002 * k, 0, 0}),
                         LITHE_OK);
        take_step(&r);
        forces(&r, N, T);
        assert_true(T[0] <= mu * N[2] * (1 + 1e-9));
        if (k == 1) {
            assert_true(T[0] > 0 && T[0] < mu * N[2]);
        }
    }
    assert_true(position(&r, 0) > before); // it went along for a while
    for (int k = 1; k <= 20; k++) {
        lithe_move_obstacle(r.model, r.state, 0, (double[3]){0},
                            (double[3]){0.0004 + 0.0005 * k, 0, 0});
        take_step(&r);
    }
    forces(&r, N, T);
    assert_true(fabs(T[0] - mu * N[2]) < 1e-3 * N[2]); // points slide each in its own direction
    assert_true(fabs(T[1]) < 1e-3 * N[2]);
    robot_end(&r);
}

// A wire lies half round a drum, a weight at one end, a winch at the other: exp(mu pi), and exp(-mu
// pi) when the winch gives way. The wire is polygonal, which costs a percent.
static void a_wire_round_a_drum_holds_by_friction(void **unused)
{
    (void)unused;
    enum { CORNERS = 12, LEG = 3 };
    const double pi = acos(-1), mu = 0.2, R = 0.05, thick = 2.5e-4, weight = 0.1;
    double point[3 * (CORNERS + 2)] = {0}, a = pi / CORNERS, out = (2 * LEG - 1) * tan(a / 2);
    lithe_def def = lithe_def_default();
    lithe_material_def material = lithe_material_def_default();
    lithe_body_def wire = lithe_body_def_default();
    lithe_rod_def rod = lithe_rod_def_default();
    lithe_load_def load = lithe_load_def_default();
    lithe_actuator_def winch = lithe_actuator_def_default(LITHE_SLIDER);
    lithe_obstacle_def drum = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    for (int k = 0; k < CORNERS + 2; k++) {
        double angle = k == 0 ? 0 : k > CORNERS ? pi : (k - 0.5) * a;
        bool end = k == 0 || k > CORNERS;
        double r = (R + thick) / (end ? 1 : cos(a / 2));
        point[3 * k] = r * cos(angle);
        point[3 * k + 1] = r * (end ? -out : sin(angle));
    }
    material.name = "thread";
    material.young = 2e8;
    rod.name = "rod";
    rod.npoint = CORNERS + 2;
    rod.point = point;
    rod.elements = CORNERS - 1 + 2 * LEG;
    rod.size[0] = thick;
    wire.name = "wire";
    wire.material = "thread";
    wire.nrod = 1;
    wire.rod = &rod;
    load.name = "weight";
    load.body = winch.body = "wire";
    memcpy(load.at, point, sizeof load.at);
    load.value[1] = -weight;
    winch.name = "winch";
    winch.where.kind = LITHE_NEAREST;
    memcpy(winch.where.a, &point[3 * (CORNERS + 1)], sizeof winch.where.a);
    memcpy(winch.direction, (double[]){0, -1, 0}, sizeof winch.direction);
    drum.name = "drum";
    drum.at[2] = -0.1;
    drum.to[2] = 0.1;
    drum.radius = R;
    drum.friction = mu;
    def.contacts.max = 2 * (CORNERS + 2 * LEG);
    def.contacts.detection_distance = 3e-4;
    def.nmaterial = def.nbody = def.nload = def.nactuator = def.nobstacle = 1;
    def.material = &material;
    def.body = &wire;
    def.load = &load;
    def.actuator = &winch;
    def.obstacle = &drum;
    robot r = {.report = lithe_report_default()};
    assert_int_equal(lithe_compile(&def, &r.model, &r.report), LITHE_OK);
    assert_int_equal(lithe_state_create(r.model, 1, &r.state, &r.report), LITHE_OK);
    for (int k = 0; k < 2; k++) {
        double travel = k ? -0.001 : 0.0015, tension;
        lithe_command(r.model, r.state, 0, LITHE_DISPLACEMENT, &travel);
        take_step(&r);
        lithe_effort(r.model, r.state, 0, &tension);
        assert_true(fabs(tension / weight / exp(k ? -mu * pi : mu * pi) - 1) < 0.015);
    }
    lithe_state_free(r.state);
    lithe_model_free(r.model);
}

static void the_inverse_says_that_it_knows_no_friction(void **unused)
{
    (void)unused;
    robot r;
    robot_begin(&r, false);
    add_cable(&r, "east", 0.008);
    floor_def = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    floor_def.name = "floor";
    floor_def.friction = 0.3;
    floor_def.at[2] = -0.01;
    r.def.obstacle = &floor_def;
    r.def.nobstacle = 1;
    robot_compile(&r);
    lithe_target_effector(r.model, r.state, 0, (double[3]){0.01, 0, 0.09}, false);
    assert_int_equal(lithe_step(r.model, r.state), LITHE_INVALID);
    assert_non_null(strstr(lithe_state_error(r.state), "friction"));
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_down_an_incline_as_coulomb_says),
        cmocka_unit_test(a_block_sticks_up_to_the_angle_of_friction),
        cmocka_unit_test(a_dropped_block_comes_to_rest),
        cmocka_unit_test(a_compressed_bar_sticks_and_then_slides),
        cmocka_unit_test(a_wire_round_a_drum_holds_by_friction),
        cmocka_unit_test(the_inverse_says_that_it_knows_no_friction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
