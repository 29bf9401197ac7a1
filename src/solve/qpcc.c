// Decomposition with pivoting on dual variables [coevoet2019, section 4.4]: solve the piece, look
// at the contacts that have neither force nor gap there, cross to the piece where one of them
// changes sides if that has something better. Costs fall with every pivot, so no piece comes twice.
#include "solve/qpcc.h"
#include "solve/qpcc_work.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

// Of this many contacts without force and gap all combinations are tried.
enum { MOST_KINKS = 10 };

typedef struct request {
    double **array;
    size_t count;
} request;

static bool point_create(arena *a, qpcc_size n, qpcc_point *p)
{
    size_t all = (size_t)n.n + (size_t)n.nlimit + (size_t)n.ncontact + 1;
    p->x = arena_new(a, all, double);
    p->cost = arena_new(a, (size_t)n.nlevel + 1, double);
    p->multiplier = arena_new(a, all, double);
    p->value = arena_new(a, all, double);
    return p->x && p->cost && p->multiplier && p->value;
}

static bool arrays_create(arena *a, qpcc_work *w)
{
    qpcc_size s = w->max;
    size_t nc = (size_t)s.ncontact + 1, n = (size_t)s.n + 1, m = (size_t)s.nlimit + 1;
    size_t nvar = n + m, rows = (size_t)s.nrow + m, levels = (size_t)s.nlevel + 1;
    request wanted[] = {{&w->scale, nc},      {&w->W, nc * nc},
                        {&w->B, nc * n},      {&w->size, n},
                        {&w->give, m},        {&w->M, nc * n},
                        {&w->M_size, nc},     {&w->offset, nc},
                        {&w->row, n + 1},     {&w->J, rows * nvar},
                        {&w->e, rows},        {&w->A, (m + nc) * nvar},
                        {&w->blo, m + nc},    {&w->bhi, m + nc},
                        {&w->lo, nvar},       {&w->hi, nvar},
                        {&w->R, nvar * nvar}, {&w->x0, nvar},
                        {&w->mark, levels},   {&w->noise, levels},
                        {&w->force, nc},      {&w->gap_multiplier, nc},
                        {&w->dual, nc},       {&w->relaxed, m},
                        {&w->wide_lo, m},     {&w->wide_hi, m},
                        {&w->zero, nc},       {&w->infinite, nc},
                        {&w->q, nc},          {&w->lambda, nc},
                        {&w->delta, nc},      {&w->residual, rows}};
    bool ok = true;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++)
        ok = ok && (*wanted[k].array = arena_new(a, wanted[k].count, double)) != NULL;
    ok = ok && (w->constant = arena_new(a, nc, bool)) && (w->on = arena_new(a, nc, bool)) &&
         (w->kink = arena_new(a, nc, int)) && (w->level = arena_new(a, levels, hierarchy_level));
    for (size_t i = 0; i < nc && ok; i++)
        w->infinite[i] = INFINITY;
    return ok;
}

qpcc_work *qpcc_create(arena *a, qpcc_size size)
{
    qpcc_work *w = arena_new(a, 1, qpcc_work);
    if (!w)
        return NULL;
    w->max = size;
    int limits = size.nlimit + size.ncontact,
        rows = size.nrow > size.nlimit ? size.nrow : size.nlimit;
    w->firm = hierarchy_create(a, size.n, limits, size.nlevel, size.nrow);
    w->yielding = hierarchy_create(a, size.n + size.nlimit, limits, 1, rows);
    w->lcp = box_create(a, size.ncontact);
    bool ok = w->firm && w->yielding && w->lcp && arrays_create(a, w) &&
              principal_create(a, size.ncontact, &w->active) && point_create(a, size, &w->now) &&
              point_create(a, size, &w->trial) && (!size.global || qpcc_global_create(a, w));
    return ok ? w : NULL;
}

static bool all_finite(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return false;
    return true;
}

