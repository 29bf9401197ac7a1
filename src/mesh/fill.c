#include "mesh/fill.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/tolerances.h"

#include <float.h>
#include <math.h>
#include <string.h>

fill_grid fill_span(const lithe_mesh *surface, double edge)
{
    fill_grid g = {0};
    for (int axis = 0; axis < 3; axis++) {
        double lower = INFINITY, upper = -INFINITY;
        for (int i = 0; i < 3 * surface->ntri; i++) {
            double x = surface->x[3 * (size_t)surface->tri[i] + (size_t)axis];
            lower = fmin(lower, x);
            upper = fmax(upper, x);
        }
        double n = fmin(fmax(nearbyint((upper - lower) / edge), 1), MESH_CELLS_MAX);
        g.n[axis] = (int)n;
        g.origin[axis] = lower;
        g.cell[axis] = (upper - lower) / n;
    }
    return g;
}

// ## which cells are inside

typedef struct filling {
    const fill_grid *grid;
    const double *x;
    int *winding; // (cells) first how it changes from the cell below, then what it is
    int *label;   // (cells) which part a cell is of, -1: it is outside
} filling;

static size_t cell_at(const fill_grid *g, int i, int j, int k)
{
    return ((size_t)k * (size_t)g->n[1] + (size_t)j) * (size_t)g->n[0] + (size_t)i;
}

// Columns of cells are looked at a little off their middle, so that no edge of a surface that was
// drawn on a grid is met.
static double middle(const fill_grid *g, int axis, int i)
{
    return g->origin[axis] + (i + 0.5 + MESH_OFF_MIDDLE[axis]) * g->cell[axis];
}

// On which side of an edge a vertical line is, seen from above; the same number, of the other sign,
// for the triangle on the edge's other side. On the edge: as if it were moved along x, then y.
static double side_of(const double *x, int from, int to, double px, double py)
{
    int low = from < to ? from : to, high = from < to ? to : from;
    const double *a = &x[3 * (size_t)low], *b = &x[3 * (size_t)high];
    double side = (b[0] - a[0]) * (py - a[1]) - (b[1] - a[1]) * (px - a[0]);
    if (side == 0)
        side = a[1] != b[1] ? copysign(DBL_MIN, a[1] - b[1]) : copysign(DBL_MIN, b[0] - a[0]);
    return from == low ? side : -side;
}

// A vertical line through a triangle changes the winding of all that is above.
static void cross_column(filling *f, const int *tri, int i, int j)
{
    const fill_grid *g = f->grid;
    double px = middle(g, 0, i), py = middle(g, 1, j), side[3], sum = 0, z = 0;
    for (int a = 0; a < 3; a++)
        side[a] = side_of(f->x, tri[(a + 1) % 3], tri[(a + 2) % 3], px, py);
    if ((side[0] > 0) != (side[1] > 0) || (side[0] > 0) != (side[2] > 0))
        return;
    for (int a = 0; a < 3; a++) {
        sum += side[a];
        z += side[a] * f->x[3 * (size_t)tri[a] + 2];
    }
    double above = ceil((z / sum - g->origin[2]) / g->cell[2] - 0.5);
    int k = above < 0 ? 0 : above < g->n[2] ? (int)above : g->n[2];
    if (k < g->n[2])
        f->winding[cell_at(g, i, j, k)] += side[0] > 0 ? -1 : 1;
}

static int column(const fill_grid *g, int axis, double x)
{
    double i = floor((x - g->origin[axis]) / g->cell[axis]);
    return i < 0 ? 0 : i < g->n[axis] ? (int)i : g->n[axis] - 1;
}

