#include "sparse/panel.h"

#include "sparse/symbolic.h"
#include "sparse/tile.h"

extern const panel_solvers KERNEL(panel_solvers);

// SPARSE_PACK right-hand sides fill WIDTH registers; as many rows are treated together as leave
// registers free.
enum { WIDTH = SPARSE_PACK / LANE, GROUP = WIDTH == 1 ? 12 : WIDTH == 2 ? 6 : 3 };

// sum_i = sum_k L_ik x_k for n rows (a constant wherever this is inlined) and `depth` columns.
LANE_INLINE void multiply(int n, lane sum[][WIDTH], int depth, const double *L, size_t ld,
                          const double *x)
{
    for (int i = 0; i < n; i++)
        for (int v = 0; v < WIDTH; v++)
            sum[i][v] = lane_zero();
    for (int k = 0; k < depth; k++, L += ld, x += SPARSE_PACK)
        for (int v = 0; v < WIDTH; v++) {
            lane xk = lane_load(x + v * LANE);
            for (int i = 0; i < n; i++)
                sum[i][v] += xk * L[i];
        }
}

LANE_INLINE void subtract_row(double *x, const lane sum[WIDTH])
{
    for (int v = 0; v < WIDTH; v++)
        lane_store(x + v * LANE, lane_load(x + v * LANE) - sum[v]);
}

// Pivots [first, first + n), once those before are known.
LANE_INLINE void forward_pivots(int n, const panel_rhs *r, int first)
{
    lane sum[GROUP][WIDTH];
    double *x = r->pivot + (size_t)first * SPARSE_PACK;
    multiply(n, sum, first, r->L + first, r->ld, r->pivot);
    for (int i = 0; i < n; i++) {
        subtract_row(x + i * SPARSE_PACK, sum[i]);
        const double *L = r->L + (size_t)(first + i) * r->ld + first;
        for (int v = 0; v < WIDTH; v++) {
            lane xi = lane_load(x + i * SPARSE_PACK + v * LANE);
            for (int j = i + 1; j < n; j++)
                sum[j][v] += xi * L[j];
        }
    }
}

// Block rows [first, first + n / 3) below the pivots.
LANE_INLINE void forward_below(int n, const panel_rhs *r, int first)
{
    lane sum[GROUP][WIDTH];
    multiply(n, sum, r->npivot, r->L + r->pivot_rows + 3 * first, r->ld, r->pivot);
    for (int i = 0; i < n; i++) {
        size_t row = 3 * (size_t)r->row[first + i / 3] + (size_t)(i % 3);
        subtract_row(r->all + row * SPARSE_PACK, sum[i]);
    }
}

static void forward(const panel_rhs *r)
{
    int i = 0;
    for (; i + GROUP <= r->npivot; i += GROUP)
        forward_pivots(GROUP, r, i);
    for (; i < r->npivot; i += 3)
        forward_pivots(3, r, i);
    for (i = 0; i + GROUP / 3 <= r->nrow; i += GROUP / 3)
        forward_below(GROUP, r, i);
    for (; i < r->nrow; i++)
        forward_below(3, r, i);
}

// sum_j += L_ij x_i for n columns j and one row i.
LANE_INLINE void add_row(int n, lane sum[][WIDTH], const double *L, size_t ld, const double *x)
{
    for (int v = 0; v < WIDTH; v++) {
        lane xi = lane_load(x + v * LANE);
        for (int j = 0; j < n; j++)
            sum[j][v] += xi * L[(size_t)j * ld];
    }
}

// Pivots [first, first + n), once those behind and all rows below are known.
LANE_INLINE void backward_pivots(int n, const panel_rhs *r, int first)
{
    lane sum[GROUP][WIDTH];
    const double *L = r->L + (size_t)first * r->ld;
    for (int j = 0; j < n; j++)
        for (int v = 0; v < WIDTH; v++)
            sum[j][v] = lane_zero();
    for (int b = 0; b < r->nrow; b++) {
        const double *x = r->all + 3 * (size_t)r->row[b] * SPARSE_PACK;
        for (int i = 0; i < 3; i++)
            add_row(n, sum, L + r->pivot_rows + 3 * b + i, r->ld, x + i * SPARSE_PACK);
    }
    for (int i = first + n; i < r->npivot; i++)
        add_row(n, sum, L + i, r->ld, r->pivot + (size_t)i * SPARSE_PACK);
    for (int i = n - 1; i >= 0; i--) {
        double *x = r->pivot + (size_t)(first + i) * SPARSE_PACK;
        subtract_row(x, sum[i]);
        for (int j = 0; j < i; j++)
            add_row(1, &sum[j], L + (size_t)j * r->ld + first + i, r->ld, x);
    }
}

