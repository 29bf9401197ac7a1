#include "contact/nearest.h"

#include "base/vec.h"
#include "contact/tolerances.h"

static double share(double num, double den)
{
    return den > 0 ? fmin(fmax(num / den, 0), 1) : 0;
}

static nearest_feature on_corner(int corner, double weight[3])
{
    for (int i = 0; i < 3; i++)
        weight[i] = i == corner;
    return (nearest_feature)corner;
}

static nearest_feature on_edge(int edge, double t, double weight[3])
{
    weight[edge] = 1 - t;
    weight[(edge + 1) % 3] = t;
    weight[(edge + 2) % 3] = 0;
    return (nearest_feature)(NEAREST_EDGE0 + edge);
}

// Of the three edges the nearest one, or its end: for points beyond the rim, and for triangles
// without an area.
static nearest_feature on_rim(const double p[3], const double *const corner[3], double weight[3])
{
    nearest_feature best = NEAREST_CORNER0;
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double edge[3], d[3], foot[3];
        vec_sub(edge, corner[(i + 1) % 3], corner[i]);
        vec_sub(d, p, corner[i]);
        double t = share(vec_dot(d, edge), vec_dot(edge, edge));
        for (int k = 0; k < 3; k++)
            foot[k] = corner[i][k] + t * edge[k];
        double distance = vec_distance(p, foot);
        if (distance >= least)
            continue;
        least = distance;
        best = t == 0   ? on_corner(i, weight)
               : t == 1 ? on_corner((i + 1) % 3, weight)
                        : on_edge(i, t, weight);
    }
    return best;
}

nearest_feature nearest_on_triangle(const double p[3], const double *const corner[3],
                                    double weight[3])
{
    double u[3], v[3], d[3];
    vec_sub(u, corner[1], corner[0]);
    vec_sub(v, corner[2], corner[0]);
    vec_sub(d, p, corner[0]);
    double uu = vec_dot(u, u), uv = vec_dot(u, v), vv = vec_dot(v, v);
    double du = vec_dot(d, u), dv = vec_dot(d, v), det = uu * vv - uv * uv;
    if (det > NEAREST_FLAT * uu * vv) {
        weight[1] = (vv * du - uv * dv) / det;
        weight[2] = (uu * dv - uv * du) / det;
        weight[0] = 1 - weight[1] - weight[2];
        if (weight[0] > 0 && weight[1] > 0 && weight[2] > 0)
            return NEAREST_INSIDE;
    }
    return on_rim(p, corner, weight);
}
