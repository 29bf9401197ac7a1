// The pneumatic module, whole and reduced: figure 4 and table II of chaillou2023.
#include "curves.h"
#include "experiments.h"
#include "lithe/calibrate.h"
#include "lithe/reduce.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char SCENE[] = "examples/module/robot.yaml";
static const double LENGTH = 0.055; // m

// Quick slices take a coarse mesh: gmsh -3 robot.geo -setnumber layer 17 -setnumber size 3, in
// examples/module.
static const char *mesh(const table *t)
{
    return table_quick(t) ? "bodies.robot.mesh=" LITHE_ROOT "/tests/experiments/module_coarse.msh"
                          : "bodies.robot.mesh=" LITHE_ROOT "/examples/module/robot.msh";
}

// Frames where the mesh has its layers.
#define LINE                                                                                       \
    "reduction.beam.line=[[0, 0, 0], [0, 0, 2], [0, 0, 6.25], [0, 0, 10.5], [0, 0, 14.75], "       \
    "[0, 0, 19], [0, 0, 23.25], [0, 0, 27.5], [0, 0, 31.75], [0, 0, 36], [0, 0, 40.25], "          \
    "[0, 0, 44.5], [0, 0, 48.75], [0, 0, 53], [0, 0, 55]]"

// Every second of them, for sections that deform by learned shapes: these bend between frames too.
#define COARSE                                                                                     \
    "reduction.beam.line=[[0, 0, 0], [0, 0, 2], [0, 0, 10.5], [0, 0, 19], [0, 0, 27.5], "          \
    "[0, 0, 36], [0, 0, 44.5], [0, 0, 53], [0, 0, 55]]"

// Of the coarse mesh.
#define QUICK_LINE                                                                                 \
    "reduction.beam.line=[[0, 0, 0], [0, 0, 2], [0, 0, 19], [0, 0, 36], [0, 0, 53], [0, 0, 55]]"

// Rigid sections stand for the threads, whose windings they would only stretch.
static const char NO_THREADS[] = "materials.polyester.young=1 Pa";

// What calibrate finds for them, see O.
static const char CALIBRATED[] = "materials.silicone.young=20.6 kPa";

enum { STEPS = 10, RAMPS = 3 };

// Tips at 10, 20, … 100 kPa in one, two and three pairs of chambers.
typedef struct ramps {
    double tip[RAMPS][STEPS][3];
    bool well;
} ramps;

static double cpu_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Quick: one ramp, in two steps.
static int nramp(const table *t)
{
    return table_quick(t) ? 1 : RAMPS;
}

static int stride(const table *t)
{
    return table_quick(t) ? STEPS / 2 : 1;
}

static void climb(rig *r, ramps *out)
{
    int by = stride(r->t);
    out->well = true;
    for (int n = 0; n < nramp(r->t); n++) {
        lithe_state_reset(r->model, r->state);
        for (int k = by - 1; k < STEPS && out->well; k += by) {
            double pressure[3] = {0};
            for (int a = 0; a <= n; a++)
                pressure[a] = 1e5 * (k + 1) / STEPS;
            out->well = rig_forward(r, LITHE_EFFORT, pressure);
            rig_measure(r, "tip", out->tip[n][k]);
        }
    }
}

static void compare(table *t, const char *name, const ramps *whole, const ramps *few,
                    const char *expected, double gate)
{
    static const char *const pairs[] = {"one pair", "two pairs", "three pairs"};
    for (int n = 0; n < nramp(t); n++) {
        double worst = few->well ? 0 : INFINITY;
        const double *end = few->tip[n][STEPS - 1];
        for (int k = stride(t) - 1; k < STEPS && few->well; k += stride(t))
            worst = fmax(worst, distance3(whole->tip[n][k], few->tip[n][k]));
        table_add(t,
                  (finding){.quantity = text("%s, %s: tips apart, of the length", name, pairs[n]),
                            .expected = expected,
                            .ours = text("(%.1f, %.1f, %.1f) mm", 1e3 * end[0], 1e3 * end[1],
                                         1e3 * end[2]),
                            .error = 100 * worst / LENGTH,
                            .gate = gate,
                            .unit = "%"});
    }
}

