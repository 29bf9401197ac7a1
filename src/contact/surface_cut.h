// The parts of contact_surface_build.
#ifndef CONTACT_SURFACE_CUT_H
#define CONTACT_SURFACE_CUT_H

#include "contact/contact_surface.h"

// Segments and points of the source, as vertices.
typedef struct surface_cut {
    int nsegment, *segment; // (nsegment x 2)
    int npoint, *point;
} surface_cut;

// Numbers the vertices and cuts faces into triangles.
lithe_status surface_cut_faces(contact_surface *s, const surface_source *from, arena *memory,
                               surface_cut *out);
void surface_cut_free(surface_cut *cut);

// Which vertices are beside each other in the material.
lithe_status surface_find_beside(contact_surface *s, arena *memory);

#endif
