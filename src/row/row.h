// Rows: scalar relations delta(x) with gradient H. An effort lambda on a row pushes the nodes with
// H' lambda, so effort times displacement is work; the rotation of H with x is its geometric
// stiffness.
//
// clang-format off
//
//     cable    delta = rest - length    lambda = tension; delta is the pull at the winch, own stretch included
//     piston   delta = length - rest    lambda = force that pushes the points apart
//     lengths  delta = sum of areas times lengths - rest    lambda = pressure that lengthens them
//     cavity   delta = volume - rest    lambda = pressure
//     mean     delta = direction . (weighted mean of nodes) - rest    lambda = force along the direction
//     rotation delta = one component of the rotation vector of a patch of nodes
//     angle    delta = angle of a hinge    lambda = torque; a mean of one rotation along the hinge's axis
//     link     delta = what a joint keeps at 0, see link.h    lambda = force
//
// clang-format on
//
// Two kinds are parameters: what is unknown in them is not an effort but a number of the model
// itself, and they have no H. The force that a change of the number brings (G) is the step's
// business.
//
//     slider   how far held nodes are moved along an axis
//     modulus  logarithm of the factor on Young's modulus of a region
#ifndef ROW_ROW_H
#define ROW_ROW_H

#include "body/body.h"
#include "body/face.h"
#include "mesh/embed.h"
#include "row/valve.h"

#include <math.h>

typedef enum row_kind {
    ROW_CABLE,
    ROW_PISTON,
    ROW_LENGTHS,
    ROW_CAVITY,
    ROW_MEAN,
    ROW_ROTATION,
    ROW_SLIDER,
    ROW_MODULUS,
    ROW_ANGLE,
    ROW_LINK,
} row_kind;

enum {
    ROW_POINT_POSITION = 10, // most positions that carry a point
    ROW_POINT_ROTATION = 3,  // most rotations that do
    ROW_POINT_NODE = ROW_POINT_POSITION + ROW_POINT_ROTATION,
    ROW_PATCH_NODE = 256, // most nodes of a patch, all of which its stiffness couples
};

// Nodes whose mean is a point, with weights that add up to 1.
typedef struct row_patch {
    int n;
    int *node;      // (n) among the nodes of all bodies, each once
    double *weight; // (n)
} row_patch;

// A point of the world, or carried by nodes of a body: sum of weight times position, plus arms that
// rotate with rotations.
typedef struct row_point {
    int body;                          // -1: of the world
    int nposition, nrotation;          // positions and rotations that carry it
    int node[ROW_POINT_NODE];          // these, positions first, among the nodes of all bodies
    double weight[ROW_POINT_POSITION]; // of positions
    double arm[ROW_POINT_ROTATION][3]; // of rotations, at rest (m)
    double world[3];                   // m
    const row_patch *patch;            // carries it instead of these; NULL: they do
} row_point;

typedef struct row_line {
    double sign; // of d(delta)/d(length): -1 cable, +1 piston
    int npoint;
    row_point *point;
    const double *weight; // of segments, 0: it is none (npoint - 1) m^2; NULL: 1
    int *slot_adr;        // (npoint + 1)
    int *slot;            // where each node that carries a point stands in the row's nodes
    // Block of A for every ordered pair of a segment's nodes, those of its two points one after the
    // other; -1: none. Segment k has the square of its nodes from block_adr[k] on (npoint - 1).
    size_t *block_adr;
    int *block;
} row_line;

typedef struct row_shell {
    int body;
    face_set face; // among the nodes of all bodies, normals out of the cavity
    int *slot;     // (face_ncorner)
    int *block;    // (face_npair)
    int ntri;
    int *tri; // (ntri x 3) the same in triangles, as it is seen
} row_shell;

// Nodes with weights that add up to 1. Also the patch whose rotation is measured. Rotations may
// carry a mean too; a rotation without nodes is that of one rotation.
typedef struct row_cloud {
    int body;
    int n;
    int *node;           // (n) among the nodes of all bodies, each once, ascending
    double *weight;      // (n)
    double direction[3]; // mean: unit vector along which it is measured
    int component;       // rotation: which of x, y, z
    double *arm;         // rotation: rest positions about their mean (n x 3) m
    int nrotation;
    int rotation[ROW_POINT_ROTATION]; // ascending, above all of node
    // mean: adds these arms, which rotate with the rotations
    double rotation_arm[ROW_POINT_ROTATION][3];
    int rotation_block[ROW_POINT_ROTATION]; // their diagonal blocks in A; -1: none
} row_cloud;

// What a parameter row acts on: nodes that it holds, or elements whose modulus it is.
typedef struct row_region {
    int body;
    int n;
    int *member;    // (n) nodes or elements of the body
    double axis[3]; // slider: unit vector
} row_region;

// What an actuator may do. Inside, as efforts and displacements of a row are.
typedef struct row_limit {
    double effort[2];
    double displacement[2];
    double effort_rate;       // most change per second; infinite: none
    double displacement_rate; //
} row_limit;

