// How everything moves with what the actuators are told, efforts and displacements mixed.
#include "base/status.h"
#include "control/tolerances.h"
#include "row/row.h"
#include "step/phases.h"

// y = W x with the k-th of x and y exchanged: the effort of a row that is told its displacement
// becomes what it answers. False: it cannot be told from those exchanged before.
static bool exchange(int nrow, int n, double *W, int k, double scale)
{
    double pivot = W[(size_t)k * (size_t)n + (size_t)k];
    if (!(fabs(pivot) > SENSITIVITY_DETERMINED * scale))
        return false;
    for (int i = 0; i < nrow; i++) {
        double *line = W + (size_t)i * (size_t)n, share = line[k] / pivot;
        for (int j = 0; j < n && i != k; j++)
            line[j] = j == k ? share : line[j] - share * W[(size_t)k * (size_t)n + (size_t)j];
    }
    for (int j = 0; j < n; j++)
        W[(size_t)k * (size_t)n + (size_t)j] = j == k ? 1 / pivot : -W[k * n + j] / pivot;
    return true;
}

// Slack, or at its limit: what it is told does nothing, and nothing changes its effort.
static void erase(int nrow, int n, double *S, int k)
{
    for (int i = 0; i < nrow; i++)
        S[(size_t)i * (size_t)n + (size_t)k] = 0;
    for (int j = 0; j < n; j++)
        S[(size_t)k * (size_t)n + (size_t)j] = 0;
}

lithe_status lithe_sensitivity(const lithe_model *m, lithe_state *s, double *S)
{
    int n = m->nact, nrow = m->nrow;
    LITHE_TRY(lithe_compliance(m, s, S));
    for (int k = 0; k < n; k++) {
        bool told = s->command[k] == LITHE_DISPLACEMENT && !row_is_parameter(&m->row[k]);
        if (told && !step_is_taut(m, s, k))
            erase(nrow, n, S, k);
        else if (told && !exchange(nrow, n, S, k, s->pass.W[k * n + k]))
            return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                              "actuators '%s' and one before it do the same, so that displacements "
                              "do not tell their efforts apart; command one of them by its effort",
                              m->row[k].name);
    }
    return LITHE_OK;
}
