// Contact and friction.
#include "piece.h"
#include "verify.h"

#include "base/vec.h"
#include "step/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81;

// Lines of the grid from 0 to 1: even up to `near`, then ever wider.
static double line(double t, double near)
{
    const double even = 0.55;
    if (t <= even)
        return near * t / even;
    double u = (t - even) / (1 - even), slope = near * (1 - even) / even;
    return near + slope * u + (1 - near - slope) * u * u;
}

// A quarter of a half-ball of 1 from a cube: r = max norm to Euclidean norm, fine about the pole
// (0, 0, -1).
static void ball_about(const double in[3], double near, double out[3])
{
    double p[3] = {line(in[0], near), line(in[1], near), line(in[2], near) - 1};
    double most = fmax(fmax(p[0], p[1]), -p[2]);
    double length = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    for (int i = 0; i < 3; i++)
        out[i] = length > 0 ? 0.01 * p[i] * most / length : 0;
}

static void half_ball(const double in[3], double out[3])
{
    ball_about(in, 0.13, out);
}

static void half_ball_lightly(const double in[3], double out[3]) // pushed
{
    ball_about(in, 0.045, out);
}

typedef struct print {
    double force, radius, peak; // of the whole ball: N, m, Pa
} print;

// Of the surface that stands for each node, at rest, m^2. Faces of four are there twice.
static void find_areas(const piece *p, double *area)
{
    const contact_surface *s = &p->model->contact.world.surface[0];
    for (int t = 0; t < s->ntri; t++) {
        const int *v = &s->tri[3 * t];
        double a[3], b[3], n[3];
        vec_sub(a, &s->rest[3 * v[1]], &s->rest[3 * v[0]]);
        vec_sub(b, &s->rest[3 * v[2]], &s->rest[3 * v[0]]);
        vec_cross(n, a, b);
        for (int i = 0; i < 3; i++)
            area[s->entry[s->entry_adr[v[i]]].node] += vec_norm(n) / (s->nquad > 0 ? 12 : 6);
    }
}

// Radius by the second moment of the pressure, 2 a^2 / 5 for Hertz's; peak as the ellipsoid through
// what pushes within half of it.
static print measure_print(const piece *p)
{
    int n = p->model->nnode;
    double *force = calloc(4 * (size_t)n, sizeof *force), *area = force + 3 * (size_t)n;
    print out = {0};
    double moment = 0, sum = 0, share = 0;
    lithe_contact_forces(p->model, p->state, force);
    find_areas(p, area);
    for (int i = 0; i < n; i++) {
        const double *at = &p->state->now.x[3 * i];
        out.force += 4 * fabs(force[3 * i + 2]);
        moment += 4 * fabs(force[3 * i + 2]) * (at[0] * at[0] + at[1] * at[1]);
    }
    out.radius = sqrt(2.5 * moment / out.force);
    for (int i = 0; i < n; i++) {
        const double *at = &p->state->now.x[3 * i];
        double r = hypot(at[0], at[1]) / out.radius;
        if (r < 0.5 && force[3 * i + 2] != 0 && at[0] > 1e-6 && at[1] > 1e-6) {
            sum += fabs(force[3 * i + 2]); // off the planes of symmetry
            share += area[i] * sqrt(1 - r * r);
        }
    }
    out.peak = sum / share;
    free(force);
    return out;
}

// The plane is lifted until the force is as wanted, by secants.
static bool push_ball(piece *p, double wanted, print *out, double *lift)
{
    double before[2] = {0, 0};
    *lift = 7e-5 * pow(wanted / 0.01, 2.0 / 3);
    for (int k = 0; k < 8; k++) {
        lithe_move_obstacle(p->model, p->state, 0, (double[3]){0}, (double[3]){0, 0, *lift});
        if (lithe_step(p->model, p->state) != LITHE_OK)
            return false;
        *out = measure_print(p);
        if (fabs(out->force - wanted) < 1e-6 * wanted)
            return true;
        double next = before[0] == 0 ? *lift * pow(wanted / out->force, 2.0 / 3)
                                     : *lift + (wanted - out->force) * (*lift - before[0]) /
                                                   (out->force - before[1]);
        before[0] = *lift;
        before[1] = out->force;
        *lift = next;
    }
    return false;
}

