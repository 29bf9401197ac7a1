// Cases 9 and 10: thick vessels under inner pressure, by symmetry an octant and a quarter.
#include "base/vec.h"
#include "piece.h"
#include "verify.h"

#include <math.h>

enum { LAYERS = 3 }; // next to the bore, from which its stress is extrapolated

// p = 0.01 keeps the strains near 1e-5, where the law is Hooke's; results are scaled to p = 1.
static const double inner = 1, outer = 2, young = 1000, poisson = 0.3, pressure = 0.01;

// Radii in geometric progression: elements keep their shape.
static double radius(int k, int n)
{
    return k == n ? outer : inner * pow(outer / inner, (double)k / n);
}

static int column(int n, int i, int j) // of row j of the triangle, whose rows shrink
{
    return j * (n + 1) - j * (j - 1) / 2 + i;
}

// A prism between two shells, cut so that neighbours agree: diagonals rise with the column's
// number.
static void cut_prism(bar *b, int a, int c, int d, int ncolumn, int layer)
{
    int order[3] = {a, c, d};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (order[j] > order[j + 1]) {
                int swap = order[j];
                order[j] = order[j + 1];
                order[j + 1] = swap;
            }
    for (int rise = 0; rise < 3; rise++) {
        int *tet = &b->tet[4 * b->ntet++];
        for (int k = 0; k < 4; k++)
            tet[k] = (layer + (k > rise)) * ncolumn + order[k > rise ? k - 1 : k];
    }
}

// An octant of a hollow sphere: the triangle x + y + z = 1 in n^2 triangles, blown up to n shells.
static bar octant(int n)
{
    int ncolumn = (n + 1) * (n + 2) / 2;
    bar b = {n, n, n, ncolumn * (n + 1), 0, NULL, NULL};
    b.x = malloc(3 * (size_t)b.nnode * sizeof *b.x);
    b.tet = malloc(12 * (size_t)(n * n * n) * sizeof *b.tet);
    for (int layer = 0; layer <= n; layer++)
        for (int j = 0; j <= n; j++)
            for (int i = 0; i + j <= n; i++) {
                double at[3] = {i, j, n - i - j},
                       *x = &b.x[3 * (layer * ncolumn + column(n, i, j))];
                for (int axis = 0; axis < 3; axis++)
                    x[axis] = at[axis] * radius(layer, n) / vec_norm(at);
            }
    for (int layer = 0; layer < n; layer++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i + j < n; i++) {
                int a = column(n, i, j), right = column(n, i + 1, j), up = column(n, i, j + 1);
                cut_prism(&b, a, right, up, ncolumn, layer);
                if (i + j + 1 < n)
                    cut_prism(&b, right, up, column(n, i + 1, j + 1), ncolumn, layer);
            }
    return b;
}

// A quarter of a slice of a hollow cylinder, n cells through the wall and 2 n around.
static bar quarter(int n)
{
    bar b = bar_make(n, 2 * n, 1, (double[]){0, 0, 0}, (double[]){n, 2 * n, 1.0 / n});
    for (int i = 0; i < b.nnode; i++) {
        double *x = &b.x[3 * i], r = radius((int)lround(x[0]), n);
        int around = (int)lround(x[1]);
        double angle = around * M_PI / 4 / n;
        x[0] = around == 2 * n ? 0 : r * cos(angle);
        x[1] = r * sin(angle);
    }
    return b;
}

static double mean_bore_displacement(const piece *p, bool sphere)
{
    const double *x = lithe_position(p->state), *X = lithe_rest(p->model);
    double sum = 0;
    int n = 0;
    for (int i = 0; i < lithe_nnode(p->model); i++) {
        double out[3] = {X[3 * i], X[3 * i + 1], sphere ? X[3 * i + 2] : 0}, u[3];
        if (vec_norm(out) > inner + 1e-9)
            continue;
        vec_sub(u, &x[3 * i], &X[3 * i]);
        sum += vec_dot(u, out) / vec_norm(out);
        n++;
    }
    return sum / n;
}

