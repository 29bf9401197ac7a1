#include "contact/box_tree.h"

#include <assert.h>

static int longest_side(const tree *t, const double *centre, int first, int n)
{
    box3 around = box_empty();
    for (int k = first; k < first + n; k++)
        box_add(&around, &centre[3 * (size_t)t->item[k]]);
    int axis = 0;
    for (int i = 1; i < 3; i++)
        if (around.upper[i] - around.lower[i] > around.upper[axis] - around.lower[axis])
            axis = i;
    return axis;
}

// Ties are broken by the item's number, so that the order is one and the same everywhere.
static bool comes_before(const double *centre, int axis, int a, int b)
{
    double x = centre[3 * (size_t)a + (size_t)axis], y = centre[3 * (size_t)b + (size_t)axis];
    return x < y || (x == y && a < b);
}

// Quickselect: items before `middle` come before it along the axis, those behind it do not.
static void split_at(int *item, int n, int middle, const double *centre, int axis)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int pivot = item[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (comes_before(centre, axis, item[i], pivot))
                i++;
            while (comes_before(centre, axis, pivot, item[j]))
                j--;
            if (i <= j) {
                int swap = item[i];
                item[i++] = item[j];
                item[j--] = swap;
            }
        }
        if (middle <= j)
            high = j;
        else if (middle >= i)
            low = i;
        else
            return;
    }
}

lithe_status tree_build(tree *t, int nitem, const double *centre, arena *memory)
{
    *t = (tree){.nitem = nitem};
    t->item = arena_new(memory, nitem > 0 ? nitem : 1, int);
    t->node = arena_new(memory, 2 * (size_t)nitem + 1, box_node);
    if (!t->item || !t->node)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < nitem; i++)
        t->item[i] = i;
    t->node[0] = (box_node){0, nitem};
    t->nnode = nitem > 0;
    for (int k = 0; k < t->nnode; k++) {
        box_node leaf = t->node[k];
        if (leaf.n <= TREE_LEAF)
            continue;
        int half = leaf.n / 2;
        int axis = longest_side(t, centre, leaf.first, leaf.n);
        split_at(&t->item[leaf.first], leaf.n, half, centre, axis);
        t->node[k] = (box_node){t->nnode, 0};
        t->node[t->nnode++] = (box_node){leaf.first, half};
        t->node[t->nnode++] = (box_node){leaf.first + half, leaf.n - half};
    }
    return LITHE_OK;
}

void tree_fit(const tree *t, const box3 *item, box3 *node)
{
    for (int k = t->nnode - 1; k >= 0; k--) {
        box3 around = box_empty();
        if (t->node[k].n > 0) {
            for (int i = t->node[k].first; i < t->node[k].first + t->node[k].n; i++) {
                box_add(&around, item[t->item[i]].lower);
                box_add(&around, item[t->item[i]].upper);
            }
        } else {
            for (int c = t->node[k].first; c < t->node[k].first + 2; c++) {
                box_add(&around, node[c].lower);
                box_add(&around, node[c].upper);
            }
        }
        node[k] = around;
    }
}
