#include "body/damping.h"

#include "base/kernel.h"

extern const damping_kernels KERNEL(damping_kernels);

// F = sum x_a g_a'; the weights sum to 0.
static void gradient(int nnode, const int *const node[LANES], const double *x, const double *fit,
                     lanes F[9])
{
    lanes first[3];
    for (int i = 0; i < 9; i++)
        F[i] = lanes_set(0);
    for (int a = 0; a < nnode; a++) {
        lanes u[3];
        int at[LANES];
        for (int l = 0; l < LANES; l++)
            at[l] = node[l][a];
        lanes_load_points(x, at, a == 0 ? first : u);
        for (int i = 0; i < 9 && a > 0; i++)
            F[i] += (u[i / 3] - first[i / 3]) * lanes_load(&fit[(3 * a + i % 3) * LANES]);
    }
}

// Blocks of an element with the first node: those of each row sum to 0, since shifts meet no
// damping. sum: less the blocks of each row without it.
static void store_first(int nnode, lanes *sum, double *out, int stride)
{
    for (int i = 0; i < 9; i++)
        sum[i] = lanes_set(0);
    for (int a = 1; a < nnode; a++) {
        for (int i = 0; i < 9; i++)
            sum[i] -= sum[9 * a + i];
        lanes_store_rows(&sum[9 * a], 9, &out[9 * element_pair(a, 0)], stride);
    }
    lanes_store_rows(sum, 9, out, stride);
}

// sum -= D in the row of a, and its transpose in that of c.
static void take_out(const lanes D[9], int a, int c, lanes *sum)
{
    for (int i = 0; i < 9; i++)
        sum[9 * a + i] -= D[i];
    for (int i = 0; i < 9 && c < a; i++)
        sum[9 * c + i] -= D[3 * (i % 3) + i / 3];
}

// F K_ab F'
static void solid(int nnode, const int *const node[LANES], const double *x, const double *fit,
                  const double *rest, double *out)
{
    int stride = 9 * (nnode * (nnode + 1) / 2);
    lanes F[9], sum[9 * BODY_ELEMENT_NODES];
    gradient(nnode, node, x, fit, F);
    for (int i = 9; i < 9 * nnode; i++)
        sum[i] = lanes_set(0);
    for (int a = 1; a < nnode; a++)
        for (int c = 1; c <= a; c++, rest += 9 * LANES) {
            lanes K[9], FK[9], D[9];
            for (int i = 0; i < 9; i++)
                K[i] = lanes_load(&rest[i * LANES]);
            lanes_mat_mul(FK, F, K);
            lanes_mat_mul_nt(D, FK, F);
            take_out(D, a, c, sum);
            lanes_store_rows(D, 9, &out[9 * element_pair(a, c)], stride);
        }
    store_first(nnode, sum, out, stride);
}

// With K_ab = V (lambda g_a g_b' + mu g_b g_a' + mu g_a.g_b I), all of F K_ab F' follows from F g_a
// and F F'.
static void tet4(const int *const node[LANES], const double *x, const double *fit,
                 const double *moduli, double *out)
{
    enum { NNODE = 4, STRIDE = 9 * 10 };
    lanes F[9], FF[9], g[3 * NNODE], Fg[3 * NNODE], sum[9 * NNODE];
    lanes lambda = lanes_load(moduli), mu = lanes_load(moduli + LANES);
    gradient(NNODE, node, x, fit, F);
    lanes_mat_mul_nt(FF, F, F);
    for (int i = 9; i < 9 * NNODE; i++)
        sum[i] = lanes_set(0);
    for (int a = 1; a < NNODE; a++)
        for (int i = 0; i < 3; i++)
            g[3 * a + i] = lanes_load(&fit[(3 * a + i) * LANES]);
    for (int a = 1; a < NNODE; a++)
        for (int i = 0; i < 3; i++)
            Fg[3 * a + i] = lanes_dot(&F[3 * i], &g[3 * a]);
    for (int a = 1; a < NNODE; a++)
        for (int c = 1; c <= a; c++) {
            lanes D[9], both = mu * lanes_dot(&g[3 * a], &g[3 * c]);
            for (int i = 0; i < 9; i++)
                D[i] = lambda * Fg[3 * a + i / 3] * Fg[3 * c + i % 3] +
                       mu * Fg[3 * c + i / 3] * Fg[3 * a + i % 3] + both * FF[i];
            take_out(D, a, c, sum);
            lanes_store_rows(D, 9, &out[9 * element_pair(a, c)], STRIDE);
        }
    store_first(NNODE, sum, out, STRIDE);
}

