// Where rounding decides about distances. Lengths are shares of what they are measured on.
#ifndef CONTACT_TOLERANCES_H
#define CONTACT_TOLERANCES_H

#include <float.h>

// Squared sine below which two edges, or a face and the cap of a cylinder, are nearly parallel and
// their contact fades: the value at rest of [li2020].
static const double CONTACT_FADES = 1e-3;

// Squared sine of two edges below which their common normal is rounding: ends decide instead.
static const double DISTANCE_PARALLEL = 1e-10;

// Squared sine between the tangents of a distance below which their cross product is no normal.
static const double DISTANCE_NO_NORMAL = 1e-8;

// Squared sine between two sides of a triangle: a flatter one has no inside, its edges decide.
static const double NEAREST_FLAT = 16 * DBL_EPSILON;

// Sine between two triangles of an obstacle: what is less lies in one plane, its edge is none.
static const double SURFACE_FLAT = 1e-9;

// Barycentric weights in a body that differ by less are one point: two ways of finding it agree so
// far.
static const double PROXIMITY_SAME_WEIGHT = 1e-7;

// Slope of a distance along an edge, and share of the edge: rounding, its lowest point is found.
static const double EDGE_LOWEST = 1e-15;

// Of the curvatures of a cylinder's distance: an edge along which it curves less is straight, and
// any of its points is as near.
static const double EDGE_STRAIGHT = 1e-12;

// Of a step that is safe: roundings of distances may make it that much too long.
static const double ADVANCE_ROUNDING = 1e-9;

// Sine of a rotation of nearly pi, below which its axis comes from the symmetric part.
static const double ADVANCE_STRAIGHT_ANGLE = 1e-6;

// Of an edge: a point nearer to a surface than this takes the surface's own normal.
static const double PENETRATION_NO_DIRECTION = 1e-10;

// Sine by which a neighbour may rise over a face that still counts as convex there.
static const double PENETRATION_CONVEX = 1e-6;

// The check of overlaps, which shares no code with the above.

// Of a ray's way through a box: it may just graze what lies on the box's face.
static const double CHECK_BOX = 1e-9;

// Barycentric: nearer to the outline of a face than this, a ray or an edge may have missed it, and
// a point has no weight.
static const double CHECK_OUTLINE = 1e-9;

// Sine: a ray that is nearer to a face's plane sees it from its side.
static const double CHECK_FROM_SIDE = 1e-9;

// Sine between a segment and a plane, squared sine between two lines: they do not cross.
static const double CHECK_ALONG = 1e-14;

// Of an edge: pieces between two cuts that are shorter are none.
static const double CHECK_PIECE = 1e-12;

// Of the full sphere: what a sum of solid angles may lack of a whole number by rounding.
static const double CHECK_SOLID_ANGLE = 1e-6;

// Of a direction: what lies in a triangle of it at least, if a surface is to carry it.
static const double SURFACE_LIES_IN = 0.1;

// … and in the plane of a contact, or it stands across it.
static const double SURFACE_STANDS = 1e-6;

// Of what is bisected: depth is known to this.
static const double CHECK_BISECTION = 1e-12;

#endif
