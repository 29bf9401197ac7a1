// Rigid bodies and joints: what begins to roll; what tumbles, swings and goes round.
#include "verify.h"

#include "base/vec.h"
#include "step/state.h"

#include "rigid_truth.h"

#include <string.h>

static const double g = 9.81;

enum { MOST_BODIES = 3 };

typedef struct rigid_scene {
    lithe_body_def body[MOST_BODIES];
    lithe_joint_def joint[MOST_BODIES];
    lithe_obstacle_def floor;
    lithe_actuator_def servo;
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} rigid_scene;

static void begin(rigid_scene *s, lithe_scheme scheme, double spectral_radius, double dt)
{
    memset(s, 0, sizeof *s);
    s->report = lithe_report_default();
    s->def = lithe_def_default();
    s->def.body = s->body;
    s->def.joint = s->joint;
    s->def.step.dt = dt;
    s->def.dynamics.scheme = scheme;
    s->def.dynamics.spectral_radius = spectral_radius;
}

static lithe_body_def *add_body(rigid_scene *s, const char *name, lithe_rigid_shape shape,
                                const double size[3], double mass)
{
    lithe_body_def *b = &s->body[s->def.nbody++];
    *b = lithe_body_def_default();
    b->name = name;
    b->shape = shape;
    b->mass = mass;
    memcpy(b->size, size, sizeof b->size);
    return b;
}

// A bar of 10 x 20 mm from one point to another, in the plane of x and z.
static void add_bar(rigid_scene *s, const char *name, const double from[3], const double to[3],
                    double mass)
{
    lithe_body_def *b =
        add_body(s, name, LITHE_RIGID_BOX, (double[]){0.01, 0.02, vec_distance(from, to)}, mass);
    for (int i = 0; i < 3; i++)
        b->move[i] = 0.5 * (from[i] + to[i]);
    b->rotate[1] = atan2(to[0] - from[0], to[2] - from[2]);
}

static void add_hinge(rigid_scene *s, const char *name, const char *of, const char *with,
                      const double at[3])
{
    lithe_joint_def *j = &s->joint[s->def.njoint++];
    *j = lithe_joint_def_default();
    j->name = name;
    j->kind = LITHE_JOINT_HINGE;
    j->body = of;
    j->with = with;
    j->axis[1] = 1;
    memcpy(j->at, at, sizeof j->at);
}

static bool compile(rigid_scene *s, verify_table *table)
{
    bool good = lithe_compile(&s->def, &s->model, &s->report) == LITHE_OK &&
                lithe_state_create(s->model, 1, &s->state, &s->report) == LITHE_OK;
    if (!good)
        verify_broken(table, s->report.error);
    return good;
}

static bool take_steps(rigid_scene *s, verify_table *table, int n)
{
    for (int i = 0; i < n; i++)
        if (lithe_step(s->model, s->state) != LITHE_OK) {
            verify_broken(table, lithe_state_error(s->state));
            return false;
        }
    return true;
}

static void end(rigid_scene *s)
{
    lithe_state_free(s->state);
    lithe_model_free(s->model);
}

static const double *middle_of(const rigid_scene *s, int k)
{
    const body *b = &s->model->body[k];
    return &s->state->now.x[3 * (b->node_adr + b->centre)];
}

static const char *name_of(lithe_scheme scheme)
{
    return scheme == LITHE_EULER ? "implicit Euler" : "generalized-alpha";
}

// What slides begins to roll: a ball, a capsule with the inertia of a cylinder, a cylinder, which
// is a prism in contact and therefore looked at as soon as it rolls.
typedef struct rolling {
    const char *name;
    lithe_rigid_shape shape;
    bool weighed; // with the inertia of a cylinder
    int steps;
} rolling;

static void roll(verify_table *table, lithe_scheme scheme, const rolling *what)
{
    const double r = 0.01, h = 0.04, m = 0.03, start = 0.5;
    bool ball = what->shape == LITHE_RIGID_SPHERE;
    rigid_scene s;
    begin(&s, scheme, 0.8, 1e-3);
    lithe_body_def *b = add_body(&s, "roller", what->shape, (double[]){r, h, 0}, m);
    b->rotate[0] = M_PI / 2;
    b->move[2] = 1.002 * r;
    b->velocity[0] = start;
    for (int i = 0; i < 3 && what->weighed; i++)
        b->inertia[i] = i < 2 ? m * (r * r / 4 + h * h / 12) : m * r * r / 2;
    s.floor = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    s.floor.name = "floor";
    s.floor.friction = 0.3;
    s.def.obstacle = &s.floor;
    s.def.nobstacle = 1;
    s.def.gravity[2] = -g;
    verify_mesh(table, "rigid %s, %s, dt 1 ms", what->name, name_of(scheme));
    if (compile(&s, table) && take_steps(&s, table, what->steps))
        verify_gate(table, "speed as it begins to roll, over the first",
                    lithe_last_energy(s.model, s.state).linear[0] / m / start,
                    ball ? 5.0 / 7 : 2.0 / 3, 1e-3);
    end(&s);
}

