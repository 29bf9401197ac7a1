// The six deformations of a beam, their first and second derivatives. Symbols as in
// docs/theory/beams.md: d the chord, t its direction; p0, p1 the ends' frames as quaternions on one
// side (p0 . p1 = c >= 0), s = p0 + p1; a_k the middle frame's axes, gamma_k = t . a_k; v the
// vector part of p0* p1; bending and twist are g(c) v.
#include "element/beam.h"

#include "element/quaternion.h"
#include "element/tolerances.h"

extern const element_kind KERNEL(beam_kind);

typedef struct beam_shape {
    lanes length; // at rest
    lanes d[3], l, t[3];
    lanes p[2][4], s[4], n; // n = s . s
    lanes c, v[3];
    lanes g, g1, g2;  // g(c) and its derivatives
    lanes axis[2][3]; // a_2, a_3
    lanes lean[2];    // gamma_2, gamma_3
    lanes deform[BEAM_DEFORM];
    lanes effort[BEAM_DEFORM];
} beam_shape;

// g(c) = angle / sin(angle/2) with c = cos(angle/2): 2 sum a_n (1 - c)^n, a_0 = 1, a_n+1 = a_n
// (n + 1) / (2 n + 3). Away from c = 1 by its differential equation, (1 - c^2) g' = c g - 2.
static inline void bend_scale(lanes c, lanes *g, lanes *g1, lanes *g2)
{
    enum { TERMS = 18 };
    lanes u = 1 - c, power = lanes_set(1), a0 = lanes_set(0), a1 = a0, a2 = a0, closed = a0;
    double coefficient = 2, next = 2.0 / 3, after = 4.0 / 15;
    for (int k = 0; k < TERMS; k++, power *= u) {
        a0 += coefficient * power;
        a1 -= (k + 1) * next * power;
        a2 += (k + 1) * (k + 2) * after * power;
        coefficient = next;
        next = after;
        after *= (k + 3) / (2.0 * k + 7);
    }
    for (int l = 0; l < LANES; l++)
        closed[l] = 2 * acos(fmin(c[l], 1));
    lanes rest = lanes_max(1 - c * c, lanes_set(BEAM_CLOSED_FORM));
    closed /= lanes_sqrt(rest);
    lanes slope = (c * closed - 2) / rest;
    lanes_mask near = u < 0.2;
    *g = lanes_select(near, a0, closed);
    *g1 = lanes_select(near, a1, slope);
    *g2 = lanes_select(near, a2, (closed + 3 * c * slope) / rest);
}

static inline void load_ends(const beam_batch *b, const double *x, beam_shape *w)
{
    lanes frame[4], at[2][3];
    for (int i = 0; i < 4; i++)
        frame[i] = lanes_load(b->frame[i]);
    for (int e = 0; e < 2; e++)
        lanes_load_points(x, b->node[e], at[e]);
    for (int i = 0; i < 3; i++)
        w->d[i] = at[1][i] - at[0][i];
    for (int e = 0; e < 2; e++) {
        const int *node = b->node[2 + e];
        lanes theta[3], q[4];
        lanes_load_points(x, node, theta);
        quaternion_of_rotation(q, theta);
        quaternion_mul(w->p[e], q, frame);
    }
}

static inline void find_bending(beam_shape *w)
{
    lanes conjugate[4], relative[4];
    lanes sign = lanes_select(quaternion_dot(w->p[0], w->p[1]) < 0, lanes_set(-1), lanes_set(1));
    for (int i = 0; i < 4; i++) {
        w->p[1][i] *= sign;
        w->s[i] = w->p[0][i] + w->p[1][i];
    }
    w->n = quaternion_dot(w->s, w->s);
    quaternion_conjugate(conjugate, w->p[0]);
    quaternion_mul(relative, conjugate, w->p[1]);
    w->c = relative[0];
    bend_scale(w->c, &w->g, &w->g1, &w->g2);
    for (int i = 0; i < 3; i++) {
        w->v[i] = relative[1 + i];
        w->deform[3 + i] = w->g * w->v[i];
    }
}

static inline void find_chord(beam_shape *w)
{
    w->l = lanes_sqrt(lanes_dot(w->d, w->d));
    for (int i = 0; i < 3; i++)
        w->t[i] = w->d[i] / w->l;
    w->deform[0] = w->l - w->length;
    for (int k = 0; k < 2; k++) {
        lanes unit[3] = {lanes_set(0), lanes_set(k == 0), lanes_set(k == 1)}, a[4];
        quaternion_carry(a, w->s, unit, w->s);
        for (int i = 0; i < 3; i++)
            w->axis[k][i] = a[1 + i] / w->n;
        w->lean[k] = lanes_dot(w->axis[k], w->t);
        w->deform[1 + k] = w->length * w->lean[k];
    }
}

