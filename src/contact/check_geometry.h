// Geometry of the check of overlaps, and of nothing else.
#ifndef CONTACT_CHECK_GEOMETRY_H
#define CONTACT_CHECK_GEOMETRY_H

#include "contact/shape.h"

#include <stdbool.h>

typedef struct check_box {
    double low[3], high[3]; // m
} check_box;

static inline double check_min(double a, double b) // quicker than fmin, which looks for NANs
{
    return a < b ? a : b;
}

static inline double check_max(double a, double b)
{
    return a > b ? a : b;
}

check_box check_box_of(int n, const double *const p[], double margin);

static inline check_box check_box_both(const check_box *a, const check_box *b)
{
    check_box out;
    for (int k = 0; k < 3; k++) {
        out.low[k] = check_min(a->low[k], b->low[k]);
        out.high[k] = check_max(a->high[k], b->high[k]);
    }
    return out;
}

static inline bool check_boxes_meet(const check_box *a, const check_box *b)
{
    return a->low[0] <= b->high[0] && b->low[0] <= a->high[0] && a->low[1] <= b->high[1] &&
           b->low[1] <= a->high[1] && a->low[2] <= b->high[2] && b->low[2] <= a->high[2];
}

static inline double check_box_distance2(const check_box *b, const double p[3]) // 0 inside
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double off = check_max(check_max(b->low[k] - p[k], p[k] - b->high[k]), 0);
        sum += off * off;
    }
    return sum;
}

// Points of triangles (n = 3) or segments (n = 2).
typedef struct check_item {
    int n;
    const double *x[3];
    double radius[3]; // m
} check_item;

// Distance of a point from a triangle or segment; weight: of its corners at the nearest point.
double check_point_distance(const double p[3], const check_item *i, double weight[3]);

// Where the segment from p to q goes through a triangle: at p + t (q - p). slack: how far beside,
// as a share of the triangle's and the segment's size, still counts.
bool check_pierces(const double p[3], const double q[3], const check_item *tri, double slack,
                   double *t);

// Least distance between two items less the radii there; 0 less the radii where they cross. at: on
// the first.
double check_item_gap(const check_item *a, const check_item *b, double at[3]);

// Share of the whole sphere that a triangle covers as seen from p, positive from behind.
double check_solid_angle(const double p[3], const check_item *tri);

// Does a ray from p go through a triangle? 1 out of the material, -1 into it, 0 not at all; unsure:
// too near to an edge or along the plane to say.
int check_ray(const double p[3], const double way[3], const check_item *tri, bool *unsure);

// The outside of a triangle; not of length 1.
void check_normal(const check_item *tri, double n[3]);

#endif
