// The condensed model as a read-out: W and the effector-actuator Jacobian.
#include "step/step.h"

#include <string.h>

// W at the present shape, as the inverse sees it.
static lithe_status condense(const lithe_model *m, lithe_state *s)
{
    bool inverse = s->task.inverse;
    s->task.inverse = true;
    s->positive = false;
    step_aim(m, s, 1, s->load);
    lithe_status status = step_assemble(m, s);
    status = status == LITHE_OK ? step_factor(m, s) : status;
    status = status == LITHE_OK ? step_free(m, s) : status;
    status = status == LITHE_OK ? step_rows(m, s) : status;
    status = status == LITHE_OK ? step_condense(m, s) : status;
    s->task.inverse = inverse;
    return status;
}

lithe_status lithe_compliance(const lithe_model *m, lithe_state *s, double *W)
{
    LITHE_TRY(condense(m, s));
    memcpy(W, s->W, (size_t)m->nrow * (size_t)m->nact * sizeof *W);
    return LITHE_OK;
}

// Gauss-Jordan with complete pivoting of the rows of [W_aa' | W_ea'], small and done rarely. False:
// singular.
static bool divide(int n, int nrhs, double *A, double *B)
{
    for (int k = 0; k < n; k++) {
        int top = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[top * n + k]))
                top = i;
        double pivot = A[top * n + k], largest = 0;
        for (int j = 0; j < n; j++)
            largest = fmax(largest, fabs(A[top * n + j]));
        if (fabs(pivot) <= 1e-12 * largest)
            return false;
        for (int j = 0; j < n + nrhs; j++) {
            double *p = j < n ? &A[k * n + j] : &B[k * nrhs + j - n];
            double *q = j < n ? &A[top * n + j] : &B[top * nrhs + j - n];
            double swap = *p;
            *p = *q / pivot;
            if (top != k)
                *q = swap;
        }
        for (int i = 0; i < n; i++) {
            double f = A[i * n + k];
            for (int j = 0; i != k && j < n; j++)
                A[i * n + j] -= f * A[k * n + j];
            for (int j = 0; i != k && j < nrhs; j++)
                B[i * nrhs + j] -= f * B[k * nrhs + j];
        }
    }
    return true;
}

// J W_aa = W_ea [coevoet2019, eq. 3.15], solved as W_aa' J' = W_ea', in each row's own scale.
lithe_status lithe_jacobian(const lithe_model *m, lithe_state *s, double *J)
{
    int n = m->nact, rows = m->nrow - n;
    LITHE_TRY(condense(m, s));
    double *A = s->W_before, *B = s->task.J; // (n x n), (n x rows)
    for (int i = 0; i < n; i++) {
        double scale = s->W[i * n + i] > 0 ? 1 / sqrt(s->W[i * n + i]) : 1;
        for (int j = 0; j < n; j++) {
            double other = s->W[j * n + j] > 0 ? 1 / sqrt(s->W[j * n + j]) : 1;
            A[i * n + j] = scale * s->W[j * n + i] * other;
        }
        for (int e = 0; e < rows; e++)
            B[i * rows + e] = scale * s->W[(n + e) * n + i];
    }
    if (!divide(n, rows, A, B))
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "W_aa is singular: two actuators do the same, so displacements do not "
                          "tell efforts apart");
    for (int e = 0; e < rows; e++)
        for (int c = 0; c < n; c++)
            J[e * n + c] = B[c * rows + e] * (s->W[c * n + c] > 0 ? 1 / sqrt(s->W[c * n + c]) : 1);
    return LITHE_OK;
}