// out = K u; lean along 2 goes with bending about 3, lean along 3 with bending about 2.
static inline void apply_stiffness(const beam_batch *b, const lanes u[BEAM_DEFORM],
                                   lanes out[BEAM_DEFORM])
{
    out[0] = lanes_load(b->stretch) * u[0];
    out[3] = lanes_load(b->twist) * u[3];
    for (int plane = 0; plane < 2; plane++) {
        int lean = 1 + plane, bend = 5 - plane;
        lanes mixed = lanes_load(b->mixed[plane]);
        out[lean] = lanes_load(b->lean[plane]) * u[lean] + mixed * u[bend];
        out[bend] = lanes_load(b->bend[plane]) * u[bend] + mixed * u[lean];
    }
}

// Z = d(a)/d(spin of end e), for the carried vector a of components unit in the middle frame:
// -(u0 I + [u]x + a z') / n with u = s unit p_e*, z = s p_e*
static inline void axis_rate(const beam_shape *w, int e, const lanes unit[3], const lanes a[3],
                             lanes Z[9])
{
    lanes u[4], z[4], conjugate[4];
    quaternion_carry(u, w->s, unit, w->p[e]);
    quaternion_conjugate(conjugate, w->p[e]);
    quaternion_mul(z, w->s, conjugate);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Z[3 * i + j] = -a[i] * z[1 + j] / w->n - (i == j ? u[0] / w->n : lanes_set(0));
    for (int i = 0; i < 3; i++) { // [u]x
        int j = (i + 1) % 3, k = (i + 2) % 3;
        Z[3 * k + j] -= u[1 + i] / w->n;
        Z[3 * j + k] += u[1 + i] / w->n;
    }
}

// B[j]: gradient of deformation j by the two positions and the two spins (12).
static inline void find_gradients(const beam_shape *w, lanes B[BEAM_DEFORM][12])
{
    lanes r[4], conjugate[4];
    quaternion_conjugate(conjugate, w->p[0]);
    quaternion_mul(r, w->p[1], conjugate); // d(c)/d(spin 1) = -r/2, of spin 0 r/2
    for (int i = 0; i < 3; i++) {
        B[0][i] = -w->t[i];
        B[0][3 + i] = w->t[i];
        B[0][6 + i] = B[0][9 + i] = lanes_set(0);
    }
    for (int k = 0; k < 2; k++) {
        lanes unit[3] = {lanes_set(0), lanes_set(k == 0), lanes_set(k == 1)}, Z[9];
        for (int e = 0; e < 2; e++) {
            axis_rate(w, e, unit, w->axis[k], Z);
            for (int j = 0; j < 3; j++)
                B[1 + k][6 + 3 * e + j] =
                    w->length * (w->t[0] * Z[j] + w->t[1] * Z[3 + j] + w->t[2] * Z[6 + j]);
        }
        for (int i = 0; i < 3; i++) {
            lanes rate = w->length / w->l * (w->axis[k][i] - w->lean[k] * w->t[i]);
            B[1 + k][i] = -rate;
            B[1 + k][3 + i] = rate;
        }
    }
    for (int k = 0; k < 3; k++) {
        lanes unit[3] = {lanes_set(k == 0), lanes_set(k == 1), lanes_set(k == 2)}, y[4];
        quaternion_carry(y, w->p[1], unit, w->p[0]);
        for (int i = 0; i < 3; i++) {
            lanes rate = 0.5 * (w->g * y[1 + i] - w->g1 * w->v[k] * r[1 + i]);
            B[3 + k][i] = B[3 + k][3 + i] = lanes_set(0);
            B[3 + k][6 + i] = -rate;
            B[3 + k][9 + i] = rate;
        }
    }
}

// Second derivatives times efforts, as blocks: chord-chord, chord-spin of each end, spin-spin (0,0)
// (1,0) (1,1). Everything but the chord-chord block depends on the chord's difference alone.
typedef struct beam_bend {
    lanes dd[9], dw[2][9], ww[3][9];
} beam_bend;

static inline void add_identity(lanes M[9], lanes v)
{
    M[0] += v;
    M[4] += v;
    M[8] += v;
}

// M += scale (a b' + b a')
static inline void add_outer(lanes M[9], lanes scale, const lanes a[3], const lanes b[3])
{
    for (int i = 0; i < 9; i++)
        M[i] += scale * (a[i / 3] * b[i % 3] + b[i / 3] * a[i % 3]);
}

