// The way of the inverse through regions of efforts in which different contacts push
// [coevoet2019, figure 4.8], judged by contact forces that are found by relaxation.
#include "base/arena.h"
#include "experiments.h"
#include "rig.h"
#include "solve/qpcc.h"
#include "step/inverse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_VISITS = 256, MOST_CONTACTS = 512, GRID = 41 };

typedef struct visit {
    double x[2];
    bool active[MOST_CONTACTS];
    double cost; // by relaxation
} visit;

typedef struct way {
    bool seen, solved;
    int n, ncontact, regions;
    visit at[MOST_VISITS];
    qpcc_proof proof;
    double end[2], cost, least, rise; // least: on a grid over all efforts; rise: largest on the way
    double lowest[2];                 // efforts of the least
    int grid;                         // points of it along each axis
    double effort[2];                 // where the robot is
    arena memory;
} way;

// Forces at an increment x of the efforts, from those of a guess: Gauss-Seidel on
// 0 <= lambda, 0 <= W_cc lambda + W_ca x + gap.
static void relax(const qpcc_problem *p, const double *x, double *lambda)
{
    enum { SWEEPS = 20000 };
    double moved = INFINITY, largest = 1e-300;
    for (int k = 0; k < SWEEPS && moved > 1e-13 * largest; k++) {
        moved = 0;
        for (int c = 0; c < p->ncontact; c++) {
            const double *line = &p->W_cc[(size_t)c * (size_t)p->ncontact];
            double gap = p->gap[c] + p->W_ca[2 * c] * x[0] + p->W_ca[2 * c + 1] * x[1];
            for (int i = 0; i < p->ncontact; i++)
                gap += line[i] * lambda[i];
            double old = lambda[c];
            lambda[c] = line[c] > 0 ? fmax(0, old - gap / line[c]) : 0;
            moved = fmax(moved, fabs(lambda[c] - old));
            largest = fmax(largest, lambda[c]);
        }
    }
}

static double cost_of(const qpcc_problem *p, const double *x, double *lambda)
{
    const qpcc_level *level = &p->level[0];
    double sum = 0;
    relax(p, x, lambda);
    for (int i = 0; i < level->nrow; i++) {
        double r = level->e[i] + level->J[2 * i] * x[0] + level->J[2 * i + 1] * x[1];
        for (int c = 0; c < p->ncontact; c++)
            r += level->Jc[i * p->ncontact + c] * lambda[c];
        sum += 0.5 * (level->weight ? level->weight[i] : 1) * r * r;
    }
    return sum;
}

static void note_visit(void *visitor, const double *x, const bool *active)
{
    way *w = visitor;
    if (w->n == MOST_VISITS)
        return;
    visit *v = &w->at[w->n++];
    memcpy(v->x, x, sizeof v->x);
    memcpy(v->active, active, (size_t)w->ncontact * sizeof *active);
}

// Regions that come after each other on the way, and how the cost goes along it.
static void judge_way(way *w, const qpcc_problem *p, double *lambda)
{
    for (int k = 0; k < w->n; k++) {
        visit *v = &w->at[k];
        size_t size = (size_t)w->ncontact * sizeof *v->active;
        w->regions += k == 0 || memcmp(v->active, v[-1].active, size) != 0;
        v->cost = cost_of(p, v->x, lambda);
        if (k > 0)
            w->rise = fmax(w->rise, v->cost - v[-1].cost);
    }
    w->cost = cost_of(p, w->end, lambda);
}

static void search_grid(way *w, const qpcc_problem *p, double *lambda)
{
    w->least = INFINITY;
    for (int j = 0; j < w->grid; j++)
        for (int k = 0; k < w->grid; k++) {
            int i = j % 2 ? w->grid - 1 - k : k; // to and fro: the last forces are a good guess
            double share[2] = {i / (w->grid - 1.0), j / (w->grid - 1.0)}, x[2];
            for (int a = 0; a < 2; a++)
                x[a] = p->lo[a] + share[a] * (p->hi[a] - p->lo[a]);
            double cost = cost_of(p, x, lambda);
            if (cost < w->least) {
                w->least = cost;
                memcpy(w->lowest, x, sizeof x);
            }
        }
}

// The first linear problem with contacts that the inverse meets.
static void see(void *observer, const qpcc_problem *p)
{
    way *w = observer;
    if (w->seen || p->n != 2 || p->ncontact > MOST_CONTACTS)
        return;
    w->seen = true;
    w->ncontact = p->ncontact;
    qpcc_size size = {p->n, p->nlimit, p->ncontact, p->nlevel, 0, false};
    for (int k = 0; k < p->nlevel; k++)
        size.nrow += p->level[k].nrow;
    qpcc_work *work = qpcc_create(&w->memory, size);
    double *lambda = arena_new(&w->memory, p->ncontact, double);
    qpcc_problem own = *p;
    qpcc_solution found;
    own.global = false;
    own.visit = note_visit;
    own.visitor = w;
    w->solved = work && lambda && qpcc_solve(work, &own, &found) == QPCC_SOLVED;
    if (!w->solved)
        return;
    w->proof = found.proof;
    memcpy(w->end, found.x, sizeof w->end);
    judge_way(w, p, lambda);
    search_grid(w, p, lambda);
}

