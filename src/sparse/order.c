#include "sparse/order.h"

#include "sparse/supernode.h"

#include <amd.h>
#include <math.h>
#include <metis.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(idx_t) == sizeof(int), "METIS must be built with 32-bit indices");

// Minimum degree breaks ties by the numbers of the nodes, so shuffling them gives other orders, up
// to a quarter cheaper on thin bodies; nested dissection begins with random numbers. One model is
// factored many times: small graphs are worth several tries, until this many nodes have been
// ordered in all.
enum { MAX_SHUFFLE = 24, SHUFFLED_NODES = 50000, MAX_DISSECTION = 4, DISSECTED_NODES = 20000 };

// A graph under shuffled numbers.
typedef struct shuffle {
    uint64_t state;
    int *label;    // the graph's number of each shuffled one
    int *position; // the other way round
    etree_graph g;
} shuffle;

static lithe_status shuffle_create(const etree_graph *g, arena *memory, shuffle *s)
{
    *s = (shuffle){.state = 1, .g.n = g->n};
    s->label = arena_new(memory, g->n, int);
    s->position = arena_new(memory, g->n, int);
    s->g.start = arena_new(memory, g->n + 1, int);
    s->g.next = arena_new(memory, g->start[g->n], int);
    if (!s->label || !s->position || !s->g.start || !s->g.next)
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
        s->position[s->label[i]] = i;
    for (int i = 0; i < g->n; i++) {
        int node = s->label[i];
        for (int a = g->start[node]; a < g->start[node + 1]; a++)
            s->g.next[count++] = s->position[g->next[a]];
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

// METIS takes SIGTERM and SIGABRT for its own while it works, for the whole process, and leaves
// their actions changed: a program that was told to end would go on. The caller's wait meanwhile,
// and find everything as it was; one thread at a time, or one would restore what another has put
// there.
static int order_undisturbed(const etree_graph *g, idx_t *options, int *order, int *position)
{
    static pthread_mutex_t alone = PTHREAD_MUTEX_INITIALIZER;
    static const int taken[2] = {SIGTERM, SIGABRT};
    struct sigaction action[2];
    sigset_t term, before;
    idx_t n = g->n;
    sigemptyset(&term);
    sigaddset(&term, SIGTERM);
    pthread_mutex_lock(&alone);
    pthread_sigmask(SIG_BLOCK, &term, &before);
    for (int i = 0; i < 2; i++)
        sigaction(taken[i], NULL, &action[i]);
    int result = METIS_NodeND(&n, g->start, g->next, NULL, options, order, position);
    for (int i = 0; i < 2; i++)
        sigaction(taken[i], &action[i], NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_mutex_unlock(&alone);
    return result;
}

static lithe_status dissection(const etree_graph *g, int seed, int *order, int *position)
{
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = seed; // its random numbers are the same every time
    int result = order_undisturbed(g, options, order, position);
    if (result == METIS_ERROR_MEMORY)
        return LITHE_NO_MEMORY;
    return result == METIS_OK ? LITHE_OK : LITHE_INVALID;
}

// The best order so far and the one that is tried.
typedef struct contest {
    const etree_graph *g;
    etree best, candidate;
    double time;             // of the best, estimated
    int *scratch;            // (4 n)
    supernode_group *groups; // (n)
} contest;

static lithe_status contest_create(const etree_graph *g, arena *memory, contest *c)
{
    *c = (contest){.g = g, .time = INFINITY};
    LITHE_TRY(etree_create(g->n, memory, &c->best));
    LITHE_TRY(etree_create(g->n, memory, &c->candidate));
    c->scratch = arena_new(memory, 4 * (size_t)g->n, int);
    c->groups = arena_new(memory, g->n, supernode_group);
    return c->scratch && c->groups ? LITHE_OK : LITHE_NO_MEMORY;
}

// Children next to their parents, so that supernodes are contiguous and update matrices stack up.
static void postorder(const etree_graph *g, etree *t, int *scratch)
{
    int *post = scratch, *order = scratch + t->n;
    etree_postorder(t->n, t->parent, post, scratch + 2 * (size_t)t->n);
    for (int i = 0; i < t->n; i++)
        order[i] = t->order[post[i]];
    memcpy(t->order, order, (size_t)t->n * sizeof *order);
    etree_analyze(g, t, scratch);
}

static void keep_better(contest *c)
{
    etree_analyze(c->g, &c->candidate, c->scratch);
    postorder(c->g, &c->candidate, c->scratch);
    double time = supernodes_time(&c->candidate, c->groups, c->scratch);
    if (time < c->time) {
        etree other = c->best;
        c->best = c->candidate;
        c->candidate = other;
        c->time = time;
    }
}

static lithe_status try_dissections(contest *c)
{
    const etree_graph *g = c->g;
    if (g->n < 3 || g->start[g->n] == 0) // METIS is not made for these
        return LITHE_OK;
    for (int i = 0; i < MAX_DISSECTION && (i == 0 || i * (int64_t)g->n <= DISSECTED_NODES); i++) {
        lithe_status status = dissection(g, i + 1, c->candidate.order, c->candidate.position);
        if (status != LITHE_OK) // without memory there is no order; else minimum degree will do
            return status == LITHE_NO_MEMORY ? status : LITHE_OK;
        keep_better(c);
    }
    return LITHE_OK;
}

static lithe_status try_minimum_degree(contest *c, shuffle *s)
{
    const etree_graph *g = c->g;
    for (int i = 0; i <= MAX_SHUFFLE && (i == 0 || i * (int64_t)g->n <= SHUFFLED_NODES); i++) {
        if (i > 0)
            shuffle_numbers(s);
        LITHE_TRY(minimum_degree(g, s, c->candidate.order));
        keep_better(c);
    }
    return LITHE_OK;
}

lithe_status order_choose(const etree_graph *g, arena *memory, etree *t)
{
    contest c;
    shuffle s;
    LITHE_TRY(contest_create(g, memory, &c));
    LITHE_TRY(shuffle_create(g, memory, &s));
    LITHE_TRY(try_minimum_degree(&c, &s));
    LITHE_TRY(try_dissections(&c));
    *t = c.best;
    return LITHE_OK;
}
