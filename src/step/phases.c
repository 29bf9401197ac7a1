// One pass of the pipeline: the Newton direction at s->now, towards the aim.
#include "step/phases.h"

#include "base/clock.h"
#include "base/eigen.h"
#include "base/vec.h"
#include "solve/box.h"
#include "solve/dense.h"
#include "step/async.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/newton.h"
#include "step/reuse.h"
#include "step/tolerances.h"

#include <string.h>

// Is the factor at hand the one to take? Asynchronous steps have no other.
static bool has_factor(const lithe_state *s)
{
    return s->tangent.keep || s->tangent.again || s->async;
}

// Contacts in A change fast, so factors with them are made in every pass, and of the others where
// there is none that serves.
static void choose_fresh(const lithe_model *m, lithe_state *s)
{
    step_tangent *t = &s->tangent;
    for (int k = 0; k < m->nbody; k++)
        t->fresh[k] = !has_factor(s) || (t->keep && t->met[k]);
    contact_mark(m, s, t->fresh);
}

static int count_fresh(const lithe_model *m, const lithe_state *s)
{
    int n = 0;
    for (int k = 0; k < m->nbody; k++)
        n += s->tangent.fresh[k];
    return n;
}

static lithe_status phase_assemble(const lithe_model *m, lithe_state *s, step_problem problem)
{
    (void)problem;
    body_loading loads = state_loading(s);
    s->tangent.again = !s->tangent.keep && !s->tangent.found.clamped && reuse_is_exact(m, s);
    s->tangent.found.flat = s->tangent.found.flat && s->tangent.keep;
    choose_fresh(m, s);
    if (count_fresh(m, s) == 0)
        return contact_stiffness(m, s);
    tangent_elements(m, &s->now, &loads, &s->tangent);
    for (int k = 0; k < m->nbody; k++)
        if (s->tangent.fresh[k])
            motion_assemble(m, s, k);
    tangent_efforts(m, &s->now, &s->tangent);
    LITHE_TRY(contact_stiffness(m, s));
    tangent_pull_back(m, &s->now, s->nodal, &s->tangent);
    return LITHE_OK;
}

// What couples bodies may hold their negative modes, or bring new ones. Where taut rows cannot hold
// as many it goes without its curvature: that may be all that is wrong, and factors serve.
static lithe_status couple_bodies(const lithe_model *m, lithe_state *s, int taut,
                                  tangent_report *sum)
{
    step_finding *found = &s->tangent.found;
    int negative = 0;
    lithe_status status = contact_couple(m, s, &negative);
    bool too_many = negative > 0 && sum->negative + negative > taut;
    if (status == LITHE_OK && too_many && !found->clamped && !found->flat) {
        found->flat = true;
        found->negative = sum->negative + negative;
        status = contact_flatten(m, s, &negative);
    }
    sum->negative += negative;
    sum->singular = status == LITHE_NOT_CONVERGED;
    sum->body = sum->singular ? -1 : sum->body;
    return sum->singular ? LITHE_OK : status;
}

// Rows whose displacement is held, each of which can hold one unstable mode back; those of joints,
// which hold at any cost, apart.
bool step_is_taut(const lithe_model *m, const lithe_state *s, int r)
{
    return r < m->njoined && s->command[r] == LITHE_DISPLACEMENT && !row_is_parameter(&m->row[r]) &&
           s->now.effort[r] > s->limit[r].effort[0] && s->now.effort[r] < s->limit[r].effort[1];
}

int step_taut_rows(const lithe_model *m, const lithe_state *s)
{
    int taut = 0;
    for (int r = 0; r < m->nact; r++)
        taut += step_is_taut(m, s, r);
    return taut;
}

const double *step_jacobian(const lithe_state *s, const body *b)
{
    return s->warp ? s->warp + 9 * (size_t)b->node_adr : body_jacobian(b, s->now.J);
}

