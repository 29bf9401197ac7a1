// Robots in contact: the experiments of the thesis' chapter on contact, and of the first paper's.
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <string.h>

// The deepest overlap over all steps, and how many contacts pushed, at most.
typedef struct watch {
    double depth; // m
    int nforce;
    double error; // largest distance of the effector from its target, m
} watch;

static void look(const rig *r, watch *w)
{
    int nforce = 0;
    for (int i = 0; i < lithe_ncontact(r->state); i++) {
        lithe_contact c;
        lithe_contact_get(r->model, r->state, i, &c);
        nforce += c.force > 0;
    }
    w->nforce = nforce > w->nforce ? nforce : w->nforce;
    w->depth = fmax(w->depth, lithe_penetration(r->state));
}

static bool settle(rig *r)
{
    enum { STEPS = 3 };
    bool good = true;
    for (int k = 0; k < STEPS && good; k++)
        good = rig_step(r);
    return good;
}

// How far the efforts that were found bring the effector from where the inverse said, when they are
// held and the robot comes to rest.
static double settle_difference(rig *r)
{
    double before[3] = {0}, after[3] = {0}, miss = 0;
    int n = lithe_effector_rows(r->model, 0), steps = table_quick(r->t) ? 30 : 200;
    lithe_effector_value(r->model, r->state, 0, before);
    lithe_forget_targets(r->model, r->state);
    for (int k = 0; k < steps; k++)
        if (lithe_step(r->model, r->state) != LITHE_OK)
            return NAN;
    lithe_effector_value(r->model, r->state, 0, after);
    for (int i = 0; i < n; i++)
        miss += (before[i] - after[i]) * (before[i] - after[i]);
    return sqrt(miss);
}

// How far from its target the tip comes to rest under the efforts that were found, from a start;
// NAN: the inverse failed.
static double reach(table *t, const char *search, const char *start, double at, double effort[2])
{
    rig r;
    double target = 3e-3, tip = NAN;
    if (!rig_open(
            &r, t, "examples/lever/robot.yaml", text("contacts.search=%s", search),
            text("actuators.lower.command={tension: %s}", start),
            text("obstacles.above.cylinder={from: [%g, -20, 16], to: [%g, 20, 16], radius: 5}", at,
                 at),
            text("obstacles.below.cylinder={from: [%g, -20, -15.5], to: [%g, 20, -15.5], "
                 "radius: 5}",
                 at, at),
            (const char *)NULL))
        return NAN;
    bool done = settle(&r) && rig_aim_effector(&r, "tip", &target) && settle(&r);
    if (done) {
        rig_efforts(&r, effort);
        done = isfinite(settle_difference(&r));
        rig_measure(&r, "tip", &tip);
    }
    rig_close(&r);
    return done ? fabs(tip - target) : NAN;
}

// Posts at a position along the beam, in mm; label: of the rows.
static void lift(table *t, double at, const char *label, bool paper)
{
    double effort[2] = {0}, far, near, proved;
    far = reach(t, "local", "0", at, effort);
    table_add(t,
              (finding){.quantity = text("%sstarting free: the worse minimum, tip off by", label),
                        .paper = paper ? "75 N of the upper cable" : NULL,
                        .ours = text("upper %.2f N, lower %.2f N; %.3f mm", effort[0], effort[1],
                                     1e3 * far),
                        .error = far > 0.5e-3 && effort[0] > 0.1 && effort[1] < 1e-4 ? 0 : 1,
                        .gate = 0});
    near = reach(t, "local", "3", at, effort);
    table_add(t, (finding){.quantity = text("%sstarting in contact: the better minimum", label),
                           .paper = paper ? "495 N of the lower cable" : NULL,
                           .ours = text("upper %.2f N, lower %.2f N", effort[0], effort[1]),
                           .error = 1e3 * near,
                           .gate = 1e-4,
                           .unit = "mm"});
    proved = reach(t, "global", "0", at, effort);
    table_add(t, (finding){.quantity = text("%ssearch: global, starting free: the better", label),
                           .ours = text("upper %.2f N, lower %.2f N", effort[0], effort[1]),
                           .error = 1e3 * proved,
                           .gate = 1e-4,
                           .unit = "mm"});
}

