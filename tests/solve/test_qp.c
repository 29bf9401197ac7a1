#include "solve/qp.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#ifdef __SANITIZE_ADDRESS__
enum { SHARE = 5 }; // one in this many trials is made
#else
enum { SHARE = 1 };
#endif

enum { N = 64, M = 128, SMALL = 4, SMALL_ROWS = 3 };

static arena memory;
static qp_work *work;

static uint64_t seed = 7;

static double uniform(void)
{
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

static int below(int n) // 0 .. n-1
{
    return (int)((uniform() + 1) / 2 * n) % n;
}

// A problem with entries near 1, and the units it is stated in: x_j = unit_j times a number near 1.
typedef struct problem {
    int n, m;
    double Q[N * N], c[N], lo[N], hi[N], A[M * N], blo[M], bhi[M];
    double unit[N], row_unit[M];
    int active[N + M];
    qp_solution s;
} problem;

typedef struct recipe {
    int n, m, rank; // rank of Q
    double decades; // units spread over 10^+-decades
    double free;    // share of limits that are infinite
    double equal;   // share of rows and variables that are equations
    bool whole;     // small whole numbers: degenerate and dependent constraints
    bool copies;    // rows that repeat and combine others
    bool infeasible;
} recipe;

static double entry(const recipe *r)
{
    return r->whole ? below(3) - 1 : uniform();
}

static void random_objective(problem *p, const recipe *r)
{
    static double B[N * N];
    int n = r->n;
    for (int k = 0; k < r->rank * n; k++)
        B[k] = entry(r);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            p->Q[i * n + j] = 0;
            for (int k = 0; k < r->rank; k++)
                p->Q[i * n + j] += B[k * n + i] * B[k * n + j];
        }
        p->c[i] = entry(r);
    }
}

static void random_limit(const recipe *r, double at, double *lo, double *hi)
{
    double below_it = r->whole ? below(2) : 0.5 * (1 + uniform());
    double above_it = r->whole ? below(2) : 0.5 * (1 + uniform());
    *lo = at - below_it;
    *hi = at + above_it;
    if (uniform() + 1 < 2 * r->equal)
        *lo = *hi = at;
    else if (uniform() + 1 < 2 * r->free) {
        if (uniform() < 0)
            *lo = -INFINITY;
        else
            *hi = INFINITY;
    }
}

// Rows made of earlier ones; their limits still leave the point `value` was taken at.
static void copy_rows(problem *p, int i)
{
    int n = p->n;
    if (i < 2 || uniform() < 0)
        return;
    int a = below(i), b = below(i);
    double f = uniform() < 0 ? 0 : 1, g = uniform() < 0 ? -2 : 1;
    for (int j = 0; j < n; j++)
        p->A[i * n + j] = g * p->A[a * n + j] + f * p->A[b * n + j];
}

static void apply_units(problem *p, double decades)
{
    int n = p->n;
    for (int j = 0; j < n; j++)
        p->unit[j] = pow(10, decades * uniform());
    for (int i = 0; i < p->m; i++)
        p->row_unit[i] = pow(10, decades * uniform());
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            p->Q[i * n + j] /= p->unit[i] * p->unit[j];
        for (int i = 0; i < p->m; i++)
            p->A[i * n + j] *= p->row_unit[i] / p->unit[j];
        p->c[j] /= p->unit[j];
        p->lo[j] *= p->unit[j];
        p->hi[j] *= p->unit[j];
    }
    for (int i = 0; i < p->m; i++) {
        p->blo[i] *= p->row_unit[i];
        p->bhi[i] *= p->row_unit[i];
    }
}

static void random_problem(problem *p, const recipe *r)
{
    int n = r->n, m = r->m;
    double inside[N];
    p->n = n;
    p->m = m;
    random_objective(p, r);
    for (int j = 0; j < n; j++) {
        inside[j] = entry(r);
        random_limit(r, inside[j], &p->lo[j], &p->hi[j]);
    }
    for (int i = 0; i < m; i++) {
        double value = 0;
        for (int j = 0; j < n; j++)
            p->A[i * n + j] = entry(r);
        if (r->copies)
            copy_rows(p, i);
        for (int j = 0; j < n; j++)
            value += p->A[i * n + j] * inside[j];
        random_limit(r, r->infeasible ? value + 2 * entry(r) : value, &p->blo[i], &p->bhi[i]);
    }
    apply_units(p, r->decades);
    memset(p->active, 0, sizeof p->active);
}

