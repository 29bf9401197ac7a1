// Rows of a reduced model: on points that carry what they measure, as polynomials of the
// coordinates, or as a few cells.
#include "reduce/applying.h"
#include "reduce/cavity_cells.h"
#include "reduce/chosen.h"
#include "row/cells.h"
#include "row/point.h"

#include <string.h>

// A point of a cable is one of the body.
static lithe_status map_line(applying *a, row *r)
{
    row_point *point = arena_new(&a->m->memory, r->line.npoint, row_point);
    if (!point)
        return apply_no_memory(a);
    for (int i = 0; i < r->line.npoint; i++) {
        const row_point *of = &r->line.point[i];
        point[i] = *of;
        if (of->body < 0)
            continue;
        const row_patch *patch = of->patch;
        point[i].patch = NULL;
        point[i].nposition = 1;
        point[i].weight[0] = 1;
        point[i].node[0] = patch
                               ? points_add(&a->point, patch->n, patch->node, patch->weight, false)
                               : points_add(&a->point, of->nposition, of->node, of->weight, false);
        if (point[i].node[0] < 0)
            return apply_no_memory(a);
    }
    r->line.point = point;
    return LITHE_OK;
}

// A mean is one point; a rotation is that of its nodes.
static lithe_status map_cloud(applying *a, row *r)
{
    const row_cloud of = r->cloud;
    bool mean = r->kind == ROW_MEAN;
    int n = mean ? 1 : of.n;
    r->cloud.n = n;
    r->cloud.node = arena_new(&a->m->memory, n, int);
    r->cloud.weight = arena_new(&a->m->memory, n, double);
    bool well = r->cloud.node && r->cloud.weight;
    if (well && mean) {
        r->cloud.node[0] = points_add(&a->point, of.n, of.node, of.weight, true);
        r->cloud.weight[0] = 1;
        well = r->cloud.node[0] >= 0;
    }
    for (int i = 0; well && !mean && i < n; i++) {
        well = apply_node(a, of.node[i], &r->cloud.node[i]);
        r->cloud.weight[i] = of.weight[i];
    }
    return well ? LITHE_OK : apply_no_memory(a);
}

static lithe_status map_faces(applying *a, row *r)
{
    const face_set of = r->shell.face;
    int *tri = arena_new(&a->m->memory, 3 * (size_t)of.ntri, int);
    int *wide = arena_new(&a->m->memory, FACE_NODES * (size_t)of.nwide, int);
    bool well = tri && wide;
    for (int i = 0; well && i < 3 * of.ntri; i++)
        well = apply_node(a, of.tri[i], &tri[i]);
    for (int i = 0; well && i < FACE_NODES * of.nwide; i++) {
        wide[i] = -1;
        well = of.wide[i] < 0 || apply_node(a, of.wide[i], &wide[i]);
    }
    r->shell.face.tri = tri;
    r->shell.face.wide = wide;
    return well ? LITHE_OK : apply_no_memory(a);
}

// A cavity that becomes a row of cells.
typedef struct cell_row {
    cavity_cells cells;
    row_cells *out;
    int *base, *corner; // of the edge that a node of a cell is (3 a cell)
} cell_row;

// A corner, a node or the mean of some, less a point, which is one too.
static int add_edge(applying *a, const cavity_cells *c, int base, int corner)
{
    int p = ~corner, n = 0, most = 1 + c->adr[base + 1] - c->adr[base];
    most += corner < 0 ? c->adr[p + 1] - c->adr[p] : 0;
    int *node = arena_new(&a->scratch, most, int);
    double *weight = arena_new(&a->scratch, most, double);
    if (!node || !weight)
        return -1;
    for (int i = c->adr[base]; i < c->adr[base + 1]; i++, n++) {
        node[n] = c->node[i];
        weight[n] = -1.0 / (c->adr[base + 1] - c->adr[base]);
    }
    for (int i = corner < 0 ? c->adr[p] : 0; corner < 0 && i < c->adr[p + 1]; i++, n++) {
        node[n] = c->node[i];
        weight[n] = 1.0 / (c->adr[p + 1] - c->adr[p]);
    }
    if (corner >= 0) {
        node[n] = corner;
        weight[n++] = 1;
    }
    return points_add(&a->point, n, node, weight, false);
}

