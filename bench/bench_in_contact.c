// Realtime steps of robots that are in contact, on one core: beside the thesis
// [coevoet2019, tables 4.1 and 4.4], whose robots these resemble in size and contacts. Finger and
// trunk are read from shared/meshes beside the repository, and left out where that is not there.
//
//     bench_in_contact [INDEX]
//
// Commands, and obstacles that have a path, go up to where the robot is well in contact and then to
// and fro; inverse, effectors, if there are any, are told to go where they went. Time is what the
// thread computed.
#include "app/pin.h"
#include "lithe/lithe.h"
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { RAMP = 60, STEPS = 300, MOST_ACTUATORS = 4, MOST_VALUES = 8 };

#define IN(scene)    LITHE_ROOT "/bench/in_contact/" scene
#define BESIDE(mesh) LITHE_ROOT "/../shared/meshes/" mesh

typedef struct subject {
    const char *name, *scene;
    double seconds; // until its obstacles are where they go
    lithe_command_kind kind;
    int nactuator;                  // that are told something
    double command[MOST_ACTUATORS]; // … and where to go, SI
    const char *thesis;             // its robot: degrees of freedom, contacts; NULL: it has none
    double thesis_ms;
    double goal_ms;
    const char *mesh; // that may be missing
} subject;

static void check(lithe_status status, const char *why)
{
    if (status == LITHE_OK)
        return;
    fprintf(stderr, "bench_in_contact: %s\n", why);
    exit(1);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// A whole way up, then between 0.8 and 1 of it.
static double share_at(int k)
{
    return k < RAMP ? (k + 1.0) / RAMP : 0.9 + 0.1 * cos(2 * M_PI * (k - RAMP) / 100);
}

static void tell(const subject *of, const lithe_model *m, bool inverse, const double *contacts,
                 const double *time, double worst)
{
    printf("| %s, %s | %d | %.0f | %.2f | %.2f | %.1e | ", of->name,
           inverse ? "inverse" : "forward", lithe_ndof(m), contacts[STEPS / 2], time[STEPS / 2],
           time[STEPS * 99 / 100], worst);
    if (of->thesis)
        printf("%s | %.2f | %.2f |\n", of->thesis, of->thesis_ms, of->goal_ms);
    else
        printf("| | %.2f |\n", of->goal_ms);
    fflush(stdout);
}

// One step: to where commands go, or to where effectors went in that step before.
static void go_to(const lithe_model *m, lithe_state *s, const subject *of, int k, bool inverse,
                  const double *goal)
{
    check(lithe_play(m, s, share_at(k) * of->seconds), lithe_state_error(s));
    for (int e = 0, at = 0; e < lithe_neffector(m) && inverse; at += lithe_effector_rows(m, e++))
        check(lithe_target_effector(m, s, e, &goal[at], false), lithe_state_error(s));
    for (int a = 0; a < of->nactuator && !inverse; a++)
        check(lithe_command(m, s, a, of->kind, &(double){share_at(k) * of->command[a]}),
              lithe_state_error(s));
}

static void measure(const subject *of, const lithe_model *m, bool inverse,
                    double goal[][MOST_VALUES])
{
    static double time[STEPS], contacts[STEPS];
    lithe_report report = lithe_report_default();
    lithe_state *s;
    check(lithe_state_create(m, 1, &s, &report), report.error);
    double worst = 0;
    for (int k = 0; k < RAMP + STEPS; k++) {
        go_to(m, s, of, k, inverse, goal[k]);
        double start = cpu_now();
        check(lithe_step(m, s), lithe_state_error(s));
        double end = cpu_now();
        for (int e = 0, at = 0; e < lithe_neffector(m) && !inverse; e++) {
            check(lithe_effector_value(m, s, e, &goal[k][at]), lithe_state_error(s));
            at += lithe_effector_rows(m, e);
        }
        if (k < RAMP)
            continue;
        time[k - RAMP] = 1e3 * (end - start);
        contacts[k - RAMP] = lithe_ncontact(s);
        worst = fmax(worst, lithe_last_residual(s).force);
    }
    qsort(time, STEPS, sizeof *time, ascending);
    qsort(contacts, STEPS, sizeof *contacts, ascending);
    tell(of, m, inverse, contacts, time, worst);
    lithe_state_free(s);
}

static void measure_both(const subject *of)
{
    static double goal[RAMP + STEPS][MOST_VALUES];
    lithe_report report = lithe_report_default();
    lithe_scene *scene;
    lithe_model *m;
    if (of->mesh && access(of->mesh, R_OK) != 0) {
        fprintf(stderr, "bench_in_contact: no %s, so no %s\n", of->mesh, of->name);
        return;
    }
    check(lithe_scene_read(of->scene, 0, NULL, &scene, &report), report.error);
    lithe_def def = *lithe_scene_def(scene);
    def.step.mode = LITHE_REALTIME;
    check(lithe_compile(&def, &m, &report), report.error);
    for (int inverse = 0; inverse < (lithe_neffector(m) > 0 ? 2 : 1); inverse++)
        measure(of, m, inverse, goal);
    lithe_model_free(m);
    lithe_scene_free(scene);
}

int main(int argc, char **argv)
{
    static const subject all[] = {
        {"finger on a post",
         IN("finger.yaml"),
         0,
         LITHE_DISPLACEMENT,
         1,
         {0.014},
         "474, 5",
         4.79,
         0.479,
         BESIDE("finger.vtk")},
        {"beam under a ball",
         IN("beam.yaml"),
         1,
         LITHE_DISPLACEMENT,
         1,
         {0.002},
         "480, 19",
         13.17,
         1.317,
         NULL},
        {"trunk between two boards",
         IN("trunk.yaml"),
         4,
         LITHE_DISPLACEMENT,
         2,
         {0.002, 0.001},
         "1665, 76",
         34.52,
         3.452,
         BESIDE("trunk.vtk")},
        {"tower that leans on itself",
         IN("tower.yaml"),
         0,
         LITHE_EFFORT,
         4,
         {20e3, 18e3, 24e3, 22e3},
         "1680, 21",
         36.40,
         3.640,
         NULL},
        {.name = "soft block on a soft block",
         .scene = IN("blocks.yaml"),
         .kind = LITHE_DISPLACEMENT,
         .nactuator = 1,
         .command = {0.003},
         .goal_ms = 5},
    };
    pin_to_core();
    printf("| robot | degrees of freedom | contacts | step ms | p99 ms | worst residual | thesis: "
           "degrees of freedom, contacts | its ms | goal ms |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    int only = argc > 1 ? atoi(argv[1]) : -1;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (only < 0 || only == (int)i)
            measure_both(&all[i]);
    return 0;
}
