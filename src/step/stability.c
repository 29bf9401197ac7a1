// Is an equilibrium stable? Not every one that Newton finds is: pivots are counted at the shape
// itself, and what displacement commands hold is counted by W.
#include "base/eigen.h"
#include "step/phases.h"

// Negative eigenvalues of W over the rows whose displacement is held: as many negative modes of A
// do these hold [gould1985].
static int held_modes(const lithe_model *m, lithe_state *s)
{
    int n = m->nact, taut = 0;
    double *A = s->square, *value = s->bounds, *vector = value + n;
    for (int r = 0; r < n; r++) {
        if (!step_is_taut(m, s, r))
            continue;
        for (int c = 0, k = 0; c < n; c++)
            if (step_is_taut(m, s, c))
                A[taut * step_taut_rows(m, s) + k++] = s->pass.W[r * n + c];
        taut++;
    }
    eigen_symmetric(taut, A, value, vector);
    int held = 0;
    for (int i = 0; i < taut; i++)
        held += value[i] < 0;
    return held;
}

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
    s->tangent.found.held = held_modes(m, s);
}
