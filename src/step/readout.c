#include "step/state.h"

#include "base/vec.h"
#include "row/link.h"

#include <math.h>
#include <string.h>

int lithe_nbody(const lithe_model *m)
{
    return m->nbody;
}

int lithe_nnode(const lithe_model *m)
{
    return model_seen(m)->nposition;
}

int lithe_nelement(const lithe_model *m)
{
    return model_seen(m)->nelement;
}

int lithe_ndof(const lithe_model *m)
{
    return m->ndof;
}

int lithe_nactuator(const lithe_model *m)
{
    return m->nactuator;
}

int lithe_neffector(const lithe_model *m)
{
    return m->neffector;
}

const char *lithe_body_name(const lithe_model *m, int body_id)
{
    return body_id >= 0 && body_id < m->nbody ? m->body[body_id].name : NULL;
}

const char *lithe_actuator_name(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator ? m->actuator[actuator].group.name : NULL;
}

const char *lithe_effector_name(const lithe_model *m, int effector)
{
    return effector >= 0 && effector < m->neffector ? m->effector[effector].group.name : NULL;
}

const char *lithe_sensor_name(const lithe_model *m, int sensor)
{
    return sensor >= 0 && sensor < m->nsensor ? m->sensor[sensor].group.name : NULL;
}

int lithe_find_actuator(const lithe_model *m, const char *name)
{
    for (int a = 0; a < m->nactuator; a++)
        if (strcmp(m->actuator[a].group.name, name) == 0)
            return a;
    return -1;
}

int lithe_find_effector(const lithe_model *m, const char *name)
{
    for (int e = 0; e < m->neffector; e++)
        if (strcmp(m->effector[e].group.name, name) == 0)
            return e;
    return -1;
}

int lithe_find_sensor(const lithe_model *m, const char *name)
{
    for (int k = 0; k < m->nsensor; k++)
        if (strcmp(m->sensor[k].group.name, name) == 0)
            return k;
    return -1;
}

int lithe_nsensor(const lithe_model *m)
{
    return m->nsensor;
}

lithe_actuator_kind lithe_actuator_type(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator ? m->actuator[actuator].type
                                                    : (lithe_actuator_kind)-1;
}

lithe_effector_kind lithe_effector_type(const lithe_model *m, int effector)
{
    return effector >= 0 && effector < m->neffector ? m->effector[effector].type
                                                    : (lithe_effector_kind)-1;
}

lithe_sensor_kind lithe_sensor_type(const lithe_model *m, int sensor)
{
    return sensor >= 0 && sensor < m->nsensor ? m->sensor[sensor].type : (lithe_sensor_kind)-1;
}

int lithe_actuator_rows(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator ? m->actuator[actuator].group.n : 0;
}

int lithe_effector_rows(const lithe_model *m, int effector)
{
    return effector >= 0 && effector < m->neffector ? m->effector[effector].group.n : 0;
}

int lithe_sensor_rows(const lithe_model *m, int sensor)
{
    if (sensor < 0 || sensor >= m->nsensor)
        return 0;
    const model_sensor *k = &m->sensor[sensor];
    return k->group.n == 0 ? m->actuator[k->actuator].group.n : k->group.n;
}

int lithe_nrow(const lithe_model *m)
{
    return m->nrow;
}

int lithe_ndriven(const lithe_model *m)
{
    return m->nact;
}

int lithe_row_of_actuator(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator ? m->actuator[actuator].group.adr : -1;
}

int lithe_row_of_effector(const lithe_model *m, int effector)
{
    return effector >= 0 && effector < m->neffector ? m->effector[effector].group.adr : -1;
}

int lithe_row_of_sensor(const lithe_model *m, int sensor)
{
    return sensor >= 0 && sensor < m->nsensor ? m->sensor[sensor].group.adr : -1;
}

const double *lithe_rest(const lithe_model *m)
{
    return model_seen(m)->rest;
}

const char *lithe_state_error(const lithe_state *s)
{
    return s->report.error;
}

