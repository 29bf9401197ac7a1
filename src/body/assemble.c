// A body's moving part: energy, force and A at given positions.
#include "base/vec.h"
#include "body/body.h"
#include "body/hang.h"

#include <stdatomic.h>
#include <string.h>

typedef struct assemble_job {
    const body *b;
    const body_work *work;
    const double *x;
    const double *stiffness;
    element_tangent tangent;
    bool direct; // elements' forces go to their nodes at once
    bool fading; // something is added to elements before they go to A
    double *force;
    double *blocks;
} assemble_job;

element_output body_output(const element_family *f, const body_work *work, size_t lane)
{
    size_t block = (size_t)f->block_adr + lane * (size_t)family_npair(f);
    return (element_output){work->energy + (size_t)f->slot_adr + lane,
                            work->force +
                                3 * ((size_t)f->force_adr + lane * (size_t)f->kind->nnode),
                            work->kept ? work->stiff + 9 * block : NULL};
}

// Where a part writes what a batch gives: what nobody asks for later goes to one buffer, near.
static element_output part_output(const assemble_job *job, const element_family *f, int part, int k)
{
    element_output out = body_output(f, job->work, (size_t)k * LANES);
    double *room = job->work->parts.room + (size_t)part * job->work->parts.tile;
    size_t nforce = 3 * LANES * (size_t)f->kind->nnode;
    if (job->direct)
        out.force = room;
    if (!job->work->kept)
        out.stiff = room + nforce + 9 * LANES * (size_t)(k % PARTS_TILE * family_npair(f));
    return out;
}

// All that an element gives is proportional to its modulus, and to what it stands for. Empty lanes
// stand for nothing.
static void scale_batch(const assemble_job *job, const element_family *f, int k, element_output out)
{
    int nforce = 3 * f->kind->nnode, nstiff = 9 * family_npair(f);
    for (int l = f->n - k * LANES; l < LANES; l++)
        out.energy[l] = 0;
    for (int l = 0; l < LANES && k * LANES + l < f->n; l++) {
        int e = f->element_adr + k * LANES + l;
        double factor =
            (job->stiffness ? job->stiffness[e] : 1) * (job->b->weight ? job->b->weight[e] : 1);
        out.energy[l] *= factor;
        for (int i = 0; i < nforce; i++)
            out.force[l * nforce + i] *= factor;
        for (int i = 0; i < nstiff && job->tangent != ELEMENT_FORCE_ONLY; i++)
            out.stiff[l * nstiff + i] *= factor;
    }
}

static double *sums_of(const assemble_job *job)
{
    return job->work->parts.sum ? job->work->parts.sum : job->force;
}

static void clear_forces(const assemble_job *job, int part)
{
    const int *adr = &job->work->parts.sum_adr[part];
    memset(sums_of(job) + 3 * (size_t)adr[0], 0, 3 * (size_t)(adr[1] - adr[0]) * sizeof(double));
}

// In the order of gather_node, so the same bits.
static void scatter_forces(const assemble_job *job, const element_family *f, int k,
                           const double *force)
{
    int nnode = f->kind->nnode, count = f->n - k * LANES < LANES ? f->n - k * LANES : LANES;
    size_t slot = (size_t)f->force_adr + (size_t)(k * LANES * nnode);
    const int *onto = &job->work->parts.onto[slot];
    double *sums = sums_of(job);
    for (int i = 0; i < count * nnode; i++) {
        const double *own = &force[3 * i];
        if (onto[i] == PARTS_APART)
            memcpy(&job->work->force[3 * (slot + (size_t)i)], own, 3 * sizeof *own);
        else
            vec_axpy(&sums[3 * (size_t)onto[i]], 1, own);
    }
}

