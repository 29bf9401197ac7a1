#include "material/orthotropic_frame.h"

#include "base/vec.h"
#include "material/tolerances.h"

#include <math.h>

// Strain of the axes under unit stresses on them: symmetric, nu_ji / E_j = nu_ij / E_i.
static void axial_compliance(const lithe_material_def *d, double S[9])
{
    const double *E = d->moduli, *nu = d->ratios;
    double s12 = -nu[0] / E[0], s13 = -nu[1] / E[0], s23 = -nu[2] / E[1];
    double s[9] = {1 / E[0], s12, s13, s12, 1 / E[1], s23, s13, s23, 1 / E[2]};
    for (int i = 0; i < 9; i++)
        S[i] = s[i];
}

static bool alike(double a, double b)
{
    return fabs(a - b) <= MATERIAL_ALIKE * (fabs(a) + fabs(b));
}

bool orthotropic_is_round(const lithe_material_def *d)
{
    return alike(d->moduli[1], d->moduli[2]) && alike(d->ratios[0], d->ratios[1]) &&
           alike(d->shears[0], d->shears[1]) &&
           alike(d->shears[2], d->moduli[1] / (2 * (1 + d->ratios[2])));
}

bool orthotropic_is_stable(const lithe_material_def *d)
{
    double S[9];
    axial_compliance(d, S);
    return S[0] > 0 && S[0] * S[4] - S[1] * S[1] > 0 && mat_det(S) > 0;
}

static void invert_symmetric(const double m[9], double out[9])
{
    double det = mat_det(m);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[3 * i + j] =
                (m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1]) / det;
        }
}

// D_ijkl in the material's own axes.
static double own_entry(const lithe_material_def *d, const double axial[9], int i, int j, int k,
                        int l)
{
    if (i == j && k == l)
        return axial[3 * i + k];
    bool same = (i == k && j == l) || (i == l && j == k);
    return i != j && same ? d->shears[i + j - 1] : 0; // 12, 13, 23
}

static void unit_vector(double out[3], const double v[3])
{
    double norm = vec_norm(v);
    for (int i = 0; i < 3; i++)
        out[i] = v[i] / norm;
}

// axis[p]: the material's axes. The second is what is left of `across` beside the first, or, where
// none is given, of the world's axis that leans least along the fibre.
static void material_axes(const lithe_material_def *d, double axis[3][3])
{
    double second[3] = {d->across[0], d->across[1], d->across[2]};
    unit_vector(axis[0], d->fibre);
    if (vec_norm(second) == 0) {
        int least = 0;
        for (int i = 1; i < 3; i++)
            if (fabs(axis[0][i]) < fabs(axis[0][least]))
                least = i;
        second[least] = 1;
    }
    vec_axpy(second, -vec_dot(second, axis[0]), axis[0]);
    unit_vector(axis[1], second);
    vec_cross(axis[2], axis[0], axis[1]);
}

void orthotropic_stiffness(const lithe_material_def *d, double D[21])
{
    static const int pair[6][2] = {{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}};
    double S[9], axial[9], axis[3][3];
    axial_compliance(d, S);
    invert_symmetric(S, axial);
    material_axes(d, axis);
    for (int a = 0, n = 0; a < 6; a++)
        for (int b = 0; b <= a; b++, n++) {
            double sum = 0;
            for (int m = 0; m < 81; m++) {
                int p = m / 27, q = m / 9 % 3, r = m / 3 % 3, s = m % 3;
                sum += axis[p][pair[a][0]] * axis[q][pair[a][1]] * axis[r][pair[b][0]] *
                       axis[s][pair[b][1]] * own_entry(d, axial, p, q, r, s);
            }
            D[n] = sum;
        }
}
