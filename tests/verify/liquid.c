// Case 30: a standing can of thin rubber, full of liquid.
#include "verify.h"

#include "step/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double radius = 0.02, height = 0.1, wall = 0.5e-3, young = 1e6, density = 10, g = 9.81;

// A closed shell: `around` by `high` squares of two triangles, a base and a lid that are fans.
typedef struct can {
    int around, high;
    lithe_mesh *mesh;
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body;
    lithe_shell_def shell;
    lithe_cavity_def cavity;
    lithe_fix_def fix;
    lithe_actuator_def water;
    lithe_effector_def volume;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} can;

static bool make_mesh(can *c)
{
    int n = c->around, rings = c->high + 1, nnode = n * rings + 2, ntri = 2 * n * (c->high + 1);
    double *x = calloc(3 * (size_t)nnode, sizeof *x);
    int *tri = malloc(3 * (size_t)ntri * sizeof *tri), *to = tri;
    for (int i = 0; i < n * rings; i++) {
        double angle = 2 * M_PI * (i % n) / n;
        x[3 * i] = radius * cos(angle);
        x[3 * i + 1] = radius * sin(angle);
        x[3 * i + 2] = height * (i / n) / c->high;
    }
    x[3 * nnode - 1] = height; // the lid's middle; the base's is before it, at 0
    for (int i = 0; i < n; i++) {
        int next = (i + 1) % n, top = n * c->high;
        for (int k = 0; k < c->high; k++, to += 6) {
            int a = n * k + i, b = n * k + next;
            memcpy(to, (int[]){a, b, b + n, a, b + n, a + n}, 6 * sizeof *to);
        }
        memcpy(to, (int[]){nnode - 2, next, i, nnode - 1, top + i, top + next}, 6 * sizeof *to);
        to += 6;
    }
    bool good = lithe_mesh_create_surface(nnode, x, ntri, tri, &c->mesh, &c->report) == LITHE_OK;
    free(x);
    free(tri);
    return good;
}

static void define_rows(can *c)
{
    c->cavity = (lithe_cavity_def){.name = "inside", .pick = LITHE_CAVITY_GROUP, .group = "can"};
    c->body.ncavity = 1;
    c->body.cavity = &c->cavity;
    c->water = lithe_actuator_def_default(LITHE_LIQUID);
    c->water.name = "water";
    c->water.body = "b";
    c->water.cavity = "inside";
    c->water.density = density;
    c->water.reference[2] = height;
    c->volume = lithe_effector_def_default(LITHE_VOLUME);
    c->volume.name = "content";
    c->volume.body = "b";
    c->volume.cavity = "inside";
    c->def.nactuator = c->def.neffector = 1;
    c->def.actuator = &c->water;
    c->def.effector = &c->volume;
}

static bool fill(can *c, int around, int high)
{
    *c = (can){.around = around, .high = high, .report = lithe_report_default()};
    c->def = lithe_def_default();
    c->def.gravity[2] = -g;
    c->def.step.steps = 1;
    c->def.step.tolerance = 1e-10;
    c->material = lithe_material_def_default();
    c->material.name = "rubber";
    c->material.young = young;
    c->body = lithe_body_def_default();
    c->body.name = "b";
    c->body.material = "rubber";
    c->shell = lithe_shell_def_default();
    c->shell.name = "can";
    c->shell.thickness = wall;
    c->body.nshell = 1;
    c->body.shell = &c->shell;
    c->fix = lithe_fix_def_default(); // the base
    c->fix.where = (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, -1}, .b = {1, 1, 1e-9}};
    c->body.nfix = 1;
    c->body.fix = &c->fix;
    c->def.nmaterial = c->def.nbody = 1;
    c->def.material = &c->material;
    c->def.body = &c->body;
    define_rows(c);
    if (!make_mesh(c))
        return false;
    c->shell.mesh = c->mesh;
    if (lithe_compile(&c->def, &c->model, &c->report) != LITHE_OK ||
        lithe_state_create(c->model, 1, &c->state, &c->report) != LITHE_OK)
        return false;
    lithe_status status = lithe_step(c->model, c->state);
    if (status != LITHE_OK)
        snprintf(c->report.error, sizeof c->report.error, "%s", lithe_state_error(c->state));
    return status == LITHE_OK;
}

// How much wider the wall is at a height, m.
static double widening(const can *c, double z)
{
    const double *X = lithe_rest(c->model), *x = lithe_position(c->state);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < lithe_nnode(c->model); i++)
        if (fabs(X[3 * i + 2] - z) < 1e-9 && hypot(X[3 * i], X[3 * i + 1]) > 0.5 * radius) {
            sum += hypot(x[3 * i], x[3 * i + 1]) - hypot(X[3 * i], X[3 * i + 1]);
            n++;
        }
    return sum / n;
}

// What the base carries, N.
static double reaction(const can *c)
{
    const body *b = &c->model->body[0];
    double sum = 0;
    for (int i = 0; i < body_nposition(b); i++)
        if (b->held[i] & LITHE_Z)
            sum += c->state->now.internal[3 * i + 2] - c->state->now.external[3 * i + 2];
    return sum;
}

static void stand(verify_table *table, int around, int high, bool judged)
{
    can c;
    double volume = NAN;
    bool good = fill(&c, around, high);
    if (good)
        lithe_effector_value(c.model, c.state, 0, &volume);
    else
        verify_broken(table, c.report.error);
    verify_mesh(table, "%d x %d squares of two shells", around, high);
    for (int k = 2; k <= 8; k += 2) {
        char quantity[64];
        double depth = height * (10 - k) / 10;
        snprintf(quantity, sizeof quantity, "pressure in Pa, %g mm deep", 1e3 * depth);
        // a thin wall: u = p R^2 / (E t)
        double found = good ? widening(&c, height - depth) * young * wall / (radius * radius) : NAN;
        verify_row(table, judged, quantity, found, density * g * depth, 0.01);
    }
    verify_row(table, judged, "force on the base over the liquid's weight",
               good ? reaction(&c) / (density * g * volume) : NAN, 1, 1e-6);
    lithe_state_free(c.state);
    lithe_model_free(c.model);
    lithe_mesh_free(c.mesh);
}

void verify_liquid(verify_table *table)
{
    verify_case(table, 30, "a can of liquid");
    stand(table, 24, 20, false);
    stand(table, 48, 40, true);
    verify_note(table,
                "A can of 40 x 100 mm with walls of 0.5 mm, closed by a lid at which the "
                "liquid has no pressure, stands on its base. The pressure at a depth is read "
                "from how much wider the wall is there, away from lid and base.");
}