// M += scale [v]x
static inline void add_cross(lanes M[9], lanes scale, const lanes v[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        M[3 * k + j] += scale * v[i];
        M[3 * j + k] -= scale * v[i];
    }
}

// The chord's lean: gamma = t . a, with a the carried effort.
static inline void add_lean(const beam_shape *w, beam_bend *G)
{
    lanes unit[3] = {lanes_set(0), w->effort[1] * w->length, w->effort[2] * w->length}, a[3];
    for (int i = 0; i < 3; i++)
        a[i] = unit[1] * w->axis[0][i] + unit[2] * w->axis[1][i];
    lanes gamma = lanes_dot(a, w->t), square = w->l * w->l;
    add_outer(G->dd, -1 / square, a, w->t);
    add_outer(G->dd, 1.5 * gamma / square, w->t, w->t);
    add_identity(G->dd, -gamma / square);
    // rates of gamma and of s by each spin: h = d(gamma), z = vector part of s p*, as in axis_rate
    lanes h[2][3], z[2][4];
    for (int e = 0; e < 2; e++) {
        lanes Z[9], conjugate[4];
        axis_rate(w, e, unit, a, Z);
        quaternion_conjugate(conjugate, w->p[e]);
        quaternion_mul(z[e], w->s, conjugate);
        for (int j = 0; j < 3; j++) {
            h[e][j] = w->t[0] * Z[j] + w->t[1] * Z[3 + j] + w->t[2] * Z[6 + j];
            for (int i = 0; i < 3; i++)
                G->dw[e][3 * i + j] += Z[3 * i + j] / w->l;
        }
        for (int i = 0; i < 9; i++)
            G->dw[e][i] -= w->t[i / 3] * h[e][i % 3] / w->l;
    }
    for (int k = 0; k < 3; k++) { // (0,0) (1,0) (1,1)
        int e = k > 0, f = k > 1;
        lanes m[4], r[4], conjugate[4], *M = G->ww[k];
        quaternion_carry(m, w->p[f], unit, w->p[e]);
        quaternion_conjugate(conjugate, w->p[e]);
        quaternion_mul(r, w->p[f], conjugate);
        add_outer(M, 0.5 / w->n, &m[1], w->t);
        add_identity(M, -0.5 / w->n * (lanes_dot(&m[1], w->t) + gamma * r[0]));
        add_cross(M, -0.5 / w->n * m[0], w->t);
        add_cross(M, 0.5 / w->n * gamma, &r[1]);
        for (int i = 0; i < 9; i++)
            M[i] -= (z[e][1 + i / 3] * h[f][i % 3] + h[e][i / 3] * z[f][1 + i % 3]) / w->n;
        if (e == f) { // - (p . d gamma/dp) / 4, d gamma/dp = (-2 t s unit - 2 gamma s) / n
            lanes u[4];
            quaternion_carry(u, w->s, unit, w->p[e]);
            add_identity(M, 0.5 / w->n * (gamma * z[e][0] - lanes_dot(w->t, &u[1])));
        }
    }
}

// Bending and twist: g(c) mu, mu = v . moment.
static inline void add_bending(const beam_shape *w, beam_bend *G)
{
    lanes y[4], r[4], conjugate[4], mu = lanes_dot(w->v, &w->effort[3]);
    quaternion_carry(y, w->p[1], &w->effort[3], w->p[0]);
    quaternion_conjugate(conjugate, w->p[0]);
    quaternion_mul(r, w->p[1], conjugate);
    for (int k = 0; k < 3; k++) {
        lanes sign = lanes_set(k == 1 ? -1 : 1), *M = G->ww[k];
        add_outer(M, sign * 0.125 * w->g2 * mu, &r[1], &r[1]);
        add_outer(M, -sign * 0.25 * w->g1, &r[1], &y[1]);
    }
    lanes pull = -0.25 * (w->g1 * mu * w->c + w->g * mu);
    add_identity(G->ww[0], pull);
    add_identity(G->ww[2], pull);
    add_identity(G->ww[1], 0.25 * (w->g1 * mu * w->c - w->g * y[0])); // spin 1 by spin 0
    add_cross(G->ww[1], 0.25 * w->g1 * mu, &r[1]);
    add_cross(G->ww[1], -0.25 * w->g, &y[1]);
}

// The chord's own rotation under its pull.
static inline void add_pull(const beam_shape *w, lanes pull, beam_bend *G)
{
    lanes over = pull / w->l;
    add_identity(G->dd, over);
    add_outer(G->dd, -0.5 * over, w->t, w->t);
}

