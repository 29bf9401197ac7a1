// The corotational law, psi = mu |S - I|^2 + lambda/2 tr^2(S - I) with F = R S, eight points at a
// time.
//
//     P  = 2 mu (F - R) + lambda tr(S - I) R
//     dP = 2 mu dF + lambda (R : dF) R + c dR,    c = lambda tr(S - I) - 2 mu
//     dR : dF = w' G w,   w = axial vector of dF R' - R dF',   G = (tr(S) I - R S R')^-1
//
// The derivation is in docs/theory/corotational.md.
#ifndef MATERIAL_COROTATIONAL_H
#define MATERIAL_COROTATIONAL_H

#include "base/spectrum.h"
#include "base/tolerances.h"
#include "material/law_definition.h"
#include "material/polar.h"
#include "material/tolerances.h"

#include <stdbool.h>

typedef struct corotational {
    lanes R[9];
    lanes P[9];     // first Piola-Kirchhoff stress
    lanes energy;   // per rest volume
    lanes twist[9]; // c G, clamped from below by -mu if asked
} corotational;

// tr S is the largest root of s^4 - 2 a s^2 - 8 d s + a^2 - 4 b, with a = |F|^2, b = |cof F|^2, d =
// det F. Newton from above (sqrt(3 a) >= tr S) falls onto it monotonically, quadratically when F is
// not degenerate.
static inline lanes polar_trace(const lanes F[9], const lanes cof[9])
{
    enum { ITERATIONS = 8 }; // most; where F is not far from a rotation three are enough
    lanes a = lanes_mat_dot(F, F), b = lanes_mat_dot(cof, cof);
    lanes d = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    lanes s = lanes_sqrt(3 * a);
    for (int i = 0; i < ITERATIONS; i++) {
        lanes value = (s * s - 2 * a) * s * s - 8 * d * s + a * a - 4 * b;
        lanes slope = 4 * (s * s - a) * s - 8 * d;
        lanes step = value / lanes_max(slope, lanes_set(SMALLEST_DIVISOR));
        s -= step;
        if (!lanes_any(step > POLAR_HALF_DIGITS * s)) // the next one would change nothing
            break;
    }
    return s;
}

// R <- R (3 I - R'R) / 2: towards the orthogonal matrix nearby, quadratically.
static inline void polar_orthonormalize(lanes R[9])
{
    lanes N[9], out[9];
    lanes_mat_mul_tn(N, R, R);
    for (int i = 0; i < 9; i++)
        N[i] = (i % 4 == 0 ? lanes_set(1.5) : lanes_set(0)) - 0.5 * N[i];
    lanes_mat_mul(out, R, N);
    for (int i = 0; i < 9; i++)
        R[i] = out[i];
}

// G = (tr(S) I - V)^-1 with V = F R' = R S R', and w the axial vector of V - V'. Eigenvalues of
// tr(S) I - V are sums of two principal stretches; where one vanishes, every rotation about an axis
// is equally good and G is cut off.
static inline void polar_twist(const lanes F[9], const lanes R[9], lanes G[9], lanes w[3])
{
    lanes V[9], M[9], cof[9];
    lanes_mat_mul_nt(V, F, R);
    lanes trace = V[0] + V[4] + V[8];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            M[3 * i + j] = (i == j ? trace : lanes_set(0)) - 0.5 * (V[3 * i + j] + V[3 * j + i]);
    lanes_mat_cofactor(cof, M);
    lanes det = M[0] * cof[0] + M[1] * cof[1] + M[2] * cof[2];
    lanes scale = lanes_set(1) / lanes_max(det, lanes_set(POLAR_FOLDED));
    for (int i = 0; i < 9; i++)
        G[i] = cof[i] * scale;
    w[0] = V[7] - V[5];
    w[1] = V[2] - V[6];
    w[2] = V[3] - V[1];
}

// R <- exp([G w]) R to first order, made orthogonal again: one Newton step on the rotation.
static inline void polar_refine(const lanes F[9], lanes R[9])
{
    lanes G[9], w[3], t[3], out[9];
    polar_twist(F, R, G, w);
    for (int i = 0; i < 3; i++)
        t[i] = G[3 * i] * w[0] + G[3 * i + 1] * w[1] + G[3 * i + 2] * w[2];
    for (int j = 0; j < 3; j++) {
        out[j] = R[j] + t[1] * R[6 + j] - t[2] * R[3 + j];
        out[3 + j] = R[3 + j] + t[2] * R[j] - t[0] * R[6 + j];
        out[6 + j] = R[6 + j] + t[0] * R[3 + j] - t[1] * R[j];
    }
    for (int i = 0; i < 9; i++)
        R[i] = out[i];
    polar_orthonormalize(R);
}

