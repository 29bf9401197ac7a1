#include "body/spin.h"

#include "base/rotation.h"
#include "base/vec.h"

#include <string.h>

bool body_spins(const body *b, int node)
{
    if (!b->inertia || node < body_nposition(b))
        return false;
    const double *D = &b->inertia[9 * (size_t)(node - body_nposition(b))];
    return D[0] + D[4] + D[8] > 0;
}

// The rate of a momentum: I acceleration + w x I w
static void momentum_rate(const body *b, int node, const double *x, const double w[3],
                          const double acceleration[3], double out[3])
{
    double momentum[3], gyroscopic[3];
    body_momentum(b, x, node, w, momentum);
    vec_cross(gyroscopic, w, momentum);
    body_momentum(b, x, node, acceleration, out);
    vec_axpy(out, 1, gyroscopic);
}

void spin_solve(const body *b, int node, const double *x, const double moment[3],
                double acceleration[3])
{
    double I[3][3], cofactor[3][3], out[3] = {0};
    for (int axis = 0; axis < 3; axis++) {
        double unit[3] = {axis == 0, axis == 1, axis == 2};
        body_momentum(b, x, node, unit, I[axis]);
    }
    for (int i = 0; i < 3; i++)
        vec_cross(cofactor[i], I[(i + 1) % 3], I[(i + 2) % 3]);
    double det = vec_dot(I[0], cofactor[0]);
    for (int i = 0; i < 3; i++)
        vec_axpy(out, moment[i] / det, cofactor[i]);
    memcpy(acceleration, out, sizeof out);
}

// … and back: the acceleration that stands for a rate of momentum
static void acceleration_of(const body *b, int node, const double *x, const double w[3],
                            const double rate[3], double out[3])
{
    double momentum[3], gyroscopic[3], left[3];
    body_momentum(b, x, node, w, momentum);
    vec_cross(gyroscopic, w, momentum);
    vec_sub(left, rate, gyroscopic);
    spin_solve(b, node, x, left, out);
}

static double gain_of(const spin_scheme *s)
{
    return (1 - s->am) / ((1 - s->af) * s->gamma * s->h);
}

// Nodes that may have a tensor are the last ones.
static int first_spinning(const body *b)
{
    return b->inertia ? body_nposition(b) : b->nnode;
}

// At the start, the lagging rate of the momentum and the moment.
static void rates_of(const body *b, int node, const spin_start *start, double lagging[3],
                     double moment[3])
{
    const double *w = &start->velocity[3 * (size_t)node];
    momentum_rate(b, node, start->x, w, &start->lagged[3 * (size_t)node], lagging);
    momentum_rate(b, node, start->x, w, &start->rate[3 * (size_t)node], moment);
}

// With p the lagging rate of the momentum and M the moment, both at the start,
// (1 - af) M' = (1 - am) p' + am p - af M  and  L' = L + h ((1 - gamma) p + gamma p').
void spin_begin(const body *b, const spin_scheme *s, const spin_start *start, double *keep)
{
    double gain = gain_of(s), of_moment = s->af / (1 - s->af),
           of_p = (s->am - (1 - s->am) * (1 - s->gamma) / s->gamma) / (1 - s->af);
    for (int i = first_spinning(b); i < b->nnode; i++) {
        double p[3], moment[3], *L = &keep[3 * (size_t)i];
        if (!body_spins(b, i))
            continue;
        rates_of(b, i, start, p, moment);
        body_momentum(b, start->x, i, &start->velocity[3 * (size_t)i], L);
        vec_axpy(L, -of_p / gain, p);
        vec_axpy(L, of_moment / gain, moment);
    }
}

void spin_velocity(const body *b, const spin_scheme *s, const double *calm, double *way)
{
    for (int i = 0; i < b->nnode; i++) {
        double Q[9], along[3], *v = &way[3 * (size_t)i];
        memcpy(along, &calm[3 * (size_t)i], sizeof along);
        if (body_spins(b, i)) {
            rotation_matrix(v, Q);
            mat_apply(along, Q, along);
        }
        for (int axis = 0; axis < 3; axis++)
            v[axis] = s->rate * (v[axis] - along[axis]);
    }
}

