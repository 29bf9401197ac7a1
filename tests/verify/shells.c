// Case 32: thin shells of the published benchmarks [macneal1985, sze2004].
#include "verify.h"

#include "lithe/lithe.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FIX = 4, MOST_LOAD = 32 };

// A patch of nx x ny squares of two triangles, from a map of the unit square.
typedef struct shell_case {
    int nx, ny;
    bool left_out;
    lithe_def def;
    lithe_material_def material;
    lithe_body_def body;
    lithe_shell_def shell;
    lithe_fix_def fix[MOST_FIX];
    lithe_load_def load[MOST_LOAD];
    char name[MOST_LOAD][8];
    lithe_mesh *mesh;
    lithe_model *model;
    lithe_state *state;
    lithe_report report;
} shell_case;

typedef void map_function(double u, double v, double x[3]);

static int node_of(const shell_case *s, int i, int j)
{
    return j * (s->nx + 1) + i;
}

// Squares are cut along the diagonals that run alternately, so that no direction is preferred.
static bool make_mesh(shell_case *s, map_function *map)
{
    int nnode = (s->nx + 1) * (s->ny + 1), ntri = 2 * s->nx * s->ny;
    double *x = malloc(3 * (size_t)nnode * sizeof *x);
    int *tri = malloc(3 * (size_t)ntri * sizeof *tri), *to = tri;
    for (int i = 0; i < nnode; i++)
        map((double)(i % (s->nx + 1)) / s->nx, (double)(i / (s->nx + 1)) / s->ny, x + 3 * i);
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            int a = node_of(s, i, j), b = node_of(s, i + 1, j), c = node_of(s, i + 1, j + 1),
                d = node_of(s, i, j + 1);
            const int cut[2][6] = {{a, b, c, a, c, d}, {a, b, d, b, c, d}};
            memcpy(to, cut[(i + j) % 2], sizeof cut[0]);
            to += 6;
        }
    bool good = lithe_mesh_create_surface(nnode, x, ntri, tri, &s->mesh, &s->report) == LITHE_OK;
    free(x);
    free(tri);
    return good;
}

static void begin(shell_case *s, int nx, int ny, double young, double poisson, double thickness,
                  map_function *map)
{
    memset(s, 0, sizeof *s);
    s->nx = nx;
    s->ny = ny;
    s->report = lithe_report_default();
    s->def = lithe_def_default();
    s->def.step.steps = 1;
    s->material = lithe_material_def_default();
    s->material.name = "m";
    s->material.young = young;
    s->material.poisson = poisson;
    s->body = lithe_body_def_default();
    s->body.name = "b";
    s->body.material = "m";
    s->shell = lithe_shell_def_default();
    s->shell.name = "wall";
    s->shell.thickness = thickness;
    s->body.nshell = 1;
    s->body.shell = &s->shell;
    s->body.fix = s->fix;
    s->def.nmaterial = s->def.nbody = 1;
    s->def.material = &s->material;
    s->def.body = &s->body;
    s->def.load = s->load;
    make_mesh(s, map);
    s->shell.mesh = s->mesh;
    s->left_out = verify_limit && 12 * (nx + 1) * (ny + 1) > verify_limit;
}

static const double everywhere = 1e9;

// Holds the nodes in a box.
static void hold(shell_case *s, const double a[3], const double b[3], int axes, int rotations)
{
    lithe_fix_def *f = &s->fix[s->body.nfix++];
    *f = lithe_fix_def_default();
    f->where.kind = LITHE_BOX;
    memcpy(f->where.a, a, sizeof f->where.a);
    memcpy(f->where.b, b, sizeof f->where.b);
    f->axes = axes;
    f->rotations = rotations;
}

// Those with x_axis = at.
static void hold_plane(shell_case *s, int axis, double at, int axes, int rotations)
{
    double a[3] = {-everywhere, -everywhere, -everywhere},
           b[3] = {everywhere, everywhere, everywhere};
    a[axis] = at - 1e-7;
    b[axis] = at + 1e-7;
    hold(s, a, b, axes, rotations);
}

