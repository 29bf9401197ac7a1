// Adds the blocks of some elements to A, one element after the other, while they are still in the
// cache of the thread that made them. The sums have the order of body_gather, so the same bits.
#ifndef BODY_SCATTER_H
#define BODY_SCATTER_H

#include <stdbool.h>

enum {
    SCATTER_NOWHERE = -1,
    SCATTER_APART = -2, // others add to that block too: K is kept for whoever sums them all
    SCATTER_AHEAD = 96, // blocks of A are asked for so many numbers before they are added to
};

// Where a block goes; the first one finds nothing there, whatever A held before.
static inline int scatter_to(int block, bool first, bool transposed)
{
    return 4 * block + 2 * first + transposed;
}

// K: (n x 9). to: (n) of each, as above; SCATTER_AHEAD more can be read behind it. apart: where
// those are kept (n x 9); NULL: they stay.
typedef void scatter_function(int n, const int *to, const double *K, double *apart, double *blocks);

scatter_function *scatter_choose(void); // the best that the processor can run
scatter_function *scatter_variant(int variant);

#endif