// Lanes that the closed form cannot serve (nearly equal nearest rotations, an inverted element, a
// NaN) one at a time.
static inline void polar_mend(const lanes F[9], lanes R[9], lanes det)
{
    lanes RtR[9], off = lanes_set(0);
    lanes_mat_mul_tn(RtR, R, R);
    for (int i = 0; i < 9; i++) {
        lanes d = RtR[i] - (i % 4 == 0 ? lanes_set(1) : lanes_set(0));
        off += d * d;
    }
    lanes_mask good = (off < POLAR_ORTHOGONAL) & (det > POLAR_FLAT); // not where anything is NaN
    for (int l = 0; lanes_any(~good) && l < LANES; l++) {
        double f[9], r[9];
        for (int i = 0; i < 9; i++)
            f[i] = F[i][l];
        if (good[l])
            continue;
        polar_rotation(f, r);
        for (int i = 0; i < 9; i++)
            R[i][l] = r[i];
    }
}

// (I1 I2 - I3) R = I1 cof F + (I1^2 - I2) F - F F'F, from Cayley-Hamilton for S, without inverting
// S.
static inline void polar_lanes(const lanes F[9], lanes R[9])
{
    lanes cof[9], FtF[9], FFtF[9];
    lanes_mat_cofactor(cof, F);
    lanes_mat_mul_tn(FtF, F, F);
    lanes_mat_mul(FFtF, F, FtF);
    lanes det = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    lanes I1 = polar_trace(F, cof);
    lanes I2 = 0.5 * (I1 * I1 - (FtF[0] + FtF[4] + FtF[8]));
    lanes scale = 1 / (I1 * I2 - det);
    for (int i = 0; i < 9; i++)
        R[i] = (I1 * cof[i] + (I1 * I1 - I2) * F[i] - FFtF[i]) * scale;
    polar_mend(F, R, det);
    polar_orthonormalize(R);
    polar_refine(F, R);
}

// Eigenvalues of the twist below -mu become -mu.
static inline void corotational_clamp(corotational *point, lanes mu)
{
    lanes *T = point->twist, v[9], work[9];
    if (spectrum_positive(3, T, mu, work))
        return;
    spectrum_three(T, v);
    for (int k = 0; k < 3; k++)
        work[k] = lanes_max(T[4 * k], -mu);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T[3 * i + j] = v[3 * i] * work[0] * v[3 * j] + v[3 * i + 1] * work[1] * v[3 * j + 1] +
                           v[3 * i + 2] * work[2] * v[3 * j + 2];
}

static inline void corotational_evaluate(const lanes F[9], lanes mu, lanes lambda,
                                         corotational *point)
{
    polar_lanes(F, point->R);
    lanes stretch = lanes_mat_dot(point->R, F) - 3; // tr(S - I)
    lanes distance = lanes_set(0);                  // |S - I|^2
    for (int i = 0; i < 9; i++) {
        lanes strain = F[i] - point->R[i];
        distance += strain * strain;
        point->P[i] = 2 * mu * strain + lambda * stretch * point->R[i];
    }
    point->energy = mu * distance + 0.5 * lambda * stretch * stretch;
}

// The part of the tangent that R brings. positive: clamp it so that the whole tangent is positive
// semi-definite.
static inline void corotational_twist(const lanes F[9], lanes mu, lanes lambda, bool positive,
                                      corotational *point)
{
    lanes w[3];
    lanes weight = lambda * (lanes_mat_dot(point->R, F) - 3) - 2 * mu; // c
    polar_twist(F, point->R, point->twist, w);
    for (int i = 0; i < 9; i++)
        point->twist[i] *= weight;
    if (positive)
        corotational_clamp(point, mu);
}

// C = dP/dF from what corotational_evaluate and corotational_twist left: C_iJkL = 2 mu delta_ik
// delta_JL + lambda R_iJ R_kL + w_iJ' T w_kL, T = c G, where w_iJ = R_J x e_i (up to a sign that
// both share), R_J the column J of R, is the axial vector that belongs to dF = e_i e_J'.
static inline void corotational_tangent(const corotational *point, lanes mu, lanes lambda,
                                        lanes C[81])
{
    const lanes *R = point->R, *T = point->twist;
    lanes w[9][3], Tw[9][3];
    for (int i = 0; i < 3; i++)
        for (int J = 0; J < 3; J++) {
            int n = 3 * i + J, i1 = (i + 1) % 3, i2 = (i + 2) % 3;
            w[n][i] = lanes_set(0);
            w[n][i1] = R[3 * i2 + J];
            w[n][i2] = -R[3 * i1 + J];
            for (int m = 0; m < 3; m++)
                Tw[n][m] = T[3 * m] * w[n][0] + T[3 * m + 1] * w[n][1] + T[3 * m + 2] * w[n][2];
        }
    for (int a = 0; a < 9; a++)
        for (int b = 0; b < 9; b++)
            C[9 * a + b] = lambda * R[a] * R[b] + w[a][0] * Tw[b][0] + w[a][1] * Tw[b][1] +
                           w[a][2] * Tw[b][2] + (a == b ? 2 * mu : lanes_set(0));
}

static const law_definition corotational_definition = {
    .name = "corotational", .form = "", .lambda = 1, .fit = law_fit_shear};

#endif
