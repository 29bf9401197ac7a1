// Steps of the mode realtime: a fixed number of passes, each taken whole, and some more where
// there is contact.
#include "base/vec.h"
#include "step/async.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/inverse.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/step.h"
#include "step/tolerances.h"

#include <string.h>

enum {
    SOME_PASSES = 5,    // … after which what is near enough will do, as it does where one is lost
    MORE_PASSES = 12,   // at most, where there is contact
    LED_PASSES = 40,    // … and supports or obstacles have not arrived
    INVERSE_PASSES = 6, // of the inverse, where there is contact, and where joints cut them
};

// Is everything at s->now as the last step left it? Time, obstacles and moduli change it besides
// the load.
static bool is_known(const lithe_model *m, step_problem problem)
{
    bool tuned = false;
    for (int k = 0; k < m->nbody; k++)
        tuned = tuned || m->tuned[k];
    return !step_is_moving(m) && !m->contact.on && !(tuned && problem == STEP_FORWARD);
}

// A share of the pass; what is left of it is for the next one.
static void take(const lithe_model *m, lithe_state *s, double share)
{
    contact_share(m, s, share);
    contact_take_frames(m, s, share);
    step_move(m, &s->now, share, s->pass.dq, &s->now);
    for (int r = 0; r < m->nact; r++)
        s->now.effort[r] += share * (s->pass.target[r] - s->now.effort[r]);
    if (share == 1)
        memcpy(s->now.effort, s->pass.target, (size_t)m->nact * sizeof *s->now.effort);
    step_keep_support(m, s, 1 - share);
    s->supports_move = s->supports_move && share < 1;
}

// Where there is contact, the linear model of the inverse may be wrong about what is on the way:
// its direction is followed no farther than forces stay near to balance.
static double trusted(const lithe_model *m, lithe_state *s, double safe)
{
    enum { HALVINGS = 4 };
    const double near = 0.5; // relative residual
    double share = safe;
    for (int k = 0; k < HALVINGS && m->contact.on && s->now.contact->n > 0; k++, share *= 0.5) {
        contact_share(m, s, share);
        step_move(m, &s->now, share, s->pass.dq, &s->trial);
        for (int r = 0; r < m->nact; r++)
            s->trial.effort[r] = s->now.effort[r] + share * (s->pass.target[r] - s->now.effort[r]);
        point_evaluate(m, s, &s->trial);
        if (s->trial.relative < fmax(near, s->now.relative))
            return share;
    }
    contact_share(m, s, safe);
    return safe;
}

// A pass sees rotations as straight ways, and far ones would tear joints open: it goes as far as
// they stay closed, or as they were. What is left of it is for the next one.
static double joined(const lithe_model *m, lithe_state *s, double share)
{
    enum { HALVINGS = 8 };
    if (m->nact == m->nown)
        return share;
    double open = truth_apart(m, s->now.x).gap;
    for (int k = 0; k < HALVINGS; k++, share *= 0.5) {
        step_move(m, &s->now, share, s->pass.dq, &s->trial);
        lithe_apart apart = truth_apart(m, s->trial.x);
        if (apart.gap <= fmax(JOINT_OPEN_BY_PASS * m->size, open))
            break;
    }
    return share;
}

static lithe_status pass(const lithe_model *m, lithe_state *s, step_problem problem, bool *cut)
{
    LITHE_TRY(step_pass(m, s, problem));
    double safe = contact_safe(m, s), share = trusted(m, s, safe);
    share = joined(m, s, share);
    *cut = share < safe;
    take(m, s, share);
    if (step_is_moving(m) || s->async)
        point_evaluate(m, s, &s->now);
    else
        step_look_ahead(m, s, &s->now);
    s->last.iteration++;
    if (isfinite(s->now.residual))
        return LITHE_OK;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "a realtime step did not stay finite; take smaller steps or mode: converged");
}

// With contacts a pass goes as far as nothing overlaps, and there are some more of them. It never
// fails: the best point that was found is the answer.
static bool contact_pass(const lithe_model *m, lithe_state *s)
{
    bool good = newton_pass(m, s) == LITHE_OK;
    if (s->contact.wait > 0 && (s->now.relative < REALTIME_SETTLED || --s->contact.wait == 0))
        contact_resume(m, s);
    s->last.iteration += good;
    s->report.error[0] = '\0';
    return good;
}