// force += the rows' geometric stiffness times a displacement.
static void stiffness_of_rows(const lithe_model *m, const lithe_state *s,
                              const double *displacement, double *force)
{
    for (int r = 0; r < m->nact; r++)
        row_stiffness_times(&m->row[r], s->now.x, s->now.effort[r], displacement, force);
}

// r: the force that is out of balance, with held nodes already gone where they are going.
static void find_imbalance(const lithe_model *m, lithe_state *s)
{
    memset(s->pass.dx, 0,
           3 * (size_t)m->nnode * sizeof *s->pass.dx); // overwritten by phase_correct
    if (s->supports_move) {
        stiffness_of_rows(m, s, s->support, s->pass.dx);
        motion_times(m, s, s->support, s->pass.dx);
    }
    if (s->supports_move || contact_moving(s))
        contact_times(m, s, s->support, s->pass.dx);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        double *r = s->pass.dx + at;
        if (s->supports_move && b->moves) // of others nothing is kept, and nothing is asked
            body_stiffness_times(b, &s->tangent.work[k], s->support + at, r);
        for (int i = 0; i < 3 * b->nnode; i++)
            r[i] = s->now.external[at + (size_t)i] + s->now.pull[at + (size_t)i] -
                   s->now.internal[at + (size_t)i] - s->now.inertial[at + (size_t)i] - r[i];
        b->space->gather(b, step_jacobian(s, b), r, 1, s->pass.rhs[k]);
    }
}

// A = L D L'. An exact tangent that is not positive definite may still serve where displacement
// commands hold the unstable modes back, of a forward step or of the proposal of an inverse one;
// phase_solve and phase_condense find out.
static lithe_status phase_factor(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_finding *found = &s->tangent.found;
    bool kept = has_factor(s);
    if (!kept)
        s->tangent.source.made = s->tangent.source.known = false;
    if (!s->tangent.keep)
        s->tangent.gone = 0;
    s->tangent.forwarded = s->tangent.along && !kept;
    if (s->tangent.forwarded)
        find_imbalance(m, s);
    tangent_report sum = tangent_factor(m, &s->tangent, s->tangent.forwarded ? s->pass.rhs : NULL);
    for (int k = 0; k < m->nbody; k++)
        s->tangent.met[k] = s->tangent.met[k] && !s->tangent.fresh[k];
    contact_mark(m, s, s->tangent.met);
    int joined = m->nact - m->njoined, taut = step_taut_rows(m, s) + joined;
    bool displaced = problem == STEP_FORWARD || s->task.displaced;
    int holding = displaced ? taut : joined;
    if (!sum.singular)
        LITHE_TRY(couple_bodies(m, s, holding, &sum));
    lithe_status status = tangent_judge(m, &sum, holding, &s->tangent, &s->report);
    found->held = found->negative > 0 ? taut : 0;
    if (!s->tangent.keep && !s->async)
        reuse_remember(m, s);
    return status;
}

void step_solve_body(const lithe_model *m, lithe_state *s, int k, const double *f, double *dq)
{
    const body *b = &m->body[k];
    const double *J = body_jacobian(b, s->now.J);
    double *y = s->pass.rhs[k];
    b->space->gather(b, J, f + 3 * (size_t)b->node_adr, 1, y);
    b->space->forward(b, &s->tangent.of[k], 1, 0, NULL, y);
    b->space->backward(b, &s->tangent.of[k], 1, y);
    b->space->spread(b, J, y, dq + b->q_adr);
}

// y = L^-1 r, unless that went with the factorization
static lithe_status phase_free(const lithe_model *m, lithe_state *s, step_problem problem)
{
    (void)problem;
    if (!s->tangent.forwarded) {
        find_imbalance(m, s);
        for (int k = 0; k < m->nbody; k++)
            m->body[k].space->forward(&m->body[k], &s->tangent.of[k], 1, 0, NULL, s->pass.rhs[k]);
    }
    s->tangent.forwarded = false;
    return LITHE_OK;
}