static qp_status solve_again(problem *p, int kept_rows, bool kept_Q)
{
    qp_problem q = {.n = p->n,
                    .kept_rows = kept_rows,
                    .kept_Q = kept_Q,
                    .m = p->m,
                    .Q = p->Q,
                    .c = p->c,
                    .lo = p->lo,
                    .hi = p->hi,
                    .A = p->A,
                    .blo = p->blo,
                    .bhi = p->bhi};
    return qp_solve(work, &q, p->active, &p->s);
}

static qp_status solve(problem *p)
{
    return solve_again(p, 0, false);
}

static double row_value(const problem *p, int i, const double *x)
{
    double value = 0;
    for (int j = 0; j < p->n; j++)
        value += p->A[i * p->n + j] * x[j];
    return value;
}

static double over_limits(double value, double lo, double hi)
{
    return fmax(0, fmax(lo - value, value - hi));
}

// Largest violation in the problem's own units.
static double violation(const problem *p, const double *x)
{
    double worst = 0, size = 1;
    for (int j = 0; j < p->n; j++) {
        worst = fmax(worst, over_limits(x[j], p->lo[j], p->hi[j]) / p->unit[j]);
        size = fmax(size, fabs(x[j]) / p->unit[j]);
    }
    for (int i = 0; i < p->m; i++)
        worst = fmax(worst, over_limits(row_value(p, i, x), p->blo[i], p->bhi[i]) / p->row_unit[i]);
    return worst / size;
}

// Largest entry of Q x + c + y + A'y in the problem's own units.
static double stationarity(const problem *p, const double *x, const double *y)
{
    int n = p->n;
    double worst = 0, size = 1;
    for (int j = 0; j < n; j++) {
        double sum = p->c[j] + y[j];
        size = fmax(size, fabs(y[j]) * p->unit[j]);
        for (int i = 0; i < n; i++)
            sum += p->Q[j * n + i] * x[i];
        for (int i = 0; i < p->m; i++)
            sum += p->A[i * n + j] * y[n + i];
        worst = fmax(worst, fabs(sum) * p->unit[j]);
    }
    for (int i = 0; i < p->m; i++)
        size = fmax(size, fabs(y[n + i]) * p->row_unit[i]);
    return worst / size;
}

// A multiplier is 0 where its limit does not hold x, and pulls inwards where it does.
static double slackness(const problem *p, const double *x, const double *y)
{
    double worst = 0, size = 1, x_size = 1;
    for (int k = 0; k < p->n + p->m; k++) {
        int i = k - p->n;
        double unit = k < p->n ? p->unit[k] : p->row_unit[i];
        double value = k < p->n ? x[k] : row_value(p, i, x);
        double limit =
            k < p->n ? (y[k] > 0 ? p->hi[k] : p->lo[k]) : (y[k] > 0 ? p->bhi[i] : p->blo[i]);
        if (k < p->n)
            x_size = fmax(x_size, fabs(value / unit));
        if (y[k] == 0)
            continue;
        size = fmax(size, fabs(y[k] * unit));
        worst = fmax(worst, fabs(y[k] * (value - limit)));
    }
    return worst / size / x_size;
}

static void assert_optimal(const problem *p)
{
    assert_int_equal(p->s.status, QP_SOLVED);
    assert_true(fmax(p->s.primal, fmax(p->s.dual, p->s.complementarity)) <= QP_TOLERANCE);
    assert_true(violation(p, p->s.x) < 2e-9);
    assert_true(stationarity(p, p->s.x, p->s.y) < 2e-9);
    assert_true(slackness(p, p->s.x, p->s.y) < 2e-9);
    for (int j = 0; j < p->n; j++) {
        assert_true(p->s.x[j] >= p->lo[j] && p->s.x[j] <= p->hi[j]);
        if (p->active[j] != 0)
            assert_true(p->s.x[j] == (p->active[j] > 0 ? p->hi[j] : p->lo[j]));
    }
}

static void solve_many(int trials, recipe r, int max_n, int max_m)
{
    static problem p;
    for (int trial = 0; trial < trials / SHARE; trial++) {
        recipe each = r;
        each.n = 1 + below(max_n);
        each.m = below(max_m + 1);
        each.rank = r.rank < 0 ? each.n + 2 < N ? each.n + 2 : N : r.rank * each.n / 8;
        random_problem(&p, &each);
        solve(&p);
        assert_optimal(&p);
    }
}

