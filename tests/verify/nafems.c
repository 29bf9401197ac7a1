// Case 17: an elliptic membrane and a thick plate of the same outline [nafems1990].
#include "base/vec.h"
#include "piece.h"
#include "verify.h"

#include <math.h>

// Small loads, where everything is linear; results are scaled back.
static const double young = 210e9, poisson = 0.3, scale = 1e-3;

static const verify_plot plots[2] = {{"le1", "NAFEMS LE1, elliptic membrane", "degrees of freedom",
                                      "relative error of the stress", 0.03},
                                     {"le10", "NAFEMS LE10, thick plate", "degrees of freedom",
                                      "relative error of the stress", 0.03}};

// From the hole (s = 0) to the rim (s = 1), from the x axis (t = 0) to the y axis (t = 1); finer
// towards D.
static void outline(const double in[3], double out[3])
{
    double s = in[0] * (0.4 + 0.6 * in[0]), angle = M_PI_2 * in[1] * (0.5 + 0.5 * in[1]);
    out[0] = in[1] == 1 ? 0 : (2 + 1.25 * s) * cos(angle);
    out[1] = (1 + 1.75 * s) * sin(angle);
    out[2] = in[2];
}

// Every facet of the rim lies beyond a plane of its own.
static void pull_rim(piece *p, int around, double pressure)
{
    for (int j = 0; j < around; j++) {
        lithe_selection facet = {.kind = LITHE_PLANE};
        double end[2][3];
        for (int k = 0; k < 2; k++)
            outline((double[]){1, (double)(j + k) / around, 0}, end[k]);
        for (int i = 0; i < 3; i++)
            facet.a[i] = end[0][i];
        facet.b[0] = end[1][1] - end[0][1];
        facet.b[1] = end[0][0] - end[1][0];
        piece_pressure(p, facet, -pressure);
    }
}

static bool on_rim(const double in[3])
{
    return in[0] == 1;
}

static bool on_belt(const double in[3])
{
    return in[0] == 1 && in[2] == 0;
}

// The cell of the bar that an element is in, by the corner of it that comes first.
static int cell_of(const piece *p, int e)
{
    const bar *b = &p->shape;
    const int *node = &p->model->cell_node[p->model->cell_adr[e]];
    int ncorner = p->model->cell_adr[e + 1] - p->model->cell_adr[e] == 8 ? 8 : 4;
    int low[3] = {b->nx, b->ny, b->nz};
    for (int a = 0; a < ncorner; a++) {
        int at[3] = {node[a] % (b->nx + 1), node[a] / (b->nx + 1) % (b->ny + 1),
                     node[a] / (b->nx + 1) / (b->ny + 1)};
        for (int axis = 0; axis < 3; axis++)
            low[axis] = at[axis] < low[axis] ? at[axis] : low[axis];
    }
    return low[0] + b->nx * (low[1] + b->ny * low[2]);
}

// Mean stress along y and mean position of every cell of the bar, and the parabola nearest to those
// within three cells of D, at D: (s, t, u) = (0, 0, top).
static double stress_at_D(const piece *p)
{
    const bar *b = &p->shape;
    int ncell = b->nx * b->ny * b->nz, nterm = b->nz > 1 ? 10 : 6;
    piece_fit fit = {.nterm = nterm};
    for (int cell = 0; cell < ncell; cell++) {
        double at[3] = {0}, sum = 0, volume = 0;
        if (cell % b->nx >= 3 || cell / b->nx % b->ny >= 3 || cell / b->nx / b->ny < b->nz - 3)
            continue;
        for (int e = 0; e < piece_ncell(p); e++)
            for (int q = 0, n = cell_of(p, e) == cell; q < n; q++) {
                piece_spot spot;
                double weight, stress[9];
                n = piece_sample(p, e, q, &spot, &weight);
                piece_stress(p, &spot, stress);
                vec_axpy(at, weight, spot.X);
                sum += weight * stress[4];
                volume += weight;
            }
        vec_scale(at, 1 / volume);
        piece_fit_add(&fit, (double[]){at[0] - 2, at[1], at[2] - b->x[3 * b->nnode - 1]},
                      sum / volume);
    }
    return piece_fit_solve(&fit);
}

static void hold_group(piece *p, const char *name, int axes)
{
    lithe_fix_def *fix = &p->fix[p->body.nfix++];
    *fix = lithe_fix_def_default();
    fix->where.kind = LITHE_GROUP;
    fix->where.group = name;
    fix->axes = axes;
}

static void plate(verify_table *table, lithe_element element, int n, bool thick, bool judged)
{
    piece p;
    double height = thick ? 0.3 : 0.05, truth = thick ? -5.38 : 92.7, found = NAN;
    int up = thick ? n : 1, around = 2 * n;
    bar shape =
        bar_make(n, around, up, (double[]){0, 0, thick ? -height : 0}, (double[]){1, 1, height});
    piece_begin(&p, shape, young, poisson);
    p.body.element = element;
    p.curve = outline;
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){-1, 0, 0}, LITHE_X);
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){0, -1, 0}, LITHE_Y);
    if (thick) {
        p.group[0] = (piece_group){"rim", on_rim};
        p.group[1] = (piece_group){"belt", on_belt};
        hold_group(&p, "rim", LITHE_X | LITHE_Y);
        hold_group(&p, "belt", LITHE_Z);
        piece_pressure(&p,
                       (lithe_selection){.kind = LITHE_PLANE, .a = {0, 0, height}, .b = {0, 0, 1}},
                       1e6 * scale);
    } else {
        piece_hold(&p, (double[]){0, 0, 0}, (double[]){0, 0, -1}, LITHE_Z);
        pull_rim(&p, around, 10e6 * scale);
    }
    if (piece_compile(&p) && piece_settle(&p)) {
        found = stress_at_D(&p) / 1e6 / scale;
        verify_point(table, &plots[thick], piece_element_name(element), lithe_ndof(p.model),
                     found / truth - 1);
    } else {
        verify_broken(table, p.report.error);
    }
    piece_end(&p);
    verify_mesh(table, "%s, %d x %d x %d", piece_element_name(element), n, around, up);
    verify_row(table, judged, thick ? "LE10: stress at D, MPa" : "LE1: stress at D, MPa", found,
               truth, 0.03);
}

void verify_nafems(verify_table *table)
{
    verify_case(table, 17, "NAFEMS");
    for (int thick = 0; thick < 2; thick++) {
        for (int n = 4; n <= 16; n *= 2)
            plate(table, LITHE_TET4, n, thick, false);
        for (int n = 4; n <= (thick ? 8 : 16); n *= 2)
            plate(table, LITHE_TET10, n, thick, n == (thick ? 8 : 16));
        for (int n = 4; n <= 16; n *= 2)
            plate(table, LITHE_HEX8, n, thick, n == 16);
    }
    verify_note(table, "[nafems1990]: between the ellipses (x/2)^2 + y^2 = 1 and (x/3.25)^2 + "
                       "(y/2.75)^2 = 1, E 210 GPa, nu 0.3. LE1 is pulled by 10 MPa at its rim, in "
                       "plane stress (half the thickness, symmetric). LE10 is 0.6 m thick, its rim "
                       "held along x and y and at half height along z, with 1 MPa on top. The "
                       "stress along y at D = (2, 0), on top, is the value there of the parabola "
                       "nearest to the mean stress in the cells up to three from it.");
}
