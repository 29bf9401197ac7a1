#include "io/skin.h"

#include "base/memory.h"
#include "base/status.h"

#include <string.h>

enum { VTK_TRIANGLE = 5, VTK_TETRA = 10, VTK_HEXAHEDRON = 12, VTK_TETRA10 = 24, SIDES_MAX = 6 };

// A side of a cell: its corners, by which it is recognized, and the triangles that draw it, all as
// nodes of the cell. Normals point outwards.
typedef struct side {
    int ncorner, ntri;
    int corner[4];
    int tri[4][3];
} side;

typedef struct cell {
    int type; // as VTK numbers it
    int nside;
    side side[SIDES_MAX];
} cell;

#define TRIANGLE(a, b, c)                                                                          \
    {                                                                                              \
        3, 1, {a, b, c},                                                                           \
        {                                                                                          \
            {                                                                                      \
                a, b, c                                                                            \
            }                                                                                      \
        }                                                                                          \
    }
#define SQUARE(a, b, c, d)                                                                         \
    {                                                                                              \
        4, 2, {a, b, c, d},                                                                        \
        {                                                                                          \
            {a, b, c},                                                                             \
            {                                                                                      \
                a, c, d                                                                            \
            }                                                                                      \
        }                                                                                          \
    }
#define CURVED(a, b, c, m, n, o)                                                                   \
    {                                                                                              \
        3, 4, {a, b, c},                                                                           \
        {                                                                                          \
            {a, m, o}, {m, b, n}, {o, n, c},                                                       \
            {                                                                                      \
                m, n, o                                                                            \
            }                                                                                      \
        }                                                                                          \
    }

static const cell CELLS[] = {
    {VTK_TRIANGLE, 1, {TRIANGLE(0, 1, 2)}},
    {VTK_TETRA, 4, {TRIANGLE(0, 2, 1), TRIANGLE(0, 1, 3), TRIANGLE(1, 2, 3), TRIANGLE(0, 3, 2)}},
    {VTK_TETRA10,
     4,
     {CURVED(0, 2, 1, 6, 5, 4), CURVED(0, 1, 3, 4, 8, 7), CURVED(1, 2, 3, 5, 9, 8),
      CURVED(0, 3, 2, 7, 9, 6)}},
    {VTK_HEXAHEDRON,
     6,
     {SQUARE(0, 3, 2, 1), SQUARE(4, 5, 6, 7), SQUARE(0, 1, 5, 4), SQUARE(1, 2, 6, 5),
      SQUARE(2, 3, 7, 6), SQUARE(3, 0, 4, 7)}},
};
enum { NCELL = sizeof CELLS / sizeof *CELLS };

// NULL: it has no surface to draw.
static const cell *cell_of(const lithe_model *m, int element)
{
    for (int i = 0; i < NCELL; i++)
        if (CELLS[i].type == lithe_element_cell(m)[element])
            return &CELLS[i];
    return NULL;
}

// A face, filed under its smallest node.
typedef struct face {
    int low, rest[3]; // its corners in order; -1 for a fourth that it does not have
    int element;
    const side *side;
    bool shared;
} face;

typedef struct faces {
    int nnode, n;
    int *adr; // first face of each node (nnode + 1)
    face *face;
} faces;

static const int *nodes_of(const lithe_model *m, int element)
{
    return lithe_element_node(m) + lithe_element_start(m)[element];
}

