// Coulomb's friction by a return map with memory. What sticks is held by a stiff spring from where
// it stuck; the spring slides where it would pull by more than mu times the normal force f:
//
//     tau = -cling (u + s)                   u: motion along the surface since the last equilibrium
//     stick, |tau| <= mu f:  lambda = tau    s: what the spring remembers from there
//     slip, t = tau / |tau|: lambda = mu f t
//     at the next equilibrium: s = -lambda / cling
//
// Where friction differs by direction, the cone is an ellipse, with mu along the direction in which
// it is most and less along e, the one across it. With S = I - n n' - (1 - ratio) e e', ratio being
// the smaller coefficient over mu, it is a round cone again in S u and S^-1 lambda,
//
//     tau = -cling S u,   lambda = S tau or mu f S tau / |tau|
//
// and slip is normal to the ellipse: of all forces in it this one takes the most power.
// docs/theory/contact-method.md
//
// The force depends on the gap through f, and that part of the stiffness is not symmetric. It
// stands beside the factors, see contact_couple.c.
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/contact_step.h"
#include "step/motion.h"
#include "step/phases.h"

#include <string.h>

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

// The direction that a pair's law names, in the plane of the contact. False: it stands across it.
static bool find_direction(const lithe_model *m, const contact_rows *rows, const contact_row *c,
                           double out[3])
{
    const proximity_world *world = &m->contact.world;
    const contact_law *law = &m->contact.law[c->pair.match];
    int first = world->match[c->pair.match].first;
    memset(out, 0, 3 * sizeof *out);
    if (law->carrier >= 0)
        mat_apply(out, rows->frame[law->carrier].R, law->along);
    for (int i = 0; i < c->pair.npoint && law->carrier < 0; i++) {
        double way[3];
        if (c->pair.surface[proximity_side(&c->pair, i)] != first)
            continue;
        surface_direction_at(&law->direction[c->pair.vertex[i] - world->vertex_adr[first]],
                             &rows->positions.x[3 * (size_t)world->vertex_adr[first]], way);
        vec_axpy(out, fabs(c->at.share[i]), way);
    }
    return surface_direction_in(c->at.normal, out);
}

// Most friction for each newton, and along which direction it is less, by which ratio.
static void find_ease(const lithe_model *m, const lithe_state *s, const contact_rows *rows,
                      contact_row *c)
{
    double mu = s->contact.friction[c->pair.match], across = m->contact.law[c->pair.match].across;
    double along[3], least = fmin(mu, across);
    c->mu = mu;
    c->ratio = 1;
    if (across < 0)
        return;
    bool lies = mu != across && find_direction(m, rows, c, along);
    c->mu = lies ? fmax(mu, across) : least;
    if (!lies)
        return;
    c->ratio = least / c->mu;
    if (mu < across)
        memcpy(c->ease, along, sizeof along);
    else
        vec_cross(c->ease, c->at.normal, along);
}

void friction_scale(const contact_row *c, double u[3])
{
    vec_axpy(u, -vec_dot(u, c->at.normal), c->at.normal);
    if (c->ratio < 1)
        vec_axpy(u, -(1 - c->ratio) * vec_dot(u, c->ease), c->ease);
}

// Of the spring that holds what sticks. Along the way that is easy it is ratio^2 of this.
static double grip_of(const lithe_model *m, const contact_row *c)
{
    const double most = 10;
    return m->contact.law[c->pair.match].cling * fmin(1 / c->ratio, most);
}

// What a pair remembers of its spring: where friction differs by direction, along those directions,
// which move.
static void recall(const lithe_state *s, const contact_row *c, double u[3])
{
    const struct contact_note *note = contact_recall(&s->contact.stick, c->pair.id);
    double other[3];
    if (!note)
        return;
    if (c->ratio < 1) {
        vec_cross(other, c->at.normal, c->ease);
        vec_axpy(u, note->number[0], c->ease);
        vec_axpy(u, note->number[1], other);
    } else
        vec_axpy(u, 1, note->number);
    vec_axpy(u, -vec_dot(u, c->at.normal), c->at.normal);
}

static void remember(const lithe_model *m, const contact_row *c, struct contact_note *note)
{
    double other[3], share = c->cling / grip_of(m, c);
    if (c->cling == 0)
        return;
    vec_cross(other, c->at.normal, c->ease);
    for (int i = 0; i < 3; i++)
        note->number[i] = c->ratio < 1 ? 0 : share * c->spring[i];
    if (c->ratio < 1) {
        note->number[0] = c->ratio > 0 ? share * vec_dot(c->spring, c->ease) : 0;
        note->number[1] = share * vec_dot(c->spring, other);
    }
}

