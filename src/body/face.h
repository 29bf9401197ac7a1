// Faces of elements under pressure: triangles of three nodes, and wide ones, of four (bilinear) and
// six (quadratic). A face's volume is that of the cone from the origin, negative where the origin
// lies before it:
//
//     V = 1/3 int x . n,    f_a = int N_a n,    n = dx/ds x dx/dt
//
// f is the force of a unit pressure along the normals. On a closed surface it is the gradient of V.
// All integrals are exact. See docs/theory/solids.md.
#ifndef BODY_FACE_H
#define BODY_FACE_H

#include "base/arena.h"
#include "sparse/sparse.h"

enum {
    FACE_NODES = 6,
    FACE_PAIRS = 15, // of nodes a > b
};

typedef struct face_set {
    int ntri;
    int *tri; // (ntri x 3)
    int nwide;
    int *wide; // (nwide x FACE_NODES) around; of six: corners, then the middles of 01, 12, 20; of
               // four: the last two are -1
} face_set;

// Room for a number at every node of every face, and for one at every pair of nodes.
static inline size_t face_ncorner(const face_set *s)
{
    return 3 * (size_t)s->ntri + FACE_NODES * (size_t)s->nwide;
}

static inline size_t face_npair(const face_set *s)
{
    return 3 * (size_t)s->ntri + FACE_PAIRS * (size_t)s->nwide;
}

// The node at one of these; -1: a face of four has none there.
static inline int face_corner(const face_set *s, size_t i)
{
    return i < 3 * (size_t)s->ntri ? s->tri[i] : s->wide[i - 3 * (size_t)s->ntri];
}

// Points and weights at which integrals over a face are exact, with the shape functions there.
typedef struct face_point {
    double weight;
    double N[FACE_NODES], slope[FACE_NODES][2]; // d/ds, d/dt
} face_point;

enum { FACE_POINTS = 12 };

// steep: of fields that are linear in space, too. Returns how many points there are.
int face_points(int nnode, bool steep, face_point point[FACE_POINTS]);

static inline int face_width(const int *face)
{
    return face[4] < 0 ? 4 : 6;
}

// dx/ds and dx/dt at a point.
void face_tangents(const face_point *p, int nnode, const int *node, const double *x,
                   double tangent[2][3]);

double face_volume(const face_set *s, const double *x);

// share[a] += int N_a dA, by node (m^2)
void face_areas(const face_set *s, const double *x, double *share);

// f += scale * (force of unit pressure along the normals). x is by node; f by slot (one for every
// corner; NULL: f is by node too).
void face_force(const face_set *s, const int *slot, const double *x, double scale, double *f);

// f += scale * (change of that force when the nodes move by displacement); all by node.
void face_rate(const face_set *s, const double *x, const double *displacement, double scale,
               double *f);

// blocks += scale * (symmetrized derivative of that force). block: from face_blocks (face_npair).
void face_stiffness(const face_set *s, const double *x, double scale, const int *block,
                    double *blocks);

// 2 * block + transposed of every pair, or -1 when one of the nodes is held. row: block row of
// every node.
lithe_status face_blocks(const face_set *s, const sparse_pattern *pattern, const int *row,
                         arena *memory, int **block);

// The same faces, with a number added to every node.
lithe_status face_shifted(const face_set *s, int by, arena *memory, face_set *out);

#endif