static void evaluate_tile(const assemble_job *job, const element_family *f, int part, int first,
                          int last)
{
    for (int k = first; k < last; k++) {
        element_output out = part_output(job, f, part, k);
        f->kind->evaluate(family_batch(f, k), job->x, job->tangent, out);
        if (job->stiffness || job->b->weight)
            scale_batch(job, f, k, out);
        if (job->direct)
            scatter_forces(job, f, k, out.force);
    }
    if (job->tangent == ELEMENT_FORCE_ONLY || job->fading)
        return;
    size_t lane = (size_t)first * LANES, npair = (size_t)family_npair(f);
    size_t block = (size_t)f->block_adr + lane * npair;
    job->b->scatter((int)((size_t)(last - first) * LANES * npair), &job->work->parts.into[block],
                    part_output(job, f, part, first).stiff,
                    job->work->kept || !job->work->stiff ? NULL : job->work->stiff + 9 * block,
                    job->blocks);
}

static void evaluate_parts(void *context, int first_part, int last_part)
{
    const assemble_job *job = context;
    for (int part = first_part; part < last_part; part++) {
        if (job->direct)
            clear_forces(job, part);
        for (int k = 0; k < job->b->nfamily; k++) {
            const element_family *f = &job->b->family[k];
            int first, end;
            parts_batches(&job->work->parts, f, part, &first, &end);
            for (; first < end && !f->still; first += PARTS_TILE)
                evaluate_tile(job, f, part, first,
                              end - first < PARTS_TILE ? end : first + PARTS_TILE);
        }
    }
}

