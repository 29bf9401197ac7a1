#include "material/polar.h"

#include "base/eigen.h"

// tr(R(q)' F) = q' B q for a unit quaternion q, so the nearest rotation is B's dominant
// eigenvector. [davenport1968]
static void davenport_matrix(const double F[9], double B[16])
{
    double b[16] = {
        F[0] + F[4] + F[8], F[7] - F[5],        F[2] - F[6],        F[3] - F[1],
        F[7] - F[5],        F[0] - F[4] - F[8], F[1] + F[3],        F[2] + F[6],
        F[2] - F[6],        F[1] + F[3],        F[4] - F[0] - F[8], F[5] + F[7],
        F[3] - F[1],        F[2] + F[6],        F[5] + F[7],        F[8] - F[0] - F[4],
    };
    for (int i = 0; i < 16; i++)
        B[i] = b[i];
}

static void rotation_of_quaternion(double w, double x, double y, double z, double R[9])
{
    double r[9] = {
        1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
        2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
        2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y),
    };
    for (int i = 0; i < 9; i++)
        R[i] = r[i];
}

void polar_rotation(const double F[9], double R[9])
{
    double B[16], value[4], q[16];
    davenport_matrix(F, B);
    eigen_symmetric(4, B, value, q);
    int top = 0;
    for (int k = 1; k < 4; k++)
        if (value[k] > value[top])
            top = k;
    rotation_of_quaternion(q[top], q[4 + top], q[8 + top], q[12 + top], R);
}