// load: over 10 mN. Half-space and ball agree as the load gets small: radius and peak go with its
// third root, the approach with the root's square.
static void hertz_on(verify_table *table, int cells, double load, bool judged)
{
    piece p;
    print found = {0};
    double lift, wanted = 0.01 * load, root = cbrt(load), gate = load < 1 ? 0.02 : 0.05;
    lithe_obstacle_def plane = lithe_obstacle_def_default(LITHE_OBSTACLE_PLANE);
    piece_begin(&p, bar_make(cells, cells, cells, (double[]){0, 0, 0}, (double[]){1, 1, 1}), 1e5,
                0.45);
    p.curve = load < 1 ? half_ball_lightly : half_ball;
    p.body.element = LITHE_HEX8;
    piece_hold(&p, (double[]){0, 0, -1e-9}, (double[]){0, 0, 1}, LITHE_XYZ);
    piece_hold(&p, (double[]){1e-9, 0, 0}, (double[]){-1, 0, 0}, LITHE_X);
    piece_hold(&p, (double[]){0, 1e-9, 0}, (double[]){0, -1, 0}, LITHE_Y);
    plane.name = "plane";
    plane.at[2] = -0.01;
    p.def.obstacle = &plane;
    p.def.nobstacle = 1;
    p.def.contacts.max = 400;
    p.def.contacts.detection_distance = 1e-4;
    verify_mesh(table, "%d x %d x %d hex8, a quarter, %g mN", cells, cells, cells, 10 * load);
    if (!piece_compile(&p) || lithe_state_create(p.model, 1, &p.state, &p.report) != LITHE_OK ||
        !push_ball(&p, wanted, &found, &lift)) {
        verify_broken(table, p.state ? lithe_state_error(p.state) : p.report.error);
    } else {
        verify_row(table, judged, "contact radius, mm", 1e3 * found.radius, 0.8426 * root, gate);
        verify_row(table, judged, "peak pressure, kPa", 1e-3 * found.peak, 6.73 * root, gate);
        verify_row(table, judged, "approach, mm", 1e3 * lift, 0.0710 * root * root, gate);
    }
    piece_end(&p);
}

void verify_hertz(verify_table *table)
{
    verify_case(table, 18, "Hertz: half-ball on a plane");
    hertz_on(table, 10, 1, false);
    hertz_on(table, 18, 1, true);
    hertz_on(table, 22, 0.05, true);
}

// A free block on a plane that leans.
static bool block_begin(piece *p, int cells, double mu, double angle)
{
    piece_begin(
        p, bar_make(cells, cells, cells, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.02}),
        1e5, 0.45);
    piece_lean(p, mu, angle, g);
    p->def.step.dt = 1e-3;
    p->def.dynamics.scheme = LITHE_EULER;
    p->def.dynamics.stiffness_damping = 2e-3;
    return piece_compile(p) && lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK;
}

static bool run_steps(piece *p, int n)
{
    for (int k = 0; k < n; k++)
        if (lithe_step(p->model, p->state) != LITHE_OK)
            return false;
    return true;
}

static void momentum(const piece *p, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < p->model->nbody; k++) {
        const body *b = &p->model->body[k];
        for (int i = 0; i < 3 * b->nnode; i++)
            out[i % 3] += b->mass[i / 3] * p->state->motion.velocity[3 * b->node_adr + i];
    }
}

static double slides_at(verify_table *table, double mu, double ratio)
{
    piece p;
    double before[3], after[3];
    if (!block_begin(&p, 2, mu, atan(ratio * mu)) || !run_steps(&p, 400)) {
        verify_broken(table, p.report.error);
        return NAN;
    }
    momentum(&p, before);
    run_steps(&p, 200);
    momentum(&p, after);
    piece_end(&p);
    return (after[0] - before[0]) / (8e-3 * 0.2); // acceleration
}

