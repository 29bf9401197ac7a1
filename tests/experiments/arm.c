// The arm: what a load does to it, and where it is by the lengths of its strings.
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHAMBERS = 6, POSES = 5 };

static const char *const arm_scene = "examples/arm/robot.yaml";

// kPa
static const double poses[POSES][CHAMBERS] = {
    {80, 0, 0, 0, 60, 60},  {0, 90, 30, 20, 80, 0}, {50, 50, 50, 70, 70, 70},
    {0, 30, 95, 0, 30, 95}, {60, 70, 0, 0, 10, 95},
};

static void read_strings(const rig *r, double *length)
{
    for (int i = 0; i < CHAMBERS; i++)
        lithe_sensor_value(r->model, r->state, i, &length[i]);
}

static bool pose_arm(rig *r, int pose)
{
    double pressure[CHAMBERS];
    for (int i = 0; i < CHAMBERS; i++)
        pressure[i] = 1e3 * poses[pose][i];
    lithe_state_reset(r->model, r->state);
    return rig_forward(r, LITHE_EFFORT, pressure);
}

// From rest to the pose whose strings are so long.
static bool pose_from_strings(rig *r, const double *length)
{
    lithe_state_reset(r->model, r->state);
    lithe_forget_targets(r->model, r->state);
    for (int i = 0; i < CHAMBERS; i++)
        if (!rig_aim_sensor(r, lithe_sensor_name(r->model, i), &length[i]))
            return false;
    return rig_step(r);
}

typedef struct recovered {
    double tip, moved; // m
    double pressure;   // Pa
} recovered;

// What the strings of a machine with `machine`'s load tell a model without it. Strings are read in
// whole grains.
static bool recover_pose(rig *machine, rig *model, int pose, double grain, recovered *worst)
{
    double length[CHAMBERS], tip[3], there[3], pressure[CHAMBERS], rest[3] = {206e-3, 0, 0};
    if (!pose_arm(machine, pose))
        return false;
    read_strings(machine, length);
    rig_measure(machine, "tip", there);
    for (int i = 0; i < CHAMBERS && grain > 0; i++)
        length[i] = grain * round(length[i] / grain);
    if (!pose_from_strings(model, length))
        return false;
    rig_measure(model, "tip", tip);
    rig_efforts(model, pressure);
    worst->tip = fmax(worst->tip, distance3(tip, there));
    worst->moved = fmax(worst->moved, distance3(there, rest));
    for (int i = 0; i < CHAMBERS; i++)
        worst->pressure = fmax(worst->pressure, fabs(pressure[i] - 1e3 * poses[pose][i]));
    return true;
}

static void strings(table *t, const char *what, const char *paper, const char *load, double grain,
                    double gate)
{
    rig machine, model;
    recovered worst = {0};
    bool done = true;
    if (!rig_open(&machine, t, arm_scene, load, (const char *)NULL))
        return;
    if (rig_open(&model, t, arm_scene, (const char *)NULL)) {
        for (int k = 0; done && k < (table_quick(t) ? 2 : POSES); k++)
            done = recover_pose(&machine, &model, k, grain, &worst);
        if (done)
            table_add(t, (finding){.quantity = text("tip by six strings, %s", what),
                                   .paper = paper,
                                   .ours = text("moved %.0f mm, pressures to %.2g kPa",
                                                1e3 * worst.moved, 1e-3 * worst.pressure),
                                   .error = 1e3 * worst.tip,
                                   .gate = gate,
                                   .unit = "mm"});
        rig_close(&model);
    }
    rig_close(&machine);
}

typedef struct hanging {
    const char *robot, *scene, *paper;
    double at[3], target[3], load; // m, m, N
} hanging;

typedef struct hung {
    double inverse[3], forward[3], unloaded[3]; // the tip, m
} hung;

// With the load on the effector the inverse reaches its target. A forward model where a point force
// stands for the load, told the same pulls or pressures, must be there too; without the load it is
// somewhere else.
static bool hang_three(rig r[3], const hanging *h, hung *tip)
{
    if (!rig_aim_effector(&r[0], "tip", h->target) || !rig_step(&r[0]) ||
        !rig_imitate(&r[1], &r[0]) || !rig_imitate(&r[2], &r[0]))
        return false;
    rig_measure(&r[0], "tip", tip->inverse);
    rig_measure(&r[1], "tip", tip->forward);
    rig_measure(&r[2], "tip", tip->unloaded);
    return true;
}

static void hang(table *t, const hanging *h)
{
    rig r[3];
    hung tip;
    int open = 0;
    const char *set[3] = {
        text("effectors.tip.load=[0 N, 0 N, %g N]", -h->load),
        text("loads.weight.force={body: robot, at: [%g mm, %g mm, %g mm], value: [0 N, 0 N, %g N]}",
             1e3 * h->at[0], 1e3 * h->at[1], 1e3 * h->at[2], -h->load),
        NULL,
    };
    while (open < 3 && rig_open(&r[open], t, h->scene, set[open], (const char *)NULL))
        open++;
    if (open == 3 && hang_three(r, h, &tip))
        table_add(t, (finding){.quantity = text("%s, %g N on its tip: inverse, then forward",
                                                h->robot, h->load),
                               .paper = h->paper,
                               .ours = text("deflects by %.3f mm",
                                            1e3 * distance3(tip.forward, tip.unloaded)),
                               .error = 1e3 * fmax(distance3(tip.forward, h->target),
                                                   distance3(tip.forward, tip.inverse)),
                               .gate = 0.01,
                               .unit = "mm"});
    while (open > 0)
        rig_close(&r[--open]);
}

void experiment_arm(table *t)
{
    static const hanging hangings[] = {
        {"arm",
         "examples/arm/robot.yaml",
         "4.1 mm max, 2.1 mm mean",
         {206e-3, 0, 0},
         {212e-3, 8e-3, -4e-3},
         1},
        {"arm", "examples/arm/robot.yaml", "", {206e-3, 0, 0}, {212e-3, 8e-3, -4e-3}, 2},
        {"parallel",
         "examples/parallel/robot.yaml",
         "2.06 mm max, 2.01 mm mean",
         {0, 0, 125e-3},
         {5e-3, 3e-3, 128e-3},
         1},
        {"parallel", "examples/parallel/robot.yaml", "", {0, 0, 125e-3}, {5e-3, 3e-3, 128e-3}, 2},
    };
    table_experiment(t, 'f', "arm and loads");
    table_note(t,
               "bieze2018, sections IV.C (pose from string lengths) and IV.E (deflection), where "
               "machines were measured. A load hangs on the tip: the inverse, which knows it, "
               "finds pulls or pressures for a target; a forward model of its own with a point "
               "force in its place must end there. Strings: a forward run poses the arm, and "
               "the inverse, from rest, gets nothing but the six lengths; pressures come out "
               "too. What strings read to 0.1 mm, or a load of 1 N that the model does not know, "
               "make of it is shown.");
    for (int i = 0; i < (int)(sizeof hangings / sizeof *hangings); i += table_quick(t) ? 2 : 1)
        hang(t, &hangings[i]);
    strings(t, "five poses", "4.66 mm RMS", NULL, 0, 0.01);
    if (table_quick(t))
        return;
    strings(t, "read to 0.1 mm", NULL, NULL, 1e-4, NAN);
    strings(t, "1 N on the tip unknown to the model", NULL, "effectors.tip.load=[0 N, 0 N, -1 N]",
            0, NAN);
}
