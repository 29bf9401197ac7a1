#include "sparse/factor.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

// Right-hand sides in the order of elimination: chunks of `width` of them, each (3 n x width).
typedef struct rhs_view {
    int n; // block rows
    int nrhs;
    int width;
    double *X;
} rhs_view;

static rhs_view view(const sparse_factor *f, int nrhs)
{
    assert(nrhs <= f->max_rhs);
    return (rhs_view){f->sym->n, nrhs, nrhs == 1 ? 1 : SPARSE_PACK, f->rhs};
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

// Fills the pivots' rows of a front with those of B, which stand in A's order or, if order is NULL,
// in the factor's.
static void gather_front(const rhs_view *v, const sparse_front *front, const int *order,
                         const double *B)
{
    for (int first = 0; first < v->nrhs; first += v->width) {
        int ncol = used(v, first);
        double *X = chunk(v, first) + 3 * (size_t)front->first * (size_t)v->width;
        if (ncol < v->width)
            memset(X, 0, 3 * (size_t)front->npivot * (size_t)v->width * sizeof *X);
        for (int i = front->first; i < front->first + front->npivot; i++) {
            const double *b = B + 3 * (size_t)(order ? order[i] : i) * (size_t)v->nrhs + first;
            for (int c = 0; c < 3; c++, X += v->width, b += v->nrhs)
                copy_few(X, b, ncol);
        }
    }
}

static void scatter_front(const rhs_view *v, const sparse_front *front, const int *order, double *B)
{
    for (int first = 0; first < v->nrhs; first += v->width) {
        int ncol = used(v, first);
        const double *X = chunk(v, first) + 3 * (size_t)front->first * (size_t)v->width;
        for (int i = front->first; i < front->first + front->npivot; i++) {
            double *b = B + 3 * (size_t)(order ? order[i] : i) * (size_t)v->nrhs + first;
            for (int c = 0; c < 3; c++, X += v->width, b += v->nrhs)
                copy_few(b, X, ncol);
        }
    }
}

static void gather(const sparse_factor *f, const rhs_view *v, const int *order, const double *B)
{
    for (int i = 0; i < f->sym->nfront; i++)
        gather_front(v, &f->sym->front[i], order, B);
}

static void scatter(const sparse_factor *f, const rhs_view *v, const int *order, double *B)
{
    for (int i = 0; i < f->sym->nfront; i++)
        scatter_front(v, &f->sym->front[i], order, B);
}

static const panel_solvers *solvers(const sparse_factor *f)
{
    return f->rounded ? f->single_solvers : f->solvers;
}

static panel_rhs front_rhs(const sparse_factor *f, const sparse_front *front, double *X, int width)
{
    return (panel_rhs){
        .L =
            f->rounded ? (const void *)(f->single + front->panel_adr) : f->panel + front->panel_adr,
        .ld = (size_t)front->ld,
        .npivot = 3 * front->npivot,
        .pivot_rows = front->pivot_rows,
        .nrow = front->nrow,
        .row = f->sym->row + front->row_adr,
        .pivot = X + 3 * (size_t)front->first * (size_t)width,
        .all = X,
    };
}

// All bits but the signs.
static bool all_zero(const double *x, size_t count)
{
    uint64_t bits = 0, one;
    for (size_t i = 0; i < count; i++) {
        memcpy(&one, &x[i], sizeof one);
        bits |= one << 1;
    }
    return bits == 0;
}

static void follow_tree(const sparse_factor *f)
{
    const sparse_symbolic *sym = f->sym;
    for (int i = 0; i < sym->nfront; i++)
        if (f->active[i] && sym->front[i].parent >= 0)
            f->active[sym->front[i].parent] = true;
}

// Marks the fronts that have a right-hand side that is not zero, and those on their ways up the
// tree: no other front changes anything.
static void find_active(const sparse_factor *f, int nrhs, const double *B)
{
    const sparse_symbolic *sym = f->sym;
    size_t width = 3 * (size_t)nrhs;
    memset(f->active, 0, (size_t)sym->nfront * sizeof *f->active);
    for (int i = 0; i < sym->n; i++) {
        bool *active = &f->active[sym->front_of[i]];
        *active = *active || !all_zero(B + (size_t)i * width, width);
    }
    follow_tree(f);
}

// X = L^-1 X. A sparse right-hand side costs only its way up the tree.
static void forward(const sparse_factor *f, const rhs_view *v)
{
    for (int i = 0; i < f->sym->nfront; i++)
        for (int first = 0; first < v->nrhs && f->active[i]; first += v->width) {
            panel_rhs r = front_rhs(f, &f->sym->front[i], chunk(v, first), v->width);
            if (v->width == 1)
                solvers(f)->forward_one(&r, f->rows);
            else
                solvers(f)->forward(&r);
        }
}

static void divide_by_pivots(const sparse_factor *f, const sparse_front *front, panel_rhs *r,
                             int width)
{
    const double *inverse = f->inverse_pivot + 3 * (size_t)front->first;
    for (int i = 0; i < r->npivot; i++)
        for (int k = 0; k < width; k++)
            r->pivot[(size_t)i * (size_t)width + (size_t)k] *= inverse[i];
}

// X = L'^-1 D^-1 X
static void backward(const sparse_factor *f, const rhs_view *v)
{
    for (int i = f->sym->nfront - 1; i >= 0; i--)
        for (int first = 0; first < v->nrhs; first += v->width) {
            panel_rhs r = front_rhs(f, &f->sym->front[i], chunk(v, first), v->width);
            divide_by_pivots(f, &f->sym->front[i], &r, v->width);
            if (v->width == 1)
                solvers(f)->backward_one(&r, f->rows);
            else
                solvers(f)->backward(&r);
        }
}

void sparse_solve(sparse_factor *f, int nrhs, double *B)
{
    rhs_view v = view(f, nrhs);
    find_active(f, nrhs, B);
    gather(f, &v, f->sym->order, B);
    forward(f, &v);
    backward(f, &v);
    scatter(f, &v, f->sym->order, B);
}

// Fronts that are not active are left alone: their rows are zero before and after.
void sparse_forward(sparse_factor *f, int nrhs, double *B)
{
    const sparse_symbolic *sym = f->sym;
    rhs_view v = view(f, nrhs);
    find_active(f, nrhs, B);
    for (int i = 0; i < sym->nfront; i++)
        if (f->active[i])
            gather_front(&v, &sym->front[i], sym->order, B);
    forward(f, &v);
    for (int i = 0; i < sym->nfront; i++) {
        size_t begin = 3 * (size_t)sym->front[i].first * (size_t)nrhs;
        if (f->active[i])
            scatter_front(&v, &sym->front[i], NULL, B);
        else
            memset(B + begin, 0, 3 * (size_t)sym->front[i].npivot * (size_t)nrhs * sizeof *B);
    }
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
    forward(f, &v);
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
    gather(f, &v, NULL, Y);
    backward(f, &v);
    scatter(f, &v, f->sym->order, Y);
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
