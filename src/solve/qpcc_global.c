// Branch and bound. A node has decided for some contacts whether they are active (no gap) or not
// (no force); for the others both force and gap are merely not negative. That is a convex problem,
// and no point of the node is better than its minimum, level by level. If it is no better than the
// best point known, the node is done; if it obeys Signorini's law, it is the node's best; else the
// contact that breaks the law most is decided, one node for each way.
#include "solve/qpcc_work.h"

#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

enum { OPEN = 0, ACTIVE = 1, IDLE = -1 };

bool qpcc_global_create(arena *a, qpcc_work *w)
{
    qpcc_size s = w->max;
    int rows = s.nrow > s.nlimit ? s.nrow : s.nlimit, nvar = s.n + s.nlimit + s.ncontact;
    int limits = s.nlimit + s.ncontact;
    size_t nv = (size_t)nvar + 1, nl = (size_t)limits + 1;
    w->open = hierarchy_create(a, nvar, limits, s.nlevel > 1 ? s.nlevel : 1, rows);
    w->branch = arena_new(a, ((size_t)s.ncontact + 2) * ((size_t)s.ncontact + 1), signed char);
    w->open_bound = arena_new(a, (size_t)s.ncontact + 2, double);
    w->open_level = arena_new(a, (size_t)s.nlevel + 1, hierarchy_level);
    w->open_J = arena_new(a, ((size_t)rows + 1) * nv, double);
    w->open_A = arena_new(a, nl * nv, double);
    w->open_R = arena_new(a, nv * nv, double);
    w->open_x0 = arena_new(a, nv, double);
    w->open_lo = arena_new(a, nv, double);
    w->open_hi = arena_new(a, nv, double);
    w->open_blo = arena_new(a, nl, double);
    w->open_bhi = arena_new(a, nl, double);
    w->open_cost = arena_new(a, (size_t)s.nlevel + 1, double);
    return w->open && w->branch && w->open_bound && w->open_level && w->open_J && w->open_A &&
           w->open_R && w->open_x0 && w->open_lo && w->open_hi && w->open_blo && w->open_bhi &&
           w->open_cost;
}

typedef struct relaxation {
    int nvar, nx; // efforts and what limits give come first, then forces
    int stride;   // = nvar
    double unit;  // scaled force = unit times the variable: as large as an effort's unit
} relaxation;

static void spread_row(const qpcc_work *w, const relaxation *r, double *row, const double *of_x,
                       const double *of_force, const double *scale)
{
    memset(row, 0, (size_t)r->nvar * sizeof *row);
    if (of_x)
        memcpy(row, of_x, (size_t)w->p->n * sizeof *row);
    for (int c = 0; c < w->p->ncontact && of_force; c++)
        row[r->nx + c] = of_force[c] * (scale ? scale[c] : 1) * r->unit;
}

static void open_levels(qpcc_work *w, const relaxation *r)
{
    const qpcc_problem *p = w->p;
    double *J = w->open_J;
    if (w->elastic) {
        for (int i = 0; i < p->nlimit; i++) {
            spread_row(w, r, J + i * r->nvar, NULL, NULL, NULL);
            J[i * r->nvar + p->n + i] = 1 / w->give[i];
            w->e[i] = 0;
        }
        w->open_level[0] = (hierarchy_level){p->nlimit, J, w->e, NULL};
        return;
    }
    for (int k = 0; k < p->nlevel; k++) {
        const qpcc_level *l = &p->level[k];
        w->open_level[k] = (hierarchy_level){l->nrow, J, l->e, l->weight};
        for (int i = 0; i < l->nrow; i++, J += r->nvar)
            spread_row(w, r, J, l->J + i * p->n, l->Jc + i * p->ncontact, w->scale);
    }
}

