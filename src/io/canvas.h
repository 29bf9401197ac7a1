// A flat drawing of boxes, lines and text, as SVG or as PNG. Lengths are in units of the SVG's
// view, two pixels of the PNG each; y goes down. Colours are 0xRRGGBB. What is drawn later lies
// above.
#ifndef IO_CANVAS_H
#define IO_CANVAS_H

#include "io/png.h"

#include <stdbool.h>

typedef struct canvas {
    FILE *file;
    bool pixels; // PNG
    png png;
} canvas;

typedef enum canvas_anchor { CANVAS_START, CANVAS_MIDDLE, CANVAS_END } canvas_anchor;

// White. The file stays the caller's.
lithe_status canvas_create(canvas *c, FILE *file, bool pixels, int width, int height, arena *memory,
                           lithe_report *report);

void canvas_box(canvas *c, double x, double y, double width, double height, unsigned colour);
void canvas_line(canvas *c, int n, double (*point)[2], double width, unsigned colour);
// name: the class of an SVG element, for whoever reads it.
void canvas_circle(canvas *c, const char *name, double x, double y, double radius, double width,
                   unsigned colour);
void canvas_cross(canvas *c, const char *name, double x, double y, double half, double width,
                  unsigned colour);
// Black; rotated: upwards. The point is on the line that letters stand on.
void canvas_text(canvas *c, double x, double y, canvas_anchor anchor, bool rotated,
                 const char *text);

lithe_status canvas_finish(canvas *c, arena *memory, lithe_report *report);

#endif
