// Where the rows of a model are in space, for whoever draws them. Nodes are those of
// lithe_position.
#ifndef STEP_OUTLINE_H
#define STEP_OUTLINE_H

#include "contact/shape.h"
#include "element/section.h"
#include "lithe/lithe.h"

// A beam between two nodes as it stands: its section at each end, and along which directions the
// section's two axes point there. False: the element is none.
typedef struct outline_beam {
    section section[2];
    double axis[2][2][3]; // end, axis
} outline_beam;
bool outline_find_beam(const lithe_model *m, const lithe_state *s, int element, outline_beam *out);

// Triangles of the cavity that a row measures, normals out of the cavity; 0: it measures none.
int outline_cavity_triangles(const lithe_model *m, int row_id);
void outline_cavity_triangle(const lithe_model *m, int row_id, int triangle, int node[3]);

// Has it a middle, see lithe_row_centre?
bool outline_has_centre(const lithe_model *m, int row_id);

// A joint: where it is, its axis, of length 1 (0: it has none), and whether it is at a stop. Of
// angles with stops beyond half a round, whole rounds are not told apart.
typedef struct outline_joint {
    double at[3], axis[3];
    bool at_stop;
} outline_joint;
void outline_find_joint(const lithe_model *m, const lithe_state *s, int joint, outline_joint *out);

// Whether supports hold a node along all axes.
bool outline_is_held(const lithe_model *m, int node);

// Contacts that there can be at a time.
int outline_contacts_max(const lithe_model *m);

// The surface of an obstacle that is a mesh: its triangles (n x 3 vertices) and where its vertices
// are when the scene begins. No triangles: it is none.
int outline_obstacle_triangles(const lithe_model *m, int obstacle, const int **tri, int *nvertex);
void outline_obstacle_vertex(const lithe_model *m, int obstacle, int vertex, double out[3]);

// Its shape, which stands in its own frame; that frame when the scene begins, and now. Of a mesh:
// the vertices now.
const contact_shape *outline_obstacle_shape(const lithe_model *m, int obstacle);
const contact_frame *outline_obstacle_home(const lithe_model *m, int obstacle);
const contact_frame *outline_obstacle_frame(const lithe_state *s, int obstacle);
void outline_obstacle_vertex_now(const lithe_model *m, const lithe_state *s, int obstacle,
                                 int vertex, double out[3]);

#endif
