#include "lithe/landscape.h"

#include "base/memory.h"
#include "control/tolerances.h"
#include "solve/box.h"
#include "solve/qpcc.h"
#include "step/inverse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    PATH = LITHE_LANDSCAPE_PATH,
    MINIMA = 16, // local minima that are told, at most
};

// What is found, while it is looked for.
typedef struct finder {
    lithe_landscape out;
    arena memory;
    bool seen, filled;
    double *cost;
    int *set_at;
    double path[PATH][2], minimum[MINIMA][2], least[MINIMA];
} finder;

// One linear problem, with room to solve its contacts at any efforts.
typedef struct field {
    const qpcc_problem *p;
    box_work *box;
    double *q, *lo, *hi, *lambda; // (ncontact)
    unsigned long long *set;      // active sets that appeared (npiece)
} field;

static bool field_create(field *f, const qpcc_problem *p, int points, arena *memory)
{
    size_t n = (size_t)p->ncontact;
    *f = (field){.p = p, .box = box_create(memory, p->ncontact)};
    f->q = arena_new(memory, n, double);
    f->lo = arena_new(memory, n, double);
    f->hi = arena_new(memory, n, double);
    f->lambda = arena_new(memory, n, double);
    f->set = arena_new(memory, (size_t)points * (size_t)points, unsigned long long);
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

static int number_of(field *f, finder *l, unsigned long long set)
{
    for (int k = 0; k < l->out.npiece; k++)
        if (f->set[k] == set)
            return k;
    f->set[l->out.npiece] = set;
    return l->out.npiece++;
}

static double effort_at(const finder *l, int axis, int k)
{
    return l->out.low[axis] + (l->out.high[axis] - l->out.low[axis]) * k / (l->out.points - 1);
}

static void fill_grid(field *f, finder *l)
{
    int rows = l->out.n == 2 ? l->out.points : 1;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < l->out.points; i++) {
            double x[2] = {effort_at(l, 0, i) - l->out.effort[0],
                           effort_at(l, 1, j) - l->out.effort[1]};
            int at = j * l->out.points + i;
            l->set_at[at] = number_of(f, l, solve_contacts(f, x));
            l->cost[at] = cost_of(f, x);
        }
}

static bool is_least(const finder *l, int i, int j)
{
    int rows = l->out.n == 2 ? l->out.points : 1;
    double own = l->cost[j * l->out.points + i];
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++) {
            int x = i + a, y = j + b;
            bool inside = x >= 0 && x < l->out.points && y >= 0 && y < rows;
            if ((a || b) && inside && l->cost[y * l->out.points + x] <= own)
                return false;
        }
    return true;
}

static void visit(void *visitor, const double *x, const bool *active)
{
    finder *l = visitor;
    (void)active;
    assert(l->out.n <= 2);
    if (l->out.npath == PATH)
        return;
    for (int i = 0; i < l->out.n; i++)
        l->path[l->out.npath][i] = l->out.effort[i] + x[i];
    l->out.npath++;
}

static qpcc_work *work_for(const qpcc_problem *p, arena *memory)
{
    qpcc_size size = {p->n, p->nlimit, p->ncontact, p->nlevel, 0, p->global};
    for (int k = 0; k < p->nlevel; k++)
        size.nrow += p->level[k].nrow;
    return qpcc_create(memory, size);
}

static void solve(finder *l, const qpcc_problem *p, qpcc_work *work)
{
    const double none[2] = {0};
    qpcc_problem own = *p;
    qpcc_solution found;
    own.visit = visit;
    own.visitor = l;
    visit(l, none, NULL);
    l->out.solved = qpcc_solve(work, &own, &found) == QPCC_SOLVED;
    l->out.proof = qpcc_proof_text(found.proof);
    if (l->out.solved)
        visit(l, found.x, NULL);
}

static bool is_known(const finder *l, const double at[2])
{
    assert(l->out.n <= 2);
    for (int k = 0; k < l->out.nminimum; k++) {
        bool same = true;
        for (int i = 0; i < l->out.n; i++)
            same = same && fabs(at[i] - l->minimum[k][i]) <
                               LANDSCAPE_SAME * (l->out.high[i] - l->out.low[i]);
        if (same)
            return true;
    }
    return false;
}

// The best one stands first.
static void add_minimum(finder *l, const double at[2], double cost)
{
    int k = l->out.nminimum++;
    for (; k > 0 && l->least[k - 1] > cost; k--) {
        l->least[k] = l->least[k - 1];
        memcpy(l->minimum[k], l->minimum[k - 1], sizeof l->minimum[k]);
    }
    l->least[k] = cost;
    memcpy(l->minimum[k], at, sizeof l->minimum[k]);
}

