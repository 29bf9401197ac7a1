// What follows from the frames that carry a body's nodes: how their numbers are laid, and which
// nodes go together in A.
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

// A side's columns are written as whole vectors, before whose end its frame's columns may end.
static void measure_lines(const body *b, beam_map *m)
{
    int behind = m->nshape > 0 ? beam_whole(m->nshape) - m->nshape : LANES - m->size;
    for (int i = 0; i < b->nnode; i++)
        m->stride[i] = m->last[i] < 0 ? 0 : beam_whole(beam_ncolumn(m, i) + behind);
}

static void fill_side(const beam_map *m, int side, int node, int lane, beam_sides *to)
{
    to->node[lane] = node;
    to->weight[lane] = m->side[side].weight;
    for (int axis = 0; axis < 3; axis++)
        to->arm[axis][lane] = m->arm[3 * side + axis];
    for (int j = 0; j < 3 * m->nshape; j++)
        to->shape[j][lane] = m->shape[3 * side * m->nshape + j];
}

static void fill_batches(const body *b, beam_map *m, int frame)
{
    int n = 0;
    for (int k = m->batch_adr[frame]; k < m->batch_adr[frame + 1]; k++)
        memset(m->batch[k].node, -1, sizeof m->batch[k].node);
    for (int i = 0; i < b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++)
            if (m->side[k].frame == frame) {
                fill_side(m, k, i, n % LANES, &m->batch[m->batch_adr[frame] + n / LANES]);
                n++;
            }
}

static lithe_status make_batches(const body *b, beam_map *m, arena *memory)
{
    int nside = beam_nside(m, b->nnode);
    m->batch_adr = arena_new(memory, m->nframe + 1, int);
    if (!m->batch_adr)
        return LITHE_NO_MEMORY;
    for (int f = 0; f < m->nframe; f++) {
        int n = 0;
        for (int k = 0; k < nside; k++)
            n += m->side[k].frame == f;
        m->batch_adr[f + 1] = m->batch_adr[f] + (n + LANES - 1) / LANES;
    }
    size_t nbatch = (size_t)m->batch_adr[m->nframe], numbers = 3 * (size_t)m->nshape;
    m->batch = arena_new(memory, nbatch, beam_sides);
    double(*shape)[LANES] = arena_alloc(memory, nbatch * numbers, sizeof *shape);
    if (!m->batch || !shape)
        return LITHE_NO_MEMORY;
    for (size_t k = 0; k < nbatch; k++)
        m->batch[k].shape = &shape[k * numbers];
    for (int f = 0; f < m->nframe; f++)
        fill_batches(b, m, f);
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
    m->stride = arena_new(memory, b->nnode, int);
    if (!m->free || !m->first || !m->last || !m->stride)
        return LITHE_NO_MEMORY;
    number_frames(m);
    find_spans(b, m);
    measure_lines(b, m);
    LITHE_TRY(make_batches(b, m, memory));
    LITHE_TRY(make_shape_lines(b, m, memory));
    b->space = &space_beam;
    b->nq = b->nline = b->ndof = m->size * m->nfree;
    b->nJ = (size_t)m->nframe * sizeof(beam_pose) / sizeof(double);
    return LITHE_OK;
}

// A node with the frames of its neighbours and itself.
typedef struct placed_node {
    int low, high, node;
} placed_node;

static placed_node locate_node(const beam_map *m, int i)
{
    placed_node p = {m->first[i], m->last[i], i};
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

static void make_windows(beam_map *m, int n, const placed_node *placed)
{
    for (int i = 0; i < n; i++) {
        const placed_node *p = &placed[i];
        const beam_window *last = m->nwindow > 0 ? &m->window[m->nwindow - 1] : NULL;
        m->order[i] = p->node;
        if (!last || last->low != p->low || last->high != p->high)
            m->window[m->nwindow++] = (beam_window){p->low, p->high, i, 0, 0};
        m->window[m->nwindow - 1].n++;
    }
}

// Numbers of the frames that nodes have, in the order in which they come.
static void number_spans(beam_map *m, beam_window *w)
{
    for (int i = w->adr; i < w->adr + w->n; i++) {
        int node = m->order[i], k = w->adr;
        while (m->first[m->order[k]] != m->first[node] || m->last[m->order[k]] != m->last[node])
            k++;
        m->span[node] = k < i ? m->span[m->order[k]] : w->nspan++;
    }
}

lithe_status body_finish_beam(body *b, arena *memory)
{
    beam_map *m = b->beam;
    arena scratch = {0};
    int n = 0;
    LITHE_TRY(nodal_entries(b, memory, &m->entry_adr, &m->entry));
    placed_node *placed = arena_new(&scratch, b->nnode, placed_node);
    m->window = arena_new(memory, b->nnode, beam_window);
    m->order = arena_new(memory, b->nnode, int);
    m->span = arena_new(memory, b->nnode, int);
    bool well = placed && m->window && m->order && m->span;
    for (int i = 0; well && i < b->nnode; i++)
        if (b->block[i] >= 0 && m->last[i] >= 0)
            placed[n++] = locate_node(m, i);
    if (well) {
        qsort(placed, (size_t)n, sizeof *placed, in_order);
        make_windows(m, n, placed);
        for (int k = 0; k < m->nwindow; k++)
            number_spans(m, &m->window[k]);
    }
    arena_free(&scratch);
    return well ? LITHE_OK : LITHE_NO_MEMORY;
}