static void push(shell_case *s, const double at[3], double fx, double fy, double fz)
{
    snprintf(s->name[s->def.nload], sizeof s->name[0], "p%d", s->def.nload);
    lithe_load_def *l = &s->load[s->def.nload];
    *l = lithe_load_def_default();
    l->name = s->name[s->def.nload++];
    l->body = "b";
    memcpy(l->at, at, sizeof l->at);
    l->value[0] = fx;
    l->value[1] = fy;
    l->value[2] = fz;
}

static bool solve(verify_table *table, shell_case *s)
{
    if (s->left_out) {
        verify_broken(table, VERIFY_LEFT_OUT);
        return false;
    }
    if (lithe_compile(&s->def, &s->model, &s->report) != LITHE_OK ||
        lithe_state_create(s->model, 1, &s->state, &s->report) != LITHE_OK) {
        verify_broken(table, s->report.error);
        return false;
    }
    if (lithe_step(s->model, s->state) == LITHE_OK)
        return true;
    verify_broken(table, lithe_state_error(s->state));
    return false;
}

// How far the node that lies at a position at rest has moved along an axis.
static double moved(const shell_case *s, const double at[3], int axis)
{
    const double *X = s->model ? lithe_rest(s->model) : NULL;
    int best = 0;
    double least = INFINITY;
    for (int i = 0; X && i < lithe_nnode(s->model); i++) {
        double off =
            fabs(X[3 * i] - at[0]) + fabs(X[3 * i + 1] - at[1]) + fabs(X[3 * i + 2] - at[2]);
        if (off < least) {
            least = off;
            best = i;
        }
    }
    return X ? lithe_position(s->state)[3 * best + axis] - X[3 * best + axis] : NAN;
}

static void end(shell_case *s)
{
    lithe_state_free(s->state);
    lithe_model_free(s->model);
    lithe_mesh_free(s->mesh);
}

// An even load on the nodes along v = 1, of a total force.
static void push_end(shell_case *s, map_function *map, double fx, double fy, double fz)
{
    for (int i = 0; i <= s->nx; i++) {
        double at[3], share = (i == 0 || i == s->nx ? 0.5 : 1.0) / s->nx;
        map((double)i / s->nx, 1, at);
        push(s, at, share * fx, share * fy, share * fz);
    }
}

// An octant, u around from the load, v from the middle to the diaphragm.
static void cylinder(double u, double v, double x[3])
{
    x[0] = 300 * cos(0.5 * M_PI * u);
    x[1] = 300 * sin(0.5 * M_PI * u);
    x[2] = 300 * v;
}

static void pinch_cylinder(verify_table *table, int n, bool judged)
{
    shell_case s;
    begin(&s, n, n, 3e6, 0.3, 3, cylinder);
    hold_plane(&s, 1, 0, LITHE_Y, LITHE_X | LITHE_Z);
    hold_plane(&s, 0, 0, LITHE_X, LITHE_Y | LITHE_Z);
    hold_plane(&s, 2, 0, LITHE_Z, LITHE_X | LITHE_Y);
    hold_plane(&s, 2, 300, LITHE_X | LITHE_Y, 0);
    push(&s, (double[]){300, 0, 0}, -0.25, 0, 0);
    double found = solve(table, &s) ? -moved(&s, s.load[0].at, 0) : NAN;
    verify_mesh(table, "%d x %d squares on an octant", n, n);
    verify_row(table, judged, "pinched cylinder, 1e-5", 1e5 * found, 1.8248, 0.01);
    end(&s);
}

// A quarter: u around from x to y, v from the equator to the hole of 18 degrees about z.
static void hemisphere(double u, double v, double x[3])
{
    double phi = 0.5 * M_PI * u, theta = 0.4 * M_PI * v;
    x[0] = 10 * cos(phi) * cos(theta);
    x[1] = 10 * sin(phi) * cos(theta);
    x[2] = 10 * sin(theta);
}

