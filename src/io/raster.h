// Triangles into pixels: depth buffer, smooth shading, four samples a pixel.
#ifndef IO_RASTER_H
#define IO_RASTER_H

#include <stdbool.h>
#include <stddef.h>

enum { RASTER_SAMPLES = 2 }; // along each side of a pixel

typedef struct raster {
    int width, height;  // samples
    float *depth;       // 1 / distance (width x height)
    unsigned char *rgb; // (width x height x 3)
    double eye[3];      // m
    double axes[3][3];  // right, up, towards the eye
    double focus;       // samples per unit of slope
    double light[3];    // unit vector towards it
    int veil;           // which samples of a pixel what comes next is drawn in
    bool above;         // it lies before all that does not
} raster;

// One bit for each sample of a pixel: what is drawn in some of them lets through what is behind.
enum { RASTER_ALL = 15, RASTER_MOST = 7, RASTER_HALF = 6 };

typedef struct raster_vertex {
    double at[3];     // m
    double normal[3]; // unit vector
    double colour[3]; // linear light
} raster_vertex;

// width, height: pixels. False: no memory.
bool raster_create(raster *r, int width, int height);
void raster_free(raster *r);

// Looks from `eye` at `middle`; up: roughly. field: angle of view from bottom to top (rad).
void raster_look(raster *r, const double eye[3], const double middle[3], const double up[3],
                 double field);

void raster_triangle(raster *r, const raster_vertex v[3]);

// The picture as PNG rows: the mean of the samples of each pixel. out: (width x 3) of one row.
void raster_row(const raster *r, int row, unsigned char *out);

#endif
