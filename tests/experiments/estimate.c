// The arm's shape from what it measures, with a force that nobody told, and how sure it is.
#include "experiments.h"
#include "plant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ARMS = 5,
    POSES = 40,
    FORCES = 12,
    TRIALS = 1000,
    EFFORT_SENSORS = 6,
    NUMBERS = PLANT_CHAMBERS + EFFORT_SENSORS
};

static const double grain = 0.1e-3;         // in whole such strings are read, m
static const double chi_square_3 = 7.81473; // 95 % of three numbers

// What an estimator is told of the readings' noise and of the valves.
typedef struct sense {
    double string;        // deviation of a string, m
    double effort_sensor; // of an effort sensor, Pa; 0: there are none
    double valve; // how far a chamber's pressure may be from what it is told, Pa; 0: not told
    bool memory;  // a valve stays as far off as it is
} sense;

static int list(char *words, size_t size, const char *const *names, int n, double value,
                const char *unit)
{
    int at = 0;
    for (int i = 0; i < n; i++)
        at += snprintf(words + at, size - (size_t)at, "%s: %g %s, ", names[i], value, unit);
    return at;
}

static const char *section(const sense *s)
{
    static char words[1024];
    static const char *const strings[] = {"string-near-1", "string-near-2", "string-near-3",
                                          "string-far-1",  "string-far-2",  "string-far-3"};
    static const char *const effort_sensors[] = {"gauge-1", "gauge-2", "gauge-3",
                                                 "gauge-4", "gauge-5", "gauge-6"};
    static const char *const chambers[] = {"near-1", "near-2", "near-3", "far-1", "far-2", "far-3"};
    size_t size = sizeof words;
    int n = snprintf(words, size, "estimate={readings: {");
    n += list(words + n, size - (size_t)n, strings, PLANT_CHAMBERS, s->string, "m");
    if (s->effort_sensor > 0)
        n += list(words + n, size - (size_t)n, effort_sensors, EFFORT_SENSORS, s->effort_sensor,
                  "Pa");
    n += snprintf(words + n, size - (size_t)n, "}");
    if (s->valve > 0) {
        n += snprintf(words + n, size - (size_t)n, ", unknowns: {");
        n += list(words + n, size - (size_t)n, chambers, PLANT_CHAMBERS, s->valve, "Pa");
        n += snprintf(words + n, size - (size_t)n, "}");
    }
    snprintf(words + n, size - (size_t)n, "%s}", s->memory ? ", memory: .inf" : "");
    return words;
}

typedef struct bench {
    rig robot, model;
    lithe_estimator *e;
} bench;

// The same model twice: what is asked is what readings tell, not how good a model is.
static bool bench_open(bench *b, table *t, const sense *s, const char *more)
{
    memset(b, 0, sizeof *b);
    if (!plant_open_model(&b->robot, t, NULL, NULL))
        return false;
    if (plant_open_model(&b->model, t, section(s), more)) {
        const lithe_estimate_def *def = &lithe_scene_def(b->model.scene)->estimate;
        if (lithe_estimator_create(b->model.model, def, 1, &b->e, &b->model.report) == LITHE_OK)
            return true;
        table_broken(t, "%s", b->model.report.error);
        rig_close(&b->model);
    }
    rig_close(&b->robot);
    return false;
}

static void bench_close(bench *b)
{
    lithe_estimator_free(b->e);
    rig_close(&b->model);
    rig_close(&b->robot);
}

static void read_robot(const bench *b, double *exact)
{
    for (int i = 0; i < NUMBERS; i++)
        lithe_sensor_value(b->robot.model, b->robot.state, i, &exact[i]);
}

static bool estimate(bench *b, const double *reading, lithe_fit *fit)
{
    if (lithe_estimate(b->e, reading, fit) == LITHE_OK)
        return true;
    table_broken(b->model.t, "%s", lithe_state_error(lithe_estimator_state(b->e)));
    return false;
}

static double tip_off(const bench *b, double off[3])
{
    double there[3], tip[3];
    int id = lithe_find_effector(b->model.model, "tip");
    lithe_effector_value(b->robot.model, b->robot.state, id, there);
    lithe_effector_value(b->model.model, lithe_estimator_state(b->e), id, tip);
    for (int i = 0; i < 3 && off; i++)
        off[i] = tip[i] - there[i];
    return distance3(tip, there);
}

