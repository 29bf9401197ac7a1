// Eigenvalues of small symmetric matrices, eight matrices at a time, by cyclic Jacobi rotations:
// accurate for every symmetric matrix, also with equal eigenvalues.
#ifndef BASE_SPECTRUM_H
#define BASE_SPECTRUM_H

#include "base/lanes.h"

#include "base/tolerances.h"

#include <stdbool.h>

// One rotation in the plane (p, q) that takes a[p][q] to zero.
static inline void spectrum_rotate(int n, lanes *a, lanes *v, int p, int q)
{
    lanes d = a[n * q + q] - a[n * p + p], o = 2 * a[n * p + q];
    lanes root = lanes_sqrt(d * d + o * o);
    lanes size = lanes_max(lanes_select(d < 0, root - d, root + d), lanes_set(SMALLEST_DIVISOR));
    lanes t = lanes_select(d < 0, -o, o) / size;
    lanes c = 1 / lanes_sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < n; k++) {
        lanes kp = a[n * k + p], kq = a[n * k + q];
        a[n * k + p] = c * kp - s * kq;
        a[n * k + q] = s * kp + c * kq;
    }
    for (int k = 0; k < n; k++) {
        lanes pk = a[n * p + k], qk = a[n * q + k];
        a[n * p + k] = c * pk - s * qk;
        a[n * q + k] = s * pk + c * qk;
    }
    for (int k = 0; k < n; k++) {
        lanes kp = v[n * k + p], kq = v[n * k + q];
        v[n * k + p] = c * kp - s * kq;
        v[n * k + q] = s * kp + c * kq;
    }
}

static inline bool spectrum_done(int n, const lanes *a)
{
    lanes off = lanes_set(0), on = lanes_set(0);
    for (int i = 0; i < n; i++) {
        on += a[n * i + i] * a[n * i + i];
        for (int j = 0; j < i; j++)
            off += a[n * i + j] * a[n * i + j];
    }
    lanes_mask rough = off > SPECTRUM_OFF_DIAGONAL * on;
    bool done = true;
    for (int l = 0; l < LANES; l++)
        done = done && !rough[l];
    return done;
}

