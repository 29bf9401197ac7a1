// The arm's shape from what it measures, with a force that nobody told, and how sure it is.
#include "experiments.h"
#include "plant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POSES = 20, FORCES = 12, TRIALS = 1000, GAUGES = 6, NUMBERS = PLANT_CHAMBERS + GAUGES };

static const double grain = 0.1e-3;         // in whole such strings are read, m
static const double chi_square_3 = 7.81473; // 95 % of three numbers

// Strings and gauges, with the noise that each is thought to have.
static const char *readings(double string, double gauge, bool gauges)
{
    static char words[512];
    const char *out = text("%g m", string), *pressure = text("%g Pa", gauge);
    int n = 0;
    static const char *const names[] = {"string-near-1", "string-near-2", "string-near-3",
                                        "string-far-1",  "string-far-2",  "string-far-3",
                                        "gauge-1",       "gauge-2",       "gauge-3",
                                        "gauge-4",       "gauge-5",       "gauge-6"};
    n = snprintf(words, sizeof words, "estimate.readings={");
    for (int i = 0; i < (gauges ? NUMBERS : PLANT_CHAMBERS); i++)
        n += snprintf(words + n, sizeof words - (size_t)n, "%s%s: %s", i ? ", " : "", names[i],
                      i < PLANT_CHAMBERS ? out : pressure);
    snprintf(words + n, sizeof words - (size_t)n, "}");
    return words;
}

typedef struct bench {
    rig robot, model;
    lithe_estimator *e;
} bench;

