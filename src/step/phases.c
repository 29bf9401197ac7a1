// One pass of the pipeline: the Newton direction at s->now, towards the aim.
#include "step/phases.h"
#include "base/clock.h"
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/inverse.h"

#include <string.h>

// Stops the clock of a phase.
static lithe_status timed(double *phase, double start)
{
    *phase += clock_now() - start;
    return LITHE_OK;
}

static void assemble_body(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    size_t at = 3 * (size_t)b->node_adr;
    if (!s->is_ahead)
        body_elastic(b, &s->work[k], s->now.x + at, s->stiffness[k],
                     s->positive ? ELEMENT_POSITIVE : ELEMENT_EXACT, s->threads,
                     s->now.internal + at, s->blocks[k]);
    memset(s->now.external + at, 0, 3 * (size_t)b->nnode * sizeof(double));
    body_loads(b, s->aim_load, s->motion.time, s->now.x + at, s->now.external + at,
               s->positive ? NULL : s->blocks[k]);
    motion_assemble(m, s, k);
}

lithe_status step_assemble(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    point_apply_moduli(m, &s->now, s);
    s->is_ahead = s->is_ahead && !s->positive &&
                  memcmp(s->ahead, s->now.x, 3 * (size_t)m->nnode * sizeof *s->ahead) == 0;
    for (int k = 0; k < m->nbody; k++)
        assemble_body(m, s, k);
    s->is_ahead = false;
    for (int r = 0; r < m->nact; r++)
        row_stiffness(&m->row[r], s->now.x, s->now.effort[r], s->positive, s->blocks);
    LITHE_TRY(contact_stiffness(m, s));
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        if (b->nJ > 0)
            point_out_of_balance(b, &s->now, s->nodal);
        b->space->assemble(b, s->now.q + b->q_adr, body_jacobian(b, s->now.J),
                           s->positive || b->nJ == 0 ? NULL : s->nodal, &s->tangent[k]);
    }
    return timed(&s->time.assemble, start);
}

// Factors every body; says where it could not.
static void factor_bodies(const lithe_model *m, lithe_state *s, int *bad_body, int *bad_node)
{
    int negative = 0;
    s->singular = false;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        space_report report = b->space->factor(b, &s->tangent[k], s->threads);
        negative += report.negative;
        s->singular = s->singular || report.singular;
        if (report.negative || report.singular) {
            *bad_body = k;
            *bad_node = report.node;
        }
    }
    *(s->positive ? &s->clamped : &s->negative) = negative;
}

// What couples bodies may hold their negative modes, or bring new ones.
static lithe_status couple_bodies(const lithe_model *m, lithe_state *s)
{
    int negative = 0;
    lithe_status status = contact_couple(m, s, &negative);
    *(s->positive ? &s->clamped : &s->negative) += negative;
    s->singular = status == LITHE_NOT_CONVERGED;
    return s->singular ? LITHE_OK : status;
}

// Rows whose displacement is held, each of which can hold one unstable mode back.
bool step_is_taut(const lithe_model *m, const lithe_state *s, int r)
{
    return s->command[r] == LITHE_DISPLACEMENT && !row_is_parameter(&m->row[r]) &&
           s->now.effort[r] > m->row[r].effort_limit[0] &&
           s->now.effort[r] < m->row[r].effort_limit[1];
}

int step_taut_rows(const lithe_model *m, const lithe_state *s)
{
    int taut = 0;
    for (int r = 0; r < m->nact; r++)
        taut += step_is_taut(m, s, r);
    return taut;
}

// A = L D L'. An exact tangent that is not positive definite may still serve a forward step whose
// displacement commands hold the unstable modes back; step_solve finds out.
lithe_status step_factor(const lithe_model *m, lithe_state *s)
{
    int body_id = 0, node = 0;
    double start = clock_now();
    factor_bodies(m, s, &body_id, &node);
    if (!s->singular)
        LITHE_TRY(couple_bodies(m, s));
    timed(&s->time.factor, start);
    bool good = !s->singular && (s->positive ? s->clamped : s->negative) == 0;
    s->held = s->command && s->negative > 0 ? step_taut_rows(m, s) : 0; // a forge has no commands
    s->saddle = !good && !s->singular && !s->positive && !s->task.inverse && s->negative <= s->held;
    s->indefinite = !good && !s->saddle;
    if (s->indefinite)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the stiffness is singular at node %d of body '%s': is that part held?",
                          node, m->body[body_id].name);
    return LITHE_OK;
}

