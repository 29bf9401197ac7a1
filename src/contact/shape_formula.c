// Formulas that several shapes have in common.
#include "base/vec.h"
#include "contact/shape_traits.h"

double shape_clamp(double v, double limit)
{
    return v > limit ? limit : v < -limit ? -limit : v;
}

void shape_add_dyad(double D[9], double weight, const double t[3])
{
    for (int i = 0; i < 9; i++)
        D[i] += weight * t[i / 3] * t[i % 3];
}

double shape_round_distance(const double q[3], const double core[3], double radius, double n[3])
{
    vec_sub(n, q, core);
    double d = vec_norm(n);
    for (int i = 0; i < 3; i++)
        n[i] = d > 0 ? n[i] / d : i == 0;
    return d - radius;
}

// (P - n n') / distance, where P projects onto the axes along which q stands off its nearest point.
void shape_round_hessian(const double off[3], const bool free[3], double D[9])
{
    double distance = vec_norm(off);
    for (int i = 0; i < 3 && distance > 0; i++)
        D[4 * i] += free[i] ? 1 / distance : 0;
    if (distance > 0)
        shape_add_dyad(D, -1 / (distance * distance * distance), off);
}

double shape_block_distance(const double q[3], const double half[3], double n[3])
{
    double outside[3], deepest = -INFINITY;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        double over = fabs(q[i]) - half[i];
        outside[i] = q[i] - shape_clamp(q[i], half[i]);
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

void shape_axis_hessian(const double q[3], double weight, double D[9])
{
    double r = hypot(q[0], q[1]), t[3] = {-q[1] / r, q[0] / r, 0};
    if (r > 0)
        shape_add_dyad(D, weight / r, t);
}

void shape_revolve(const double q[3], double r, double nr, double nz, double n[3])
{
    n[0] = r > 0 ? nr * q[0] / r : nr;
    n[1] = r > 0 ? nr * q[1] / r : 0;
    n[2] = nz;
}

void shape_rim_skin(const contact_shape *s, int nrim, shape_skin *out)
{
    out->nvertex = nrim * SHAPE_RIM;
    for (int i = 0; i < out->nvertex; i++) {
        double angle =
            2 * M_PI * (i / nrim) / SHAPE_RIM; // NOLINT(bugprone-integer-division): point i / nrim
        out->x[3 * i] = s->radius * cos(angle);
        out->x[3 * i + 1] = s->radius * sin(angle);
        out->x[3 * i + 2] = (i % nrim ? 1 : -1) * s->half[2];
    }
}
