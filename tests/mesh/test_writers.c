// Every file of tests/mesh/data/<writer>/ is a test: the table in docs/meshes.md lists them.
#include "base/vec.h"
#include "mesh/read.h"
#include "mesh/select.h"
#include "mesh/surface.h"

#include <dirent.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int pick_cells(const lithe_mesh *m, const double *x, const lithe_selection *where, int *out)
{
    mesh_skeleton cells;
    if (skeleton_create(m, SKELETON_AS_IT_IS, &cells) != LITHE_OK)
        return -2;
    int n = select_cells(&cells, x, where, out);
    skeleton_free(&cells);
    return n;
}

#define DATA LITHE_ROOT "/tests/mesh/data/"

enum { MAX_FILE = 200 };

static const char *const writers[] = {"gmsh", "vtk", "meshio"};

// A kind of cells in brick.geo: its edges that carry a node, in VTK's order, and the tetrahedra
// that its corners make.
typedef struct kind_case {
    const char *name;
    mesh_kind kind;
    double volume; // of all cells
    int nedge;
    int edge[12][2];
    int npart;
    int part[5][4];
} kind_case;

#define HEX_PARTS                                                                                  \
    5,                                                                                             \
    {                                                                                              \
        {0, 1, 3, 4}, {1, 2, 3, 6}, {1, 4, 5, 6}, {3, 4, 6, 7},                                    \
        {                                                                                          \
            1, 3, 4, 6                                                                             \
        }                                                                                          \
    }

static const kind_case kinds[] = {
    {"tet10",
     MESH_TET10,
     2,
     6,
     {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
     1,
     {{0, 1, 2, 3}}},
    {"hex8", MESH_HEX8, 2, 0, {{0}}, HEX_PARTS},
    {"hex20",
     MESH_HEX20,
     2,
     12,
     {{0, 1},
      {1, 2},
      {2, 3},
      {3, 0},
      {4, 5},
      {5, 6},
      {6, 7},
      {7, 4},
      {0, 4},
      {1, 5},
      {2, 6},
      {3, 7}},
     HEX_PARTS},
    {"wedge6", MESH_WEDGE6, 2, 0, {{0}}, 3, {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}}},
    {"pyramid5", MESH_PYRAMID5, 1, 0, {{0}}, 2, {{0, 1, 2, 4}, {0, 2, 3, 4}}},
};

static mesh *read_file(const char *file, lithe_report *report)
{
    char path[500];
    lithe_mesh *m;
    snprintf(path, sizeof path, DATA "%s", file);
    if (lithe_mesh_read(path, &m, report) != LITHE_OK)
        fail_msg("%s", report->error);
    return m;
}

static int count(const mesh *m, const char *group, int dim)
{
    const mesh_group *g = mesh_find_group(m, group, dim);
    return g ? g->nmember : 0;
}

// Gmsh's physical groups; other writers keep at most one number a cell.
static void assert_groups(const mesh *m)
{
    assert_int_equal(m->ngroup, 6);
    assert_int_equal(count(m, "body", 3), 72);
    assert_int_equal(count(m, "skin", 2), 48);
    assert_int_equal(count(m, "inner void", 2), 24);
    assert_int_equal(count(m, "floor", 2), 4);
    assert_int_equal(count(m, "front edge", 0), 2);
    assert_int_equal(count(m, "12", 0), 1);
    const double *corner = m->x + 3 * (size_t)mesh_find_group(m, "12", 0)->member[0];
    assert_true(corner[0] == 0 && corner[1] == 0 && corner[2] == 0);
}

static void assert_is_box(const mesh *m)
{
    arena memory = {0};
    mesh_boundary b;
    assert_int_equal(m->nnode, 28);
    assert_int_equal(m->ntet, 72);
    assert_int_equal(m->ntri, 48);
    assert_int_equal(m->nflipped, 0);
    assert_int_equal(mesh_find_boundary(m, m->x, &memory, &b, NULL), LITHE_OK);
    assert_int_equal(b.ntri, 48);
    assert_int_equal(b.ncavity, 1);
    assert_true(fabs(b.volume[0] - 1) < 1e-6);
    arena_free(&memory);
}

static void assert_is_box_surface(const mesh *m)
{
    bool closed;
    int edge[2];
    assert_int_equal(m->nnode, 28);
    assert_int_equal(m->ntri, 48);
    assert_int_equal(m->ntet, 0);
    assert_int_equal(surface_is_closed(m->ntri, m->tri, &closed, edge), LITHE_OK);
    assert_true(closed);
    assert_true(fabs(fabs(surface_volume(m->ntri, m->tri, m->x)) - 7) < 1e-5);
}

