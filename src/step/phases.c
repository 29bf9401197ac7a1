// One pass of the pipeline: the Newton direction at s->now, towards the aim.
#include "step/phases.h"
#include "base/clock.h"
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/inverse.h"

#include <string.h>

static void assemble_body(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    size_t at = 3 * (size_t)b->node_adr;
    if (!s->is_ahead)
        body_elastic(b, &s->work[k], s->now.x + at, s->stiffness[k],
                     s->found.clamped ? ELEMENT_POSITIVE : ELEMENT_EXACT, s->threads,
                     s->now.internal + at, s->K[k]);
    memset(s->now.external + at, 0, 3 * (size_t)b->nnode * sizeof(double));
    body_loads(b, s->aim_load, s->motion.time, s->now.x + at, s->now.external + at,
               s->found.clamped ? NULL : s->K[k]);
    motion_assemble(m, s, k);
}

static lithe_status phase_assemble(const lithe_model *m, lithe_state *s, step_problem problem)
{
    (void)problem;
    point_apply_moduli(m, &s->now, s);
    s->is_ahead = s->is_ahead && !s->found.clamped &&
                  memcmp(s->ahead, s->now.x, 3 * (size_t)m->nnode * sizeof *s->ahead) == 0;
    for (int k = 0; k < m->nbody; k++)
        assemble_body(m, s, k);
    s->is_ahead = false;
    for (int r = 0; r < m->nact; r++)
        row_stiffness(&m->row[r], s->now.x, s->now.effort[r], s->found.clamped, s->K);
    LITHE_TRY(contact_stiffness(m, s));
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        if (b->nJ > 0)
            point_out_of_balance(b, &s->now, s->nodal);
        b->space->assemble(b, s->now.q + b->q_adr, body_jacobian(b, s->now.J),
                           s->found.clamped || b->nJ == 0 ? NULL : s->nodal, &s->tangent[k]);
    }
    return LITHE_OK;
}

// What one body, or what couples them, adds to what is known of A.
typedef struct factor_report {
    int negative;
    bool singular;
    int body, node; // where it could not be factored
} factor_report;

static factor_report factor_bodies(const lithe_model *m, lithe_state *s)
{
    factor_report sum = {0};
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        space_report report = b->space->factor(b, &s->tangent[k], s->threads);
        sum.negative += report.negative;
        sum.singular = sum.singular || report.singular;
        if (report.negative || report.singular) {
            sum.body = k;
            sum.node = report.node;
        }
    }
    return sum;
}

