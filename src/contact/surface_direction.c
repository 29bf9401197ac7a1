#include "contact/surface_direction.h"

#include "base/vec.h"
#include "contact/tolerances.h"

#include <math.h>
#include <string.h>

void surface_direction_at(const surface_direction *d, const double *x, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < SURFACE_POINTS; i++)
        vec_axpy(out, d->weight[i], &x[3 * (size_t)d->vertex[i]]);
}

bool surface_direction_in(const double normal[3], double direction[3])
{
    double whole = vec_norm(direction);
    vec_axpy(direction, -vec_dot(direction, normal), normal);
    double length = vec_norm(direction);
    if (!(length > SURFACE_STANDS * whole))
        return false;
    vec_scale(direction, 1 / length);
    return true;
}

// direction = p (x1 - x0) + q (x2 - x0) and what is left across the triangle. Returns how much of
// it lies in the triangle, squared.
static double lay_into(const contact_surface *s, int t, const double direction[3],
                       surface_direction *out)
{
    const int *v = &s->tri[3 * t];
    double a[3], b[3], in[3];
    vec_sub(a, &s->rest[3 * v[1]], &s->rest[3 * v[0]]);
    vec_sub(b, &s->rest[3 * v[2]], &s->rest[3 * v[0]]);
    double aa = vec_dot(a, a), ab = vec_dot(a, b), bb = vec_dot(b, b), det = aa * bb - ab * ab;
    if (!(det > 0))
        return 0;
    double da = vec_dot(direction, a), db = vec_dot(direction, b);
    double p = (bb * da - ab * db) / det, q = (aa * db - ab * da) / det;
    *out = (surface_direction){{v[0], v[1], v[2], v[0]}, {-p - q, p, q, 0}};
    surface_direction_at(out, s->rest, in);
    return vec_dot(in, in);
}

static void roll_along(const contact_surface *s, const double direction[3], surface_direction *out)
{
    int first = s->nvertex - SURFACE_POINTS;
    for (int i = 0; i < SURFACE_POINTS; i++)
        out->vertex[i] = first + i;
    contact_surface_roll(&s->rest[3 * first], direction, out->weight);
}

lithe_status surface_direction_build(const contact_surface *s, const double direction[3],
                                     arena *memory, surface_direction **out, int *bad)
{
    surface_direction *d = *out = arena_new(memory, (size_t)s->nvertex + 1, surface_direction);
    double *best = arena_new(memory, (size_t)s->nvertex + 1, double);
    *bad = -1;
    if (!d || !best)
        return LITHE_NO_MEMORY;
    for (int v = 0; v < s->nvertex && s->rolls; v++)
        roll_along(s, direction, &d[v]);
    for (int t = 0; t < s->ntri; t++)
        for (int i = 0; i < 3; i++) {
            int v = s->tri[3 * t + i];
            surface_direction found;
            double share = lay_into(s, t, direction, &found);
            if (share > best[v]) {
                best[v] = share;
                d[v] = found;
            }
        }
    for (int v = 0; v < s->nvertex && !s->rolls && *bad < 0; v++)
        if (!(best[v] > SURFACE_LIES_IN * SURFACE_LIES_IN * vec_dot(direction, direction)))
            *bad = v;
    return LITHE_OK;
}
