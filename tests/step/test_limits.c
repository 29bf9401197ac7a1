// Limit points: past them a robot goes under a commanded displacement or volume, and under a force
// or pressure it is said that there is nothing, or that it has jumped.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "robot.h"

#include <stdlib.h>

// ## a balloon

enum { MOST_POINTS = 642, MOST_FACES = 1280 };

// A sphere of triangles: an icosahedron, each triangle cut into four, again and again.
typedef struct ball {
    int npoint, nface;
    double point[MOST_POINTS][3];
    int face[MOST_FACES][3];
} ball;

static int middle(ball *b, int i, int j)
{
    double at[3];
    for (int k = 0; k < 3; k++)
        at[k] = b->point[i][k] + b->point[j][k];
    double norm = sqrt(at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
    for (int k = 0; k < 3; k++)
        at[k] /= norm;
    for (int k = 0; k < b->npoint; k++)
        if (fabs(b->point[k][0] - at[0]) + fabs(b->point[k][1] - at[1]) +
                fabs(b->point[k][2] - at[2]) <
            1e-9)
            return k;
    memcpy(b->point[b->npoint], at, sizeof at);
    return b->npoint++;
}

static void cut_faces(ball *b)
{
    int n = b->nface;
    for (int f = 0; f < n; f++) {
        int *v = b->face[f], m[3];
        for (int k = 0; k < 3; k++)
            m[k] = middle(b, v[k], v[(k + 1) % 3]);
        for (int k = 0; k < 3; k++)
            memcpy(b->face[b->nface++], (int[]){v[k], m[k], m[(k + 2) % 3]}, sizeof b->face[0]);
        memcpy(v, m, sizeof m);
    }
}

static void make_ball(ball *b, int cuts)
{
    // an octahedron has its corners on the axes, where the balloon will be held
    static const double corner[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                        {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    memset(b, 0, sizeof *b);
    memcpy(b->point, corner, sizeof corner);
    b->npoint = 6;
    for (int f = 0; f < 8; f++) {
        int x = f & 1, y = 2 + (f >> 1 & 1), z = 4 + (f >> 2);
        memcpy(b->face[b->nface++], (int[]){x, y, z}, sizeof b->face[0]);
    }
    for (int k = 0; k < cuts; k++)
        cut_faces(b);
}

static int ascending(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// A wall of one layer: each prism becomes three tetrahedra, whose diagonals follow the numbers.
static lithe_mesh *make_wall(const ball *b, double inner, double outer, lithe_report *report)
{
    double *x = calloc(6 * (size_t)b->npoint, sizeof *x);
    int *tet = calloc(12 * (size_t)b->nface, sizeof *tet), n = b->npoint;
    lithe_mesh *wall = NULL;
    for (int i = 0; i < 3 * n; i++) {
        x[i] = inner * b->point[i / 3][i % 3];
        x[3 * n + i] = outer * b->point[i / 3][i % 3];
    }
    for (int f = 0; f < b->nface; f++) {
        int v[3];
        memcpy(v, b->face[f], sizeof v);
        qsort(v, 3, sizeof *v, ascending);
        int cut[12] = {v[0],     v[1],     v[2], v[2] + n, v[0],     v[1],
                       v[1] + n, v[2] + n, v[0], v[0] + n, v[1] + n, v[2] + n};
        memcpy(&tet[12 * f], cut, sizeof cut);
    }
    assert_int_equal(lithe_mesh_create(2 * n, x, 3 * b->nface, tet, &wall, report), LITHE_OK);
    free(x);
    free(tet);
    return wall;
}

static const double radius = 0.1, thin = 0.004; // m, in the middle of the wall

static void balloon(robot *r, int cuts)
{
    static lithe_fix_def hold[3];
    ball *b = malloc(sizeof *b);
    make_ball(b, cuts);
    robot_begin(r, false);
    lithe_mesh_free(r->mesh);
    r->mesh = make_wall(b, radius - thin / 2, radius + thin / 2, &r->report);
    free(b);
    const double at[3][3] = {{0, 0, -radius}, {0, 0, radius}, {radius, 0, 0}};
    const int axes[3] = {LITHE_XYZ, LITHE_X | LITHE_Y, LITHE_Y};
    for (int k = 0; k < 3; k++) { // no reaction where the balloon grows alike in all directions
        hold[k] = lithe_fix_def_default();
        hold[k].where.kind = LITHE_NEAREST;
        memcpy(hold[k].where.a, at[k], sizeof at[k]);
        hold[k].axes = axes[k];
    }
    r->body.mesh = r->mesh;
    r->body.element = LITHE_TET10;
    r->body.nfix = 3;
    r->body.fix = hold;
    r->body.nsurface = 0;
    r->material.law = LITHE_NEO_HOOKEAN;
    r->material.poisson = 0.49;
    r->tip_point.at[2] = radius;
    r->def.step.max_iteration = 15; // for speed: where there is nothing, none is found sooner
    add_cavity(r);
    robot_compile(r);
}

// Of a thin sphere of incompressible neo-Hookean rubber that has grown to `stretch`.
static double thin_pressure(double stretch)
{
    return 2 * thin / radius * 1e5 / 3 * (1 / stretch - pow(stretch, -7));
}

static void a_balloon_is_inflated_past_its_greatest_pressure_by_volume(void **unused)
{
    (void)unused;
    robot r;
    double rest = 4.18879 * pow(radius - thin / 2, 3), greatest = 0, where = 0, last = 0;
    balloon(&r, 2);
    for (double stretch = 1.2; stretch < 1.85; stretch += 0.1) {
        command(&r, 0, LITHE_DISPLACEMENT, rest * (pow(stretch, 3) - 1));
        settle(&r);
        assert_int_equal(lithe_last_residual(r.state).negative, 0);
        last = bar_effort(r.model, r.state, 0);
        if (last > greatest) {
            greatest = last;
            where = stretch;
        }
        assert_true(fabs(last / thin_pressure(stretch) - 1) < 0.08);
    }
    assert_true(fabs(where - 1.4) < 0.01); // 7^(1/6) = 1.383
    assert_true(last < 0.95 * greatest);
    robot_end(&r);
}

#ifdef __SANITIZE_ADDRESS__
enum { coarse = 1 }; // looking for what is not there takes long
#else
enum { coarse = 2 };
#endif

static void a_pressure_that_no_balloon_can_bear_is_refused_with_the_reason(void **unused)
{
    (void)unused;
    robot r;
    balloon(&r, coarse);
    command(&r, 0, LITHE_EFFORT, 0.9 * thin_pressure(1.383));
    settle(&r);
    assert_int_equal(lithe_last_residual(r.state).negative, 0);
    command(&r, 0, LITHE_EFFORT, 1.2 * thin_pressure(1.383));
    assert_int_equal(lithe_step(r.model, r.state), LITHE_NOT_CONVERGED);
    lithe_residual last = lithe_last_residual(r.state);
    assert_non_null(strstr(lithe_state_error(r.state), "limit point"));
    assert_true(last.load > 0.1 && last.load < 0.5 && last.force < 1e-8); // the maximum is at 1/3
    robot_end(&r);
}

// ## a shallow arch

static const double span = 0.1, rise = 0.006;

// Clamped at both ends; a force on its middle pushes it down.
static void arch(robot *r, lithe_law law)
{
    robot_begin(r, false);
    bar_free(&r->shape);
    lithe_mesh_free(r->mesh);
    r->shape = bar_make(1, 1, 20, (double[]){-0.001, -0.005, 0}, (double[]){0.001, 0.005, span});
    for (int i = 0; i < r->shape.nnode; i++) {
        double z = r->shape.x[3 * i + 2];
        r->shape.x[3 * i] += rise * 0.5 * (1 - cos(6.283185307 * z / span));
    }
    assert_int_equal(lithe_mesh_create(r->shape.nnode, r->shape.x, r->shape.ntet, r->shape.tet,
                                       &r->mesh, &r->report),
                     LITHE_OK);
    r->fix[1] = lithe_fix_def_default();
    r->fix[1].where =
        (lithe_selection){.kind = LITHE_BOX, .a = {-1, -1, span - 1e-6}, .b = {1, 1, 1}};
    r->body.mesh = r->mesh;
    r->body.element = LITHE_TET10;
    r->body.nfix = 2;
    r->body.nsurface = 0;
    r->material.law = law;
    r->material.poisson = 0.3;
    r->tip_point.at[0] = rise;
    r->tip_point.at[2] = span / 2;
    r->actuator[0] = lithe_actuator_def_default(LITHE_FORCE);
    r->actuator[0].name = "push";
    r->actuator[0].body = "bar";
    r->point[0][0] = (lithe_point_def){"bar", {rise, 0, span / 2}};
    r->actuator[0].npoint = 1;
    r->actuator[0].point = r->point[0];
    r->actuator[0].has_direction = true;
    r->actuator[0].direction[0] = -1;
    r->def.nactuator = 1;
    robot_compile(r);
}

// Pushes the middle down beyond its mirror image; gives the force on the way, one number a step.
static int push_through(robot *r, double *force)
{
    int n = 0;
    for (double down = 0; down < 2.3 * rise; down += rise / 8, n++) {
        command(r, 0, LITHE_DISPLACEMENT, down);
        settle(r);
        assert_int_equal(lithe_last_residual(r->state).negative, 0);
        force[n] = bar_effort(r->model, r->state, 0);
    }
    return n;
}

static int first_peak(const double *force)
{
    int k = 1;
    while (force[k + 1] > force[k])
        k++;
    return k;
}

static void an_arch_snaps_through_under_a_commanded_displacement(void **unused)
{
    (void)unused;
    for (lithe_law law = LITHE_COROTATIONAL; law <= LITHE_NEO_HOOKEAN; law++) {
        robot r;
        double force[32], least = INFINITY;
        arch(&r, law);
        int n = push_through(&r, force), top = first_peak(force);
        for (int k = top; k < n; k++)
            least = fmin(least, force[k]);
        assert_true(top < n / 2 && least < 0.2 * force[top] && force[n - 1] > 2 * force[top]);
        robot_end(&r);
    }
}

// A force above what the arch can bear has an equilibrium, on the other side: what the step gives
// must be that one, or nothing.
static void a_force_beyond_the_limit_ends_on_the_far_side_or_is_refused(void **unused)
{
    (void)unused;
    robot r;
    double force[32], down;
    arch(&r, LITHE_NEO_HOOKEAN);
    push_through(&r, force);
    double bears = force[first_peak(force)];
    lithe_state_reset(r.model, r.state);
    command(&r, 0, LITHE_EFFORT, 0.8 * bears);
    settle(&r);
    lithe_displacement(r.model, r.state, 0, &down);
    assert_true(down < 0.4 * rise);
    command(&r, 0, LITHE_EFFORT, 1.2 * bears);
    lithe_status status = lithe_step(r.model, r.state);
    lithe_residual last = lithe_last_residual(r.state);
    lithe_displacement(r.model, r.state, 0, &down);
    assert_true(last.force < 1e-8);
    if (status == LITHE_OK)
        assert_true(last.negative == 0 && down > rise);
    else
        assert_true(last.load < 0.8 && strstr(lithe_state_error(r.state), "limit point"));
    robot_end(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_balloon_is_inflated_past_its_greatest_pressure_by_volume),
        cmocka_unit_test(a_pressure_that_no_balloon_can_bear_is_refused_with_the_reason),
        cmocka_unit_test(an_arch_snaps_through_under_a_commanded_displacement),
        cmocka_unit_test(a_force_beyond_the_limit_ends_on_the_far_side_or_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
