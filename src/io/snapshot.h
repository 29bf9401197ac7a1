// A picture of a robot as a PNG file, drawn without a display.
#ifndef IO_SNAPSHOT_H
#define IO_SNAPSHOT_H

#include "lithe/lithe.h"

enum { SNAPSHOT_WIDTH = 1280, SNAPSHOT_HEIGHT = 960 };

// From where: against gravity is up (z if there is none).
typedef struct snapshot_camera {
    double gravity[3];
    double azimuth, elevation; // deg; about up, from x to y where z is up
} snapshot_camera;

// All that is there now, coloured by displacement, from dark (none) to bright (the largest).
lithe_status snapshot_write(const lithe_model *m, const lithe_state *s,
                            const snapshot_camera *camera, const char *path, lithe_report *report);

#endif
