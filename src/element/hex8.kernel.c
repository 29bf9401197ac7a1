#include "element/hex8.h"

#include "base/tolerances.h"
#include "element/solid.h"

#include <stddef.h>

enum { VTK_HEXAHEDRON = 12, STRAINS = 12, HEX8_PAIRS = HEX8_NODES * (HEX8_NODES + 1) / 2 };

extern const element_kind KERNEL(hex8_kinds)[LAW_KINDS];

typedef lanes hex8_vector[3];

// The strains that the mean does not see, their stresses times volume, and their derivatives by the
// nodes.
typedef struct hourglass {
    hex8_vector u[3][2], p[3][2]; // of the three groups
    hex8_vector u_last[3], p_last;
    lanes strain[STRAINS], stress[STRAINS];
    lanes energy;
} hourglass;

static inline void combine(const double (*weight)[LANES], const lanes (*x)[3], lanes out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = lanes_set(0);
    for (int a = 1; a < HEX8_NODES; a++) // all weights add up to 0
        for (int i = 0; i < 3; i++)
            out[i] += lanes_load(weight[a]) * (x[a][i] - x[0][i]);
}

static void measure(const hex8_batch *b, const lanes (*x)[3], hourglass *h)
{
    lanes third = lanes_load(b->volume) / 3, ninth = third / 3;
    lanes mu = lanes_load(b->shear), lambda = lanes_load(b->plane), last = lanes_load(b->last);
    for (int k = 0; k < 3; k++) {
        for (int s = 0; s < 2; s++) {
            combine(b->beta[k][s], x, h->u[k][s]);
            combine(b->pi[k][s], x, h->p[k][s]);
        }
        combine(b->beta_last[k], x, h->u_last[k]);
    }
    combine(b->pi_last, x, h->p_last);
    h->energy = lanes_set(0);
    for (int k = 0; k < 3; k++) {
        lanes *e = &h->strain[4 * k], *t = &h->stress[4 * k];
        e[0] = lanes_dot(h->u[k][0], h->p[k][0]);
        e[1] = lanes_dot(h->u[k][1], h->p[k][1]);
        e[2] = lanes_dot(h->u[k][0], h->p[k][1]) + lanes_dot(h->u[k][1], h->p[k][0]);
        e[3] = lanes_dot(h->u_last[k], h->p_last);
        for (int i = 0; i < 2; i++)
            t[i] = third * (2 * mu * e[i] + lambda * (e[0] + e[1]));
        t[2] = third * mu * e[2];
        t[3] = ninth * last * e[3];
        for (int i = 0; i < 4; i++)
            h->energy += 0.5 * t[i] * e[i];
    }
}

// Derivatives of the strains by node a.
static inline void slopes(const hex8_batch *b, const hourglass *h, int a, lanes v[STRAINS][3])
{
    for (int k = 0; k < 3; k++) {
        lanes beta[2], pi[2], beta_last = lanes_load(b->beta_last[k][a]),
                              pi_last = lanes_load(b->pi_last[a]);
        for (int s = 0; s < 2; s++) {
            beta[s] = lanes_load(b->beta[k][s][a]);
            pi[s] = lanes_load(b->pi[k][s][a]);
        }
        for (int i = 0; i < 3; i++) {
            v[4 * k][i] = beta[0] * h->p[k][0][i] + pi[0] * h->u[k][0][i];
            v[4 * k + 1][i] = beta[1] * h->p[k][1][i] + pi[1] * h->u[k][1][i];
            v[4 * k + 2][i] = beta[0] * h->p[k][1][i] + pi[1] * h->u[k][0][i] +
                              beta[1] * h->p[k][0][i] + pi[0] * h->u[k][1][i];
            v[4 * k + 3][i] = beta_last * h->p_last[i] + pi_last * h->u_last[k][i];
        }
    }
}

// Moduli times the slopes: the second factor of the stiffness.
static inline void stiffen(const hex8_batch *b, const lanes (*v)[3], lanes t[STRAINS][3])
{
    lanes third = lanes_load(b->volume) / 3;
    lanes mu = third * lanes_load(b->shear), lambda = third * lanes_load(b->plane);
    lanes last = third / 3 * lanes_load(b->last);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            lanes both = lambda * (v[4 * k][i] + v[4 * k + 1][i]);
            t[4 * k][i] = 2 * mu * v[4 * k][i] + both;
            t[4 * k + 1][i] = 2 * mu * v[4 * k + 1][i] + both;
            t[4 * k + 2][i] = mu * v[4 * k + 2][i];
            t[4 * k + 3][i] = last * v[4 * k + 3][i];
        }
}

