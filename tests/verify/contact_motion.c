// Contact and friction in motion: inclines, what begins to roll, and energy.
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846, g = 9.81, radius = 0.01;

// From the cube [-1, 1]^3: the max norm becomes the Euclidean one, of all axes or across y.
static void onto_round(const double in[3], bool ball, double out[3])
{
    double y = ball ? in[1] : 0;
    double most = fmax(fmax(fabs(in[0]), fabs(y)), fabs(in[2]));
    double length = sqrt(in[0] * in[0] + y * y + in[2] * in[2]);
    double factor = length > 0 ? radius * most / length : 0;
    out[0] = factor * in[0];
    out[1] = ball ? factor * in[1] : radius * in[1];
    out[2] = radius + factor * in[2];
}

static void ball(const double in[3], double out[3])
{
    onto_round(in, true, out);
}

static void cylinder(const double in[3], double out[3])
{
    onto_round(in, false, out);
}

typedef struct scheme {
    const char *name;
    lithe_scheme scheme;
    double radius;
} scheme;

static const scheme schemes[] = {{"implicit Euler", LITHE_EULER, 0},
                                 {"generalized-alpha", LITHE_ALPHA, 0.8}};

// On a plane that leans, in steps of dt.
static bool begin(piece *p, const scheme *by, double dt, double mu, double angle)
{
    piece_lean(p, mu, angle, g);
    p->def.step.dt = dt;
    p->def.dynamics.scheme = by->scheme;
    p->def.dynamics.spectral_radius = by->radius;
    return piece_compile(p) && lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK;
}

static const char *why(const piece *p)
{
    return p->state ? lithe_state_error(p->state) : p->report.error;
}

static double mass_of(const piece *p)
{
    double sum = 0;
    for (int i = 0; i < p->model->body[0].nnode; i++)
        sum += p->model->body[0].mass[i];
    return sum;
}

// Friction over normal force of the whole plane, at most so far.
static void watch_cone(const piece *p, double *most)
{
    double force[3];
    lithe_pair_force(p->model, p->state, 0, force);
    if (force[2] > 0.05 * g * mass_of(p))
        *most = fmax(*most, hypot(force[0], force[1]) / force[2]);
}

static bool run(piece *p, double seconds, double *most)
{
    int n = (int)lround(seconds / p->def.step.dt);
    for (int k = 0; k < n; k++) {
        if (lithe_step(p->model, p->state) != LITHE_OK)
            return false;
        watch_cone(p, most);
    }
    return true;
}

static double speed(const piece *p)
{
    return lithe_last_energy(p->model, p->state).linear[0] / mass_of(p);
}

// A block slides down: acceleration, and no more friction than there may be.
static void slide(verify_table *table, const scheme *by, double dt)
{
    const double mu = 0.3, angle = pi / 6, settle = 0.2, last = 0.2;
    piece p;
    double most = 0, before, rest = 0;
    piece_begin(&p, bar_make(2, 2, 2, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.02}),
                1e5, 0.45);
    p.def.dynamics.stiffness_damping = 2e-3;
    verify_mesh(table, "block, %s, dt %g ms", by->name, 1e3 * dt);
    if (!begin(&p, by, dt, mu, angle) || !run(&p, settle, &rest)) {
        verify_broken(table, why(&p));
    } else {
        before = speed(&p);
        if (!run(&p, last, &most))
            verify_broken(table, why(&p));
        verify_gate(table, "acceleration at 30 deg, m/s^2", (speed(&p) - before) / last,
                    g * (sin(angle) - mu * cos(angle)), 5e-3);
        verify_gate(table, "friction over normal force, at most", fmax(most, mu), mu, 1e-3);
    }
    piece_end(&p);
}

