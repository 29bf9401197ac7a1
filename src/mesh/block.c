#include "mesh/block.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

typedef struct block {
    lithe_solid kind;
    double size[3];
    int n[3];   // cells of the lattice
    int layers; // of cells around it
    int round;  // axes across whose sides they lie: the first ones
    int nside;  // nodes of those sides
    int *side;  // number among them of a node of the lattice, -1: inside
} block;

// ## how many cells

static int cells(double length, double edge, int least)
{
    double n = nearbyint(length / edge);
    return n > MESH_CELLS_MAX ? MESH_CELLS_MAX : n < least ? least : (int)n;
}

// Where the corners of the lattice are in a round one, as a share of its radius.
static const double core = 0.7;

// Each side of the lattice goes from its own length to a quarter of a great circle, and has an even
// number of cells, so that there are nodes on the axes; layers are thinnest at the corners.
static block lay_out(lithe_solid kind, const double size[3], double edge)
{
    block b = {.kind = kind};
    memcpy(b.size, size, sizeof b.size);
    double radius = size[0];
    b.round = kind == LITHE_SOLID_BALL ? 3 : kind == LITHE_SOLID_CYLINDER ? 2 : 0;
    b.layers = b.round ? cells(0.4 * radius, edge, 1) : 0;
    for (int i = 0; i < 3; i++)
        b.n[i] = i < b.round ? 2 * cells(0.625 * radius, edge, 1)
                             : cells(b.round ? size[1] : size[i], edge, 1);
    return b;
}

static double count(const block *b)
{
    double inner = (double)b->n[0] * b->n[1] * b->n[2], n = b->n[0];
    double around = b->round == 3 ? 6 * n * n : b->round == 2 ? 4 * n * b->n[2] : 0;
    return inner + b->layers * around;
}

double block_cells(lithe_solid kind, const double size[3], double edge)
{
    block b = lay_out(kind, size, edge);
    return count(&b);
}

// By the volume; what is thin or slender has one layer of cells somewhere, and takes longer ones.
double block_edge(lithe_solid kind, const double size[3])
{
    enum { WANTED = 1000, MOST = 4 * WANTED };
    const double longer = 1.1;
    double share = kind == LITHE_SOLID_BALL       ? 4 * M_PI / 3
                   : kind == LITHE_SOLID_CYLINDER ? M_PI
                                                  : 1;
    double edge = cbrt(share / WANTED);
    for (int i = 0; i < 3; i++) {
        bool radius = kind == LITHE_SOLID_BALL || (kind == LITHE_SOLID_CYLINDER && i < 2);
        edge *= cbrt(radius ? size[0] : kind == LITHE_SOLID_CYLINDER ? size[1] : size[i]);
    }
    while (block_cells(kind, size, edge) > MOST)
        edge *= longer;
    return edge;
}

// ## where nodes are

// A point of the square or cube from -1 to 1, on the disc or ball of radius 1: what is on a side
// goes to the rim, in equal steps of the angle.
static void bulge(int round, const double u[3], double out[3])
{
    double v[3] = {0};
    for (int i = 0; i < round; i++)
        v[i] = sqrt(2) * sin(M_PI / 4 * u[i]);
    for (int i = 0; i < round; i++) {
        double a = v[(i + 1) % round], b = round == 3 ? v[(i + 2) % round] : 0;
        out[i] = v[i] * sqrt(1 - a * a / 2 - b * b / 2 + a * a * b * b / 3);
    }
}

// u: in the lattice, from -1 to 1; t: through the layers, from 0 to 1.
static void locate(const block *b, const double u[3], double t, double x[3])
{
    const double rounder = 0.4; // the lattice is that much of a disc or ball
    double rim[3] = {0};
    bulge(b->round, u, rim);
    for (int i = 0; i < 3; i++) {
        double straight = u[i] / sqrt(b->round);
        double inner = core * ((1 - rounder) * straight + rounder * rim[i]);
        x[i] = i < b->round ? b->size[0] * ((1 - t) * inner + t * rim[i])
                            : 0.5 * u[i] * (b->round ? b->size[1] : b->size[i]);
    }
}

static int lattice_node(const block *b, const int at[3])
{
    return (at[2] * (b->n[1] + 1) + at[1]) * (b->n[0] + 1) + at[0];
}

static bool is_side(const block *b, const int at[3])
{
    bool side = false;
    for (int i = 0; i < b->round; i++)
        side = side || at[i] == 0 || at[i] == b->n[i];
    return side;
}

// ## nodes and cells

static int nlattice(const block *b)
{
    return (b->n[0] + 1) * (b->n[1] + 1) * (b->n[2] + 1);
}

