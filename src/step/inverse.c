// The inverse in one pass: efforts for which the wanted rows come nearest to their targets, within
// limits. Everything is linear here: delta = delta_free + W dlambda.
#include "step/inverse.h"

#include "base/eigen.h"
#include "base/worst.h"
#include "row/link.h"
#include "solve/seidel.h"
#include "step/tolerances.h"

#include <stdio.h>
#include <string.h>

// Where a range has been moved away, one end of what can be reached is the nearest there is.
static void bound(const double range[2], double now, double way, double *lo, double *hi)
{
    *lo = fmin(fmax(range[0], now - way), now + way);
    *hi = fmax(fmin(range[1], now + way), now - way);
}

void inverse_bounds(const lithe_model *m, lithe_state *s)
{
    for (int r = 0; r < m->nact; r++) {
        const row_limit *a = &s->limit[r];
        double effort = a->effort_rate * m->step.dt, way = a->displacement_rate * m->step.dt;
        double reach[2]; // what a valve comes to in the step that is told one limit, or the other
        for (int i = 0; i < 2; i++)
            reach[i] =
                valve_lags(&m->row[r].valve)
                    ? valve_after(&m->row[r].valve, s->now.effort[r], a->effort[i], m->step.dt)
                    : a->effort[i];
        bound(reach, s->now.effort[r], effort, &s->task.lower[r], &s->task.upper[r]);
        bound(a->displacement, s->now.delta[r], way, &s->task.shortest[r], &s->task.farthest[r]);
    }
}

bool task_is_given(const lithe_model *m, int r)
{
    for (int a = 0; a < m->nactuator; a++)
        if (r >= m->actuator[a].group.adr && r < m->actuator[a].group.adr + m->actuator[a].group.n)
            return m->actuator[a].given;
    return r < m->nact; // of a joint
}

int task_priority(const lithe_model *m, const lithe_state *s, int r, double *weight)
{
    *weight = 1;
    for (int e = 0; e < m->neffector; e++) {
        const model_group *group = &m->effector[e].group;
        if (r >= group->adr && r < group->adr + group->n) {
            *weight = s->weight[e];
            return m->effector[e].priority;
        }
    }
    return 1; // sensors
}

// Rows that are wanted, level by level, each in units of its own scale. Returns the number of
// levels.
static int gather_levels(const lithe_model *m, lithe_state *s)
{
    step_task *t = &s->task;
    int n = m->nact, filled = 0, nlevel = 0;
    for (int priority = 1; priority <= STEP_LEVELS; priority++) {
        hierarchy_level *level = &t->level[nlevel];
        *level = (hierarchy_level){0, &t->J[filled * n], &t->e[filled], &t->weight[filled]};
        for (int r = n; r < m->nrow; r++) {
            double weight;
            if (!t->wanted[r] || t->kept[r] || task_priority(m, s, r, &weight) != priority)
                continue;
            for (int c = 0; c < n; c++)
                t->J[filled * n + c] = s->pass.W[r * n + c] / m->row[r].scale;
            t->e[filled] = (s->pass.delta_free[r] - t->target[r]) / m->row[r].scale;
            t->weight[filled++] = weight;
            level->nrow++;
        }
        nlevel += level->nrow > 0;
    }
    return nlevel;
}

// True if no effort moves the row to first order, all in units of rows' scales: a string that is
// straight, say. What is left of its gradient is roundoff, which must not steer.
static bool is_stuck(const lithe_model *m, const lithe_state *s, int r)
{
    int n = m->nact;
    double most = 0, usual = 0;
    for (int c = 0; c < n; c++) {
        double own = s->pass.W[c * n + c] > 0 ? sqrt(s->pass.W[c * n + c]) : 1;
        most = fmax(most, fabs(s->pass.W[r * n + c]) / (m->row[r].scale * own));
        usual = fmax(usual, own / m->row[c].scale);
    }
    return most < STEP_STUCK * usual;
}

// A row that is at its limit but for roundoff is at its limit: otherwise two limits that meet there
// contradict.
static double without_noise(double way, double scale)
{
    return fabs(way) < STEP_AT_LIMIT * scale ? 0 : way;
}

static void add_limit(const lithe_model *m, lithe_state *s, int *count, int r, double lo, double hi)
{
    step_task *t = &s->task;
    int n = m->nact;
    memcpy(&t->A[*count * n], &s->pass.W[r * n], (size_t)n * sizeof *t->A);
    t->blo[*count] = without_noise(lo - s->pass.delta_free[r], m->row[r].scale);
    t->bhi[*count] = without_noise(hi - s->pass.delta_free[r], m->row[r].scale);
    t->row_of[(*count)++] = r;
}