void friction_evaluate(const lithe_model *m, const lithe_state *s, const contact_rows *rows,
                       contact_row *c)
{
    double u[3];
    memset(c->slide, 0, sizeof c->slide);
    c->cling = c->sliding = 0;
    find_ease(m, s, rows, c);
    if (c->mu <= 0 || c->force <= 0)
        return;
    find_motion(m, s, rows, c, u);
    recall(s, c, u);
    memcpy(c->spring, u, sizeof u);
    friction_scale(c, u);
    double length = vec_norm(u), most = c->mu * c->force;
    c->cling = grip_of(m, c);
    c->sliding = c->cling * length > most;
    if (c->sliding > 0)
        c->cling = most / length;
    friction_scale(c, u);
    for (int i = 0; i < 3; i++) {
        c->friction[i] = -c->cling * u[i];
        c->along[i] = c->sliding > 0 ? -u[i] / length : 0;
        c->slide[i] = c->mu * c->stiff * c->along[i];
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

// The symmetric part over the points: H += share share' cling (S^2 - t t'), without t where it
// sticks, or for the secant.
void friction_stiffness(const contact_row *c, bool secant, double *H)
{
    int n = 3 * c->pair.npoint;
    if (c->cling == 0)
        return;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double P = (i % 3 == j % 3) - c->at.normal[i % 3] * c->at.normal[j % 3] -
                       (1 - c->ratio * c->ratio) * c->ease[i % 3] * c->ease[j % 3] -
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
        double most = c->mu * c->force, grip = grip_of(m, c), rate[3], here[3], there[3];
        if (c->cling == 0)
            continue;
        contact_rate(m, c, s->pass.dx, rate);
        memcpy(here, c->spring, sizeof here);
        memcpy(there, c->spring, sizeof there);
        vec_axpy(there, share, rate);
        friction_scale(c, here);
        friction_scale(c, there);
        sum +=
            spring_energy(grip, most, vec_norm(there)) - spring_energy(grip, most, vec_norm(here));
    }
    return s->contact.unit * sum;
}

// What every pair remembers from the equilibrium at s->now on.
void friction_save(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    if ((!t->rubs && !m->contact.bounces) || !contact_memory_reserve(&t->stick, rows->n))
        return;
    t->stick.n = 0;
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        if (c->cling == 0 && c->nearer == 1)
            continue;
        struct contact_note *note = &t->stick.note[t->stick.n++];
        *note = (struct contact_note){.id = c->pair.id, .number[3] = 1 - c->nearer};
        remember(m, c, note);
    }
    contact_memory_sort(&t->stick);
}

// Blows between rigid bodies, and of those on obstacles: Newton's restitution. A step in time ends
// with what has met held by the barrier, without a bounce. Where a gap was closed with a speed a
// that is more than a few steps' acceleration, impulses at the end of the step make rates along
// normals at least e a, see solve/impact.h, and give back no more than what the blow has taken.
// docs/theory/rigid.md

// How a moves against b with given motions of nodes, and its obstacle, if it has one, over h.
static void relative(const lithe_model *m, const lithe_state *s, int i, const double *motion,
                     double h, double out[3])
{
    const contact_row *c = &s->now.contact->row[i];
    double way[3];
    contact_rate(m, c, motion, out);
    contact_obstacle_way(m, s, i, way);
    vec_axpy(out, (c->pair.swapped ? 1 : -1) / h, way);
}

// The acceleration that holds together what would rest: less than a few steps of it is no blow,
// or what rests would never cease to bounce.
static double least_approach(const lithe_model *m, const lithe_state *s, double acceleration)
{
    const double steps = 2;
    const double *more = s->setting + m->nload;
    double g[3] = {m->gravity[0] + more[0], m->gravity[1] + more[1], m->gravity[2] + more[2]};
    return steps * s->motion.h * fmax(vec_norm(g), fabs(acceleration));
}

