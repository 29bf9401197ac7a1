#include "body/body_near.h"

#include <string.h>

lithe_status body_near_create(const body *b, arena *memory, body_near *out)
{
    const space_size size = {.max_rhs = 1, .threads = 1};
    memset(out, 0, sizeof *out);
    out->x = arena_new(memory, 3 * (size_t)b->nnode, double);
    out->J = arena_new(memory, b->nJ, double);
    out->momentum = arena_new(memory, 3 * (size_t)b->nnode, double);
    out->line = arena_new(memory, b->nline, double);
    if (!out->x || !out->J || !out->momentum || !out->line)
        return LITHE_NO_MEMORY;
    LITHE_TRY(b->space->create_nodal(b, memory, &out->tangent));
    return b->space->create(b, &size, memory, &out->tangent);
}

bool body_nearest(const body *b, body_near *near, const double *q, const double *way, double *dq)
{
    space_tangent *t = &near->tangent;
    b->space->positions(b, q, near->x);
    b->space->jacobian(b, q, near->J);
    body_clear(b, t->K);
    body_add_mass(b, near->x, 1, t->K);
    b->space->assemble(b, q, near->J, NULL, t);
    space_report report = b->space->factor(b, t, NULL, NULL);
    if (report.negative > 0 || report.singular)
        return false;
    memset(near->momentum, 0, 3 * (size_t)b->nnode * sizeof *near->momentum);
    body_mass_times(b, near->x, 1, way, near->momentum);
    b->space->gather(b, near->J, near->momentum, 1, near->line);
    b->space->forward(b, t, 1, 0, NULL, near->line);
    b->space->backward(b, t, 1, near->line);
    b->space->spread(b, near->J, near->line, dq);
    return true;
}
