// The cost of the linear inverse problem over the efforts of one or two actuators, piece by piece
// [coevoet2019, figures 4.6 and 4.8].
#ifndef APP_LANDSCAPE_H
#define APP_LANDSCAPE_H

#include "io/canvas.h"
#include "solve/qpcc.h"

enum {
    LANDSCAPE_CELLS = 120, // along each axis
    LANDSCAPE_POINTS = LANDSCAPE_CELLS + 1,
    LANDSCAPE_PATH = 256,  // points of the solver's way, at most
    LANDSCAPE_MINIMA = 16, // local minima that are told, at most
};

typedef struct landscape {
    int n;                  // actuators: 1 or 2
    double effort[2];       // where the robot is, N or Pa
    double low[2], high[2]; // what is drawn
    double *cost;           // half the weighted squared error of the first priority, relative
    int *piece;             // number of the active set at each point, by first appearance
    int npiece;             // sets that appear
    int npath;              // points of the solver's way
    double path[LANDSCAPE_PATH][2];
    int nminimum;
    double minimum[LANDSCAPE_MINIMA][2]; // the best one first
    double least[LANDSCAPE_MINIMA];      // their costs
    qpcc_proof proof;                    // of the way's end
    bool solved;
} landscape;

// Fills everything but n and effort. False: no memory.
bool landscape_fill(landscape *l, const qpcc_problem *p, arena *memory);

enum { LANDSCAPE_WIDTH = 580, LANDSCAPE_HEIGHT = 560 }; // of its picture

typedef struct landscape_axis {
    const char *name, *unit;
    double scale; // of one unit
} landscape_axis;

void landscape_draw(canvas *c, const landscape *l, const landscape_axis axis[2]);

#endif
