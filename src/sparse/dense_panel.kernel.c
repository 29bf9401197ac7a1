#include "sparse/dense_panel.h"

#include "sparse/symbolic.h"
#include "sparse/tile.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

enum { COLUMN_LANES = TILE_COLS / LANE };

extern const panel_kernels KERNEL(panel_kernels);

// Where X keeps entry (row, 0).
LANE_INLINE double *packed(const panel_block *b, int row)
{
    int inside = row % SPARSE_PACK;
    return b->X + (size_t)(row - inside) * (size_t)b->npivot + inside;
}

// sum = A B' over `depth` columns, in registers. nlane is a constant wherever this is inlined.
LANE_INLINE void multiply(int nlane, lane sum[][TILE_COLS], int depth, const double *A, size_t ld,
                          const double *B)
{
    TILE_UNROLL
    for (int v = 0; v < nlane; v++) {
        TILE_UNROLL
        for (int c = 0; c < TILE_COLS; c++)
            sum[v][c] = lane_zero();
    }
    for (int k = 0; k < depth; k++, A += ld, B += SPARSE_PACK) {
        lane a[TILE_LANES];
        TILE_UNROLL
        for (int v = 0; v < nlane; v++)
            a[v] = lane_load(A + v * LANE);
        TILE_UNROLL
        for (int c = 0; c < TILE_COLS; c++) {
            TILE_UNROLL
            for (int v = 0; v < nlane; v++)
                sum[v][c] += a[v] * B[c];
        }
    }
}

LANE_INLINE void subtract(int nlane, const lane sum[][TILE_COLS], int ncol, double *C, size_t ld,
                          bool add)
{
    TILE_UNROLL
    for (int c = 0; c < TILE_COLS; c++) {
        if (c >= ncol)
            break;
        double *column = C + (size_t)c * ld;
        TILE_UNROLL
        for (int v = 0; v < nlane; v++) {
            lane old = add ? lane_load(column + v * LANE) : lane_zero();
            lane_store(column + v * LANE, old - sum[v][c]);
        }
    }
}

// C -= A B', at most TILE_COLS columns.
LANE_INLINE void update_tile(int nlane, const double *A, size_t lda, int depth, const double *B,
                             double *C, size_t ldc, int ncol, bool add)
{
    lane sum[TILE_LANES][TILE_COLS];
    multiply(nlane, sum, depth, A, lda, B);
    subtract(nlane, (const lane(*)[TILE_COLS])sum, ncol, C, ldc, add);
}

// Rows [row, row + nlane LANE) of columns [col, col + ncol) of the block, once all columns before
// are done: x_j = a_j - sum_k<j l_jk x_k, then l = x / d.
LANE_INLINE void solve_tile(int nlane, int ncol, const panel_block *b, int row, int col)
{
    lane x[TILE_LANES][TILE_COLS];
    double *L = b->L + row;
    multiply(nlane, x, col, L, b->ld, packed(b, col));
    for (int c = 0; c < ncol; c++) {
        const double *column = L + (size_t)(col + c) * b->ld;
        for (int v = 0; v < nlane; v++)
            x[v][c] = lane_load(column + v * LANE) - x[v][c];
    }
    TILE_UNROLL
    for (int k = 0; k < ncol; k++) {
        const double *unit = b->L + (size_t)(col + k) * b->ld + col;
        TILE_UNROLL
        for (int j = k + 1; j < ncol; j++)
            for (int v = 0; v < nlane; v++)
                x[v][j] -= x[v][k] * unit[j];
    }
    TILE_UNROLL
    for (int v = 0; v < nlane; v++) {
        double *X = packed(b, row + v * LANE) + (size_t)col * SPARSE_PACK;
        TILE_UNROLL
        for (int c = 0; c < ncol; c++) {
            lane_store(X + c * SPARSE_PACK, x[v][c]);
            lane_store(L + v * LANE + (size_t)(col + c) * b->ld,
                       x[v][c] * b->inverse_pivot[col + c]);
        }
    }
}

LANE_INLINE void solve_columns(int nlane, const panel_block *b, int row, int col)
{
    switch (b->npivot - col) {
    case 1: solve_tile(nlane, 1, b, row, col); return;
    case 2: solve_tile(nlane, 2, b, row, col); return;
    case 3: solve_tile(nlane, 3, b, row, col); return;
#if defined(__AVX512F__)
    case 4: solve_tile(nlane, 4, b, row, col); return;
    case 5: solve_tile(nlane, 5, b, row, col); return;
    case 6: solve_tile(nlane, 6, b, row, col); return;
    case 7: solve_tile(nlane, 7, b, row, col); return;
#endif
    default: solve_tile(nlane, TILE_COLS, b, row, col);
    }
}

LANE_INLINE void solve_rows(int nlane, const panel_block *b, int row)
{
    for (int col = 0; col < b->npivot; col += TILE_COLS)
        solve_columns(nlane, b, row, col);
}

static void solve(const panel_block *b, int first, int last)
{
    int row = first;
    for (; row + TILE_ROWS <= last; row += TILE_ROWS)
        solve_rows(TILE_LANES, b, row);
    for (; row + 2 * LANE <= last; row += 2 * LANE)
        solve_rows(2, b, row);
    for (; row < last; row += LANE)
        solve_rows(1, b, row);
}

static double judge_pivot(double d, int number, panel_tally *tally)
{
    bool zero = !(fabs(d) > tally->smallest && fabs(d) <= DBL_MAX); // NaN is zero too
    if (zero)
        tally->zero++;
    else if (d < 0)
        tally->negative++;
    if ((zero || d < 0) && number < tally->first_bad)
        tally->first_bad = number;
    return zero ? tally->replacement : d;
}

