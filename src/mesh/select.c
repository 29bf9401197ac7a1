#include "mesh/select.h"

#include "base/vec.h"
#include "mesh/sort.h"
#include "mesh/tolerances.h"

#include <string.h>

static double extent(const mesh *m, const double *x)
{
    double low[3] = {INFINITY, INFINITY, INFINITY};
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < m->nnode; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[3 * (size_t)i + k]);
            high[k] = fmax(high[k], x[3 * (size_t)i + k]);
        }
    return m->nnode ? vec_distance(low, high) : 0;
}

static bool inside_box(const lithe_selection *s, const double p[3], double slack)
{
    for (int k = 0; k < 3; k++) {
        double low = fmin(s->a[k], s->b[k]);
        double high = fmax(s->a[k], s->b[k]);
        if (!(p[k] >= low - slack && p[k] <= high + slack))
            return false;
    }
    return true;
}

static bool inside_plane(const lithe_selection *s, const double p[3], double slack)
{
    double r[3];
    vec_sub(r, p, s->a);
    return vec_dot(r, s->b) >= -slack * vec_norm(s->b);
}

static bool inside(const lithe_selection *s, const double p[3], double slack)
{
    switch (s->kind) {
    case LITHE_ALL: return true;
    case LITHE_BOX: return inside_box(s, p, slack);
    case LITHE_SPHERE: return vec_distance(p, s->a) <= s->radius + slack;
    case LITHE_PLANE: return inside_plane(s, p, slack);
    default: return false;
    }
}

// From flags to the ascending indices of those that are set, in place.
static int gather(int *flag, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        if (flag[i])
            flag[count++] = i;
    return count;
}

// Flags the nodes of some cells.
static void flag_nodes(const int *cell, int width, const int *member, int nmember, int *flag)
{
    for (int i = 0; i < nmember; i++) {
        size_t c = (size_t)(member ? member[i] : i);
        for (int k = 0; k < width; k++)
            flag[cell[c * width + k]] = 1;
    }
}

static void flag_volume_nodes(const mesh *m, const mesh_group *group, int *flag)
{
    for (int i = 0; i < group->nmember; i++) {
        int width;
        const int *node = mesh_volume(m, group->member[i], &width);
        for (int k = 0; k < width; k++)
            flag[node[k]] = 1;
    }
}

// A name may stand for nodes, triangles and tetrahedra at once: the smallest kind is meant.
static int select_group_nodes(const mesh *m, const char *name, int *out)
{
    const mesh_group *node = mesh_find_group(m, name, 0);
    const mesh_group *tri = mesh_find_group(m, name, 2);
    const mesh_group *tet = mesh_find_group(m, name, 3);
    memset(out, 0, (size_t)m->nnode * sizeof *out);
    if (node)
        for (int i = 0; i < node->nmember; i++)
            out[node->member[i]] = 1;
    else if (tri)
        flag_nodes(m->tri, 3, tri->member, tri->nmember, out);
    else if (tet)
        flag_volume_nodes(m, tet, out);
    else
        return -1;
    return gather(out, m->nnode);
}

// Nodes that belong to no element do not count, unless the mesh has none.
static int select_nearest_node(const mesh *m, const double *x, const double point[3], int *out)
{
    for (int i = 0; i < m->nnode; i++)
        out[i] = m->ntet == 0 || i >= m->nnode - m->nslender;
    flag_nodes(m->tet, 4, NULL, m->ntet, out);
    int best = -1;
    double best_distance = INFINITY;
    for (int i = 0; i < m->nnode; i++) {
        double distance = out[i] ? vec_distance(x + 3 * (size_t)i, point) : INFINITY;
        if (distance < best_distance) {
            best = i;
            best_distance = distance;
        }
    }
    if (best < 0)
        return 0;
    out[0] = best;
    return 1;
}

int select_nodes(const mesh *m, const double *x, const lithe_selection *where, int *out)
{
    if (where->kind == LITHE_GROUP)
        return select_group_nodes(m, where->group, out);
    if (where->kind == LITHE_NEAREST)
        return select_nearest_node(m, x, where->a, out);
    double slack = MESH_SELECTED * extent(m, x);
    int count = 0;
    for (int i = 0; i < m->nnode; i++)
        if (inside(where, x + 3 * (size_t)i, slack))
            out[count++] = i;
    return count;
}