// Bounds on increments of effort, and limits on what rows measure. Returns the number of the
// latter.
static int gather_limits(const lithe_model *m, lithe_state *s)
{
    step_task *t = &s->task;
    int count = 0;
    for (int r = 0; r < m->nact; r++) {
        bool given = task_is_given(m, r), told_effort = s->command[r] == LITHE_EFFORT;
        t->lo[r] = t->hi[r] = 0;
        if (r >= m->nown) { // what joints hold follows; what is limited there is not leant on
            bool stops = r < m->njoined && m->row[r].link->role == LINK_STOPS;
            bool upper = stops && s->limit[r].effort[1] == 0;
            if (stops)
                add_limit(m, s, &count, r, upper ? -INFINITY : s->aim[r],
                          upper ? s->aim[r] : INFINITY);
            continue;
        }
        bool fixed = given && (told_effort || row_is_parameter(&m->row[r]));
        t->lo[r] = (fixed   ? s->value[r]
                    : given ? s->limit[r].effort[0]
                            : t->lower[r]) -
                   s->now.effort[r];
        t->hi[r] = (fixed   ? s->value[r]
                    : given ? s->limit[r].effort[1]
                            : t->upper[r]) -
                   s->now.effort[r];
        if (row_is_parameter(&m->row[r]) || fixed)
            continue;
        if (given)
            add_limit(m, s, &count, r, s->value[r], s->value[r]);
        else if (isfinite(t->shortest[r]) || isfinite(t->farthest[r]))
            add_limit(m, s, &count, r, t->shortest[r], t->farthest[r]);
    }
    for (int r = m->nact; r < m->nrow; r++)
        if (t->kept[r] && !(is_stuck(m, s, r) && fabs(t->target[r] - s->pass.delta_free[r]) <
                                                     STEP_STUCK_AT_TARGET * m->row[r].scale))
            add_limit(m, s, &count, r, t->target[r], t->target[r]);
    return count;
}

// Names the limits that contradict each other.
static lithe_status fail_infeasible(const lithe_model *m, lithe_state *s,
                                    const hierarchy_solution *found)
{
    char list[LITHE_TEXT_MAX / 2] = "";
    size_t used = 0;
    for (int i = 0; i < found->nconflict && used < sizeof list; i++) {
        int id = found->conflict[i].id;
        int r = id < m->nact ? id : s->task.row_of[id - m->nact];
        const char *what = id < m->nact      ? "effort of"
                           : s->task.kept[r] ? "value to be kept of"
                                             : "displacement of";
        int wrote = snprintf(list + used, sizeof list - used, "%s%s%s '%s'", i ? ", " : "",
                             found->conflict[i].side > 0 ? "the upper limit on the "
                                                         : "the lower limit on the ",
                             what, m->row[r].name);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "no efforts meet all limits of this step: %s contradict each other; widen "
                      "one of them, or go "
                      "there in smaller steps",
                      list);
}

static void keep_multipliers(const lithe_model *m, lithe_state *s, const double *multiplier,
                             int nlimit)
{
    double square = m->size * m->size;
    memset(s->task.multiplier, 0, 2 * (size_t)m->nact * sizeof *s->task.multiplier);
    for (int r = 0; r < m->nact; r++)
        s->task.multiplier[r] = square * multiplier[r];
    for (int i = 0; i < nlimit; i++)
        if (s->task.row_of[i] < m->nact)
            s->task.multiplier[m->nact + s->task.row_of[i]] = square * multiplier[m->nact + i];
}

// What the tie-breaker weighs efforts with: W_aa. A parameter has no effort, and what it does to
// the others' displacements has no counterpart; and where displacements hold unstable modes W_aa is
// no measure, so only the size of its diagonal counts.
const double *inverse_weights(const lithe_model *m, lithe_state *s)
{
    int n = m->nact;
    bool saddle = s->tangent.found.use == TANGENT_SADDLE, any = saddle;
    for (int r = 0; r < n; r++)
        any = any || row_is_parameter(&m->row[r]);
    if (!any)
        return s->pass.W; // its first rows are W_aa
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) {
            bool none = row_is_parameter(&m->row[r]) || row_is_parameter(&m->row[c]);
            double W = s->pass.W[r * n + c];
            s->square[r * n + c] = none || (saddle && r != c) ? 0 : saddle ? fabs(W) : W;
        }
    return s->square;
}

static qp_status solve_levels(const lithe_model *m, lithe_state *s, int nlevel, int nlimit,
                              hierarchy_solution *found)
{
    const step_task *t = &s->task;
    hierarchy_problem problem = {.n = m->nact,
                                 .m = nlimit,
                                 .nlevel = nlevel,
                                 .level = t->level,
                                 .lo = t->lo,
                                 .hi = t->hi,
                                 .A = t->A,
                                 .blo = t->blo,
                                 .bhi = t->bhi,
                                 .R = inverse_weights(m, s),
                                 .x0 = s->now.effort,
                                 .mode = m->step.method == LITHE_EPSILON ? HIERARCHY_MIXED
                                                                         : HIERARCHY_STRICT,
                                 .factor = m->step.epsilon};
    return hierarchy_solve(t->work, &problem, found);
}

