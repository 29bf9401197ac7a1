// Going through all pairs of features whose boxes meet: what finding, advancing and looking for
// overlaps have in common.
#ifndef CONTACT_TRAVERSE_H
#define CONTACT_TRAVERSE_H

#include "contact/proximity.h"

typedef struct traverse {
    const proximity_world *world;
    const proximity_place *place;   // whose boxes are looked at
    const proximity_place *end;     // where everything goes; NULL: it stays
    const proximity_filter *filter; // or NULL
    double margin; // pairs that come nearer than this are visited, and some others, m
    void *context;
    void (*visit)(void *context, const proximity_pair *pair); // without its id
} traverse;

// Fits the boxes of place (and of end: around the ways) and visits all pairs. The order depends
// only on which pairs are visited.
void traverse_pairs(const traverse *t, proximity_place *boxes);

// The id of a pair.
uint64_t traverse_id(const proximity_world *world, const proximity_pair *pair);

// Can any of its points move by a force?
bool traverse_moves(const traverse *t, const proximity_pair *pair);

#endif
