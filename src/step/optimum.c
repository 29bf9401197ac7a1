// The converged inverse: a sequence of equilibria, each nearer to the targets, until no effort
// within limits brings a row nearer. At an equilibrium one pass of the pipeline proposes the best
// efforts of the linear model; a line search along the way there finds an equilibrium that is
// really better. On the way actuators are told displacements rather than efforts where they have
// one: that stays solvable where a shape is unstable under given effort.
#include "base/worst.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/reuse.h"
#include "step/step.h"
#include "step/tolerances.h"

#include <string.h>

double inverse_distance(const lithe_model *m, const lithe_state *s, const double *delta)
{
    double level[STEP_LEVELS + 1] = {0}, sum = 0, share = 10;
    for (int r = m->nact; r < m->nrow; r++) {
        double weight, miss = (delta[r] - s->task.target[r]) / m->row[r].scale;
        int priority = task_priority(m, s, r, &weight);
        if (s->task.wanted[r])
            level[s->task.kept[r] ? 0 : priority] += (s->task.kept[r] ? 1 : weight) * miss * miss;
    }
    for (int r = 0; r < m->nact;
         r++) { // a displacement outside its limits is as bad as a kept row missed
        double out = fmax(s->task.shortest[r] - delta[r], delta[r] - s->task.farthest[r]);
        if (out > 0 && !row_is_parameter(&m->row[r]) && !task_is_given(m, r))
            level[0] += out * out / (m->row[r].scale * m->row[r].scale);
    }
    for (int k = 0; k <= STEP_LEVELS; k++) {
        sum += share * sqrt(level[k]);
        share = k == 0 ? 1 : STEP_NEXT_PRIORITY * share;
    }
    return sum;
}

// sqrt(lambda' W lambda): what the tie-breaker lowers. W stays that of the proposal.
static double exertion(const lithe_model *m, const double *W, const double *effort)
{
    double sum = 0;
    for (int r = 0; r < m->nact; r++)
        for (int c = 0; c < m->nact; c++)
            sum += effort[r] * W[r * m->nact + c] * effort[c];
    return sqrt(fmax(sum, 0));
}

typedef struct search {
    double distance, predicted; // of the last equilibrium, of the proposal
    double exertion, less;      // of the last equilibrium, of the proposal
    double motion;              // largest node displacement of the proposal over the robot's size
    double funnel;              // most distance that a step for less exertion may end at
    double share;               // of the last proposal that was taken; 0: there is none
    bool exact;                 // the proposal has the tangent of the equilibrium itself
    bool slow;                  // proposals become small slowly
    double trust;               // in motion: way, over the robot's size, that Newton can go at once
} search;

// W_aa of the proposal, as the tie-breaker sees it.
static void keep_compliance(const lithe_model *m, lithe_state *s)
{
    memcpy(s->W_before, inverse_weights(m, s), (size_t)(m->nact * m->nact) * sizeof *s->pass.W);
}

static void expect(const lithe_model *m, const lithe_state *s, search *found)
{
    found->distance = inverse_distance(m, s, s->now.delta);
    found->predicted = inverse_distance(m, s, s->proposal.delta);
    found->exertion = exertion(m, s->W_before, s->now.effort);
    found->less = exertion(m, s->W_before, s->proposal.effort);
}

// One pass at the equilibrium: where to go from it. With the factor of a shape near by it serves to
// go there, but not to say that nothing is better.
static lithe_status propose(const lithe_model *m, lithe_state *s, bool exactly, search *found)
{
    int n = m->nact;
    step_aim(m, s, STEP_INVERSE, 1, s->load);
    found->exact = s->tangent.source.known && reuse_is_exact(m, s);
    s->tangent.keep = found->exact || (!exactly && reuse_distance(m, s) <= STEP_REUSE_NEAR);
    found->exact = found->exact || !s->tangent.keep;
    if (s->contact.observe) {
        contact_observe(m, s);
        point_evaluate(m, s, &s->now);
    }
    s->task.displaced = true;
    lithe_status status = step_pass(m, s, STEP_INVERSE);
    s->task.displaced = false;
    if (status != LITHE_OK)
        return status;
    memcpy(s->proposal.q, s->pass.dq, (size_t)m->nq * sizeof *s->pass.dq);
    memcpy(s->proposal.effort, s->pass.target, (size_t)n * sizeof *s->pass.target);
    for (int r = 0; r < m->nrow; r++) {
        s->proposal.delta[r] = s->pass.delta_free[r];
        for (int c = 0; c < n; c++)
            s->proposal.delta[r] += s->pass.W[r * n + c] * (s->pass.target[c] - s->now.effort[c]);
    }
    keep_compliance(m, s); // Newton on the way overwrites W
    expect(m, s, found);
    found->motion = 0;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        found->motion =
            worst_of(found->motion, b->space->largest(b, s->pass.dq + b->q_adr) / m->size);
    }
    return LITHE_OK;
}

