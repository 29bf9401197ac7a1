// Depth of triangles and segments in shapes, over all of their points: in closed form where the
// shape is round or flat; in a box or a cylinder by the largest share that it can be shrunk before
// nothing of the triangle is left in it, which clipping tells exactly.
#include "contact/check_shape.h"

#include "base/vec.h"
#include "contact/tolerances.h"

#include <math.h>
#include <string.h>

static double plane_distance(const contact_shape *s, const double q[3])
{
    (void)s;
    return q[2];
}

static double sphere_distance(const contact_shape *s, const double q[3])
{
    return vec_norm(q) - s->radius;
}

static double capsule_distance(const contact_shape *s, const double q[3])
{
    return hypot(hypot(q[0], q[1]), fmax(fabs(q[2]) - s->half[2], 0)) - s->radius;
}

static double pipe_distance(const contact_shape *s, const double q[3])
{
    return s->radius - hypot(q[0], q[1]);
}

static double cylinder_distance(const contact_shape *s, const double q[3])
{
    double r = hypot(q[0], q[1]), over = fmax(fabs(q[2]) - s->half[2], 0);
    if (r > s->radius || over > 0)
        return hypot(fmax(r - s->radius, 0), over);
    return fmax(r - s->radius, fabs(q[2]) - s->half[2]);
}

static double box_distance(const contact_shape *s, const double q[3])
{
    double out[3], most = -INFINITY;
    for (int k = 0; k < 3; k++) {
        out[k] = fmax(fabs(q[k]) - s->half[k], 0);
        most = fmax(most, fabs(q[k]) - s->half[k]);
    }
    return most > 0 ? vec_norm(out) : most;
}

// By the triangle that the meridian is: outside the least distance from its two outer sides, inside
// the least depth below their lines.
static double cone_distance(const contact_shape *s, const double q[3])
{
    double r = hypot(q[0], q[1]), z = q[2];
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
    return check_kinds[s->kind].distance(s, q);
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

// Is anything of a triangle in the shape, shrunk by so much? round: its section across the z axis
// is a disc.
static bool reaches(const contact_shape *s, bool round, const check_item *tri, double shrink,
                    double at[3])
{
    polygon p = {.n = 3};
    for (int i = 0; i < 3; i++)
        memcpy(p.x[i], tri->x[i], sizeof p.x[i]);
    for (int k = round ? 2 : 0; k < 3; k++) {
        if (s->half[k] < shrink)
            return false;
        clip(&p, k, 1, s->half[k] - shrink);
        clip(&p, k, -1, s->half[k] - shrink);
    }
    if (p.n == 0)
        return false;
    if (round)
        return s->radius >= shrink && from_axis(&p, at) <= s->radius - shrink;
    memset(at, 0, 3 * sizeof *at);
    for (int i = 0; i < p.n; i++)
        vec_axpy(at, 1.0 / p.n, p.x[i]);
    return true;
}

static double sharp_depth(const contact_shape *s, bool round, const check_item *tri, double least,
                          double at[3])
{
    double low = least, high = fmin(s->half[2], round ? s->radius : fmin(s->half[0], s->half[1]));
    if (!(high > low) || !reaches(s, round, tri, low, at))
        return least;
    for (int k = 0; k < 60 && high - low > CHECK_BISECTION * high; k++) {
        double middle = 0.5 * (low + high), there[3];
        if (reaches(s, round, tri, middle, there)) {
            low = middle;
            memcpy(at, there, sizeof there);
        } else
            high = middle;
    }
    return low;
}

static double box_depth(const contact_shape *s, const check_item *tri, double least, double at[3])
{
    return sharp_depth(s, false, tri, least, at);
}

static double cylinder_depth(const contact_shape *s, const check_item *tri, double least,
                             double at[3])
{
    return sharp_depth(s, true, tri, least, at);
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

// Least of what is convex.
static double lowest_depth(const contact_shape *s, const check_item *i, double least, double at[3])
{
    (void)least;
    return -lowest_along(s, i, 1, -1, at);
}

// Deepest corner: all there is to a plane and, as a pipe is hollow, to a pipe.
static double corner_depth(const contact_shape *s, const check_item *i, double least, double at[3])
{
    double most = -INFINITY;
    (void)least;
    for (int k = 0; k < i->n; k++) {
        double depth = i->radius[k] - check_shape_distance(s, i->x[k]);
        if (depth <= most)
            continue;
        most = depth;
        memcpy(at, i->x[k], 3 * sizeof *at);
    }
    return most;
}

static double sphere_depth(const contact_shape *s, const check_item *tri, double least,
                           double at[3])
{
    double weight[3];
    const double zero[3] = {0, 0, 0};
    double depth = s->radius - check_point_distance(zero, tri, weight);
    (void)least;
    memset(at, 0, 3 * sizeof *at);
    for (int k = 0; k < 3; k++)
        vec_axpy(at, weight[k], tri->x[k]);
    return depth;
}

static double capsule_depth(const contact_shape *s, const check_item *tri, double least,
                            double at[3])
{
    const double end[2][3] = {{0, 0, -s->half[2]}, {0, 0, s->half[2]}};
    check_item axis = {.n = 2, .x = {end[0], end[1]}};
    (void)least;
    return s->radius - check_item_gap(tri, &axis, at);
}

const check_kind check_kinds[SHAPE_KINDS] = {
    [SHAPE_PLANE] = {.distance = plane_distance,
                     .thin = corner_depth,
                     .thick = corner_depth,
                     .endless = true},
    [SHAPE_SPHERE] = {.distance = sphere_distance, .thin = sphere_depth, .thick = lowest_depth},
    [SHAPE_CAPSULE] = {.distance = capsule_distance,
                       .thin = capsule_depth,
                       .thick = lowest_depth,
                       .lengthy = true},
    [SHAPE_BOX] = {.distance = box_distance,
                   .thin = box_depth,
                   .thick = lowest_depth,
                   .edges = true},
    [SHAPE_CYLINDER] = {.distance = cylinder_distance,
                        .thin = cylinder_depth,
                        .thick = lowest_depth,
                        .nrim = 2},
    [SHAPE_PIPE] = {.distance = pipe_distance,
                    .thin = corner_depth,
                    .thick = corner_depth,
                    .endless = true},
    [SHAPE_CONE] = {.distance = cone_distance,
                    .thin = lowest_depth,
                    .thick = lowest_depth,
                    .tip = true,
                    .nrim = 1},
    [SHAPE_MESH] = {.told = true},
};

double check_shape_depth(const contact_shape *s, const check_item *i, double least, double at[3])
{
    const check_kind *kind = &check_kinds[s->kind];
    bool thin = i->n == 3 && i->radius[0] == 0 && i->radius[1] == 0 && i->radius[2] == 0;
    double there[3], depth = (thin ? kind->thin : kind->thick)(s, i, least, there);
    if (!(depth > least))
        return least;
    memcpy(at, there, sizeof there);
    return depth;
}
