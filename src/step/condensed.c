// The condensed model as a read-out: W and the effector-actuator Jacobian.
#include "solve/dense.h"
#include "step/async.h"
#include "step/newton.h"
#include "step/phases.h"

#include <string.h>

static lithe_status condense_with(const lithe_model *m, lithe_state *s, bool positive)
{
    s->positive = positive;
    LITHE_TRY(step_assemble(m, s));
    LITHE_TRY(step_factor(m, s));
    LITHE_TRY(step_free(m, s));
    LITHE_TRY(step_rows(m, s));
    return step_condense(m, s);
}

// The factor is made elsewhere; it is exact, or clamped, as this shape asks for.
static lithe_status condense_beside(const lithe_model *m, lithe_state *s)
{
    LITHE_TRY(async_refresh(s));
    s->warp = NULL;
    LITHE_TRY(step_free(m, s));
    LITHE_TRY(step_rows(m, s));
    return step_condense(m, s);
}

// W at the present shape, as the inverse sees it.
static lithe_status condense(const lithe_model *m, lithe_state *s)
{
    bool inverse = s->task.inverse;
    s->task.inverse = true;
    step_aim(m, s, 1, s->load);
    lithe_status status = s->async ? condense_beside(m, s) : condense_with(m, s, false);
    if (s->indefinite)
        status = condense_with(m, s, true);
    s->task.inverse = inverse;
    return status;
}

lithe_status lithe_compliance(const lithe_model *m, lithe_state *s, double *W)
{
    LITHE_TRY(condense(m, s));
    memcpy(W, s->W, (size_t)m->nrow * (size_t)m->nact * sizeof *W);
    return LITHE_OK;
}

// J W_aa = W_ea [coevoet2019, eq. 3.15], solved as W_aa' J' = W_ea', in each row's own scale.
lithe_status lithe_jacobian(const lithe_model *m, lithe_state *s, double *J)
{
    int n = m->nact, rows = m->nrow - n;
    LITHE_TRY(condense(m, s));
    double *A = s->square, *B = s->task.J; // (n x n), (n x rows)
    for (int i = 0; i < n; i++) {
        double scale = s->W[i * n + i] > 0 ? 1 / sqrt(s->W[i * n + i]) : 1;
        for (int j = 0; j < n; j++) {
            double other = s->W[j * n + j] > 0 ? 1 / sqrt(s->W[j * n + j]) : 1;
            A[i * n + j] = scale * s->W[j * n + i] * other;
        }
        for (int e = 0; e < rows; e++)
            B[i * rows + e] = scale * s->W[(n + e) * n + i];
    }
    if (!dense_solve(n, rows, A, B))
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "W_aa is singular: two actuators do the same, so displacements do not "
                          "tell efforts apart");
    for (int e = 0; e < rows; e++)
        for (int c = 0; c < n; c++)
            J[e * n + c] = B[c * rows + e] * (s->W[c * n + c] > 0 ? 1 / sqrt(s->W[c * n + c]) : 1);
    return LITHE_OK;
}
