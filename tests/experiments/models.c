// The arm's tip by the lengths of its strings, by three models; and the strings by the tip.
#include "control/arc.h"
#include "experiments.h"
#include "plant.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { POSES = 50, SECTIONS = 2, JOINTS = 8, MODELS = 5 }; // 17 vertebrae: 8 joints in each section

static const double noise = 0.1e-3; // of the strings, m

// What geometric models know of the arm: how far its strings are from the middle of each section,
// as it was drawn and as it was calibrated, and between which lengths its joints were seen.
static const double drawn[SECTIONS] = {46.5e-3, 36.5e-3};

typedef struct spine {
    double span[SECTIONS][2 * JOINTS];
} spine;

// In a section's axes z is along it, and x towards its first string: x, y and z of the world are z,
// x and y there.
static void to_world(const arc_pose *pose, double tip[3])
{
    tip[0] = pose->p[2];
    tip[1] = pose->p[0];
    tip[2] = pose->p[1];
}

static arc_status tip_by_arcs(const void *arm, const double *length, const double *d, double tip[3])
{
    (void)arm;
    arc_pose near = arc_section(length, d[0]), far = arc_section(length + 3, d[1]);
    arc_pose both = arc_then(&near, &far);
    to_world(&both, tip);
    return ARC_OK;
}

static arc_status tip_by_vertebrae(const void *arm, const double *length, const double *d,
                                   double tip[3])
{
    const spine *s = arm;
    arc_pose near, far;
    if (arc_vertebrae(JOINTS, length, d[0], s->span[0], &near) != ARC_OK ||
        arc_vertebrae(JOINTS, length + 3, d[1], s->span[1], &far) != ARC_OK)
        return ARC_NO_ANSWER;
    arc_pose both = arc_then(&near, &far);
    to_world(&both, tip);
    return ARC_OK;
}

// By the finite elements: the pose whose strings are so long.
static bool tip_by_elements(rig *model, const double *length, double tip[3])
{
    for (int i = 0; i < PLANT_CHAMBERS; i++)
        if (!rig_aim_sensor(model, lithe_sensor_name(model->model, i), &length[i]))
            return false;
    if (!rig_step(model))
        return false;
    rig_measure(model, "tip", tip);
    return true;
}

// An effector of points in the bellows' outer walls where vertebrae end (examples/arm/robot.geo).
static const char *walls(void)
{
    static char words[4096];
    const double out[] = {24.8, 19.8}, crest[] = {23.7, 18.7}, root[] = {14.7, 10.7};
    const double fold = 91.0 / 6, wall = 3.5;
    size_t size = sizeof words;
    int n = snprintf(words, size, "effectors.walls={points: {body: robot, at: [");
    for (int s = 0; s < SECTIONS; s++)
        for (int k = 0; k <= JOINTS; k++)
            for (int c = 0; c < 3; c++) {
                double x = 103.0 * k / JOINTS, u = fmin(fmax(x - 6, 0), 91) / fold;
                double inwards = fabs(u - 2 * round(u / 2)), angle = 2.0943951023931953 * c;
                double r = out[s] + crest[s] + (root[s] - crest[s]) * inwards -
                           0.5 * wall / sin(atan2(fold, crest[s] - root[s]));
                n += snprintf(words + n, size - (size_t)n, "[%.3f, %.3f, %.3f], ", 103.0 * s + x,
                              r * cos(angle), r * sin(angle));
            }
    snprintf(words + n, size - (size_t)n, "]}}");
    return words;
}

// How long every joint is when all chambers have the same pressure: side 0 at the least, 1 at most.
static bool see_joints(rig *plant, double least, double most, spine *s)
{
    static double at[SECTIONS][JOINTS + 1][3][3];
    for (int side = 0; side < 2; side++) {
        double pressure[PLANT_CHAMBERS];
        for (int i = 0; i < PLANT_CHAMBERS; i++)
            pressure[i] = side ? most : least;
        if (!plant_pose(plant, pressure))
            return false;
        rig_measure(plant, "walls", &at[0][0][0][0]);
        for (int part = 0; part < SECTIONS; part++)
            for (int k = 0; k < JOINTS; k++) {
                double middle[2][3] = {{0}};
                for (int c = 0; c < 9; c++)
                    for (int end = 0; end < 2; end++)
                        middle[end][c % 3] += at[part][k + end][c / 3][c % 3] / 3;
                s->span[part][2 * k + side] = distance3(middle[0], middle[1]);
            }
    }
    return true;
}

