// Surfaces that outsiders see, as triangles: the boundary of every body and those that it names;
// and those that the check of overlaps sees.
#include "mesh/select.h"
#include "scene/compile.h"

#include <string.h>

// pick: of the body's boundary; NULL: all of it.
static lithe_status add(compiler *c, int body_id, const char *name, int n, const int *pick)
{
    lithe_model *m = c->model;
    const mesh_boundary *boundary = &c->body[body_id].boundary;
    int *tri = arena_new(&m->memory, 3 * (size_t)n, int);
    const char *copy = arena_strdup(&m->memory, name);
    if (!tri || !copy)
        return compile_no_memory(c);
    for (int i = 0; i < 3 * n; i++)
        tri[i] = m->body[body_id].position_adr + boundary->tri[pick ? 3 * pick[i / 3] + i % 3 : i];
    m->surface[m->nsurface++] =
        (lithe_surface_info){.name = copy, .body = body_id, .ntri = n, .tri = tri};
    return LITHE_OK;
}

// A name that selects nothing is no fault as long as nobody needs it.
static lithe_status add_named(compiler *c, int body_id, const lithe_surface_def *d)
{
    const compile_body *part = &c->body[body_id];
    int *pick = arena_new(&c->scratch, part->boundary.ntri, int);
    if (!pick)
        return compile_no_memory(c);
    int n = select_triangles(part->mesh, &part->boundary, part->X, &d->where, pick);
    return add(c, body_id, d->name, n > 0 ? n : 0, pick);
}

lithe_status compile_surfaces(compiler *c)
{
    lithe_model *m = c->model;
    int most = 0;
    for (int k = 0; k < m->nbody; k++)
        most += 1 + c->def->body[k].nsurface;
    m->surface = arena_new(&m->memory, most, lithe_surface_info);
    if (!m->surface)
        return compile_no_memory(c);
    for (int k = 0; k < m->nbody; k++) {
        const lithe_body_def *d = &c->def->body[k];
        if (c->body[k].boundary.ntri > 0)
            LITHE_TRY(add(c, k, "", c->body[k].boundary.ntri, NULL));
        for (int i = 0; i < d->nsurface; i++)
            LITHE_TRY(add_named(c, k, &d->surface[i]));
    }
    return LITHE_OK;
}

// What a surface is in truth, for the check that knows nothing of contacts: nodes and triangles.
lithe_status compile_solid(compiler *c, const check_source *from, check_source *out)
{
    arena *a = &c->model->memory;
    size_t n = (size_t)from->nvertex;
    int *node = arena_new(a, n + 1, int), *tri = arena_new(a, 3 * (size_t)from->ntri + 1, int),
        *segment = arena_new(a, 2 * (size_t)from->nsegment + 1, int),
        *number = arena_new(&c->scratch, n + 1, int);
    double *rest = arena_new(a, 3 * n + 1, double), *radius = arena_new(a, n + 1, double);
    if (!node || !tri || !segment || !number || !rest || !radius)
        return compile_no_memory(c);
    *out = *from;
    out->nvertex = 0;
    for (int pass = 0; pass < 2; pass++) {
        int count = pass ? 2 * from->nsegment : 3 * from->ntri;
        for (int i = 0; i < count; i++) {
            int v = pass ? from->segment[i] : from->tri[i];
            if (number[v] == 0) {
                int k = out->nvertex++;
                number[v] = k + 1;
                node[k] = from->frame >= 0 ? -1 : from->node[0] + v;
                memcpy(&rest[3 * k], &from->rest[3 * v], 3 * sizeof *rest);
                radius[k] = from->radius ? from->radius[v] : 0;
            }
            (pass ? segment : tri)[i] = number[v] - 1;
        }
    }
    out->node = node;
    out->rest = rest;
    out->radius = radius;
    out->tri = tri;
    out->segment = segment;
    return LITHE_OK;
}
