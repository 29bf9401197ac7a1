// The asynchronous mode on a robot that follows its task: does it end in time, and where is it?
//
//     bench_async [SCENE [STEPS [ages]]]       the parallel robot, 5000 steps
//
// The scene is stepped every millisecond of real time, on two threads. Misses count from the moment
// a step is due, so a late wake-up is a miss too. Then the same path is followed again by replaying
// the ages of the factors, and along it the shape is compared with the converged solution of the
// same targets. With `ages`, a table of the path's error by the age of the factor follows.
#define _GNU_SOURCE // cores are not in POSIX
#include "base/clock.h"
#include "robot.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMPARED = 200 };

typedef struct follower {
    lithe_scene *scene;
    lithe_model *model;
    lithe_state *state;
    double *start; // of the task (nrow)
    double approach;
} follower;

static void stop(const char *why)
{
    fprintf(stderr, "bench_async: %s\n", why);
    exit(1);
}

static void open_follower(follower *r, const char *path, const char *mode, int age)
{
    char set[2][64];
    snprintf(set[0], sizeof set[0], "step.mode=%s", mode);
    snprintf(set[1], sizeof set[1], "step.factor_age=%d", age);
    const char *sets[] = {"step.dt=1 ms", set[0], set[1]};
    lithe_report report = lithe_report_default();
    if (lithe_scene_read(path, age > 0 ? 3 : 2, sets, &r->scene, &report) != LITHE_OK ||
        lithe_compile(lithe_scene_def(r->scene), &r->model, &report) != LITHE_OK ||
        lithe_state_create(r->model, 2, &r->state, &report) != LITHE_OK)
        stop(report.error);
}

static void close_follower(follower *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
    lithe_scene_free(r->scene);
    free(r->start);
}

static void step(follower *r)
{
    if (lithe_step(r->model, r->state) != LITHE_OK)
        stop(lithe_state_error(r->state));
}

// Loads are carried, and the task's first targets are where the robot is.
static void settle(follower *r)
{
    for (int k = 0; k < 300; k++)
        step(r);
    r->start = calloc((size_t)lithe_nrow(r->model) + 1, sizeof *r->start);
    lithe_task_start(r->model, r->state, r->start);
    r->approach = lithe_task_approach(r->model, r->start);
}

// A path that has ended is followed again from its start.
static double time_of(const follower *r, long number)
{
    double dt = lithe_model_step(r->model)->dt, once = lithe_task_duration(r->model);
    double time = (double)number * dt;
    return time > r->approach && once > 0 ? r->approach + fmod(time - r->approach, once) : time;
}

static void aim(follower *r, double time)
{
    if (lithe_task_apply(r->model, r->state, r->start, time) != LITHE_OK)
        stop(lithe_state_error(r->state));
}

// As a controller would: on one core, before other programs. The factors' thread, which is there
// already, goes where it finds room.
static bool claim_core(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    struct sched_param lowest = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
    return sched_setaffinity(0, sizeof one, &one) == 0 &&
           sched_setscheduler(0, SCHED_FIFO, &lowest) == 0;
}

