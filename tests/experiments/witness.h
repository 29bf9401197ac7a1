// A second opinion on motion with contact. It knows the rest shape, the laws and where nodes are,
// and shares no code with what finds contacts, solves steps and counts energy.
#ifndef EXPERIMENTS_WITNESS_H
#define EXPERIMENTS_WITNESS_H

#include "rig.h"

typedef struct witness witness;

// Of a scene of linear tetrahedra of neo-Hookean material, or of rods of round section, at rest.
// NULL: it has something else, or there is no memory.
witness *witness_create(const rig *r);
void witness_free(witness *w);

// Edges of a body that go through faces of another, or of its own where it may come into contact
// with itself; corners in planes and bodies in bodies count too. 0: nothing overlaps.
int witness_overlaps(const witness *w, const double *x);

// Distance of the skins of a rod's parts that are not neighbours along it, m; negative: they
// overlap. INFINITY: there are no rods.
double witness_rod_gap(const witness *w, const double *x);

// Kinetic and elastic energy of tetrahedra, and that of weight, which is 0 at rest; J.
double witness_energy(const witness *w, const double *x, const double *velocity, double *weight);

// What actuators have put in until now, J: call it once after each step. Efforts are taken at the
// end of a step, as implicit Euler does.
double witness_work(witness *w, const rig *r);

#endif
