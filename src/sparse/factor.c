#include "sparse/factor.h"

#include "base/tolerances.h"

#include <limits.h>
#include <math.h>

void sparse_factor_use(sparse_factor *f, panel_isa isa)
{
    f->kernels = panel_kernels_for(isa);
    f->solvers = panel_solvers_for(isa);
    f->single_solvers = panel_single_solvers_for(isa);
}

static size_t rhs_width(int max_rhs)
{
    return max_rhs == 1 ? 1 : (size_t)sparse_padded(max_rhs);
}

// Of one right-hand side and its borders.
static size_t rhs_numbers(const sparse_symbolic *sym)
{
    return 3 * ((size_t)sym->n + (size_t)sym->nborder);
}

static int count_desks(const sparse_symbolic *sym, int threads)
{
    return threads < sym->max_desk ? threads : sym->max_desk;
}

static size_t desk_adr(const sparse_symbolic *sym, int desk)
{
    return desk ? sym->first_desk + (size_t)(desk - 1) * sym->other_desk : 0;
}

// Where one thread works, or several do.
static size_t workspace(const sparse_symbolic *sym, int threads)
{
    size_t shared = desk_adr(sym, count_desks(sym, threads)) + sym->nkept;
    return threads == 1 || shared < sym->alone_desk ? sym->alone_desk : shared;
}

double sparse_factor_bytes(const sparse_symbolic *sym, int max_rhs, int threads)
{
    size_t n = 3 * (size_t)sym->n;
    size_t rhs = rhs_numbers(sym) * rhs_width(max_rhs);
    return (double)sizeof(double) * (double)(sym->npanel + workspace(sym, threads) + n + rhs);
}

lithe_status sparse_factor_create(const sparse_symbolic *sym, int max_rhs, int threads,
                                  arena *memory, sparse_factor **out)
{
    size_t n = 3 * (size_t)sym->n, width = rhs_width(max_rhs);
    *out = NULL;
    sparse_factor *f = arena_new(memory, 1, sparse_factor);
    if (!f)
        return LITHE_NO_MEMORY;
    f->sym = sym;
    f->max_rhs = max_rhs;
    f->ndesk = count_desks(sym, threads);
    sparse_factor_use(f, panel_best_isa());
    f->panel = arena_new(memory, sym->npanel, double);
    f->inverse_pivot = arena_new(memory, n, double);
    f->desk = arena_new(memory, workspace(sym, threads), double);
    f->taken = arena_new(memory, f->ndesk, atomic_bool);
    f->tally = arena_new(memory, sym->ntask, panel_tally);
    f->rhs = arena_new(memory, rhs_numbers(sym) * width, double);
    f->active = arena_new(memory, sym->nfront, bool);
    f->busy = arena_new(memory, sym->ntask, bool);
    f->max_threads = threads;
    f->owner = arena_new(memory, sym->ntask, int);
    f->queue = arena_new(memory, sym->ntask, int);
    f->queue_adr = arena_new(memory, sym->nround * (threads + 1), int);
    if (!f->panel || !f->inverse_pivot || !f->desk || !f->taken || !f->tally || !f->rhs ||
        !f->active || !f->busy || !f->owner || !f->queue || !f->queue_adr)
        return LITHE_NO_MEMORY;
    f->kept = f->desk + desk_adr(sym, f->ndesk);
    *out = f;
    return LITHE_OK;
}

double sparse_single_bytes(const sparse_symbolic *sym)
{
    return (double)sizeof(float) * (double)sym->npanel;
}

lithe_status sparse_single_create(sparse_factor *f, arena *memory)
{
    f->single = arena_new(memory, f->sym->npanel, float);
    return f->single ? LITHE_OK : LITHE_NO_MEMORY;
}

void sparse_round(sparse_factor *f)
{
    for (size_t i = 0; i < f->sym->npanel; i++)
        f->single[i] = (float)f->panel[i];
    f->rounded = true;
}

