#include "sparse/order.h"

#include <amd.h>
#include <metis.h>
#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS must be built with 32-bit indices");

// Minimum degree breaks ties by the numbers of the nodes, so shuffling them gives other orders, up
// to a quarter cheaper on thin bodies. One model is factored many times: small graphs are worth
// several tries, until this many nodes have been ordered in all.
enum { MAX_SHUFFLE = 24, SHUFFLED_NODES = 50000 };

// A graph under shuffled numbers.
typedef struct shuffle {
    uint64_t state;
    int *label; // the graph's number of each shuffled one
    int *place; // the other way round
    etree_graph g;
} shuffle;

static lithe_status shuffle_create(const etree_graph *g, arena *memory, shuffle *s)
{
    *s = (shuffle){.state = 1, .g.n = g->n};
    s->label = arena_new(memory, g->n, int);
    s->place = arena_new(memory, g->n, int);
    s->g.start = arena_new(memory, g->n + 1, int);
    s->g.next = arena_new(memory, g->start[g->n], int);
    if (!s->label || !s->place || !s->g.start || !s->g.next)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < g->n; i++)
        s->label[i] = i;
    return LITHE_OK;
}

static int random_below(shuffle *s, int n)
{
    s->state = s->state * 6364136223846793005u + 1442695040888963407u;
    return (int)((s->state >> 33) % (uint64_t)n);
}

static void shuffle_numbers(shuffle *s)
{
    for (int i = s->g.n - 1; i > 0; i--) {
        int j = random_below(s, i + 1), other = s->label[i];
        s->label[i] = s->label[j];
        s->label[j] = other;
    }
}

static void renumber(const etree_graph *g, shuffle *s)
{
    int count = 0;
    for (int i = 0; i < g->n; i++)
        s->place[s->label[i]] = i;
    for (int i = 0; i < g->n; i++) {
        int node = s->label[i];
        for (int a = g->start[node]; a < g->start[node + 1]; a++)
            s->g.next[count++] = s->place[g->next[a]];
        s->g.start[i + 1] = count;
    }
}

static lithe_status minimum_degree(const etree_graph *g, shuffle *s, int *order)
{
    renumber(g, s);
    int result = amd_order(g->n, s->g.start, s->g.next, order, NULL, NULL);
    if (result == AMD_OUT_OF_MEMORY)
        return LITHE_NO_MEMORY;
    if (result != AMD_OK && result != AMD_OK_BUT_JUMBLED)
        return LITHE_INVALID;
    for (int i = 0; i < g->n; i++)
        order[i] = s->label[order[i]];
    return LITHE_OK;
}

static lithe_status dissection(const etree_graph *g, int *order, int *place)
{
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1; // its random numbers are the same every time
    idx_t n = g->n;
    int result = METIS_NodeND(&n, g->start, g->next, NULL, options, order, place);
    if (result == METIS_ERROR_MEMORY)
        return LITHE_NO_MEMORY;
    return result == METIS_OK ? LITHE_OK : LITHE_INVALID;
}

static void keep_better(const etree_graph *g, etree *best, etree *candidate, int *mark)
{
    etree_analyze(g, candidate, mark);
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

static lithe_status try_dissection(const etree_graph *g, etree *best, etree *candidate, int *mark)
{
    if (g->n < 3 || g->start[g->n] == 0) // METIS is not made for these
        return LITHE_OK;
    lithe_status status = dissection(g, candidate->order, candidate->place);
    if (status == LITHE_OK)
        keep_better(g, best, candidate, mark);
    return status == LITHE_NO_MEMORY ? status : LITHE_OK; // else minimum degree will do
}

static lithe_status try_shuffles(const etree_graph *g, shuffle *s, etree *best, etree *candidate,
                                 int *mark)
{
    for (int i = 0; i < MAX_SHUFFLE && (i + 1) * (int64_t)g->n <= SHUFFLED_NODES; i++) {
        shuffle_numbers(s);
        LITHE_TRY(minimum_degree(g, s, candidate->order));
        keep_better(g, best, candidate, mark);
    }
    return LITHE_OK;
}

lithe_status order_choose(const etree_graph *g, arena *memory, etree *t)
{
    etree candidate;
    shuffle s;
    LITHE_TRY(etree_create(g->n, memory, t));
    LITHE_TRY(etree_create(g->n, memory, &candidate));
    LITHE_TRY(shuffle_create(g, memory, &s));
    int *mark = arena_new(memory, g->n, int);
    if (!mark)
        return LITHE_NO_MEMORY;
    LITHE_TRY(minimum_degree(g, &s, t->order));
    etree_analyze(g, t, mark);
    LITHE_TRY(try_dissection(g, t, &candidate, mark));
    LITHE_TRY(try_shuffles(g, &s, t, &candidate, mark));
    return postorder(g, memory, t);
}
