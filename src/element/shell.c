#include "element/shell.h"

#include "base/vec.h"
#include "element/tolerances.h"

#include <string.h>

extern const element_kind shell_kind_portable;
extern const element_kind shell_kind_avx2;
extern const element_kind shell_kind_avx512;

const element_kind *shell_kind(int variant)
{
    if (!element_has_variant(variant))
        return NULL;
#ifdef LITHE_X86
    if (variant > 0)
        return variant == 2 ? &shell_kind_avx512 : &shell_kind_avx2;
#endif
    return &shell_kind_portable;
}

// A triangle in its own plane.
typedef struct flat {
    double axes[9]; // columns
    double x[3], y[3];
    double area;
    double dx[3], dy[3]; // gradients of the linear shape functions
} flat;

static bool flatten(const double *const X[3], flat *t)
{
    double e[3][3], other[3];
    vec_sub(e[0], X[1], X[0]);
    vec_sub(other, X[2], X[0]);
    vec_cross(e[2], e[0], other);
    double length = vec_norm(e[0]), twice = vec_norm(e[2]);
    if (!(twice > SHELL_FLAT * length * vec_norm(other)))
        return false;
    for (int i = 0; i < 3; i++) {
        e[0][i] /= length;
        e[2][i] /= twice;
    }
    vec_cross(e[1], e[2], e[0]);
    for (int i = 0; i < 9; i++)
        t->axes[i] = e[i % 3][i / 3];
    for (int a = 0; a < 3; a++) {
        double arm[3];
        vec_sub(arm, X[a], X[0]);
        t->x[a] = vec_dot(arm, e[0]);
        t->y[a] = vec_dot(arm, e[1]);
    }
    t->area = 0.5 * twice;
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        t->dx[a] = (t->y[b] - t->y[c]) / twice;
        t->dy[a] = (t->x[c] - t->x[b]) / twice;
    }
    return true;
}

// K += weight B' D B, with B (3 x 6) and D (3 x 3) symmetric
static void add_form(double K[SHELL_UPPER], double weight, double B[3][6], const double D[9])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < 9; k++)
                K[element_pair(i, j)] += weight * B[k / 3][i] * D[k] * B[k % 3][j];
}

static void plane_stress(double young, double poisson, double D[9])
{
    double d = young / (1 - poisson * poisson);
    double plane[9] = {d, d * poisson, 0, d * poisson, d, 0, 0, 0, 0.5 * d * (1 - poisson)};
    memcpy(D, plane, sizeof plane);
}

// Mean strain: that of the corners' displacements, and what drilling angles add along the sides,
// which bend by 3/2 of them [felippa2003, eq. 14].
static void add_basic(const flat *t, const double D[9], double thickness, double K[SHELL_UPPER])
{
    const double half = 0.5 * 1.5; // alpha_b / 2
    double B[3][6] = {{1}, {0, 1}, {0, 0, 1}};
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3, c = (a + 2) % 3;
        double xab = t->x[a] - t->x[b], yab = t->y[a] - t->y[b];
        double xca = t->x[c] - t->x[a], yca = t->y[c] - t->y[a];
        double xcb = t->x[c] - t->x[b], ybc = t->y[b] - t->y[c];
        B[0][3 + a] = half / 6 * ybc * (-yca - -yab) / t->area;
        B[1][3 + a] = half / 6 * xcb * (xca - xab) / t->area;
        B[2][3 + a] = half / 3 * (xca * -yca - xab * -yab) / t->area;
    }
    add_form(K, t->area * thickness, B, D);
}

// Strain along the sides to strain in the axes' components [felippa2003, eq. 21].
static void side_strains(const flat *t, const double length2[3], double T[9])
{
    double scale = 1 / (4 * t->area * t->area);
    for (int s = 0; s < 3; s++) { // sides 21, 32, 13
        int i = s, j = (s + 1) % 3, k = (s + 2) % 3;
        double yjk = t->y[j] - t->y[k], yik = t->y[i] - t->y[k];
        double xjk = t->x[j] - t->x[k], xik = t->x[i] - t->x[k];
        T[s] = scale * yjk * yik * length2[s];
        T[3 + s] = scale * xjk * xik * length2[s];
        T[6 + s] = scale * (yjk * -xik - xjk * yik) * length2[s];
    }
}

