// Results over time as text: the table of every step (CSV) and the index of the frames (PVD).
#ifndef IO_SERIES_H
#define IO_SERIES_H

#include "lithe/lithe.h"

#include <stdio.h>

// Columns: time_s, step, x, y and z of every effector, effort and displacement of every actuator,
// residual, load.
void series_head(FILE *file, const lithe_model *m);
void series_line(FILE *file, const lithe_model *m, const lithe_state *s, int step);

// What ParaView opens to play the frames. dt: s from frame to frame.
void series_index(FILE *file, int nframe, double dt);

#endif
