// Forward and backward substitution through one front, for a panel of ENTRY numbers (double or
// float). Right-hand sides are doubles; products are summed as ENTRY numbers, over one panel at
// most.
#include "sparse/dense_panel.h"
#include "sparse/symbolic.h"
#include "sparse/tile.h"

typedef ENTRY part __attribute__((vector_size(LANE * sizeof(ENTRY))));
typedef ENTRY part_memory
    __attribute__((vector_size(LANE * sizeof(ENTRY)), aligned(sizeof(ENTRY)), may_alias));

LANE_INLINE part part_load(const ENTRY *p)
{
    return *(const part_memory *)p;
}

LANE_INLINE part part_zero(void)
{
    return (part){0};
}

LANE_INLINE part narrow(lane v)
{
    return __builtin_convertvector(v, part);
}

LANE_INLINE lane widen(part v)
{
    return __builtin_convertvector(v, lane);
}

LANE_INLINE const ENTRY *entries(const panel_rhs *r)
{
    return r->L;
}

// SPARSE_PACK right-hand sides fill WIDTH registers; as many rows are treated together as leave
// registers free.
enum { WIDTH = SPARSE_PACK / LANE, GROUP = WIDTH == 1 ? 12 : WIDTH == 2 ? 6 : 3 };

// sum_i = sum_k L_ik x_k for n rows (a constant wherever this is inlined) and `depth` columns.
LANE_INLINE void multiply(int n, part sum[][WIDTH], int depth, const ENTRY *L, size_t ld,
                          const double *x)
{
    for (int i = 0; i < n; i++)
        for (int v = 0; v < WIDTH; v++)
            sum[i][v] = part_zero();
    for (int k = 0; k < depth; k++, L += ld, x += SPARSE_PACK)
        for (int v = 0; v < WIDTH; v++) {
            part xk = narrow(lane_load(x + v * LANE));
            for (int i = 0; i < n; i++)
                sum[i][v] += xk * L[i];
        }
}

LANE_INLINE void subtract_row(double *x, const part sum[WIDTH])
{
    for (int v = 0; v < WIDTH; v++)
        lane_store(x + v * LANE, lane_load(x + v * LANE) - widen(sum[v]));
}

// Pivots [first, first + n), once those before are known.
LANE_INLINE void forward_pivots(int n, const panel_rhs *r, int first)
{
    part sum[GROUP][WIDTH];
    double *x = r->pivot + (size_t)first * SPARSE_PACK;
    multiply(n, sum, first, entries(r) + first, r->ld, r->pivot);
    for (int i = 0; i < n; i++) {
        subtract_row(x + i * SPARSE_PACK, sum[i]);
        const ENTRY *L = entries(r) + (size_t)(first + i) * r->ld + first;
        for (int v = 0; v < WIDTH; v++) {
            part xi = narrow(lane_load(x + i * SPARSE_PACK + v * LANE));
            for (int j = i + 1; j < n; j++)
                sum[j][v] += xi * L[j];
        }
    }
}

// Block rows [first, first + n / 3) below the pivots.
LANE_INLINE void forward_below(int n, const panel_rhs *r, int first)
{
    part sum[GROUP][WIDTH];
    multiply(n, sum, r->npivot, entries(r) + r->pivot_rows + 3 * first, r->ld, r->pivot);
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
LANE_INLINE void add_row(int n, part sum[][WIDTH], const ENTRY *L, size_t ld, const double *x)
{
    for (int v = 0; v < WIDTH; v++) {
        part xi = narrow(lane_load(x + v * LANE));
        for (int j = 0; j < n; j++)
            sum[j][v] += xi * L[(size_t)j * ld];
    }
}

// Pivots [first, first + n), once those behind and all rows below are known.
LANE_INLINE void backward_pivots(int n, const panel_rhs *r, int first)
{
    part sum[GROUP][WIDTH];
    const ENTRY *L = entries(r) + (size_t)first * r->ld;
    for (int j = 0; j < n; j++)
        for (int v = 0; v < WIDTH; v++)
            sum[j][v] = part_zero();
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

// One right-hand side: `w` holds its rows of this front in the order of the panel. Columns go in
// groups of eight, with what is left over before them, so that the pivots behind a group are whole
// vectors and every vector is loaded as it was stored.
enum { COLUMNS = SPARSE_PACK };

LANE_INLINE part product(int n, const ENTRY *L, size_t ld, const ENTRY *x)
{
    part sum = part_load(L) * x[0];
    for (int j = 1; j < n; j++)
        sum += part_load(L + (size_t)j * ld) * x[j];
    return sum;
}

LANE_INLINE void subtract_products(int n, const panel_rhs *r, int k, const ENTRY *x, double *w,
                                   int first, int last)
{
    const ENTRY *L = entries(r) + (size_t)k * r->ld;
    for (int row = first; row < last; row += LANE)
        lane_store(w + row, lane_load(w + row) - widen(product(n, L + row, r->ld, x)));
}

// Columns [k, k + n), once those before are known.
LANE_INLINE void forward_columns(int n, const panel_rhs *r, double *w, int k, int nrow)
{
    const ENTRY *L = entries(r) + (size_t)k * r->ld + k;
    ENTRY x[COLUMNS];
    TILE_UNROLL
    for (int j = 0; j < n; j++) {
        x[j] = (ENTRY)w[k + j];
        TILE_UNROLL
        for (int i = 0; i < j; i++)
            x[j] -= L[(size_t)i * r->ld + j] * x[i];
    }
    for (int j = 0; j < n; j++)
        w[k + j] = x[j];
    subtract_products(n, r, k, x, w, k + n, r->npivot);
    subtract_products(n, r, k, x, w, r->pivot_rows, nrow);
}

LANE_INLINE ENTRY total(part v)
{
#if defined(__AVX512F__)
    v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6);
#elif defined(__AVX__)
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1);
    v += __builtin_shufflevector(v, v, 1, 0, 3, 2);
#else
    v += __builtin_shufflevector(v, v, 1, 0);
#endif
    return v[0];
}

