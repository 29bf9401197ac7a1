// A cloud of nodes: its weighted mean along a direction, and how far it has rotated since rest.
#ifndef ROW_CLOUD_H
#define ROW_CLOUD_H

#include "row/row.h"

double cloud_mean(const row_cloud *cloud, const double *x);
void cloud_mean_gradient(const row_cloud *cloud, const double *x, double *H);

// Looks up the blocks of the rotations that carry a mean.
void cloud_finish(row_cloud *cloud, const body *bodies);

// blocks += scale * d2(mean)/dx2: the rotation of its arms
void cloud_stiffness(const row_cloud *cloud, const double *x, double scale, double *const *blocks);

// force += scale * d2(mean)/dx2 displacement
void cloud_stiffness_times(const row_cloud *cloud, const double *x, double scale,
                           const double *displacement, double *force);

lithe_status cloud_measure_arms(row_cloud *cloud, const double *x, arena *memory);

// The nodes' best rotation R is the rotation nearest to M = sum w (x - mean)(X - mean)'; what is
// measured is a component of its rotation vector log R (rad).
double cloud_rotation(const row_cloud *cloud, const double *x);
void cloud_rotation_gradient(const row_cloud *cloud, const double *x, double *H);

// True if the arms span at least a plane, so that the rotation is defined.
bool cloud_can_rotate(const row_cloud *cloud);

#endif