static void scatter_row(const lithe_model *m, lithe_state *s, int k, int r)
{
    const body *b = &m->body[k];
    const double *J = step_jacobian(s, b), *H = &s->now.H[3 * (size_t)m->row_adr[r]];
    for (int i = 0; i < m->row[r].nnode; i++) {
        int node = m->row[r].node[i] - b->node_adr;
        if (node >= 0 && node < b->nnode)
            row_panels_add(b, J, node, &H[3 * i], r, &s->pass.rows[k]);
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
    row_region_force(&m->row[r], b, &s->tangent.work[k], force + at);
    if (row_drives_support(&m->row[r])) {
        row_slide_nodes(&m->row[r], m->body, 1, moved);
        body_stiffness_times(b, &s->tangent.work[k], moved + at, force + at);
        stiffness_of_rows(m, s, moved, force);
        motion_times(m, s, moved, force);
        contact_times(m, s, moved, force);
    }
    for (size_t i = at; i < at + 3 * (size_t)b->nnode; i++)
        force[i] = -force[i];
    row_panels_gather(b, step_jacobian(s, b), force + at, r, &s->pass.rows[k]);
}

// In a forward step a parameter is where it was told before anything is solved, so it has no
// column.
static void scatter_rows(const lithe_model *m, lithe_state *s, step_problem problem, int k)
{
    row_panels_begin(&m->body[k], s->pass.ncol, &s->pass.rows[k]);
    for (int r = 0; r < s->pass.ncol; r++)
        if (!row_is_parameter(&m->row[r]))
            scatter_row(m, s, k, r);
        else if (problem == STEP_INVERSE)
            scatter_parameter(m, s, k, r);
}

// What row r measures before anything moves but held nodes.
static double delta_held(const lithe_model *m, const lithe_state *s, int r)
{
    return s->now.delta[r] +
           (s->supports_move && r < s->pass.ncol ? point_row_rate(m, &s->now, r, s->support) : 0);
}

// Y = L^-1 G', and what the rows measure after the free motion: delta_free = delta + H dx_free =
// delta + Y' D^-1 y.
static lithe_status phase_rows(const lithe_model *m, lithe_state *s, step_problem problem)
{
    s->pass.ncol = problem == STEP_INVERSE ? m->nrow : m->nact;
    for (int r = 0; r < m->nrow; r++)
        s->pass.delta_free[r] = delta_held(m, s, r);
    for (int k = 0; k < m->nbody && s->pass.ncol > 0; k++) {
        if (!s->tangent.chord || s->tangent.fresh[k]) {
            scatter_rows(m, s, problem, k);
            row_panels_solve(&m->body[k], &s->tangent.of[k], &s->pass.rows[k]);
        }
        row_panels_project(&m->body[k], &s->tangent.of[k], &s->pass.rows[k], s->pass.rhs[k],
                           s->pass.delta_free);
    }
    contact_rows_free_motion(m, s);
    for (int r = 0; r < m->nact; r++)
        if (row_is_parameter(&m->row[r])) // its columns are forces, not what it measures
            s->pass.delta_free[r] = delta_held(m, s, r);
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
                s->pass.W[r * n + c] = 0;
        const double *way = problem == STEP_INVERSE ? carried(m, s, c) : NULL;
        for (int r = 0; r < s->pass.ncol && way; r++)
            s->pass.W[r * n + c] += point_row_rate(m, &s->now, r, way);
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++)
            if (row_is_parameter(&m->row[r]) && r != c)
                s->pass.W[r * n + c] = 0;
}

// W_CC over the rows whose displacement is held: as many negative eigenvalues as it has, so many
// negative modes of A do these hold [gould1985].
static void gather_taut(const lithe_model *m, const lithe_state *s, double *W_CC)
{
    int n = m->nact, k = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n && step_is_taut(m, s, r); c++)
            if (step_is_taut(m, s, c))
                W_CC[k++] = s->pass.W[r * n + c];
}

