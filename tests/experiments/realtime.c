// One iteration a step along a circle. The state's own tip lies on its target by construction, so
// the judge is an equilibrium with the same actuation, found by a forward model of its own.
#include "experiments.h"
#include "path.h"
#include "rig.h"

#include <math.h>

enum { POINTS = 100, APPROACH = 100 };

typedef struct lap {
    const char *robot, *scene, *where;
    path circle;
    double gate; // mm
} lap;

static const lap laps[] = {
    {"parallel",
     "examples/parallel/robot.yaml",
     "centre (0, 0, 130) mm, normal z",
     {{0, 0, 0.13}, {0.01, 0, 0}, {0, 0.01, 0}},
     0.005},
    {"staircase",
     "examples/staircase/robot.yaml",
     "centre (0, 0, 206) mm, normal z",
     {{0, 0, 0.206}, {0.01, 0, 0}, {0, 0.01, 0}},
     0.05},
    {"trunk",
     "examples/trunk/robot.yaml",
     "centre (0, 0, -190) mm, normal z",
     {{0, 0, -0.19}, {0.01, 0, 0}, {0, 0.01, 0}},
     0.05},
    {"arm",
     "examples/arm/robot.yaml",
     "centre (215, 0, -5) mm, normal x",
     {{0.215, 0, -0.005}, {0, 0.01, 0}, {0, 0, 0.01}},
     0.05},
};

typedef struct judged {
    double state, forward; // farthest from the target, m
    double force;          // largest relative force residual
} judged;

static bool aim_step(rig *r, const double target[3])
{
    return rig_aim_effector(r, "tip", target) && rig_step(r);
}

// From where the robot settles to the start of the circle.
static bool approach(rig *r, const path *circle)
{
    double from[3], to[3], target[3];
    for (int k = 0; k < 20; k++)
        if (!rig_step(r))
            return false;
    rig_measure(r, "tip", from);
    path_point(circle, 0, to);
    for (int k = 1; k <= APPROACH; k++) {
        path_approach(from, to, k / (double)APPROACH, target);
        if (!aim_step(r, target))
            return false;
    }
    return true;
}

static bool judge(rig *r, rig *plant, const double target[3], judged *worst)
{
    double tip[3];
    rig_measure(r, "tip", tip);
    worst->state = fmax(worst->state, distance3(tip, target));
    worst->force = fmax(worst->force, lithe_last_residual(r->state).force);
    if (!rig_imitate(plant, r))
        return false;
    rig_measure(plant, "tip", tip);
    worst->forward = fmax(worst->forward, distance3(tip, target));
    return true;
}

static bool run_lap(rig *r, rig *plant, const path *circle, int turns, judged *worst)
{
    double target[3];
    if (!approach(r, circle))
        return false;
    for (int k = 1; k <= turns * POINTS; k++) {
        path_point(circle, k / (double)POINTS, target);
        if (!aim_step(r, target) || (k > POINTS && !judge(r, plant, target, worst)))
            return false;
    }
    return true;
}

static void follow(table *t, const lap *l)
{
    rig r, plant;
    judged worst = {0};
    if (!rig_open(&r, t, l->scene, "step.mode=realtime", (const char *)NULL))
        return;
    if (!rig_open(&plant, t, l->scene, (const char *)NULL)) {
        rig_close(&r);
        return;
    }
    if (run_lap(&r, &plant, &l->circle, table_quick(t) ? 2 : 3, &worst)) {
        table_add(t, (finding){.quantity = text("%s: tip of the state, %s", l->robot, l->where),
                               .ours = text("force residual %.1e", worst.force),
                               .error = 1e3 * worst.state,
                               .gate = l->gate,
                               .unit = "mm"});
        table_add(t, (finding){.quantity = text("%s: tip by a forward run", l->robot),
                               .ours = text("%.3g %% of the radius", 1e4 * worst.forward),
                               .error = 1e3 * worst.forward,
                               .gate = l->gate,
                               .unit = "mm"});
    }
    rig_close(&plant);
    rig_close(&r);
}

void experiment_realtime(table *t)
{
    table_experiment(t, 'g', "realtime circle");
    table_note(t, "One iteration a step along a circle of 10 mm radius, 100 points a turn; from "
                  "the second turn on. The state's own tip meets its target by construction, so "
                  "what counts is a forward run that is given the state's pulls, strokes or "
                  "pressures and settles. Accordion and finger have one actuator each and cannot "
                  "follow a circle.");
    for (int i = 0; i < (table_quick(t) ? 1 : (int)(sizeof laps / sizeof *laps)); i++)
        follow(t, &laps[i]);
}
