// What is wrong with real actuators and sensors, one number at a time.
#ifndef DRIVE_FAULTS_H
#define DRIVE_FAULTS_H

#include "lithe/drive.h"

#include <stdint.h>

// Numbers at random, the same for the same seed on every machine that has the same logarithm.
typedef struct dice {
    uint64_t state;
} dice;

double dice_uniform(dice *d); // [0, 1)
double dice_normal(dice *d);  // of standard deviation 1

// Between what an actuator is told and what it does.
typedef struct faulty_actuator {
    const lithe_plant_actuator_def *def; // NULL: nothing is wrong
    double accepted;                     // the last command that was beyond the dead band
    double moved;                        // after rate and lag
    double played;                       // after backlash
    double output;                       // after friction
} faulty_actuator;

void faulty_actuator_reset(faulty_actuator *f, double at);
double faulty_actuator_step(faulty_actuator *f, double command, double dt);

// A follower with play: it stays while the leader moves within its width.
double faults_backlash(double follower, double leader, double width);

// What arrives of a tension behind a guide: within a factor exp(+-mu theta) of what pulls, and no
// more change than that takes.
double faults_capstan(double behind, double before, double friction, double wrap);

double faults_quantize(double value, double quantum);

#endif