// Cells beside each other have edges in common.
static int find_edge(applying *a, const cell_row *c, int base, int corner)
{
    for (int i = 0; i < 3 * c->out->n; i++)
        if (c->base[i] == base && c->corner[i] == corner)
            return c->out->node[i];
    return add_edge(a, &c->cells, base, corner);
}

static lithe_status add_cell(applying *a, const cell_row *c, int triangle, double weight)
{
    cell_tet tet[CELL_TETS];
    row_cells *out = c->out;
    int n = cells_of(&c->cells, triangle, tet);
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < 3; i++) {
            int at = 3 * out->n + i;
            c->base[at] = tet[k].base;
            c->corner[at] = tet[k].corner[i];
            out->node[at] = find_edge(a, c, c->base[at], c->corner[at]);
            if (out->node[at] < 0)
                return apply_no_memory(a);
        }
        out->weight[out->n++] = weight * tet[k].sign / 6;
    }
    return LITHE_OK;
}

static lithe_status map_cells(applying *a, int row_id, int ncell, row *r)
{
    size_t most = CELL_TETS * (size_t)ncell;
    row_cells *out = r->cells = arena_new(&a->m->memory, 1, row_cells);
    cell_row c = {.out = out,
                  .base = arena_new(&a->scratch, 3 * most, int),
                  .corner = arena_new(&a->scratch, 3 * most, int)};
    if (!out || !c.base || !c.corner ||
        cells_open(&r->shell, a->from, a->carried, &a->scratch, &c.cells) != LITHE_OK)
        return apply_no_memory(a);
    out->node = arena_new(&a->m->memory, 3 * most, int);
    out->weight = arena_new(&a->m->memory, most, double);
    if (!out->node || !out->weight)
        return apply_no_memory(a);
    for (int i = 0; i < a->r->ncell; i++)
        if (a->r->cell[2 * i] == row_id)
            LITHE_TRY(add_cell(a, &c, a->r->cell[2 * i + 1], a->r->cell_weight[i]));
    return LITHE_OK;
}

static lithe_status map_cavity(applying *a, int row_id, row *r)
{
    int ncell = 0;
    if (a->r->nframe == 0) // a polynomial, once all points are known
        return LITHE_OK;
    for (int i = 0; i < a->r->ncell; i++)
        ncell += a->r->cell[2 * i] == row_id;
    return ncell > 0 ? map_cells(a, row_id, ncell, r) : map_faces(a, r);
}

static lithe_status map_row(applying *a, int row_id, row *r)
{
    if (row_as_line(r))
        return map_line(a, r);
    if (row_as_patch(r))
        return map_cloud(a, r);
    if (r->kind == ROW_CAVITY)
        return map_cavity(a, row_id, r);
    bool well = chosen_region(a->r, a->from, &a->m->memory, &a->scratch, r) == LITHE_OK;
    return well ? LITHE_OK : apply_no_memory(a);
}

lithe_status apply_rows(applying *a)
{
    lithe_model *m = a->m;
    m->row = arena_new(&m->memory, m->nrow, row);
    m->row_adr = arena_new(&m->memory, m->nrow + 1, int);
    if (!m->row || !m->row_adr)
        return apply_no_memory(a);
    for (int r = 0; r < m->nrow; r++) {
        m->row[r] = a->whole->row[r];
        LITHE_TRY(map_row(a, r, &m->row[r]));
    }
    return LITHE_OK;
}

lithe_status apply_finish_rows(applying *a)
{
    lithe_model *m = a->m;
    for (int r = 0; r < m->nrow; r++) {
        row *to = &m->row[r];
        double rest = to->rest;
        if (to->kind == ROW_CAVITY && a->r->nframe == 0)
            LITHE_TRY(apply_modes_volume(a, &a->whole->row[r], to));
        if (row_begin(to, false, m->X, &m->memory) != LITHE_OK)
            return apply_no_memory(a);
        to->rest = rest;
        if (to->cells)
            to->cells->constant +=
                row_value(&a->whole->row[r], a->whole->X) - cells_value(to->cells, m->X);
        m->row_adr[r + 1] = m->row_adr[r] + to->nnode;
    }
    return LITHE_OK;
}
