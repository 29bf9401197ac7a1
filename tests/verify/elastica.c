// Cases 7 and 25: bending by much.
#include "piece.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>

// A clamped beam along x with a force spread over its far end; displacement of that end's centre.
static bool bend(piece *p, double length, double height, double force, double tip[3])
{
    lithe_selection end = {.kind = LITHE_PLANE, .a = {length, 0, 0}, .b = {1, 0, 0}};
    piece_hold(p, (double[]){0, 0, 0}, (double[]){-1, 0, 0}, LITHE_XYZ);
    piece_traction(p, end, (double[]){0, 0, force});
    if (!piece_compile(p) || !piece_settle(p))
        return false;
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    int n = 0;
    double inner = height; // of the nodes at the end, how near to the middle they come
    tip[0] = tip[1] = tip[2] = 0;
    for (int i = 0; i < lithe_nnode(p->model); i++)
        if (X[3 * i] == length)
            inner = fmin(inner, fabs(X[3 * i + 2]));
    for (int i = 0; i < lithe_nnode(p->model); i++) {
        if (X[3 * i] != length || fabs(X[3 * i + 2]) > inner + 1e-9 * height)
            continue;
        for (int axis = 0; axis < 3; axis++)
            tip[axis] += x[3 * i + axis] - X[3 * i + axis];
        n++;
    }
    for (int axis = 0; axis < 3; axis++)
        tip[axis] /= n;
    return true;
}

static const verify_plot plot = {"elastica", "Elastica, P L^2/(E I) = 2", "degrees of freedom",
                                 "relative error of w/L", 0.01};

// One cell wide and held in its plane, which changes nothing without Poisson's effect.
// bound: NaN where the mesh is only shown.
static void elastica(verify_table *table, lithe_element element, int n, int load, double bound)
{
    static const double factor[4] = {1, 2, 5, 10}, w[4] = {.30172, .49346, .71379, .81061},
                        u[4] = {.05643, .16064, .38763, .55500};
    const double length = 50, height = 1, young = 1000, width = height / n;
    char name[2][64];
    piece p;
    double tip[3];
    bar shape = bar_make(50 * n, 1, n, (double[]){0, -width / 2, -height / 2},
                         (double[]){length, width / 2, height / 2});
    double force = factor[load] * young * width / 12 / (length * length); // h = 1
    piece_begin(&p, shape, young, 0);
    p.body.element = element;
    piece_hold(&p, (double[]){-1, 0, 0}, (double[]){1, 0, 0}, LITHE_Y);
    bool good = bend(&p, length, height, force, tip);
    if (!good) {
        tip[0] = tip[2] = NAN;
        verify_broken(table, p.report.error);
    }
    if (good && load == 1)
        verify_point(table, &plot, piece_element_name(element), lithe_ndof(p.model),
                     tip[2] / length / w[load] - 1);
    piece_end(&p);
    snprintf(name[0], sizeof name[0], "w/L at P L^2/(E I) = %g", factor[load]);
    snprintf(name[1], sizeof name[1], "u/L at P L^2/(E I) = %g", factor[load]);
    verify_mesh(table, "%s, %d x 1 x %d", piece_element_name(element), 50 * n, n);
    for (int k = 0; k < 2; k++) {
        double computed = k ? -tip[0] / length : tip[2] / length, expected = k ? u[load] : w[load];
        if (!isnan(bound))
            verify_bound(table, name[k], computed, expected, 0.01, bound);
        else
            verify_show(table, name[k], computed, expected);
    }
}

void verify_elastica(verify_table *table)
{
    static const double bound[4] = {0.025, 0.019, 0.01, 0.01};
    verify_case(table, 7, "elastica");
    for (int load = 0; load < 4; load++) {
        elastica(table, LITHE_TET4, 4, load, NAN);
        elastica(table, LITHE_TET4, 8, load, NAN);
        elastica(table, LITHE_TET4, 16, load, bound[load]);
        if (load == 1)
            elastica(table, LITHE_TET4, 32, load, 0.01);
        elastica(table, LITHE_TET10, 1, load, NAN);
        elastica(table, LITHE_TET10, 2, load, 0.01);
        elastica(table, LITHE_HEX8, 1, load, NAN);
        elastica(table, LITHE_HEX8, 2, load, 0.01);
    }
    verify_note(table, "The strip is one cell wide and held in its plane, so that refinement goes "
                       "into the height; nu is 0, which makes that the same problem. The load "
                       "keeps its direction and is spread over the end face. Linear tetrahedra "
                       "need about 32 cells through the height for what the gate asks; quadratic "
                       "ones and hexahedra two.");
}

void verify_gravity(verify_table *table)
{
    static const double expected[3] = {11.1138964, -71.1166475, 184.4882614};
    static const char *const name[3] = {"x of the tip, mm", "y of the tip, mm", "z of the tip, mm"};
    piece p;
    verify_case(table, 25, "cantilever under its weight, St Venant-Kirchhoff");
    verify_mesh(table, "4 x 4 x 40 cells");
    piece_begin(&p, bar_make(4, 4, 40, (double[]){-0.01, -0.01, 0}, (double[]){0.01, 0.01, 0.2}),
                450e3, 0.45);
    p.material.law = LITHE_ST_VENANT_KIRCHHOFF;
    piece_hold(&p, (double[]){0, 0, 0}, (double[]){0, 0, -1}, LITHE_XYZ);
    bool good = piece_compile(&p);
    for (int i = 0; good && i < p.shape.nnode; i++)
        p.model->body[0].dead[3 * i + 1] = -0.08 * 9.81 / p.shape.nnode;
    good = good && piece_settle(&p);
    if (!good)
        verify_broken(table, p.report.error);
    int tip = bar_node(&p.shape, 2, 2, 40);
    for (int i = 0; i < 3; i++)
        verify_gate(table, name[i], good ? 1e3 * lithe_position(p.state)[3 * tip + i] : NAN,
                    expected[i], 1e-8);
    piece_end(&p);
}
