// The compiled model, which never changes.
#ifndef STEP_MODEL_H
#define STEP_MODEL_H

#include "base/arena.h"
#include "body/body.h"
#include "contact/check.h"
#include "row/row.h"
#include "step/contact_model.h"
#include "step/play.h"
#include "step/whole.h"

// One actuator, effector or sensor: the rows [adr, adr + n).
typedef struct model_group {
    const char *name;
    int adr, n;
} model_group;

typedef struct model_actuator {
    model_group group;
    lithe_actuator_kind type;
    bool given; // the inverse leaves it at its command
    model_play play;
} model_actuator;

typedef struct model_effector {
    model_group group;
    lithe_effector_kind type;
    double weight;
    int priority; // 1 is served first
} model_effector;

typedef struct model_sensor {
    model_group group; // n = 0: it reads an actuator
    lithe_sensor_kind type;
    lithe_measure measure;
    int actuator;
} model_sensor;

// A rigid body that is moved: the rows [row, row + 6), way and rotation.
typedef struct model_path {
    int row;
    contact_path path;
} model_path;

struct lithe_model {
    arena memory;
    model_reduction *reduction; // NULL: it stands for itself
    int npatch, *patch; // nodes that a reduction's patch selects, of its only body; ascending
    lithe_step_def step;
    lithe_dynamics_def dynamics;
    double *velocity; // dynamics: at the start (nnode x 3) m/s
    int nbody;
    body *body;
    int nnode, nelement, ndof; // of all bodies
    int nq;                    // coordinates of all bodies, held ones too
    size_t nJ;                 // numbers of J of all bodies
    int nposition;             // of the nodes, those that are positions, not rotations
    double *X;                 // placed rest positions (nnode x 3) m; 0 for rotations
    double *rest;              // of positions alone (nposition x 3) m
    int *cell_adr;             // first node of every element in cell_node (nelement + 1)
    int *cell_node;            // among the position nodes of all bodies
    unsigned char *cell_type;  // as VTK numbers cells (nelement)
    int *cell_material;        // (nelement)
    bool *cell_scaled;         // its stiffness follows its material's (nelement)
    int *cell_body;            // (nelement)
    int nmaterial;
    const char **material_name;
    int nsurface;
    lithe_surface_info *surface; // (nsurface)
    int nload;
    const char **load_name;
    lithe_load_kind *load_kind;
    double *load_value; // as defined (nload x 3); of a pressure the first
    int nsetting;       // what states may change: factors of loads, by how much gravity has changed
                        // (3), factors of materials, values of loads (nload x 3), what fixes
                        // have been led by (nlead x 3)
    int nlead;          // fixes that are led
    model_lead *lead;   // (nlead)
    double gravity[3];  // m/s^2
    double *young;      // of each material, at small strain (nmaterial) Pa; NAN: it has many
    int nact;           // rows that are driven: the first ones
    int nown, njoined;  // … of actuators; with what has limits in joints; the others hold
    int nrow;           // all: actuators, then effectors, then sensors
    row *row;
    int *row_adr;           // first entry of each row's gradient (nrow + 1)
    int njoint;             // driven rows that no actuator has: kept at 0
    model_group *joint;     // (njoint)
    struct row_link **free; // … angle, cross angle, travel of each (njoint x 3); NULL: none
    int nmoved;             // rigid bodies that are moved along paths
    model_path *moved;      // (nmoved)
    int nactuator, neffector, nsensor;
    model_actuator *actuator;
    model_effector *effector;
    model_sensor *sensor;
    struct control_task *task; // of a later room, which alone knows it
    model_contact contact;
    check_world *check; // what may not overlap; NULL: there is no contact
    bool *tuned;        // bodies with a modulus that a row changes (nbody)
    double size;        // diagonal of the box around everything, m
    double noise;       // force residual that roundoff leaves, N
    double mass;        // dynamics: root of the sum of squares over all coordinates, kg
    double reach;       // largest coordinate of the box around everything, m
};

// How loads act, by what a state has made of them.
static inline body_loading model_loading(const lithe_model *m, double share, double time,
                                         const double *setting)
{
    const double *gravity = setting + m->nload, *value = gravity + 3 + m->nmaterial;
    return (body_loading){share, time, setting, gravity, value, value + 3 * m->nload};
}

// Where what a fix has been led by stands among the settings.
static inline int model_lead_adr(const lithe_model *m, int lead)
{
    return m->nsetting - 3 * (m->nlead - lead);
}

#endif
