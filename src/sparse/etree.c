#include "sparse/etree.h"

#include <limits.h>

static void count_neighbours(const sparse_pattern *p, int *start)
{
    for (int j = 0; j < p->n; j++)
        for (int a = p->col_adr[j] + 1; a < p->col_adr[j + 1]; a++) {
            start[j + 1]++;
            start[p->row[a] + 1]++;
        }
    for (int j = 0; j < p->n; j++)
        start[j + 1] += start[j];
}

lithe_status etree_graph_create(const sparse_pattern *p, arena *memory, etree_graph *out)
{
    if (p->nblock - p->n > INT_MAX / 2)
        return LITHE_NO_MEMORY;
    out->n = p->n;
    out->start = arena_new(memory, p->n + 1, int);
    out->next = arena_new(memory, 2 * (p->nblock - p->n), int);
    int *fill = arena_new(memory, p->n, int);
    if (!out->start || !out->next || !fill)
        return LITHE_NO_MEMORY;
    count_neighbours(p, out->start);
    for (int j = 0; j < p->n; j++)
        for (int a = p->col_adr[j] + 1; a < p->col_adr[j + 1]; a++) {
            int i = p->row[a];
            out->next[out->start[j] + fill[j]++] = i;
            out->next[out->start[i] + fill[i]++] = j;
        }
    return LITHE_OK;
}

lithe_status etree_create(int n, arena *memory, etree *out)
{
    *out = (etree){.n = n};
    out->order = arena_new(memory, n, int);
    out->position = arena_new(memory, n, int);
    out->parent = arena_new(memory, n, int);
    out->count = arena_new(memory, n, int);
    return out->order && out->position && out->parent && out->count ? LITHE_OK : LITHE_NO_MEMORY;
}

// Liu's algorithm; ancestor shortens the climbs.
static void find_parents(const etree_graph *g, etree *t, int *ancestor)
{
    for (int i = 0; i < t->n; i++) {
        t->parent[i] = ancestor[i] = -1;
        int node = t->order[i];
        for (int a = g->start[node]; a < g->start[node + 1]; a++) {
            int j = t->position[g->next[a]];
            while (j >= 0 && j < i) {
                int above = ancestor[j];
                ancestor[j] = i;
                if (above < 0)
                    t->parent[j] = i;
                j = above;
            }
        }
    }
}

// Row i of L is the part of the tree between i and the columns of A's row i.
static void count_columns(const etree_graph *g, etree *t, int *mark)
{
    for (int i = 0; i < t->n; i++) {
        t->count[i] = 1;
        mark[i] = i;
        int node = t->order[i];
        for (int a = g->start[node]; a < g->start[node + 1]; a++)
            for (int j = t->position[g->next[a]]; j < i && mark[j] != i; j = t->parent[j]) {
                t->count[j]++;
                mark[j] = i;
            }
    }
}

void etree_analyze(const etree_graph *g, etree *t, int *mark)
{
    for (int i = 0; i < t->n; i++)
        t->position[t->order[i]] = i;
    find_parents(g, t, mark);
    count_columns(g, t, mark);
    t->flops = t->nonzeros = 0;
    for (int i = 0; i < t->n; i++)
        for (int k = 0; k < 3; k++) {
            double entries = 3.0 * t->count[i] - k;
            t->flops += entries * entries;
            t->nonzeros += entries;
        }
}

void etree_postorder(int n, const int *parent, int *order, int *scratch)
{
    int *child = scratch, *sibling = scratch + n;
    int root = -1, done = 0;
    for (int i = 0; i < n; i++)
        child[i] = -1;
    for (int i = n - 1; i >= 0; i--) {
        int *list = parent[i] < 0 ? &root : &child[parent[i]];
        sibling[i] = *list;
        *list = i;
    }
    for (int i = root; i >= 0;) {
        while (child[i] >= 0) { // down to a leaf, cutting each link that is followed
            int below = child[i];
            child[i] = -1;
            i = below;
        }
        order[done++] = i;
        i = sibling[i] >= 0 ? sibling[i] : parent[i];
    }
}
