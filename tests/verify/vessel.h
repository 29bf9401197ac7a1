// Hollow spheres and cylinders of inner radius 1, whole or the part in x, y, z >= 0.
#ifndef VERIFY_VESSEL_H
#define VERIFY_VESSEL_H

#include "piece.h"

typedef struct vessel {
    double outer; // radius
    int layer;    // cells through the wall, graded so that elements keep their shape
    int around;   // cells along a quarter of the bore, even
    bool whole;
} vessel;

// Begin a piece; the cylinder is a slice of one cell. One vessel at a time.
bool vessel_sphere(piece *p, lithe_element element, vessel v);
bool vessel_cylinder(piece *p, lithe_element element, vessel v);

double vessel_height(vessel v);               // of the slice
double vessel_radius(vessel v, double share); // at a share of the wall

#endif
