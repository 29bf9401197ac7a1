#include "step/truth.h"

#include "base/clock.h"
#include "base/vec.h"
#include "step/state.h"

// Obstacles that a formula describes are looked at as that.
static check_pair pair_of(const lithe_model *m, const proximity_match *match)
{
    const proximity_world *world = &m->contact.world;
    int frame = match->second >= 0 ? world->surface[match->second].frame : match->shape;
    bool formula = frame >= 0 && m->contact.shape_surface[frame] < 0;
    return (check_pair){.first = match->first,
                        .second = formula ? -1 : match->second,
                        .shape = formula ? frame : -1,
                        .self = match->self};
}

lithe_status truth_build(lithe_model *m)
{
    const proximity_world *world = &m->contact.world;
    arena scratch = {0};
    int npair = 0; // points of cables, which come last, are no surfaces
    check_pair *pair = arena_new(&scratch, world->nmatch + 1, check_pair);
    lithe_status status = pair ? LITHE_OK : LITHE_NO_MEMORY;
    for (int k = 0; k < world->nmatch && status == LITHE_OK; k++)
        if (m->contact.law[k].sides >= 0)
            pair[npair++] = pair_of(m, &world->match[k]);
    check_world_def def = {
        world->nsurface, m->contact.solid, world->nshape, world->shape, npair, pair,
        m->contact.held};
    if (status == LITHE_OK)
        status = check_world_build(&def, &m->memory, &m->check);
    arena_free(&scratch);
    return status;
}

bool truth_create(const lithe_model *m, arena *memory, step_truth *out)
{
    return energy_create(m, memory, &out->energy) &&
           (!m->check || check_work_create(m->check, memory, &out->work) == LITHE_OK);
}

double truth_allowed(const lithe_model *m)
{
    return m->step.mode == LITHE_CONVERGED ? CONTACT_TOLERANCE * m->size : m->contact.overlap;
}

void truth_measure(const lithe_model *m, lithe_state *s)
{
    const double rounding = 1e-9;
    step_truth *t = &s->truth;
    if (!t->work)
        return;
    double start = clock_now();
    double small =
        m->step.mode == LITHE_CONVERGED ? CONTACT_TOLERANCE * m->size : 0.5 * m->contact.overlap;
    // Obstacles are where they are told to be, and not where a realtime step had to leave them.
    bool told = m->step.mode != LITHE_CONVERGED;
    check_positions at = {s->now.x, told ? s->contact.next : s->now.contact->frame, s->contact.off};
    t->deepest = check_overlap(m->check, t->work, &at, false, rounding * m->size, small);
    s->time.rows += clock_now() - start;
}

static lithe_status refuse(const lithe_model *m, lithe_state *s, const check_depth *d)
{
    const contact_sides *pair = &m->contact.sides[m->contact.law[d->pair].sides];
    bool self = pair->name[0] == pair->name[1];
    return LITHE_FAIL(
        &s->report, LITHE_NOT_CONVERGED,
        "'%s' and %s%s%s overlap by %.3g m at (%.6g, %.6g, %.6g) m, where %.1g m are "
        "allowed: forces are in balance, but contacts are missing there; take smaller "
        "steps, or make the mesh finer there",
        pair->name[0], self ? "" : "'", self ? "itself" : pair->name[1], self ? "" : "'", d->depth,
        d->at[0], d->at[1], d->at[2], truth_allowed(m));
}

static lithe_status refuse_growth(lithe_state *s)
{
    const energy_watch *w = &s->truth.energy;
    return LITHE_FAIL(
        &s->report, LITHE_NOT_CONVERGED,
        "energy has grown by %.3g J until %.6g s, %.2g %% of the most there was, beyond "
        "what loads, actuators, supports and obstacles put in: the steps are too long "
        "for this motion; take a shorter step.dt, a dynamics.spectral_radius further "
        "below 1, or the scheme euler",
        w->grown, w->grown_time, 100 * w->grown / w->scale);
}

lithe_status truth_judge(const lithe_model *m, lithe_state *s, lithe_status status)
{
    truth_measure(m, s);
    bool deep = s->truth.work && s->truth.deepest.depth > truth_allowed(m);
    if (status == LITHE_OK && deep && m->step.mode == LITHE_CONVERGED)
        return refuse(m, s, &s->truth.deepest);
    bool grown =
        m->step.mode == LITHE_CONVERGED && energy_growth(&s->truth.energy) > ENERGY_TOLERANCE;
    return status == LITHE_OK && grown ? refuse_growth(s) : status;
}