static int count_held(const lithe_model *m, lithe_state *s)
{
    gather_taut(m, s, s->square);
    return eigen_negative(step_taut_rows(m, s), s->square, s->bounds) +
           eliminate_negative(&s->pass.joints);
}

// What joints hold is out of the problem from here on.
static lithe_status take_joints_out(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_finding *found = &s->tangent.found;
    if (m->njoined == m->nact)
        return LITHE_OK;
    bool solved = eliminate(&s->pass.joints, s->pass.ncol, s->pass.W, s->pass.delta_free, s->aim);
    bool held = found->use != TANGENT_SADDLE || problem == STEP_FORWARD || s->task.displaced ||
                eliminate_negative(&s->pass.joints) == found->negative;
    if (solved && held)
        return LITHE_OK;
    found->use = TANGENT_INDEFINITE;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      solved ? "what the joints let move is not held there"
                             : "the joints contradict each other there");
}

// Y' D^-1 Y of some bodies; of W_aa at least the lower half.
static void square(const lithe_model *m, lithe_state *s, bool kept, double *W)
{
    for (int k = 0; k < m->nbody && s->pass.ncol > 0; k++)
        if (s->pass.kept[k] == kept)
            row_panels_square(&m->body[k], &s->tangent.of[k], &s->pass.rows[k], m->nact, W);
}

// … of all, and apart of those whose columns the next pass may keep.
static void square_all(const lithe_model *m, lithe_state *s)
{
    size_t bytes = (size_t)s->pass.ncol * (size_t)m->nact * sizeof *s->pass.W;
    bool same = s->tangent.chord;
    for (int k = 0; k < m->nbody; k++) {
        same = same && s->pass.kept[k] == !s->tangent.fresh[k];
        s->pass.kept[k] = s->tangent.chord ? !s->tangent.fresh[k] : !s->tangent.met[k];
    }
    if (!same) {
        memset(s->pass.W_kept, 0, bytes);
        square(m, s, true, s->pass.W_kept);
    }
    memcpy(s->pass.W, s->pass.W_kept, bytes);
    square(m, s, false, s->pass.W);
}

// W = H A^-1 G' + diag(c) = Y' D^-1 Y + diag(c), summed over bodies: forward solves only
// [coevoet2019, eq. 3.13]
static lithe_status phase_condense(const lithe_model *m, lithe_state *s, step_problem problem)
{
    int n = m->nact;
    square_all(m, s);
    for (int r = 0; r < n; r++)
        for (int c = 0; c < r; c++)
            s->pass.W[c * n + r] = s->pass.W[r * n + c];
    contact_condense(m, s);
    condense_parameters(m, s, problem);
    for (int r = 0; r < n; r++)
        s->pass.W[r * n + r] += s->axes.give[r];
    LITHE_TRY(take_joints_out(m, s, problem));
    if (problem != STEP_INVERSE || !s->task.displaced || s->tangent.found.use != TANGENT_SADDLE ||
        count_held(m, s) == s->tangent.found.negative)
        return LITHE_OK;
    s->tangent.found.use = TANGENT_INDEFINITE;
    return LITHE_NOT_CONVERGED; // the clamped tangent will do
}

static lithe_status phase_solve(const lithe_model *m, lithe_state *s, step_problem problem)
{
    double *change = s->bounds;
    LITHE_TRY(problem == STEP_INVERSE ? inverse_solve(m, s) : forward_solve(m, s));
    for (int r = 0; r < m->nact; r++)
        change[r] = s->pass.target[r] - s->now.effort[r];
    eliminate_back(&s->pass.joints, change);
    for (int r = m->njoined; r < m->nact; r++)
        s->pass.target[r] = s->now.effort[r] + change[r];
    return LITHE_OK;
}

