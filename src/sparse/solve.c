#include "sparse/factor.h"

#include <assert.h>
#include <string.h>

// A solve that reads less of L, in numbers, is not worth sharing; nor is a copy of so many rows.
enum { SHARED_ENTRIES = 40000, SHARED_FRONTS = 512 };

// Right-hand sides in the order of elimination, and borders: chunks of `width` of them, each (3 n x
// width).
typedef struct rhs_view {
    int n; // block rows, those of borders too
    int nrhs;
    int width;
    double *X;
} rhs_view;

static rhs_view view(const sparse_factor *f, int nrhs)
{
    assert(nrhs <= f->max_rhs);
    return (rhs_view){f->sym->n + f->sym->nborder, nrhs, nrhs == 1 ? 1 : SPARSE_PACK, f->rhs};
}

static double *chunk(const rhs_view *v, int first)
{
    return v->X + 3 * (size_t)v->n * (size_t)first;
}

static int used(const rhs_view *v, int first)
{
    return v->nrhs - first < v->width ? v->nrhs - first : v->width;
}

// Copies up to SPARSE_PACK numbers; a size that the compiler knows is a move or two.
static inline void copy_few(double *to, const double *from, int n)
{
    switch (n) {
    case 1: memcpy(to, from, 1 * sizeof *to); return;
    case 2: memcpy(to, from, 2 * sizeof *to); return;
    case 3: memcpy(to, from, 3 * sizeof *to); return;
    case 4: memcpy(to, from, 4 * sizeof *to); return;
    case 5: memcpy(to, from, 5 * sizeof *to); return;
    case 6: memcpy(to, from, 6 * sizeof *to); return;
    case 7: memcpy(to, from, 7 * sizeof *to); return;
    default: memcpy(to, from, SPARSE_PACK * sizeof *to);
    }
}

// Where B has the pivots' rows of a front, which stand in A's order or, if order is NULL, in the
// factor's.
static size_t row_of(const sparse_front *front, const int *order, int i)
{
    return 3 * (size_t)(order ? order[front->first + i] : front->first + i);
}

static void gather_one(const rhs_view *v, const sparse_front *front, const int *order,
                       const double *B)
{
    double *x = v->X + 3 * (size_t)front->first;
    for (int i = 0; i < front->npivot; i++)
        memcpy(x + 3 * i, B + row_of(front, order, i), 3 * sizeof *x);
}

static void scatter_one(const rhs_view *v, const sparse_front *front, const int *order, double *B)
{
    const double *x = v->X + 3 * (size_t)front->first;
    for (int i = 0; i < front->npivot; i++)
        memcpy(B + row_of(front, order, i), x + 3 * i, 3 * sizeof *x);
}

// Fills the pivots' rows of a front with those of B.
static void gather_front(const rhs_view *v, const sparse_front *front, const int *order,
                         const double *B)
{
    if (v->width == 1) {
        gather_one(v, front, order, B);
        return;
    }
    for (int first = 0; first < v->nrhs; first += v->width) {
        int ncol = used(v, first);
        double *X = chunk(v, first) + 3 * (size_t)front->first * (size_t)v->width;
        if (ncol < v->width)
            memset(X, 0, 3 * (size_t)front->npivot * (size_t)v->width * sizeof *X);
        for (int i = 0; i < front->npivot; i++) {
            const double *b = B + row_of(front, order, i) * (size_t)v->nrhs + first;
            for (int c = 0; c < 3; c++, X += v->width, b += v->nrhs)
                copy_few(X, b, ncol);
        }
    }
}

static void scatter_front(const rhs_view *v, const sparse_front *front, const int *order, double *B)
{
    if (v->width == 1) {
        scatter_one(v, front, order, B);
        return;
    }
    for (int first = 0; first < v->nrhs; first += v->width) {
        int ncol = used(v, first);
        const double *X = chunk(v, first) + 3 * (size_t)front->first * (size_t)v->width;
        for (int i = 0; i < front->npivot; i++) {
            double *b = B + row_of(front, order, i) * (size_t)v->nrhs + first;
            for (int c = 0; c < 3; c++, X += v->width, b += v->nrhs)
                copy_few(b, X, ncol);
        }
    }
}

