#include "control/path.h"

#include "base/vec.h"
#include "control/tolerances.h"

#include <math.h>
#include <string.h>

static bool all_finite(const double *value, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool is_positive(double value)
{
    return value > 0 && isfinite(value);
}

static const char *period_fault(const lithe_goal_def *g, int n)
{
    if (n != 3)
        return "a circle or a polygon needs an effector with three numbers, x, y and z";
    if (!is_positive(g->period) || !is_positive(g->turns))
        return "the period and the turns must be above 0";
    return NULL;
}

static const char *circle_fault(const lithe_goal_def *g, int n)
{
    if (period_fault(g, n))
        return period_fault(g, n);
    if (!is_positive(g->radius) || !all_finite(g->centre, 3))
        return "the circle needs a centre and a radius above 0";
    if (!is_positive(vec_norm(g->normal)))
        return "the normal of the circle must not be zero";
    return NULL;
}

static double edge(const lithe_goal_def *g, int i)
{
    return vec_distance(&g->point[3 * i], &g->point[3 * ((i + 1) % g->npoint)]);
}

static const char *polygon_fault(const lithe_goal_def *g, int n)
{
    double around = 0;
    if (period_fault(g, n))
        return period_fault(g, n);
    for (int i = 0; i < g->npoint; i++)
        around += edge(g, i);
    return is_positive(around) ? NULL : "the corners of the polygon are all in one place";
}

static const char *waypoints_fault(const lithe_goal_def *g)
{
    if (!g->time)
        return "waypoints need their times";
    for (int i = 0; i < g->npoint; i++)
        if (!isfinite(g->time[i]) || g->time[i] < 0 || (i > 0 && g->time[i] <= g->time[i - 1]))
            return "the times of waypoints must rise, from 0 or later";
    return g->time[g->npoint - 1] > 0 ? NULL : "the path takes no time; hold its target instead";
}

// Its points have their times.
static bool timed(const lithe_goal_def *g)
{
    return g->path == LITHE_WAYPOINTS || g->path == LITHE_LINE;
}

const char *path_fault(const lithe_goal_def *g, int n)
{
    if (g->path == LITHE_CIRCLE)
        return circle_fault(g, n);
    if (g->npoint < 1 || !g->point || !all_finite(g->point, (size_t)g->npoint * (size_t)n))
        return "its targets must be finite numbers, one or more";
    if (g->path == LITHE_POLYGON)
        return polygon_fault(g, n);
    if (g->path == LITHE_LINE && g->npoint != 2)
        return "a line needs two points";
    return timed(g) ? waypoints_fault(g) : NULL;
}

// u: where the circle starts, the projection of +x on its plane, of +y if that vanishes.
static void circle_frame(const double normal[3], control_path *p)
{
    double n[3], length = vec_norm(normal);
    for (int i = 0; i < 3; i++)
        n[i] = normal[i] / length;
    double flat = n[1] * n[1] + n[2] * n[2]; // square of the projection of +x
    int axis = flat > PATH_FLAT ? 0 : 1;
    for (int i = 0; i < 3; i++)
        p->u[i] = (i == axis) - n[axis] * n[i];
    length = vec_norm(p->u);
    for (int i = 0; i < 3; i++)
        p->u[i] /= length;
    vec_cross(p->v, n, p->u);
}

// Times of the corners, the first of them again at the end, at constant speed.
static void time_corners(const lithe_goal_def *g, control_path *p)
{
    double around = 0, way = 0;
    for (int i = 0; i < g->npoint; i++)
        around += edge(g, i);
    for (int i = 0; i < g->npoint; i++) {
        p->time[i] = g->period * way / around;
        way += edge(g, i);
    }
    p->time[g->npoint] = g->period;
    memcpy(&p->point[(size_t)3 * (size_t)g->npoint], g->point, 3 * sizeof *p->point);
}

static double duration_of(const lithe_goal_def *g)
{
    switch (g->path) {
    case LITHE_STAY: break;
    case LITHE_CIRCLE:
    case LITHE_POLYGON: return g->period * g->turns;
    case LITHE_LINE:
    case LITHE_WAYPOINTS: return g->time[g->npoint - 1];
    }
    return 0;
}

bool path_create(const lithe_goal_def *g, int n, arena *memory, control_path *p)
{
    *p = (control_path){.kind = g->path, .n = n, .period = g->period, .duration = duration_of(g)};
    if (g->path == LITHE_CIRCLE) {
        memcpy(p->centre, g->centre, sizeof p->centre);
        p->radius = g->radius;
        circle_frame(g->normal, p);
        return true;
    }
    p->npoint = g->npoint + (g->path == LITHE_POLYGON);
    p->time = arena_new(memory, p->npoint, double);
    p->point = arena_new(memory, (size_t)p->npoint * (size_t)n, double);
    if (!p->time || !p->point)
        return false;
    memcpy(p->point, g->point, (size_t)g->npoint * (size_t)n * sizeof *p->point);
    if (g->path == LITHE_POLYGON)
        time_corners(g, p);
    else if (timed(g))
        memcpy(p->time, g->time, (size_t)g->npoint * sizeof *p->time);
    return true;
}

double path_start(const control_path *p, int number)
{
    if (p->kind == LITHE_CIRCLE)
        return p->centre[number] + p->radius * p->u[number];
    return p->point[number];
}

static void circle_at(const control_path *p, double time, double *target)
{
    double angle = 2 * acos(-1) * fmod(time / p->period, 1);
    for (int i = 0; i < 3; i++)
        target[i] = p->centre[i] + p->radius * (cos(angle) * p->u[i] + sin(angle) * p->v[i]);
}

// The last point whose time has come.
static int find_leg(const control_path *p, double time)
{
    int low = 0, high = p->npoint;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (p->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void path_at(const control_path *p, double time, double *target)
{
    time = fmin(fmax(time, 0), p->duration);
    if (p->kind == LITHE_CIRCLE) {
        circle_at(p, time, target);
        return;
    }
    if (p->kind == LITHE_POLYGON)
        time = fmod(time, p->period);
    int leg = find_leg(p, time), next = leg + 1 < p->npoint ? leg + 1 : leg;
    double length = p->time[next] - p->time[leg];
    double share = length > 0 ? fmax(time - p->time[leg], 0) / length : 0;
    for (int i = 0; i < p->n; i++) {
        double from = p->point[leg * p->n + i], to = p->point[next * p->n + i];
        target[i] = from + share * (to - from);
    }
}