// gained: the last pass lowered the residual.
static bool has_arrived(const lithe_model *m, const lithe_state *s, bool in_contact, int more,
                        bool gained)
{
    if (newton_is_led(s))
        return more >= LED_PASSES;
    // Implicit Euler lets go of what is left of a residual; generalized-alpha hands it on.
    double near = m->dynamics.scheme == LITHE_EULER ? 0.5 * REALTIME_ENOUGH : REALTIME_FINE;
    if ((more >= SOME_PASSES || !gained) && s->now.relative < near)
        return true;
    return more >= MORE_PASSES || !in_contact || s->now.relative < REALTIME_FINE ||
           s->now.residual <= motion_noise(m, s);
}

// The factor of a pass serves the next one too, with contacts as they are then, as long as that
// leads somewhere, or nearly as far as factors of their own lead, which cost twice as much.
static int contact_passes(const lithe_model *m, lithe_state *s)
{
    const double well = 0.5;
    int usual = m->step.iterations, k = 0;
    bool in_contact = s->now.contact->n > 0, gained = true, halved = false, serves = false;
    double before = 0, own = 0;
    friction_begin(s);
    for (; k < usual || !has_arrived(m, s, in_contact, k - usual, gained); k++) {
        bool kept = halved || (serves && s->tangent.gone <= STEP_REUSE_NEAR);
        s->tangent.keep = s->tangent.chord = kept;
        friction_choose(s, halved);
        before = s->now.residual;
        if (!contact_pass(m, s))
            break;
        gained = s->now.residual < before;
        halved = s->now.residual < well * before;
        serves = newton_serves(kept, s->now.residual / before, &own);
        in_contact = in_contact || s->now.contact->n > 0 || s->contact.barred;
    }
    if (s->contact.wait > 0)
        contact_resume(m, s);
    return k > usual ? k - usual : 0;
}

static lithe_status give_up(const lithe_model *m, lithe_state *s, step_problem problem,
                            lithe_status status)
{
    step_restore(m, s);
    s->motion.on = false;
    point_evaluate(m, s, &s->now);
    step_finish(m, s, problem, 0);
    return status;
}

// More is asked of a step whose reach is short, since it may have the whole one.
static bool leads_nowhere(const lithe_model *m, lithe_state *s)
{
    const double lost = s->contact.nearer < 1 ? REALTIME_ENOUGH : 0.3; // relative residual
    return !(s->now.relative < lost) && !step_is_moving(m) && s->now.residual > motion_noise(m, s);
}

// At rest a step that leads nowhere begins anew, with the whole reach, with a factor that is not
// old, or with half of its way, a quarter, …: the next ones go on from there. Returns the share
// that was taken.
static double contact_step(const lithe_model *m, lithe_state *s, double load)
{
    enum { HALVINGS = 3 };
    double share = 1;
    s->contact.passes = contact_passes(m, s);
    for (int k = 0; k < HALVINGS && leads_nowhere(m, s); k++) {
        if (s->contact.nearer < 1) {
            s->contact.nearer = 1;
            step_restore(m, s);
        } else if (!async_freshen(m, s)) {
            share *= 0.5;
            step_restore(m, s);
        }
        step_aim(m, s, STEP_FORWARD, share, load);
        point_evaluate(m, s, &s->now);
        s->contact.passes += contact_passes(m, s);
    }
    return share;
}

// Passes over h from the last motion that was found, damped.
static void damped_passes(const lithe_model *m, lithe_state *s, double h)
{
    step_restore(m, s);
    s->motion.damped = true;
    motion_begin(m, s, h);
    contact_predict(m, s);
    point_evaluate(m, s, &s->now);
    s->contact.passes += contact_passes(m, s);
}