static void put_node(const block *b, const int at[3], double *x)
{
    double u[3];
    for (int i = 0; i < 3; i++)
        u[i] = 2.0 * at[i] / b->n[i] - 1;
    int node = lattice_node(b, at);
    locate(b, u, 0, &x[3 * (size_t)node]);
    for (int layer = 1; layer <= b->layers && b->side[node] >= 0; layer++)
        locate(b, u, (double)layer / b->layers,
               &x[3 * (size_t)(nlattice(b) + (layer - 1) * b->nside + b->side[node])]);
}

// A node of the lattice in a layer; 0 is the lattice itself.
static int in_layer(const block *b, int node, int layer)
{
    return layer == 0 ? node : nlattice(b) + (layer - 1) * b->nside + b->side[node];
}

static void put_cell(const block *b, const int at[3], int *hex)
{
    static const int corner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                     {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    for (int c = 0; c < 8; c++)
        hex[c] = lattice_node(
            b, (int[]){at[0] + corner[c][0], at[1] + corner[c][1], at[2] + corner[c][2]});
}

// The cells of all layers over one face of the lattice, normal to an axis. Returns their number.
static int put_layers(const block *b, const int at[3], int axis, bool far, int *hex)
{
    static const int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    int face[4];
    for (int c = 0; c < 4; c++) {
        int node[3] = {at[0], at[1], at[2]}, round = far ? c : 3 - c; // outwards
        node[(axis + 1) % 3] += corner[round][0];
        node[(axis + 2) % 3] += corner[round][1];
        face[c] = lattice_node(b, node);
    }
    for (int layer = 0; layer < b->layers; layer++)
        for (int c = 0; c < 8; c++)
            hex[8 * layer + c] = in_layer(b, face[c % 4], layer + c / 4);
    return b->layers;
}

static int put_sides(const block *b, int *hex)
{
    int n = 0;
    for (int axis = 0; axis < b->round; axis++)
        for (int far = 0; far < 2; far++) {
            int j = (axis + 1) % 3, k = (axis + 2) % 3, at[3];
            at[axis] = far * b->n[axis];
            for (at[j] = 0; at[j] < b->n[j]; at[j]++)
                for (at[k] = 0; at[k] < b->n[k]; at[k]++)
                    n += put_layers(b, at, axis, far, &hex[8 * (size_t)n]);
        }
    return n;
}

static void number_sides(block *b)
{
    int at[3];
    for (at[2] = 0; at[2] <= b->n[2]; at[2]++)
        for (at[1] = 0; at[1] <= b->n[1]; at[1]++)
            for (at[0] = 0; at[0] <= b->n[0]; at[0]++)
                b->side[lattice_node(b, at)] = is_side(b, at) ? b->nside++ : -1;
}

static void put_all(const block *b, double *x, int *hex)
{
    int at[3], n = 0;
    for (at[2] = 0; at[2] <= b->n[2]; at[2]++)
        for (at[1] = 0; at[1] <= b->n[1]; at[1]++)
            for (at[0] = 0; at[0] <= b->n[0]; at[0]++) {
                put_node(b, at, x);
                if (at[0] < b->n[0] && at[1] < b->n[1] && at[2] < b->n[2])
                    put_cell(b, at, &hex[8 * (size_t)n++]);
            }
    put_sides(b, &hex[8 * (size_t)n]);
}

static lithe_status fill(block *b, lithe_mesh *m)
{
    mesh_cells *hexes = &m->other[MESH_HEX8];
    hexes->n = (int)count(b);
    hexes->node = arena_new(&m->memory, 8 * (size_t)hexes->n, int);
    b->side = arena_new(&m->memory, nlattice(b), int);
    if (!b->side || !hexes->node)
        return LITHE_NO_MEMORY;
    number_sides(b);
    m->nnode = nlattice(b) + b->layers * b->nside;
    m->x = arena_new(&m->memory, 3 * (size_t)m->nnode, double);
    if (!m->x)
        return LITHE_NO_MEMORY;
    put_all(b, m->x, hexes->node);
    return LITHE_OK;
}

lithe_status block_create(lithe_solid kind, const double size[3], double edge, lithe_mesh **out)
{
    block b = lay_out(kind, size, edge);
    lithe_mesh *m = *out = memory_alloc(sizeof *m);
    if (!m)
        return LITHE_NO_MEMORY;
    memset(m, 0, sizeof *m);
    if (fill(&b, m) == LITHE_OK)
        return LITHE_OK;
    lithe_mesh_free(m);
    *out = NULL;
    return LITHE_NO_MEMORY;
}
