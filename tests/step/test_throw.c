// Nothing tunnels: a block and a rod are thrown at thin walls, several thicknesses in a step.
#include "lithe/lithe.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "bar.h"
#include "step/state.h"

static const double front = 0.03, thick = 0.002; // the wall begins at x = front
enum { STEPS = 6 };

typedef enum wall {
    WALL_PLANE,
    WALL_BOX,
    WALL_MESH,
    WALL_CAPSULE,
    WALL_CYLINDER,
    WALL_PIPE,   // from inside
    WALL_HOLLOW, // a hollow mesh, from inside
    WALL_BODY,   // another soft body
    NWALL
} wall;

static const char *const wall_name[NWALL] = {"plane",    "box",  "mesh",   "capsule",
                                             "cylinder", "pipe", "hollow", "body"};

typedef struct throw
{
    bar shape, plate;
    lithe_mesh *mesh, *plate_mesh, *wall_mesh;
    lithe_material_def material;
    lithe_body_def body[2];
    lithe_fix_def fix;
    lithe_rod_def rod;
    lithe_obstacle_def obstacle;
    lithe_pair_def pair;
    lithe_def def;
    lithe_report report;
    lithe_model *model;
    lithe_state *state;
}
throw;

static lithe_mesh *box_mesh(const double lower[3], const double upper[3])
{
    static const int quad[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    double x[24];
    int tri[36], n = 0;
    for (int i = 0; i < 24; i++)
        x[i] = i / 3 & 1 << i % 3 ? upper[i % 3] : lower[i % 3];
    for (int q = 0; q < 6; q++)
        for (int half = 0; half < 2; half++)
            for (int k = 0; k < 3; k++)
                tri[n++] = quad[q][k == 0 ? 0 : k + half];
    lithe_mesh *made = NULL;
    lithe_report report = lithe_report_default();
    assert_int_equal(lithe_mesh_create_surface(8, x, 12, tri, &made, &report), LITHE_OK);
    return made;
}

static lithe_obstacle_kind kind_of(wall w)
{
    static const lithe_obstacle_kind kind[NWALL] = {
        LITHE_OBSTACLE_PLANE,    LITHE_OBSTACLE_BOX,  LITHE_OBSTACLE_MESH, LITHE_OBSTACLE_CAPSULE,
        LITHE_OBSTACLE_CYLINDER, LITHE_OBSTACLE_PIPE, LITHE_OBSTACLE_MESH, LITHE_OBSTACLE_PLANE};
    return kind[w];
}

static void put_obstacle(throw *t, wall w)
{
    lithe_obstacle_def *o = &t->obstacle;
    *o = lithe_obstacle_def_default(kind_of(w));
    o->name = "wall";
    o->mesh_unit = 1;
    double centre = front + thick / 2;
    switch (w) {
    case WALL_PLANE:
        o->at[0] = front;
        memcpy(o->normal, (double[]){-1, 0, 0}, sizeof o->normal);
        break;
    case WALL_BOX:
        o->at[0] = centre;
        memcpy(o->size, (double[]){thick, 0.1, 0.1}, sizeof o->size);
        break;
    case WALL_MESH:
        o->mesh = t->wall_mesh =
            box_mesh((double[]){front, -0.051, -0.05}, (double[]){front + thick, 0.05, 0.052});
        break;
    case WALL_HOLLOW:
        o->hollow = true;
        o->mesh = t->wall_mesh =
            box_mesh((double[]){-0.051, -0.05, -0.052}, (double[]){front, 0.05, 0.052});
        break;
    case WALL_PIPE:
        o->radius = front;
        o->to[2] = 1;
        break;
    default:
        o->radius = thick / 2;
        o->at[0] = o->to[0] = centre;
        o->at[1] = -0.05;
        o->to[1] = 0.05;
    }
    t->def.nobstacle = 1;
    t->def.obstacle = o;
}

static void put_plate(throw *t)
{
    t->plate = bar_make(1, 4, 4, (double[]){front, -0.021, -0.022},
                        (double[]){front + thick, 0.021, 0.02});
    assert_int_equal(lithe_mesh_create(t->plate.nnode, t->plate.x, t->plate.ntet, t->plate.tet,
                                       &t->plate_mesh, &t->report),
                     LITHE_OK);
    t->body[1] = lithe_body_def_default();
    t->body[1].name = "plate";
    t->body[1].material = "rubber";
    t->body[1].mesh = t->plate_mesh;
    t->fix = lithe_fix_def_default();
    t->fix.where =
        (lithe_selection){.kind = LITHE_BOX, .a = {front + thick - 1e-6, -1, -1}, .b = {1, 1, 1}};
    t->body[1].fix = &t->fix;
    t->body[1].nfix = 1;
    t->def.nbody = 2;
    t->pair = lithe_pair_def_default();
    t->pair.body = "thrown";
    t->pair.with = "plate";
    t->def.contacts.pair = &t->pair;
    t->def.contacts.npair = 1;
}

static void throw_begin(throw *t, wall w, bool as_rod, lithe_mode mode, lithe_scheme scheme,
                        double way)
{
    static double point[6] = {0, -0.001, -0.017, 0, 0.001, 0.016};
    *t = (throw){.report = lithe_report_default(), .def = lithe_def_default()};
    t->material = lithe_material_def_default();
    t->material.name = "rubber";
    t->material.young = 1e6;
    t->material.poisson = 0.4;
    t->material.density = 1000;
    t->body[0] = lithe_body_def_default();
    t->body[0].name = "thrown";
    t->body[0].material = "rubber";
    t->body[0].velocity[0] = way / 0.01;
    if (as_rod) {
        t->rod = lithe_rod_def_default();
        t->rod.name = "rod";
        t->rod.npoint = 2;
        t->rod.point = point;
        t->rod.elements = 5;
        t->rod.size[0] = 1e-3;
        t->body[0].nrod = 1;
        t->body[0].rod = &t->rod;
    } else {
        t->shape =
            bar_make(3, 3, 3, (double[]){-0.01, -0.011, -0.009}, (double[]){0.01, 0.009, 0.011});
        assert_int_equal(lithe_mesh_create(t->shape.nnode, t->shape.x, t->shape.ntet, t->shape.tet,
                                           &t->mesh, &t->report),
                         LITHE_OK);
        t->body[0].mesh = t->mesh;
    }
    t->def.nmaterial = t->def.nbody = 1;
    t->def.material = &t->material;
    t->def.body = t->body;
    t->def.step.mode = mode;
    t->def.step.iterations = 1;
    t->def.step.dt = 0.01;
    t->def.dynamics.scheme = scheme;
    if (w == WALL_BODY)
        put_plate(t);
    else
        put_obstacle(t, w);
    lithe_status status = lithe_compile(&t->def, &t->model, &t->report);
    if (status != LITHE_OK)
        print_error("%s\n", t->report.error);
    assert_int_equal(status, LITHE_OK);
    assert_int_equal(lithe_state_create(t->model, 1, &t->state, &t->report), LITHE_OK);
}

static void throw_end(throw *t)
{
    lithe_state_free(t->state);
    lithe_model_free(t->model);
    lithe_mesh_free(t->mesh);
    lithe_mesh_free(t->plate_mesh);
    lithe_mesh_free(t->wall_mesh);
    bar_free(&t->shape);
    bar_free(&t->plate);
}

// Along x, where the front of the thrown body crosses the plane z = 0 of the post; what is wrapped
// round the post crosses it behind again.
static double reach_of(const throw *t, bool as_rod)
{
    const double *x = lithe_position(t->state);
    double least = 1;
    for (int i = 0; i < 5 && as_rod; i++) {
        const double *a = &x[3 * i], *b = a + 3;
        if (a[2] * b[2] <= 0)
            least = fmin(least, a[0] + (b[0] - a[0]) * a[2] / (a[2] - b[2]));
    }
    for (int j = 0; j < 3 && !as_rod; j++) {
        const double *a = &x[3 * bar_node(&t->shape, 3, j, 1)],
                     *b = &x[3 * bar_node(&t->shape, 3, j, 2)];
        if (a[2] * b[2] <= 0)
            least = fmin(least, a[0] + (b[0] - a[0]) * a[2] / (a[2] - b[2]));
    }
    return least < 1 ? least : -1;
}

// Farthest along x of the thrown body: all of it has to be in front of a wall, and the point that
// meets it in front of a post.
static double farthest(const throw *t, wall w, bool as_rod)
{
    const body *b = &t->model->body[0];
    double most = -1;
    if (w == WALL_CAPSULE || w == WALL_CYLINDER)
        return reach_of(t, as_rod);
    for (int i = 0; i < body_nposition(b); i++)
        most = fmax(most, lithe_position(t->state)[3 * i]);
    return most;
}

// Steps until it would have passed; walls hold it for longer.
static int steps_of(wall w, bool as_rod, double way)
{
    bool post = w == WALL_CAPSULE || w == WALL_CYLINDER;
    return post ? (int)ceil((front + thick - (as_rod ? 0 : 0.01)) / way) : STEPS;
}

static void check_throw(wall w, bool as_rod, lithe_mode mode, lithe_scheme scheme, double way)
{
    throw t;
    throw_begin(&t, w, as_rod, mode, scheme, way);
    double radius = as_rod ? 1e-3 : 0;
    for (int k = 0; k < steps_of(w, as_rod, way); k++) {
        lithe_status status = lithe_step(t.model, t.state);
        lithe_overlap o = lithe_last_overlap(t.model, t.state);
        double past = farthest(&t, w, as_rod) + radius - front;
        // a soft plate is pushed in, a block lies round a post
        bool post = w == WALL_CAPSULE || w == WALL_CYLINDER;
        double give = w == WALL_BODY || post ? 1e-3 : 0;
        give = post && way > 0.05 ? INFINITY : give; // in one step it may go round the post
        if (status != LITHE_OK || o.depth > o.allowed || past > o.allowed + give)
            print_error(
                "%s at %s, %s, scheme %d, %g mm a step, step %d: %g mm past, overlap %g mm: %s\n",
                as_rod ? "rod" : "block", wall_name[w],
                mode == LITHE_REALTIME ? "realtime" : "converged", (int)scheme, 1e3 * way, k,
                1e3 * past, 1e3 * o.depth, lithe_state_error(t.state));
        assert_int_equal(status, LITHE_OK);
        assert_true(o.depth <= o.allowed && past <= o.allowed + give);
    }
    throw_end(&t);
}

static void check_walls(bool as_rod, lithe_mode mode)
{
    static const double way[] = {0.013, 0.031, 0.09}; // 6, 15 and 45 thicknesses a step
    for (int w = 0; w < NWALL; w++)
        for (int k = mode == LITHE_CONVERGED; k < 3; k++)
            check_throw(w, as_rod, mode, k % 2 ? LITHE_ALPHA : LITHE_EULER, way[k]);
}

static void a_thrown_block_stays_before_every_wall_in_realtime_steps(void **unused)
{
    (void)unused;
    check_walls(false, LITHE_REALTIME);
}

static void a_thrown_block_stays_before_every_wall_in_converged_steps(void **unused)
{
    (void)unused;
    check_walls(false, LITHE_CONVERGED);
}

static void a_thrown_rod_stays_before_every_wall_in_realtime_steps(void **unused)
{
    (void)unused;
    check_walls(true, LITHE_REALTIME);
}

static void a_thrown_rod_stays_before_every_wall_in_converged_steps(void **unused)
{
    (void)unused;
    check_walls(true, LITHE_CONVERGED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thrown_block_stays_before_every_wall_in_realtime_steps),
        cmocka_unit_test(a_thrown_block_stays_before_every_wall_in_converged_steps),
        cmocka_unit_test(a_thrown_rod_stays_before_every_wall_in_realtime_steps),
        cmocka_unit_test(a_thrown_rod_stays_before_every_wall_in_converged_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
