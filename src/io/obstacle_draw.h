// Obstacles as triangles in a picture, half to be seen through; rods and arrows.
#ifndef IO_OBSTACLE_DRAW_H
#define IO_OBSTACLE_DRAW_H

#include "contact/shape_traits.h"
#include "io/raster.h"

// A surface as triangles that are seen from outside counterclockwise; vertices of sharp edges stand
// in it once for every side.
enum { SOLID_VERTICES = 1280, SOLID_TRIANGLES = 2400 };
typedef struct solid_surface {
    int nvertex, ntri;
    double x[SOLID_VERTICES][3], normal[SOLID_VERTICES][3];
    int tri[SOLID_TRIANGLES][3];
} solid_surface;

// How a kind of shape is drawn, by shape_kind; NULL: it is told by triangles of its own.
typedef void solid_trace_of(const contact_shape *shape, const double middle[3], double extent,
                            solid_surface *out);
extern solid_trace_of *const solid_traces[SHAPE_KINDS];

// A shape that a formula describes, in its own frame; of a mesh nothing. Planes and pipes, which
// are endless, are drawn around `middle`, as far as `extent`.
void solid_trace(const contact_shape *shape, const double middle[3], double extent,
                 solid_surface *out);

// The same in a picture, where its frame is; middle: in the world.
void solid_draw(raster *r, const contact_shape *shape, const contact_frame *at,
                const double middle[3], double extent);

// One end of a piece of a rod: where it is, the axes of its section, and how far that reaches along
// them.
typedef struct solid_end {
    double at[3];
    double axis[2][3];
    double reach[2];
    double colour[3]; // linear light
} solid_end;

void solid_draw_rod(raster *r, const solid_end end[2], bool rectangular);

// One triangle of an obstacle that is a mesh.
void solid_draw_triangle(raster *r, double corner[3][3]);

// Ends at `to`, and lies before everything that is no arrow.
void solid_draw_arrow(raster *r, const double from[3], const double to[3], double thick);

#endif
