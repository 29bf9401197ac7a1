// Logarithm and exponential of lanes, to a rounding or two: calls of the C library, one lane at a
// time, would cost more than all the rest of a law.
#ifndef BASE_ELEMENTARY_H
#define BASE_ELEMENTARY_H

#include "base/lanes.h"

static inline lanes lanes_abs(lanes v)
{
    return (lanes)((lanes_mask)v & 0x7fffffffffffffffLL);
}

static inline lanes lanes_min(lanes a, lanes b)
{
    return lanes_select(a < b, a, b);
}

// A whole number in lanes of integers, |k| < 2^51, as doubles: it is put into the last bits of 1.5
// 2^52.
static inline lanes lanes_of_whole(lanes_mask k)
{
    return (lanes)(k + 0x4338000000000000LL) - 6755399441055744.0;
}

// log(1 + f) = f - f^2/2 + s (f^2/2 + tail),  s = f / (2 + f), for |f| < 0.42: the even part of
// atanh beyond its first term. Coefficients: minimax, from fdlibm. [fdlibm]
static inline lanes log_tail(lanes s)
{
    lanes z = s * s;
    lanes sum = lanes_set(1.479819860511658591e-01);
    const double c[] = {1.531383769920937332e-01, 1.818357216161805012e-01,
                        2.222219843214978396e-01, 2.857142874366239149e-01,
                        3.999999999940941908e-01, 6.666666666666735130e-01};
    for (int i = 0; i < 6; i++)
        sum = sum * z + c[i];
    return sum * z;
}

// The natural logarithm of x, which must be positive, finite and not denormal.
static inline lanes lanes_log(lanes x)
{
    lanes_mask bits = (lanes_mask)x;
    // the exponent such that the mantissa lies between sqrt(1/2) and sqrt(2)
    lanes_mask k = (bits - 0x3fe6a09e667f3bcdLL) >> 52;
    lanes f = (lanes)(bits - (k << 52)) - 1, e = lanes_of_whole(k);
    lanes s = f / (2 + f), half = 0.5 * f * f;
    lanes low = s * (half + log_tail(s)) + e * 1.90821492927058770002e-10;
    return e * 6.93147180369123816490e-01 - ((half - low) - f);
}

// log(1 + q), q > -1
static inline lanes lanes_log1p(lanes q)
{
    lanes u = 1 + q, rest = u - 1;
    lanes lost = (1 - (u - rest)) + (q - rest); // of q, in the rounding of u
    return lanes_log(u) + lost / u;
}

// q - log(1 + q), which is q^2/2 near 0, without cancellation. q > -1
static inline lanes lanes_log1p_excess(lanes q)
{
    lanes s = q / (2 + q);
    return lanes_select(lanes_abs(q) < 0.3, s * (q - log_tail(s)), q - lanes_log1p(q));
}

// x = k log 2 + r: e^x = 2^k e^r
typedef struct exp_split {
    lanes_mask k;
    lanes r;
    lanes excess; // e^r - 1 - r
} exp_split;

static inline exp_split exp_reduce(lanes x)
{
    exp_split out;
    lanes shifted = x * 1.44269504088896338700 + 6755399441055744.0;
    lanes k = shifted - 6755399441055744.0;
    out.k = (lanes_mask)shifted - 0x4338000000000000LL;
    out.r = (x - k * 6.93147180369123816490e-01) - k * 1.90821492927058770002e-10;
    lanes sum = lanes_set(1.0 / 87178291200.0); // 1/14!
    const double c[] = {1.0 / 6227020800.0, 1.0 / 479001600.0, 1.0 / 39916800.0, 1.0 / 3628800.0,
                        1.0 / 362880.0,     1.0 / 40320.0,     1.0 / 5040.0,     1.0 / 720.0,
                        1.0 / 120.0,        1.0 / 24.0,        1.0 / 6.0,        0.5};
    for (int i = 0; i < 12; i++)
        sum = sum * out.r + c[i];
    out.excess = sum * out.r * out.r;
    return out;
}

static inline lanes exp_join(exp_split part)
{
    return (1 + (part.r + part.excess)) * (lanes)((part.k + 1023) << 52);
}

static inline lanes exp_bound(lanes x) // where neither e^x nor e^-x overflows
{
    return lanes_max(lanes_min(x, lanes_set(700)), lanes_set(-700));
}

// e^x; x beyond +-700 is taken as +-700
static inline lanes lanes_exp(lanes x)
{
    return exp_join(exp_reduce(exp_bound(x)));
}

// e^x - 1 - x, which is x^2/2 near 0, without cancellation
static inline lanes lanes_exp_excess(lanes x)
{
    exp_split part = exp_reduce(exp_bound(x));
    return lanes_select(part.k == 0, part.excess, exp_join(part) - 1 - x);
}

#endif