static double between(double lo, double value, double hi)
{
    return fmin(fmax(value, lo), hi);
}

// Tells one driven row to go `share` of the proposed way. An effort that ends at a bound is told as
// a displacement limit, if there is one, which the row then reaches at most: a slack cable may not
// get longer than its limit allows.
static void command_row(const lithe_model *m, lithe_state *s, int r, double share)
{
    const row *a = &m->row[r];
    const step_task *t = &s->task;
    double effort = s->saved.effort[r] + share * (s->proposal.effort[r] - s->saved.effort[r]);
    double delta = s->saved.delta[r] + share * (s->proposal.delta[r] - s->saved.delta[r]);
    bool lowest = share == 1 && s->proposal.effort[r] <= t->lower[r];
    bool highest = share == 1 && s->proposal.effort[r] >= t->upper[r];
    bool by_effort =
        row_is_told_effort(a) || row_is_parameter(a) ||
        (lowest && (t->lower[r] > s->limit[r].effort[0] || !isfinite(t->shortest[r]))) ||
        (highest && (t->upper[r] < s->limit[r].effort[1] || !isfinite(t->farthest[r])));
    s->command[r] = by_effort && !row_drives_support(a) ? LITHE_EFFORT : LITHE_DISPLACEMENT;
    if (by_effort)
        s->value[r] = between(t->lower[r], effort, t->upper[r]);
    else if (lowest || highest)
        s->value[r] = lowest ? t->shortest[r] : t->farthest[r];
    else
        s->value[r] = between(t->shortest[r], delta, t->farthest[r]);
}

static void command_share(const lithe_model *m, lithe_state *s, double share)
{
    for (int r = 0; r < m->nact; r++)
        if (!task_is_given(m, r))
            command_row(m, s, r, share);
}

lithe_status inverse_tell(const lithe_model *m, lithe_state *s)
{
    const double far = 0.01; // the linear model knows nothing of what is on the way
    search found = {0};
    LITHE_TRY(propose(m, s, true, &found));
    command_share(m, s, found.motion > far ? far / found.motion : 1);
    return LITHE_OK;
}

// What was found is what the actuators are told from now on: their displacement, or an effort that
// is at its bound.
static void keep_commands(const lithe_model *m, lithe_state *s)
{
    for (int r = 0; r < m->nact; r++) {
        const row *a = &m->row[r];
        if (task_is_given(m, r) || row_is_parameter(a))
            continue;
        bool bound = s->now.effort[r] <= s->task.lower[r] || s->now.effort[r] >= s->task.upper[r];
        s->command[r] = bound || row_is_told_effort(a) ? LITHE_EFFORT : LITHE_DISPLACEMENT;
        s->value[r] = s->command[r] == LITHE_EFFORT ? s->now.effort[r] : s->now.delta[r];
    }
}

// Will the next proposal want nothing? One that wants little is followed by one that wants a small
// part of that.
static bool is_near_end(const lithe_state *s, const search *found)
{
    const double part = 0.02;
    return part * s->task.predicted <= STEP_OPTIMUM_ROW &&
           part * found->motion <= STEP_OPTIMUM_NODE;
}

// How far from balance the equilibrium that a proposal leads to may stay, since the next proposal
// goes on from there with what is left.
static double looseness(const lithe_state *s, const search *found)
{
    bool last = !s->tangent.source.known || is_near_end(s, found);
    return last ? 0 : fmin(STEP_LOOSE_SHARE * found->motion, STEP_LOOSE_MOST);
}

