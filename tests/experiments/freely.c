// Motion that nothing drives: a cantilever that is set free, and a bar in flight.
#include "experiments.h"
#include "rig.h"
#include "study.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static double total(const rig *r)
{
    lithe_energy e = lithe_last_energy(r->model, r->state);
    return e.kinetic + e.elastic + e.potential;
}

static double norm(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

// Without that of its centre, which weighs `mass`.
static double rotating(const rig *r, double mass)
{
    double p = norm(lithe_last_energy(r->model, r->state).linear);
    return total(r) - p * p / (2 * mass);
}

// ## set free

typedef struct swing {
    double frequency;      // Hz, by the first and the last time that the tip passes its rest height
    double drift, largest; // of the energy: from the first period to the last, and at any time
} swing;

// Steps until the tip has gone up through its rest height so many times more than once.
static bool watch_swing(rig *r, int periods, swing *out)
{
    enum { MOST_STEPS = 100000 };
    double first = NAN, last = NAN, start = total(r), sum = 0, mean_first = NAN;
    double rest = 0, tip[3], before = INFINITY, when = 0;
    int passed = -1, count = 0;
    *out = (swing){0};
    for (int k = 0; k < MOST_STEPS && passed < periods; k++) {
        if (!rig_step(r))
            return false;
        rig_measure(r, "tip", tip);
        double now = lithe_time(r->state);
        out->largest = fmax(out->largest, fabs(total(r) / start - 1));
        sum += total(r);
        count++;
        if (before < rest && tip[2] >= rest) {
            last = when + (now - when) * (rest - before) / (tip[2] - before);
            if (++passed == 0)
                first = last;
            if (passed == 1)
                mean_first = sum / count;
            out->drift = passed > 1 ? sum / count / mean_first - 1 : 0;
            sum = count = 0;
        }
        before = tip[2];
        when = now;
    }
    out->frequency = passed / (last - first);
    return passed == periods;
}

static bool open_bar(rig *r, table *t, const char *scene, const char *set, const double size[3],
                     const int cells[3])
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/lithe_bar_%ld.vtk", (long)getpid());
    bool good = study_bar(path, BLOCKS_HEX8, size, cells) &&
                rig_open(r, t, scene, text("bodies.bar.mesh=%s", path), set, (const char *)NULL);
    unlink(path);
    return good;
}

static void set_free(table *t, int periods)
{
    const double truth = 4.907;
    rig r;
    swing s;
    if (!open_bar(&r, t, "tests/experiments/cantilever.yaml", "step.mode=converged",
                  (double[]){100, 10, 10}, (int[]){20, 2, 2}))
        return;
    if (lithe_settle(r.model, r.state) == LITHE_OK && watch_swing(&r, periods, &s)) {
        table_add(t,
                  (finding){.quantity = text("cantilever set free: frequency, %d periods", periods),
                            .expected = text("%.3f Hz", truth),
                            .ours = text("%.3f Hz", s.frequency),
                            .error = 100 * fabs(s.frequency / truth - 1),
                            .gate = 1,
                            .unit = "%"});
        table_add(t, (finding){.quantity = text("its energy, first to last of %d periods", periods),
                               .ours = text("at most %.2g %% off at any time", 100 * s.largest),
                               .error = 100 * fabs(s.drift),
                               .gate = 1,
                               .unit = "%"});
    } else
        table_broken(t, "%s", lithe_state_error(r.state));
    rig_close(&r);
}

// ## in flight

// What implicit Euler leaves of the energy of rotating after n steps.
static double euler_leaves(const rig *r, int n)
{
    double angle =
        norm(lithe_scene_def(r->scene)->body[0].spin) * lithe_scene_def(r->scene)->step.dt;
    return 1 / (1 + 2 * n * angle * angle);
}

static void fly(table *t, const char *set, const char *what, int steps, double gate)
{
    rig r;
    if (!open_bar(&r, t, "tests/experiments/flier.yaml", set, (double[]){60, 20, 10},
                  (int[]){6, 2, 1}))
        return;
    lithe_energy e = lithe_last_energy(r.model, r.state);
    const double *v = lithe_scene_def(r.scene)->body[0].velocity,
                 *spin = lithe_scene_def(r.scene)->body[0].spin;
    double mass = norm(e.linear) / norm(v), start = rotating(&r, mass);
    double linear[3], most = 0, moved = 0;
    for (int i = 0; i < 3; i++)
        linear[i] = e.linear[i];
    for (int k = 0; k < steps; k++) {
        if (!rig_step(&r)) {
            rig_close(&r);
            return;
        }
        e = lithe_last_energy(r.model, r.state);
        moved = fmax(moved, distance3(e.linear, linear) / norm(linear));
        most = fmax(most, rotating(&r, mass) / start - 1);
    }
    double turns = lithe_time(r.state) * norm(spin) / (2 * 3.14159265358979);
    table_add(t, (finding){.quantity = text("bar in flight, %s: momentum", what),
                           .ours = text("%d steps, about %.0f turns", steps, turns),
                           .error = moved,
                           .gate = 1e-10,
                           .unit = ""});
    bool euler = lithe_scene_def(r.scene)->dynamics.scheme == LITHE_EULER;
    double stated = euler ? 1 - euler_leaves(&r, steps) : 0, lost = 1 - rotating(&r, mass) / start;
    table_add(t, (finding){.quantity = text("bar in flight, %s: energy of turning lost", what),
                           .expected = text("%.0f %%", 100 * stated),
                           .ours = text("%.3f %%; gained at most %.1e %%", 100 * lost, 100 * most),
                           .error = 100 * fabs(lost - stated),
                           .gate = gate,
                           .unit = "%"});
    rig_close(&r);
}

void experiment_freely(table *t)
{
    table_experiment(t, 'n', "moving freely");
    table_note(t,
               "No paper. A cantilever of 100 x 10 x 10 mm, hexahedra, bent by 2 mN and set "
               "free, with the second-order scheme and a spectral radius of 1, 5 ms a step: "
               "frequency against Timoshenko's, and the mean energy of the last period "
               "against that of the first. A bar that flies and tumbles, 5 ms a step: nothing "
               "acts on it, so momentum stays to roundoff; the energy of its turning "
               "stays too, but for the vibrations that the spin sets off, which fade where the "
               "spectral radius is below 1. Implicit Euler takes 2 (w h)^2 of it in a step, with "
               "w the spin, so that 1 / (1 + 2 n (w h)^2) is left after n steps "
               "(theory/dynamics.md).");
    set_free(t, table_quick(t) ? 3 : 100);
    fly(t, "dynamics.spectral_radius=1", "spectral radius 1", table_quick(t) ? 100 : 4000, 0.1);
    fly(t, "dynamics.spectral_radius=0.8", "spectral radius 0.8", table_quick(t) ? 100 : 4000, 0.1);
    fly(t, "dynamics.scheme=euler", "implicit Euler", table_quick(t) ? 20 : 400, 3);
}