// Figure 4: how far the tip has come over the pressure.
static void draw(table *t, int nmodel, const char *const *name, const ramps *const *model)
{
    static const char *const colour[] = {"#222", "#d62728", "#1f77b4", "#2ca02c"};
    static const char *const title[] = {"One pair of chambers", "Two pairs of chambers",
                                        "Three pairs of chambers"};
    static curves c;
    const double rest[3] = {0, 0, LENGTH};
    for (int n = 0; n < RAMPS; n++) {
        c = (curves){.title = title[n], .across = "pressure, kPa", .up = "way of the tip, mm"};
        for (int i = 0; i < nmodel; i++) {
            curve *line = curves_add(&c, name[i], colour[i]);
            curve_point(line, 0, 0);
            for (int k = 0; k < STEPS; k++)
                curve_point(line, 100.0 * (k + 1) / STEPS,
                            1e3 * distance3(model[i]->tip[n][k], rest));
        }
        if (!curves_write(&c, text("module-%d.svg", n + 1)))
            table_broken(t, "docs/pictures cannot be written");
    }
}

// Table II: the tip round a circle of 40 mm, of two modules 80 mm, one iteration a step; steps a
// second of one thread.
static double speed(rig *r, int nstep)
{
    double spent = 0, rest[3];
    rig_measure(r, "tip", rest);
    double radius = 0.02 * rest[2] / LENGTH;
    lithe_state_reset(r->model, r->state);
    for (int k = -20; k < nstep; k++) {
        double angle = 2 * acos(-1.0) * k / 1000, out = radius * fmin(1, (k + 20) / 20.0);
        double target[3] = {out * cos(angle), out * sin(angle), rest[2]}, start = cpu_time();
        lithe_target_effector(r->model, r->state, 0, target, false);
        lithe_step(r->model, r->state);
        spent += k >= 0 ? cpu_time() - start : 0;
    }
    return nstep / spent;
}

static void show_speed(table *t, const char *name, const char *paper, rig *r, int nstep,
                       double wanted)
{
    lithe_reduction_info info;
    bool few = lithe_model_reduction(r->model, &info);
    double rate = speed(r, nstep);
    table_add(t, (finding){.quantity = text("%s: steps a second", name),
                           .paper = paper,
                           .expected = wanted > 0 ? text("%.0f", wanted) : NULL,
                           .ours = few ? text("%.4g; %d coordinates, %d elements", rate,
                                              lithe_ndof(r->model), info.nelement)
                                       : text("%.4g; %d nodes", rate, lithe_nnode(r->model)),
                           .error = NAN,
                           .gate = NAN});
}

// A compiled model of a definition in place of the rig's.
static bool take(rig *r, const lithe_def *def)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
    r->state = NULL;
    r->model = NULL;
    return lithe_compile(def, &r->model, &r->report) == LITHE_OK &&
           lithe_state_create(r->model, 1, &r->state, &r->report) == LITHE_OK;
}

// The best there is, if the tolerance is not met. Quick: to ten times the tolerance.
static lithe_reduction *reduce(rig *r, const lithe_def *def)
{
    lithe_reduction *made = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    how.tolerance = table_quick(r->t) ? 3.5e-3 : 3.5e-4;
    how.nsample = table_quick(r->t) ? 4 : 24;
    how.ncheck = table_quick(r->t) ? 2 : 0;
    how.threads = 2;
    lithe_reduce(def, &how, &made, &r->report);
    return made;
}

