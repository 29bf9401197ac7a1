#include "step/async.h"

#include "base/clock.h"
#include "base/rotation.h"
#include "base/vec.h"
#include "base/worst.h"
#include "step/contact_step.h"
#include "step/factor_thread.h"
#include "step/inverse.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/step.h"
#include "step/tolerances.h"
#include "step/warp.h"

#include <string.h>

static const double GOOD = 0.5, POOR = 0.25; // real over predicted gain of a step, see trust
static const double STRAY = 2.0; // drift of a row over the last move, from where efforts hold back
static const double SHORTEST = 1.0 / 1024, LEAST = 1.0 / 64; // shares of shape and efforts
// Shares of the deadline: before the first a factor is fetched as fast as can be, until the second
// at least a part of it; after that only if it has waited for long.
static const double SPARE = 0.6, LATE = 0.8;
enum { PARTS = 4, PATIENCE = 8 }; // parts of a factor; exchanges, two a step, that one may wait

struct step_async {
    factor_thread *factor_thread;
    double *shape;   // that s->factor is of (nnode x 3) m
    double *warp;    // rotations since then (nnode x 9)
    long done;       // steps since rest
    long made;       // the step whose shape s->factor has; -1: there is no factor
    int inverted;    // elements inside out in that shape
    int fetched;     // parts of the factor that waits in the factor thread
    int waited;      // exchanges that nothing was fetched in
    double *rotated; // the shape that `warp` is of (nnode x 3) m
    bool has_warp;   // … if it is of this factor
    double share;    // of the shape's Newton step that is taken
    double taken;    // … in this pass: no more than is safe
    double dared;    // of the efforts' change
    double moved;    // rows by the last change of efforts, relative to their scale
    // replay: shapes of the last steps, in turn
    int age; // that the next step shall have
    int npast;
    double *past; // (npast x (3 nnode + nact + nsetting))
    double *past_load;
    lithe_async report;
    double start;        // of this step, s
    double mean, square; // of the steps' times, s; sum of squares about the mean
};

static size_t shape_size(const lithe_model *m)
{
    return 3 * (size_t)m->nnode + (size_t)m->nact + (size_t)m->nsetting;
}

static bool replays(const lithe_model *m)
{
    return m->step.factor_age > 0;
}

lithe_status async_create(const lithe_model *m, lithe_state *s, int threads)
{
    step_async *a = s->async = arena_new(&s->memory, 1, step_async);
    if (!a)
        return LITHE_NO_MEMORY;
    a->shape = arena_new(&s->memory, 3 * (size_t)m->nnode, double);
    a->warp = arena_new(&s->memory, 9 * (size_t)m->nnode, double);
    a->rotated = arena_new(&s->memory, 3 * (size_t)m->nnode, double);
    a->npast = replays(m) ? m->step.factor_age + 1 : 0;
    a->past = arena_new(&s->memory, (size_t)a->npast * shape_size(m), double);
    a->past_load = arena_new(&s->memory, a->npast, double);
    int makers = replays(m) ? 0 : threads > 2 ? threads - 1 : 1;
    a->factor_thread = factor_thread_create(m, &s->memory, makers);
    return a->shape && a->warp && a->rotated && a->past && a->past_load && a->factor_thread
               ? LITHE_OK
               : LITHE_NO_MEMORY;
}

void async_free(step_async *a)
{
    if (a)
        factor_thread_free(a->factor_thread);
}

void async_reset(const lithe_model *m, lithe_state *s)
{
    step_async *a = s->async;
    long ignored;
    factor_thread_wait(a->factor_thread);
    factor_thread_collect(a->factor_thread, s, &ignored, &a->shape);
    s->report.error[0] = '\0';
    a->done = 0;
    a->made = -1;
    a->share = a->dared = 1;
    a->moved = INFINITY;
    a->age = m->step.factor_age;
    a->mean = a->square = 0;
    a->report = (lithe_async){.share = 1};
}

static factor_thread_shape present(const lithe_state *s)
{
    return (factor_thread_shape){s->async->done, s->load,       s->motion.time,
                                 s->now.x,       s->now.effort, s->setting};
}

// Only when the factor thread is not busy.
static lithe_status collect(lithe_state *s)
{
    step_async *a = s->async;
    lithe_status status = factor_thread_collect(a->factor_thread, s, &a->made, &a->shape);
    a->fetched = a->waited = 0;
    a->has_warp = false;
    a->report.factors = factor_thread_count(a->factor_thread);
    a->report.factor_seconds = factor_thread_seconds(a->factor_thread);
    a->inverted = factor_thread_inverted(a->factor_thread);
    return status;
}

