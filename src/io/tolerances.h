// What is too little to be drawn.
#ifndef IO_TOLERANCES_H
#define IO_TOLERANCES_H

// Of the robot's size: where nothing has moved farther, nothing has moved.
static const double SNAPSHOT_MOVED = 1e-6;

// Pixels: twice the area of a triangle that covers none.
static const double RASTER_FLAT = 1e-12;

#endif
