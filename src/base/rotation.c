#include "base/rotation.h"

#include "base/tolerances.h"
#include "base/vec.h"

// sin(a/2) / a
static double half_sinc(double a)
{
    return a > SMALL_ANGLE ? sin(0.5 * a) / a : 0.5 - a * a / 48;
}

void rotation_to_quaternion(const double theta[3], double q[4])
{
    double angle = vec_norm(theta), scale = half_sinc(angle);
    q[0] = cos(0.5 * angle);
    for (int i = 0; i < 3; i++)
        q[1 + i] = scale * theta[i];
}

void rotation_from_quaternion(const double q[4], double theta[3])
{
    double sign = q[0] < 0 ? -1 : 1, sine = vec_norm(&q[1]), cosine = sign * q[0];
    // angle / sin(angle/2) goes to 2 / cos(angle/2) at rest
    double scale =
        sine > ROTATION_SMALL_SINE * cosine ? 2 * atan2(sine, cosine) / sine : 2 / cosine;
    for (int i = 0; i < 3; i++)
        theta[i] = sign * scale * q[1 + i];
}

static void multiply(const double a[4], const double b[4], double out[4])
{
    double v[3];
    vec_cross(v, &a[1], &b[1]);
    out[0] = a[0] * b[0] - vec_dot(&a[1], &b[1]);
    for (int i = 0; i < 3; i++)
        out[1 + i] = a[0] * b[1 + i] + b[0] * a[1 + i] + v[i];
}

void rotation_matrix(const double theta[3], double R[9])
{
    double q[4];
    rotation_to_quaternion(theta, q);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            R[3 * i + j] = 2 * q[1 + i] * q[1 + j] + (i == j ? 2 * q[0] * q[0] - 1 : 0);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        R[3 * k + j] += 2 * q[0] * q[1 + i];
        R[3 * j + k] -= 2 * q[0] * q[1 + i];
    }
}

// The largest of the four numbers is found from a sum that does not cancel, the others from it.
void rotation_of_matrix(const double R[9], double theta[3])
{
    double trace = R[0] + R[4] + R[8], q[4];
    int k = R[0] > R[4] ? (R[0] > R[8] ? 0 : 2) : (R[4] > R[8] ? 1 : 2);
    int i = (k + 1) % 3, j = (k + 2) % 3;
    if (trace > R[4 * k]) {
        q[0] = 0.5 * sqrt(1 + trace);
        for (int a = 0; a < 3; a++)
            q[1 + a] = (R[3 * ((a + 2) % 3) + (a + 1) % 3] - R[3 * ((a + 1) % 3) + (a + 2) % 3]) /
                       (4 * q[0]);
    } else {
        q[1 + k] = 0.5 * sqrt(1 + 2 * R[4 * k] - trace);
        q[0] = (R[3 * j + i] - R[3 * i + j]) / (4 * q[1 + k]);
        q[1 + i] = (R[3 * i + k] + R[3 * k + i]) / (4 * q[1 + k]);
        q[1 + j] = (R[3 * j + k] + R[3 * k + j]) / (4 * q[1 + k]);
    }
    rotation_from_quaternion(q, theta);
}

void rotation_advance(const double theta[3], double share, const double spin[3], double out[3])
{
    double step[3] = {share * spin[0], share * spin[1], share * spin[2]}, a[4], b[4], q[4];
    rotation_to_quaternion(step, a);
    rotation_to_quaternion(theta, b);
    multiply(a, b, q);
    rotation_from_quaternion(q, out);
}

void rotation_between(const double from[3], const double to[3], double spin[3])
{
    double back[3] = {-from[0], -from[1], -from[2]}, a[4], b[4], q[4];
    rotation_to_quaternion(to, a);
    rotation_to_quaternion(back, b);
    multiply(a, b, q);
    rotation_from_quaternion(q, spin);
}
