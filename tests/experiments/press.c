// A ball pressed into a soft beam: by points, and by volume with a few rows.
#include "experiments.h"
#include "rig.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pressing {
    int rows;       // that press
    double z;       // under the ball, m
    double force;   // of the ball, N
    double depth;   // deepest overlap at the end, m
    int iterations; // of Newton's method, all steps
    double time;    // of condensing and solving, a pass, s
    int nnode;
    double *x; // (nnode x 3) m
} pressing;

static bool run_press(table *t, const char *by, pressing *out)
{
    enum { STEPS = 10 };
    rig r;
    double force[3];
    *out = (pressing){0};
    if (!rig_open(&r, t, "tests/experiments/press.yaml",
                  text("contacts.pairs.0={body: beam, with: ball, %s}", by), (const char *)NULL))
        return false;
    bool done = true;
    for (int k = 1; k <= STEPS && done; k++) {
        lithe_play(r.model, r.state, 0.1 * k);
        done = rig_step(&r);
        lithe_phase_time spent = lithe_last_phase_time(r.state);
        out->time += spent.condense + spent.solve;
        out->iterations += lithe_last_residual(r.state).iteration;
    }
    for (int i = 0; i < lithe_ncontact(r.state); i++) {
        lithe_contact c;
        lithe_contact_get(r.model, r.state, i, &c);
        out->rows += c.force > 0;
    }
    rig_measure(&r, "below", &out->z);
    lithe_pair_force(r.model, r.state, 0, force);
    out->force = -force[2];
    out->depth = lithe_penetration(r.state);
    out->time /= out->iterations;
    out->nnode = lithe_nnode(r.model);
    size_t n = 3 * (size_t)out->nnode;
    out->x = malloc(n * sizeof *out->x);
    if (out->x)
        memcpy(out->x, lithe_position(r.state), n * sizeof *out->x);
    rig_close(&r);
    return done && out->x;
}

static double farthest(int nnode, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < nnode; i++)
        most = fmax(most, distance3(&a[3 * i], &b[3 * i]));
    return most;
}

static void compare(table *t, const pressing *points, const pressing *volume)
{
    table_add(t, (finding){.quantity = "by points: rows that press",
                           .paper = "15",
                           .ours = text("%d, %d iterations in 10 steps, overlap %.1e mm",
                                        points->rows, points->iterations, 1e3 * points->depth),
                           .error = 1e3 * points->depth,
                           .gate = 1e-4,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "by volume: rows that press",
                           .paper = "4",
                           .ours = text("%d, %d iterations in 10 steps", volume->rows,
                                        volume->iterations),
                           .error = volume->rows,
                           .gate = 4,
                           .unit = "rows"});
    // that of the whole surfaces, which is more than what patches know of
    table_add(t, (finding){.quantity = "by volume: deepest overlap",
                           .error = 1e3 * volume->depth,
                           .gate = 0.15,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "way of the beam's lower side",
                           .paper = "same deformation",
                           .expected = text("%.3f mm", 1e3 * points->z),
                           .ours = text("%.3f mm", 1e3 * volume->z),
                           .error = 100 * fabs(volume->z / points->z - 1),
                           .gate = 1,
                           .unit = "%"});
    table_add(t, (finding){.quantity = "force on the ball",
                           .expected = text("%.4f N", points->force),
                           .ours = text("%.4f N", volume->force),
                           .error = 100 * fabs(volume->force / points->force - 1),
                           .gate = 1,
                           .unit = "%"});
    table_add(t, (finding){.quantity = "node that differs most",
                           .error = 1e3 * farthest(points->nnode, points->x, volume->x),
                           .gate = 0.5,
                           .unit = "mm"});
    table_add(t, (finding){.quantity = "time to condense and solve, a pass",
                           .ours = text("%.3f ms by points, %.3f ms by volume", 1e3 * points->time,
                                        1e3 * volume->time),
                           .error = volume->time / points->time,
                           .gate = 1,
                           .unit = "of it"});
}

void experiment_press(table *t)
{
    pressing points = {0}, volume = {0};
    table_experiment(t, 'x', "press");
    table_note(t, "coevoet2019, section 4.5.1, figure 4.9 and table 4.1, where a sphere presses "
                  "into a soft beam of 434 surface nodes with 15 contacts by points and 4 by "
                  "volume. Here a ball of radius 40 mm is pressed 12 mm deep into a beam of 100 x "
                  "30 x 20 mm that is held at both ends, of 450 surface nodes, in ten converged "
                  "steps (tests/experiments/press.yaml). By volume an overlap of about a tenth of "
                  "the alarm distance of 0.5 mm is meant to be; patches have a radius of 10 mm.");
    if (run_press(t, "by: points", &points) && run_press(t, "by: volume, patch: 10", &volume))
        compare(t, &points, &volume);
    free(points.x);
    free(volume.x);
}
