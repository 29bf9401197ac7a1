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

static bool inside_box(const lithe_selection *s, const double at[3], double slack)
{
    double R[9], p[3] = {at[0], at[1], at[2]};
    if (s->rotate[0] != 0 || s->rotate[1] != 0 || s->rotate[2] != 0) {
        mat_from_angles(R, s->rotate);
        mat_apply_transposed(p, R, p);
    }
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

static bool inside_oriented(const lithe_selection *s, const double p[3], double slack)
{
    double R[9], way[3], own[3];
    mat_from_angles(R, s->rotate);
    vec_sub(way, p, s->a);
    mat_apply_transposed(own, R, way);
    for (int k = 0; k < 3; k++)
        if (!(fabs(own[k]) <= 0.5 * s->b[k] + slack))
            return false;
    return true;
}

static bool inside(const lithe_selection *s, const double p[3], double slack)
{
    switch (s->kind) {
    case LITHE_ALL: return true;
    case LITHE_BOX: return inside_box(s, p, slack);
    case LITHE_SPHERE: return vec_distance(p, s->a) <= s->radius + slack;
    case LITHE_PLANE: return inside_plane(s, p, slack);
    case LITHE_ORIENTED_BOX: return inside_oriented(s, p, slack);
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

// ## Selections of selections
//
// Every depth has a bit of its own in `out`, so that no memory is needed.

typedef struct marker {
    int n; // nodes, triangles or cells
    const mesh *m;
    const mesh_boundary *boundary;
    const mesh_skeleton *skeleton;
    const double *x;
    double slack;
    // Sets the bit of those that one selection means, all being clear. False: its group is unknown.
    bool (*mark)(const struct marker *k, const lithe_selection *where, int bit, int *out);
} marker;

static bool is_made_of_parts(const lithe_selection *s)
{
    return s->kind == LITHE_ALL_OF || s->kind == LITHE_ANY_OF || s->kind == LITHE_NONE_OF;
}

static bool mark_all(const marker *k, const lithe_selection *where, int bit, int *out)
{
    for (int i = 0; i < k->n; i++)
        out[i] &= ~bit;
    if (!is_made_of_parts(where))
        return k->mark(k, where, bit, out);
    bool both = where->kind == LITHE_ALL_OF, not = where->kind == LITHE_NONE_OF;
    for (int p = 0; p < where->npart; p++) {
        if (!mark_all(k, &where->part[p], bit << 1, out))
            return false;
        for (int i = 0; i < k->n; i++) {
            bool own = out[i] & bit, other = out[i] & (bit << 1);
            bool now = p == 0 ? other : both ? own && other : own || other;
            out[i] = now ? out[i] | bit : out[i] & ~bit;
        }
    }
    for (int i = 0; i < k->n && not ; i++)
        out[i] ^= bit;
    return true;
}

static int select_parts(const marker *k, const lithe_selection *where, int *out)
{
    memset(out, 0, (size_t)k->n * sizeof *out);
    if (!mark_all(k, where, 1, out))
        return -1;
    for (int i = 0; i < k->n; i++)
        out[i] &= 1;
    return gather(out, k->n);
}

static void mark_corners(const int *node, int width, int bit, int *out)
{
    for (int k = 0; k < width; k++)
        out[node[k]] |= bit;
}

static bool mark_group_nodes(const mesh *m, const char *name, int bit, int *out)
{
    const mesh_group *node = mesh_find_group(m, name, 0), *tri = mesh_find_group(m, name, 2),
                     *tet = mesh_find_group(m, name, 3);
    const mesh_group *found = node ? node : tri ? tri : tet;
    for (int i = 0; found && i < found->nmember; i++) {
        int member = found->member[i], width = 0;
        if (found == node)
            out[member] |= bit;
        else if (found == tri)
            mark_corners(&m->tri[3 * (size_t)member], 3, bit, out);
        else {
            const int *corner = mesh_volume(m, member, &width);
            mark_corners(corner, width, bit, out);
        }
    }
    return found;
}

static bool mark_nodes(const marker *k, const lithe_selection *where, int bit, int *out)
{
    if (where->kind == LITHE_GROUP)
        return mark_group_nodes(k->m, where->group, bit, out);
    for (int i = 0; i < k->n; i++)
        out[i] |= inside(where, k->x + 3 * (size_t)i, k->slack) ? bit : 0;
    return true;
}

int select_nodes(const mesh *m, const double *x, const lithe_selection *where, int *out)
{
    if (is_made_of_parts(where)) {
        marker k = {.n = m->nnode, .m = m, .x = x, .slack = MESH_SELECTED * extent(m, x)};
        k.mark = mark_nodes;
        return select_parts(&k, where, out);
    }
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

static bool all_inside(const int tri[3], const double *x, const lithe_selection *where,
                       double slack)
{
    for (int k = 0; k < 3; k++)
        if (!inside(where, x + 3 * (size_t)tri[k], slack))
            return false;
    return true;
}

// One by one: there is no room to sort them.
static bool is_in_group(const mesh *m, const mesh_group *group, const int tri[3])
{
    for (int i = 0; i < group->nmember; i++)
        if (compare_triangles(&m->tri[3 * (size_t)group->member[i]], tri) == 0)
            return true;
    return false;
}

static bool mark_triangles(const marker *k, const lithe_selection *where, int bit, int *out)
{
    bool by_group = where->kind == LITHE_GROUP;
    const mesh_group *group = by_group ? mesh_find_group(k->m, where->group, 2) : NULL;
    if (by_group && !group)
        return false;
    for (int i = 0; i < k->n; i++) {
        const int *tri = k->boundary->tri + 3 * (size_t)i;
        bool in = group ? is_in_group(k->m, group, tri) : all_inside(tri, k->x, where, k->slack);
        out[i] |= in ? bit : 0;
    }
    return true;
}

int select_triangles(const mesh *m, const mesh_boundary *boundary, const double *x,
                     const lithe_selection *where, int *out)
{
    if (is_made_of_parts(where)) {
        marker k = {.n = boundary->ntri, .m = m, .boundary = boundary, .x = x};
        k.slack = MESH_SELECTED * extent(m, x);
        k.mark = mark_triangles;
        return select_parts(&k, where, out);
    }
    if (where->kind == LITHE_GROUP)
        return select_group_triangles(m, boundary, where->group, out);
    double slack = MESH_SELECTED * extent(m, x);
    int count = 0;
    for (int i = 0; i < boundary->ntri; i++) {
        const int *tri = boundary->tri + 3 * (size_t)i;
        if (all_inside(tri, x, where, slack))
            out[count++] = i;
    }
    return count;
}

static void middle_of(const mesh_skeleton *s, int cell, const double *x, double out[3])
{
    int first = s->cell_adr[cell], n = s->cell_adr[cell + 1] - first;
    memset(out, 0, 3 * sizeof *out);
    for (int k = 0; k < n; k++)
        vec_axpy(out, 1.0 / n, x + 3 * (size_t)s->cell_node[first + k]);
}

static bool mark_cells(const marker *k, const lithe_selection *where, int bit, int *out)
{
    const mesh_skeleton *s = k->skeleton;
    bool by_group = where->kind == LITHE_GROUP;
    const mesh_group *group = by_group ? mesh_find_group(s->mesh, where->group, 3) : NULL;
    for (int i = 0; group && i < group->nmember; i++)
        out[s->cell_of ? s->cell_of[group->member[i]] : group->member[i]] |= bit;
    for (int e = 0; e < k->n && !by_group; e++) {
        double middle[3];
        middle_of(s, e, k->x, middle);
        out[e] |= inside(where, middle, k->slack) ? bit : 0;
    }
    return !by_group || group;
}

int select_cells(const mesh_skeleton *s, const double *x, const lithe_selection *where, int *out)
{
    if (is_made_of_parts(where)) {
        marker k = {.n = s->ncell, .skeleton = s, .x = x};
        k.slack = MESH_SELECTED * extent(s->mesh, x);
        k.mark = mark_cells;
        return select_parts(&k, where, out);
    }
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
        double centroid[3];
        middle_of(s, e, x, centroid);
        if (inside(where, centroid, slack))
            out[count++] = e;
    }
    return count;
}
