// What results, checks and views read from a model and a state beyond the public header.
#ifndef STEP_READOUT_H
#define STEP_READOUT_H

#include "lithe/lithe.h"

int model_nmaterial(const lithe_model *m);
const char *model_material_name(const lithe_model *m, int material);

// Elements of all bodies, in the order of bodies and of their mesh files.
const int *model_cell_adr(const lithe_model *m);            // first node of each (nelement + 1)
const int *model_cell_node(const lithe_model *m);           // node numbers over all bodies
const unsigned char *model_cell_type(const lithe_model *m); // as VTK numbers cells (nelement)
const int *model_cell_material(const lithe_model *m);       // (nelement)
const int *model_cell_body(const lithe_model *m);           // (nelement)

// Strain energy per rest volume (J/m^3) and von Mises stress (Pa) of every element; either may be
// NULL.
void state_element_fields(const lithe_model *m, const lithe_state *s, double *energy_density,
                          double *von_mises);

// Forces of all contacts on every node (nnode x 3) N.
void state_contact_forces(const lithe_model *m, const lithe_state *s, double *force);

// Tells of every problem with contacts that the inverse is about to solve.
struct qpcc_problem;
void state_observe(lithe_state *s, void (*observe)(void *observer, const struct qpcc_problem *p),
                   void *observer);

typedef struct body_info {
    const char *name;
    int nnode, nelement, ndof; // ndof: free ones
    double volume;             // of the material at rest, m^3
    double mass;               // kg
    double lower[3], upper[3]; // box around the placed rest shape, m
    double worst_quality;      // 1: regular tetrahedron, 0: flat
    double median_quality;
    int ncavity;
    const double *cavity_volume; // (ncavity) at rest, m^3, largest first
} body_info;

body_info model_body_info(const lithe_model *m, int body);

// What every row measures now (nrow), see lithe_row_of_*.
const double *state_row_values(const lithe_state *s);

// Of factoring A of every body once, and what model and state keep in memory.
double model_factor_flops(const lithe_model *m);
size_t model_bytes(const lithe_model *m);
size_t state_bytes(const lithe_state *s);

const lithe_step_def *model_step_def(const lithe_model *m);
const lithe_dynamics_def *model_dynamics_def(const lithe_model *m);

// Limits and the command that the definition gives an actuator.
void model_actuator_limits(const lithe_model *m, int actuator, double effort[2],
                           double displacement[2]);
lithe_command_kind model_actuator_command(const lithe_model *m, int actuator,
                                          double *value); // one for each row

#endif