typedef struct row {
    const char *name; // of the actuator, effector or sensor that it belongs to
    row_kind kind;
    row_line line;                     // cable, piston, lengths
    row_shell shell;                   // cavity
    row_cloud cloud;                   // mean, rotation
    row_region region;                 // slider, modulus
    struct row_link *link;             // link
    struct row_polynomial *polynomial; // of coordinates, instead of all these; NULL: none
    struct row_cells *cells;           // that stand for a cavity; NULL: none
    double rest; // what delta starts from (m or m^3); 0: delta is absolute. modulus: Pa at factor 1
    double compliance; // own: delta grows by it per unit effort (m/N, …)
    double scale;      // size against which a missed displacement is judged (m, m^3, 1)
    int nnode;         // nodes with a gradient
    int *node;         // (nnode) among the nodes of all bodies, ascending
    // as an actuator
    row_limit limit; // where a state begins
    lithe_command_kind command;
    double value;
    row_valve valve;
} row;

static inline bool row_is_parameter(const row *r)
{
    return r->kind == ROW_SLIDER || r->kind == ROW_MODULUS;
}

// Its number is that of a modulus; or how far held nodes are moved.
static inline bool row_scales_modulus(const row *r)
{
    return r->kind == ROW_MODULUS;
}

static inline bool row_drives_support(const row *r)
{
    return r->kind == ROW_SLIDER;
}

// A force on a patch: nothing is wound or filled, so it has an effort but no displacement to tell.
static inline bool row_is_told_effort(const row *r)
{
    return r->kind == ROW_MEAN;
}

// What a row looks like; NULL: not that.
static inline const row_line *row_as_line(const row *r)
{
    bool line = r->kind == ROW_CABLE || r->kind == ROW_PISTON || r->kind == ROW_LENGTHS;
    return line ? &r->line : NULL;
}

static inline const row_shell *row_as_cavity(const row *r)
{
    return r->kind == ROW_CAVITY ? &r->shell : NULL;
}

static inline const row_cloud *row_as_patch(const row *r)
{
    return r->kind == ROW_MEAN || r->kind == ROW_ROTATION ? &r->cloud : NULL;
}

// A modulus is a logarithm inside, so that it stays positive and its steps are relative; outside it
// is in Pa.
static inline double row_inward(const row *r, double value)
{
    return r->kind == ROW_MODULUS ? log(value / r->rest) : value;
}

static inline double row_outward(const row *r, double inside)
{
    return r->kind == ROW_MODULUS ? r->rest * exp(inside) : inside;
}

// What an actuator's definition says of limits, as its row has them.
row_limit row_limit_of(const row *r, const double effort[2], const double displacement[2],
                       double effort_rate, double displacement_rate);

// Every range has a lower and an upper end, and no rate is negative.
bool row_limit_is_sound(const row_limit *limit);

// Lists the row's nodes once its points, triangles or cloud are set, and measures `rest` in the
// placed rest shape x of all bodies if it is relative.
lithe_status row_begin(row *r, bool relative, const double *x, arena *memory);

// Declares what the row couples in the pattern of A of one body.
lithe_status row_couple(const row *r, int body_id, const body *b, sparse_builder *builder);

// Looks up the blocks, once the patterns of all bodies are finished.
lithe_status row_finish(row *r, int nbody, const body *bodies, arena *memory);

// delta(x), without the row's own compliance.
double row_value(const row *r, const double *x);

// H: (nnode x 3)
void row_gradient(const row *r, const double *x, double *H);

// A -= effort * d2(delta)/dx2, with blocks[body] the blocks of each body's A. positive: only if
// that is positive semi-definite. For rows that can carry an effort (not rotation).
void row_stiffness(const row *r, const double *x, double effort, bool positive,
                   double *const *blocks);

// force -= effort * d2(delta)/dx2 displacement: the same, times a displacement of all nodes (of all
// bodies).
void row_stiffness_times(const row *r, const double *x, double effort, const double *displacement,
                         double *force);

// Parameters, see parameter.c. stiffness: factors on every element's modulus, body by body, where
// row_scales_modulus; material: of each of its body's elements, modulus: factors on these. The
// rest: nodes that move, where row_drives_support.
void row_scale_moduli(const row *r, double number, const int *material, const double *modulus,
                      double *const *stiffness);
void row_slide(const row *r, const body *bodies, double travel, double *motion);    // += of all q
void row_slide_nodes(const row *r, const body *bodies, double travel, double *way); // += of all x
int row_nsupport(const row *r);
int row_support(const row *r, const body *bodies, int i, const double **axis); // the node

// The body whose nodes or elements a parameter acts on; force += its internal force that grows with
// a modulus.
int row_region_body(const row *r);
void row_region_force(const row *r, const body *b, const body_work *work, double *force);

#endif
