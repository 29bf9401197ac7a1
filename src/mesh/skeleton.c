#include "mesh/skeleton.h"

#include "base/memory.h"
#include "mesh/sort.h"

#include <stdlib.h>
#include <string.h>

static const int tet10_pieces[8][4] = {{0, 4, 6, 7}, {4, 1, 5, 8}, {6, 5, 2, 9}, {7, 8, 9, 3},
                                       {6, 8, 4, 5}, {6, 8, 5, 9}, {6, 8, 9, 7}, {6, 8, 7, 4}};
static const int edge_corner[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
// normals outwards
static const int hex_face[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                   {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};

int skeleton_width(skeleton_cell kind)
{
    static const int width[SKELETON_NCELL] = {4, 10, 8};
    return width[kind];
}

static int pieces_of(skeleton_cell kind)
{
    static const int n[SKELETON_NCELL] = {1, 8, 6};
    return n[kind];
}

// The position of the least node, so that both neighbours of a face cut it along the same diagonal.
static int least(const int *node, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (node[i] < node[best])
            best = i;
    return best;
}

// Cones from the least node over the faces that do not have it; each face is cut from its own least
// node.
void skeleton_cut_hex(const int node[8], int tet[24])
{
    int apex = node[least(node, 8)];
    for (int f = 0; f < 6; f++) {
        int face[4];
        bool has = false;
        for (int i = 0; i < 4; i++) {
            face[i] = node[hex_face[f][i]];
            has = has || face[i] == apex;
        }
        if (has)
            continue;
        int first = least(face, 4);
        for (int k = 1; k < 3; k++, tet += 4) {
            tet[0] = apex;
            tet[1] = face[first];
            tet[2] = face[(first + k) % 4];
            tet[3] = face[(first + k + 1) % 4];
        }
    }
}

static void cut_cell(skeleton_cell kind, const int *node, int *tet)
{
    if (kind == SKELETON_HEX8)
        skeleton_cut_hex(node, tet);
    else if (kind == SKELETON_TET4)
        memcpy(tet, node, 4 * sizeof *tet);
    else
        for (int i = 0; i < 32; i++)
            tet[i] = node[tet10_pieces[i / 4][i % 4]];
}

typedef struct edge_entry {
    int low, high;
    int slot; // 6 tet + edge
} edge_entry;

static int compare_edge(const void *left, const void *right)
{
    const edge_entry *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->slot > b->slot) - (a->slot < b->slot);
}

// The edges of the linear tetrahedra, each once, ascending; middle: which one each slot has.
typedef struct edge_list {
    int n;
    int *corner; // (n x 2)
    int *middle; // (6 ntet)
} edge_list;

static lithe_status list_edges(const mesh *m, arena *memory, edge_list *out)
{
    size_t nslot = 6 * (size_t)m->ntet;
    edge_entry *entry = memory_alloc((nslot + 1) * sizeof *entry);
    out->middle = arena_new(memory, nslot, int);
    out->corner = arena_new(memory, 2 * nslot, int);
    if (!entry || !out->middle || !out->corner) {
        memory_free(entry);
        return LITHE_NO_MEMORY;
    }
    for (size_t i = 0; i < nslot; i++) {
        const int *tet = &m->tet[4 * (i / 6)];
        int a = tet[edge_corner[i % 6][0]], b = tet[edge_corner[i % 6][1]];
        entry[i] = (edge_entry){a < b ? a : b, a < b ? b : a, (int)i};
    }
    qsort(entry, nslot, sizeof *entry, compare_edge);
    out->n = 0;
    for (size_t i = 0; i < nslot; i++) {
        if (i == 0 || entry[i].low != entry[i - 1].low || entry[i].high != entry[i - 1].high) {
            out->corner[2 * out->n] = entry[i].low;
            out->corner[2 * out->n + 1] = entry[i].high;
            out->n++;
        }
        out->middle[entry[i].slot] = out->n - 1;
    }
    memory_free(entry);
    return LITHE_OK;
}

// Number of the edge; -1 if no tetrahedron has it.
static int find_edge(const edge_list *edges, int a, int b)
{
    int key[2] = {a < b ? a : b, a < b ? b : a};
    for (int low = 0, high = edges->n; low < high;) {
        int at = low + (high - low) / 2;
        int order = order_compare(&edges->corner[2 * at], key, 2);
        if (order == 0)
            return at;
        if (order < 0)
            low = at + 1;
        else
            high = at;
    }
    return -1;
}

static bool copy_groups(const mesh *m, mesh *out)
{
    out->ngroup = m->ngroup;
    out->group = arena_new(&out->memory, m->ngroup, mesh_group);
    for (int g = 0; out->group && g < m->ngroup; g++)
        out->group[g] = m->group[g];
    return out->group;
}

static bool raise_nodes(const mesh *m, const edge_list *edges, mesh *out)
{
    out->nnode = m->nnode + edges->n;
    out->x = arena_new(&out->memory, 3 * (size_t)out->nnode, double);
    if (!out->x)
        return false;
    memcpy(out->x, m->x, 3 * (size_t)m->nnode * sizeof *m->x);
    for (int i = 0; i < 3 * edges->n; i++) {
        const int *corner = &edges->corner[2 * (i / 3)];
        out->x[3 * m->nnode + i] =
            0.5 * (m->x[3 * corner[0] + i % 3] + m->x[3 * corner[1] + i % 3]);
    }
    return true;
}

static bool raise_tets(const mesh *m, const edge_list *edges, mesh *out)
{
    mesh_cells *cells = &out->other[MESH_TET10];
    cells->n = m->ntet;
    cells->node = arena_new(&out->memory, 10 * (size_t)m->ntet, int);
    if (!cells->node)
        return false;
    for (int e = 0; e < m->ntet; e++)
        for (int a = 0; a < 10; a++)
            cells->node[10 * e + a] =
                a < 4 ? m->tet[4 * e + a] : m->nnode + edges->middle[6 * e + a - 4];
    return true;
}

// Triangles whose edges are all edges of tetrahedra become four; others stay, and match nothing.
static bool raise_triangles(const mesh *m, const edge_list *edges, mesh *out, int *first)
{
    static const int cut[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};
    out->tri = arena_new(&out->memory, 12 * (size_t)m->ntri, int);
    if (!out->tri)
        return false;
    for (int t = 0; t < m->ntri; t++) {
        int node[6];
        bool whole = true;
        first[t] = out->ntri;
        for (int i = 0; i < 3; i++) {
            node[i] = m->tri[3 * t + i];
            int edge = find_edge(edges, node[i], m->tri[3 * t + (i + 1) % 3]);
            node[3 + i] = m->nnode + edge;
            whole = whole && edge >= 0;
        }
        for (int k = 0; k < (whole ? 4 : 1); k++, out->ntri++)
            for (int i = 0; i < 3; i++)
                out->tri[3 * out->ntri + i] = node[whole ? cut[k][i] : i];
    }
    first[m->ntri] = out->ntri;
    return true;
}

// Groups of nodes take in the middles between their nodes; groups of triangles their pieces.
static bool raise_group(const mesh *m, const edge_list *edges, const int *first, mesh *out,
                        mesh_group *group, int *flag)
{
    size_t most = group->dim == 0 ? (size_t)out->nnode : (size_t)out->ntri;
    int *member = arena_new(&out->memory, most, int), n = 0;
    if (!member)
        return false;
    if (group->dim == 2)
        for (int i = 0; i < group->nmember; i++)
            for (int t = first[group->member[i]]; t < first[group->member[i] + 1]; t++)
                member[n++] = t;
    else {
        memset(flag, 0, (size_t)m->nnode * sizeof *flag);
        for (int i = 0; i < group->nmember; i++) {
            member[n++] = group->member[i];
            flag[group->member[i]] = 1;
        }
        for (int i = 0; i < edges->n; i++)
            if (flag[edges->corner[2 * i]] && flag[edges->corner[2 * i + 1]])
                member[n++] = m->nnode + i;
    }
    group->member = member;
    group->nmember = n;
    return true;
}

// A mesh with a tet10 in the place of every tet4; there are no volumes of other kinds before it in
// the order, so groups of volumes stay as they are.
static lithe_status raise(const mesh *m, mesh *out)
{
    arena scratch = {0};
    edge_list edges = {0};
    int *first = arena_new(&scratch, m->ntri + 1, int), *flag = arena_new(&scratch, m->nnode, int);
    bool good = first && flag && list_edges(m, &scratch, &edges) == LITHE_OK &&
                raise_nodes(m, &edges, out) && raise_tets(m, &edges, out) &&
                raise_triangles(m, &edges, out, first) && copy_groups(m, out);
    for (int g = 0; good && g < out->ngroup; g++)
        if (out->group[g].dim != 3)
            good = raise_group(m, &edges, first, out, &out->group[g], flag);
    for (int kind = MESH_TET10 + 1; good && kind < MESH_NKIND; kind++)
        out->other[kind] = m->other[kind];
    arena_free(&scratch);
    return good ? LITHE_OK : LITHE_NO_MEMORY;
}

static skeleton_cell kind_of(const mesh *m, int volume)
{
    if (volume < m->ntet)
        return SKELETON_TET4;
    return volume < m->ntet + m->other[MESH_TET10].n ? SKELETON_TET10 : SKELETON_HEX8;
}

// Cells of the mesh as they are, and the tetrahedra that they are cut into.
static lithe_status cut_cells(const mesh *m, mesh_skeleton *s, int **cell_of)
{
    s->ncell = m->ntet + m->other[MESH_TET10].n + m->other[MESH_HEX8].n;
    s->kind = arena_new(&s->memory, s->ncell, unsigned char);
    s->cell_adr = arena_new(&s->memory, s->ncell + 1, int);
    if (!s->kind || !s->cell_adr)
        return LITHE_NO_MEMORY;
    int ntet = 0;
    for (int e = 0; e < s->ncell; e++) {
        s->kind[e] = (unsigned char)kind_of(m, e);
        s->cell_adr[e + 1] = s->cell_adr[e] + skeleton_width(kind_of(m, e));
        ntet += pieces_of(kind_of(m, e));
    }
    s->cell_node = arena_new(&s->memory, s->cell_adr[s->ncell], int);
    s->own->tet = arena_new(&s->own->memory, 4 * (size_t)ntet, int);
    *cell_of = arena_new(&s->memory, ntet, int);
    if (!s->cell_node || !s->own->tet || !*cell_of)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < s->ncell; e++) {
        int width, piece = pieces_of(kind_of(m, e));
        const int *node = mesh_volume(m, e, &width);
        memcpy(&s->cell_node[s->cell_adr[e]], node, (size_t)width * sizeof *node);
        cut_cell(kind_of(m, e), node, &s->own->tet[4 * (size_t)s->own->ntet]);
        for (int i = 0; i < piece; i++)
            (*cell_of)[s->own->ntet++] = e;
    }
    s->cell_of = *cell_of;
    return LITHE_OK;
}