// Sliding without spin at first; speed when it begins to roll: share of the one at the start.
static void roll(verify_table *table, const scheme *by, bool round, double share)
{
    const double mu = 0.3, start = 0.3;
    int cells = round ? 10 : 24; // lumped masses rotate a little heavier, the less the finer
    piece p;
    double most = 0, time = (1 - share) * start / (mu * g);
    piece_begin(
        &p, bar_make(cells, round ? cells : 2, cells, (double[]){-1, -1, -1}, (double[]){1, 1, 1}),
        1e6, 0.4);
    p.curve = round ? ball : cylinder;
    p.body.element = LITHE_HEX8;
    p.body.velocity[0] = start;
    p.def.dynamics.stiffness_damping = 1e-4;
    verify_mesh(table, "%s of hexahedra, %s, dt 0.25 ms", round ? "ball" : "cylinder", by->name);
    if (!begin(&p, by, 2.5e-4, mu, 0) || !run(&p, 1.1 * time, &most)) {
        verify_broken(table, why(&p));
    } else {
        verify_row(table, !round, "speed as it begins to roll, over the first", speed(&p) / start,
                   share, 0.01); // a ball of facets hops and brakes
        verify_gate(table, "friction over normal force, at most", fmax(most, mu), mu, 1e-3);
    }
    piece_end(&p);
}

void verify_rolling(verify_table *table)
{
    verify_case(table, 33, "friction in motion");
    verify_note(table, "Balls and cylinders of hexahedra are soft bodies of flat faces; the ball "
                       "hops from face to face, which brakes it, and is only shown. Rigid ones are "
                       "round; the roller is a capsule with the inertia of a cylinder.");
    for (int k = 0; k < 2; k++) {
        for (double dt = 4e-3; dt > 2e-4; dt /= verify_limit ? 16 : 2)
            slide(table, &schemes[k], dt);
        for (int round = 0; round < 2 && !verify_limit; round++)
            roll(table, &schemes[k], round, round ? 5.0 / 7 : 2.0 / 3);
    }
}

static double energy(const piece *p)
{
    lithe_energy e = lithe_last_energy(p->model, p->state);
    return e.kinetic + e.elastic + e.potential;
}

typedef struct fall {
    const char *name;
    double height, start, spin; // m, m/s, rad/s
    double young, dt;           // Pa, s
    lithe_element element;
} fall;

// The last one rotates by a quarter radian in a step: elements that fold have solutions of their
// own there, with fifty times the energy.
static const fall falls[] = {{"bouncing", 0.02, 0, 0, 1e5, 1e-3, LITHE_HEX8},
                             {"rolling", 0, 0.3, 30, 1e5, 1e-3, LITHE_HEX8},
                             {"at rest", 0, 0, 0, 1e5, 1e-3, LITHE_HEX8},
                             {"rolling fast", 0, 0.5, 50, 2e6, 5e-3, LITHE_TET4}};
enum { FALLS = sizeof falls / sizeof *falls };

// How far energy ever rises above the least that it was.
static bool run_watched(piece *p, int steps, double *rise)
{
    double least = INFINITY;
    for (int k = 0; k < steps; k++) {
        if (lithe_step(p->model, p->state) != LITHE_OK)
            return false;
        double now = energy(p);
        *rise = fmax(*rise, now - least);
        least = fmin(least, now);
    }
    return true;
}

// … over what moves and what falls at first.
static void watch_energy(verify_table *table, const scheme *by, const fall *what, double mu)
{
    piece p;
    int n = (int)((verify_limit ? 0.1 : 0.3) / what->dt);
    piece_begin(&p, bar_make(6, 6, 6, (double[]){-1, -1, -1}, (double[]){1, 1, 1}), what->young,
                0.4);
    p.curve = ball;
    p.body.element = what->element;
    p.body.velocity[0] = what->start;
    p.body.spin[1] = what->spin;
    p.body.move[2] = what->height;
    verify_mesh(table, "ball %s, mu %g, %s, dt %g ms", what->name, mu, by->name, 1e3 * what->dt);
    if (!begin(&p, by, what->dt, mu, 0)) {
        verify_broken(table, why(&p));
        piece_end(&p);
        return;
    }
    double rise = 0, first = mass_of(&p) *
                             (g * (what->height + 0.1 * radius) + 0.7 * what->start * what->start);
    if (!run_watched(&p, n, &rise))
        verify_broken(table, why(&p));
    verify_gate(table, "1 + energy that it gains, over the first", 1 + rise / first, 1, 0.01);
    piece_end(&p);
}

