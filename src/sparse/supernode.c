#include "sparse/supernode.h"

#include "sparse/symbolic.h"

typedef supernode_group group;

// Rows are padded to whole vectors, and zeros cost as much as numbers.
static double padded(int rows)
{
    return sparse_padded(3 * rows);
}

double supernode_cost(int npivot, int nrow)
{
    double p = 3.0 * npivot, r = padded(nrow), own = padded(npivot);
    double update = p * r * (r + 8) / 2, solve = p * p * r / 2, factor = p * p * p / 6;
    double assembled = r * r / 2;   // entries added into the parent's front
    double entries = p * (own + r); // entries of the panel
    return 45 + 0.0325 * update + 0.037 * solve + 0.033 * factor + 0.45 * assembled +
           0.42 * entries;
}

static bool same_supernode(const etree *t, int j)
{
    return t->parent[j] == j + 1 && t->count[j] == t->count[j + 1] + 1;
}

// Columns j, j + 1, ... whose structures differ by the diagonal only; gives how many groups.
static int find_groups(const etree *t, int *group_of, group *groups)
{
    int ngroup = 0;
    for (int j = 0; j < t->n; ngroup++) {
        int first = j;
        while (j + 1 < t->n && same_supernode(t, j))
            group_of[j++] = ngroup;
        group_of[j] = ngroup;
        int npivot = j - first + 1, nrow = t->count[j] - 1;
        groups[ngroup] = (group){npivot, nrow, t->parent[j], ngroup, supernode_cost(npivot, nrow)};
        j++;
    }
    for (int g = 0; g < ngroup; g++)
        if (groups[g].parent >= 0)
            groups[g].parent = group_of[groups[g].parent];
    return ngroup;
}

// A child's rows lie within its parent's pivots and rows, so merging them stores zeros but saves
// the child's update matrix and the parent a pass.
static void merge_if_cheaper(group *groups, int child, int parent)
{
    group *c = &groups[child], *p = &groups[parent];
    double merged = supernode_cost(c->npivot + p->npivot, p->nrow);
    if (merged > c->cost + p->cost)
        return;
    p->npivot += c->npivot;
    p->cost = merged;
    c->into = parent;
}

// From the leaves up, and from the last child, which is the largest in most orders, to the first.
static void merge_groups(int ngroup, group *groups, int *child, int *sibling)
{
    for (int g = 0; g < ngroup; g++)
        child[g] = -1;
    for (int g = 0; g < ngroup; g++) {
        for (int c = child[g]; c >= 0; c = sibling[c])
            merge_if_cheaper(groups, c, g);
        int p = groups[g].parent;
        if (p >= 0) {
            sibling[g] = child[p];
            child[p] = g;
        }
    }
    for (int g = ngroup - 1; g >= 0; g--) // the swallowing one is always behind
        groups[g].into = groups[groups[g].into].into;
}

// Numbers the groups that are left. They keep their order, and it stays a postorder: the subtree
// of a group was a range that ended with it, and still is.
static void number_fronts(int ngroup, const group *groups, int *front_of, supernodes *out)
{
    for (int g = 0; g < ngroup; g++)
        if (groups[g].into == g)
            front_of[g] = out->nfront++;
    for (int g = 0; g < ngroup; g++) {
        int f = front_of[g];
        if (groups[g].into != g)
            continue;
        int p = groups[g].parent;
        out->parent[f] = p < 0 ? -1 : front_of[groups[p].into];
        out->nrow[f] = groups[g].nrow;
        out->first[f + 1] = out->first[f] + groups[g].npivot;
    }
}

static void number_columns(const etree *t, const int *group_of, const group *groups,
                           const int *front_of, int *next, supernodes *out)
{
    for (int f = 0; f < out->nfront; f++)
        next[f] = out->first[f];
    for (int j = 0; j < t->n; j++)
        out->order[next[front_of[groups[group_of[j]].into]]++] = t->order[j];
}

double supernodes_time(const etree *t, group *groups, int *scratch)
{
    int *group_of = scratch, *child = scratch + t->n, *sibling = scratch + 2 * (size_t)t->n;
    int ngroup = find_groups(t, group_of, groups);
    double time = 0;
    merge_groups(ngroup, groups, child, sibling);
    for (int g = 0; g < ngroup; g++)
        if (groups[g].into == g)
            time += groups[g].cost;
    return time;
}

lithe_status supernodes_create(const etree *t, arena *memory, supernodes *out)
{
    size_t n = (size_t)t->n;
    *out = (supernodes){0};
    out->order = arena_new(memory, n, int);
    out->first = arena_new(memory, n + 1, int);
    out->nrow = arena_new(memory, n, int);
    out->parent = arena_new(memory, n, int);
    group *groups = arena_new(memory, n, group);
    int *scratch = arena_new(memory, 4 * n, int);
    if (!out->order || !out->first || !out->nrow || !out->parent || !groups || !scratch)
        return LITHE_NO_MEMORY;
    int *group_of = scratch, *front_of = scratch + n, *a = scratch + 2 * n, *b = scratch + 3 * n;
    int ngroup = find_groups(t, group_of, groups);
    merge_groups(ngroup, groups, a, b);
    number_fronts(ngroup, groups, front_of, out);
    number_columns(t, group_of, groups, front_of, a, out);
    return LITHE_OK;
}
