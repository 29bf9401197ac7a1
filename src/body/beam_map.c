// What follows from the frames that carry a body's nodes: where J has its numbers, and which nodes
// go together in A.
#include "body/body.h"

#include <stdlib.h>
#include <string.h>

static void number_frames(beam_map *m)
{
    m->nfree = 0;
    for (int f = 0; f < m->nframe; f++)
        m->free[f] = m->still[f] ? -1 : m->nfree++;
}

static void find_spans(const body *b, beam_map *m)
{
    for (int i = 0; i < b->nnode; i++) {
        m->first[i] = m->nfree;
        m->last[i] = -1;
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int f = m->free[m->side[k].frame];
            m->first[i] = f >= 0 && f < m->first[i] ? f : m->first[i];
            m->last[i] = f > m->last[i] ? f : m->last[i];
        }
        if (m->last[i] < 0) // an empty span
            m->first[i] = 0;
    }
}

// A side's shapes are written as whole vectors, behind which its frame's columns may end.
static size_t lay_lines(const body *b, beam_map *m)
{
    size_t at = 0;
    for (int i = 0; i < b->nnode; i++) {
        m->J_adr[i] = at;
        m->stride[i] =
            m->last[i] < 0
                ? 0
                : beam_whole(beam_ncolumn(m, i) - m->nshape + beam_whole(m->nshape));
        at += 3 * (size_t)m->stride[i];
    }
    return at;
}

static int count_sides(const beam_map *m, int nside, int frame)
{
    int n = 0;
    for (int k = 0; k < nside; k++)
        n += m->side[k].frame == frame;
    return n;
}

static void fill_batches(const body *b, beam_map *m, double (*shape)[LANES])
{
    int n = 0, lane = LANES;
    for (int f = 0; f < m->nframe; f++, lane = LANES)
        for (int i = 0; i < b->nnode; i++)
            for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
                if (m->side[k].frame != f)
                    continue;
                beam_sides *batch = &m->batch[n - (lane < LANES)];
                if (lane == LANES) {
                    *batch = (beam_sides){.frame = f, .shape = &shape[3 * m->nshape * n++]};
                    memset(batch->node, -1, sizeof batch->node);
                    lane = 0;
                }
                batch->node[lane] = i;
                batch->weight[lane] = m->side[k].weight;
                for (int axis = 0; axis < 3; axis++)
                    batch->arm[axis][lane] = m->arm[3 * k + axis];
                for (int j = 0; j < 3 * m->nshape; j++)
                    batch->shape[j][lane] = m->shape[3 * k * m->nshape + j];
                lane++;
            }
}

static lithe_status make_batches(const body *b, beam_map *m, arena *memory)
{
    int nside = beam_nside(m, b->nnode);
    for (int f = 0; f < m->nframe; f++)
        m->nbatch += (count_sides(m, nside, f) + LANES - 1) / LANES;
    m->batch = arena_new(memory, m->nbatch, beam_sides);
    double(*shape)[LANES] =
        arena_alloc(memory, (size_t)m->nbatch * 3 * (size_t)m->nshape, sizeof *shape);
    if (!m->batch || !shape)
        return LITHE_NO_MEMORY;
    fill_batches(b, m, shape);
    return LITHE_OK;
}

static lithe_status make_shape_lines(const body *b, beam_map *m, arena *memory)
{
    size_t nside = (size_t)beam_nside(m, b->nnode), width = (size_t)beam_whole(m->nshape);
    m->lines = arena_alloc(memory, 3 * nside * width / LANES, sizeof(lanes));
    for (size_t k = 0; m->lines && k < nside; k++)
        for (size_t j = 0; j < (size_t)m->nshape; j++)
            for (size_t axis = 0; axis < 3; axis++)
                m->lines[(3 * k + axis) * width + j] =
                    m->shape[3 * (k * (size_t)m->nshape + j) + axis];
    return m->lines ? LITHE_OK : LITHE_NO_MEMORY;
}

lithe_status body_set_beam(body *b, beam_map *m, arena *memory)
{
    b->beam = m;
    m->size = 6 + m->nshape;
    m->kernels = beam_choose();
    m->free = arena_new(memory, m->nframe, int);
    m->first = arena_new(memory, b->nnode, int);
    m->last = arena_new(memory, b->nnode, int);
    m->J_adr = arena_new(memory, b->nnode, size_t);
    m->stride = arena_new(memory, b->nnode, int);
    if (!m->free || !m->first || !m->last || !m->J_adr || !m->stride)
        return LITHE_NO_MEMORY;
    number_frames(m);
    find_spans(b, m);
    LITHE_TRY(make_batches(b, m, memory));
    LITHE_TRY(make_shape_lines(b, m, memory));
    b->space = &space_beam;
    b->nq = b->nline = b->ndof = m->size * m->nfree;
    b->nJ = lay_lines(b, m);
    return LITHE_OK;
}

// A node with the frames of its own and of its neighbours.
typedef struct placed_node {
    int first, last, low, high, node;
} placed_node;

static placed_node place_node(const beam_map *m, int i)
{
    placed_node p = {m->first[i], m->last[i], m->first[i], m->last[i], i};
    for (int k = m->entry_adr[i]; k < m->entry_adr[i + 1]; k++) {
        int j = m->entry[k].column;
        if (m->last[j] < 0)
            continue;
        p.low = m->first[j] < p.low ? m->first[j] : p.low;
        p.high = m->last[j] > p.high ? m->last[j] : p.high;
    }
    return p;
}

static int in_order(const void *a, const void *b)
{
    const int *p = a, *q = b; // number by number, as they stand
    for (size_t i = 0; i < sizeof(placed_node) / sizeof(int); i++)
        if (p[i] != q[i])
            return p[i] < q[i] ? -1 : 1;
    return 0;
}

static bool is_same(const beam_class *c, const placed_node *p)
{
    return c->first == p->first && c->last == p->last && c->low == p->low && c->high == p->high;
}

static void make_classes(beam_map *m, int n, const placed_node *placed)
{
    for (int i = 0; i < n; i++) {
        const placed_node *p = &placed[i];
        m->order[i] = p->node;
        if (m->nclass == 0 || !is_same(&m->class[m->nclass - 1], p))
            m->class[m->nclass++] = (beam_class){p->first, p->last, p->low, p->high, i, 0};
        m->class[m->nclass - 1].n++;
    }
}

lithe_status body_finish_beam(body *b, arena *memory)
{
    beam_map *m = b->beam;
    arena scratch = {0};
    int n = 0;
    LITHE_TRY(nodal_entries(b, memory, &m->entry_adr, &m->entry));
    placed_node *placed = arena_new(&scratch, b->nnode, placed_node);
    m->class = arena_new(memory, b->nnode, beam_class);
    m->order = arena_new(memory, b->nnode, int);
    bool well = placed && m->class && m->order;
    for (int i = 0; well && i < b->nnode; i++)
        if (b->block[i] >= 0 && m->last[i] >= 0)
            placed[n++] = place_node(m, i);
    if (well) {
        qsort(placed, (size_t)n, sizeof *placed, in_order);
        make_classes(m, n, placed);
    }
    arena_free(&scratch);
    return well ? LITHE_OK : LITHE_NO_MEMORY;
}