static lithe_status make_now(lithe_state *s, bool exact)
{
    factor_thread_shape asked = present(s);
    factor_thread_wait(s->async->factor_thread);
    factor_thread_make(s->async->factor_thread, &asked, exact);
    return collect(s);
}

lithe_status async_refresh(lithe_state *s)
{
    return make_now(s, true);
}

// Takes what the factor thread has finished and gives it the present shape to work on. A factor
// that another core has made is slow to read for the first time, which would make the step that
// takes it late. So it is fetched beforehand, in parts: `least` of them, and as many more as there
// is time for.
static lithe_status exchange(lithe_state *s, int least, double until)
{
    step_async *a = s->async;
    if (factor_thread_busy(a->factor_thread))
        return LITHE_OK;
    for (int n = 0; factor_thread_finished(a->factor_thread) && a->fetched < PARTS; n++) {
        if (n >= least && clock_now() > until) {
            a->waited += n == 0;
            return LITHE_OK;
        }
        factor_thread_fetch(a->factor_thread, a->fetched++, PARTS);
        a->waited = 0;
    }
    lithe_status status = collect(s);
    factor_thread_shape asked = present(s);
    if (a->made < a->done)
        factor_thread_ask(a->factor_thread, &asked);
    return status;
}

static void keep_shape(const lithe_model *m, const lithe_state *s)
{
    const step_async *a = s->async;
    size_t slot = (size_t)(a->done % a->npast), n = 3 * (size_t)m->nnode;
    double *x = a->past + slot * shape_size(m);
    memcpy(x, s->now.x, n * sizeof *x);
    memcpy(x + n, s->now.effort, (size_t)m->nact * sizeof *x);
    memcpy(x + n + m->nact, s->setting, (size_t)m->nsetting * sizeof *x);
    a->past_load[slot] = s->load;
}

// The same arithmetic without a thread: the factor of the shape so many steps ago.
static lithe_status replay(const lithe_model *m, lithe_state *s)
{
    step_async *a = s->async;
    keep_shape(m, s);
    long wanted = a->done > a->age ? a->done - a->age : 0;
    if (wanted == a->made)
        return LITHE_OK;
    size_t slot = (size_t)(wanted % a->npast);
    const double *x = a->past + slot * shape_size(m);
    const double *effort = x + 3 * (size_t)m->nnode;
    factor_thread_shape asked = {wanted, a->past_load[slot], s->motion.time, x,
                                 effort, effort + m->nact};
    factor_thread_make(a->factor_thread, &asked, false);
    return collect(s);
}

// Sliders and moduli that are found do work of their own, so there is nothing to compare.
static bool has_potential(const lithe_model *m, step_problem problem)
{
    for (int r = 0; r < m->nact && problem == STEP_INVERSE; r++)
        if (row_is_parameter(&m->row[r]) && !task_is_given(m, r))
            return false;
    return true;
}

static lithe_status find_factor(const lithe_model *m, lithe_state *s, step_problem problem)
{
    if (m->contact.on && !has_potential(m, problem)) // nothing would tell a bad move into contact
        return make_now(s, false);
    if (replays(m))
        return replay(m, s);
    double until = s->async->start + SPARE * m->step.deadline - s->async->mean;
    return s->async->made < 0 ? make_now(s, false) : exchange(s, 0, until);
}

// Supports go where they shall be before anything is solved, so no stiffness is needed for the
// force that they bring.
static void move_supports(const lithe_model *m, lithe_state *s)
{
    double safe = 1;
    if (s->supports_move) {
        memcpy(s->pass.dq, s->support_q, (size_t)m->nq * sizeof *s->pass.dq);
        safe = contact_safe(m, s);
        step_move(m, &s->now, safe, s->support_q, &s->now);
    }
    step_keep_support(m, s, 1 - safe);
    s->supports_move = safe < 1;
}

// Forces and rows are known from the end of the last step, unless what they depend on has changed.
static void begin(const lithe_model *m, lithe_state *s, step_problem problem)
{
    double load = s->load;
    bool changed = step_loads_change(m, s);
    step_aim(m, s, problem, 1, s->load);
    changed = changed || s->supports_move || s->aim_load != load;
    for (int k = 0; k < m->nbody && problem == STEP_FORWARD; k++)
        changed = changed || m->tuned[k];
    move_supports(m, s);
    if (changed)
        point_evaluate(m, s, &s->now);
    if (problem == STEP_INVERSE)
        inverse_bounds(m, s);
}

