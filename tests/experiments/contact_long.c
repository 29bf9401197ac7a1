// A soft block that is in contact for long: dropped on the floor, sliding and sticking on an
// incline, pinched by two fingers.
#include "../bar.h"
#include "experiments.h"
#include "step/state.h"

#include <math.h>
#include <string.h>

enum { STEPS = 10000, SETTLED = 2000 };

static const double g = 9.81, edge = 0.02;

typedef struct block {
    bar shape;
    lithe_mesh *mesh;
    lithe_material_def material;
    lithe_body_def body;
    lithe_obstacle_def obstacle[2];
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
} block;

static void block_begin(block *b)
{
    *b = (block){.report = lithe_report_default(), .def = lithe_def_default()};
    b->shape = bar_make(2, 2, 2, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.02});
    b->material = lithe_material_def_default();
    b->material.name = "silicone";
    b->material.young = 1e5;
    b->material.poisson = 0.45;
    b->material.density = 1000;
    b->body = lithe_body_def_default();
    b->body.name = "block";
    b->body.material = "silicone";
    b->def.nmaterial = b->def.nbody = 1;
    b->def.material = &b->material;
    b->def.body = &b->body;
    b->def.obstacle = b->obstacle;
    b->def.step.dt = 1e-3;
    b->def.dynamics.scheme = LITHE_ALPHA;
    b->def.dynamics.stiffness_damping = 1e-3;
}

static lithe_obstacle_def *block_obstacle(block *b, lithe_obstacle_kind kind, const char *name,
                                          double friction)
{
    lithe_obstacle_def *o = &b->obstacle[b->def.nobstacle++];
    *o = lithe_obstacle_def_default(kind);
    o->name = name;
    o->friction = friction;
    return o;
}

static bool block_compile(block *b, table *t)
{
    bool ok = lithe_mesh_create(b->shape.nnode, b->shape.x, b->shape.ntet, b->shape.tet, &b->mesh,
                                &b->report) == LITHE_OK;
    b->body.mesh = b->mesh;
    ok = ok && lithe_compile(&b->def, &b->model, &b->report) == LITHE_OK &&
         lithe_state_create(b->model, 1, &b->state, &b->report) == LITHE_OK;
    if (!ok)
        table_broken(t, "%s", b->report.error);
    return ok;
}

static void block_end(block *b)
{
    lithe_state_free(b->state);
    lithe_model_free(b->model);
    lithe_mesh_free(b->mesh);
    bar_free(&b->shape);
}

typedef struct course {
    double depth;    // deepest overlap at any time over the block's size
    double drift;    // farthest way of a node since it has settled, m
    double speed[2]; // along x when settled, and at the end, m/s
} course;

static double speed(const block *b)
{
    double sum = 0, mass = 0;
    const body *m = &b->model->body[0];
    for (int i = 0; i < m->nnode; i++) {
        sum += m->mass[i] * b->state->motion.velocity[3 * i];
        mass += m->mass[i];
    }
    return sum / mass;
}

static bool watch(block *b, table *t, course *out)
{
    static double settled[3 * 64];
    *out = (course){0};
    for (int k = 1; k <= STEPS; k++) {
        if (lithe_play(b->model, b->state, k * b->def.step.dt) != LITHE_OK ||
            lithe_step(b->model, b->state) != LITHE_OK) {
            table_broken(t, "step %d: %s", k, lithe_state_error(b->state));
            return false;
        }
        out->depth = fmax(out->depth, lithe_penetration(b->state) / b->model->size);
        if (k == SETTLED) {
            memcpy(settled, b->state->now.x, 3 * (size_t)b->model->nnode * sizeof *settled);
            out->speed[0] = speed(b);
        }
        for (int i = 0; i < 3 * b->model->nnode && k > SETTLED; i++)
            out->drift = fmax(out->drift, fabs(b->state->now.x[i] - settled[i]));
    }
    out->speed[1] = speed(b);
    return true;
}