// Strings in whole grains, effort sensors with noise.
static void blur(double *reading, double effort_sensor)
{
    for (int i = 0; i < PLANT_CHAMBERS; i++)
        reading[i] = grain * round(reading[i] / grain);
    for (int i = PLANT_CHAMBERS; i < NUMBERS; i++)
        reading[i] += effort_sensor * plant_normal();
}

typedef struct errors {
    int n;
    double off[ARMS * POSES]; // of the tip, m
    double square;            // that covariances foretell, summed up, m^2
} errors;

// One pose: chambers get what they are told, and what their valves are off by.
static bool find_tip(bench *b, const sense *s, int k, const double *valve, errors *found)
{
    double told[PLANT_CHAMBERS], real[PLANT_CHAMBERS], reading[NUMBERS], C[9];
    plant_pressures(k, 5e3, 95e3, told);
    for (int i = 0; i < PLANT_CHAMBERS; i++) {
        real[i] = told[i] + valve[i];
        if (s->valve > 0 && lithe_estimator_tell(b->e, i, LITHE_EFFORT, &told[i]) != LITHE_OK)
            return false;
    }
    if (!plant_pose(&b->robot, real))
        return false;
    read_robot(b, reading);
    blur(reading, s->effort_sensor);
    if (!estimate(b, reading, NULL))
        return false;
    found->off[found->n++] = tip_off(b, NULL);
    lithe_covariance_effector(b->e, lithe_find_effector(b->model.model, "tip"), C);
    found->square += C[0] + C[4] + C[8];
    return true;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show_errors(table *t, const char *what, errors *e, double gate)
{
    double square = 0;
    for (int i = 0; i < e->n; i++)
        square += e->off[i] * e->off[i];
    qsort(e->off, (size_t)e->n, sizeof *e->off, ascending);
    double worst = e->off[e->n - 1], within = e->off[(int)ceil(0.95 * e->n) - 1];
    table_add(t, (finding){.quantity = text("strings read to 0.1 mm%s: tip, worst", what),
                           .paper = "4.66 mm RMS",
                           .ours = text("%d poses, 95 %% within %.3f mm, RMS %.3f mm; foretold "
                                        "%.3f",
                                        e->n, 1e3 * within, 1e3 * sqrt(square / e->n),
                                        1e3 * sqrt(e->square / e->n)),
                           .error = 1e3 * worst,
                           .gate = gate,
                           .unit = "mm"});
    if (isnan(gate) && !table_quick(t))
        table_add(t, (finding){.quantity = text("strings read to 0.1 mm%s: RMS over what no "
                                                "estimator can beat",
                                                what),
                               .ours = text("%.4f of %.4f mm", 1e3 * sqrt(square / e->n),
                                            1e3 * sqrt(e->square / e->n)),
                               .error = sqrt(square / e->square),
                               .gate = 1.1});
}

// Some arms, each with valves of its own, at poses all over.
static void strings(table *t, const char *what, const sense *s, double gate)
{
    static errors found;
    bool good = true;
    found = (errors){0};
    for (int arm = 0; arm < (table_quick(t) ? 1 : ARMS) && good; arm++) {
        bench b;
        double valve[PLANT_CHAMBERS] = {0};
        for (int i = 0; i < PLANT_CHAMBERS; i++)
            valve[i] = fmin(fmax(s->valve * plant_normal(), -5e3), 5e3); // a chamber has 5 to spare
        if (!bench_open(&b, t, s, NULL))
            return;
        for (int k = 0; k < (table_quick(t) ? 1 : POSES) && good; k++)
            good = find_tip(&b, s, arm * POSES + k, valve, &found);
        bench_close(&b);
    }
    if (good)
        show_errors(t, what, &found, gate);
}

typedef struct pushes {
    int n;
    double tip;          // farthest, m
    double size, square; // of errors of the force's size: the largest, N, and the sum of squares
    double across;       // largest error across the arm, N
    double along;        // and along it
} pushes;

static bool push_at(bench *b, int k, const double push[3], pushes *worst)
{
    double reading[NUMBERS], found[3], pressure[PLANT_CHAMBERS];
    int hand = lithe_find_actuator(b->model.model, "push");
    plant_pressures(k, 15e3, 85e3, pressure);
    lithe_command(b->robot.model, b->robot.state, hand, LITHE_EFFORT, push);
    if (!plant_pose(&b->robot, pressure))
        return false;
    read_robot(b, reading);
    blur(reading, 50);
    if (!estimate(b, reading, NULL))
        return false;
    lithe_effort(b->model.model, lithe_estimator_state(b->e), hand, found);
    double size = sqrt(found[0] * found[0] + found[1] * found[1] + found[2] * found[2]) - 1;
    worst->n++;
    worst->tip = fmax(worst->tip, tip_off(b, NULL));
    worst->size = fmax(worst->size, fabs(size));
    worst->square += size * size;
    worst->across = fmax(worst->across, hypot(found[1] - push[1], found[2] - push[2]));
    worst->along = fmax(worst->along, fabs(found[0] - push[0]));
    return true;
}

static const double down[3] = {0, 0, -1};

// 1 N at poses all over: hanging down, or in all directions.
static bool push_about(bench *b, int n, bool hanging, pushes *worst)
{
    for (int k = 0; k < n; k++) {
        double up = -1 + (2 * k + 1.0) / n, round = 2.399963 * k, level = sqrt(1 - up * up);
        double push[3] = {up, level * cos(round), level * sin(round)};
        if (!push_at(b, k, hanging ? down : push, worst))
            return false;
    }
    return true;
}

static void show_force(table *t, const char *how, const pushes *p, bool largest, double gate)
{
    table_add(t, (finding){.quantity =
                               text("1 N on the tip, %s: its size%s", how, largest ? "" : ", RMS"),
                           .ours = text("%d poses: worst %.1f %%; across %.3f N, along the arm "
                                        "%.3f N",
                                        p->n, 100 * p->size, p->across, p->along),
                           .error = 100 * (largest ? p->size : sqrt(p->square / p->n)),
                           .gate = gate,
                           .unit = "%"});
}

static void show_tip(table *t, const char *how, const pushes *p, double gate)
{
    table_add(t, (finding){.quantity = text("1 N on the tip, %s: tip", how),
                           .ours = text("%d poses", p->n),
                           .error = 1e3 * p->tip,
                           .gate = gate,
                           .unit = "mm"});
}

static void find_forces(table *t, bool told, bool hanging)
{
    bench b;
    pushes found = {0};
    const char *how = !told ? "not thought of" : hanging ? "hanging, unknown" : "anyhow, unknown";
    // untold, all readings are believed
    if (!bench_open(&b, t, &(sense){.string = grain / sqrt(12), .effort_sensor = 50},
                    told ? "estimate.unknowns={push: .inf}" : "estimate.outlier=.inf"))
        return;
    if (push_about(&b, table_quick(t) ? 1 : FORCES, hanging, &found)) {
        show_tip(t, how, &found, told ? 0.5 : NAN);
        if (told)
            show_force(t, how, &found, false, hanging ? 5 : NAN);
    }
    bench_close(&b);
}

// A weight hangs on while the arm goes through ten poses; what is thought of it then.
static void remember_weight(table *t)
{
    pushes all = {0}, last = {0};
    for (int arm = 0; arm < ARMS; arm++) {
        bench b;
        bool good = bench_open(
            &b, t, &(sense){.string = grain / sqrt(12), .effort_sensor = 50, .memory = true},
            "estimate.unknowns={push: 2 N}");
        if (!good)
            return;
        for (int k = 0; k < 10 && good; k++)
            good = push_at(&b, 10 * arm + k, down, k == 9 ? &last : &all);
        bench_close(&b);
        if (!good)
            return;
    }
    show_tip(t, "hanging, remembered over 10 poses", &last, 0.5);
    show_force(t, "hanging, remembered over 10 poses", &last, true, 5);
}

// off' C^-1 off, by elimination.
static double distance_in(const double C[9], const double off[3])
{
    double A[3][4], sum = 0;
    for (int i = 0; i < 3; i++) {
        memcpy(A[i], &C[3 * i], 3 * sizeof(double));
        A[i][3] = off[i];
    }
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < 3; i++) {
            double share = i == p ? 0 : A[i][p] / A[p][p];
            for (int j = 0; j < 4; j++)
                A[i][j] -= share * A[p][j];
        }
    for (int i = 0; i < 3; i++)
        sum += off[i] * A[i][3] / A[i][i];
    return sum;
}

