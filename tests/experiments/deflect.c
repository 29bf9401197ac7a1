// Loads that hang on the tip: how far it goes down, by the robot's place-holder and by the model.
#include "curves.h"
#include "experiments.h"
#include "plant.h"

#include <math.h>
#include <string.h>

enum { LOADS = 8, REPEATS = 40 };

static const double scatter = 0.4838e-3; // of a measured deflection, m: the paper's

typedef struct deflection {
    double load[LOADS + 1], measured[LOADS + 1], model[LOADS + 1]; // N, m
} deflection;

// How far the tip goes from where it was without the load.
static bool load_up(rig *r, const double value[3], const double before[3], double *way)
{
    double tip[3];
    int hand = lithe_find_actuator(r->model, "push");
    if (lithe_command(r->model, r->state, hand, LITHE_EFFORT, value) != LITHE_OK || !rig_step(r))
        return false;
    rig_measure(r, "tip", tip);
    *way = distance3(tip, before);
    return true;
}

// Robot and model stand where they shall; loads are hung on one after the other, each of them
// forty times.
static bool hang_all(rig *plant, rig *model, double most, deflection *d)
{
    double start[2][3];
    rig_measure(plant, "tip", start[0]);
    rig_measure(model, "tip", start[1]);
    for (int k = 0; k <= LOADS; k++) {
        double value[3] = {0, 0, -most * k / LOADS}, way, sum = 0;
        d->load[k] = -value[2];
        if (!load_up(plant, value, start[0], &way) ||
            !load_up(model, value, start[1], &d->model[k]))
            return false;
        for (int n = 0; n < REPEATS; n++)
            sum += way + (k ? scatter * plant_normal() : 0);
        d->measured[k] = sum / REPEATS;
    }
    return true;
}

static void show(table *t, const char *robot, const char *paper, const char *picture,
                 const deflection *d)
{
    static curves c;
    double worst = 0, sum = 0;
    memset(&c, 0, sizeof c);
    c.title = robot;
    c.across = "load on the tip (N)";
    c.up = "deflection (mm)";
    curve *measured = curves_add(&c, "robot", "#2b5fc2"),
          *model = curves_add(&c, "model", "#d03030");
    for (int k = 0; k <= LOADS; k++) {
        double off = fabs(d->measured[k] - d->model[k]);
        worst = fmax(worst, off);
        sum += k ? off / LOADS : 0;
        curve_point(measured, d->load[k], 1e3 * d->measured[k]);
        curve_point(model, d->load[k], 1e3 * d->model[k]);
    }
    table_add(
        t, (finding){
               .quantity = text("%s, loads up to %g N: largest difference", robot, d->load[LOADS]),
               .paper = paper,
               .ours = text("mean %.2f mm of up to %.1f mm", 1e3 * sum, 1e3 * d->measured[LOADS]),
               .error = 1e3 * worst,
               .gate = NAN,
               .unit = "mm"});
    if (!table_quick(t) && !curves_write(&c, picture))
        table_broken(t, "%s could not be written", picture);
}

// The model is brought to the robot's strings; pressures stay while loads come.
static bool hang_arm(rig *plant, rig *model, deflection *d)
{
    static const double pressure[PLANT_CHAMBERS] = {40e3, 55e3, 30e3, 45e3, 35e3, 50e3};
    double length[PLANT_CHAMBERS], found[PLANT_CHAMBERS + 3] = {0};
    if (!plant_pose(plant, pressure))
        return false;
    plant_strings(plant, 0.1e-3, length);
    for (int i = 0; i < PLANT_CHAMBERS; i++)
        if (!rig_aim_sensor(model, lithe_sensor_name(model->model, i), &length[i]))
            return false;
    if (!rig_step(model))
        return false;
    for (int i = 0; i < PLANT_CHAMBERS; i++)
        lithe_effort(model->model, model->state, i, &found[i]);
    return plant_pose(model, found) && hang_all(plant, model, 2, d);
}

static bool open_parallel(rig *r, table *t, const char *one, const char *two)
{
    return rig_open(r, t, "examples/parallel/robot.yaml",
                    "actuators.push={force: {body: robot, at: [0, 0, 125]}, given: true}", one, two,
                    (const char *)NULL);
}

static bool hang_parallel(rig *plant, rig *model, deflection *d)
{
    for (int i = 0; i < 4; i++) {
        double pull = 8e-3;
        lithe_command(plant->model, plant->state, i, LITHE_DISPLACEMENT, &pull);
        lithe_command(model->model, model->state, i, LITHE_DISPLACEMENT, &pull);
    }
    return rig_step(plant) && rig_step(model) && hang_all(plant, model, 2, d);
}

void experiment_deflect(table *t)
{
    rig plant, model;
    deflection d;
    table_experiment(t, 'F', "deflection by loads");
    table_note(
        t,
        "bieze2018, figures 14 and 15: loads hung on the tip, the arm brought to the robot's "
        "strings before, the "
        "parallel robot to its pulls (8 mm each). A second model stands for the robot (arm: %s; "
        "parallel: neo-Hookean, quadratic tetrahedra, 10 %% softer). Each load is measured 40 "
        "times with "
        "the paper's deviation of 0.4838 mm, and the mean is taken.",
        plant_what);
    table_note(t, "![deflection of the arm](pictures/deflection-arm.svg)");
    table_note(t, "![deflection of the parallel robot](pictures/deflection-parallel.svg)");
    plant_seed(4);
    if (plant_open(&plant, t, NULL, NULL)) {
        if (plant_open_model(&model, t, NULL, NULL)) {
            if (hang_arm(&plant, &model, &d))
                show(t, "arm", "4.107 mm, mean 2.105 mm", "deflection-arm.svg", &d);
            rig_close(&model);
        }
        rig_close(&plant);
    }
    if (table_quick(t) || !open_parallel(&model, t, NULL, NULL))
        return;
    if (open_parallel(&plant, t, "bodies.robot.element=tet10",
                      "materials.silicone={law: neo-hookean, young: 162 kPa, poisson: 0.45, "
                      "density: 1.27 g/cm^3}")) {
        if (hang_parallel(&plant, &model, &d))
            show(t, "parallel", "2.06 mm, mean 2.01 mm", "deflection-parallel.svg", &d);
        rig_close(&plant);
    }
    rig_close(&model);
}
