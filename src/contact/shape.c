#include "contact/shape.h"

#include "base/vec.h"
#include "contact/cone.h"

#include <stdbool.h>
#include <string.h>

static void into_frame(const contact_frame *at, const double p[3], double q[3])
{
    double d[3];
    vec_sub(d, p, at->at);
    for (int i = 0; i < 3; i++)
        q[i] = at->R[i] * d[0] + at->R[3 + i] * d[1] + at->R[6 + i] * d[2];
}

static double clamp(double v, double limit)
{
    return v > limit ? limit : v < -limit ? -limit : v;
}

// Distance from the core point `core`, less the radius about it; straight up where they coincide.
static double round_distance(const double q[3], const double core[3], double radius, double n[3])
{
    vec_sub(n, q, core);
    double d = vec_norm(n);
    for (int i = 0; i < 3; i++)
        n[i] = d > 0 ? n[i] / d : i == 0;
    return d - radius;
}

static double box_distance(const double q[3], const double half[3], double n[3])
{
    double outside[3], deepest = -INFINITY;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        double over = fabs(q[i]) - half[i];
        outside[i] = q[i] - clamp(q[i], half[i]);
        if (over > deepest) {
            deepest = over;
            axis = i;
        }
    }
    double d = vec_norm(outside);
    for (int i = 0; i < 3; i++)
        n[i] = d > 0 ? outside[i] / d : i == axis ? copysign(1, q[i]) : 0;
    return d > 0 ? d : deepest;
}

// A box in the half-plane (distance from the axis, z).
static double cylinder_distance(const double q[3], double radius, double half, double n[3])
{
    double r = hypot(q[0], q[1]);
    double flat[3] = {r, 0, q[2]}, limit[3] = {radius, INFINITY, half}, m[3];
    double d = box_distance(flat, limit, m);
    n[0] = r > 0 ? m[0] * q[0] / r : m[0];
    n[1] = r > 0 ? m[0] * q[1] / r : 0;
    n[2] = m[2];
    return d;
}

static double cone_distance(const contact_shape *s, const double q[3], double n[3])
{
    meridian m;
    double r = hypot(q[0], q[1]);
    cone_meridian(s, r, q[2], &m);
    n[0] = r > 0 ? m.nr * q[0] / r : m.nr;
    n[1] = r > 0 ? m.nr * q[1] / r : 0;
    n[2] = m.nz;
    return m.phi;
}

static double pipe_distance(const double q[3], double radius, double n[3])
{
    double r = hypot(q[0], q[1]);
    n[0] = r > 0 ? -q[0] / r : -1;
    n[1] = r > 0 ? -q[1] / r : 0;
    n[2] = 0;
    return radius - r;
}

double shape_distance(const contact_shape *s, const contact_frame *at, const double p[3],
                      double normal[3])
{
    double q[3], n[3] = {0, 0, 1}, d = 0;
    into_frame(at, p, q);
    double core[3] = {0, 0, s->kind == SHAPE_CAPSULE ? clamp(q[2], s->half[2]) : 0};
    switch (s->kind) {
    case SHAPE_PLANE: d = q[2]; break;
    case SHAPE_SPHERE:
    case SHAPE_CAPSULE: d = round_distance(q, core, s->radius, n); break;
    case SHAPE_BOX: d = box_distance(q, s->half, n); break;
    case SHAPE_CYLINDER: d = cylinder_distance(q, s->radius, s->half[2], n); break;
    case SHAPE_CONE: d = cone_distance(s, q, n); break;
    case SHAPE_PIPE: d = pipe_distance(q, s->radius, n); break;
    case SHAPE_MESH: break;
    }
    mat_apply(normal, at->R, n);
    return d;
}

// D += weight t t'
static void add_dyad(double D[9], double weight, const double t[3])
{
    for (int i = 0; i < 9; i++)
        D[i] += weight * t[i / 3] * t[i % 3];
}

// (P - n n') / distance, where P projects onto the axes along which q stands off its nearest point.
static void round_hessian(const double off[3], const bool free[3], double D[9])
{
    double distance = vec_norm(off);
    for (int i = 0; i < 3 && distance > 0; i++)
        D[4 * i] += free[i] ? 1 / distance : 0;
    if (distance > 0)
        add_dyad(D, -1 / (distance * distance * distance), off);
}

// Of the distance from the axis, d(r): t t' / r.
static void axis_hessian(const double q[3], double weight, double D[9])
{
    double r = hypot(q[0], q[1]), t[3] = {-q[1] / r, q[0] / r, 0};
    if (r > 0)
        add_dyad(D, weight / r, t);
}

static void cylinder_hessian(const double q[3], double radius, double half, double D[9])
{
    double r = hypot(q[0], q[1]), n[3];
    double flat[3] = {r, 0, q[2]}, limit[3] = {radius, INFINITY, half};
    double d = box_distance(flat, limit, n);
    axis_hessian(q, n[0], D);
    if (r > radius && fabs(q[2]) > half) { // about the edge, in the half-plane
        double t[3] = {-n[2] * q[0] / r, -n[2] * q[1] / r, n[0]};
        add_dyad(D, 1 / d, t);
    }
}

static void cone_hessian(const contact_shape *s, const double q[3], double D[9])
{
    meridian m;
    double r = hypot(q[0], q[1]), cosine = r > 0 ? q[0] / r : 1, sine = r > 0 ? q[1] / r : 0;
    cone_meridian(s, r, q[2], &m);
    add_dyad(D, m.k_along, (double[]){-m.nz * cosine, -m.nz * sine, m.nr});
    add_dyad(D, m.k_around, (double[]){-sine, cosine, 0});
}

static void own_hessian(const contact_shape *s, const double q[3], double D[9])
{
    double off[3];
    bool free[3] = {true, true, true};
    memcpy(off, q, sizeof off);
    switch (s->kind) {
    case SHAPE_PLANE: break;
    case SHAPE_SPHERE: round_hessian(off, free, D); break;
    case SHAPE_CAPSULE:
        off[2] -= clamp(q[2], s->half[2]);
        free[2] = off[2] != 0;
        round_hessian(off, free, D);
        break;
    case SHAPE_BOX:
        for (int i = 0; i < 3; i++) {
            off[i] -= clamp(q[i], s->half[i]);
            free[i] = off[i] != 0;
        }
        round_hessian(off, free, D);
        break;
    case SHAPE_CYLINDER: cylinder_hessian(q, s->radius, s->half[2], D); break;
    case SHAPE_CONE: cone_hessian(s, q, D); break;
    case SHAPE_PIPE: axis_hessian(q, -1, D); break;
    case SHAPE_MESH: break;
    }
}

void shape_hessian(const contact_shape *s, const contact_frame *at, const double p[3], double D[9])
{
    double q[3], own[9] = {0}, RD[9];
    into_frame(at, p, q);
    own_hessian(s, q, own);
    mat_mul(RD, at->R, own);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            D[3 * i + j] = vec_dot(&RD[3 * i], &at->R[3 * j]);
}