// sum of stress times second derivative of the strain by nodes a and c: a multiple of I
static inline lanes geometric(const hex8_batch *b, const hourglass *h, int a, int c)
{
    lanes sum = lanes_set(0);
    for (int k = 0; k < 3; k++) {
        const lanes *t = &h->stress[4 * k];
        lanes ba[2], pa[2], bc[2], pc[2];
        for (int s = 0; s < 2; s++) {
            ba[s] = lanes_load(b->beta[k][s][a]);
            bc[s] = lanes_load(b->beta[k][s][c]);
            pa[s] = lanes_load(b->pi[k][s][a]);
            pc[s] = lanes_load(b->pi[k][s][c]);
        }
        sum += t[0] * (ba[0] * pc[0] + pa[0] * bc[0]) + t[1] * (ba[1] * pc[1] + pa[1] * bc[1]) +
               t[2] * (ba[0] * pc[1] + pa[1] * bc[0] + ba[1] * pc[0] + pa[0] * bc[1]) +
               t[3] * (lanes_load(b->beta_last[k][a]) * lanes_load(b->pi_last[c]) +
                       lanes_load(b->pi_last[a]) * lanes_load(b->beta_last[k][c]));
    }
    return sum;
}

static void store_stiffness(const hex8_batch *b, const law_point *law, const hourglass *h,
                            bool positive, double *stiff)
{
    lanes v[HEX8_NODES][STRAINS][3], volume = lanes_load(b->volume);
    for (int a = 0; a < HEX8_NODES; a++)
        slopes(b, h, a, v[a]);
    for (int c = 0; c < HEX8_NODES; c++) {
        lanes T[9][3], t[STRAINS][3];
        solid_contract(law->C, &b->gradient[3 * c], volume, T);
        stiffen(b, (const lanes(*)[3])v[c], t);
        for (int a = c; a < HEX8_NODES; a++) {
            lanes diagonal = positive ? lanes_set(0) : geometric(b, h, a, c), K[9];
            for (int i = 0; i < 9; i++)
                K[i] = i % 4 == 0 ? diagonal : lanes_set(0);
            for (int r = 0; r < STRAINS; r++)
                for (int i = 0; i < 9; i++)
                    K[i] += v[a][r][i / 3] * t[r][i % 3];
            solid_add_block(&b->gradient[3 * a], (const lanes(*)[3])T, K);
            solid_store_block(HEX8_NODES, element_pair(a, c), K, stiff);
        }
    }
}

static void store_forces(const hex8_batch *b, const law_point *law, const hourglass *h,
                         double *force)
{
    lanes volume = lanes_load(b->volume);
    for (int a = 0; a < HEX8_NODES; a++) {
        const double(*g)[LANES] = &b->gradient[3 * a];
        lanes v[STRAINS][3], f[3];
        slopes(b, h, a, v);
        for (int i = 0; i < 3; i++) {
            const lanes *P = &law->P[3 * i];
            f[i] = volume *
                   (P[0] * lanes_load(g[0]) + P[1] * lanes_load(g[1]) + P[2] * lanes_load(g[2]));
            for (int r = 0; r < STRAINS; r++)
                f[i] += h->stress[r] * v[r][i];
        }
        solid_store_force(HEX8_NODES, a, f, force);
    }
}

static void evaluate(law_function *function, const hex8_batch *b, const double *x,
                     element_tangent tangent, element_output out)
{
    lanes corner[HEX8_NODES][3], F[9];
    law_point law;
    hourglass h;
    solid_load(HEX8_NODES, b->node, x, corner);
    solid_gradient(HEX8_NODES, (const lanes(*)[3])corner, b->gradient, F);
    function(F, b->parameter,
             tangent == ELEMENT_FORCE_ONLY ? LAW_STRESS
             : tangent == ELEMENT_POSITIVE ? LAW_POSITIVE
                                           : LAW_EXACT,
             &law);
    measure(b, (const lanes(*)[3])corner, &h);
    lanes energy = lanes_load(b->volume) * law.energy + h.energy;
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    store_forces(b, &law, &h, out.force);
    if (tangent != ELEMENT_FORCE_ONLY)
        store_stiffness(b, &law, &h, tangent == ELEMENT_POSITIVE, out.stiff);
}

