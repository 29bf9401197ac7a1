// Where a rod's nodes are: evenly along its legs, or along a smooth curve through its points.
#include "base/vec.h"
#include "scene/slender.h"
#include "scene/tolerances.h"

#include <string.h>

static const double *point_of(const lithe_rod_def *rod, int i)
{
    return &rod->point[3 * (i < 0 ? 0 : i < rod->npoint ? i : rod->npoint - 1)];
}

// Straight legs keep their corners as nodes: each gets its share of the elements, one at least.
static void run_straight(const lithe_rod_def *rod, double total, double *point)
{
    int legs = rod->npoint - 1, done = 0;
    double way = 0;
    memcpy(point, rod->point, 3 * sizeof *point);
    for (int leg = 0; leg < legs; leg++) {
        const double *from = point_of(rod, leg), *to = point_of(rod, leg + 1);
        way += vec_distance(from, to);
        int last = (int)lround(rod->elements * way / total);
        last = last < done + 1 ? done + 1 : last;
        int most = rod->elements - (legs - 1 - leg);
        last = last > most ? most : last;
        for (int k = done + 1; k <= last; k++) {
            double t = (double)(k - done) / (last - done);
            for (int i = 0; i < 3; i++)
                point[3 * k + i] = (1 - t) * from[i] + t * to[i];
        }
        done = last;
    }
}

// Catmull-Rom through four points at t of the way from the second to the third, with knots at the
// square roots of their distances, so that it does not loop.
static void spline(const double *const p[4], double t, double out[3])
{
    double knot[4] = {0}, a[3][3], b[2][3];
    for (int i = 0; i < 3; i++)
        knot[i + 1] = knot[i] + fmax(sqrt(vec_distance(p[i], p[i + 1])), SCENE_SAME_POINT);
    double at = knot[1] + t * (knot[2] - knot[1]);
    for (int k = 0; k < 3; k++) {
        for (int i = 0; i < 3; i++) {
            double s = (at - knot[i]) / (knot[i + 1] - knot[i]);
            a[i][k] = (1 - s) * p[i][k] + s * p[i + 1][k];
        }
        for (int i = 0; i < 2; i++) {
            double s = (at - knot[i]) / (knot[i + 2] - knot[i]);
            b[i][k] = (1 - s) * a[i][k] + s * a[i + 1][k];
        }
        out[k] = (1 - t) * b[0][k] + t * b[1][k];
    }
}

// A point of the whole curve; u counts legs. Past its ends the curve goes on bending as it did.
static void curve(const lithe_rod_def *rod, double u, double out[3])
{
    int leg = (int)fmin(floor(u), rod->npoint - 2);
    double before[3], after[3];
    const double *p[4];
    for (int i = 0; i < 4; i++)
        p[i] = point_of(rod, leg - 1 + i);
    for (int k = 0; k < 3; k++) {
        before[k] = 3 * (p[1][k] - p[2][k]) + p[3][k];
        after[k] = 3 * (p[2][k] - p[1][k]) + p[0][k];
    }
    if (leg == 0)
        p[0] = before;
    if (leg == rod->npoint - 2)
        p[3] = after;
    spline(p, u - leg, out);
}

enum { FINE = 64 }; // pieces of a leg whose lengths are summed

static double curve_length(const lithe_rod_def *rod)
{
    double length = 0, from[3], to[3];
    curve(rod, 0, from);
    for (int k = 1; k <= FINE * (rod->npoint - 1); k++) {
        curve(rod, (double)k / FINE, to);
        length += vec_distance(from, to);
        memcpy(from, to, sizeof to);
    }
    return length;
}

static void run_smooth(const lithe_rod_def *rod, double *point)
{
    double total = curve_length(rod), way = 0, from[3], to[3];
    int done = 0;
    curve(rod, 0, from);
    memcpy(point, from, sizeof from);
    for (int k = 1; k <= FINE * (rod->npoint - 1); k++) {
        curve(rod, (double)k / FINE, to);
        double piece = vec_distance(from, to);
        while (done < rod->elements - 1 && (done + 1) * total / rod->elements <= way + piece) {
            double t = ((done + 1) * total / rod->elements - way) / piece;
            done++;
            curve(rod, (k - 1 + t) / FINE, &point[3 * done]);
        }
        way += piece;
        memcpy(from, to, sizeof to);
    }
    memcpy(&point[3 * rod->elements], point_of(rod, rod->npoint - 1), sizeof to);
}

static lithe_status check_run(const compiler *c, const lithe_rod_def *rod, double *total)
{
    *total = 0;
    if (rod->npoint < 2)
        return compile_fail(c, rod->location, "rod '%s' needs two points or more", rod->name);
    for (int i = 0; i < 3 * rod->npoint; i++)
        if (!isfinite(rod->point[i]))
            return compile_fail(c, rod->location, "rod '%s': a point is not a number", rod->name);
    for (int i = 0; i + 1 < rod->npoint; i++) {
        double leg = vec_distance(point_of(rod, i), point_of(rod, i + 1));
        if (!(leg > SCENE_SAME_POINT))
            return compile_fail(c, rod->location,
                                "rod '%s': its points %d and %d are in the same place", rod->name,
                                i + 1, i + 2);
        *total += leg;
    }
    if (rod->elements < rod->npoint - 1 || rod->elements > 100000)
        return compile_fail(c, rod->location,
                            "rod '%s' has %d elements; it needs at least %d, one from point to "
                            "point, and at most 100000",
                            rod->name, rod->elements, rod->npoint - 1);
    return LITHE_OK;
}

lithe_status slender_run(compiler *c, const lithe_rod_def *rod, double *point, double *share)
{
    double total;
    LITHE_TRY(check_run(c, rod, &total));
    if (rod->smooth && rod->npoint > 2)
        run_smooth(rod, point);
    else
        run_straight(rod, total, point);
    share[0] = 0;
    for (int k = 1; k <= rod->elements; k++)
        share[k] = share[k - 1] + vec_distance(&point[3 * (k - 1)], &point[3 * k]);
    for (int k = 1; k <= rod->elements; k++)
        share[k] /= share[rod->elements];
    return LITHE_OK;
}
