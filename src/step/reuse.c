#include "step/reuse.h"

#include "base/worst.h"
#include "step/step.h"

#include <math.h>
#include <string.h>

bool reuse_create(const lithe_model *m, arena *memory, step_source *out)
{
    *out = (step_source){.x = arena_new(memory, 3 * (size_t)m->nnode, double),
                         .effort = arena_new(memory, m->nact, double),
                         .setting = arena_new(memory, m->nsetting, double)};
    return out->x && out->effort && out->setting;
}

// Does a factor say nothing but what shape and efforts are?
static bool is_plain(const lithe_model *m)
{
    bool plain = !m->contact.on && !step_is_moving(m) && m->step.mode == LITHE_CONVERGED;
    for (int k = 0; k < m->nbody; k++)
        plain = plain && !m->body[k].prony && !m->body[k].moves; // elements' own stiffness is asked
                                                                 // for there
    return plain;
}

void reuse_begin(lithe_state *s)
{
    s->tangent.source.known = false;
}

void reuse_remember(const lithe_model *m, lithe_state *s)
{
    step_source *source = &s->tangent.source;
    const step_finding *found = &s->tangent.found;
    source->made = source->known = is_plain(m) && found->use == TANGENT_GOOD && !found->clamped;
    if (!source->known)
        return;
    memcpy(source->x, s->now.x, 3 * (size_t)m->nnode * sizeof *source->x);
    memcpy(source->effort, s->now.effort, (size_t)m->nact * sizeof *source->effort);
    memcpy(source->setting, s->setting, (size_t)m->nsetting * sizeof *source->setting);
    source->load = s->aim_load;
    source->time = s->motion.time;
}

double reuse_distance(const lithe_model *m, const lithe_state *s)
{
    const step_source *source = &s->tangent.source;
    double most = 0;
    if (!source->known)
        return INFINITY;
    for (int i = 0; i < 3 * m->nnode; i++)
        most = worst_of(most, fabs(s->now.x[i] - source->x[i]));
    return most / m->size;
}

// Loads that follow the shape are in A.
static bool follows(const lithe_model *m)
{
    bool any = false;
    for (int k = 0; k < m->nbody; k++)
        any = any || m->body[k].npressure + m->body[k].nhang + m->body[k].nliquid > 0;
    return any;
}

bool reuse_is_exact(const lithe_model *m, const lithe_state *s)
{
    const step_source *source = &s->tangent.source;
    return source->made &&
           memcmp(source->x, s->now.x, 3 * (size_t)m->nnode * sizeof *source->x) == 0 &&
           memcmp(source->effort, s->now.effort, (size_t)m->nact * sizeof *source->effort) == 0 &&
           memcmp(source->setting, s->setting, (size_t)m->nsetting * sizeof *source->setting) ==
               0 &&
           (!follows(m) || (source->load == s->aim_load && source->time == s->motion.time));
}
