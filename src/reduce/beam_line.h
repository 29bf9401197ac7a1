// Frames along a centre line, and the nodes that they carry.
#ifndef REDUCE_BEAM_LINE_H
#define REDUCE_BEAM_LINE_H

#include "reduce/reduction.h"

// Frames (n x 3) on a polyline, at equal distances from its beginning to its end; a frame at every
// point where n is the number of points.
lithe_status beam_frames_on(int npoint, const double *point, int n, double *frame,
                            lithe_report *report);

// Frames on a line that is found: from what is held through the middle of what is equally far
// from there, along the elements.
lithe_status beam_frames_in(const body *b, int n, double *frame, lithe_report *report);

// What frames do to nodes: the two beside it on the line carry a node, each the more the
// nearer it is; shape: see lithe_reduction. LITHE_INVALID, said: a frame that carries nothing.
lithe_status beam_lay(const body *b, const lithe_reduction *r, arena *memory, beam_map **out,
                      lithe_report *report);

// Gives sections 1 or 3 shapes by which they swell, for frames that have been laid.
lithe_status beam_swell(const body *b, int n, lithe_reduction *r, lithe_report *report);

// LITHE_INVALID, said: no frame stands still, or all do.
lithe_status beam_check_held(const beam_map *m, lithe_report *report);

// What roundoff leaves in the force on a coordinate: more than at a node, by the nodes that it
// moves.
double beam_noise(const beam_map *m, int nnode, double noise);

#endif