// A block of every lane from its row: K[i][l] = out[stride l + i].
static inline void load_block(const double *out, int stride, lanes K[9])
{
    lanes row[8];
    for (int l = 0; l < LANES; l++) {
        __builtin_memcpy(&row[l], out + stride * l, sizeof row[l]);
        K[8][l] = out[stride * l + 8];
    }
    lanes_transpose(row, K);
}

static inline void add_to(lanes sum[9], const lanes more[9])
{
    for (int i = 0; i < 9; i++)
        sum[i] += more[i];
}

// B = K R
static void times_rotating(int nnode, const double *out, int stride, const lanes *R, lanes *B)
{
    for (int a = 0; a < nnode; a++)
        for (int c = 0; c <= a; c++) {
            lanes K[9], more[9];
            load_block(&out[9 * element_pair(a, c)], stride, K);
            lanes_mat_mul(more, K, &R[9 * c]);
            add_to(&B[9 * a], more);
            if (c == a)
                continue;
            lanes_mat_mul_tn(more, K, &R[9 * a]);
            add_to(&B[9 * c], more);
        }
}

// P'KP = K - S B' - B S' + S (R'B) S' = K - S (B - 1/2 S C)' - (B - 1/2 S C) S'
// with S = R (R'R)^-1, B = K R, C = R' B.
static void project(int nnode, const double *rotating, const double *inverse, double *out)
{
    int stride = 9 * (nnode * (nnode + 1) / 2);
    lanes R[9 * BODY_ELEMENT_NODES], S[9 * BODY_ELEMENT_NODES], B[9 * BODY_ELEMENT_NODES];
    lanes own[9], C[9], more[9];
    for (int i = 0; i < 9; i++) {
        own[i] = lanes_load(&inverse[i * LANES]);
        C[i] = lanes_set(0);
    }
    for (int i = 0; i < 9 * nnode; i++) {
        R[i] = lanes_load(&rotating[i * LANES]);
        B[i] = lanes_set(0);
    }
    times_rotating(nnode, out, stride, R, B);
    for (int a = 0; a < nnode; a++) {
        lanes_mat_mul(&S[9 * a], &R[9 * a], own);
        lanes_mat_mul_tn(more, &R[9 * a], &B[9 * a]);
        add_to(C, more);
    }
    for (int a = 0; a < nnode; a++) {
        lanes_mat_mul(more, &S[9 * a], C);
        for (int i = 0; i < 9; i++)
            B[9 * a + i] -= 0.5 * more[i];
    }
    for (int a = 0; a < nnode; a++)
        for (int c = 0; c <= a; c++) {
            double *to = &out[9 * element_pair(a, c)];
            lanes K[9], other[9];
            load_block(to, stride, K);
            lanes_mat_mul_nt(more, &S[9 * a], &B[9 * c]);
            lanes_mat_mul_nt(other, &B[9 * a], &S[9 * c]);
            for (int i = 0; i < 9; i++)
                K[i] -= more[i] + other[i];
            lanes_store_rows(K, 9, to, stride);
        }
}

static void times(const sparse_pattern *pattern, const int *node, const double *D, double factor,
                  const double *v, double *restrict force)
{
    for (int j = 0; j < pattern->n; j++) {
        int k = pattern->col_adr[j], end = pattern->col_adr[j + 1], c = node[j];
        double u[3], sum[3];
        for (int i = 0; i < 3; i++)
            u[i] = factor * v[3 * c + i];
        for (int i = 0; i < 3; i++) // the first is the diagonal
            sum[i] = D[3 * i] * u[0] + D[3 * i + 1] * u[1] + D[3 * i + 2] * u[2];
        for (k++, D += 9; k < end; k++, D += 9) {
            int a = 3 * node[pattern->row[k]];
            const double w[3] = {factor * v[a], factor * v[a + 1], factor * v[a + 2]};
            for (int i = 0; i < 3; i++)
                force[a + i] += D[3 * i] * u[0] + D[3 * i + 1] * u[1] + D[3 * i + 2] * u[2];
            for (int i = 0; i < 3; i++)
                sum[i] += D[i] * w[0] + D[3 + i] * w[1] + D[6 + i] * w[2];
        }
        for (int i = 0; i < 3; i++)
            force[3 * c + i] += sum[i];
    }
}

const damping_kernels KERNEL(damping_kernels) = {solid, tet4, project, times};