// Of one element, along the circumference.
static double hoop_stress(const piece *p, int e, bool sphere, double *at_radius)
{
    double out[3], stress[9], push[3];
    piece_centroid(p, e, out);
    out[2] = sphere ? out[2] : 0;
    *at_radius = vec_norm(out);
    for (int i = 0; i < 3; i++)
        out[i] /= *at_radius;
    piece_stress(p, e, stress);
    mat_apply(push, stress, out);
    double along = vec_dot(push, out), trace = stress[0] + stress[4] + stress[8];
    return sphere ? (trace - along) / 2 : trace - along - stress[8];
}

// Means over the three layers next to the bore, and the parabola through them at the bore.
static double bore_hoop_stress(const piece *p, int n, bool sphere)
{
    double stress[LAYERS] = {0}, at[LAYERS] = {0}, volume[LAYERS] = {0}, bore = 0;
    for (int e = 0; e < p->shape.ntet; e++) {
        int layer = sphere ? e / (3 * n * n) : e / 6 % n;
        if (layer >= LAYERS)
            continue;
        double r, hoop = hoop_stress(p, e, sphere, &r), share = piece_volume(p, e);
        stress[layer] += hoop * share;
        at[layer] += r * share;
        volume[layer] += share;
    }
    for (int i = 0; i < LAYERS; i++) {
        double weight = 1;
        for (int j = 0; j < LAYERS; j++)
            if (j != i)
                weight *= (inner - at[j] / volume[j]) / (at[i] / volume[i] - at[j] / volume[j]);
        bore += weight * stress[i] / volume[i];
    }
    return bore;
}

typedef struct vessel_truth {
    double displacement, hoop;
    double displacement_bound, hoop_bound;
} vessel_truth;

static void vessel(verify_table *table, int n, bool sphere, bool judged, const vessel_truth *truth)
{
    piece p;
    double u = NAN, hoop = NAN;
    // the sphere that the bore is inscribed in; no other boundary triangle has all corners in it
    lithe_selection bore = {.kind = LITHE_SPHERE, .radius = inner * (1 + 1e-9)};
    if (!sphere)
        bore.radius = sqrt(inner * inner + 1.0 / n / n) * (1 + 1e-9);
    piece_begin(&p, sphere ? octant(n) : quarter(n), young, poisson);
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
    if (piece_compile(&p) && piece_settle(&p)) {
        u = mean_bore_displacement(&p, sphere) / pressure;
        hoop = bore_hoop_stress(&p, n, sphere) / pressure;
    } else {
        verify_broken(table, p.report.error);
    }
    piece_end(&p);
    if (judged) {
        verify_bound(table, "u(a)", u, truth->displacement, 0.005, truth->displacement_bound);
        verify_bound(table, "hoop stress at a", hoop, truth->hoop, 0.02, truth->hoop_bound);
    } else {
        verify_show(table, "u(a)", u, truth->displacement);
        verify_show(table, "hoop stress at a", hoop, truth->hoop);
    }
}

static const char *const how =
    "pressure follows the bore and is so small that everything is linear; u(a) is the mean over "
    "the bore's nodes. Stress is constant in an element: the hoop stress at a is the value there "
    "of "
    "the parabola through the volume means of the three layers next to the bore.";

void verify_sphere(verify_table *table)
{
    static const int size[] = {4, 8, 16, 24};
    static const vessel_truth truth = {8.000e-4, 0.714286, 0.005, 0.02};
    verify_case(table, 9, "hollow sphere");
    for (int k = 0; k < 4; k++) {
        verify_mesh(table, "octant, %d layers of %d", size[k], size[k] * size[k]);
        vessel(table, size[k], true, k == 3, &truth);
    }
    verify_note(table, how);
}

void verify_cylinder(verify_table *table)
{
    static const int size[] = {4, 8, 16, 32};
    static const vessel_truth truth = {1.90667e-3, 1.66667, 0.005, 0.02};
    verify_case(table, 10, "hollow cylinder");
    for (int k = 0; k < 4; k++) {
        verify_mesh(table, "quarter, %d x %d x 1", size[k], 2 * size[k]);
        vessel(table, size[k], false, k == 3, &truth);
    }
    verify_note(table, how);
}
