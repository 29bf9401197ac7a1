// Targets all over the parallel robot's workspace and beyond it: what can be reached is reached,
// what cannot ends at the nearest point that can.
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TARGETS = 36, STARTS = 5, CABLES = 4 };

static const double most = 20e-3;   // of a pull, as in the scene
static const double reached = 1e-5; // m
static const double starts[STARTS][CABLES] = {
    {0, 0, 0, 0},         {10e-3, 10e-3, 10e-3, 10e-3}, {20e-3, 0, 0, 0},
    {0, 15e-3, 15e-3, 0}, {5e-3, 20e-3, 5e-3, 20e-3},
};

// Over all targets; lengths in m.
typedef struct outcome {
    int ntarget, nreached;
    double miss;          // of reached targets
    double confirmed;     // of reached targets, by a forward run from rest
    double spread;        // between starts
    double task;          // residual at unreached targets
    double gain;          // nearest that a small change came
    int wrong_multiplier; // limits whose multiplier has the wrong sign, or that are not active
    int no_limit;         // unreached targets without an active limit
    double better;        // by how much a sampled pose is nearer
    char list[3500];      // unreached targets and the limits that hold them
} outcome;

typedef struct answer {
    double target[3], tip[3], pull[CABLES];
} answer;

// 40 x 40 x 20 mm about (0, 0, 130) mm.
static void target_at(int k, double target[3])
{
    target[0] = -20e-3 + 40e-3 / 3 * (k % 4);
    target[1] = -20e-3 + 20e-3 * (k / 4 % 3);
    target[2] = 120e-3 + 10e-3 * (k / 12);
}

static bool solve_from(rig *r, const double *start, const double target[3], double tip[3])
{
    lithe_state_reset(r->model, r->state);
    if (!rig_forward(r, LITHE_DISPLACEMENT, start) || !rig_aim_effector(r, "tip", target) ||
        !rig_step(r))
        return false;
    rig_measure(r, "tip", tip);
    return true;
}

static void within_limits(double *pull)
{
    for (int i = 0; i < CABLES; i++)
        pull[i] = fmin(fmax(pull[i], 0), most);
}

static bool confirm(rig *plant, const answer *a, outcome *o)
{
    double tip[3];
    lithe_state_reset(plant->model, plant->state);
    if (!rig_forward(plant, LITHE_DISPLACEMENT, a->pull))
        return false;
    rig_measure(plant, "tip", tip);
    o->confirmed = fmax(o->confirmed, distance3(tip, a->target));
    return true;
}

// The state's limits, their names into the list. A multiplier is the slope of half the squared
// distance over the limit: not above 0 for an upper limit, not below for a lower one.
static void check_multipliers(const rig *r, const answer *a, outcome *o)
{
    double miss = distance3(a->tip, a->target), none = 1e-9 * miss; // m^2/m
    int active = 0;
    size_t used = strlen(o->list);
    used += (size_t)snprintf(o->list + used, sizeof o->list - used, "%s(%.1f, %.1f, %.1f) %.3f mm",
                             *o->list ? "; " : "", 1e3 * a->target[0], 1e3 * a->target[1],
                             1e3 * a->target[2], 1e3 * miss);
    for (int i = 0; i < CABLES && used < sizeof o->list; i++) {
        double tension, effort, pull;
        lithe_effort(r->model, r->state, i, &tension);
        lithe_limit_multiplier(r->model, r->state, i, &effort, &pull);
        bool slack = tension <= 1e-9, low = a->pull[i]<1e-8, high = a->pull[i]> most - 1e-8;
        o->wrong_multiplier += effort < 0 || (effort > 0 && !slack);
        o->wrong_multiplier += (pull > none && !low) || (pull < -none && !high);
        const char *held = effort > 0     ? "slack"
                           : pull > none  ? "pull at 0"
                           : pull < -none ? "pull at 20 mm"
                                          : NULL;
        active += held != NULL;
        if (held)
            used += (size_t)snprintf(o->list + used, sizeof o->list - used, ", %s %s",
                                     lithe_actuator_name(r->model, i), held);
    }
    o->no_limit += active == 0;
}

// No small change of pulls within limits leads nearer: one cable at a time, and two.
static bool check_changes(rig *plant, const answer *a, outcome *o)
{
    double miss = distance3(a->tip, a->target), tip[3], pull[CABLES];
    for (int k = 0; k < CABLES * CABLES * 4; k++) {
        int i = k / 4 % CABLES, j = k / 4 / CABLES;
        memcpy(pull, a->pull, sizeof pull);
        pull[i] += k & 1 ? 0.1e-3 : -0.1e-3;
        pull[j] += k & 2 ? 0.1e-3 : -0.1e-3;
        within_limits(pull);
        if (!rig_forward(plant, LITHE_DISPLACEMENT, pull))
            return false;
        rig_measure(plant, "tip", tip);
        o->gain = fmax(o->gain, miss - distance3(tip, a->target));
    }
    return true;
}

