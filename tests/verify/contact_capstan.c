// A wire round a drum, pulled until all of it slides.
#include "verify.h"

#include "lithe/lithe.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

enum { LEG = 4, MOST_CORNERS = 80 };

typedef struct wire {
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body;
    lithe_rod_def rod;
    lithe_load_def load;
    lithe_actuator_def winch;
    lithe_obstacle_def drum;
    double point[3 * (MOST_CORNERS + 2)];
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} wire;

static const double drum_radius = 0.05, wire_radius = 0.25e-3, weight = 0.1; // m, m, N

// The point and the direction of a helix about z, in which windings lie side by side; `out` along
// its tangent.
static void helix(double angle, double out, double radius, double at[3], double along[3])
{
    double slope = 4 * wire_radius / (2 * pi * (drum_radius + wire_radius));
    double way[3] = {-sin(angle), cos(angle), slope}, length = sqrt(1 + slope * slope);
    at[0] = radius * cos(angle);
    at[1] = radius * sin(angle);
    at[2] = (drum_radius + wire_radius) * angle * slope;
    for (int i = 0; i < 3; i++) {
        along[i] = way[i] / length;
        at[i] += out * along[i];
    }
}

// Corners round the drum whose sides meet it in their middles, and a straight leg at each end.
static void wind(wire *w, double arc, int corners, double first[3], double last[3])
{
    double middle = drum_radius + wire_radius, rotation = arc / corners, along[3];
    double side = 2 * middle * tan(rotation / 2), out = (LEG - 0.5) * side;
    helix(0, -out, middle, w->point, first);
    for (int k = 0; k < corners; k++)
        helix((k + 0.5) * rotation, 0, middle / cos(rotation / 2), &w->point[3 * (1 + k)], along);
    helix(arc, out, middle, &w->point[3 * (1 + corners)], last);
    w->rod = lithe_rod_def_default();
    w->rod.name = "rod";
    w->rod.npoint = corners + 2;
    w->rod.point = w->point;
    w->rod.elements = corners - 1 + 2 * LEG;
    w->rod.section = LITHE_ROUND;
    w->rod.size[0] = wire_radius;
}

static void describe(wire *w, double mu, double arc, int corners)
{
    double first[3], last[3];
    memset(w, 0, sizeof *w);
    w->report = lithe_report_default();
    w->def = lithe_def_default();
    w->material = lithe_material_def_default();
    w->material.name = "thread";
    w->material.young = 2e8;
    w->material.poisson = 0.3;
    w->body = lithe_body_def_default();
    w->body.name = "wire";
    w->body.material = "thread";
    w->body.nrod = 1;
    w->body.rod = &w->rod;
    wind(w, arc, corners, first, last);
    w->load = lithe_load_def_default();
    w->load.name = "weight";
    w->load.body = "wire";
    w->winch = lithe_actuator_def_default(LITHE_SLIDER);
    w->winch.name = "winch";
    w->winch.body = "wire";
    w->winch.where.kind = LITHE_NEAREST;
    w->winch.command = LITHE_DISPLACEMENT;
    for (int i = 0; i < 3; i++) {
        w->load.at[i] = w->point[i];
        w->load.value[i] = -weight * first[i];
        w->winch.where.a[i] = w->point[3 * (corners + 1) + i];
        w->winch.direction[i] = last[i];
    }
    w->drum = lithe_obstacle_def_default(LITHE_OBSTACLE_CYLINDER);
    w->drum.name = "drum";
    w->drum.at[2] = -1;
    w->drum.to[2] = 1;
    w->drum.radius = drum_radius;
    w->drum.friction = mu;
    w->def.contacts.max = 2 * (corners + 2 * LEG);
    w->def.contacts.detection_distance = 3e-4;
    w->def.nmaterial = w->def.nbody = w->def.nload = w->def.nactuator = w->def.nobstacle = 1;
    w->def.material = &w->material;
    w->def.body = &w->body;
    w->def.load = &w->load;
    w->def.actuator = &w->winch;
    w->def.obstacle = &w->drum;
}

// Least share of its friction with which a contact that pushes holds the wire back.
static double least_use(const wire *w, double mu)
{
    double least = 1;
    for (int i = 0; i < lithe_ncontact(w->state); i++) {
        lithe_contact c;
        lithe_contact_get(w->model, w->state, i, &c);
        double back = (c.at[1] * c.friction[0] - c.at[0] * c.friction[1]) / hypot(c.at[0], c.at[1]);
        if (c.force > 1e-6 * weight)
            least = fmin(least, back / (mu * c.force));
    }
    return least;
}

// Pulls on until all of the wire slides.
static double pull(verify_table *table, wire *w, double mu)
{
    enum { PULLS = 40 };
    double tension = NAN;
    for (int k = 1; k <= PULLS; k++) {
        double travel = 5e-4 * k;
        lithe_command(w->model, w->state, 0, LITHE_DISPLACEMENT, &travel);
        if (lithe_step(w->model, w->state) != LITHE_OK) {
            verify_broken(table, lithe_state_error(w->state));
            return NAN;
        }
        lithe_effort(w->model, w->state, 0, &tension);
        if (least_use(w, mu) > 1 - 2e-3) // a little is across
            return tension;
    }
    verify_broken(table, "not all of the wire slides");
    return NAN;
}

static double ratio(verify_table *table, double mu, double arc, int corners)
{
    static wire w;
    double tension = NAN;
    describe(&w, mu, arc, corners);
    if (lithe_compile(&w.def, &w.model, &w.report) == LITHE_OK &&
        lithe_state_create(w.model, 1, &w.state, &w.report) == LITHE_OK)
        tension = pull(table, &w, mu);
    else
        verify_broken(table, w.report.error);
    lithe_state_free(w.state);
    lithe_model_free(w.model);
    return tension / weight;
}

void verify_capstan(verify_table *table)
{
    verify_case(table, 20, "capstan");
    verify_note(table,
                "A weight hangs at one end of a wire, a winch pulls at the other, in steps that "
                "end in equilibria, until every contact that presses slides; drum radius over "
                "wire thickness 100. The wire is at rest in its place round the drum, so that "
                "its stiffness against bending pulls nowhere. exp(mu phi) holds for a smooth "
                "curve; beams are straight, and touch the drum in their middles.");
    for (int corners = 12; corners <= (verify_limit ? 24 : 48); corners *= 2) {
        verify_mesh(table, "%d beams on half a turn", corners);
        verify_row(table, corners == 48, "tension ratio, mu 0.2 over pi",
                   ratio(table, 0.2, pi, corners), 1.87446, 0.01);
    }
    for (int corners = 18; corners <= (verify_limit ? 18 : 72); corners *= 2) {
        verify_mesh(table, "%d beams on a whole turn", corners);
        verify_row(table, corners == 72, "tension ratio, mu 0.3 over 2 pi",
                   ratio(table, 0.3, 2 * pi, corners), 6.58606, 0.01);
    }
}
