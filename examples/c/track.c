// A controller: does what `lithe track SCENE` does, with the same numbers. The scene's task is
// followed step by step; after each one the line that goes to the hardware is printed, what every
// actuator is to do and what every effector measures. At the end: how near every goal was.
//
//     cc -Iinclude examples/c/track.c -Lbuild -llithe -lm -Wl,-rpath,build -o track
//     ./track examples/catheter/robot.yaml
#include <lithe/lithe.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct controller {
    lithe_report report;
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    double *start, *target; // (nrow) what rows measured when the task began, and shall measure now
    double *square, *most;  // (ngoal) of errors once paths have begun: sum of squares, largest
    int approach, steps, counted;
} controller;

static void print_head(const lithe_model *m)
{
    printf("time_s");
    for (int a = 0; a < lithe_nactuator(m); a++)
        for (int k = 0; k < lithe_actuator_rows(m, a); k++)
            printf(",%s.displacement,%s.effort", lithe_actuator_name(m, a),
                   lithe_actuator_name(m, a));
    for (int e = 0; e < lithe_neffector(m); e++)
        for (int k = 0; k < lithe_effector_rows(m, e); k++)
            printf(",%s", lithe_effector_name(m, e));
    printf("\n");
}

static void print_line(const controller *c, double time)
{
    const lithe_model *m = c->model;
    printf("%.17g", time);
    for (int a = 0; a < lithe_nactuator(m); a++) {
        double displacement[3], effort[3];
        lithe_displacement(m, c->state, a, displacement);
        lithe_effort(m, c->state, a, effort);
        for (int k = 0; k < lithe_actuator_rows(m, a); k++)
            printf(",%.17g,%.17g", displacement[k], effort[k]);
    }
    const double *value = lithe_row_values(c->state);
    for (int e = 0; e < lithe_neffector(m); e++)
        for (int k = 0; k < lithe_effector_rows(m, e); k++)
            printf(",%.17g", value[lithe_row_of_effector(m, e) + k]);
    printf("\n");
}

// Reads and compiles the scene, and brings the robot to rest: there the task begins.
static lithe_status prepare(controller *c, const char *path)
{
    lithe_status status = lithe_scene_read(path, 0, NULL, &c->scene, &c->report);
    if (status == LITHE_OK)
        status = lithe_compile(lithe_scene_def(c->scene), &c->model, &c->report);
    if (status == LITHE_OK)
        status = lithe_state_create(c->model, 1, &c->state, &c->report);
    if (status != LITHE_OK)
        return status;
    size_t rows = (size_t)lithe_nrow(c->model), goals = (size_t)lithe_ngoal(c->model);
    c->start = calloc(2 * rows + 2 * goals + 1, sizeof *c->start);
    if (!c->start)
        return LITHE_NO_MEMORY;
    c->target = c->start + rows;
    c->square = c->target + rows;
    c->most = c->square + goals;
    status = lithe_begin(c->model, c->state);
    lithe_task_start(c->model, c->state, c->start);
    if (status == LITHE_OK)
        status = lithe_task_steps(c->model, c->start, &c->approach, &c->steps, &c->report);
    return status;
}

// One round of the loop: targets of this moment in, efforts that come nearest to them out.
static lithe_status step(controller *c, int number)
{
    double time = number * lithe_model_step(c->model)->dt;
    lithe_task_targets(c->model, c->start, time, c->target);
    lithe_status status = lithe_task_apply(c->model, c->state, c->start, time);
    if (status == LITHE_OK)
        status = lithe_play(c->model, c->state, time); // what goes on in time besides
    if (status == LITHE_OK)
        status = lithe_step(c->model, c->state);
    print_line(c, time);
    bool counted = number > c->approach || number == c->steps;
    c->counted += counted;
    for (int i = 0; i < lithe_ngoal(c->model) && counted; i++) {
        double error = lithe_goal_error(c->model, c->state, i, c->target);
        c->square[i] += error * error;
        c->most[i] = fmax(c->most[i], error);
    }
    return status;
}

// Returns whether every goal was reached everywhere; in real time a target moves on before it is.
static bool judge(const controller *c)
{
    bool reached = true, converged = lithe_model_step(c->model)->mode == LITHE_CONVERGED;
    for (int i = 0; i < lithe_ngoal(c->model); i++) {
        lithe_goal goal;
        lithe_goal_get(c->model, i, &goal);
        fprintf(stderr, "%s: error_rms %.17g, error_max %.17g\n",
                goal.effector >= 0 ? lithe_effector_name(c->model, goal.effector)
                                   : lithe_sensor_name(c->model, goal.sensor),
                sqrt(c->square[i] / c->counted), c->most[i]);
        bool first = goal.kept || goal.priority == lithe_first_priority(c->model);
        reached = reached && !(converged && first && c->most[i] > goal.tolerance);
    }
    return reached;
}

int main(int argc, char **argv)
{
    controller c = {.report = lithe_report_default()};
    lithe_status status = prepare(&c, argc > 1 ? argv[1] : "examples/catheter/robot.yaml");
    if (status == LITHE_OK)
        print_head(c.model);
    for (int k = 1; k <= c.steps && status == LITHE_OK; k++)
        status = step(&c, k);
    bool reached = status == LITHE_OK && judge(&c);
    if (status != LITHE_OK)
        fprintf(stderr, "track: %s: %s\n", lithe_status_name(status),
                c.report.error[0] || !c.state ? c.report.error : lithe_state_error(c.state));
    free(c.start);
    lithe_state_free(c.state);
    lithe_model_free(c.model);
    lithe_scene_free(c.scene);
    return reached ? 0 : 1;
}