static bool is_valid(const qpcc_work *w, const qpcc_problem *p)
{
    size_t nc = (size_t)p->ncontact, n = (size_t)p->n, m = (size_t)p->nlimit;
    int nrow = 0;
    bool good = p->n <= w->max.n && p->nlimit <= w->max.nlimit && p->ncontact <= w->max.ncontact &&
                p->nlevel <= w->max.nlevel && (!p->global || w->max.global);
    for (int k = 0; k < p->nlevel && good; k++) {
        size_t r = (size_t)p->level[k].nrow;
        nrow += p->level[k].nrow;
        good = nrow <= w->max.nrow && all_finite(r * n, p->level[k].J) &&
               all_finite(r * nc, p->level[k].Jc) && all_finite(r, p->level[k].e);
    }
    for (int i = 0; i < p->n && good; i++)
        good = p->lo[i] <= p->hi[i];
    for (int i = 0; i < p->nlimit && good; i++)
        good = p->blo[i] <= p->bhi[i];
    return good && all_finite(m * n, p->A) && all_finite(m * nc, p->Ac) &&
           all_finite(nc * n, p->W_ca) && all_finite(nc * nc, p->W_cc) && all_finite(nc, p->gap) &&
           (!p->start || all_finite(n, p->start)) &&
           (!p->lambda_start || all_finite(nc, p->lambda_start));
}

// One unit of an effort is what costs 1 in the tie-breaker, as in the hierarchy.
static void choose_units(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    double largest = 0;
    for (int j = 0; j < p->n; j++)
        largest = fmax(largest, p->R ? p->R[j * p->n + j] : 1);
    for (int j = 0; j < p->n; j++) {
        double r = p->R ? p->R[j * p->n + j] : 1;
        w->size[j] = 1 / sqrt(r > 0 ? r : largest > 0 ? largest : 1);
    }
    for (int i = 0; i < p->nlimit; i++) {
        double unit = 0;
        for (int j = 0; j < p->n; j++)
            unit = fmax(unit, fabs(p->A[i * p->n + j]) * w->size[j]);
        w->give[i] = unit > 0 ? unit : 1;
    }
}

static void scale_contacts(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int nc = p->ncontact, n = p->n;
    for (int i = 0; i < nc; i++)
        w->scale[i] = p->W_cc[i * nc + i] > 0 ? 1 / sqrt(p->W_cc[i * nc + i]) : 1;
    for (int i = 0; i < nc; i++) {
        double *B = w->B + (size_t)i * (size_t)(n + 1);
        for (int j = 0; j < nc; j++)
            w->W[i * nc + j] = w->scale[i] * p->W_cc[i * nc + j] * w->scale[j];
        for (int j = 0; j < n; j++)
            B[j] = w->scale[i] * p->W_ca[i * n + j];
        B[n] = w->scale[i] * p->gap[i];
    }
}

// epsilon of the mixed objective, from the task as it is without contacts so that all pieces share
// it [coevoet2019, section 3.3.2].
static void choose_mix(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int n = p->n;
    double task = 0, tie = 0;
    w->mix = 0;
    for (int i = 0; i < n && p->mode == HIERARCHY_MIXED; i++) {
        double of_task = 0, of_tie = 0;
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < p->nlevel; k++)
                for (int r = 0; r < p->level[k].nrow; r++)
                    sum += (p->level[k].weight ? p->level[k].weight[r] : 1) *
                           p->level[k].J[r * n + i] * p->level[k].J[r * n + j];
            of_task += fabs(sum);
            of_tie += fabs(p->R ? p->R[i * n + j] : i == j);
        }
        task = fmax(task, of_task);
        tie = fmax(tie, of_tie);
    }
    if (tie > 0)
        w->mix = (p->factor > 0 ? p->factor : HIERARCHY_MIX) * task / tie;
}

// The gaps that the efforts alone leave, and what gaps and forces are measured against.
static void free_gaps(qpcc_work *w, const double *x)
{
    int n = w->p->n;
    w->extent = 0;
    for (int i = 0; i < w->p->ncontact; i++) {
        const double *B = w->B + (size_t)i * (size_t)(n + 1);
        double terms = fabs(B[n]);
        for (int j = 0; j < n; j++)
            terms += fabs(B[j] * x[j]);
        w->q[i] = dense_dot(n, B, x) + B[n];
        w->extent = fmax(w->extent, terms);
    }
}

