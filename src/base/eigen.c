#include "base/eigen.h"

#include "base/tolerances.h"

#include <math.h>

// Rotates the plane (p, q) so that a[p][q] vanishes.
static void rotate(int n, double *a, double *vector, int p, int q)
{
    double apq = a[p * n + q];
    if (apq == 0)
        return;
    double theta = (a[q * n + q] - a[p * n + p]) / (2 * apq);
    double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1), s = t * c;
    for (int k = 0; k < n; k++) {
        double akp = a[k * n + p], akq = a[k * n + q];
        a[k * n + p] = c * akp - s * akq;
        a[k * n + q] = s * akp + c * akq;
    }
    for (int k = 0; k < n; k++) {
        double apk = a[p * n + k], aqk = a[q * n + k];
        a[p * n + k] = c * apk - s * aqk;
        a[q * n + k] = s * apk + c * aqk;
    }
    for (int k = 0; k < n; k++) {
        double vkp = vector[k * n + p], vkq = vector[k * n + q];
        vector[k * n + p] = c * vkp - s * vkq;
        vector[k * n + q] = s * vkp + c * vkq;
    }
}

static double off_diagonal(int n, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += a[i * n + j] * a[i * n + j];
    return sum;
}

void eigen_symmetric(int n, double *a, double *value, double *vector)
{
    enum { MAX_SWEEP = 30 };
    for (int i = 0; i < n * n; i++)
        vector[i] = i % (n + 1) == 0;
    for (int sweep = 0; sweep < MAX_SWEEP && off_diagonal(n, a) > 0; sweep++)
        for (int p = 0; p < n; p++)
            for (int q = p + 1; q < n; q++)
                rotate(n, a, vector, p, q);
    for (int i = 0; i < n; i++)
        value[i] = a[i * n + i];
}

int eigen_negative(int n, double *a, double *scratch)
{
    double *value = scratch, *vector = scratch + n, largest = 0;
    int negative = 0;
    for (int i = 0; i < n; i++)
        value[i] = a[i * n + i] != 0 ? 1 / sqrt(fabs(a[i * n + i])) : 1;
    for (int i = 0; i < n * n; i++)
        a[i] *= value[i / n] * value[i % n];
    eigen_symmetric(n, a, value, vector);
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(value[i]));
    for (int i = 0; i < n; i++)
        negative += value[i] < -ZERO_PIVOT * largest;
    return negative;
}
