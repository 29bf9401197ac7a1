// Rows that are numbers of the model: a slider's travel, the logarithm of a modulus.
#include "base/vec.h"
#include "row/row.h"

void row_scale_moduli(const row *r, double number, const int *material, const double *modulus,
                      double *const *stiffness)
{
    double *of = stiffness[r->region.body];
    for (int i = 0; i < r->region.n; i++)
        of[r->region.member[i]] = exp(number) * modulus[material[r->region.member[i]]];
}

int row_nsupport(const row *r)
{
    return row_drives_support(r) ? r->region.n : 0;
}

int row_support(const row *r, const body *bodies, int i, const double **axis)
{
    *axis = r->region.axis;
    return bodies[r->region.body].node_adr + r->region.member[i];
}

// What a slider moves are coordinates themselves.
void row_slide(const row *r, const body *bodies, double travel, double *motion)
{
    const body *b = &bodies[r->region.body];
    for (int i = 0; i < row_nsupport(r); i++)
        vec_axpy(motion + b->q_adr + 3 * (size_t)body_triple(b, r->region.member[i]), travel,
                 r->region.axis);
}

void row_slide_nodes(const row *r, const body *bodies, double travel, double *way)
{
    const double *axis;
    for (int i = 0; i < row_nsupport(r); i++) {
        int node = row_support(r, bodies, i, &axis);
        vec_axpy(&way[3 * (size_t)node], travel, axis);
    }
}

int row_region_body(const row *r)
{
    return r->region.body;
}

void row_region_force(const row *r, const body *b, const body_work *work, double *force)
{
    if (row_scales_modulus(r))
        body_region_force(b, work, r->region.n, r->region.member, force);
}