void verify_rigid_rolling(verify_table *table)
{
    verify_case(table, 33, "friction in motion");
    static const rolling all[] = {{"roller", LITHE_RIGID_CAPSULE, true, 120},
                                  {"ball", LITHE_RIGID_SPHERE, false, 120},
                                  {"cylinder", LITHE_RIGID_CYLINDER, false, 60}};
    for (int scheme = LITHE_EULER; scheme <= LITHE_ALPHA; scheme++)
        for (size_t k = 0; k < sizeof all / sizeof *all; k++)
            roll(table, (lithe_scheme)scheme, &all[k]);
}

static void tumble(verify_table *table)
{
    rigid_scene s;
    begin(&s, LITHE_ALPHA, 1, 4e-3);
    lithe_body_def *b =
        add_body(&s, "block", LITHE_RIGID_BOX, (double[]){0.03, 0.02, 0.01}, 0.0468);
    memcpy(b->spin, (double[]){0.3, 20, 0.2}, sizeof b->spin); // near the unstable axis
    verify_mesh(table, "block, 100 rounds, spectral radius 1, dt 4 ms");
    if (compile(&s, table)) {
        lithe_energy first = lithe_last_energy(s.model, s.state);
        if (take_steps(&s, table, (int)(100 * 2 * M_PI / 20 / 4e-3))) {
            lithe_energy last = lithe_last_energy(s.model, s.state);
            double off[3];
            vec_sub(off, last.angular, first.angular);
            verify_gate(table, "energy, over the first", last.kinetic / first.kinetic, 1, 1e-6);
            verify_gate(table, "1 + angular momentum that it loses, over the first",
                        1 + vec_norm(off) / vec_norm(first.angular), 1, 1e-6);
        }
    }
    end(&s);
}

static void swing(verify_table *table, double dt, bool judged)
{
    const double time = 0.1;
    rigid_scene s;
    double truth[3];
    begin(&s, LITHE_ALPHA, 0.8, dt);
    s.def.gravity[2] = -g;
    add_bar(&s, "upper", (double[]){0, 0, 0}, (double[]){l1, 0, 0}, m1);
    add_bar(&s, "lower", (double[]){l1, 0, 0}, (double[]){l1 + l2, 0, 0}, m2);
    add_hinge(&s, "shoulder", "upper", NULL, (double[]){0, 0, 0});
    add_hinge(&s, "elbow", "lower", "upper", (double[]){l1, 0, 0});
    verify_mesh(table, "double pendulum, dt %g ms", 1e3 * dt);
    pendulum_at(time, truth);
    if (compile(&s, table) && take_steps(&s, table, (int)(time / dt + 0.5)))
        verify_row(table, judged, "1 + way of the lower bar from the reference, over its length",
                   1 + vec_distance(middle_of(&s, 1), truth) / l2, 1, 1e-6);
    end(&s);
}

// The far end of a coupler between a crank at 0 and a rocker at `base`, both in the plane of x, z.
static void far_end(double angle, const double bar[3], double base, double out[3])
{
    double x = bar[0] * sin(angle), z = bar[0] * cos(angle), far = hypot(base - x, z);
    double along = atan2(-z, base - x) +
                   acos((bar[1] * bar[1] + far * far - bar[2] * bar[2]) / (2 * bar[1] * far));
    out[0] = x + bar[1] * cos(along);
    out[1] = 0;
    out[2] = z + bar[1] * sin(along);
}

static void go_round(verify_table *table)
{
    const double bar[3] = {0.03, 0.08, 0.07}, base = 0.1, start[3] = {0, 0, 0.03};
    rigid_scene s;
    double knee[3], worst = 0;
    begin(&s, LITHE_ALPHA, 0.8, 1e-2);
    far_end(0, bar, base, knee);
    add_bar(&s, "crank", (double[]){0, 0, 0}, start, 0.03);
    add_bar(&s, "coupler", start, knee, 0.08);
    add_bar(&s, "rocker", knee, (double[]){base, 0, 0}, 0.07);
    add_hinge(&s, "pin", "coupler", "crank", start);
    add_hinge(&s, "knee", "rocker", "coupler", knee);
    add_hinge(&s, "pivot", "rocker", NULL, (double[]){base, 0, 0});
    s.servo = lithe_actuator_def_default(LITHE_SERVO);
    s.servo.name = "motor";
    s.servo.body = "crank";
    s.servo.command = LITHE_DISPLACEMENT;
    s.servo.direction[1] = 1;
    s.def.actuator = &s.servo;
    s.def.nactuator = 1;
    verify_mesh(table, "four-bar, once round in 63 steps");
    bool good = compile(&s, table);
    for (int i = 1; i <= 63 && good; i++) {
        double angle = 0.1 * i, end_at[3], middle[3];
        far_end(angle, bar, base, end_at);
        lithe_command(s.model, s.state, 0, LITHE_DISPLACEMENT, &angle);
        good = take_steps(&s, table, 1);
        for (int k = 0; k < 3; k++)
            middle[k] = 0.5 * (end_at[k] + (k == 0 ? base : 0));
        worst = fmax(worst, vec_distance(middle_of(&s, 2), middle) / bar[2]);
    }
    if (good)
        verify_gate(table, "1 + way of the rocker from the closed form, over its length", 1 + worst,
                    1, 1e-6);
    end(&s);
}

void verify_rigid(verify_table *table)
{
    verify_case(table, 35, "rigid bodies and joints");
    tumble(table);
    swing(table, 4e-4, false);
    swing(table, 2e-4, false);
    swing(table, 1e-4, true);
    go_round(table);
}