// Of the potential energy under the new efforts, as the step's model predicts it (with A_old of the
// factor) and as it came. Positive: it fell.
typedef struct gain {
    double predicted, real;
    double noise; // of their difference: of sums of energies, and of forces over ways that are
                  // differences of lengths, each rounded as such
} gain;

static gain measure_gain(const lithe_model *m, const lithe_state *s)
{
    double share = s->async->taken, slope = 0, work = 0, size = 0, held = 0;
    for (int i = 0; i < 3 * m->nnode; i++) {
        double load = 0.5 * (s->now.external[i] + s->trial.external[i]);
        double force = s->now.external[i] + s->now.pull[i] - s->now.internal[i];
        slope += force * s->pass.dx[i];
        work += share * load * s->pass.dx[i];
        size += fabs(s->now.internal[i] * s->pass.dx[i]) + fabs(load * s->pass.dx[i]);
        held += fabs(s->now.internal[i]) * m->size;
    }
    for (int r = 0; r < m->nact; r++) {
        double change = s->trial.effort[r] - s->now.effort[r];
        double stretch = s->axes.give[r] * change;
        slope += change * point_row_rate(m, &s->now, r, s->pass.dx);
        work += s->trial.effort[r] * (s->trial.delta[r] - s->now.delta[r] - stretch);
        held += fabs(s->trial.effort[r]) * m->row[r].scale;
    }
    return (gain){.predicted = share * (1 - 0.5 * share) * slope,
                  .real = work - (s->trial.energy - s->now.energy) -
                          s->contact.unit * (s->trial.contact->energy - s->now.contact->energy),
                  .noise = STEP_ENERGY_NOISE * (size + s->now.energy) + STEP_WORK_NOISE * held};
}

// Real gain over predicted: 1 where the old factor serves like a new one and the step is short
// enough for the model; negative where the energy rose.
static double trust(const lithe_model *m, const lithe_state *s, step_problem problem)
{
    if (!isfinite(s->trial.residual) || !isfinite(s->trial.energy + s->trial.contact->energy))
        return -INFINITY;
    if (!has_potential(m, problem) || s->supports_move ||
        s->trial.residual <= motion_noise(m, s)) // at rest energies are all roundoff
        return 1;
    gain g = measure_gain(m, s);
    return fabs(g.real - g.predicted) <= g.noise ? 1 : g.real / g.predicted;
}

// Efforts are taken whole, so that the shape's way is downhill under them however short it is;
// sliders and moduli go with the shape.
static void try_step(const lithe_model *m, lithe_state *s)
{
    double share = s->async->taken = fmin(s->async->share, contact_safe(m, s));
    step_move(m, &s->now, share, s->pass.dq, &s->trial);
    contact_share(m, s, share);
    for (int r = 0; r < m->nact; r++)
        s->trial.effort[r] = row_is_parameter(&m->row[r])
                                 ? s->now.effort[r] + share * (s->pass.target[r] - s->now.effort[r])
                                 : s->pass.target[r];
    point_evaluate(m, s, &s->trial);
}

static void shorten(step_async *a, double by)
{
    a->dared = fmax(by * a->dared, LEAST);
    a->share *= by;
}

static lithe_status judge_step(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_async *a = s->async;
    double ratio = trust(m, s, problem);
    if (ratio > 0) {
        step_point old = s->now;
        s->now = s->trial;
        s->trial = old;
        contact_taken(s, a->taken);
        if (s->supports_move)
            step_keep_support(m, s, 1 - a->taken);
        s->supports_move = s->supports_move && a->taken < 1;
        if (ratio < POOR)
            shorten(a, 0.5);
        else if (ratio > GOOD)
            a->share = fmin(2 * a->share, 1);
        a->share = fmax(a->share, SHORTEST);
        return LITHE_OK;
    }
    a->report.refused++;
    shorten(a, 0.25);
    if (a->share >= SHORTEST)
        return LITHE_OK;
    a->share = SHORTEST;
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "an asynchronous step leads nowhere, however short it is; take smaller steps "
                      "or mode: converged");
}

