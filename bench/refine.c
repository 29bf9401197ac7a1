#include "refine.h"

#include "base/vec.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// An edge that is the longest of some tetrahedron.
typedef struct edge {
    uint64_t key; // low node, high node; 0: no edge, as both nodes would be 0
    double length;
    int ntet;   // that it has
    int nclaim; // of which it is the longest
    int middle; // node that cuts it; -1: it stays whole
} edge;

typedef struct refinement {
    int nnode, ntet, wanted;
    double *x;
    int *tet;
    size_t nslot; // a power of two
    edge *slot;   // hashed by key
    edge **cut;   // those that may be cut
} refinement;

static uint64_t edge_key(int a, int b)
{
    return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a;
}

static edge *find_edge(const refinement *r, uint64_t key)
{
    size_t at = (key * 0x9e3779b97f4a7c15u) >> 20 & (r->nslot - 1);
    while (r->slot[at].key && r->slot[at].key != key)
        at = (at + 1) & (r->nslot - 1);
    return &r->slot[at];
}

static double edge_length(const refinement *r, int a, int b)
{
    return vec_distance(&r->x[3 * (size_t)a], &r->x[3 * (size_t)b]);
}

static const int ENDS[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

// Equal lengths are told apart by their nodes, so that neighbours agree.
static int longest_edge(const refinement *r, const int tet[4])
{
    int best = 0;
    double length = 0;
    uint64_t key = 0;
    for (int e = 0; e < 6; e++) {
        int a = tet[ENDS[e][0]], b = tet[ENDS[e][1]];
        double l = edge_length(r, a, b);
        if (l > length || (l == length && edge_key(a, b) > key)) {
            best = e;
            length = l;
            key = edge_key(a, b);
        }
    }
    return best;
}

static void claim_edges(refinement *r)
{
    memset(r->slot, 0, r->nslot * sizeof *r->slot);
    for (int t = 0; t < r->ntet; t++) {
        const int *tet = &r->tet[4 * (size_t)t];
        int longest = longest_edge(r, tet);
        for (int e = 0; e < 6; e++) {
            int a = tet[ENDS[e][0]], b = tet[ENDS[e][1]];
            edge *found = find_edge(r, edge_key(a, b));
            found->key = edge_key(a, b);
            found->length = edge_length(r, a, b);
            found->middle = -1;
            found->ntet++;
            found->nclaim += e == longest;
        }
    }
}

static int longest_first(const void *a, const void *b)
{
    const edge *x = *(edge *const *)a, *y = *(edge *const *)b;
    if (x->length != y->length)
        return x->length < y->length ? 1 : -1;
    return (x->key < y->key) - (x->key > y->key);
}

// Edges that are the longest of all their tetrahedra are cut, the longest of them first.
static void choose_cuts(refinement *r)
{
    size_t ncut = 0;
    for (size_t i = 0; i < r->nslot; i++)
        if (r->slot[i].key && r->slot[i].nclaim == r->slot[i].ntet)
            r->cut[ncut++] = &r->slot[i];
    qsort(r->cut, ncut, sizeof *r->cut, longest_first);
    for (size_t i = 0; i < ncut && r->nnode < r->wanted; i++) {
        int a = (int)(r->cut[i]->key >> 32), b = (int)(r->cut[i]->key & 0xffffffffu);
        double *x = &r->x[3 * (size_t)r->nnode];
        for (int k = 0; k < 3; k++)
            x[k] = (r->x[3 * (size_t)a + (size_t)k] + r->x[3 * (size_t)b + (size_t)k]) / 2;
        r->cut[i]->middle = r->nnode++;
    }
}

static void cut_tetrahedra(refinement *r)
{
    for (int t = 0, old = r->ntet; t < old; t++) {
        int *tet = &r->tet[4 * (size_t)t], e = longest_edge(r, tet);
        const edge *longest = find_edge(r, edge_key(tet[ENDS[e][0]], tet[ENDS[e][1]]));
        if (longest->middle < 0)
            continue;
        int *half = &r->tet[4 * (size_t)r->ntet++];
        memcpy(half, tet, 4 * sizeof *tet);
        half[ENDS[e][0]] = longest->middle;
        tet[ENDS[e][1]] = longest->middle;
    }
}

// A node more brings some six tetrahedra more, and never more than the edge it cuts had.
static lithe_mesh *refine(refinement *r, arena *memory, const lithe_mesh *coarse)
{
    size_t most = 16 * (size_t)r->wanted + 4 * (size_t)r->ntet;
    lithe_report report = lithe_report_default();
    lithe_mesh *out = NULL;
    for (r->nslot = 1024; r->nslot < 2 * most; r->nslot *= 2)
        ;
    r->x = arena_new(memory, 3 * (size_t)r->wanted, double);
    r->tet = arena_new(memory, 4 * most, int);
    r->slot = arena_new(memory, r->nslot, edge);
    r->cut = arena_new(memory, r->nslot, edge *);
    if (!r->x || !r->tet || !r->slot || !r->cut)
        return NULL;
    memcpy(r->x, coarse->x, 3 * (size_t)r->nnode * sizeof *r->x);
    memcpy(r->tet, coarse->tet, 4 * (size_t)r->ntet * sizeof *r->tet);
    while (r->nnode < r->wanted) {
        claim_edges(r);
        choose_cuts(r);
        cut_tetrahedra(r);
    }
    lithe_mesh_create(r->nnode, r->x, r->ntet, r->tet, &out, &report);
    return out;
}

lithe_mesh *refine_mesh(const lithe_mesh *coarse, int nnode)
{
    arena memory = {0};
    refinement r = {.nnode = coarse->nnode,
                    .ntet = coarse->ntet,
                    .wanted = nnode > coarse->nnode ? nnode : coarse->nnode};
    lithe_mesh *fine = refine(&r, &memory, coarse);
    arena_free(&memory);
    return fine;
}
