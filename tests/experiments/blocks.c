#include "blocks.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1 << 18, MOST_NODES = SLOTS / 2, MOST_CORNERS = 10 };

struct blocks {
    blocks_kind kind;
    bool full; // nodes or cells were left out
    int nnode;
    double node[MOST_NODES][3];
    int slot[SLOTS]; // node + 1, found by its position
    int ncell, room;
    int (*cell)[MOST_CORNERS];
};

// The block whose cells are being made.
typedef struct patch {
    const int *cells;
    bool collapsed;
    blocks_map map;
    const void *shape;
} patch;

typedef int corner[3]; // of a cell, in half cells

blocks *blocks_create(blocks_kind kind)
{
    blocks *b = calloc(1, sizeof *b);
    if (b)
        b->kind = kind;
    return b;
}

void blocks_free(blocks *b)
{
    if (b)
        free(b->cell);
    free(b);
}

// The node at a position, made if it is new. Positions that round to the same hundred-thousandth
// are one.
static int node_at(blocks *b, const double at[3])
{
    int64_t key[3];
    uint64_t hash = 1469598103934665603u;
    for (int i = 0; i < 3; i++) {
        key[i] = llround(1e5 * at[i]);
        hash = (hash ^ (uint64_t)key[i]) * 1099511628211u;
        hash ^= hash >> 29;
    }
    for (size_t k = hash % SLOTS;; k = (k + 1) % SLOTS) {
        int i = b->slot[k] - 1;
        if (i >= 0 && llround(1e5 * b->node[i][0]) == key[0] &&
            llround(1e5 * b->node[i][1]) == key[1] && llround(1e5 * b->node[i][2]) == key[2])
            return i;
        if (i >= 0)
            continue;
        if (b->nnode == MOST_NODES) {
            b->full = true;
            return 0;
        }
        memcpy(b->node[b->nnode], at, sizeof b->node[0]);
        b->slot[k] = b->nnode + 1;
        return b->nnode++;
    }
}

static void position_of(const patch *p, const corner c, double at[3])
{
    double u[3];
    for (int i = 0; i < 3; i++)
        u[i] = 0.5 * c[i] / p->cells[i];
    p->map(p->shape, u, at);
}

static int node_of(blocks *b, const patch *p, const corner c)
{
    double at[3];
    position_of(p, c, at);
    return node_at(b, at);
}

// The node in the middle of an edge: on the mapped curve, but straight where an end is on the line
// that directions of u collapse to.
static int middle_of(blocks *b, const patch *p, const corner a, const corner c)
{
    double from[3], to[3];
    if (!p->collapsed || (a[0] > 0 && c[0] > 0))
        return node_of(b, p, (corner){(a[0] + c[0]) / 2, (a[1] + c[1]) / 2, (a[2] + c[2]) / 2});
    position_of(p, a, from);
    position_of(p, c, to);
    for (int i = 0; i < 3; i++)
        from[i] = 0.5 * (from[i] + to[i]);
    return node_at(b, from);
}

static int *new_cell(blocks *b)
{
    static int nowhere[MOST_CORNERS];
    if (b->ncell == b->room) {
        int room = 2 * b->room + 1024;
        void *more = realloc(b->cell, (size_t)room * sizeof *b->cell);
        if (!more) {
            b->full = true;
            return nowhere;
        }
        b->cell = more;
        b->room = room;
    }
    return b->cell[b->ncell++];
}

static void add_hexahedron(blocks *b, const patch *p, const corner low)
{
    static const int rotation[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                       {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
    int *cell = new_cell(b);
    for (int a = 0; a < 8; a++)
        cell[a] = node_of(
            b, p,
            (corner){low[0] + rotation[a][0], low[1] + rotation[a][1], low[2] + rotation[a][2]});
}

static double volume(double x[4][3])
{
    double e[3][3];
    for (int a = 0; a < 3; a++)
        for (int i = 0; i < 3; i++)
            e[a][i] = x[a + 1][i] - x[0][i];
    return (e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
            e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
            e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0])) /
           6;
}

// From the cell's lowest corner to its highest along three edges, in one of six orders of the
// directions: neighbours cut their common face along the same diagonal.
static void add_tetrahedron(blocks *b, const patch *p, const corner low, const int order[3])
{
    static const int edge[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    corner c[4];
    double x[4][3];
    memcpy(c[0], low, sizeof c[0]);
    for (int a = 0; a < 3; a++) {
        memcpy(c[a + 1], c[a], sizeof c[a]);
        c[a + 1][order[a]] += 2;
    }
    for (int a = 0; a < 4; a++)
        position_of(p, c[a], x[a]);
    if (fabs(volume(x)) < 1e-7)
        return;
    if (volume(x) < 0) {
        corner swap;
        memcpy(swap, c[2], sizeof swap);
        memcpy(c[2], c[3], sizeof swap);
        memcpy(c[3], swap, sizeof swap);
    }
    int *cell = new_cell(b);
    for (int a = 0; a < 4; a++)
        cell[a] = node_of(b, p, c[a]);
    for (int a = 0; a < 6 && b->kind == BLOCKS_TET10; a++)
        cell[4 + a] = middle_of(b, p, c[edge[a][0]], c[edge[a][1]]);
}

static void add_cell(blocks *b, const patch *p, const corner low)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                    {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    if (b->kind == BLOCKS_HEX8)
        add_hexahedron(b, p, low);
    for (int a = 0; a < 6 && b->kind != BLOCKS_HEX8; a++)
        add_tetrahedron(b, p, low, order[a]);
}

void blocks_add(blocks *b, const int cells[3], bool collapsed, blocks_map map, const void *shape)
{
    patch p = {cells, collapsed, map, shape};
    for (int i = 0; i < cells[0]; i++)
        for (int j = 0; j < cells[1]; j++)
            for (int k = 0; k < cells[2]; k++)
                add_cell(b, &p, (corner){2 * i, 2 * j, 2 * k});
}

bool blocks_write(const blocks *b, const char *path)
{
    static const struct {
        int n, type;
    } vtk[] = {[BLOCKS_HEX8] = {8, 12}, [BLOCKS_TET4] = {4, 10}, [BLOCKS_TET10] = {10, 24}};
    FILE *file = b->full ? NULL : fopen(path, "w");
    if (!file)
        return false;
    fprintf(file,
            "# vtk DataFile Version 2.0\nblocks\nASCII\nDATASET UNSTRUCTURED_GRID\n"
            "POINTS %d double\n",
            b->nnode);
    for (int i = 0; i < b->nnode; i++)
        fprintf(file, "%.12g %.12g %.12g\n", b->node[i][0], b->node[i][1], b->node[i][2]);
    fprintf(file, "CELLS %d %d\n", b->ncell, (vtk[b->kind].n + 1) * b->ncell);
    for (int e = 0; e < b->ncell; e++) {
        fprintf(file, "%d", vtk[b->kind].n);
        for (int a = 0; a < vtk[b->kind].n; a++)
            fprintf(file, " %d", b->cell[e][a]);
        fprintf(file, "\n");
    }
    fprintf(file, "CELL_TYPES %d\n", b->ncell);
    for (int e = 0; e < b->ncell; e++)
        fprintf(file, "%d\n", vtk[b->kind].type);
    return fclose(file) == 0;
}
