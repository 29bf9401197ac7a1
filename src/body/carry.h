// Nodes that follow frames. A frame is a position and a rotation, or, on a hinge, one angle; a node
// that it carries keeps its position in it:
//
//     x = sum over its frames of weight (c + R arm),      hinge: c = origin, R = exp(angle axis)
//
// so rigid parts have nodes of one frame, and what lies between two frames may follow both. A node
// may follow other nodes besides, or instead, each with a weight: x = ... + sum of weight x_host.
// Nodes that follow nothing are coordinates themselves. See docs/theory/spaces.md.
#ifndef BODY_CARRY_H
#define BODY_CARRY_H

#include "base/arena.h"
#include "base/status.h"
#include "sparse/sparse.h"

// Most that one node follows: points of frames, counting those of one frame one by one, and nodes.
enum { CARRY_MOST = 24 };

typedef struct carry_member {
    int node;      // of the body; a rotation rotates as its frame does
    double weight; // over all that a node follows they add up to 1
    double arm[3]; // from the frame's origin, at rest (m)
    int entry;     // of J: its position, then its rotation; hinge: its angle alone
} carry_member;

typedef struct carry_frame {
    const char *name;
    bool hinge;
    double origin[3], axis[3]; // at rest (m); of a hinge: a unit vector
    int held[2];               // axes of position and rotation that are held, as LITHE_X | …
    double hold[2][3];         // … at which displacement and rotation vector, at full load
    int nmember;
    carry_member *member;
    int nbusy; // the first of these, which are not idle, see body_idle
    // written by carry_finish
    int triple[2]; // of q: its position and its rotation; hinge: -1 and its angle
} carry_frame;

// A node follows another one, which is a coordinate itself.
typedef struct carry_tie {
    int node, host;
    double weight;
    int entry; // of J
} carry_tie;

// q is made of triples: a node's, a frame's position, its rotation vector, or (angle, 0, 0).
typedef enum carry_kind {
    CARRY_POSITION, // moves by adding
    CARRY_ROTATION, // moves by spins
    CARRY_ANGLE,
} carry_kind;

// What one block of the nodal tangent adds to one of A: left' K right, with blocks of J; -1: the
// node is a coordinate itself.
typedef struct carry_product {
    int block; // 2 * block of the nodal tangent + 1 on its diagonal
    int left, right;
    int at; // 4 * block of A + 2 if the transpose is added too + 1 if it is stored transposed
} carry_product;

typedef struct carry_map {
    int nframe;
    carry_frame *frame;
    int ntie;
    carry_tie *tie;
    int ntriple;
    unsigned char *kind; // carry_kind (ntriple)
    unsigned char *held; // axes held (ntriple)
    double *hold;        // at full load (ntriple x 3)
    double *rest;        // (ntriple x 3)
    double *arm;         // across which a moment counts as a force, m; 1 for positions (ntriple)
    int *triple;         // of a node; -1: it is carried (nnode)
    int *row;            // block row of A of a triple; -1: held altogether (ntriple)
    int *row_triple;     // (nrow)
    int nrow;
    int nentry;
    int nbusy;
    int *busy;              // nodes that are not idle (nbusy)
    int *entry_adr;         // first block of J of every node (nnode + 1)
    int *entry_triple;      // (nentry)
    sparse_pattern pattern; // of A
    int *direct;            // nodal block to block of A: 2 * block + transposed; -1: by products
    int nproduct;
    carry_product *product;
    int nmasked;
    int *masked; // (nmasked x 3) block, row triple, column triple
} carry_map;

struct body;

// Nodes that nothing acts on and nothing measures, as those of a skin that is only shown (idle:
// nnode): J has nothing of them, and they are where they should be only after `follow`.
void body_idle(struct body *b, const bool *idle);

// Rotations of rigid frames from where the nodes of the body are (x: nnode x 3), in x: what is seen
// is positions alone.
void carry_show(const struct body *b, double *x);

// The pattern of A and the maps into it, once that of the nodal tangent is there.
lithe_status carry_finish(struct body *b, arena *memory);

#endif
