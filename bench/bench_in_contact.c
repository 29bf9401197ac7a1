// Realtime steps of robots that are in contact, forward, on one core: beside the thesis
// [coevoet2019, tables 4.1 and 4.4], whose robots these resemble.
//
//     bench_in_contact
//
// Commands, and obstacles that have a path, go up to where the robot is well in contact and then to
// and fro; time is what the thread computed.
#include "app/pin.h"
#include "lithe/lithe.h"
#include "robot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RAMP = 60, STEPS = 300, MOST_ACTUATORS = 4 };

typedef struct subject {
    const char *name, *scene;
    double seconds; // until its obstacles are where they go
    lithe_command_kind kind;
    int nactuator;                  // that are told something
    double command[MOST_ACTUATORS]; // … and where to go, SI
    const char *thesis;             // its robot: degrees of freedom, contacts
    double thesis_ms;
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

static void go_to(const lithe_model *m, lithe_state *s, const subject *of, double share)
{
    check(lithe_play(m, s, share * of->seconds), lithe_state_error(s));
    for (int a = 0; a < of->nactuator; a++)
        check(lithe_command(m, s, a, of->kind, &(double){share * of->command[a]}),
              lithe_state_error(s));
}

static void measure(const subject *of)
{
    static double time[STEPS], contacts[STEPS];
    lithe_report report = lithe_report_default();
    lithe_scene *scene;
    lithe_model *m;
    lithe_state *s;
    check(lithe_scene_read(of->scene, 0, NULL, &scene, &report), report.error);
    lithe_def def = *lithe_scene_def(scene);
    def.step.mode = LITHE_REALTIME;
    check(lithe_compile(&def, &m, &report), report.error);
    check(lithe_state_create(m, 1, &s, &report), report.error);
    double worst = 0;
    for (int k = 0; k < RAMP + STEPS; k++) {
        go_to(m, s, of, share_at(k));
        double start = cpu_now();
        check(lithe_step(m, s), lithe_state_error(s));
        if (k < RAMP)
            continue;
        time[k - RAMP] = 1e3 * (cpu_now() - start);
        contacts[k - RAMP] = lithe_ncontact(s);
        worst = fmax(worst, lithe_last_residual(s).force);
    }
    qsort(time, STEPS, sizeof *time, ascending);
    qsort(contacts, STEPS, sizeof *contacts, ascending);
    printf("| %s | %d | %.0f | %.2f | %.2f | %.1e | %s | %.2f | %.2f |\n", of->name, lithe_ndof(m),
           contacts[STEPS / 2], time[STEPS / 2], time[STEPS * 99 / 100], worst, of->thesis,
           of->thesis_ms, 0.1 * of->thesis_ms);
    fflush(stdout);
    lithe_state_free(s);
    lithe_model_free(m);
    lithe_scene_free(scene);
}

int main(void)
{
    static const subject all[] = {
        {"finger on a post",
         LITHE_ROOT "/tests/experiments/finger_post.yaml",
         0,
         LITHE_DISPLACEMENT,
         2,
         {0.016, 0.016},
         "474, 5",
         4.79},
        {"beam under a ball",
         LITHE_ROOT "/tests/experiments/ball.yaml",
         1,
         LITHE_DISPLACEMENT,
         0,
         {0},
         "480, 19",
         13.17},
        {"trunk pushed by a post",
         LITHE_ROOT "/examples/trunk/pushed.yaml",
         4,
         LITHE_DISPLACEMENT,
         0,
         {0},
         "1665, 76",
         34.52},
        {"tower that leans on itself",
         LITHE_ROOT "/examples/tower/robot.yaml",
         0,
         LITHE_EFFORT,
         4,
         {20e3, 18e3, 24e3, 22e3},
         "1680, 21",
         36.40},
    };
    pin_to_core();
    printf("| robot | degrees of freedom | contacts | step ms | p99 ms | worst residual | thesis: "
           "degrees of freedom, contacts | its ms | goal ms |\n"
           "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        measure(&all[i]);
    return 0;
}
