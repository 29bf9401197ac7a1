// Reduced models against whole ones, at commands that neither was made of.
#include "experiments.h"
#include "lithe/reduce.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// A robot to be reduced.
typedef struct subject {
    const char *name, *scene, *set; // set: what is other than in the scene; NULL: nothing
    const char *paper;              // its time and error; NULL: it has none
    double tolerance;               // m
    double goal;                    // ms a step
    int nsample, ncheck;            // 0: as it comes; commands that are compared
} subject;

typedef struct pair_of {
    table *t;
    lithe_scene *scene;
    lithe_reduction *made;
    lithe_model *whole, *few;
    lithe_state *whole_state, *few_state;
} pair_of;

static double time_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void close_pair(pair_of *p)
{
    lithe_state_free(p->whole_state);
    lithe_state_free(p->few_state);
    lithe_model_free(p->whole);
    lithe_model_free(p->few);
    lithe_reduction_free(p->made);
    lithe_scene_free(p->scene);
}

static bool open_pair(pair_of *p, table *t, const subject *s)
{
    lithe_report report = lithe_report_default();
    lithe_reduce_def how = lithe_reduce_def_default();
    char path[512];
    snprintf(path, sizeof path, "%s/%s", LITHE_ROOT, s->scene);
    *p = (pair_of){.t = t};
    how.tolerance = s->tolerance;
    how.nsample = table_quick(t) ? 10 : s->nsample;
    how.threads = 2;
    bool well = lithe_scene_read(path, s->set ? 1 : 0, &s->set, &p->scene, &report) == LITHE_OK;
    lithe_def def = well ? *lithe_scene_def(p->scene) : lithe_def_default();
    def.step.mode = LITHE_CONVERGED;
    well = well && lithe_reduce(&def, &how, &p->made, &report) == LITHE_OK &&
           lithe_compile(&def, &p->whole, &report) == LITHE_OK;
    def.reduction.given = p->made;
    well = well && lithe_compile(&def, &p->few, &report) == LITHE_OK &&
           lithe_state_create(p->whole, 1, &p->whole_state, &report) == LITHE_OK &&
           lithe_state_create(p->few, 1, &p->few_state, &report) == LITHE_OK;
    if (!well) {
        table_broken(t, "%s", report.error);
        close_pair(p);
    }
    return well;
}

// Where in a range from 0 to 1: at a corner of all ranges, or anywhere (corner < 0).
static double share_of(unsigned *dice, int corner, int actuator)
{
    if (corner >= 0)
        return corner >> actuator & 1;
    *dice = *dice * 1664525u + 1013904223u;
    return (double)(*dice >> 8) / 16777216.0;
}

// Commands in the limits, of what each actuator is commanded by where that is limited.
static void tell(const lithe_model *m, lithe_state *s, unsigned *dice, int corner)
{
    for (int a = 0; a < lithe_nactuator(m); a++) {
        double effort[2], way[2], value[3];
        lithe_command_kind kind = lithe_actuator_command(m, a, value);
        lithe_actuator_limits(m, a, effort, way);
        double *range = kind == LITHE_EFFORT ? effort : way;
        if (!isfinite(range[1]) || !isfinite(range[0])) {
            kind = kind == LITHE_EFFORT ? LITHE_DISPLACEMENT : LITHE_EFFORT;
            range = kind == LITHE_EFFORT ? effort : way;
        }
        value[0] = range[0] + (range[1] - range[0]) * share_of(dice, corner, a);
        lithe_command(m, s, a, kind, value);
    }
}

typedef struct errors {
    int n, safe;
    double worst, lowest, highest; // m; estimate over error
    double whole_time, few_time;   // s
} errors;

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double step_timed(const lithe_model *m, lithe_state *s, bool *well)
{
    double start = time_of(CLOCK_THREAD_CPUTIME_ID);
    *well = lithe_step(m, s) == LITHE_OK;
    return time_of(CLOCK_THREAD_CPUTIME_ID) - start;
}

