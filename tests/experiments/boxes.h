// Box plots, as an SVG file: boxes from quarter to quarter, the median, whiskers to the farthest
// value within one and a half boxes, and what lies beyond.
#ifndef EXPERIMENTS_BOXES_H
#define EXPERIMENTS_BOXES_H

#include <stdbool.h>

enum { BOXES_MOST = 16 };

typedef struct box {
    const char *name, *colour;
    int n;
    const double *value; // m
    double paper;        // its median, m; NAN: none
} box;

typedef struct boxes {
    const char *title;
    int n;
    box box[BOXES_MOST];
} boxes;

// Into docs/pictures; false: it could not be written.
bool boxes_write(const boxes *b, const char *name);

#endif
