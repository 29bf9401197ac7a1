#include "body/scatter.h"

#include <stddef.h>

scatter_function KERNEL(scatter);

void KERNEL(scatter)(int n, const int *to, const double *K, double *blocks)
{
    for (int k = 0; k < n; k++, K += 9) {
        if (to[k] < 0)
            continue;
        double *A = &blocks[9 * (size_t)(to[k] >> 1)];
        if (to[k] & 1) {
            const double T[9] = {K[0], K[3], K[6], K[1], K[4], K[7], K[2], K[5], K[8]};
            for (int i = 0; i < 9; i++)
                A[i] += T[i];
        } else {
            for (int i = 0; i < 9; i++)
                A[i] += K[i];
        }
    }
}
