// A picture of a robot as a PNG file, drawn without a display.
#ifndef IO_SNAPSHOT_H
#define IO_SNAPSHOT_H

#include "lithe/lithe.h"

enum { SNAPSHOT_WIDTH = 1280, SNAPSHOT_HEIGHT = 960 };

// Coloured by displacement, from dark (none) to bright (the largest).
lithe_status snapshot_write(const lithe_model *m, const lithe_state *s, const double gravity[3],
                            const char *path, lithe_report *report);

#endif
