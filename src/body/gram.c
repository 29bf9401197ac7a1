#include "body/gram.h"

#include "base/eigen.h"
#include "base/vec.h"
#include "body/tolerances.h"

#include <math.h>
#include <string.h>

void gram_invert(const double G[9], double out[9])
{
    double copy[9], value[3], vector[9], trace = G[0] + G[4] + G[8], det = mat_det(G);
    if (det > BODY_GRAM_DETERMINANT * trace * trace * trace) {
        for (int k = 0; k < 9; k++) {
            int i1 = (k / 3 + 1) % 3, i2 = (k / 3 + 2) % 3, j1 = (k + 1) % 3, j2 = (k + 2) % 3;
            out[k] = (G[3 * i1 + j1] * G[3 * i2 + j2] - G[3 * i1 + j2] * G[3 * i2 + j1]) / det;
        }
        return;
    }
    memcpy(copy, G, sizeof copy);
    eigen_symmetric(3, copy, value, vector);
    double largest = fmax(fmax(value[0], value[1]), value[2]);
    memset(out, 0, 9 * sizeof *out);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 9 && value[k] > BODY_GRAM_EIGENVALUE * largest; i++)
            out[i] += vector[3 * (i / 3) + k] * vector[3 * (i % 3) + k] / value[k];
}