static void sorted_nodes(const int tri[3], int out[3])
{
    memcpy(out, tri, 3 * sizeof *out);
    order_nodes(out, 3);
}

static int compare_triangles(const int *a, const int *b)
{
    int left[3], right[3];
    sorted_nodes(a, left);
    sorted_nodes(b, right);
    return order_compare(left, right, 3);
}

// By the nodes of the boundary's triangles, or by number where there is no boundary.
static int compare(const mesh_boundary *b, int i, int j)
{
    return b ? compare_triangles(b->tri + 3 * (size_t)i, b->tri + 3 * (size_t)j)
             : (i > j) - (i < j);
}

static void sift(const mesh_boundary *b, int *index, int at, int n)
{
    for (int child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && compare(b, index[child], index[child + 1]) < 0)
            child++;
        if (compare(b, index[at], index[child]) >= 0)
            return;
        int swap = index[at];
        index[at] = index[child];
        index[child] = swap;
    }
}

// Heapsort, because it needs no memory: selecting cannot fail.
static void sort(const mesh_boundary *b, int *index, int n)
{
    for (int i = n / 2 - 1; i >= 0; i--)
        sift(b, index, i, n);
    for (int i = n - 1; i > 0; i--) {
        int swap = index[0];
        index[0] = index[i];
        index[i] = swap;
        sift(b, index, 0, i);
    }
}

// Where the triangle is in the sorted list, or -1. Entries already taken are stored as ~index.
static int find_triangle(const mesh_boundary *b, const int *index, const int tri[3])
{
    for (int low = 0, high = b->ntri; low < high;) {
        int middle = low + (high - low) / 2;
        int at = index[middle] < 0 ? ~index[middle] : index[middle];
        int order = compare_triangles(b->tri + 3 * (size_t)at, tri);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

static int select_group_triangles(const mesh *m, const mesh_boundary *b, const char *name, int *out)
{
    const mesh_group *group = mesh_find_group(m, name, 2);
    if (!group)
        return -1;
    for (int i = 0; i < b->ntri; i++)
        out[i] = i;
    sort(b, out, b->ntri);
    for (int i = 0; i < group->nmember; i++) {
        int at = find_triangle(b, out, m->tri + 3 * (size_t)group->member[i]);
        if (at >= 0 && out[at] >= 0)
            out[at] = ~out[at];
    }
    int count = 0;
    for (int i = 0; i < b->ntri; i++)
        if (out[i] < 0)
            out[count++] = ~out[i];
    sort(NULL, out, count);
    return count;
}

int select_triangles(const mesh *m, const mesh_boundary *boundary, const double *x,
                     const lithe_selection *where, int *out)
{
    if (where->kind == LITHE_GROUP)
        return select_group_triangles(m, boundary, where->group, out);
    double slack = MESH_SELECTED * extent(m, x);
    int count = 0;
    for (int i = 0; i < boundary->ntri; i++) {
        const int *tri = boundary->tri + 3 * (size_t)i;
        bool all = true;
        for (int k = 0; k < 3 && all; k++)
            all = inside(where, x + 3 * (size_t)tri[k], slack);
        if (all)
            out[count++] = i;
    }
    return count;
}

int select_cells(const mesh_skeleton *s, const double *x, const lithe_selection *where, int *out)
{
    if (where->kind == LITHE_GROUP) {
        const mesh_group *group = mesh_find_group(s->mesh, where->group, 3);
        int count = 0; // the tetrahedra of a cell stand together
        for (int i = 0; group && i < group->nmember; i++) {
            int cell = s->cell_of ? s->cell_of[group->member[i]] : group->member[i];
            if (count == 0 || out[count - 1] != cell)
                out[count++] = cell;
        }
        return group ? count : -1;
    }
    double slack = MESH_SELECTED * extent(s->mesh, x);
    int count = 0;
    for (int e = 0; e < s->ncell; e++) {
        int first = s->cell_adr[e], n = s->cell_adr[e + 1] - first;
        double centroid[3] = {0};
        for (int k = 0; k < n; k++)
            vec_axpy(centroid, 1.0 / n, x + 3 * (size_t)s->cell_node[first + k]);
        if (inside(where, centroid, slack))
            out[count++] = e;
    }
    return count;
}