// Rows that efforts are to bring somewhere.
static bool is_led(const lithe_model *m, const lithe_state *s, step_problem problem, int r)
{
    if (problem == STEP_INVERSE)
        return s->task.wanted[r];
    return r < m->nact && s->command[r] == LITHE_DISPLACEMENT && !row_is_parameter(&m->row[r]);
}

// Where the last efforts were right, the shape has come to rest under them and rows stay. Where
// rows would drift by more than they were moved, efforts are changed by a part of what is asked,
// until the shape has followed.
static void dare(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_async *a = s->async;
    double drift = 0;
    for (int r = 0; r < m->nrow; r++)
        if (is_led(m, s, problem, r))
            drift =
                worst_of(drift, fabs(s->pass.delta_free[r] - s->now.delta[r]) / m->row[r].scale);
    bool stray = !(drift <= STRAY * a->moved || drift <= s->tolerance);
    a->dared = stray ? fmax(0.5 * a->dared, LEAST) : fmin(2 * a->dared, 1);
    a->dared = fmin(a->dared, fmax(a->share, LEAST));
}

static void hold_back(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_async *a = s->async;
    int n = m->nact;
    for (int c = 0; c < n; c++)
        s->pass.target[c] = s->now.effort[c] + a->dared * (s->pass.target[c] - s->now.effort[c]);
    a->moved = 0;
    for (int r = 0; r < s->pass.ncol; r++) {
        double move = 0;
        for (int c = 0; c < n; c++)
            move += s->pass.W[r * n + c] * (s->pass.target[c] - s->now.effort[c]);
        if (is_led(m, s, problem, r))
            a->moved = worst_of(a->moved, fabs(move) / m->row[r].scale);
    }
}

// The old factor serves a shape that has rotated if every node is rotated back first.
static void warp(const lithe_model *m, lithe_state *s)
{
    step_async *a = s->async;
    double start = clock_now();
    const double *last = a->has_warp ? a->rotated : a->shape;
    if (warp_is_due(m, last, s->now.x)) {
        warp_find(m, a->shape, s->now.x, a->warp);
        memcpy(a->rotated, s->now.x, 3 * (size_t)m->nnode * sizeof *a->rotated);
        a->has_warp = true;
    }
    s->warp = a->has_warp ? a->warp : NULL;
    s->time.free += clock_now() - start;
}

static lithe_status pass(const lithe_model *m, lithe_state *s, step_problem problem)
{
    warp(m, s);
    if (m->contact.on)
        LITHE_TRY(step_tangent_of(m, s, problem));
    LITHE_TRY(step_phases(m, s, problem, PHASE_FREE, PHASE_SOLVE));
    dare(m, s, problem);
    hold_back(m, s, problem);
    LITHE_TRY(step_phases(m, s, problem, PHASE_CORRECT, PHASE_CORRECT));
    try_step(m, s);
    s->last.iteration++;
    return judge_step(m, s, problem);
}

static lithe_status free_step(const lithe_model *m, lithe_state *s, step_problem problem)
{
    for (int k = 0; k < m->step.iterations; k++)
        LITHE_TRY(pass(m, s, problem));
    if (problem == STEP_INVERSE)
        step_keep_commands(m, s);
    step_finish(m, s, problem, 1);
    return LITHE_OK;
}

// What is in contact stands beside the old factor, as it is now: such steps are those of the mode
// realtime, with a factor that is there already.
static lithe_status attempt(const lithe_model *m, lithe_state *s, step_problem problem)
{
    LITHE_TRY(find_factor(m, s, problem));
    s->async->report.age = (int)(s->async->done - s->async->made);
    bool met = s->now.contact->n > 0 || problem == STEP_FORWARD || !has_potential(m, problem);
    if (!m->contact.on || !met) {
        begin(m, s, problem);
        lithe_status status = free_step(m, s, problem);
        if (status == LITHE_OK || !m->contact.on)
            return status;
        s->report.error[0] = '\0';
        step_restore(m, s);
        LITHE_TRY(make_now(s, false));
    }
    warp(m, s);
    return realtime_step(m, s, problem);
}

bool async_freshen(const lithe_model *m, lithe_state *s)
{
    if (!s->async || s->async->made == s->async->done)
        return false;
    step_restore(m, s);
    bool made = make_now(s, false) == LITHE_OK;
    s->warp = NULL;
    return made;
}

