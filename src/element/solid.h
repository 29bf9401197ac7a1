// What solid elements share, eight elements at a time: at each of Q points the deformation gradient
// F = sum x_a g_a' of N nodes, the law there, and what it does to the nodes.
//
//     energy    E    = sum_q w_q psi(F_q) + V k/2 L(theta)^2
//     force     f_a  = sum_q w_q (P_q + p cof_q) g_qa
//     stiffness K_ab = sum_q w_q g_qa . (C_q + p dcof_q) . g_qb + k' / V d_a d_b'
//
// The second part of the energy is for nearly incompressible materials: the bulk modulus beyond
// what the points can carry without locking, k, acts on the mean dilatation theta = sum_q w_q J_q /
// V. Then d_a = sum_q w_q cof_q g_qa, p = k L L' and k' = k (L'^2 + L L''), L = ln theta continued.
// See docs/theory/solids.md.
//
// For kernels: N and Q are constants where these functions are called, so all loops are of fixed
// length.
#ifndef ELEMENT_SOLID_H
#define ELEMENT_SOLID_H

#include "base/tolerances.h"
#include "element/family.h"
#include "material/law_point.h"

enum { SOLID_NODES = 10, SOLID_POINTS = 4 };

// Where the numbers of a batch stand.
typedef struct solid_view {
    const int (*node)[LANES];         // (N)
    const double (*gradient)[LANES];  // (Q x N x 3) 1/m
    const double (*weight)[LANES];    // (Q) m^3
    const double *excess;             // (LANES) k, Pa; NULL: none
    const double (*parameter)[LANES]; // of the law
} solid_view;

// What one evaluation knows of the points.
typedef struct solid_state {
    lanes x[SOLID_NODES][3];
    lanes F[SOLID_POINTS][9];
    law_point law[SOLID_POINTS];
    lanes cof[SOLID_POINTS][9];
    lanes d[SOLID_NODES][3];      // V dtheta / dx_a
    lanes energy, pressure, bulk; // of the mean dilatation: energy, p, k' / V
} solid_state;

#define SOLID_INLINE __attribute__((always_inline)) static inline

SOLID_INLINE void solid_load(int N, const int (*node)[LANES], const double *x, lanes (*out)[3])
{
    for (int a = 0; a < N; a++)
        lanes_load_points(x, node[a], out[a]);
}

// Of positions relative to the first node: positions far from the origin then lose nothing.
SOLID_INLINE void solid_gradient(int N, const lanes (*x)[3], const double (*g)[LANES], lanes F[9])
{
    for (int i = 0; i < 9; i++)
        F[i] = lanes_set(0);
    for (int a = 1; a < N; a++)
        for (int i = 0; i < 3; i++) {
            lanes u = x[a][i] - x[0][i];
            for (int j = 0; j < 3; j++)
                F[3 * i + j] += u * lanes_load(g[3 * a + j]);
        }
}

// ln continued below 0.1 as the laws do: value, slope, curvature.
SOLID_INLINE void solid_log(lanes theta, lanes out[3])
{
    const double floor = 0.1;
    lanes t = theta * (1 / floor) - 1, inverse = 1 / lanes_max(theta, lanes_set(floor));
    lanes_mask low = theta < floor;
    lanes value;
    for (int l = 0; l < LANES; l++)
        value[l] = log(theta[l] > floor ? theta[l] : floor);
    out[0] = lanes_select(low, value + t * (1 - 0.5 * t), value);
    out[1] = lanes_select(low, (1 - t) * (1 / floor), inverse);
    out[2] = -inverse * inverse;
}

