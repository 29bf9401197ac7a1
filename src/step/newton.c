// Newton with line search. What is sought is a minimum of
//
//     energy(x) + 1/2 (x - origin)' inertia M (x - origin) - work of the loads
//     - sum over rows told their effort of effort * delta(x)
//
// where rows told their displacement keep delta(x) at the aim (or, a cable, at
// or above it). Each pass of the pipeline is one step of sequential quadratic
// programming for that, solved in the efforts; the merit is the exact l1
// penalty.
#include "step/newton.h"
#include "base/vec.h"
#include "base/worst.h"
#include "row/link.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/phases.h"
#include "step/reuse.h"
#include "step/step.h"
#include "step/tolerances.h"

#include <limits.h>
#include <string.h>

// How far held coordinates are from where the load, the sliders and time want them.
static void find_support(const lithe_model *m, lithe_state *s, const double *slider)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->support(b, s->now.q + b->q_adr, s->aim_load, s->support_q + b->q_adr);
    }
    for (int r = 0; r < m->nact; r++)
        row_slide(&m->row[r], m->body, slider[r], s->support_q);
    for (int l = 0; l < m->nlead; l++)
        for (int i = 0; i < m->lead[l].n; i++)
            s->support_q[m->lead[l].coordinate[i]] +=
                s->setting[model_lead_adr(m, l) + m->lead[l].axis[i]];
    s->supports_move = false;
    for (int i = 0; i < m->nq && !s->supports_move; i++)
        s->supports_move = s->support_q[i] != 0;
    step_push(m, s->now.J, s->support_q, s->support);
}

void step_keep_support(const lithe_model *m, lithe_state *s, double share)
{
    for (int i = 0; i < 3 * m->nnode; i++)
        s->support[i] *= share;
    for (int i = 0; i < m->nq; i++)
        s->support_q[i] *= share;
}

bool step_loads_change(const lithe_model *m, const lithe_state *s)
{
    bool change = false;
    for (int i = 0; i < m->nsetting; i++)
        change = change || s->setting[i] != s->setting_wanted[i];
    return change;
}

// How fast a row's way grows as the scheme sees it: rate (way - calm), and calm.
static double calm_of(const lithe_model *m, lithe_state *s, int r)
{
    double *H = &s->now.H[3 * (size_t)m->row_adr[r]];
    row_gradient(&m->row[r], s->now.x, H);
    return point_row_rate(m, &s->now, r, s->motion.calm);
}

// A spring and damper side by side give way by one over the sum of what each resists with. What
// only damps is next to nothing where time stands still.
static void aim_spring(const lithe_model *m, lithe_state *s, int r)
{
    const row_link *link = m->row[r].link;
    double k = link->stiffness, rate = k > 0 ? 0 : STEP_STANDSTILL / m->step.dt;
    double start = s->axes.start[r];
    if (s->motion.on && link->damping > 0) {
        rate = s->motion.damping_rate;
        start += calm_of(m, s, r);
    }
    double total = k + rate * link->damping;
    s->axes.give[r] = 1 / total;
    s->aim[r] = (k * link->aim + rate * link->damping * start) / total;
}

void step_aim_joints(const lithe_model *m, lithe_state *s)
{
    for (int r = 0; r < m->nact; r++)
        s->axes.give[r] = m->row[r].compliance;
    for (int r = m->nown; r < m->nact; r++) {
        const row_link *link = m->row[r].link;
        if (link->role == LINK_LEADS)
            continue;
        s->aim[r] = link->role == LINK_STOPS  ? link->aim
                    : link->role == LINK_RUBS ? s->axes.start[r]
                                              : 0;
        if (link->role == LINK_SPRING)
            aim_spring(m, s, r);
    }
}

static bool gives_way(const lithe_state *s, int r, double effort)
{
    return effort <= s->limit[r].effort[0] || effort >= s->limit[r].effort[1];
}