static void gather_node(const assemble_job *job, int node)
{
    const body_gather *gather = &job->b->force;
    double sum[3] = {0, 0, 0};
    for (int k = gather->adr[node]; k < gather->adr[node + 1]; k++)
        vec_axpy(sum, 1, &job->work->force[3 * (size_t)gather->from[k]]);
    memcpy(&job->force[3 * (size_t)node], sum, sizeof sum);
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

static void gather_block(const assemble_job *job, int block)
{
    const body_gather *gather = &job->b->stiff;
    double sum[9] = {0};
    for (int k = gather->adr[block]; k < gather->adr[block + 1]; k++) {
        int from = gather->from[k];
        add_block(sum, &job->work->stiff[9 * (size_t)(from >> 1)], from & 1);
    }
    memcpy(&job->blocks[9 * (size_t)block], sum, sizeof sum);
}

static void gather_forces(void *context, int first, int last)
{
    for (int i = first; i < last; i++)
        gather_node(context, i);
}

static void gather_blocks(void *context, int first, int last)
{
    for (int i = first; i < last; i++)
        gather_block(context, i);
}

static void gather_shared_forces(void *context, int first, int last)
{
    const assemble_job *job = context;
    for (int i = first; i < last; i++)
        gather_node(job, job->work->parts.node[i]);
}

static void gather_shared_blocks(void *context, int first, int last)
{
    const assemble_job *job = context;
    for (int i = first; i < last; i++)
        gather_block(job, job->work->parts.block[i]);
}

// What parts have summed, back in the order of the nodes.
static void copy_forces(void *context, int first, int last)
{
    const assemble_job *job = context;
    const body_parts *parts = &job->work->parts;
    for (int i = first; i < last; i++)
        if (parts->from[i] != PARTS_APART)
            memcpy(&job->force[3 * (size_t)i], &parts->sum[3 * (size_t)parts->from[i]],
                   3 * sizeof *job->force);
}

// What parts have left for each other, or, where it is asked for later, all.
static void gather(assemble_job *job, pool *threads)
{
    enum { NODES = 256, BLOCKS = 256, COPIES = 4096 }; // at a time
    const body_parts *parts = &job->work->parts;
    if (job->direct && parts->sum)
        pool_for(threads, job->b->nnode, COPIES, copy_forces, job);
    if (job->direct)
        pool_for(threads, parts->nnode, NODES, gather_shared_forces, job);
    else
        pool_for(threads, job->b->nnode, NODES, gather_forces, job);
    for (int i = 0; i < parts->nlone && job->direct; i++)
        memset(&job->force[3 * (size_t)parts->lone[i]], 0, 3 * sizeof *job->force);
    if (job->tangent == ELEMENT_FORCE_ONLY)
        return;
    if (job->fading)
        pool_for(threads, job->b->pattern.nblock, BLOCKS, gather_blocks, job);
    else
        pool_for(threads, parts->nblock, BLOCKS, gather_shared_blocks, job);
    for (int i = 0; i < job->b->nbare && !job->fading; i++)
        memset(&job->blocks[9 * (size_t)job->b->bare[i]], 0, 9 * sizeof *job->blocks);
}

// Lane by lane, so that one sum need not wait for the other; empty lanes have none.
static double total_energy(const body *b, const body_work *work)
{
    lanes sum = lanes_set(0);
    double total = 0;
    for (size_t i = 0; i < b->nslot; i += LANES)
        sum += lanes_load(&work->energy[i]);
    for (int l = 0; l < LANES; l++)
        total += sum[l];
    return total;
}

double body_elastic(const body *b, const body_work *work, const double *x, const double *stiffness,
                    element_tangent tangent, pool *threads, double *force, double *blocks)
{
    bool fading = work->prony && work->h > 0; // adds to what all elements have left
    assemble_job job = {b,      work,  x,     stiffness, tangent, !stiffness && !fading,
                        fading, force, blocks};
    pool_for(threads, work->parts.n, 1, evaluate_parts, &job);
    if (fading)
        body_prony_add(b, work, x, stiffness, tangent, threads);
    gather(&job, threads);
    return total_energy(b, work);
}

// det F at a point of element e, from the gradients of the shape functions there.
static double volume_ratio(const element_family *f, int e, const double *x,
                           double (*gradient)[LANES])
{
    const int *node = &f->node[f->kind->nnode * e];
    double F[9] = {0};
    for (int a = 0; a < f->kind->nnode; a++)
        for (int i = 0; i < 9; i++)
            F[i] += (x[3 * node[a] + i / 3] - x[3 * node[0] + i / 3]) *
                    gradient[3 * a + i % 3][e % LANES];
    return mat_det(F);
}

static int inverted_points(const element_family *f, int k, const double *x)
{
    enum { MOST_NODES = 27 };
    double gradient[3 * MOST_NODES][LANES], weight[LANES], (*parameter)[LANES];
    bool inverted[LANES] = {false};
    int n = 0;
    for (int q = 0, npoint = 1; q < npoint; q++) {
        npoint = f->kind->points(family_batch(f, k), q, gradient, weight, &parameter);
        for (int l = 0; l < LANES && k * LANES + l < f->n; l++)
            inverted[l] = inverted[l] || !(volume_ratio(f, k * LANES + l, x, gradient) > 0);
    }
    for (int l = 0; l < LANES; l++)
        n += inverted[l];
    return n;
}

typedef struct inverted_job {
    const element_family *family;
    const double *x;
    atomic_int n;
} inverted_job;

static void count_inverted(void *context, int first, int last)
{
    inverted_job *job = context;
    const element_family *f = job->family;
    int n = 0;
    for (int k = first; k < last; k++)
        n += f->kind->inverted ? f->kind->inverted(family_batch(f, k), job->x)
                               : inverted_points(f, k, job->x);
    if (n > 0)
        atomic_fetch_add(&job->n, n);
}

int body_inverted(const body *b, const double *x, pool *threads)
{
    enum { BATCHES = 128 }; // at a time
    inverted_job job = {.x = x};
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = job.family = &b->family[k];
        if (!f->still && (f->kind->inverted || f->kind->points))
            pool_for(threads, f->nbatch, BATCHES, count_inverted, &job);
    }
    return atomic_load(&job.n);
}