static bool attempt(rig *r, rig *plant, answer *a, outcome *o)
{
    double tip[3];
    for (int k = STARTS - 1; k >= 0; k--) { // the answer is that from the first start
        if (!solve_from(r, starts[k], a->target, tip))
            return false;
        if (k == STARTS - 1)
            memcpy(a->tip, tip, sizeof tip);
        o->spread = fmax(o->spread, distance3(tip, a->tip));
    }
    memcpy(a->tip, tip, sizeof tip);
    rig_displacements(r, a->pull);
    within_limits(a->pull);
    o->ntarget++;
    if (distance3(tip, a->target) <= reached) {
        o->nreached++;
        o->miss = fmax(o->miss, distance3(tip, a->target));
        return confirm(plant, a, o);
    }
    o->task = fmax(o->task, lithe_last_residual(r->state).task);
    check_multipliers(r, a, o);
    return confirm(plant, a, &(outcome){0}) && check_changes(plant, a, o);
}

// Poses from all over the pulls: none is nearer to a target than its answer.
static bool sample(rig *plant, int level, int n, const answer *a, outcome *o)
{
    int total = level * level * level * level;
    for (int k = 0; k < total; k++) {
        double pull[CABLES], tip[3];
        for (int i = 0, rest = k; i < CABLES; i++, rest /= level) {
            int there = rest % level, back = rest / level % 2; // to and fro: neighbours follow
            pull[i] = most * (back ? level - 1 - there : there) / (level - 1);
        }
        if (!rig_forward(plant, LITHE_DISPLACEMENT, pull))
            return false;
        rig_measure(plant, "tip", tip);
        for (int j = 0; j < n; j++)
            o->better =
                fmax(o->better, distance3(a[j].tip, a[j].target) - distance3(tip, a[j].target));
    }
    return true;
}

static void report(table *t, const outcome *o, int sampled)
{
    int missed = o->ntarget - o->nreached;
    table_add(t, (finding){.quantity = "reached: farthest from its target",
                           .paper = "1.4 mm mean, 2.9 mm max",
                           .ours = text("%d of %d reached", o->nreached, o->ntarget),
                           .error = 1e3 * o->miss,
                           .gate = 0.01,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "reached: the same, by a forward run from rest",
                           .error = 1e3 * o->confirmed,
                           .gate = 0.01,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "all: tips from five starts differ by",
                           .error = 1e3 * o->spread,
                           .gate = 0.01,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "not reached: task residual",
                           .ours = text("%d of %d not reached", missed, o->ntarget),
                           .error = o->task,
                           .gate = 1e-8});
    table_add(
        t, (finding){.quantity = "not reached: multipliers of the wrong sign, or no active limit",
                     .error = o->wrong_multiplier + o->no_limit,
                     .gate = 0});
    table_add(t, (finding){.quantity = "not reached: pulls changed by 0.1 mm get nearer by",
                           .ours = text("%d forward runs", 64 * missed),
                           .error = 1e3 * o->gain,
                           .gate = 1e-5,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "all: a pose from a grid over the pulls is nearer by",
                           .ours = text("%d forward runs", sampled),
                           .error = 1e3 * o->better,
                           .gate = 1e-5,
                           .unit = "mm"});
    table_note(t, "Not reached, by how much, and the limits that hold the tip back: %s.", o->list);
}

void experiment_workspace(table *t)
{
    static answer a[TARGETS];
    static outcome o;
    rig r, plant;
    int n = 0, level = table_quick(t) ? 3 : 6;
    table_experiment(t, 'd', "parallel, 36 targets");
    table_note(
        t, "duriez2013, section V.B, where a machine was measured. 36 targets, 4 x 3 x 3 "
           "over 40 x 40 x 20 mm about (0, 0, 130) mm. A target counts as reached under "
           "0.01 mm; the others are shown to be out of reach by the multipliers of their active "
           "limits, by small changes of the pulls and by a grid of poses.");
    if (!rig_open(&r, t, "examples/parallel/robot.yaml", (const char *)NULL))
        return;
    if (rig_open(&plant, t, "examples/parallel/robot.yaml", (const char *)NULL)) {
        bool done = true;
        for (int k = 0; done && k < TARGETS; k += table_quick(t) ? 18 : 1, n++) {
            target_at(k, a[n].target);
            done = attempt(&r, &plant, &a[n], &o);
        }
        if (done && sample(&plant, level, n, a, &o))
            report(t, &o, level * level * level * level);
        rig_close(&plant);
    }
    rig_close(&r);
}