void experiment_lever(table *t)
{
    table_experiment(t, 'p', "beam between two posts");
    table_note(t, "coevoet2019, figures 4.6 and 4.7 (examples/lever). The tip shall rise by 3 mm. "
                  "Starting free, the inverse ends at the upper post; starting on the lower one it "
                  "makes a lever of it and arrives; with search: global it arrives from there too. "
                  "The tip is measured at rest, with the efforts held. The posts stand at 105 mm, "
                  "between lines of nodes, at 100 mm, under one, and at 97 mm.");
    lift(t, 105, "", true);
    if (table_quick(t))
        return;
    lift(t, 100, "at 100 mm, ", false);
    lift(t, 97, "at 97 mm, ", false);
}

// The scene's task as `lithe track` does it. False: a step failed.
static bool follow(rig *r, int settle, watch *w)
{
    static double start[256], target[256];
    double dt = lithe_scene_def(r->scene)->step.dt;
    for (int k = 0; k < settle; k++)
        if (!rig_step(r))
            return false;
    lithe_task_start(r->model, r->state, start);
    double approach = lithe_task_approach(r->model, start);
    int all = (int)lround((approach + lithe_task_duration(r->model)) / dt);
    for (int k = 1; k <= all; k++) {
        double value[3] = {0}, miss = 0, time = k * dt;
        lithe_task_apply(r->model, r->state, start, time);
        lithe_play(r->model, r->state, time);
        if (!rig_step(r))
            return false;
        look(r, w);
        lithe_task_targets(r->model, start, time, target);
        int row = lithe_row_of_effector(r->model, 0), n = lithe_effector_rows(r->model, 0);
        lithe_effector_value(r->model, r->state, 0, value);
        for (int i = 0; i < n; i++)
            miss += (value[i] - target[row + i]) * (value[i] - target[row + i]);
        w->error = fmax(w->error, sqrt(miss));
    }
    return true;
}

typedef struct course {
    const char *name, *scene, *set[3];
    const char *paper;
    double error_gate; // mm
    double depth_gate; // mm
    double rest_gate;  // mm
} course;

static void run_course(table *t, const course *c)
{
    rig r;
    watch w = {0};
    const char *set[4] = {"step.dt=80 ms"}; // quick: by longer steps, where no others are set
    memcpy(&set[table_quick(t)], c->set, sizeof c->set);
    if (!rig_open(&r, t, c->scene, set[0], set[1], set[2], set[3], (const char *)NULL))
        return;
    if (follow(&r, 30, &w)) {
        table_add(t, (finding){.quantity = text("%s: tip of the state, farthest off", c->name),
                               .paper = c->paper,
                               .ours = text("%d degrees of freedom, up to %d contacts press",
                                            lithe_ndof(r.model), w.nforce),
                               .error = 1e3 * w.error,
                               .gate = c->error_gate,
                               .unit = "mm"});
        table_add(t, (finding){.quantity = text("%s: deepest overlap", c->name),
                               .error = 1e3 * w.depth,
                               .gate = c->depth_gate,
                               .unit = "mm"});
        table_add(t,
                  (finding){.quantity = text("%s: at its end, efforts held, it moves by", c->name),
                            .error = 1e3 * settle_difference(&r),
                            .gate = c->rest_gate,
                            .unit = "mm"});
    }
    rig_close(&r);
}

void experiment_rod(table *t)
{
    table_experiment(t, 'q', "staircase and a rod");
    table_note(t,
               "duriez2013, figure 3. A rubber rod that gives way, then a steel one that leaves "
               "no room for the path: the tip stays behind its target, and nothing else happens. "
               "Realtime steps of three iterations. The post takes up to 8 mm from the path.");
    run_course(
        t, &(course){"rubber rod", "examples/staircase/rod.yaml", {NULL}, NULL, 0.01, 0.1, 0.1});
    run_course(t, &(course){"steel post",
                            "examples/staircase/robot.yaml",
                            {"obstacles={post: {capsule: {from: [27, -70, 200], to: [27, 70, 200], "
                             "radius: 4}}}",
                             "step={mode: realtime, iterations: 3, dt: 40 ms}", NULL},
                            NULL,
                            8,
                            NAN,
                            NAN});
}

