#include "row/point.h"

#include "base/rotation.h"
#include "base/vec.h"

#include <string.h>

point_arms point_rotated(const row_point *p, const double *x)
{
    point_arms arms;
    for (int i = 0; i < p->nrotation; i++) {
        double R[9];
        rotation_matrix(&x[3 * p->node[p->nposition + i]], R);
        mat_apply(arms.arm[i], R, p->arm[i]);
    }
    return arms;
}

void point_position(const row_point *p, const double *x, double out[3])
{
    memcpy(out, p->world, 3 * sizeof *out);
    if (p->body < 0)
        return;
    memset(out, 0, 3 * sizeof *out);
    for (int a = 0; a < p->nposition; a++)
        vec_axpy(out, p->weight[a], &x[3 * p->node[a]]);
    point_arms arms = point_rotated(p, x);
    for (int i = 0; i < p->nrotation; i++)
        vec_axpy(out, 1, arms.arm[i]);
}

// A spin w moves an arm by w x arm = -[arm]x w.
void point_rate(const row_point *p, const point_arms *arms, int a, double J[9])
{
    memset(J, 0, 9 * sizeof *J);
    if (a < p->nposition) {
        J[0] = J[4] = J[8] = p->weight[a];
        return;
    }
    const double *arm = arms->arm[a - p->nposition];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        J[3 * j + k] = arm[i];
        J[3 * k + j] = -arm[i];
    }
}

void point_motion(const row_point *p, const point_arms *arms, const double *motion, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    if (p->body < 0)
        return;
    for (int a = 0; a < p->nposition; a++)
        vec_axpy(out, p->weight[a], &motion[3 * p->node[a]]);
    for (int i = 0; i < p->nrotation; i++) {
        double way[3];
        vec_cross(way, &motion[3 * p->node[p->nposition + i]], arms->arm[i]);
        vec_axpy(out, 1, way);
    }
}

void point_push(const row_point *p, const point_arms *arms, int a, const double f[3], double out[3])
{
    if (a >= p->nposition) {
        vec_cross(out, arms->arm[a - p->nposition], f);
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = p->weight[a] * f[i];
}

void point_rotating(const double arm[3], const double f[3], double K[9])
{
    for (int i = 0; i < 9; i++)
        K[i] =
            0.5 * (arm[i / 3] * f[i % 3] + f[i / 3] * arm[i % 3]) - (i % 4 ? 0 : vec_dot(arm, f));
}