// A loop over fronts that threads may share.
typedef struct front_loop {
    sparse_factor *f;
    const rhs_view *v;
    const int *order;
    double *B;
    bool all;  // fronts, active or not
    bool mark; // those that are active, while gathering
} front_loop;

// Are a front's own right-hand sides not all zero?
static bool is_reached(const rhs_view *v, const sparse_front *front)
{
    size_t count = 3 * (size_t)front->npivot * (size_t)v->width;
    for (int first = 0; first < v->nrhs; first += v->width) {
        const double *x = chunk(v, first) + 3 * (size_t)front->first * (size_t)v->width;
        for (size_t i = 0; i < count; i++)
            if (x[i] != 0)
                return true;
    }
    return false;
}

static void gather_fronts(void *context, int first, int last)
{
    const front_loop *loop = context;
    for (int i = first; i < last; i++) {
        gather_front(loop->v, &loop->f->sym->front[i], loop->order, loop->B);
        if (loop->mark)
            loop->f->active[i] = is_reached(loop->v, &loop->f->sym->front[i]);
    }
}

static void scatter_fronts(void *context, int first, int last)
{
    const front_loop *loop = context;
    const sparse_symbolic *sym = loop->f->sym;
    size_t triple = 3 * (size_t)loop->v->nrhs;
    for (int i = first; i < last; i++)
        if (loop->all || loop->f->active[i])
            scatter_front(loop->v, &sym->front[i], loop->order, loop->B);
        else
            memset(loop->B + (size_t)sym->front[i].first * triple, 0,
                   (size_t)sym->front[i].npivot * triple * sizeof *loop->B);
}

static const panel_solvers *solvers(const sparse_factor *f)
{
    return f->rounded ? f->single_solvers : f->solvers;
}

static panel_rhs front_rhs(const sparse_factor *f, const sparse_front *front, const int *row,
                           double *X, int width)
{
    return (panel_rhs){
        .L =
            f->rounded ? (const void *)(f->single + front->panel_adr) : f->panel + front->panel_adr,
        .ld = (size_t)front->ld,
        .npivot = 3 * front->npivot,
        .pivot_rows = front->pivot_rows,
        .nrow = front->nrow,
        .row = row + front->row_adr,
        .pivot = X + 3 * (size_t)front->first * (size_t)width,
        .all = X,
    };
}

static void follow_tree(const sparse_factor *f)
{
    const sparse_symbolic *sym = f->sym;
    memset(f->busy, 0, (size_t)sym->ntask * sizeof *f->busy);
    for (int i = 0; i < sym->nfront; i++) {
        if (!f->active[i])
            continue;
        f->busy[sym->front[i].task] = true;
        if (sym->front[i].parent >= 0)
            f->active[sym->front[i].parent] = true;
    }
}

// Marks the fronts that have a right-hand side that is not zero, and those on their ways up the
// tree: no other front changes anything.
static void gather(const front_loop *loop, pool *threads)
{
    pool_for(threads, loop->f->sym->nfront, SHARED_FRONTS, gather_fronts, (void *)loop);
    follow_tree(loop->f);
}

// Threads for a solve that is worth them.
static pool *sharing(const sparse_factor *f, bool all)
{
    size_t entries = all ? f->sym->npanel : 0;
    for (int i = 0; !all && pool_size(f->lent) > 1 && i < f->sym->nfront; i++)
        if (f->active[i])
            entries += 3 * (size_t)f->sym->front[i].npivot * (size_t)f->sym->front[i].ld;
    return pool_size(f->lent) > 1 && entries > SHARED_ENTRIES ? f->lent : NULL;
}

