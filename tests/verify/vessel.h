// Round things: hollow spheres and cylinders of inner radius 1, whole or the part in x, y, z >= 0,
// and a full cylinder of radius 1.
#ifndef VERIFY_VESSEL_H
#define VERIFY_VESSEL_H

#include "piece.h"

typedef struct vessel {
    double outer; // radius
    int layer;    // cells through the wall, graded so that elements keep their shape
    int around;   // cells along a quarter of the bore, even
    bool whole;
} vessel;

// Begin a piece; one at a time. The cylinder is a slice of one cell, from z = 0 up; a whole one has
// a lid and a floor of one cell, which close its bore.
bool vessel_sphere(piece *p, lithe_element element, vessel v);
bool vessel_cylinder(piece *p, lithe_element element, vessel v);

// A full cylinder of height 2 in some layers.
bool vessel_rod(piece *p, lithe_element element, int around, int layer);

double vessel_height(vessel v);               // of the slice
double vessel_radius(vessel v, double share); // at a share of the wall

#endif
