// From the barrier's equilibrium to Signorini's: no force where there is a gap, no gap where there
// is a force, but for a distance `held_at` that is small against everything. An interior-point
// method on the same rows, with their forces l as unknowns:
//
//     d(x) - held_at = s > 0,   l > 0,   l s = mu -> 0
//
// In the linear model a row then has the stiffness l / s and the force (mu - l (d - held_at - s)) /
// s.
#include "base/memory.h"
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/newton.h"
#include "step/phases.h"
#include "step/tolerances.h"

#include <stdlib.h>
#include <string.h>

enum { LIMB = 0, SLACK = 1 }; // numbers of a note

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const struct contact_note *)a)->id, y = ((const struct contact_note *)b)->id;
    return x < y ? -1 : x > y;
}

bool contact_memory_reserve(contact_memory *known, int n)
{
    if (n <= known->max)
        return true;
    memory_free(known->note);
    known->max = 0;
    known->note = memory_alloc((size_t)(n + n / 2) * sizeof *known->note);
    known->max = known->note ? n + n / 2 : 0;
    if (known->note)
        memset(known->note, 0, (size_t)known->max * sizeof *known->note);
    return known->note != NULL;
}

void contact_memory_sort(contact_memory *known)
{
    bool sorted = true;
    for (int i = 1; i < known->n && sorted; i++)
        sorted = known->note[i - 1].id <= known->note[i].id;
    if (!sorted)
        qsort(known->note, (size_t)known->n, sizeof *known->note, by_id);
}

