// Surfaces for the tests of contact: boxes and spheres of triangles.
#ifndef TESTS_CONTACT_GRID_H
#define TESTS_CONTACT_GRID_H

#include "base/vec.h"
#include "contact/box_tree.h"
#include "contact/nearest.h"
#include "contact/shape.h"

#include <stdlib.h>
#include <string.h>

typedef struct shell {
    int nnode, ntri;
    double x[3 * 20000];
    int tri[3 * 40000];
} shell;

static inline int shell_node(shell *s, double x, double y, double z)
{
    double *p = &s->x[3 * s->nnode];
    p[0] = x;
    p[1] = y;
    p[2] = z;
    return s->nnode++;
}

// One patch of n x n squares spanned by u and v from corner p, normals along u x v.
static inline void shell_patch(shell *s, int n, const double p[3], const double u[3],
                               const double v[3])
{
    int first = s->nnode;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++) {
            double a = (double)i / n, b = (double)j / n;
            shell_node(s, p[0] + a * u[0] + b * v[0], p[1] + a * u[1] + b * v[1],
                       p[2] + a * u[2] + b * v[2]);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int a = first + i * (n + 1) + j, b = a + n + 1;
            int two[6] = {a, b, b + 1, a, b + 1, a + 1};
            memcpy(&s->tri[3 * s->ntri], two, sizeof two);
            s->ntri += 2;
        }
}

// Makes one node of those that lie at the same position.
static inline void shell_weld(shell *s)
{
    int *to = malloc((size_t)s->nnode * sizeof *to), n = 0;
    for (int i = 0; i < s->nnode; i++) {
        int k = 0;
        while (k < n && vec_distance(&s->x[3 * k], &s->x[3 * i]) > 1e-12)
            k++;
        if (k == n)
            memcpy(&s->x[3 * n++], &s->x[3 * i], 3 * sizeof *s->x);
        to[i] = k;
    }
    s->nnode = n;
    for (int i = 0; i < 3 * s->ntri; i++)
        s->tri[i] = to[s->tri[i]];
    free(to);
}

// A box of n x n squares a side, centred at `at`.
static inline void shell_box(shell *s, int n, const double at[3], const double half[3])
{
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            int a1 = (axis + 1) % 3, a2 = (axis + 2) % 3;
            double p[3], u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
            memcpy(p, at, sizeof p);
            p[axis] += side * half[axis];
            p[a1] -= half[a1];
            p[a2] -= half[a2];
            u[side > 0 ? a1 : a2] = 2 * half[side > 0 ? a1 : a2];
            v[side > 0 ? a2 : a1] = 2 * half[side > 0 ? a2 : a1];
            shell_patch(s, n, p, u, v);
        }
    shell_weld(s);
}

// A sphere: a box blown up.
static inline void shell_sphere(shell *s, int n, const double at[3], double radius)
{
    double half[3] = {1, 1, 1};
    shell_box(s, n, (double[3]){0, 0, 0}, half);
    for (int i = 0; i < s->nnode; i++) {
        double length = vec_norm(&s->x[3 * i]);
        for (int k = 0; k < 3; k++)
            s->x[3 * i + k] = at[k] + radius * s->x[3 * i + k] / length;
    }
}

static inline const contact_frame *pose_identity(void)
{
    static const contact_frame p = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
    return &p;
}

// An arbitrary rotation about the axis (1, 2, 3).
static inline contact_frame pose_rotated(double angle, double x, double y, double z)
{
    double a[3] = {1 / sqrt(14), 2 / sqrt(14), 3 / sqrt(14)}, c = cos(angle), s = sin(angle);
    contact_frame p = {.at = {x, y, z}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            p.R[3 * i + j] = (i == j ? c : 0) + (1 - c) * a[i] * a[j];
    p.R[1] -= s * a[2];
    p.R[2] += s * a[1];
    p.R[3] += s * a[2];
    p.R[5] -= s * a[0];
    p.R[6] -= s * a[1];
    p.R[7] += s * a[0];
    return p;
}

static inline double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0;
}

#endif