// Deviations of the drilling angles from their mean rotation bend the triangle in its plane
// [felippa2003, section 3.5], with the parameters of its optimal element.
static void add_drilling(const flat *t, const double D[9], double thickness, double poisson,
                         double K[SHELL_UPPER])
{
    static const double beta[3][9] = {{1, 2, 1, 0, 1, -1, -1, -1, -2},
                                      {-2, -1, -1, 1, 1, 2, -1, 0, 1},
                                      {1, -1, 0, -1, -2, -1, 2, 1, 1}};
    double share = 0.75 * fmax(0.5 * (1 - 4 * poisson * poisson), 0.01);
    double length2[3], T[9], corner[3][9];
    for (int s = 0; s < 3; s++) {
        double x = t->x[(s + 1) % 3] - t->x[s], y = t->y[(s + 1) % 3] - t->y[s];
        length2[s] = x * x + y * y;
    }
    side_strains(t, length2, T);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 9; i++)
            corner[k][i] = 2 * t->area / 3 * beta[k][i] / length2[i / 3];
    for (int k = 0; k < 3; k++) { // at the middle of each side
        double B[3][6] = {{0}};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                for (int m = 0; m < 3; m++)
                    B[i][3 + j] += 0.5 * T[3 * i + m] *
                                   (corner[k][3 * m + j] + corner[(k + 1) % 3][3 * m + j]);
        add_form(K, share * t->area * thickness, B, D);
    }
}

// Tilts of the normal vary quadratically. At the middle of a side the one along it follows from a
// cubic deflection that is 0 at both ends, -1/4 of the ends' sum; the one across it is their mean
// [batoz1980].
static void add_bending(const flat *t, const double D[9], double thickness, double K[SHELL_UPPER])
{
    double middle[3][4]; // (I/2 - 3/4 tau tau') of the side opposite to each corner
    for (int s = 0; s < 3; s++) {
        double x = t->x[(s + 2) % 3] - t->x[(s + 1) % 3], y = t->y[(s + 2) % 3] - t->y[(s + 1) % 3];
        double l2 = x * x + y * y;
        double m[4] = {0.5 - 0.75 * x * x / l2, -0.75 * x * y / l2, -0.75 * x * y / l2,
                       0.5 - 0.75 * y * y / l2};
        memcpy(middle[s], m, sizeof m);
    }
    for (int g = 0; g < 3; g++) { // middles of the sides: exact for a product of linear functions
        double L[3] = {0.5, 0.5, 0.5}, B[3][6] = {{0}};
        L[g] = 0;
        for (int a = 0; a < 3; a++) {
            // gradient of all that goes with corner a's tilts: its own function and its two sides'
            double own = 4 * L[a] - 1, N[2][4] = {{0}};
            for (int m = 0; m < 4; m++)
                for (int s = 1; s < 3; s++) {
                    int b = (a + s) % 3, side = (a + 3 - s) % 3;
                    N[0][m] += 4 * (L[a] * t->dx[b] + L[b] * t->dx[a]) * middle[side][m];
                    N[1][m] += 4 * (L[a] * t->dy[b] + L[b] * t->dy[a]) * middle[side][m];
                }
            for (int m = 0; m < 4; m += 3) {
                N[0][m] += own * t->dx[a];
                N[1][m] += own * t->dy[a];
            }
            for (int k = 0; k < 2; k++) { // tilt along axis k of corner a
                B[0][2 * a + k] = N[0][k];
                B[1][2 * a + k] = N[1][2 + k];
                B[2][2 * a + k] = N[1][k] + N[0][2 + k];
            }
        }
        add_form(K, t->area / 3 * thickness * thickness * thickness / 12, B, D);
    }
}

