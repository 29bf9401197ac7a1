// Small sorts: the nodes of one cell, and integers for qsort.
#ifndef MESH_SORT_H
#define MESH_SORT_H

static inline void order_nodes(int *node, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && node[j - 1] > node[j]; j--) {
            int swap = node[j];
            node[j] = node[j - 1];
            node[j - 1] = swap;
        }
}

// Like memcmp, but for integers.
static inline int order_compare(const int *a, const int *b, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static inline int order_int(const void *left, const void *right)
{
    return order_compare((const int *)left, (const int *)right, 1);
}

#endif