SOLID_INLINE void solid_dilate(int N, int Q, const solid_view *v, solid_state *s)
{
    lanes volume = lanes_set(0), deformed = lanes_set(0), L[3];
    for (int a = 0; a < N; a++)
        for (int i = 0; i < 3; i++)
            s->d[a][i] = lanes_set(0);
    for (int q = 0; q < Q; q++) {
        const lanes *F = s->F[q];
        lanes *cof = s->cof[q], w = lanes_load(v->weight[q]);
        lanes_mat_cofactor(cof, F);
        volume += w;
        deformed += w * (F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2]);
        for (int a = 0; a < N; a++) {
            const double(*g)[LANES] = &v->gradient[3 * (q * N + a)];
            for (int i = 0; i < 3; i++)
                s->d[a][i] +=
                    w * (cof[3 * i] * lanes_load(g[0]) + cof[3 * i + 1] * lanes_load(g[1]) +
                         cof[3 * i + 2] * lanes_load(g[2]));
        }
    }
    lanes some = lanes_max(volume, lanes_set(SMALLEST_DIVISOR)); // empty lanes have none
    lanes k = lanes_load(v->excess);
    solid_log(lanes_select(volume > 0, deformed / some, lanes_set(1)), L);
    s->energy = 0.5 * k * volume * L[0] * L[0];
    s->pressure = k * L[0] * L[1];
    s->bulk = lanes_select(volume > 0, k * (L[1] * L[1] + L[0] * L[2]) / some, lanes_set(0));
}

SOLID_INLINE void solid_store_force(int N, int a, const lanes f[3], double *force)
{
    for (int i = 0; i < 3; i++)
        for (int l = 0; l < LANES; l++)
            force[3 * N * l + 3 * a + i] = f[i][l];
}

SOLID_INLINE void solid_forces(int N, int Q, const solid_view *v, const solid_state *s,
                               double *force)
{
    for (int a = 0; a < N; a++) {
        lanes f[3];
        for (int i = 0; i < 3; i++)
            f[i] = v->excess ? s->pressure * s->d[a][i] : lanes_set(0);
        for (int q = 0; q < Q; q++) {
            const double(*g)[LANES] = &v->gradient[3 * (q * N + a)];
            lanes w = lanes_load(v->weight[q]);
            const lanes *P = s->law[q].P;
            for (int i = 0; i < 3; i++)
                f[i] += w * (P[3 * i] * lanes_load(g[0]) + P[3 * i + 1] * lanes_load(g[1]) +
                             P[3 * i + 2] * lanes_load(g[2]));
        }
        solid_store_force(N, a, f, force);
    }
}

SOLID_INLINE void solid_store_block(int N, int pair, const lanes K[9], double *stiff)
{
    lanes_store_rows(K, 9, &stiff[9 * pair], 9 * (N * (N + 1) / 2));
}

// T[3 i + J][k] = w C_iJkL g_L
SOLID_INLINE void solid_contract(const lanes C[81], const double (*g)[LANES], lanes w,
                                 lanes T[9][3])
{
    lanes h[3];
    for (int j = 0; j < 3; j++)
        h[j] = w * lanes_load(g[j]);
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            T[i][k] =
                C[9 * i + 3 * k] * h[0] + C[9 * i + 3 * k + 1] * h[1] + C[9 * i + 3 * k + 2] * h[2];
}

// K += g_J T[3 i + J][k]
SOLID_INLINE void solid_add_block(const double (*g)[LANES], const lanes (*T)[3], lanes K[9])
{
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            K[3 * i + k] += lanes_load(g[0]) * T[3 * i][k] + lanes_load(g[1]) * T[3 * i + 1][k] +
                            lanes_load(g[2]) * T[3 * i + 2][k];
}

SOLID_INLINE void solid_stiffness(int N, int Q, const solid_view *v, const solid_state *s,
                                  double *stiff)
{
    for (int b = 0; b < N; b++) {
        lanes T[SOLID_POINTS][9][3];
        for (int q = 0; q < Q; q++)
            solid_contract(s->law[q].C, &v->gradient[3 * (q * N + b)], lanes_load(v->weight[q]),
                           T[q]);
        for (int a = b; a < N; a++) {
            lanes K[9];
            for (int i = 0; i < 9; i++)
                K[i] = v->excess ? s->bulk * s->d[a][i / 3] * s->d[b][i % 3] : lanes_set(0);
            for (int q = 0; q < Q; q++)
                solid_add_block(&v->gradient[3 * (q * N + a)], (const lanes(*)[3])T[q], K);
            solid_store_block(N, element_pair(a, b), K, stiff);
        }
    }
}