// Pressures anywhere in the range, whole and reduced robot: what the estimate says of how far their
// tips are apart.
static void judge_estimates(table *t, const char *name, rig *whole, rig *few)
{
    unsigned dice = 20261;
    int n = 0, below = 0, nsample = table_quick(t) ? 3 : 200;
    double worst = 0, lowest = INFINITY, highest = 0;
    for (int k = 0; k < nsample; k++) {
        double pressure[3], tip[2][3], estimate = INFINITY;
        for (int a = 0; a < 3; a++) {
            dice = dice * 1664525u + 1013904223u;
            pressure[a] = 1e5 * (double)(dice >> 8) / 16777216.0;
        }
        lithe_state_reset(whole->model, whole->state);
        lithe_state_reset(few->model, few->state);
        if (!rig_forward(whole, LITHE_EFFORT, pressure) ||
            !rig_forward(few, LITHE_EFFORT, pressure))
            return;
        rig_measure(whole, "tip", tip[0]);
        rig_measure(few, "tip", tip[1]);
        lithe_estimate_reduction(few->model, few->state, &estimate);
        double error = distance3(tip[0], tip[1]);
        worst = fmax(worst, error);
        lowest = fmin(lowest, estimate / error);
        highest = fmax(highest, estimate / error);
        below += estimate < error;
        n++;
    }
    table_add(t, (finding){.quantity = text("%s: estimates outside 0.5 to 10 times the error, "
                                            "%d pressures",
                                            name, n),
                           .ours = text("%.2f to %.2f times; tips %.2g mm apart at most", lowest,
                                        highest, 1e3 * worst),
                           .error = lowest > 0.5 && highest < 10 ? 0 : 1,
                           .gate = 0});
    table_add(t, (finding){.quantity = text("%s: estimates below the error", name),
                           .ours = text("%d of %d", below, n),
                           .error = 100.0 * below / n,
                           .gate = 5,
                           .unit = "%"});
}

// A reduced robot: its tips by converged steps, and its speed by realtime ones.
static void judge_reduced(table *t, const char *name, int nset, const char *const *set, rig *robot,
                          const ramps *whole, double gate, ramps *out)
{
    char path[1024];
    rig r = {.t = t, .report = lithe_report_default()};
    snprintf(path, sizeof path, "%s/%s", LITHE_ROOT, SCENE);
    bool well = lithe_scene_read(path, nset, set, &r.scene, &r.report) == LITHE_OK;
    lithe_def def = well ? *lithe_scene_def(r.scene) : lithe_def_default();
    lithe_reduction *made = well ? reduce(&r, &def) : NULL;
    def.reduction.given = made;
    def.step.mode = LITHE_CONVERGED;
    well = made && take(&r, &def);
    if (well) {
        climb(&r, out);
        compare(t, name, whole, out, "0.7 %", gate);
        judge_estimates(t, name, robot, &r);
        def.step.mode = LITHE_REALTIME;
        well = take(&r, &def);
    }
    if (well)
        show_speed(t, name, "26.16", &r, table_quick(t) ? 20 : 200, 1000);
    else
        table_broken(t, "%s", r.report.error);
    rig_close(&r);
    lithe_reduction_free(made);
}

// Young's modulus with which rigid sections meet the whole robot's tips best, by lithe calibrate.
static double calibrate(table *t, const ramps *whole, const char *poisson)
{
    char path[1024], data[] = "/tmp/lithe_module_XXXXXX";
    lithe_calibration *found = NULL;
    lithe_report report = lithe_report_default();
    lithe_calibrate_def def = lithe_calibrate_def_default();
    const char *set[] = {mesh(t), table_quick(t) ? QUICK_LINE : LINE, poisson, NO_THREADS};
    const char *find[] = {"materials.silicone.young=30 kPa:2..100"};
    int file = mkstemp(data);
    FILE *out = file >= 0 ? fdopen(file, "w") : NULL;
    snprintf(path, sizeof path, "%s/%s", LITHE_ROOT, SCENE);
    if (!out)
        return NAN;
    fprintf(out, "pair1.pressure_kPa,pair2.pressure_kPa,pair3.pressure_kPa,tip.x_mm,tip.y_mm,"
                 "tip.z_mm\n");
    for (int n = 0; n < nramp(t); n++)
        for (int k = STEPS / 2 - 1; k < STEPS; k += STEPS / 2) {
            const double *tip = whole->tip[n][k], p = 100.0 * (k + 1) / STEPS;
            fprintf(out, "%g,%g,%g,%.6f,%.6f,%.6f\n", p, n > 0 ? p : 0, n > 1 ? p : 0, 1e3 * tip[0],
                    1e3 * tip[1], 1e3 * tip[2]);
        }
    fclose(out);
    def.scene = path;
    def.nset = sizeof set / sizeof *set;
    def.set = set;
    def.data = data;
    def.nfind = 1;
    def.find = find;
    def.threads = 2;
    double young = NAN;
    if (lithe_calibrate(&def, &found, &report) == LITHE_OK)
        young = found->parameter[0].value;
    else
        table_broken(t, "%s", report.error);
    lithe_calibration_free(found);
    unlink(data);
    return young;
}

