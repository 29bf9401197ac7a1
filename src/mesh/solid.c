// Meshes of bodies whose definition has one to read or to make.
#include "base/quote.h"
#include "lithe/mesh.h"
#include "mesh/block.h"
#include "mesh/fill.h"
#include "mesh/skeleton.h"
#include "mesh/surface.h"

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

// ## a surface that is filled with a grid

static lithe_status fail_open(const lithe_body_def *d, const lithe_mesh *m, const int edge[2],
                              lithe_report *report)
{
    const double *a = &m->x[3 * (size_t)edge[0]], *b = &m->x[3 * (size_t)edge[1]];
    return LITHE_FAIL(report, LITHE_INVALID,
                      "body '%s' cannot be filled: '%s' is not closed: the edge from (%g, %g, %g) "
                      "to (%g, %g, %g) does not lie between two facets that agree about what is "
                      "outside; close and mend the surface first",
                      QUOTE(d->name), d->mesh_file, a[0], a[1], a[2], b[0], b[1], b[2]);
}

static lithe_status check_surface(const lithe_body_def *d, const lithe_mesh *m,
                                  lithe_report *report)
{
    bool closed = false;
    int edge[2];
    if (!(d->cell > 0) || !isfinite(d->cell) || !(d->mesh_unit > 0))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "body '%s': its cell is %g m; it must be a length above 0",
                          QUOTE(d->name), d->cell);
    if (m->ntet > 0 || mesh_find_other(m) != MESH_NKIND)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "body '%s': '%s' has volumes, and a cell is for surfaces that are filled "
                          "here; leave it out",
                          QUOTE(d->name), d->mesh_file);
    if (surface_is_closed(m->ntri, m->tri, &closed, edge) != LITHE_OK)
        return report_no_memory(report, "the surface of a body");
    return closed ? LITHE_OK : fail_open(d, m, edge, report);
}

// What steps in place of a surface leave of it.
static lithe_status judge(const lithe_body_def *d, const lithe_mesh *surface, const fill_grid *g,
                          const lithe_mesh *m, int ndropped, lithe_report *report)
{
    const double much = 0.05; // of the volume
    double each = g->cell[0] * g->cell[1] * g->cell[2];
    double volume = fabs(surface_volume(surface->ntri, surface->tri, surface->x));
    double off = each * m->other[MESH_HEX8].n / volume - 1;
    if (m->other[MESH_HEX8].n == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "body '%s': no cell of %.4g m has its centre inside '%s'; give it a "
                          "smaller cell, and check units",
                          QUOTE(d->name), d->cell, d->mesh_file);
    if (ndropped > 0)
        report_notice(report,
                      "body '%s': %d cells that would hang on the others by an edge or a corner "
                      "alone are left out; a smaller cell follows thin parts",
                      QUOTE(d->name), ndropped);
    if (fabs(off) > much)
        report_notice(report,
                      "body '%s': its cells have %.0f %% %s volume than the surface; a smaller "
                      "cell follows it better",
                      QUOTE(d->name), 100 * fabs(off), off < 0 ? "less" : "more");
    return LITHE_OK;
}

static lithe_status fill_surface(const lithe_body_def *d, const lithe_mesh *surface,
                                 lithe_mesh **out, lithe_report *report)
{
    int ndropped = 0;
    LITHE_TRY(check_surface(d, surface, report));
    fill_grid g = fill_span(surface, d->cell / d->mesh_unit);
    LITHE_TRY(check_cells(d, (double)g.n[0] * g.n[1] * g.n[2], d->cell, report));
    if (fill_create(surface, &g, out, &ndropped) != LITHE_OK)
        return report_no_memory(report, "the cells of a body");
    return judge(d, surface, &g, *out, ndropped, report);
}

static lithe_status make_grid(const lithe_body_def *d, lithe_mesh **out, lithe_report *report)
{
    lithe_mesh *surface = NULL;
    LITHE_TRY(lithe_mesh_read(d->mesh_file, &surface, report));
    lithe_status status = fill_surface(d, surface, out, report);
    lithe_mesh_free(surface);
    return status;
}

lithe_status lithe_body_mesh(const lithe_body_def *d, lithe_mesh **out, lithe_report *report)
{
    bool solid = d->solid != LITHE_SOLID_NONE;
    *out = NULL;
    if (!solid && d->cell == 0)
        return d->mesh_file ? lithe_mesh_read(d->mesh_file, out, report) : LITHE_OK;
    if (!solid && !d->mesh_file)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "body '%s' has a cell, and neither a solid nor a mesh file to fill",
                          QUOTE(d->name));
    lithe_status status = solid ? make_block(d, out, report) : make_grid(d, out, report);
    if (status == LITHE_OK && d->element == LITHE_TET10 && cut_hexes(*out) != LITHE_OK)
        status = report_no_memory(report, "the tetrahedra of a body");
    if (status == LITHE_OK)
        return LITHE_OK;
    lithe_mesh_free(*out);
    *out = NULL;
    return status;
}
