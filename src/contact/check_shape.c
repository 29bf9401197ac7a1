// Depth of triangles and segments in shapes, over all of their points: in closed form where the
// shape is round or flat; in a box or a cylinder by the largest share that it can be shrunk before
// nothing of the triangle is left in it, which clipping tells exactly.
#include "base/vec.h"
#include "contact/check_geometry.h"
#include "contact/tolerances.h"

#include <math.h>
#include <string.h>

// By the triangle that the meridian is: outside the least distance from its two outer sides, inside
// the least depth below their lines.
static double cone_distance(const contact_shape *s, double r, double z)
{
    const double zero[3] = {0, 0, 0}, rim[3] = {s->radius - r, -s->half[2] - z, 0};
    const double tip[3] = {-r, s->half[2] - z, 0}, base[3] = {-r, -s->half[2] - z, 0};
    double weight[3], steep = 2 * s->half[2] / s->radius; // of the slope
    check_item slope = {.n = 2, .x = {rim, tip}}, floor = {.n = 2, .x = {base, rim}};
    double below = s->half[2] - steep * r - z, above = z + s->half[2]; // along z
    if (below < 0 || above < 0)
        return fmin(check_point_distance(zero, &slope, weight),
                    check_point_distance(zero, &floor, weight));
    return -fmin(below / sqrt(1 + steep * steep), above);
}

double check_shape_distance(const contact_shape *s, const double q[3])
{
    double r = hypot(q[0], q[1]), over = fmax(fabs(q[2]) - s->half[2], 0), out[3], most = -INFINITY;
    switch (s->kind) {
    case SHAPE_PLANE: return q[2];
    case SHAPE_SPHERE: return vec_norm(q) - s->radius;
    case SHAPE_CAPSULE: return hypot(r, over) - s->radius;
    case SHAPE_PIPE: return s->radius - r;
    case SHAPE_CYLINDER:
        if (r > s->radius || over > 0)
            return hypot(fmax(r - s->radius, 0), over);
        return fmax(r - s->radius, fabs(q[2]) - s->half[2]);
    case SHAPE_BOX:
        for (int k = 0; k < 3; k++) {
            out[k] = fmax(fabs(q[k]) - s->half[k], 0);
            most = fmax(most, fabs(q[k]) - s->half[k]);
        }
        return most > 0 ? vec_norm(out) : most;
    case SHAPE_CONE: return cone_distance(s, r, q[2]);
    case SHAPE_MESH: break;
    }
    return INFINITY;
}

enum { MOST_CORNERS = 16 };

typedef struct polygon {
    int n;
    double x[MOST_CORNERS][3];
} polygon;

// Keeps what has side * x[axis] <= limit.
static void clip(polygon *p, int axis, double side, double limit)
{
    polygon out = {0};
    for (int i = 0; i < p->n; i++) {
        const double *a = p->x[i], *b = p->x[(i + 1) % p->n];
        double da = side * a[axis] - limit, db = side * b[axis] - limit;
        if (da <= 0)
            memcpy(out.x[out.n++], a, sizeof out.x[0]);
        if ((da < 0 && db > 0) || (da > 0 && db < 0)) {
            double t = da / (da - db);
            for (int k = 0; k < 3; k++)
                out.x[out.n][k] = a[k] + t * (b[k] - a[k]);
            out.x[out.n++][axis] = side * limit;
        }
    }
    *p = out;
}

// Least distance of a convex polygon from the z axis.
static double from_axis(const polygon *p, double at[3])
{
    double least = INFINITY, last = 0;
    bool around = p->n > 2;
    const double zero[3] = {0, 0, 0};
    for (int i = 0; i < p->n; i++) {
        const double *a = p->x[i], *b = p->x[(i + 1) % p->n];
        double flat[2][3] = {{a[0], a[1], 0}, {b[0], b[1], 0}}, weight[3];
        check_item edge = {.n = 2, .x = {flat[0], flat[1]}};
        double d = check_point_distance(zero, &edge, weight), z = a[0] * b[1] - a[1] * b[0];
        around = around && z * last >= 0 && z != 0;
        last = z;
        if (d < least) {
            least = d;
            for (int k = 0; k < 3; k++)
                at[k] = weight[0] * a[k] + weight[1] * b[k];
        }
    }
    if (!around)
        return least;
    memset(at, 0, 3 * sizeof *at); // the axis goes through it: its height is that of the plane
    double n[3] = {0}, c[3];
    for (int i = 0; i < p->n; i++) {
        vec_cross(c, p->x[i], p->x[(i + 1) % p->n]);
        vec_axpy(n, 1, c);
    }
    at[2] = n[2] != 0 ? vec_dot(n, p->x[0]) / n[2] : p->x[0][2];
    return 0;
}

// Is anything of a triangle in the shape, shrunk by so much?
static bool reaches(const contact_shape *s, const check_item *tri, double shrink, double at[3])
{
    polygon p = {.n = 3};
    for (int i = 0; i < 3; i++)
        memcpy(p.x[i], tri->x[i], sizeof p.x[i]);
    for (int k = s->kind == SHAPE_BOX ? 0 : 2; k < 3; k++) {
        if (s->half[k] < shrink)
            return false;
        clip(&p, k, 1, s->half[k] - shrink);
        clip(&p, k, -1, s->half[k] - shrink);
    }
    if (p.n == 0)
        return false;
    if (s->kind == SHAPE_CYLINDER)
        return s->radius >= shrink && from_axis(&p, at) <= s->radius - shrink;
    memset(at, 0, 3 * sizeof *at);
    for (int i = 0; i < p.n; i++)
        vec_axpy(at, 1.0 / p.n, p.x[i]);
    return true;
}

