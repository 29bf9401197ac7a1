// A body's moving part: energy, force and A at given positions.
#include "base/vec.h"
#include "body/body.h"
#include "body/pressure.h"

#include <string.h>

typedef struct assemble_job {
    const body *b;
    const body_work *work;
    const double *x;
    const double *stiffness;
    tet4_tangent tangent;
    double *force;
    double *blocks;
} assemble_job;

// All that an element gives is proportional to its modulus.
static void scale_element(const body_work *work, size_t e, double factor, bool stiff)
{
    work->energy[e] *= factor;
    for (size_t i = 0; i < TET4_FORCE; i++)
        work->force[e * TET4_FORCE + i] *= factor;
    for (size_t i = 0; i < TET4_STIFF && stiff; i++)
        work->stiff[e * TET4_STIFF + i] *= factor;
}

static void evaluate_batches(void *context, int first, int last)
{
    const assemble_job *job = context;
    for (int k = first; k < last; k++) {
        size_t e = (size_t)k * LANES;
        tet4_output out = {job->work->energy + e, job->work->force + e * TET4_FORCE,
                           job->work->stiff + e * TET4_STIFF};
        job->b->kernels->evaluate(&job->b->batch[k], job->x, job->tangent, out);
        for (size_t l = e; job->stiffness && l < e + LANES && l < (size_t)job->b->ntet; l++)
            scale_element(job->work, l, job->stiffness[l], job->tangent != TET4_FORCE_ONLY);
    }
}

static void gather_forces(void *context, int first, int last)
{
    const assemble_job *job = context;
    const body_gather *gather = &job->b->force;
    for (int i = first; i < last; i++) {
        double sum[3] = {0, 0, 0};
        for (int k = gather->adr[i]; k < gather->adr[i + 1]; k++)
            vec_axpy(sum, 1, &job->work->force[3 * (size_t)gather->from[k]]);
        memcpy(&job->force[3 * i], sum, sizeof sum);
    }
}

static void add_block(double *sum, const double *K, bool transposed)
{
    if (transposed) {
        for (int i = 0; i < 9; i++)
            sum[i] += K[3 * (i % 3) + i / 3];
    } else {
        for (int i = 0; i < 9; i++)
            sum[i] += K[i];
    }
}

static void gather_blocks(void *context, int first, int last)
{
    const assemble_job *job = context;
    const body_gather *gather = &job->b->stiff;
    for (int i = first; i < last; i++) {
        double sum[9] = {0};
        for (int k = gather->adr[i]; k < gather->adr[i + 1]; k++) {
            int from = gather->from[k];
            add_block(sum, &job->work->stiff[9 * (size_t)(from >> 1)], from & 1);
        }
        memcpy(&job->blocks[9 * (size_t)i], sum, sizeof sum);
    }
}

double body_elastic(const body *b, const body_work *work, const double *x, const double *stiffness,
                    tet4_tangent tangent, pool *threads, double *force, double *blocks)
{
    assemble_job job = {b, work, x, stiffness, tangent, force, blocks};
    pool_for(threads, b->nbatch, 32, evaluate_batches, &job);
    pool_for(threads, b->nnode, 512, gather_forces, &job);
    if (tangent != TET4_FORCE_ONLY)
        pool_for(threads, b->pattern.nblock, 1024, gather_blocks, &job);
    double energy = 0;
    for (int e = 0; e < b->ntet; e++)
        energy += work->energy[e];
    return energy;
}

void body_region_force(const body *b, const body_work *work, int n, const int *element,
                       double *force)
{
    for (int k = 0; k < n; k++)
        for (int a = 0; a < 4; a++) {
            int e = element[k];
            vec_axpy(&force[3 * b->batch[e / LANES].node[a][e % LANES]], 1,
                     &work->force[(size_t)e * TET4_FORCE + (size_t)(3 * a)]);
        }
}

void body_stiffness_times(const body *b, const body_work *work, const double *displacement,
                          double *force)
{
    for (int e = 0; e < b->ntet; e++) {
        const double *K = &work->stiff[(size_t)e * TET4_STIFF];
        const tet4_batch *batch = &b->batch[e / LANES];
        for (int a = 0; a < 4; a++)
            for (int c = 0; c < 4; c++) {
                const double *block = &K[9 * (a >= c ? tet4_pair(a, c) : tet4_pair(c, a))];
                const double *u = &displacement[3 * batch->node[c][e % LANES]];
                double *f = &force[3 * batch->node[a][e % LANES]];
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++)
                        f[i] += (a >= c ? block[3 * i + j] : block[3 * j + i]) * u[j];
            }
    }
}

void body_mask(const body *b, double *blocks)
{
    for (int k = 0; k < b->nmasked; k++) {
        const int *masked = &b->masked[3 * k];
        double *K = &blocks[9 * (size_t)masked[0]];
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                bool held = (b->held[masked[1]] & (1 << i)) || (b->held[masked[2]] & (1 << j));
                bool diagonal = masked[1] == masked[2] && i == j;
                if (held)
                    K[3 * i + j] = diagonal ? fabs(K[3 * i + j]) : 0;
            }
    }
}

void body_loads(const body *b, double load, const double *x, double *force, double *blocks)
{
    for (int i = 0; i < 3 * b->nnode; i++)
        force[i] += load * b->dead[i];
    for (int k = 0; k < b->npressure; k++) {
        const body_pressure *p = &b->pressure[k];
        // it pushes into the material: against the normals; and A = d(f_int - f_ext)/dx
        pressure_force(p->ntri, p->tri, p->tri, x, -load * p->value, force);
        if (blocks)
            pressure_stiffness(p->ntri, p->tri, x, load * p->value, p->block, blocks);
    }
    for (int k = 0; k < b->nliquid; k++) {
        liquid_force(&b->liquid[k], x, load, force);
        if (blocks)
            liquid_stiffness(&b->liquid[k], x, -load, blocks);
    }
}
