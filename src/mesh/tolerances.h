// Where rounding decides about meshes.
#ifndef MESH_TOLERANCES_H
#define MESH_TOLERANCES_H

// Barycentric: a point this far outside an element still counts as inside: rounding.
static const double MESH_OUTSIDE = 1e-12;

// Of the mesh's extent: faces of a selection count as inside; converting units moves a node that
// was drawn on a face by rounding.
static const double MESH_SELECTED = 1e-9;

// Of its size cubed: a tetrahedron of less volume is flat. Far below any usable shape, just above
// what rounding leaves of a flat one.
static const double MESH_FLAT = 1e-9;

// Of the box around it: a void that fills more is a cavity; a crack whose sides meet does not.
static const double MESH_CRACK = 1e-9;

// Of the mesh's extent: nodes that are closer are at one position. Files with six digits round
// more coarsely than doubles do.
static const double MESH_SAME_POSITION = 1e-6;

// Of a cell, along x and y: how far off the middles of its columns a surface is looked at, so that
// no edge of one that was drawn on a grid is met; far below what a centre inside or outside means.
static const double MESH_OFF_MIDDLE[2] = {1.234e-5, 2.718e-5};

// Of the points of a fit: added to the normal equations, so that what the points leave open is as
// flat as can be, and what they say is changed by less than meshes are drawn to.
static const double MESH_FIT_REGULARIZATION = 1e-8;

#endif