void qpcc_enter(qpcc_work *w, const bool *on)
{
    principal_start(&w->active, w->p->ncontact, w->W);
    for (int i = 0; i < w->p->ncontact; i++)
        if (on[i])
            principal_enter(&w->active, i);
}

// The piece at the first guess of the efforts: an LCP [eq. 4.18]. False: contacts contradict.
static bool first_piece(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    int nc = p->ncontact;
    for (int j = 0; j < p->n; j++)
        w->now.x[j] = fmin(fmax(p->start ? p->start[j] : 0, p->lo[j]), p->hi[j]);
    free_gaps(w, w->now.x);
    for (int i = 0; i < nc; i++)
        w->lambda[i] = p->lambda_start ? p->lambda_start[i] / w->scale[i] : 0;
    box_residual r = box_solve(w->lcp, nc, w->W, w->q, w->zero, w->infinite, w->lambda);
    if (r.endless)
        for (int i = 0; i < nc; i++)
            w->lambda[i] *= w->scale[i];
    for (int i = 0; i < nc; i++)
        w->on[i] = w->lambda[i] > 0;
    if (!r.endless)
        qpcc_enter(w, w->on);
    return !r.endless;
}

static int ncost(const qpcc_work *w)
{
    return w->elastic || w->p->mode == HIERARCHY_MIXED ? 1 : w->p->nlevel + 1;
}

bool qpcc_better(const qpcc_work *w, const double *cost)
{
    for (int k = 0; k < ncost(w); k++) {
        double noise = w->noise[k] + QPCC_SAME_COST * w->mark[k];
        if (cost[k] < w->mark[k] - noise)
            return true;
        if (cost[k] > w->mark[k] + noise)
            return false;
    }
    return false;
}

// The mark of a level never rises but where one before it falls, else small differences could add
// up to a way back.
static void raise_mark(qpcc_work *w, const double *cost)
{
    bool lower = false;
    for (int k = 0; k < ncost(w); k++) {
        lower = lower || cost[k] < w->mark[k] - w->noise[k] - QPCC_SAME_COST * w->mark[k];
        w->mark[k] = lower ? cost[k] : fmin(cost[k], w->mark[k]);
    }
}

void qpcc_accept(qpcc_work *w, qpcc_solution *s)
{
    qpcc_point old = w->now;
    w->now = w->trial;
    w->trial = old;
    raise_mark(w, w->now.cost);
    for (int i = 0; i < w->p->ncontact; i++)
        w->on[i] = w->active.position[i] >= 0;
    free_gaps(w, w->now.x);
    s->piece = w->now.status;
    if (w->p->visit && !w->elastic)
        w->p->visit(w->p->visitor, w->now.x, w->on);
}

static bool try_piece(qpcc_work *w, qpcc_solution *s)
{
    s->piece_count++;
    return qpcc_solve_piece(w);
}

// Costs of the task as it stands are the size against which differences are noise.
static void start_marks(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    double all = 0;
    for (int k = 0; k < p->nlevel; k++) {
        double sum = 0;
        for (int r = 0; r < p->level[k].nrow; r++)
            sum += 0.5 * (p->level[k].weight ? p->level[k].weight[r] : 1) * p->level[k].e[r] *
                   p->level[k].e[r];
        w->noise[k] = QPCC_TASK_NOISE * sum;
        all += sum;
    }
    w->noise[p->nlevel] = QPCC_EXERTION_NOISE * w->now.cost[p->nlevel];
    if (w->elastic)
        w->noise[0] = QPCC_GIVE_NOISE;
    else if (p->mode == HIERARCHY_MIXED)
        w->noise[0] = QPCC_TASK_NOISE * all;
    for (int k = 0; k < ncost(w); k++)
        w->mark[k] = INFINITY;
}

// The multiplier that says whether contact i would better change sides, < 0: yes.
static double sideways(const qpcc_work *w, int i)
{
    return w->on[i] ? w->gap_multiplier[i] : w->force[i];
}