static void cross_triangle(filling *f, const int *tri)
{
    int lower[2], upper[2];
    for (int axis = 0; axis < 2; axis++) {
        const double *a = &f->x[3 * (size_t)tri[0]], *b = &f->x[3 * (size_t)tri[1]];
        const double *c = &f->x[3 * (size_t)tri[2]];
        lower[axis] = column(f->grid, axis, fmin(fmin(a[axis], b[axis]), c[axis]));
        upper[axis] = column(f->grid, axis, fmax(fmax(a[axis], b[axis]), c[axis]));
    }
    for (int j = lower[1]; j <= upper[1]; j++)
        for (int i = lower[0]; i <= upper[0]; i++)
            cross_column(f, tri, i, j);
}

static void find_inside(filling *f, const lithe_mesh *surface)
{
    const fill_grid *g = f->grid;
    size_t layer = (size_t)g->n[0] * (size_t)g->n[1], ncell = layer * (size_t)g->n[2];
    for (int t = 0; t < surface->ntri; t++)
        cross_triangle(f, &surface->tri[3 * (size_t)t]);
    for (size_t c = layer; c < ncell; c++)
        f->winding[c] += f->winding[c - layer];
}

// ## parts that hang together

static bool inside(const filling *f, const int at[3])
{
    for (int axis = 0; axis < 3; axis++)
        if (at[axis] < 0 || at[axis] >= f->grid->n[axis])
            return false;
    return f->winding[cell_at(f->grid, at[0], at[1], at[2])] != 0;
}

static void position_of(const fill_grid *g, int cell, int at[3])
{
    at[0] = cell % g->n[0];
    at[1] = cell / g->n[0] % g->n[1];
    at[2] = cell / (g->n[0] * g->n[1]);
}

// Gives a label to all that hangs on a cell through faces; stack: room for all cells. How many.
static int flood(filling *f, int cell, int label, int *stack)
{
    int n = 1, count = 0;
    stack[0] = cell;
    f->label[cell] = label;
    while (n > 0) {
        int at[3];
        position_of(f->grid, stack[--n], at);
        count++;
        for (int way = 0; way < 6; way++) {
            int next[3] = {at[0], at[1], at[2]};
            next[way / 2] += way % 2 ? 1 : -1;
            if (!inside(f, next))
                continue;
            int other = (int)cell_at(f->grid, next[0], next[1], next[2]);
            if (f->label[other] >= 0)
                continue;
            f->label[other] = label;
            stack[n++] = other;
        }
    }
    return count;
}

static int root_of(const int *parent, int label)
{
    while (parent[label] != label)
        label = parent[label];
    return label;
}

// Parts that meet in an edge or a corner have one root: the largest of them, the first of its size.
static void join(const filling *f, int cell, const int *size, int *parent)
{
    int at[3];
    position_of(f->grid, cell, at);
    for (int way = 0; way < 27; way++) {
        int next[3] = {at[0] + way % 3 - 1, at[1] + way / 3 % 3 - 1, at[2] + way / 9 - 1};
        if (!inside(f, next))
            continue;
        int other = f->label[cell_at(f->grid, next[0], next[1], next[2])];
        int a = root_of(parent, f->label[cell]), b = root_of(parent, other);
        bool first = size[a] > size[b] || (size[a] == size[b] && a < b);
        parent[first ? b : a] = first ? a : b;
    }
}

// room: three numbers for each cell. How many cells do not hang on the largest part that they meet.
static int drop_loose(filling *f, int ncell, int *room)
{
    int *stack = room, *size = room + ncell, *parent = room + 2 * (size_t)ncell;
    int nlabel = 0, dropped = 0;
    for (int c = 0; c < ncell; c++)
        f->label[c] = -1;
    for (int c = 0; c < ncell; c++)
        if (f->winding[c] != 0 && f->label[c] < 0) {
            parent[nlabel] = nlabel;
            size[nlabel] = flood(f, c, nlabel, stack);
            nlabel++;
        }
    for (int c = 0; c < ncell && nlabel > 1; c++)
        if (f->label[c] >= 0)
            join(f, c, size, parent);
    for (int c = 0; c < ncell; c++)
        if (f->label[c] >= 0 && parent[f->label[c]] != f->label[c]) {
            f->winding[c] = 0;
            dropped++;
        }
    return dropped;
}

