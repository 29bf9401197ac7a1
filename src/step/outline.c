#include "step/outline.h"

#include "base/rotation.h"
#include "base/vec.h"
#include "body/modal.h"
#include "element/beam.h"
#include "row/link.h"
#include "row/point.h"
#include "step/state.h"
#include "step/tolerances.h"

#include <math.h>
#include <string.h>

const lithe_model *model_seen(const lithe_model *m)
{
    return m->reduction ? m->reduction->whole : m;
}

// A reduced model shows the nodes of the whole one, where its coordinates have taken them.

static const double *padded(const lithe_model *m, const double *q, lanes *room)
{
    memset(room, 0, (size_t)m->reduction->width * sizeof *q);
    memcpy(room, q, (size_t)m->nq * sizeof *q);
    return (const double *)room;
}

// Velocities of nodes, or accelerations, from those of frames' own nodes.
static void expand_frames(const model_reduction *r, const double *frame, double *velocity)
{
    const beam_map *m = r->all->beam;
    for (int i = 0; i < r->all->nnode; i++) {
        double *v = &velocity[3 * i];
        memset(v, 0, 3 * sizeof *v);
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            const double *own = &frame[3 * (4 + 3 * m->nshape) * m->free[m->side[k].frame]];
            if (m->free[m->side[k].frame] < 0)
                continue;
            vec_axpy(v, m->side[k].weight, own);
            for (int j = 0; j < 3; j++)
                vec_axpy(v, m->arm[3 * k + j], own + 3 * (1 + j));
            for (int j = 0; j < 3 * m->nshape; j++)
                vec_axpy(v, m->shape[3 * k * m->nshape + j], own + 3 * (4 + j));
        }
    }
}

void state_expand(const lithe_model *m, const double *own, double *out)
{
    const model_reduction *r = m->reduction;
    int nline = 3 * r->whole->nnode;
    lanes room[BODY_MODES_MAX / LANES];
    if (r->all)
        expand_frames(r, own + 3 * (size_t)r->first, out);
    else if (r->Phi)
        modal_choose()->push(nline, r->width, r->Phi, padded(m, own + 3 * (size_t)r->first, room),
                             NULL, out);
    else // its nodes are the whole one's
        memcpy(out, own, (size_t)nline * sizeof *out);
}

static void expand(const lithe_model *m, const lithe_state *s, lithe_state *whole)
{
    const model_reduction *r = m->reduction;
    int nline = 3 * r->whole->nnode;
    lanes room[BODY_MODES_MAX / LANES];
    if (r->all)
        r->all->space->positions(r->all, s->now.q, whole->now.x);
    else if (r->Phi)
        modal_choose()->push(nline, r->width, r->Phi, padded(m, s->now.q, room), r->whole->X,
                             whole->now.x);
    else
        memcpy(whole->now.x, s->now.x, (size_t)nline * sizeof *s->now.x);
    if (m->dynamics.scheme != LITHE_STATIC)
        state_expand(m, s->motion.velocity, whole->motion.velocity);
}

