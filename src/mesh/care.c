#include "mesh/care.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/sort.h"
#include "mesh/tolerances.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

double care_quality(const double *x, const int tet[4])
{
    double edge[3][3];
    double sum = 0;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++) {
            double e[3];
            vec_sub(e, x + 3 * (size_t)tet[a], x + 3 * (size_t)tet[b]);
            sum += vec_dot(e, e);
            if (b == 0)
                memcpy(edge[a - 1], e, sizeof e);
        }
    double length = sqrt(sum / 6);
    return sqrt(2) * vec_triple(edge[0], edge[1], edge[2]) / (length * length * length);
}

// Of a hexahedron: of the worst tetrahedron that it is cut into; of a quadratic tetrahedron: by its
// corners.
static void judge_shapes(const mesh_skeleton *s, const double *x, mesh_care *care)
{
    for (int e = 0; e < s->ncell; e++)
        care->quality[e] =
            s->kind[e] == SKELETON_HEX8 ? INFINITY : care_quality(x, s->cell_node + s->cell_adr[e]);
    for (int t = 0; t < s->mesh->ntet; t++) {
        int e = skeleton_cell_of(s, t);
        double q = s->kind[e] == SKELETON_HEX8 ? care_quality(x, s->mesh->tet + 4 * (size_t)t) : 1;
        if (!(q >= care->quality[e])) // not a number where the size overflows
            care->quality[e] = q;
    }
}

static void examine_shapes(const mesh_skeleton *s, const double *x, mesh_care *care)
{
    judge_shapes(s, x, care);
    for (int e = 0; e < s->ncell; e++) {
        double q = care->quality[e];
        double share = fmin(fmax(q, 0), 1); // 0 where the size overflows
        int bin = (int)(share * CARE_NBIN);
        care->histogram[bin < CARE_NBIN ? bin : CARE_NBIN - 1]++;
        if (!(q >= CARE_SLIVER_QUALITY)) {
            care->cell_problem[e] |= CARE_SLIVER;
            care->nsliver++;
        }
    }
}

static int compare_real(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;
    return (a > b) - (a < b);
}

static const int tet_edge[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
static const int hex_edge[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6},
                                  {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}};
enum { MOST_EDGES = sizeof hex_edge / sizeof *hex_edge };

static lithe_status examine_edges(const mesh_skeleton *s, const double *x, mesh_care *care)
{
    size_t n = 0;
    double *length = memory_alloc(MOST_EDGES * (size_t)s->ncell * sizeof *length);
    if (!length)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < s->ncell; e++) {
        bool hex = s->kind[e] == SKELETON_HEX8;
        const int *node = s->cell_node + s->cell_adr[e];
        for (int i = 0; i < (hex ? MOST_EDGES : 6); i++) {
            const int *edge = hex ? hex_edge[i] : tet_edge[i];
            length[n++] =
                vec_distance(x + 3 * (size_t)node[edge[0]], x + 3 * (size_t)node[edge[1]]);
        }
    }
    qsort(length, n, sizeof *length, compare_real);
    if (n > 0) { // a surface has no cells
        care->edge[0] = length[0];
        care->edge[1] = length[n / 2];
        care->edge[2] = length[n - 1];
    }
    memory_free(length);
    return LITHE_OK;
}

static void examine_orphans(const mesh_skeleton *s, mesh_care *care)
{
    for (int i = 0; i < s->mesh->nnode; i++)
        care->node_problem[i] = CARE_ORPHAN;
    for (int i = 0; i < s->cell_adr[s->ncell]; i++)
        care->node_problem[s->cell_node[i]] = 0;
    for (int i = 0; i < s->mesh->nnode; i++)
        care->norphan += care->node_problem[i] != 0;
}

// A node in the grid of cells that are wider than the distance within which nodes are one.
typedef struct cell_node {
    double cell[3];
    int node;
} cell_node;

static int compare_cells(const double a[3], const double b[3])
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_cell_node(const void *left, const void *right)
{
    const cell_node *a = left;
    const cell_node *b = right;
    int order = compare_cells(a->cell, b->cell);
    return order ? order : order_compare(&a->node, &b->node, 1);
}

// The first entry of the cell, n if there is none.
static int find_cell(const cell_node *entry, int n, const double cell[3])
{
    int low = 0;
    for (int high = n; low < high;) {
        int middle = low + (high - low) / 2;
        if (compare_cells(entry[middle].cell, cell) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// The lowest node within reach of node i, which is i itself if there is no lower one.
static int lowest_twin(const cell_node *entry, int n, const double *x, int i, double reach)
{
    const double *p = x + 3 * (size_t)i;
    int lowest = i;
    for (int corner = 0; corner < 8; corner++) { // cells are two reaches wide: two along each axis
        double cell[3];
        for (int k = 0; k < 3; k++)
            cell[k] = floor(p[k] / (2 * reach) + (corner >> k & 1) - 0.5);
        for (int at = find_cell(entry, n, cell);
             at < n && compare_cells(entry[at].cell, cell) == 0 && entry[at].node < lowest; at++)
            if (vec_distance(x + 3 * (size_t)entry[at].node, p) <= reach)
                lowest = entry[at].node;
    }
    return lowest;
}

static double extent(const mesh *m, const double *x)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < 3 * (size_t)m->nnode; i++) {
        low[i % 3] = fmin(low[i % 3], x[i]);
        high[i % 3] = fmax(high[i % 3], x[i]);
    }
    return vec_distance(low, high);
}

static lithe_status examine_positions(const mesh *m, const double *x, mesh_care *care)
{
    double reach = MESH_SAME_POSITION * extent(m, x);
    cell_node *entry = memory_alloc((size_t)m->nnode * sizeof *entry);
    if (!entry)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < m->nnode; i++) {
        entry[i].node = i;
        for (int k = 0; k < 3; k++)
            entry[i].cell[k] = floor(x[3 * (size_t)i + k] / (2 * reach));
    }
    qsort(entry, (size_t)m->nnode, sizeof *entry, compare_cell_node);
    for (int i = 0; i < m->nnode; i++) {
        int twin = lowest_twin(entry, m->nnode, x, i, reach);
        care->twin[i] = twin == i ? i : care->twin[twin];
        if (twin != i)
            care->node_problem[i] |= CARE_COINCIDENT;
    }
    for (int i = 0; i < m->nnode; i++)
        if (care->twin[i] != i) {
            care->node_problem[care->twin[i]] |= CARE_COINCIDENT;
            care->ncoincident++;
        }
    memory_free(entry);
    return LITHE_OK;
}