static void note_kink(qpcc_work *w, int i)
{
    int at = w->nkink++;
    for (; at > 0 && sideways(w, w->kink[at - 1]) > sideways(w, i); at--)
        w->kink[at] = w->kink[at - 1];
    w->kink[at] = i;
}

// Contacts with neither force nor gap, the one that promises most first. Those that would surely
// make level 0 worse are left out where all promise nothing: then x is strongly stationary.
static void find_kinks(qpcc_work *w, qpcc_solution *s)
{
    int nc = w->p->ncontact;
    double largest = w->slope_terms, worst = 0;
    bool loose = false; // an active contact is without force
    for (int i = 0; i < nc; i++)
        if (w->now.value[i] <= QPCC_KINK * w->extent) {
            worst = fmax(worst, -sideways(w, i));
            loose = loose || w->on[i];
        }
    s->wrong_sign = largest > 0 ? worst / largest : 0;
    bool strong = s->wrong_sign <= QPCC_NO_MULTIPLIER;
    w->nkink = 0;
    for (int i = 0; i < nc; i++) {
        bool kink = w->now.value[i] <= QPCC_KINK * w->extent;
        bool surely_worse = strong && sideways(w, i) > QPCC_NO_MULTIPLIER * largest;
        bool idle = !w->on[i] && w->constant[i] && !loose;
        if (kink && !surely_worse && !idle)
            note_kink(w, i);
    }
}

// Contact i changes sides; false if it cannot, as it depends on active ones.
static bool flip(qpcc_work *w, int i)
{
    if (w->active.position[i] < 0)
        return principal_enter(&w->active, i);
    principal_leave(&w->active, i);
    return true;
}

// Kinks whose bit is set change sides. True: there is something better there, and it is taken.
static bool cross(qpcc_work *w, unsigned way, qpcc_solution *s)
{
    bool possible = true;
    for (int pass = 0; pass < 2; pass++) // leave first, so that dependent ones find room
        for (int k = 0; k < w->nkink && possible; k++)
            if (way >> k & 1u && w->on[w->kink[k]] == (pass == 0))
                possible = flip(w, w->kink[k]);
    if (possible && try_piece(w, s) && qpcc_better(w, w->trial.cost)) {
        qpcc_accept(w, s);
        s->pivot++;
        return true;
    }
    if (w->trial.status != QP_SOLVED && w->trial.status != QP_INFEASIBLE && possible)
        s->proof = QPCC_NOTHING; // what is there is not known
    qpcc_enter(w, w->on);
    return false;
}

// One pivot, by the multipliers where they say enough, else by trying. False: there is none.
static bool pivot(qpcc_work *w, qpcc_solution *s)
{
    qpcc_multipliers(w);
    find_kinks(w, s);
    bool strong = s->wrong_sign <= QPCC_NO_MULTIPLIER;
    s->proof = strong && w->nkink == 0  ? QPCC_STRONG
               : w->nkink <= MOST_KINKS ? QPCC_LOCAL
                                        : QPCC_ONE_PIVOT;
    for (int k = 0; k < w->nkink && k < 32; k++)
        if (cross(w, 1u << k, s))
            return true;
    if (w->nkink > MOST_KINKS)
        return false;
    for (unsigned way = 1; way < 1u << w->nkink; way++)
        if ((way & (way - 1)) != 0 && cross(w, way, s))
            return true;
    return false;
}

// From where `trial` is to a point that no neighbouring piece improves.
static void descend(qpcc_work *w, qpcc_solution *s)
{
    memcpy(w->now.cost, w->trial.cost, ((size_t)w->p->nlevel + 1) * sizeof *w->now.cost);
    start_marks(w);
    qpcc_accept(w, s);
    while (pivot(w, s)) {
    }
    if (w->p->global)
        qpcc_prove(w, s);
}

