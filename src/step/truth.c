#include "step/truth.h"

#include "base/clock.h"
#include "base/vec.h"
#include "step/step.h"

static check_source source_of(const contact_skin *skin)
{
    return (check_source){.nvertex = skin->nvertex,
                          .node = skin->node,
                          .rest = skin->rest,
                          .radius = skin->radius,
                          .frame = skin->frame,
                          .ntri = skin->ntri,
                          .tri = skin->tri,
                          .nsegment = skin->nsegment,
                          .segment = skin->segment};
}

static bool *find_held(lithe_model *m, arena *memory)
{
    bool *held = arena_new(memory, m->nnode, bool);
    for (int k = 0; k < m->nbody && held; k++)
        for (int i = 0; i < m->body[k].nnode; i++)
            held[m->body[k].node_adr + i] = m->body[k].held[i] == (LITHE_X | LITHE_Y | LITHE_Z);
    return held;
}

lithe_status truth_build(lithe_model *m)
{
    const contact_world *world = &m->touch.world;
    arena scratch = {0};
    check_source *surface = arena_new(&scratch, world->nskin + 1, check_source);
    check_pair *pair = arena_new(&scratch, world->npair + 1, check_pair);
    bool *held = find_held(m, &scratch);
    lithe_status status = surface && pair && held ? LITHE_OK : LITHE_NO_MEMORY;
    for (int k = 0; k < world->nskin && status == LITHE_OK; k++)
        surface[k] = source_of(&world->skin[k]);
    for (int k = 0; k < world->npair && status == LITHE_OK; k++) {
        const contact_pair *from = &world->pair[k];
        pair[k] =
            (check_pair){from->first, from->second, from->shape, from->self, from->patches != NULL};
    }
    check_world_def def = {world->nskin, surface, world->nshape, world->shape,
                           world->npair, pair,    held};
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

double truth_allowed(const lithe_model *m, int pair)
{
    double allowed = m->step.mode == LITHE_CONVERGED ? TOUCH_TOLERANCE * m->size : m->touch.overlap;
    const contact_pair *k = pair >= 0 ? &m->touch.world.pair[pair] : NULL;
    return k && k->patches ? fmax(allowed, k->alarm) : allowed;
}

static bool has_volumes(const lithe_model *m)
{
    for (int k = 0; k < m->touch.world.npair; k++)
        if (m->touch.world.pair[k].patches)
            return true;
    return false;
}

void truth_measure(const lithe_model *m, lithe_state *s)
{
    const double rounding = 1e-9;
    step_truth *t = &s->truth;
    if (!t->work)
        return;
    double start = clock_now();
    double small =
        m->step.mode == LITHE_CONVERGED ? TOUCH_TOLERANCE * m->size : 0.5 * m->touch.overlap;
    check_place at = {s->now.x, s->touch.shape, s->touch.off};
    t->deepest = check_overlap(m->check, t->work, &at, false, rounding * m->size, small);
    t->meant = (check_depth){.pair = -1};
    if (has_volumes(m))
        t->meant = check_overlap(m->check, t->work, &at, true, rounding * m->size, small);
    s->time.rows += clock_now() - start;
}

static lithe_status refuse(const lithe_model *m, lithe_state *s, const check_depth *d)
{
    const touch_pair *pair = &m->touch.pair[m->touch.pair_of[d->pair]];
    bool self = pair->name[0] == pair->name[1];
    bool full = s->touch.merged > 0 || s->touch.list.n >= m->touch.max;
    const char *remedy = full ? "raise contacts.max"
                              : "take smaller steps, raise contacts.alarm, or make the mesh finer "
                                "there";
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "'%s' and %s%s%s overlap by %.3g m at (%.6g, %.6g, %.6g) m, where %.1g m are "
                      "allowed: forces are in balance, but contacts are missing there; %s",
                      pair->name[0], self ? "" : "'", self ? "itself" : pair->name[1],
                      self ? "" : "'", d->depth, d->at[0], d->at[1], d->at[2],
                      truth_allowed(m, d->pair), remedy);
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
    const check_depth *found[] = {&s->truth.deepest, &s->truth.meant};
    truth_measure(m, s);
    for (int k = 0; k < 2 && s->truth.work && m->step.mode == LITHE_CONVERGED; k++)
        if (status == LITHE_OK && found[k]->depth > truth_allowed(m, found[k]->pair))
            return refuse(m, s, found[k]);
    bool grown =
        m->step.mode == LITHE_CONVERGED && energy_growth(&s->truth.energy) > ENERGY_TOLERANCE;
    return status == LITHE_OK && grown ? refuse_growth(s) : status;
}
