// A body: nodes, elements, and the space that its coordinates are of (space.h). What elements,
// loads and rows add to the tangent they add node by node: a node that is not held altogether is
// one block row of the nodal pattern.
#ifndef BODY_BODY_H
#define BODY_BODY_H

#include "base/pool.h"
#include "body/beam_space.h"
#include "body/carry.h"
#include "body/face.h"
#include "body/liquid.h"
#include "body/parts.h"
#include "body/scatter.h"
#include "body/space.h"
#include "body/tolerances.h"
#include "element/family.h"
#include "element/prony.h"
#include "mesh/surface.h"
#include "sparse/sparse.h"

// Sums of element numbers into a node or a block, in an order that does not depend on threads.
typedef struct body_gather {
    int *adr;  // (ntarget + 1)
    int *from; // what is summed: 2 * source + transposed
} body_gather;

// When a load acts, in dynamics: from the one time on and before the other, s; and which of the
// model's loads it is of, -1: of none.
typedef struct body_span {
    double from, until;
    int load;
} body_span;

// How much of the loads acts: a share of all of them, when, factors on the model's loads (NULL:
// all 1), what gravity has changed by (3, m/s^2; NULL: it has not), and the loads' values (nload x
// 3; of a pressure the first, Pa; NULL: as defined).
typedef struct body_loading {
    double share;
    double time; // s
    const double *factor;
    const double *gravity;
    const double *value;
    const double *own; // gravity of each body's own
} body_loading;

static inline bool body_acts(const body_span *span, double time)
{
    return span->from <= time + 0.5 * BODY_MOMENT && time + 0.5 * BODY_MOMENT < span->until;
}

static inline double body_share(const body_span *span, const body_loading *how)
{
    if (!body_acts(span, how->time))
        return 0;
    return how->share * (how->factor && span->load >= 0 ? how->factor[span->load] : 1);
}

static inline const double *body_value(const body_span *span, const body_loading *how,
                                       const double *defined)
{
    return how->value && span->load >= 0 ? &how->value[3 * span->load] : defined;
}

// Pressure on a surface, following it.
typedef struct body_pressure {
    face_set face;  // nodes of the body, normals out of the material
    int *block;     // (face_npair)
    double value;   // Pa
    body_span span; // when it acts
} body_pressure;

// A force of fixed direction at the end of an arm that rotates with a node.
typedef struct body_hang {
    int rotation;    // the node that is its rotation
    double arm[3];   // at rest, m
    double force[3]; // N
    int block;       // the rotation's diagonal block in A; -1: none
    body_span span;  // when it acts
} body_hang;

// A load of fixed direction: every node has a share of one vector.
typedef struct body_spell {
    double *weight;  // (nnode) 1, or m^2
    double value[3]; // N, Pa or N m
    body_span span;
} body_spell;

// An entry of a consistent mass matrix off its diagonal, the same for all axes.
typedef struct body_mass {
    int node[2];
    int block;   // in A; -1: none
    double mass; // kg
} body_mass;

// What viscoelastic elements remember, see element/prony.h. Element batches in order, the points of
// one together.
typedef struct body_prony {
    const prony_kernels *kernels;
    int nterm;
    int nbatch;         // of elements
    int *adr;           // first of its points (nbatch + 1)
    int *family;        // (nbatch)
    prony_batch *batch; // (adr[nbatch])
} body_prony;

struct body {
    const char *name;
    int id;          // among all bodies
    int node_adr;    // of its first node among the nodes of all bodies
    int element_adr; // of its first element among the elements of all bodies
    int nnode, nelement;
    int nrotation;    // of its nodes, the last ones, are rotations of others; set before body_begin
    int position_adr; // of its first node among the position nodes of all bodies
    int *rotation;    // of every position node, the node that is its rotation; -1: it does not
                      // rotation. NULL where nothing rotates; set before body_begin
    double rotation_arm; // across which a moment counts as a force: mean size of elements that
                         // rotate, m
    double *X;           // placed rest positions (nnode x 3) m; 0 for rotations
    int nfamily;
    element_family *family; // (nfamily); elements are numbered family after family
    size_t nslot;           // energies that one evaluation writes: elements and empty lanes
    size_t nforce;          // forces, in nodes
    size_t nblock;          // stiffnesses, in blocks

    unsigned char *held; // axes held, as LITHE_X | … (nnode)
    double *hold;        // displacement at which they are held, at full load (nnode x 3) m
    bool moves;          // any of hold is not zero, or a slider moves held nodes
    int *block;          // block row of the nodal pattern, -1: held altogether, or light (nnode)
    int *block_node;     // the node of a block row (nrow)
    int nrow;            // block rows
    int ndof;            // free coordinates

    sparse_pattern pattern;    // nodal
    sparse_symbolic *symbolic; // of A
    body_gather stiff;         // element blocks into nodal blocks
    int *into;                 // the same, block by block, see scatter.h (nblock)
    scatter_function *scatter;
    int nbare;         // nodal blocks that no element adds to
    int *bare;         // (nbare)
    body_gather force; // element forces into nodes
    int nmasked;       // nodal blocks that have a held axis
    int *masked;       // (nmasked x 3) block, row node, column node

