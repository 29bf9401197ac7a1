#include "element/tet4.h"

#include "material/corotational.h"

enum {
    VTK_TETRA = 10,
    FORCE = 12, // numbers of one element's force: 4 nodes x 3
    STIFF = 90, // numbers of one element's stiffness: 10 pairs of nodes x 9
};

extern const element_kind KERNEL(tet4_corotational);

static inline void load_gradient(const tet4_batch *b, const double *x, lanes F[9])
{
    lanes D[9]; // columns x1 - x0, x2 - x0, x3 - x0
    for (int a = 1; a < 4; a++)
        for (int i = 0; i < 3; i++)
            for (int l = 0; l < LANES; l++)
                D[3 * i + a - 1][l] = x[3 * b->node[a][l] + i] - x[3 * b->node[0][l] + i];
    lanes inverse[9];
    for (int i = 0; i < 9; i++)
        inverse[i] = lanes_load(b->gradient[i]);
    lanes_mat_mul(F, D, inverse);
}

// g[a]: gradient of the shape function of node a
static inline void load_shape(const tet4_batch *b, lanes g[4][3])
{
    for (int i = 0; i < 3; i++) {
        for (int a = 1; a < 4; a++)
            g[a][i] = lanes_load(b->gradient[3 * (a - 1) + i]);
        g[0][i] = -(g[1][i] + g[2][i] + g[3][i]);
    }
}

// f_a = V P g_a
static inline void store_force(const corotational *point, lanes g[4][3], lanes volume,
                               double *force)
{
    for (int a = 0; a < 4; a++)
        for (int i = 0; i < 3; i++) {
            const lanes *P = &point->P[3 * i];
            lanes f = volume * (P[0] * g[a][0] + P[1] * g[a][1] + P[2] * g[a][2]);
            for (int l = 0; l < LANES; l++)
                force[FORCE * l + 3 * a + i] = f[l];
        }
}

// Tw = T [h]x, so that [ha]x' T [hb]x = [ha]x' Tw
static inline void twist_cross(const lanes T[9], const lanes h[3], lanes Tw[9])
{
    for (int i = 0; i < 3; i++) {
        const lanes *t = &T[3 * i];
        Tw[3 * i] = t[1] * h[2] - t[2] * h[1];
        Tw[3 * i + 1] = t[2] * h[0] - t[0] * h[2];
        Tw[3 * i + 2] = t[0] * h[1] - t[1] * h[0];
    }
}

// K_ab = V (2 mu (g_a . g_b) I + lambda h_a h_b' + [h_a]x' T [h_b]x),  h = R g, T = c G
static inline void pair_block(const lanes ga[3], const lanes gb[3], const lanes ha[3],
                              const lanes hb[3], const lanes Tb[9], lanes mu2, lanes lambda,
                              lanes volume, lanes K[9])
{
    lanes shear = mu2 * (ga[0] * gb[0] + ga[1] * gb[1] + ga[2] * gb[2]);
    for (int j = 0; j < 3; j++) {
        // [ha]x' = -[ha]x
        lanes cross[3] = {ha[2] * Tb[3 + j] - ha[1] * Tb[6 + j], ha[0] * Tb[6 + j] - ha[2] * Tb[j],
                          ha[1] * Tb[j] - ha[0] * Tb[3 + j]};
        for (int i = 0; i < 3; i++)
            K[3 * i + j] =
                volume * (lambda * ha[i] * hb[j] + cross[i] + (i == j ? shear : lanes_set(0)));
    }
}

static inline void store_stiff(const corotational *point, lanes g[4][3], lanes mu, lanes lambda,
                               lanes volume, double *stiff)
{
    lanes h[4][3], T[4][9], K[9];
    for (int a = 0; a < 4; a++) {
        for (int i = 0; i < 3; i++)
            h[a][i] = point->R[3 * i] * g[a][0] + point->R[3 * i + 1] * g[a][1] +
                      point->R[3 * i + 2] * g[a][2];
        twist_cross(point->twist, h[a], T[a]);
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b <= a; b++) {
            pair_block(g[a], g[b], h[a], h[b], T[b], 2 * mu, lambda, volume, K);
            for (int i = 0; i < 9; i++)
                for (int l = 0; l < LANES; l++)
                    stiff[STIFF * l + 9 * element_pair(a, b) + i] = K[i][l];
        }
}

static void evaluate(const void *elements, const double *x, element_tangent tangent,
                     element_output out)
{
    const tet4_batch *batch = elements;
    lanes F[9], g[4][3];
    corotational point;
    lanes mu = lanes_load(batch->mu), lambda = lanes_load(batch->lambda);
    lanes volume = lanes_load(batch->volume);
    load_gradient(batch, x, F);
    load_shape(batch, g);
    corotational_evaluate(F, mu, lambda, &point);
    lanes energy = volume * point.energy;
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    store_force(&point, g, volume, out.force);
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    corotational_twist(F, mu, lambda, tangent == ELEMENT_POSITIVE, &point);
    store_stiff(&point, g, mu, lambda, volume, out.stiff);
}

static inline lanes mises(const lanes s[9])
{
    lanes a = s[0] - s[4], b = s[4] - s[8], c = s[8] - s[0];
    return lanes_sqrt(0.5 * (a * a + b * b + c * c) +
                      3 * (s[1] * s[1] + s[2] * s[2] + s[5] * s[5]));
}

static void stress(const void *elements, const double *x, double *energy_density, double *von_mises)
{
    const tet4_batch *batch = elements;
    lanes F[9], cof[9], sigma[9];
    corotational point;
    load_gradient(batch, x, F);
    corotational_evaluate(F, lanes_load(batch->mu), lanes_load(batch->lambda), &point);
    lanes_mat_cofactor(cof, F);
    lanes J = F[0] * cof[0] + F[1] * cof[1] + F[2] * cof[2];
    lanes_mat_mul_nt(sigma, point.P, F);
    for (int i = 0; i < 9; i++)
        sigma[i] /= J;
    lanes m = mises(sigma);
    for (int l = 0; l < LANES; l++) {
        energy_density[l] = point.energy[l];
        von_mises[l] = m[l];
    }
}

const element_kind KERNEL(tet4_corotational) = {
    .name = "tet4",
    .nnode = 4,
    .cell = VTK_TETRA,
    .batch_size = sizeof(tet4_batch),
    .evaluate = evaluate,
    .stress = stress,
};
