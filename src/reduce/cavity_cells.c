#include "reduce/cavity_cells.h"

#include <string.h>

// The frame that carries a node most.
static int frame_of(const beam_map *m, int node)
{
    int best = m->side_adr[node];
    for (int k = best; k < m->side_adr[node + 1]; k++)
        best = m->side[k].weight > m->side[best].weight ? k : best;
    return m->side[best].frame;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Nodes of one part of the wall have the same root, its first one.
static void find_parts(const face_set *s, int nnode, int *part)
{
    for (int i = 0; i < nnode; i++)
        part[i] = i;
    for (int i = 0; i < 3 * s->ntri; i++) {
        int a = root_of(part, s->tri[i]), b = root_of(part, s->tri[i / 3 * 3]);
        part[a > b ? a : b] = a < b ? a : b;
    }
    for (int i = 0; i < nnode; i++)
        part[i] = root_of(part, i);
}

// A point for every frame of every part, in the order in which nodes need them.
static void number_points(const beam_map *m, int nnode, const int *part, int *number,
                          cavity_cells *out)
{
    for (int i = 0; i < nnode; i++) {
        if (out->label[i] < 0)
            continue;
        int *own = &number[(size_t)out->label[i] * (size_t)m->nframe + (size_t)frame_of(m, i)];
        if (*own < 0) {
            *own = out->npoint++;
            out->first[*own] = part[i] == i ? *own : out->label[part[i]];
        }
        out->label[i] = *own;
    }
}

static void list_nodes(int nnode, int n, cavity_cells *out)
{
    for (int i = 0; i < nnode; i++)
        if (out->label[i] >= 0)
            out->adr[out->label[i] + 1]++;
    for (int k = 0; k < out->npoint; k++)
        out->adr[k + 1] += out->adr[k];
    for (int i = nnode - 1; i >= 0; i--)
        if (out->label[i] >= 0)
            out->node[--out->adr[out->label[i] + 1]] = i;
    memmove(out->adr, out->adr + 1, (size_t)out->npoint * sizeof *out->adr);
    out->adr[out->npoint] = n;
}

lithe_status cells_open(const row_shell *shell, const body *b, const beam_map *m, arena *memory,
                        cavity_cells *out)
{
    int nnode = b->nnode, npart = 0, n = 0;
    *out = (cavity_cells){.face = &shell->face};
    int *part = arena_new(memory, nnode, int);
    out->label = arena_new(memory, nnode, int);
    if (!part || !out->label)
        return LITHE_NO_MEMORY;
    find_parts(&shell->face, nnode, part);
    for (int i = 0; i < nnode; i++)
        out->label[i] = -1;
    for (int i = 0; i < 3 * shell->face.ntri; i++)
        out->label[shell->face.tri[i]] = 0;
    for (int i = 0; i < nnode; i++) // as yet, of the part
        if (out->label[i] >= 0) {
            out->label[i] = part[i] == i ? npart++ : out->label[part[i]];
            n++;
        }
    size_t most = (size_t)npart * (size_t)m->nframe;
    int *number = arena_new(memory, most, int);
    out->first = arena_new(memory, most, int);
    out->adr = arena_new(memory, most + 1, int);
    out->node = arena_new(memory, n, int);
    if (!number || !out->first || !out->adr || !out->node)
        return LITHE_NO_MEMORY;
    for (size_t i = 0; i < most; i++)
        number[i] = -1;
    number_points(m, nnode, part, number, out);
    list_nodes(nnode, n, out);
    return LITHE_OK;
}

static void swap(int *a, int *b, double *sign)
{
    int before = *a;
    *a = *b;
    *b = before;
    *sign = -*sign;
}

// V = T[a, b, c] - T[a, b, pb] + T[a, pa, pb] - T[first, pa, pb] with a < b < c and their points
// pa, pb and pc; T: det(corners - pc) / 6. Those with a corner twice are nothing.
int cells_of(const cavity_cells *c, int triangle, cell_tet out[CELL_TETS])
{
    const int *tri = &c->face->tri[3 * triangle];
    int v[3] = {tri[0], tri[1], tri[2]}, p[3], n = 0;
    double sign = 1;
    if (v[0] > v[1])
        swap(&v[0], &v[1], &sign);
    if (v[1] > v[2])
        swap(&v[1], &v[2], &sign);
    if (v[0] > v[1])
        swap(&v[0], &v[1], &sign);
    for (int i = 0; i < 3; i++)
        p[i] = c->label[v[i]];
    bool apart = p[0] != p[1] && p[1] != p[2] && p[0] != p[2];
    int first = c->first[p[0]];
    out[n++] = (cell_tet){p[2], {v[0], v[1], v[2]}, sign};
    if (p[1] != p[2])
        out[n++] = (cell_tet){p[2], {v[0], v[1], ~p[1]}, -sign};
    if (apart)
        out[n++] = (cell_tet){p[2], {v[0], ~p[0], ~p[1]}, sign};
    if (apart && first != p[0] && first != p[1] && first != p[2])
        out[n++] = (cell_tet){p[2], {~first, ~p[0], ~p[1]}, -sign};
    return n;
}
