// Case 3: a displacement is chosen, the body force that it needs is applied, and the error of what
// is solved must fall with a power of the element size.
#include "base/vec.h"
#include "element/solid_family.h"
#include "material/law.h"
#include "piece.h"
#include "verify.h"

#include <stdio.h>
#include <string.h>

static const double young = 1, poisson = 0.3, amplitude = 0.05;

static const verify_plot plot = {"manufactured", "Manufactured solution, corotational law",
                                 "cells along an edge", "L2 error of the displacement", NAN};

static void field(const double X[3], double u[3])
{
    u[0] = amplitude * sin(2 * X[0] + X[1]) * cos(X[2]);
    u[1] = amplitude * cos(X[0] - 2 * X[2]) * X[1];
    u[2] = amplitude * sin(X[0] * X[1] + 2 * X[2]);
}

static void field_gradient(const double X[3], double F[9])
{
    double a = 2 * X[0] + X[1], b = X[0] - 2 * X[2], c = X[0] * X[1] + 2 * X[2];
    double G[9] = {
        2 * cos(a) * cos(X[2]), cos(a) * cos(X[2]), -sin(a) * sin(X[2]), -sin(b) * X[1], cos(b),
        2 * sin(b) * X[1],      X[1] * cos(c),      X[0] * cos(c),       2 * cos(c)};
    for (int i = 0; i < 9; i++)
        F[i] = amplitude * G[i] + (i % 4 == 0);
}

// What the law is at a point: its numbers, and lambda where it acts on ln J, as in averaged
// tetrahedra.
typedef struct truth {
    law_kind law;
    double parameter[LAW_PARAMETERS], excess;
} truth;

static truth truth_of(const piece *p)
{
    law_material stuff;
    material_fit(&p->material, &stuff);
    truth t = {.law = stuff.law};
    solid_split(&stuff, p->body.element == LITHE_TET4_AVERAGED ? 0 : stuff.poisson, t.parameter,
                &t.excess);
    return t;
}

// By the law itself, whose derivatives and closed forms are cases 21 and 14; at eight points.
static void field_stress(const truth *t, int n, double (*const X)[3], double (*P)[9])
{
    double F[LANES][9];
    lanes wide[9], parameter[LAW_PARAMETERS];
    law_point point;
    for (int l = 0; l < LANES; l++) {
        field_gradient(X[l < n ? l : 0], F[l]);
        for (int i = 0; i < 9; i++)
            wide[i][l] = F[l][i];
    }
    for (int i = 0; i < LAW_PARAMETERS; i++)
        parameter[i] = lanes_set(t->parameter[i]);
    law_evaluate(t->law, wide, parameter, LAW_STRESS, &point);
    for (int l = 0; l < n; l++)
        for (int i = 0; i < 3; i++) {
            double cof[3], J = mat_det(F[l]);
            vec_cross(cof, &F[l][3 * ((i + 1) % 3)], &F[l][3 * ((i + 2) % 3)]);
            for (int j = 0; j < 3; j++)
                P[l][3 * i + j] = point.P[3 * i + j][l] + t->excess * log(J) / J * cof[j];
        }
}

// b = -Div P, by central differences of fourth order (error about 1e-11)
static void body_force(const truth *t, const double X[3], double b[3])
{
    static const double weight[4] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12},
                        way[4] = {-2, -1, 1, 2}, h = 1e-3;
    b[0] = b[1] = b[2] = 0;
    for (int axis = 0; axis < 3; axis++) {
        double at[4][3], P[4][9];
        for (int k = 0; k < 4; k++) {
            memcpy(at[k], X, sizeof at[k]);
            at[k][axis] += way[k] * h;
        }
        field_stress(t, 4, at, P);
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 3; i++)
                b[i] -= weight[k] / h * P[k][3 * i + axis];
    }
}

