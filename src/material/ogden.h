// Ogden: psi = sum_p mu_p / alpha_p (l1^alpha_p + l2^alpha_p + l3^alpha_p - 3) - m L + lambda/2 L^2
// with the principal stretches l, m = sum mu_p and L = ln J continued (material/strain.h). The
// shear modulus at small strain is sum mu_p alpha_p / 2, lambda is Lame's constant.
//
// With c = l^2 and the eigenvectors N of E: S = sum_i s(c_i) N_i N_i', s = sum_p mu_p
// c^(alpha_p/2 - 1), P = F S + (lambda L - m) L' cof. Below c = OGDEN_FLOOR s is
// continued by its tangent, so that the law is smooth for every F. The derivative of S in the
// frame of the N is dS_ij = q_ij dE_ij, q_ij the difference quotient of s over E, which tends to
// its derivative where two stretches meet.
#ifndef MATERIAL_OGDEN_H
#define MATERIAL_OGDEN_H

#include "base/spectrum.h"
#include "material/law_definition.h"
#include "material/strain.h"
#include "material/tolerances.h"

enum { OGDEN_TERMS = 3 };

typedef struct ogden_stretch {
    lanes E;                   // eigenvalue of Green's strain
    lanes below;               // E less its floor, where it is below; else 0
    lanes x;                   // ln l, of the floor where E is below
    lanes inverse;             // l^-2
    lanes half[OGDEN_TERMS];   // l^(alpha_p / 2)
    lanes s, slope;            // s and ds/dE
    lanes excess[OGDEN_TERMS]; // l^alpha_p - 1 - alpha_p ln l
    lanes more;                // energy of the way that is continued
} ogden_stretch;

// Whether any lane has a term.
static inline bool ogden_has(const lanes *p, int k)
{
    return lanes_any(p[k] != 0);
}

