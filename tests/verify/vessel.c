// Cases 9 and 10: thick vessels under inner pressure, by symmetry an octant and a quarter.
#include "vessel.h"
#include "base/vec.h"
#include "piece.h"
#include "verify.h"

#include <math.h>

enum { LAYERS = 3 }; // next to the bore, from which its stress is extrapolated

// p = 0.01 keeps the strains near 1e-5, where the law is Hooke's; results are scaled to p = 1.
static const double young = 1000, poisson = 0.3, pressure = 0.01;

static const verify_plot sphere_plot = {"sphere", "Hollow sphere under pressure",
                                        "degrees of freedom", "relative error of u(a)", 0.005},
                         cylinder_plot = {"cylinder", "Hollow cylinder under pressure",
                                          "degrees of freedom", "relative error of u(a)", 0.005};

// Of the bore: how far its nodes have moved outwards, and how many there are.
static double mean_bore_displacement(const piece *p, bool sphere)
{
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < lithe_nnode(p->model); i++) {
        double out[3] = {X[3 * i], X[3 * i + 1], sphere ? X[3 * i + 2] : 0}, u[3];
        if (vec_norm(out) > 1 + 1e-9)
            continue;
        vec_sub(u, &x[3 * i], &X[3 * i]);
        sum += vec_dot(u, out) / vec_norm(out);
        n++;
    }
    return sum / n;
}

// At a point in an element, along the circumference.
static double hoop_stress(const piece *p, const piece_spot *spot, bool sphere, double *at_radius)
{
    double out[3] = {spot->X[0], spot->X[1], sphere ? spot->X[2] : 0}, stress[9], push[3];
    *at_radius = vec_norm(out);
    vec_scale(out, 1 / *at_radius);
    piece_stress(p, spot, stress);
    mat_apply(push, stress, out);
    double along = vec_dot(push, out), trace = stress[0] + stress[4] + stress[8];
    return sphere ? (trace - along) / 2 : trace - along - stress[8];
}

// Means over the layers next to the bore, and the parabola through them at the bore.
static double bore_hoop_stress(const piece *p, vessel v, bool sphere)
{
    double stress[LAYERS] = {0}, at[LAYERS] = {0}, volume[LAYERS] = {0}, bore = 0;
    for (int e = 0; e < piece_ncell(p); e++)
        for (int q = 0, n = 1; q < n; q++) {
            piece_spot spot;
            double weight, r;
            n = piece_sample(p, e, q, &spot, &weight);
            double hoop = hoop_stress(p, &spot, sphere, &r);
            int layer = (int)(v.layer * log(r) / log(v.outer));
            if (layer >= LAYERS)
                continue;
            stress[layer] += hoop * weight;
            at[layer] += r * weight;
            volume[layer] += weight;
        }
    for (int i = 0; i < LAYERS; i++) {
        double weight = 1;
        for (int j = 0; j < LAYERS; j++)
            if (j != i)
                weight *= (1 - at[j] / volume[j]) / (at[i] / volume[i] - at[j] / volume[j]);
        bore += weight * stress[i] / volume[i];
    }
    return bore;
}

static void inflate(verify_table *table, lithe_element element, int n, bool sphere, bool judged)
{
    piece p;
    double u = NAN, hoop = NAN, u_truth = sphere ? 8.000e-4 : 1.90667e-3,
           hoop_truth = sphere ? 0.714286 : 1.66667;
    lithe_selection bore = {.kind = LITHE_SPHERE, .radius = 1 + 1e-9};
    vessel v = {.outer = 2, .layer = n, .around = sphere ? n : 2 * n};
    bool made = sphere ? vessel_sphere(&p, element, v) : vessel_cylinder(&p, element, v);
    if (!sphere) // no other boundary triangle has all corners in it
        bore.radius = hypot(1, vessel_height(v)) * (1 + 1e-9);
    p.material = piece_law(LITHE_COROTATIONAL, young, poisson, false);
    for (int axis = 0; axis < 3; axis++) {
        double normal[3] = {0}, point[3] = {0};
        normal[axis] = -1;
        if (!sphere && axis == 2) {
            normal[axis] = 1; // plane strain: the whole slice
            point[axis] = -1;
        }
        piece_hold(&p, point, normal, 1 << axis);
    }
    piece_pressure(&p, bore, pressure);
    if (made && piece_compile(&p) && piece_settle(&p)) {
        u = mean_bore_displacement(&p, sphere) / pressure;
        hoop = bore_hoop_stress(&p, v, sphere) / pressure;
        verify_point(table, sphere ? &sphere_plot : &cylinder_plot, piece_element_name(element),
                     lithe_ndof(p.model), u / u_truth - 1);
    } else {
        verify_broken(table, p.report.error);
    }
    piece_end(&p);
    verify_mesh(table, sphere ? "%s, octant, %d layers" : "%s, quarter, %d layers",
                piece_element_name(element), n);
    verify_row(table, judged, "u(a)", u, u_truth, 0.005);
    verify_row(table, judged, "hoop stress at a", hoop, hoop_truth, 0.02);
}

static const char *const how =
    "Pressure follows the bore and is so small that everything is linear; u(a) is the mean over "
    "the bore's nodes. The hoop stress at a is the value there of the parabola through the volume "
    "means of the three layers next to the bore.";

void verify_sphere(verify_table *table)
{
    static const int size[4][4] = {{4, 8, 16, 24}, {4, 8, 16, 24}, {3, 4, 6, 8}, {4, 8, 12, 16}};
    verify_case(table, 9, "hollow sphere");
    for (int i = 0; i < piece_nsolid; i++)
        for (int k = 0; k < 4; k++)
            inflate(table, piece_solid[i], size[i][k], true, k == 3);
    verify_note(table, how);
}

void verify_cylinder(verify_table *table)
{
    static const int size[4][4] = {{4, 8, 16, 32}, {4, 8, 16, 32}, {3, 6, 12, 24}, {4, 8, 16, 32}};
    verify_case(table, 10, "hollow cylinder");
    for (int i = 0; i < piece_nsolid; i++)
        for (int k = 0; k < 4; k++)
            inflate(table, piece_solid[i], size[i][k], false, k == 3);
    verify_note(table, how);
}
