// Every law on every robot, forward over its whole range in one step from rest and inverse along
// its task, with nothing tuned.
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <stddef.h>

static const struct {
    const char *name, *set[2]; // besides the law
} laws[] = {
    {"corotational", {NULL, NULL}},
    {"neo-hookean", {NULL, NULL}},
    {"mooney-rivlin", {"materials.silicone.coefficients=[3 kPa, 1 kPa]", NULL}},
    {"yeoh", {"materials.silicone.coefficients=[10 kPa, 0.5 kPa, 0.01 kPa]", NULL}},
    {"ogden", {"materials.silicone.coefficients=[30 kPa]", "materials.silicone.exponents=[3]"}},
    {"st-venant-kirchhoff", {NULL, NULL}},
};
enum { LAWS = sizeof laws / sizeof *laws, ROBOTS = 5, MOST_COMMANDS = 8 };

// Commands at or near the ends of the actuators' ranges, in their order; NAN: none is given.
static const struct {
    const char *name;
    lithe_command_kind kind;
    double command[MOST_COMMANDS];
} robots[ROBOTS] = {
    {"parallel", LITHE_DISPLACEMENT, {20e-3, 20e-3, 0, 0}},
    {"accordion", LITHE_EFFORT, {20e3}},
    {"finger", LITHE_DISPLACEMENT, {20e-3}},
    {"trunk", LITHE_DISPLACEMENT, {-20e-3, -20e-3, 15e-3, -20e-3, -20e-3, -20e-3, 10e-3, -20e-3}},
    {"staircase", LITHE_DISPLACEMENT, {4e-3, 0, -4e-3, 0, 4e-3, 0, -4e-3, 0}},
};

typedef struct tally {
    int done, told; // to the end; or stopped, or inside out, with words
    double force;   // largest residual of those that were done
} tally;

static bool open_robot(rig *r, table *t, int robot, int law, const char *element)
{
    const char *nothing = "step.mode=converged"; // what is set anyway
    return rig_open(r, t, text("examples/%s/robot.yaml", robots[robot].name),
                    text("materials.silicone.law=%s", laws[law].name),
                    laws[law].set[0] ? laws[law].set[0] : nothing,
                    laws[law].set[1] ? laws[law].set[1] : nothing,
                    text("bodies.robot.element=%s", element), nothing, (const char *)NULL);
}

static void count(const rig *r, lithe_status status, tally *out)
{
    lithe_residual last = lithe_last_residual(r->state);
    if (status == LITHE_OK && last.inverted == 0 && last.negative == 0) {
        out->done++;
        out->force = fmax(out->force, last.force);
    } else
        out->told += last.inverted > 0 || last.negative > 0 || *lithe_state_error(r->state);
}

static void push(table *t, int robot, int law, const char *element, tally *out)
{
    rig r;
    if (!open_robot(&r, t, robot, law, element))
        return;
    for (int i = 0; i < lithe_nactuator(r.model); i++)
        lithe_command(r.model, r.state, i, robots[robot].kind, &robots[robot].command[i]);
    count(&r, lithe_step(r.model, r.state), out);
    rig_close(&r);
}

// A quarter of the steps of the task, its approach included.
static void follow(table *t, int robot, int law, tally *out)
{
    enum { MOST_ROWS = 64 };
    rig r;
    double start[MOST_ROWS];
    if (!open_robot(&r, t, robot, law, "tet4"))
        return;
    lithe_status status = lithe_step(r.model, r.state);
    lithe_task_start(r.model, r.state, start);
    double dt = lithe_scene_def(r.scene)->step.dt;
    double end = lithe_task_approach(r.model, start) + 0.25 * lithe_task_duration(r.model);
    for (int k = 1; k * dt <= end && status == LITHE_OK; k++) {
        lithe_task_apply(r.model, r.state, start, k * dt);
        status = lithe_step(r.model, r.state);
    }
    count(&r, status, out);
    rig_close(&r);
}

static void show(table *t, const char *what, int law, const tally *n, int all)
{
    bool gives_way = law == LAWS - 1;
    table_add(t, (finding){.quantity = text("%s, %s: not done", laws[law].name, what),
                           .ours = text("%d of %d, %d told; residual %.0e", n->done, all, n->told,
                                        n->force),
                           .error = gives_way ? all - n->done - n->told : all - n->done,
                           .gate = 0,
                           .unit = ""});
}

void experiment_robustness(table *t)
{
    table_experiment(t, 'o', "every law, untuned");
    for (int law = 0; law < LAWS && table_quick(t); law++) { // each on one robot
        tally forward = {0};
        push(t, law % ROBOTS, law, "tet4", &forward);
        show(t, "forward, tet4", law, &forward, 1);
    }
    if (table_quick(t))
        return;
    table_note(t,
               "The five robots of examples with every isotropic law, as linear and as quadratic "
               "tetrahedra: from rest to the ends of the actuators' ranges in one step; and the "
               "inverse along the first quarter of each task, converged, with linear ones. "
               "Done: converged, stable, nothing inside out. St Venant-Kirchhoff may give way "
               "under compression, and must then be told (see j); the others may not.");
    for (int law = 0; law < LAWS; law++) {
        tally linear = {0}, quadratic = {0}, inverse = {0};
        for (int robot = 0; robot < ROBOTS; robot++) {
            push(t, robot, law, "tet4", &linear);
            push(t, robot, law, "tet10", &quadratic);
            follow(t, robot, law, &inverse);
        }
        show(t, "forward, tet4", law, &linear, ROBOTS);
        show(t, "forward, tet10", law, &quadratic, ROBOTS);
        show(t, "inverse, tet4", law, &inverse, ROBOTS);
    }
}
