// The elimination tree of a graph under an order, and how full the columns of the factor get.
#ifndef SPARSE_ETREE_H
#define SPARSE_ETREE_H

#include "sparse/sparse.h"

// Both directions of every pair of different block rows that share a block.
typedef struct etree_graph {
    int n;
    int *start; // (n + 1)
    int *next;  // (start[n])
} etree_graph;

// The elimination tree of one order; columns are numbered in that order.
typedef struct etree {
    int n;
    int *order;    // (n) the graph's number of every column
    int *position; // (n) the column of every number of the graph
    int *parent;   // (n) -1 at roots
    int *count;    // (n) blocks of the column of L, diagonal included
    double flops;  // of factoring
    double nonzeros;
} etree;

lithe_status etree_graph_create(const sparse_pattern *p, arena *memory, etree_graph *out);

lithe_status etree_create(int n, arena *memory, etree *out);

// Fills the rest of t for the order in t->order. mark: scratch (n).
void etree_analyze(const etree_graph *g, etree *t, int *mark);

// order[k]: the k-th node of a postorder of the forest, children ascending. scratch: (2 n).
void etree_postorder(int n, const int *parent, int *order, int *scratch);

#endif