void verify_incline(verify_table *table)
{
    piece p;
    double mu = 0.3, angle = pi / 6, before[3], after[3];
    verify_case(table, 19, "block on an incline");
    verify_mesh(table, "4 x 4 x 4 cells, implicit Euler, dt 1 ms");
    if (!block_begin(&p, 4, mu, angle) || !run_steps(&p, 300)) {
        verify_broken(table, p.report.error);
        return;
    }
    momentum(&p, before);
    run_steps(&p, 200);
    momentum(&p, after);
    verify_gate(table, "acceleration at 30 deg, m/s^2", (after[0] - before[0]) / (8e-3 * 0.2),
                g * (sin(angle) - mu * cos(angle)), 5e-3);
    piece_end(&p);
    verify_mesh(table, "2 x 2 x 2 cells, implicit Euler, dt 1 ms");
    double sticks = 0.98, slides = 1.02;
    for (int k = 0; k < 6; k++) {
        double middle = 0.5 * (sticks + slides);
        if (fabs(slides_at(table, mu, middle)) > 1e-5)
            slides = middle;
        else
            sticks = middle;
    }
    verify_gate(table, "steepest tangent on which it sticks", mu * sticks, mu, 5e-3);
}

// Two blocks of different meshes that fly into each other askew, with friction between them.
void verify_collision(verify_table *table)
{
    piece p;
    lithe_body_def both[2];
    lithe_mesh *other = NULL;
    bar second = bar_make(2, 3, 2, (double[]){0.012, -0.007, 0.003}, (double[]){0.03, 0.011, 0.02});
    double start[3], now[3], most = 0, pull[2][3] = {{0}}, pushed = 0, unequal = 0;
    verify_case(table, 23, "action, reaction, momentum");
    verify_mesh(table, "two blocks, implicit Euler, dt 1 ms, 200 steps");
    piece_begin(&p, bar_make(3, 3, 3, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.02}),
                1e5, 0.45);
    both[0] = both[1] = p.body;
    p.def.contacts = lithe_contacts_def_default();
    p.def.contacts.location = "verify";
    p.def.contacts.friction = 0.4;
    p.def.step.dt = 1e-3;
    p.def.dynamics.scheme = LITHE_EULER;
    bool ok = lithe_mesh_create(p.shape.nnode, p.shape.x, p.shape.ntet, p.shape.tet, &p.mesh,
                                &p.report) == LITHE_OK &&
              lithe_mesh_create(second.nnode, second.x, second.ntet, second.tet, &other,
                                &p.report) == LITHE_OK;
    both[0].mesh = p.mesh;
    both[1].mesh = other;
    both[1].name = "other";
    both[0].velocity[0] = 0.3;
    both[1].velocity[0] = -0.2;
    both[1].velocity[1] = 0.1;
    p.def.nbody = 2;
    p.def.body = both;
    ok = ok && lithe_compile(&p.def, &p.model, &p.report) == LITHE_OK &&
         lithe_state_create(p.model, 1, &p.state, &p.report) == LITHE_OK;
    if (ok)
        momentum(&p, start);
    for (int k = 0; k < 200 && ok; k++) {
        ok = lithe_step(p.model, p.state) == LITHE_OK;
        momentum(&p, now);
        memset(pull, 0, sizeof pull);
        for (int i = 0; i < 3 * p.model->nnode; i++)
            pull[i >= 3 * p.model->body[1].node_adr][i % 3] += p.state->now.pull[i];
        for (int i = 0; i < 3; i++) {
            most = fmax(most, fabs(now[i] - start[i]) / (8e-3 * 0.3));
            pushed = fmax(pushed, fabs(pull[0][i]));
            unequal = fmax(unequal, fabs(pull[0][i] + pull[1][i]));
        }
    }
    if (!ok)
        verify_broken(table, p.state ? lithe_state_error(p.state) : p.report.error);
    verify_show(table, "largest push, N", pushed, NAN);
    verify_gate(table, "1 + action + reaction, over the push", 1 + unequal / pushed, 1, 1e-10);
    verify_gate(table, "1 + change of momentum, over its start", 1 + most, 1, 1e-10);
    lithe_mesh_free(other);
    bar_free(&second);
    piece_end(&p);
}
