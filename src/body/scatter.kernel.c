#include "body/scatter.h"

#include "base/lanes.h"

#include <stddef.h>
#include <string.h>

scatter_function KERNEL(scatter);

// Which of two blocks is added, K or its transpose, changes from one to the next in no order that a
// processor could foresee: both are made and one is selected.
void KERNEL(scatter)(int n, const int *to, const double *K, double *blocks)
{
    for (int k = 0; k < n; k++, K += 9) {
        if (to[k] < 0)
            continue;
        double *A = &blocks[9 * (size_t)(to[k] >> 1)];
        long long flip = -(long long)(to[k] & 1);
        lanes_mask flipped = {flip, flip, flip, flip, flip, flip, flip, flip};
        lanes own, sum;
        memcpy(&own, K, sizeof own);
        memcpy(&sum, A, sizeof sum);
        lanes other = __builtin_shufflevector(own, own, 0, 3, 6, 1, 4, 7, 2, 5);
        sum += lanes_select(flipped, other, own);
        memcpy(A, &sum, sizeof sum);
        A[8] += K[8];
    }
}
