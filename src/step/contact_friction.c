// Coulomb's friction by a return map with memory. What sticks is held by a stiff spring from where
// it stuck; the spring slides where it would pull by more than mu times the normal force f:
//
//     tau = -cling (u + s)                   u: motion along the surface since the last equilibrium
//     stick, |tau| <= mu f:  lambda = tau    s: what the spring remembers from there
//     slip, t = tau / |tau|: lambda = mu f t
//     at the next equilibrium: s = -lambda / cling
//
// The force depends on the gap through f, and that part of the stiffness is not symmetric. It
// stands beside the factors, see contact_couple.c.
#include "base/vec.h"
#include "step/contact_rows.h"

#include <string.h>

// Where a point that stands on the shape goes as the shape moves.
void contact_carry(const contact_frame *from, const contact_frame *to, const double x[3],
                   double way[3])
{
    double rel[3], own[3], back[9];
    vec_sub(rel, x, from->at);
    for (int i = 0; i < 9; i++)
        back[i] = from->R[3 * (i % 3) + i / 3];
    mat_apply(own, back, rel);
    mat_apply(way, to->R, own);
    vec_axpy(way, 1, to->at);
    vec_axpy(way, -1, x);
}

// How far a has moved against b since the last equilibrium, along the surface.
static void find_motion(const lithe_model *m, const lithe_state *s, const contact_rows *rows,
                        const contact_row *c, double u[3])
{
    const step_contact *t = &s->contact;
    memset(u, 0, 3 * sizeof *u);
    for (int i = 0; i < c->pair.npoint; i++) {
        double now[3], before[3];
        contact_point_way(m, c, i, rows->positions.x, now);
        contact_point_way(m, c, i, t->last.x, before);
        for (int axis = 0; axis < 3; axis++)
            u[axis] += c->at.share[i] * (now[axis] - before[axis]);
    }
    if (c->pair.shape >= 0) {
        double positions[3] = {0}, way[3];
        for (int i = 0; i < c->pair.npoint; i++) {
            contact_point_way(m, c, i, rows->positions.x, way);
            vec_axpy(positions, c->at.share[i], way);
        }
        contact_carry(&rows->frame[c->pair.shape], &t->saved[c->pair.shape], positions, way);
        vec_axpy(u, 1, way); // backwards in time
    }
    vec_axpy(u, -vec_dot(u, c->at.normal), c->at.normal);
}

void friction_evaluate(const lithe_model *m, const lithe_state *s, const contact_rows *rows,
                       contact_row *c)
{
    const contact_law *law = &m->contact.law[c->pair.match];
    double mu = s->contact.friction[c->pair.match], u[3];
    memset(c->slide, 0, sizeof c->slide);
    c->cling = c->sliding = 0;
    if (mu <= 0)
        return;
    find_motion(m, s, rows, c, u);
    const struct contact_note *note = contact_recall(&s->contact.stick, c->pair.id);
    if (note) {
        vec_axpy(u, 1, note->number);
        vec_axpy(u, -vec_dot(u, c->at.normal), c->at.normal);
    }
    double length = vec_norm(u), most = mu * c->force;
    memcpy(c->spring, u, sizeof u);
    c->cling = law->cling;
    for (int i = 0; i < 3; i++)
        c->friction[i] = -law->cling * u[i];
    if (law->cling * length > most) {
        c->cling = most / length;
        c->sliding = 1;
        for (int i = 0; i < 3; i++) {
            c->along[i] = -u[i] / length;
            c->friction[i] = most * c->along[i];
            c->slide[i] = mu * c->stiff * c->along[i];
        }
    }
    for (int i = 0; i < c->pair.npoint; i++)
        vec_axpy(&c->pull[3 * i], c->at.share[i], c->friction);
}

void friction_begin(lithe_state *s)
{
    s->contact.secant = false;
    s->contact.near = 0;
    s->contact.secants = 0;
}

// Along its slip, friction does not grow: its tangent leaves that way open, and passes may jump
// back and forth over where a row sticks, and be cut. The secant, which is above friction's
// potential everywhere, does not jump, but comes near slowly; there the tangent is tried again, and
// where so many passes have not come near, at rest, the jumps may as well find the way.
void friction_choose(lithe_state *s, bool halved)
{
    enum { MOST_SECANTS = 30 };
    step_contact *t = &s->contact;
    t->secants += t->secant;
    if (t->secants > MOST_SECANTS && !s->motion.on)
        t->secant = false;
    else if (!t->secant && t->cut && !halved) {
        t->secant = true;
        t->near = 0.1 * s->now.relative;
    } else
        t->secant = t->secant && !(s->now.relative < t->near);
}

// The symmetric part over the points: H += share share' cling (I - n n' - t t'), without t where it
// sticks, or for the secant.
void friction_stiffness(const contact_row *c, bool secant, double *H)
{
    int n = 3 * c->pair.npoint;
    if (c->cling == 0)
        return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double P = (i % 3 == j % 3) - c->at.normal[i % 3] * c->at.normal[j % 3] -
                       (secant ? 0 : c->sliding) * c->along[i % 3] * c->along[j % 3];
            H[i * n + j] += c->at.share[i / 3] * c->at.share[j / 3] * c->cling * P;
        }
}

// Energy of a spring that slides at a force `most`.
static double spring_energy(double cling, double most, double length)
{
    return cling * length <= most ? 0.5 * cling * length * length
                                  : most * (length - 0.5 * most / cling);
}

// What the merit gains by the work of friction a share of the way along s->pass.dx: that of the
// springs, with normal forces as they are now.
double friction_merit(const lithe_model *m, const lithe_state *s, double share)
{
    double sum = 0;
    for (int r = 0; r < s->now.contact->n && s->contact.rubs; r++) {
        const contact_row *c = &s->now.contact->row[r];
        const contact_law *law = &m->contact.law[c->pair.match];
        double most = s->contact.friction[c->pair.match] * c->force, rate[3], there[3];
        if (c->cling == 0)
            continue;
        contact_rate(m, s, c, rate);
        vec_axpy(rate, -vec_dot(rate, c->at.normal), c->at.normal);
        memcpy(there, c->spring, sizeof there);
        vec_axpy(there, share, rate);
        sum += spring_energy(law->cling, most, vec_norm(there)) -
               spring_energy(law->cling, most, vec_norm(c->spring));
    }
    return s->contact.unit * sum;
}

// What every spring remembers from the equilibrium at s->now on.
void friction_save(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    if (!t->rubs || !contact_memory_reserve(&t->stick, rows->n))
        return;
    t->stick.n = 0;
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        double cling = m->contact.law[c->pair.match].cling;
        if (c->cling == 0)
            continue;
        struct contact_note *note = &t->stick.note[t->stick.n++];
        *note = (struct contact_note){.id = c->pair.id};
        for (int i = 0; i < 3; i++)
            note->number[i] = -c->friction[i] / cling;
    }
    contact_memory_sort(&t->stick);
}

void contact_obstacle_way(const lithe_model *m, const lithe_state *s, int i, double way[3])
{
    const proximity_pair *pair = &s->now.contact->row[i].pair;
    lithe_contact c;
    int frame = pair->shape;
    for (int k = 0; k < 2 && frame < 0; k++)
        frame = m->contact.world.surface[pair->surface[k]].frame;
    memset(way, 0, 3 * sizeof *way);
    if (frame < 0)
        return;
    lithe_contact_get(m, s, i, &c);
    contact_carry(&s->now.contact->frame[frame], &s->contact.saved[frame], c.at, way);
    vec_scale(way, -1);
}