void state_publish(lithe_state *s)
{
    memcpy(s->measured, s->now.delta, (size_t)s->model->nrow * sizeof *s->measured);
    if (s->whole)
        s->whole->stale = true;
    for (int k = 0; k < s->model->nbody; k++) {
        const body *b = &s->model->body[k];
        const double *x = s->now.x + 3 * (size_t)b->node_adr;
        memcpy(s->position + 3 * (size_t)b->position_adr, x,
               3 * (size_t)body_nposition(b) * sizeof *s->position);
        for (int i = 0; s->rotation && b->rotation && i < body_nposition(b); i++)
            if (b->rotation[i] >= 0)
                memcpy(s->rotation + 3 * (size_t)(b->position_adr + i),
                       x + 3 * (size_t)b->rotation[i], 3 * sizeof *s->rotation);
    }
}

const double *lithe_position(const lithe_state *s)
{
    return state_seen(s)->position;
}

const double *lithe_rotation(const lithe_state *s)
{
    return state_seen(s)->rotation;
}

// The force that holds a slider's nodes where they are, along its axis.
static double slider_force(const lithe_model *m, const lithe_state *s, const row *r)
{
    double sum = 0;
    for (int i = 0; i < row_nsupport(r); i++) {
        const double *along;
        size_t at = 3 * (size_t)row_support(r, m->body, i, &along);
        for (size_t axis = 0; axis < 3; axis++)
            sum += along[axis] * (s->now.internal[at + axis] + s->now.inertial[at + axis] -
                                  s->now.external[at + axis] - s->now.pull[at + axis]);
    }
    return sum;
}

static double effort_of_row(const lithe_model *m, const lithe_state *s, int i)
{
    const row *r = &m->row[i];
    return row_drives_support(r) ? slider_force(m, s, r) : row_outward(r, s->now.effort[i]);
}

lithe_status lithe_effort(const lithe_model *m, const lithe_state *s, int actuator, double *effort)
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_INVALID;
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++)
        effort[i] = effort_of_row(m, s, group->adr + i);
    return LITHE_OK;
}

void lithe_efforts(const lithe_model *m, const lithe_state *s, double *effort)
{
    for (int i = 0; i < m->nact; i++)
        effort[i] = effort_of_row(m, s, i);
}

lithe_status lithe_displacement(const lithe_model *m, const lithe_state *s, int actuator,
                                double *displacement)
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_INVALID;
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++)
        displacement[i] =
            row_scales_modulus(&m->row[group->adr + i]) ? NAN : s->now.delta[group->adr + i];
    return LITHE_OK;
}

lithe_status lithe_effector_value(const lithe_model *m, const lithe_state *s, int effector,
                                  double *value)
{
    if (effector < 0 || effector >= m->neffector)
        return LITHE_INVALID;
    const model_group *group = &m->effector[effector].group;
    memcpy(value, &s->now.delta[group->adr], (size_t)group->n * sizeof *value);
    return LITHE_OK;
}

lithe_status lithe_sensor_value(const lithe_model *m, const lithe_state *s, int sensor,
                                double *value)
{
    if (sensor < 0 || sensor >= m->nsensor)
        return LITHE_INVALID;
    const model_sensor *k = &m->sensor[sensor];
    if (k->group.n == 0)
        return lithe_effort(m, s, k->actuator, value);
    memcpy(value, &s->now.delta[k->group.adr], (size_t)k->group.n * sizeof *value);
    return LITHE_OK;
}

lithe_status lithe_limit_multiplier(const lithe_model *m, const lithe_state *s, int actuator,
                                    double *effort, double *displacement)
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_INVALID;
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++) {
        effort[i] = s->task.multiplier[group->adr + i];
        displacement[i] = s->task.multiplier[m->nact + group->adr + i];
    }
    return LITHE_OK;
}

lithe_residual lithe_last_residual(const lithe_state *s)
{
    return s->last;
}

int lithe_residual_history(const lithe_state *s, const double **force)
{
    *force = s->history;
    return s->nhistory;
}

lithe_phase_time lithe_last_phase_time(const lithe_state *s)
{
    return s->time;
}

int lithe_nmaterial(const lithe_model *m)
{
    return m->nmaterial;
}

const char *lithe_material_name(const lithe_model *m, int material)
{
    return material >= 0 && material < m->nmaterial ? m->material_name[material] : NULL;
}

int lithe_find_material(const lithe_model *m, const char *name)
{
    for (int i = 0; i < m->nmaterial; i++)
        if (strcmp(m->material_name[i], name) == 0)
            return i;
    return -1;
}

