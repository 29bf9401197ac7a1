#include "step/readout.h"

#include "step/state.h"

#include <math.h>
#include <string.h>

int lithe_nbody(const lithe_model *m)
{
    return m->nbody;
}

int lithe_nnode(const lithe_model *m)
{
    return m->nplace;
}

int lithe_nelement(const lithe_model *m)
{
    return m->nelement;
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
    return m->actuator[actuator].type;
}

lithe_effector_kind lithe_effector_type(const lithe_model *m, int effector)
{
    return m->effector[effector].type;
}

int lithe_actuator_rows(const lithe_model *m, int actuator)
{
    return m->actuator[actuator].group.n;
}

int lithe_effector_rows(const lithe_model *m, int effector)
{
    return m->effector[effector].group.n;
}

int lithe_sensor_rows(const lithe_model *m, int sensor)
{
    const model_sensor *k = &m->sensor[sensor];
    return k->type == LITHE_GAUGE ? m->actuator[k->actuator].group.n : k->group.n;
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
    return m->actuator[actuator].group.adr;
}

int lithe_row_of_effector(const lithe_model *m, int effector)
{
    return m->effector[effector].group.adr;
}

int lithe_row_of_sensor(const lithe_model *m, int sensor)
{
    return m->sensor[sensor].group.adr;
}

const double *lithe_rest(const lithe_model *m)
{
    return m->rest;
}

const char *lithe_state_error(const lithe_state *s)
{
    return s->report.error;
}

const double *lithe_position(const lithe_state *s)
{
    if (!s->place)
        return s->now.x;
    const lithe_model *m = s->model;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        memcpy(s->place + 3 * (size_t)b->place_adr, s->now.x + 3 * (size_t)b->node_adr,
               3 * (size_t)body_nplace(b) * sizeof *s->place);
    }
    return s->place;
}

const double *lithe_turn(const lithe_state *s)
{
    for (int k = 0; s->turn && k < s->model->nbody; k++) {
        const body *b = &s->model->body[k];
        for (int i = 0; i < body_nplace(b) && b->turn; i++)
            if (b->turn[i] >= 0)
                memcpy(s->turn + 3 * (size_t)(b->place_adr + i),
                       s->now.x + 3 * (size_t)(b->node_adr + b->turn[i]), 3 * sizeof *s->turn);
    }
    return s->turn;
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

void lithe_effort(const lithe_model *m, const lithe_state *s, int actuator, double *effort)
{
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++) {
        const row *r = &m->row[group->adr + i];
        effort[i] = row_drives_support(r) ? slider_force(m, s, r)
                                          : row_outward(r, s->now.effort[group->adr + i]);
    }
}

void lithe_displacement(const lithe_model *m, const lithe_state *s, int actuator,
                        double *displacement)
{
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++)
        displacement[i] =
            row_scales_modulus(&m->row[group->adr + i]) ? NAN : s->now.delta[group->adr + i];
}

void lithe_effector_value(const lithe_model *m, const lithe_state *s, int effector, double *value)
{
    const model_group *group = &m->effector[effector].group;
    memcpy(value, &s->now.delta[group->adr], (size_t)group->n * sizeof *value);
}

void lithe_sensor_value(const lithe_model *m, const lithe_state *s, int sensor, double *value)
{
    const model_sensor *k = &m->sensor[sensor];
    if (k->type == LITHE_GAUGE)
        lithe_effort(m, s, k->actuator, value);
    else
        memcpy(value, &s->now.delta[k->group.adr], (size_t)k->group.n * sizeof *value);
}

void lithe_limit_price(const lithe_model *m, const lithe_state *s, int actuator, double *effort,
                       double *displacement)
{
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++) {
        effort[i] = s->task.price[group->adr + i];
        displacement[i] = s->task.price[m->nact + group->adr + i];
    }
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

int model_nmaterial(const lithe_model *m)
{
    return m->nmaterial;
}

const char *model_material_name(const lithe_model *m, int material)
{
    return m->material_name[material];
}

const int *model_cell_adr(const lithe_model *m)
{
    return m->cell_adr;
}

const int *model_cell_node(const lithe_model *m)
{
    return m->cell_node;
}

const unsigned char *model_cell_type(const lithe_model *m)
{
    return m->cell_type;
}

const int *model_cell_material(const lithe_model *m)
{
    return m->cell_material;
}

const int *model_cell_body(const lithe_model *m)
{
    return m->cell_body;
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

void state_element_fields(const lithe_model *m, const lithe_state *s, double *energy_density,
                          double *von_mises)
{
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

body_info model_body_info(const lithe_model *m, int body_id)
{
    const body *b = &m->body[body_id];
    body_info info = {.name = b->name,
                      .nnode = body_nplace(b),
                      .nelement = b->nelement,
                      .ndof = b->ndof,
                      .volume = b->volume,
                      .worst_quality = b->quality[0],
                      .median_quality = b->quality[1],
                      .ncavity = b->ncavity,
                      .cavity_volume = b->cavity_volume};
    memcpy(info.lower, b->lower, sizeof info.lower);
    memcpy(info.upper, b->upper, sizeof info.upper);
    for (int i = 0; i < body_nplace(b); i++)
        info.mass += b->weigh[i];
    return info;
}

const double *state_row_values(const lithe_state *s)
{
    return s->now.delta;
}

double model_factor_flops(const lithe_model *m)
{
    double flops = 0;
    for (int k = 0; k < m->nbody; k++)
        flops += body_factor_flops(&m->body[k]);
    return flops;
}

size_t model_bytes(const lithe_model *m)
{
    return sizeof *m + m->memory.bytes;
}

size_t state_bytes(const lithe_state *s)
{
    return sizeof *s + s->memory.bytes;
}

const lithe_step_def *model_step_def(const lithe_model *m)
{
    return &m->step;
}

const lithe_dynamics_def *model_dynamics_def(const lithe_model *m)
{
    return &m->dynamics;
}

void model_actuator_limits(const lithe_model *m, int actuator, double effort[2],
                           double displacement[2])
{
    const row *r = &m->row[m->actuator[actuator].group.adr];
    for (int side = 0; side < 2; side++) {
        effort[side] = row_outward(r, r->effort_limit[side]);
        displacement[side] = r->displacement_limit[side];
    }
}

lithe_command_kind model_actuator_command(const lithe_model *m, int actuator, double *value)
{
    const model_group *group = &m->actuator[actuator].group;
    for (int i = 0; i < group->n; i++)
        value[i] = row_outward(&m->row[group->adr + i], m->row[group->adr + i].value);
    return m->row[group->adr].command;
}
