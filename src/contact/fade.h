// How a row fades out where others hold the same position: t (2 - t) from 0 to 1, then 1; once
// continuously differentiable, and 0 only where t is [li2020].
#ifndef CONTACT_FADE_H
#define CONTACT_FADE_H

typedef struct faded {
    double value, slope, second; // and its derivatives by t
} faded;

static inline faded fade(double t)
{
    return t >= 1 ? (faded){1, 0, 0} : (faded){t * (2 - t), 2 * (1 - t), -2};
}

// The same with slope 0 at 0, for what grows there at once instead of by its square.
static inline faded fade_evenly(double t)
{
    return t >= 1 ? (faded){1, 0, 0} : (faded){t * t * (3 - 2 * t), 6 * t * (1 - t), 6 - 12 * t};
}

// Multiplies a product w, with gradient g (n) and second derivative H (n x n, may be NULL), by
// f = fade(v / scale), where v has the derivatives gv and Hv.
static inline void fade_multiply(int n, faded f, double scale, const double *gv, const double *Hv,
                                 double *w, double *g, double *H)
{
    double slope = f.slope / scale, second = f.second / (scale * scale);
    for (int i = 0; i < n && H; i++)
        for (int j = 0; j < n; j++)
            H[i * n + j] = f.value * H[i * n + j] + slope * (g[i] * gv[j] + gv[i] * g[j]) +
                           *w * (second * gv[i] * gv[j] + slope * Hv[i * n + j]);
    for (int i = 0; i < n; i++)
        g[i] = f.value * g[i] + *w * slope * gv[i];
    *w *= f.value;
}

#endif