static double sharp_depth(const contact_shape *s, const check_item *tri, double least, double at[3])
{
    double low = least,
           high = fmin(s->half[2], s->kind == SHAPE_BOX ? fmin(s->half[0], s->half[1]) : s->radius);
    if (!(high > low) || !reaches(s, tri, low, at))
        return least;
    for (int k = 0; k < 60 && high - low > CHECK_BISECTION * high; k++) {
        double middle = 0.5 * (low + high), there[3];
        if (reaches(s, tri, middle, there)) {
            low = middle;
            memcpy(at, there, sizeof there);
        } else
            high = middle;
    }
    return low;
}

// Signed distance less the radius at weights of an item.
static double at_weights(const contact_shape *s, const check_item *i, double a, double b,
                         double at[3])
{
    const double weight[3] = {1 - a - b, a, b};
    double r = 0;
    memset(at, 0, 3 * sizeof *at);
    for (int k = 0; k < i->n && k < 3; k++) {
        vec_axpy(at, weight[k], i->x[k]);
        r += weight[k] * i->radius[k];
    }
    return check_shape_distance(s, at) - r;
}

static double lowest_along(const contact_shape *s, const check_item *i, double end, double fixed,
                           double at[3]);

// Of a segment at share t; of a triangle, least over its last weight where its second is t.
static double lowest_at(const contact_shape *s, const check_item *i, double t, double fixed,
                        double at[3])
{
    if (i->n == 2)
        return at_weights(s, i, t, 0, at);
    return fixed >= 0 ? at_weights(s, i, fixed, t, at) : lowest_along(s, i, 1 - t, t, at);
}

// Least of a convex function from 0 to `end`, by golden section. fixed: the second weight of a
// triangle, where it is the last one that varies; else below 0.
static double lowest_along(const contact_shape *s, const check_item *i, double end, double fixed,
                           double at[3])
{
    const double golden = 0.61803398874989485;
    double best = lowest_at(s, i, 0, fixed, at), there[3] = {0}, low = 0, high = end;
    double t[2] = {end - golden * end, golden * end}, f[2] = {INFINITY, INFINITY};
    int next = 2; // 2: both are to be tried
    double last = lowest_at(s, i, end, fixed, there);
    if (last < best)
        memcpy(at, there, sizeof there);
    best = fmin(best, last);
    for (int k = 0; k < 60 && high - low > CHECK_BISECTION; k++) {
        for (int side = 0; side < 2; side++) {
            if (next != 2 && next != side)
                continue;
            f[side] = lowest_at(s, i, t[side], fixed, there);
            if (f[side] < best)
                memcpy(at, there, sizeof there);
            best = fmin(best, f[side]);
        }
        next = f[0] <= f[1] ? 0 : 1;
        if (next == 0)
            high = t[1];
        else
            low = t[0];
        t[1 - next] = t[next];
        f[1 - next] = f[next];
        t[next] = next == 0 ? high - golden * (high - low) : low + golden * (high - low);
    }
    return best;
}

// Deepest corner: all there is to a plane and, as a pipe is hollow, to a pipe.
static double corner_depth(const contact_shape *s, const check_item *i, double at[3])
{
    double most = -INFINITY;
    for (int k = 0; k < i->n; k++) {
        double depth = i->radius[k] - check_shape_distance(s, i->x[k]);
        if (depth <= most)
            continue;
        most = depth;
        memcpy(at, i->x[k], 3 * sizeof *at);
    }
    return most;
}

double check_shape_depth(const contact_shape *s, const check_item *i, double least, double at[3])
{
    const double end[2][3] = {{0, 0, -s->half[2]}, {0, 0, s->half[2]}};
    bool thin = i->n == 3 && i->radius[0] == 0 && i->radius[1] == 0 && i->radius[2] == 0;
    double depth = least, there[3];
    if (s->kind == SHAPE_PLANE || s->kind == SHAPE_PIPE)
        depth = corner_depth(s, i, there);
    else if (thin && s->kind == SHAPE_SPHERE) {
        double weight[3], zero[3] = {0, 0, 0};
        depth = s->radius - check_point_distance(zero, i, weight);
        memset(there, 0, sizeof there);
        for (int k = 0; k < 3; k++)
            vec_axpy(there, weight[k], i->x[k]);
    } else if (thin && s->kind == SHAPE_CAPSULE) {
        check_item axis = {.n = 2, .x = {end[0], end[1]}};
        depth = s->radius - check_item_gap(i, &axis, there);
    } else if (thin && s->kind != SHAPE_CONE)
        depth = sharp_depth(s, i, least, there);
    else if (s->kind != SHAPE_MESH)
        depth = -lowest_along(s, i, 1, -1, there);
    if (!(depth > least))
        return least;
    memcpy(at, there, sizeof there);
    return depth;
}
