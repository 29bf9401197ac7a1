// Configurations: how they move, and what they make of the nodes.
#include "base/vec.h"
#include "step/step.h"

void step_place(const lithe_model *m, step_point *p)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->place(b, p->q + b->q_adr, p->x + 3 * (size_t)b->node_adr);
        if (b->nJ > 0 && p->J)
            b->space->jacobian(b, p->q + b->q_adr, p->J + b->J_adr);
    }
}

void step_rest(const lithe_model *m, step_point *p)
{
    for (int k = 0; k < m->nbody; k++)
        m->body[k].space->rest(&m->body[k], p->q + m->body[k].q_adr);
    step_place(m, p);
}

void step_push(const lithe_model *m, const double *J, const double *dq, double *dx)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->push(b, body_jacobian(b, J), dq + b->q_adr, dx + 3 * (size_t)b->node_adr);
    }
}

void step_move(const lithe_model *m, const step_point *from, double share, const double *motion,
               step_point *to)
{
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        b->space->advance(b, from->q + b->q_adr, share, motion + b->q_adr, to->q + b->q_adr);
    }
    step_place(m, to);
}

void step_advance_nodes(const lithe_model *m, const double *x, double share, const double *way,
                        double *out)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        space_nodal.advance(&m->body[k], x + at, share, way + at, out + at);
    }
}

void step_way(const lithe_model *m, const double *from, const double *to, double *way)
{
    for (int k = 0; k < m->nbody; k++) {
        size_t at = 3 * (size_t)m->body[k].node_adr;
        space_nodal.motion(&m->body[k], from + at, to + at, way + at);
    }
}

// What a slider moves are coordinates themselves.
void step_slide(const lithe_model *m, int r, double travel, double *motion)
{
    const row_region *region = &m->row[r].region;
    const body *b = &m->body[region->body];
    for (int i = 0; i < region->n; i++)
        vec_axpy(motion + b->q_adr + 3 * (size_t)body_triple(b, region->member[i]), travel,
                 region->axis);
}
