// Redundant actuators along closed paths. Efforts that depend on the target in one smooth way make
// steps in proportion to the target's; efforts that jump between equivalent solutions do not.
#include "experiments.h"
#include "path.h"
#include "rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 400, GOALS = 2, APPROACH = 5 };

typedef struct course {
    const char *name, *scene, *set;
    struct {
        const char *effector;
        int nrow;
        path way;
    } goal[GOALS];
} course;

static const course courses[] = {
    {"staircase, circle of 30 mm",
     "examples/staircase/robot.yaml",
     "step.mode=converged",
     {{"tip", 3, {{0, 0, 0.206}, {0.03, 0, 0}, {0, 0.03, 0}}}}},
    {"staircase, line of 60 mm",
     "examples/staircase/robot.yaml",
     "step.mode=converged",
     {{"tip", 3, {{0, 0, 0.206}, {0.03, 0, 0}, {0}}}}},
    {"trunk, circle of 30 mm",
     "examples/trunk/robot.yaml",
     "step.mode=converged",
     {{"tip", 3, {{0, 0, -0.188}, {0.03, 0, 0}, {0, 0.03, 0}}}}},
    {"trunk, S: tip 15 mm, middle -5 mm",
     "examples/trunk/robot.yaml",
     "effectors.middle.axes=[x, y]",
     {{"tip", 3, {{0, 0, -0.182}, {0.015, 0, 0}, {0, 0.015, 0}}},
      {"middle", 2, {{0, 0, 0}, {-0.005, 0, 0}, {0, -0.005, 0}}}}},
};

typedef struct smoothness {
    double miss;          // farthest from a target, m
    double slope, median; // |d effort| / |d target|, N/m: largest, median
    int steepest;         // the step of the largest
    double twist;         // how far efforts on the way back differ from those on the way there, N
    double strength;      // largest effort, N
    int iteration;        // most in a step
    double zoomed[2];     // largest slope about the steepest step, in ever smaller steps
} smoothness;

typedef struct runner {
    double target[3 * GOALS], before[3 * GOALS]; // of all goals
    double effort[RIG_ROWS], last[RIG_ROWS];
    double slope[MOST_POINTS], on_the_way[MOST_POINTS][RIG_ROWS];
} runner;

