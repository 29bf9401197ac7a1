#include "app/landscape.h"

#include "solve/box.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// One linear problem, with room to solve its contacts at any efforts.
typedef struct field {
    const qpcc_problem *p;
    box_work *box;
    double *q, *lo, *hi, *lambda; // (ncontact)
    unsigned long long *set;      // active sets that appeared (npiece)
} field;

static bool field_create(field *f, const qpcc_problem *p, arena *memory)
{
    size_t n = (size_t)p->ncontact;
    *f = (field){.p = p, .box = box_create(memory, p->ncontact)};
    f->q = arena_new(memory, n, double);
    f->lo = arena_new(memory, n, double);
    f->hi = arena_new(memory, n, double);
    f->lambda = arena_new(memory, n, double);
    f->set = arena_new(memory, (size_t)LANDSCAPE_POINTS * LANDSCAPE_POINTS, unsigned long long);
    bool good = f->box && f->q && f->lo && f->hi && f->lambda && f->set;
    for (size_t c = 0; good && c < n; c++)
        f->hi[c] = INFINITY;
    return good;
}

// Contacts at the increment x of the efforts, and which of them push.
static unsigned long long solve_contacts(field *f, const double *x)
{
    const qpcc_problem *p = f->p;
    unsigned long long set = 0;
    assert(p->n <= 2);
    for (int c = 0; c < p->ncontact; c++) {
        f->q[c] = p->gap[c];
        for (int i = 0; i < p->n; i++)
            f->q[c] += p->W_ca[c * p->n + i] * x[i];
    }
    box_solve(f->box, p->ncontact, p->W_cc, f->q, f->lo, f->hi, f->lambda);
    for (int c = 0; c < p->ncontact; c++)
        if (f->lambda[c] > 0)
            set ^= 1ull << (c % 64);
    return set;
}

static double cost_of(const field *f, const double *x)
{
    const qpcc_problem *p = f->p;
    const qpcc_level *level = &p->level[0];
    double sum = 0;
    assert(p->n <= 2);
    for (int i = 0; i < level->nrow; i++) {
        double r = level->e[i];
        for (int k = 0; k < p->n; k++)
            r += level->J[i * p->n + k] * x[k];
        for (int c = 0; c < p->ncontact; c++)
            r += level->Jc[i * p->ncontact + c] * f->lambda[c];
        sum += 0.5 * (level->weight ? level->weight[i] : 1) * r * r;
    }
    return sum;
}

static int number_of(field *f, landscape *l, unsigned long long set)
{
    for (int k = 0; k < l->npiece; k++)
        if (f->set[k] == set)
            return k;
    f->set[l->npiece] = set;
    return l->npiece++;
}

static double effort_at(const landscape *l, int axis, int k)
{
    return l->low[axis] + (l->high[axis] - l->low[axis]) * k / LANDSCAPE_CELLS;
}

static void fill_grid(field *f, landscape *l)
{
    int rows = l->n == 2 ? LANDSCAPE_POINTS : 1;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < LANDSCAPE_POINTS; i++) {
            double x[2] = {effort_at(l, 0, i) - l->effort[0], effort_at(l, 1, j) - l->effort[1]};
            int at = j * LANDSCAPE_POINTS + i;
            l->piece[at] = number_of(f, l, solve_contacts(f, x));
            l->cost[at] = cost_of(f, x);
        }
}

static bool is_least(const landscape *l, int i, int j)
{
    int rows = l->n == 2 ? LANDSCAPE_POINTS : 1;
    double own = l->cost[j * LANDSCAPE_POINTS + i];
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            int x = i + a, y = j + b;
            bool inside = x >= 0 && x < LANDSCAPE_POINTS && y >= 0 && y < rows;
            if ((a || b) && inside && l->cost[y * LANDSCAPE_POINTS + x] <= own)
                return false;
        }
    return true;
}

