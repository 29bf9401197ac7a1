// Inertia of a body: its masses are lumped in its nodes.
#include "base/vec.h"
#include "body/body.h"

void body_mass_times(const body *b, double factor, const double *v, double *force)
{
    for (int i = 0; i < b->nnode; i++)
        vec_axpy(&force[3 * i], factor * b->mass[i], &v[3 * i]);
}

void body_add_mass(const body *b, double factor, double *blocks)
{
    for (int i = 0; i < b->nrow; i++)
        for (int axis = 0; axis < 3; axis++)
            blocks[9 * (size_t)b->pattern.col_adr[i] + (size_t)(4 * axis)] +=
                factor * b->mass[b->block_node[i]];
}