static double norm_of_difference(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

// Targets of all goals at that turn, the share of the way to them from where they were.
static bool go(rig *r, const course *c, double rotation, double share, const double *from,
               runner *k)
{
    for (int g = 0; g < GOALS && c->goal[g].effector; g++) {
        double *target = &k->target[3 * g], there[3];
        path_point(&c->goal[g].way, rotation, there);
        path_approach(&from[3 * g], there, share, target);
        if (!rig_aim_effector(r, c->goal[g].effector, target))
            return false;
    }
    if (!rig_step(r))
        return false;
    rig_efforts(r, k->effort);
    return true;
}

static void measure(const rig *r, const course *c, double *value)
{
    memset(value, 0, 3 * GOALS * sizeof *value);
    for (int g = 0; g < GOALS && c->goal[g].effector; g++)
        rig_measure(r, c->goal[g].effector, &value[3 * g]);
}

// As many targets as rows; the others count as met.
static double missed(const rig *r, const course *c, const double *target)
{
    double value[3 * GOALS], worst = 0;
    measure(r, c, value);
    for (int g = 0; g < GOALS && c->goal[g].effector; g++)
        worst = fmax(worst, norm_of_difference(c->goal[g].nrow, &value[3 * g], &target[3 * g]));
    return worst;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool approach(rig *r, const course *c, double rotation, runner *k)
{
    static const double loose[RIG_ROWS];
    double from[3 * GOALS];
    lithe_state_reset(r->model, r->state);
    if (!rig_forward(r, LITHE_EFFORT, loose))
        return false;
    measure(r, c, from);
    for (int i = 1; i <= APPROACH; i++)
        if (!go(r, c, rotation, i / (double)APPROACH, from, k))
            return false;
    return true;
}

// The next target; how much efforts moved per motion of the targets.
static bool advance(rig *r, const course *c, double rotation, runner *k, double *slope)
{
    memcpy(k->before, k->target, sizeof k->before);
    memcpy(k->last, k->effort, sizeof k->last);
    if (!go(r, c, rotation, 1, k->before, k))
        return false;
    *slope = norm_of_difference(lithe_nactuator(r->model), k->effort, k->last) /
             norm_of_difference(3 * GOALS, k->target, k->before);
    return true;
}

static bool go_there(rig *r, const course *c, int points, runner *k, smoothness *s)
{
    if (!approach(r, c, 0, k))
        return false;
    for (int i = 0; i < points; i++) {
        memcpy(k->on_the_way[i], k->effort, sizeof k->effort);
        if (!advance(r, c, (i + 1.0) / points, k, &k->slope[i]))
            return false;
        int iteration = lithe_last_residual(r->state).iteration;
        s->iteration = iteration > s->iteration ? iteration : s->iteration;
        s->miss = fmax(s->miss, missed(r, c, k->target));
        s->steepest = k->slope[i] > k->slope[s->steepest] ? i : s->steepest;
        for (int j = 0; j < lithe_nactuator(r->model); j++)
            s->strength = fmax(s->strength, fabs(k->effort[j]));
    }
    return true;
}

static bool go_back(rig *r, const course *c, int points, runner *k, smoothness *s)
{
    for (int i = points - 1; i >= 0; i--) {
        double slope;
        if (!advance(r, c, i / (double)points, k, &slope))
            return false;
        s->twist = fmax(s->twist,
                        norm_of_difference(lithe_nactuator(r->model), k->effort, k->on_the_way[i]));
    }
    return true;
}

// Again about the steepest step, in steps so many times smaller.
static bool zoom(rig *r, const course *c, int points, int times, int steepest, runner *k,
                 double *largest)
{
    *largest = 0;
    if (!approach(r, c, (steepest - 1.0) / points, k))
        return false;
    for (int i = 1; i <= 3 * times; i++) {
        double slope;
        if (!advance(r, c, (steepest - 1 + i / (double)times) / points, k, &slope))
            return false;
        *largest = fmax(*largest, slope);
    }
    return true;
}

static bool run_course(rig *r, const course *c, int points, int finer, smoothness *s)
{
    static runner k;
    *s = (smoothness){0};
    if (!go_there(r, c, points, &k, s) || !go_back(r, c, points, &k, s) ||
        !zoom(r, c, points, finer, s->steepest, &k, &s->zoomed[0]) ||
        !zoom(r, c, points, 2 * finer, s->steepest, &k, &s->zoomed[1]))
        return false;
    qsort(k.slope, (size_t)points, sizeof *k.slope, by_size);
    s->slope = k.slope[points - 1];
    s->median = k.slope[points / 2];
    return true;
}

static void report(table *t, const course *c, const smoothness *s)
{
    table_add(t, (finding){.quantity = text("%s: farthest from a target", c->name),
                           .ours = text("%d iterations a step", s->iteration),
                           .error = 1e3 * s->miss,
                           .gate = 1e-3,
                           .unit = "mm"});
    table_add(t,
              (finding){.quantity = text("%s: largest d effort / d target, steps halved", c->name),
                        .ours = text("%.3g; %.4g, %.4g N/mm", 1e-3 * s->slope, 1e-3 * s->zoomed[0],
                                     1e-3 * s->zoomed[1]),
                        .error = s->zoomed[1] / s->zoomed[0],
                        .gate = 1.1});
    table_add(t, (finding){.quantity = text("%s: efforts there and back differ by", c->name),
                           .ours = text("%.2g N of %.3g N", s->twist, s->strength),
                           .error = 100 * s->twist / s->strength,
                           .gate = 0.1,
                           .unit = "%"});
}

static void follow(table *t, const course *c, int points, int finer)
{
    rig r;
    smoothness s;
    if (!rig_open(&r, t, c->scene, c->set, (const char *)NULL))
        return;
    if (run_course(&r, c, points, finer, &s))
        report(t, c, &s);
    rig_close(&r);
}

void experiment_chatter(table *t)
{
    table_experiment(t, 'e', "no chatter");
    table_note(t,
               "duriez2013, section V.A (staircase, eight bilateral pistons), and coevoet2019, "
               "section 3.4.3 (trunk, eight cables). One turn of 100 points and back again, "
               "converged. Efforts that are bounded by a constant times the target's motion keep "
               "that constant however small the steps: the steepest part is done again in steps "
               "32 and 64 times smaller. A jump would double it. The line is run to and fro. "
               "Where the S turns by 45 degrees only one short cable is taut, five cables serve "
               "five numbers, and the constant is large there: 100 "
               "points see 0.36 N/mm of it, 200 see 0.61, and only steps 32 times smaller see it "
               "whole. The "
               "trunk's circle of 10 mm at -190 mm is left out: as smooth (229 N/m at 100, 200 and "
               "400 points), "
               "but up to 77 iterations a step.");
    for (int i = 0; i < (int)(sizeof courses / sizeof *courses); i++)
        if (!table_quick(t) || i == 2)
            follow(t, &courses[i], table_quick(t) ? 20 : 100, table_quick(t) ? 4 : 32);
}
