// The skin of a robot: the faces of its elements that no other element shares, as triangles.
#ifndef IO_SKIN_H
#define IO_SKIN_H

#include "base/arena.h"
#include "lithe/lithe.h"

typedef struct skin {
    int nvertex;
    int *node; // of each vertex, among the nodes of all bodies, ascending (nvertex)
    int ntri;
    int *tri;     // (ntri x 3) vertices; normals point out of the material
    int *element; // behind each triangle (ntri)
    int *adr;     // elements around a vertex: around[adr[v]] … (nvertex + 1)
    int *around;
} skin;

// LITHE_NO_MEMORY is the only failure.
lithe_status skin_find(const lithe_model *m, arena *memory, skin *out, lithe_report *report);

// Means at the vertices of what elements have.
void skin_average(const skin *k, const double *element, float *vertex);

#endif