// Does the linear model itself expect to stay away from the first level's targets?
static bool out_of_reach(const hierarchy_level *level, const hierarchy_solution *found)
{
    double now = 0, then = 0;
    for (int i = 0; i < level->nrow; i++) {
        now += level->weight[i] * level->e[i] * level->e[i];
        then += level->weight[i] * found->residual[i] * found->residual[i];
    }
    return now > STEP_REACHED_SQUARED && then > 0.1 * now;
}

void inverse_gather(const lithe_model *m, lithe_state *s, int *nlevel, int *nlimit)
{
    *nlevel = gather_levels(m, s);
    *nlimit = gather_limits(m, s);
}

static lithe_status solve_hierarchy(const lithe_model *m, lithe_state *s)
{
    hierarchy_solution found;
    int nlevel = gather_levels(m, s), nlimit = gather_limits(m, s);
    qp_status status = solve_levels(m, s, nlevel, nlimit, &found);
    if (nlevel > 0 && m->step.mode == LITHE_CONVERGED && status == QP_SOLVED) {
        bool learnt = secant_learn(m, s, &s->task.level[0]);
        if (learnt && out_of_reach(&s->task.level[0], &found)) {
            secant_apply(m, s, &s->task.level[0]);
            status = solve_levels(m, s, nlevel, nlimit, &found);
        }
    }
    if (status == QP_INFEASIBLE)
        return fail_infeasible(m, s, &found);
    if (status != QP_SOLVED)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the optimization of efforts ended %s (residuals %.1e, %.1e)",
                          qp_status_text(status), found.primal, found.dual);
    for (int r = 0; r < m->nact; r++)
        s->pass.target[r] = s->now.effort[r] + found.x[r];
    keep_multipliers(m, s, found.multiplier, nlimit);
    return LITHE_OK;
}

// The scheme of the first paper. It knows one level, no kept rows and no given displacement.
// [duriez2013]
static lithe_status solve_seidel(const lithe_model *m, lithe_state *s)
{
    step_task *t = &s->task;
    int n = m->nact, rows = 0;
    gather_levels(m, s);
    for (int r = n; r < m->nrow; r++)
        rows += t->wanted[r];
    for (int i = 0; i < rows; i++) // at zero effort
        for (int c = 0; c < n; c++)
            t->e[i] -= t->J[i * n + c] * s->now.effort[c];
    for (int r = 0; r < n; r++) {
        t->delta[r] = s->pass.delta_free[r];
        for (int c = 0; c < n; c++)
            t->delta[r] -= s->pass.W[r * n + c] * s->now.effort[c];
        s->pass.target[r] = s->now.effort[r];
        bool fixed = task_is_given(m, r), out = r >= m->nown;
        t->lo[r] = out ? s->now.effort[r] : fixed ? s->value[r] : t->lower[r];
        t->hi[r] = out ? s->now.effort[r] : fixed ? s->value[r] : t->upper[r];
    }
    seidel_problem problem = {.nactuator = n,
                              .neffector = rows,
                              .W_ea = t->J,
                              .W_aa = s->pass.W,
                              .shift_free = t->e,
                              .delta_free = t->delta,
                              .effort_lo = t->lo,
                              .effort_hi = t->hi,
                              .delta_lo = t->shortest,
                              .delta_hi = t->farthest,
                              .omega = m->step.relaxation,
                              .max_iteration = 1000,
                              .tolerance = STEP_SWEEPS};
    seidel_solve(&problem, s->pass.target, t->shift, t->blo);
    return LITHE_OK;
}

lithe_status inverse_solve(const lithe_model *m, lithe_state *s)
{
    LITHE_TRY(m->step.method == LITHE_SEIDEL ? solve_seidel(m, s) : solve_hierarchy(m, s));
    s->task.predicted = 0;
    for (int r = m->nact; r < m->nrow; r++) {
        double move = s->pass.delta_free[r] - s->now.delta[r];
        for (int c = 0; c < m->nact; c++)
            move += s->pass.W[r * m->nact + c] * (s->pass.target[c] - s->now.effort[c]);
        if (s->task.wanted[r])
            s->task.predicted = worst_of(s->task.predicted, fabs(move) / m->row[r].scale);
    }
    return LITHE_OK;
}