typedef struct task_loop {
    sparse_factor *f;
    const rhs_view *v;
    void (*front)(const sparse_factor *f, const rhs_view *v, int front, double *w);
    bool down;     // through all fronts, from the last to the first, which was read last
    pool *threads; // NULL: one task after the other
} task_loop;

static void clear_border(const sparse_symbolic *sym, const rhs_view *v, const sparse_task *task)
{
    size_t triple = 3 * (size_t)v->width;
    for (int first = 0; first < v->nrhs; first += v->width)
        memset(chunk(v, first) + (size_t)(sym->n + task->border_adr) * triple, 0,
               (size_t)task->nborder * triple * sizeof *v->X);
}

static void solve_task(const task_loop *loop, int t, double *w)
{
    const sparse_task *task = &loop->f->sym->task[t];
    const int *front = loop->f->sym->task_front + task->front_adr;
    if (!loop->down && !loop->f->busy[t])
        return;
    if (!loop->down)
        clear_border(loop->f->sym, loop->v, task);
    for (int i = 0; i < task->nfront; i++)
        loop->front(loop->f, loop->v, front[loop->down ? task->nfront - 1 - i : i], w);
}

static bool is_done(const sparse_factor *f, int t)
{
    return atomic_load_explicit(&f->state[t], memory_order_acquire) == FACTOR_DONE;
}

// Does the first of the tasks above t that is not done, or t itself, unless another thread does.
static bool go_down(const task_loop *loop, int t, double *w)
{
    sparse_factor *f = loop->f;
    int above = f->sym->task[t].above, waits = FACTOR_WAITS;
    for (; above < f->sym->ntask - 1 && !is_done(f, above); above = f->sym->task[t].above)
        t = above;
    if (!atomic_compare_exchange_strong(&f->state[t], &waits, FACTOR_BEGUN))
        return false;
    solve_task(loop, t, w);
    atomic_store_explicit(&f->state[t], FACTOR_DONE, memory_order_release);
    return true;
}

static void solve_tasks(void *context, int first, int last)
{
    const task_loop *loop = context;
    sparse_factor *f = loop->f;
    int desk = factor_take_desk(f);
    double *w = factor_desk(f, desk);
    for (int k = first; k < last; k++) {
        for (int t = f->queue[k]; t >= 0 && !loop->down; t = factor_next(f, t))
            solve_task(loop, t, w);
        while (loop->down && !is_done(f, f->queue[k]))
            if (!go_down(loop, f->queue[k], w))
                pool_pause(loop->threads);
    }
    factor_leave_desk(f, desk);
}

static void solve_shared(const task_loop *loop)
{
    sparse_factor *f = loop->f;
    factor_begin(f, pool_size(loop->threads));
    for (int t = 0; t < f->sym->ntask && loop->down; t++)
        atomic_store_explicit(&f->state[t], FACTOR_WAITS, memory_order_relaxed);
    pool_for_owned(loop->threads, f->queue_adr, solve_tasks, (void *)loop);
}

// One thread takes the fronts as their panels lie.
static void solve_alone(const task_loop *loop)
{
    const sparse_symbolic *sym = loop->f->sym;
    for (int t = 0; t < sym->ntask && !loop->down; t++)
        if (loop->f->busy[t])
            clear_border(sym, loop->v, &sym->task[t]);
    for (int i = 0; i < sym->nfront; i++)
        loop->front(loop->f, loop->v, loop->down ? sym->nfront - 1 - i : i, loop->f->desk);
}

static void solve_all(const task_loop *loop)
{
    int last = loop->f->sym->ntask - 1;
    if (!loop->threads) {
        solve_alone(loop);
        return;
    }
    if (loop->down)
        solve_task(loop, last, loop->f->desk);
    solve_shared(loop);
    if (!loop->down)
        solve_task(loop, last, loop->f->desk);
}