static void account(const lithe_model *m, lithe_state *s, double seconds)
{
    step_async *a = s->async;
    lithe_async *report = &a->report;
    double off = seconds - a->mean;
    report->steps++;
    a->mean += off / (double)report->steps;
    a->square += off * (seconds - a->mean);
    report->missed += seconds > m->step.deadline;
    report->seconds = seconds;
    report->longest = fmax(report->longest, seconds);
    report->jitter = sqrt(a->square / (double)report->steps);
    report->share = fmin(a->share, a->dared);
}

static bool must_fetch(const lithe_model *m, const step_async *a)
{
    return clock_now() < a->start + LATE * m->step.deadline || a->waited >= PATIENCE;
}

lithe_status async_pursue(const lithe_model *m, lithe_state *s, step_problem problem)
{
    step_async *a = s->async;
    a->start = clock_now();
    lithe_status status = attempt(m, s, problem);
    a->report.oldest = a->report.age > a->report.oldest ? a->report.age : a->report.oldest;
    s->last.increment = 1;
    if (status != LITHE_OK)
        step_finish(m, s, problem, 0);
    a->done++;
    if (status == LITHE_OK && !replays(m))
        status = exchange(s, must_fetch(m, a), a->start + SPARE * m->step.deadline);
    account(m, s, clock_now() - a->start);
    return status;
}

int async_inverted(const step_async *a)
{
    return a->inverted;
}

lithe_async lithe_last_async(const lithe_state *s)
{
    return s->async ? s->async->report : (lithe_async){0};
}

lithe_status lithe_replay_age(const lithe_model *m, lithe_state *s, int age)
{
    if (m->step.mode != LITHE_ASYNCHRONOUS || age < 0 || age > m->step.factor_age)
        return LITHE_FAIL(&s->report, LITHE_INVALID,
                          "a factor of age %d cannot be replayed: the model keeps shapes of %d "
                          "steps; compile it with a larger factor_age",
                          age, m->step.mode == LITHE_ASYNCHRONOUS ? m->step.factor_age : 0);
    s->async->age = age;
    return LITHE_OK;
}

extern const warp_kernels warp_kernels_portable;
extern const warp_kernels warp_kernels_avx2;
extern const warp_kernels warp_kernels_avx512;

const warp_kernels *warp_variant(int variant)
{
#ifdef LITHE_X86
    static const warp_kernels *const all[] = {&warp_kernels_portable, &warp_kernels_avx2,
                                              &warp_kernels_avx512};
#else
    static const warp_kernels *const all[] = {&warp_kernels_portable};
#endif
    return element_has_variant(variant) ? all[variant] : NULL;
}

// Nodes that rotate know by how much.
static void rotate_with_nodes(const body *b, const double *x0, const double *x, double *warp)
{
    for (int i = 0; b->rotation && i < body_nposition(b); i++) {
        int rotation = b->rotation[i];
        double spin[3];
        if (rotation < 0)
            continue;
        rotation_between(&x0[3 * rotation], &x[3 * rotation], spin);
        rotation_matrix(spin, &warp[9 * (size_t)i]);
        rotation_matrix(spin, &warp[9 * (size_t)rotation]);
    }
}

static void find_body(const warp_kernels *kernels, const body *b, const double *x0, const double *x,
                      double *warp)
{
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memset(warp, 0, 9 * (size_t)b->nnode * sizeof *warp);
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        if (f->kind->nnode <= WARP_NODES && f->kind->nnode >= WARP_LEAST && f->kind->nrotation == 0)
            kernels->spread(f->n, f->kind->nnode, f->node, x0, x, warp);
    }
    kernels->rotate(b->nnode, warp);
    rotate_with_nodes(b, x0, x, warp);
    for (int i = 0; i < b->nnode; i++)
        if (body_is_held(b, i, LITHE_X | LITHE_Y | LITHE_Z))
            memcpy(&warp[9 * (size_t)i], none, sizeof none);
}

void warp_find(const lithe_model *m, const double *x0, const double *x, double *warp)
{
    const warp_kernels *kernels = warp_variant(element_best_variant());
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        find_body(kernels, &m->body[k], x0 + at, x + at, warp + 3 * at);
    }
}

bool warp_is_due(const lithe_model *m, const double *x0, const double *x)
{
    const double little = STEP_WARP_DUE * m->size;
    for (int i = 0; i < 3 * m->nnode; i++)
        if (!(fabs(x[i] - x0[i]) < little))
            return true;
    return false;
}