LANE_INLINE void add_products(int n, part *sum, const panel_rhs *r, int k, const double *w,
                              int first, int last)
{
    const ENTRY *L = entries(r) + (size_t)k * r->ld;
    for (int row = first; row < last; row += LANE) {
        part x = narrow(lane_load(w + row));
        for (int j = 0; j < n; j++)
            sum[j] += part_load(L + (size_t)j * r->ld + row) * x;
    }
}

// Columns [k, k + n), once those behind and all rows below are known.
LANE_INLINE void backward_columns(int n, const panel_rhs *r, double *w, int k, int nrow)
{
    const ENTRY *L = entries(r) + (size_t)k * r->ld + k;
    part sum[COLUMNS];
    ENTRY x[COLUMNS];
    TILE_UNROLL
    for (int j = 0; j < n; j++)
        sum[j] = part_zero();
    add_products(n, sum, r, k, w, r->pivot_rows, nrow);
    add_products(n, sum, r, k, w, k + n, r->npivot);
    TILE_UNROLL
    for (int j = n - 1; j >= 0; j--) {
        x[j] = (ENTRY)(w[k + j] - total(sum[j]));
        TILE_UNROLL
        for (int i = j + 1; i < n; i++)
            x[j] -= L[(size_t)j * r->ld + i] * x[i];
    }
    for (int j = 0; n == COLUMNS && j < COLUMNS; j += LANE) {
        lane whole;
        for (int i = 0; i < LANE; i++)
            whole[i] = x[j + i];
        lane_store(w + k + j, whole);
    }
    for (int j = 0; n < COLUMNS && j < n; j++)
        w[k + j] = x[j];
}

#define ONE_LEFT_OVER(columns)                                                                     \
    switch (r->npivot % COLUMNS) {                                                                 \
    case 1: columns(1, r, w, 0, nrow); break;                                                      \
    case 2: columns(2, r, w, 0, nrow); break;                                                      \
    case 3: columns(3, r, w, 0, nrow); break;                                                      \
    case 4: columns(4, r, w, 0, nrow); break;                                                      \
    case 5: columns(5, r, w, 0, nrow); break;                                                      \
    case 6: columns(6, r, w, 0, nrow); break;                                                      \
    case 7: columns(7, r, w, 0, nrow); break;                                                      \
    default: break;                                                                                \
    }

static void forward_one(const panel_rhs *r, double *w)
{
    int nrow = r->pivot_rows + sparse_padded(3 * r->nrow);
    for (int i = 0; i < r->npivot; i++)
        w[i] = r->pivot[i];
    for (int i = r->npivot; i < nrow; i++)
        w[i] = 0;
    ONE_LEFT_OVER(forward_columns)
    for (int k = r->npivot % COLUMNS; k < r->npivot; k += COLUMNS)
        forward_columns(COLUMNS, r, w, k, nrow);
    for (int i = 0; i < r->npivot; i++)
        r->pivot[i] = w[i];
    w += r->pivot_rows;
    for (int b = 0; b < r->nrow; b++)
        for (int i = 0; i < 3; i++)
            r->all[3 * (size_t)r->row[b] + (size_t)i] += w[3 * b + i];
}

static void backward_one(const panel_rhs *r, double *w)
{
    int nrow = r->pivot_rows + sparse_padded(3 * r->nrow);
    double *below = w + r->pivot_rows;
    for (int i = 0; i < r->npivot; i++)
        w[i] = r->pivot[i];
    for (int b = 0; b < r->nrow; b++)
        for (int i = 0; i < 3; i++)
            below[3 * b + i] = r->all[3 * (size_t)r->row[b] + (size_t)i];
    for (int i = r->pivot_rows + 3 * r->nrow; i < nrow; i++)
        w[i] = 0;
    for (int k = r->npivot - COLUMNS; k >= 0; k -= COLUMNS)
        backward_columns(COLUMNS, r, w, k, nrow);
    ONE_LEFT_OVER(backward_columns)
    for (int i = 0; i < r->npivot; i++)
        r->pivot[i] = w[i];
}