// Has an actuator that gave way at its limit of effort been caught in this step, as a rope that was
// slack, or let go of? One that the inverse finds the effort of is told none that jumps.
static bool catches(const lithe_model *m, const lithe_state *s, int r)
{
    bool told = s->command[r] == LITHE_DISPLACEMENT && (!s->task.inverse || task_is_given(m, r));
    return told && !row_is_parameter(&m->row[r]) &&
           gives_way(s, r, s->saved.effort[r]) != gives_way(s, r, s->now.effort[r]);
}

bool step_leans(const lithe_model *m, const lithe_state *s)
{
    for (int r = 0; r < m->nown; r++)
        if (catches(m, s, r))
            return true;
    for (int r = m->nown; r < m->njoined; r++)
        if (m->row[r].link->role == LINK_STOPS && s->now.effort[r] != 0)
            return true;
    return false;
}

void step_begin_joints(const lithe_model *m, lithe_state *s)
{
    for (int r = 0; r < m->nact && m->njoint > 0; r++)
        s->axes.start[r] = s->now.delta[r] - s->axes.give[r] * s->now.effort[r];
    step_aim_joints(m, s);
}

void step_aim(const lithe_model *m, lithe_state *s, step_problem problem, double t,
              double start_load)
{
    s->aim_load = start_load + t * (1 - start_load);
    for (int i = 0; i < m->nsetting; i++)
        s->setting[i] = t < 1
                            ? s->setting_start[i] + t * (s->setting_wanted[i] - s->setting_start[i])
                            : s->setting_wanted[i];
    for (int r = 0; r < m->nact; r++) {
        s->aim[r] = t < 1 ? s->start[r] + t * (s->value[r] - s->start[r]) : s->value[r];
        if (row_scales_modulus(&m->row[r]) && problem == STEP_FORWARD)
            s->now.effort[r] = s->aim[r];
    }
    step_aim_joints(m, s);
    find_support(m, s, problem == STEP_INVERSE ? s->now.effort : s->aim);
    contact_aim(m, s, t);
}

// What row r's displacement lacks (positive) or exceeds (negative) of its aim.
static double shortfall(const lithe_state *s, int r, double delta)
{
    return s->aim[r] - delta;
}

double task_residual(const lithe_model *m, const lithe_state *s, const step_point *p,
                     bool limits_count)
{
    double worst = 0;
    for (int r = 0; r < m->nact; r++) {
        if (s->command[r] == LITHE_EFFORT)
            continue;
        double missing = shortfall(s, r, p->delta[r]);
        bool slack = p->effort[r] <= s->limit[r].effort[0] && missing < 0;
        bool spent = p->effort[r] >= s->limit[r].effort[1] && missing > 0;
        if (!slack && ((limits_count && r < m->nown) || !spent))
            worst = worst_of(worst, fabs(missing) / m->row[r].scale);
    }
    return worst;
}

// Penalty of a missed displacement: what the actuator's own limits would make it
// pay, capped well above the effort that is expected (an infinite penalty cannot
// be compared).
static double penalty(const lithe_state *s, int r, double missing)
{
    double cap = 2 * fmax(fabs(s->pass.target[r]), fabs(s->now.effort[r]));
    double most = fmin(s->limit[r].effort[1], cap), least = fmax(s->limit[r].effort[0], -cap);
    return missing > 0 ? most * missing : least * missing;
}

typedef struct line_search {
    double slope;   // of the merit along the direction, at its start
    double noise;   // of a difference of merits
    double measure; // force and task residual at the start
} line_search;

static line_search start_search(const lithe_model *m, lithe_state *s)
{
    line_search search = {0};
    double work = 0;
    for (int i = 0; i < 3 * m->nnode; i++) {
        search.slope +=
            (s->now.internal[i] + s->now.inertial[i] - s->now.external[i]) * s->pass.dx[i];
        work += fabs(s->now.internal[i] * s->pass.dx[i]) +
                fabs(s->now.external[i] * s->pass.dx[i]) + fabs(s->now.inertial[i] * s->pass.dx[i]);
    }
    for (int r = 0; r < m->nact; r++) {
        if (row_is_parameter(&m->row[r]))
            continue;
        double rate = point_row_rate(m, &s->now, r, s->pass.dx),
               missing = shortfall(s, r, s->now.delta[r]);
        double stretch = s->axes.give[r] * (s->pass.target[r] - s->now.effort[r]);
        if (s->command[r] == LITHE_EFFORT)
            search.slope -= s->aim[r] * rate;
        else
            search.slope += s->now.effort[r] * stretch + penalty(s, r, missing - rate - stretch) -
                            penalty(s, r, missing);
    }
    search.slope += contact_slope(m, s);
    search.noise = STEP_ENERGY_NOISE * (work + s->now.energy + s->now.contact->energy);
    search.measure = s->now.relative + task_residual(m, s, &s->now, false);
    return search;
}

