#include "sparse/factor.h"

#include <string.h>

// Below this many multiplications a block of pivots is not worth sharing.
static const double SHARED_MULTIPLIES = 4e5;
enum {
    SHARED_ROWS = 48,       // a multiple of every instruction set's tile
    SHARED_WIDTH = 96,      // columns of an update, in pieces of so many rows; the same
    SHARED_COLUMNS = 24,    // of a sum; a multiple of 3
    SHARED_ENTRIES = 40000, // of a panel, below which threads do not share its sums
};

typedef double pair __attribute__((vector_size(16)));

static inline pair load_pair(const double *from)
{
    pair p;
    memcpy(&p, from, sizeof p);
    return p;
}

static inline void put_column(double *to, pair first, double last)
{
    memcpy(to, &first, sizeof first);
    to[2] = last;
}

// Rows of a block become columns of a panel …
static inline void copy_plain(const double *a, double *to, size_t ld)
{
    pair row = load_pair(a), next = load_pair(a + 3);
    put_column(to, (pair){row[0], next[0]}, a[6]);
    put_column(to + ld, (pair){row[1], next[1]}, a[7]);
    put_column(to + 2 * ld, (pair){a[2], a[5]}, a[8]);
}

// … or are them, where its transpose is.
static inline void copy_transposed(const double *a, double *to, size_t ld)
{
    for (int c = 0; c < 3; c++)
        put_column(to + (size_t)c * ld, load_pair(a + 3 * c), a[3 * c + 2]);
}

// The blocks of A that belong to the pivot columns.
static void copy_matrix(const sparse_factor *f, const sparse_front *front)
{
    const sparse_entry *entry = f->sym->entry + front->entry_adr, *last = entry + front->nentry;
    const sparse_entry *plain = entry + front->nplain;
    size_t ld = (size_t)front->ld;
    for (; entry < plain; entry++)
        copy_plain(f->block + 9 * (size_t)entry->block, f->panel + entry->target, ld);
    for (; entry < last; entry++)
        copy_transposed(f->block + 9 * (size_t)entry->block, f->panel + entry->target, ld);
}

static double *update_matrix(const sparse_factor *f, const sparse_front *front,
                             const front_work *work)
{
    if (work->alone)
        return work->desk + front->alone_adr;
    return (front->kept ? f->kept : work->desk) + front->update_adr;
}

typedef struct child_sum {
    const sparse_factor *f;
    const sparse_front *front;
    const front_work *work;
    panel_child to; // T and its columns [first, last)
} child_sum;

// Adds columns [first, last) of the target, counted from its first, of all children.
static void add_columns(void *context, int first, int last)
{
    const child_sum *sum = context;
    const sparse_factor *f = sum->f;
    panel_child child = sum->to;
    child.T += (size_t)first * (1 + child.target_ld);
    child.last = child.first + last;
    child.first += first;
    for (int c = 0; c < sum->front->nchild; c++) {
        const sparse_front *from = &f->sym->front[f->sym->child[sum->front->child_adr + c]];
        child.C = update_matrix(f, from, sum->work);
        child.ld = (size_t)from->update_ld;
        child.nrun = from->nrun;
        child.run = f->sym->run + from->run_adr;
        f->kernels->extend_add(&child);
    }
}

static void clear_columns(void *context, int first, int last)
{
    const child_sum *sum = context;
    memset(sum->to.T + (size_t)first * sum->to.target_ld, 0,
           (size_t)(last - first) * sum->to.target_ld * sizeof *sum->to.T);
}

static void share_columns(const child_sum *sum, pool_work *piece)
{
    int n = sum->to.last - sum->to.first;
    bool large = (double)n * (double)sum->to.target_ld > SHARED_ENTRIES;
    if (large && sum->work->threads)
        pool_for(sum->work->threads, n, SHARED_COLUMNS, piece, (void *)sum);
    else
        piece((void *)sum, 0, n);
}

static void assemble(const sparse_factor *f, const sparse_front *front, const front_work *work)
{
    child_sum sum = {f,
                     front,
                     work,
                     {.T = f->panel + front->panel_adr,
                      .target_ld = (size_t)front->ld,
                      .last = 3 * front->npivot}};
    share_columns(&sum, clear_columns);
    copy_matrix(f, front);
    if (front->nchild > 0)
        share_columns(&sum, add_columns);
}

enum { BEHIND, BELOW, TARGETS };

typedef struct shared_loop {
    const panel_kernels *kernels;
    const panel_block *block;
    int offset;
    panel_target target[TARGETS]; // columns behind the block, and C
    int nrow[TARGETS];
} shared_loop;

static void solve_piece(void *context, int first, int last)
{
    const shared_loop *loop = context;
    loop->kernels->solve(loop->block, loop->offset + first, loop->offset + last);
}

