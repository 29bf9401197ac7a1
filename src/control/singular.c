#include "control/singular.h"

#include "control/tolerances.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static void rotate(int n, double *p, double *q, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double was = p[i];
        p[i] = c * was - s * q[i];
        q[i] = s * was + c * q[i];
    }
}

static void swap(int n, double *p, double *q)
{
    rotate(n, p, q, 0, -1);
    for (int i = 0; i < n; i++)
        q[i] = -q[i];
}

// Rotates two columns in their plane until they are orthogonal; false if they were.
static bool make_orthogonal(int nrow, int ncolumn, double *p, double *q, double *vp, double *vq)
{
    double pp = dot(nrow, p, p), qq = dot(nrow, q, q), pq = dot(nrow, p, q);
    if (fabs(pq) <= CONTROL_ROUNDING * sqrt(pp * qq))
        return false;
    double theta = (qq - pp) / (2 * pq);
    double t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
    double c = 1 / sqrt(t * t + 1);
    rotate(nrow, p, q, c, t * c);
    rotate(ncolumn, vp, vq, c, t * c);
    return true;
}

static void sort(int nrow, int ncolumn, double *a, double *s, double *V)
{
    for (int i = 0; i < ncolumn; i++)
        for (int j = i + 1; j < ncolumn; j++)
            if (s[j] > s[i]) {
                double was = s[i];
                s[i] = s[j];
                s[j] = was;
                swap(nrow, a + (size_t)i * (size_t)nrow, a + (size_t)j * (size_t)nrow);
                swap(ncolumn, V + (size_t)i * (size_t)ncolumn, V + (size_t)j * (size_t)ncolumn);
            }
}

void singular_decompose(int nrow, int ncolumn, double *a, double *s, double *V)
{
    enum { MAX_SWEEP = 60 };
    size_t m = (size_t)nrow, n = (size_t)ncolumn;
    for (size_t i = 0; i < n * n; i++)
        V[i] = i % (n + 1) == 0;
    bool rotated = true;
    for (int sweep = 0; sweep < MAX_SWEEP && rotated; sweep++) {
        rotated = false;
        for (size_t i = 0; i < n; i++)
            for (size_t j = i + 1; j < n; j++)
                rotated |=
                    make_orthogonal(nrow, ncolumn, a + i * m, a + j * m, V + i * n, V + j * n);
    }
    for (size_t i = 0; i < n; i++)
        s[i] = sqrt(dot(nrow, a + i * m, a + i * m));
    sort(nrow, ncolumn, a, s, V);
}
