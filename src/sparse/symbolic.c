#include "sparse/symbolic.h"

#include "sparse/order.h"
#include "sparse/supernode.h"

#include <stdlib.h>
#include <string.h>

// Columns that lie a large power of two apart compete for the same few lines of the cache.
static int spread(int rows)
{
    return rows && rows % 64 == 0 ? rows + SPARSE_PACK : rows;
}

// Gives the number of rows below pivots in all fronts.
static size_t shape_fronts(const supernodes *s, sparse_symbolic *sym)
{
    size_t row_adr = 0;
    for (int f = 0; f < s->nfront; f++) {
        sparse_front *front = &sym->front[f];
        front->first = s->first[f];
        front->npivot = s->first[f + 1] - s->first[f];
        front->nrow = s->nrow[f];
        front->parent = s->parent[f];
        front->row_adr = row_adr;
        row_adr += (size_t)front->nrow;
        front->pivot_rows = sparse_padded(3 * front->npivot);
        front->ld = spread(front->pivot_rows + sparse_padded(3 * front->nrow));
        front->update_ld = spread(sparse_padded(3 * front->nrow));
        front->panel_adr = sym->npanel;
        sym->npanel += (size_t)front->ld * 3 * (size_t)front->npivot;
    }
    return row_adr;
}

static void list_children(sparse_symbolic *sym)
{
    for (int f = 0; f < sym->nfront; f++)
        if (sym->front[f].parent >= 0)
            sym->front[sym->front[f].parent].nchild++;
    for (int f = 0, adr = 0; f < sym->nfront; f++) {
        sym->front[f].child_adr = adr;
        adr += sym->front[f].nchild;
        sym->front[f].nchild = 0;
    }
    for (int f = 0; f < sym->nfront; f++)
        if (sym->front[f].parent >= 0) {
            sparse_front *parent = &sym->front[sym->front[f].parent];
            sym->child[parent->child_adr + parent->nchild++] = f;
        }
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int add_row(int row, int last_pivot, int front, int *mark, int *list, int count)
{
    if (row > last_pivot && mark[row] != front) {
        mark[row] = front;
        list[count++] = row;
    }
    return count;
}

// The rows of a front are those that A or a child's update matrix brings.
static void collect_rows(const etree_graph *g, sparse_symbolic *sym, int f, const int *position,
                         int *mark)
{
    const sparse_front *front = &sym->front[f];
    int last = front->first + front->npivot - 1, count = 0;
    int *list = sym->row + front->row_adr;
    for (int j = front->first; j <= last; j++)
        for (int a = g->start[sym->order[j]]; a < g->start[sym->order[j] + 1]; a++)
            count = add_row(position[g->next[a]], last, f, mark, list, count);
    for (int c = 0; c < front->nchild; c++) {
        const sparse_front *child = &sym->front[sym->child[front->child_adr + c]];
        for (int i = 0; i < child->nrow; i++)
            count = add_row(sym->row[child->row_adr + (size_t)i], last, f, mark, list, count);
    }
    qsort(list, (size_t)count, sizeof *list, ascending);
}

// Panel row where elimination number `row` begins; `hint` is an index into the front's rows that
// is not behind it.
static int panel_row(const sparse_symbolic *sym, const sparse_front *front, int row, int *hint)
{
    if (row < front->first + front->npivot)
        return 3 * (row - front->first);
    const int *rows = sym->row + front->row_adr;
    while (rows[*hint] != row)
        ++*hint;
    return front->pivot_rows + 3 * *hint;
}

// Writes the runs of a front if there is room for them; gives their number.
static int find_runs(const sparse_symbolic *sym, const sparse_front *front, sparse_run *runs)
{
    int nrun = 0, end = -1, hint = 0;
    if (front->parent < 0)
        return 0;
    for (int i = 0; i < front->nrow; i++) {
        int row = sym->row[front->row_adr + (size_t)i];
        int target = panel_row(sym, &sym->front[front->parent], row, &hint);
        if (target != end) {
            if (runs)
                runs[nrun] = (sparse_run){3 * i, target, 0};
            nrun++;
        }
        if (runs)
            runs[nrun - 1].count += 3;
        end = target + 3;
    }
    return nrun;
}

static lithe_status map_children(sparse_symbolic *sym, arena *memory)
{
    int total = 0;
    for (int f = 0; f < sym->nfront; f++) {
        sym->front[f].run_adr = total;
        sym->front[f].nrun = find_runs(sym, &sym->front[f], NULL);
        total += sym->front[f].nrun;
    }
    sym->run = arena_new(memory, total, sparse_run);
    if (!sym->run)
        return LITHE_NO_MEMORY;
    for (int f = 0; f < sym->nfront; f++)
        find_runs(sym, &sym->front[f], sym->run + sym->front[f].run_adr);
    return LITHE_OK;
}

// Index into the front's rows of elimination number `row`, which is there.
static int find_row(const sparse_symbolic *sym, const sparse_front *front, int row)
{
    const int *rows = sym->row + front->row_adr;
    int low = 0, high = front->nrow;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Where block (row, col) goes, row > col.
static size_t block_target(const sparse_symbolic *sym, const sparse_front *front, int row, int col)
{
    int hint = row < front->first + front->npivot ? 0 : find_row(sym, front, row);
    size_t at = (size_t)panel_row(sym, front, row, &hint);
    return front->panel_adr + at + (size_t)front->ld * 3 * (size_t)(col - front->first);
}

// Lists the blocks that are stored the way they are needed, or those that are not.
static void list_entries(const sparse_pattern *p, sparse_symbolic *sym, const int *position,
                         bool transposed)
{
    for (int j = 0; j < p->n; j++)
        for (int a = p->col_adr[j]; a < p->col_adr[j + 1]; a++) {
            int row = position[p->row[a]], col = position[j];
            if ((row < col) != transposed)
                continue;
            int high = transposed ? col : row, low = transposed ? row : col;
            sparse_front *front = &sym->front[sym->front_of[sym->order[low]]];
            sym->entry[front->entry_adr + front->nentry++] =
                (sparse_entry){block_target(sym, front, high, low), a};
        }
}

static void map_matrix(const sparse_pattern *p, sparse_symbolic *sym, const int *position)
{
    for (int j = 0; j < p->n; j++)
        for (int a = p->col_adr[j]; a < p->col_adr[j + 1]; a++) {
            int first = position[p->row[a]] < position[j] ? p->row[a] : j;
            sym->front[sym->front_of[first]].nentry++;
        }
    for (int f = 0, adr = 0; f < sym->nfront; f++) {
        sym->front[f].entry_adr = adr;
        adr += sym->front[f].nentry;
        sym->front[f].nentry = 0;
    }
    list_entries(p, sym, position, false);
    for (int f = 0; f < sym->nfront; f++)
        sym->front[f].nplain = sym->front[f].nentry;
    list_entries(p, sym, position, true);
    for (int j = 0; j < p->n; j++)
        sym->diagonal[j] = p->col_adr[j];
}

static lithe_status allocate(const sparse_pattern *p, int nfront, arena *memory,
                             sparse_symbolic *sym)
{
    sym->n = p->n;
    sym->nfront = nfront;
    sym->front = arena_new(memory, nfront, sparse_front);
    sym->order = arena_new(memory, p->n, int);
    sym->position = arena_new(memory, p->n, int);
    sym->front_of = arena_new(memory, p->n, int);
    sym->child = arena_new(memory, nfront, int);
    sym->entry = arena_new(memory, p->nblock, sparse_entry);
    sym->diagonal = arena_new(memory, p->n, int);
    bool good = sym->front && sym->order && sym->position && sym->front_of && sym->child;
    return good && sym->entry && sym->diagonal ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status fill(const sparse_pattern *p, const etree_graph *g, const supernodes *s,
                         arena *memory, arena *scratch, sparse_symbolic *sym)
{
    int *position = sym->position, *mark = arena_new(scratch, p->n, int);
    if (!mark)
        return LITHE_NO_MEMORY;
    size_t nrow = shape_fronts(s, sym);
    list_children(sym);
    memcpy(sym->order, s->order, (size_t)p->n * sizeof *s->order);
    for (int i = 0; i < p->n; i++) {
        position[sym->order[i]] = i;
        mark[i] = -1;
    }
    sym->row = arena_new(memory, nrow, int);
    if (!sym->row)
        return LITHE_NO_MEMORY;
    for (int f = 0; f < sym->nfront; f++) {
        collect_rows(g, sym, f, position, mark);
        for (int j = s->first[f]; j < s->first[f + 1]; j++)
            sym->front_of[sym->order[j]] = f;
    }
    LITHE_TRY(map_children(sym, memory));
    map_matrix(p, sym, position);
    return schedule_create(sym, memory, scratch);
}

static lithe_status analyze(const sparse_pattern *p, arena *memory, arena *scratch,
                            sparse_symbolic **out)
{
    etree_graph g;
    etree t;
    supernodes s;
    sparse_symbolic *sym = arena_new(memory, 1, sparse_symbolic);
    if (!sym)
        return LITHE_NO_MEMORY;
    LITHE_TRY(etree_graph_create(p, scratch, &g));
    LITHE_TRY(order_choose(&g, scratch, &t));
    LITHE_TRY(supernodes_create(&t, scratch, &s));
    sym->flops = t.flops;
    sym->nonzeros = (size_t)t.nonzeros;
    LITHE_TRY(allocate(p, s.nfront, memory, sym));
    LITHE_TRY(fill(p, &g, &s, memory, scratch, sym));
    *out = sym;
    return LITHE_OK;
}

lithe_status sparse_analyze(const sparse_pattern *p, arena *memory, sparse_symbolic **out)
{
    arena scratch = {0};
    *out = NULL;
    lithe_status status = analyze(p, memory, &scratch, out);
    arena_free(&scratch);
    return status;
}

double sparse_flops(const sparse_symbolic *sym)
{
    return sym->flops;
}

size_t sparse_nonzeros(const sparse_symbolic *sym)
{
    return sym->nonzeros;
}