// The Hessian of 1/2 |e|^2 over the efforts is J'J + S, with S = sum e_i d2(delta_i)/d(effort)^2.
// Where a target is reached e vanishes and S with it; where it is not, J'J alone makes the way to
// the nearest point slow. S is learnt from how J'e changes between equilibria, by the structured
// secant update of Dennis, Gay and Welsch [dennis1981].

static double dot(int n, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// out = J' w e
static void gradient(int n, int nrow, const double *J, const hierarchy_level *at, double *out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < nrow; i++)
        for (int c = 0; c < n; c++)
            out[c] += J[i * n + c] * at->weight[i] * at->e[i];
}

// S s = J' w e - J_old' w e =: y#, kept symmetric with the help of y = J' w e - J_old' w e_old.
static void learn(int n, secant_hessian *b, const hierarchy_level *level, const double *effort,
                  const double *g)
{
    double *s = b->step, *miss = b->miss, *y = b->y;
    for (int i = 0; i < n; i++) {
        s[i] = effort[i] - b->effort[i];
        y[i] = g[i] - b->g[i];
    }
    gradient(n, level->nrow, b->J, level, miss);
    for (int i = 0; i < n; i++)
        miss[i] = g[i] - miss[i]; // y#
    double curved = 0, wanted = dot(n, s, miss), slope = dot(n, s, y);
    for (int i = 0; i < n; i++)
        curved += s[i] * dot(n, &b->S[i * n], s);
    double shrink = fabs(curved) > fabs(wanted) ? fabs(wanted / curved) : 1; // S fades as e does
    for (int i = 0; i < n * n; i++)
        b->S[i] *= shrink;
    if (!(fabs(slope) > STEP_SECANT_SLOPE * sqrt(dot(n, s, s) * dot(n, y, y))))
        return;
    for (int i = 0; i < n; i++)
        miss[i] -= dot(n, &b->S[i * n], s);
    double rest = dot(n, miss, s) / (slope * slope);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b->S[i * n + j] += (miss[i] * y[j] + y[i] * miss[j]) / slope - rest * y[i] * y[j];
}

static void remember(int n, secant_hessian *b, const hierarchy_level *level, const double *effort,
                     const double *g)
{
    b->started = true;
    b->nrow = level->nrow;
    memcpy(b->J, level->J, (size_t)(level->nrow * n) * sizeof *b->J);
    memcpy(b->effort, effort, (size_t)n * sizeof *b->effort);
    memcpy(b->g, g, (size_t)n * sizeof *b->g);
}

// J'wJ + S and g as one level: B = V diag(value) V', rows sqrt(value) V' with errors V'g /
// sqrt(value). Directions in which B curves downwards are taken as if upwards, which still leads
// down; those without curvature stay free for later levels.
void secant_apply(const lithe_model *m, lithe_state *s, hierarchy_level *level)
{
    secant_hessian *b = &s->task.secant;
    int n = m->nact, kept = 0;
    size_t behind = (size_t)(m->nrow - n); // the levels' own rows are at most as many
    double *J = s->task.J + behind * (size_t)n, *e = s->task.e + behind,
           *weight = s->task.weight + behind;
    double largest = 0;
    for (int i = 0; i < n; i++)
        b->step[i] =
            s->pass.W[i * n + i] > 0 ? 1 / sqrt(s->pass.W[i * n + i]) : 1; // scale of each effort
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = b->S[i * n + j];
            for (int k = 0; k < level->nrow; k++)
                sum += level->J[k * n + i] * level->weight[k] * level->J[k * n + j];
            b->B[i * n + j] = b->step[i] * sum * b->step[j];
        }
    eigen_symmetric(n, b->B, b->value, b->V);
    for (int k = 0; k < n; k++)
        largest = fmax(largest, fabs(b->value[k]));
    for (int k = 0; k < n; k++) {
        double along = 0, value = fabs(b->value[k]);
        if (value <= STEP_SECANT_EIGENVALUE * largest)
            continue;
        for (int i = 0; i < n; i++) {
            along += b->V[i * n + k] * b->step[i] * b->g[i];
            J[kept * n + i] = sqrt(value) * b->V[i * n + k] / b->step[i];
        }
        e[kept] = along / sqrt(value);
        weight[kept++] = 1;
    }
    *level = (hierarchy_level){kept, J, e, weight};
}

bool secant_learn(const lithe_model *m, lithe_state *s, const hierarchy_level *level)
{
    secant_hessian *b = &s->task.secant;
    int n = m->nact;
    gradient(n, level->nrow, level->J, level, b->value);
    bool same = b->started && b->nrow == level->nrow;
    if (same)
        learn(n, b, level, s->now.effort, b->value);
    else
        memset(b->S, 0, (size_t)(n * n) * sizeof *b->S);
    remember(n, b, level, s->now.effort, b->value);
    return same;
}
