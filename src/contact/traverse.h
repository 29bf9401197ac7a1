// Going through all pairs of features whose boxes meet: what finding, advancing and looking for
// overlaps have in common.
#ifndef CONTACT_TRAVERSE_H
#define CONTACT_TRAVERSE_H

#include "contact/proximity.h"

typedef struct traverse {
    const proximity_world *world;
    const proximity_positions *positions; // whose boxes are looked at
    const proximity_positions *end;       // where everything goes; NULL: it stays
    const proximity_filter *filter;       // or NULL
    double margin; // pairs that come nearer than this are visited, and some others, m
    bool keep;     // pairs that are far now, but not very, may be remembered for the next time
    void *context;
    void (*visit)(void *context, const proximity_pair *pair); // without its id
} traverse;

// A pair of features of two surfaces, told in short.
typedef struct proximity_candidate {
    int feature[2];
    short kind;
    short side; // 1: feature a is of the surface with the higher number
} proximity_candidate;

// Two surfaces that are looked at, the one with the lower number first whoever was named first.
typedef struct traverse_sides {
    const traverse *t;
    int match;
    int surface[2];
    const contact_surface *s[2];
    bool same;       // a surface with itself …
    bool thin;       // … where nothing but a vertex itself is beside it
    bool named_back; // the match names them the other way round
    bool rim;        // the second is a shape's rims: only its points on faces count
    const int *twin; // of vertices of the first among those of the second, or NULL
} traverse_sides;

void traverse_open(const traverse *t, int match, traverse_sides *out);

// The pair that a candidate means, without its id.
void traverse_pair(const traverse_sides *p, const proximity_candidate *c, proximity_pair *out);

// What is remembered in positions: room for it; whether it is all that is needed; what was near,
// anew; how far it has gone since distances were measured, which is done again where that is much;
// and going through it for one match.
lithe_status traverse_keep_create(const proximity_world *world, proximity_positions *positions,
                                  arena *memory);
bool traverse_keep_serves(const traverse *t);
void traverse_keep_fill(const traverse *t, proximity_positions *positions);
void traverse_keep_follow(const traverse *t, proximity_positions *positions);
void traverse_keep_visit(const traverse_sides *p);

// Fits the boxes of positions (and of end: around the ways) and visits all pairs. The order depends
// only on which pairs are visited.
void traverse_pairs(const traverse *t, proximity_positions *boxes);

// Those between surfaces alone, by their boxes.
void traverse_surfaces(const traverse *t, proximity_positions *boxes);

// The id of a pair.
uint64_t traverse_id(const proximity_world *world, const proximity_pair *pair);

// Can any of its points move by a force?
bool traverse_moves(const traverse *t, const proximity_pair *pair);

#endif
