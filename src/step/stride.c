// Adaptive steps: dt is cut into steps whose own error stays below a tolerance. What a step is off
// by is estimated from what it has anyway: were the acceleration linear in time over the step, the
// way would be
//
//     h v + h^2 (1/3 rate + 1/6 rate')        to the fourth order in h [zienkiewicz1991]
//
// with the accelerations at its two ends. The difference to the way that the scheme took is of the
// third order for generalized-alpha and of the second for implicit Euler, and so is its error.
#include "base/vec.h"
#include "base/worst.h"
#include "step/phases.h"

#include <string.h>

lithe_stride lithe_last_stride(const lithe_state *s)
{
    return s->motion.strides;
}

bool stride_is_adaptive(const lithe_model *m)
{
    return m->dynamics.local_error > 0;
}

static double shortest_of(const lithe_model *m)
{
    const double least = m->step.dt / 65536;
    return m->dynamics.shortest > least ? m->dynamics.shortest : least;
}

// What is left of dt is cut evenly, so that no step is a remnant.
double stride_share(const lithe_model *m, const lithe_state *s, double left)
{
    double length = s->motion.stride > 0 ? s->motion.stride / m->step.dt : 1;
    double n = ceil(left / length - 1e-9);
    return left / fmax(n, 1);
}

// What the way lacks or exceeds of that, for all positions; 0 for rotations.
static void find_difference(const lithe_model *m, const lithe_state *s, double *off)
{
    const step_motion *motion = &s->motion;
    double h = motion->h;
    step_way(m, motion->start, s->now.x, off);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t first = 3 * (size_t)b->node_adr, position = first + 3 * (size_t)body_nposition(b),
               end = first + 3 * (size_t)b->nnode;
        for (size_t i = first; i < end; i++) {
            double rate = motion->inertia * (off[i] - motion->leap[i]);
            off[i] = i < position ? off[i] - h * motion->velocity[i] -
                                        h * h * (motion->rate[i] / 3 + rate / 6)
                                  : 0;
        }
    }
}

// off = A^-1 inertia M off. A vibration that is fast for h swings by its acceleration over its
// frequency squared, not by h^2 times its acceleration: A knows its frequency.
static void filter(const lithe_model *m, lithe_state *s, double *off)
{
    size_t n = 3 * (size_t)m->nnode;
    double *force = off + n;
    memset(force, 0, n * sizeof *force);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_mass_times(&m->body[k], s->now.x + at, s->motion.inertia, off + at, force + at);
    }
    memset(s->pass.dq, 0, (size_t)m->nq * sizeof *s->pass.dq);
    for (int k = 0; k < m->nbody; k++)
        step_solve_body(m, s, k, force, s->pass.dq);
    step_push(m, s->now.J, s->pass.dq, off);
}

// Largest over all positions, m. fresh: A is that of this step.
static double error_of(const lithe_model *m, lithe_state *s, bool fresh)
{
    double *off = s->nodal, worst = 0;
    find_difference(m, s, off);
    if (fresh)
        filter(m, s, off);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = b->node_adr; i < b->node_adr + body_nposition(b); i++)
            worst = worst_of(worst, vec_norm(&off[3 * i]));
    }
    return worst;
}

static void count(lithe_stride *strides, double h, double error)
{
    strides->shortest = strides->taken ? fmin(strides->shortest, h) : h;
    strides->longest = fmax(strides->longest, h);
    strides->error = worst_of(strides->error, error);
    strides->taken++;
}

// Done again over a share of h; with 0 where nothing shorter is allowed.
static void shorten(const lithe_model *m, step_motion *motion, double share)
{
    double least = shortest_of(m);
    motion->strides.refused++;
    motion->stride = motion->h <= least * (1 + 1e-9) ? 0 : fmax(motion->h * share, least);
}

// A step that is near enough may be followed by one up to twice as long; one that is not is done
// again, shorter. Both aim a little below the tolerance.
lithe_status stride_judge(const lithe_model *m, lithe_state *s, lithe_status newton, int iterations)
{
    step_motion *motion = &s->motion;
    const double tolerance = m->dynamics.local_error,
                 order = m->dynamics.scheme == LITHE_EULER ? 2 : 3;
    if (newton != LITHE_OK) {
        shorten(m, motion, 0.5);
        return newton;
    }
    double error = error_of(m, s, iterations > 0), h = motion->h;
    double change = error > 0 ? 0.9 * pow(tolerance / error, 1 / order) : 2;
    if (!(error <= tolerance)) {
        shorten(m, motion, fmax(change, 0.2));
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "a step of %.3g s is off by %.3g m, more than adaptive steps allow, and "
                          "none may be shorter: raise dynamics.adaptive.error, or lower shortest",
                          h, error);
    }
    motion->stride = fmax(h * fmin(change, 2), shortest_of(m));
    count(&motion->strides, h, error);
    return LITHE_OK;
}
