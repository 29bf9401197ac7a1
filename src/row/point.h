// Where a point of a row is, how it moves with the nodes that carry it, and what a force on it does
// to them.
#ifndef ROW_POINT_H
#define ROW_POINT_H

#include "row/row.h"

// What carries it now: arms in the world frame.
typedef struct point_arms {
    double arm[ROW_POINT_ROTATION][3];
} point_arms;

static inline int point_nnode(const row_point *p)
{
    return p->body < 0 ? 0 : p->patch ? p->patch->n : p->nposition + p->nrotation;
}

static inline int point_node(const row_point *p, int a)
{
    return p->patch ? p->patch->node[a] : p->node[a];
}

// Whether node a is a rotation, which carries it by an arm; else a position, with a weight.
static inline bool point_is_arm(const row_point *p, int a)
{
    return !p->patch && a >= p->nposition;
}

static inline double point_weight(const row_point *p, int a)
{
    return p->patch ? p->patch->weight[a] : p->weight[a];
}

point_arms point_rotated(const row_point *p, const double *x);
void point_position(const row_point *p, const double *x, double out[3]);

// J = d(point)/d(node a of the point)
void point_rate(const row_point *p, const point_arms *arms, int a, double J[9]);

// How the point moves with a motion of all nodes; a point of the world does not.
void point_motion(const row_point *p, const point_arms *arms, const double *motion, double out[3]);

// out = J' f, the force on node a when f pulls at the point
void point_push(const row_point *p, const point_arms *arms, int a, const double f[3],
                double out[3]);

// K = second derivative of f . (R arm) by the spin of R, with arm as it stands now
void point_rotating(const double arm[3], const double f[3], double K[9]);

#endif