static void pinch_hemisphere(verify_table *table, int n, bool judged)
{
    shell_case s;
    const double P = 400;
    begin(&s, n, n, 6.825e7, 0.3, 0.04, hemisphere);
    hold_plane(&s, 1, 0, LITHE_Y, LITHE_X | LITHE_Z);
    hold_plane(&s, 0, 0, LITHE_X, LITHE_Y | LITHE_Z);
    hold(&s, (double[]){10 - 1e-7, -1e-7, -1e-7}, (double[]){10 + 1e-7, 1e-7, 1e-7}, LITHE_Z, 0);
    push(&s, (double[]){10, 0, 0}, 0.5 * P, 0, 0);
    push(&s, (double[]){0, 10, 0}, 0, -0.5 * P, 0);
    bool good = solve(table, &s);
    verify_mesh(table, "%d x %d squares on a quarter", n, n);
    verify_row(table, judged, "hemisphere, outwards at P 400",
               good ? moved(&s, s.load[0].at, 0) : NAN, 4.067, 0.02);
    verify_row(table, judged, "hemisphere, inwards at P 400",
               good ? -moved(&s, s.load[1].at, 1) : NAN, 8.178, 0.02);
    end(&s);
}

// A ring that is cut open, with a gap so small that it does not count; v goes round.
static void annulus(double u, double v, double x[3])
{
    double r = 6 + 4 * u, angle = (2 * M_PI - 1e-4) * v;
    x[0] = r * cos(angle);
    x[1] = r * sin(angle);
    x[2] = 0;
}

static void lift_annulus(verify_table *table, int nx, int ny, bool judged)
{
    shell_case s;
    begin(&s, nx, ny, 21e6, 0, 0.03, annulus);
    s.def.step.steps = 10;
    hold(&s, (double[]){5, -1e-7, -1}, (double[]){11, 1e-7, 1}, LITHE_XYZ, LITHE_XYZ);
    push_end(&s, annulus, 0, 0, 4 * 0.8);
    bool good = solve(table, &s);
    verify_mesh(table, "%d x %d squares", ny, nx);
    verify_row(table, judged, "slit annulus, inner corner at P 0.8",
               good ? moved(&s, s.load[0].at, 2) : NAN, 13.891, 0.01);
    verify_row(table, judged, "slit annulus, outer corner at P 0.8",
               good ? moved(&s, s.load[nx].at, 2) : NAN, 17.528, 0.01);
    end(&s);
}

// From flat in the plane of x and y to upright at the end.
static void strip(double u, double v, double x[3])
{
    double angle = 0.5 * M_PI * v;
    x[0] = 12 * v;
    x[1] = 1.1 * (u - 0.5) * cos(angle);
    x[2] = 1.1 * (u - 0.5) * sin(angle);
}

static void bend_strip(verify_table *table, int nx, int ny, bool judged)
{
    for (int across = 0; across < 2; across++) {
        shell_case s;
        begin(&s, nx, ny, 29e6, 0.22, 0.32, strip);
        hold_plane(&s, 0, 0, LITHE_XYZ, LITHE_XYZ);
        push_end(&s, strip, 0, across, 1 - across);
        bool good = solve(table, &s);
        verify_mesh(table, "%d x %d squares", ny, nx);
        verify_row(table, judged,
                   across ? "twisted strip, across, 1e-3" : "twisted strip, in its plane, 1e-3",
                   good ? 1e3 * moved(&s, s.load[nx / 2].at, across ? 1 : 2) : NAN,
                   across ? 1.754 : 5.424, 0.01);
        end(&s);
    }
}

void verify_shells(verify_table *table)
{
    verify_case(table, 32, "thin shells");
    for (int n = 8; n <= 32; n *= 2)
        pinch_cylinder(table, n, n == 32);
    for (int n = 8; n <= 24; n += 8)
        pinch_hemisphere(table, n, n == 24);
    for (int n = 5; n <= 10; n *= 2)
        lift_annulus(table, n, 8 * n, n == 10);
    for (int n = 2; n <= 8; n *= 2)
        bend_strip(table, n, 6 * n, n == 8);
    verify_note(
        table, "Cylinder and strip: [macneal1985], loads so small that they are linear. Hemisphere "
               "with a hole and slit annulus: [sze2004]. Squares are two triangles each, their "
               "diagonals alternate. Triangles measure strain against the curved surface that they "
               "stand for; were they taken as flat, the hemisphere would be 7.6 % off on 16 x 16 "
               "squares, and half as soft as it is under a small load on 8 x 8.");
}
