// Where rounding decides about rows.
#ifndef ROW_TOLERANCES_H
#define ROW_TOLERANCES_H

// Of the largest: moments of a cloud of points that are below are zero, the points lie in a line;
// a direction across it of 1e-4 of their extent would be noise in their rotation.
static const double CLOUD_MOMENT = 1e-8;

// m: two points that are closer have no direction; the segment pulls and stiffens nothing.
static const double LINE_NO_LENGTH = 1e-12;

#endif