double lithe_material_young(const lithe_model *m, int material)
{
    return material >= 0 && material < m->nmaterial ? m->young[material] : NAN;
}

int lithe_find_body(const lithe_model *m, const char *name)
{
    for (int k = 0; k < m->nbody; k++)
        if (strcmp(m->body[k].name, name) == 0)
            return k;
    return -1;
}

int lithe_nsurface(const lithe_model *m)
{
    return m->nsurface;
}

int lithe_find_surface(const lithe_model *m, int body_id, const char *name)
{
    for (int i = 0; i < m->nsurface; i++)
        if (m->surface[i].body == body_id && strcmp(m->surface[i].name, name) == 0)
            return i;
    return -1;
}

lithe_status lithe_surface_get(const lithe_model *m, int surface, lithe_surface_info *out)
{
    if (surface < 0 || surface >= m->nsurface)
        return LITHE_INVALID;
    *out = m->surface[surface];
    return LITHE_OK;
}

const int *lithe_element_start(const lithe_model *m)
{
    return model_seen(m)->cell_adr;
}

const int *lithe_element_node(const lithe_model *m)
{
    return model_seen(m)->cell_node;
}

const unsigned char *lithe_element_cell(const lithe_model *m)
{
    return model_seen(m)->cell_type;
}

const int *lithe_element_material(const lithe_model *m)
{
    return model_seen(m)->cell_material;
}

const int *lithe_element_body(const lithe_model *m)
{
    return model_seen(m)->cell_body;
}

// x: of the body's nodes; stiffness, energy_density, von_mises: of the family's elements.
static void family_fields(const element_family *f, const double *x, const double *stiffness,
                          double *energy_density, double *von_mises)
{
    double energy[LANES], mises[LANES]; // of the batch that e is in
    for (int e = 0; e < f->n; e++) {
        if (e % LANES == 0)
            f->kind->stress(family_batch(f, e / LANES), x, energy, mises);
        double factor = stiffness ? stiffness[e] : 1;
        if (energy_density)
            energy_density[e] = factor * energy[e % LANES];
        if (von_mises)
            von_mises[e] = factor * mises[e % LANES];
    }
}

void lithe_element_fields(const lithe_model *m, const lithe_state *s, double *energy_density,
                          double *von_mises)
{
    m = model_seen(m);
    s = state_seen(s);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0; i < b->nfamily; i++) {
            const element_family *f = &b->family[i];
            int at = b->element_adr + f->element_adr;
            family_fields(f, s->now.x + 3 * (size_t)b->node_adr,
                          s->tangent.stiffness[k] ? s->tangent.stiffness[k] + f->element_adr : NULL,
                          energy_density ? energy_density + at : NULL,
                          von_mises ? von_mises + at : NULL);
        }
    }
}

bool lithe_body_is_rigid(const lithe_model *m, int body_id)
{
    return body_id >= 0 && body_id < m->nbody && m->body[body_id].rigid;
}

// Of nodes that elements have: those that a rigid body's contacts act on may lie outside of it.
static void find_box(const body *b, double lower[3], double upper[3])
{
    if (b->nelement == 0) {
        memcpy(lower, b->lower, sizeof b->lower);
        memcpy(upper, b->upper, sizeof b->upper);
        return;
    }
    for (int i = 0; i < 3; i++) {
        lower[i] = INFINITY;
        upper[i] = -INFINITY;
    }
    for (int k = 0; k < b->nfamily; k++)
        for (int i = 0; i < b->family[k].n * b->family[k].kind->nnode; i++)
            for (int a = 0, node = b->family[k].node[i]; a < 3 && node < body_nposition(b); a++) {
                lower[a] = fmin(lower[a], b->X[3 * node + a]);
                upper[a] = fmax(upper[a], b->X[3 * node + a]);
            }
}

lithe_status lithe_body_get(const lithe_model *m, int body_id, lithe_body_info *out)
{
    if (body_id < 0 || body_id >= m->nbody)
        return LITHE_INVALID;
    const body *b = &model_seen(m)->body[body_id];
    lithe_body_info info = {.name = b->name,
                            .first_node = b->position_adr,
                            .nnode = body_nposition(b),
                            .first_element = b->element_adr,
                            .nelement = b->nelement,
                            .ndof = m->body[body_id].ndof,
                            .volume = b->volume,
                            .worst_quality = b->quality[0],
                            .median_quality = b->quality[1],
                            .ncavity = b->ncavity,
                            .cavity_volume = b->cavity_volume};
    find_box(b, info.lower, info.upper);
    for (int i = 0; i < body_nposition(b); i++)
        info.mass += b->weigh[i];
    *out = info;
    return LITHE_OK;
}

