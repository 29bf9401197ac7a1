#include "mesh/grid.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_LABEL = 256, // distinct values of a cell array that still make groups
    MAX_NAME = 127,  // characters of its name
};

void grid_free(grid *g)
{
    build_free(&g->out);
    list_free(&g->offset);
    list_free(&g->node);
    list_free(&g->type);
    list_free(&g->span);
    list_free(&g->value);
}

static const unsigned char voxel_order[] = {0, 1, 3, 2, 4, 5, 7, 6}; // in rows, not around

// VTK's cell types, from vtkCellType.h.
static const build_shape shape_of_type[] = {
    [1] = {"vertices", 0, 1, true, BUILD_NONE, NULL, NULL},
    [2] = {"vertices", 0, 0, true, BUILD_NONE, NULL, NULL},
    [3] = {"lines", 1, 2, true, BUILD_NONE, NULL, NULL},
    [4] = {"lines", 1, 0, true, BUILD_NONE, NULL, NULL},
    [5] = {"triangles", 2, 3, true, BUILD_NONE, NULL, NULL},
    [6] = {"triangle strips", 2, 0, true, BUILD_NONE, NULL, NULL},
    [7] = {"polygons", 2, 0, true, BUILD_NONE, NULL, NULL},
    [8] = {"pixels", 2, 4, true, BUILD_NONE, NULL, NULL},
    [9] = {"quadrangles", 2, 4, true, BUILD_NONE, NULL, NULL},
    [10] = {"tetrahedra", 3, 4, true, BUILD_TET4, NULL, NULL},
    [11] = {"voxels", 3, 8, true, BUILD_KIND + MESH_HEX8, voxel_order, NULL},
    [12] = {"hexahedra", 3, 8, true, BUILD_KIND + MESH_HEX8, NULL, NULL},
    [13] = {"wedges", 3, 6, true, BUILD_KIND + MESH_WEDGE6, NULL, NULL},
    [14] = {"pyramids", 3, 5, true, BUILD_KIND + MESH_PYRAMID5, NULL, NULL},
    [15] = {"pentagonal prisms", 3, 10, true, BUILD_NONE, NULL, NULL},
    [16] = {"hexagonal prisms", 3, 12, true, BUILD_NONE, NULL, NULL},
    [21] = {"quadratic lines", 1, 3, false, BUILD_NONE, NULL, NULL},
    [22] = {"quadratic triangles", 2, 6, false, BUILD_NONE, NULL, &build_cut_tri6},
    [23] = {"quadratic quadrangles", 2, 8, false, BUILD_NONE, NULL, &build_cut_quad8},
    [24] = {"quadratic tetrahedra", 3, 10, false, BUILD_KIND + MESH_TET10, NULL, NULL},
    [25] = {"quadratic hexahedra", 3, 20, false, BUILD_KIND + MESH_HEX20, NULL, NULL},
    [26] = {"quadratic wedges", 3, 15, false, BUILD_NONE, NULL, NULL},
    [27] = {"quadratic pyramids", 3, 13, false, BUILD_NONE, NULL, NULL},
    [28] = {"quadratic quadrangles", 2, 9, false, BUILD_NONE, NULL, &build_cut_quad9},
    [29] = {"quadratic hexahedra", 3, 27, false, BUILD_NONE, NULL, NULL},
    [34] = {"quadratic triangles", 2, 7, false, BUILD_NONE, NULL, NULL},
    [35] = {"cubic lines", 1, 4, false, BUILD_NONE, NULL, NULL},
    [42] = {"polyhedra", 3, 0, false, BUILD_NONE, NULL, NULL},
    [68] = {"Lagrange lines", 1, 0, false, BUILD_NONE, NULL, NULL},
    [69] = {"Lagrange triangles", 2, 0, false, BUILD_NONE, NULL, NULL},
    [70] = {"Lagrange quadrangles", 2, 0, false, BUILD_NONE, NULL, NULL},
    [71] = {"Lagrange tetrahedra", 3, 0, false, BUILD_NONE, NULL, NULL},
    [72] = {"Lagrange hexahedra", 3, 0, false, BUILD_NONE, NULL, NULL},
};

enum { VTK_EMPTY = 0, VTK_STRIP = 6, VTK_PIXEL = 8 };

static const build_shape *find_shape(int type)
{
    int n = sizeof shape_of_type / sizeof *shape_of_type;
    return type > 0 && type < n && shape_of_type[type].plural ? &shape_of_type[type] : NULL;
}

static lithe_status fail_memory(const grid *g)
{
    return report_no_memory(g->in.report, g->in.path);
}

