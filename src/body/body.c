// A body's fixed part: element batches, free coordinates, the pattern of A and the maps into it.
#include "body/body.h"

#include "base/vec.h"
#include "body/hang.h"
#include "body/parts.h"
#include "body/tolerances.h"
#include "mesh/compact.h"

enum { UNNUMBERED = -2 };

static void number_node(body *b, int i)
{
    b->block[i] = b->held[i] == LITHE_XYZ || (b->light && b->light[i]) ? -1 : b->nrow;
    if (b->block[i] >= 0)
        b->block_node[b->nrow++] = i;
}

// Neighbours together: blocks of A that one thread adds to must not lie among another's. A rotation
// follows its position; those of frames, which are no node's, come last.
static void number_free_nodes(body *b, const int *order)
{
    int nposition = body_nposition(b);
    for (int i = 0; i < b->nnode; i++)
        b->block[i] = UNNUMBERED;
    for (int k = 0; k < nposition; k++) {
        number_node(b, order[k]);
        if (b->rotation && b->rotation[order[k]] >= 0)
            number_node(b, b->rotation[order[k]]);
    }
    for (int i = nposition; i < b->nnode; i++)
        if (b->block[i] == UNNUMBERED)
            number_node(b, i);
}

static void count_free_axes(body *b)
{
    for (int i = 0; i < 3 * b->nnode; i++) {
        bool held = b->held[i / 3] & (1 << i % 3);
        b->ndof += !held;
        b->moves = b->moves || (held && b->hold[i] != 0);
    }
}

static lithe_status number_nodes(body *b)
{
    enum { GRAIN = 8 };
    arena scratch = {0};
    int *order = arena_new(&scratch, body_nposition(b), int);
    if (order) {
        compact_order(body_nposition(b), (const double(*)[3])b->X, GRAIN, order);
        number_free_nodes(b, order);
        count_free_axes(b);
    }
    arena_free(&scratch);
    return order ? LITHE_OK : LITHE_NO_MEMORY;
}

static void measure_box(body *b)
{
    for (int i = 0; i < 3; i++) {
        b->lower[i] = INFINITY;
        b->upper[i] = -INFINITY;
    }
    for (int i = 0; i < 3 * body_nposition(b); i++) {
        b->lower[i % 3] = fmin(b->lower[i % 3], b->X[i]);
        b->upper[i % 3] = fmax(b->upper[i % 3], b->X[i]);
    }
}

// Lays the families one after the other, in the body and in its work arrays.
static void lay_families(body *b)
{
    for (int k = 0; k < b->nfamily; k++) {
        element_family *f = &b->family[k];
        size_t nslot = (size_t)f->nbatch * LANES;
        f->element_adr = b->nelement;
        f->slot_adr = (int)b->nslot;
        f->force_adr = (int)b->nforce;
        f->block_adr = (int)b->nblock;
        b->nelement += f->n;
        b->nslot += nslot;
        b->nforce += nslot * (size_t)f->kind->nnode;
        b->nblock += nslot * (size_t)family_npair(f);
        for (int e = 0; e < f->n; e++)
            b->volume += family_volume(f, e);
    }
}

static void measure_rotation_arm(body *b)
{
    double sum = 0;
    int n = 0;
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int e = 0; e < f->n && f->kind->nrotation > 0 && f->kind->cell; e++, n++) {
            const int *node = &f->node[f->kind->nnode * e];
            sum += vec_distance(&b->X[3 * node[0]], &b->X[3 * node[1]]);
        }
    }
    b->rotation_arm = n > 0 ? sum / n : 1;
}

