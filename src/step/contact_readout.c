// Contacts as outsiders see them, and obstacles that they move.
#include "base/vec.h"
#include "step/contact_rows.h"
#include "step/whole.h"

#include <string.h>

int lithe_nobstacle(const lithe_model *m)
{
    return m->contact.world.nshape;
}

const char *lithe_obstacle_name(const lithe_model *m, int obstacle)
{
    bool known = obstacle >= 0 && obstacle < m->contact.world.nshape;
    return known ? m->contact.shape_name[obstacle] : NULL;
}

int lithe_find_obstacle(const lithe_model *m, const char *name)
{
    for (int o = 0; o < m->contact.world.nshape; o++)
        if (strcmp(m->contact.shape_name[o], name) == 0)
            return o;
    return -1;
}

lithe_status lithe_move_obstacle(const lithe_model *m, lithe_state *s, int obstacle,
                                 const double rotate[3], const double move[3])
{
    if (obstacle < 0 || obstacle >= m->contact.world.nshape)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no obstacle %d; there are %d",
                          obstacle, m->contact.world.nshape);
    for (int i = 0; i < 3; i++)
        if (!isfinite(rotate[i]) || !isfinite(move[i]))
            return LITHE_FAIL(&s->report, LITHE_INVALID,
                              "the way of obstacle '%s' is not a finite number",
                              m->contact.shape_name[obstacle]);
    const contact_frame *from = &m->contact.pose[obstacle];
    contact_frame *to = &s->contact.next[obstacle];
    double R[9];
    mat_from_angles(R, rotate);
    mat_mul(to->R, R, from->R);
    memcpy(to->at, from->at, sizeof to->at);
    vec_axpy(to->at, 1, move);
    return LITHE_OK;
}

int lithe_npair(const lithe_model *m)
{
    return m->contact.nsides;
}

const char *lithe_pair_name(const lithe_model *m, int pair, int side)
{
    bool known = pair >= 0 && pair < m->contact.nsides && (side == 0 || side == 1);
    return known ? m->contact.sides[pair].name[side] : NULL;
}

int lithe_find_pair(const lithe_model *m, const char *first, const char *second)
{
    for (int k = 0; k < m->contact.nsides; k++) {
        const char *const *name = m->contact.sides[k].name;
        if ((strcmp(name[0], first) == 0 && strcmp(name[1], second) == 0) ||
            (strcmp(name[0], second) == 0 && strcmp(name[1], first) == 0))
            return k;
    }
    return -1;
}

lithe_status lithe_switch_pair(const lithe_model *m, lithe_state *s, int pair, bool on)
{
    if (pair < 0 || pair >= m->contact.nsides)
        return LITHE_FAIL(&s->report, LITHE_INVALID, "there is no pair %d; there are %d", pair,
                          m->contact.nsides);
    for (int k = 0; k < m->contact.world.nmatch; k++)
        if (m->contact.law[k].sides == pair)
            s->contact.off[k] = !on;
    s->contact.fresh = s->contact.fresh || on;
    return LITHE_OK;
}

double lithe_penetration(const lithe_state *s)
{
    return state_acting(s)->truth.deepest.depth;
}

lithe_overlap lithe_last_overlap(const lithe_model *m, const lithe_state *s)
{
    s = state_acting(s);
    const check_depth *d = &s->truth.deepest;
    if (!s->truth.work)
        return (lithe_overlap){.pair = -1};
    return (lithe_overlap){.depth = d->depth,
                           .allowed = truth_allowed(m),
                           .pair = d->depth > 0 ? m->contact.law[d->pair].sides : -1,
                           .at = {d->at[0], d->at[1], d->at[2]},
                           .passes = s->contact.passes};
}

int lithe_ncontact(const lithe_state *s)
{
    return state_acting(s)->now.contact->told;
}

static double radius_of(const lithe_model *m, const proximity_pair *pair, int side)
{
    const proximity_world *world = &m->contact.world;
    double most = 0;
    if (pair->surface[side] < 0)
        return 0;
    for (int i = 0; i < pair->npoint; i++) {
        int v = pair->vertex[i] - world->vertex_adr[pair->surface[side]];
        if (v >= 0 && v < world->surface[pair->surface[side]].nvertex)
            most = fmax(most, world->surface[pair->surface[side]].radius[v]);
    }
    return most;
}

