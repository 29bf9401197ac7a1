// A body's fixed part: element batches, free coordinates, the pattern of A and the maps into it.
#include "body/body.h"

#include "base/memory.h"
#include "base/vec.h"
#include "body/pressure.h"
#include "mesh/care.h"

#include <stdlib.h>

static void number_free_nodes(body *b)
{
    for (int i = 0; i < b->nnode; i++) {
        b->block[i] = b->held[i] == LITHE_XYZ ? -1 : b->nrow;
        if (b->block[i] >= 0)
            b->block_node[b->nrow++] = i;
        for (int axis = 0; axis < 3; axis++) {
            bool held = b->held[i] & (1 << axis);
            b->ndof += !held;
            b->moves = b->moves || (held && b->hold[3 * i + axis] != 0);
        }
    }
}

static void measure_box(body *b)
{
    for (int i = 0; i < 3; i++) {
        b->lower[i] = INFINITY;
        b->upper[i] = -INFINITY;
    }
    for (int i = 0; i < 3 * b->nnode; i++) {
        b->lower[i % 3] = fmin(b->lower[i % 3], b->X[i]);
        b->upper[i % 3] = fmax(b->upper[i % 3], b->X[i]);
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static lithe_status measure_quality(body *b, const mesh *m)
{
    double *quality = memory_alloc((size_t)b->ntet * sizeof *quality);
    if (!quality)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < b->ntet; e++)
        quality[e] = care_quality(b->X, &m->tet[4 * e]);
    qsort(quality, (size_t)b->ntet, sizeof *quality, ascending);
    b->quality[0] = quality[0];
    b->quality[1] = quality[b->ntet / 2];
    memory_free(quality);
    return LITHE_OK;
}

static lithe_status fill_batches(body *b, const mesh *m, const body_material *material,
                                 lithe_report *report)
{
    for (int k = 0; k < b->nbatch * LANES; k++) {
        int e = k < b->ntet ? k : b->ntet - 1;
        const int *node = &m->tet[4 * e];
        const double *X[4];
        for (int a = 0; a < 4; a++)
            X[a] = &b->X[3 * node[a]];
        tet4_batch *batch = &b->batch[k / LANES];
        if (!tet4_prepare(batch, k % LANES, node, X, material[e].young, material[e].poisson))
            return LITHE_FAIL(report, LITHE_INVALID, "body '%s': tetrahedron %d has no volume",
                              b->name, e);
        double volume = batch->volume[k % LANES];
        if (k >= b->ntet) {
            batch->volume[k % LANES] = 0;
            continue;
        }
        b->volume += volume;
        for (int a = 0; a < 4; a++)
            b->mass[node[a]] += 0.25 * volume * material[e].density;
    }
    return LITHE_OK;
}

lithe_status body_begin(body *b, const mesh *m, const double *X, const body_material *material,
                        const unsigned char *held, const double *hold, arena *memory,
                        lithe_report *report)
{
    b->nnode = m->nnode;
    b->ntet = m->ntet;
    b->nbatch = (m->ntet + LANES - 1) / LANES;
    b->kernels = tet4_choose();
    b->X = arena_new(memory, 3 * (size_t)b->nnode, double);
    b->held = arena_new(memory, b->nnode, unsigned char);
    b->hold = arena_new(memory, 3 * (size_t)b->nnode, double);
    b->block = arena_new(memory, b->nnode, int);
    b->block_node = arena_new(memory, b->nnode, int);
    b->mass = arena_new(memory, b->nnode, double);
    b->dead = arena_new(memory, 3 * (size_t)b->nnode, double);
    b->batch = arena_new(memory, b->nbatch, tet4_batch);
    if (!b->X || !b->held || !b->hold || !b->block || !b->block_node || !b->mass || !b->dead ||
        !b->batch)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < b->nnode; i++) {
        b->held[i] = held[i];
        for (int axis = 0; axis < 3; axis++) {
            b->X[3 * i + axis] = X[3 * i + axis];
            b->hold[3 * i + axis] = held[i] & (1 << axis) ? hold[3 * i + axis] : 0;
        }
    }
    number_free_nodes(b);
    measure_box(b);
    LITHE_TRY(fill_batches(b, m, material, report));
    return measure_quality(b, m);
}

void body_set_mass(body *b, double mass)
{
    for (int i = 0; i < b->nnode; i++)
        b->mass[i] = 0;
    for (int e = 0; e < b->ntet; e++) {
        const tet4_batch *batch = &b->batch[e / LANES];
        for (int a = 0; a < 4; a++)
            b->mass[batch->node[a][e % LANES]] +=
                0.25 * mass * batch->volume[e % LANES] / b->volume;
    }
}

