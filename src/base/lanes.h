// Eight elements at a time: a vector of doubles on which + - * / work lane by lane. For *.kernel.c
// files, which are compiled once per instruction set; the compiler splits a vector where registers
// are narrower.
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <math.h>
#include <stddef.h>
#ifdef __AVX512DQ__
#include <immintrin.h>
#endif

enum { LANES = 8 };

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef long long lanes_mask __attribute__((vector_size(8 * LANES)));
typedef double lanes_half __attribute__((vector_size(4 * LANES)));
typedef double lanes_pair __attribute__((vector_size(2 * LANES)));

static inline lanes lanes_set(double v)
{
    return (lanes){v, v, v, v, v, v, v, v};
}

static inline lanes lanes_load(const double *p)
{
    return *(const lanes *)(const void *)p; // p is 64-byte aligned
}

static inline lanes lanes_sqrt(lanes v)
{
    lanes r;
    for (int l = 0; l < LANES; l++)
        r[l] = sqrt(v[l]);
    return r;
}

// a where the mask is set, b elsewhere
static inline lanes lanes_select(lanes_mask mask, lanes a, lanes b)
{
    return (lanes)(((lanes_mask)a & mask) | ((lanes_mask)b & ~mask));
}

static inline lanes lanes_max(lanes a, lanes b)
{
    return lanes_select(a > b, a, b);
}

// True if the mask is set in any lane.
static inline int lanes_any(lanes_mask mask)
{
#ifdef __AVX512DQ__
    return _mm512_movepi64_mask((__m512i)mask) != 0; // a mask is 0 or -1: one instruction
#else
    long long any = 0;
    for (int l = 0; l < LANES; l++)
        any |= mask[l];
    return any != 0;
#endif
}

#define LANES_MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

// Eight numbers of every lane, v[0] … v[7], become eight numbers in a row: out[l][i] = v[i][l].
// Pairs, then fours, then eights come together.
static inline void lanes_transpose(const lanes v[8], lanes out[8])
{
    lanes two[8], four[8];
    for (int i = 0; i < 8; i += 2) {
        two[i] = LANES_MIX(v[i], v[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        two[i + 1] = LANES_MIX(v[i], v[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int h = 0; h < 8; h += 4)
        for (int odd = 0; odd < 2; odd++) {
            four[h + odd] = LANES_MIX(two[h + odd], two[h + 2 + odd], 0, 1, 8, 9, 4, 5, 12, 13);
            four[h + 2 + odd] =
                LANES_MIX(two[h + odd], two[h + 2 + odd], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int i = 0; i < 4; i++) {
        out[i] = LANES_MIX(four[i], four[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        out[i + 4] = LANES_MIX(four[i], four[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

// The same of four numbers of every lane.
static inline void lanes_store_fours(const lanes v[4], double *out, int stride)
{
    lanes even[2], odd[2], four[4];
    for (int i = 0; i < 2; i++) {
        even[i] = LANES_MIX(v[2 * i], v[2 * i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        odd[i] = LANES_MIX(v[2 * i], v[2 * i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    four[0] = LANES_MIX(even[0], even[1], 0, 1, 8, 9, 4, 5, 12, 13);
    four[1] = LANES_MIX(odd[0], odd[1], 0, 1, 8, 9, 4, 5, 12, 13);
    four[2] = LANES_MIX(even[0], even[1], 2, 3, 10, 11, 6, 7, 14, 15);
    four[3] = LANES_MIX(odd[0], odd[1], 2, 3, 10, 11, 6, 7, 14, 15);
    for (int l = 0; l < 4; l++) {
        lanes_half low = LANES_MIX(four[l], four[l], 0, 1, 2, 3);
        lanes_half high = LANES_MIX(four[l], four[l], 4, 5, 6, 7);
        __builtin_memcpy(out + stride * l, &low, sizeof low);
        __builtin_memcpy(out + stride * (l + 4), &high, sizeof high);
    }
}

// n numbers of every lane, one lane after the other, `stride` apart: out[stride l + i] = v[i][l].
static inline void lanes_store_rows(const lanes *v, int n, double *out, int stride)
{
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        lanes row[8];
        lanes_transpose(v + i, row);
        for (int l = 0; l < LANES; l++)
            __builtin_memcpy(out + stride * l + i, &row[l], sizeof row[l]);
    }
    for (; i + 4 <= n; i += 4)
        lanes_store_fours(v + i, out + i, stride);
    for (; i < n; i++)
        for (int l = 0; l < LANES; l++)
            out[stride * l + i] = v[i][l];
}

// x[3 node[l]] and the number behind it, of four nodes.
static inline lanes lanes_load_pairs(const double *x, const int node[4])
{
    lanes_pair p[4];
    for (int l = 0; l < 4; l++)
        __builtin_memcpy(&p[l], x + 3 * (ptrdiff_t)node[l], sizeof p[l]);
    lanes_half low = LANES_MIX(p[0], p[1], 0, 1, 2, 3), high = LANES_MIX(p[2], p[3], 0, 1, 2, 3);
    return LANES_MIX(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
}

// Points of eight nodes: out[i][l] = x[3 node[l] + i].
static inline void lanes_load_points(const double *x, const int node[LANES], lanes out[3])
{
    lanes first[2], last[2];
    for (int h = 0; h < 2; h++) {
        first[h] = lanes_load_pairs(x, node + 4 * h);
        last[h] = lanes_load_pairs(x + 1, node + 4 * h);
    }
    out[0] = LANES_MIX(first[0], first[1], 0, 2, 4, 6, 8, 10, 12, 14);
    out[1] = LANES_MIX(first[0], first[1], 1, 3, 5, 7, 9, 11, 13, 15);
    out[2] = LANES_MIX(last[0], last[1], 1, 3, 5, 7, 9, 11, 13, 15);
}

static inline lanes lanes_dot(const lanes a[3], const lanes b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline void lanes_cross(lanes out[3], const lanes a[3], const lanes b[3])
{
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = a[j] * b[k] - a[k] * b[j];
    }
}

// 3x3 matrices of lanes, row-major.

static inline void lanes_mat_mul(lanes out[9], const lanes a[9], const lanes b[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

// a b'
static inline void lanes_mat_mul_nt(lanes out[9], const lanes a[9], const lanes b[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] =
                a[3 * i] * b[3 * j] + a[3 * i + 1] * b[3 * j + 1] + a[3 * i + 2] * b[3 * j + 2];
}

// a' b
static inline void lanes_mat_mul_tn(lanes out[9], const lanes a[9], const lanes b[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[i] * b[j] + a[3 + i] * b[3 + j] + a[6 + i] * b[6 + j];
}

static inline lanes lanes_mat_dot(const lanes a[9], const lanes b[9])
{
    lanes sum = a[0] * b[0];
    for (int i = 1; i < 9; i++)
        sum += a[i] * b[i];
    return sum;
}

// Matrix of cofactors: cof F = det(F) F^-T
static inline void lanes_mat_cofactor(lanes out[9], const lanes m[9])
{
    for (int i = 0; i < 3; i++) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[3 * i + j] = m[3 * i1 + j1] * m[3 * i2 + j2] - m[3 * i1 + j2] * m[3 * i2 + j1];
        }
    }
}

#endif