// a: (n x n), its diagonal becomes the eigenvalues, in no order; v: (n x n), column k belongs to
// a[k][k].
static inline void spectrum_lanes(int n, lanes *a, lanes *v)
{
    enum { SWEEPS = 12 }; // it converges quadratically; five or six are usual for n = 9
    for (int i = 0; i < n * n; i++)
        v[i] = lanes_set(i % (n + 1) == 0);
    for (int sweep = 0; sweep < SWEEPS && !spectrum_done(n, a); sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                spectrum_rotate(n, a, v, p, q);
}

// Of a 3x3 matrix without trace and of size 1 (|B|^2 = 6): the eigenvalue that is farthest from the
// others, 2 y or -2 y with 4 y^3 - 3 y = |det B| / 2. y lies between 0.86 and 1, where a polynomial
// is near it and one step of Halley's ends at it.
static inline lanes spectrum_far(const lanes B[9])
{
    lanes cof0 = B[4] * B[8] - B[5] * B[5], cof1 = B[5] * B[2] - B[1] * B[8];
    lanes cof2 = B[1] * B[5] - B[4] * B[2];
    lanes r = 0.5 * (B[0] * cof0 + B[1] * cof1 + B[2] * cof2);
    lanes_mask negative = r < 0;
    r = lanes_select(negative, -r, r);
    r = lanes_select(r > 1, lanes_set(1), r);
    lanes y = 0.866030432022691 +
              r * (0.166411721787596 +
                   r * (-0.045921933130764 + r * (0.017512188575210 - r * 0.004035398716655)));
    lanes f = (4 * y * y - 3) * y - r, slope = 12 * y * y - 3;
    y -= f * slope / (slope * slope - 12 * y * f);
    return lanes_select(negative, -2 * y, 2 * y);
}

// The unit vector that B - far I takes to zero: the longest of the cross products of its rows. Any
// unit vector where B is nothing.
static inline void spectrum_axis(const lanes B[9], lanes far, lanes axis[3])
{
    lanes line[3][3], best = lanes_set(0);
    for (int i = 0; i < 9; i++)
        line[i / 3][i % 3] = i % 4 == 0 ? B[i] - far : B[i];
    for (int i = 0; i < 3; i++)
        axis[i] = lanes_set(i == 0);
    for (int k = 0; k < 3; k++) {
        lanes n[3];
        lanes_cross(n, line[k], line[(k + 1) % 3]);
        lanes square = lanes_dot(n, n);
        lanes_mask longer = square > best;
        best = lanes_select(longer, square, best);
        for (int i = 0; i < 3; i++)
            axis[i] = lanes_select(longer, n[i], axis[i]);
    }
    lanes scale = 1 / lanes_sqrt(lanes_select(best > 0, best, lanes_set(1)));
    for (int i = 0; i < 3; i++)
        axis[i] *= scale;
}

// Two unit vectors across n and each other. [duff2017]
static inline void spectrum_plane(const lanes n[3], lanes u[3], lanes w[3])
{
    lanes sign = lanes_select(n[2] < 0, lanes_set(-1), lanes_set(1));
    lanes a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
    u[0] = 1 + sign * n[0] * n[0] * a;
    u[1] = sign * b;
    u[2] = -sign * n[0];
    w[0] = b;
    w[1] = sign + n[1] * n[1] * a;
    w[2] = -n[1];
}

static inline void spectrum_times(const lanes B[9], const lanes v[3], lanes out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = lanes_dot(&B[3 * i], v);
}

// spectrum_lanes for 3x3 matrices, directly: one eigenvector of the eigenvalue that stands alone,
// and one rotation in the plane across it. a: only its diagonal is of use afterwards.
static inline void spectrum_three(lanes a[9], lanes v[9])
{
    lanes mean = (a[0] + a[4] + a[8]) * (1.0 / 3), B[9], square = lanes_set(0);
    for (int i = 0; i < 9; i++) {
        B[i] = i % 4 == 0 ? a[i] - mean : a[i];
        square += B[i] * B[i];
    }
    lanes size = lanes_sqrt(square * (1.0 / 6));
    lanes scale = 1 / lanes_select(size > 0, size, lanes_set(1));
    for (int i = 0; i < 9; i++)
        B[i] *= scale;
    lanes n[3], u[3], w[3], Bn[3], Bu[3], Bw[3];
    spectrum_axis(B, spectrum_far(B), n);
    spectrum_plane(n, u, w);
    spectrum_times(B, n, Bn);
    spectrum_times(B, u, Bu);
    spectrum_times(B, w, Bw);
    lanes uu = lanes_dot(u, Bu), ww = lanes_dot(w, Bw), o = lanes_dot(u, Bw);
    lanes d = ww - uu, root = lanes_sqrt(d * d + 4 * o * o);
    lanes span = lanes_max(lanes_select(d < 0, root - d, root + d), lanes_set(SMALLEST_DIVISOR));
    lanes t = lanes_select(d < 0, -2 * o, 2 * o) / span, c = 1 / lanes_sqrt(1 + t * t), s = t * c;
    for (int i = 0; i < 3; i++) {
        v[3 * i] = n[i];
        v[3 * i + 1] = c * u[i] - s * w[i];
        v[3 * i + 2] = s * u[i] + c * w[i];
    }
    a[0] = mean + size * lanes_dot(n, Bn);
    a[4] = mean + size * (uu - t * o);
    a[8] = mean + size * (ww + t * o);
}

// Whether a + shift I has only positive pivots, in all lanes.
static inline bool spectrum_positive(int n, const lanes *a, lanes shift, lanes *work)
{
    lanes_mask bad = {0};
    for (int j = 0; j < n; j++) {
        for (int i = j; i < n; i++) {
            lanes sum = a[n * i + j] + (i == j ? shift : lanes_set(0));
            for (int k = 0; k < j; k++)
                sum -= work[n * i + k] * work[n * j + k] / work[n * k + k];
            work[n * i + j] = sum;
        }
        bad |= ~(work[n * j + j] > 0);
    }
    for (int l = 0; l < LANES; l++)
        if (bad[l])
            return false;
    return true;
}

enum { SPECTRUM_MAX = 9 };

// Takes negative eigenvalues of a (n x n) to zero. What is negative by rounding alone may stay.
static inline void spectrum_clamp(int n, lanes *a)
{
    lanes v[SPECTRUM_MAX * SPECTRUM_MAX], work[SPECTRUM_MAX * SPECTRUM_MAX];
    lanes trace = lanes_set(0);
    for (int i = 0; i < n; i++)
        trace += a[n * i + i];
    if (spectrum_positive(n, a, SPECTRUM_POSITIVE * trace, work))
        return;
    spectrum_lanes(n, a, v);
    for (int k = 0; k < n; k++)
        work[k] = lanes_max(a[n * k + k], lanes_set(0));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            lanes sum = lanes_set(0);
            for (int k = 0; k < n; k++)
                sum += v[n * i + k] * work[k] * v[n * j + k];
            a[n * i + j] = a[n * j + i] = sum;
        }
}

#endif