lithe_status grid_read_points(grid *g, scan *from, scan_type type, int64_t n)
{
    if (g->has_points)
        return scan_fail(from, "points are given twice; a file holds one mesh");
    g->has_points = true;
    LITHE_TRY(scan_check_count(from, "points", n, 3, 3 * scan_bytes(type)));
    LITHE_TRY(build_nodes(&g->out, n));
    for (int64_t i = 0; i < 3 * n; i++)
        LITHE_TRY(scan_real(from, type, "a coordinate", &g->out.m->x[i]));
    return LITHE_OK;
}

lithe_status grid_read_ints(grid *g, scan *from, scan_type type, const char *what, int64_t n,
                            list *to)
{
    LITHE_TRY(scan_check_count(from, what, n, 1, scan_bytes(type)));
    int64_t *value = list_add(to, (size_t)n * sizeof *value);
    if (!value)
        return fail_memory(g);
    for (int64_t i = 0; i < n; i++)
        LITHE_TRY(scan_int(from, type, what, &value[i]));
    return LITHE_OK;
}

// The nodes of a cell as the builder numbers them.
static lithe_status check_cell_nodes(const grid *g, int64_t cell, int *node)
{
    const int64_t *offset = list_at(&g->offset, int64_t) + cell;
    for (int64_t i = offset[0]; i < offset[1]; i++) {
        int64_t point = list_at(&g->node, int64_t)[i];
        if (point < 0 || point >= g->out.m->nnode)
            return scan_fail(&g->in,
                             "cell %lld (the first is 0) uses point %lld, but the points are 0 to "
                             "%d; write the file again",
                             (long long)cell, (long long)point, g->out.m->nnode - 1);
        node[i - offset[0]] = (int)point;
    }
    return LITHE_OK;
}

// Every other triangle of a strip is given the wrong way round.
static lithe_status make_strip(grid *g, const build_shape *shape, const int *node, int n,
                               build_span *span)
{
    *span = (build_span){.dim = 2};
    for (int i = 0; i + 2 < n; i++) {
        int tri[3] = {node[i], node[i + 1 + i % 2], node[i + 2 - i % 2]};
        build_span one;
        LITHE_TRY(build_cell(&g->out, shape, tri, 3, &one));
        if (i == 0)
            span->first = one.first;
        span->count += one.count;
    }
    return LITHE_OK;
}

static lithe_status make_shape(grid *g, int type, const build_shape *shape, int *node, int n,
                               build_span *span)
{
    if (type == VTK_STRIP)
        return make_strip(g, shape, node, n, span);
    if (type == VTK_PIXEL) { // numbered in rows, not around
        int third = node[2];
        node[2] = node[3];
        node[3] = third;
    }
    return build_cell(&g->out, shape, node, n, span);
}

static lithe_status make_cell(grid *g, int64_t cell, int *node)
{
    const int64_t *offset = list_at(&g->offset, int64_t) + cell;
    int type = list_at(&g->type, int)[cell];
    int64_t n = offset[1] - offset[0];
    build_span *span = list_at(&g->span, build_span) + cell;
    *span = (build_span){0};
    if (type == VTK_EMPTY)
        return LITHE_OK;
    const build_shape *shape = find_shape(type);
    if (!shape)
        return scan_fail(&g->in,
                         "cell %lld (the first is 0) has VTK type %d, which Lithe does not know; "
                         "mesh again with linear tetrahedra",
                         (long long)cell, type);
    if (shape->nnode && n != shape->nnode)
        return scan_fail(&g->in,
                         "cell %lld (the first is 0) has %lld points, but its type says %s of %d; "
                         "the file is damaged: write it again",
                         (long long)cell, (long long)n, shape->plural, shape->nnode);
    LITHE_TRY(check_cell_nodes(g, cell, node));
    return make_shape(g, type, shape, node, (int)n, span);
}

static lithe_status check_offsets(const grid *g, int64_t *largest)
{
    const int64_t *offset = list_at(&g->offset, int64_t);
    int64_t nnode = (int64_t)list_count(&g->node, int64_t);
    *largest = 0;
    for (int64_t i = 0; i < g->ncell; i++) {
        if (offset[i] < 0 || offset[i + 1] < offset[i] || offset[i + 1] > nnode)
            return scan_fail(&g->in,
                             "cell %lld (the first is 0) spans entries %lld to %lld of a "
                             "connectivity of %lld; the file is damaged: write it again",
                             (long long)i, (long long)offset[i], (long long)offset[i + 1],
                             (long long)nnode);
        if (offset[i + 1] - offset[i] > *largest)
            *largest = offset[i + 1] - offset[i];
    }
    return *largest > INT_MAX ? scan_fail(&g->in, "a cell has more than %d points", INT_MAX)
                              : LITHE_OK;
}