// Held coordinates go where loads and sliders take them.
static void move_held(const lithe_model *m, lithe_state *s, step_problem problem)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->only_held(b, s->support_q + b->q_adr, s->pass.dq + b->q_adr);
    }
    for (int r = 0; r < m->nact && problem == STEP_INVERSE; r++)
        row_slide(&m->row[r], m->body, s->pass.target[r] - s->now.effort[r], s->pass.dq);
}

// dx = A^-1 (r + H' dlambda) = L'^-1 D^-1 (y + Y dlambda): the one backward solve
static lithe_status phase_correct(const lithe_model *m, lithe_state *s, step_problem problem)
{
    double *change = s->bounds;
    for (int r = 0; r < m->nact; r++)
        change[r] = s->pass.target[r] - s->now.effort[r];
    for (int k = 0; k < m->nbody && s->pass.ncol > 0; k++)
        row_panels_spread(&m->body[k], &s->pass.rows[k], m->nact, change, s->pass.rhs[k]);
    contact_correct(m, s, change);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->backward(b, &s->tangent.of[k], 1, s->pass.rhs[k]);
        b->space->spread(b, step_jacobian(s, b), s->pass.rhs[k], s->pass.dq + b->q_adr);
    }
    move_held(m, s, problem);
    step_push(m, s->now.J, s->pass.dq, s->pass.dx);
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

lithe_status step_linearize(const lithe_model *m, lithe_state *s, step_problem problem,
                            bool clamped)
{
    s->tangent.found.clamped = clamped;
    return step_phases(m, s, problem, PHASE_ASSEMBLE, PHASE_FACTOR);
}

lithe_status step_tangent_of(const lithe_model *m, lithe_state *s, step_problem problem)
{
    lithe_status status = step_linearize(m, s, problem, false);
    return s->tangent.found.use < TANGENT_INDEFINITE ? status : step_linearize(m, s, problem, true);
}

static lithe_status pass(const lithe_model *m, lithe_state *s, step_problem problem, bool clamped)
{
    s->tangent.along = !m->contact.on; // what couples bodies has columns of its own in between
    lithe_status status = step_linearize(m, s, problem, clamped);
    s->tangent.along = false;
    s->tangent.forwarded = s->tangent.forwarded && status == LITHE_OK;
    return status == LITHE_OK ? step_phases(m, s, problem, PHASE_FREE, PHASE_CORRECT) : status;
}

// The direction with factors of the pass before and contacts as they are now. False: it is of no
// use, or there would be none to keep.
static bool pass_kept(const lithe_model *m, lithe_state *s, step_problem problem)
{
    choose_fresh(m, s);
    int fresh = count_fresh(m, s);
    bool good = (fresh == 0 || (fresh < m->nbody && !s->tangent.found.clamped)) &&
                step_phases(m, s, problem, PHASE_ASSEMBLE, PHASE_CORRECT) == LITHE_OK;
    s->tangent.keep = s->tangent.chord = false;
    return good;
}

// Where the exact tangent is of no use it may lead to a maximum or a saddle. Then a clamped
// tangent, which is positive definite, takes its place: same equilibria, safe direction, slower.
lithe_status step_pass(const lithe_model *m, lithe_state *s, step_problem problem)
{
    if (s->tangent.keep && pass_kept(m, s, problem))
        return LITHE_OK;
    lithe_status status = pass(m, s, problem, false);
    // Where friction slips W may be far from symmetric, and have no efforts at all.
    bool lost = status == LITHE_NOT_CONVERGED && s->contact.rubs;
    return s->tangent.found.use < TANGENT_INDEFINITE && !lost ? status : pass(m, s, problem, true);
}

// The efforts of a forward pass: what was told, within limits; and whether what was found is
// stable.