// The solver goes on from every point of the grid that is lower than its neighbours: where the
// target can be reached in many ways those are many, and their end is one.
static void find_minima(finder *l, const qpcc_problem *p, qpcc_work *work)
{
    int rows = l->out.n == 2 ? l->out.points : 1;
    qpcc_problem own = *p;
    qpcc_solution found;
    own.global = false;
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < l->out.points; i++) {
            double x[2] = {effort_at(l, 0, i) - l->out.effort[0],
                           effort_at(l, 1, j) - l->out.effort[1]};
            if (!is_least(l, i, j) || l->out.nminimum == MINIMA)
                continue;
            own.start = x;
            own.lambda_start = NULL;
            if (qpcc_solve(work, &own, &found) != QPCC_SOLVED)
                continue;
            double at[2] = {l->out.effort[0] + found.x[0],
                            l->out.n == 2 ? l->out.effort[1] + found.x[1] : 0};
            if (!is_known(l, at))
                add_minimum(l, at, found.cost[0]);
        }
}

// Limits where they are finite; else twice what the solver's way needs.
static void choose_range(finder *l, const qpcc_problem *p)
{
    for (int i = 0; i < l->out.n; i++) {
        double most = LANDSCAPE_LEAST_RANGE;
        for (int k = 0; k < l->out.npath; k++)
            most = fmax(most, fabs(l->path[k][i]));
        l->out.low[i] = isfinite(p->lo[i]) ? l->out.effort[i] + p->lo[i] : -2 * most;
        l->out.high[i] = isfinite(p->hi[i]) ? l->out.effort[i] + p->hi[i] : 2 * most;
    }
}

static bool fill(finder *l, const qpcc_problem *p)
{
    field f;
    size_t points = (size_t)l->out.points * (size_t)l->out.points;
    l->cost = arena_new(&l->memory, points, double);
    l->set_at = arena_new(&l->memory, points, int);
    qpcc_work *work = work_for(p, &l->memory);
    if (!l->cost || !l->set_at || !work || !field_create(&f, p, l->out.points, &l->memory))
        return false;
    solve(l, p, work);
    choose_range(l, p);
    fill_grid(&f, l);
    find_minima(l, p, work);
    return true;
}

static void see(void *observer, const qpcc_problem *p)
{
    finder *l = observer;
    if (l->seen)
        return;
    l->seen = true;
    l->filled = fill(l, p);
}

static lithe_status check(const lithe_model *m, lithe_state *s, int points)
{
    if (m->nact < 1 || m->nact > 2)
        return LITHE_FAIL(
            &s->report, LITHE_INVALID,
            "there are %d efforts to find, and a landscape is over one or two; remove "
            "actuators",
            m->nact);
    if (points < 2 || points > LITHE_LANDSCAPE_POINTS)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "a grid has 2 to %d points along an axis",
                          LITHE_LANDSCAPE_POINTS);
    if (!s->task.inverse)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "there is no target; give effectors or sensors some first");
    return LITHE_OK;
}

// The first problem with contacts that a step meets; where that leads is not asked.
static lithe_status look(const lithe_model *m, lithe_state *s, finder *l)
{
    l->out.n = m->nact;
    for (int a = 0; a < m->nactuator; a++)
        lithe_effort(m, s, a, &l->out.effort[m->actuator[a].group.adr]);
    state_observe(s, see, l);
    lithe_step(m, s);
    state_observe(s, NULL, NULL);
    if (!l->seen)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "nothing is near enough to touch, so the cost is one parabola; raise "
                          "contacts.detection_distance, or start nearer");
    return l->filled ? LITHE_OK : report_no_memory(&s->report, "the landscape");
}

static void show(finder *l)
{
    l->out.cost = l->cost;
    l->out.piece = l->set_at;
    l->out.path = (const double(*)[2])l->path;
    l->out.minimum = (const double(*)[2])l->minimum;
    l->out.least = l->least;
}

lithe_status lithe_landscape_create(const lithe_model *m, lithe_state *s, int points,
                                    lithe_landscape **landscape)
{
    *landscape = NULL;
    LITHE_TRY(check(m, s, points));
    finder *l = memory_alloc(sizeof *l);
    if (!l)
        return report_no_memory(&s->report, "the landscape");
    memset(l, 0, sizeof *l);
    l->out.points = points;
    lithe_status status = look(m, s, l);
    show(l);
    if (status == LITHE_OK)
        *landscape = &l->out;
    else
        lithe_landscape_free(&l->out);
    return status;
}

void lithe_landscape_free(lithe_landscape *landscape)
{
    finder *l = (finder *)landscape; // its first member
    if (!l)
        return;
    arena_free(&l->memory);
    memory_free(l);
}