// At n commands, or at the first n corners of the range.
static errors compare(pair_of *p, int n, bool corners)
{
    enum { MOST = 256 };
    errors e = {.lowest = INFINITY};
    unsigned one = 20261, two = 20261;
    double time[2][MOST], tip[2][3], estimate;
    for (int k = 0; k < n; k++) {
        bool well[2];
        lithe_state_reset(p->whole, p->whole_state);
        lithe_state_reset(p->few, p->few_state);
        tell(p->whole, p->whole_state, &one, corners ? k : -1);
        tell(p->few, p->few_state, &two, corners ? k : -1);
        time[0][e.n] = step_timed(p->whole, p->whole_state, &well[0]);
        time[1][e.n] = step_timed(p->few, p->few_state, &well[1]);
        if (!well[0])
            continue;
        lithe_effector_value(p->whole, p->whole_state, 0, tip[0]);
        lithe_effector_value(p->few, p->few_state, 0, tip[1]);
        lithe_estimate_reduction(p->few, p->few_state, &estimate);
        double error = well[1] ? distance3(tip[0], tip[1]) : INFINITY;
        e.worst = fmax(e.worst, error);
        e.lowest = fmin(e.lowest, estimate / error);
        e.highest = fmax(e.highest, estimate / error);
        e.safe += estimate >= error;
        e.n++;
    }
    for (int i = 0; i < 2; i++)
        qsort(time[i], (size_t)e.n, sizeof time[i][0], ascending);
    e.whole_time = time[0][e.n / 2];
    e.few_time = time[1][e.n / 2];
    return e;
}

// Median of the steps of the scene's task in the mode realtime, ms; NAN: it cannot be followed.
static double follow_task(pair_of *p)
{
    enum { WARM = 50, STEPS = 400, ROWS = 64 };
    static double time[STEPS];
    double start_rows[ROWS] = {0};
    lithe_report report = lithe_report_default();
    lithe_def def = *lithe_scene_def(p->scene);
    lithe_model *m = NULL;
    lithe_state *s = NULL;
    def.step.mode = LITHE_REALTIME;
    def.reduction.given = p->made;
    bool well = lithe_compile(&def, &m, &report) == LITHE_OK && lithe_nrow(m) <= ROWS &&
                lithe_state_create(m, 1, &s, &report) == LITHE_OK;
    int period = well ? 1 + (int)(lithe_task_duration(m) / def.step.dt) : 1;
    for (int k = 0; k < WARM + STEPS && well; k++) {
        if (k % period == 0) {
            lithe_state_reset(m, s);
            lithe_task_start(m, s, start_rows);
        }
        well = lithe_task_apply(m, s, start_rows, k % period * def.step.dt) == LITHE_OK;
        bool done = false;
        double spent = step_timed(m, s, &done);
        well = well && done;
        if (k >= WARM)
            time[k - WARM] = spent;
    }
    lithe_state_free(s);
    lithe_model_free(m);
    qsort(time, STEPS, sizeof *time, ascending);
    return well ? 1e3 * time[STEPS / 2] : NAN;
}

static void judge(table *t, const subject *s)
{
    pair_of p;
    if (!open_pair(&p, t, s))
        return;
    lithe_reduction_info info = lithe_reduction_get(p.made);
    int ncorner = 1 << (lithe_nactuator(p.whole) < 4 ? lithe_nactuator(p.whole) : 4);
    errors e = compare(&p, table_quick(t) ? 20 : s->ncheck, false);
    errors far = compare(&p, ncorner, true);
    table_add(t,
              (finding){.quantity = text("%s: largest error at its tip, %d commands", s->name, e.n),
                        .paper = s->paper,
                        .expected = text("%.2g mm", 1e3 * s->tolerance),
                        .ours = text("%d shapes, %d of %d elements", info.nmode, info.nelement,
                                     info.nelement_whole),
                        .error = 1e3 * e.worst,
                        .gate = 1e3 * s->tolerance,
                        .unit = "mm"});
    table_add(t, (finding){.quantity = text("%s: the same at %d corners of the range, which shapes "
                                            "and elements were chosen by",
                                            s->name, far.n),
                           .expected = text("%.2g mm", 1e3 * s->tolerance),
                           .ours = text("estimates %.2f to %.2f times", far.lowest, far.highest),
                           .error = 1e3 * far.worst,
                           .gate = 1e3 * s->tolerance,
                           .unit = "mm"});
    table_add(
        t, (finding){.quantity = text("%s: estimates outside 0.5 to 10 times the error", s->name),
                     .ours = text("%.2f to %.2f times", e.lowest, e.highest),
                     .error = e.lowest > 0.5 && e.highest < 10 ? 0 : 1,
                     .gate = 0});
    table_add(t, (finding){.quantity = text("%s: estimates below the error", s->name),
                           .ours = text("%d of %d", e.n - e.safe, e.n),
                           .error = 100.0 * (e.n - e.safe) / e.n,
                           .gate = 5,
                           .unit = "%"});
    table_add(t,
              (finding){.quantity = text("%s: from rest to a command, whole and reduced", s->name),
                        .ours = text("%.3g ms, %.3g ms", 1e3 * e.whole_time, 1e3 * e.few_time),
                        .error = NAN,
                        .gate = NAN});
    table_add(t, (finding){.quantity = text("%s: a step of its task, realtime, reduced", s->name),
                           .expected = text("%.2g ms", s->goal),
                           .ours = text("%.3g ms", follow_task(&p)),
                           .error = NAN,
                           .gate = NAN});
    close_pair(&p);
}