// The least excess of limits that contacts allow from here; limits are widened by it.
static bool relax(qpcc_work *w, qpcc_solution *s)
{
    const qpcc_problem *p = w->p;
    w->elastic = true;
    bool found = try_piece(w, s);
    if (found) {
        descend(w, s);
        for (int i = 0; i < p->nlimit; i++) {
            double give = w->now.x[p->n + i];
            if (fabs(give) <= QPCC_GIVES * w->give[i])
                continue;
            w->relaxed[i] = give;
            s->status = QPCC_RELAXED;
            w->wide_lo[i] += fmin(give, 0) * (1 + QPCC_GIVES);
            w->wide_hi[i] += fmax(give, 0) * (1 + QPCC_GIVES);
        }
        qpcc_enter(w, w->on);
    }
    w->elastic = false;
    return found && try_piece(w, s);
}

static void fill_rows(qpcc_work *w)
{
    const qpcc_problem *p = w->p;
    double *r = w->residual;
    for (int k = 0; k < p->nlevel; k++)
        for (int i = 0; i < p->level[k].nrow; i++)
            *r++ = p->level[k].e[i] + dense_dot(p->n, p->level[k].J + i * p->n, w->now.x) +
                   dense_dot(p->ncontact, p->level[k].Jc + i * p->ncontact, w->lambda);
}

// Forces, gaps and how well they obey Signorini's law, from the problem as it was given.
static void fill(qpcc_work *w, qpcc_solution *s)
{
    const qpcc_problem *p = w->p;
    int nc = p->ncontact;
    double worst = 0;
    for (int i = 0; i < nc; i++)
        w->lambda[i] = w->on[i] ? fmax(0, w->scale[i] * w->now.value[i]) : 0;
    for (int i = 0; i < nc; i++) {
        w->delta[i] = p->gap[i] + dense_dot(p->n, p->W_ca + i * p->n, w->now.x) +
                      dense_dot(nc, p->W_cc + i * nc, w->lambda);
        double least = fmin(w->lambda[i] / w->scale[i], w->delta[i] * w->scale[i]);
        worst = fmax(worst, fabs(least));
    }
    fill_rows(w);
    s->signorini = w->extent > 0 ? worst / w->extent : worst;
    s->primal = w->now.primal;
    s->dual = w->now.dual;
    s->complementarity = w->now.complementarity;
    s->x = w->now.x;
    s->cost = w->now.cost;
    s->multiplier = w->now.multiplier;
}

qpcc_status qpcc_solve(qpcc_work *w, const qpcc_problem *p, qpcc_solution *s)
{
    *s = (qpcc_solution){.status = QPCC_BAD_INPUT,
                         .proof = QPCC_NOTHING,
                         .x = w->now.x,
                         .lambda = w->lambda,
                         .delta = w->delta,
                         .active = w->on,
                         .residual = w->residual,
                         .cost = w->now.cost,
                         .multiplier = w->now.multiplier,
                         .relaxed = w->relaxed};
    w->p = p;
    w->elastic = false;
    if (!is_valid(w, p))
        return s->status;
    choose_units(w);
    scale_contacts(w);
    choose_mix(w);
    memset(w->relaxed, 0, (size_t)p->nlimit * sizeof *w->relaxed);
    if (p->nlimit > 0) {
        memcpy(w->wide_lo, p->blo, (size_t)p->nlimit * sizeof *w->wide_lo);
        memcpy(w->wide_hi, p->bhi, (size_t)p->nlimit * sizeof *w->wide_hi);
    }
    s->status = QPCC_SOLVED;
    if (!first_piece(w))
        return s->status = QPCC_NO_ROOM;
    bool found = try_piece(w, s);
    if (!found && w->trial.status == QP_INFEASIBLE && p->nlimit > 0)
        found = relax(w, s);
    s->piece = w->trial.status;
    if (!found)
        return s->status = QPCC_FAILED;
    descend(w, s);
    fill(w, s);
    return s->status;
}

const char *qpcc_proof_text(qpcc_proof proof)
{
    static const char *const text[] = {"global minimum", "local minimum, strongly stationary",
                                       "local minimum", "minimum of the pieces one pivot away",
                                       "nothing"};
    return (unsigned)proof < sizeof text / sizeof *text ? text[proof] : "unknown";
}