    double *mass;       // diagonal of the mass matrix M (nnode) kg; of a rotation: kg m^2
    double *inertia;    // of rotations beyond that, about the world's axes at rest; it rotates with
                        // them (nrotation x 9) kg m^2; NULL: none
    int nmass;          // pairs of nodes that M couples; none where it is lumped
    body_mass *coupled; // (nmass)
    double *weigh;      // M times a unit motion of all: as body forces see it (nnode) kg
    double *dead;       // loads of fixed direction at full load (nnode x 3) N
    int nspell;
    body_spell *spell;
    int npressure;
    body_pressure *pressure;
    int nhang, hang_room; // see body_add_hang
    body_hang *hang;
    int nliquid;
    body_liquid *liquid;

    double volume;             // of the material at rest, m^3
    double lower[3], upper[3]; // box of the placed rest shape, m
    double quality[2];         // of the elements: worst, median
    int ncavity;
    const double *cavity_volume; // (ncavity) m^3
    body_prony *prony;           // NULL: nothing remembers

    const space *space;
    int q_adr, nq;       // its first coordinate among those of all bodies; how many (held ones too)
    size_t J_adr, nJ;    // the same of J
    int nline;           // lines of A
    carry_map *carry;    // frames; NULL: none
    struct modes *modes; // a dense space; NULL: none
    beam_map *beam;      // a beam space; NULL: none
    double grip;         // statics, where nothing but joints holds it: see body_add_grip, N/m
    bool rigid;          // all of it: what has mass is the node `centre` and its one rotation
    int centre;

    // Of a reduced body, whose few elements stand for all (room reduce); NULL elsewhere
    double *weight; // what each element's energy, force and stiffness count for (nelement)
    bool rounds;    // A of modes may be of single precision: no contacts are in it
    bool *light;    // nodes that measure and take loads, and have no stiffness; set before
                    // body_begin (nnode)
};

// Takes nodes (placed), held axes and the families, whose arrays live as long as the body.
lithe_status body_begin(body *b, int nnode, const double *X, const unsigned char *held,
                        const double *hold, int nfamily, const element_family *family,
                        arena *memory);

// Mass from the density of every element (nelement), kg/m^3.
void body_set_density(body *b, const double *density);

static inline int body_nposition(const body *b) // nodes that are positions: the first ones
{
    return b->nnode - b->nrotation;
}

static inline bool body_is_carried(const body *b, int node) // a position that frames carry
{
    return b->beam || (b->carry && node < body_nposition(b) && b->carry->triple[node] < 0);
}

// The triple of q that a node is; not of a carried one.
static inline int body_triple(const body *b, int node)
{
    return b->carry ? b->carry->triple[node] : node;
}

// Its part of J of all bodies; NULL: it has none.
static inline const double *body_jacobian(const body *b, const double *J)
{
    return b->nJ > 0 ? J + b->J_adr : NULL;
}

// Is the node held along any of some axes (LITHE_X | …)? Along all three?
static inline bool body_is_held(const body *b, int node, int axes)
{
    return b->held[node] & axes;
}

static inline bool body_is_fixed(const body *b, int node)
{
    return b->block[node] < 0;
}

// The forces on coordinates that are held positions and carry nodes, frames or nodes that others
// follow, for forces on these: grip (nq), force (nnode x 3) N
void body_grip(const body *b, const double *force, double *grip);

// Do nodes go straight where coordinates do?
static inline bool body_goes_straight(const body *b)
{
    return b->space != &space_carried && b->space != &space_beam;
}

// What two nodes do to each other: has the nodal tangent K a block for it (a node that is held
// altogether needs none)? K += factor times a 3x3 block (rows `stride` apart) of node `first` by
// node `second`; only one of the two orders counts, so both are to be added.
bool body_couples(const body *b, int first, int second);
void body_add_pair(const body *b, int first, int second, double factor, const double *block,
                   int stride, double *K);

// K = 0
void body_clear(const body *b, double *K);

// Pivots of the next factors count as zero by what K is now; false: by what it will be.
void body_keep_scale(const body *b, space_tangent *t, bool keep);

// Two tangents change their factors.
void body_exchange_factors(space_tangent *a, space_tangent *b);

double body_factor_flops(const body *b);
// Of one state, besides A's factor.
double body_work_numbers(const body *b, bool keep, int threads, bool damped);

int body_max_spans(const body *b); // see space.reach

// Lets frames and other nodes carry some of the nodes, which nothing else holds; after body_begin.
lithe_status body_carry(body *b, int nframe, const carry_frame *frame, int ntie,
                        const carry_tie *tie, arena *memory);

// x = X + Phi q with n coordinates; Phi: (nnode x 3 x n); after body_begin.
enum { BODY_MODES_MAX = 1024 };
lithe_status body_set_modes(body *b, int n, const double *Phi, arena *memory);
lithe_status body_finish_modes(body *b, arena *memory); // … what follows from the pattern

