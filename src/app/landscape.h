// The picture of a landscape of costs.
#ifndef APP_LANDSCAPE_H
#define APP_LANDSCAPE_H

#include "io/canvas.h"
#include "lithe/landscape.h"

enum { LANDSCAPE_POINTS = 121 }; // of the grid, along each axis

enum { LANDSCAPE_WIDTH = 580, LANDSCAPE_HEIGHT = 560 }; // of its picture

typedef struct landscape_axis {
    const char *name, *unit;
    double scale; // of one unit
} landscape_axis;

void landscape_draw(canvas *c, const lithe_landscape *l, const landscape_axis axis[2]);

#endif
