// Inertia of a body: lumped in its nodes, or consistent with the shape functions of its elements.
#include "base/memory.h"
#include "base/rotation.h"
#include "base/vec.h"
#include "body/body.h"

#include <stdlib.h>
#include <string.h>

void body_lump(body *b)
{
    memcpy(b->weigh, b->mass, (size_t)b->nnode * sizeof *b->weigh);
}

lithe_status body_set_rigid(body *b, int centre, double mass, const double inertia[9],
                            arena *memory)
{
    b->rigid = true;
    b->centre = centre;
    b->mass[centre] = b->weigh[centre] = mass;
    b->inertia = arena_new(memory, 9 * (size_t)b->nrotation, double);
    if (!b->inertia)
        return LITHE_NO_MEMORY;
    memcpy(b->inertia, inertia, 9 * sizeof *inertia);
    return LITHE_OK;
}

enum { MOST_NODES = 10, MOST_PAIRS = MOST_NODES * (MOST_NODES + 1) / 2 };

// The products of an element's shape functions go to the diagonal and to entries off it.
static int couple_element(body *b, const element_family *f, int e, double density, body_mass *out)
{
    const int *node = &f->node[f->kind->nnode * e];
    double X[MOST_NODES][3], pair[MOST_PAIRS];
    int n = 0;
    for (int a = 0; a < f->kind->nnode; a++)
        memcpy(X[a], &b->X[3 * node[a]], sizeof X[a]);
    f->kind->mass((const double(*)[3])X, pair);
    for (int a = 0; a < f->kind->nnode; a++) {
        b->mass[node[a]] += density * pair[element_pair(a, a)];
        for (int c = 0; c < a; c++) {
            int high = node[a] > node[c] ? node[a] : node[c], low = node[a] + node[c] - high;
            out[n++] =
                (body_mass){{high, low}, f->element_adr + e, density * pair[element_pair(a, c)]};
        }
    }
    return n;
}

// By nodes, then by element, which stands where the block will.
static int in_order(const void *a, const void *b)
{
    const body_mass *p = a, *q = b;
    if (p->node[0] != q->node[0])
        return p->node[0] < q->node[0] ? -1 : 1;
    if (p->node[1] != q->node[1])
        return p->node[1] < q->node[1] ? -1 : 1;
    return (p->block > q->block) - (p->block < q->block);
}

static int add_up(body_mass *entry, int n)
{
    int kept = 0;
    qsort(entry, (size_t)n, sizeof *entry, in_order);
    for (int i = 0; i < n; i++) {
        body_mass *last = kept > 0 ? &entry[kept - 1] : NULL;
        if (last && last->node[0] == entry[i].node[0] && last->node[1] == entry[i].node[1])
            last->mass += entry[i].mass;
        else
            entry[kept++] = entry[i];
    }
    return kept;
}

lithe_status body_couple_mass(body *b, const double *density, double mass, arena *memory)
{
    size_t most = 1;
    int n = 0;
    for (int k = 0; k < b->nfamily; k++)
        most += (size_t)b->family[k].n * (size_t)family_npair(&b->family[k]);
    body_mass *entry = memory_alloc(most * sizeof *entry);
    if (!entry)
        return LITHE_NO_MEMORY;
    memset(b->mass, 0, (size_t)b->nnode * sizeof *b->mass);
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int e = 0; e < f->n; e++) {
            double rho = density ? density[f->element_adr + e] : mass / b->volume;
            for (int a = 0; a < f->kind->nnode && !f->kind->mass; a++)
                b->mass[f->node[f->kind->nnode * e + a]] += rho * f->lump[f->kind->nnode * e + a];
            if (f->kind->mass)
                n += couple_element(b, f, e, rho, &entry[n]);
        }
    }
    b->nmass = add_up(entry, n);
    b->coupled = arena_new(memory, b->nmass, body_mass);
    if (b->coupled)
        memcpy(b->coupled, entry, (size_t)b->nmass * sizeof *entry);
    memory_free(entry);
    return b->coupled ? LITHE_OK : LITHE_NO_MEMORY;
}