lithe_status grid_make_cells(grid *g)
{
    int64_t largest;
    if (!g->has_points)
        return scan_fail(&g->in, "cells come before the points; write the file again");
    if (list_count(&g->offset, int64_t) != (size_t)g->ncell + 1 ||
        list_count(&g->type, int) != (size_t)g->ncell)
        return scan_fail(&g->in, "%lld cells, but %zu offsets and %zu types; the file is damaged",
                         (long long)g->ncell, list_count(&g->offset, int64_t),
                         list_count(&g->type, int));
    LITHE_TRY(check_offsets(g, &largest));
    list scratch = {0};
    int *node = list_add(&scratch, (size_t)largest * sizeof *node);
    build_span *span = list_add(&g->span, (size_t)g->ncell * sizeof *span);
    bool enough = node && span;
    lithe_status status = LITHE_OK;
    for (int64_t i = 0; enough && i < g->ncell && status == LITHE_OK; i++)
        status = make_cell(g, i, node);
    list_free(&scratch);
    return enough ? status : fail_memory(g);
}

// The distinct values of the labels, in the order in which they appear; false if there are too
// many.
static bool find_labels(const int64_t *value, int64_t n, int64_t *label, int *nlabel)
{
    *nlabel = 0;
    for (int64_t i = 0, at = 0; i < n; i++) {
        if (*nlabel && label[at] == value[i])
            continue;
        for (at = 0; at < *nlabel && label[at] != value[i];)
            at++;
        if (at == MAX_LABEL)
            return false;
        if (at == *nlabel)
            label[(*nlabel)++] = value[i];
    }
    return true;
}

// VTK writes a blank in a name as %20.
static void decode_name(scan_text from, char *to)
{
    for (size_t i = 0; i < from.size; i++) {
        bool blank = from.size - i >= 3 && memcmp(from.at + i, "%20", 3) == 0;
        *to++ = blank ? ' ' : from.at[i];
        i += blank ? 2 : 0;
    }
    *to = 0;
}

static lithe_status mark_cell(grid *g, int64_t cell, int group[3])
{
    const int64_t *offset = list_at(&g->offset, int64_t) + cell;
    build_span span = list_at(&g->span, build_span)[cell];
    if (list_at(&g->type, int)[cell] == VTK_EMPTY)
        return LITHE_OK;
    if (span.dim != 0)
        return build_mark(&g->out, group[span.dim == 3 ? 2 : 1], &span, NULL, 0);
    for (int64_t i = offset[0]; i < offset[1]; i++) {
        int one = (int)list_at(&g->node, int64_t)[i];
        LITHE_TRY(build_mark(&g->out, group[0], &span, &one, 1));
    }
    return LITHE_OK;
}

// Groups of nodes, triangles and tetrahedra for one label.
static lithe_status open_groups(grid *g, const char *array, int64_t label, int group[3])
{
    static const int dim[3] = {0, 2, 3};
    const char *name = arena_format(&g->out.m->memory, "%s=%lld", array, (long long)label);
    if (!name)
        return fail_memory(g);
    for (int i = 0; i < 3; i++)
        LITHE_TRY(build_group(&g->out, dim[i], name, 0, &group[i]));
    return LITHE_OK;
}

static lithe_status make_groups(grid *g, const char *array)
{
    int64_t label[MAX_LABEL] = {0};
    int group[MAX_LABEL][3] = {{0}};
    int nlabel;
    const int64_t *value = list_at(&g->value, int64_t);
    if (!find_labels(value, g->ncell, label, &nlabel))
        return LITHE_OK;
    for (int i = 0; i < nlabel; i++)
        LITHE_TRY(open_groups(g, array, label[i], group[i]));
    for (int64_t c = 0, at = 0; c < g->ncell; c++) {
        if (label[at] != value[c])
            for (at = 0; label[at] != value[c];)
                at++;
        LITHE_TRY(mark_cell(g, c, group[at]));
    }
    return LITHE_OK;
}

lithe_status grid_read_labels(grid *g, scan *from, scan_type type, scan_text name)
{
    g->value.used = 0;
    LITHE_TRY(grid_read_ints(g, from, type, "cell values", g->ncell, &g->value));
    if (name.size > MAX_NAME)
        return LITHE_OK;
    char *array = arena_alloc(&g->out.m->memory, name.size + 1, 1);
    if (!array)
        return fail_memory(g);
    decode_name(name, array);
    return make_groups(g, array);
}