static double tet_volume(const mesh *m, const int *cell, const int part[4])
{
    double a[3], b[3], c[3];
    const double *x0 = m->x + 3 * (size_t)cell[part[0]];
    vec_sub(a, m->x + 3 * (size_t)cell[part[1]], x0);
    vec_sub(b, m->x + 3 * (size_t)cell[part[2]], x0);
    vec_sub(c, m->x + 3 * (size_t)cell[part[3]], x0);
    return vec_triple(a, b, c) / 6;
}

// Writers disagree about which way round a wedge is, see docs/meshes.md.
static double cell_volume(const mesh *m, const kind_case *k, const int *cell)
{
    double volume = 0;
    for (int i = 0; i < k->npart; i++)
        volume += tet_volume(m, cell, k->part[i]);
    return k->kind == MESH_WEDGE6 ? fabs(volume) : volume;
}

static void assert_nodes_on_edges(const mesh *m, const kind_case *k, const int *cell)
{
    int ncorner = mesh_kind_width(k->kind) - k->nedge;
    for (int i = 0; i < k->nedge; i++)
        for (int axis = 0; axis < 3; axis++) {
            double low = m->x[3 * (size_t)cell[k->edge[i][0]] + axis];
            double high = m->x[3 * (size_t)cell[k->edge[i][1]] + axis];
            assert_true(fabs(m->x[3 * (size_t)cell[ncorner + i] + axis] - (low + high) / 2) < 1e-6);
        }
}

static void assert_is_kind(const mesh *m, const kind_case *k)
{
    const mesh_cells *cells = &m->other[k->kind];
    double volume = 0;
    assert_int_equal(m->ntet, 0);
    assert_int_equal(mesh_find_other(m), k->kind);
    for (int i = 0; i < cells->n; i++) {
        int width;
        const int *cell = mesh_volume(m, i, &width);
        assert_int_equal(width, mesh_kind_width(k->kind));
        assert_nodes_on_edges(m, k, cell);
        assert_true(cell_volume(m, k, cell) > 0);
        volume += cell_volume(m, k, cell);
    }
    assert_true(fabs(volume - k->volume) < 1e-6);
}

static void assert_named_body(const mesh *m, const kind_case *k)
{
    int *node = malloc((size_t)m->nnode * sizeof *node);
    lithe_selection body = {.kind = LITHE_GROUP, .group = "body"};
    assert_int_equal(count(m, "body", 3), m->other[k->kind].n);
    assert_int_equal(select_nodes(m, m->x, &body, node), m->nnode);
    bool element = k->kind == MESH_TET10 || k->kind == MESH_HEX8;
    assert_int_equal(pick_cells(m, m->x, &body, node), element ? m->other[k->kind].n : 0);
    free(node);
}

static void is_read_whole(void **state)
{
    const char *file = *state;
    const char *name = strchr(file, '/') + 1;
    bool gmsh_msh = strncmp(file, "gmsh/", 5) == 0 && strstr(name, ".msh");
    lithe_report report = lithe_report_default();
    mesh *m = read_file(file, &report);
    bool surface = strstr(name, ".stl") || strstr(name, ".obj");
    bool known = strncmp(name, "box_", 4) == 0;
    assert_int_equal(report.nnotice, 0);
    if (known && surface)
        assert_is_box_surface(m);
    else if (known)
        assert_is_box(m);
    if (known && gmsh_msh)
        assert_groups(m);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t n = strlen(kinds[i].name);
        if (strncmp(name, kinds[i].name, n) != 0 || name[n] != '_')
            continue;
        known = true;
        assert_is_kind(m, &kinds[i]);
        if (gmsh_msh)
            assert_named_body(m, &kinds[i]);
    }
    assert_true(known);
    lithe_mesh_free(m);
}

static int find_files(char file[MAX_FILE][100])
{
    int n = 0;
    for (size_t w = 0; w < sizeof writers / sizeof *writers; w++) {
        char path[500];
        snprintf(path, sizeof path, DATA "%s", writers[w]);
        DIR *folder = opendir(path);
        const struct dirent *entry;
        while (folder && n < MAX_FILE && (entry = readdir(folder)))
            if (entry->d_name[0] != '.')
                snprintf(file[n++], 100, "%s/%.80s", writers[w], entry->d_name);
        if (folder)
            closedir(folder);
    }
    return n;
}

int main(void)
{
    static char file[MAX_FILE][100];
    static struct CMUnitTest tests[MAX_FILE];
    int n = find_files(file);
    if (n < 50 || n == MAX_FILE) {
        printf("%d files in %s\n", n, DATA);
        return 1;
    }
    for (int i = 0; i < n; i++)
        tests[i] = (struct CMUnitTest){file[i], is_read_whole, NULL, NULL, file[i]};
    return _cmocka_run_group_tests("writers", tests, (size_t)n, NULL, NULL);
}
