#include "sparse/factor.h"

#include <string.h>

// Below this many multiplications a block of pivots is not worth sharing.
static const double SHARED_MULTIPLIES = 4e5;
enum {
    SHARED_ROWS = 48,       // a multiple of every instruction set's tile
    SHARED_COLUMNS = 24,    // a multiple of 3
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

typedef struct shared_loop {
    const panel_kernels *kernels;
    const panel_block *block;
    const panel_target *target;
    int offset;
} shared_loop;

static void solve_piece(void *context, int first, int last)
{
    const shared_loop *loop = context;
    loop->kernels->solve(loop->block, loop->offset + first, loop->offset + last);
}

static void update_piece(void *context, int first, int last)
{
    const shared_loop *loop = context;
    loop->kernels->update(loop->block, loop->target, first, last);
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
    f->kernels->factor(b, 3 * front->first + first, work->tally);
    shared_loop loop = {f->kernels, b, NULL, own};
    pool_for(sharing, all - own, SHARED_ROWS, solve_piece, &loop);
    if (done < npivot) {
        panel_target behind = {b->L + own + (size_t)own * b->ld, b->ld, own, npivot - done, true};
        loop.target = &behind;
        pool_for(sharing, all - own, SHARED_ROWS, update_piece, &loop);
    }
    panel_target update = {C, (size_t)front->update_ld, front->pivot_rows - first, 3 * front->nrow,
                           first > 0};
    loop.target = &update;
    pool_for(sharing, nbelow, SHARED_ROWS, update_piece, &loop);
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
