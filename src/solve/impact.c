#include "solve/impact.h"

#include "base/memory.h"
#include "solve/dense.h"
#include "solve/tolerances.h"

#include <math.h>
#include <string.h>

static size_t size_of(int n, int nhold)
{
    size_t contacts = (size_t)n, kept = (size_t)nhold, columns = 3 * contacts + kept;
    return columns * columns + 3 * columns + 11 * contacts + kept * kept + 1 +
           kept * (3 * contacts + 1) + 1 + (2 * kept + DENSE_BLOCK + 2) * kept + 1;
}

static bool reserve(impact *p, int n, int nhold)
{
    if (n + nhold > p->max_row) {
        memory_free(p->row);
        p->row = memory_alloc((size_t)(n + nhold) * sizeof *p->row);
        p->max_row = p->row ? n + nhold : 0;
    }
    if (size_of(n, nhold) > p->room) {
        memory_free(p->memory);
        p->memory = memory_alloc(size_of(n, nhold) * sizeof *p->memory);
        p->room = p->memory ? size_of(n, nhold) : 0;
    }
    return n + nhold <= p->max_row && size_of(n, nhold) <= p->room;
}

bool impact_begin(impact *p, int n, int nhold)
{
    size_t contacts = (size_t)n, kept = (size_t)nhold, columns = 3 * contacts + kept;
    if (!reserve(p, n, nhold))
        return false;
    memset(p->memory, 0, size_of(n, nhold) * sizeof *p->memory);
    p->n = n;
    p->nhold = nhold;
    p->W = p->memory;
    p->rate = p->W + columns * columns;
    p->still = p->rate + columns;
    p->impulse = p->still + columns;
    p->target = p->impulse + columns;
    p->friction = p->target + contacts;
    p->axis = p->friction + contacts;
    p->joints = (elimination){.n = (int)columns, .first = 3 * n, .own = p->axis + 9 * contacts};
    p->joints.X = p->joints.own + kept * kept + 1;
    p->joints.scratch = p->joints.X + kept * (3 * contacts + 1) + 1;
    return true;
}

void impact_free(impact *p)
{
    memory_free(p->row);
    memory_free(p->memory);
    *p = (impact){0};
}

double impact_rate(const impact *p, int i)
{
    return p->rate[3 * i] + dense_dot(3 * p->n, &p->W[3 * i * impact_ncolumn(p)], p->impulse);
}

// What the rate of a column lacks.
static double lack(const impact *p, int column, double target)
{
    return target - p->rate[column] -
           dense_dot(3 * p->n, &p->W[column * impact_ncolumn(p)], p->impulse);
}

// Along its surface a contact is brought to rest as far as its cone lets it.
static double sweep_surface(impact *p, int i)
{
    int n = impact_ncolumn(p);
    double own = p->W[(3 * i + 1) * (n + 1)] + p->W[(3 * i + 2) * (n + 1)], *x = &p->impulse[3 * i],
           most = p->friction[i] * x[0];
    if (!(own > 0) || !(p->friction[i] > 0))
        return 0;
    double to[2] = {x[1] + lack(p, 3 * i + 1, 0) / own, x[2] + lack(p, 3 * i + 2, 0) / own};
    double length = hypot(to[0], to[1]), share = length > most ? most / length : 1;
    double change = own * hypot(share * to[0] - x[1], share * to[1] - x[2]);
    x[1] = share * to[0];
    x[2] = share * to[1];
    return change;
}

// One contact: its normal impulse makes up for what its rate lacks. Returns how much speed that
// made.
static double sweep(impact *p, int i)
{
    double own = p->W[3 * i * (impact_ncolumn(p) + 1)], before = p->impulse[3 * i];
    if (!(own > 0))
        return 0;
    p->impulse[3 * i] = fmax(before + lack(p, 3 * i, p->target[i]) / own, 0);
    return fmax(own * fabs(p->impulse[3 * i] - before), sweep_surface(p, i));
}

bool impact_solve(impact *p)
{
    enum { SWEEPS = 1000 };
    double fastest = 0, change = INFINITY;
    if (!eliminate(&p->joints, impact_ncolumn(p), p->W, p->rate, p->still))
        return false;
    for (int i = 0; i < p->n; i++)
        fastest = fmax(fastest, p->target[i]);
    for (int k = 0; k < SWEEPS && change > SOLVE_IMPACT * fastest; k++) {
        change = 0;
        for (int i = 0; i < p->n; i++)
            change = fmax(change, sweep(p, i));
    }
    return true;
}

// p . w + 1/2 p . W p
void impact_bound(impact *p, double most)
{
    int n = impact_ncolumn(p), contacts = 3 * p->n;
    double linear = dense_dot(contacts, p->impulse, p->rate), square = 0;
    for (int i = 0; i < contacts; i++)
        square += 0.5 * p->impulse[i] * dense_dot(contacts, &p->W[i * n], p->impulse);
    if (linear + square <= most || !(square > 0))
        return;
    double share = (-linear + sqrt(linear * linear + 4 * square * fmax(most, 0))) / (2 * square);
    for (int i = 0; i < contacts; i++)
        p->impulse[i] *= fmin(fmax(share, 0), 1);
}

void impact_hold(impact *p)
{
    eliminate_back(&p->joints, p->impulse);
}
