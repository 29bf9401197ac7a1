// Obstacles as triangles in a picture, half to be seen through; and arrows.
#ifndef IO_SOLID_H
#define IO_SOLID_H

#include "contact/shape.h"
#include "io/raster.h"

// A shape that a formula describes. Planes and pipes, which are endless, end at `extent`.
void solid_draw(raster *r, const contact_shape *shape, const contact_frame *at, double extent);

// One triangle of an obstacle that is a mesh.
void solid_draw_triangle(raster *r, double corner[3][3]);

// Ends at `to`, and lies before everything that is no arrow.
void solid_draw_arrow(raster *r, const double from[3], const double to[3], double thick);

#endif