static void random_problems_are_solved(void **unused)
{
    (void)unused;
    solve_many(20000, (recipe){.rank = -1, .free = 0.3}, 12, 24);
    solve_many(10000, (recipe){.rank = -1, .free = 0.3, .equal = 0.1}, 12, 8);
}

static void semidefinite_problems_are_solved(void **unused)
{
    (void)unused;
    solve_many(20000, (recipe){.rank = 4}, 12, 24);
    solve_many(5000, (recipe){.rank = 2, .equal = 0.2}, 12, 24);
}

static void linear_programs_are_solved(void **unused)
{
    (void)unused;
    solve_many(10000, (recipe){.rank = 0}, 12, 24);
    solve_many(5000, (recipe){.rank = 0, .whole = true, .copies = true}, 12, 24);
}

static void redundant_and_degenerate_problems_are_solved(void **unused)
{
    (void)unused;
    solve_many(10000, (recipe){.rank = 4, .copies = true, .equal = 0.1}, 12, 24);
    solve_many(10000, (recipe){.rank = -1, .whole = true, .equal = 0.1}, 12, 24);
    solve_many(10000, (recipe){.rank = 4, .whole = true, .copies = true, .equal = 0.2}, 12, 24);
}

static void badly_scaled_problems_are_solved(void **unused)
{
    (void)unused;
    solve_many(5000, (recipe){.rank = -1, .decades = 8, .free = 0.3}, 12, 24);
    solve_many(5000, (recipe){.rank = 4, .decades = 8, .copies = true}, 12, 24);
    solve_many(5000, (recipe){.rank = 0, .decades = 8}, 12, 24);
    solve_many(5000, (recipe){.rank = 4, .decades = 4, .whole = true, .equal = 0.1}, 12, 24);
}

static void large_problems_are_solved(void **unused)
{
    (void)unused;
    solve_many(200, (recipe){.rank = -1, .free = 0.3}, 64, 128);
    solve_many(200, (recipe){.rank = 4, .copies = true, .equal = 0.1}, 64, 128);
    solve_many(100, (recipe){.rank = 0, .whole = true}, 64, 128);
}

// Solves M z = b (k x k, b in the last column) in place; false if M is singular.
static bool eliminate(int k, double K[][2 * SMALL + SMALL_ROWS + 1])
{
    for (int c = 0; c < k; c++) {
        int best = c;
        for (int i = c + 1; i < k; i++)
            if (fabs(K[i][c]) > fabs(K[best][c]))
                best = i;
        if (fabs(K[best][c]) < 1e-7)
            return false;
        for (int j = 0; j <= k; j++) {
            double keep = K[c][j];
            K[c][j] = K[best][j];
            K[best][j] = keep;
        }
        for (int i = 0; i < k; i++) {
            double f = K[i][c] / K[c][c];
            for (int j = c; i != c && j <= k; j++)
                K[i][j] -= f * K[c][j];
        }
    }
    for (int c = 0; c < k; c++)
        K[c][k] /= K[c][c];
    return true;
}

// x and y for one choice of active limits (as in qp.h); false if they do not determine it.
static bool candidate(const problem *p, const int *side, double *x, double *y)
{
    double K[2 * SMALL + SMALL_ROWS][2 * SMALL + SMALL_ROWS + 1] = {0};
    int n = p->n, k = n, id[SMALL + SMALL_ROWS];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            K[i][j] = p->Q[i * n + j];
    for (int i = 0; i < n + p->m; i++) {
        if (side[i] == 0)
            continue;
        id[k - n] = i;
        for (int j = 0; j < n; j++)
            K[k][j] = K[j][k] = i < n ? i == j : p->A[(i - n) * n + j];
        k++;
    }
    for (int i = 0; i < n; i++)
        K[i][k] = -p->c[i];
    for (int i = n; i < k; i++) {
        int c = id[i - n];
        K[i][k] = c < n ? (side[c] > 0 ? p->hi[c] : p->lo[c])
                        : (side[c] > 0 ? p->bhi[c - n] : p->blo[c - n]);
        if (isinf(K[i][k]))
            return false;
    }
    if (!eliminate(k, K))
        return false;
    memset(y, 0, sizeof(double[SMALL + SMALL_ROWS]));
    for (int i = 0; i < n; i++)
        x[i] = K[i][k];
    for (int i = n; i < k; i++)
        y[id[i - n]] = K[i][k];
    return true;
}