// The equilibrium `share` of the proposed way: from its linear prediction, by Newton.
static lithe_status go_share(const lithe_model *m, lithe_state *s, const search *found,
                             double share)
{
    step_restore(m, s);
    contact_rebase(m, s);
    command_share(m, s, share);
    contact_move(m, s, share, s->proposal.q);
    for (int r = 0; r < m->nact; r++)
        s->now.effort[r] += share * (s->proposal.effort[r] - s->saved.effort[r]);
    step_aim(m, s, STEP_FORWARD, 1, s->load);
    s->goal.tolerance = fmax(s->tolerance, looseness(s, found));
    s->ahead = is_near_end(s, found) || found->slow; // the next proposal is exact
    lithe_status status = newton_solve(m, s);
    s->goal.tolerance = s->tolerance;
    s->ahead = false;
    if (status == LITHE_OK)
        status = contact_polish(m, s);
    return status;
}

// Nearer to the targets; or, where targets leave freedom, with less exertion and not far off, ever
// less far.
static bool is_better(const lithe_model *m, const lithe_state *s, search *found, double share)
{
    double now = inverse_distance(m, s, s->now.delta), gain = found->distance - found->predicted;
    if (gain > STEP_REAL_GAIN * found->motion * found->motion &&
        now < found->distance - STEP_DECREASE * share * gain)
        return true;
    if (found->motion <
        STEP_END_OF_SEARCH) // the end: the proposal is better than what can be measured of it
        return true;
    double less = found->exertion - found->less;
    if (now <= found->funnel &&
        exertion(m, s->W_before, s->now.effort) <= found->exertion - STEP_DECREASE * share * less) {
        found->funnel = fmax(0.5 * found->funnel, STEP_LEAST_FUNNEL);
        return true;
    }
    return now < found->distance - STEP_DECREASE * share * gain;
}

// Where actuators are redundant, W weighs their efforts, and it moves with them: each proposal is
// the optimum of the W before it. One that points back overshot. With a share s of d taken and d'
// proposed from there, a linear map's fixed point is s / (1 - d'.d / d.d) of d' away [aitken1926].
static double first_share(const lithe_model *m, lithe_state *s, const search *found)
{
    double *last = s->task.last, same = 0, square = 0;
    for (int r = 0; r < m->nact; r++) {
        double way = s->proposal.effort[r] - s->saved.effort[r];
        for (int c = 0; c < m->nact; c++) {
            double weighed = s->W_before[r * m->nact + c] * last[c];
            same += way * weighed;
            square += last[r] * weighed;
        }
    }
    for (int r = 0; r < m->nact; r++)
        last[r] = s->proposal.effort[r] - s->saved.effort[r];
    // only where targets stand: on the way to them efforts go to their bounds in whole steps
    bool stand = found->distance <= 10 * STEP_OPTIMUM_ROW;
    bool back = stand && found->share > 0 && same < 0 && square > 0;
    return back ? between(0.1, found->share / (1 - same / square), 1) : 1;
}

// In a short time step only inertia resists, so the linear model proposes huge efforts and ways far
// beyond what it knows of, where elements fold and Newton gets lost. So in motion one goes no
// farther at once than went well before, and a way is as long as it is, not as its share.
static double trusted(const lithe_state *s, const search *found, double share)
{
    return s->motion.on && share * found->motion > found->trust ? found->trust / found->motion
                                                                : share;
}

static double length_of(const lithe_state *s, const search *found, double share)
{
    return s->motion.on ? share * fmin(found->motion, 1) : share;
}

static void learn_trust(search *found, double share, bool solved)
{
    double way = share * found->motion;
    found->trust = solved ? fmin(fmax(found->trust, 4 * way), STEP_MOST_TRUST) : 0.5 * way;
}

// Where Newton fails however short the way is, the motion has come to an end of what goes on
// continuously: a shape that snaps, or a law that gives way.
static bool is_at_end(const lithe_state *s, const search *found)
{
    return s->motion.on && found->trust < STEP_LEAST_TRUST;
}

