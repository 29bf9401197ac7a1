#include "body/scatter.h"

#include "base/lanes.h"

#include <stddef.h>
#include <string.h>

scatter_function KERNEL(scatter);

// The end of the block, which most often is on the line after its beginning: that one has been
// asked for with the block before.
static inline void fetch(const double *blocks, int to)
{
    const double *A = &blocks[9 * (size_t)(to < 0 ? 0 : to >> 2)];
    __builtin_prefetch(A + 8, 1);
}

// x, or 0 where all bits of `none` are set.
static inline double unless(long long none, double x)
{
    long long bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~none;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// Which of two blocks is added, K or its transpose, and whether there is something to add to,
// changes from one to the next in no order that a processor could foresee: both are made and one
// is selected.
void KERNEL(scatter)(int n, const int *to, const double *K, double *apart, double *blocks)
{
    for (int k = 0; k < n; k++, K += 9) {
        fetch(blocks, to[k + SCATTER_AHEAD]);
        if (to[k] < 0) {
            if (to[k] == SCATTER_APART && apart)
                memcpy(apart + 9 * (size_t)k, K, 9 * sizeof *K);
            continue;
        }
        double *A = &blocks[9 * (size_t)(to[k] >> 2)];
        long long flip = -(long long)(to[k] & 1), none = -(long long)(to[k] >> 1 & 1);
        lanes_mask flipped = {flip, flip, flip, flip, flip, flip, flip, flip};
        lanes_mask fresh = {none, none, none, none, none, none, none, none};
        lanes own, sum;
        memcpy(&own, K, sizeof own);
        memcpy(&sum, A, sizeof sum);
        lanes other = __builtin_shufflevector(own, own, 0, 3, 6, 1, 4, 7, 2, 5);
        sum = lanes_select(fresh, lanes_set(0), sum) + lanes_select(flipped, other, own);
        memcpy(A, &sum, sizeof sum);
        A[8] = unless(none, A[8]) + K[8];
    }
}