// The point on the second side's surface: from the first side's point along the normal. The second
// side is b, unless the pair is swapped.
static void find_position(const lithe_model *m, const lithe_state *s, const contact_row *c,
                          double at[3])
{
    const double *x = s->now.contact->positions.x;
    bool swapped = c->pair.swapped;
    memset(at, 0, 3 * sizeof *at);
    for (int i = 0; i < c->pair.npoint; i++) {
        double share = swapped ? -c->at.share[i] : c->at.share[i];
        if (share > 0)
            vec_axpy(at, share, &x[3 * (size_t)c->pair.vertex[i]]);
    }
    double way = c->at.distance + radius_of(m, &c->pair, swapped ? 1 : 0);
    vec_axpy(at, swapped ? way : -way, c->at.normal);
}

// The force without friction on a. Where a pair fades out its potential pushes aside too, a little.
static void find_force(const contact_row *c, double force[3])
{
    int shared = c->pair.kind == PAIR_EDGE_EDGE ? 2 : 1; // points of a; shapes have none of b
    if (c->pair.shape >= 0)
        shared = c->pair.npoint;
    for (int axis = 0; axis < 3; axis++)
        force[axis] = -c->friction[axis];
    for (int i = 0; i < shared; i++)
        vec_axpy(force, 1, &c->pull[3 * i]);
}

lithe_status lithe_contact_get(const lithe_model *m, const lithe_state *s, int i,
                               lithe_contact *out)
{
    *out = (lithe_contact){0};
    s = state_acting(s);
    if (i < 0 || i >= s->now.contact->told)
        return LITHE_INVALID;
    const contact_row *c = &s->now.contact->row[i];
    double sign = c->pair.swapped ? -1 : 1;
    out->id = c->pair.id;
    out->pair = m->contact.law[c->pair.match].sides;
    out->first = m->contact.sides[out->pair].name[0];
    out->second = m->contact.sides[out->pair].name[1];
    out->gap = c->at.distance;
    double force[3];
    find_force(c, force);
    out->force = vec_norm(force);
    const double *normal = out->force > 0 ? force : c->at.normal;
    double length = out->force > 0 ? out->force : 1;
    for (int axis = 0; axis < 3; axis++) {
        out->normal[axis] = sign * normal[axis] / length;
        out->friction[axis] = sign * c->friction[axis];
    }
    find_position(m, s, c, out->at);
    return LITHE_OK;
}

void lithe_pair_force(const lithe_model *m, const lithe_state *s, int pair, double force[3])
{
    memset(force, 0, 3 * sizeof *force);
    for (int i = 0; i < lithe_ncontact(s); i++) {
        lithe_contact c;
        lithe_contact_get(m, s, i, &c);
        if (c.pair != pair)
            continue;
        vec_axpy(force, c.force, c.normal);
        vec_axpy(force, 1, c.friction);
    }
}

lithe_contact_search lithe_last_contact_search(const lithe_state *s)
{
    return (lithe_contact_search){.proof = state_acting(s)->contact.proof, .open = NAN};
}

// As contact_spread, on nodes that are positions alone.
static void add_force(const lithe_model *m, const contact_row *c, double *force)
{
    for (int i = 0; i < c->pair.npoint; i++) {
        surface_entry spot[SURFACE_FACE];
        const surface_entry *entry;
        int n = contact_point(m, c, i, spot, &entry);
        for (int e = 0; e < n; e++) {
            int k = 0;
            while (k + 1 < m->nbody && entry[e].node >= m->body[k + 1].node_adr)
                k++;
            int node = entry[e].node - m->body[k].node_adr;
            if (node < body_nposition(&m->body[k]))
                vec_axpy(&force[3 * (size_t)(m->body[k].position_adr + node)], entry[e].weight,
                         &c->pull[3 * i]);
        }
    }
}

void lithe_contact_forces(const lithe_model *m, const lithe_state *s, double *force)
{
    memset(force, 0, 3 * (size_t)model_seen(m)->nposition * sizeof *force);
    s = state_acting(s);
    for (int i = 0; m->contact.on && i < s->now.contact->n; i++)
        add_force(m, &s->now.contact->row[i], force);
}