static void release_core(void)
{
    cpu_set_t all;
    struct sched_param none = {0};
    memset(&all, 0xff, sizeof all);
    sched_setscheduler(0, SCHED_OTHER, &none);
    sched_setaffinity(0, sizeof all, &all);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A sleeper wakes late and on a cold core, so the last moments are waited out awake.
static void wait_until(double moment)
{
    double wake = moment - 2e-4;
    struct timespec t = {(time_t)wake, (long)(1e9 * (wake - floor(wake)))};
    while (clock_now() < wake && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR)
        ;
    while (clock_now() < moment)
        ;
}

typedef struct timing {
    double *taken; // by steps, s
    double *late;  // wake-up, s
    double *own;   // time that the steps computed, without what other programs took of the core, s
    long missed;   // steps that ended after their deadline
    long too_long; // steps that would have if nothing else had run
    double age;    // sum
    int oldest;
    int *ages;
} timing;

static void measure(follower *r, long steps, timing *t)
{
    const lithe_step_def *def = lithe_model_step(r->model);
    double due = clock_now() + def->dt;
    for (long k = 0; k < steps; k++, due += def->dt) {
        aim(r, time_of(r, k + 1));
        wait_until(due);
        double begin = clock_now(), own = cpu_now();
        step(r);
        own = cpu_now() - own;
        double end = clock_now();
        t->own[k] = own;
        t->too_long += own > def->deadline;
        lithe_async a = lithe_last_async(r->state);
        t->taken[k] = end - begin;
        t->late[k] = begin - due;
        t->missed += end - due > def->deadline;
        t->age += a.age;
        t->ages[k] = a.age;
        t->oldest = a.age > t->oldest ? a.age : t->oldest;
        due = fmax(due, end - def->dt); // a step that was missed is not made up for
    }
}

static void print_line(const char *name, double *value, long n)
{
    qsort(value, (size_t)n, sizeof *value, ascending);
    printf("  %-22s median %8.4f   p99 %8.4f   p99.9 %8.4f   max %8.4f ms\n", name,
           1e3 * value[n / 2], 1e3 * value[n * 99 / 100], 1e3 * value[n * 999 / 1000],
           1e3 * value[n - 1]);
}

typedef struct error {
    double shape;  // farthest node from its position in the converged solution, m
    double effort; // largest difference of an effort, N or Pa
    double sum;    // of squares of shape
    int n;
} error;

static void compare(const follower *r, follower *exact, double time, error *e)
{
    memcpy(exact->start, r->start, (size_t)lithe_nrow(r->model) * sizeof *r->start);
    aim(exact, time);
    step(exact);
    const double *x = lithe_position(r->state), *y = lithe_position(exact->state);
    double worst = 0;
    for (int i = 0; i < lithe_nnode(r->model); i++) {
        double d = 0;
        for (int a = 0; a < 3; a++)
            d += (x[3 * i + a] - y[3 * i + a]) * (x[3 * i + a] - y[3 * i + a]);
        worst = fmax(worst, sqrt(d));
    }
    e->shape = fmax(e->shape, worst);
    for (int c = 0; c < lithe_nactuator(r->model); c++) {
        double mine[3], right[3];
        lithe_effort(r->model, r->state, c, mine);
        lithe_effort(exact->model, exact->state, c, right);
        e->effort = fmax(e->effort, fabs(mine[0] - right[0]));
    }
    e->sum += worst * worst;
    e->n++;
}

// Follows the path with factors of these ages, or of one, and compares along it.
static error follow(const char *path, long steps, const int *ages, int age)
{
    follower r = {0}, exact = {0};
    error e = {0};
    open_follower(&r, path, "asynchronous", age);
    open_follower(&exact, path, "converged", 0);
    settle(&r);
    exact.start = calloc((size_t)lithe_nrow(r.model) + 1, sizeof *exact.start);
    exact.approach = r.approach;
    long first = (long)ceil(r.approach / lithe_model_step(r.model)->dt) + 1;
    long every = (steps - first) / COMPARED > 0 ? (steps - first) / COMPARED : 1;
    for (long k = 0; k < steps; k++) {
        if (ages)
            lithe_replay_age(r.model, r.state, ages[k] < age ? ages[k] : age);
        aim(&r, time_of(&r, k + 1));
        step(&r);
        if (k > first && (k - first) % every == 0)
            compare(&r, &exact, time_of(&r, k + 1), &e);
    }
    close_follower(&r);
    close_follower(&exact);
    return e;
}

static void print_error(const error *e)
{
    printf("%8.5f mm at most, %8.5f mm rms; efforts off by %.2g at most (%d points)\n",
           1e3 * e->shape, 1e3 * sqrt(e->sum / e->n), e->effort, e->n);
}

int main(int argc, char **argv)
{
    const char *scene = argc > 1 ? argv[1] : LITHE_ROOT "/examples/parallel/robot.yaml";
    long steps = argc > 2 ? atol(argv[2]) : 5000;
    follower r = {0};
    timing t = {.taken = calloc((size_t)steps, sizeof(double)),
                .late = calloc((size_t)steps, sizeof(double)),
                .own = calloc((size_t)steps, sizeof(double)),
                .ages = calloc((size_t)steps, sizeof(int))};
    if (steps < 1 || !t.taken || !t.late || !t.own || !t.ages)
        stop("no memory for so many steps");
    open_follower(&r, scene, "asynchronous", 0);
    settle(&r);
    bool first = claim_core();
    measure(&r, steps, &t);
    release_core();
    lithe_async a = lithe_last_async(r.state);
    const char *name = strrchr(scene, '/') ? strrchr(scene, '/') + 1 : scene;
    printf("%s: %ld steps, one every %.3f ms, deadline %.3f ms\n", name, steps,
           1e3 * lithe_model_step(r.model)->dt, 1e3 * lithe_model_step(r.model)->deadline);
    printf("  missed                 %ld (%.3f %%), %s\n", t.missed,
           100.0 * (double)t.missed / (double)steps,
           first ? "before other programs" : "among other programs: no right to go before them");
    printf("  computed too long      %ld (%.3f %%), other programs not counted\n", t.too_long,
           100.0 * (double)t.too_long / (double)steps);
    printf(
        "  age of the factor      mean %.2f, oldest %d steps; %ld factors, the last in %.3f ms\n",
        t.age / (double)steps, t.oldest, a.factors, 1e3 * a.factor_seconds);
    printf("  moves refused          %ld\n", a.refused);
    print_line("step", t.taken, steps);
    print_line("step, own computing", t.own, steps);
    print_line("wake-up", t.late, steps);
    close_follower(&r);
    fflush(stdout);
    long path = steps < 8000 ? steps : 8000; // two turns of four seconds
    printf("  path, ages as they were ");
    error e = follow(scene, path, t.ages, t.oldest > 0 ? t.oldest : 1);
    print_error(&e);
    for (int age = 1; argc > 3 && age <= 256; age *= 4) {
        printf("  path, age %3d           ", age);
        e = follow(scene, path, NULL, age);
        print_error(&e);
        fflush(stdout);
    }
    free(t.taken);
    free(t.late);
    free(t.own);
    free(t.ages);
    return 0;
}