lithe_status body_begin(body *b, int nnode, const double *X, const unsigned char *held,
                        const double *hold, int nfamily, const element_family *family,
                        arena *memory)
{
    b->nnode = nnode;
    b->nfamily = nfamily;
    b->X = arena_new(memory, 3 * (size_t)nnode, double);
    b->held = arena_new(memory, nnode, unsigned char);
    b->hold = arena_new(memory, 3 * (size_t)nnode, double);
    b->block = arena_new(memory, nnode, int);
    b->block_node = arena_new(memory, nnode, int);
    b->mass = arena_new(memory, nnode, double);
    b->weigh = arena_new(memory, nnode, double);
    b->dead = arena_new(memory, 3 * (size_t)nnode, double);
    b->family = arena_new(memory, nfamily, element_family);
    bool has_inertia = false;
    for (int k = 0; k < nfamily; k++)
        has_inertia = has_inertia || family[k].inertia;
    b->inertia = has_inertia ? arena_new(memory, 9 * (size_t)b->nrotation, double) : NULL;
    if (!b->X || !b->held || !b->hold || !b->block || !b->block_node || !b->mass || !b->weigh ||
        !b->dead || !b->family || (has_inertia && !b->inertia))
        return LITHE_NO_MEMORY;
    for (int i = 0; i < nnode; i++) {
        b->held[i] = held[i];
        for (int axis = 0; axis < 3; axis++) {
            b->X[3 * i + axis] = X[3 * i + axis];
            b->hold[3 * i + axis] = held[i] & (1 << axis) ? hold[3 * i + axis] : 0;
        }
    }
    for (int k = 0; k < nfamily; k++)
        b->family[k] = family[k];
    LITHE_TRY(number_nodes(b));
    measure_box(b);
    lay_families(b);
    measure_rotation_arm(b);
    b->space = &space_nodal;
    b->nq = 3 * nnode;
    b->nline = 3 * b->nrow;
    return LITHE_OK;
}

static void add_inertia(body *b, const element_family *f, int e, double rho)
{
    for (int a = f->kind->nnode - f->kind->nrotation; a < f->kind->nnode; a++) {
        int rotation = f->node[f->kind->nnode * e + a] - body_nposition(b);
        for (int i = 0; i < 9; i++)
            b->inertia[9 * rotation + i] += rho * f->inertia[9 * e + i];
    }
}

static void add_mass(body *b, const double *density, double factor)
{
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int i = 0; i < f->n * f->kind->nnode; i++) {
            double rho = density ? density[f->element_adr + i / f->kind->nnode] : factor;
            b->mass[f->node[i]] += rho * f->lump[i];
            b->weigh[f->node[i]] += rho * f->share[i];
        }
        for (int e = 0; e < f->n && f->inertia; e++)
            add_inertia(b, f, e, density ? density[f->element_adr + e] : factor);
    }
}

void body_set_density(body *b, const double *density)
{
    add_mass(b, density, 0);
}

void body_set_mass(body *b, double mass)
{
    for (int i = 0; i < b->nnode; i++)
        b->mass[i] = b->weigh[i] = 0;
    for (int i = 0; i < 9 * b->nrotation && b->inertia; i++)
        b->inertia[i] = 0;
    add_mass(b, NULL, mass / b->volume);
}

// Positions of size `reach` leave eps * reach * |g| in F, where g are the gradients of the shape
// functions, and that leaves modulus * V |g| times as much in a nodal force: flat elements are the
// loudest.
double body_noise(const body *b)
{
    double reach = 0, square = 0;
    for (int i = 0; i < 3; i++)
        reach = fmax(reach, fmax(fabs(b->lower[i]), fabs(b->upper[i])));
    for (int k = 0; k < b->nfamily; k++)
        for (int e = 0; e < b->family[k].n && !b->family[k].still; e++) {
            double noise = BODY_ROUNDING * reach * b->family[k].stiffness[e];
            square += noise * noise;
        }
    return sqrt(square);
}

lithe_status body_couple(const body *b, sparse_builder *builder, int nnode, const int *node)
{
    return sparse_builder_clique(builder, nnode, node, b->block);
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

static void each_force(const body *b, gather_fill *fill)
{
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int i = 0; i < f->n * f->kind->nnode && !f->still; i++)
            gather_put(fill, f->node[i], f->force_adr + i);
    }
}

static void each_stiff(const body *b, gather_fill *fill)
{
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        int nnode = f->kind->nnode, npair = family_npair(f);
        for (int e = 0; e < f->n && !f->still; e++)
            for (int a = 0; a < nnode; a++)
                for (int c = 0; c <= a; c++) {
                    const int *node = &f->node[nnode * e];
                    int at = sparse_locate(&b->pattern, b->block[node[a]], b->block[node[c]]);
                    int from = f->block_adr + npair * e + element_pair(a, c);
                    if (at >= 0)
                        gather_put(fill, at >> 1, 2 * from + (at & 1));
                }
    }
}