// The tip of the parallel robot round a circle of 10 mm by the reduced model; the whole one is told
// what came out.
static void judge_circle(table *t, const subject *s)
{
    enum { STEPS = 24 };
    pair_of p;
    if (!open_pair(&p, t, s))
        return;
    double worst = 0, off = 0;
    bool well = true;
    for (int k = 0; k < STEPS && well; k++) {
        double angle = 2 * acos(-1.0) * k / STEPS, tip[2][3];
        double target[3] = {0.01 * cos(angle), 0.01 * sin(angle), 0.13};
        lithe_target_effector(p.few, p.few_state, 0, target, false);
        well = lithe_step(p.few, p.few_state) == LITHE_OK;
        for (int a = 0; a < lithe_nactuator(p.few); a++) {
            double told[3], effort[2], way[2];
            lithe_command_kind kind = lithe_told(p.few, p.few_state, a, told);
            lithe_actuator_limits(p.few, a, effort, way);
            const double *range = kind == LITHE_EFFORT ? effort : way;
            told[0] = fmin(fmax(told[0], range[0]), range[1]); // of a slack cable
            well = well && lithe_command(p.whole, p.whole_state, a, kind, told) == LITHE_OK;
        }
        well = well && lithe_step(p.whole, p.whole_state) == LITHE_OK;
        lithe_effector_value(p.few, p.few_state, 0, tip[0]);
        lithe_effector_value(p.whole, p.whole_state, 0, tip[1]);
        off = fmax(off, distance3(tip[0], target));
        worst = fmax(worst, distance3(tip[1], target));
    }
    table_add(t, (finding){.quantity = text("%s: circle of 10 mm by the inverse, then the whole "
                                            "robot forward",
                                            s->name),
                           .expected = text("%.2g mm", 1e3 * s->tolerance),
                           .ours = text("the reduced one %.1g mm off", 1e3 * off),
                           .error = well ? 1e3 * worst : INFINITY,
                           .gate = 1e3 * (s->tolerance + off),
                           .unit = "mm"});
    close_pair(&p);
}

void experiment_reduced(table *t)
{
    const char *finer = "bodies.robot.mesh=" LITHE_ROOT "/tests/experiments/accordion_fine.msh";
    const subject accordion = {.name = "accordion",
                               .scene = "examples/accordion/robot.yaml",
                               .set = table_quick(t) ? NULL : finer,
                               .paper = "5.43 ms, 2.06 mm",
                               .tolerance = 5e-4,
                               .goal = 0.3,
                               .ncheck = 200};
    const subject parallel = {.name = "parallel",
                              .scene = "examples/parallel/robot.yaml",
                              .tolerance = 1e-4,
                              .goal = 0.15,
                              .nsample = 60,
                              .ncheck = 200};
    const subject diamond = {.name = "diamond",
                             .scene = "tests/experiments/diamond.yaml",
                             .tolerance = 1e-4,
                             .goal = 0.15,
                             .nsample = 60,
                             .ncheck = 200};
    table_experiment(t, 'H', "reduced models");
    table_note(t, "coevoet2019, table 3.1. Each robot is reduced to a tolerance at its tip (lithe "
                  "reduce); then whole and reduced robot are told the same commands, drawn anew "
                  "from the whole of the actuators' range, and go there from rest in one converged "
                  "step. Times are medians of these, as the one thread computed. Estimates "
                  "are those of lithe_estimate_reduction. The accordion has a finer mesh than in "
                  "examples/accordion: gmsh -3 robot.geo -setnumber size 2.62. The diamond's "
                  "mesh stands beside the repository. Steps of a task are those of the scene, one "
                  "iteration each.");
    judge(t, &accordion);
    if (table_quick(t))
        return;
    judge(t, &parallel);
    if (access(LITHE_ROOT "/../shared/meshes/diamond.vtu", R_OK) == 0)
        judge(t, &diamond);
    judge_circle(t, &parallel);
}

// The finger bent over a post: its force on the post, whole and reduced.
static bool lean(rig *r, double pull, double force[3])
{
    for (int k = 1; k <= 11; k++)
        if (!rig_forward(r, LITHE_DISPLACEMENT, (const double[]){pull * k / 11, pull * k / 11}))
            return false;
    lithe_pair_force(r->model, r->state, 0, force);
    return true;
}

