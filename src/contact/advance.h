// How far everything may go along its way before two surfaces come too near: continuous collision
// detection by conservative, additive steps [li2021].
#ifndef CONTACT_ADVANCE_H
#define CONTACT_ADVANCE_H

#include "contact/proximity.h"

// The way: all vertices go straight from start to end; obstacles go along with their frames, whose
// rotation is followed on its arc. start and end are both placed with proximity_positions_at.
typedef struct advance_way {
    proximity_positions *start, *end; // their boxes are scratch
    double keep;  // share of its distance at the start that every pair keeps, e.g. 0.1 …
    double reach; // … or of this one where it starts farther away, m; e.g. d_hat
    double least; // distance that is kept in any case, m; of what starts nearer, nine tenths
} advance_way;

// A pair that would come too near before the end of the way.
typedef struct advance_hit {
    proximity_pair pair;
    double share;    // of the way that it may go, in [0, 1)
    double distance; // at the start, m
} advance_hit;

typedef struct advance_list {
    int n, max;
    advance_hit *hit; // (max)
} advance_list;

lithe_status advance_reserve(advance_list *list, int n);
void advance_list_free(advance_list *list);

// The largest share of the way, at most 1, that is known to be safe for every pair: never too
// large. Pairs that overlap at the start (thick ones, or in shapes) are not looked at: see
// penetration.h. hits: all pairs whose own share is less than `listed` (at most 1), in the order of
// proximity_find; *nhit is how many there are, of which the first hits->max are there. hits may be
// NULL (and is faster). Allocates nothing.
double advance_safe(const proximity_world *world, const advance_way *way,
                    const proximity_filter *filter, double listed, advance_list *hits, int *nhit);

// A frame on the way: the origin goes straight, the rotation about one axis evenly. advance_safe is
// right about obstacles that are moved like this.
void advance_frame(const contact_frame *start, const contact_frame *end, double share,
                   contact_frame *out);

#endif