// True if an equilibrium along the proposed way is better; s->now is it.
static bool improve(const lithe_model *m, lithe_state *s, search *found)
{
    enum { HALVINGS = 16 };
    double share = trusted(s, found, first_share(m, s, found));
    for (int k = 0; k < HALVINGS && !s->stopped && !is_at_end(s, found); k++, share *= 0.5) {
        bool solved = go_share(m, s, found, share) == LITHE_OK;
        learn_trust(found, share, solved);
        if (solved && step_check_folds(m, s, length_of(s, found, share)) == LITHE_OK &&
            is_better(m, s, found, share)) {
            step_save(m, s);
            found->share = share;
            return true;
        }
    }
    found->share = 0;
    step_restore(m, s);
    if (s->contact.based) { // the same equilibrium once more
        contact_rebase(m, s);
        point_evaluate(m, s, &s->now);
        contact_polish(m, s);
    }
    point_evaluate(m, s, &s->now);
    return false;
}

// The motion under a share of the present efforts, as far as bounds allow less.
static lithe_status coast(const lithe_model *m, lithe_state *s, double share)
{
    for (int r = 0; r < m->nact; r++)
        if (!task_is_given(m, r) && !row_is_parameter(&m->row[r])) {
            s->command[r] = LITHE_EFFORT;
            s->value[r] = between(s->task.lower[r], share * s->saved.effort[r], s->task.upper[r]);
        }
    step_aim(m, s, STEP_FORWARD, 1, s->load);
    return newton_solve(m, s);
}

// Where the motion leads when efforts stay what they are. What was a blow in the last step may be
// too much for another one: then with less.
static lithe_status drift(const lithe_model *m, lithe_state *s)
{
    static const double share[] = {1, 0.5, 0.1, 0};
    lithe_status status = LITHE_NOT_CONVERGED;
    for (size_t k = 0; k < sizeof share / sizeof *share && !s->stopped; k++) {
        status = coast(m, s, share[k]);
        if (status == LITHE_OK) {
            step_save(m, s);
            step_finish(m, s, STEP_FORWARD, 1);
            return LITHE_OK;
        }
        step_restore(m, s);
    }
    s->motion.on = false;
    point_evaluate(m, s, &s->now);
    step_finish(m, s, STEP_FORWARD, 0);
    return status;
}

// Loads, and commands of given actuators, before targets.
static lithe_status arrive(const lithe_model *m, lithe_state *s)
{
    return s->motion.on ? drift(m, s) : forward_settle(m, s);
}

// Which of the two criteria of an optimum is not met.
static lithe_status fail_long(lithe_state *s, const search *found, int proposals)
{
    if (s->task.predicted > STEP_OPTIMUM_ROW)
        return LITHE_FAIL(
            &s->report, LITHE_NOT_CONVERGED,
            "%d proposals were not enough: the last one still wanted to move a target "
            "by %.1e of its scale (an optimum has at most %.0e)",
            proposals, s->task.predicted, STEP_OPTIMUM_ROW);
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "%d proposals were not enough: the targets stand, but efforts of redundant "
                      "actuators still move nodes by %.1e of the robot's size (an optimum: %.0e)",
                      proposals, found->motion, STEP_OPTIMUM_NODE);
}

// The same with contacts that come and go; false: nothing comes of it.
static bool propose_piece(const lithe_model *m, lithe_state *s, search *found)
{
    if (!m->contact.on || !contact_propose(m, s))
        return false;
    expect(m, s, found);
    s->task.predicted = 0;
    for (int r = m->nact; r < m->nrow; r++)
        if (s->task.wanted[r])
            s->task.predicted = worst_of(
                s->task.predicted, fabs(s->proposal.delta[r] - s->now.delta[r]) / m->row[r].scale);
    found->motion = s->task.predicted;
    return true;
}

// Where the contacts that there are lead no farther, others may; or nothing does, and that is
// proved.
static bool go_round(const lithe_model *m, lithe_state *s, search *found, bool *optimum)
{
    const double kink = CONTACT_TOLERANCE; // where a contact begins is known to so much
    bool piece = propose_piece(m, s, found);
    *optimum = piece && s->contact.proof && found->distance - found->predicted <= kink;
    return piece && !*optimum && improve(m, s, found);
}

