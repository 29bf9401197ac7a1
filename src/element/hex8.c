#include "element/hex8.h"

#include "base/vec.h"
#include "element/solid_family.h"
#include "material/law_definition.h"

#include <string.h>

extern const element_kind hex8_kinds_portable[LAW_KINDS];
extern const element_kind hex8_kinds_avx2[LAW_KINDS];
extern const element_kind hex8_kinds_avx512[LAW_KINDS];

static const double sign[HEX8_NODES][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                           {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

const element_kind *hex8_kind(law_kind law, int variant)
{
#ifdef LITHE_X86
    static const solid_table table[] = {hex8_kinds_portable, hex8_kinds_avx2, hex8_kinds_avx512};
#else
    static const solid_table table[] = {hex8_kinds_portable};
#endif
    return solid_choose(table, variant, law);
}

void hex8_shape(double s, double t, double u, double N[HEX8_NODES])
{
    for (int a = 0; a < HEX8_NODES; a++)
        N[a] = (1 + s * sign[a][0]) * (1 + t * sign[a][1]) * (1 + u * sign[a][2]) / 8;
}

void hex8_slope(double s, double t, double u, double dN[HEX8_NODES][3])
{
    for (int a = 0; a < HEX8_NODES; a++) {
        double f[3] = {1 + s * sign[a][0], 1 + t * sign[a][1], 1 + u * sign[a][2]};
        for (int i = 0; i < 3; i++)
            dN[a][i] = sign[a][i] * f[(i + 1) % 3] * f[(i + 2) % 3] / 8;
    }
}

// cof: rows are gradients of s, t, u in space, times det(dX/ds), which is returned.
static double jacobian(const double X[HEX8_NODES][3], const double dN[HEX8_NODES][3],
                       double cof[3][3])
{
    double J[3][3] = {{0}}; // rows: dX/ds, dX/dt, dX/du
    for (int a = 0; a < HEX8_NODES; a++)
        for (int j = 0; j < 3; j++)
            vec_axpy(J[j], dN[a][j], X[a]);
    for (int j = 0; j < 3; j++)
        vec_cross(cof[j], J[(j + 1) % 3], J[(j + 2) % 3]);
    return vec_dot(J[0], cof[0]);
}

// Integrals over one element, exact with two Gauss points a direction.
typedef struct hex8_sums {
    double volume;
    double mean[HEX8_NODES][3]; // mean gradients of the shape functions
    double share[HEX8_NODES];   // integrals of the shape functions
} hex8_sums;

static bool integrate(const double X[HEX8_NODES][3], hex8_sums *sums)
{
    const double at = 0.577350269189626;
    memset(sums, 0, sizeof *sums);
    for (int q = 0; q < 8; q++) {
        double N[HEX8_NODES], dN[HEX8_NODES][3], cof[3][3];
        double s = at * sign[q][0], t = at * sign[q][1], u = at * sign[q][2];
        hex8_shape(s, t, u, N);
        hex8_slope(s, t, u, dN);
        double det = jacobian(X, (const double(*)[3])dN, cof);
        if (!(det > 0))
            return false;
        sums->volume += det;
        for (int a = 0; a < HEX8_NODES; a++) {
            sums->share[a] += det * N[a];
            for (int j = 0; j < 3; j++)
                vec_axpy(sums->mean[a], dN[a][j], cof[j]);
        }
    }
    for (int i = 0; i < 3 * HEX8_NODES; i++)
        sums->mean[i / 3][i % 3] /= sums->volume;
    return true;
}

// How much of the mode h (values at the nodes) the nodes' motion has, less what is linear in space.
static void mode_weights(const double X[HEX8_NODES][3], const hex8_sums *sums,
                         const double h[HEX8_NODES], double gamma[HEX8_NODES])
{
    double slope[3] = {0};
    for (int a = 0; a < HEX8_NODES; a++)
        vec_axpy(slope, h[a], X[a]);
    for (int a = 0; a < HEX8_NODES; a++)
        gamma[a] = (h[a] - vec_dot(slope, sums->mean[a])) / 8;
}

// Two unit vectors across n.
static void plane_of(const double n[3], double e[2][3])
{
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2)
                                        : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double axis[3] = {least == 0, least == 1, least == 2};
    vec_cross(e[0], n, axis);
    vec_scale(e[0], 1 / vec_norm(e[0]));
    vec_cross(e[1], n, e[0]);
    vec_scale(e[1], 1 / vec_norm(e[1]));
}

// g: gradients of s, t, u at the centre.
static void fill_modes(hex8_batch *batch, int lane, const double X[HEX8_NODES][3],
                       const hex8_sums *sums, const double g[3][3])
{
    double gamma[4][HEX8_NODES], h[HEX8_NODES];
    for (int k = 0; k < 4; k++) { // tu, us, st, stu
        for (int a = 0; a < HEX8_NODES; a++)
            h[a] = sign[a][(k + 1) % 3] * sign[a][(k + 2) % 3] * (k == 3 ? sign[a][0] : 1);
        mode_weights(X, sums, h, gamma[k]);
    }
    for (int k = 0; k < 3; k++) {
        int m = (k + 1) % 3, n = (k + 2) % 3;
        double e[2][3];
        plane_of(g[k], e);
        for (int a = 0; a < HEX8_NODES; a++) {
            for (int s = 0; s < 2; s++) {
                batch->beta[k][s][a][lane] = vec_dot(sums->mean[a], e[s]);
                batch->pi[k][s][a][lane] =
                    vec_dot(g[n], e[s]) * gamma[m][a] + vec_dot(g[m], e[s]) * gamma[n][a];
            }
            batch->beta_last[k][a][lane] = vec_dot(sums->mean[a], g[k]);
        }
    }
    for (int a = 0; a < HEX8_NODES; a++)
        batch->pi_last[a][lane] = gamma[3][a];
}

// Moduli of what the mean does not see: those at small strain; with fibres, of the isotropic law
// that has the means of their shears and of their couplings between axes.
static void fill_moduli(hex8_batch *batch, int lane, const law_material *stuff)
{
    double mu = stuff->young / (2 * (1 + stuff->poisson)), nu = stuff->poisson;
    if (law_definitions[stuff->law]->along_axes) {
        const double *C = stuff->parameter;
        double lambda = (C[1] + C[3] + C[4]) / 3;
        mu = (C[9] + C[14] + C[20]) / 3;
        nu = fmin(fmax(lambda / (2 * (lambda + mu)), 0), 0.5);
    }
    batch->shear[lane] = mu;
    batch->plane[lane] = 2 * mu * nu / (1 - nu);
    batch->last[lane] = 2 * mu * (1 + nu);
    for (int i = 0; i < LAW_PARAMETERS; i++)
        batch->parameter[i][lane] = stuff->parameter[i];
}

static bool prepare(hex8_batch *batch, int lane, const double X[HEX8_NODES][3],
                    const law_material *stuff, hex8_sums *sums)
{
    double dN[HEX8_NODES][3], g[3][3];
    hex8_slope(0, 0, 0, dN);
    double det = jacobian(X, (const double(*)[3])dN, g);
    if (!(det > 0) || !integrate(X, sums))
        return false;
    for (int j = 0; j < 3; j++)
        vec_scale(g[j], 1 / det);
    for (int i = 0; i < 3 * HEX8_NODES; i++)
        batch->gradient[i][lane] = sums->mean[i / 3][i % 3];
    batch->volume[lane] = sums->volume;
    fill_modes(batch, lane, X, sums, (const double(*)[3])g);
    fill_moduli(batch, lane, stuff);
    return true;
}

// Three Gauss points a direction are exact.
void hex8_mass(const double (*X)[3], double *pair)
{
    static const double at[3] = {-0.774596669241483, 0, 0.774596669241483};
    static const double weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    memset(pair, 0, sizeof(double[HEX8_NODES * (HEX8_NODES + 1) / 2]));
    for (int i = 0; i < 27; i++) {
        double N[HEX8_NODES], dN[HEX8_NODES][3], cof[3][3];
        int s = i % 3, t = i / 3 % 3, u = i / 9;
        hex8_shape(at[s], at[t], at[u], N);
        hex8_slope(at[s], at[t], at[u], dN);
        double w = jacobian(X, (const double(*)[3])dN, cof) * weight[s] * weight[t] * weight[u];
        for (int a = 0; a < HEX8_NODES; a++)
            for (int b = 0; b <= a; b++)
                pair[element_pair(a, b)] += w * N[a] * N[b];
    }
}

int hex8_points(void *batch, int q, double (*gradient)[LANES], double *weight,
                double (**parameter)[LANES])
{
    hex8_batch *b = batch;
    (void)q;
    memcpy(gradient, b->gradient, sizeof b->gradient);
    memcpy(weight, b->volume, sizeof b->volume);
    *parameter = b->parameter;
    return 1;
}

lithe_status hex8_family(element_family *f, int n, const int *node, const double *X,
                         const law_material *const *stuff, arena *memory, int *bad)
{
    law_kind law = stuff[0]->law;
    LITHE_TRY(family_create(f, hex8_kind(law, element_best_variant()), n, memory));
    for (int k = 0; k < f->nbatch * LANES; k++) {
        int e = k < n ? k : n - 1, lane = k % LANES;
        const int *own = &node[HEX8_NODES * e];
        hex8_batch *batch = (hex8_batch *)f->batch + k / LANES;
        double corner[HEX8_NODES][3], size = 0;
        hex8_sums sums;
        for (int a = 0; a < HEX8_NODES; a++) {
            memcpy(corner[a], &X[3 * own[a]], sizeof corner[a]);
            batch->node[a][lane] = own[a];
        }
        if (!prepare(batch, lane, (const double(*)[3])corner, stuff[e], &sums)) {
            *bad = e;
            return LITHE_INVALID;
        }
        if (k >= n) {
            batch->volume[lane] = 0;
            continue;
        }
        for (int a = 0; a < HEX8_NODES; a++) {
            f->node[HEX8_NODES * e + a] = own[a];
            f->share[HEX8_NODES * e + a] = sums.share[a];
            size += vec_dot(sums.mean[a], sums.mean[a]);
        }
        f->stiffness[e] = stuff[e]->stiffest * sums.volume * size;
    }
    return LITHE_OK;
}