// Adds a force on an arm to the loads; before body_finish.
lithe_status body_add_hang(body *b, int rotation, const double arm[3], const double force[3],
                           body_span span, arena *memory);

// Gives the body a mass (kg) whatever its densities; spread by volume.
void body_set_mass(body *b, double mass);

// What dynamics makes of masses that were set: M is lumped and weighs what its lumps weigh, so that
// nothing bends in free fall; or it is consistent. density, mass: as they were set.
void body_lump(body *b);
lithe_status body_couple_mass(body *b, const double *density, double mass, arena *memory);

// All of it is rigid: its mass (kg) is at one node, its inertia about that (kg m^2) at its one
// rotation.
lithe_status body_set_rigid(body *b, int centre, double mass, const double inertia[9],
                            arena *memory);

// What roundoff leaves in the internal force, N.
double body_noise(const body *b);

enum { BODY_ELEMENT_NODES = 64 }; // most of one element

// Declares that an element or a row couples some nodes of the body.
lithe_status body_couple(const body *b, sparse_builder *builder, int nnode, const int *node);

// Declares the elements' couplings and finishes the pattern and everything that follows from it.
lithe_status body_finish(body *b, sparse_builder *builder, arena *memory);

// Work arrays of one state.
typedef struct body_work {
    double *energy; // (nslot) J
    double *force;  // (nforce x 3) N
    double *stiff;  // (nblock x 9) N/m; not kept: only what parts keep for each other, or NULL
    bool kept;
    body_parts parts;
    prony_state *prony; // (adr[nbatch]), NULL: nothing remembers
    double *history;    // what it remembers, all of it: body_nhistory numbers
    double h;           // step that body_prony_begin prepared, s; 0: none, as after a long time
} body_work;

// Two of them change their elements' stiffness.
void body_exchange_stiffness(body_work *a, body_work *b);

// keep: the elements' stiffness is asked for after it has gone into A. threads: most that any pool
// will have.
lithe_status body_work_create(const body *b, bool keep, int threads, arena *memory, body_work *out);

// Elastic energy, internal force (nnode x 3) and, unless only the force is wanted, the elastic part
// of A (pattern.nblock x 9). stiffness: factor on every element's modulus (nelement), or NULL.
double body_elastic(const body *b, const body_work *work, const double *x, const double *stiffness,
                    element_tangent tangent, pool *threads, double *force, double *blocks);

// Lets elements (stuff: nelement, NULL where it has no law) remember if their materials say so;
// after body_begin. LITHE_INVALID: an element of such a material cannot.
lithe_status body_set_prony(body *b, int n, const law_material *const *stuff, arena *memory);

lithe_status body_prony_create(const body *b, arena *memory, body_work *out);
size_t body_nhistory(const body *b);
void body_prony_begin(const body *b, body_work *work, double h);
// Takes the step's end, or, after body_prony_begin with 0, what is there after a long time.
void body_prony_end(const body *b, body_work *work, const double *x, const double *stiffness);
void body_prony_reset(const body *b, body_work *work); // at rest for ever
// Adds what is remembered to what elements gave.
void body_prony_add(const body *b, const body_work *work, const double *x, const double *stiffness,
                    element_tangent tangent, pool *threads);

// The part of the work arrays that a family writes, from a lane on; of stiffness if that is kept.
element_output body_output(const element_family *f, const body_work *work, size_t lane);

// Elements that are inside out.
int body_inverted(const body *b, const double *x, pool *threads);

// force += the internal force of some elements alone, as the last body_elastic found it.
void body_region_force(const body *b, const body_work *work, int n, const int *element,
                       double *force);

// force += the elements' stiffness of the last body_elastic, which was kept, times a displacement
// of all nodes.
void body_stiffness_times(const body *b, const body_work *work, const double *displacement,
                          double *force);

// f += loads; blocks (or NULL) gets the part of A that pressure brings.
// By how much its gravity has changed; false: by nothing.
bool body_gravity(const body *b, const body_loading *how, double change[3]);

void body_loads(const body *b, const body_loading *how, const double *x, double *force,
                double *blocks);

// Work that loads of fixed direction, as they act now, do from rest to x, J.
double body_dead_work(const body *b, const body_loading *how, const double *x);

// What a node's own mass makes of its velocity; of a rotation at x, what its inertia makes of its
// spin.
void body_momentum(const body *b, const double *x, int node, const double v[3], double p[3]);

// force += factor M v, of all nodes at x; and blocks of A += factor M.
void body_mass_times(const body *b, const double *x, double factor, const double *v, double *force);
void body_add_mass(const body *b, const double *x, double factor, double *blocks);

// K += what keeps a body that floats by itself from being singular: no force goes with it, so it
// changes the way to an equilibrium, and not the equilibrium. alone: nothing else is sure to.
void body_add_grip(const body *b, bool alone, double *K);

// force += factor times the moments that rotate momentum: w x (I w) of rotations with spin w
void body_gyroscopic(const body *b, const double *x, double factor, const double *v, double *force);

#endif