static face make_face(const lithe_model *m, int element, const side *s)
{
    int sorted[4];
    for (int i = 0; i < s->ncorner; i++) {
        int node = nodes_of(m, element)[s->corner[i]], at = i;
        for (; at > 0 && sorted[at - 1] > node; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = node;
    }
    return (face){.low = sorted[0],
                  .rest = {sorted[1], sorted[2], s->ncorner == 4 ? sorted[3] : -1},
                  .element = element,
                  .side = s};
}

// Two faces with the same corners hide each other.
static void file_face(faces *all, int *count, face f)
{
    int first = all->adr[f.low];
    for (int i = first; i < first + count[f.low]; i++)
        if (memcmp(all->face[i].rest, f.rest, sizeof f.rest) == 0) {
            all->face[i].shared = true;
            f.shared = true;
        }
    all->face[first + count[f.low]++] = f;
}

static void find_faces(const lithe_model *m, faces *all, int *count)
{
    for (int e = 0; e < lithe_nelement(m); e++) {
        const cell *c = cell_of(m, e);
        for (int i = 0; c && i < c->nside; i++)
            all->adr[make_face(m, e, &c->side[i]).low + 1]++;
    }
    for (int i = 0; i < all->nnode; i++)
        all->adr[i + 1] += all->adr[i];
    all->n = all->adr[all->nnode];
    for (int e = 0; e < lithe_nelement(m); e++) {
        const cell *c = cell_of(m, e);
        for (int i = 0; c && i < c->nside; i++)
            file_face(all, count, make_face(m, e, &c->side[i]));
    }
}

// In the order of elements, so that neighbours in the mesh are neighbours in the list.
static lithe_status take_outer(const lithe_model *m, const faces *all, arena *memory, int *vertex,
                               skin *out)
{
    size_t nelement = (size_t)lithe_nelement(m);
    int *first = memory_alloc((nelement + 1) * sizeof *first);
    if (!first)
        return LITHE_NO_MEMORY;
    memset(first, 0, (nelement + 1) * sizeof *first);
    for (int i = 0; i < all->n; i++)
        first[all->face[i].element + 1] += all->face[i].shared ? 0 : all->face[i].side->ntri;
    for (size_t e = 0; e < nelement; e++)
        first[e + 1] += first[e];
    out->ntri = first[nelement];
    out->tri = arena_new(memory, 3 * (size_t)out->ntri + 1, int);
    out->element = arena_new(memory, (size_t)out->ntri + 1, int);
    for (int i = 0; i < all->n && out->tri && out->element; i++) {
        const face *f = &all->face[i];
        for (int t = 0; !f->shared && t < f->side->ntri; t++) {
            int at = first[f->element]++;
            out->element[at] = f->element;
            for (int k = 0; k < 3; k++) {
                int node = nodes_of(m, f->element)[f->side->tri[t][k]];
                out->tri[3 * at + k] = node;
                vertex[node] = 0;
            }
        }
    }
    memory_free(first);
    return out->tri && out->element ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status number_vertices(int nnode, arena *memory, int *vertex, skin *out)
{
    for (int i = 0; i < nnode; i++)
        out->nvertex += vertex[i] == 0;
    out->node = arena_new(memory, (size_t)out->nvertex + 1, int);
    if (!out->node)
        return LITHE_NO_MEMORY;
    for (int i = 0, v = 0; i < nnode; i++)
        if (vertex[i] == 0) {
            out->node[v] = i;
            vertex[i] = v++;
        }
    for (int i = 0; i < 3 * out->ntri; i++)
        out->tri[i] = vertex[out->tri[i]];
    return LITHE_OK;
}

static lithe_status find_around(const lithe_model *m, arena *memory, const int *vertex, skin *out)
{
    const int *adr = lithe_element_start(m), *node = lithe_element_node(m);
    int nelement = lithe_nelement(m);
    out->adr = arena_new(memory, (size_t)out->nvertex + 2, int);
    if (!out->adr)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < adr[nelement]; i++)
        if (vertex[node[i]] >= 0)
            out->adr[vertex[node[i]] + 2]++;
    for (int v = 0; v < out->nvertex; v++)
        out->adr[v + 2] += out->adr[v + 1];
    out->around = arena_new(memory, (size_t)out->adr[out->nvertex + 1] + 1, int);
    if (!out->around)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < nelement; e++)
        for (int i = adr[e]; i < adr[e + 1]; i++)
            if (vertex[node[i]] >= 0)
                out->around[out->adr[vertex[node[i]] + 1]++] = e;
    return LITHE_OK;
}

static lithe_status find_with(const lithe_model *m, arena *memory, faces *all, int *count,
                              int *vertex, skin *out)
{
    memset(all->adr, 0, ((size_t)all->nnode + 1) * sizeof *all->adr);
    memset(count, 0, (size_t)all->nnode * sizeof *count);
    for (int i = 0; i < all->nnode; i++)
        vertex[i] = -1;
    find_faces(m, all, count);
    LITHE_TRY(take_outer(m, all, memory, vertex, out));
    LITHE_TRY(number_vertices(all->nnode, memory, vertex, out));
    return find_around(m, memory, vertex, out);
}

lithe_status skin_find(const lithe_model *m, arena *memory, skin *out, lithe_report *report)
{
    size_t nnode = (size_t)lithe_nnode(m), nface = SIDES_MAX * (size_t)lithe_nelement(m);
    faces all = {.nnode = (int)nnode,
                 .adr = memory_alloc((nnode + 1) * sizeof(int)),
                 .face = memory_alloc((nface + 1) * sizeof(face))};
    int *count = memory_alloc((nnode + 1) * sizeof *count);
    int *vertex = memory_alloc((nnode + 1) * sizeof *vertex);
    lithe_status status = LITHE_NO_MEMORY;
    *out = (skin){0};
    if (all.adr && all.face && count && vertex)
        status = find_with(m, memory, &all, count, vertex, out);
    memory_free(all.adr);
    memory_free(all.face);
    memory_free(count);
    memory_free(vertex);
    return status == LITHE_OK ? LITHE_OK : report_no_memory(report, "the robot's surface");
}

void skin_average(const skin *k, const double *element, float *vertex)
{
    for (int v = 0; v < k->nvertex; v++) {
        double sum = 0;
        for (int i = k->adr[v]; i < k->adr[v + 1]; i++)
            sum += element[k->around[i]];
        int n = k->adr[v + 1] - k->adr[v];
        vertex[v] = (float)(n > 0 ? sum / n : 0);
    }
}
