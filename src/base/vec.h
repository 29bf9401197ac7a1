// 3-vectors and 3x3 matrices, row-major.
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <math.h>

static inline double vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double vec_norm(const double a[3])
{
    return sqrt(vec_dot(a, a));
}

static inline void vec_sub(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] - b[i];
}

static inline double vec_distance(const double a[3], const double b[3])
{
    double d[3];
    vec_sub(d, a, b);
    return vec_norm(d);
}

// y += s x
static inline void vec_axpy(double y[3], double s, const double x[3])
{
    for (int i = 0; i < 3; i++)
        y[i] += s * x[i];
}

static inline void vec_scale(double y[3], double s)
{
    for (int i = 0; i < 3; i++)
        y[i] *= s;
}

static inline void vec_cross(double out[3], const double a[3], const double b[3])
{
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    for (int i = 0; i < 3; i++)
        out[i] = c[i];
}

// a . (b x c)
static inline double vec_triple(const double a[3], const double b[3], const double c[3])
{
    double bc[3];
    vec_cross(bc, b, c);
    return vec_dot(a, bc);
}

static inline double mat_det(const double m[9])
{
    return vec_triple(m, m + 3, m + 6);
}

static inline void mat_mul(double out[9], const double a[9], const double b[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

// Rotates about the fixed x, then y, then z axis (rad).
static inline void mat_from_angles(double R[9], const double angle[3])
{
    double cx = cos(angle[0]), sx = sin(angle[0]), cy = cos(angle[1]), sy = sin(angle[1]),
           cz = cos(angle[2]), sz = sin(angle[2]);
    double X[9] = {1, 0, 0, 0, cx, -sx, 0, sx, cx};
    double Y[9] = {cy, 0, sy, 0, 1, 0, -sy, 0, cy};
    double Z[9] = {cz, -sz, 0, sz, cz, 0, 0, 0, 1};
    double YX[9];
    mat_mul(YX, Y, X);
    mat_mul(R, Z, YX);
}

// The angles of a rotation, as above. Where only the sum of the first and the last matters,
// rounding picks the last, and the first makes up for it.
static inline void mat_to_angles(const double R[9], double angle[3])
{
    angle[2] = atan2(R[3], R[0]);
    double c = cos(angle[2]), s = sin(angle[2]);
    angle[1] = atan2(-R[6], c * R[0] + s * R[3]);
    angle[0] = atan2(s * R[2] - c * R[5], c * R[4] - s * R[1]);
}

static inline void mat_apply(double out[3], const double m[9], const double v[3])
{
    double r[3] = {vec_dot(m, v), vec_dot(m + 3, v), vec_dot(m + 6, v)};
    for (int i = 0; i < 3; i++)
        out[i] = r[i];
}

static inline void mat_apply_transposed(double out[3], const double m[9], const double v[3])
{
    double r[3] = {v[0], v[1], v[2]};
    for (int i = 0; i < 3; i++)
        out[i] = m[i] * r[0] + m[3 + i] * r[1] + m[6 + i] * r[2];
}

#endif