static inline void add_material(const beam_batch *b, lanes B[BEAM_DEFORM][12], lanes K[12][12])
{
    lanes S[BEAM_DEFORM][12];
    for (int i = 0; i < 12; i++) {
        lanes u[BEAM_DEFORM], f[BEAM_DEFORM];
        for (int j = 0; j < BEAM_DEFORM; j++)
            u[j] = B[j][i];
        apply_stiffness(b, u, f);
        for (int j = 0; j < BEAM_DEFORM; j++)
            S[j][i] = f[j];
    }
    for (int i = 0; i < 12; i++)
        for (int k = 0; k <= i; k++) {
            lanes sum = B[0][i] * S[0][k];
            for (int j = 1; j < BEAM_DEFORM; j++)
                sum += B[j][i] * S[j][k];
            K[i][k] = K[k][i] = sum;
        }
}

static inline void add_geometric(const beam_bend *G, lanes K[12][12])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int a = 0; a < 2; a++)
                for (int c = 0; c < 2; c++) {
                    lanes sign = lanes_set(a == c ? 1 : -1), *ends = &K[3 * a + i][3 * c + j];
                    *ends += sign * G->dd[3 * i + j];
                    K[6 + 3 * a + i][3 * c + j] += (c ? 1.0 : -1.0) * G->dw[a][3 * j + i];
                }
            K[6 + i][6 + j] += G->ww[0][3 * i + j];
            K[9 + i][6 + j] += G->ww[1][3 * i + j];
            K[9 + i][9 + j] += G->ww[2][3 * i + j];
        }
}

static inline void store_stiff(lanes K[12][12], double *stiff)
{
    for (int a = 0; a < BEAM_NODE; a++)
        for (int c = 0; c <= a; c++)
            for (int i = 0; i < 9; i++) {
                lanes v = K[3 * a + i / 3][3 * c + i % 3];
                for (int l = 0; l < LANES; l++)
                    stiff[90 * l + 9 * element_pair(a, c) + i] = v[l];
            }
}

static void evaluate(const void *of, const double *x, element_tangent tangent, element_output out)
{
    const beam_batch *b = of;
    beam_shape w = {.length = lanes_load(b->length)};
    lanes B[BEAM_DEFORM][12], K[12][12];
    load_ends(b, x, &w);
    find_bending(&w);
    find_chord(&w);
    apply_stiffness(b, w.deform, w.effort);
    find_gradients(&w, B);
    lanes energy = lanes_set(0);
    for (int j = 0; j < BEAM_DEFORM; j++)
        energy += 0.5 * w.effort[j] * w.deform[j];
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    for (int i = 0; i < 12; i++) {
        lanes f = w.effort[0] * B[0][i];
        for (int j = 1; j < BEAM_DEFORM; j++)
            f += w.effort[j] * B[j][i];
        for (int l = 0; l < LANES; l++)
            out.force[12 * l + i] = f[l];
    }
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    beam_bend G = {0};
    add_pull(&w, tangent == ELEMENT_EXACT ? w.effort[0] : lanes_max(w.effort[0], lanes_set(0)), &G);
    if (tangent == ELEMENT_EXACT) {
        add_lean(&w, &G);
        add_bending(&w, &G);
    }
    add_material(b, B, K);
    add_geometric(&G, K);
    store_stiff(K, out.stiff);
}

// Of the outermost fibre of the middle section.
static void stress(const void *of, const double *x, double *energy_density, double *von_mises)
{
    const beam_batch *b = of;
    beam_shape w = {.length = lanes_load(b->length)};
    load_ends(b, x, &w);
    find_bending(&w);
    find_chord(&w);
    apply_stiffness(b, w.deform, w.effort);
    lanes zero = lanes_set(0), energy = zero, along = zero, twist;
    for (int j = 0; j < BEAM_DEFORM; j++)
        energy += 0.5 * w.effort[j] * w.deform[j];
    for (int i = 0; i < 4; i++) {
        lanes part = lanes_load(b->fibre[i]) * w.effort[i ? 2 + i : 0];
        part = lanes_max(part, -part);
        if (i == 1)
            twist = part;
        else
            along += part;
    }
    lanes mises = lanes_sqrt(along * along + 3 * twist * twist);
    for (int l = 0; l < LANES; l++) {
        energy_density[l] = b->volume[l] > 0 ? energy[l] / b->volume[l] : 0;
        von_mises[l] = mises[l];
    }
}

const element_kind KERNEL(beam_kind) = {
    .name = "beam",
    .nnode = BEAM_NODE,
    .nrotation = 2,
    .cell = 3, // a line
    .batch_size = sizeof(beam_batch),
    .evaluate = evaluate,
    .stress = stress,
};
