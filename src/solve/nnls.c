#include "solve/nnls.h"

#include "base/arena.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

enum { AT_ONCE = 4, SHARE = 16 }; // columns that enter together, and their share of the set

typedef struct nnls_work {
    const nnls_problem *p;
    int n, room;      // columns in the set
    int *column;      // (room)
    bool *in;         // (ncolumn)
    double *gram;     // G' G of the set, lower (room x room)
    double *L;        // its Cholesky factor (room x room)
    double *rhs;      // G' b of the set (room)
    double *w, *next; // weights of the set, and the unbounded solution (room)
    double *r;        // b - G w (nline)
    float *rough;     // r, for a look at all columns (nline)
    double *slope;    // G' r over the column's norm (ncolumn)
    double *norm;     // of columns (ncolumn)
    int at_once;      // columns that enter between two looks at all of them
} nnls_work;

static const float *column_of(const nnls_problem *p, int c)
{
    return p->G + (size_t)c * (size_t)p->nline;
}

static double dot_column(const nnls_problem *p, int c, const double *v)
{
    const float *G = column_of(p, c);
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= p->nline; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += (double)G[i + k] * v[i + k];
    for (; i < p->nline; i++)
        sum[0] += (double)G[i] * v[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double dot_columns(const nnls_problem *p, int a, int b)
{
    const float *A = column_of(p, a), *B = column_of(p, b);
    double sum = 0;
    for (int i = 0; i < p->nline; i++)
        sum += (double)A[i] * (double)B[i];
    return sum;
}

// In single precision, block by block: it only tells which columns to look at.
static double rough_dot(int n, const float *a, const float *b)
{
    enum { BLOCK = 64, WIDE = 8 };
    double sum = 0;
    for (int at = 0; at < n; at += BLOCK) {
        int end = at + BLOCK < n ? at + BLOCK : n, i = at;
        float part[WIDE] = {0};
        for (; i + WIDE <= end; i += WIDE)
            for (int l = 0; l < WIDE; l++)
                part[l] += a[i + l] * b[i + l];
        for (; i < end; i++)
            part[0] += a[i] * b[i];
        for (int l = 0; l < WIDE; l++)
            sum += (double)part[l];
    }
    return sum;
}

static void find_slopes(void *context, int first, int last)
{
    nnls_work *k = context;
    for (int c = first; c < last; c++)
        k->slope[c] = k->in[c] || !(k->norm[c] > 0)
                          ? 0
                          : rough_dot(k->p->nline, column_of(k->p, c), k->rough) / k->norm[c];
}

static void find_norms(void *context, int first, int last)
{
    nnls_work *k = context;
    for (int c = first; c < last; c++)
        k->norm[c] = sqrt(dot_columns(k->p, c, c));
}

// The last line of L; false: the column depends on the others.
static bool factor_line(nnls_work *k, int i)
{
    double *L = &k->L[(size_t)i * (size_t)k->room];
    const double *gram = &k->gram[(size_t)i * (size_t)k->room];
    for (int j = 0; j <= i; j++) {
        const double *other = &k->L[(size_t)j * (size_t)k->room];
        double sum = gram[j];
        for (int l = 0; l < j; l++)
            sum -= L[l] * other[l];
        if (j == i && !(sum > NNLS_DEPENDENT * gram[i]))
            return false;
        L[j] = j == i ? sqrt(sum) : sum / other[j];
    }
    return true;
}

static bool enter(nnls_work *k, int c)
{
    double *gram = &k->gram[(size_t)k->n * (size_t)k->room];
    for (int j = 0; j < k->n; j++)
        gram[j] = dot_columns(k->p, c, k->column[j]);
    gram[k->n] = k->norm[c] * k->norm[c];
    if (!factor_line(k, k->n))
        return false;
    k->column[k->n] = c;
    k->rhs[k->n] = dot_column(k->p, c, k->p->b);
    k->w[k->n++] = 0;
    k->in[c] = true;
    return true;
}

// Takes columns without weight out of the set.
static void leave(nnls_work *k)
{
    int kept = 0, first = k->n;
    for (int i = 0; i < k->n; i++) {
        if (!(k->w[i] > 0)) {
            k->in[k->column[i]] = false;
            first = first < i ? first : i;
            continue;
        }
        const double *from = &k->gram[(size_t)i * (size_t)k->room];
        double *to = &k->gram[(size_t)kept * (size_t)k->room];
        for (int j = 0, l = 0; j <= i; j++)
            if (k->w[j] > 0)
                to[l++] = from[j];
        k->column[kept] = k->column[i];
        k->rhs[kept++] = k->rhs[i];
    }
    for (int i = 0, l = 0; i < k->n; i++)
        if (k->w[i] > 0)
            k->w[l++] = k->w[i];
    k->n = kept;
    for (int i = first; i < k->n; i++)
        factor_line(k, i);
}

static void solve_unbounded(nnls_work *k)
{
    for (int i = 0; i < k->n; i++) {
        const double *L = &k->L[(size_t)i * (size_t)k->room];
        double sum = k->rhs[i];
        for (int j = 0; j < i; j++)
            sum -= L[j] * k->next[j];
        k->next[i] = sum / L[i];
    }
    for (int i = k->n - 1; i >= 0; i--) {
        double sum = k->next[i];
        for (int j = i + 1; j < k->n; j++)
            sum -= k->L[(size_t)j * (size_t)k->room + (size_t)i] * k->next[j];
        k->next[i] = sum / k->L[(size_t)i * (size_t)k->room + (size_t)i];
    }
}

// As far towards the unbounded solution as weights stay at or above 0; true: all the way.
static bool go_there(nnls_work *k)
{
    double share = 1;
    for (int i = 0; i < k->n; i++)
        if (k->next[i] <= 0)
            share = fmin(share, k->w[i] / (k->w[i] - k->next[i]));
    for (int i = 0; i < k->n; i++) {
        double moved = k->w[i] + share * (k->next[i] - k->w[i]);
        bool ends = k->next[i] <= 0 && moved <= NNLS_ENDS * fabs(k->w[i] - k->next[i]);
        k->w[i] = ends ? 0 : moved;
    }
    if (share < 1)
        leave(k);
    return share >= 1;
}

static void find_rest(nnls_work *k)
{
    memcpy(k->r, k->p->b, (size_t)k->p->nline * sizeof *k->r);
    for (int i = 0; i < k->n; i++) {
        const float *G = column_of(k->p, k->column[i]);
        for (int l = 0; l < k->p->nline; l++)
            k->r[l] -= k->w[i] * (double)G[l];
    }
}

static double worst_group(const nnls_work *k)
{
    double worst = 0;
    for (int at = 0; at < k->p->nline; at += k->p->group) {
        double sum = 0;
        for (int i = at; i < at + k->p->group; i++)
            sum += k->r[i] * k->r[i];
        worst = fmax(worst, sum);
    }
    return sqrt(worst);
}

// The columns that would lower the error most; how many entered.
static int enter_best(nnls_work *k)
{
    int entered = 0;
    for (int i = 0; i < k->p->nline; i++)
        k->rough[i] = (float)k->r[i];
    pool_for(k->p->threads, k->p->ncolumn, 256, find_slopes, k);
    while (entered < k->at_once && k->n < k->p->most) {
        int best = -1;
        for (int c = 0; c < k->p->ncolumn; c++)
            if (k->slope[c] > 0 && (best < 0 || k->slope[c] > k->slope[best]))
                best = c;
        if (best < 0)
            break;
        k->slope[best] = 0;
        entered += enter(k, best);
    }
    return entered;
}

static double square_of_rest(const nnls_work *k)
{
    double sum = 0;
    for (int i = 0; i < k->p->nline; i++)
        sum += k->r[i] * k->r[i];
    return sum;
}

// Columns that enter together may all have to leave again; then one by one.
static void iterate(nnls_work *k, nnls_result *out)
{
    const nnls_problem *p = k->p;
    k->at_once = AT_ONCE;
    find_rest(k);
    out->error = worst_group(k);
    while ((out->error > p->tolerance || k->n < p->least) && k->n < p->most && enter_best(k) > 0) {
        double before = square_of_rest(k);
        do
            solve_unbounded(k);
        while (k->n > 0 && !go_there(k));
        find_rest(k);
        out->error = worst_group(k);
        out->ended = p->progress && !p->progress(p->user, k->n, out->error);
        bool stuck = !(square_of_rest(k) < before * (1 - NNLS_STUCK));
        if (out->ended || (stuck && k->at_once == 1))
            break;
        int share = k->n / SHARE; // looking at all columns is what takes the time
        k->at_once = stuck ? 1 : share > AT_ONCE ? share : AT_ONCE;
    }
}

static bool work_create(nnls_work *k, arena *memory)
{
    const nnls_problem *p = k->p;
    size_t room = (size_t)(k->room = p->most + AT_ONCE);
    k->column = arena_new(memory, room, int);
    k->in = arena_new(memory, p->ncolumn, bool);
    k->gram = arena_new(memory, room * room, double);
    k->L = arena_new(memory, room * room, double);
    k->rhs = arena_new(memory, room, double);
    k->w = arena_new(memory, room, double);
    k->next = arena_new(memory, room, double);
    k->r = arena_new(memory, p->nline, double);
    k->rough = arena_new(memory, p->nline, float);
    k->slope = arena_new(memory, p->ncolumn, double);
    k->norm = arena_new(memory, p->ncolumn, double);
    return k->column && k->in && k->gram && k->L && k->rhs && k->w && k->next && k->r && k->rough &&
           k->slope && k->norm;
}

lithe_status nnls_solve(const nnls_problem *p, double *weight, nnls_result *out)
{
    arena memory = {0};
    nnls_work k = {.p = p};
    *out = (nnls_result){0};
    bool well = work_create(&k, &memory);
    memset(weight, 0, (size_t)p->ncolumn * sizeof *weight);
    if (well) {
        pool_for(p->threads, p->ncolumn, 256, find_norms, &k);
        iterate(&k, out);
        for (int i = 0; i < k.n; i++)
            weight[k.column[i]] = k.w[i];
        out->n = k.n;
    }
    arena_free(&memory);
    return well ? LITHE_OK : LITHE_NO_MEMORY;
}
