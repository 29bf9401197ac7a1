// A closed path in space: centre + across cos(angle) + up sin(angle). Without `up` it is a line,
// run to and fro.
#ifndef EXPERIMENTS_PATH_H
#define EXPERIMENTS_PATH_H

#include <math.h>

typedef struct path {
    double centre[3], across[3], up[3]; // m
} path;

static inline void path_point(const path *p, double rotation, double point[3])
{
    double angle = 2 * 3.14159265358979323846 * rotation;
    for (int i = 0; i < 3; i++)
        point[i] = p->centre[i] + p->across[i] * cos(angle) + p->up[i] * sin(angle);
}

// Between two points, share of the way.
static inline void path_approach(const double from[3], const double to[3], double share,
                                 double point[3])
{
    for (int i = 0; i < 3; i++)
        point[i] = from[i] + share * (to[i] - from[i]);
}

#endif