// Would the step as it was found bring energy in, by being far from balance or inside out?
static bool is_lost(const lithe_model *m, lithe_state *s)
{
    bool in_contact = s->now.contact->n > 0 || s->contact.passes > 0;
    bool far = !(s->now.relative < REALTIME_ENOUGH) && s->now.residual > motion_noise(m, s);
    far = far || newton_is_led(s);
    bool folded = in_contact && step_check_folds(m, s, 1) != LITHE_OK;
    s->report.error[0] = '\0';
    return in_contact && (far || folded || motion_gains(m, s));
}

// How far the last pass has moved nodes, over the robot's size.
static double way_of(const lithe_model *m, const lithe_state *s)
{
    double way = 0;
    for (int k = 0; k < m->nbody; k++)
        way = fmax(way, m->body[k].space->largest(&m->body[k], s->pass.dq + m->body[k].q_adr));
    return way / m->size;
}

// Passes of the inverse: more of them where there is contact. They end where one has ended in
// balance without a way to speak of: another would go about the square of it.
static lithe_status inverse_passes(const lithe_model *m, lithe_state *s, step_problem problem)
{
    // Passes end far from balance where a contact begins, and the next step mends that; but not
    // where they also have gone far, back and forth.
    const double nowhere = 1, well = 0.5, poor = 0.3; // relative residual
    const double far = 0.1;                           // over the robot's size
    int more = m->contact.on && s->now.contact->n > 0 ? INVERSE_PASSES : 0;
    int most = m->step.iterations + (more > 0 ? 3 * more : m->nact > m->nown ? INVERSE_PASSES : 0);
    double before = 0, gone = 0;
    for (int k = 0, n = m->step.iterations + more; k < n; k++) {
        bool cut = false;
        s->tangent.keep = more > 0 && k > 0 && s->now.residual < well * before;
        before = s->now.residual;
        LITHE_TRY(pass(m, s, problem, &cut));
        n += cut && n < most;
        double way = way_of(m, s);
        gone += way;
        if (k + 1 >= m->step.iterations && !cut && s->now.relative < REALTIME_FINE &&
            way <= REALTIME_STEADY)
            break;
    }
    bool led = more == 0 || (s->now.relative < (gone > far ? poor : nowhere) &&
                             step_check_folds(m, s, 1) == LITHE_OK);
    return led ? LITHE_OK : LITHE_NOT_CONVERGED;
}

// A joint that has come to a stop, or energy from nowhere: once more, damped.
static lithe_status damp_gains(const lithe_model *m, lithe_state *s, step_problem problem)
{
    if (!motion_gains(m, s))
        return LITHE_OK;
    step_restore(m, s);
    s->motion.damped = true;
    motion_begin(m, s, m->step.dt);
    point_evaluate(m, s, &s->now);
    return inverse_passes(m, s, problem);
}

// What to do about it: damp it, or take it in shorter steps; what is left then ends as it may.
// True: the step has ended.
static bool mend_motion(const lithe_model *m, lithe_state *s)
{
    const double shortest = 1.0 / 32;
    const newton_goal goal = {
        .tolerance = REALTIME_FINE, .enough = REALTIME_ENOUGH, .passes = 16, .left = 384};
    if (m->dynamics.scheme == LITHE_ALPHA && motion_gains(m, s))
        damped_passes(m, s, m->step.dt);
    if (!is_lost(m, s))
        return false;
    int passes = s->last.iteration;
    double end = s->motion.clock + m->step.dt; // as motion_settle counts
    step_restore(m, s);
    s->motion.damped = false;
    s->goal = goal;
    (void)motion_settle(m, s, 0.5, shortest); // a limit that is met ends it, too
    bool whole = s->motion.clock >= end;
    s->contact.passes += s->last.iteration - passes;
    if (!whole)
        damped_passes(m, s, end - s->motion.clock);
    s->report.error[0] = '\0';
    return whole;
}

// Where passes of the inverse lead nowhere and something may come into contact: efforts of the
// linear model at the start, or those that there are, and a forward step to them, which never
// fails.
static void tell(const lithe_model *m, lithe_state *s, double load)
{
    if (!async_freshen(m, s))
        step_restore(m, s);
    point_evaluate(m, s, &s->now);
    if (inverse_tell(m, s) != LITHE_OK)
        step_keep_commands(m, s);
    s->report.error[0] = '\0';
    step_aim(m, s, STEP_FORWARD, 1, load);
    point_evaluate(m, s, &s->now);
}