static void backward(const panel_rhs *r)
{
    int i = r->npivot;
    for (; i >= GROUP; i -= GROUP)
        backward_pivots(GROUP, r, i - GROUP);
    for (; i > 0; i -= 3)
        backward_pivots(3, r, i - 3);
}

// below -= L x over three columns and n rows, a multiple of LANE.
LANE_INLINE void subtract_columns(int n, double *below, const double *L, size_t ld, const double *x)
{
    for (int i = 0; i < n; i += LANE) {
        lane sum = lane_load(L + i) * x[0];
        sum += lane_load(L + ld + i) * x[1];
        sum += lane_load(L + 2 * ld + i) * x[2];
        lane_store(below + i, lane_load(below + i) - sum);
    }
}

static void forward_one(const panel_rhs *r, double *below)
{
    double *x = r->pivot;
    int nbelow = sparse_padded(3 * r->nrow);
    for (int i = 0; i < nbelow; i++)
        below[i] = 0;
    for (int k = 0; k < r->npivot; k += 3) {
        const double *L = r->L + (size_t)k * r->ld;
        x[k + 1] -= L[k + 1] * x[k];
        x[k + 2] -= L[k + 2] * x[k] + L[r->ld + k + 2] * x[k + 1];
        for (int i = k + 3; i < r->npivot; i++)
            x[i] -= L[i] * x[k] + L[r->ld + i] * x[k + 1] + L[2 * r->ld + i] * x[k + 2];
        subtract_columns(nbelow, below, L + r->pivot_rows, r->ld, x + k);
    }
    for (int b = 0; b < r->nrow; b++)
        for (int i = 0; i < 3; i++)
            r->all[3 * (size_t)r->row[b] + (size_t)i] += below[3 * b + i];
}

LANE_INLINE double total(lane v)
{
    double sum = 0;
    for (int i = 0; i < LANE; i++)
        sum += v[i];
    return sum;
}

// y -= L' x over n rows and three columns.
LANE_INLINE void subtract_products(double y[3], int n, const double *L, size_t ld, const double *x)
{
    lane sum[3] = {lane_zero(), lane_zero(), lane_zero()};
    int i = 0;
    for (; i + LANE <= n; i += LANE)
        for (int c = 0; c < 3; c++)
            sum[c] += lane_load(L + (size_t)c * ld + i) * lane_load(x + i);
    for (int c = 0; c < 3; c++)
        y[c] -= total(sum[c]);
    for (; i < n; i++)
        for (int c = 0; c < 3; c++)
            y[c] -= L[(size_t)c * ld + i] * x[i];
}

static void backward_one(const panel_rhs *r, double *below)
{
    int nbelow = sparse_padded(3 * r->nrow);
    for (int b = 0; b < r->nrow; b++)
        for (int i = 0; i < 3; i++)
            below[3 * b + i] = r->all[3 * (size_t)r->row[b] + (size_t)i];
    for (int i = 3 * r->nrow; i < nbelow; i++)
        below[i] = 0;
    for (int k = r->npivot - 3; k >= 0; k -= 3) {
        const double *L = r->L + (size_t)k * r->ld;
        double *x = r->pivot + k;
        subtract_products(x, nbelow, L + r->pivot_rows, r->ld, below);
        subtract_products(x, r->npivot - k - 3, L + k + 3, r->ld, x + 3);
        x[1] -= L[r->ld + k + 2] * x[2];
        x[0] -= L[k + 1] * x[1] + L[k + 2] * x[2];
    }
}

const panel_solvers KERNEL(panel_solvers) = {forward, backward, forward_one, backward_one};
