#include "step/step.h"

#include "base/turn.h"
#include "base/vec.h"

void step_advance(const lithe_model *m, const double *x, double share, const double *way,
                  double *out)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        body_advance(&m->body[k], x + at, share, way + at, out + at);
    }
}

void step_way(const lithe_model *m, const double *from, const double *to, double *way)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0; i < b->nnode; i++) {
            size_t at = 3 * (size_t)(b->node_adr + i);
            if (i < body_nplace(b))
                vec_sub(&way[at], &to[at], &from[at]);
            else
                turn_between(&from[at], &to[at], &way[at]);
        }
    }
}
