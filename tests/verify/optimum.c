// Case 22: residuals of the small optimizers, computed anew from problem and answer. Rows and
// columns of the problems are of size 1, so that a residual is its own scale.
#include "verify.h"

#include "solve/box.h"
#include "solve/qp.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { N = 8, M = 8, TRIALS = 20000 };

typedef struct problem {
    int n, m;
    double Q[N * N], c[N], lo[N], hi[N], A[M * N], blo[M], bhi[M];
} problem;

typedef struct residuals {
    double primal, dual, complementarity;
    int unsolved;
} residuals;

static double uniform(void)
{
    static uint64_t seed = 22;
    seed = seed * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(seed >> 11) / 9007199254740992.0 * 2 - 1;
}

// Q = B'B of any rank up to n, bounds around 0, rows that 0 meets.
static void draw(problem *p)
{
    double B[N * N];
    int rank = 1 + (int)(0.5 * (uniform() + 1) * N);
    p->n = 1 + (int)(0.5 * (uniform() + 1) * (N - 1));
    p->m = (int)(0.5 * (uniform() + 1) * M);
    for (int i = 0; i < rank * p->n; i++)
        B[i] = uniform();
    memset(p->Q, 0, sizeof p->Q);
    for (int i = 0; i < p->n; i++) {
        p->c[i] = uniform();
        p->lo[i] = uniform() > 0.3 ? 0 : -1;
        p->hi[i] = 1 + uniform();
        for (int j = 0; j < p->n; j++)
            for (int k = 0; k < rank; k++)
                p->Q[i * p->n + j] += B[k * p->n + i] * B[k * p->n + j];
    }
    for (int i = 0; i < p->m; i++) {
        for (int j = 0; j < p->n; j++)
            p->A[i * p->n + j] = uniform();
        p->blo[i] = uniform() > 0 ? 0 : -0.5;
        p->bhi[i] = uniform() > 0.7 ? p->blo[i] : 0.5;
        p->bhi[i] = fmax(p->bhi[i], 0);
        p->blo[i] = p->bhi[i] == 0 ? 0 : p->blo[i];
    }
}

static double slope(const problem *p, const double *x, const double *y, int i)
{
    double sum = p->c[i] + y[i];
    for (int j = 0; j < p->n; j++)
        sum += p->Q[i * p->n + j] * x[j];
    for (int k = 0; k < p->m; k++)
        sum += p->A[k * p->n + i] * y[p->n + k];
    return sum;
}

static void judge_limit(double value, double lo, double hi, double y, residuals *worst)
{
    worst->primal = fmax(worst->primal, fmax(lo - value, value - hi));
    double away = y > 0 ? hi - value : value - lo;
    worst->complementarity = fmax(worst->complementarity, fabs(y * away));
}

static void judge(const problem *p, const double *x, const double *y, residuals *worst)
{
    for (int i = 0; i < p->n; i++) {
        worst->dual = fmax(worst->dual, fabs(slope(p, x, y, i)));
        judge_limit(x[i], p->lo[i], p->hi[i], y[i], worst);
    }
    for (int k = 0; k < p->m; k++) {
        double value = 0;
        for (int j = 0; j < p->n; j++)
            value += p->A[k * p->n + j] * x[j];
        judge_limit(value, p->blo[k], p->bhi[k], y[p->n + k], worst);
    }
}

static residuals solve_qps(qp_work *work)
{
    residuals worst = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        problem p;
        int active[N + M] = {0};
        qp_solution s;
        draw(&p);
        qp_problem q = {.n = p.n,
                        .m = p.m,
                        .Q = p.Q,
                        .c = p.c,
                        .lo = p.lo,
                        .hi = p.hi,
                        .A = p.A,
                        .blo = p.blo,
                        .bhi = p.bhi};
        if (qp_solve(work, &q, active, &s) == QP_SOLVED)
            judge(&p, s.x, s.y, &worst);
        else
            worst.unsolved++;
    }
    return worst;
}

// The conditions of a box problem, as those of a QP without rows: y = -(Q x + c).
static residuals solve_boxes(box_work *work)
{
    residuals worst = {0};
    for (int trial = 0; trial < TRIALS; trial++) {
        problem p;
        double x[N] = {0}, y[N];
        draw(&p);
        p.m = 0;
        worst.unsolved += !box_solve(work, p.n, p.Q, p.c, p.lo, p.hi, x).solved;
        memset(y, 0, sizeof y);
        for (int i = 0; i < p.n; i++)
            y[i] = -slope(&p, x, (double[N]){0}, i);
        judge(&p, x, y, &worst);
    }
    return worst;
}

static void show(verify_table *table, residuals worst)
{
    verify_gate(table, "primal residual", worst.primal, 0, 1e-9);
    verify_gate(table, "dual residual", worst.dual, 0, 1e-9);
    verify_gate(table, "complementarity", worst.complementarity, 0, 1e-9);
    verify_gate(table, "not solved", worst.unsolved, 0, 1e-9);
}

void verify_optimizers(verify_table *table)
{
    arena memory = {0};
    qp_work *work = qp_create(&memory, N, M);
    box_work *box = box_create(&memory, N);
    verify_case(table, 22, "optimizers");
    if (!work || !box) {
        verify_broken(table, "no memory");
        return;
    }
    verify_mesh(table, "QP, %d problems", TRIALS);
    show(table, solve_qps(work));
    verify_mesh(table, "box, %d problems", TRIALS);
    show(table, solve_boxes(box));
    verify_note(table,
                "Random problems of up to 8 unknowns and 8 rows, Q of any rank, equations and "
                "degenerate corners among them. Infeasible ones, certificates and badly "
                "scaled ones are in tests/solve, with contact problems: LCP, friction, QPCC.");
    arena_free(&memory);
}