static void cover(table *t)
{
    static const double pressure[PLANT_CHAMBERS] = {40e3, 55e3, 30e3, 45e3, 35e3, 50e3};
    static const double push[3] = {0.3, -0.4, -0.8};
    const double string = 0.1e-3, effort_sensor = 100;
    double exact[NUMBERS], reading[NUMBERS], off[3], C[9], found[3];
    bench b;
    int tips = 0, forces = 0, n = table_quick(t) ? 1 : TRIALS, k = 0;
    if (!bench_open(&b, t, &(sense){.string = string, .effort_sensor = effort_sensor},
                    "estimate.unknowns={push: .inf}"))
        return;
    int hand = lithe_find_actuator(b.model.model, "push");
    int tip = lithe_find_effector(b.model.model, "tip");
    lithe_command(b.robot.model, b.robot.state, hand, LITHE_EFFORT, push);
    if (plant_pose(&b.robot, pressure)) {
        read_robot(&b, exact);
        for (; k < n; k++) {
            for (int i = 0; i < NUMBERS; i++)
                reading[i] =
                    exact[i] + (i < PLANT_CHAMBERS ? string : effort_sensor) * plant_normal();
            if (!estimate(&b, reading, NULL))
                break;
            tip_off(&b, off);
            lithe_covariance_effector(b.e, tip, C);
            tips += distance_in(C, off) <= chi_square_3;
            lithe_effort(b.model.model, lithe_estimator_state(b.e), hand, found);
            for (int i = 0; i < 3; i++)
                off[i] = found[i] - push[i];
            lithe_covariance_actuator(b.e, hand, C);
            forces += distance_in(C, off) <= chi_square_3;
        }
    }
    if (k == n && n > 1) {
        double share[2] = {100.0 * tips / n, 100.0 * forces / n};
        for (int i = 0; i < 2; i++)
            table_add(t, (finding){.quantity = text("95 %% ellipsoid of the %s covers the truth",
                                                    i ? "force" : "tip"),
                                   .expected = "95 %",
                                   .ours = text("%.1f %% of %d noisy trials", share[i], n),
                                   .error = fabs(share[i] - 95),
                                   .gate = 2,
                                   .unit = "%"});
    }
    bench_close(&b);
}

