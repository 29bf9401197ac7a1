// St Venant-Kirchhoff: Hooke's law for Green's strain. psi = mu E : E + lambda/2 tr^2 E
//
//     P  = F S,   S = 2 mu E + lambda tr(E) I
//     dP = dF S + lambda (F : dF) F + mu (F dF' F + F F' dF)
//
// It softens under compression and has no resistance to inversion: for moderate strains.
#ifndef MATERIAL_ST_VENANT_H
#define MATERIAL_ST_VENANT_H

#include "material/law_definition.h"
#include "material/strain.h"

#include <stdbool.h>

static inline void st_venant_tangent(const lanes F[9], const lanes S[9], lanes mu, lanes lambda,
                                     lanes C[81])
{
    lanes B[9];
    lanes_mat_mul_nt(B, F, F);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                for (int l = 0; l < 3; l++) {
                    lanes c =
                        lambda * F[3 * i + j] * F[3 * k + l] + mu * (F[3 * i + l] * F[3 * k + j]);
                    if (j == l)
                        c += mu * B[3 * i + k];
                    if (i == k)
                        c += S[3 * j + l];
                    C[9 * (3 * i + j) + 3 * k + l] = c;
                }
}

static inline void st_venant(const lanes F[9], const lanes *p, bool stiff, lanes *energy,
                             lanes P[9], lanes C[81])
{
    lanes mu = p[0], lambda = p[1], E[9], S[9];
    strain_green(F, E);
    lanes trace = E[0] + E[4] + E[8];
    for (int i = 0; i < 9; i++)
        S[i] = 2 * mu * E[i] + (i % 4 == 0 ? lambda * trace : lanes_set(0));
    *energy = mu * lanes_mat_dot(E, E) + 0.5 * lambda * trace * trace;
    lanes_mat_mul(P, F, S);
    if (stiff)
        st_venant_tangent(F, S, mu, lambda, C);
}

static const law_definition st_venant_definition = {
    .name = "st-venant-kirchhoff", .form = "", .lambda = 1, .fit = law_fit_shear};

#endif
