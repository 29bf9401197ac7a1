#include "control/arc.h"

#include "control/tolerances.h"
#include "solve/dense.h"

#include <math.h>
#include <stdbool.h>

const arc_pose arc_origin = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

arc_pose arc_then(const arc_pose *a, const arc_pose *b)
{
    arc_pose out = {0};
    for (int i = 0; i < 3; i++) {
        out.p[i] = a->p[i];
        for (int j = 0; j < 3; j++) {
            out.p[i] += a->R[3 * i + j] * b->p[j];
            for (int k = 0; k < 3; k++)
                out.R[3 * i + k] += a->R[3 * i + j] * b->R[3 * j + k];
        }
    }
    return out;
}

// l_k = L - theta d cos(psi_k - phi), psi = 0, 120, 240 degrees. So the section bends by theta
// towards phi, and with u = theta (cos phi, sin phi), which needs no angle where it is straight:
// u_x = (l2 + l3 - 2 l1) / (3 d), u_y = (l3 - l2) / (sqrt(3) d).
arc_pose arc_section(const double length[3], double d)
{
    double x = (length[1] + length[2] - 2 * length[0]) / (3 * d);
    double y = (length[2] - length[1]) / (sqrt(3) * d);
    double L = (length[0] + length[1] + length[2]) / 3, theta = hypot(x, y);
    // sin(theta)/theta, (1 - cos theta)/theta^2
    double half = 0.5 * theta, s = half > ARC_SMALL_ANGLE ? sin(half) / half : 1;
    double sine = theta > ARC_SMALL_ANGLE ? sin(theta) / theta : 1, fall = 0.5 * s * s,
           c = cos(theta);
    return (arc_pose){
        .R = {1 - fall * x * x, -fall * x * y, sine * x, //
              -fall * x * y, 1 - fall * y * y, sine * y, //
              -sine * x, -sine * y, c},
        .p = {L * fall * x, L * fall * y, L * sine},
    };
}

typedef struct joint {
    double pitch, roll, height;
} joint;

// R = Ry(pitch) Rx(roll) after sliding up by the height [bieze2018, eq. 19].
static arc_pose joint_pose(joint j)
{
    double ct = cos(j.pitch), st = sin(j.pitch), cp = cos(j.roll), sp = sin(j.roll);
    return (arc_pose){
        .R = {ct, st * sp, st * cp, 0, cp, -sp, -st, ct * sp, ct * cp},
        .p = {0, 0, j.height},
    };
}

// Squares of the legs' lengths less those wanted, over d^2.
static void miss(joint j, const double leg[3], double d, double out[3])
{
    arc_pose pose = joint_pose(j);
    for (int k = 0; k < 3; k++) {
        double angle = 2.0943951023931953 * k, foot[3] = {d * cos(angle), d * sin(angle), 0};
        double square = 0;
        for (int i = 0; i < 3; i++) {
            double way = pose.p[i] - foot[i];
            for (int m = 0; m < 3; m++)
                way += pose.R[3 * i + m] * foot[m];
            square += way * way;
        }
        out[k] = (square - leg[k] * leg[k]) / (d * d);
    }
}

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

// Newton, with the derivative by central differences of a smooth function of three numbers.
static bool joint_solve(const double leg[3], double d, joint *out)
{
    double x[3] = {0, 0, (leg[0] + leg[1] + leg[2]) / (3 * d)}, f[3], plus[3], minus[3], A[9];
    for (int n = 0; n < 30; n++) {
        *out = (joint){x[0], x[1], d * x[2]};
        miss(*out, leg, d, f);
        if (norm(f) < JOINT_END)
            return true;
        for (int k = 0; k < 3; k++) {
            double h = JOINT_DIFFERENCE, y[3] = {x[0], x[1], x[2]};
            y[k] = x[k] + h;
            miss((joint){y[0], y[1], d * y[2]}, leg, d, plus);
            y[k] = x[k] - h;
            miss((joint){y[0], y[1], d * y[2]}, leg, d, minus);
            for (int i = 0; i < 3; i++)
                A[3 * i + k] = (plus[i] - minus[i]) / (2 * h);
        }
        if (!dense_solve(3, 1, A, f))
            return false;
        for (int k = 0; k < 3; k++)
            x[k] -= f[k];
    }
    return norm(f) < JOINT_FOUND;
}

arc_status arc_vertebrae(int njoint, const double length[3], double d, const double *span,
                         arc_pose *end)
{
    double shortest = 0, longest = 0;
    for (int k = 0; k < njoint && span; k++) {
        shortest += span[2 * k];
        longest += span[2 * k + 1];
    }
    *end = arc_origin;
    for (int k = 0; k < njoint; k++) {
        double leg[3];
        joint one;
        for (int i = 0; i < 3; i++)
            leg[i] = !span ? length[i] / njoint
                           : span[2 * k] + (span[2 * k + 1] - span[2 * k]) *
                                               (length[i] - shortest) / (longest - shortest);
        if (!joint_solve(leg, d, &one))
            return ARC_NO_ANSWER;
        arc_pose step = joint_pose(one);
        *end = arc_then(end, &step);
    }
    return ARC_OK;
}

// Adds one pose to J'J and J'e of the distances; derivatives by central differences.
static arc_status add_pose(arc_tip *model, const void *arm, int n, const double *length,
                           const double *seen, const double *d, double *A, double *b)
{
    double tip[3], slope[ARC_MOST_SECTIONS][3], side[2][3], moved[ARC_MOST_SECTIONS];
    arc_status status = model(arm, length, d, tip);
    for (int j = 0; j < n && status == ARC_OK; j++) {
        double h = ARC_DIFFERENCE * d[j];
        for (int k = 0; k < 2 && status == ARC_OK; k++) {
            for (int i = 0; i < n; i++)
                moved[i] = d[i] + (i == j ? (k ? h : -h) : 0);
            status = model(arm, length, moved, side[k]);
        }
        for (int i = 0; i < 3; i++)
            slope[j][i] = (side[1][i] - side[0][i]) / (2 * h);
    }
    for (int j = 0; j < n && status == ARC_OK; j++)
        for (int i = 0; i < 3; i++) {
            b[j] += slope[j][i] * (seen[i] - tip[i]);
            for (int k = 0; k < n; k++)
                A[j * n + k] += slope[j][i] * slope[k][i];
        }
    return status;
}

// Gauss-Newton.
arc_status arc_calibrate(arc_tip *model, const void *arm, int nsection, int npose,
                         const double *length, const double *tip, double *d)
{
    int n = nsection;
    for (int iteration = 0; iteration < 50; iteration++) {
        double A[ARC_MOST_SECTIONS * ARC_MOST_SECTIONS] = {0}, b[ARC_MOST_SECTIONS] = {0};
        bool still = true;
        for (int p = 0; p < npose; p++)
            if (add_pose(model, arm, n, length + 3 * n * p, tip + 3 * p, d, A, b) != ARC_OK)
                return ARC_NO_ANSWER;
        if (!dense_solve(n, 1, A, b))
            return ARC_NO_ANSWER;
        for (int j = 0; j < n; j++) {
            d[j] += b[j];
            still = still && fabs(b[j]) <= ARC_STILL * fabs(d[j]);
        }
        if (still)
            return ARC_OK;
    }
    return ARC_NO_ANSWER;
}