static int find_root(int *parent, int i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

// Everything that does not hang together with the part of most elements is loose.
static void mark_loose(const mesh_skeleton *s, int *parent, int *size, mesh_care *care)
{
    int largest = -1;
    memset(size, 0, (size_t)s->mesh->nnode * sizeof *size);
    for (int e = 0; e < s->ncell; e++) {
        int root = find_root(parent, s->cell_node[s->cell_adr[e]]);
        care->npart += size[root]++ == 0;
        if (largest < 0 || size[root] > size[largest])
            largest = root;
    }
    for (int e = 0; e < s->ncell; e++)
        if (find_root(parent, s->cell_node[s->cell_adr[e]]) != largest) {
            care->cell_problem[e] |= CARE_LOOSE;
            care->nloose++;
        }
}

static lithe_status examine_parts(const mesh_skeleton *s, mesh_care *care)
{
    size_t nnode = (size_t)s->mesh->nnode;
    int *parent = memory_alloc(nnode * sizeof *parent);
    int *size = memory_alloc(nnode * sizeof *size);
    bool enough = parent && size;
    for (size_t i = 0; enough && i < nnode; i++)
        parent[i] = (int)i;
    for (int e = 0; enough && e < s->ncell; e++)
        for (int i = s->cell_adr[e]; i < s->cell_adr[e + 1]; i++) {
            int a = find_root(parent, s->cell_node[i]);
            int b = find_root(parent, s->cell_node[s->cell_adr[e]]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    if (enough)
        mark_loose(s, parent, size, care);
    memory_free(parent);
    memory_free(size);
    return enough ? LITHE_OK : LITHE_NO_MEMORY;
}

// How the triangles of the file lie on the boundary, and whether they are faces at all.
static lithe_status examine_surfaces(const mesh *m, const mesh_boundary *boundary, mesh_care *care)
{
    int *way = memory_alloc(((size_t)m->ntri + 1) * sizeof *way);
    if (!way)
        return LITHE_NO_MEMORY;
    lithe_status status = surface_compare(m, boundary, way);
    for (int i = 0; status == LITHE_OK && i < m->ntri; i++) {
        care->ninward += way[i] == SURFACE_INWARD;
        if (way[i] == SURFACE_STRAY) {
            care->tri_problem[i] = CARE_STRAY;
            care->nstray++;
        }
    }
    memory_free(way);
    return status;
}

static void mark_folds(const mesh_skeleton *s, const bool *folded, mesh_care *care)
{
    for (int t = 0; t < s->mesh->ntet; t++) {
        int *problem = &care->cell_problem[skeleton_cell_of(s, t)];
        if (folded[t] && !(*problem & CARE_FOLD)) {
            *problem |= CARE_FOLD;
            care->nfold++;
        }
    }
}

static lithe_status examine_faces(const mesh_skeleton *s, const double *x,
                                  const mesh_boundary *boundary, mesh_care *care)
{
    size_t ntet = (size_t)s->mesh->ntet;
    int *neighbour = memory_alloc(4 * ntet * sizeof *neighbour);
    bool *folded = memory_alloc(ntet * sizeof *folded);
    lithe_status status = neighbour && folded ? LITHE_OK : LITHE_NO_MEMORY;
    if (status == LITHE_OK)
        status = mesh_find_neighbours(s->mesh, neighbour, folded);
    if (status == LITHE_OK) {
        mark_folds(s, folded, care);
        status = care_find_walls(s, x, boundary, neighbour, care);
    }
    memory_free(neighbour);
    memory_free(folded);
    return status;
}

lithe_status mesh_examine(const mesh_skeleton *s, const double *x, const mesh_boundary *boundary,
                          arena *memory, mesh_care *care)
{
    const mesh *m = s->mesh;
    *care = (mesh_care){.quality = arena_new(memory, s->ncell, double),
                        .cell_problem = arena_new(memory, s->ncell, int),
                        .node_problem = arena_new(memory, m->nnode, int),
                        .tri_problem = arena_new(memory, m->ntri, int),
                        .twin = arena_new(memory, m->nnode, int)};
    if (!care->quality || !care->cell_problem || !care->node_problem || !care->tri_problem ||
        !care->twin)
        return LITHE_NO_MEMORY;
    examine_shapes(s, x, care);
    examine_orphans(s, care);
    LITHE_TRY(examine_edges(s, x, care));
    LITHE_TRY(examine_positions(m, x, care));
    LITHE_TRY(examine_parts(s, care));
    LITHE_TRY(examine_surfaces(m, boundary, care));
    return examine_faces(s, x, boundary, care);
}
