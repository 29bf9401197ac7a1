// How wrong a Jacobian is, over the workspace: linear against quadratic tetrahedra, and moduli that
// are 20 % apart.
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <string.h>

typedef struct comparison {
    const char *robot, *what, *set, *scene;
    int poses;
} comparison;

static const int primes[] = {2, 3, 5, 7, 11, 13};

static double halton(int k, int base)
{
    double share = 1, sum = 0;
    for (k++; k > 0; k /= base) {
        share /= base;
        sum += share * (k % base);
    }
    return sum;
}

// Commands all over the limits.
static bool pose(rig *plant, int k)
{
    const lithe_actuator_def *def = lithe_scene_def(plant->scene)->actuator;
    for (int i = 0; i < lithe_nactuator(plant->model); i++) {
        const double *limit =
            def[i].command == LITHE_EFFORT ? def[i].effort_limit : def[i].displacement_limit;
        double value = limit[0] + (limit[1] - limit[0]) * halton(k, primes[i]);
        lithe_command(plant->model, plant->state, i, def[i].command, &value);
    }
    return rig_step(plant);
}

// A model that is too stiff needs more pressure than the robot for the same shape.
static bool open_model(rig *r, table *t, const comparison *c)
{
    if (strcmp(c->robot, "arm") != 0)
        return rig_open(r, t, c->scene, (const char *)NULL);
    return rig_open(r, t, c->scene, "actuators.near-1.limits={pressure: [-100, 300]}",
                    "actuators.near-2.limits={pressure: [-100, 300]}",
                    "actuators.near-3.limits={pressure: [-100, 300]}",
                    "actuators.far-1.limits={pressure: [-100, 300]}",
                    "actuators.far-2.limits={pressure: [-100, 300]}",
                    "actuators.far-3.limits={pressure: [-100, 300]}", (const char *)NULL);
}

static void measure(table *t, const comparison *c)
{
    rig model, plant;
    double worst = 0, sum = 0, least = INFINITY, apart = 0;
    int n = table_quick(t) ? 1 : c->poses, k = 0;
    if (!open_model(&model, t, c))
        return;
    if (rig_open(&plant, t, c->scene, c->set, (const char *)NULL)) {
        for (; k < n && pose(&plant, k); k++) {
            lithe_inversion found;
            if (lithe_measure_inversion(model.model, model.state, plant.model, plant.state,
                                        &found)) {
                table_broken(t, "%s", lithe_state_error(model.state));
                break;
            }
            worst = fmax(worst, found.gamma);
            apart = fmax(apart, found.apart);
            least = fmin(least, found.gamma);
            sum += found.gamma;
        }
        if (k == n)
            table_add(t,
                      (finding){.quantity = text("%s, %s: largest gamma", c->robot, c->what),
                                .paper = "0.98685 allowed",
                                .ours = text("%d poses, from %.3f, mean %.3f%s", n, least, sum / n,
                                             apart > 1e-4 && strcmp(c->robot, "arm") == 0
                                                 ? "; not all were matched"
                                                 : ""),
                                .error = worst,
                                .gate = NAN});
        rig_close(&plant);
    }
    rig_close(&model);
}

void experiment_inversion(table *t)
{
    static const char arm[] = "examples/arm/robot.yaml",
                      parallel[] = "examples/parallel/robot.yaml";
    static const comparison all[] = {
        {"arm", "modulus 20 % higher", "materials.rubber.young=1.8 MPa", arm, 64},
        {"parallel", "modulus 20 % higher", "materials.silicone.young=216 kPa", parallel, 64},
        {"parallel", "tet4 by tet10", "bodies.robot.element=tet10", parallel, 32},
        {"arm", "tet4 by tet10", "bodies.robot.element=tet10", arm, 16},
    };
    table_experiment(t, 'E', "measured gamma");
    table_note(
        t,
        "What bieze2018 does not measure: sup |I - J J_hat^+| over the workspace, between the "
        "model of "
        "examples and another one in the robot's place, at poses that fill the actuators' limits "
        "evenly. Arm: six strings by six pressures, the model where its strings read the same. "
        "Parallel: tip by four pulls, at the same pulls. A modulus that is off hardly matters "
        "where "
        "actuators are told displacements; told pressures, it is off by as much. Linear tetrahedra "
        "in walls of one element lock: the arm of quadratic ones moves twice as far, and the bound "
        "is passed, in the direction that the loop bears best ([robustness](robustness.md)).");
    table_note(t, "![arm, modulus 20 %% higher](pictures/robust-arm-modulus.svg)");
    table_note(t, "![arm, tet4 by tet10](pictures/robust-arm-elements.svg)");
    table_note(t, "![parallel, modulus 20 %% higher](pictures/robust-parallel-modulus.svg)");
    table_note(t, "![parallel, tet4 by tet10](pictures/robust-parallel-elements.svg)");
    for (int i = 0; i < (table_quick(t) ? 1 : 4); i++)
        measure(t, &all[i]);
}
