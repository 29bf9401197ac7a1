// The efforts of a forward pass: what was told, within limits; and whether what was found is
// stable.
#include "base/eigen.h"
#include "solve/box.h"
#include "solve/dense.h"
#include "step/phases.h"

#include <string.h>

// Where friction slips W is not symmetric, which the box solver takes it to be: rows that it leaves
// within their limits are solved for once more.
static void refine_efforts(const lithe_model *m, lithe_state *s, const double *q, const double *lo,
                           const double *hi)
{
    int n = m->nact, nfree = 0;
    double *A = s->square, *b = s->bounds + 3 * n;
    for (int r = 0; r < n; r++) {
        if (s->pass.target[r] <= lo[r] || s->pass.target[r] >= hi[r])
            continue;
        b[nfree] = -q[r];
        for (int c = 0; c < n; c++)
            b[nfree] -= s->pass.W[r * n + c] * s->pass.target[c];
        nfree++;
    }
    for (int r = 0, i = 0; r < n; r++) {
        if (s->pass.target[r] <= lo[r] || s->pass.target[r] >= hi[r])
            continue;
        for (int c = 0, k = 0; c < n; c++)
            if (s->pass.target[c] > lo[c] && s->pass.target[c] < hi[c])
                A[i * nfree + k++] = s->pass.W[r * n + c];
        i++;
    }
    if (!dense_solve(nfree, 1, A, b))
        return;
    for (int r = 0, i = 0; r < n; r++)
        if (s->pass.target[r] > lo[r] && s->pass.target[r] < hi[r])
            s->pass.target[r] = fmin(fmax(s->pass.target[r] + b[i++], lo[r]), hi[r]);
}

// Rows told their effort get it; rows told their displacement get the effort within limits that
// brings it, or the limit. Limits of a row told its effort are the effort itself.
static lithe_status solve_within(const lithe_model *m, lithe_state *s)
{
    int n = m->nact;
    double *q = s->bounds, *lo = q + n, *hi = lo + n;
    for (int r = 0; r < n; r++) {
        bool told = s->command[r] == LITHE_EFFORT || row_is_parameter(&m->row[r]);
        lo[r] = told ? s->aim[r] : s->limit[r].effort[0];
        hi[r] = told ? s->aim[r] : s->limit[r].effort[1];
        q[r] = s->pass.delta_free[r] - (told ? 0 : s->aim[r]);
        for (int c = 0; c < n; c++)
            q[r] -= s->pass.W[r * n + c] * s->now.effort[c];
        s->pass.target[r] = s->now.effort[r];
    }
    box_residual result = box_solve(s->box, n, s->pass.W, q, lo, hi, s->pass.target);
    if (!result.solved)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "the efforts of %d actuators could not be found (gap %.1e)", n,
                          result.gap);
    if (s->contact.couple.n > 0 && !s->contact.couple.symmetric)
        refine_efforts(m, s, q, lo, hi);
    return LITHE_OK;
}

static int negative_eigenvalues(int n, double *A, double *scratch)
{
    double *value = scratch, *vector = scratch + n;
    int count = 0;
    eigen_symmetric(n, A, value, vector);
    for (int i = 0; i < n; i++)
        count += value[i] < 0;
    return count;
}

// W_CC over the rows whose displacement is held: as many negative eigenvalues as it has, so many
// negative modes of A do these hold [gould1985].
static void gather_taut(const lithe_model *m, const lithe_state *s, double *W_CC)
{
    int n = m->nact, k = 0;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n && step_is_taut(m, s, r); c++)
            if (step_is_taut(m, s, c))
                W_CC[k++] = s->pass.W[r * n + c];
}

// With A indefinite, the efforts of the taut rows solve W_CC dlambda = what their displacements
// lack. That is a minimum under the commands if W_CC has as many negative eigenvalues as A has.
// False: it is not, or a row would pass a limit.
static bool solve_saddle(const lithe_model *m, lithe_state *s)
{
    int n = m->nact, taut = step_taut_rows(m, s);
    double *A = s->square, *b = s->bounds, *copy = b + n, *rest = copy + taut * taut;
    for (int r = 0; r < n; r++)
        s->pass.target[r] = s->command[r] == LITHE_EFFORT ? s->aim[r] : s->now.effort[r];
    for (int r = 0, i = 0; r < n; r++) {
        if (!step_is_taut(m, s, r))
            continue;
        b[i] = s->aim[r] - s->pass.delta_free[r];
        for (int c = 0; c < n; c++)
            b[i] -= s->pass.W[r * n + c] * (s->pass.target[c] - s->now.effort[c]);
        i++;
    }
    gather_taut(m, s, A);
    gather_taut(m, s, copy);
    if (negative_eigenvalues(taut, copy, rest) != s->tangent.found.negative ||
        !dense_solve(taut, 1, A, b))
        return false;
    for (int r = 0, i = 0; r < n; r++)
        if (step_is_taut(m, s, r)) {
            s->pass.target[r] += b[i++];
            if (s->pass.target[r] < s->limit[r].effort[0] ||
                s->pass.target[r] > s->limit[r].effort[1])
                return false;
        }
    return true;
}

// A saddle that commands do not hold turns out here.
lithe_status forward_solve(const lithe_model *m, lithe_state *s)
{
    if (s->tangent.found.use != TANGENT_SADDLE)
        return solve_within(m, s);
    if (solve_saddle(m, s))
        return LITHE_OK;
    s->tangent.found.use = TANGENT_INDEFINITE;
    return LITHE_NOT_CONVERGED;
}

// Is an equilibrium stable? Not every one that Newton finds is: pivots are counted at the shape
// itself, and what displacement commands hold is counted by W.
//
// The last tangent was of the shape before the last move: where that was long, or where a pivot was
// negative, the shape itself is looked at.
void stability_judge(const lithe_model *m, lithe_state *s)
{
    const double short_move = 1e-7;
    if (s->moved <= short_move && s->tangent.found.negative == 0)
        return;
    step_linearize(m, s, STEP_FORWARD, false);
    s->report.error[0] = '\0'; // a tangent that is of no use to Newton tells what is asked here
    if (s->tangent.found.use != TANGENT_SADDLE)
        return;
    step_phases(m, s, STEP_FORWARD, PHASE_FREE, PHASE_CONDENSE);
    gather_taut(m, s, s->square);
    s->tangent.found.held = negative_eigenvalues(step_taut_rows(m, s), s->square, s->bounds);
}
