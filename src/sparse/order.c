#include "sparse/order.h"

#include <amd.h>
#include <metis.h>
#include <stdbool.h>
#include <string.h>

// Nested dissection draws random numbers; on small graphs, where it is quick, several draws are
// worth their time, since one model is factored many times.
enum { MAX_DISSECTION = 8, DISSECTION_NODES = 16000 };

static lithe_status minimum_degree(const etree_graph *g, int *order)
{
    int result = amd_order(g->n, g->start, g->next, order, NULL, NULL);
    if (result == AMD_OUT_OF_MEMORY)
        return LITHE_NO_MEMORY;
    return result == AMD_OK || result == AMD_OK_BUT_JUMBLED ? LITHE_OK : LITHE_INVALID;
}

static lithe_status dissection(const etree_graph *g, int seed, int *order, int *place)
{
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed;
    options[METIS_OPTION_NUMBERING] = 0;
    idx_t n = g->n;
    int result = METIS_NodeND(&n, g->start, g->next, NULL, options, order, place);
    if (result == METIS_ERROR_MEMORY)
        return LITHE_NO_MEMORY;
    return result == METIS_OK ? LITHE_OK : LITHE_INVALID;
}

static int dissections(const etree_graph *g)
{
    if (g->n < 3 || g->start[g->n] == 0)
        return 0;
    int tries = DISSECTION_NODES / g->n;
    return tries < 1 ? 1 : tries > MAX_DISSECTION ? MAX_DISSECTION : tries;
}

static void keep_better(etree *best, etree *candidate)
{
    if (candidate->flops < best->flops) {
        etree other = *best;
        *best = *candidate;
        *candidate = other;
    }
}

// Children next to their parents, so that supernodes are contiguous and update matrices stack up.
static lithe_status postorder(const etree_graph *g, arena *memory, etree *t)
{
    int *scratch = arena_new(memory, 4 * (size_t)t->n, int);
    if (!scratch)
        return LITHE_NO_MEMORY;
    int *post = scratch, *order = scratch + t->n;
    etree_postorder(t->n, t->parent, post, scratch + 2 * (size_t)t->n);
    for (int i = 0; i < t->n; i++)
        order[i] = t->order[post[i]];
    memcpy(t->order, order, (size_t)t->n * sizeof *order);
    etree_analyze(g, t, scratch);
    return LITHE_OK;
}

lithe_status order_choose(const etree_graph *g, arena *memory, etree *t)
{
    etree candidate;
    LITHE_TRY(etree_create(g->n, memory, t));
    LITHE_TRY(etree_create(g->n, memory, &candidate));
    int *mark = arena_new(memory, g->n, int);
    if (!mark)
        return LITHE_NO_MEMORY;
    LITHE_TRY(minimum_degree(g, t->order));
    etree_analyze(g, t, mark);
    for (int seed = 1; seed <= dissections(g); seed++) {
        lithe_status status = dissection(g, seed, candidate.order, candidate.place);
        if (status == LITHE_NO_MEMORY)
            return status;
        if (status != LITHE_OK)
            break; // the orders found so far will do
        etree_analyze(g, &candidate, mark);
        keep_better(t, &candidate);
    }
    return postorder(g, memory, t);
}
