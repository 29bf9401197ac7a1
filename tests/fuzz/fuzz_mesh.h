// What every mesh target does: reads the bytes, and uses the mesh if they are one.
#ifndef TESTS_FUZZ_MESH_H
#define TESTS_FUZZ_MESH_H

#include "mesh/care.h"
#include "mesh/embed.h"
#include "mesh/fill.h"
#include "mesh/read.h"
#include "mesh/select.h"
#include "mesh/surface.h"

#include <stdint.h>

static inline void use_cells(const mesh_skeleton *cells, const double *x, lithe_report *report)
{
    const mesh *m = cells->mesh;
    arena memory = {0};
    mesh_boundary boundary;
    mesh_point point;
    mesh_care care;
    lithe_selection box = {.kind = LITHE_BOX, .b = {1, 1, 1}};
    if (mesh_find_boundary(m, x, &memory, &boundary, report) == LITHE_OK) {
        int *out = arena_new(&memory, boundary.ntri + m->nnode + m->ntet + cells->ncell, int);
        select_triangles(m, &boundary, x, &box, out);
        select_nodes(m, x, &box, out);
        for (int g = 0; g < m->ngroup; g++) {
            lithe_selection group = {.kind = LITHE_GROUP, .group = m->group[g].name};
            select_nodes(m, x, &group, out);
            select_triangles(m, &boundary, x, &group, out);
            select_cells(cells, x, &group, out);
        }
        if (cells->ncell)
            mesh_examine(cells, x, &boundary, &memory, &care);
        surface_encloses(boundary.ntri, boundary.tri, x, box.b);
    }
    if (m->ntet)
        embed_point(m, x, box.b, &point);
    arena_free(&memory);
}

// A closed surface is filled with cells of about a fifth of its size along x.
static inline void use_surface(const mesh *m)
{
    bool closed = false;
    int edge[2], ndropped;
    lithe_mesh *cells = NULL;
    if (surface_is_closed(m->ntri, m->tri, &closed, edge) != LITHE_OK || !closed || m->ntri == 0)
        return;
    fill_grid g = fill_span(m, 1);
    g = fill_span(m, g.cell[0] * g.n[0] / 5);
    if ((double)g.n[0] * g.n[1] * g.n[2] > 1000 ||
        fill_create(m, &g, &cells, &ndropped) != LITHE_OK)
        return;
    mesh_skeleton skeleton;
    lithe_report report = lithe_report_default();
    if (skeleton_create(cells, SKELETON_AS_IT_IS, &skeleton) == LITHE_OK) {
        use_cells(&skeleton, cells->x, &report);
        skeleton_free(&skeleton);
    }
    lithe_mesh_free(cells);
}

static inline void use_mesh(const mesh *m, lithe_report *report)
{
    mesh_skeleton cells;
    if (skeleton_create(m, SKELETON_AS_IT_IS, &cells) != LITHE_OK)
        return;
    use_cells(&cells, m->x, report);
    skeleton_free(&cells);
}

static inline int fuzz_mesh(const uint8_t *data, size_t size,
                            lithe_status (*read)(const mesh_source *, mesh *, lithe_report *))
{
    mesh m = {0};
    lithe_report report = lithe_report_default();
    mesh_source source = {"fuzz", (const char *)data, size};
    if (read(&source, &m, &report) == LITHE_OK) {
        use_mesh(&m, &report);
        use_surface(&m);
    }
    arena_free(&m.memory);
    return 0;
}

#endif