lithe_status body_couple(const body *b, sparse_builder *builder, int nnode, const int *node)
{
    int row[BODY_COUPLE_MAX];
    for (int i = 0; i < nnode; i++)
        row[i] = b->block[node[i]];
    return sparse_builder_clique(builder, nnode, row);
}

// Turns (target, source) pairs, produced twice in the same order by `each`, into lists by target.
typedef struct gather_fill {
    body_gather *out;
    bool counting;
} gather_fill;

static void gather_put(gather_fill *fill, int target, int source)
{
    if (fill->counting)
        fill->out->adr[target + 1]++;
    else
        fill->out->from[fill->out->adr[target]++] = source;
}

static lithe_status gather_build(body *b, body_gather *out, int ntarget, arena *memory,
                                 void (*each)(const body *b, gather_fill *fill))
{
    out->adr = arena_new(memory, ntarget + 1, int);
    if (!out->adr)
        return LITHE_NO_MEMORY;
    gather_fill fill = {out, true};
    each(b, &fill);
    for (int i = 0; i < ntarget; i++)
        out->adr[i + 1] += out->adr[i];
    out->from = arena_new(memory, out->adr[ntarget], int);
    if (!out->from)
        return LITHE_NO_MEMORY;
    fill.counting = false;
    each(b, &fill); // moves every adr to the start of the next
    for (int i = ntarget; i > 0; i--)
        out->adr[i] = out->adr[i - 1];
    out->adr[0] = 0;
    return LITHE_OK;
}

static int element_node(const body *b, int e, int a)
{
    return b->batch[e / LANES].node[a][e % LANES];
}

static void each_force(const body *b, gather_fill *fill)
{
    for (int e = 0; e < b->ntet; e++)
        for (int a = 0; a < 4; a++)
            gather_put(fill, element_node(b, e, a), 4 * e + a);
}

static void each_stiff(const body *b, gather_fill *fill)
{
    for (int e = 0; e < b->ntet; e++)
        for (int a = 0; a < 4; a++)
            for (int c = 0; c <= a; c++) {
                int at = sparse_locate(&b->pattern, b->block[element_node(b, e, a)],
                                       b->block[element_node(b, e, c)]);
                if (at >= 0)
                    gather_put(fill, at >> 1, 2 * (TET4_PAIR * e + tet4_pair(a, c)) + (at & 1));
            }
}

static lithe_status list_masked(body *b, arena *memory)
{
    for (int pass = 0; pass < 2; pass++) {
        b->nmasked = 0;
        for (int j = 0; j < b->nrow; j++)
            for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++) {
                int row = b->block_node[b->pattern.row[k]], col = b->block_node[j];
                if (!b->held[row] && !b->held[col])
                    continue;
                if (pass) {
                    b->masked[3 * b->nmasked] = k;
                    b->masked[3 * b->nmasked + 1] = row;
                    b->masked[3 * b->nmasked + 2] = col;
                }
                b->nmasked++;
            }
        if (!pass && !(b->masked = arena_new(memory, 3 * (size_t)b->nmasked, int)))
            return LITHE_NO_MEMORY;
    }
    return LITHE_OK;
}

lithe_status body_finish(body *b, const mesh *m, sparse_builder *builder, arena *memory)
{
    for (int e = 0; e < b->ntet; e++)
        LITHE_TRY(body_couple(b, builder, 4, &m->tet[4 * e]));
    LITHE_TRY(sparse_builder_finish(builder, memory, &b->pattern));
    LITHE_TRY(sparse_analyze(&b->pattern, memory, &b->symbolic));
    LITHE_TRY(gather_build(b, &b->stiff, b->pattern.nblock, memory, each_stiff));
    LITHE_TRY(gather_build(b, &b->force, b->nnode, memory, each_force));
    for (int k = 0; k < b->npressure; k++) {
        body_pressure *p = &b->pressure[k];
        p->block = arena_new(memory, 3 * (size_t)p->ntri, int);
        if (!p->block)
            return LITHE_NO_MEMORY;
        pressure_blocks(&b->pattern, b->block, p->ntri, p->tri, p->block);
    }
    for (int k = 0; k < b->nliquid; k++)
        LITHE_TRY(liquid_finish(&b->liquid[k], &b->pattern, b->block, memory));
    return list_masked(b, memory);
}

lithe_status body_work_create(const body *b, arena *memory, body_work *out)
{
    size_t n = (size_t)b->nbatch * LANES;
    out->energy = arena_new(memory, n, double);
    out->force = arena_new(memory, n * TET4_FORCE, double);
    out->stiff = arena_new(memory, n * TET4_STIFF, double);
    return out->energy && out->force && out->stiff ? LITHE_OK : LITHE_NO_MEMORY;
}