// J at s->now, or the rotations since the shape that the factor is of.
static const double *jacobian(const lithe_state *s, const body *b)
{
    return s->warp ? s->warp + 9 * (size_t)b->node_adr : body_jacobian(b, s->now.J);
}

void step_solve_body(const lithe_model *m, lithe_state *s, int k, const double *f, double *dq)
{
    const body *b = &m->body[k];
    const double *J = body_jacobian(b, s->now.J);
    double *y = s->rhs[k];
    b->space->gather(b, J, f + 3 * (size_t)b->node_adr, 1, y);
    b->space->forward(b, &s->tangent[k], 1, 0, NULL, y);
    b->space->backward(b, &s->tangent[k], 1, y);
    b->space->spread(b, J, y, dq + b->q_adr);
}

// force += the rows' geometric stiffness times a displacement.
static void stiffness_of_rows(const lithe_model *m, const lithe_state *s,
                              const double *displacement, double *force)
{
    for (int r = 0; r < m->nact; r++)
        row_stiffness_times(&m->row[r], s->now.x, s->now.effort[r], displacement, force);
}

// y = L^-1 r: the force that is out of balance, with held nodes already gone where they are going.
lithe_status step_free(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    memset(s->dx, 0, 3 * (size_t)m->nnode * sizeof *s->dx); // overwritten by step_correct
    if (s->slipping) {
        stiffness_of_rows(m, s, s->slip, s->dx);
        motion_times(m, s, s->slip, s->dx);
    }
    if (s->slipping || contact_moving(s))
        contact_times(m, s, s->slip, s->dx);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        double *r = s->dx + at;
        if (s->slipping)
            body_stiffness_times(b, &s->work[k], s->slip + at, r);
        for (int i = 0; i < 3 * b->nnode; i++)
            r[i] = s->now.external[at + (size_t)i] + s->now.pull[at + (size_t)i] -
                   s->now.internal[at + (size_t)i] - s->now.inertial[at + (size_t)i] - r[i];
        b->space->gather(b, jacobian(s, b), r, 1, s->rhs[k]);
        b->space->forward(b, &s->tangent[k], 1, 0, NULL, s->rhs[k]);
    }
    return timed(&s->time.free, start);
}

static void scatter_row(const lithe_model *m, lithe_state *s, int k, int r)
{
    const body *b = &m->body[k];
    const double *J = jacobian(s, b), *H = &s->now.H[3 * (size_t)m->row_adr[r]];
    for (int i = 0; i < m->row[r].nnode; i++) {
        int node = m->row[r].node[i] - b->node_adr;
        if (node >= 0 && node < b->nnode)
            b->space->scatter(b, J, node, &H[3 * i], s->ncol, &s->columns[k][r]);
    }
}

// The force that a parameter brings per unit of it: less the internal force that grows with a
// modulus, or that arises where held nodes slide.
static void scatter_parameter(const lithe_model *m, lithe_state *s, int k, int r)
{
    const row_region *region = &m->row[r].region;
    const body *b = &m->body[k];
    if (region->body != k)
        return;
    size_t at = 3 * (size_t)b->node_adr, n = 3 * (size_t)m->nnode;
    memset(s->nodal, 0, 2 * n * sizeof *s->nodal);
    double *force = s->nodal + at, *moved = s->nodal + n + at;
    if (m->row[r].kind == ROW_MODULUS) {
        body_region_force(b, &s->work[k], region->n, region->member, force);
    } else {
        for (int i = 0; i < region->n; i++)
            memcpy(&moved[3 * region->member[i]], region->axis, sizeof region->axis);
        body_stiffness_times(b, &s->work[k], moved, force);
        stiffness_of_rows(m, s, s->nodal + n, s->nodal);
        motion_times(m, s, s->nodal + n, s->nodal);
        contact_times(m, s, s->nodal + n, s->nodal);
    }
    for (int i = 0; i < 3 * b->nnode; i++)
        force[i] = -force[i];
    b->space->gather(b, jacobian(s, b), force, s->ncol, &s->columns[k][r]);
}

