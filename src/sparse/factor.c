#include "sparse/factor.h"

#include "base/tolerances.h"

#include <limits.h>
#include <math.h>

enum { PEAK_ROWS = 2048, AHEAD = 16 }; // rows of A at a time, and asked for so many before

static int count_peaks(const sparse_symbolic *sym)
{
    return (sym->n + PEAK_ROWS - 1) / PEAK_ROWS;
}

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
    f->peak = arena_new(memory, count_peaks(sym), double);
    f->rhs = arena_new(memory, rhs_numbers(sym) * width, double);
    f->active = arena_new(memory, sym->nfront, bool);
    f->busy = arena_new(memory, sym->ntask, bool);
    f->max_threads = threads;
    f->owner = arena_new(memory, sym->nleaf, int);
    f->queue = arena_new(memory, sym->nleaf, int);
    f->queue_adr = arena_new(memory, threads + 1, int);
    f->due = arena_new(memory, sym->ntask, atomic_int);
    f->state = arena_new(memory, sym->ntask, atomic_int);
    if (!f->panel || !f->inverse_pivot || !f->desk || !f->taken || !f->tally || !f->peak ||
        !f->rhs || !f->active || !f->busy || !f->owner || !f->queue || !f->queue_adr || !f->due ||
        !f->state)
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

static void find_peak(void *context, int first, int last)
{
    sparse_factor *f = context;
    const int *diagonal = f->sym->diagonal;
    double largest = 0;
    for (int j = first; j < last; j++) {
        __builtin_prefetch(f->block + 9 * (size_t)diagonal[j + AHEAD < last ? j + AHEAD : j]);
        for (int i = 0; i < 3; i++) {
            double size = fabs(f->block[9 * (size_t)diagonal[j] + 4 * (size_t)i]);
            if (size > largest && isfinite(size))
                largest = size;
        }
    }
    f->peak[first / PEAK_ROWS] = largest;
}

static double largest_diagonal(sparse_factor *f, pool *threads)
{
    double largest = 0;
    pool_for(threads, f->sym->n, PEAK_ROWS, find_peak, f);
    for (int i = 0; i < count_peaks(f->sym); i++)
        largest = f->peak[i] > largest ? f->peak[i] : largest;
    return largest;
}

// There are as many desks as threads, or as tasks that wait for none: one is free.
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

static void run_tasks(void *context, int first, int last)
{
    sparse_factor *f = context;
    for (int i = first; i < last; i++)
        for (int t = f->queue[i]; t >= 0; t = factor_next(f, t))
            run_task(f, t, NULL);
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
    factor_begin(f, pool_size(threads));
    pool_for_owned(threads, f->queue_adr, run_tasks, f);
    run_task(f, f->sym->ntask - 1, threads);
}

sparse_report sparse_factorize(sparse_factor *f, const double *blocks, pool *threads)
{
    return sparse_factorize_along(f, blocks, threads, NULL);
}

sparse_report sparse_factorize_along(sparse_factor *f, const double *blocks, pool *threads,
                                     double *B)
{
    f->block = blocks;
    double largest = f->scale > 0 ? f->scale : largest_diagonal(f, threads);
    panel_tally none = {ZERO_PIVOT * largest, largest > 0 ? largest : 1, 0, 0, INT_MAX};
    for (int t = 0; t < f->sym->ntask; t++)
        f->tally[t] = none;
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