typedef struct study {
    rig *plant, *model;
    double most; // pressure, Pa
    spine spine;
    double arcs[SECTIONS], vertebrae[SECTIONS]; // calibrated distances, m
    int n;
    double square[MODELS]; // of errors, m^2
    double moved;          // farthest from rest, m
} study;

static bool take_pose(study *s, int k, double *length, double tip[3])
{
    double pressure[PLANT_CHAMBERS];
    plant_pressures(k, 5e3, s->most, pressure);
    if (!plant_pose(s->plant, pressure))
        return false;
    rig_measure(s->plant, "tip", tip);
    plant_strings(s->plant, noise, length);
    return true;
}

// From poses of their own.
static bool calibrate(study *s, int n)
{
    static double length[POSES][PLANT_CHAMBERS], tip[POSES][3];
    if (!see_joints(s->plant, 5e3, s->most, &s->spine))
        return false;
    for (int k = 0; k < n; k++)
        if (!take_pose(s, POSES + k, length[k], tip[k]))
            return false;
    for (int i = 0; i < SECTIONS; i++)
        s->arcs[i] = s->vertebrae[i] = drawn[i];
    return arc_calibrate(tip_by_arcs, NULL, SECTIONS, n, length[0], tip[0], s->arcs) == ARC_OK &&
           arc_calibrate(tip_by_vertebrae, &s->spine, SECTIONS, n, length[0], tip[0],
                         s->vertebrae) == ARC_OK;
}

static bool compare(study *s, int k)
{
    static const double rest[3] = {206e-3, 0, 0};
    double length[PLANT_CHAMBERS], there[3], tip[MODELS][3];
    if (!take_pose(s, k, length, there) || !tip_by_elements(s->model, length, tip[0]) ||
        tip_by_arcs(NULL, length, s->arcs, tip[1]) != ARC_OK ||
        tip_by_vertebrae(&s->spine, length, drawn, tip[2]) != ARC_OK ||
        tip_by_arcs(NULL, length, drawn, tip[3]) != ARC_OK ||
        tip_by_vertebrae(&s->spine, length, s->vertebrae, tip[4]) != ARC_OK)
        return false;
    for (int i = 0; i < MODELS; i++)
        s->square[i] += pow(distance3(tip[i], there), 2);
    s->moved = fmax(s->moved, distance3(there, rest));
    s->n++;
    return true;
}

// over: how many times b's error a's may be, beside the paper's
static void show_ratio(table *t, const study *s, const char *what, int a, int b, double paper,
                       double gate)
{
    double ratio = sqrt(s->square[a] / s->square[b]);
    table_add(t, (finding){.quantity = text("up to %.0f kPa, %s", 1e-3 * s->most, what),
                           .paper = text("%.3f", paper),
                           .ours = text("1 to %.2f", 1 / ratio),
                           .error = ratio,
                           .gate = table_quick(t) ? NAN : gate}); // two poses are no statistics
}

static void show_comparison(table *t, const study *s)
{
    static const char *const name[MODELS] = {"finite elements", "constant curvature, calibrated",
                                             "17 vertebrae", "constant curvature as drawn",
                                             "17 vertebrae, calibrated"};
    static const double paper[MODELS] = {4.66, 12.87, 17.09};
    const double *d[MODELS] = {drawn, s->arcs, drawn, drawn, s->vertebrae};
    for (int i = 0; i < MODELS; i++)
        table_add(
            t, (finding){.quantity = text("up to %.0f kPa, %s: tip, RMS", 1e-3 * s->most, name[i]),
                         .paper = paper[i] > 0 ? text("%.2f mm", paper[i]) : "",
                         .ours = text("%d poses, up to %.0f mm from rest%s", s->n, 1e3 * s->moved,
                                      i == 0 ? ""
                                             : text("; strings at %.1f and %.1f mm", 1e3 * d[i][0],
                                                    1e3 * d[i][1])),
                         .error = 1e3 * sqrt(s->square[i] / s->n),
                         .gate = NAN,
                         .unit = "mm"});
    show_ratio(t, s, "finite elements over constant curvature", 0, 1, paper[0] / paper[1],
               paper[0] / paper[1]);
    show_ratio(t, s, "finite elements over 17 vertebrae", 0, 2, paper[0] / paper[2],
               paper[0] / paper[2]);
    show_ratio(t, s, "constant curvature over 17 vertebrae", 1, 2, paper[1] / paper[2], 1);
}

