#include "mesh/surface.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/pieces.h"
#include "mesh/sort.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const int surface_face_node[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

typedef struct face_count {
    int nfree;    // of one tetrahedron
    int noverlap; // of two that lie on the same side of it
} face_count;

typedef struct face_entry {
    int node[3]; // ascending
    int face;    // 4 tet + face of it
} face_entry;

static int compare_face(const void *left, const void *right)
{
    const face_entry *a = left;
    const face_entry *b = right;
    int order = order_compare(a->node, b->node, 3);
    return order ? order : order_compare(&a->face, &b->face, 1);
}

static bool same_face(const face_entry *a, const face_entry *b)
{
    return memcmp(a->node, b->node, sizeof a->node) == 0;
}

static void list_faces(const mesh *m, face_entry *entry)
{
    for (int f = 0; f < 4 * m->ntet; f++) {
        const int *tet = m->tet + 4 * (size_t)(f / 4);
        for (int i = 0; i < 3; i++)
            entry[f].node[i] = tet[surface_face_node[f % 4][i]];
        order_nodes(entry[f].node, 3);
        entry[f].face = f;
    }
    qsort(entry, 4 * (size_t)m->ntet, sizeof *entry, compare_face);
}

// True if the two tetrahedra lie on the same side of their common face: well-made neighbours see it
// in opposite directions.
static bool overlap(const mesh *m, int face, int other)
{
    const int *tet = m->tet + 4 * (size_t)(face / 4);
    const int *tet2 = m->tet + 4 * (size_t)(other / 4);
    const int *f = surface_face_node[face % 4];
    const int *f2 = surface_face_node[other % 4];
    for (int k = 0; k < 3; k++)
        if (tet2[f2[k]] == tet[f[0]])
            return tet2[f2[(k + 1) % 3]] == tet[f[1]];
    return false;
}

// Leaves in `free` the faces that only one tetrahedron has, ascending.
static lithe_status find_free_faces(const mesh *m, const face_entry *entry, face_count *count,
                                    int *free, lithe_report *report)
{
    int nface = 4 * m->ntet;
    *count = (face_count){0};
    for (int i = 0, next; i < nface; i = next) {
        for (next = i + 1; next < nface && same_face(&entry[i], &entry[next]);)
            next++;
        if (next - i > 2)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "tetrahedra %d, %d and %d (the first is 0) share the face of nodes "
                              "%d %d %d, which has only two sides; mesh the part again",
                              entry[i].face / 4, entry[i + 1].face / 4, entry[i + 2].face / 4,
                              entry[i].node[0], entry[i].node[1], entry[i].node[2]);
        if (next - i == 1)
            free[count->nfree++] = entry[i].face;
        else
            count->noverlap += overlap(m, entry[i].face, entry[i + 1].face);
    }
    qsort(free, (size_t)count->nfree, sizeof *free, order_int);
    return LITHE_OK;
}

static lithe_status copy_faces(const mesh *m, int nfree, const int *free, arena *memory,
                               mesh_boundary *out)
{
    out->ntri = nfree;
    out->tri = arena_new(memory, 3 * (size_t)nfree, int);
    out->tet = arena_new(memory, nfree, int);
    if (!out->tri || !out->tet)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < nfree; i++) {
        out->tet[i] = free[i] / 4;
        for (int k = 0; k < 3; k++)
            out->tri[3 * i + k] =
                m->tet[4 * (size_t)out->tet[i] + surface_face_node[free[i] % 4][k]];
    }
    return LITHE_OK;
}

static lithe_status find_triangles(const mesh *m, arena *memory, mesh_boundary *out,
                                   face_count *count, lithe_report *report)
{
    size_t nface = 4 * (size_t)m->ntet;
    face_entry *entry = memory_alloc(nface * sizeof *entry);
    int *free = memory_alloc(nface * sizeof *free);
    lithe_status status = entry && free ? LITHE_OK : LITHE_NO_MEMORY;
    if (status == LITHE_OK) {
        list_faces(m, entry);
        status = find_free_faces(m, entry, count, free, report);
    }
    if (status == LITHE_OK)
        status = copy_faces(m, count->nfree, free, memory, out);
    memory_free(entry);
    memory_free(free);
    return status;
}

