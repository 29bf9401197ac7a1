// What contacts cost: a cushion with four cables, on which more and more balls lie. Its middle goes
// up and down, so that contacts open and close. Forward, the cables are told their pulls and the
// contacts are one linear complementarity problem; inverse, the cables are found.
//
//     bench_contacts
//
// The table is Markdown; medians of steps in the mode realtime, one core.
#include "app/pin.h"
#include "bar.h"
#include "base/clock.h"
#include "robot.h"
#include "step/contact_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 200, WARM_UP = 20, MOST = 160, CABLES = 4 };

static const double length = 0.16, width = 0.1, height = 0.02, ball = 0.004; // m

typedef struct cushion {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_fix_def fix;
    lithe_body_def body;
    lithe_point_def end[CABLES], middle;
    lithe_actuator_def cable[CABLES];
    lithe_effector_def effector;
    lithe_obstacle_def obstacle[MOST];
    lithe_def def;
    lithe_model *model;
    lithe_state *state;
} cushion;

static void must_work(lithe_status status, const char *error)
{
    if (status == LITHE_OK)
        return;
    fprintf(stderr, "%s\n", error);
    exit(1);
}

static void make_body(cushion *c, lithe_report *report)
{
    c->shape = bar_make(24, 15, 2, (double[]){-length / 2, -width / 2, 0},
                        (double[]){length / 2, width / 2, height});
    must_work(lithe_mesh_create(c->shape.nnode, c->shape.x, c->shape.ntet, c->shape.tet, &c->mesh,
                                report),
              report->error);
    c->material = lithe_material_def_default();
    c->material.name = "foam";
    c->material.young = 5e4;
    c->material.poisson = 0.3;
    c->fix = lithe_fix_def_default();
    c->fix.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1e-6}};
    c->body = lithe_body_def_default();
    c->body.name = "cushion";
    c->body.mesh = c->mesh;
    c->body.material = "foam";
    c->body.nfix = 1;
    c->body.fix = &c->fix;
}

// From the top of the cushion down through the floor, around its middle.
static void make_cables(cushion *c)
{
    static const char *const name[CABLES] = {"east", "north", "west", "south"};
    static const double at[CABLES][2] = {{0.03, 0}, {0, 0.03}, {-0.03, 0}, {0, -0.03}};
    for (int k = 0; k < CABLES; k++) {
        c->cable[k] = lithe_actuator_def_default(LITHE_CABLE);
        c->cable[k].name = name[k];
        c->end[k] = (lithe_point_def){"cushion", {at[k][0], at[k][1], height}};
        c->cable[k].npoint = 1;
        c->cable[k].point = &c->end[k];
        c->cable[k].has_pulled_from = true;
        memcpy(c->cable[k].pulled_from, (double[]){at[k][0], at[k][1], -0.01},
               sizeof c->cable[k].pulled_from);
    }
    c->effector = lithe_effector_def_default(LITHE_POINTS);
    c->effector.name = "middle";
    c->middle = (lithe_point_def){"cushion", {0, 0, height}};
    c->effector.npoint = 1;
    c->effector.point = &c->middle;
}

// Balls on a grid, a tenth of a millimetre deep in the cushion.
static void make_balls(cushion *c, int n)
{
    int rows = (int)floor(sqrt(n * width / length)), columns;
    while (rows > 1 && n % rows != 0)
        rows--;
    columns = n > 0 ? n / rows : 0;
    for (int k = 0; k < n; k++) {
        c->obstacle[k] = lithe_obstacle_def_default(LITHE_OBSTACLE_SPHERE);
        c->obstacle[k].radius = ball;
        c->obstacle[k].at[0] = length * ((k % columns + 0.5) / columns - 0.5);
        c->obstacle[k].at[1] = width * ((k / columns + 0.5) / rows - 0.5);
        c->obstacle[k].at[2] = height + ball - 1e-4;
    }
}

static void name_balls(cushion *c, int n)
{
    static char name[MOST][8];
    for (int k = 0; k < n; k++) {
        snprintf(name[k], sizeof name[k], "b%d", k);
        c->obstacle[k].name = name[k];
    }
}

