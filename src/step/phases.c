// One pass of the pipeline: the Newton direction at s->now, towards the aim.
#include "base/clock.h"
#include "base/vec.h"
#include "solve/box.h"
#include "step/step.h"

#include <string.h>

// Stops the clock of a phase.
static lithe_status timed(double *phase, double start)
{
    *phase += clock_now() - start;
    return LITHE_OK;
}

static void add_pull(const lithe_model *m, const step_point *p, int r, double effort, double *f)
{
    const double *H = &p->H[3 * (size_t)m->row_adr[r]];
    for (int i = 0; i < m->row[r].nnode; i++)
        vec_axpy(&f[3 * m->row[r].node[i]], effort, &H[3 * i]);
}

static void evaluate_rows(const lithe_model *m, step_point *p)
{
    memset(p->pull, 0, 3 * (size_t)m->nnode * sizeof *p->pull);
    for (int r = 0; r < m->nrow; r++) {
        p->delta[r] = row_value(&m->row[r], p->x);
        row_gradient(&m->row[r], p->x, &p->H[3 * (size_t)m->row_adr[r]]);
        add_pull(m, p, r, p->effort[r], p->pull);
    }
}

// Norms over free coordinates: relative force residual of the design.
static void measure_residual(const lithe_model *m, step_point *p)
{
    double sum[4] = {0};
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0; i < 3 * b->nnode; i++) {
            size_t at = 3 * (size_t)b->node_adr + (size_t)i;
            if (b->held[i / 3] & (1 << i % 3))
                continue;
            double r = p->internal[at] - p->external[at] - p->pull[at];
            sum[0] += r * r;
            sum[1] += p->internal[at] * p->internal[at];
            sum[2] += p->external[at] * p->external[at];
            sum[3] += p->pull[at] * p->pull[at];
        }
    }
    double largest = sqrt(fmax(sum[1], fmax(sum[2], sum[3])));
    p->residual = sqrt(sum[0]);
    p->relative = isnan(p->residual) ? INFINITY : largest > m->noise ? p->residual / largest : 0;
}

void point_evaluate(const lithe_model *m, lithe_state *s, step_point *p)
{
    double start = clock_now();
    p->energy = 0;
    memset(p->external, 0, 3 * (size_t)m->nnode * sizeof *p->external);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        p->energy += body_elastic(b, &s->work[k], p->x + at, TET4_FORCE_ONLY, s->threads,
                                  p->internal + at, NULL);
        body_loads(b, s->aim_load, p->x + at, p->external + at, NULL);
    }
    s->time.assemble += clock_now() - start;
    start = clock_now();
    evaluate_rows(m, p);
    measure_residual(m, p);
    s->time.rows += clock_now() - start;
}

static void assemble_body(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    size_t at = 3 * (size_t)b->node_adr;
    body_elastic(b, &s->work[k], s->now.x + at, s->positive ? TET4_POSITIVE : TET4_EXACT,
                 s->threads, s->now.internal + at, s->blocks[k]);
    memset(s->now.external + at, 0, 3 * (size_t)b->nnode * sizeof(double));
    body_loads(b, s->aim_load, s->now.x + at, s->now.external + at,
               s->positive ? NULL : s->blocks[k]);
}

lithe_status step_assemble(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    for (int k = 0; k < m->nbody; k++)
        assemble_body(m, s, k);
    for (int r = 0; r < m->nrow; r++)
        row_stiffness(&m->row[r], s->now.x, s->now.effort[r], s->positive, s->blocks);
    for (int k = 0; k < m->nbody; k++)
        body_mask(&m->body[k], s->blocks[k]);
    return timed(&s->time.assemble, start);
}

// Factors every body; says where it could not.
static bool factor_bodies(const lithe_model *m, lithe_state *s, int *bad_body, int *bad_node)
{
    bool good = true;
    s->negative = s->positive ? s->negative : 0;
    for (int k = 0; k < m->nbody; k++) {
        sparse_report report = sparse_factorize(s->factor[k], s->blocks[k], s->threads);
        if (!s->positive)
            s->negative += report.negative;
        if (report.negative || report.zero) {
            good = false;
            *bad_body = k;
            *bad_node = report.bad_block >= 0 ? m->body[k].block_node[report.bad_block] : -1;
        }
    }
    return good;
}

// A = L D L'. Where the exact tangent is not positive definite it may lead to a maximum or a
// saddle, so a clamped one, which is, takes its place: same equilibria, safe direction, slower.
lithe_status step_factor(const lithe_model *m, lithe_state *s)
{
    int body_id = 0, node = 0;
    double start = clock_now();
    s->positive = false;
    bool good = factor_bodies(m, s, &body_id, &node);
    if (!good) {
        s->positive = true;
        s->time.factor += clock_now() - start;
        LITHE_TRY(step_assemble(m, s));
        start = clock_now();
        good = factor_bodies(m, s, &body_id, &node);
    }
    timed(&s->time.factor, start);
    if (!good)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the stiffness is singular at node %d of body '%s': is that part held?",
                          node, m->body[body_id].name);
    return LITHE_OK;
}

// Copies a nodal vector's free coordinates into a body's right-hand side.
static void restrict_free(const body *b, const double *nodal, int stride, double *rhs)
{
    for (int i = 0; i < b->nrow; i++) {
        int node = b->block_node[i];
        for (int axis = 0; axis < 3; axis++)
            rhs[(size_t)(3 * i + axis) * (size_t)stride] =
                b->held[node] & (1 << axis) ? 0 : nodal[3 * (size_t)node + (size_t)axis];
    }
}