static void open_rows(qpcc_work *w, const relaxation *r)
{
    const qpcc_problem *p = w->p;
    for (int i = 0; i < p->nlimit; i++) {
        double *row = w->open_A + (size_t)i * (size_t)r->nvar;
        spread_row(w, r, row, p->A + i * p->n, p->Ac + i * p->ncontact, w->scale);
        if (w->elastic)
            row[p->n + i] = -1;
        w->open_blo[i] = w->wide_lo[i];
        w->open_bhi[i] = w->wide_hi[i];
    }
    for (int c = 0; c < p->ncontact; c++) {
        const double *B = w->B + (size_t)c * (size_t)(p->n + 1);
        spread_row(w, r, w->open_A + (size_t)(p->nlimit + c) * (size_t)r->nvar, B,
                   w->W + (size_t)c * (size_t)p->ncontact, NULL);
        w->open_blo[p->nlimit + c] = -B[p->n];
    }
}

static relaxation open_problem(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    relaxation r = {.nx = p->n + (w->elastic ? p->nlimit : 0)};
    r.nvar = r.nx + p->ncontact;
    size_t nv = (size_t)r.nvar;
    double largest = 0;
    memset(w->open_R, 0, nv * nv * sizeof *w->open_R);
    memset(w->open_x0, 0, nv * sizeof *w->open_x0);
    for (int i = 0; i < r.nx; i++) {
        double own = i < p->n ? w->size[i] : w->give[i - p->n];
        for (int j = 0; j < p->n && i < p->n && !w->elastic; j++)
            w->open_R[(size_t)i * nv + (size_t)j] = p->R ? p->R[i * p->n + j] : i == j;
        if (w->elastic)
            w->open_R[(size_t)i * nv + (size_t)i] = 1 / (own * own);
        largest = fmax(largest, w->open_R[(size_t)i * nv + (size_t)i]);
        w->open_x0[i] = i < p->n && p->x0 && !w->elastic ? p->x0[i] : 0;
        w->open_lo[i] = i < p->n ? p->lo[i] : -INFINITY;
        w->open_hi[i] = i < p->n ? p->hi[i] : INFINITY;
    }
    r.unit = largest > 0 ? sqrt(largest) : 1;
    open_levels(w, &r);
    open_rows(w, &r);
    return r;
}

// The minimum of a node. *cost gets its costs.
static qp_status solve_node(qpcc_work *w, const relaxation *r, const signed char *decided,
                            hierarchy_solution *s)
{
    const qpcc_problem *p = w->p;
    for (int c = 0; c < p->ncontact; c++) {
        w->open_lo[r->nx + c] = 0;
        w->open_hi[r->nx + c] = decided[c] == IDLE ? 0 : INFINITY;
        w->open_bhi[p->nlimit + c] = decided[c] == ACTIVE ? w->open_blo[p->nlimit + c] : INFINITY;
    }
    hierarchy_problem h = {.n = r->nvar,
                           .m = p->nlimit + p->ncontact,
                           .nlevel = w->elastic ? 1 : p->nlevel,
                           .level = w->open_level,
                           .lo = w->open_lo,
                           .hi = w->open_hi,
                           .A = w->open_A,
                           .blo = w->open_blo,
                           .bhi = w->open_bhi,
                           .R = w->open_R,
                           .x0 = w->open_x0,
                           .mode = w->elastic ? HIERARCHY_STRICT : p->mode,
                           .mix = w->mix};
    qp_status status = hierarchy_solve(w->open, &h, s);
    if (status != QP_SOLVED)
        return status;
    double tie = w->elastic ? 0 : qpcc_tie(p, s->x);
    if (p->mode == HIERARCHY_MIXED && !w->elastic) {
        w->open_cost[0] = w->mix * tie;
        for (int k = 0; k < p->nlevel; k++)
            w->open_cost[0] += s->cost[k];
    } else {
        int nlevel = w->elastic ? 1 : p->nlevel;
        memcpy(w->open_cost, s->cost, (size_t)nlevel * sizeof *w->open_cost);
        if (!w->elastic)
            w->open_cost[p->nlevel] = 0.5 * tie;
    }
    return status;
}