// Merit at the trial point less that at s->now. The loads' work is taken by the
// trapezoid, which is exact for those of fixed direction and serves pressure on
// open surfaces, which has no potential. It is exact for inertia too, a force
// that is linear in x.
static double merit_change(const lithe_model *m, const lithe_state *s, double alpha)
{
    double change = s->trial.energy - s->now.energy;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0, at = 3 * b->node_adr; i < 3 * b->nnode; i++, at++)
            change -= 0.5 *
                      (s->now.external[at] + s->trial.external[at] - s->now.inertial[at] -
                       s->trial.inertial[at]) *
                      (body_is_carried(b, i / 3) ? s->trial.x[at] - s->now.x[at]
                                                 : alpha * s->pass.dx[at]);
    }
    for (int r = 0; r < m->nact; r++) {
        if (row_is_parameter(&m->row[r]))
            continue;
        double before = s->now.delta[r], after = s->trial.delta[r], c = s->axes.give[r];
        double old = s->now.effort[r], new = s->trial.effort[r];
        if (s->command[r] == LITHE_EFFORT)
            change -= s->aim[r] * (after - before - c * (new - old));
        else // its own stretch stores energy
            change += 0.5 * c * (new *new - old *old) + penalty(s, r, shortfall(s, r, after)) -
                      penalty(s, r, shortfall(s, r, before));
    }
    return change + s->contact.unit * (s->trial.contact->energy - s->now.contact->energy) +
           friction_merit(m, s, alpha);
}

static void try_length(const lithe_model *m, lithe_state *s, double alpha)
{
    step_move(m, &s->now, alpha, s->pass.dq, &s->trial);
    for (int r = 0; r < m->nact; r++)
        s->trial.effort[r] =
            s->command[r] == LITHE_EFFORT
                ? s->pass.target[r]
                : s->now.effort[r] + alpha * (s->pass.target[r] - s->now.effort[r]);
    contact_share(m, s, alpha);
    const double part = 0.05; // of the residual, at most, that a pass near the end leaves
    if (s->ahead && s->tangent.source.known && part * s->now.relative <= s->tolerance)
        step_look_ahead(m, s, &s->trial);
    else
        point_evaluate(m, s, &s->trial);
}

// Accepts what lowers the merit, or, near the end, where merits drown in
// roundoff and the penalty turns back good steps, what lowers the residual.
static bool acceptable(const lithe_model *m, const lithe_state *s, const line_search *search,
                       double alpha)
{
    if (!isfinite(s->trial.energy + s->trial.contact->energy) || !isfinite(s->trial.residual))
        return false;
    if (s->supports_move || contact_moving(s))
        return true; // the supports do work: the energy may rise; Newton goes on
                     // from where they arrive
    if (merit_change(m, s, alpha) <= STEP_DECREASE * alpha * search->slope + search->noise)
        return true;
    double measure = s->trial.relative + task_residual(m, s, &s->trial, false);
    return s->trial.residual <= motion_noise(m, s) || measure < (1 - 0.5 * alpha) * search->measure;
}

static void accept(const lithe_model *m, lithe_state *s, double alpha)
{
    step_point old = s->now;
    s->now = s->trial;
    s->trial = old;
    contact_taken(s, alpha);
    if (!s->supports_move)
        return;
    s->supports_move = alpha < 1;
    step_keep_support(m, s, alpha < 1 ? 1 - alpha : 0);
}