// R D R' w: what a rotation's inertia D beyond its mass, rotated as the rotation is, makes of a
// spin.
static void inertia_times(const body *b, const double *x, int node, const double w[3],
                          double out[3])
{
    double R[9];
    rotation_matrix(&x[3 * node], R);
    mat_apply_transposed(out, R, w);
    mat_apply(out, &b->inertia[9 * (node - body_nposition(b))], out);
    mat_apply(out, R, out);
}

void body_momentum(const body *b, const double *x, int node, const double v[3], double p[3])
{
    for (int i = 0; i < 3; i++)
        p[i] = 0;
    if (b->inertia && node >= body_nposition(b))
        inertia_times(b, x, node, v, p);
    vec_axpy(p, b->mass[node], v);
}

void body_mass_times(const body *b, const double *x, double factor, const double *v, double *force)
{
    for (int i = 0; i < b->nnode; i++)
        vec_axpy(&force[3 * i], factor * b->mass[i], &v[3 * i]);
    for (int k = 0; k < b->nmass; k++) {
        const body_mass *m = &b->coupled[k];
        vec_axpy(&force[3 * m->node[0]], factor * m->mass, &v[3 * m->node[1]]);
        vec_axpy(&force[3 * m->node[1]], factor * m->mass, &v[3 * m->node[0]]);
    }
    for (int i = body_nposition(b); i < b->nnode && b->inertia; i++) {
        double momentum[3];
        inertia_times(b, x, i, &v[3 * i], momentum);
        vec_axpy(&force[3 * i], factor, momentum);
    }
}

void body_gyroscopic(const body *b, const double *x, double factor, const double *v, double *force)
{
    for (int i = body_nposition(b); i < b->nnode && b->inertia; i++) {
        double momentum[3], moment[3];
        inertia_times(b, x, i, &v[3 * i], momentum);
        vec_cross(moment, &v[3 * i], momentum); // what is the same about all axes has none
        vec_axpy(&force[3 * i], factor, moment);
    }
}

static void add_inertia(const body *b, const double *x, int node, double factor, double *block)
{
    for (int axis = 0; axis < 3; axis++) {
        double unit[3] = {axis == 0, axis == 1, axis == 2}, column[3];
        inertia_times(b, x, node, unit, column);
        for (int i = 0; i < 3; i++)
            block[3 * i + axis] += factor * column[i];
    }
}

void body_add_mass(const body *b, const double *x, double factor, double *blocks)
{
    for (int i = 0; i < b->nrow && b->inertia; i++)
        if (b->block_node[i] >= body_nposition(b))
            add_inertia(b, x, b->block_node[i], factor, &blocks[9 * (size_t)b->pattern.col_adr[i]]);
    for (int i = 0; i < b->nrow; i++)
        for (int axis = 0; axis < 3; axis++)
            blocks[9 * (size_t)b->pattern.col_adr[i] + (size_t)(4 * axis)] +=
                factor * b->mass[b->block_node[i]];
    for (int k = 0; k < b->nmass; k++)
        for (int axis = 0; axis < 3 && b->coupled[k].block >= 0; axis++)
            blocks[9 * (size_t)b->coupled[k].block + (size_t)(4 * axis)] +=
                factor * b->coupled[k].mass;
}

void body_add_grip(const body *b, bool alone, double *K)
{
    double grip = (alone ? 1 : BODY_GRIP) * b->grip;
    int n = b->rigid ? 1 : body_nposition(b);
    double own = 0.25 * vec_distance(b->lower, b->upper);
    for (int i = 0; i < b->nrow && grip > 0; i++) {
        int node = b->block_node[i];
        bool centre = !b->rigid || node == b->centre, spin = b->rigid && node == b->nnode - 1;
        double much = node < body_nposition(b) ? (centre ? 1.0 / n : 0) : (spin ? own * own : 0);
        for (size_t axis = 0; axis < 3; axis++)
            K[9 * (size_t)b->pattern.col_adr[i] + 4 * axis] += grip * much;
    }
}