// Only what there is: tetrahedra may overlap round an edge without sharing a face, and the other
// way.
static void notice_folds(const face_count *count, int nflipped, int ntri, lithe_report *report)
{
    char faces[96] = "", flipped[96] = "";
    if (count->noverlap > 0)
        snprintf(faces, sizeof faces, "at %d inner face%s both tetrahedra lie on the same side",
                 count->noverlap, count->noverlap == 1 ? "" : "s");
    if (nflipped > 0)
        snprintf(flipped, sizeof flipped,
                 "%d of %d boundary triangles had to be turned to agree with their neighbours",
                 nflipped, ntri);
    if (faces[0] || flipped[0])
        report_notice(report,
                      "the mesh folds over itself: %s%s%s; material there counts twice, so mesh "
                      "again if it matters",
                      faces, faces[0] && flipped[0] ? ", and " : "", flipped);
}

lithe_status mesh_find_boundary(const mesh *m, const double *x, arena *memory, mesh_boundary *out,
                                lithe_report *report)
{
    face_count count;
    int nflipped = 0;
    *out = (mesh_boundary){0};
    lithe_status status = find_triangles(m, memory, out, &count, report);
    if (status == LITHE_OK)
        status = pieces_find(x, memory, out, &nflipped);
    if (status == LITHE_OK)
        status = pieces_find_cavities(x, memory, out);
    if (status == LITHE_OK)
        notice_folds(&count, nflipped, out->ntri, report);
    return status == LITHE_NO_MEMORY ? report_no_memory(report, "the boundary of a mesh") : status;
}

lithe_status mesh_find_neighbours(const mesh *m, int *neighbour, bool *folded)
{
    size_t nface = 4 * (size_t)m->ntet;
    face_entry *entry = memory_alloc(nface * sizeof *entry);
    if (!entry)
        return LITHE_NO_MEMORY;
    list_faces(m, entry);
    memset(folded, 0, (size_t)m->ntet * sizeof *folded);
    for (size_t i = 0; i < nface; i++)
        neighbour[i] = -1;
    for (size_t i = 1; i < nface; i++) {
        int a = entry[i - 1].face;
        int b = entry[i].face;
        if (!same_face(&entry[i - 1], &entry[i]))
            continue;
        neighbour[a] = b / 4;
        neighbour[b] = a / 4;
        if (overlap(m, a, b))
            folded[a / 4] = folded[b / 4] = true;
    }
    memory_free(entry);
    return LITHE_OK;
}

// True if the triangles have the same nodes, run in the same direction.
static bool same_way(const int a[3], const int b[3])
{
    for (int k = 0; k < 3; k++)
        if (b[k] == a[0])
            return b[(k + 1) % 3] == a[1];
    return false;
}

static face_entry triangle_entry(const int tri[3], int index)
{
    face_entry entry = {{tri[0], tri[1], tri[2]}, index};
    order_nodes(entry.node, 3);
    return entry;
}

static int compare_nodes(const void *left, const void *right)
{
    return order_compare(((const face_entry *)left)->node, ((const face_entry *)right)->node, 3);
}

static void compare_triangles(const mesh *m, const mesh_boundary *b, const face_entry *outer,
                              const face_entry *face, int *way)
{
    for (int i = 0; i < m->ntri; i++) {
        face_entry key = triangle_entry(m->tri + 3 * (size_t)i, i);
        const face_entry *found =
            b->ntri ? bsearch(&key, outer, (size_t)b->ntri, sizeof key, compare_nodes) : NULL;
        if (found)
            way[i] = same_way(m->tri + 3 * (size_t)i, b->tri + 3 * (size_t)found->face)
                         ? SURFACE_OUTWARD
                         : SURFACE_INWARD;
        else
            way[i] = bsearch(&key, face, 4 * (size_t)m->ntet, sizeof key, compare_nodes)
                         ? SURFACE_INSIDE
                         : SURFACE_STRAY;
    }
}

