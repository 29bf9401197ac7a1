// Pictures as PNG files: eight bits of red, green and blue a pixel.
#ifndef IO_PNG_H
#define IO_PNG_H

#include "base/arena.h"
#include "lithe/lithe.h"

#include <stdio.h>

typedef struct png {
    int width, height;
    unsigned char *rows; // height rows of 1 + 3 width bytes, the first of each 0
} png;

lithe_status png_create(png *p, int width, int height, arena *memory, lithe_report *report);

// The pixels of a row (width x 3).
unsigned char *png_row(const png *p, int row);

lithe_status png_write(const png *p, FILE *file, arena *memory, lithe_report *report);

#endif