struct contact_note *contact_recall(const contact_memory *known, uint64_t id)
{
    int low = 0, high = known->n;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (known->note[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < known->n && known->note[low].id == id ? &known->note[low] : NULL;
}

// Edges that meet at an end have no direction of their own; vertices on faces hold the same
// position. What was one before stays one: where edges lie along each other it would come and go.
static bool is_condition(const contact_row *c, const struct contact_note *known)
{
    return c->pair.kind != PAIR_EDGE_EDGE || c->at.free == 2 || known;
}

// Forces and slacks from the notes; what was not near before begins with little.
void polish_evaluate(const lithe_model *m, lithe_state *s, step_point *p)
{
    step_contact *t = &s->contact;
    contact_rows *rows = p->contact;
    int kept = 0;
    for (int r = 0; r < rows->n; r++) {
        contact_row *c = &rows->row[r];
        double d = c->at.distance, gap = d - m->contact.held_at;
        if (c->soft) {
            rows->row[kept++] = *c;
            continue;
        }
        const struct contact_note *note = contact_recall(&t->known, c->pair.id);
        if (!is_condition(c, note))
            continue;
        c->slack = note ? fmax(note->number[SLACK], gap) : fmax(gap, 0.1 * d);
        c->force = note ? note->number[LIMB] : 0.05 * t->mu / c->slack;
        c->stiff = c->force / c->slack;
        c->drive = c->force;
        for (int i = 0; i < 3 * c->pair.npoint; i++)
            c->pull[i] = c->force * c->at.share[i / 3] * c->at.normal[i % 3];
        rows->row[kept++] = *c;
    }
    rows->n = kept;
}

static void remember(contact_rows *rows, contact_memory *known, bool first)
{
    known->n = 0;
    for (int r = 0; r < rows->n; r++)
        if (!first || is_condition(&rows->row[r], NULL))
            known->note[known->n++] = (struct contact_note){
                .id = rows->row[r].pair.id, .number = {rows->row[r].force, rows->row[r].slack}};
    contact_memory_sort(known);
}

static double mean_product(const contact_rows *rows)
{
    double sum = 0;
    int n = 0;
    for (int r = 0; r < rows->n; r++) {
        sum += rows->row[r].soft ? 0 : rows->row[r].force * rows->row[r].slack;
        n += !rows->row[r].soft;
    }
    return n > 0 ? sum / n : 0;
}

// The largest force, or a thousandth of the forces in the balance where contacts hardly push.
static double usual_force(const lithe_state *s)
{
    const contact_rows *rows = s->now.contact;
    double most = s->now.relative > 0 ? POLISH_LEAST_FORCE * s->now.residual / s->now.relative : 0;
    for (int r = 0; r < rows->n; r++)
        most = rows->row[r].soft ? most : fmax(most, rows->row[r].force);
    return most;
}

static void begin(const lithe_model *m, lithe_state *s)
{
    contact_rows *rows = s->now.contact;
    step_contact *t = &s->contact;
    for (int r = 0; r < rows->n; r++) {
        double d = rows->row[r].at.distance;
        rows->row[r].slack = fmax(d - m->contact.held_at, 0.1 * d);
    }
    t->mu = mean_product(rows);
    for (int r = 0; r < rows->n; r++)
        if (!rows->row[r].soft)
            rows->row[r].force = fmax(rows->row[r].force, 0.05 * t->mu / rows->row[r].slack);
    remember(rows, &t->known, true);
    t->law = true;
}

// now.pull with the forces of the linear model instead of those that are; and back.
static void exchange_drive(const lithe_model *m, lithe_state *s, double sign)
{
    for (int r = 0; r < s->now.contact->n; r++) {
        const contact_row *c = &s->now.contact->row[r];
        double point[12];
        for (int i = 0; i < 3 * c->pair.npoint; i++)
            point[i] =
                (c->drive - c->force) * c->at.share[i / 3] *
                (c->at.normal[i % 3] + (s->tangent.found.clamped ? 0 : c->slide[i % 3] / c->stiff));
        contact_spread(m, c, sign * s->contact.unit, point, s->now.pull);
    }
}

static double opening(const lithe_model *m, const lithe_state *s, const contact_row *c)
{
    double rate[3];
    contact_rate(m, c, s->pass.dx, rate);
    return vec_dot(rate, c->at.normal);
}

// The direction for drives -(l / s) rp + mu / s with the factor that is there.
static lithe_status direct(const lithe_model *m, lithe_state *s, double mu)
{
    contact_rows *rows = s->now.contact;
    for (int r = 0; r < rows->n; r++) {
        contact_row *c = &rows->row[r];
        double rp = c->at.distance - m->contact.held_at - c->slack;
        if (c->soft)
            continue;
        c->drive = mu / c->slack - c->stiff * rp;
    }
    exchange_drive(m, s, 1);
    lithe_status status = step_phases(m, s, STEP_FORWARD, PHASE_FREE, PHASE_CORRECT);
    exchange_drive(m, s, -1);
    return status;
}

typedef struct polish_step {
    double primal, dual; // shares of the way, whole where nothing gets in it
    double mu;           // mean of l s there
} polish_step;

// Shares up to which forces and slacks stay above 0, and what becomes of mu.
static polish_step measure(const lithe_model *m, const lithe_state *s, double keep)
{
    const contact_rows *rows = s->now.contact;
    polish_step step = {1, 1, 0};
    double most = 1 - keep;
    int hard = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int r = 0; r < rows->n; r++) {
            const contact_row *c = &rows->row[r];
            if (c->soft)
                continue;
            double rate = opening(m, s, c);
            double ds = c->at.distance - m->contact.held_at - c->slack + rate;
            double dl = c->drive - c->stiff * rate - c->force;
            hard += pass == 1;
            if (pass == 1)
                step.mu += (c->force + step.dual * dl) * (c->slack + step.primal * ds);
            else {
                if (c->slack + ds < keep * c->slack)
                    step.primal = fmin(step.primal, -most * c->slack / ds);
                if (c->force + dl < keep * c->force)
                    step.dual = fmin(step.dual, -most * c->force / dl);
            }
        }
    step.mu /= hard > 0 ? hard : 1;
    return step;
}

static void take(const lithe_model *m, lithe_state *s, polish_step step)
{
    contact_rows *rows = s->now.contact;
    for (int r = 0; r < rows->n; r++) {
        contact_row *c = &rows->row[r];
        if (c->soft)
            continue;
        double rate = opening(m, s, c);
        double ds = c->at.distance - m->contact.held_at - c->slack + rate;
        double dl = c->drive - c->stiff * rate - c->force;
        c->force += step.dual * dl;
        c->slack += step.primal * ds;
    }
    remember(rows, &s->contact.known, false);
    step_move(m, &s->now, step.primal, s->pass.dq, &s->now);
    for (int r = 0; r < m->nact; r++)
        s->now.effort[r] =
            s->command[r] == LITHE_EFFORT || step.primal == 1
                ? s->pass.target[r]
                : s->now.effort[r] + step.primal * (s->pass.target[r] - s->now.effort[r]);
    point_evaluate(m, s, &s->now);
    s->contact.mu = mean_product(s->now.contact);
}

static lithe_status pass(const lithe_model *m, lithe_state *s, double mu_end, double *share)
{
    const contact_rows *rows = s->now.contact;
    if (!contact_memory_reserve(&s->contact.known, 2 * rows->n))
        return report_no_memory(&s->report, "contacts");
    lithe_status status = step_linearize(m, s, STEP_FORWARD, false);
    if (status == LITHE_OK)
        status = direct(m, s, 0);
    if (status != LITHE_OK) {
        LITHE_TRY(step_linearize(m, s, STEP_FORWARD, true));
        LITHE_TRY(direct(m, s, 0));
    }
    double mu = s->contact.mu, affine = measure(m, s, 0).mu / mu;
    double sigma = fmin(fmax(affine * affine * affine, 0.01), 0.5);
    LITHE_TRY(direct(m, s, fmax(sigma * mu, 0.3 * mu_end)));
    polish_step step = measure(m, s, POLISH_KEPT);
    step.primal = fmin(step.primal, contact_safe(m, s));
    take(m, s, step);
    *share = step.primal;
    s->last.iteration++;
    return isfinite(s->now.residual) ? LITHE_OK : LITHE_NOT_CONVERGED;
}

// The force residual that roundoff leaves: directions across so small a gap are known to so much.
// usual: force of contacts before the polish, which may be of none afterwards.
static double noise(const lithe_model *m, const lithe_state *s, double usual)
{
    double direction = POLISH_DIRECTION * m->reach / m->contact.held_at;
    return fmax(fmax(motion_noise(m, s), POLISH_TOLERANCE * s->tolerance * usual),
                direction * usual_force(s));
}

static bool is_done(const lithe_model *m, lithe_state *s, double mu_end, double usual)
{
    double worst = 0, floor = noise(m, s, usual);
    for (int r = 0; r < s->now.contact->n; r++) {
        const contact_row *c = &s->now.contact->row[r];
        if (!c->soft)
            worst = fmax(worst, fabs(c->at.distance - m->contact.held_at - c->slack));
    }
    bool exact = s->now.relative <= s->tolerance;
    if (!(exact || s->now.residual <= floor) || !(s->contact.mu <= 2 * mu_end) ||
        !(worst < 0.01 * m->contact.held_at) ||
        !(task_residual(m, s, &s->now, false) <= s->tolerance))
        return false;
    s->last.floor = exact ? 0 : floor * s->now.relative / s->now.residual;
    return true;
}

static void keep_base(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    memcpy(t->base_q, s->now.q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(t->base_effort, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    t->based = true;
}

// An equilibrium of the barrier.
static void go_to(const lithe_model *m, lithe_state *s, const double *q, const double *effort)
{
    memcpy(s->now.q, q, (size_t)m->nq * sizeof *s->now.q);
    step_positions(m, &s->now);
    memcpy(s->now.effort, effort, (size_t)m->nact * sizeof *s->now.effort);
    s->contact.law = false;
    point_evaluate(m, s, &s->now);
}

// Passes from the barrier's equilibrium; false: they lead nowhere.
static bool descend(const lithe_model *m, lithe_state *s)
{
    enum { PASSES = 40, PATIENCE = 5 };
    const double hardly = 0.05; // of the way
    int stuck = 0;
    double usual = usual_force(s);
    begin(m, s);
    point_evaluate(m, s, &s->now);
    s->contact.mu = mean_product(s->now.contact);
    for (int k = 0; k < PASSES && stuck < PATIENCE && !s->stopped; k++) {
        double force = fmax(usual_force(s), POLISH_LEAST_FORCE * usual), share = 0;
        double mu_end = POLISH_END * force * m->contact.held_at;
        if (is_done(m, s, mu_end, usual))
            return true;
        if (pass(m, s, mu_end, &share) != LITHE_OK)
            return false;
        stuck = share < hardly ? stuck + 1 : 0;
    }
    return false;
}

static bool rubs(const contact_rows *rows)
{
    for (int r = 0; r < rows->n; r++)
        if (rows->row[r].cling > 0)
            return true;
    return false;
}

static void keep_near(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    memcpy(t->near_q, s->now.q, (size_t)m->nq * sizeof *s->now.q);
    memcpy(t->near_effort, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
}

// The barrier again, ever nearer, each from where the one before ended. Newton's own line search
// takes it past corners and through snaps. Returns how near it came; snaps: a shape that is not
// stable there is why it came no nearer.
static double approach(const lithe_model *m, lithe_state *s, bool *snaps)
{
    enum { STAGES = 4 };
    const double stage = 0.2;
    step_contact *t = &s->contact;
    double reached = 1;
    keep_near(m, s);
    for (int k = 0; k < STAGES && !s->stopped; k++) {
        t->nearer = stage * reached;
        *snaps = false;
        if (newton_solve(m, s) != LITHE_OK) {
            *snaps = s->tangent.found.clamped;
            break;
        }
        reached = t->nearer;
        keep_near(m, s);
    }
    t->nearer = reached;
    go_to(m, s, t->near_q, t->near_effort);
    return reached;
}

static lithe_status fail(const lithe_model *m, lithe_state *s, double near, bool snaps)
{
    return LITHE_FAIL(
        &s->report, LITHE_NOT_CONVERGED,
        "forces are in balance, but what touches stays up to %.2g m apart, and cannot be brought "
        "nearer: %s",
        near * m->contact.reach,
        snaps ? "the shape is about to snap, as where it slips off; take steps of another length "
                "there, or go through it in motion (dynamics)"
              : "corners are pressed onto corners, or nearly; take more steps, or make the mesh "
                "finer there");
}

// Statics alone: in motion the barrier is the law, and where something rubs, which would slide as
// its gap closes. Corners that are pushed onto corners have no direction from near by: then a
// barrier that is near enough is the answer.
lithe_status contact_polish(const lithe_model *m, lithe_state *s)
{
    const double enough = 0.05; // of the barrier's reach
    step_contact *t = &s->contact;
    if (!m->contact.on || s->now.contact->n == 0 || s->motion.on || rubs(s->now.contact) ||
        !contact_memory_reserve(&t->known, 2 * s->now.contact->n))
        return LITHE_OK;
    keep_base(m, s);
    if (descend(m, s)) {
        s->report.error[0] = '\0';
        return LITHE_OK;
    }
    go_to(m, s, t->base_q, t->base_effort);
    bool snaps = false;
    double near = approach(m, s, &snaps);
    if (near <= enough && !descend(m, s))
        go_to(m, s, t->near_q, t->near_effort);
    s->report.error[0] = '\0';
    if (near <= enough)
        return LITHE_OK;
    return fail(m, s, near, snaps);
}