lithe_status surface_compare(const mesh *m, const mesh_boundary *boundary, int *way)
{
    face_entry *outer = memory_alloc(((size_t)boundary->ntri + 1) * sizeof *outer);
    face_entry *face = memory_alloc((4 * (size_t)m->ntet + 1) * sizeof *face);
    bool enough = outer && face;
    if (enough) {
        for (int i = 0; i < boundary->ntri; i++)
            outer[i] = triangle_entry(boundary->tri + 3 * (size_t)i, i);
        qsort(outer, (size_t)boundary->ntri, sizeof *outer, compare_face);
        list_faces(m, face);
        compare_triangles(m, boundary, outer, face, way);
    }
    memory_free(outer);
    memory_free(face);
    return enough ? LITHE_OK : LITHE_NO_MEMORY;
}

typedef struct edge_entry {
    int low, high;
    int way; // +1: from low to high
} edge_entry;

static int compare_edge(const void *left, const void *right)
{
    const edge_entry *a = left;
    const edge_entry *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return a->way - b->way;
}

static void list_edges(int ntri, const int *tri, edge_entry *entry)
{
    for (size_t i = 0; i < 3 * (size_t)ntri; i++) {
        int a = tri[i];
        int b = tri[i % 3 == 2 ? i - 2 : i + 1];
        entry[i] = a < b ? (edge_entry){a, b, 1} : (edge_entry){b, a, -1};
    }
    qsort(entry, 3 * (size_t)ntri, sizeof *entry, compare_edge);
}

lithe_status surface_is_closed(int ntri, const int *tri, bool *closed, int edge[2])
{
    size_t n = 3 * (size_t)ntri;
    edge_entry *entry = memory_alloc(n * sizeof *entry);
    edge[0] = edge[1] = -1;
    if (!entry)
        return LITHE_NO_MEMORY;
    list_edges(ntri, tri, entry);
    *closed = ntri > 0;
    for (size_t i = 0, next; i < n && *closed; i = next) {
        for (next = i + 1;
             next < n && entry[next].low == entry[i].low && entry[next].high == entry[i].high;)
            next++;
        *closed = next - i == 2 && entry[i].way != entry[i + 1].way;
        edge[0] = entry[i].low;
        edge[1] = entry[i].high;
    }
    memory_free(entry);
    return LITHE_OK;
}

// The sum of the signed tetrahedra from one node of the surface to its triangles, which is the
// divergence theorem; a node of its own keeps it accurate far from the origin.
double surface_volume(int ntri, const int *tri, const double *x)
{
    double six = 0;
    for (int i = 0; i < ntri; i++) {
        double a[3], b[3], c[3];
        vec_sub(a, x + 3 * (size_t)tri[3 * i], x + 3 * (size_t)tri[0]);
        vec_sub(b, x + 3 * (size_t)tri[3 * i + 1], x + 3 * (size_t)tri[0]);
        vec_sub(c, x + 3 * (size_t)tri[3 * i + 2], x + 3 * (size_t)tri[0]);
        six += vec_triple(a, b, c);
    }
    return six / 6;
}

// Half the solid angle of a triangle seen from the origin:
// tan(omega/2) = a.(b x c) / (|a||b||c| + (a.b)|c| + (b.c)|a| + (c.a)|b|) [oosterom1983].
static double half_solid_angle(const double a[3], const double b[3], const double c[3])
{
    double la = vec_norm(a);
    double lb = vec_norm(b);
    double lc = vec_norm(c);
    double below = la * lb * lc + vec_dot(a, b) * lc + vec_dot(b, c) * la + vec_dot(c, a) * lb;
    return atan2(vec_triple(a, b, c), below);
}

bool surface_encloses(int ntri, const int *tri, const double *x, const double point[3])
{
    double half = 0;
    for (int i = 0; i < ntri; i++) {
        double r[3][3];
        for (int k = 0; k < 3; k++)
            vec_sub(r[k], x + 3 * (size_t)tri[3 * i + k], point);
        half += half_solid_angle(r[0], r[1], r[2]);
    }
    return fabs(half) > acos(-1.0); // 2 pi each time the surface goes round the point
}