static double longest_way(const lithe_model *m, const double *dx)
{
    return worst_way(3 * (size_t)m->nnode, dx, NULL);
}

// No merit tells how far is too far where supports or obstacles lead: not much
// farther than they go.
static double led_share(const lithe_model *m, const lithe_state *s)
{
    const double times = 4, little = 0.1; // of the robot's size
    return fmin(1, (times * longest_way(m, s->support) + little * m->size) /
                       longest_way(m, s->pass.dx));
}

static lithe_status search_line(const lithe_model *m, lithe_state *s)
{
    enum { HALVINGS = 14, WAIT = 8 };
    const double HARDLY = 0.3;
    line_search search = start_search(m, s);
    bool led =
        m->contact.on && (s->supports_move || contact_moving(s)); // by supports and obstacles
    double safe = contact_safe(m, s), alpha = fmin(safe, led ? led_share(m, s) : 1);
    for (int k = 0; k < HALVINGS; k++, alpha *= 0.5) {
        try_length(m, s, alpha);
        if (acceptable(m, s, &search, alpha)) {
            accept(m, s, alpha);
            s->contact.cut = k > 0;
            s->contact.barred = safe < 1;
            if (led && alpha < HARDLY)
                contact_pause(m, s, WAIT);
            s->moved = alpha * longest_way(m, s->pass.dx) / m->size;
            s->tangent.gone += s->moved;
            if (s->tangent.source.known)
                s->moved = reuse_distance(m, s);
            return LITHE_OK;
        }
    }
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "no step along the Newton direction lowers the energy or the residual");
}

static void remember(lithe_state *s, double relative)
{
    if (s->nhistory == STEP_HISTORY) {
        memmove(s->history, s->history + 1, (STEP_HISTORY - 1) * sizeof *s->history);
        s->nhistory--;
    }
    s->history[s->nhistory++] = relative;
}

static bool efforts_arrived(const lithe_model *m, const lithe_state *s)
{
    for (int r = 0; r < m->nact; r++)
        if (s->command[r] == LITHE_EFFORT && s->now.effort[r] != s->aim[r])
            return false;
    return true;
}

// Is what is left roundoff? The noise is that of the shape at rest; one that is
// stretched or thinned by much has more of it, and shows it by Newton's steps,
// which no longer lower the residual. stalled: how many of the last ones did
// not.
static double noise(const lithe_model *m, const lithe_state *s, int stalled)
{
    enum { PATIENCE = 4, MORE = 32 };
    return (stalled < PATIENCE ? 1 : MORE) * motion_noise(m, s);
}

static bool arrived(const lithe_model *m, const lithe_state *s, int stalled)
{
    enum { PATIENCE = 6 };
    bool slow = s->now.contact->n > 0 && stalled >= PATIENCE;
    double tolerance = slow ? fmax(s->goal.tolerance, STEP_FINE_IN_CONTACT) : s->goal.tolerance;
    return efforts_arrived(m, s) &&
           (s->now.relative <= tolerance || s->now.residual <= noise(m, s, stalled)) &&
           task_residual(m, s, &s->now, false) <= tolerance;
}

// The relative residual that was fine instead of the tolerance; 0: the tolerance was met.
static double floor_of(const lithe_model *m, const lithe_state *s, int stalled)
{
    double rounding = noise(m, s, stalled);
    if (s->now.relative <= s->goal.tolerance)
        return 0;
    return s->now.residual <= rounding ? rounding * s->now.relative / s->now.residual
                                       : STEP_FINE_IN_CONTACT;
}

static lithe_status too_long(lithe_state *s)
{
    if (!s->tangent.found.clamped)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED, "%d Newton iterations were not enough",
                          s->goal.passes);
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "%d Newton iterations were not enough, and the stiffness there has %d "
                      "negative modes that no command holds: a limit point (go on with a "
                      "displacement or a volume), or a law that gives way",
                      s->goal.passes, s->tangent.found.negative);
}