static void visit(void *visitor, const double *x, const bool *active)
{
    landscape *l = visitor;
    (void)active;
    assert(l->n <= 2);
    if (l->npath == LANDSCAPE_PATH)
        return;
    for (int i = 0; i < l->n; i++)
        l->path[l->npath][i] = l->effort[i] + x[i];
    l->npath++;
}

static qpcc_work *work_for(const qpcc_problem *p, arena *memory)
{
    qpcc_size size = {p->n, p->nlimit, p->ncontact, p->nlevel, 0, p->global};
    for (int k = 0; k < p->nlevel; k++)
        size.nrow += p->level[k].nrow;
    return qpcc_create(memory, size);
}

static void solve(landscape *l, const qpcc_problem *p, qpcc_work *work)
{
    const double none[2] = {0};
    qpcc_problem own = *p;
    qpcc_solution found;
    own.visit = visit;
    own.visitor = l;
    visit(l, none, NULL);
    l->solved = qpcc_solve(work, &own, &found) == QPCC_SOLVED;
    l->proof = found.proof;
    if (l->solved)
        visit(l, found.x, NULL);
}

static bool is_known(const landscape *l, const double at[2])
{
    assert(l->n <= 2);
    for (int k = 0; k < l->nminimum; k++) {
        bool same = true;
        for (int i = 0; i < l->n; i++)
            same = same && fabs(at[i] - l->minimum[k][i]) < 1e-3 * (l->high[i] - l->low[i]);
        if (same)
            return true;
    }
    return false;
}

// The best one stands first.
static void add_minimum(landscape *l, const double at[2], double cost)
{
    int k = l->nminimum++;
    for (; k > 0 && l->least[k - 1] > cost; k--) {
        l->least[k] = l->least[k - 1];
        memcpy(l->minimum[k], l->minimum[k - 1], sizeof l->minimum[k]);
    }
    l->least[k] = cost;
    memcpy(l->minimum[k], at, sizeof l->minimum[k]);
}

// The solver goes on from every point of the grid that is lower than its neighbours: where the
// target can be reached in many ways those are many, and their end is one.
static void find_minima(landscape *l, const qpcc_problem *p, qpcc_work *work)
{
    int rows = l->n == 2 ? LANDSCAPE_POINTS : 1;
    qpcc_problem own = *p;
    qpcc_solution found;
    own.global = false;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < LANDSCAPE_POINTS; i++) {
            double x[2] = {effort_at(l, 0, i) - l->effort[0], effort_at(l, 1, j) - l->effort[1]};
            if (!is_least(l, i, j) || l->nminimum == LANDSCAPE_MINIMA)
                continue;
            own.start = x;
            own.lambda_start = NULL;
            if (qpcc_solve(work, &own, &found) != QPCC_SOLVED)
                continue;
            double at[2] = {l->effort[0] + found.x[0], l->n == 2 ? l->effort[1] + found.x[1] : 0};
            if (!is_known(l, at))
                add_minimum(l, at, found.cost[0]);
        }
}

// Limits where they are finite; else twice what the solver's way needs.
static void choose_range(landscape *l, const qpcc_problem *p)
{
    for (int i = 0; i < l->n; i++) {
        double most = 1e-12;
        for (int k = 0; k < l->npath; k++)
            most = fmax(most, fabs(l->path[k][i]));
        l->low[i] = isfinite(p->lo[i]) ? l->effort[i] + p->lo[i] : -2 * most;
        l->high[i] = isfinite(p->hi[i]) ? l->effort[i] + p->hi[i] : 2 * most;
    }
}

bool landscape_fill(landscape *l, const qpcc_problem *p, arena *memory)
{
    field f;
    size_t points = (size_t)LANDSCAPE_POINTS * LANDSCAPE_POINTS;
    l->cost = arena_new(memory, points, double);
    l->piece = arena_new(memory, points, int);
    qpcc_work *work = work_for(p, memory);
    if (!l->cost || !l->piece || !work || !field_create(&f, p, memory))
        return false;
    solve(l, p, work);
    choose_range(l, p);
    fill_grid(&f, l);
    find_minima(l, p, work);
    return true;
}
