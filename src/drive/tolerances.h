// What is near enough in driving a machine.
#ifndef DRIVE_TOLERANCES_H
#define DRIVE_TOLERANCES_H

// Of a value: an output so near to what it goes to is there; the rest is rounding of a step.
static const double GATE_THERE = 1e-15;

// Of an output's range: farther than this from what was wanted, it was limited.
static const double GATE_LIMITED = 1e-3;

// Of the error: what the model leaves of it counts as out of its reach only if it is more.
static const double FEEDBACK_NOTICED = 1e-3;

// The lowest bit of a number in [0, 1).
static const double DICE_BIT = 0x1p-53;

#endif