// Where friction slips the tangent is not symmetric, and may lead nowhere: then
// without that part.
static lithe_status search(const lithe_model *m, lithe_state *s)
{
    lithe_status status = search_line(m, s);
    if (status == LITHE_OK || !s->contact.rubs || s->tangent.found.clamped)
        return status;
    LITHE_TRY(step_linearize(m, s, STEP_FORWARD, true));
    LITHE_TRY(step_phases(m, s, STEP_FORWARD, PHASE_FREE, PHASE_CORRECT));
    return search_line(m, s);
}

bool newton_is_led(const lithe_state *s)
{
    return s->supports_move || s->contact.moving || s->contact.wait > 0;
}

lithe_status newton_pass(const lithe_model *m, lithe_state *s)
{
    LITHE_TRY(step_pass(m, s, STEP_FORWARD));
    return search(m, s);
}

// At rest, where nothing but joints and lines holds a body?
static bool swings(const lithe_model *m)
{
    bool any = false;
    for (int k = 0; k < m->nbody; k++)
        any = any || m->body[k].grip > 0;
    return any && !step_is_moving(m);
}

newton_goal newton_usual(const lithe_model *m, const lithe_state *s)
{
    // Snaps from contact to contact take many passes; and so does what swings, of which A knows
    // little.
    enum { LONG = 3, LONGEST = 10 };
    int times = swings(m) ? LONGEST : m->contact.on ? LONG : 1;
    return (newton_goal){
        .tolerance = s->tolerance, .passes = times * m->step.max_iteration, .left = INT_MAX};
}

// Evaluates s->now, unless the last step left it so; with its tangent where the next pass will ask
// for that.
static void evaluate_start(const lithe_model *m, lithe_state *s)
{
    if (reuse_is_evaluated(m, s))
        return;
    if (reuse_is_plain(m) && !(reuse_distance(m, s) <= STEP_REUSE_NEAR))
        step_look_ahead(m, s, &s->now);
    else
        point_evaluate(m, s, &s->now);
}

bool newton_serves(bool kept, double left, double *own)
{
    if (!kept)
        *own = left;
    return left <= sqrt(*own);
}

// With contacts factors are of no shape alone, but within these passes all that they know of
// besides stays.
static bool may_keep(const lithe_model *m, const lithe_state *s)
{
    return m->contact.on && !s->contact.law && !s->async && s->tangent.found.use == TANGENT_GOOD &&
           !s->tangent.found.clamped;
}

lithe_status newton_solve(const lithe_model *m, lithe_state *s)
{
    const double well = 0.1;
    int stalled = 0;
    bool slow = false, in_vain = false; // the factor of a shape before does not contract well
    double own = 0;
    friction_begin(s);
    evaluate_start(m, s);
    int most = s->goal.passes < s->goal.left ? s->goal.passes : s->goal.left;
    for (int k = 0; k <= most; k++) {
        bool there = arrived(m, s, stalled);
        if (there && !newton_is_led(s)) {
            s->report.error[0] = '\0'; // of tangents that were of no use on the way
            s->last.floor = floor_of(m, s, stalled);
            return LITHE_OK;
        }
        if (k == most)
            break;
        if (s->contact.wait > 0 && (there || --s->contact.wait == 0))
            contact_resume(m, s);
        LITHE_TRY(step_watch(s));
        double before = s->now.residual;
        bool beside = k > 0 && may_keep(m, s);
        double distance = beside ? s->tangent.gone : reuse_distance(m, s);
        bool kept = !(beside ? in_vain : slow) && distance <= STEP_REUSE_NEAR;
        s->tangent.keep = kept;
        friction_choose(s, k > 0 && stalled == 0);
        LITHE_TRY(newton_pass(m, s));
        slow = kept && s->now.residual > well * before;
        in_vain = !newton_serves(kept, s->now.residual / before, &own);
        stalled = s->now.residual > 0.5 * before ? stalled + 1 : 0;
        s->last.iteration++;
        s->goal.left--;
        remember(s, s->now.relative);
    }
    bool near = s->now.relative <= s->goal.enough && !newton_is_led(s);
    s->report.error[0] = '\0';
    return near ? LITHE_OK : too_long(s);
}