static double objective(const problem *p, const double *x)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        sum += p->c[i] * x[i];
        for (int j = 0; j < p->n; j++)
            sum += 0.5 * x[i] * p->Q[i * p->n + j] * x[j];
    }
    return sum;
}

// All 3^(n+m) choices of active limits; true if one meets the conditions of optimality. With every
// variable bounded, one does unless the problem is infeasible.
static bool enumerate(const problem *p, double *x)
{
    int nc = p->n + p->m, choices = (int)(pow(3, nc) + 0.5);
    for (int choice = 0; choice < choices; choice++) {
        int code = choice, side[SMALL + SMALL_ROWS];
        double y[SMALL + SMALL_ROWS] = {0};
        bool right = true;
        int held = 0;
        for (int i = 0; i < nc; i++, code /= 3) {
            side[i] = code % 3 - 1;
            held += side[i] != 0;
        }
        if (held > p->n || !candidate(p, side, x, y) || violation(p, x) > 1e-9)
            continue;
        for (int i = 0; i < nc; i++) {
            bool equation = i < p->n ? p->lo[i] == p->hi[i] : p->blo[i - p->n] == p->bhi[i - p->n];
            right = right && (equation || side[i] * y[i] >= -1e-9);
        }
        if (right)
            return true;
    }
    return false;
}

static double limit_of(const problem *p, int id, int side)
{
    int i = id - p->n;
    return i < 0 ? (side > 0 ? p->hi[id] : p->lo[id]) : (side > 0 ? p->bhi[i] : p->blo[i]);
}

// The weighted gradients cancel, the weighted limits do not.
static void assert_contradiction(const problem *p)
{
    int n = p->n;
    double sum[N] = {0}, size[N] = {0}, gap = 0, gap_size = 0;
    assert_in_range(p->s.nconflict, 1, n + 1);
    for (int k = 0; k < p->s.nconflict; k++) {
        const qp_conflict *member = &p->s.conflict[k];
        double f = member->side * member->weight;
        double part = f * limit_of(p, member->id, member->side);
        assert_true(member->weight > 0);
        for (int j = 0; j < n; j++) {
            double a = member->id < n ? member->id == j : p->A[(member->id - n) * n + j];
            sum[j] += f * a;
            size[j] = fmax(size[j], fabs(f * a));
        }
        gap += part;
        gap_size = fmax(gap_size, fabs(part));
    }
    for (int j = 0; j < n; j++)
        assert_true(fabs(sum[j]) <= 1e-9 * size[j]);
    assert_true(gap < -1e-12 * gap_size);
}

// The problem of finding the smallest x under these limits alone.
static void keep_only(problem *part, const qp_conflict *member, int nmember, int left_out)
{
    int n = part->n;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            part->Q[j * n + i] = i == j ? 1 / (part->unit[j] * part->unit[j]) : 0;
        part->c[j] = 0;
    }
    problem all = *part;
    for (int i = 0; i < n + part->m; i++) {
        *(i < n ? &part->lo[i] : &part->blo[i - n]) = -INFINITY;
        *(i < n ? &part->hi[i] : &part->bhi[i - n]) = INFINITY;
    }
    for (int k = 0; k < nmember; k++) {
        int id = member[k].id, side = member[k].side;
        double *lo = id < n ? &part->lo[id] : &part->blo[id - n];
        double *hi = id < n ? &part->hi[id] : &part->bhi[id - n];
        if (k != left_out)
            *(side > 0 ? hi : lo) = limit_of(&all, id, side);
    }
    memset(part->active, 0, sizeof part->active);
}

static void assert_conflict(const problem *p)
{
    static problem part;
    qp_conflict member[N + 2];
    int nmember = p->s.nconflict;
    assert_contradiction(p);
    memcpy(member, p->s.conflict, (size_t)nmember * sizeof *member);
    for (int left_out = 0; left_out < nmember; left_out++) {
        part = *p;
        keep_only(&part, member, nmember, left_out);
        solve(&part);
        assert_optimal(&part);
    }
}

