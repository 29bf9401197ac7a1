#include "mesh/cluster.h"

#include "mesh/surface.h"

typedef struct clustering {
    const mesh *m;
    const int *label;
    int *neighbour; // (ntet x 4)
    bool *folded;   // (ntet)
    int *of;        // the cluster of a tetrahedron, -1: none yet (ntet)
    int *queue;     // tetrahedra beside clusters, where the next ones begin (ntet)
    bool *queued;   // (ntet)
    int head, tail; // of the queue
    int next;       // tetrahedra before it have a cluster
    int n;
    mesh_cluster *cluster;
} clustering;

// Nodes of a tetrahedron that a cluster does not have.
static int new_nodes(const clustering *c, int tet, const mesh_cluster *k)
{
    int fresh = 0;
    for (int a = 0; a < 4; a++) {
        bool there = false;
        for (int i = 0; i < 4 * k->n; i++)
            there = there || c->m->tet[4 * k->tet[i / 4] + i % 4] == c->m->tet[4 * tet + a];
        fresh += !there;
    }
    return fresh;
}

static void join(clustering *c, int id, int tet)
{
    mesh_cluster *k = &c->cluster[id];
    k->tet[k->n++] = tet;
    c->of[tet] = id;
}

// How little a tetrahedron suits a cluster: new nodes first, then few shared faces, then free
// neighbours, who could still become clusters of their own.
static int cost(const clustering *c, int tet, int id)
{
    int shared = 0, taken = 0;
    for (int f = 0; f < 4; f++) {
        int other = c->neighbour[4 * tet + f];
        shared += other >= 0 && c->of[other] == id;
        taken += other < 0 || c->of[other] >= 0;
    }
    return 16 * new_nodes(c, tet, &c->cluster[id]) - 2 * shared - taken;
}

static int best_neighbour(const clustering *c, int id)
{
    const mesh_cluster *k = &c->cluster[id];
    int best = -1, least = 0;
    for (int i = 0; i < 4 * k->n; i++) {
        int tet = c->neighbour[4 * k->tet[i / 4] + i % 4];
        if (tet < 0 || c->of[tet] >= 0 || c->label[tet] != c->label[k->tet[0]])
            continue;
        int value = cost(c, tet, id);
        if (best < 0 || value < least) {
            best = tet;
            least = value;
        }
    }
    return best;
}

static void queue_neighbours(clustering *c, const mesh_cluster *k)
{
    for (int i = 0; i < 4 * k->n; i++) {
        int tet = c->neighbour[4 * k->tet[i / 4] + i % 4];
        if (tet < 0 || c->of[tet] >= 0 || c->queued[tet])
            continue;
        c->queued[tet] = true;
        c->queue[c->tail++] = tet;
    }
}

// Beside what is done already, so that few tetrahedra are left alone in between; -1: all have one.
static int next_seed(clustering *c)
{
    while (c->head < c->tail && c->of[c->queue[c->head]] >= 0)
        c->head++;
    if (c->head < c->tail)
        return c->queue[c->head];
    while (c->next < c->m->ntet && c->of[c->next] >= 0)
        c->next++;
    return c->next < c->m->ntet ? c->next : -1;
}

static void grow(clustering *c)
{
    for (int seed = next_seed(c); seed >= 0; seed = next_seed(c)) {
        int id = c->n++;
        for (int tet = seed; tet >= 0; tet = best_neighbour(c, id)) {
            join(c, id, tet);
            if (c->cluster[id].n == CLUSTER_SIZE)
                break;
        }
        queue_neighbours(c, &c->cluster[id]);
    }
}

// The neighbouring cluster to which a tetrahedron adds least; -1: none has room.
static int other_home(const clustering *c, int tet)
{
    int best = -1, least = 0;
    for (int f = 0; f < 4; f++) {
        int beside = c->neighbour[4 * tet + f], id = beside < 0 ? -1 : c->of[beside];
        if (id < 0 || id == c->of[tet] || c->label[beside] != c->label[tet] ||
            c->cluster[id].n == CLUSTER_MOST)
            continue;
        int value = 2 * CLUSTER_MOST * new_nodes(c, tet, &c->cluster[id]) + c->cluster[id].n;
        if (best < 0 || value < least) {
            best = id;
            least = value;
        }
    }
    return best;
}

static void dissolve(clustering *c, int id)
{
    mesh_cluster *k = &c->cluster[id];
    for (int i = k->n - 1; i >= 0; i--) {
        int home = other_home(c, k->tet[i]);
        if (home < 0)
            continue;
        join(c, home, k->tet[i]);
        k->tet[i] = k->tet[--k->n];
        i = k->n; // those that had no other home may have one now
    }
}

static void close_gaps(clustering *c)
{
    for (int id = 0; id < c->n; id++)
        if (c->cluster[id].n < CLUSTER_LEAST)
            dissolve(c, id);
    int n = 0;
    for (int id = 0; id < c->n; id++)
        if (c->cluster[id].n > 0)
            c->cluster[n++] = c->cluster[id];
    c->n = n;
}

lithe_status cluster_tets(const mesh *m, const int *label, arena *memory, int *ncluster,
                          mesh_cluster **cluster)
{
    clustering c = {.m = m, .label = label};
    c.neighbour = arena_new(memory, 4 * (size_t)m->ntet, int);
    c.folded = arena_new(memory, m->ntet, bool);
    c.of = arena_new(memory, m->ntet, int);
    c.queue = arena_new(memory, m->ntet, int);
    c.queued = arena_new(memory, m->ntet, bool);
    c.cluster = arena_new(memory, m->ntet, mesh_cluster);
    if (!c.neighbour || !c.folded || !c.of || !c.queue || !c.queued || !c.cluster)
        return LITHE_NO_MEMORY;
    LITHE_TRY(mesh_find_neighbours(m, c.neighbour, c.folded));
    for (int t = 0; t < m->ntet; t++)
        c.of[t] = -1;
    grow(&c);
    close_gaps(&c);
    *ncluster = c.n;
    *cluster = c.cluster;
    return LITHE_OK;
}