// Laws at the points, with what the mean dilatation adds to their tangents.
SOLID_INLINE void solid_points(law_function *law, int N, int Q, const solid_view *v,
                               element_tangent tangent, solid_state *s)
{
    bool positive = tangent == ELEMENT_POSITIVE;
    law_tangent own = tangent == ELEMENT_FORCE_ONLY ? LAW_STRESS
                      : positive && !v->excess      ? LAW_POSITIVE
                                                    : LAW_EXACT;
    for (int q = 0; q < Q; q++) {
        solid_gradient(N, (const lanes(*)[3])s->x, &v->gradient[3 * (q * N)], s->F[q]);
        law(s->F[q], v->parameter, own, &s->law[q]);
    }
    if (!v->excess)
        return;
    solid_dilate(N, Q, v, s);
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    s->bulk = positive ? lanes_max(s->bulk, lanes_set(0)) : s->bulk;
    for (int q = 0; q < Q; q++) {
        strain_add_cofactor(s->F[q], s->pressure, s->law[q].C);
        if (positive)
            spectrum_clamp(9, s->law[q].C);
    }
}

SOLID_INLINE void solid_evaluate(law_function *law, int N, int Q, const solid_view *v,
                                 const double *x, element_tangent tangent, element_output out)
{
    solid_state s;
    solid_load(N, v->node, x, s.x);
    solid_points(law, N, Q, v, tangent, &s);
    lanes energy = v->excess ? s.energy : lanes_set(0);
    for (int q = 0; q < Q; q++)
        energy += lanes_load(v->weight[q]) * s.law[q].energy;
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    solid_forces(N, Q, v, &s, out.force);
    if (tangent != ELEMENT_FORCE_ONLY)
        solid_stiffness(N, Q, v, &s, out.stiff);
}

SOLID_INLINE lanes solid_mises(const lanes s[9])
{
    lanes a = s[0] - s[4], b = s[4] - s[8], c = s[8] - s[0];
    return lanes_sqrt(0.5 * (a * a + b * b + c * c) +
                      3 * (s[1] * s[1] + s[2] * s[2] + s[5] * s[5]));
}

// Means over the points.
SOLID_INLINE void solid_stress(law_function *law, int N, int Q, const solid_view *v,
                               const double *x, double *energy_density, double *von_mises)
{
    solid_state s;
    lanes volume = lanes_set(0), energy = lanes_set(0), mises = lanes_set(0);
    solid_load(N, v->node, x, s.x);
    solid_points(law, N, Q, v, ELEMENT_FORCE_ONLY, &s);
    for (int q = 0; q < Q; q++) { // J sigma = P F'; the pressure has no part in von Mises
        lanes w = lanes_load(v->weight[q]), sigma[9], cof[9];
        const lanes *F = s.F[q];
        lanes_mat_cofactor(cof, F);
        lanes_mat_mul_nt(sigma, s.law[q].P, F);
        lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
        volume += w;
        energy += w * s.law[q].energy;
        mises += w * solid_mises(sigma) / J;
    }
    energy += v->excess ? s.energy : lanes_set(0);
    volume = lanes_max(volume, lanes_set(SMALLEST_DIVISOR));
    for (int l = 0; l < LANES; l++) {
        energy_density[l] = energy[l] / volume[l];
        von_mises[l] = mises[l] / volume[l];
    }
}

// A kind's evaluate and stress, which take the law first, for one law: for LAW_EACH.
#define SOLID_FUNCTIONS(name, n, lower, public)                                                    \
    static void evaluate_##name(const void *batch, const double *x, element_tangent tangent,       \
                                element_output out)                                                \
    {                                                                                              \
        evaluate(law_table[LAW_##name], batch, x, tangent, out);                                   \
    }                                                                                              \
    static void stress_##name(const void *batch, const double *x, double *energy_density,          \
                              double *von_mises)                                                   \
    {                                                                                              \
        stress(law_table[LAW_##name], batch, x, energy_density, von_mises);                        \
    }

#endif