void body_region_force(const body *b, const body_work *work, int n, const int *element,
                       double *force)
{
    for (int k = 0, j = 0; k < n; k++) {
        if (element[k] < b->family[j].element_adr)
            j = 0;
        while (element[k] >= b->family[j].element_adr + b->family[j].n)
            j++;
        const element_family *f = &b->family[j];
        int e = element[k] - f->element_adr, nnode = f->kind->nnode;
        const double *own = body_output(f, work, (size_t)e).force;
        for (int a = 0; a < nnode; a++)
            vec_axpy(&force[3 * f->node[nnode * e + a]], 1, &own[3 * a]);
    }
}

static void add_product(const double *K, bool transposed, const double *u, double *f)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            f[i] += (transposed ? K[3 * j + i] : K[3 * i + j]) * u[j];
}

void body_stiffness_times(const body *b, const body_work *work, const double *displacement,
                          double *force)
{
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int e = 0; e < f->n && !f->still; e++) {
            const double *K = body_output(f, work, (size_t)e).stiff;
            const int *node = &f->node[f->kind->nnode * e];
            for (int a = 0; a < f->kind->nnode && K; a++)
                for (int c = 0; c < f->kind->nnode; c++)
                    add_product(&K[9 * (a >= c ? element_pair(a, c) : element_pair(c, a))], a < c,
                                &displacement[3 * node[c]], &force[3 * node[a]]);
        }
    }
}

bool body_gravity(const body *b, const body_loading *how, double change[3])
{
    for (int i = 0; i < 3; i++)
        change[i] = (how->gravity ? how->gravity[i] : 0) + (how->own ? how->own[3 * b->id + i] : 0);
    return change[0] != 0 || change[1] != 0 || change[2] != 0;
}

double body_dead_work(const body *b, const body_loading *how, const double *x)
{
    double work = hang_work(b, how, x), gravity[3];
    bool changed = body_gravity(b, how, gravity);
    for (int i = 0; i < 3 * body_nposition(b) && changed; i++)
        work += how->share * b->weigh[i / 3] * gravity[i % 3] * (x[i] - b->X[i]);
    for (int i = 0; i < 3 * body_nposition(b); i++) {
        double force = how->share * b->dead[i];
        for (int k = 0; k < b->nspell; k++) {
            const body_spell *load = &b->spell[k];
            force += body_share(&load->span, how) * load->weight[i / 3] *
                     body_value(&load->span, how, load->value)[i % 3];
        }
        work += force * (x[i] - b->X[i]);
    }
    return work;
}

void body_loads(const body *b, const body_loading *how, const double *x, double *force,
                double *blocks)
{
    for (int i = 0; i < 3 * b->nnode; i++)
        force[i] += how->share * b->dead[i];
    double gravity[3];
    bool changed = body_gravity(b, how, gravity);
    for (int i = 0; i < 3 * body_nposition(b) && changed; i++)
        force[i] += how->share * b->weigh[i / 3] * gravity[i % 3];
    for (int k = 0; k < b->nspell; k++) {
        const body_spell *load = &b->spell[k];
        const double *value = body_value(&load->span, how, load->value);
        double share = body_share(&load->span, how);
        for (int i = 0; i < 3 * b->nnode && share != 0; i++)
            force[i] += share * load->weight[i / 3] * value[i % 3];
    }
    hang_load(b, how, x, force, blocks);
    for (int k = 0; k < b->npressure; k++) {
        const body_pressure *p = &b->pressure[k];
        double pressure = body_share(&p->span, how) * *body_value(&p->span, how, &p->value);
        if (pressure == 0)
            continue;
        // it pushes into the material: against the normals; and A = d(f_int - f_ext)/dx
        face_force(&p->face, NULL, x, -pressure, force);
        if (blocks)
            face_stiffness(&p->face, x, pressure, p->block, blocks);
    }
    for (int k = 0; k < b->nliquid; k++) {
        body_liquid liquid = b->liquid[k];
        if (changed)
            vec_axpy(liquid.weight, liquid.density, gravity);
        liquid_force(&liquid, x, how->share, force);
        if (blocks)
            liquid_stiffness(&liquid, x, -how->share, blocks);
    }
}