// What couples bodies may hold their negative modes, or bring new ones.
static lithe_status couple_bodies(const lithe_model *m, lithe_state *s, factor_report *sum)
{
    int negative = 0;
    lithe_status status = contact_couple(m, s, &negative);
    sum->negative += negative;
    sum->singular = status == LITHE_NOT_CONVERGED;
    return sum->singular ? LITHE_OK : status;
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

static tangent_use use_of(const lithe_state *s, step_problem problem, const factor_report *sum)
{
    if (sum->singular)
        return TANGENT_SINGULAR;
    if (sum->negative == 0)
        return TANGENT_GOOD;
    bool may_be_held = !s->found.clamped && problem == STEP_FORWARD;
    return may_be_held && sum->negative <= s->found.held ? TANGENT_SADDLE : TANGENT_INDEFINITE;
}

// A = L D L'. An exact tangent that is not positive definite may still serve a forward step whose
// displacement commands hold the unstable modes back; phase_solve finds out.
static lithe_status phase_factor(const lithe_model *m, lithe_state *s, step_problem problem)
{
    factor_report sum = factor_bodies(m, s);
    if (!sum.singular)
        LITHE_TRY(couple_bodies(m, s, &sum));
    if (!s->found.clamped)
        s->found.negative = sum.negative;
    s->found.held =
        s->command && s->found.negative > 0 ? step_taut_rows(m, s) : 0; // not in a forge
    s->found.use = use_of(s, problem, &sum);
    if (s->found.use < TANGENT_INDEFINITE)
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "the stiffness is singular at node %d of body '%s': is that part held?",
                      sum.node, m->body[sum.body].name);
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
static lithe_status phase_free(const lithe_model *m, lithe_state *s, step_problem problem)
{
    (void)problem;
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
    return LITHE_OK;
}

static void scatter_row(const lithe_model *m, lithe_state *s, int k, int r)
{
    const body *b = &m->body[k];
    const double *J = jacobian(s, b), *H = &s->now.H[3 * (size_t)m->row_adr[r]];
    for (int i = 0; i < m->row[r].nnode; i++) {
        int node = m->row[r].node[i] - b->node_adr;
        if (node >= 0 && node < b->nnode)
            panel_add(b, J, node, &H[3 * i], r, &s->rows[k]);
    }
}

// The force that a parameter brings per unit of it: less the internal force that grows with a
// modulus, or that arises where held nodes slide.
static void scatter_parameter(const lithe_model *m, lithe_state *s, int k, int r)
{
    const body *b = &m->body[k];
    if (row_region_body(&m->row[r]) != k)
        return;
    size_t at = 3 * (size_t)b->node_adr, n = 3 * (size_t)m->nnode;
    double *force = s->nodal, *moved = s->nodal + n;
    memset(s->nodal, 0, 2 * n * sizeof *s->nodal);
    row_region_force(&m->row[r], b, &s->work[k], force + at);
    if (row_drives_support(&m->row[r])) {
        row_slide_nodes(&m->row[r], m->body, 1, moved);
        body_stiffness_times(b, &s->work[k], moved + at, force + at);
        stiffness_of_rows(m, s, moved, force);
        motion_times(m, s, moved, force);
        contact_times(m, s, moved, force);
    }
    for (size_t i = at; i < at + 3 * (size_t)b->nnode; i++)
        force[i] = -force[i];
    panel_gather(b, jacobian(s, b), force + at, r, &s->rows[k]);
}

// In a forward step a parameter is where it was told before anything is solved, so it has no
// column.
static void scatter_rows(const lithe_model *m, lithe_state *s, step_problem problem, int k)
{
    panel_begin(&m->body[k], s->ncol, &s->rows[k]);
    for (int r = 0; r < s->ncol; r++)
        if (!row_is_parameter(&m->row[r]))
            scatter_row(m, s, k, r);
        else if (problem == STEP_INVERSE)
            scatter_parameter(m, s, k, r);
}

// What row r measures before anything moves but held nodes.
static double delta_held(const lithe_model *m, const lithe_state *s, int r)
{
    return s->now.delta[r] +
           (s->slipping && r < s->ncol ? point_row_rate(m, &s->now, r, s->slip) : 0);
}

// Y = L^-1 G', and what the rows measure after the free motion: delta_free = delta + H dx_free =
// delta + Y' D^-1 y.
static lithe_status phase_rows(const lithe_model *m, lithe_state *s, step_problem problem)
{
    s->ncol = problem == STEP_INVERSE ? m->nrow : m->nact;
    for (int r = 0; r < m->nrow; r++)
        s->delta_free[r] = delta_held(m, s, r);
    for (int k = 0; k < m->nbody && s->ncol > 0; k++) {
        scatter_rows(m, s, problem, k);
        panel_solve(&m->body[k], &s->tangent[k], &s->rows[k]);
        panel_project(&m->body[k], &s->tangent[k], &s->rows[k], s->rhs[k], s->delta_free);
    }
    contact_rows_free_motion(m, s);
    for (int r = 0; r < m->nact; r++)
        if (row_is_parameter(&m->row[r])) // its columns are forces, not what it measures
            s->delta_free[r] = delta_held(m, s, r);
    return LITHE_OK;
}

// The motion of all nodes that one unit of slider r brings; NULL: it is none.
static const double *carried(const lithe_model *m, lithe_state *s, int r)
{
    if (!row_drives_support(&m->row[r]))
        return NULL;
    memset(s->nodal, 0, 3 * (size_t)m->nnode * sizeof *s->nodal);
    row_slide_nodes(&m->row[r], m->body, 1, s->nodal);
    return s->nodal;
}

// What parameters do to rows besides their force: held nodes that slide carry rows with them; a
// parameter measures itself.
static void condense_parameters(const lithe_model *m, lithe_state *s, step_problem problem)
{
    int n = m->nact;
    for (int c = 0; c < n; c++) {
        if (!row_is_parameter(&m->row[c]))
            continue;
        for (int r = 0; r < n; r++)
            if (row_is_parameter(&m->row[r]))
                s->W[r * n + c] = 0;
        const double *way = problem == STEP_INVERSE ? carried(m, s, c) : NULL;
        for (int r = 0; r < s->ncol && way; r++)
            s->W[r * n + c] += point_row_rate(m, &s->now, r, way);
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (row_is_parameter(&m->row[r]) && r != c)
                s->W[r * n + c] = 0;
}

// W = H A^-1 G' + diag(c) = Y' D^-1 Y + diag(c), summed over bodies: forward solves only
// [coevoet2019, eq. 3.13]
static lithe_status phase_condense(const lithe_model *m, lithe_state *s, step_problem problem)
{
    int n = m->nact;
    memset(s->W, 0, (size_t)s->ncol * (size_t)n * sizeof *s->W);
    for (int k = 0; k < m->nbody && s->ncol > 0; k++) // of W_aa the upper half is overwritten
        panel_multiply(&m->body[k], &s->tangent[k], &s->rows[k], n, &s->rows[k], (size_t)n, s->W);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < r; c++)
            s->W[c * n + r] = s->W[r * n + c];
    contact_condense(m, s);
    condense_parameters(m, s, problem);
    for (int r = 0; r < n; r++)
        s->W[r * n + r] += m->row[r].compliance;
    return LITHE_OK;
}

static lithe_status phase_solve(const lithe_model *m, lithe_state *s, step_problem problem)
{
    return problem == STEP_INVERSE ? inverse_solve(m, s) : forward_solve(m, s);
}

// Held coordinates go where loads and sliders take them.
static void move_held(const lithe_model *m, lithe_state *s, step_problem problem)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->only_held(b, s->slip_q + b->q_adr, s->dq + b->q_adr);
    }
    for (int r = 0; r < m->nact && problem == STEP_INVERSE; r++)
        row_slide(&m->row[r], m->body, s->target[r] - s->now.effort[r], s->dq);
}