// What other tasks bring to a front's pivots, task after task.
static void merge_borders(const sparse_factor *f, const rhs_view *v, const sparse_front *front)
{
    const sparse_symbolic *sym = f->sym;
    size_t triple = 3 * (size_t)v->width;
    for (int k = front->merge_adr; k < front->merge_adr + front->nmerge; k++) {
        int entry = sym->merge[k];
        for (int first = 0; first < v->nrhs && f->busy[sym->border_task[entry]];
             first += v->width) {
            double *to = chunk(v, first) + (size_t)sym->border[entry] * triple;
            const double *from = chunk(v, first) + (size_t)(sym->n + entry) * triple;
            for (size_t i = 0; i < triple; i++)
                to[i] += from[i];
        }
    }
}

static void forward_front(const sparse_factor *f, const rhs_view *v, int i, double *w)
{
    if (!f->active[i])
        return;
    merge_borders(f, v, &f->sym->front[i]);
    for (int first = 0; first < v->nrhs; first += v->width) {
        panel_rhs r =
            front_rhs(f, &f->sym->front[i], f->sym->forward_row, chunk(v, first), v->width);
        if (v->width == 1)
            solvers(f)->forward_one(&r, w);
        else
            solvers(f)->forward(&r);
    }
}

// X = L^-1 X. A sparse right-hand side costs only its way up the tree.
static void forward(sparse_factor *f, const rhs_view *v, pool *threads)
{
    solve_all(&(task_loop){.f = f, .v = v, .front = forward_front, .threads = threads});
}

static void divide_by_pivots(const sparse_factor *f, const sparse_front *front, panel_rhs *r,
                             int width)
{
    const double *inverse = f->inverse_pivot + 3 * (size_t)front->first;
    for (int i = 0; i < r->npivot; i++)
        for (int k = 0; k < width; k++)
            r->pivot[(size_t)i * (size_t)width + (size_t)k] *= inverse[i];
}

static void backward_front(const sparse_factor *f, const rhs_view *v, int i, double *w)
{
    for (int first = 0; first < v->nrhs; first += v->width) {
        panel_rhs r = front_rhs(f, &f->sym->front[i], f->sym->row, chunk(v, first), v->width);
        divide_by_pivots(f, &f->sym->front[i], &r, v->width);
        if (v->width == 1)
            solvers(f)->backward_one(&r, w);
        else
            solvers(f)->backward(&r);
    }
}

// X = L'^-1 D^-1 X
static void backward(sparse_factor *f, const rhs_view *v, pool *threads)
{
    solve_all(
        &(task_loop){.f = f, .v = v, .front = backward_front, .down = true, .threads = threads});
}

void solve_along_begin(sparse_factor *f, pool *threads, double *B)
{
    rhs_view v = view(f, 1);
    front_loop loop = {.f = f, .v = &v, .order = f->sym->order, .B = B, .mark = true};
    gather(&loop, threads);
}

void solve_along_task(const sparse_factor *f, int task)
{
    rhs_view v = view(f, 1);
    clear_border(f->sym, &v, &f->sym->task[task]);
}

void solve_along(const sparse_factor *f, int front, double *w)
{
    rhs_view v = view(f, 1);
    forward_front(f, &v, front, w);
}

void solve_along_end(sparse_factor *f, pool *threads, double *B)
{
    rhs_view v = view(f, 1);
    front_loop loop = {.f = f, .v = &v, .B = B};
    pool_for(threads, f->sym->nfront, SHARED_FRONTS, scatter_fronts, &loop);
}

void sparse_lend(sparse_factor *f, pool *threads)
{
    f->lent = threads;
}

void sparse_solve(sparse_factor *f, int nrhs, double *B)
{
    rhs_view v = view(f, nrhs);
    front_loop loop = {f, &v, f->sym->order, B, true, true};
    pool *threads = sharing(f, true);
    gather(&loop, threads);
    forward(f, &v, threads);
    backward(f, &v, threads);
    pool_for(threads, f->sym->nfront, SHARED_FRONTS, scatter_fronts, &loop);
}

