// Case 29: viscoelasticity by a Prony series against the convolution integral.
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

static const double young = 1, poisson = 0.45;
static const lithe_prony_def series[2] = {{0.3, 0.05}, {0.2, 0.8}};

// Share of the long-term stress that is there a time after a sudden strain.
static double relaxation(double t)
{
    double rest = 1 - series[0].weight - series[1].weight, sum = 1;
    for (int k = 0; k < 2; k++)
        sum += series[k].weight / rest * exp(-t / series[k].time);
    return sum;
}

// Second Piola-Kirchhoff stress along a neo-Hookean bar that is long by a factor and free at its
// sides, at long times.
static double bar_stress(double l)
{
    double mu = young / (2 * (1 + poisson)), lambda = 2 * mu * poisson / (1 - 2 * poisson);
    double low = 0.1, high = 1; // how wide it is: mu (w^2 - 1) + lambda ln(l w^2) = 0
    for (int k = 0; k < 80; k++) {
        double w = 0.5 * (low + high);
        if (mu * (w * w - 1) + lambda * log(l * w * w) < 0)
            low = w;
        else
            high = w;
    }
    return mu * (1 - 1 / (l * l)) + lambda * log(l * low * low) / (l * l);
}

// All stresses fade alike, so the sides stay free when the bar is as wide as at long times: S = int
// G(t - s) dS(s), for a length that grows evenly until `ramp` and then stays twice what it was.
static double convolution(double t, double ramp)
{
    enum { N = 20000 };
    double sum = 0, end = fmin(t, ramp), before = 0;
    for (int i = 1; i <= N; i++) {
        double now = bar_stress(1 + end * i / N / ramp);
        sum += relaxation(t - end * (i - 0.5) / N) * (now - before);
        before = now;
    }
    return sum;
}

static lithe_actuator_def pull(const char *surface, int axis)
{
    lithe_actuator_def a = lithe_actuator_def_default(LITHE_FORCE);
    a.name = "pull";
    a.body = "piece";
    a.surface = surface;
    a.has_direction = true;
    a.direction[axis] = 1;
    return a;
}

static void add_end(piece *p, double length, lithe_surface_def *end, lithe_actuator_def *a,
                    int axis)
{
    *end = lithe_surface_def_default();
    end->name = "end";
    end->where = (lithe_selection){.kind = LITHE_PLANE, .a = {length, 0, 0}, .b = {1, 0, 0}};
    p->body.surface = end;
    p->body.nsurface = 1;
    *a = pull("end", axis);
    p->def.actuator = a;
    p->def.nactuator = 1;
}

static bool begin(verify_table *table, piece *p)
{
    if (piece_compile(p) && lithe_state_create(p->model, 1, &p->state, &p->report) == LITHE_OK)
        return true;
    verify_broken(table, p->report.error);
    return false;
}

// Tells the actuator a value, and takes a step.
static bool go(verify_table *table, piece *p, lithe_command_kind kind, double value)
{
    if (lithe_command(p->model, p->state, 0, kind, &value) == LITHE_OK &&
        lithe_step(p->model, p->state) == LITHE_OK)
        return true;
    verify_broken(table, lithe_state_error(p->state));
    return false;
}

static void stretch_bar(verify_table *table, lithe_element element, int nstep, bool judged)
{
    piece p;
    lithe_surface_def end;
    lithe_actuator_def a;
    const double ramp = 0.2;
    piece_begin(&p, bar_make(2, 2, 2, (double[]){0, 0, 0}, (double[]){1, 1, 1}), young, poisson);
    p.body.element = element;
    p.material = piece_law(LITHE_NEO_HOOKEAN, young, poisson, false);
    p.material.nprony = 2;
    p.material.prony[0] = series[0];
    p.material.prony[1] = series[1];
    for (int axis = 0; axis < 3; axis++)
        piece_hold(&p, (double[]){0, 0, 0},
                   (double[]){axis == 0 ? -1 : 0, axis == 1 ? -1 : 0, axis == 2 ? -1 : 0},
                   1 << axis);
    add_end(&p, 1, &end, &a, 0);
    p.def.step.creep = true;
    p.def.step.dt = ramp / nstep;
    bool good = begin(table, &p);
    verify_mesh(table, "%s, 2 x 2 x 2, %d steps to 100 %% strain", piece_element_name(element),
                nstep);
    for (int k = 1; good && k <= 5 * nstep; k++) {
        good = go(table, &p, LITHE_DISPLACEMENT, fmin(1, (double)k / nstep));
        if (k != nstep && k != 2 * nstep && k != 5 * nstep)
            continue;
        double force, l = 2;
        char quantity[64];
        lithe_effort(p.model, p.state, 0, &force);
        snprintf(quantity, sizeof quantity, "force in E A at %g s, pulled until 0.2 s",
                 k * p.def.step.dt);
        verify_row(table, judged, quantity, good ? force / young : NAN,
                   l * convolution(k * p.def.step.dt, ramp), 1e-4);
    }
    piece_end(&p);
}