// The undecided contact whose force and gap are both farthest from 0; -1: none breaks the law. The
// piece that the point is nearest to goes to `on`.
static int most_broken(const qpcc_work *w, const relaxation *r, const signed char *decided,
                       const double *z, bool *on)
{
    const qpcc_problem *p = w->p;
    int found = -1;
    double most = QPCC_BROKEN * w->extent;
    for (int c = 0; c < p->ncontact; c++) {
        const double *row = w->open_A + (size_t)(p->nlimit + c) * (size_t)r->nvar;
        double force = r->unit * z[r->nx + c];
        double gap = dense_dot(r->nvar, row, z) - w->open_blo[p->nlimit + c];
        on[c] = decided[c] == ACTIVE || (decided[c] == OPEN && force > gap);
        if (decided[c] == OPEN && fmin(force, gap) > most) {
            most = fmin(force, gap);
            found = c;
        }
    }
    return found;
}

static int first_open(const qpcc_work *w, const signed char *decided)
{
    for (int c = 0; c < w->p->ncontact; c++)
        if (decided[c] == OPEN)
            return c;
    return -1;
}

static void try_set(qpcc_work *w, const bool *on, qpcc_solution *s)
{
    qpcc_enter(w, on);
    s->piece_count++;
    if (qpcc_solve_piece(w) && qpcc_better(w, w->trial.cost)) {
        qpcc_accept(w, s);
        s->pivot++;
    }
}

// What to do with a node: -1 it is done, else the contact to decide.
static int judge(qpcc_work *w, const relaxation *r, const signed char *decided, double *bound,
                 bool *active_first, qpcc_solution *s)
{
    hierarchy_solution found;
    bool *on = w->constant; // free here: a piece writes it before it reads it
    qp_status status = solve_node(w, r, decided, &found);
    if (status == QP_INFEASIBLE)
        return -1;
    int contact = first_open(w, decided);
    *active_first = false;
    if (status != QP_SOLVED) { // no bound from here; the leaves below decide
        for (int c = 0; c < w->p->ncontact; c++)
            on[c] = decided[c] == ACTIVE;
    } else {
        *bound = fmax(*bound, w->open_cost[0]);
        if (!qpcc_better(w, w->open_cost))
            return -1;
        contact = most_broken(w, r, decided, found.x, on);
        *active_first = contact >= 0 && on[contact];
    }
    if (contact < 0)
        try_set(w, on, s);
    return contact;
}

static void push(qpcc_work *w, int *depth, const signed char *decided, int contact, int way,
                 double bound)
{
    size_t nc = (size_t)w->p->ncontact;
    signed char *to = w->branch + (size_t)*depth * nc;
    if (to != decided)
        memcpy(to, decided, nc);
    to[contact] = (signed char)way;
    w->open_bound[(*depth)++] = bound;
}

void qpcc_prove(qpcc_work *w, qpcc_solution *s)
{
    const qpcc_problem *p = w->p;
    relaxation r = open_problem(w);
    int depth = 1, most = p->most_nodes > 0 ? p->most_nodes : 100000, node = 0;
    hierarchy_forget(w->open);
    memset(w->branch, OPEN, (size_t)p->ncontact);
    w->open_bound[0] = 0;
    for (; depth > 0 && node < most && !(p->stop && p->stop(p->stopper)); node++) {
        signed char *decided = w->branch + (size_t)(depth - 1) * (size_t)p->ncontact;
        double bound = w->open_bound[depth - 1];
        bool active_first;
        depth--;
        int contact = judge(w, &r, decided, &bound, &active_first, s);
        if (contact < 0)
            continue;
        int first = active_first ? ACTIVE : IDLE;
        push(w, &depth, decided, contact, -first, bound); // the last one in is the first one out
        push(w, &depth, decided, contact, first, bound);
    }
    s->node += node;
    s->bound = w->now.cost[0];
    for (int k = 0; k < depth; k++)
        s->bound = fmin(s->bound, w->open_bound[k]);
    if (depth == 0)
        s->proof = QPCC_GLOBAL;
    qpcc_enter(w, w->on);
}