// y = L^-1 r: the force that is out of balance, with held nodes already gone where they are going.
lithe_status step_free(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        double *r = s->dx + at; // overwritten by step_correct
        memset(r, 0, 3 * (size_t)b->nnode * sizeof *r);
        if (s->slipping)
            body_stiffness_times(b, &s->work[k], s->slip + at, r);
        for (int i = 0; i < 3 * b->nnode; i++)
            r[i] = s->now.external[at + (size_t)i] + s->now.pull[at + (size_t)i] -
                   s->now.internal[at + (size_t)i] - r[i];
        restrict_free(b, r, 1, s->rhs[k]);
        sparse_forward(s->factor[k], 1, s->rhs[k]);
    }
    return timed(&s->time.free, start);
}

static void scatter_rows(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    size_t n = (size_t)m->nrow;
    memset(s->columns[k], 0, 3 * (size_t)b->nrow * n * sizeof(double));
    for (int r = 0; r < m->nrow; r++)
        for (int i = 0; i < m->row[r].nnode; i++) {
            int node = m->row[r].node[i] - b->node_adr;
            if (node < 0 || node >= b->nnode || b->block[node] < 0)
                continue;
            const double *H = &s->now.H[3 * ((size_t)m->row_adr[r] + (size_t)i)];
            for (int axis = 0; axis < 3; axis++)
                if (!(b->held[node] & (1 << axis)))
                    s->columns[k][(size_t)(3 * b->block[node] + axis) * n + (size_t)r] = H[axis];
        }
}

// Y = L^-1 H', and what the rows measure after the free motion: delta_free = delta + H dx_free =
// delta + Y' D^-1 y.
lithe_status step_rows(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    int n = m->nrow;
    memcpy(s->delta_free, s->now.delta, (size_t)n * sizeof *s->delta_free);
    for (int r = 0; r < n && s->slipping; r++)
        for (int i = 0; i < m->row[r].nnode; i++)
            s->delta_free[r] += vec_dot(&s->now.H[3 * ((size_t)m->row_adr[r] + (size_t)i)],
                                        &s->slip[3 * m->row[r].node[i]]);
    for (int k = 0; k < m->nbody && n > 0; k++) {
        scatter_rows(m, s, k);
        sparse_forward(s->factor[k], n, s->columns[k]);
        const double *inverse = sparse_inverse_pivots(s->factor[k]);
        for (int i = 0; i < 3 * m->body[k].nrow; i++)
            for (int r = 0; r < n; r++)
                s->delta_free[r] +=
                    s->columns[k][(size_t)i * (size_t)n + (size_t)r] * inverse[i] * s->rhs[k][i];
    }
    return timed(&s->time.rows, start);
}

// W = H A^-1 H' = Y' D^-1 Y, summed over bodies: forward solves only [coevoet2019, eq. 3.13]
lithe_status step_condense(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    int n = m->nrow;
    memset(s->W, 0, (size_t)n * (size_t)n * sizeof *s->W);
    for (int k = 0; k < m->nbody; k++) {
        const double *inverse = sparse_inverse_pivots(s->factor[k]);
        for (int i = 0; i < 3 * m->body[k].nrow; i++) {
            const double *Y = &s->columns[k][(size_t)i * (size_t)n];
            for (int r = 0; r < n; r++) {
                double scaled = inverse[i] * Y[r];
                for (int c = 0; c <= r && scaled != 0; c++)
                    s->W[r * n + c] += scaled * Y[c];
            }
        }
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < r; c++)
            s->W[c * n + r] = s->W[r * n + c];
    return timed(&s->time.condense, start);
}

// Forward: rows told their effort get it; rows told their displacement get the effort within limits
// that brings it, or the limit. Limits of a row told its effort are the effort itself.
lithe_status step_solve(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    int n = m->nrow;
    double *q = s->box, *lo = q + n, *hi = lo + n, *scratch = hi + n;
    for (int r = 0; r < n; r++) {
        bool told_effort = s->command[r] == LITHE_EFFORT;
        lo[r] = told_effort ? s->aim[r] : m->row[r].effort_limit[0];
        hi[r] = told_effort ? s->aim[r] : m->row[r].effort_limit[1];
        q[r] = s->delta_free[r] - (told_effort ? 0 : s->aim[r]);
        for (int c = 0; c < n; c++)
            q[r] -= s->W[r * n + c] * s->now.effort[c];
        s->target[r] = s->now.effort[r];
    }
    box_residual result = box_solve(n, s->W, q, lo, hi, s->target, scratch);
    timed(&s->time.solve, start);
    if (!result.solved)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the efforts of %d actuators could not be found (gap %.1e)", n,
                          result.gap);
    return LITHE_OK;
}

// dx = A^-1 (r + H' dlambda) = L'^-1 D^-1 (y + Y dlambda): the one backward solve
lithe_status step_correct(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    size_t n = (size_t)m->nrow;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0; i < 3 * b->nrow; i++)
            for (size_t r = 0; r < n; r++)
                s->rhs[k][i] +=
                    s->columns[k][(size_t)i * n + r] * (s->target[r] - s->now.effort[r]);
        sparse_backward(s->factor[k], 1, s->rhs[k]);
        for (int i = 0; i < b->nnode; i++)
            for (int axis = 0; axis < 3; axis++) {
                size_t at = 3 * (size_t)(b->node_adr + i) + (size_t)axis;
                s->dx[at] =
                    b->held[i] & (1 << axis) ? s->slip[at] : s->rhs[k][3 * b->block[i] + axis];
            }
    }
    return timed(&s->time.correct, start);
}