// In a forward step a parameter is where it was told before anything is solved, so it has no
// column.
static void scatter_columns(const lithe_model *m, lithe_state *s, int k)
{
    size_t width = 3 * (size_t)s->ncol, end = (size_t)m->body[k].nline * (size_t)s->ncol;
    for (int i = 0; i < s->reach[k].nblock; i++) {
        size_t at = width * (size_t)s->reach[k].block[i];
        memset(s->columns[k] + at, 0, (end - at < width ? end - at : width) * sizeof(double));
    }
    for (int r = 0; r < s->ncol; r++)
        if (!row_is_parameter(&m->row[r]))
            scatter_row(m, s, k, r);
        else if (s->task.inverse)
            scatter_parameter(m, s, k, r);
}

// What row r measures when held nodes move as given.
static double held_motion(const lithe_model *m, const lithe_state *s, int r,
                          const double *displacement)
{
    double sum = 0;
    for (int i = 0; i < m->row[r].nnode; i++)
        sum += vec_dot(&s->now.H[3 * ((size_t)m->row_adr[r] + (size_t)i)],
                       &displacement[3 * m->row[r].node[i]]);
    return sum;
}

// What row r measures before anything moves but held nodes.
static double delta_held(const lithe_model *m, const lithe_state *s, int r)
{
    return s->now.delta[r] + (s->slipping && r < s->ncol ? held_motion(m, s, r, s->slip) : 0);
}

// delta += Y' D^-1 y over coordinates of a body.
static void add_motion(space_span span, int ncol, const double *inverse, const double *y,
                       const double *Y, double *restrict delta)
{
    Y += (size_t)span.first * (size_t)ncol;
    for (int i = span.first; i < span.last; i++, Y += ncol) {
        double scaled = inverse[i] * y[i];
        for (int r = 0; r < ncol; r++)
            delta[r] += Y[r] * scaled;
    }
}

// Contacts look at all coordinates.
static void clear_between(const lithe_state *s, int k, int end)
{
    const step_reach *reach = &s->reach[k];
    size_t width = (size_t)s->ncol, at = 0;
    for (int i = 0; i <= reach->n; i++) {
        size_t first = (size_t)(i < reach->n ? reach->span[i].first : end);
        memset(s->columns[k] + at * width, 0, (first - at) * width * sizeof(double));
        at = i < reach->n ? (size_t)reach->span[i].last : first;
    }
}

// Y = L^-1 G', and what the rows measure after the free motion: delta_free = delta + H dx_free =
// delta + Y' D^-1 y.
lithe_status step_rows(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    s->ncol = s->task.inverse ? m->nrow : m->nact;
    for (int r = 0; r < m->nrow; r++)
        s->delta_free[r] = delta_held(m, s, r);
    for (int k = 0; k < m->nbody && s->ncol > 0; k++) {
        const body *b = &m->body[k];
        step_reach *reach = &s->reach[k];
        scatter_columns(m, s, k);
        b->space->forward(b, &s->tangent[k], s->ncol, reach->nblock, reach->block, s->columns[k]);
        reach->n = b->space->reach(b, &s->tangent[k], reach->span);
        if (m->contact.on)
            clear_between(s, k, b->nline);
        for (int i = 0; i < reach->n; i++)
            add_motion(reach->span[i], s->ncol, b->space->inverse_pivots(&s->tangent[k]), s->rhs[k],
                       s->columns[k], s->delta_free);
    }
    contact_rows_free_motion(m, s);
    for (int r = 0; r < m->nact; r++)
        if (row_is_parameter(&m->row[r])) // its columns are forces, not what it measures
            s->delta_free[r] = delta_held(m, s, r);
    return timed(&s->time.rows, start);
}

const double *step_carried(const lithe_model *m, lithe_state *s, int r)
{
    const row_region *region = &m->row[r].region;
    if (m->row[r].kind != ROW_SLIDER || !s->task.inverse)
        return NULL;
    memset(s->nodal, 0, 3 * (size_t)m->nnode * sizeof *s->nodal);
    for (int i = 0; i < region->n; i++)
        memcpy(&s->nodal[3 * (m->body[region->body].node_adr + region->member[i])], region->axis,
               sizeof region->axis);
    return s->nodal;
}

