// Adds the blocks of some elements to A, one element after the other: what one thread does with
// them while they are still in its cache. The sums have the order of body_gather, so the same bits.
#ifndef BODY_SCATTER_H
#define BODY_SCATTER_H

// K: (n x 9). to: 2 * block + transposed of each, -1: nowhere (n).
typedef void scatter_function(int n, const int *to, const double *K, double *blocks);

scatter_function *scatter_choose(void); // the best that the processor can run
scatter_function *scatter_variant(int variant);

#endif
