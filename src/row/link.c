#include "row/link.h"

#include "base/rotation.h"
#include "base/vec.h"
#include "row/point.h"

#include <string.h>

int link_nodes(const row_link *link, int *node)
{
    int n = 0;
    for (int side = 0; side < 2; side++) {
        const row_point *p = &link->point[side];
        for (int a = 0; link->by_points && a < point_nnode(p); a++)
            node[n++] = p->node[a];
        if (link->rotation[side] >= 0)
            node[n++] = link->rotation[side];
    }
    return n;
}

static void direction_at(const row_link *link, int side, const double *x, double out[3])
{
    double R[9];
    memcpy(out, link->direction[side], 3 * sizeof *out);
    if (link->rotation[side] < 0)
        return;
    rotation_matrix(&x[3 * (size_t)link->rotation[side]], R);
    mat_apply(out, R, out);
}

// s and w
static void sides_at(const row_link *link, const double *x, double s[3], double w[3])
{
    double from[3];
    direction_at(link, 0, x, s);
    if (!link->by_points) {
        direction_at(link, 1, x, w);
        return;
    }
    point_position(&link->point[0], x, from);
    point_position(&link->point[1], x, w);
    vec_axpy(w, -1, from);
}

static void axis_at(const row_link *link, const double *x, double out[3])
{
    double R[9];
    memcpy(out, link->axis, 3 * sizeof *out);
    if (link->rotation[0] < 0)
        return;
    rotation_matrix(&x[3 * (size_t)link->rotation[0]], R);
    mat_apply(out, R, out);
}

double link_value(const row_link *link, const double *x)
{
    double s[3], w[3], n[3], across[3];
    sides_at(link, x, s, w);
    if (!link->twist)
        return vec_dot(s, w);
    axis_at(link, x, n);
    vec_cross(across, n, s);
    return atan2(vec_dot(across, w), vec_dot(s, w));
}

static void add(int nnode, const int *node, int which, const double f[3], double *H)
{
    for (int i = 0; i < nnode; i++)
        if (node[i] == which)
            vec_axpy(&H[3 * i], 1, f);
}

static void push_point(const row_point *p, const double *x, const double f[3], int nnode,
                       const int *node, double *H)
{
    point_arms arms = point_rotated(p, x);
    for (int a = 0; a < point_nnode(p); a++) {
        double g[3];
        point_push(p, &arms, a, f, g);
        add(nnode, node, p->node[a], g, H);
    }
}

// A spin of the first side changes s . w by spin . (s x w), one of the second by spin . (w x s).
void link_gradient(const row_link *link, const double *x, int nnode, const int *node, double *H)
{
    double s[3], w[3], about[3], back[3];
    sides_at(link, x, s, w);
    vec_cross(about, s, w);
    if (link->twist) // a spin of the second side about the axis, less that of the first
        axis_at(link, x, about);
    for (int i = 0; i < 3 && link->twist; i++)
        about[i] = -about[i];
    add(nnode, node, link->rotation[0], about, H);
    for (int i = 0; i < 3; i++)
        back[i] = -(link->by_points ? s : about)[i];
    if (!link->by_points) {
        add(nnode, node, link->rotation[1], back, H);
        return;
    }
    push_point(&link->point[1], x, s, nnode, node, H);
    push_point(&link->point[0], x, back, nnode, node, H);
}

void link_load(const row_link *link, const double *x, double effort, double force[3],
               double moment[3])
{
    double s[3], w[3], about[3];
    sides_at(link, x, s, w);
    vec_cross(about, w, s);
    vec_axpy(link->by_points ? force : moment, effort, link->by_points ? s : about);
}