static bool go(table *t, const char *set, way *w)
{
    rig r;
    double target[2] = {197.42e-3, 7.55e-3};
    if (!rig_open(&r, t, "tests/experiments/regions.yaml", set, (const char *)NULL))
        return false;
    bool good = rig_step(&r);
    rig_efforts(&r, w->effort);
    if (good && rig_aim_effector(&r, "tip", target)) {
        state_observe(r.state, see, w);
        lithe_step(r.model, r.state); // where it leads is not asked
    }
    rig_close(&r);
    if (!w->solved)
        table_broken(t, "no linear problem with contacts was solved");
    return w->solved;
}

// Where the robot itself comes to rest, as far as it finds.
static void settle(table *t, const char *search)
{
    rig r;
    double target[2] = {197.42e-3, 7.55e-3}, tip[2], effort[2];
    if (!rig_open(&r, t, "tests/experiments/regions.yaml", text("contacts.search=%s", search),
                  (const char *)NULL))
        return;
    if (rig_step(&r) && rig_aim_effector(&r, "tip", target)) {
        bool good = lithe_step(r.model, r.state) == LITHE_OK;
        rig_measure(&r, "tip", tip);
        rig_efforts(&r, effort);
        table_add(t, (finding){.quantity = text("the robot itself, search: %s", search),
                               .ours = text("upper %.2f N, lower %.2f N; tip off by %.2f mm",
                                            effort[0], effort[1],
                                            1e3 * hypot(tip[0] - target[0], tip[1] - target[1])),
                               .error = !good,
                               .gate = 0,
                               .unit = "failed"});
    }
    rig_close(&r);
}

static void tell(table *t, const way *w)
{
    table_add(t, (finding){.quantity = "regions on the way, from no effort on",
                           .paper = "7",
                           .expected = "at least 7",
                           .ours = text("%d, of %d contacts", w->regions, w->ncontact),
                           .error = w->regions < 7 ? 7 - w->regions : 0,
                           .gate = 0,
                           .unit = "missing"});
    table_add(t, (finding){.quantity = "largest rise of the cost from region to region",
                           .ours = text("%d points", w->n),
                           .error = 100 * w->rise / w->cost,
                           .gate = 1e-6,
                           .unit = "%"});
    if (table_quick(t)) // which way it takes may differ by roundoff
        return;
    table_add(t,
              (finding){.quantity = "its end against the least of a grid over all efforts",
                        .paper = "the global minimum",
                        .expected = text("upper %.1f N, lower %.1f N", w->effort[0] + w->lowest[0],
                                         w->effort[1] + w->lowest[1]),
                        .ours = text("upper %.2f N, lower %.2f N", w->effort[0] + w->end[0],
                                     w->effort[1] + w->end[1]),
                        .error = 100 * fmax(0, w->cost / w->least - 1),
                        .gate = 1e-6,
                        .unit = "%"});
}

// The same with one post a tenth of a millimetre farther along.
static void tell_other(table *t)
{
    static way w;
    w = (way){.grid = GRID};
    if (go(t,
           "obstacles.first.cylinder={from: [56.9, -20, 15.01], to: [56.9, 20, 15.01], radius: 5}",
           &w))
        table_add(t, (finding){.quantity = "the first post 0.1 mm farther: another pivot",
                               .paper = "a local minimum",
                               .ours = text("%d regions; upper %.2f N, lower %.2f N", w.regions,
                                            w.effort[0] + w.end[0], w.effort[1] + w.end[1]),
                               .error = 100 * (w.cost / w.least - 1),
                               .gate = NAN,
                               .unit = "%"});
    arena_free(&w.memory);
}

void experiment_regions(table *t)
{
    static way w;
    w = (way){.grid = table_quick(t) ? 0 : GRID};
    table_experiment(t, 'G', "regions");
    table_note(t, "coevoet2019, figure 4.8: the beam of p with other posts "
                  "(tests/experiments/regions.yaml). Contact forces and costs at the points of the "
                  "way and on a grid of 41 x 41 efforts are found by relaxation. With the first "
                  "post 0.1 mm farther from the base another contact is pivoted first, and the way "
                  "ends in the other minimum, as the thesis notes of its own way. These are linear "
                  "problems at rest; the robot itself finds the worse minimum unless it searches "
                  "globally.");
    if (go(t, (const char *)NULL, &w))
        tell(t, &w);
    arena_free(&w.memory);
    if (table_quick(t))
        return;
    tell_other(t);
    settle(t, "local");
    settle(t, "global");
    table_note(t, "![regions of efforts and the way through them](pictures/regions.svg)");
}
