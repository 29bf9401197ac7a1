// Orthotropic Hooke's law for Green's strain, psi = 1/2 E : D : E: St Venant-Kirchhoff with a
// stiffness D of any anisotropy, already rotated into the axes of the rest shape.
//
//     P  = F S,   S = D : E
//     dP = dF S + F (D : sym(F' dF))
#ifndef MATERIAL_ORTHOTROPIC_H
#define MATERIAL_ORTHOTROPIC_H

#include "material/law_definition.h"
#include "material/strain.h"

#include <stdbool.h>

// Where the pair (i, j) stands in 11 22 33 23 13 12.
static inline int orthotropic_slot(int i, int j)
{
    return i == j ? i : 6 - i - j;
}

// Entry (a, b) of D in p.
static inline lanes orthotropic_entry(const lanes *p, int a, int b)
{
    return a >= b ? p[a * (a + 1) / 2 + b] : p[b * (b + 1) / 2 + a];
}

// C_iJkL = delta_ik S_JL + F_iM D_MJNL F_kN
static inline void orthotropic_tangent(const lanes F[9], const lanes *p, const lanes S[9],
                                       lanes C[81])
{
    lanes T[9][6]; // F_iM D_MJ,(b)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int b = 0; b < 6; b++)
                T[3 * i + j][b] = F[3 * i] * orthotropic_entry(p, orthotropic_slot(0, j), b) +
                                  F[3 * i + 1] * orthotropic_entry(p, orthotropic_slot(1, j), b) +
                                  F[3 * i + 2] * orthotropic_entry(p, orthotropic_slot(2, j), b);
    for (int row = 0; row < 9; row++)
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++)
                C[9 * row + 3 * k + l] = F[3 * k] * T[row][orthotropic_slot(0, l)] +
                                         F[3 * k + 1] * T[row][orthotropic_slot(1, l)] +
                                         F[3 * k + 2] * T[row][orthotropic_slot(2, l)];
    strain_add_geometric(S, C);
}

static inline void orthotropic(const lanes F[9], const lanes *p, bool stiff, lanes *energy,
                               lanes P[9], lanes C[81])
{
    lanes E[9], S[9], s[6];
    strain_green(F, E);
    lanes e[6] = {E[0], E[4], E[8], 2 * E[5], 2 * E[2], 2 * E[1]};
    *energy = lanes_set(0);
    for (int a = 0; a < 6; a++) {
        s[a] = lanes_set(0);
        for (int b = 0; b < 6; b++)
            s[a] += orthotropic_entry(p, a, b) * e[b];
        *energy += 0.5 * s[a] * e[a];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] = s[orthotropic_slot(i, j)];
    lanes_mat_mul(P, F, S);
    if (stiff)
        orthotropic_tangent(F, p, S, C);
}

// It is given and computed with by numbers of its own: see orthotropic_frame.h.
static const law_definition orthotropic_definition = {
    .name = "orthotropic", .form = "", .lambda = -1, .along_axes = true};

#endif