static inline void ogden_evaluate(const lanes *p, lanes E, ogden_stretch *out)
{
    lanes floor = lanes_set(0.5 * (OGDEN_FLOOR - 1));
    lanes top = lanes_max(E, floor);
    out->E = E;
    out->below = lanes_min(E - floor, lanes_set(0));
    out->x = 0.5 * lanes_log1p(2 * top);
    out->inverse = 1 / (1 + 2 * top);
    out->s = out->slope = lanes_set(0);
    for (int k = 0; k < OGDEN_TERMS; k++) {
        if (!ogden_has(p, k))
            continue;
        lanes mu = p[k], alpha = p[4 + k], y = alpha * out->x, e = lanes_exp_excess(0.5 * y);
        out->half[k] = 1 + 0.5 * y + e;
        lanes part = mu * out->half[k] * out->half[k] * out->inverse; // mu l^(alpha - 2)
        out->excess[k] = 0.25 * y * y + e * (2 + y + e);
        out->s += part;
        out->slope += (alpha - 2) * part * out->inverse;
    }
    out->more = out->below * (out->s + 0.5 * out->below * out->slope);
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
// l_m^b sinh(b d), and l_m^2 is the product of both.
static inline lanes ogden_quotient(const lanes *p, const ogden_stretch *a, const ogden_stretch *b)
{
    lanes d = 0.5 * (a->x - b->x), near = lanes_set(0), reach = lanes_set(2);
    for (int k = 0; k < OGDEN_TERMS; k++) {
        if (!ogden_has(p, k))
            continue;
        lanes beta = p[4 + k] - 2;
        near += p[k] * a->half[k] * b->half[k] * beta * ogden_sinhc(beta * d);
        reach = lanes_max(reach, lanes_abs(beta));
    }
    near *= a->inverse * b->inverse / ogden_sinhc(2 * d);
    lanes_mask far = reach * lanes_abs(d) >= 0.5, low = (a->below < 0) | (b->below < 0);
    if (!lanes_any(far | low))
        return near;
    lanes gap = a->E - b->E;
    lanes wide = lanes_select(gap == 0, lanes_set(1), gap);
    lanes share = lanes_select(gap == 0, (lanes)((lanes_mask)lanes_set(1) & (a->below < 0)),
                               (a->below - b->below) / wide); // of the way that is continued
    lanes floor = lanes_select(a->below < 0, a->slope, b->slope);
    near = share * floor + (1 - share) * near;
    return lanes_select(far, (a->s - b->s) / wide, near);
}

// C = sum_ij q_ij M_ij (x) M_ij + weight cof (x) cof, M_ij = (F N_i N_j' + F N_j N_i')/2
static inline void ogden_tangent(const lanes *p, const ogden_stretch point[3], const lanes N[9],
                                 const lanes f[9], const lanes cof[9], lanes weight, lanes C[81])
{
    lanes M[6][9], q[6];
    for (int a = 0, n = 0; a < 3; a++)
        for (int b = a; b < 3; b++, n++) {
            q[n] = a == b ? point[a].slope : 2 * ogden_quotient(p, &point[a], &point[b]);
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    M[n][3 * i + j] =
                        a == b ? f[3 * i + a] * N[3 * j + a]
                               : 0.5 * (f[3 * i + a] * N[3 * j + b] + f[3 * i + b] * N[3 * j + a]);
        }
    for (int i = 0; i < 9; i++) {
        lanes own[6], rest = weight * cof[i];
        for (int n = 0; n < 6; n++)
            own[n] = q[n] * M[n][i];
        for (int j = 0; j <= i; j++) {
            lanes sum = rest * cof[j];
            for (int n = 0; n < 6; n++)
                sum += own[n] * M[n][j];
            C[9 * i + j] = C[9 * j + i] = sum;
        }
    }
}

static inline lanes ogden_energy(const lanes *p, const ogden_stretch point[3], const strain *s)
{
    lanes sum = 0.5 * p[3] * s->log * s->log, length = -s->log, m = p[0] + p[1] + p[2];
    lanes_mask odd = s->continued;
    for (int k = 0; k < OGDEN_TERMS; k++)
        if (ogden_has(p, k))
            sum += p[k] / p[4 + k] * (point[0].excess[k] + point[1].excess[k] + point[2].excess[k]);
    for (int i = 0; i < 3; i++) {
        sum += point[i].more;
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
    spectrum_three(a, N);
    for (int i = 0; i < 3; i++)
        ogden_evaluate(p, a[4 * i], &point[i]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] = point[0].s * N[3 * i] * N[3 * j] +
                           point[1].s * N[3 * i + 1] * N[3 * j + 1] +
                           point[2].s * N[3 * i + 2] * N[3 * j + 2];
    lanes slope = lambda * s.log - m;
    lanes g = slope * s.log1, g1 = lambda * s.log1 * s.log1 + slope * s.log2;
    *energy = ogden_energy(p, point, &s);
    lanes_mat_mul(P, F, S);
    for (int i = 0; i < 9; i++)
        P[i] += g * s.cof[i];
    if (!stiff)
        return;
    lanes_mat_mul(f, F, N);
    ogden_tangent(p, point, N, f, s.cof, g1, C);
    strain_add_geometric(S, C);
    strain_add_cofactor(F, g, C);
}

static inline double ogden_shear(const lithe_material_def *d)
{
    double sum = 0;
    for (int i = 0; i < d->ncoefficient; i++)
        sum += 0.5 * d->coefficient[i] * d->exponent[i];
    return sum;
}

static inline void ogden_fit(const lithe_material_def *d, double mu, double scale, double *number)
{
    (void)mu;
    for (int i = 0; i < LITHE_COEFFICIENTS; i++) {
        bool given = i < d->ncoefficient;
        number[i] = given ? scale * d->coefficient[i] : 0;
        number[LITHE_COEFFICIENTS + 1 + i] = given ? d->exponent[i] : 2;
    }
}

static inline bool ogden_check(const lithe_material_def *d, material_fault *fault)
{
    for (int i = 0; i < d->ncoefficient; i++)
        if (!(d->coefficient[i] * d->exponent[i] > 0))
            return material_blame(
                fault, "coefficients",
                "coefficient and exponent %d of ogden must have the same sign, not %g Pa "
                "and %g; their product is a stiffness",
                i + 1, d->coefficient[i], d->exponent[i]);
    return true;
}

static const law_definition ogden_definition = {.name = "ogden",
                                                .least = 1,
                                                .most = 3,
                                                .form = "[mu1], [mu1, mu2] or [mu1, mu2, mu3]",
                                                .lambda = 3,
                                                .logarithmic = true,
                                                .exponents = true,
                                                .shear = ogden_shear,
                                                .fit = ogden_fit,
                                                .check = ogden_check};

#endif
