#include "body/parts.h"

#include "body/body.h"

void parts_batches(const body_parts *p, const element_family *f, int part, int *first, int *last)
{
    long long ntile = (f->nbatch + PARTS_TILE - 1) / PARTS_TILE;
    *first = (int)(ntile * part / p->n) * PARTS_TILE;
    *last = (int)(ntile * (part + 1) / p->n) * PARTS_TILE;
    *last = *last < f->nbatch ? *last : f->nbatch;
}

enum { NOBODY = -1, SEVERAL = -2 };

static void claim(int *owner, int part)
{
    *owner = *owner == NOBODY || *owner == part ? part : SEVERAL;
}

// Who adds to every block of A and to every node.
static void find_owners(const body *b, const body_parts *p, int *of_block, int *of_node)
{
    for (int i = 0; i < b->pattern.nblock; i++)
        of_block[i] = NOBODY;
    for (int i = 0; i < b->nnode; i++)
        of_node[i] = NOBODY;
    for (int k = 0; k < b->nfamily * p->n; k++) {
        const element_family *f = &b->family[k / p->n];
        int part = k % p->n, first, last, nnode = f->kind->nnode, npair = family_npair(f);
        parts_batches(p, f, part, &first, &last);
        last = last * LANES < f->n ? last * LANES : f->n;
        for (int i = first * LANES * nnode; i < last * nnode && !f->still; i++)
            claim(&of_node[f->node[i]], part);
        for (int i = first * LANES * npair; i < last * npair && !f->still; i++)
            if (b->into[f->block_adr + i] >= 0)
                claim(&of_block[b->into[f->block_adr + i] >> 2], part);
    }
}

static lithe_status list(int n, const int *owner, int wanted, arena *memory, int *count, int **out)
{
    *count = 0;
    for (int i = 0; i < n; i++)
        *count += owner[i] == wanted;
    *out = arena_new(memory, *count, int);
    if (!*out)
        return LITHE_NO_MEMORY;
    for (int i = 0, k = 0; i < n; i++)
        if (owner[i] == wanted)
            (*out)[k++] = i;
    return LITHE_OK;
}

static lithe_status direct_blocks(const body *b, const int *owner, arena *memory, body_parts *out)
{
    int *into = arena_new(memory, b->nblock + SCATTER_AHEAD, int);
    if (!into)
        return LITHE_NO_MEMORY;
    for (size_t i = 0; i < b->nblock + SCATTER_AHEAD; i++)
        into[i] = b->into[i] >= 0 && owner[b->into[i] >> 2] == SEVERAL ? SCATTER_APART : b->into[i];
    out->into = into;
    return LITHE_OK;
}

// Gives nodes their entries, part after part; each part's begin on a line of their own.
static void number_entries(const body *b, const int *owner, body_parts *out)
{
    int n = 0;
    for (int part = 0; part < out->n; part++) {
        for (int i = 0; i < b->nnode; i++)
            if (owner[i] == part)
                out->from[i] = n++;
        n = (n + LANES - 1) / LANES * LANES;
        out->sum_adr[part + 1] = n;
    }
}

static lithe_status direct_forces(const body *b, const int *owner, arena *memory, body_parts *out)
{
    out->onto = arena_new(memory, b->nforce, int);
    out->from = arena_new(memory, b->nnode, int);
    out->sum_adr = arena_new(memory, out->n + 1, int);
    if (!out->onto || !out->from || !out->sum_adr)
        return LITHE_NO_MEMORY;
    out->sum_adr[1] = b->nnode; // of one part
    for (int i = 0; i < b->nnode; i++)
        out->from[i] = out->n > 1 ? PARTS_APART : i;
    if (out->n > 1) {
        number_entries(b, owner, out);
        out->sum = arena_new(memory, 3 * (size_t)out->sum_adr[out->n], double);
        if (!out->sum)
            return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < b->nnode; i++)
        for (int k = b->force.adr[i]; k < b->force.adr[i + 1]; k++)
            out->onto[b->force.from[k]] = out->from[i];
    return LITHE_OK;
}

static lithe_status share(const body *b, arena *memory, arena *scratch, body_parts *out)
{
    int *of_block = arena_new(scratch, b->pattern.nblock, int);
    int *of_node = arena_new(scratch, b->nnode, int);
    if (!of_block || !of_node)
        return LITHE_NO_MEMORY;
    find_owners(b, out, of_block, of_node);
    LITHE_TRY(list(b->pattern.nblock, of_block, SEVERAL, memory, &out->nblock, &out->block));
    LITHE_TRY(list(b->nnode, of_node, SEVERAL, memory, &out->nnode, &out->node));
    LITHE_TRY(list(b->nnode, of_node, NOBODY, memory, &out->nlone, &out->lone));
    out->into = b->into;
    if (out->n > 1)
        LITHE_TRY(direct_blocks(b, of_block, memory, out));
    return direct_forces(b, of_node, memory, out);
}

static size_t tile_numbers(const body *b)
{
    size_t most = 0;
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        size_t own =
            LANES * (3 * (size_t)f->kind->nnode + 9 * PARTS_TILE * (size_t)family_npair(f));
        most = own > most ? own : most;
    }
    return (most + LANES - 1) / LANES * LANES; // parts' tiles share no line
}

lithe_status parts_create(const body *b, int n, arena *memory, body_parts *out)
{
    arena scratch = {0};
    *out = (body_parts){.n = n, .tile = tile_numbers(b)};
    out->room = arena_new(memory, (size_t)n * out->tile, double);
    lithe_status status = out->room ? share(b, memory, &scratch, out) : LITHE_NO_MEMORY;
    arena_free(&scratch);
    return status;
}
