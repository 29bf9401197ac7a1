// The numbers on the wire: which row of the model each one is, and what it means there.
#ifndef DRIVE_CHANNEL_H
#define DRIVE_CHANNEL_H

#include "base/arena.h"
#include "lithe/drive.h"

typedef struct channel_row {
    const lithe_channel_def *def;
    int actuator, effector, sensor; // one of them, the others -1
    int row;                        // of the model
    int component;                  // which of its rows
    int axis;                       // that it lies along: 0 x, 1 y, 2 z; 0 where there is none
} channel_row;

typedef struct channels {
    int nout, nin; // numbers
    channel_row *out, *in;
} channels;

// LITHE_INVALID where a channel names nothing of the model.
lithe_status channels_create(const lithe_model *m, const lithe_wire_def *wire, arena *memory,
                             channels *out, lithe_report *report);

double channel_to_wire(const lithe_channel_def *c, double value);
double channel_from_wire(const lithe_channel_def *c, double number);

// What a row of an actuator is told or does, in the quantity of its channel; of others, what it
// measures.
double channel_value(const lithe_model *m, const lithe_state *s, const channel_row *r);

// What an actuator may be told at most: what the scene and the wire both allow. LITHE_INVALID where
// that has no end, or is no number on the wire.
lithe_status channel_output(const lithe_model *m, const channel_row *r, lithe_gate_output *o,
                            lithe_report *report);

#endif