// Rigid sections, with the modulus that suits them.
static bool judge_rigid(table *t, const char *poisson, const ramps *whole, ramps *few)
{
    rig r;
    double young = calibrate(t, whole, poisson);
    const char *value = strchr(poisson, '=') + 1;
    table_add(t,
              (finding){.quantity = text("rigid sections, Poisson %s: calibrated modulus", value),
                        .paper = "83 kPa of 100 kPa",
                        .ours = text("%.3g kPa of 100 kPa", young),
                        .error = NAN,
                        .gate = NAN});
    if (!(young > 0) ||
        !rig_open(&r, t, SCENE, mesh(t), table_quick(t) ? QUICK_LINE : LINE, poisson, NO_THREADS,
                  "step.mode=converged", text("materials.silicone.young=%.9g kPa", young), NULL))
        return false;
    climb(&r, few);
    compare(t, text("rigid sections, Poisson %s", value), whole, few, "2 %", NAN);
    rig_close(&r);
    return true;
}

// A beam with rigid sections, and the same with the few elements and cells that lithe reduce picks.
typedef struct beam_speed {
    const char *name, *scene, *mesh, *paper, *frames;
    double tolerance; // of the choice, m
    double wanted;    // steps a second
} beam_speed;

static void judge_speed(table *t, const beam_speed *b)
{
    rig r;
    lithe_reduction *made = NULL;
    lithe_reduce_def how = lithe_reduce_def_default();
    int nstep = table_quick(t) ? 20 : 500;
    how.tolerance = b->tolerance;
    how.nsample = table_quick(t) ? 4 : 12;
    how.ncheck = table_quick(t) ? 2 : 0;
    how.threads = 2;
    if (!rig_open(&r, t, b->scene, b->mesh, "step.mode=realtime", b->frames, NO_THREADS, CALIBRATED,
                  NULL))
        return;
    show_speed(t, text("%s, rigid sections, all elements", b->name), b->paper, &r, 20, 0);
    lithe_def def = *lithe_scene_def(r.scene);
    bool well = lithe_reduce(&def, &how, &made, &r.report) == LITHE_OK;
    def.reduction.given = made;
    if (well && take(&r, &def)) {
        show_speed(t, text("%s, rigid sections, picked elements", b->name), b->paper, &r, nstep,
                   b->wanted);
        lithe_reduction_info info = lithe_reduction_get(made);
        table_add(
            t, (finding){.quantity =
                             text("%s: picked from all elements, %d others", b->name, info.ncheck),
                         .ours = text("%d of %d elements", info.nelement, info.nelement_whole),
                         .error = 1e3 * info.error,
                         .gate = 1e3 * b->tolerance,
                         .unit = "mm"});
    } else
        table_broken(t, "%s", r.report.error);
    rig_close(&r);
    lithe_reduction_free(made);
}

static void show_whole(table *t, const char *name, const beam_speed *of, const char *paper)
{
    rig r;
    if (rig_open(&r, t, of->scene, of->mesh, "step.mode=realtime", NULL)) {
        show_speed(t, name, paper, &r, 10, 0);
        rig_close(&r);
    }
}