// One term: a load that rises until `ramp` and stays is followed by int J(t - s) dF(s), with
// J(t) = 1 - w exp(-(1 - w) t / tau).
static double creep(double t, double ramp, lithe_prony_def of)
{
    double theta = of.time / (1 - of.weight), until = fmin(t, ramp);
    return until / ramp - of.weight * theta / ramp * (exp(-(t - until) / theta) - exp(-t / theta));
}

static void bend_cantilever(verify_table *table, lithe_element element, int nstep, bool judged)
{
    piece p;
    lithe_surface_def end;
    lithe_actuator_def a;
    const lithe_prony_def term = {0.4, 0.5};
    const double ramp = 0.25, load = 1e-6;
    double still = NAN;
    piece_begin(&p, bar_make(20, 2, 2, (double[]){0, 0, 0}, (double[]){0.1, 0.01, 0.01}), 1e6, 0);
    p.body.element = element;
    p.material.nprony = 1;
    p.material.prony[0] = term;
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){-1, 0, 0}, LITHE_XYZ);
    add_end(&p, 0.1, &end, &a, 2);
    bool good = begin(table, &p) && go(table, &p, LITHE_EFFORT, load);
    if (good) // statics: as after a long time
        lithe_displacement(p.model, p.state, 0, &still);
    lithe_state_free(p.state);
    lithe_model_free(p.model);
    p.state = NULL;
    p.model = NULL;
    p.def.step.creep = true;
    p.def.step.dt = ramp / nstep;
    good = good && lithe_compile(&p.def, &p.model, &p.report) == LITHE_OK &&
           lithe_state_create(p.model, 1, &p.state, &p.report) == LITHE_OK;
    verify_mesh(table, "%s, 20 x 2 x 2, %d steps to the whole load", piece_element_name(element),
                nstep);
    for (int k = 1; good && k <= 8 * nstep; k++) {
        good = go(table, &p, LITHE_EFFORT, load * fmin(1, (double)k / nstep));
        if (k != nstep && k != 2 * nstep && k != 8 * nstep)
            continue;
        double now;
        char quantity[64];
        lithe_displacement(p.model, p.state, 0, &now);
        snprintf(quantity, sizeof quantity, "cantilever, share of its deflection at %g s",
                 k * p.def.step.dt);
        verify_row(table, judged, quantity, good ? now / still : NAN,
                   creep(k * p.def.step.dt, ramp, term), 1e-4);
    }
    piece_end(&p);
}

void verify_prony(verify_table *table)
{
    verify_case(table, 29, "Prony series");
    for (int n = 10; n <= 160; n *= 4) {
        stretch_bar(table, LITHE_TET10, n, n == 160);
        stretch_bar(table, LITHE_HEX8, n, n == 160);
    }
    for (int n = 10; n <= 40; n *= 4) {
        bend_cantilever(table, LITHE_TET10, n, n == 40);
        bend_cantilever(table, LITHE_HEX8, n, n == 40);
    }
    verify_note(table,
                "A neo-Hookean bar, nu 0.45, that is pulled to twice its length in 0.2 s and held: "
                "terms of 0.3 and 0.2 with 50 and 800 ms. A cantilever under a load that rises for "
                "0.25 s and stays, one term of 0.4 with 500 ms; its deflection over the long-term "
                "one. The truth is the convolution of the law's long-term stress with the series.");
}