static void open_cushion(cushion *c, int balls)
{
    lithe_report report = lithe_report_default();
    make_body(c, &report);
    make_cables(c);
    make_balls(c, balls);
    name_balls(c, balls);
    c->def = lithe_def_default();
    c->def.nmaterial = 1;
    c->def.material = &c->material;
    c->def.nbody = 1;
    c->def.body = &c->body;
    c->def.nactuator = CABLES;
    c->def.actuator = c->cable;
    c->def.neffector = 1;
    c->def.effector = &c->effector;
    c->def.nobstacle = balls;
    c->def.obstacle = c->obstacle;
    c->def.contacts.max = balls > 0 ? balls : 1; // a ball meets several triangles
    c->def.contacts.detection_distance = 2e-4;
    c->def.step.mode = LITHE_REALTIME;
    must_work(lithe_compile(&c->def, &c->model, &report), report.error);
    must_work(lithe_state_create(c->model, 1, &c->state, &report), report.error);
}

static void close_cushion(cushion *c)
{
    lithe_state_free(c->state);
    lithe_model_free(c->model);
    lithe_mesh_free(c->mesh);
    bar_free(&c->shape);
}

static void command(cushion *c, int step, bool inverse)
{
    double angle = 6.283185307 * step / STEPS;
    if (inverse) {
        double at[3] = {0, 0, height - 3e-4 - 2e-4 * sin(angle)};
        lithe_target_effector(c->model, c->state, 0, at, false);
        return;
    }
    for (int k = 0; k < CABLES; k++) {
        double pull = 1e-3 * (1 + cos(angle - 1.570796327 * k));
        lithe_command(c->model, c->state, k, LITHE_DISPLACEMENT, &pull);
    }
}

enum { FOUND, LOADED, DETECT, ROWS, CONDENSE, SOLVE, ALL, NUMBERS };

// What one step takes, in time that the thread computed: what other programs took from the step is
// taken off all phases alike. Detection is done once more for its own time, with the same result.
static void take_step(cushion *c, int step, bool inverse, double number[NUMBERS])
{
    command(c, step, inverse);
    double begin = clock_now(), start = cpu_now();
    must_work(lithe_step(c->model, c->state), lithe_state_error(c->state));
    double spent = cpu_now() - start, unit = 1e3 * spent / (clock_now() - begin);
    lithe_phase_time p = lithe_last_phase_time(c->state);
    number[ROWS] = unit * p.rows;
    number[CONDENSE] = unit * p.condense;
    number[SOLVE] = unit * p.solve;
    number[ALL] = 1e3 * spent;
    start = cpu_now();
    contact_evaluate(c->model, c->state, &c->state->now);
    number[DETECT] = 1e3 * (cpu_now() - start);
    number[FOUND] = lithe_ncontact(c->state);
    number[LOADED] = 0;
    for (int i = 0; i < lithe_ncontact(c->state); i++) {
        lithe_contact at;
        must_work(lithe_contact_get(c->model, c->state, i, &at), lithe_state_error(c->state));
        number[LOADED] += at.force > 0;
    }
}

static void measure(int balls, bool inverse)
{
    static double all[NUMBERS][STEPS];
    cushion c = {0};
    open_cushion(&c, balls);
    for (int step = -WARM_UP; step < STEPS; step++) {
        double number[NUMBERS];
        take_step(&c, step, inverse, number);
        for (int i = 0; i < NUMBERS && step >= 0; i++)
            all[i][step] = number[i];
    }
    for (int i = 0; i < NUMBERS; i++)
        all[i][0] = time_rank(STEPS, all[i], 0.5);
    printf("| %s | %.0f | %.0f", inverse ? "inverse" : "forward", all[FOUND][0], all[LOADED][0]);
    for (int i = DETECT; i < NUMBERS; i++)
        printf(" | %.3f", all[i][0]);
    printf(" |\n");
    fflush(stdout);
    close_cushion(&c);
}

int main(void)
{
    static const int balls[] = {0, 10, 20, 40, 80, 160};
    pin_to_core();
    printf(
        "| problem | contacts | pressing | one detection ms | rows ms | condense ms | solve ms | "
        "step ms |\n|---|---|---|---|---|---|---|---|\n");
    for (int inverse = 0; inverse < 2; inverse++)
        for (size_t k = 0; k < sizeof balls / sizeof *balls; k++)
            measure(balls[k], inverse);
    return 0;
}