// The speed with which the gap of contact i was closed in this step, from velocities and
// accelerations at its start: a^2 = v^2 + 2 (acceleration) (way). 0: it is no blow.
static double approach_of(const lithe_model *m, lithe_state *s, int i)
{
    const contact_row *c = &s->now.contact->row[i];
    const step_motion *motion = &s->motion;
    double v[3], rate[3], from[3], to[3];
    if (!(m->contact.law[c->pair.match].restitution > 0) || !(c->force > 0))
        return 0;
    relative(m, s, i, motion->velocity, motion->h, v);
    contact_rate(m, c, motion->rate, rate);
    contact_rate(m, c, motion->start, from);
    relative(m, s, i, s->now.x, 1, to);
    vec_axpy(to, -1, from);
    double way = -vec_dot(to, c->at.normal), speed = -vec_dot(v, c->at.normal),
           acceleration = -vec_dot(rate, c->at.normal);
    double square = speed * speed + 2 * acceleration * way;
    if (!(way > 0) || !(square > 0))
        return 0;
    return sqrt(square) > least_approach(m, s, acceleration) ? sqrt(square) : 0;
}

bool blow_is_due(const lithe_model *m, lithe_state *s)
{
    for (int i = 0; m->contact.bounces && i < s->now.contact->told; i++)
        if (approach_of(m, s, i) > 0)
            return true;
    return false;
}

void blow_begin(const lithe_model *m, lithe_state *s)
{
    s->contact.struck = false;
    for (int i = 0; m->contact.bounces && i < s->now.contact->told; i++) {
        contact_row *c = &s->now.contact->row[i];
        c->approach = approach_of(m, s, i);
        s->contact.struck = s->contact.struck || c->approach > 0;
    }
}

static int body_of(const lithe_model *m, int node)
{
    int k = 0;
    while (node >= m->body[k].node_adr + m->body[k].nnode)
        k++;
    return k;
}

// The bodies of a contact; -1: an obstacle.
static void bodies_of(const lithe_model *m, const contact_row *c, int of[2])
{
    for (int side = 0; side < 2; side++) {
        const surface_entry *entry;
        int point = side == 0 ? 0 : c->pair.npoint - 1;
        bool none = (side == 1 && c->pair.shape >= 0) ||
                    proximity_point(&m->contact.world, &c->pair, point, &entry) == 0;
        of[side] = none ? -1 : body_of(m, entry[0].node);
    }
}

static bool takes_part(const lithe_model *m, const lithe_state *s, int i)
{
    const contact_row *c = &s->now.contact->row[i];
    int of[2];
    if (!m->contact.law[c->pair.match].rigid || !(c->force > 0))
        return false;
    bodies_of(m, c, of);
    return (of[0] >= 0 && s->contact.struck_body[of[0]]) ||
           (of[1] >= 0 && s->contact.struck_body[of[1]]);
}

// Joints, and motors that are told where to be; not stops, which only push, nor friction.
static bool holds(const lithe_model *m, const lithe_state *s, int r)
{
    return r >= m->njoined || (r < m->nown && step_is_taut(m, s, r));
}

// Two bodies are reached if one of them is; true: that changed something.
static bool mark(lithe_state *s, const int of[2])
{
    bool *struck = s->contact.struck_body, changed = false;
    if (of[0] < 0 || of[1] < 0)
        return false;
    changed = struck[of[0]] != struck[of[1]];
    struck[of[0]] = struck[of[1]] = struck[of[0]] || struck[of[1]];
    return changed;
}

static bool mark_row(const lithe_model *m, lithe_state *s, int r)
{
    bool changed = false;
    for (int i = 1; i < m->row[r].nnode; i++) {
        int of[2] = {body_of(m, m->row[r].node[i - 1]), body_of(m, m->row[r].node[i])};
        changed = mark(s, of) || changed;
    }
    return changed;
}

// What a blow reaches: bodies that are struck, and those that are in contact or joined with them.
static void mark_bodies(const lithe_model *m, lithe_state *s)
{
    const contact_rows *rows = s->now.contact;
    memset(s->contact.struck_body, 0, (size_t)m->nbody * sizeof *s->contact.struck_body);
    for (bool changed = true, first = true; changed; first = false) {
        changed = false;
        for (int i = 0; i < rows->told; i++) {
            int of[2];
            bodies_of(m, &rows->row[i], of);
            for (int k = 0; k < 2 && first && rows->row[i].approach > 0; k++)
                if (of[k] >= 0)
                    s->contact.struck_body[of[k]] = changed = true;
            if (takes_part(m, s, i))
                changed = mark(s, of) || changed;
        }
        for (int r = 0; r < m->nact; r++)
            if (holds(m, s, r))
                changed = mark_row(m, s, r) || changed;
    }
}

