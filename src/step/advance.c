#include "step/step.h"

void step_advance(const lithe_model *m, const double *x, double share, const double *way,
                  double *out)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_advance(&m->body[k], x + at, share, way + at, out + at);
    }
}