static void small_problems_agree_with_enumeration(void **unused)
{
    (void)unused;
    static problem p;
    int infeasible = 0, feasible = 0;
    for (int trial = 0; trial < 12000 / SHARE; trial++) {
        recipe r = {.n = 1 + below(SMALL), .m = below(SMALL_ROWS + 1), .whole = trial % 2 == 0};
        r.rank = below(r.n + 2);
        r.infeasible = trial % 3 == 0;
        r.equal = trial % 5 == 0 ? 0.3 : 0;
        random_problem(&p, &r);
        double best[SMALL] = {0};
        if (enumerate(&p, best)) {
            feasible++;
            solve(&p);
            assert_optimal(&p);
            assert_true(fabs(p.s.objective - objective(&p, best)) < 1e-8);
            for (int j = 0; j < p.n && r.rank > r.n && !r.whole; j++) // Q is definite: x is unique
                assert_true(fabs(p.s.x[j] - best[j]) < 1e-5);
        } else {
            infeasible++;
            assert_int_equal(solve(&p), QP_INFEASIBLE);
            assert_conflict(&p);
        }
    }
    assert_true(infeasible * 20 > feasible);
}

static void contradictions_are_proved_and_irreducible(void **unused)
{
    (void)unused;
    static problem p;
    int found = 0;
    for (int trial = 0; trial < 8000 / SHARE; trial++) {
        recipe r = {
            .n = 1 + below(10), .m = 1 + below(20), .infeasible = true, .copies = trial % 2};
        r.decades = trial % 3 == 0 ? 8 : 0;
        r.rank = trial % 4 == 0 ? 0 : r.n;
        r.whole = trial % 5 == 0;
        r.equal = trial % 7 == 0 ? 0.2 : 0;
        random_problem(&p, &r);
        if (solve(&p) == QP_INFEASIBLE) {
            found++;
            assert_conflict(&p);
        } else
            assert_optimal(&p);
    }
    assert_true(found * 4 > 8000 / SHARE);
}

static void a_limit_above_its_opposite_is_named(void **unused)
{
    (void)unused;
    static problem p;
    random_problem(&p, &(recipe){.n = 3, .m = 2, .rank = 4});
    p.blo[1] = 2;
    p.bhi[1] = 1;
    assert_int_equal(solve(&p), QP_INFEASIBLE);
    assert_int_equal(p.s.nconflict, 2);
    assert_int_equal(p.s.conflict[0].id, 4);
    assert_int_equal(p.s.conflict[1].id, 4);
    assert_int_equal(p.s.conflict[0].side + p.s.conflict[1].side, 0);
}

static void assert_ray(const problem *p)
{
    int n = p->n;
    double length = 0, slope = 0;
    for (int j = 0; j < n; j++) {
        length = fmax(length, fabs(p->s.ray[j]));
        slope += p->c[j] * p->s.ray[j];
    }
    assert_true(slope < -1e-9 * length);
    for (int i = 0; i < n; i++) {
        double second = 0;
        for (int j = 0; j < n; j++)
            second += p->Q[i * n + j] * p->s.ray[j];
        assert_true(fabs(second) < 1e-9 * length);
        assert_true(isinf(p->hi[i]) || p->s.ray[i] <= 1e-9 * length);
        assert_true(isinf(p->lo[i]) || p->s.ray[i] >= -1e-9 * length);
    }
    for (int i = 0; i < p->m; i++) {
        double rate = row_value(p, i, p->s.ray);
        assert_true(isinf(p->bhi[i]) || rate <= 1e-9 * length);
        assert_true(isinf(p->blo[i]) || rate >= -1e-9 * length);
    }
}

static void unbounded_problems_come_with_a_ray(void **unused)
{
    (void)unused;
    static problem p;
    int found = 0;
    for (int trial = 0; trial < 10000 / SHARE; trial++) {
        recipe r = {.n = 2 + below(8), .m = below(10), .free = 0.9, .whole = trial % 3 == 0};
        r.rank = below(r.n);
        random_problem(&p, &r);
        if (solve(&p) == QP_UNBOUNDED) {
            found++;
            assert_ray(&p);
        } else
            assert_optimal(&p);
    }
    assert_true(found * 10 > 10000 / SHARE);
}

