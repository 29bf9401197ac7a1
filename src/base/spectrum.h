// Eigenvalues of small symmetric matrices, eight matrices at a time, by cyclic Jacobi rotations:
// accurate for every symmetric matrix, also with equal eigenvalues.
#ifndef BASE_SPECTRUM_H
#define BASE_SPECTRUM_H

#include "base/lanes.h"

#include <stdbool.h>

// One rotation in the plane (p, q) that takes a[p][q] to zero.
static inline void spectrum_rotate(int n, lanes *a, lanes *v, int p, int q)
{
    lanes d = a[n * q + q] - a[n * p + p], o = 2 * a[n * p + q];
    lanes root = lanes_sqrt(d * d + o * o);
    lanes size = lanes_max(lanes_select(d < 0, root - d, root + d), lanes_set(1e-300));
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
    lanes_mask rough = off > 1e-30 * on;
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
    if (spectrum_positive(n, a, 1e-12 * trace, work))
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
