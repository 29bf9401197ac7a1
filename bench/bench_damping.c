// What damping in proportion to stiffness adds to a step in the mode realtime: robots that follow
// their task with and without it, in turns.
//
//     bench_damping [SCENE …]
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WARM = 50, STRETCH = 25, ROUNDS = 24, STEPS = STRETCH * ROUNDS };

typedef struct follower {
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    double *start_rows, time[STEPS];
    int done;
} follower;

static void check(lithe_status status, const char *why)
{
    if (status == LITHE_OK)
        return;
    fprintf(stderr, "bench_damping: %s\n", why);
    exit(1);
}

static void open_with(follower *f, const char *scene, const char *damping)
{
    const char *set[] = {"step.mode=realtime", "dynamics.scheme=euler", damping};
    lithe_report report = lithe_report_default();
    *f = (follower){0};
    check(lithe_scene_read(scene, 3, set, &f->scene, &report), report.error);
    check(lithe_compile(lithe_scene_def(f->scene), &f->model, &report), report.error);
    check(lithe_state_create(f->model, 1, &f->state, &report), report.error);
    f->start_rows = must(calloc((size_t)lithe_nrow(f->model), sizeof *f->start_rows));
    lithe_task_start(f->model, f->state, f->start_rows);
}

static void follow(follower *f, int n)
{
    for (int end = f->done + n; f->done < end; f->done++) {
        double time =
            fmod(f->done * lithe_scene_def(f->scene)->step.dt, lithe_task_duration(f->model));
        check(lithe_task_apply(f->model, f->state, f->start_rows, time),
              lithe_state_error(f->state));
        double start = cpu_now();
        check(lithe_step(f->model, f->state), lithe_state_error(f->state));
        if (f->done >= WARM)
            f->time[f->done - WARM] = 1e3 * (cpu_now() - start);
    }
}

static void close_it(follower *f)
{
    free(f->start_rows);
    lithe_state_free(f->state);
    lithe_model_free(f->model);
    lithe_scene_free(f->scene);
}

static void measure(const char *scene)
{
    static follower both[2];
    robot named = robot_open(scene);
    open_with(&both[0], scene, "dynamics.stiffness_damping=0 s");
    open_with(&both[1], scene, "dynamics.stiffness_damping=10 ms");
    for (int i = 0; i < 2; i++)
        follow(&both[i], WARM);
    for (int k = 0; k < ROUNDS; k++)
        for (int i = 0; i < 2; i++)
            follow(&both[i], STRETCH);
    double without = time_rank(STEPS, both[0].time, 0.5),
           with = time_rank(STEPS, both[1].time, 0.5);
    printf("| %s | %d | %.3f | %.3f | %.2f |\n", named.name, lithe_nnode(named.model), without,
           with, with / without);
    fflush(stdout);
    for (int i = 0; i < 2; i++)
        close_it(&both[i]);
    robot_close(&named);
}

int main(int argc, char **argv)
{
    static const char *const all[] = {"finger", "gripper", "parallel", "trunk"};
    printf("| robot | nodes | without ms | with ms | ratio |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof all / sizeof *all && argc == 1; i++) {
        char scene[256];
        snprintf(scene, sizeof scene, "%s/examples/%s/robot.yaml", LITHE_ROOT, all[i]);
        measure(scene);
    }
    for (int i = 1; i < argc; i++)
        measure(argv[i]);
    return 0;
}