void experiment_module_speed(table *t)
{
    const beam_speed one = {
        "one module", SCENE, mesh(t), "26.16", table_quick(t) ? QUICK_LINE : LINE, 3.5e-4, 1000};
    const beam_speed two = {"two modules",
                            "examples/module2/robot.yaml",
                            "bodies.robot.mesh=" LITHE_ROOT "/examples/module2/robot.msh",
                            "13.93",
                            "reduction.beam.frames=28",
                            7e-4,
                            500};
    table_experiment(t, 'Q', "modules, steps a second");
    table_note(t, "chaillou2023, table II: steps a second of one iteration each, as one thread "
                  "computed, of the inverse along a circle of 40 mm, of two modules 80 mm. Beams "
                  "have rigid sections, as in the paper, without threads and with the modulus "
                  "that O finds; lithe reduce picks elements and cells of cavities for them, and "
                  "compares tips with those of the beam with all elements, at pressures from the "
                  "whole range.");
    show_whole(t, "one module, whole", &one, "5.56");
    judge_speed(t, &one);
    if (table_quick(t))
        return;
    show_whole(t, "two modules, whole", &two, "1.64");
    judge_speed(t, &two);
}

void experiment_module(table *t)
{
    static ramps whole, modes;
    rig r;
    table_experiment(t, 'I', "module, by modes");
    table_note(t, "chaillou2023, figure 4 and table II: the tip over 0 to 100 kPa in one, two and "
                  "three pairs of chambers, in steps of 10 kPa, of the whole robot "
                  "(examples/module) and of one that moves by modes. Steps a second are those of "
                  "one iteration each, as one thread computed, of the inverse along a circle of 40 "
                  "mm, as in the paper.");
    if (!rig_open(&r, t, SCENE, mesh(t), "step.mode=converged", NULL))
        return;
    climb(&r, &whole);
    judge_reduced(t, "modes", 1, (const char *const[]){mesh(t)}, &r, &whole,
                  table_quick(t) ? 7 : 0.7, &modes);
    rig_close(&r);
}

void experiment_module_beam(table *t)
{
    static ramps whole, beam, rigid, softer, softer_rigid;
    rig r, other;
    table_experiment(t, 'O', "module, as a beam");
    table_note(t,
               "chaillou2023, figure 4 and table II, as in I: by frames at every second of the "
               "mesh's 15 layers, whose sections deform by 8 learned shapes each, and by frames at "
               "all of them with rigid sections, which take the threads' place as in the paper; "
               "their modulus lithe calibrate finds from the three tips at 50 and 100 kPa. Without "
               "lateral contraction a bar is E (1 - nu) / ((1 + nu) (1 - 2 nu)) stiff: 1.2 E for a "
               "Poisson's ratio of 0.25, which is the paper's 83 kPa, and 3.8 E for 0.45. The rest "
               "is a material that gives way: the whole robot's sections shrink under pressure, so "
               "that it bends and lengthens more than in proportion, and rigid ones do not. And "
               "with three pairs the whole robot's tip leaves its axis by 1.7 mm, 3.1 %% of the "
               "length, since its mesh is not symmetric (half as far where elements are 0.6 of "
               "the size); rigid sections stay on it. So no modulus comes within 2 %%, whatever "
               "Poisson's ratio the beam is given beside it. Pressures of estimates are drawn "
               "from the whole range, 0 to 100 kPa in each pair.");
    if (!rig_open(&r, t, SCENE, mesh(t), "step.mode=converged", NULL))
        return;
    climb(&r, &whole);
    judge_rigid(t, "materials.silicone.poisson=0.45", &whole, &rigid);
    if (!table_quick(t) && rig_open(&other, t, SCENE, mesh(t), "step.mode=converged",
                                    "materials.silicone.poisson=0.25", NULL)) {
        climb(&other, &softer);
        rig_close(&other);
        judge_rigid(t, "materials.silicone.poisson=0.25", &softer, &softer_rigid);
    }
    judge_reduced(t, "8 shapes a section", 4,
                  (const char *const[]){mesh(t), table_quick(t) ? QUICK_LINE : COARSE,
                                        "reduction.beam.shapes=8", "reduction.file=none.h5"},
                  &r, &whole, table_quick(t) ? 7 : 0.7, &beam);
    rig_close(&r);
    if (table_quick(t))
        return;
    draw(t, 3, (const char *const[]){"whole", "8 shapes a section", "rigid sections"},
         (const ramps *const[]){&whole, &beam, &rigid});
    for (int n = 1; n <= RAMPS; n++)
        table_note(t, "![the tip over the pressure](pictures/module-%d.svg)", n);
}