// What parameters do to rows besides their force: held nodes that slide carry rows with them; a
// parameter measures itself.
static void condense_parameters(const lithe_model *m, lithe_state *s)
{
    int n = m->nact;
    for (int c = 0; c < n; c++) {
        if (!row_is_parameter(&m->row[c]))
            continue;
        for (int r = 0; r < n; r++)
            if (row_is_parameter(&m->row[r]))
                s->W[r * n + c] = 0;
        const double *way = step_carried(m, s, c);
        for (int r = 0; r < s->ncol && way; r++)
            s->W[r * n + c] += held_motion(m, s, r, way);
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (row_is_parameter(&m->row[r]) && r != c)
                s->W[r * n + c] = 0;
}

// What one coordinate adds to W. Most columns reach few coordinates.
static void condense_coordinate(lithe_state *s, int n, const double *Y, double inverse)
{
    for (int r = 0; r < s->ncol; r++) {
        if (Y[r] == 0)
            continue;
        double scaled = inverse * Y[r], *W = &s->W[r * n];
        for (int c = 0; c < n; c++) // of W_aa the upper half is overwritten by the lower one
            W[c] += scaled * Y[c];
    }
}

static void condense_body(const lithe_model *m, lithe_state *s, int k)
{
    int n = m->nact;
    const double *inverse = m->body[k].space->inverse_pivots(&s->tangent[k]);
    for (int j = 0; j < s->reach[k].n && s->ncol > 0; j++)
        for (int i = s->reach[k].span[j].first; i < s->reach[k].span[j].last; i++)
            condense_coordinate(s, n, &s->columns[k][(size_t)i * (size_t)s->ncol], inverse[i]);
}

// W = H A^-1 G' + diag(c) = Y' D^-1 Y + diag(c), summed over bodies: forward solves only
// [coevoet2019, eq. 3.13]
lithe_status step_condense(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    int n = m->nact;
    memset(s->W, 0, (size_t)s->ncol * (size_t)n * sizeof *s->W);
    for (int k = 0; k < m->nbody; k++)
        condense_body(m, s, k);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < r; c++)
            s->W[c * n + r] = s->W[r * n + c];
    contact_condense(m, s);
    condense_parameters(m, s);
    for (int r = 0; r < n; r++)
        s->W[r * n + r] += m->row[r].compliance;
    return timed(&s->time.condense, start);
}

lithe_status step_solve(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    lithe_status status = s->task.inverse ? inverse_solve(m, s) : forward_solve(m, s);
    timed(&s->time.solve, start);
    return s->indefinite ? LITHE_NOT_CONVERGED : status;
}

// Held coordinates go where loads and sliders take them.
static void move_held(const lithe_model *m, lithe_state *s)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->only_held(b, s->slip_q + b->q_adr, s->dq + b->q_adr);
    }
    for (int r = 0; r < m->nact && s->task.inverse; r++)
        if (m->row[r].kind == ROW_SLIDER)
            step_slide(m, r, s->target[r] - s->now.effort[r], s->dq);
}

// y += Y dlambda
static void add_efforts(const lithe_model *m, lithe_state *s, int k, space_span span)
{
    const double *Y = &s->columns[k][(size_t)span.first * (size_t)s->ncol];
    for (int i = span.first; i < span.last; i++, Y += s->ncol)
        for (int r = 0; r < m->nact; r++)
            s->rhs[k][i] += Y[r] * (s->target[r] - s->now.effort[r]);
}

// dx = A^-1 (r + H' dlambda) = L'^-1 D^-1 (y + Y dlambda): the one backward solve
lithe_status step_correct(const lithe_model *m, lithe_state *s)
{
    double start = clock_now();
    for (int k = 0; k < m->nbody; k++)
        for (int j = 0; j < s->reach[k].n && s->ncol > 0; j++)
            add_efforts(m, s, k, s->reach[k].span[j]);
    contact_correct(m, s);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->backward(b, &s->tangent[k], 1, s->rhs[k]);
        b->space->spread(b, jacobian(s, b), s->rhs[k], s->dq + b->q_adr);
    }
    move_held(m, s);
    step_push(m, s->now.J, s->dq, s->dx);
    return timed(&s->time.correct, start);
}