static bool study_models(table *t, rig *plant, rig *model, double most, int n)
{
    study s = {.plant = plant, .model = model, .most = most};
    if (!calibrate(&s, n)) {
        table_broken(t, "the geometric models could not be calibrated");
        return false;
    }
    for (int k = 0; k < n; k++)
        if (!compare(&s, k))
            return false;
    show_comparison(t, &s);
    return true;
}

typedef struct lengths {
    int n;
    double sum[PLANT_CHAMBERS], square[PLANT_CHAMBERS]; // of differences, m
} lengths;

// The robot reaches a tip's position in its own way; its strings beside those of the model there.
static bool find_lengths(rig *plant, rig *model, int k, lengths *l)
{
    double pressure[PLANT_CHAMBERS], tip[3], there[PLANT_CHAMBERS], ours[PLANT_CHAMBERS];
    plant_pressures(k, 5e3, 60e3, pressure);
    if (!plant_pose(plant, pressure))
        return false;
    rig_measure(plant, "tip", tip);
    if (!rig_aim_effector(plant, "tip", tip) || !rig_step(plant) ||
        !rig_aim_effector(model, "tip", tip) || !rig_step(model))
        return false;
    plant_strings(plant, noise, there);
    plant_strings(model, 0, ours);
    for (int i = 0; i < PLANT_CHAMBERS; i++) {
        double off = fabs(ours[i] - there[i]);
        l->sum[i] += off;
        l->square[i] += off * off;
    }
    l->n++;
    return true;
}

static void show_lengths(table *t, const lengths *l)
{
    static const double paper[2][PLANT_CHAMBERS] = {{3.2, 2.43, 3.86, 4.08, 3.6, 3.69},
                                                    {1.55, 1.76, 2.05, 2.12, 2.56, 2.06}};
    for (int i = 0; i < PLANT_CHAMBERS; i++) {
        double mean = l->sum[i] / l->n, square = l->square[i] / l->n - mean * mean;
        table_add(
            t, (finding){.quantity = text("string %d by the tip: mean difference", i + 1),
                         .paper = text("%.2f mm, deviation %.2f mm", paper[0][i], paper[1][i]),
                         .ours =
                             text("%d poses, deviation %.2f mm", l->n, 1e3 * sqrt(fmax(square, 0))),
                         .error = 1e3 * mean,
                         .gate = paper[0][i],
                         .unit = "mm"});
    }
}

void experiment_models(table *t)
{
    rig plant, model;
    lengths l = {0};
    int n = table_quick(t) ? 2 : POSES;
    bool good = true;
    table_experiment(t, 'A', "arm, three models");
    table_note(
        t,
        "bieze2018, figures 8 and 9 and table 1, where a machine was measured. Here a second "
        "model stands for it (%s; strings with 0.1 mm of noise), at 50 poses that fill pressures "
        "from 5 to 95 kPa evenly, nearly all that its limits allow, and 50 up to 60. The model of "
        "examples/arm gets the six lengths and nothing else, and is not calibrated. Constant "
        "curvature: equations 16 to 18 with two slips mended (l3 - l2 in phi, and its quadrant; d "
        "is the strings' distance from the middle). The paper takes it from a work on kinematic "
        "calibration, so its two distances are fitted to 50 other poses. 17 vertebrae: eight "
        "joints "
        "a section, whose shares of a string are, as the paper says, by how short and how long "
        "each was seen, here at 5 kPa everywhere and at the most; its distances are as drawn. "
        "Gravity and stiffness are unknown to both. So the ranking is the paper's. But which of "
        "the two geometric models is in front is a matter of what was calibrated, as the rows "
        "without a paper's figure show: at full pressure crests bulge and carry the strings' "
        "guides out, so that arcs as drawn bend too much; a joint that slides first and then bends "
        "makes up for some of that by chance; with distances fitted to both, they are alike. "
        "Strings "
        "by the tip, up to 60 kPa: robot and model each find the least efforts for the same "
        "position of the tip.",
        plant_what);
    plant_seed(1);
    if (!plant_open(&plant, t, walls(), NULL))
        return;
    if (plant_open_model(&model, t, NULL, NULL)) {
        good = study_models(t, &plant, &model, 95e3, n) && study_models(t, &plant, &model, 60e3, n);
        lithe_forget_targets(model.model, model.state);
        for (int k = 0; k < n && good; k++)
            good = find_lengths(&plant, &model, k, &l);
        if (good)
            show_lengths(t, &l);
        rig_close(&model);
    }
    rig_close(&plant);
}