static void moment_of(const body *b, int node, const spin_scheme *s, const double *x,
                      const double *velocity, const double *keep, double moment[3])
{
    body_momentum(b, x, node, &velocity[3 * (size_t)node], moment);
    vec_axpy(moment, -1, &keep[3 * (size_t)node]);
    vec_scale(moment, gain_of(s));
}

void spin_moment(const body *b, const spin_scheme *s, const double *x, const double *velocity,
                 const double *keep, double *force)
{
    for (int i = first_spinning(b); i < b->nnode; i++) {
        double moment[3];
        if (!body_spins(b, i))
            continue;
        moment_of(b, i, s, x, velocity, keep, moment);
        vec_axpy(&force[3 * (size_t)i], 1, moment);
    }
}

// Of one node with a tensor: what stands for its moment, and for the lagging rate of its momentum.
static void end_tensor(const body *b, int node, const spin_scheme *s, const spin_start *start,
                       const spin_finish *end, double rate[3], double lagged[3])
{
    double p[3], before[3], moment[3];
    const double *w = &end->velocity[3 * (size_t)node];
    rates_of(b, node, start, p, before);
    moment_of(b, node, s, end->x, end->velocity, end->keep, moment);
    for (int i = 0; i < 3; i++)
        p[i] = ((1 - s->af) * moment[i] + s->af * before[i] - s->am * p[i]) / (1 - s->am);
    acceleration_of(b, node, end->x, w, moment, rate);
    acceleration_of(b, node, end->x, w, p, lagged);
}

void spin_end(const body *b, const spin_scheme *s, const spin_start *start, const spin_finish *end,
              double *rate, double *lagged)
{
    for (int i = 0; i < b->nnode; i++) {
        size_t at = 3 * (size_t)i;
        double now[3] = {0}, lag[3] = {0};
        if (body_spins(b, i))
            end_tensor(b, i, s, start, end, now, lag);
        for (size_t j = 0; j < 3; j++) {
            if (!body_spins(b, i)) {
                now[j] = end->inertia * (end->way[at + j] - end->keep[at + j]);
                lag[j] = ((1 - s->af) * now[j] + s->af * rate[at + j] - s->am * lagged[at + j]) /
                         (1 - s->am);
            }
            rate[at + j] = now[j] - end->push[at + j];
            lagged[at + j] = end->damped ? rate[at + j] : lag[j];
        }
    }
}

void spin_push(const body *b, const double *x, double *push)
{
    double force[3] = {0}, moment[3] = {0};
    int rotation = b->nnode - 1;
    for (int i = 0; i < rotation; i++) {
        double arm[3], about[3];
        vec_sub(arm, &x[3 * (size_t)i], &x[3 * (size_t)b->centre]);
        vec_cross(about, arm, &push[3 * (size_t)i]);
        vec_axpy(force, 1, &push[3 * (size_t)i]);
        vec_axpy(moment, 1, about);
    }
    vec_axpy(moment, 1, &push[3 * (size_t)rotation]);
    memset(push, 0, 3 * (size_t)b->nnode * sizeof *push);
    if (!(b->mass[b->centre] > 0))
        return;
    vec_axpy(&push[3 * (size_t)b->centre], 1 / b->mass[b->centre], force);
    spin_solve(b, rotation, x, moment, &push[3 * (size_t)rotation]);
}

void spin_follow(const body *b, const double *x, double *velocity, double *rate)
{
    size_t rotation = 3 * ((size_t)b->nnode - 1), centre = 3 * (size_t)b->centre;
    for (size_t i = 0; i < rotation; i += 3) {
        double arm[3], round[3], inward[3], faster[3];
        if (i == centre)
            continue;
        vec_sub(arm, &x[i], &x[centre]);
        vec_cross(round, &velocity[rotation], arm);
        vec_cross(inward, &velocity[rotation], round);
        vec_cross(faster, &rate[rotation], arm);
        for (size_t axis = 0; axis < 3; axis++) {
            velocity[i + axis] = velocity[centre + axis] + round[axis];
            rate[i + axis] = rate[centre + axis] + faster[axis] + inward[axis];
        }
    }
}