static double largest_diagonal(const sparse_symbolic *sym, const double *blocks)
{
    double largest = 0;
    for (int j = 0; j < sym->n; j++)
        for (int i = 0; i < 3; i++) {
            double size = fabs(blocks[9 * (size_t)sym->diagonal[j] + 4 * (size_t)i]);
            if (size > largest && isfinite(size))
                largest = size;
        }
    return largest;
}

// There are as many desks as threads, or as tasks in a round: one is free.
int factor_take_desk(sparse_factor *f)
{
    for (int i = 0;; i = i + 1 < f->ndesk ? i + 1 : 0)
        if (!atomic_exchange(&f->taken[i], true))
            return i;
}

double *factor_desk(sparse_factor *f, int desk)
{
    return f->desk + desk_adr(f->sym, desk);
}

void factor_leave_desk(sparse_factor *f, int desk)
{
    atomic_store(&f->taken[desk], false);
}

static void go_through(sparse_factor *f, int front, const front_work *work)
{
    front_factor(f, &f->sym->front[front], work);
    if (f->along)
        solve_along(f, front, work->desk);
}

static void run_task(sparse_factor *f, int t, pool *threads)
{
    const sparse_symbolic *sym = f->sym;
    const sparse_task *task = &sym->task[t];
    int desk = factor_take_desk(f);
    front_work work = {factor_desk(f, desk), false, &f->tally[t], threads};
    if (f->along)
        solve_along_task(f, t);
    for (int i = 0; i < task->nfront; i++)
        go_through(f, sym->task_front[task->front_adr + i], &work);
    factor_leave_desk(f, desk);
}

static void run_alone(sparse_factor *f)
{
    front_work work = {f->desk, true, &f->tally[0], NULL};
    for (int t = 0; t < f->sym->ntask && f->along; t++)
        solve_along_task(f, t);
    for (int i = 0; i < f->sym->nfront; i++)
        go_through(f, i, &work);
}

typedef struct task_round {
    sparse_factor *f;
    int first; // task
} task_round;

static void run_tasks(void *context, int first, int last)
{
    const task_round *round = context;
    for (int i = first; i < last; i++)
        run_task(round->f, round->f->queue[round->first + i], NULL);
}

static sparse_report summarize(const sparse_factor *f)
{
    sparse_report report = {0, 0, -1};
    int first_bad = INT_MAX;
    for (int t = 0; t < f->sym->ntask; t++) {
        report.negative += f->tally[t].negative;
        report.zero += f->tally[t].zero;
        if (f->tally[t].first_bad < first_bad)
            first_bad = f->tally[t].first_bad;
    }
    if (first_bad < INT_MAX)
        report.bad_block = f->sym->order[first_bad / 3];
    return report;
}

static void run_all(sparse_factor *f, pool *threads)
{
    factor_share_out(f, pool_size(threads));
    for (int r = 0; r < f->sym->nround; r++) {
        task_round round = {f, f->sym->round_adr[r]};
        pool_for_owned(threads, factor_round(f, r), run_tasks, &round);
    }
    run_task(f, f->sym->ntask - 1, threads);
}

sparse_report sparse_factorize(sparse_factor *f, const double *blocks, pool *threads)
{
    return sparse_factorize_along(f, blocks, threads, NULL);
}

sparse_report sparse_factorize_along(sparse_factor *f, const double *blocks, pool *threads,
                                     double *B)
{
    double largest = f->scale > 0 ? f->scale : largest_diagonal(f->sym, blocks);
    panel_tally none = {ZERO_PIVOT * largest, largest > 0 ? largest : 1, 0, 0, INT_MAX};
    for (int t = 0; t < f->sym->ntask; t++)
        f->tally[t] = none;
    f->block = blocks;
    f->rounded = false;
    f->along = B != NULL;
    if (B)
        solve_along_begin(f, threads, B);
    if (pool_size(threads) == 1)
        run_alone(f);
    else
        run_all(f, threads);
    if (B)
        solve_along_end(f, threads, B);
    return summarize(f);
}

void sparse_scale(sparse_factor *f, double scale)
{
    f->scale = scale;
}

const double *sparse_inverse_pivots(const sparse_factor *f)
{
    return f->inverse_pivot;
}
