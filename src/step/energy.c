// Energies and momentum of a state.
#include "base/vec.h"
#include "step/state.h"

#include <string.h>

double lithe_time(const lithe_state *s)
{
    return s->motion.clock;
}

void lithe_velocity(const lithe_model *m, const lithe_state *s, double *velocity)
{
    memset(velocity, 0, 3 * (size_t)m->nposition * sizeof *velocity);
    for (int k = 0; k < m->nbody && m->dynamics.scheme != LITHE_STATIC; k++) {
        const body *b = &m->body[k];
        memcpy(velocity + 3 * (size_t)b->position_adr, s->motion.velocity + 3 * (size_t)b->node_adr,
               3 * (size_t)body_nposition(b) * sizeof *velocity);
    }
}

// A rotation carries angular momentum alone.
static void add_momentum(bool position, const double *x, const double *v, const double p[3],
                         lithe_energy *out)
{
    double moment[3];
    vec_cross(moment, x, p);
    out->kinetic += 0.5 * vec_dot(v, p);
    vec_axpy(out->angular, 1, position ? moment : p);
    if (position)
        vec_axpy(out->linear, 1, p);
}

lithe_energy lithe_last_energy(const lithe_model *m, const lithe_state *s)
{
    const energy_watch *watch = &s->truth.energy;
    lithe_energy out = {.elastic = s->now.energy, .work = watch->work};
    if (watch->on) {
        out.grown = watch->grown;
        out.grown_time = watch->grown_time;
        out.grown_share = energy_growth(watch);
    }
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        body_loading loads = {s->load, s->motion.clock, s->setting, s->setting + m->nload};
        out.potential -= body_dead_work(b, &loads, s->now.x + at);
        for (int i = 0; i < b->nnode && m->dynamics.scheme != LITHE_STATIC; i++) {
            const double *v = &s->motion.velocity[at + 3 * (size_t)i];
            double p[3];
            body_momentum(b, s->now.x + at, i, v, p);
            add_momentum(i < body_nposition(b), &s->now.x[at + 3 * (size_t)i], v, p, &out);
        }
        for (int i = 0; i < 2 * b->nmass; i++) { // each pair both ways
            const body_mass *pair = &b->coupled[i / 2];
            const double *v = &s->motion.velocity[at + 3 * (size_t)pair->node[i % 2]];
            const double *w = &s->motion.velocity[at + 3 * (size_t)pair->node[1 - i % 2]];
            double p[3] = {pair->mass * w[0], pair->mass * w[1], pair->mass * w[2]};
            add_momentum(true, &s->now.x[at + 3 * (size_t)pair->node[i % 2]], v, p, &out);
        }
    }
    return out;
}
