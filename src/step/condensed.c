// The condensed model as a read-out: W and the effector-actuator Jacobian.
#include "solve/dense.h"
#include "step/async.h"
#include "step/newton.h"
#include "step/phases.h"

#include <string.h>

static lithe_status find_tangent(const lithe_model *m, lithe_state *s)
{
    if (!s->async) {
        lithe_status status = step_linearize(m, s, STEP_INVERSE, false);
        return s->tangent.found.use < TANGENT_INDEFINITE ? status
                                                         : step_linearize(m, s, STEP_INVERSE, true);
    }
    LITHE_TRY(async_refresh(s)); // it is exact, or clamped, as this shape asks for
    s->warp = NULL;
    return LITHE_OK;
}

// W at the present shape, as the inverse sees it.
static lithe_status condense(const lithe_model *m, lithe_state *s)
{
    step_aim(m, s, STEP_INVERSE, 1, s->load);
    LITHE_TRY(find_tangent(m, s));
    return step_phases(m, s, STEP_INVERSE, PHASE_FREE, PHASE_CONDENSE);
}

lithe_status lithe_compliance(const lithe_model *m, lithe_state *s, double *W)
{
    LITHE_TRY(condense(m, s));
    memcpy(W, s->pass.W, (size_t)m->nrow * (size_t)m->nact * sizeof *W);
    return LITHE_OK;
}

// J W_aa = W_ea [coevoet2019, eq. 3.15], solved as W_aa' J' = W_ea', in each row's own scale.
lithe_status lithe_jacobian(const lithe_model *m, lithe_state *s, double *J)
{
    int n = m->nact, rows = m->nrow - n;
    LITHE_TRY(condense(m, s));
    double *A = s->square, *B = s->task.J; // (n x n), (n x rows)
    for (int i = 0; i < n; i++) {
        double scale = s->pass.W[i * n + i] > 0 ? 1 / sqrt(s->pass.W[i * n + i]) : 1;
        for (int j = 0; j < n; j++) {
            double other = s->pass.W[j * n + j] > 0 ? 1 / sqrt(s->pass.W[j * n + j]) : 1;
            A[i * n + j] = scale * s->pass.W[j * n + i] * other;
        }
        for (int e = 0; e < rows; e++)
            B[i * rows + e] = scale * s->pass.W[(n + e) * n + i];
    }
    if (!dense_solve(n, rows, A, B))
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "W_aa is singular: two actuators do the same, so displacements do not "
                          "tell efforts apart");
    for (int e = 0; e < rows; e++)
        for (int c = 0; c < n; c++)
            J[e * n + c] =
                B[c * rows + e] * (s->pass.W[c * n + c] > 0 ? 1 / sqrt(s->pass.W[c * n + c]) : 1);
    return LITHE_OK;
}
