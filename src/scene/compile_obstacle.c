// Obstacles: shapes, meshes, and how they move.
#include "base/vec.h"
#include "scene/compile.h"
#include "scene/obstacle_kind.h"

#include <string.h>

static lithe_status compile_shape(const compiler *c, const lithe_obstacle_def *d, contact_shape *s,
                                  contact_frame *at)
{
    const obstacle_kind *kind = &obstacle_kinds[d->kind];
    *s = (contact_shape){.kind = kind->shape, .radius = d->radius};
    *at = (contact_frame){.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(at->at, d->at, sizeof at->at);
    if (kind->round && !(d->radius > 0))
        return compile_fail(c, d->location, "obstacle '%s' needs a radius above 0", d->name);
    return kind->compile ? kind->compile(c, d, s, at) : LITHE_OK;
}

// The triangles of an obstacle's mesh: its boundary if it has volumes, its surface otherwise.
static lithe_status find_triangles(compiler *c, const lithe_obstacle_def *d, const mesh *from,
                                   int *ntri, const int **tri)
{
    *ntri = from->ntri;
    *tri = from->tri;
    if (from->ntet > 0) {
        mesh_boundary boundary;
        LITHE_TRY(mesh_find_boundary(from, from->x, &c->scratch, &boundary, c->report));
        *ntri = boundary.ntri;
        *tri = boundary.tri;
    }
    if (*ntri == 0)
        return compile_fail(c, d->location,
                            "obstacle '%s': its mesh has no triangles and no tetrahedra", d->name);
    return LITHE_OK;
}

// Normals out of the solid. A closed surface has an inside, however the file orders their corners;
// the triangles of an open one are as the file has them.
static lithe_status build_mesh(compiler *c, int o, const mesh *from, contact_surface *out,
                               check_source *solid)
{
    const lithe_obstacle_def *d = &c->def->obstacle[o];
    int ntri = 0, edge[2];
    const int *tri = NULL;
    bool closed = false;
    LITHE_TRY(find_triangles(c, d, from, &ntri, &tri));
    double *x = arena_new(&c->scratch, 3 * (size_t)from->nnode, double);
    int *flipped = arena_new(&c->scratch, 3 * (size_t)ntri, int);
    if (!x || !flipped || surface_is_closed(ntri, tri, &closed, edge) != LITHE_OK)
        return compile_no_memory(c);
    for (int i = 0; i < 3 * from->nnode; i++)
        x[i] = d->mesh_unit * from->x[i];
    bool flip = (closed && surface_volume(ntri, tri, x) < 0) != d->hollow;
    for (int i = 0; i < 3 * ntri; i++)
        flipped[i] = tri[flip && i % 3 > 0 ? i + (i % 3 == 1 ? 1 : -1) : i];
    surface_source source = {
        .nnode = from->nnode, .x = x, .node_adr = -1, .frame = o, .ntri = ntri, .tri = flipped};
    if (contact_surface_build(out, &source, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    check_source whole = {
        .nvertex = from->nnode, .rest = x, .frame = o, .ntri = ntri, .tri = flipped};
    return compile_solid(c, &whole, solid);
}

lithe_status compile_obstacle_mesh(compiler *c, int o, contact_surface *out, check_source *solid)
{
    const lithe_obstacle_def *d = &c->def->obstacle[o];
    if (!(d->mesh_unit > 0) || !isfinite(d->mesh_unit))
        return compile_fail(c, d->location,
                            "obstacle '%s': one unit of its mesh is %g m; it must be above 0",
                            d->name, d->mesh_unit);
    if (d->mesh)
        return build_mesh(c, o, d->mesh, out, solid);
    lithe_mesh *from = NULL;
    if (!d->mesh_file)
        return compile_fail(c, d->location, "obstacle '%s' has no mesh", d->name);
    lithe_status status = compile_read_mesh(c, d->location, d->mesh_file, &from);
    if (status == LITHE_OK)
        status = build_mesh(c, o, from, out, solid);
    lithe_mesh_free(from);
    return status;
}

lithe_status compile_path(compiler *c, const path_source *from, contact_path *path)
{
    path->n = from->n;
    path->time = arena_new(&c->model->memory, (size_t)from->n + 1, double);
    path->way = arena_new(&c->model->memory, 6 * (size_t)from->n + 1, double);
    if (!path->time || !path->way)
        return compile_no_memory(c);
    for (int i = 0; i < from->n; i++) {
        double before = i > 0 ? from->time[i - 1] : 0;
        path->time[i] = from->time[i];
        memcpy(&path->way[6 * i], &from->way[6 * i], 6 * sizeof *path->way);
        bool finite = isfinite(path->time[i]);
        for (int k = 0; k < 6; k++)
            finite = finite && isfinite(path->way[6 * i + k]);
        if (!finite || path->time[i] < before)
            return compile_fail(c, from->location,
                                "'%s': its waypoints must be finite numbers, and their times must "
                                "not fall",
                                from->name);
    }
    return LITHE_OK;
}

lithe_status compile_obstacle(compiler *c, int o, contact_shape *shape)
{
    const lithe_obstacle_def *d = &c->def->obstacle[o];
    model_contact *t = &c->model->contact;
    if (!d->name || !d->name[0])
        return compile_fail(c, d->location, "an obstacle has no name");
    LITHE_TRY(compile_shape(c, d, shape, &t->pose[o]));
    if (!(t->shape_name[o] = arena_strdup(&c->model->memory, d->name)))
        return compile_no_memory(c);
    return compile_path(
        c, &(path_source){d->name, d->location, d->nwaypoint, d->waypoint_time, d->waypoint},
        &t->path[o]);
}