// Rows told their effort get it; rows told their displacement get the effort within limits that
// brings it, or the limit. Limits of a row told its effort are the effort itself.
static lithe_status solve_within(const lithe_model *m, lithe_state *s)
{
    int n = m->nact;
    double *q = s->bounds, *lo = q + n, *hi = lo + n;
    for (int r = 0; r < n; r++) {
        bool told = s->command[r] == LITHE_EFFORT || row_is_parameter(&m->row[r]);
        bool out = r >= m->njoined; // its effort follows from the others'
        lo[r] = out ? s->now.effort[r] : told ? s->aim[r] : s->limit[r].effort[0];
        hi[r] = out ? s->now.effort[r] : told ? s->aim[r] : s->limit[r].effort[1];
        q[r] = s->pass.delta_free[r] - (told ? 0 : s->aim[r]);
        for (int c = 0; c < n; c++)
            q[r] -= s->pass.W[r * n + c] * s->now.effort[c];
        s->pass.target[r] = s->now.effort[r];
    }
    box_residual result = box_solve(s->box, n, s->pass.W, q, lo, hi, s->pass.target);
    // Where friction slips W is not symmetric, as the box solver takes it to be.
    bool skew = s->contact.beside.of.n > 0 && !s->contact.beside.of.symmetric;
    if (skew && !result.solved)
        memcpy(s->pass.target, s->now.effort, (size_t)n * sizeof *s->pass.target);
    if (skew && box_refine(n, s->pass.W, q, lo, hi, s->pass.target, hi + n))
        return LITHE_OK;
    if (!result.solved)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the efforts of %d actuators could not be found (gap %.1e)", n,
                          result.gap);
    return LITHE_OK;
}

// Would a row that has given way at its limit of effort, as a slack cable or a stop that is not
// met, be beyond its aim? Then it does not give way any more.
static bool is_caught(const lithe_model *m, const lithe_state *s, int r)
{
    const double *limit = s->limit[r].effort, little = s->tolerance * m->row[r].scale;
    if (r >= m->njoined || s->command[r] == LITHE_EFFORT || row_is_parameter(&m->row[r]) ||
        step_is_taut(m, s, r) || limit[0] == limit[1])
        return false;
    double beyond = s->pass.delta_free[r] - s->aim[r];
    for (int c = 0; c < m->nact; c++)
        beyond += s->pass.W[r * m->nact + c] * (s->pass.target[c] - s->now.effort[c]);
    return s->now.effort[r] <= limit[0] ? beyond < -little : beyond > little;
}

// With A indefinite, the efforts of the taut rows solve W_CC dlambda = what their displacements
// lack. That is a minimum under the commands if W_CC has as many negative eigenvalues as A has.
// False: it is not, or a row would pass a limit or come back from one.
static bool solve_saddle(const lithe_model *m, lithe_state *s)
{
    int n = m->nact, taut = step_taut_rows(m, s);
    double *A = s->square, *b = s->bounds, *copy = b + n, *rest = copy + taut * taut;
    for (int r = 0; r < n; r++)
        s->pass.target[r] = s->command[r] == LITHE_EFFORT ? s->aim[r] : s->now.effort[r];
    for (int r = 0, i = 0; r < n; r++) {
        if (!step_is_taut(m, s, r))
            continue;
        b[i] = s->aim[r] - s->pass.delta_free[r];
        for (int c = 0; c < n; c++)
            b[i] -= s->pass.W[r * n + c] * (s->pass.target[c] - s->now.effort[c]);
        i++;
    }
    gather_taut(m, s, A);
    gather_taut(m, s, copy);
    int held = eigen_negative(taut, copy, rest) + eliminate_negative(&s->pass.joints);
    if (held != s->tangent.found.negative || !dense_solve(taut, 1, A, b))
        return false;
    for (int r = 0, i = 0; r < n; r++)
        if (step_is_taut(m, s, r)) {
            s->pass.target[r] += b[i++];
            if (s->pass.target[r] < s->limit[r].effort[0] ||
                s->pass.target[r] > s->limit[r].effort[1])
                return false;
        }
    for (int r = 0; r < n; r++)
        if (is_caught(m, s, r))
            return false;
    return true;
}

