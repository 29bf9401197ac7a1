// A second model of the arm, in the robot's place: quadratic tetrahedra, another law, a modulus
// that is off, and sensors with noise.
#ifndef EXPERIMENTS_PLANT_H
#define EXPERIMENTS_PLANT_H

#include "rig.h"

enum { PLANT_CHAMBERS = 6 };

extern const char plant_what[]; // it in words

// Overrides up to a NULL follow, as in rig_open.
bool plant_open(rig *r, table *t, const char *more, const char *another);

// The model: the arm as it is in examples, with effort sensors on its chambers and a push on its
// tip that nobody commands, and overrides as before. Its limits are wider than the robot's: a model
// that is too stiff needs more pressure for the same shape.
bool plant_open_model(rig *r, table *t, const char *more, const char *another);

// Pressures that fill the range from low to high (Pa) evenly, the k-th of them.
void plant_pressures(int k, double low, double high, double *pressure);

// Poses it, forward; and what its strings read, with noise (m, standard deviation).
bool plant_pose(rig *r, const double *pressure);
void plant_strings(const rig *r, double noise, double *length);

double plant_normal(void); // a standard normal number, the same sequence in every run
void plant_seed(unsigned long long seed);

#endif