// Nodal loads that do the work of the body force.
static void apply_body_force(piece *p)
{
    truth t = truth_of(p);
    for (int e = 0; e < piece_ncell(p); e++)
        for (int q = 0, n = 1; q < n; q++) {
            piece_spot spot;
            double weight, f[3];
            n = piece_integrate(p, e, q, &spot, &weight);
            body_force(&t, spot.X, f);
            for (int a = 0; a < spot.nnode; a++)
                vec_axpy(&p->model->body[0].dead[3 * spot.node[a]], weight * spot.N[a], f);
        }
}

static double l2_error(const piece *p)
{
    double sum = 0;
    for (int e = 0; e < piece_ncell(p); e++)
        for (int q = 0, n = 1; q < n; q++) {
            piece_spot spot;
            double weight, off[3], exact[3];
            n = piece_integrate(p, e, q, &spot, &weight);
            field(spot.X, exact);
            for (int i = 0; i < 3; i++)
                off[i] = spot.x[i] - spot.X[i] - exact[i];
            sum += weight * vec_dot(off, off);
        }
    return sqrt(sum);
}

static double solve_cube(verify_table *table, lithe_element element, lithe_law law, int n)
{
    piece p;
    double error = NAN;
    piece_begin(&p, bar_make(n, n, n, (double[]){0, 0, 0}, (double[]){1, 1, 1}), young, poisson);
    p.body.element = element;
    p.material = piece_law(law, young, poisson, true);
    for (int k = 0; k < 6; k++) {
        double point[3] = {0}, normal[3] = {0};
        point[k / 2] = k % 2;
        normal[k / 2] = k % 2 ? 1 : -1;
        piece_hold(&p, point, normal, LITHE_XYZ);
    }
    bool good = piece_compile(&p);
    if (good) {
        piece_prescribe(&p, field);
        apply_body_force(&p);
    }
    if (good && piece_settle(&p))
        error = l2_error(&p);
    else
        verify_broken(table, p.report.error);
    piece_end(&p);
    return error;
}

// Meshes of one element and law; the order between the last two is judged.
static void refine(verify_table *table, lithe_element element, lithe_law law, int nsize,
                   const int *size)
{
    double coarse = 0, order = element == LITHE_TET10 ? 3 : 2;
    const char *name = piece_element_name(element);
    char quantity[96];
    for (int k = 0; k < nsize; k++) {
        double error = solve_cube(table, element, law, size[k]);
        verify_mesh(table, "%s, %d x %d x %d", name, size[k], size[k], size[k]);
        if (law == LITHE_COROTATIONAL) {
            verify_show(table, "L2 error of the displacement", error, 0);
            verify_point(table, &plot, name, size[k], error);
        }
        snprintf(quantity, sizeof quantity, "order of the L2 error, %s", piece_law_name(law));
        if (k + 1 == nsize)
            verify_gate(table, quantity, log(coarse / error) / log((double)size[k] / size[k - 1]),
                        order, 0.15 / order);
        coarse = error;
    }
}

void verify_manufactured(verify_table *table)
{
    static const int fine[] = {4, 8, 16}, middle[] = {2, 4, 8}, coarse[] = {4, 8};
    verify_case(table, 3, "manufactured solution");
    for (int i = 0; i < piece_nsolid; i++)
        for (int law = 0; law < PIECE_LAWS; law++) {
            bool quadratic = piece_solid[i] == LITHE_TET10;
            if (verify_limit && law > LITHE_NEO_HOOKEAN)
                continue; // quick: the law that is cheapest, and two that are not linear
            if (law == LITHE_COROTATIONAL)
                refine(table, piece_solid[i], (lithe_law)law, 3, quadratic ? middle : fine);
            else
                refine(table, piece_solid[i], (lithe_law)law, 2, coarse);
        }
    verify_note(table,
                "Displacement gradients up to 0.1, the full law; displacements given on the whole "
                "boundary of a unit cube. The gate is the order +- 0.15: 2 with linear tetrahedra "
                "and hexahedra, 3 with quadratic ones. In averaged tetrahedra lambda acts on ln J "
                "whatever the law, and so it does in the truth for them.");
}