static bool is_settled(const lithe_model *m, const lithe_state *s)
{
    return !s->tangent.source.known || s->now.relative <= s->tolerance ||
           s->now.residual <= motion_noise(m, s);
}

// Off an equilibrium there is always something left to do.
static bool wants_nothing(const lithe_model *m, const lithe_state *s, const search *found)
{
    double share = s->now.contact->n > 0 ? STEP_CONTACT_SLACK : 1;
    return is_settled(m, s) && s->task.predicted <= share * STEP_OPTIMUM_ROW &&
           found->motion <= share * STEP_OPTIMUM_NODE;
}

// A proposal that wants nothing counts only if it is exact; and where W itself is what proposals
// wait for, as redundant actuators do, the W of another shape misleads them.
static lithe_status propose_or_prove(const lithe_model *m, lithe_state *s, search *found)
{
    const double fast = 0.02;
    double before = s->task.predicted;
    bool near = isfinite(found->motion) && is_near_end(s, found);
    LITHE_TRY(propose(m, s, near || found->slow, found));
    found->slow = found->slow || (found->share > 0 && s->task.predicted > fast * before);
    return found->exact || !wants_nothing(m, s, found) ? LITHE_OK : propose(m, s, true, found);
}

// As a proposal, or with the tangent of the equilibrium itself if that leads nowhere.
static bool improve_somehow(const lithe_model *m, lithe_state *s, search *found)
{
    if (improve(m, s, found))
        return true;
    return !found->exact && propose(m, s, true, found) == LITHE_OK && improve(m, s, found);
}

// From near an equilibrium on the way to it.
static lithe_status settle_here(const lithe_model *m, lithe_state *s)
{
    keep_commands(m, s);
    step_aim(m, s, STEP_FORWARD, 1, s->load);
    LITHE_TRY(newton_solve(m, s));
    step_save(m, s);
    return LITHE_OK;
}

// From s->now to an optimum that nothing near is better than.
static lithe_status descend(const lithe_model *m, lithe_state *s)
{
    enum { MOST_PROPOSALS = 200 };
    const double hardly = 0.3; // of a proposal
    search found = {.funnel = STEP_FUNNEL, .trust = STEP_MOST_TRUST, .motion = INFINITY};
    for (int k = 0; k < MOST_PROPOSALS; k++) {
        LITHE_TRY(step_watch(s));
        LITHE_TRY(propose_or_prove(m, s, &found));
        s->contact.proof = NULL; // of another point
        bool optimum = wants_nothing(m, s, &found);
        bool barred =
            m->contact.on && found.share > 0 && found.share < hardly; // something comes near
        bool moved = optimum || (barred && go_round(m, s, &found, &optimum)) || optimum;
        if (!moved && barred)
            LITHE_TRY(propose(m, s, true, &found));
        moved =
            moved || improve_somehow(m, s, &found) || (!barred && go_round(m, s, &found, &optimum));
        if ((optimum || !moved || k == MOST_PROPOSALS - 1) && !is_settled(m, s)) {
            LITHE_TRY(settle_here(m, s));
            continue;
        }
        step_finish(m, s, STEP_INVERSE, 1);
        keep_commands(m, s);
        if (optimum)
            return LITHE_OK;
        if (!moved && is_at_end(s, &found))
            return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                              "the motion cannot follow the targets any farther in this step: the "
                              "shape snaps under the efforts that would bring it there. The motion "
                              "that was found is kept; take a shorter step.dt, or give the "
                              "actuators limits");
        if (!moved)
            return LITHE_FAIL(
                &s->report, LITHE_NOT_CONVERGED,
                "no equilibrium along the proposed way is nearer to the targets, though one should "
                "be by "
                "%.1e of the robot's size; start from nearer, or move the target in smaller steps",
                s->task.predicted);
    }
    return fail_long(s, &found, MOST_PROPOSALS);
}

// Where contacts come and go there are several optima, and which one is found depends on the
// start. search: global starts again from elsewhere until the targets are met.
static bool may_restart(const lithe_model *m, const lithe_state *s)
{
    return m->contact.global && !s->contact.rubs && !s->motion.on;
}