static void fixed_variables_stay_where_they_are(void **unused)
{
    (void)unused;
    static problem p;
    for (int trial = 0; trial < 2000 / SHARE; trial++) {
        random_problem(&p, &(recipe){.n = 6, .m = 6, .rank = trial % 8, .equal = 0.5});
        for (int j = 0; j < p.n; j++)
            p.hi[j] = p.lo[j];
        for (int i = 0; i < p.m; i++) {
            p.blo[i] = row_value(&p, i, p.lo) - trial % 2;
            p.bhi[i] = row_value(&p, i, p.lo) + 1 - trial % 2;
        }
        solve(&p);
        assert_optimal(&p);
        assert_memory_equal(p.s.x, p.lo, (size_t)p.n * sizeof(double));
    }
}

static void a_guess_from_the_neighbour_saves_iterations_and_changes_nothing(void **unused)
{
    (void)unused;
    static problem p;
    int cold = 0, warm = 0;
    for (int trial = 0; trial < 5000 / SHARE; trial++) {
        double x[N];
        random_problem(&p, &(recipe){.n = 12, .m = 12, .rank = 14, .decades = trial % 2 * 4});
        solve(&p);
        for (int j = 0; j < p.n; j++)
            p.c[j] *= 1 + 1e-3 * uniform();
        solve(&p);
        assert_optimal(&p);
        warm += p.s.iteration;
        memcpy(x, p.s.x, sizeof(double) * (size_t)p.n);
        memset(p.active, 0, sizeof p.active);
        solve(&p);
        cold += p.s.iteration;
        for (int j = 0; j < p.n; j++)
            assert_true(fabs(p.s.x[j] - x[j]) < 1e-7 * p.unit[j]);
    }
    assert_true(warm * 20 < cold);
}

// Limits that still leave x room, and another slope.
static void change_limits(problem *p, const double *x)
{
    for (int j = 0; j < p->n; j++) {
        p->c[j] += 0.3 * uniform() / p->unit[j];
        p->lo[j] = fmin(p->lo[j] + 0.2 * uniform() * p->unit[j], x[j]);
        p->hi[j] = fmax(p->hi[j] + 0.2 * uniform() * p->unit[j], x[j]);
    }
    for (int i = 0; i < p->m; i++) {
        double at = row_value(p, i, x);
        p->blo[i] = fmin(p->blo[i] + 0.2 * uniform() * p->row_unit[i], at);
        p->bhi[i] = fmax(p->bhi[i] + 0.2 * uniform() * p->row_unit[i], at);
    }
}

static void what_is_kept_from_the_problem_before_changes_no_answer(void **unused)
{
    (void)unused;
    static problem p, fresh;
    for (int trial = 0; trial < 10000 / SHARE; trial++) {
        double x[N];
        recipe r = {.n = 1 + below(12), .m = 1 + below(24), .equal = 0.1, .copies = trial % 2};
        r.rank = trial % 3 == 0 ? r.n / 2 : r.n + 2;
        r.decades = trial % 5 == 0 ? 4 : 0;
        random_problem(&p, &r);
        solve(&p);
        memcpy(x, p.s.x, sizeof x);
        change_limits(&p, x);
        bool same_Q = trial % 2;
        if (!same_Q) // further curvature
            for (int j = 0; j < p.n; j++)
                p.Q[j * p.n + j] += 1 / (p.unit[j] * p.unit[j]);
        solve_again(&p, same_Q ? p.m : p.m - 1, same_Q);
        assert_optimal(&p);
        memcpy(x, p.s.x, sizeof x);
        fresh = p;
        memset(fresh.active, 0, sizeof fresh.active);
        solve(&fresh);
        for (int j = 0; j < p.n && r.rank > r.n && r.decades == 0; j++)
            assert_true(fabs(fresh.s.x[j] - x[j]) < 1e-7);
    }
}

static void any_guess_leads_to_the_solution(void **unused)
{
    (void)unused;
    static problem p;
    for (int trial = 0; trial < 10000 / SHARE; trial++) {
        recipe r = {.n = 1 + below(12), .m = below(24), .rank = trial % 12, .equal = 0.1};
        r.copies = trial % 2;
        random_problem(&p, &r);
        for (int i = 0; i < p.n + p.m; i++)
            p.active[i] = below(3) - 1;
        solve(&p);
        assert_optimal(&p);
    }
}