// Fronts that are not active are left alone: their rows are zero before and after.
void sparse_forward(sparse_factor *f, int nrhs, double *B)
{
    rhs_view v = view(f, nrhs);
    front_loop loop = {.f = f, .v = &v, .order = f->sym->order, .B = B, .mark = true};
    gather(&loop, sharing(f, true));
    pool *threads = sharing(f, false);
    forward(f, &v, threads);
    loop.order = NULL;
    pool_for(threads, f->sym->nfront, SHARED_FRONTS, scatter_fronts, &loop);
}

// Rows of the active fronts that no right-hand side is in are zero.
static void clear_front(const rhs_view *v, const sparse_front *front)
{
    size_t count = 3 * (size_t)front->npivot * (size_t)v->width;
    for (int first = 0; first < v->nrhs; first += v->width)
        memset(chunk(v, first) + 3 * (size_t)front->first * (size_t)v->width, 0,
               count * sizeof(double));
}

static void gather_row(const rhs_view *v, int to, int from, const double *B)
{
    for (int first = 0; first < v->nrhs; first += v->width) {
        double *X = chunk(v, first) + 3 * (size_t)to * (size_t)v->width;
        const double *b = B + 3 * (size_t)from * (size_t)v->nrhs + first;
        for (int c = 0; c < 3; c++, X += v->width, b += v->nrhs)
            copy_few(X, b, used(v, first));
    }
}

void sparse_forward_few(sparse_factor *f, int nrhs, int n, const int *block_row, double *B)
{
    const sparse_symbolic *sym = f->sym;
    rhs_view v = view(f, nrhs);
    memset(f->active, 0, (size_t)sym->nfront * sizeof *f->active);
    for (int i = 0; i < n; i++)
        f->active[sym->front_of[block_row[i]]] = true;
    follow_tree(f);
    for (int i = 0; i < sym->nfront; i++)
        if (f->active[i])
            clear_front(&v, &sym->front[i]);
    for (int i = 0; i < n; i++)
        gather_row(&v, sym->position[block_row[i]], block_row[i], B);
    forward(f, &v, sharing(f, false));
    for (int i = 0; i < sym->nfront; i++)
        if (f->active[i])
            scatter_front(&v, &sym->front[i], NULL, B);
}

int sparse_max_spans(const sparse_symbolic *sym)
{
    return sym->nfront;
}

int sparse_reach(const sparse_factor *f, sparse_span *span)
{
    int n = 0;
    for (int i = 0; i < f->sym->nfront; i++) {
        int first = 3 * f->sym->front[i].first, last = first + 3 * f->sym->front[i].npivot;
        if (!f->active[i])
            continue;
        if (n > 0 && span[n - 1].last == first)
            span[n - 1].last = last;
        else
            span[n++] = (sparse_span){first, last};
    }
    return n;
}

void sparse_backward(sparse_factor *f, int nrhs, double *Y)
{
    rhs_view v = view(f, nrhs);
    front_loop loop = {.f = f, .v = &v, .B = Y, .all = true};
    pool *threads = sharing(f, true);
    pool_for(threads, f->sym->nfront, SHARED_FRONTS, gather_fronts, &loop);
    backward(f, &v, threads);
    loop.order = f->sym->order;
    pool_for(threads, f->sym->nfront, SHARED_FRONTS, scatter_fronts, &loop);
}

void sparse_fetch(const sparse_factor *f, int part, int parts)
{
    enum { LINE = 64 };
    const volatile char *L = f->rounded ? (const char *)f->single : (const char *)f->panel;
    size_t size = f->sym->npanel * (f->rounded ? sizeof *f->single : sizeof *f->panel);
    size_t begin = size * (size_t)part / (size_t)parts;
    size_t end = size * (size_t)(part + 1) / (size_t)parts;
    for (size_t i = begin; i < end; i += LINE)
        (void)L[i];
}