// ## nodes and cells

static int corner_at(const fill_grid *g, const int at[3], int corner)
{
    static const int step[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                   {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
    int i = at[0] + step[corner][0], j = at[1] + step[corner][1], k = at[2] + step[corner][2];
    return (k * (g->n[1] + 1) + j) * (g->n[0] + 1) + i;
}

// node: (corners of the grid) its number, -1: it has none yet.
static void take_cells(const filling *f, int ncell, int *node, lithe_mesh *m)
{
    const fill_grid *g = f->grid;
    mesh_cells *hexes = &m->other[MESH_HEX8];
    for (int c = 0; c < ncell; c++) {
        int at[3];
        if (f->winding[c] == 0)
            continue;
        position_of(g, c, at);
        for (int corner = 0; corner < 8; corner++) {
            int where = corner_at(g, at, corner);
            if (node[where] < 0)
                node[where] = m->nnode++;
            hexes->node[8 * (size_t)hexes->n + (size_t)corner] = node[where];
        }
        hexes->n++;
    }
}

static void put_nodes(const fill_grid *g, const int *node, lithe_mesh *m)
{
    size_t c = 0;
    for (int k = 0; k <= g->n[2]; k++)
        for (int j = 0; j <= g->n[1]; j++)
            for (int i = 0; i <= g->n[0]; i++, c++)
                for (int axis = 0; node[c] >= 0 && axis < 3; axis++)
                    m->x[3 * (size_t)node[c] + (size_t)axis] =
                        g->origin[axis] + g->cell[axis] * (axis == 0   ? i
                                                           : axis == 1 ? j
                                                                       : k);
}

static lithe_status fill_mesh(const lithe_mesh *surface, const fill_grid *g, arena *scratch,
                              lithe_mesh *m, int *ndropped)
{
    size_t ncell = (size_t)g->n[0] * (size_t)g->n[1] * (size_t)g->n[2], ninside = 0;
    size_t ncorner = (size_t)(g->n[0] + 1) * (size_t)(g->n[1] + 1) * (size_t)(g->n[2] + 1);
    filling f = {g, surface->x, arena_new(scratch, ncell, int), arena_new(scratch, ncell, int)};
    int *room = arena_new(scratch, 3 * ncell, int), *node = arena_new(scratch, ncorner, int);
    if (!f.winding || !f.label || !room || !node)
        return LITHE_NO_MEMORY;
    find_inside(&f, surface);
    *ndropped = drop_loose(&f, (int)ncell, room);
    memset(node, -1, ncorner * sizeof *node);
    for (size_t c = 0; c < ncell; c++)
        ninside += f.winding[c] != 0;
    m->other[MESH_HEX8].node = arena_new(&m->memory, 8 * ninside, int);
    if (!m->other[MESH_HEX8].node)
        return LITHE_NO_MEMORY;
    take_cells(&f, (int)ncell, node, m);
    m->x = arena_new(&m->memory, 3 * (size_t)m->nnode, double);
    if (!m->x)
        return LITHE_NO_MEMORY;
    put_nodes(g, node, m);
    return LITHE_OK;
}

lithe_status fill_create(const lithe_mesh *surface, const fill_grid *grid, lithe_mesh **out,
                         int *ndropped)
{
    arena scratch = {0};
    lithe_mesh *m = *out = memory_alloc(sizeof *m);
    if (!m)
        return LITHE_NO_MEMORY;
    memset(m, 0, sizeof *m);
    lithe_status status = fill_mesh(surface, grid, &scratch, m, ndropped);
    arena_free(&scratch);
    if (status == LITHE_OK)
        return LITHE_OK;
    lithe_mesh_free(m);
    *out = NULL;
    return status;
}
