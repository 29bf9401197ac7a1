#include "sparse/factor.h"

#include <assert.h>
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

// Takes block row order[i] of B for i = 0 .. n; order may be NULL for B as it is.
static void gather(const rhs_view *v, const int *order, const double *B)
{
    for (int first = 0; first < v->nrhs; first += v->width) {
        double *X = chunk(v, first);
        int ncol = used(v, first);
        for (int i = 0; i < v->n; i++) {
            const double *from = B + 3 * (size_t)(order ? order[i] : i) * (size_t)v->nrhs + first;
            for (int c = 0; c < 3; c++, X += v->width, from += v->nrhs)
                for (int k = 0; k < v->width; k++)
                    X[k] = k < ncol ? from[k] : 0;
        }
    }
}

static void scatter(const rhs_view *v, const int *order, double *B)
{
    for (int first = 0; first < v->nrhs; first += v->width) {
        const double *X = chunk(v, first);
        int ncol = used(v, first);
        for (int i = 0; i < v->n; i++) {
            double *to = B + 3 * (size_t)(order ? order[i] : i) * (size_t)v->nrhs + first;
            for (int c = 0; c < 3; c++, X += v->width, to += v->nrhs)
                memcpy(to, X, (size_t)ncol * sizeof *to);
        }
    }
}

static panel_rhs front_rhs(const sparse_factor *f, const sparse_front *front, double *X, int width)
{
    return (panel_rhs){
        .L = f->panel + front->panel_adr,
        .ld = (size_t)front->ld,
        .npivot = 3 * front->npivot,
        .pivot_rows = front->pivot_rows,
        .nrow = front->nrow,
        .row = f->sym->row + front->row_adr,
        .pivot = X + 3 * (size_t)front->first * (size_t)width,
        .all = X,
    };
}

static bool all_zero(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (x[i] != 0)
            return false;
    return true;
}

// X = L^-1 X. A front whose pivots all have zero right-hand sides changes nothing, so a sparse
// right-hand side costs only its way up the tree.
static void forward(const sparse_factor *f, const rhs_view *v)
{
    for (int i = 0; i < f->sym->nfront; i++)
        for (int first = 0; first < v->nrhs; first += v->width) {
            panel_rhs r = front_rhs(f, &f->sym->front[i], chunk(v, first), v->width);
            if (all_zero(r.pivot, (size_t)r.npivot * (size_t)v->width))
                continue;
            if (v->width == 1)
                f->solvers->forward_one(&r, f->below);
            else
                f->solvers->forward(&r);
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
                f->solvers->backward_one(&r, f->below);
            else
                f->solvers->backward(&r);
        }
}

void sparse_solve(sparse_factor *f, int nrhs, double *B)
{
    rhs_view v = view(f, nrhs);
    gather(&v, f->sym->order, B);
    forward(f, &v);
    backward(f, &v);
    scatter(&v, f->sym->order, B);
}

void sparse_forward(sparse_factor *f, int nrhs, double *B)
{
    rhs_view v = view(f, nrhs);
    gather(&v, f->sym->order, B);
    forward(f, &v);
    scatter(&v, NULL, B);
}

void sparse_backward(sparse_factor *f, int nrhs, double *Y)
{
    rhs_view v = view(f, nrhs);
    gather(&v, NULL, Y);
    backward(f, &v);
    scatter(&v, f->sym->order, Y);
}