static void stress(law_function *function, const hex8_batch *b, const double *x,
                   double *energy_density, double *von_mises)
{
    lanes corner[HEX8_NODES][3], F[9], cof[9], sigma[9];
    law_point law;
    hourglass h;
    solid_load(HEX8_NODES, b->node, x, corner);
    solid_gradient(HEX8_NODES, (const lanes(*)[3])corner, b->gradient, F);
    function(F, b->parameter, LAW_STRESS, &law);
    measure(b, (const lanes(*)[3])corner, &h);
    lanes_mat_cofactor(cof, F);
    lanes_mat_mul_nt(sigma, law.P, F);
    lanes mises = solid_mises(sigma) / (F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2]);
    lanes energy =
        law.energy + h.energy / lanes_max(lanes_load(b->volume), lanes_set(SMALLEST_DIVISOR));
    for (int l = 0; l < LANES; l++) {
        energy_density[l] = energy[l];
        von_mises[l] = mises[l];
    }
}

// The strains from number ELEMENT_SET * set on, whose stresses do not depend on those of other
// sets: a share of their stresses, and what is held.
static void measure_set(const hex8_batch *b, int set, const double *x, const double *share,
                        double (*hold)[LANES], hourglass *h)
{
    lanes corner[HEX8_NODES][3];
    solid_load(HEX8_NODES, b->node, x, corner);
    measure(b, (const lanes(*)[3])corner, h);
    h->energy = lanes_set(0);
    for (int r = 0; r < STRAINS; r++) {
        if (r / ELEMENT_SET != set) {
            h->stress[r] = lanes_set(0);
            continue;
        }
        lanes held = lanes_load(hold[r % ELEMENT_SET]), own = lanes_load(share) * h->stress[r];
        h->energy += (0.5 * own + held) * h->strain[r];
        h->stress[r] = own + held;
    }
}

static void add_set(const void *of, int set, const double *x, const double *share,
                    double (*hold)[LANES], element_tangent tangent, element_output out)
{
    const hex8_batch *b = of;
    hourglass h;
    lanes v[HEX8_NODES][STRAINS][3], t[STRAINS][3], scale = lanes_load(share);
    measure_set(b, set, x, share, hold, &h);
    for (int l = 0; l < LANES; l++)
        out.energy[l] += h.energy[l];
    for (int a = 0; a < HEX8_NODES; a++) {
        slopes(b, &h, a, v[a]);
        for (int i = 0; i < 3; i++)
            for (int r = ELEMENT_SET * set; r < ELEMENT_SET * (set + 1); r++)
                for (int l = 0; l < LANES; l++)
                    out.force[3 * HEX8_NODES * l + 3 * a + i] += h.stress[r][l] * v[a][r][i][l];
    }
    for (int c = 0; c < HEX8_NODES && tangent != ELEMENT_FORCE_ONLY; c++) {
        stiffen(b, (const lanes(*)[3])v[c], t);
        for (int a = c; a < HEX8_NODES; a++) {
            lanes diagonal = tangent == ELEMENT_POSITIVE ? lanes_set(0) : geometric(b, &h, a, c);
            for (int i = 0; i < 9; i++) {
                lanes K = i % 4 == 0 ? diagonal : lanes_set(0);
                for (int r = ELEMENT_SET * set; r < ELEMENT_SET * (set + 1); r++)
                    K += scale * v[a][r][i / 3] * t[r][i % 3];
                for (int l = 0; l < LANES; l++)
                    out.stiff[9 * (HEX8_PAIRS * l + element_pair(a, c)) + i] += K[l];
            }
        }
    }
}

static void stress_set(const void *of, int set, const double *x, double (*stress_out)[LANES])
{
    _Alignas(64) static const double one[LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
    _Alignas(64) double none[ELEMENT_SET][LANES] = {{0}};
    hourglass h;
    measure_set(of, set, x, one, none, &h);
    for (int i = 0; i < ELEMENT_SET * LANES; i++)
        stress_out[i / LANES][i % LANES] = h.stress[ELEMENT_SET * set + i / LANES][i % LANES];
}

static const element_extra hourglass_sets = {STRAINS / ELEMENT_SET, add_set, stress_set};

LAW_EACH(SOLID_FUNCTIONS)

#define KIND(law, n, lower, public)                                                                \
    [LAW_##law] = {.name = "hex8",                                                                 \
                   .nnode = HEX8_NODES,                                                            \
                   .cell = VTK_HEXAHEDRON,                                                         \
                   .batch_size = sizeof(hex8_batch),                                               \
                   .index_at = offsetof(hex8_batch, node),                                         \
                   .index_rows = HEX8_NODES,                                                       \
                   .evaluate = evaluate_##law,                                                     \
                   .stress = stress_##law,                                                         \
                   .points = hex8_points,                                                          \
                   .mass = hex8_mass,                                                              \
                   .extra = &hourglass_sets},
const element_kind KERNEL(hex8_kinds)[LAW_KINDS] = {LAW_EACH(KIND)};
