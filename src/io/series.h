// Results over time as text: the table of every step (CSV) and the index of the frames (PVD).
#ifndef IO_SERIES_H
#define IO_SERIES_H

#include "lithe/lithe.h"

#include <stdio.h>

// Columns: time_s, step, the numbers of every effector and sensor, effort and displacement of every
// actuator, residual, load; then what goals ask for, as "target.tip.x_m", if target is not NULL:
// what each row shall measure (nrow).
void series_head(FILE *file, const lithe_model *m, const double *target);
void series_line(FILE *file, const lithe_model *m, const lithe_state *s, int step,
                 const double *target);

// What hardware is told: time_s, displacement and effort of every actuator.
void series_actuation_head(FILE *file, const lithe_model *m);
void series_actuation_line(FILE *file, const lithe_model *m, const lithe_state *s, int step);

// Pairs that are near enough to push, a line each: time_s, step, first, second, position (m),
// normal, gap_m, force_N.
void series_contacts_head(FILE *file);
void series_contacts_lines(FILE *file, const lithe_model *m, const lithe_state *s, int step);

// A matrix (nrow x ndriven, from row `first` on) with the names of its rows and columns, which are
// the actuators' quantities of that kind.
void series_matrix(FILE *file, const lithe_model *m, int first, lithe_command_kind kind,
                   const double *value);

// What ParaView opens to play the frames. dt: s from frame to frame.
void series_index(FILE *file, int nframe, double dt);

#endif