// The same model twice: what is asked is what readings tell, not how good a model is.
static bool bench_open(bench *b, table *t, const char *read, const char *unknown, const char *mode)
{
    memset(b, 0, sizeof *b);
    if (!plant_open_model(&b->robot, t, NULL, NULL))
        return false;
    if (plant_open_model(&b->model, t, read, unknown ? unknown : mode)) {
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

// Strings in whole grains, gauges with noise.
static void blur(double *reading, double gauge)
{
    for (int i = 0; i < PLANT_CHAMBERS; i++)
        reading[i] = grain * round(reading[i] / grain);
    for (int i = PLANT_CHAMBERS; i < NUMBERS; i++)
        reading[i] += gauge * plant_normal();
}

static void strings(table *t, bool gauges)
{
    bench b;
    double worst = 0, square = 0, pressure[PLANT_CHAMBERS], reading[NUMBERS];
    int n = table_quick(t) ? 1 : POSES, k = 0;
    if (!bench_open(&b, t, readings(grain / sqrt(12), 200, gauges), NULL, NULL))
        return;
    for (; k < n; k++) {
        plant_pressures(k, 10e3, 90e3, pressure);
        if (!plant_pose(&b.robot, pressure))
            break;
        read_robot(&b, reading);
        blur(reading, 200);
        if (!estimate(&b, reading, NULL))
            break;
        double off = tip_off(&b, NULL);
        worst = fmax(worst, off);
        square += off * off;
    }
    if (k == n)
        table_add(t, (finding){.quantity = text("strings read to 0.1 mm%s",
                                                gauges ? ", pressures to 0.2 kPa: tip, worst"
                                                       : ": tip, RMS"),
                               .paper = "4.66 mm RMS",
                               .ours = text("%d poses, RMS %.3f mm, worst %.3f mm", n,
                                            1e3 * sqrt(square / n), 1e3 * worst),
                               .error = 1e3 * (gauges ? worst : sqrt(square / n)),
                               .gate = 0.2,
                               .unit = "mm"});
    bench_close(&b);
}

typedef struct pushes {
    double tip;    // farthest, m
    double size;   // largest error of the force's size, N
    double across; // largest error across the arm, N
    double along;  // and along it
} pushes;

// 1 N at poses all over: hanging down, or in all directions.
static bool push_about(bench *b, int n, bool hanging, pushes *worst)
{
    int hand = lithe_find_actuator(b->model.model, "push");
    for (int k = 0; k < n; k++) {
        double reading[NUMBERS], found[3], pressure[PLANT_CHAMBERS];
        double up = -1 + (2 * k + 1.0) / n, round = 2.399963 * k, level = sqrt(1 - up * up);
        double push[3] = {up, level * cos(round), level * sin(round)};
        if (hanging)
            memcpy(push, (double[]){0, 0, -1}, sizeof push);
        plant_pressures(k, 15e3, 85e3, pressure);
        lithe_command(b->robot.model, b->robot.state, hand, LITHE_EFFORT, push);
        if (!plant_pose(&b->robot, pressure))
            return false;
        read_robot(b, reading);
        blur(reading, 50);
        if (!estimate(b, reading, NULL))
            return false;
        lithe_effort(b->model.model, lithe_estimator_state(b->e), hand, found);
        double size = sqrt(found[0] * found[0] + found[1] * found[1] + found[2] * found[2]);
        worst->tip = fmax(worst->tip, tip_off(b, NULL));
        worst->size = fmax(worst->size, fabs(size - 1));
        worst->across = fmax(worst->across, hypot(found[1] - push[1], found[2] - push[2]));
        worst->along = fmax(worst->along, fabs(found[0] - push[0]));
    }
    return true;
}

static void find_forces(table *t, bool told, bool hanging)
{
    bench b;
    pushes worst = {0};
    int n = table_quick(t) ? 1 : FORCES;
    const char *how = hanging ? "hanging" : "anyhow";
    // untold, all readings are believed
    if (!bench_open(&b, t, readings(grain / sqrt(12), 50, true),
                    told ? "estimate.unknowns={push: .inf}" : "estimate.outlier=.inf", NULL))
        return;
    if (push_about(&b, n, hanging, &worst)) {
        table_add(t, (finding){.quantity = text("1 N on the tip, %s, %s: tip", how,
                                                told ? "an unknown" : "not thought of"),
                               .ours = text("%d poses", n),
                               .error = 1e3 * worst.tip,
                               .gate = told ? 0.5 : NAN,
                               .unit = "mm"});
        if (told)
            table_add(t, (finding){.quantity = text("1 N on the tip, %s, an unknown: %s", how,
                                                    hanging ? "its size" : "across the arm"),
                                   .ours = text("across %.3f N, along the arm %.3f N", worst.across,
                                                worst.along),
                                   .error = 100 * (hanging ? worst.size : worst.across),
                                   .gate = hanging ? 5 : NAN,
                                   .unit = "%"});
    }
    bench_close(&b);
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
    const double string = 0.1e-3, gauge = 100;
    double exact[NUMBERS], reading[NUMBERS], off[3], C[9], found[3];
    bench b;
    int tips = 0, forces = 0, n = table_quick(t) ? 1 : TRIALS, k = 0;
    if (!bench_open(&b, t, readings(string, gauge, true), "estimate.unknowns={push: .inf}", NULL))
        return;
    int hand = lithe_find_actuator(b.model.model, "push");
    int tip = lithe_find_effector(b.model.model, "tip");
    lithe_command(b.robot.model, b.robot.state, hand, LITHE_EFFORT, push);
    if (plant_pose(&b.robot, pressure)) {
        read_robot(&b, exact);
        for (; k < n; k++) {
            for (int i = 0; i < NUMBERS; i++)
                reading[i] = exact[i] + (i < PLANT_CHAMBERS ? string : gauge) * plant_normal();
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
        t, "bieze2018, figure 16. The robot is the model itself, so that what is asked is what "
           "readings tell; A has the error of a model that is wrong. Strings are read in whole 0.1 "
           "mm, pressures with normal noise of 0.2 kPa. With the force, pressures to 0.05 kPa: "
           "strings and a force on the tip are told apart by them alone, and six strings cannot "
           "tell nine numbers. The gate of each row is the worst pose or direction. Covariances: "
           "normal noise of 0.1 mm and 0.1 kPa, 1000 trials, three numbers together.");
    plant_seed(2);
    strings(t, false);
    strings(t, true);
    find_forces(t, false, true);
    find_forces(t, true, true);
    find_forces(t, true, false);
    cover(t);
}