static void tell(table *t, const char *what, const course *c)
{
    table_add(t, (finding){.quantity = text("%s: drift of a node from step 2000 to 10000", what),
                           .ours = text("%.1e of its edge", c->drift / edge),
                           .error = 1e9 * c->drift,
                           .gate = 1,
                           .unit = "nm"});
    table_add(t, (finding){.quantity = text("%s: deepest overlap at any time", what),
                           .expected = "at most 1e-6",
                           .ours = text("%.1e of its size", c->depth),
                           .error = c->depth / 1e-6,
                           .gate = 1,
                           .unit = "tolerances"});
}

static void drop(table *t)
{
    block b;
    course c;
    block_begin(&b);
    block_obstacle(&b, LITHE_OBSTACLE_PLANE, "floor", 0.5)->at[2] = -0.05;
    b.def.gravity[2] = -g;
    b.body.spin[1] = 3;
    if (block_compile(&b, t) && watch(&b, t, &c))
        tell(t, "dropped 50 mm, turning", &c);
    block_end(&b);
}

static void incline(table *t, double tangent)
{
    block b;
    course c;
    double mu = 0.3, angle = atan(tangent);
    block_begin(&b);
    block_obstacle(&b, LITHE_OBSTACLE_PLANE, "incline", mu);
    b.def.gravity[0] = g * sin(angle);
    b.def.gravity[2] = -g * cos(angle);
    bool ok = block_compile(&b, t) && watch(&b, t, &c);
    if (ok && tangent < mu)
        tell(t, "on an incline of tan 0.29, friction 0.3", &c);
    if (ok && tangent > mu) {
        double expected = g * (sin(angle) - mu * cos(angle));
        double rate = (c.speed[1] - c.speed[0]) / ((STEPS - SETTLED) * b.def.step.dt);
        table_add(t, (finding){.quantity = "on an incline of tan 0.35: acceleration over 8 s",
                               .expected = text("%.4f m/s^2", expected),
                               .ours = text("%.4f m/s^2", rate),
                               .error = 100 * fabs(rate / expected - 1),
                               .gate = 0.5,
                               .unit = "%"});
    }
    block_end(&b);
}

// Two flat fingers close on it and carry its weight by friction.
static void pinch(table *t)
{
    static const double time[1] = {0.05},
                        way[2][6] = {{0, 0, 0, 8e-4, 0, 0}, {0, 0, 0, -8e-4, 0, 0}};
    block b;
    course c;
    block_begin(&b);
    for (int side = 0; side < 2; side++) {
        lithe_obstacle_def *o =
            block_obstacle(&b, LITHE_OBSTACLE_PLANE, side ? "right" : "left", 0.8);
        memcpy(o->at, (double[]){side ? 0.0101 : -0.0101, 0, 0}, sizeof o->at);
        memcpy(o->normal, (double[]){side ? -1 : 1, 0, 0}, sizeof o->normal);
        o->nwaypoint = 1;
        o->waypoint_time = time;
        o->waypoint = way[side];
    }
    b.def.gravity[2] = -g;
    if (block_compile(&b, t) && watch(&b, t, &c)) {
        double carried = 0, weight = 1000 * edge * edge * edge * g;
        for (int i = 0; i < lithe_ncontact(b.state); i++) {
            lithe_contact k;
            lithe_contact_get(b.model, b.state, i, &k);
            carried += k.friction[2];
        }
        tell(t, "pinched by two fingers", &c);
        table_add(t, (finding){.quantity = "pinched by two fingers: weight that friction carries",
                               .expected = text("%.5f N", weight),
                               .ours = text("%.5f N", carried),
                               .error = 100 * fabs(carried / weight - 1),
                               .gate = 0.01,
                               .unit = "%"});
    }
    block_end(&b);
}

void experiment_contact_long(table *t)
{
    table_experiment(t, 'u', "touching for long");
    drop(t);
    if (!table_quick(t)) { // verification case 19 is quicker
        incline(t, 0.29);
        incline(t, 0.35);
    }
    pinch(t);
    table_note(t, "A block of 20 mm, generalized-alpha, 10,000 steps of 1 ms each.");
}