// dx = A^-1 (r + H' dlambda) = L'^-1 D^-1 (y + Y dlambda): the one backward solve
static lithe_status phase_correct(const lithe_model *m, lithe_state *s, step_problem problem)
{
    double *change = s->bounds;
    for (int r = 0; r < m->nact; r++)
        change[r] = s->target[r] - s->now.effort[r];
    for (int k = 0; k < m->nbody && s->ncol > 0; k++)
        panel_spread(&m->body[k], &s->rows[k], m->nact, change, s->rhs[k]);
    contact_correct(m, s);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->backward(b, &s->tangent[k], 1, s->rhs[k]);
        b->space->spread(b, jacobian(s, b), s->rhs[k], s->dq + b->q_adr);
    }
    move_held(m, s, problem);
    step_push(m, s->now.J, s->dq, s->dx);
    return LITHE_OK;
}

typedef struct phase_entry {
    lithe_status (*run)(const lithe_model *m, lithe_state *s, step_problem problem);
    size_t time; // where lithe_phase_time has it
} phase_entry;

static const phase_entry phases[PHASES] = {
    [PHASE_ASSEMBLE] = {phase_assemble, offsetof(lithe_phase_time, assemble)},
    [PHASE_FACTOR] = {phase_factor, offsetof(lithe_phase_time, factor)},
    [PHASE_FREE] = {phase_free, offsetof(lithe_phase_time, free)},
    [PHASE_ROWS] = {phase_rows, offsetof(lithe_phase_time, rows)},
    [PHASE_CONDENSE] = {phase_condense, offsetof(lithe_phase_time, condense)},
    [PHASE_SOLVE] = {phase_solve, offsetof(lithe_phase_time, solve)},
    [PHASE_CORRECT] = {phase_correct, offsetof(lithe_phase_time, correct)},
};

lithe_status step_phases(const lithe_model *m, lithe_state *s, step_problem problem,
                         step_phase from, step_phase to)
{
    for (int k = (int)from; k <= (int)to; k++) {
        double start = clock_now();
        lithe_status status = phases[k].run(m, s, problem);
        *(double *)((char *)&s->time + phases[k].time) += clock_now() - start;
        if (status != LITHE_OK)
            return status;
    }
    return LITHE_OK;
}

lithe_status step_tangent(const lithe_model *m, lithe_state *s, step_problem problem, bool clamped)
{
    s->found.clamped = clamped;
    return step_phases(m, s, problem, PHASE_ASSEMBLE, PHASE_FACTOR);
}

static lithe_status pass(const lithe_model *m, lithe_state *s, step_problem problem, bool clamped)
{
    LITHE_TRY(step_tangent(m, s, problem, clamped));
    return step_phases(m, s, problem, PHASE_FREE, PHASE_CORRECT);
}

// Where the exact tangent is of no use it may lead to a maximum or a saddle. Then a clamped
// tangent, which is positive definite, takes its place: same equilibria, safe direction, slower.
lithe_status step_pass(const lithe_model *m, lithe_state *s, step_problem problem)
{
    lithe_status status = pass(m, s, problem, false);
    return s->found.use < TANGENT_INDEFINITE ? status : pass(m, s, problem, true);
}