// Where the finger meets the post.
static const lithe_selection meets = {
    .kind = LITHE_BOX, .a = {0.036, -0.008, -0.001}, .b = {0.054, 0.008, 0.003}};

// away: the post stood far from it when it was reduced; shapes: of a patch, 0: there is none.
static bool open_few(rig *r, table *t, const lithe_def *from, bool away, int shapes,
                     lithe_reduction_info *info)
{
    lithe_reduction *made = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_def def = *from;
    lithe_obstacle_def post = from->obstacle[0];
    post.at[2] -= away;
    post.to[2] -= away;
    def.obstacle = &post;
    def.reduction.patch = shapes > 0 ? LITHE_PATCH_SELECTED : LITHE_NO_PATCH;
    def.reduction.patch_where = &meets;
    def.reduction.npatch_shape = shapes;
    *r = (rig){.t = t, .report = lithe_report_default()};
    how.tolerance = 5e-5;
    how.nsample = table_quick(t) ? 8 : 20;
    how.ncheck = table_quick(t) ? 2 : 0;
    how.threads = 2;
    bool well = lithe_reduce(&def, &how, &made, &r->report) == LITHE_OK;
    def.obstacle = from->obstacle;
    def.reduction.given = made;
    well = well && lithe_compile(&def, &r->model, &r->report) == LITHE_OK &&
           lithe_state_create(r->model, 1, &r->state, &r->report) == LITHE_OK;
    if (well)
        *info = lithe_reduction_get(made);
    else
        table_broken(t, "%s", r->report.error);
    lithe_reduction_free(made);
    return well;
}

// Reduced without the post; shapes: of a patch.
static void lean_unmet(rig *whole, const double *force, int shapes, double gate)
{
    rig few;
    double own[3];
    lithe_reduction_info info;
    bool well = open_few(&few, whole->t, lithe_scene_def(whole->scene), true, shapes, &info);
    if (well && lean(&few, 0.011, own))
        table_add(whole->t,
                  (finding){.quantity = text("the same over a post that no sample met%s",
                                             shapes > 0 ? ", with a patch" : ""),
                            .expected = text("%.4g N", distance3(force, (double[3]){0})),
                            .ours = text("%d shapes, %d of %d elements", info.nmode, info.nelement,
                                         info.nelement_whole),
                            .error = 100 * distance3(own, force) / distance3(force, (double[3]){0}),
                            .gate = gate,
                            .unit = "%"});
    if (well)
        rig_close(&few);
}

void experiment_reduced_contact(table *t)
{
    rig whole, few;
    double force[2][3], tip[2][3];
    lithe_reduction_info info;
    table_experiment(t, 'N', "reduced, in contact");
    table_note(t, "The finger of examples/finger with two cables side by side, both pulled by 11 "
                  "mm, over a post at 45 mm; reduced with the post to 0.05 mm at its tip. Then "
                  "reduced without it, by modes alone and with a patch of 20 shapes where it "
                  "meets the post.");
    if (!rig_open(&whole, t, "tests/experiments/finger_post.yaml",
                  "actuators.left.limits.pull=[0, 12]", "actuators.right.limits.pull=[0, 12]",
                  NULL))
        return;
    bool well = open_few(&few, t, lithe_scene_def(whole.scene), false, 0, &info);
    if (well && lean(&whole, 0.011, force[0]) && lean(&few, 0.011, force[1])) {
        double full = distance3(force[0], (double[3]){0});
        rig_measure(&whole, "tip", tip[0]);
        rig_measure(&few, "tip", tip[1]);
        table_add(t, (finding){.quantity = text("force on the post, apart"),
                               .expected = text("%.4g N", full),
                               .ours = text("%d shapes, %d of %d elements", info.nmode,
                                            info.nelement, info.nelement_whole),
                               .error = 100 * distance3(force[0], force[1]) / full,
                               .gate = table_quick(t) ? 10 : 2,
                               .unit = "%"});
        table_add(t, (finding){.quantity = "largest overlap of the reduced finger and the post",
                               .ours = text("tips %.2g mm apart", 1e3 * distance3(tip[0], tip[1])),
                               .error = 1e3 * lithe_last_overlap(few.model, few.state).depth,
                               .gate = 1e-4,
                               .unit = "mm"});
    }
    if (well)
        rig_close(&few);
    for (int patch = 0; patch < 2 && well && !table_quick(t); patch++)
        lean_unmet(&whole, force[0], 20 * patch, patch ? 10 : NAN);
    rig_close(&whole);
}
