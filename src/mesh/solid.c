// Meshes of bodies whose definition has one to read or to make.
#include "base/quote.h"
#include "lithe/mesh.h"
#include "mesh/block.h"
#include "mesh/skeleton.h"

#include <math.h>

static lithe_status cut_hexes(lithe_mesh *m)
{
    mesh_cells *hexes = &m->other[MESH_HEX8];
    m->tet = arena_new(&m->memory, 24 * (size_t)hexes->n, int);
    if (!m->tet)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < hexes->n; i++)
        skeleton_cut_hex(&hexes->node[8 * (size_t)i], &m->tet[24 * (size_t)i]);
    m->ntet = 6 * hexes->n;
    hexes->n = 0;
    return LITHE_OK;
}

static lithe_status check_sizes(const lithe_body_def *d, lithe_report *report)
{
    static const int nsize[] = {
        [LITHE_SOLID_BOX] = 3, [LITHE_SOLID_BALL] = 1, [LITHE_SOLID_CYLINDER] = 2};
    int solid = (int)d->solid;
    bool known = solid > LITHE_SOLID_NONE && solid <= LITHE_SOLID_CYLINDER;
    bool good = known && d->cell >= 0 && isfinite(d->cell) && d->mesh_unit > 0;
    for (int i = 0; known && i < nsize[solid]; i++)
        good = good && d->size[i] > 0 && isfinite(d->size[i]);
    return good ? LITHE_OK
                : LITHE_FAIL(report, LITHE_INVALID,
                             "body '%s' is a solid whose sizes are not all lengths above 0: box "
                             "has three, ball a radius, cylinder a radius and a length",
                             QUOTE(d->name));
}

static lithe_status check_cells(const lithe_body_def *d, double ncell, double edge,
                                lithe_report *report)
{
    if (ncell <= MESH_CELLS_MAX)
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "body '%s' would have %.3g cells of %.4g m, and %d are the most: give it a "
                      "larger cell, and check units",
                      QUOTE(d->name), ncell, edge, MESH_CELLS_MAX);
}

// Sizes are in metres, and meshes in their unit.
static lithe_status make_block(const lithe_body_def *d, lithe_mesh **out, lithe_report *report)
{
    LITHE_TRY(check_sizes(d, report));
    double edge = d->cell > 0 ? d->cell : block_edge(d->solid, d->size);
    LITHE_TRY(check_cells(d, block_cells(d->solid, d->size, edge), edge, report));
    if (block_create(d->solid, d->size, edge, out) != LITHE_OK)
        return report_no_memory(report, "the cells of a body");
    for (int i = 0; i < 3 * (*out)->nnode; i++)
        (*out)->x[i] /= d->mesh_unit;
    return LITHE_OK;
}

lithe_status lithe_body_mesh(const lithe_body_def *d, lithe_mesh **out, lithe_report *report)
{
    *out = NULL;
    if (d->solid == LITHE_SOLID_NONE)
        return d->mesh_file ? lithe_mesh_read(d->mesh_file, out, report) : LITHE_OK;
    LITHE_TRY(make_block(d, out, report));
    if (d->element != LITHE_TET10 || cut_hexes(*out) == LITHE_OK)
        return LITHE_OK;
    lithe_mesh_free(*out);
    *out = NULL;
    return report_no_memory(report, "the tetrahedra of a body");
}