static void bring_up_to_date(const lithe_model *m, const lithe_state *s, lithe_state *whole)
{
    expand(m, s, whole);
    memcpy(whole->setting, s->setting, (size_t)m->nsetting * sizeof *s->setting);
    memcpy(whole->now.effort, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    memcpy(whole->now.delta, s->now.delta, (size_t)m->nrow * sizeof *s->now.delta);
    whole->load = s->load;
    whole->motion.clock = s->motion.clock;
    whole->now.energy = s->now.energy;
    tangent_moduli(m->reduction->whole, whole->setting, whole->now.effort, &whole->tangent);
    if (whole->now.q && m->reduction->whole->body[0].space == &space_nodal)
        memcpy(whole->now.q, whole->now.x, (size_t)m->reduction->whole->nq * sizeof *whole->now.q);
    state_publish(whole);
}

void state_recall_whole(const lithe_model *m, lithe_state *s)
{
    const lithe_model *w = m->reduction->whole;
    lithe_state *whole = s->whole->state;
    memcpy(whole->now.effort, s->now.effort, (size_t)m->nact * sizeof *s->now.effort);
    memcpy(whole->setting, s->setting, (size_t)m->nsetting * sizeof *s->setting);
    whole->load = whole->aim_load = s->load;
    whole->motion.clock = whole->motion.time = s->motion.clock;
    whole->motion.on = false;
    step_positions(w, &whole->now);
    state_refresh(w, whole);
    memcpy(s->now.delta, whole->now.delta, (size_t)m->nrow * sizeof *s->now.delta);
    state_publish(s);
}

const lithe_state *state_seen(const lithe_state *s)
{
    if (!s->whole)
        return s;
    pthread_mutex_lock(&s->whole->lock);
    if (s->whole->stale && !s->whole->full)
        bring_up_to_date(s->model, s, s->whole->state);
    s->whole->stale = false;
    pthread_mutex_unlock(&s->whole->lock);
    return s->whole->state;
}

const lithe_state *state_acting(const lithe_state *s)
{
    return s->whole && s->whole->full ? s->whole->state : s;
}

void state_project(const lithe_model *m, const double *displacement, double *q)
{
    const model_reduction *r = m->reduction;
    lanes room[BODY_MODES_MAX / LANES];
    modal_choose()->pull(3 * r->whole->nnode, r->width, r->back, displacement, (double *)room);
    memcpy(q, room, (size_t)m->nq * sizeof *q);
}

// The frame of a beam at rest, by columns: along it, and the axes of its section.
static void beam_frame(const element_family *f, int e, double R[9])
{
    const beam_batch *batch = family_batch(f, e / LANES);
    double q[4], theta[3];
    for (int i = 0; i < 4; i++)
        q[i] = batch->frame[i][e % LANES];
    rotation_from_quaternion(q, theta);
    rotation_matrix(theta, R);
}

bool outline_find_beam(const lithe_model *m, const lithe_state *s, int element, outline_beam *out)
{
    m = model_seen(m);
    s = state_seen(s);
    const body *b = &m->body[m->cell_body[element]];
    int i = 0, e = element - b->element_adr;
    while (i + 1 < b->nfamily && e >= b->family[i].element_adr + b->family[i].n)
        i++;
    const element_family *f = &b->family[i];
    if (!f->profile)
        return false;
    e -= f->element_adr;
    double rest[9], now[9];
    beam_frame(f, e, rest);
    for (int end = 0; end < 2; end++) {
        int node = b->node_adr + f->node[BEAM_NODE * e + 2 + end];
        out->section[end] = f->profile[2 * e + end];
        rotation_matrix(s->now.x + 3 * (size_t)node, now);
        for (int axis = 0; axis < 2; axis++) {
            double column[3] = {rest[1 + axis], rest[4 + axis], rest[7 + axis]};
            mat_apply(out->axis[end][axis], now, column);
        }
    }
    return true;
}

static bool is_row(const lithe_model *m, int row_id)
{
    return row_id >= 0 && row_id < m->nrow;
}

int lithe_row_npoint(const lithe_model *m, int row_id)
{
    const row_line *line = is_row(m, row_id) ? row_as_line(&m->row[row_id]) : NULL;
    return line && !line->weight ? line->npoint : 0; // of many lengths nobody sees one
}

lithe_status lithe_row_point(const lithe_model *m, const lithe_state *s, int row_id, int point,
                             double out[3])
{
    if (point < 0 || point >= lithe_row_npoint(m, row_id))
        return LITHE_INVALID;
    m = model_seen(m);
    point_position(&row_as_line(&m->row[row_id])->point[point], state_seen(s)->now.x, out);
    return LITHE_OK;
}

static void carried_direction(const double *x, int rotation, const double rest[3], double out[3])
{
    double R[9];
    memcpy(out, rest, 3 * sizeof *out);
    if (rotation < 0)
        return;
    rotation_matrix(&x[3 * rotation], R);
    mat_apply(out, R, rest);
}

static bool is_at_stop(const lithe_model *m, const row_link *stop, const double *x)
{
    double away = link_value(stop, x) - stop->aim;
    if (stop->twist && fabs(stop->aim) >= M_PI)
        away = remainder(away, 2 * M_PI);
    return fabs(away) <= STEP_SEEN_AT_STOP * (stop->twist ? 1 : m->size);
}

void outline_find_joint(const lithe_model *m, const lithe_state *s, int joint, outline_joint *out)
{
    m = model_seen(m);
    const double *x = state_seen(s)->now.x;
    *out = (outline_joint){0};
    for (int r = m->nown; r < m->nact; r++) {
        const row_link *link = m->row[r].link;
        if (link->joint != joint)
            continue;
        if (link->role == LINK_HOLDS && link->by_points && !link->other)
            point_position(&link->point[0], x, out->at);
        out->at_stop = out->at_stop || (link->role == LINK_STOPS && is_at_stop(m, link, x));
    }
    const row_link *angle = m->free[3 * (size_t)joint + LITHE_JOINT_ANGLE],
                   *travel = m->free[3 * (size_t)joint + LITHE_JOINT_TRAVEL];
    if (angle)
        carried_direction(x, angle->rotation[0], angle->axis, out->axis);
    else if (travel)
        carried_direction(x, travel->rotation[0], travel->direction[0], out->axis);
}

bool outline_is_held(const lithe_model *m, int node)
{
    m = model_seen(m);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        if (node >= b->node_adr && node < b->node_adr + b->nnode)
            return body_is_held(b, node - b->node_adr, LITHE_X | LITHE_Y | LITHE_Z);
    }
    return false;
}