// Groups of volumes become groups of their tetrahedra.
static lithe_status cut_groups(mesh_skeleton *s)
{
    for (int g = 0; g < s->own->ngroup; g++) {
        mesh_group *group = &s->own->group[g];
        if (group->dim != 3)
            continue;
        int *member = arena_new(&s->own->memory, s->own->ntet, int), n = 0;
        if (!member)
            return LITHE_NO_MEMORY;
        for (int t = 0, i = 0; t < s->own->ntet && i < group->nmember; t++) {
            while (i < group->nmember && group->member[i] < s->cell_of[t])
                i++;
            if (i < group->nmember && group->member[i] == s->cell_of[t])
                member[n++] = t;
        }
        group->member = member;
        group->nmember = n;
    }
    return LITHE_OK;
}

static lithe_status build(const mesh *m, skeleton_wish wish, mesh_skeleton *s)
{
    s->own = memory_alloc(sizeof *s->own);
    if (!s->own)
        return LITHE_NO_MEMORY;
    memset(s->own, 0, sizeof *s->own);
    int *cell_of = NULL;
    if (wish == SKELETON_QUADRATIC && m->ntet > 0) {
        LITHE_TRY(raise(m, s->own));
    } else {
        s->own->nnode = m->nnode;
        s->own->x = m->x;
        s->own->ntri = m->ntri;
        s->own->tri = m->tri;
        if (!copy_groups(m, s->own))
            return LITHE_NO_MEMORY;
        memcpy(s->own->other, m->other, sizeof m->other);
    }
    mesh volumes = *s->own; // tet4 only where they were not raised
    if (!(wish == SKELETON_QUADRATIC && m->ntet > 0)) {
        volumes.ntet = m->ntet;
        volumes.tet = m->tet;
    }
    LITHE_TRY(cut_cells(&volumes, s, &cell_of));
    memset(s->own->other, 0, sizeof s->own->other);
    return cut_groups(s);
}

