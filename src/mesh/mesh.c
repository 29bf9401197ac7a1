#include "mesh/mesh.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/sort.h"
#include "mesh/tolerances.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *plural;
    int width;
} kinds[MESH_NKIND] = {
    [MESH_TET10] = {"quadratic tetrahedra", 10}, [MESH_HEX8] = {"hexahedra", 8},
    [MESH_HEX20] = {"quadratic hexahedra", 20},  [MESH_WEDGE6] = {"wedges", 6},
    [MESH_PYRAMID5] = {"pyramids", 5},
};

const char *mesh_kind_plural(mesh_kind kind)
{
    return kinds[kind].plural;
}

int mesh_kind_width(mesh_kind kind)
{
    return kinds[kind].width;
}

const int *mesh_volume(const mesh *m, int volume, int *width)
{
    *width = 4;
    if (volume < m->ntet)
        return m->tet + 4 * (size_t)volume;
    int kind = 0;
    for (volume -= m->ntet; volume >= m->other[kind].n; kind++)
        volume -= m->other[kind].n;
    *width = kinds[kind].width;
    return m->other[kind].node + (size_t)volume * (size_t)*width;
}

mesh_kind mesh_find_other(const mesh *m)
{
    int kind = 0;
    while (kind < MESH_NKIND && m->other[kind].n == 0)
        kind++;
    return (mesh_kind)kind;
}

const mesh_group *mesh_find_group(const mesh *m, const char *name, int dim)
{
    for (int i = 0; i < m->ngroup; i++)
        if (m->group[i].dim == dim && strcmp(m->group[i].name, name) == 0)
            return &m->group[i];
    return NULL;
}

static lithe_status check_nodes(const mesh *m, const char *path, lithe_report *report)
{
    for (int i = 0; i < m->nnode; i++) {
        const double *x = m->x + 3 * (size_t)i;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
            return LITHE_FAIL(report, LITHE_INVALID,
                              "%s: node %d (the first is 0) is at (%g, %g, %g), which is no place; "
                              "mend the program that wrote the file",
                              path, i, x[0], x[1], x[2]);
    }
    return LITHE_OK;
}

static lithe_status check_range(const mesh *m, const char *path, const char *kind, int width,
                                int ncell, const int *cell, lithe_report *report)
{
    for (size_t i = 0; i < (size_t)ncell * width; i++)
        if (cell[i] < 0 || cell[i] >= m->nnode)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "%s: %s %zu (the first is 0) uses node %d, but the nodes are 0 to "
                              "%d; write the file again",
                              path, kind, i / width, cell[i], m->nnode - 1);
    return LITHE_OK;
}

// Volumes, or triangles: a shell, an obstacle, what is to be filled.
static lithe_status check_kind(const mesh *m, const char *path, lithe_report *report)
{
    if (m->ntet > 0 || mesh_find_other(m) != MESH_NKIND || m->ntri > 0)
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s: holds %d nodes but no tetrahedra and no triangles; if the file comes "
                      "from Gmsh, mesh with -3 and give the volume a Physical Volume or set "
                      "Mesh.SaveAll = 1",
                      path, m->nnode);
}

// det[x1-x0, x2-x0, x3-x0] of the tetrahedron scaled to a size of 1; NaN where its size overflows.
static double tet_shape(const mesh *m, const int tet[4])
{
    double edge[3][3];
    double longest = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i; j++) {
            double e[3];
            vec_sub(e, m->x + 3 * (size_t)tet[i], m->x + 3 * (size_t)tet[j]);
            for (int k = 0; k < 3; k++)
                longest = fmax(longest, fabs(e[k]));
            if (j == 0)
                memcpy(edge[i - 1], e, sizeof e);
        }
    if (longest == 0)
        return 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            edge[i][k] /= longest;
    return vec_triple(edge[0], edge[1], edge[2]);
}

static lithe_status fail_flat(const mesh *m, const char *path, int first, int nflat,
                              lithe_report *report)
{
    const int *t = m->tet + 4 * (size_t)first;
    return LITHE_FAIL(report, LITHE_INVALID,
                      "%s: tetrahedron %d (the first is 0; nodes %d %d %d %d) has no volume, and "
                      "%d of %d are like it; mesh it again, or optimize the mesh",
                      path, first, t[0], t[1], t[2], t[3], nflat, m->ntet);
}

