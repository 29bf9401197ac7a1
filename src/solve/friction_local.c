// One contact with Coulomb's friction: it is open, or it sticks, or it slides, and sliding is a
// scalar equation in the ratio of slip to friction force [bonnefon2011].
#include "solve/friction.h"

#include <math.h>

// Sliding: w_t = -alpha lambda_t with alpha > 0. Without lambda_n, which follows from w_n = 0,
// (S + alpha I) lambda_t = -b, in the axes of S.
typedef struct sliding {
    double sigma[2], b[2], d[2]; // eigenvalues of S; b and W_tn in its axes
    double axis[2];              // first axis of S
    double W_nn, q_n, mu;
} sliding;

static sliding sliding_make(const double W[9], const double q[3], double mu)
{
    sliding s = {.W_nn = W[0], .q_n = q[0], .mu = mu};
    double a = W[4] - W[1] * W[1] / W[0], c = W[8] - W[2] * W[2] / W[0];
    double e = W[5] - W[1] * W[2] / W[0];
    double b1 = q[1] - W[1] * q[0] / W[0], b2 = q[2] - W[2] * q[0] / W[0];
    double angle = 0.5 * atan2(2 * e, a - c), x = cos(angle), y = sin(angle);
    s.axis[0] = x;
    s.axis[1] = y;
    s.sigma[0] = fmax(0, a * x * x + 2 * e * x * y + c * y * y);
    s.sigma[1] = fmax(0, a * y * y - 2 * e * x * y + c * x * x);
    s.b[0] = x * b1 + y * b2;
    s.b[1] = -y * b1 + x * b2;
    s.d[0] = x * W[1] + y * W[2];
    s.d[1] = -y * W[1] + x * W[2];
    return s;
}

// |lambda_t| - mu lambda_n at alpha, and its derivative.
static double excess(const sliding *s, double alpha, double t[2], double *normal, double *slope)
{
    double dt[2];
    for (int k = 0; k < 2; k++) {
        t[k] = -s->b[k] / (s->sigma[k] + alpha);
        dt[k] = -t[k] / (s->sigma[k] + alpha);
    }
    double length = hypot(t[0], t[1]);
    *normal = -(s->q_n + s->d[0] * t[0] + s->d[1] * t[1]) / s->W_nn;
    *slope = (length > 0 ? (t[0] * dt[0] + t[1] * dt[1]) / length : 0) +
             s->mu * (s->d[0] * dt[0] + s->d[1] * dt[1]) / s->W_nn;
    return length - s->mu * *normal;
}

// The root lies between 0, where the cone is left, and where alpha is so large that friction
// vanishes; Newton's method, kept within.
static void slide(const sliding *s, double lambda[3])
{
    double t[2], normal, slope, low = 0, high = fmax(s->sigma[0], s->sigma[1]) + s->W_nn;
    while (isfinite(high) && excess(s, high, t, &normal, &slope) > 0) {
        low = high;
        high *= 4;
    }
    double alpha = 0.5 * (low + high);
    for (int k = 0; k < 200; k++) {
        double f = excess(s, alpha, t, &normal, &slope);
        if (f > 0)
            low = alpha;
        else
            high = alpha;
        double next = slope < 0 ? alpha - f / slope : low;
        if (!(next > low && next < high))
            next = 0.5 * (low + high);
        if (f == 0 || fabs(next - alpha) <= 1e-16 * alpha)
            break;
        alpha = next;
    }
    excess(s, alpha, t, &normal, &slope);
    lambda[0] = fmax(0, normal);
    lambda[1] = s->axis[0] * t[0] - s->axis[1] * t[1];
    lambda[2] = s->axis[1] * t[0] + s->axis[0] * t[1];
    double length = hypot(lambda[1], lambda[2]), most = s->mu * lambda[0];
    for (int k = 1; k < 3 && length > 0; k++) // on the cone exactly
        lambda[k] *= most / length;
}

void friction_local(const double W[9], const double q[3], double mu, double lambda[3])
{
    lambda[0] = lambda[1] = lambda[2] = 0;
    if (q[0] >= 0)
        return;
    if (mu == 0) {
        lambda[0] = -q[0] / W[0];
        return;
    }
    sliding s = sliding_make(W, q, mu);
    double t[2], normal, slope;
    if (s.sigma[0] > 0 && s.sigma[1] > 0 && excess(&s, 0, t, &normal, &slope) <= 0) {
        lambda[0] = normal; // it sticks
        lambda[1] = s.axis[0] * t[0] - s.axis[1] * t[1];
        lambda[2] = s.axis[1] * t[0] + s.axis[0] * t[1];
        return;
    }
    slide(&s, lambda);
}