static bool is_reached(const lithe_model *m, const lithe_state *s, int r)
{
    return holds(m, s, r) && s->contact.struck_body[body_of(m, m->row[r].node[0])];
}

// What takes part: contacts, and rows that hold.
static bool list_rows(const lithe_model *m, lithe_state *s)
{
    impact *p = &s->contact.blow;
    int n = 0, nhold = 0;
    for (int i = 0; i < s->now.contact->told; i++)
        n += takes_part(m, s, i);
    for (int r = 0; r < m->nact; r++)
        nhold += is_reached(m, s, r);
    if (!impact_begin(p, n, nhold))
        return false;
    n = 0;
    for (int i = 0; i < s->now.contact->told; i++)
        if (takes_part(m, s, i))
            p->row[n++] = i;
    for (int r = 0; r < m->nact; r++)
        if (is_reached(m, s, r))
            p->row[n++] = r;
    return true;
}

static void find_axes(const lithe_state *s, impact *p)
{
    for (int i = 0; i < p->n; i++) {
        const contact_row *c = &s->now.contact->row[p->row[i]];
        const double *normal = c->at.normal;
        double *axis = &p->axis[9 * i], least[3] = {0};
        int k = fabs(normal[0]) < fabs(normal[1]) ? 0 : 1;
        k = fabs(normal[k]) < fabs(normal[2]) ? k : 2;
        least[k] = 1;
        memcpy(axis, normal, 3 * sizeof *axis);
        vec_cross(&axis[3], normal, least);
        if (c->ratio < 1)
            memcpy(&axis[3], c->ease, 3 * sizeof *axis);
        vec_scale(&axis[3], 1 / vec_norm(&axis[3]));
        vec_cross(&axis[6], normal, &axis[3]);
        vec_scale(&axis[3], c->ratio); // so that its cone is round
    }
}

// force += that of one unit of a column
static void add_column(const lithe_model *m, const lithe_state *s, const impact *p, int column,
                       double factor, double *force)
{
    if (column >= 3 * p->n) {
        int r = p->row[p->n + column - 3 * p->n];
        const double *H = &s->now.H[3 * (size_t)m->row_adr[r]];
        for (int i = 0; i < m->row[r].nnode; i++)
            vec_axpy(&force[3 * (size_t)m->row[r].node[i]], factor, &H[3 * i]);
        return;
    }
    const contact_row *c = &s->now.contact->row[p->row[column / 3]];
    double point[12] = {0};
    for (int i = 0; i < c->pair.npoint; i++)
        vec_axpy(&point[3 * i], c->at.share[i], &p->axis[3 * column]);
    contact_spread(m, c, factor, point, force);
}

// What all columns measure of velocities; without those of obstacles.
static void measure(const lithe_model *m, const lithe_state *s, const impact *p,
                    const double *velocity, size_t stride, double *out)
{
    for (int i = 0; i < p->n; i++) {
        double v[3];
        contact_rate(m, &s->now.contact->row[p->row[i]], velocity, v);
        for (int k = 0; k < 3; k++)
            out[stride * (size_t)(3 * i + k)] = vec_dot(v, &p->axis[9 * i + 3 * k]);
    }
    for (int i = 0; i < p->nhold; i++)
        out[stride * (size_t)(3 * p->n + i)] =
            point_row_rate(m, &s->now, p->row[p->n + i], velocity);
}

// velocity = M^-1 force, of bodies that the blow reaches; others 0. Both of all nodes.
static void respond(const lithe_model *m, lithe_state *s, const double *force, double *velocity)
{
    memset(velocity, 0, 3 * (size_t)m->nnode * sizeof *velocity);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        if (!s->contact.struck_body[k])
            continue;
        memset(s->pass.dq + b->q_adr, 0, (size_t)b->nq * sizeof *s->pass.dq);
        step_solve_body(m, s, k, force, s->pass.dq);
        b->space->push(b, body_jacobian(b, s->now.J), s->pass.dq + b->q_adr,
                       velocity + 3 * (size_t)b->node_adr);
    }
}