// Turns tetrahedra that are inside out by swapping two nodes.
static lithe_status orient(mesh *m, const char *path, lithe_report *report)
{
    int nflat = 0;
    int first = -1;
    for (int e = 0; e < m->ntet; e++) {
        int *t = m->tet + 4 * (size_t)e;
        double shape = tet_shape(m, t);
        if (!(fabs(shape) > MESH_FLAT)) {
            first = nflat++ ? first : e;
        } else if (shape < 0) {
            int third = t[2];
            t[2] = t[3];
            t[3] = third;
            m->nflipped++;
        }
    }
    if (nflat)
        return fail_flat(m, path, first, nflat, report);
    if (m->nflipped)
        report_notice(report, "%s: %d of %d tetrahedra were inside out and have been turned round",
                      path, m->nflipped, m->ntet);
    return LITHE_OK;
}

typedef struct sorted_tet {
    int node[4]; // ascending
    int tet;
} sorted_tet;

static int compare_tet(const void *left, const void *right)
{
    const sorted_tet *a = left;
    const sorted_tet *b = right;
    int order = order_compare(a->node, b->node, 4);
    return order ? order : order_compare(&a->tet, &b->tet, 1);
}

static lithe_status check_repeats(const mesh *m, const char *path, lithe_report *report)
{
    sorted_tet *sorted = memory_alloc((size_t)m->ntet * sizeof *sorted);
    if (!sorted)
        return report_no_memory(report, path);
    for (int e = 0; e < m->ntet; e++) {
        memcpy(sorted[e].node, m->tet + 4 * (size_t)e, sizeof sorted[e].node);
        order_nodes(sorted[e].node, 4);
        sorted[e].tet = e;
    }
    qsort(sorted, (size_t)m->ntet, sizeof *sorted, compare_tet);
    lithe_status status = LITHE_OK;
    for (int e = 1; e < m->ntet && status == LITHE_OK; e++)
        if (memcmp(sorted[e - 1].node, sorted[e].node, sizeof sorted[e].node) == 0)
            status = LITHE_FAIL(report, LITHE_INVALID,
                                "%s: tetrahedra %d and %d (the first is 0) have the same nodes, so "
                                "the material would count twice; remove the copy",
                                path, sorted[e - 1].tet, sorted[e].tet);
    memory_free(sorted);
    return status;
}

static lithe_status notice_unused(const mesh *m, const char *path, lithe_report *report)
{
    char *used = memory_alloc((size_t)m->nnode);
    if (!used)
        return report_no_memory(report, path);
    memset(used, 0, (size_t)m->nnode);
    for (size_t i = 0; i < 4 * (size_t)m->ntet; i++)
        used[m->tet[i]] = 1;
    for (int kind = 0; kind < MESH_NKIND; kind++)
        for (size_t i = 0; i < (size_t)m->other[kind].n * (size_t)kinds[kind].width; i++)
            used[m->other[kind].node[i]] = 1;
    int nunused = 0;
    for (int i = 0; i < m->nnode; i++)
        nunused += !used[i];
    memory_free(used);
    if (nunused)
        report_notice(report, "%s: %d of %d nodes belong to no %s", path, nunused, m->nnode,
                      mesh_find_other(m) == MESH_NKIND ? "tetrahedron" : "volume");
    return LITHE_OK;
}

lithe_status mesh_finish(mesh *m, const char *path, lithe_report *report)
{
    LITHE_TRY(check_nodes(m, path, report));
    LITHE_TRY(check_range(m, path, "tetrahedron", 4, m->ntet, m->tet, report));
    LITHE_TRY(check_range(m, path, "triangle", 3, m->ntri, m->tri, report));
    for (int kind = 0; kind < MESH_NKIND; kind++)
        LITHE_TRY(check_range(m, path, "volume", kinds[kind].width, m->other[kind].n,
                              m->other[kind].node, report));
    LITHE_TRY(check_kind(m, path, report));
    if (m->ntet > 0) {
        LITHE_TRY(orient(m, path, report));
        LITHE_TRY(check_repeats(m, path, report));
    }
    bool surface = m->ntet == 0 && mesh_find_other(m) == MESH_NKIND;
    return surface ? LITHE_OK : notice_unused(m, path, report);
}
