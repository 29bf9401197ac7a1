// The surface of contacts: vertices, edges and triangles of a body's outside, or of any part of
// it; the thick segments of its rods; or a rigid obstacle made of triangles, one thick segment
// (capsule) or one thick point (sphere).
//
// A vertex is a weighted sum of nodes, so that faces of hexahedra and quadratic tetrahedra meet
// others with their own shape functions. Contacts know these points alone: what a
// contact does to a body is told by forces on vertices, and the weights carry it to the nodes.
#ifndef CONTACT_CONTACT_SURFACE_H
#define CONTACT_CONTACT_SURFACE_H

#include "contact/box_tree.h"
#include "contact/shape.h"

enum {
    SURFACE_FACE = 6, // nodes that a face has at most, and so a vertex
};

// A node's share of a vertex: x_vertex = sum of weight * x_node.
typedef struct surface_entry {
    int node; // among the nodes of all bodies
    double weight;
} surface_entry;

// What a tree's leaf holds: a triangle, an edge that is of no triangle (rods, capsules), or a point
// that is of no edge (spheres), and the edges and vertices that no earlier cell has brought along.
typedef struct surface_cell {
    int n;         // corners: 3, 2 or 1
    int corner[3]; // vertices
    int tri;       // -1: an edge or a point
    int nvertex, vertex[3];
    int nedge, edge[3];
} surface_cell;

typedef struct contact_surface {
    int frame;      // of the obstacle that moves it as a rigid whole; -1: of a body
    bool stiff;     // it keeps its shape: of an obstacle, or of a rigid body
    bool closed;    // every edge has two triangles: there is an inside
    bool rolls;     // … which is round: the material in contact is not that of its vertices
    int nvertex;    // where it rolls the last four are not of the surface: they tell its rotation
    int *entry_adr; // (nvertex + 1) where each vertex's entries begin; none where rigid
    surface_entry *entry; // (entry_adr[nvertex])
    double *rest;         // (nvertex x 3) m; rigid: in the obstacle's own frame
    double *radius; // (nvertex) how far the surface stands off (rods, shells, round obstacles), m
    int ntri;
    int *tri; // (ntri x 3) vertices, normals out of the material
    // Faces of four are cut along both diagonals, two triangles each: only both together hand an
    // even pressure to the nodes as the shape functions do, and what overlaps
    // neither cut overlaps the surface however it is told.
    int nquad;
    int *quad;     // (nquad x 4) vertices, around
    int *tri_quad; // (ntri) which of these a triangle is of; -1: none
    bool *second;  // (ntri) … and of its second cut, which covers what the first one does
    int *tri_edge; // (ntri x 3) edge (i, i + 1) of each triangle
    int nedge;
    int *edge; // (nedge x 4) two vertices, the lower first; two triangles, -1 where there is none
    int *diagonal; // (nedge) of which quad an edge is a diagonal; -1: of none
    bool *flat; // (nedge) between two triangles of one plane that is rigid: nothing meets it first
    // Vertices that are in no contact with each vertex because they are next to it in the material:
    // itself, and where the surface is thick all that are nearer along it than half of the
    // narrowest circle that it can be bent to.
    int *beside_adr; // (nvertex + 1)
    int *beside;     // ascending
    int ncell;
    surface_cell *cell; // (ncell)
    tree tree;          // of the cells
} contact_surface;

// What a surface is made of. Faces of three nodes, of four (bilinear, hex8: around) or of six
// (quadratic, tet10: corners, then the middles of 01, 12, 20), normals out of the material; and
// segments of two nodes. Nodes are those of x.
typedef struct surface_source {
    int nnode;
    const double *x; // (nnode x 3) rest positions, m
    int node_adr;    // of node 0 among the nodes of all bodies; -1: rigid
    int frame;       // of the obstacle, where rigid
    bool stiff;      // of a body that keeps its shape
    int nface;
    const int *face; // (nface x SURFACE_FACE) unused ones are -1
    int ntri;
    const int *tri; // (ntri x 3) more faces, of three nodes
    int nsegment;
    const int *segment; // (nsegment x 2)
    int npoint;
    const int *point;     // (npoint) vertices that are of no face and no segment
    const double *radius; // (nnode) m, or NULL
    // Pieces along the side of a face of four or six; 0: 1 for four, 4 for six. A face of four is
    // cut along both diagonals of every piece, see quad above. One of six is cut into pieces^2
    // triangles; 2 is how surfaces are told and drawn (docs/meshes.md).
    int pieces;
} surface_source;

// LITHE_NO_MEMORY is the only failure. Scratch of the build is given back.
lithe_status contact_surface_build(contact_surface *s, const surface_source *from, arena *memory);

// The surface of an obstacle that is no mesh, of its skin (shape_traits.h): a box (12 triangles), a
// sphere (a thick point), a capsule (a thick segment). Shapes with rims have one too: points of
// these, which hold a flat cap that stands on the inside of a face (see proximity.h). Endless ones
// have none: nvertex is 0.
lithe_status contact_surface_of_shape(contact_surface *s, const contact_shape *shape, int frame,
                                      arena *memory);

// Which side of the middle a vertex that tells a rotation is on, along an axis: they are corners of
// a block, of which no two are neighbours.
enum { SURFACE_POINTS = 4 };
static inline double surface_side(int point, int axis)
{
    return point == 0 || point == axis + 1 ? 1 : -1;
}

// Of a surface that rolls, whose last vertices are at `points` (4 x 3): what the weights of these
// become more by, a way away from where they say.
void contact_surface_roll(const double *points, const double way[3], double more[SURFACE_POINTS]);

// Positions of its vertices (nvertex x 3) from the nodes of all bodies (x), or its obstacle's
// frame.
void contact_surface_positions(const contact_surface *s, const double *x,
                               const contact_frame *frame, double *out);

// The same for displacements of nodes; a rigid surface gets 0.
void contact_surface_carry(const contact_surface *s, const double *dx, double *out);

#endif
