#include "step/readout.h"

#include "step/model.h"

#include <string.h>

int lithe_nbody(const lithe_model *m)
{
    return m->nbody;
}

int lithe_nnode(const lithe_model *m)
{
    return m->nnode;
}

int lithe_nelement(const lithe_model *m)
{
    return m->ntet;
}

int lithe_ndof(const lithe_model *m)
{
    return m->ndof;
}

int lithe_nactuator(const lithe_model *m)
{
    return m->nrow;
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
    return actuator >= 0 && actuator < m->nrow ? m->row[actuator].name : NULL;
}

const char *lithe_effector_name(const lithe_model *m, int effector)
{
    return effector >= 0 && effector < m->neffector ? m->effector[effector].name : NULL;
}

int lithe_find_actuator(const lithe_model *m, const char *name)
{
    for (int r = 0; r < m->nrow; r++)
        if (strcmp(m->row[r].name, name) == 0)
            return r;
    return -1;
}

int lithe_find_effector(const lithe_model *m, const char *name)
{
    for (int e = 0; e < m->neffector; e++)
        if (strcmp(m->effector[e].name, name) == 0)
            return e;
    return -1;
}

lithe_actuator_kind lithe_actuator_type(const lithe_model *m, int actuator)
{
    return m->row[actuator].kind;
}

const double *lithe_rest(const lithe_model *m)
{
    return m->X;
}

const char *lithe_state_error(const lithe_state *s)
{
    return s->report.error;
}

const double *lithe_position(const lithe_state *s)
{
    return s->now.x;
}

void lithe_effector_position(const lithe_model *m, const lithe_state *s, int effector,
                             double position[3])
{
    row_point_position(&m->effector[effector].point, s->now.x, position);
}

double lithe_effort(const lithe_state *s, int actuator)
{
    return s->now.effort[actuator];
}

double lithe_displacement(const lithe_state *s, int actuator)
{
    return s->now.delta[actuator];
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

const int *model_tet(const lithe_model *m)
{
    return m->tet;
}

const int *model_tet_material(const lithe_model *m)
{
    return m->tet_material;
}

const int *model_tet_body(const lithe_model *m)
{
    return m->tet_body;
}

void state_element_fields(const lithe_model *m, const lithe_state *s, double *energy_density,
                          double *von_mises)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int e = 0; e < b->ntet; e++) {
            double energy, mises;
            tet4_stress(&b->batch[e / LANES], e % LANES, s->now.x + 3 * (size_t)b->node_adr,
                        &energy, &mises);
            if (energy_density)
                energy_density[b->tet_adr + e] = energy;
            if (von_mises)
                von_mises[b->tet_adr + e] = mises;
        }
    }
}

body_info model_body_info(const lithe_model *m, int body_id)
{
    const body *b = &m->body[body_id];
    body_info info = {.name = b->name,
                      .nnode = b->nnode,
                      .nelement = b->ntet,
                      .ndof = b->ndof,
                      .volume = b->volume,
                      .worst_quality = b->quality[0],
                      .median_quality = b->quality[1],
                      .ncavity = b->ncavity,
                      .cavity_volume = b->cavity_volume};
    memcpy(info.lower, b->lower, sizeof info.lower);
    memcpy(info.upper, b->upper, sizeof info.upper);
    for (int i = 0; i < b->nnode; i++)
        info.mass += b->mass[i];
    return info;
}

const lithe_step_def *model_step_def(const lithe_model *m)
{
    return &m->step;
}

void model_actuator_limits(const lithe_model *m, int actuator, double effort[2],
                           double displacement[2])
{
    memcpy(effort, m->row[actuator].effort_limit, 2 * sizeof *effort);
    memcpy(displacement, m->row[actuator].displacement_limit, 2 * sizeof *displacement);
}

lithe_command_kind model_actuator_command(const lithe_model *m, int actuator, double *value)
{
    *value = m->row[actuator].value;
    return m->row[actuator].command;
}
