// The larger of two errors, or the one that is not a number, which fmax would drop: whoever asks
// whether the worst is small enough must then hear no.
#ifndef BASE_WORST_H
#define BASE_WORST_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline double worst_of(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

// The largest |a[i] - b[i]|, without b: |a[i]|; not a number if one of them is none. Sizes have the
// order of their bits, in which what is not a number comes last.
static inline double worst_way(size_t n, const double *a, const double *b)
{
    uint64_t most = 0;
    double worst;
    for (size_t i = 0; i < n; i++) {
        double way = fabs(b ? a[i] - b[i] : a[i]);
        uint64_t bits;
        memcpy(&bits, &way, sizeof bits);
        most = bits > most ? bits : most;
    }
    memcpy(&worst, &most, sizeof worst);
    return worst;
}

#endif