// A = L D L' of the ncol x ncol diagonal block at (col, col). Entries above the diagonal are
// carried along for the sake of whole vectors; nobody reads them.
static void factor_diagonal(const panel_block *b, int col, int ncol, int number, panel_tally *tally)
{
    lane a[TILE_COLS][COLUMN_LANES];
    double *A = b->L + (size_t)col * b->ld + col;
    TILE_UNROLL
    for (int k = 0; k < TILE_COLS; k++)
        for (int v = 0; v < COLUMN_LANES; v++)
            a[k][v] = k < ncol ? lane_load(A + (size_t)k * b->ld + v * LANE) : lane_zero();
    TILE_UNROLL
    for (int k = 0; k < TILE_COLS; k++) {
        if (k >= ncol)
            return;
        double inverse = 1 / judge_pivot(a[k][k / LANE][k % LANE], number + k, tally);
        b->inverse_pivot[col + k] = inverse;
        for (int v = 0; v < COLUMN_LANES; v++) {
            lane l = a[k][v] * inverse;
            TILE_UNROLL
            for (int j = k + 1; j < TILE_COLS; j++)
                a[j][v] -= l * a[k][j / LANE][j % LANE];
            lane_store(A + (size_t)k * b->ld + v * LANE, l);
        }
    }
}

static void factor(const panel_block *b, int first, panel_tally *tally)
{
    for (int col = 0; col < b->npivot; col += TILE_COLS) {
        int ncol = b->npivot - col < TILE_COLS ? b->npivot - col : TILE_COLS;
        double *diagonal = b->L + (size_t)col * b->ld + col;
        for (int row = 0; row < TILE_COLS; row += LANE)
            update_tile(1, b->L + col + row, b->ld, col, packed(b, col), diagonal + row, b->ld,
                        ncol, true);
        factor_diagonal(b, col, ncol, first + col, tally);
        for (int row = col + TILE_COLS; row < b->npivot; row += LANE)
            solve_columns(1, b, row, col);
    }
}

LANE_INLINE void update_rows(int nlane, const panel_block *b, const panel_target *t, int row,
                             int col)
{
    int ncol = t->last - col < TILE_COLS ? t->last - col : TILE_COLS;
    update_tile(nlane, b->L + t->row + row, b->ld, b->npivot, packed(b, t->row + col),
                t->C + (size_t)col * t->ld + row, t->ld, ncol, t->add);
}

// A few rows, which stay in the nearest cache, times the columns up to the diagonal.
static void update(const panel_block *b, const panel_target *t, int first, int last)
{
    for (int row = first; row < last; row += TILE_ROWS) {
        int end = last - row < TILE_ROWS ? last : row + TILE_ROWS;
        for (int col = t->first; col < end && col < t->last; col += TILE_COLS) {
            int top = col > row ? col : row;
            switch ((end - top) / LANE) {
            case 1: update_rows(1, b, t, top, col); break;
            case 2: update_rows(2, b, t, top, col); break;
            default: update_rows(TILE_LANES, b, t, top, col);
            }
        }
    }
}

// Three columns of a child's matrix, `count` rows of them, into three of the parent's.
#ifdef __AVX512F__
// Runs are short, a few vectors at most: masks spare the scalar loop at their ends.
LANE_INLINE void add_masked(__mmask8 mask, const double *from, double *to)
{
    __m512d sum = _mm512_add_pd(_mm512_maskz_loadu_pd(mask, from), _mm512_maskz_loadu_pd(mask, to));
    _mm512_mask_storeu_pd(to, mask, sum);
}

LANE_INLINE void add_block_column(const panel_child *c, const double *from, double *to, int count)
{
    for (; count >= LANE; count -= LANE, from += LANE, to += LANE)
        for (int k = 0; k < 3; k++) {
            double *at = to + (size_t)k * c->target_ld;
            lane_store(at, lane_load(at) + lane_load(from + (size_t)k * c->ld));
        }
    if (count > 0) {
        __mmask8 mask = (__mmask8)((1 << count) - 1);
        for (int k = 0; k < 3; k++)
            add_masked(mask, from + (size_t)k * c->ld, to + (size_t)k * c->target_ld);
    }
}
#else
LANE_INLINE void add_block_column(const panel_child *c, const double *from, double *to, int count)
{
    for (int k = 0; k < 3; k++, from += c->ld, to += c->target_ld) {
        int i = 0;
        for (; i + LANE <= count; i += LANE)
            lane_store(to + i, lane_load(to + i) + lane_load(from + i));
        for (; i < count; i++)
            to[i] += from[i];
    }
}
#endif

// Adds whole block columns from the diagonal block down. What lies above the diagonal of that block
// may be anything, and falls where nobody reads.
static void extend_add(const panel_child *c)
{
    const sparse_run *end = c->run + c->nrun;
    for (const sparse_run *run = c->run; run < end; run++)
        for (int i = 0; i < run->count; i += 3) {
            int column = run->target + i - c->first;
            if (column < 0 || run->target + i >= c->last)
                continue;
            const double *from = c->C + (size_t)(run->source + i) * c->ld;
            double *to = c->T + (size_t)column * c->target_ld;
            add_block_column(c, from + run->source + i, to + column, run->count - i);
            for (const sparse_run *below = run + 1; below < end; below++)
                add_block_column(c, from + below->source, to + below->target - c->first,
                                 below->count);
        }
}

const panel_kernels KERNEL(panel_kernels) = {factor, solve, update, extend_add};