int outline_cavity_triangles(const lithe_model *m, int row_id)
{
    const row_shell *shell = row_as_cavity(&model_seen(m)->row[row_id]);
    return shell ? shell->ntri : 0;
}

void outline_cavity_triangle(const lithe_model *m, int row_id, int triangle, int node[3])
{
    m = model_seen(m);
    const row_shell *shell = row_as_cavity(&m->row[row_id]);
    const body *b = &m->body[shell->body];
    for (int i = 0; i < 3; i++)
        node[i] = shell->tri[3 * triangle + i] - b->node_adr + b->position_adr;
}

bool outline_has_centre(const lithe_model *m, int row_id)
{
    return is_row(m, row_id) && row_as_patch(&m->row[row_id]) != NULL;
}

bool lithe_row_centre(const lithe_model *m, const lithe_state *s, int row_id, double out[3])
{
    if (!outline_has_centre(m, row_id))
        return false;
    const row_cloud *cloud = row_as_patch(&model_seen(m)->row[row_id]);
    s = state_seen(s);
    memset(out, 0, 3 * sizeof *out);
    for (int i = 0; i < cloud->n; i++)
        vec_axpy(out, cloud->weight[i], s->now.x + 3 * (size_t)cloud->node[i]);
    return true;
}

bool lithe_row_direction(const lithe_model *m, int row_id, double out[3])
{
    if (!is_row(m, row_id))
        return false;
    const row_cloud *cloud = row_as_patch(&m->row[row_id]);
    bool mean = row_is_told_effort(&m->row[row_id]);
    if (mean)
        memcpy(out, cloud->direction, sizeof cloud->direction);
    return mean;
}

int outline_contacts_max(const lithe_model *m)
{
    return m->contact.on ? m->contact.room : 0;
}

void lithe_show_position(const lithe_model *m, lithe_state *s, const double *position)
{
    if (s->whole) {
        lithe_show_position(m->reduction->whole, s->whole->state, position);
        s->whole->stale = false;
        return;
    }
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        memcpy(s->now.x + 3 * (size_t)b->node_adr, position + 3 * (size_t)b->position_adr,
               3 * (size_t)body_nposition(b) * sizeof *position);
        if (b->carry)
            carry_show(b, s->now.x + 3 * (size_t)b->node_adr);
    }
    state_publish(s);
}

static const contact_surface *obstacle_surface(const lithe_model *m, int obstacle)
{
    int k = m->contact.shape_surface[obstacle];
    return k >= 0 ? &m->contact.world.surface[k] : NULL;
}

int outline_obstacle_triangles(const lithe_model *m, int obstacle, const int **tri, int *nvertex)
{
    const contact_surface *surface = obstacle_surface(m, obstacle);
    *tri = surface ? surface->tri : NULL;
    *nvertex = surface ? surface->nvertex : 0;
    return surface ? surface->ntri : 0;
}

static void vertex_position(const contact_surface *surface, const contact_frame *pose, int vertex,
                            double out[3])
{
    mat_apply(out, pose->R, &surface->rest[3 * vertex]);
    vec_axpy(out, 1, pose->at);
}

void outline_obstacle_vertex(const lithe_model *m, int obstacle, int vertex, double out[3])
{
    vertex_position(obstacle_surface(m, obstacle), &m->contact.pose[obstacle], vertex, out);
}

void outline_obstacle_vertex_now(const lithe_model *m, const lithe_state *s, int obstacle,
                                 int vertex, double out[3])
{
    vertex_position(obstacle_surface(m, obstacle), outline_obstacle_frame(s, obstacle), vertex,
                    out);
}

const contact_shape *outline_obstacle_shape(const lithe_model *m, int obstacle)
{
    return &m->contact.world.shape[obstacle];
}

const contact_frame *outline_obstacle_home(const lithe_model *m, int obstacle)
{
    return &m->contact.pose[obstacle];
}

const contact_frame *outline_obstacle_frame(const lithe_state *s, int obstacle)
{
    return &state_acting(s)->now.contact->frame[obstacle];
}

lithe_status lithe_obstacle_motion(const lithe_model *m, const lithe_state *s, int obstacle,
                                   double way[LITHE_MOTION])
{
    if (obstacle < 0 || obstacle >= lithe_nobstacle(m))
        return LITHE_INVALID;
    const contact_frame *from = &m->contact.pose[obstacle],
                        *to = outline_obstacle_frame(s, obstacle);
    double back[9], R[9];
    for (int i = 0; i < 9; i++)
        back[i] = from->R[3 * (i % 3) + i / 3];
    mat_mul(R, to->R, back);
    vec_sub(way, to->at, from->at);
    rotation_of_matrix(R, way + 3);
    return LITHE_OK;
}