// Start k from 1 on: one actuator halfway to a bound, the others where they were. False: it has no
// such bound. 2 nact starts.
static bool command_start(const lithe_model *m, lithe_state *s, int k)
{
    int driven = (k - 1) / 2;
    const step_task *t = &s->task;
    double bound = (k - 1) % 2 == 0 ? t->upper[driven] : t->lower[driven];
    if (!isfinite(bound) || bound == t->home[driven] || task_is_given(m, driven) ||
        row_drives_support(&m->row[driven]))
        return false;
    for (int r = 0; r < m->nact; r++) {
        if (task_is_given(m, r) || row_drives_support(&m->row[r]))
            continue;
        s->command[r] = LITHE_EFFORT;
        s->start[r] = t->home[r];
        s->value[r] = r == driven ? 0.5 * (t->home[r] + bound) : t->home[r];
    }
    return true;
}

static void return_home(const lithe_model *m, lithe_state *s)
{
    contact_rebase(m, s);
    memcpy(s->now.q, s->task.home_q, (size_t)m->nq * sizeof *s->now.q);
    step_positions(m, &s->now);
    memcpy(s->now.effort, s->task.home, (size_t)m->nact * sizeof *s->now.effort);
    step_aim(m, s, STEP_INVERSE, 1, s->load);
    point_evaluate(m, s, &s->now);
    s->task.secant.started = false;
    step_save(m, s);
}

// One search: k = 0 from where the robot is. How far it ends from the targets.
static double search_from(const lithe_model *m, lithe_state *s, int k, lithe_status *status)
{
    if (k > 0) {
        return_home(m, s);
        if (!command_start(m, s, k))
            return INFINITY;
        *status = arrive(m, s);
        if (*status != LITHE_OK)
            return INFINITY;
        step_save(m, s);
    }
    *status = descend(m, s);
    return inverse_distance(m, s, s->now.delta);
}

static lithe_status search_all(const lithe_model *m, lithe_state *s)
{
    double least = INFINITY;
    int best = 0, k = 0;
    lithe_status status = LITHE_OK;
    contact_rebase(m, s);
    memcpy(s->task.home_q, s->now.q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(s->task.home, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    return_home(m, s);
    for (; k <= 2 * m->nact && least > STEP_MET && !s->stopped; k++) {
        double miss = search_from(m, s, k, &status);
        best = miss < least ? k : best;
        least = fmin(least, miss);
    }
    if (best < k - 1 && !s->stopped) {
        return_home(m, s);
        search_from(m, s, best, &status);
    }
    return status;
}

static void tell(lithe_state *s, int r, lithe_command_kind kind, double start, double value)
{
    s->command[r] = kind;
    s->start[r] = start;
    s->value[r] = value;
}

static bool same_range(const row_limit *a, const row_limit *b)
{
    return a->effort[0] == b->effort[0] && a->effort[1] == b->effort[1] &&
           a->displacement[0] == b->displacement[0] && a->displacement[1] == b->displacement[1];
}

// Rows whose range was moved away from under them arrive within it before anything is looked for:
// what is nearer to the targets out there is no gain.
static void come_back(const lithe_model *m, lithe_state *s)
{
    const step_task *t = &s->task;
    for (int r = 0; r < m->nact; r++) {
        double effort = between(t->lower[r], s->now.effort[r], t->upper[r]);
        double delta = between(t->shortest[r], s->now.delta[r], t->farthest[r]);
        if (same_range(&s->limit[r], &m->row[r].limit) || task_is_given(m, r))
            continue;
        if (row_drives_support(&m->row[r]))
            tell(s, r, LITHE_DISPLACEMENT, s->now.delta[r], effort); // which is its travel
        else if (effort != s->now.effort[r])
            tell(s, r, LITHE_EFFORT, s->now.effort[r], effort);
        else if (delta != s->now.delta[r] && !row_is_parameter(&m->row[r]))
            tell(s, r, LITHE_DISPLACEMENT, s->now.delta[r], delta);
    }
}

lithe_status inverse_settle(const lithe_model *m, lithe_state *s)
{
    inverse_bounds(m, s);
    come_back(m, s);
    LITHE_TRY(arrive(m, s));
    step_save(m, s);
    return may_restart(m, s) ? search_all(m, s) : descend(m, s);
}
