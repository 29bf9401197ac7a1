// Steps of reduced robots beside those of whole ones, following their task in the mode realtime.
//
//     bench_reduced [SCENE of the diamond]
//
// Each robot is reduced to a tolerance at its effectors first; time is what the thread computed.
#include "lithe/reduce.h"
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct subject {
    const char *name, *scene;
    double tolerance, goal; // m; ms
    int nsample;
} subject;

static void check(lithe_status status, const char *why)
{
    if (status == LITHE_OK)
        return;
    fprintf(stderr, "bench_reduced: %s\n", why);
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Median of a step that follows the task, ms.
static double step_time(const lithe_def *def)
{
    enum { WARM = 50, STEPS = 400 };
    static double time[STEPS];
    lithe_report report = lithe_report_default();
    lithe_model *m;
    lithe_state *s;
    check(lithe_compile(def, &m, &report), report.error);
    check(lithe_state_create(m, 1, &s, &report), report.error);
    double *start_rows = must(calloc((size_t)lithe_nrow(m), sizeof *start_rows));
    lithe_task_start(m, s, start_rows);
    for (int k = 0; k < WARM + STEPS; k++) {
        double time_of = fmod(k * def->step.dt, lithe_task_duration(m));
        check(lithe_task_apply(m, s, start_rows, time_of), lithe_state_error(s));
        double start = cpu_now();
        check(lithe_step(m, s), lithe_state_error(s));
        if (k >= WARM)
            time[k - WARM] = 1e3 * (cpu_now() - start);
    }
    free(start_rows);
    lithe_state_free(s);
    lithe_model_free(m);
    qsort(time, STEPS, sizeof *time, ascending);
    return time[STEPS / 2];
}

static void measure(const subject *of)
{
    lithe_report report = lithe_report_default();
    lithe_reduce_def how = lithe_reduce_def_default();
    lithe_scene *scene;
    lithe_reduction *made;
    check(lithe_scene_read(of->scene, 0, NULL, &scene, &report), report.error);
    lithe_def def = *lithe_scene_def(scene);
    def.step.mode = LITHE_REALTIME;
    how.tolerance = of->tolerance;
    how.nsample = of->nsample;
    check(lithe_reduce(&def, &how, &made, &report), report.error);
    lithe_reduction_info info = lithe_reduction_get(made);
    double whole = step_time(&def);
    def.reduction.given = made;
    double few = step_time(&def);
    printf("| %s | %d | %d | %d | %d | %.2f | %.3f | %.3f | %.4f | %.2f | %.0f |\n", of->name,
           info.nnode, info.nelement_whole, info.nmode, info.nelement, 1e3 * of->tolerance,
           1e3 * info.error, whole, few, of->goal, whole / few);
    fflush(stdout);
    lithe_reduction_free(made);
    lithe_scene_free(scene);
}

int main(int argc, char **argv)
{
    static const subject all[] = {
        {"accordion", LITHE_ROOT "/examples/accordion/robot.yaml", 5e-4, 0.3, 0},
        {"parallel", LITHE_ROOT "/examples/parallel/robot.yaml", 1e-4, 0.15, 60},
    };
    printf("| robot | nodes | elements | shapes | elements used | tolerance mm | error mm | whole "
           "ms | "
           "reduced ms | goal ms | ratio |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        measure(&all[i]);
    for (int i = 1; i < argc; i++)
        measure(&(subject){"diamond", argv[i], 1e-4, 0.15, 60});
    return 0;
}
