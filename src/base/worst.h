// The larger of two errors, or the one that is not a number, which fmax would drop: whoever asks
// whether the worst is small enough must then hear no.
#ifndef BASE_WORST_H
#define BASE_WORST_H

#include <math.h>

static inline double worst_of(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}

#endif