// Every tetrahedron is a cell of its own.
static lithe_status number_tets(mesh_skeleton *s)
{
    const mesh *m = s->mesh;
    s->ncell = m->ntet;
    s->cell_of = NULL;
    s->cell_node = m->tet;
    s->kind = arena_new(&s->memory, m->ntet, unsigned char);
    s->cell_adr = arena_new(&s->memory, m->ntet + 1, int);
    if (!s->kind || !s->cell_adr)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < m->ntet; e++)
        s->cell_adr[e + 1] = 4 * (e + 1);
    return LITHE_OK;
}

lithe_status skeleton_create(const lithe_mesh *m, skeleton_wish wish, mesh_skeleton *out)
{
    *out = (mesh_skeleton){.mesh = m};
    bool linear = mesh_find_other(m) == MESH_NKIND;
    lithe_status status = LITHE_OK;
    if (!linear || wish == SKELETON_QUADRATIC) {
        status = build(m, wish, out);
        out->mesh = out->own;
    }
    if (status == LITHE_OK && (linear ? wish != SKELETON_QUADRATIC : wish == SKELETON_LINEAR))
        status = number_tets(out);
    if (status != LITHE_OK)
        skeleton_free(out);
    return status;
}

void skeleton_free(mesh_skeleton *s)
{
    lithe_mesh_free(s->own);
    arena_free(&s->memory);
    *s = (mesh_skeleton){0};
}
