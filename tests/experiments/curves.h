// Curves over one axis, as an SVG file.
#ifndef EXPERIMENTS_CURVES_H
#define EXPERIMENTS_CURVES_H

#include <stdbool.h>

enum { CURVES_POINTS = 4096, CURVES_MOST = 8 };

typedef struct curve {
    const char *name, *colour;
    int n;
    double x[CURVES_POINTS], y[CURVES_POINTS];
} curve;

typedef struct curves {
    const char *title, *across, *up; // what the axes are
    int n;
    curve curve[CURVES_MOST];
} curves;

curve *curves_add(curves *c, const char *name, const char *colour);
void curve_point(curve *c, double x, double y);

// Into docs/pictures; false: it could not be written.
bool curves_write(const curves *c, const char *name);

#endif