static void find_compliance(const lithe_model *m, lithe_state *s, impact *p)
{
    double *force = s->nodal, *velocity = s->nodal + 3 * (size_t)m->nnode;
    int n = impact_ncolumn(p);
    for (int c = 0; c < n; c++) {
        memset(force, 0, 3 * (size_t)m->nnode * sizeof *force);
        add_column(m, s, p, c, 1, force);
        respond(m, s, force, velocity);
        measure(m, s, p, velocity, (size_t)n, p->W + c);
    }
}

// w' of all contacts, and what each shall have at least after the blow: of others than blows, no
// more than it has towards each other.
static void find_targets(const lithe_model *m, const lithe_state *s, impact *p)
{
    for (int i = 0; i < p->n; i++) {
        const contact_row *c = &s->now.contact->row[p->row[i]];
        double v[3];
        relative(m, s, p->row[i], s->motion.velocity, s->motion.h, v);
        for (int k = 0; k < 3; k++)
            p->rate[3 * i + k] = vec_dot(v, &p->axis[9 * i + 3 * k]);
        p->friction[i] = c->mu;
        p->target[i] = c->approach > 0 ? m->contact.law[c->pair.match].restitution * c->approach
                                       : fmin(p->rate[3 * i], 0);
    }
}

// What the blow has taken, J. Implicit Euler loses the energy of the change of velocity, and what
// contacts were pushed by: h v' . f. before: velocities at the start of the step.
static double taken(const lithe_model *m, lithe_state *s, const impact *p, const double *before)
{
    double *lost = s->nodal, *momentum = s->nodal + 3 * (size_t)m->nnode, sum = 0;
    for (int i = 0; i < 3 * m->nnode; i++)
        lost[i] = before[i] - s->motion.velocity[i];
    memset(momentum, 0, 3 * (size_t)m->nnode * sizeof *momentum);
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        if (!s->contact.struck_body[k])
            continue;
        body_mass_times(&m->body[k], s->now.x + at, 0.5, lost + at, momentum + at);
        for (size_t i = at; i < at + 3 * (size_t)m->body[k].nnode; i++)
            sum += momentum[i] * lost[i];
    }
    for (int i = 0; i < p->n; i++) {
        const contact_row *c = &s->now.contact->row[p->row[i]];
        if (c->approach > 0)
            sum -= s->motion.h * c->force * p->rate[3 * i];
    }
    return sum;
}

// Velocities after it; what has bounced is on its way, and its barrier does not push it on. Forces
// as they are told have the mean of the impulse over the step.
static void take(const lithe_model *m, lithe_state *s, impact *p)
{
    double *force = s->nodal, *change = s->nodal + 3 * (size_t)m->nnode;
    int n = impact_ncolumn(p);
    memset(force, 0, 3 * (size_t)m->nnode * sizeof *force);
    impact_hold(p);
    for (int c = 0; c < n; c++)
        add_column(m, s, p, c, p->impulse[c], force);
    respond(m, s, force, change);
    for (int i = 0; i < 3 * m->nnode; i++)
        s->motion.velocity[i] += change[i];
    for (int i = 0; i < p->n; i++) {
        contact_row *c = &s->now.contact->row[p->row[i]];
        for (int k = 0; k < 3; k++) {
            double f = p->impulse[3 * i + k] / s->motion.h;
            vec_axpy(c->friction, k > 0 ? f : 0, &p->axis[9 * i + 3 * k]);
            for (int l = 0; l < c->pair.npoint; l++)
                vec_axpy(&c->pull[3 * l], f * c->at.share[l], &p->axis[9 * i + 3 * k]);
        }
        if (impact_rate(p, i) > 0) {
            contact_shorten(m, s, s->now.contact, c);
            c->cling = 0;
        }
    }
}

lithe_status blow_end(const lithe_model *m, lithe_state *s, const double *before)
{
    impact *p = &s->contact.blow;
    if (!s->contact.struck)
        return LITHE_OK;
    mark_bodies(m, s);
    if (!list_rows(m, s))
        return report_no_memory(&s->report, "a blow");
    s->tangent.is_ahead = s->tangent.source.made = s->tangent.source.known = false;
    for (int k = 0; k < m->nbody; k++)
        if (s->contact.struck_body[k])
            LITHE_TRY(motion_factor_mass(m, s, k));
    find_axes(s, p);
    find_compliance(m, s, p);
    find_targets(m, s, p);
    if (!impact_solve(p))
        return LITHE_OK;
    impact_bound(p, taken(m, s, p, before));
    take(m, s, p);
    return LITHE_OK;
}