void experiment_estimate(table *t)
{
    table_experiment(t, 'B', "arm, estimate");
    table_note(
        t,
        "bieze2018, figure 16. The robot is the model itself, so that what is asked is what "
        "readings tell; A has the error of a model that is wrong. Strings are read in whole 0.1 "
        "mm. Tips: 5 arms with 40 poses each, which fill pressures from 5 to 95 kPa evenly; worst "
        "is the worst of all 200, the first ones too. Six strings tell six pressures and nothing "
        "is left over, so rounding goes into the tip four times as large, by the arm's length over "
        "the strings' distance; the covariance foretells just what is found, and no other "
        "estimator of the same six numbers does better without bias. What helps is to know more. "
        "Valves to 1 kPa: what chambers are told is known, and each arm's six valves are off by "
        "constants of 1 kPa deviation. A reading by itself gains little by that. Remembered, with "
        "`memory`, every pose tells more of the six constants. Pressures to 0.2 kPa: by gauges "
        "with normal noise. With the force, gauges to 0.05 kPa: strings and a force on the tip are "
        "told apart by them alone, and six strings cannot tell nine numbers. A force along the arm "
        "hardly moves anything and is the worst known. Remembered: a weight that goes through ten "
        "poses, at the last of them, five times. Covariances: normal noise of 0.1 mm and 0.1 kPa, "
        "1000 trials, three numbers together.");
    plant_seed(2);
    const double rounded = grain / sqrt(12);
    strings(t, "", &(sense){.string = rounded}, NAN);
    if (!table_quick(t))
        strings(t, ", valves to 1 kPa", &(sense){.string = rounded, .valve = 1e3}, NAN);
    strings(t, ", valves to 1 kPa, remembered",
            &(sense){.string = rounded, .valve = 1e3, .memory = true}, 0.2);
    strings(t, ", pressures to 0.2 kPa", &(sense){.string = rounded, .effort_sensor = 200}, 0.2);
    find_forces(t, false, true);
    find_forces(t, true, true);
    find_forces(t, true, false);
    if (!table_quick(t))
        remember_weight(t);
    cover(t);
}