// ---------------------------------------------------------------- a stack

enum { STACK = 4 };

typedef struct tower {
    piece p[STACK]; // the first has the model
    lithe_body_def body[STACK];
} tower;

static const double tower_gap = 5e-5, tower_high = 0.01;

static double tower_base(int k)
{
    return tower_gap + k * (tower_high + tower_gap);
}

// Ever smaller blocks on each other; with friction they are rotated and aside a little.
static void tower_begin(tower *t, double mu)
{
    static const char *const name[STACK] = {"first", "second", "third", "fourth"};
    for (int k = 0; k < STACK; k++) {
        double half = 0.01 - 0.001 * k, z = tower_base(k);
        piece_begin(
            &t->p[k],
            bar_make(3, 3, 2, (double[]){-half, -half, z}, (double[]){half, half, z + tower_high}),
            1e5, 0.4);
        t->p[k].body.name = name[k];
        t->p[k].body.rotate[2] = mu > 0 ? 0.1 * k : 0;
        t->p[k].body.move[0] = mu > 0 ? 2e-4 * (k % 2 ? 1 : -1) : 0;
    }
}

static bool tower_compile(tower *t, const scheme *by, double mu)
{
    piece *first = &t->p[0];
    for (int k = 0; k < STACK; k++) {
        if (!piece_mesh(&t->p[k])) {
            first->report = t->p[k].report;
            return false;
        }
        t->body[k] = t->p[k].body;
    }
    piece_lean(first, mu, 0, g);
    first->def.nbody = STACK;
    first->def.body = t->body;
    first->def.contacts.location = "verify";
    first->def.contacts.friction = mu;
    first->def.step.dt = 2e-3;
    first->def.dynamics.scheme = by->scheme;
    first->def.dynamics.spectral_radius = by->radius;
    return lithe_compile(&first->def, &first->model, &first->report) == LITHE_OK &&
           lithe_state_create(first->model, 1, &first->state, &first->report) == LITHE_OK;
}

// What it could fall, were it flat.
static double tower_energy(const tower *t)
{
    double sum = 0;
    for (int k = 0; k < STACK; k++) {
        const body *b = &t->p[0].model->body[k];
        for (int i = 0; i < b->nnode; i++)
            sum += b->mass[i] * g * (tower_base(k) + 0.5 * tower_high);
    }
    return sum;
}

static void watch_stack(verify_table *table, const scheme *by, double mu)
{
    tower t;
    piece *p = &t.p[0];
    tower_begin(&t, mu);
    verify_mesh(table, "stack of four blocks, mu %g, %s, dt 2 ms", mu, by->name);
    double rise = 0;
    if (!tower_compile(&t, by, mu) || !run_watched(p, verify_limit ? 50 : 150, &rise))
        verify_broken(table, why(p));
    else
        verify_gate(table, "1 + energy that it gains, over the first", 1 + rise / tower_energy(&t),
                    1, 0.01);
    for (int k = 0; k < STACK; k++)
        piece_end(&t.p[k]);
}

void verify_energy(verify_table *table)
{
    verify_case(table, 34, "energy in contact");
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FALLS; i++)
            for (int rough = 0; rough < 2; rough++)
                if (!verify_limit || rough == (i + k) % 2) // quick: each with one of them
                    watch_energy(table, &schemes[k], &falls[i], rough ? 0.4 : 0);
    for (int k = 0; k < 2; k++)
        for (int rough = 0; rough < 2; rough++)
            if (!verify_limit || rough == k)
                watch_stack(table, &schemes[k], rough ? 0.4 : 0);
}
