#include "base/vec.h"
#include "contact/contact_surface.h"
#include "contact/distance.h"

#include <string.h>

static bool are_beside(const contact_surface *s, int u, int v)
{
    for (int i = s->beside_adr[u]; i < s->beside_adr[u + 1]; i++)
        if (s->beside[i] == v)
            return true;
    return false;
}

static bool joined(const contact_surface *s, const int *one, const int *other)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            if (are_beside(s, one[i], other[j]))
                return true;
    return false;
}

// Are two edges nearer along every axis than they are thick?
static bool boxes_meet(const double *const *x, double thick)
{
    for (int i = 0; i < 3; i++)
        if (fmin(x[0][i], x[1][i]) > fmax(x[2][i], x[3][i]) + thick ||
            fmin(x[2][i], x[3][i]) > fmax(x[0][i], x[1][i]) + thick)
            return false;
    return true;
}

// How deep one edge is in another; `at`: between their axes.
static double depth_of(const contact_surface *s, const int *one, const int *other, double at[3])
{
    const double *x[4] = {&s->rest[3 * one[0]], &s->rest[3 * one[1]], &s->rest[3 * other[0]],
                          &s->rest[3 * other[1]]};
    double most =
        fmax(s->radius[one[0]], s->radius[one[1]]) + fmax(s->radius[other[0]], s->radius[other[1]]);
    if (!boxes_meet(x, most) || joined(s, one, other))
        return 0;
    distance_form f;
    distance_find((distance_kind){2, 2}, x, &f);
    double thick = fabs(f.share[0]) * s->radius[one[0]] + fabs(f.share[1]) * s->radius[one[1]] +
                   fabs(f.share[2]) * s->radius[other[0]] + fabs(f.share[3]) * s->radius[other[1]];
    memset(at, 0, 3 * sizeof *at);
    for (int i = 0; i < 4; i++)
        vec_axpy(at, 0.5 * fabs(f.share[i]), x[i]);
    return thick - f.d;
}

double contact_surface_depth_at_rest(const contact_surface *s, double at[3])
{
    double deepest = 0, where[3];
    for (int i = 0; i < s->nedge; i++)
        for (int k = 0; k < i && s->ntri == 0; k++) {
            double depth = depth_of(s, &s->edge[4 * i], &s->edge[4 * k], where);
            if (depth > deepest) {
                deepest = depth;
                memcpy(at, where, sizeof where);
            }
        }
    return deepest;
}
