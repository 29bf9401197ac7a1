// Symbols: u the way from the point to the node; g the columns of F; c the rest axes of the world
// as the node's rotation carries them; phi_m = (c_i . g_j - c_j . g_i) / 2 with (i, j, m) cyclic,
// the rotation of the node against the solid.
#include "element/glue.h"

#include "element/quaternion.h"

extern const element_kind KERNEL(glue_kinds)[2];

enum { GLUE_FREE = 15 }; // u, g_0, g_1, g_2, spin

typedef struct glue_shape {
    lanes k, rotating;
    lanes u[3], g[3][3], c[3][3];
    lanes phi[3];
} glue_shape;

static inline void find_shape(const glue_batch *b, const double *x, int nhost, glue_shape *w)
{
    w->k = lanes_load(b->stiffness);
    w->rotating = lanes_load(b->rotating);
    lanes_load_points(x, b->node[0], w->u);
    for (int i = 0; i < 9; i++)
        w->g[i / 3][i % 3] = lanes_set(0);
    for (int a = 0; a < nhost; a++) {
        lanes at[3];
        lanes_load_points(x, b->node[1 + a], at);
        for (int i = 0; i < 3; i++) {
            w->u[i] -= lanes_load(b->weight[a]) * at[i];
            for (int j = 0; j < 3; j++)
                w->g[j][i] += lanes_load(b->gradient[a][j]) * at[i];
        }
    }
    const int *rotation = b->node[1 + nhost];
    lanes theta[3], q[4], r[4];
    lanes_load_points(x, rotation, theta);
    quaternion_of_rotation(q, theta);
    for (int j = 0; j < 3; j++) {
        lanes unit[3] = {lanes_set(j == 0), lanes_set(j == 1), lanes_set(j == 2)};
        quaternion_carry(r, q, unit, q);
        for (int i = 0; i < 3; i++)
            w->c[j][i] = r[1 + i];
    }
    for (int m = 0; m < 3; m++) {
        int i = (m + 1) % 3, j = (m + 2) % 3;
        w->phi[m] = 0.5 * (lanes_dot(w->c[i], w->g[j]) - lanes_dot(w->c[j], w->g[i]));
    }
}

// Gradient of phi_m.
static inline void phi_rate(const glue_shape *w, int m, lanes B[GLUE_FREE])
{
    int i = (m + 1) % 3, j = (m + 2) % 3;
    lanes first[3], second[3];
    for (int n = 0; n < GLUE_FREE; n++)
        B[n] = lanes_set(0);
    lanes_cross(first, w->c[i], w->g[j]);
    lanes_cross(second, w->c[j], w->g[i]);
    for (int n = 0; n < 3; n++) {
        B[3 + 3 * j + n] = 0.5 * w->c[i][n];
        B[3 + 3 * i + n] = -0.5 * w->c[j][n];
        B[12 + n] = 0.5 * (first[n] - second[n]);
    }
}

// The part of the rotation that is linear in A_j . g_j, where A_j rotates with the node.
static inline void add_rotating(const glue_shape *w, lanes K[GLUE_FREE][GLUE_FREE])
{
    for (int j = 0; j < 3; j++) {
        int next = (j + 1) % 3, after = (j + 2) % 3;
        lanes A[3], inner;
        for (int i = 0; i < 3; i++)
            A[i] =
                0.5 * w->rotating * (w->phi[next] * w->c[after][i] - w->phi[after] * w->c[next][i]);
        inner = lanes_dot(A, w->g[j]);
        for (int i = 0; i < 3; i++) {
            for (int n = 0; n < 3; n++)
                K[12 + i][12 + n] += 0.5 * (A[i] * w->g[j][n] + w->g[j][i] * A[n]);
            K[12 + i][12 + i] -= inner;
            int n = (i + 1) % 3, m = (i + 2) % 3; // spin by g: [A]x
            K[12 + m][3 + 3 * j + n] += A[i];
            K[12 + n][3 + 3 * j + m] -= A[i];
            K[3 + 3 * j + n][12 + m] += A[i];
            K[3 + 3 * j + m][12 + n] -= A[i];
        }
    }
}

