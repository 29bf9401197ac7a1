// A controller: does what `lithe track SCENE` does, with the same numbers. The scene's task is
// followed step by step; after each one a line is printed: what every row measures (displacements
// of actuators, effectors, sensors), and the efforts that go to the hardware. At the end: how near
// every goal was.
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
    double *start;  // (nrow) what rows measured when the task began
    double *effort; // (ndriven)
    struct {
        double square, most; // of its errors once paths have begun: sum of squares, largest
    } * goal;                // (ngoal)
    int approach, steps, counted;
} controller;

// Reads and compiles the scene, and brings the robot to rest: there the task begins.
static lithe_status prepare(controller *c, const char *path)
{
    lithe_status status = lithe_scene_read(path, 0, NULL, &c->scene, &c->report);
    if (status == LITHE_OK)
        status = lithe_compile(lithe_scene_def(c->scene), &c->model, &c->report);
    if (status == LITHE_OK)
        status = lithe_state_create(c->model, 1, &c->state, &c->report);
    if (status == LITHE_OK)
        status = lithe_begin(c->model, c->state);
    if (status != LITHE_OK)
        return status;
    c->start = calloc((size_t)lithe_nrow(c->model), sizeof *c->start);
    c->effort = calloc((size_t)lithe_ndriven(c->model), sizeof *c->effort);
    c->goal = calloc((size_t)lithe_ngoal(c->model), sizeof *c->goal);
    if (!c->start || !c->effort || !c->goal)
        return LITHE_NO_MEMORY;
    lithe_task_start(c->model, c->state, c->start);
    return lithe_task_steps(c->model, c->start, &c->approach, &c->steps, &c->report);
}

static void print_head(const lithe_model *m)
{
    char name[LITHE_ROW_NAME];
    printf("time_s");
    for (int r = 0; r < lithe_nrow(m); r++)
        printf(",%s", lithe_row_name(m, r, LITHE_DISPLACEMENT, name));
    for (int r = 0; r < lithe_ndriven(m); r++)
        printf(",%s", lithe_row_name(m, r, LITHE_EFFORT, name));
    printf("\n");
}

static void print_line(const controller *c, double time)
{
    printf("%.17g", time);
    for (int r = 0; r < lithe_nrow(c->model); r++)
        printf(",%.17g", lithe_row_values(c->state)[r]);
    lithe_efforts(c->model, c->state, c->effort);
    for (int r = 0; r < lithe_ndriven(c->model); r++)
        printf(",%.17g", c->effort[r]);
    printf("\n");
}

// One round of the loop: targets of this moment in, efforts that come nearest to them out.
static lithe_status step(controller *c, int number)
{
    double time = number * lithe_model_step(c->model)->dt;
    lithe_status status = lithe_task_apply(c->model, c->state, c->start, time);
    if (status == LITHE_OK)
        status = lithe_play(c->model, c->state, time); // what goes on in time besides
    if (status == LITHE_OK)
        status = lithe_step(c->model, c->state);
    print_line(c, time);
    bool counted = number > c->approach || number == c->steps;
    c->counted += counted;
    for (int i = 0; i < lithe_ngoal(c->model) && counted; i++) {
        double error = lithe_goal_error(c->model, c->state, i, NULL);
        c->goal[i].square += error * error;
        c->goal[i].most = fmax(c->goal[i].most, error);
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
        fprintf(stderr, "%s: error_rms %.17g, error_max %.17g\n", lithe_goal_name(c->model, i),
                sqrt(c->goal[i].square / c->counted), c->goal[i].most);
        bool first = goal.kept || goal.priority == lithe_first_priority(c->model);
        reached = reached && !(converged && first && c->goal[i].most > goal.tolerance);
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
    free(c.effort);
    free(c.goal);
    lithe_state_free(c.state);
    lithe_model_free(c.model);
    lithe_scene_free(c.scene);
    return reached ? 0 : 1;
}
