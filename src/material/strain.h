// Strain measures that the laws share, eight points at a time, computed such that nothing cancels
// near rest: energies are then right to a rounding of the strain, whatever the rotation.
//
//     E = (F'F - I)/2,   J = det F,   cof = J F^-T
//     L(J) = ln J for J >= 0.1, continued below by its Taylor polynomial of second order
//
// L is twice continuously differentiable, concave, and falls without bound as J goes to minus
// infinity, so every law with a term in L resists inversion and pulls inverted elements back.
#ifndef MATERIAL_STRAIN_H
#define MATERIAL_STRAIN_H

#include "base/elementary.h"

#include <stdbool.h>

#define STRAIN_FLOOR 0.1 // J below which ln J is continued

typedef struct strain {
    lanes E[9];
    lanes trace;          // tr E = (I1 - 3)/2
    lanes second;         // second invariant of E: I2 - 3 = 4 trace + 4 second
    lanes cof[9];         //
    lanes J;              //
    lanes log;            // L(J)
    lanes log1;           // L'(J)
    lanes log2;           // L''(J)
    lanes excess;         // I1 - 3 - 2 L, never negative while J >= 0.1
    lanes_mask continued; // J < 0.1
} strain;

static inline void strain_green(const lanes F[9], lanes E[9])
{
    lanes_mat_mul_tn(E, F, F);
    for (int i = 0; i < 9; i++)
        E[i] = 0.5 * (E[i] - (i % 4 == 0 ? lanes_set(1) : lanes_set(0)));
}

static inline void strain_volume(const lanes F[9], strain *s)
{
    const lanes *E = s->E;
    lanes_mat_cofactor(s->cof, F);
    s->J = F[0] * s->cof[0] + F[1] * s->cof[1] + F[2] * s->cof[2];
    s->trace = E[0] + E[4] + E[8];
    lanes m0 = E[4] * E[8] - E[5] * E[5], m1 = E[1] * E[8] - E[5] * E[2];
    lanes m2 = E[1] * E[5] - E[4] * E[2];
    s->second = m0 + E[0] * E[8] - E[2] * E[2] + E[0] * E[4] - E[1] * E[1];
    lanes third = E[0] * m0 - E[1] * m1 + E[2] * m2;

    lanes bent = 4 * s->second + 8 * third; // J^2 - 1 - 2 tr E
    s->continued = s->J < STRAIN_FLOOR;
    lanes growth = lanes_select(s->continued, lanes_set(0), 2 * s->trace + bent); // J^2 - 1
    lanes t = s->J * (1 / STRAIN_FLOOR) - 1;
    lanes low = log(STRAIN_FLOOR) + t * (1 - 0.5 * t);
    lanes inverse = 1 / lanes_max(s->J, lanes_set(STRAIN_FLOOR));
    lanes curl = lanes_log1p_excess(growth); // J^2 - 1 - 2 ln J
    s->log = lanes_select(s->continued, low, 0.5 * (growth - curl));
    s->log1 = lanes_select(s->continued, (1 - t) * (1 / STRAIN_FLOOR), inverse);
    s->log2 = -inverse * inverse;
    s->excess = lanes_select(s->continued, 2 * (s->trace - low), curl - bent);
}

static inline void strain_evaluate(const lanes F[9], strain *s)
{
    strain_green(F, s->E);
    strain_volume(F, s);
}

// C += weight d cof / dF: d cof_ij / d F_kl = eps_ikm eps_jln F_mn
static inline void strain_add_cofactor(const lanes F[9], lanes weight, lanes C[81])
{
    for (int i = 0; i < 3; i++)
        for (int shift = 1; shift < 3; shift++) {
            int k = (i + shift) % 3, m = 3 - i - k;
            for (int j = 0; j < 3; j++) {
                int l1 = (j + 1) % 3, l2 = (j + 2) % 3;
                lanes w = shift == 1 ? weight : -weight;
                C[9 * (3 * i + j) + 3 * k + l1] += w * F[3 * m + l2];
                C[9 * (3 * i + j) + 3 * k + l2] -= w * F[3 * m + l1];
            }
        }
}

// Of a law w(K) + lambda/2 L^2, K = I1 - 3 - 2 L, with w its first derivative and w1 its second:
//     D  = dK/dF = 2 (F - L' cof)
//     P  = w D + lambda L L' cof
//     dP = w1 (D : dF) D + w (2 dF - 2 L'' (cof : dF) cof - 2 L' dcof)
//          + lambda (L'^2 + L L'') (cof : dF) cof + lambda L L' dcof
static inline void strain_of_excess(const lanes F[9], const strain *s, lanes w, lanes w1,
                                    lanes lambda, bool stiff, lanes P[9], lanes C[81])
{
    lanes D[9];
    for (int i = 0; i < 9; i++) {
        D[i] = 2 * (F[i] - s->log1 * s->cof[i]);
        P[i] = w * D[i] + lambda * s->log * s->log1 * s->cof[i];
    }
    if (!stiff)
        return;
    lanes slope = lambda * s->log - 2 * w;
    lanes g1 = lambda * s->log1 * s->log1 + slope * s->log2;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            C[9 * i + j] =
                w1 * D[i] * D[j] + g1 * s->cof[i] * s->cof[j] + (i == j ? 2 * w : lanes_set(0));
    strain_add_cofactor(F, slope * s->log1, C);
}

// C += d(F S)/dF with S held: delta_ik S_jl
static inline void strain_add_geometric(const lanes S[9], lanes C[81])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int l = 0; l < 3; l++)
                C[9 * (3 * i + j) + 3 * i + l] += S[3 * j + l];
}

#endif
