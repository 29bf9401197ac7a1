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
    for (int a = 0; a < point_nnode(p) && !point_is_arm(p, a); a++)
        vec_axpy(out, point_weight(p, a), &x[3 * point_node(p, a)]);
    point_arms arms = point_rotated(p, x);
    for (int i = 0; i < p->nrotation; i++)
        vec_axpy(out, 1, arms.arm[i]);
}

// A spin w moves an arm by w x arm = -[arm]x w.
void point_rate(const row_point *p, const point_arms *arms, int a, double J[9])
{
    memset(J, 0, 9 * sizeof *J);
    if (!point_is_arm(p, a)) {
        J[0] = J[4] = J[8] = point_weight(p, a);
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
    for (int a = 0; a < point_nnode(p) && !point_is_arm(p, a); a++)
        vec_axpy(out, point_weight(p, a), &motion[3 * point_node(p, a)]);
    for (int i = 0; i < p->nrotation; i++) {
        double way[3];
        vec_cross(way, &motion[3 * p->node[p->nposition + i]], arms->arm[i]);
        vec_axpy(out, 1, way);
    }
}

void point_push(const row_point *p, const point_arms *arms, int a, const double f[3], double out[3])
{
    if (point_is_arm(p, a)) {
        vec_cross(out, arms->arm[a - p->nposition], f);
        return;
    }
    for (int i = 0; i < 3; i++)
        out[i] = point_weight(p, a) * f[i];
}

void point_rotating(const double arm[3], const double f[3], double K[9])
{
    for (int i = 0; i < 9; i++)
        K[i] =
            0.5 * (arm[i / 3] * f[i % 3] + f[i / 3] * arm[i % 3]) - (i % 4 ? 0 : vec_dot(arm, f));
}