const double *lithe_row_values(const lithe_state *s)
{
    return s->measured;
}

double lithe_factor_flops(const lithe_model *m)
{
    double flops = 0;
    for (int k = 0; k < m->nbody; k++)
        flops += body_factor_flops(&m->body[k]);
    return flops;
}

size_t lithe_model_bytes(const lithe_model *m)
{
    return sizeof *m + m->memory.bytes +
           (m->reduction ? lithe_model_bytes(m->reduction->whole) : 0);
}

size_t lithe_state_bytes(const lithe_state *s)
{
    return sizeof *s + s->memory.bytes + (s->whole ? lithe_state_bytes(s->whole->state) : 0);
}

const lithe_step_def *lithe_model_step(const lithe_model *m)
{
    return &m->step;
}

const lithe_dynamics_def *lithe_model_dynamics(const lithe_model *m)
{
    return &m->dynamics;
}

// What a slider takes is not limited; its effort inside is its travel.
static lithe_status read_limits(const row *r, const row_limit *limit, double effort[2],
                                double displacement[2])
{
    for (int side = 0; side < 2; side++) {
        double none = side == 0 ? -INFINITY : INFINITY;
        effort[side] = row_drives_support(r) ? none : row_outward(r, limit->effort[side]);
        displacement[side] = limit->displacement[side];
    }
    return LITHE_OK;
}

lithe_status lithe_actuator_limits(const lithe_model *m, int actuator, double effort[2],
                                   double displacement[2])
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_INVALID;
    const row *r = &m->row[m->actuator[actuator].group.adr];
    return read_limits(r, &r->limit, effort, displacement);
}

lithe_status lithe_limits(const lithe_model *m, const lithe_state *s, int actuator,
                          double effort[2], double displacement[2])
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_INVALID;
    int r = m->actuator[actuator].group.adr;
    return read_limits(&m->row[r], &s->limit[r], effort, displacement);
}

lithe_status lithe_actuator_rates(const lithe_model *m, int actuator, double *effort,
                                  double *displacement)
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_INVALID;
    const row *r = &m->row[m->actuator[actuator].group.adr];
    bool slider = row_drives_support(r); // its number is its travel
    *effort = slider ? INFINITY : r->limit.effort_rate;
    *displacement = slider ? r->limit.effort_rate : r->limit.displacement_rate;
    return LITHE_OK;
}

bool lithe_actuator_given(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator && m->actuator[actuator].given;
}

bool lithe_actuator_is_free(const lithe_model *m, int actuator)
{
    return actuator >= 0 && actuator < m->nactuator && !m->actuator[actuator].given &&
           !row_scales_modulus(&m->row[m->actuator[actuator].group.adr]);
}

lithe_command_kind lithe_actuator_command(const lithe_model *m, int actuator, double *value)
{
    if (actuator < 0 || actuator >= m->nactuator)
        return LITHE_EFFORT;
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++)
        value[i] = row_outward(&m->row[group->adr + i], m->row[group->adr + i].value);
    return m->row[group->adr].command;
}

// Energies and momentum of a state.

double lithe_time(const lithe_state *s)
{
    return s->motion.clock;
}

void lithe_velocity(const lithe_model *m, const lithe_state *s, double *velocity)
{
    m = model_seen(m);
    s = state_seen(s);
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
    if (state_acting(s) != s) { // the whole robot goes on
        m = model_seen(m);
        s = state_acting(s);
    }
    const energy_watch *watch = &s->truth.energy;
    lithe_energy out = {.elastic = s->now.energy, .work = watch->work};
    if (watch->on) {
        out.grown = watch->grown;
        out.grown_time = watch->grown_time;
        out.grown_share = energy_growth(watch);
    }
    m = model_seen(m);
    s = state_seen(s);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        size_t at = 3 * (size_t)b->node_adr;
        body_loading loads = model_loading(m, s->load, s->motion.clock, s->setting);
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