// Sides, and how the surface's normals at the corners lean along the axes of the plane.
static void store_sides(const flat *t, const double normal[3][3], int lane, shell_batch *batch)
{
    double length2[3], T[9];
    for (int i = 0; i < SHELL_HALF; i++) {
        const double *n = normal ? normal[i / 2] : NULL, *axis = t->axes + i % 2;
        double up = n ? n[0] * t->axes[2] + n[1] * t->axes[5] + n[2] * t->axes[8] : 1;
        batch->lean[i][lane] = n ? (n[0] * axis[0] + n[1] * axis[3] + n[2] * axis[6]) / up : 0;
    }
    for (int s = 0; s < 3; s++) {
        double x = t->x[(s + 1) % 3] - t->x[s], y = t->y[(s + 1) % 3] - t->y[s];
        length2[s] = x * x + y * y;
        batch->way[s][0][lane] = x / sqrt(length2[s]);
        batch->way[s][1][lane] = y / sqrt(length2[s]);
    }
    side_strains(t, length2, T);
    for (int i = 0; i < 9; i++)
        batch->side_strain[i][lane] = T[i];
}

bool shell_prepare(shell_batch *batch, int lane, const int node[SHELL_NODE],
                   const double *const X[3], const double normal[3][3], double thickness,
                   double young, double poisson)
{
    flat t;
    double D[9], membrane[SHELL_UPPER] = {0}, bending[SHELL_UPPER] = {0};
    if (!flatten(X, &t))
        return false;
    plane_stress(young, poisson, D);
    add_basic(&t, D, thickness, membrane);
    add_drilling(&t, D, thickness, poisson, membrane);
    add_bending(&t, D, thickness, bending);
    for (int i = 0; i < 9; i++)
        batch->axes[i][lane] = t.axes[i];
    for (int i = 0; i < 6; i++)
        batch->gradient[i][lane] = i % 2 ? t.dy[i / 2] : t.dx[i / 2];
    for (int i = 0; i < SHELL_UPPER; i++) {
        batch->membrane[i][lane] = membrane[i];
        batch->bending[i][lane] = bending[i];
    }
    store_sides(&t, normal, lane, batch);
    double rigidity[4] = {D[0], poisson, thickness, t.area * thickness};
    for (int i = 0; i < 4; i++)
        batch->rigidity[i][lane] = rigidity[i];
    for (int a = 0; a < SHELL_NODE; a++)
        batch->node[a][lane] = node[a];
    return true;
}

bool shell_set(element_family *f, int e, const int node[SHELL_NODE], const double *X,
               const double normal[3][3], double thickness, double young, double poisson)
{
    shell_batch *batch = (shell_batch *)f->batch + e / LANES;
    const double *corner[3] = {&X[3 * node[0]], &X[3 * node[1]], &X[3 * node[2]]};
    if (!shell_prepare(batch, e % LANES, node, corner, normal, thickness, young, poisson))
        return false;
    for (int lane = e % LANES + 1; e == f->n - 1 && lane < LANES; lane++)
        shell_prepare(batch, lane, node, corner, normal, thickness, 0, poisson);
    double volume = batch->rigidity[3][e % LANES], gradient = 0;
    for (int i = 0; i < 6; i++)
        gradient += batch->gradient[i][e % LANES] * batch->gradient[i][e % LANES];
    for (int a = 0; a < SHELL_NODE; a++) {
        f->node[SHELL_NODE * e + a] = node[a];
        // a rotating corner carries the plate's own rotary inertia, h^2/12 a unit of mass
        f->share[SHELL_NODE * e + a] = volume / 3 * (a < 3 ? 1 : thickness * thickness / 12);
    }
    f->stiffness[e] = batch->rigidity[0][e % LANES] * volume * gradient;
    return true;
}