static inline void find_stiffness(const glue_shape *w, bool positive, lanes K[GLUE_FREE][GLUE_FREE])
{
    lanes B[GLUE_FREE];
    for (int i = 0; i < GLUE_FREE; i++)
        for (int j = 0; j < GLUE_FREE; j++)
            K[i][j] = i == j && i < 3 ? w->k : lanes_set(0);
    for (int m = 0; m < 3; m++) {
        phi_rate(w, m, B);
        for (int i = 3; i < GLUE_FREE; i++)
            for (int j = 3; j < GLUE_FREE; j++)
                K[i][j] += w->rotating * B[i] * B[j];
    }
    if (!positive)
        add_rotating(w, K);
}

// How node a moves coordinate block k (u, g_0, g_1, g_2, spin).
static inline lanes share(const glue_batch *b, int nhost, int a, int k)
{
    if (a == 0)
        return lanes_set(k == 0);
    if (a == 1 + nhost)
        return lanes_set(k == 4);
    if (k == 0)
        return -lanes_load(b->weight[a - 1]);
    return k < 4 ? lanes_load(b->gradient[a - 1][k - 1]) : lanes_set(0);
}

static inline void store_stiff(const glue_batch *b, int nhost, lanes K[GLUE_FREE][GLUE_FREE],
                               double *stiff)
{
    int nnode = nhost + 2, npair = nnode * (nnode + 1) / 2;
    for (int a = 0; a < nnode; a++)
        for (int c = 0; c <= a; c++)
            for (int i = 0; i < 9; i++) {
                lanes v = lanes_set(0);
                for (int k = 0; k < 5; k++)
                    for (int m = 0; m < 5; m++)
                        v += share(b, nhost, a, k) * share(b, nhost, c, m) *
                             K[3 * k + i / 3][3 * m + i % 3];
                for (int l = 0; l < LANES; l++)
                    stiff[9 * (npair * l + element_pair(a, c)) + i] = v[l];
            }
}

static inline void evaluate(const glue_batch *b, const double *x, int nhost,
                            element_tangent tangent, element_output out)
{
    glue_shape w;
    lanes f[GLUE_FREE], B[GLUE_FREE], K[GLUE_FREE][GLUE_FREE];
    find_shape(b, x, nhost, &w);
    lanes energy = 0.5 * w.k * lanes_dot(w.u, w.u) + 0.5 * w.rotating * lanes_dot(w.phi, w.phi);
    for (int i = 0; i < GLUE_FREE; i++)
        f[i] = i < 3 ? w.k * w.u[i] : lanes_set(0);
    for (int m = 0; m < 3; m++) {
        phi_rate(&w, m, B);
        for (int i = 3; i < GLUE_FREE; i++)
            f[i] += w.rotating * w.phi[m] * B[i];
    }
    for (int l = 0; l < LANES; l++)
        out.energy[l] = energy[l];
    for (int a = 0; a < nhost + 2; a++)
        for (int i = 0; i < 3; i++) {
            lanes v = lanes_set(0);
            for (int k = 0; k < 5; k++)
                v += share(b, nhost, a, k) * f[3 * k + i];
            for (int l = 0; l < LANES; l++)
                out.force[3 * (nhost + 2) * l + 3 * a + i] = v[l];
        }
    if (tangent == ELEMENT_FORCE_ONLY)
        return;
    find_stiffness(&w, tangent == ELEMENT_POSITIVE, K);
    store_stiff(b, nhost, K, out.stiff);
}

static void evaluate_narrow(const void *batch, const double *x, element_tangent tangent,
                            element_output out)
{
    evaluate(batch, x, GLUE_HOST, tangent, out);
}

static void evaluate_wide(const void *batch, const double *x, element_tangent tangent,
                          element_output out)
{
    evaluate(batch, x, GLUE_WIDE_HOST, tangent, out);
}

// Glue has no volume to speak of.
static void stress(const void *batch, const double *x, double *energy_density, double *von_mises)
{
    (void)batch;
    (void)x;
    for (int l = 0; l < LANES; l++)
        energy_density[l] = von_mises[l] = 0;
}

// No cell shows it: it has no nodes of its own.
const element_kind KERNEL(glue_kinds)[2] = {
    {.name = "glue",
     .nnode = GLUE_HOST + 2,
     .nrotation = 1,
     .cell = 0,
     .batch_size = sizeof(glue_batch),
     .evaluate = evaluate_narrow,
     .stress = stress},
    {.name = "glue",
     .nnode = GLUE_WIDE_HOST + 2,
     .nrotation = 1,
     .cell = 0,
     .batch_size = sizeof(glue_batch),
     .evaluate = evaluate_wide,
     .stress = stress},
};
