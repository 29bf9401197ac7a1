// Ogden: psi = sum_p mu_p / alpha_p (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3) - m L + lambda/2 L^2
// with the principal stretches l, m = sum mu_p and L = ln J continued (material/strain.h). The
// shear modulus at small strain is sum mu_p alpha_p / 2, lambda is Lame's constant.
//
// With c = l^2 and the eigenvectors N of E: S = sum_i s(c_i) N_i N_i', s = sum_p mu_p
// c^(alpha_p/2 - 1), P = F S + (lambda L - m) L' cof. Below c = 1e-4 (a stretch of 0.01) s is
// continued by its tangent, so that the law is smooth for every F. The derivative of S in the
// frame of the N is dS_ij = q_ij dE_ij, q_ij the difference quotient of s over E, which tends to
// its derivative where two stretches meet.
#ifndef MATERIAL_OGDEN_H
#define MATERIAL_OGDEN_H

#include "base/spectrum.h"
#include "material/strain.h"

enum { OGDEN_TERMS = 3 };

#define OGDEN_FLOOR 1e-4 // squared stretch below which s is continued

typedef struct ogden_stretch {
    lanes E;                 // eigenvalue of Green's strain
    lanes below;             // E less its floor, where it is below; else 0
    lanes x;                 // ln l, of the floor where E is below
    lanes part[OGDEN_TERMS]; // mu_p l^(alpha_p - 2)
    lanes s, slope;          // s and ds/dE
    lanes energy;            // sum_p mu_p/alpha_p (l^alpha_p - 1 - alpha_p ln l)
} ogden_stretch;

static inline void ogden_evaluate(const lanes *p, lanes E, ogden_stretch *out)
{
    lanes floor = lanes_set(0.5 * (OGDEN_FLOOR - 1));
    lanes top = lanes_max(E, floor), c = 1 + 2 * top;
    out->E = E;
    out->below = lanes_min(E - floor, lanes_set(0));
    out->x = 0.5 * lanes_log1p(2 * top);
    out->s = out->slope = out->energy = lanes_set(0);
    for (int k = 0; k < OGDEN_TERMS; k++) {
        lanes mu = p[k], alpha = p[4 + k], y = alpha * out->x;
        lanes excess = lanes_exp_excess(y);
        out->energy += mu / alpha * excess;
        out->part[k] = mu * (1 + y + excess) / c;
        out->s += out->part[k];
        out->slope += (alpha - 2) * out->part[k] / c;
    }
    out->energy += out->below * (out->s + 0.5 * out->below * out->slope);
    out->s += out->below * out->slope;
}

// sinh(x) / x for |x| < 1/2
static inline lanes ogden_sinhc(lanes x)
{
    const double c[] = {1.0 / 39916800.0, 1.0 / 362880.0, 1.0 / 5040.0,
                        1.0 / 120.0,      1.0 / 6.0,      1.0};
    lanes z = x * x, sum = lanes_set(1.0 / 6227020800.0); // 1/13!
    for (int i = 0; i < 6; i++)
        sum = sum * z + c[i];
    return sum;
}

// (s_i - s_j) / (E_i - E_j). Where the two are near: with x = m + d and m - d, l^b differs by 2
// l_m^b sinh(b d).
static inline lanes ogden_quotient(const lanes *p, const ogden_stretch *a, const ogden_stretch *b)
{
    lanes d = 0.5 * (a->x - b->x), near = lanes_set(0), reach = lanes_set(2);
    lanes c = lanes_exp(-(a->x + b->x)); // l_m^-2
    for (int k = 0; k < OGDEN_TERMS; k++) {
        lanes beta = p[4 + k] - 2;
        lanes sign = lanes_select(p[k] < 0, lanes_set(-1), lanes_set(1));
        lanes part = sign * lanes_sqrt(a->part[k] * b->part[k]);
        near += part * c * beta * ogden_sinhc(beta * d);
        reach = lanes_max(reach, lanes_abs(beta));
    }
    near /= ogden_sinhc(2 * d);
    lanes gap = a->E - b->E;
    lanes wide = lanes_select(gap == 0, lanes_set(1), gap);
    lanes share = lanes_select(gap == 0, (lanes)((lanes_mask)lanes_set(1) & (a->below < 0)),
                               (a->below - b->below) / wide); // of the way that is continued
    lanes floor = lanes_select(a->below < 0, a->slope, b->slope);
    near = share * floor + (1 - share) * near;
    return lanes_select(reach * lanes_abs(d) < 0.5, near, (a->s - b->s) / wide);
}

// C = sum_ij q_ij M_ij (x) M_ij, M_ij = (F N_i N_j' + F N_j N_i')/2
static inline void ogden_tangent(const lanes *p, const ogden_stretch point[3], const lanes N[9],
                                 const lanes f[9], lanes C[81])
{
    for (int i = 0; i < 81; i++)
        C[i] = lanes_set(0);
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            lanes M[9];
            lanes q = a == b ? point[a].slope : 2 * ogden_quotient(p, &point[a], &point[b]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    M[3 * i + j] =
                        0.5 * (f[3 * i + a] * N[3 * j + b] + f[3 * i + b] * N[3 * j + a]);
            for (int i = 0; i < 9; i++)
                for (int j = 0; j < 9; j++)
                    C[9 * i + j] += q * M[i] * M[j];
        }
}

static inline lanes ogden_energy(const ogden_stretch point[3], const strain *s, lanes m,
                                 lanes lambda)
{
    lanes sum = 0.5 * lambda * s->log * s->log, length = -s->log;
    lanes_mask odd = s->continued;
    for (int i = 0; i < 3; i++) {
        sum += point[i].energy;
        length += point[i].x; // ln l1 + ln l2 + ln l3 - L is zero unless something is continued
        odd |= point[i].below < 0;
    }
    return sum + lanes_select(odd, m * length, lanes_set(0));
}

static inline void ogden(const lanes F[9], const lanes *p, bool stiff, lanes *energy, lanes P[9],
                         lanes C[81])
{
    lanes a[9], N[9], f[9], S[9], m = p[0] + p[1] + p[2], lambda = p[3];
    ogden_stretch point[3];
    strain s;
    strain_evaluate(F, &s);
    for (int i = 0; i < 9; i++)
        a[i] = s.E[i];
    spectrum_lanes(3, a, N);
    for (int i = 0; i < 3; i++)
        ogden_evaluate(p, a[4 * i], &point[i]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] = point[0].s * N[3 * i] * N[3 * j] +
                           point[1].s * N[3 * i + 1] * N[3 * j + 1] +
                           point[2].s * N[3 * i + 2] * N[3 * j + 2];
    lanes slope = lambda * s.log - m;
    lanes g = slope * s.log1, g1 = lambda * s.log1 * s.log1 + slope * s.log2;
    *energy = ogden_energy(point, &s, m, lambda);
    lanes_mat_mul(P, F, S);
    for (int i = 0; i < 9; i++)
        P[i] += g * s.cof[i];
    if (!stiff)
        return;
    lanes_mat_mul(f, F, N);
    ogden_tangent(p, point, N, f, C);
    strain_add_geometric(S, C);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++)
            C[9 * i + j] += g1 * s.cof[i] * s.cof[j];
    strain_add_cofactor(F, g, C);
}

#endif