void experiment_trunk(table *t)
{
    table_experiment(t, 'r', "trunk and posts");
    table_note(t,
               "coevoet2019, figures 4.16 and 4.17 (examples/trunk): on a platform that moves, "
               "led between two posts, and 6 mm farther to the side and 10 mm down; its tip held "
               "still while a post is moved against it.");
    run_course(
        t, &(course){
               "between two posts", "examples/trunk/between.yaml", {NULL}, "3.6 mm", 0.01, 0.1, 1});
    if (!table_quick(t))
        run_course(t, &(course){"farther",
                                "examples/trunk/between.yaml",
                                {"task.follow.waypoints.2.at=[-20, 0, -300]", NULL},
                                NULL,
                                0.01,
                                0.1,
                                1});
    run_course(
        t,
        &(course){
            "pushed by a post", "examples/trunk/pushed.yaml", {NULL}, "stays put", 0.01, 0.1, 0.1});
}

static void steer_slowly(table *t)
{
    run_course(
        t,
        &(course){"one branch", "examples/fork/robot.yaml", {NULL}, "47 contacts", 0.01, 0.1, 0.1});
    run_course(t, &(course){"other branch",
                            "examples/fork/robot.yaml",
                            {"task.follow.waypoints.2.at=[-7, 0.3, 120.4]",
                             "task.follow.waypoints.3.at=[-28, 0, 156]", NULL},
                            "47 contacts",
                            0.01,
                            0.1,
                            0.1});
}

void experiment_fork(table *t)
{
    table_experiment(t, 's', "catheter in a fork");
    table_note(t,
               "coevoet2019, figure 4.19 (examples/fork): 66 degrees of freedom, four tendons and "
               "an insertion, into either branch of a vessel that is a mesh. Steps are of 10 ms; "
               "longer ones are of 40 ms, and so are converged ones.");
    if (!table_quick(t)) {
        steer_slowly(t);
        run_course(t, &(course){"one branch, longer steps",
                                "examples/fork/robot.yaml",
                                {"step.dt=40 ms", NULL},
                                "47 contacts",
                                0.2,
                                0.1,
                                0.1});
    }
    run_course(t, &(course){"other branch, longer steps",
                            "examples/fork/robot.yaml",
                            {"task.follow.waypoints.2.at=[-7, 0.3, 120.4]",
                             "task.follow.waypoints.3.at=[-28, 0, 156]", "step.dt=40 ms"},
                            "47 contacts",
                            0.2,
                            0.1,
                            0.1});
    run_course(t, &(course){"one branch, converged",
                            "examples/fork/robot.yaml",
                            {"step={mode: converged, dt: 40 ms}", NULL},
                            "47 contacts",
                            1e-4,
                            1e-3,
                            1e-3});
    if (!table_quick(t))
        run_course(t, &(course){"other branch, converged",
                                "examples/fork/robot.yaml",
                                {"task.follow.waypoints.2.at=[-7, 0.3, 120.4]",
                                 "task.follow.waypoints.3.at=[-28, 0, 156]",
                                 "step={mode: converged, dt: 40 ms}"},
                                "47 contacts",
                                1e-4,
                                1e-3,
                                1e-3});
}

void experiment_organ(table *t)
{
    table_experiment(t, 't', "wall and organ");
    table_note(t, "coevoet2019, section 4.6.2 (examples/organ): a force on one soft body moves a "
                  "point of another through their contact, in realtime steps and in converged "
                  "ones. The stated tolerance of an overlap is 1e-6 of the robot's size, here "
                  "0.00015 mm, and 1e-3 of it in realtime steps.");
    run_course(
        t,
        &(course){"realtime", "examples/organ/robot.yaml", {NULL}, "16 contacts", 0.01, 0.15, 0.1});
    if (!table_quick(t))
        run_course(t, &(course){"converged",
                                "examples/organ/robot.yaml",
                                {"step.mode=converged", NULL},
                                "16 contacts",
                                1e-4,
                                1.5e-4,
                                1e-6});
}
