#include "base/memory.h"
#include "sparse/sparse.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

typedef struct pair {
    int row, col; // row > col
} pair;

struct sparse_builder {
    int n;
    size_t npair, capacity;
    pair *pair;
};

sparse_builder *sparse_builder_create(int n)
{
    sparse_builder *b = memory_alloc(sizeof *b);
    if (b)
        *b = (sparse_builder){.n = n};
    return b;
}

void sparse_builder_free(sparse_builder *b)
{
    if (b)
        memory_free(b->pair);
    memory_free(b);
}

static lithe_status reserve(sparse_builder *b, size_t more)
{
    if (b->capacity - b->npair >= more)
        return LITHE_OK;
    size_t capacity = 2 * b->capacity + more + 64;
    pair *grown = memory_grow(b->pair, b->npair * sizeof *grown, capacity * sizeof *grown);
    if (!grown)
        return LITHE_NO_MEMORY;
    b->pair = grown;
    b->capacity = capacity;
    return LITHE_OK;
}

static int row_of(const int *rows, int node)
{
    return rows ? rows[node] : node;
}

lithe_status sparse_builder_clique(sparse_builder *b, int nnode, const int *node, const int *rows)
{
    if (nnode < 2)
        return LITHE_OK;
    LITHE_TRY(reserve(b, (size_t)nnode * ((size_t)nnode - 1) / 2));
    for (int i = 0; i < nnode; i++) {
        int row = row_of(rows, node[i]);
        assert(row < b->n);
        for (int j = 0; j < i; j++) {
            int column = row_of(rows, node[j]);
            int high = row > column ? row : column, low = row > column ? column : row;
            if (low >= 0 && low != high)
                b->pair[b->npair++] = (pair){high, low};
        }
    }
    return LITHE_OK;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// Sorts the rows of every column, drops repeated ones and closes the gaps; gives the number kept.
static size_t compact(int n, size_t *start, int *row)
{
    size_t kept = 0;
    for (int j = 0; j < n; j++) {
        size_t first = start[j], last = start[j + 1];
        qsort(row + first, last - first, sizeof *row, ascending);
        start[j] = kept;
        for (size_t p = first; p < last; p++)
            if (p == first || row[p] != row[kept - 1])
                row[kept++] = row[p];
    }
    start[n] = kept;
    return kept;
}

// Rows by column, the diagonal among them; start has n + 2 entries.
static void bucket(const sparse_builder *b, size_t *start, int *row)
{
    for (int j = 0; j < b->n + 2; j++)
        start[j] = 0;
    for (size_t p = 0; p < b->npair; p++)
        start[b->pair[p].col + 2]++;
    for (int j = 0; j < b->n; j++)
        start[j + 2] += start[j + 1] + 1;
    // start[j + 1] is now where column j begins, and moves to its end as the column fills
    for (int j = 0; j < b->n; j++)
        row[start[j + 1]++] = j;
    for (size_t p = 0; p < b->npair; p++)
        row[start[b->pair[p].col + 1]++] = b->pair[p].row;
}

static lithe_status copy_pattern(int n, const size_t *start, const int *row, arena *memory,
                                 sparse_pattern *out)
{
    if (start[n] > INT_MAX)
        return LITHE_NO_MEMORY;
    *out = (sparse_pattern){.n = n, .nblock = (int)start[n]};
    out->col_adr = arena_new(memory, n + 1, int);
    out->row = arena_new(memory, start[n], int);
    if (!out->col_adr || !out->row)
        return LITHE_NO_MEMORY;
    for (int j = 0; j <= n; j++)
        out->col_adr[j] = (int)start[j];
    for (size_t p = 0; p < start[n]; p++)
        out->row[p] = row[p];
    return LITHE_OK;
}

lithe_status sparse_builder_finish(sparse_builder *b, arena *memory, sparse_pattern *out)
{
    size_t *start = memory_alloc(((size_t)b->n + 2) * sizeof *start);
    int *row = memory_alloc((b->npair + (size_t)b->n) * sizeof *row);
    lithe_status status = LITHE_NO_MEMORY;
    if (start && row) {
        bucket(b, start, row);
        compact(b->n, start, row);
        status = copy_pattern(b->n, start, row, memory, out);
    }
    memory_free(row);
    memory_free(start);
    return status;
}

int sparse_find(const sparse_pattern *p, int i, int j)
{
    int low = p->col_adr[j], high = p->col_adr[j + 1];
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (p->row[middle] < i)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->col_adr[j + 1] && p->row[low] == i ? low : -1;
}