// At rest a shape may snap there, far away: as a converged step would go, but for so many passes.
// It is followed only where targets are about as far away, as where it comes off what was in its
// way: steps that are shorter than those of a path that jumps see targets half way. What lies
// between obstacles may have another balance that is none to go to.
static bool snap(const lithe_model *m, lithe_state *s)
{
    const newton_goal before = s->goal;
    const double jump = 2;
    double start = inverse_distance(m, s, s->now.delta);
    s->goal = (newton_goal){
        .tolerance = REALTIME_FINE, .enough = REALTIME_ENOUGH, .passes = 100, .left = 100};
    int passes = s->last.iteration;
    bool well = newton_solve(m, s) == LITHE_OK && step_check_folds(m, s, 1) == LITHE_OK &&
                inverse_distance(m, s, s->now.delta) < jump * start;
    s->contact.passes = s->last.iteration - passes;
    s->goal = before;
    s->report.error[0] = '\0';
    return well;
}

// What has settled at rest, so that a step costs next to nothing, is held from nearer by: gaps, and
// what forces lack by them, shrink from step to step. What goes far wants a far barrier: passes are
// cut before one that is near. The inverse keeps one reach, since efforts would follow another.
// comes: this step was the first with its reach, which costs it some passes.
static void come_nearer(lithe_state *s, double share, bool comes)
{
    enum { FEW_PASSES = 2, MANY_PASSES = 8 };
    const double nearest = 0.125;
    step_contact *t = &s->contact;
    bool settled = share == 1 && s->now.relative < REALTIME_FINE && s->now.contact->n > 0;
    t->settled = settled ? t->nearer : 1;
    if (settled && t->passes <= FEW_PASSES)
        t->settled = fmax(0.5 * t->nearer, nearest);
    else if (settled && t->passes > MANY_PASSES && !comes)
        t->settled = fmin(2 * t->nearer, 1);
}

lithe_status realtime_step(const lithe_model *m, lithe_state *s, step_problem problem)
{
    if (step_is_moving(m))
        LITHE_TRY(motion_start(m, s, problem));
    bool known = is_known(m, problem) && !step_loads_change(m, s);
    bool in_contact = m->contact.on && problem == STEP_FORWARD;
    double load = s->load;
    bool nears = in_contact && !step_is_moving(m) && !s->contact.rubs;
    bool comes = nears && s->contact.settled < s->contact.nearer;
    s->contact.nearer = nears ? s->contact.settled : 1;
    step_aim(m, s, problem, 1, s->load);
    if (step_is_moving(m)) {
        motion_begin(m, s, m->step.dt);
        contact_predict(m, s);
    }
    if (!s->async && step_is_moving(m)) // the first pass takes the tangent from here
        step_look_ahead(m, s, &s->now);
    else if (!known || s->aim_load != load)
        point_evaluate(m, s, &s->now);
    if (problem == STEP_INVERSE)
        inverse_bounds(m, s);
    lithe_status status = in_contact ? LITHE_OK : inverse_passes(m, s, problem);
    if (status == LITHE_OK && !m->contact.on && step_is_moving(m))
        status = damp_gains(m, s, problem);
    if (status != LITHE_OK && !m->contact.on)
        return give_up(m, s, problem, status);
    if (status != LITHE_OK) {
        tell(m, s, load);
        in_contact = step_is_moving(m) || !snap(m, s);
        if (in_contact)
            tell(m, s, load);
    }
    double share = in_contact ? contact_step(m, s, load) : 1;
    if (nears)
        come_nearer(s, share, comes);
    else
        s->contact.settled = 1;
    if (in_contact && step_is_moving(m) && mend_motion(m, s))
        return LITHE_OK;
    if (step_is_moving(m))
        LITHE_TRY(motion_end(m, s));
    if (problem == STEP_INVERSE)
        step_keep_commands(m, s);
    s->last.increment = 1;
    step_finish(m, s, problem, share);
    return LITHE_OK;
}