static void the_same_problem_gives_the_same_bits(void **unused)
{
    (void)unused;
    static problem p, q;
    for (int trial = 0; trial < 500 / SHARE; trial++) {
        double x[N], y[N + M];
        random_problem(&p, &(recipe){.n = 20, .m = 30, .rank = trial % 22, .equal = 0.05});
        solve(&p);
        memcpy(x, p.s.x, sizeof(double) * 20);
        memcpy(y, p.s.y, sizeof(double) * 50);
        random_problem(&q, &(recipe){.n = 9, .m = 40, .rank = 4});
        solve(&q);
        memset(p.active, 0, sizeof p.active);
        solve(&p);
        assert_memory_equal(x, p.s.x, sizeof(double) * 20);
        assert_memory_equal(y, p.s.y, sizeof(double) * 50);
    }
}

static void what_is_not_a_convex_problem_is_refused(void **unused)
{
    (void)unused;
    static problem p;
    random_problem(&p, &(recipe){.n = 3, .m = 2, .rank = 4});
    p.Q[0] = -1;
    assert_int_equal(solve(&p), QP_NOT_CONVEX);
    random_problem(&p, &(recipe){.n = 3, .m = 2, .rank = 0});
    p.Q[1] = p.Q[3] = 1;
    assert_int_equal(solve(&p), QP_NOT_CONVEX);
    random_problem(&p, &(recipe){.n = 3, .m = 2, .rank = 4});
    p.c[2] = NAN;
    assert_int_equal(solve(&p), QP_BAD_INPUT);
    random_problem(&p, &(recipe){.n = 3, .m = 2, .rank = 4});
    p.bhi[1] = NAN;
    assert_int_equal(solve(&p), QP_BAD_INPUT);
}

// Numbers near the ends of the range may defeat the solver, but must not make it claim a solution.
static void overflow_is_never_called_solved(void **unused)
{
    (void)unused;
    static problem p;
    for (int trial = 0; trial < 2000 / SHARE; trial++) {
        random_problem(&p, &(recipe){.n = 5, .m = 5, .rank = trial % 7});
        double large = pow(10, 100 + 200 * uniform());
        p.Q[0] *= large;
        p.c[1] *= large;
        p.A[below(25)] *= large * large;
        solve(&p);
        for (int j = 0; j < p.n && p.s.status == QP_SOLVED; j++)
            assert_true(over_limits(p.s.x[j], p.lo[j], p.hi[j]) == 0 && isfinite(p.s.y[j]));
    }
}

static void nothing_to_decide_is_solved(void **unused)
{
    (void)unused;
    static problem p;
    p.n = p.m = 0;
    assert_int_equal(solve(&p), QP_SOLVED);
    random_problem(&p, &(recipe){.n = 2, .m = 1, .rank = 3});
    p.A[0] = p.A[1] = 0; // a row that says nothing
    p.blo[0] = -1;
    p.bhi[0] = 1;
    solve(&p);
    assert_optimal(&p);
    p.blo[0] = 0.5;
    assert_int_equal(solve(&p), QP_INFEASIBLE);
    assert_int_equal(p.s.nconflict, 1);
    assert_int_equal(p.s.conflict[0].id, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved),
        cmocka_unit_test(semidefinite_problems_are_solved),
        cmocka_unit_test(linear_programs_are_solved),
        cmocka_unit_test(redundant_and_degenerate_problems_are_solved),
        cmocka_unit_test(badly_scaled_problems_are_solved),
        cmocka_unit_test(large_problems_are_solved),
        cmocka_unit_test(small_problems_agree_with_enumeration),
        cmocka_unit_test(contradictions_are_proved_and_irreducible),
        cmocka_unit_test(a_limit_above_its_opposite_is_named),
        cmocka_unit_test(unbounded_problems_come_with_a_ray),
        cmocka_unit_test(fixed_variables_stay_where_they_are),
        cmocka_unit_test(a_guess_from_the_neighbour_saves_iterations_and_changes_nothing),
        cmocka_unit_test(what_is_kept_from_the_problem_before_changes_no_answer),
        cmocka_unit_test(any_guess_leads_to_the_solution),
        cmocka_unit_test(the_same_problem_gives_the_same_bits),
        cmocka_unit_test(what_is_not_a_convex_problem_is_refused),
        cmocka_unit_test(nothing_to_decide_is_solved),
        cmocka_unit_test(overflow_is_never_called_solved),
    };
    work = qp_create(&memory, N, M);
    int failed = work ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    arena_free(&memory);
    return failed;
}