// Pieces of an update are as large as each other: SHARED_ROWS rows, SHARED_WIDTH columns up to the
// diagonal. Those of so many rows behind `row`:
static int count_pieces(const panel_target *t, int row)
{
    int columns = row + SHARED_ROWS < t->last ? row + SHARED_ROWS : t->last;
    return (columns + SHARED_WIDTH - 1) / SHARED_WIDTH;
}

static int count_all(const panel_target *t, int nrow)
{
    int n = 0;
    for (int row = 0; row < nrow; row += SHARED_ROWS)
        n += count_pieces(t, row);
    return n;
}

static void update_piece(const shared_loop *loop, int i)
{
    int which = 0, row = 0;
    for (int n = 0; i >= (n = count_pieces(&loop->target[which], row)); i -= n) {
        row += SHARED_ROWS;
        if (row >= loop->nrow[which]) {
            which++;
            row = 0;
        }
    }
    panel_target t = loop->target[which];
    int end = row + SHARED_ROWS < loop->nrow[which] ? row + SHARED_ROWS : loop->nrow[which];
    t.first = i * SHARED_WIDTH;
    t.last = t.first + SHARED_WIDTH < t.last ? t.first + SHARED_WIDTH : t.last;
    loop->kernels->update(loop->block, &t, row, end);
}

static void update_pieces(void *context, int first, int last)
{
    for (int i = first; i < last; i++)
        update_piece(context, i);
}

static void update_all(const shared_loop *loop, pool *threads)
{
    int n = 0;
    for (int k = 0; k < TARGETS && threads; k++)
        n += count_all(&loop->target[k], loop->nrow[k]);
    for (int k = 0; k < TARGETS && !threads; k++)
        loop->kernels->update(loop->block, &loop->target[k], 0, loop->nrow[k]);
    if (threads)
        pool_for(threads, n, 1, update_pieces, (void *)loop);
}

// Eliminates one block of pivots: factor it, solve the rows below, update the columns behind.
static void eliminate(const sparse_factor *f, const sparse_front *front, const panel_block *b,
                      double *C, int first, const front_work *work)
{
    int npivot = 3 * front->npivot, done = first + b->npivot;
    int nbelow = sparse_padded(3 * front->nrow);
    int own = sparse_padded(b->npivot), all = front->pivot_rows - first + nbelow;
    double rest = all - own;
    pool *sharing = rest * rest * b->npivot > SHARED_MULTIPLIES ? work->threads : NULL;
    shared_loop loop = {.kernels = f->kernels, .block = b, .offset = own};
    if (done < npivot) {
        loop.target[BEHIND] = (panel_target){.C = b->L + own + (size_t)own * b->ld,
                                             .ld = b->ld,
                                             .row = own,
                                             .last = npivot - done,
                                             .add = true};
        loop.nrow[BEHIND] = all - own;
    }
    loop.target[BELOW] = (panel_target){.C = C,
                                        .ld = (size_t)front->update_ld,
                                        .row = front->pivot_rows - first,
                                        .last = 3 * front->nrow,
                                        .add = first > 0};
    loop.nrow[BELOW] = nbelow;
    f->kernels->factor(b, 3 * front->first + first, work->tally);
    pool_for(sharing, all - own, SHARED_ROWS, solve_piece, &loop);
    update_all(&loop, sharing);
}

// The blocks of A lie in the order of the mesh, not of elimination: the next front's are asked for
// while this one is factored.
static void fetch_next(const sparse_factor *f, const sparse_front *front)
{
    const sparse_front *next = front + 1;
    if (next == f->sym->front + f->sym->nfront)
        return;
    const sparse_entry *entry = f->sym->entry + next->entry_adr;
    for (int e = 0; e < next->nentry; e++) {
        const double *a = f->block + 9 * (size_t)entry[e].block;
        __builtin_prefetch(a);
        __builtin_prefetch(a + 8);
    }
}

void front_factor(sparse_factor *f, const sparse_front *front, const front_work *work)
{
    int npivot = 3 * front->npivot;
    double *C = update_matrix(f, front, work);
    fetch_next(f, front);
    assemble(f, front, work);
    for (int first = 0; first < npivot; first += SPARSE_PANEL_BLOCK) {
        panel_block block = {
            .L = f->panel + front->panel_adr + first + (size_t)first * (size_t)front->ld,
            .ld = (size_t)front->ld,
            .npivot = npivot - first < SPARSE_PANEL_BLOCK ? npivot - first : SPARSE_PANEL_BLOCK,
            .X = work->desk,
            .inverse_pivot = f->inverse_pivot + 3 * (size_t)front->first + first,
        };
        eliminate(f, front, &block, C, first, work);
    }
    if (front->nchild == 0 || front->nrow == 0)
        return;
    // the first update wrote over whatever was there, so the children come last
    child_sum sum = {f,
                     front,
                     work,
                     {.T = C,
                      .target_ld = (size_t)front->update_ld,
                      .first = front->pivot_rows,
                      .last = front->ld}};
    share_columns(&sum, add_columns);
}
