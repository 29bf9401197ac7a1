// How the inverse chooses efforts: levels of priority, the plain epsilon term of the thesis, and
// the Gauss-Seidel scheme of the first paper, on the same targets.
#include "experiments.h"
#include "rig.h"

#include <math.h>

enum { MOST_STEPS = 60, TARGETS = 12, CABLES = 4 };

typedef struct method {
    const char *name, *set, *tune;
    double gate, gate_effort; // mm, %
} method;

static const method methods[] = {
    {"hierarchy", "step.method=hierarchy", NULL, 0.01, 0.01},
    {"epsilon 1e-3", "step.method=epsilon", "step.epsilon=1e-3", NAN, NAN},
    {"epsilon 1e-6", "step.method=epsilon", "step.epsilon=1e-6", NAN, NAN},
    {"Gauss-Seidel, 0.7", "step.method=seidel", "step.relaxation=0.7", NAN, NAN},
};

static const double starts[2][CABLES] = {{0, 0, 0, 0}, {15e-3, 0, 15e-3, 0}};

typedef struct reach {
    int ntarget, narrived; // within 0.01 mm in equilibrium
    int most, sum;         // iterations until there
    double error;          // farthest from a target in the end, m
    double exertion;       // sum of 1/2 lambda' W lambda, J
    double twist; // largest difference of an effort between starts, over the largest effort
} reach;

static void target_at(int k, double target[3])
{
    target[0] = -20e-3 + 40e-3 / 3 * (k % 4);
    target[1] = -20e-3 + 20e-3 * (k / 4);
    target[2] = 130e-3;
}

static double exertion(rig *r)
{
    enum { ROWS = 7 };
    double W[ROWS * CABLES], effort[CABLES], sum = 0;
    if (lithe_nrow(r->model) != ROWS || lithe_compliance(r->model, r->state, W) != LITHE_OK)
        return NAN;
    rig_efforts(r, effort);
    for (int i = 0; i < CABLES; i++)
        for (int j = 0; j < CABLES; j++)
            sum += effort[i] * W[i * CABLES + j] * effort[j];
    return sum / 2;
}

// One iteration a step, towards a target that stays.
static bool iterate(rig *r, const double *start, const double target[3], reach *found)
{
    double tip[3], error = INFINITY;
    int arrived = 0;
    lithe_state_reset(r->model, r->state);
    for (int k = 0; k < 10; k++)
        if (!rig_forward(r, LITHE_DISPLACEMENT, start))
            return false;
    if (!rig_aim_effector(r, "tip", target))
        return false;
    for (int k = 1; k <= MOST_STEPS; k++) {
        if (!rig_step(r))
            return false;
        rig_measure(r, "tip", tip);
        error = distance3(tip, target);
        bool there = error < 1e-5 && lithe_last_residual(r->state).force < 1e-6;
        arrived = !there ? 0 : arrived ? arrived : k;
    }
    found->ntarget++;
    found->narrived += arrived > 0;
    found->sum += arrived;
    found->most = arrived > found->most ? arrived : found->most;
    found->error = fmax(found->error, error);
    found->exertion += exertion(r);
    return true;
}

static bool from_two_starts(rig *r, const double target[3], reach *found)
{
    double effort[2][CABLES], largest = 0, twist = 0;
    for (int k = 0; k < 2; k++) {
        if (!iterate(r, starts[k], target, found))
            return false;
        rig_efforts(r, effort[k]);
    }
    for (int i = 0; i < CABLES; i++) {
        largest = fmax(largest, fabs(effort[0][i]));
        twist = fmax(twist, fabs(effort[0][i] - effort[1][i]));
    }
    found->twist = fmax(found->twist, twist / largest);
    return true;
}

static void report(table *t, const method *m, const reach *found)
{
    table_add(t, (finding){.quantity = text("%s: error after %d iterations", m->name, MOST_STEPS),
                           .ours = text("0.01 mm after %.1f, at most %d",
                                        found->sum / fmax(found->narrived, 1), found->most),
                           .error = 1e3 * found->error,
                           .gate = m->gate,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = text("%s: tensions from two starts differ by", m->name),
                           .ours = text("exertion %.4g mJ", 1e3 * found->exertion / found->ntarget),
                           .error = 100 * found->twist,
                           .gate = m->gate_effort,
                           .unit = "%"});
}

static void compare(table *t, const method *m, int stride)
{
    rig r;
    reach found = {0};
    double target[3];
    bool done = true;
    if (!rig_open(&r, t, "examples/parallel/robot.yaml", "step.mode=realtime", m->set, m->tune,
                  (const char *)NULL))
        return;
    for (int k = 0; done && k < TARGETS; k += stride) {
        target_at(k, target);
        done = from_two_starts(&r, target, &found);
    }
    if (done && found.narrived < found.ntarget)
        table_note(t, "%s brings %d of %d tips to their targets.", m->name, found.narrived,
                   found.ntarget);
    if (done)
        report(t, m, &found);
    rig_close(&r);
}

void experiment_methods(table *t)
{
    table_experiment(t, 'h', "methods, parallel");
    table_note(t, "coevoet2019, section 3.3.2 (epsilon), and duriez2013, equations 4 to 8 "
                  "(Gauss-Seidel). Twelve targets that can be reached, 40 x 40 mm at 130 mm, from "
                  "two starts, one iteration a step: how far from the target in the end, after how "
                  "many iterations within 0.01 mm in equilibrium (force residual under 1e-6), and "
                  "the mean exertion 1/2 lambda' W lambda. Four cables serve three numbers: "
                  "where tensions depend on the start, it was the start that chose them.");
    for (int i = 0; i < (int)(sizeof methods / sizeof *methods); i++)
        compare(t, &methods[i], table_quick(t) ? TARGETS : 1);
}
