// How far the pseudo-inverse of one Jacobian is from inverting another.
#include "base/arena.h"
#include "base/status.h"
#include "control/singular.h"
#include "control/tolerances.h"

#include <math.h>
#include <string.h>

// J_hat' = U S V', so J_hat^+ = U S^-1 V'. E = V'(I - J J_hat^+) V = I - V' J U S^-1, of the rank's
// size, row by row.
static int reduce(int m, int n, const double *J, double *US, const double *s, const double *V,
                  double *E)
{
    int rank = 0;
    while (rank < m && rank < n && s[rank] > INVERSION_NOTHING * s[0])
        rank++;
    for (int j = 0; j < rank; j++)
        for (int i = 0; i < rank; i++) {
            double sum = i == j;
            for (int r = 0; r < m; r++)
                for (int c = 0; c < n; c++)
                    sum -= V[(size_t)i * (size_t)m + (size_t)r] *
                           J[(size_t)r * (size_t)n + (size_t)c] *
                           US[(size_t)j * (size_t)n + (size_t)c] / (s[j] * s[j]);
            E[j * rank + i] = sum;
        }
    return rank;
}

lithe_status lithe_inversion_error(int m, int n, const double *J, const double *J_hat,
                                   double *gamma, int *rank, lithe_report *report)
{
    arena memory = {0};
    size_t size = (size_t)m * (size_t)n, square = (size_t)m * (size_t)m;
    double *US = arena_new(&memory, size + 3 * square + (size_t)m, double);
    if (!US)
        return report_no_memory(report, "the error of a Jacobian");
    double *V = US + size, *E = V + square, *other = E + square, *s = other + square;
    memcpy(US, J_hat, size * sizeof *US); // its rows are the columns of J_hat'
    singular_decompose(n, m, US, s, V);
    int found = reduce(m, n, J, US, s, V, E);
    if (found > 0)
        singular_decompose(found, found, E, s, other);
    *gamma = found > 0 ? s[0] : NAN;
    if (rank)
        *rank = found;
    arena_free(&memory);
    if (found == 0)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "the model's Jacobian is 0: no actuator moves what is measured");
    return LITHE_OK;
}
