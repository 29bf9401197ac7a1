// Sections of deformed robots along the plane y = 0 of their rest shape, drawn over each other.
#ifndef EXPERIMENTS_OUTLINE_H
#define EXPERIMENTS_OUTLINE_H

#include "lithe/lithe.h"

#include <stdbool.h>

typedef struct outline outline;

// title: what the picture is of. NULL: no memory.
outline *outline_create(const char *title);
void outline_free(outline *o);

// Adds the outline of a state of quadratic tetrahedra, some of whose faces lie in the plane.
void outline_add(outline *o, const lithe_model *m, const lithe_state *s, const char *name,
                 const char *colour);

// As an SVG file, x to the right and z up; false: it could not be written.
bool outline_write(const outline *o, const char *path);

#endif