// Blocks that no element adds to.
static lithe_status list_bare(body *b, arena *memory)
{
    for (int i = 0; i < b->pattern.nblock; i++)
        b->nbare += b->stiff.adr[i] == b->stiff.adr[i + 1];
    b->bare = arena_new(memory, b->nbare, int);
    if (!b->bare)
        return LITHE_NO_MEMORY;
    for (int i = 0, n = 0; i < b->pattern.nblock; i++)
        if (b->stiff.adr[i] == b->stiff.adr[i + 1])
            b->bare[n++] = i;
    return LITHE_OK;
}

static lithe_status list_targets(body *b, arena *memory)
{
    b->scatter = scatter_choose();
    b->into = arena_new(memory, b->nblock + SCATTER_AHEAD, int);
    if (!b->into)
        return LITHE_NO_MEMORY;
    for (size_t i = 0; i < b->nblock + SCATTER_AHEAD; i++)
        b->into[i] = SCATTER_NOWHERE;
    for (int i = 0; i < b->pattern.nblock; i++)
        for (int k = b->stiff.adr[i]; k < b->stiff.adr[i + 1]; k++)
            b->into[b->stiff.from[k] >> 1] =
                scatter_to(i, k == b->stiff.adr[i], b->stiff.from[k] & 1);
    return list_bare(b, memory);
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

lithe_status body_finish(body *b, sparse_builder *builder, arena *memory)
{
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int e = 0; e < f->n && (!f->still || b->nmass > 0); e++)
            LITHE_TRY(body_couple(b, builder, f->kind->nnode, &f->node[f->kind->nnode * e]));
    }
    LITHE_TRY(sparse_builder_finish(builder, memory, &b->pattern));
    if (b->space == &space_nodal)
        LITHE_TRY(sparse_analyze(&b->pattern, memory, &b->symbolic));
    if (b->carry)
        LITHE_TRY(carry_finish(b, memory));
    if (b->modes)
        LITHE_TRY(body_finish_modes(b, memory));
    if (b->beam)
        LITHE_TRY(body_finish_beam(b, memory));
    LITHE_TRY(gather_build(b, &b->stiff, b->pattern.nblock, memory, each_stiff));
    LITHE_TRY(list_targets(b, memory));
    LITHE_TRY(gather_build(b, &b->force, b->nnode, memory, each_force));
    for (int k = 0; k < b->nmass; k++) { // the same for all axes, so that transposing is nothing
        const int *node = b->coupled[k].node;
        int at = sparse_locate(&b->pattern, b->block[node[0]], b->block[node[1]]);
        b->coupled[k].block = at < 0 ? -1 : at >> 1;
    }
    for (int k = 0; k < b->npressure; k++) {
        body_pressure *p = &b->pressure[k];
        LITHE_TRY(face_blocks(&p->face, &b->pattern, b->block, memory, &p->block));
    }
    for (int k = 0; k < b->nliquid; k++)
        LITHE_TRY(liquid_finish(&b->liquid[k], &b->pattern, b->block, memory));
    hang_finish(b);
    return list_masked(b, memory);
}

int body_max_spans(const body *b)
{
    return b->symbolic ? sparse_max_spans(b->symbolic) : 1;
}

lithe_status body_work_create(const body *b, bool keep, int threads, arena *memory, body_work *out)
{
    out->kept = keep;
    out->energy = arena_new(memory, b->nslot, double);
    out->force = arena_new(memory, 3 * b->nforce, double);
    out->stiff = keep || threads > 1 ? arena_new(memory, 9 * b->nblock, double) : NULL;
    if (!out->energy || !out->force || (!out->stiff && (keep || threads > 1)))
        return LITHE_NO_MEMORY;
    LITHE_TRY(parts_create(b, threads, memory, &out->parts));
    return body_prony_create(b, memory, out);
}
