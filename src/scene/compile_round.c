// Rigid bodies in contact: their vertices ride on four of their nodes, and what is round stays
// round.
#include "scene/compile.h"

#include <string.h>

// What a rigid body is moved by is its inertia, or its weight over the barrier's reach.
double compile_rigid_stiffness(const compiler *c, int k)
{
    const body *b = &c->model->body[k];
    const double g = 9.81, dt = c->def->step.dt;
    double mass = b->weigh[c->body[k].rigid->centre], weight = mass * g / c->model->contact.reach;
    return c->def->dynamics.scheme == LITHE_STATIC ? weight : fmax(weight, mass / (dt * dt));
}

// Four more vertices, in no cell, tell how a surface that rolls is rotated.
static lithe_status add_telling(compiler *c, int k, contact_surface *s)
{
    arena *memory = &c->model->memory;
    size_t n = (size_t)s->nvertex + SURFACE_POINTS;
    double *rest = arena_new(memory, 3 * n, double), *radius = arena_new(memory, n, double);
    int *entry_adr = arena_new(memory, n + 1, int), *beside_adr = arena_new(memory, n + 1, int);
    if (!rest || !radius || !entry_adr || !beside_adr)
        return compile_no_memory(c);
    memcpy(rest, s->rest, 3 * (size_t)s->nvertex * sizeof *rest);
    memcpy(radius, s->radius, (size_t)s->nvertex * sizeof *radius);
    memcpy(&rest[3 * s->nvertex], &c->body[k].X[3 * (c->body[k].rigid->centre + 1)],
           3 * SURFACE_POINTS * sizeof *rest);
    for (size_t v = 0; v <= n; v++)
        beside_adr[v] = s->beside_adr[v < (size_t)s->nvertex ? v : (size_t)s->nvertex];
    s->rest = rest;
    s->radius = radius;
    s->entry_adr = entry_adr;
    s->beside_adr = beside_adr;
    s->nvertex = (int)n;
    s->rolls = true;
    return LITHE_OK;
}

// Vertices of a rigid body ride on its four points.
lithe_status compile_ride(compiler *c, int k, contact_surface *s)
{
    const compile_body *part = &c->body[k];
    int first = c->model->body[k].node_adr + part->rigid->centre + 1;
    s->entry = arena_new(&c->model->memory, RIGID_POINTS * (size_t)s->nvertex + 1, surface_entry);
    if (!s->entry)
        return compile_no_memory(c);
    for (int v = 0; v < s->nvertex; v++) {
        double weight[RIGID_POINTS];
        compile_rigid_weights(part, &s->rest[3 * v], weight);
        s->entry_adr[v + 1] = RIGID_POINTS * (v + 1);
        for (int i = 0; i < RIGID_POINTS; i++)
            s->entry[RIGID_POINTS * v + i] = (surface_entry){first + i, weight[i]};
    }
    return LITHE_OK;
}

// A ball is a thick point, a capsule a thick segment.
lithe_status compile_rigid_round(compiler *c, int k, contact_surface *out, check_source *solid)
{
    const compile_body *part = &c->body[k];
    int n = compile_rigid_nround(part), first = part->rigid->centre + RIGID_NODES,
        node[2] = {first, first + n - 1};
    double *radius = arena_new(&c->scratch, (size_t)part->nposition, double);
    if (!radius)
        return compile_no_memory(c);
    for (int i = 0; i < n; i++)
        radius[first + i] = part->def->size[0];
    surface_source source = {.nnode = part->nposition,
                             .x = part->X,
                             .node_adr = c->model->body[k].node_adr,
                             .stiff = true,
                             .nsegment = n - 1,
                             .segment = node,
                             .npoint = n == 1,
                             .point = node,
                             .radius = radius};
    if (contact_surface_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    LITHE_TRY(add_telling(c, k, out));
    LITHE_TRY(compile_ride(c, k, out));
    check_source round = {.nvertex = part->nposition,
                          .node = &source.node_adr,
                          .rest = part->X,
                          .radius = radius,
                          .frame = -1,
                          .nsegment = 1,
                          .segment = node};
    return compile_solid(c, &round, solid);
}
