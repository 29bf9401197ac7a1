#include "robot.h"

#include "refine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void *must(void *memory)
{
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(3);
    }
    return memory;
}

static void must_work(lithe_status status, const lithe_report *report)
{
    if (status != LITHE_OK) {
        fprintf(stderr, "%s\n", report->error);
        exit(2);
    }
}

double cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double time_rank(int n, double *time, double q)
{
    qsort(time, (size_t)n, sizeof *time, by_value);
    return time[(int)(q * (n - 1) + 0.5)];
}

static lithe_mesh *refined(const char *file, int nnode, lithe_report *report)
{
    lithe_mesh *coarse = NULL;
    must_work(lithe_mesh_read(file, &coarse, report), report);
    lithe_mesh *fine = must(refine_mesh(coarse, nnode));
    lithe_mesh_free(coarse);
    return fine;
}

robot robot_open_mesh(const char *scene, const char *mesh_file, int nnode)
{
    static const char *const set[] = {"step.mode=realtime"};
    robot r = {0};
    lithe_report report = lithe_report_default();
    must_work(lithe_scene_read(scene, 1, set, &r.scene, &report), &report);
    lithe_def def = *lithe_scene_def(r.scene);
    lithe_body_def only = def.body[0];
    if (nnode > 0) {
        r.mesh = refined(mesh_file ? mesh_file : only.mesh_file, nnode, &report);
        only.mesh = r.mesh;
        def.body = &only;
        def.nbody = 1;
    }
    must_work(lithe_compile(&def, &r.model, &report), &report);
    must_work(lithe_state_create(r.model, 1, &r.state, &report), &report);
    return r;
}

// "examples/trunk/robot.yaml@5000" is trunk, refined; "/tmp/springy.yaml" is springy.
static void name_robot(robot *r, const char *scene, int nnode)
{
    char path[256];
    snprintf(path, sizeof path, "%s", scene);
    char *file = strrchr(path, '/');
    if (file && strcmp(file, "/robot.yaml") == 0) {
        *file = 0;
        file = strrchr(path, '/');
    }
    file = file ? file + 1 : path;
    file[strcspn(file, ".")] = 0;
    snprintf(r->name, sizeof r->name, nnode ? "%.40s, refined" : "%.40s", file);
}

robot robot_open(const char *what)
{
    char scene[256];
    snprintf(scene, sizeof scene, "%s", what);
    char *at = strrchr(scene, '@');
    int nnode = at ? atoi(at + 1) : 0;
    if (at)
        *at = 0;
    robot r = robot_open_mesh(scene, NULL, nnode);
    name_robot(&r, scene, nnode);
    return r;
}

void robot_close(robot *r)
{
    lithe_state_free(r->state);
    lithe_model_free(r->model);
    lithe_mesh_free(r->mesh);
    lithe_scene_free(r->scene);
}
