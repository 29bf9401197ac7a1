// Derivatives of a whole model by finite differences: everything that a step assembles.
#ifndef VERIFY_PROBE_H
#define VERIFY_PROBE_H

#include "step/state.h"

typedef struct probe {
    double force;     // internal force against the energy
    double stiffness; // A against internal force, loads and pull of the rows: its symmetric part
    double gradient;  // rows against what they measure
} probe;

// Largest differences over the largest entry. shake: how far nodes are moved at random from rest,
// m (rotations by ten times the number, rad); rows pull with `effort`.
bool probe_model(const lithe_model *m, double shake, double effort, probe *out);

#endif