// A saddle that commands do not hold turns out here.
lithe_status forward_solve(const lithe_model *m, lithe_state *s)
{
    if (s->tangent.found.use != TANGENT_SADDLE)
        return solve_within(m, s);
    if (solve_saddle(m, s))
        return LITHE_OK;
    s->tangent.found.use = TANGENT_INDEFINITE;
    return LITHE_NOT_CONVERGED;
}

// Is an equilibrium stable? Not every one that Newton finds is: pivots are counted at the shape
// itself, and what displacement commands hold is counted by W.
//
// The last tangent was of the shape before the last move: where that was long, or where a pivot was
// negative, the shape itself is looked at.
void stability_judge(const lithe_model *m, lithe_state *s)
{
    if (s->moved <= STEP_SHORT_MOVE && s->tangent.found.negative == 0)
        return;
    step_linearize(m, s, STEP_FORWARD, false);
    s->report.error[0] = '\0'; // a tangent that is of no use to Newton tells what is asked here
    if (s->tangent.found.use != TANGENT_SADDLE)
        return;
    step_phases(m, s, STEP_FORWARD, PHASE_FREE, PHASE_CONDENSE);
    s->tangent.found.held = count_held(m, s);
}

// The condensed model as a read-out: W and the effector-actuator Jacobian.

static lithe_status find_tangent(const lithe_model *m, lithe_state *s)
{
    if (s->async) {
        LITHE_TRY(async_refresh(s)); // it is exact, or clamped, as this shape asks for
        s->warp = NULL;
        if (!m->contact.on)
            return LITHE_OK;
    }
    s->contact.whole = true;
    lithe_status status = step_tangent_of(m, s, STEP_INVERSE);
    s->contact.whole = false;
    return status;
}

// W at the present shape, as the inverse sees it.
static lithe_status condense(const lithe_model *m, lithe_state *s)
{
    step_aim(m, s, STEP_INVERSE, 1, s->load);
    LITHE_TRY(find_tangent(m, s));
    return step_phases(m, s, STEP_INVERSE, PHASE_FREE, PHASE_CONDENSE);
}

lithe_status lithe_compliance(const lithe_model *m, lithe_state *s, double *W)
{
    LITHE_TRY(condense(m, s));
    memcpy(W, s->pass.W, (size_t)m->nrow * (size_t)m->nact * sizeof *W);
    return LITHE_OK;
}

// J W_aa = W_ea [coevoet2019, eq. 3.15], solved as W_aa' J' = W_ea', in each row's own scale.
lithe_status lithe_jacobian(const lithe_model *m, lithe_state *s, double *J)
{
    int n = m->nact, own = m->nown, rows = m->nrow - n;
    LITHE_TRY(condense(m, s));
    double *A = s->square, *B = s->task.J; // (own x own), (own x rows)
    for (int i = 0; i < own; i++) {
        double scale = s->pass.W[i * n + i] > 0 ? 1 / sqrt(s->pass.W[i * n + i]) : 1;
        for (int j = 0; j < own; j++) {
            double other = s->pass.W[j * n + j] > 0 ? 1 / sqrt(s->pass.W[j * n + j]) : 1;
            A[i * own + j] = scale * s->pass.W[j * n + i] * other;
        }
        for (int e = 0; e < rows; e++)
            B[i * rows + e] = scale * s->pass.W[(n + e) * n + i];
    }
    if (!dense_solve(own, rows, A, B))
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "W_aa is singular: two actuators do the same, so displacements do not "
                          "tell efforts apart");
    for (int e = 0; e < rows; e++)
        for (int c = 0; c < n; c++)
            J[e * n + c] =
                c >= own ? 0
                         : B[c * rows + e] *
                               (s->pass.W[c * n + c] > 0 ? 1 / sqrt(s->pass.W[c * n + c]) : 1);
    return LITHE_OK;
}
