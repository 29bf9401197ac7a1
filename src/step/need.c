#include "step/need.h"

#include "base/memory.h"
#include "body/panel.h"
#include "step/model.h"

#include <math.h>

int need_columns(const lithe_model *m)
{
    int most = m->contact.on && m->nrow < PANEL_WIDTH ? PANEL_WIDTH : m->nrow;
    return most > 1 ? most : 1;
}

bool need_stiffness(const lithe_model *m, const body *b)
{
    return b->moves || b->prony || m->dynamics.scheme != LITHE_STATIC;
}

space_size need_of_tangent(const lithe_model *m, int threads)
{
    return (space_size){need_columns(m), threads, m->step.mode == LITHE_ASYNCHRONOUS};
}

static double body_need(const lithe_model *m, const body *b, int threads)
{
    double rows = b->nline;
    space_size size = need_of_tangent(m, threads);
    double numbers =
        body_work_numbers(b, need_stiffness(m, b), threads, m->dynamics.stiffness_damping > 0) +
        rows * (1 + m->nrow) + b->nelement;
    return (double)sizeof(double) * numbers + b->space->bytes(b, &size);
}

double need_of_state(const lithe_model *m, int threads)
{
    enum { NODAL = 16, MOVING = 6 }; // arrays of three numbers a node
    int moving = m->dynamics.scheme == LITHE_STATIC ? 0 : MOVING;
    double numbers = 3.0 * (NODAL + moving) * m->nnode + 6.0 * m->row_adr[m->nrow];
    double bytes = (double)sizeof *m + (double)sizeof(double) * numbers;
    bool twice = m->step.mode == LITHE_ASYNCHRONOUS; // a factor in use and one that is made
    for (int k = 0; k < m->nbody; k++)
        bytes += (twice ? 2 : 1) * body_need(m, &m->body[k], threads);
    if (twice)
        bytes += 8.0 * (3.0 * m->step.factor_age + 24) * m->nnode;
    return bytes;
}

double need_of_elements(int ntet)
{
    return 400.0 * ntet;
}

// The constant is that of cubes of 14^3 to 32^3 cells, each cut into six.
double need_of_mesh(int nnode, int ntet)
{
    return need_of_elements(ntet) + 1300 * pow(nnode, 4.0 / 3);
}

lithe_status need_check(double sure, double all, lithe_report *report)
{
    return sure > memory_left() ? report_too_large(report, all) : LITHE_OK;
}
