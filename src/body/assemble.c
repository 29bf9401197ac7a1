// A body's moving part: energy, force and A at given positions.
#include "base/vec.h"
#include "body/body.h"
#include "body/hang.h"

#include <string.h>

typedef struct assemble_job {
    const body *b;
    const element_family *family;
    const body_work *work;
    const double *x;
    const double *stiffness;
    element_tangent tangent;
    bool direct; // elements' forces go to their nodes at once
    double *force;
    double *blocks;
} assemble_job;

element_output body_output(const element_family *f, const body_work *work, size_t lane)
{
    size_t npair = (size_t)family_npair(f);
    size_t block =
        work->kept ? (size_t)f->block_adr + lane * npair : lane % (BODY_TILE * LANES) * npair;
    return (element_output){work->energy + (size_t)f->slot_adr + lane,
                            work->force +
                                3 * ((size_t)f->force_adr + lane * (size_t)f->kind->nnode),
                            work->stiff + 9 * block};
}

// All that an element gives is proportional to its modulus.
static void scale_element(const element_family *f, element_output out, double factor, bool stiff)
{
    out.energy[0] *= factor;
    for (int i = 0; i < 3 * f->kind->nnode; i++)
        out.force[i] *= factor;
    for (int i = 0; i < 9 * family_npair(f) && stiff; i++)
        out.stiff[i] *= factor;
}

// In the order of gather_forces, so the same bits.
static void scatter_forces(const assemble_job *job, int k, const double *force)
{
    const element_family *f = job->family;
    const int *node = &f->node[f->kind->nnode * k * LANES];
    int count = f->n - k * LANES < LANES ? f->n - k * LANES : LANES;
    for (int i = 0; i < count * f->kind->nnode; i++)
        vec_axpy(&job->force[3 * (size_t)node[i]], 1, &force[3 * i]);
}

static void evaluate_batches(void *context, int first, int last)
{
    const assemble_job *job = context;
    const element_family *f = job->family;
    for (int k = first; k < last; k++) {
        element_output out = body_output(f, job->work, (size_t)k * LANES);
        if (job->direct)
            out.force = job->work->force + 3 * (size_t)f->force_adr; // one buffer, near
        f->kind->evaluate(family_batch(f, k), job->x, job->tangent, out);
        if (job->direct)
            scatter_forces(job, k, out.force);
        for (int e = k * LANES; job->stiffness && e < (k + 1) * LANES && e < f->n; e++)
            scale_element(f, body_output(f, job->work, (size_t)e),
                          job->stiffness[f->element_adr + e], job->tangent != ELEMENT_FORCE_ONLY);
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

// One thread adds every tile to A as soon as it is made.
static void scatter_family(const assemble_job *job)
{
    const element_family *f = job->family;
    size_t npair = (size_t)family_npair(f);
    for (int first = 0; first < f->nbatch; first += BODY_TILE) {
        int last = f->nbatch - first < BODY_TILE ? f->nbatch : first + BODY_TILE;
        size_t lane = (size_t)first * LANES, lanes_end = (size_t)last * LANES;
        evaluate_batches((void *)job, first, last);
        job->b->scatter((int)((lanes_end - lane) * npair),
                        &job->b->into[(size_t)f->block_adr + lane * npair],
                        body_output(f, job->work, lane).stiff, job->blocks);
    }
}

double body_elastic(const body *b, const body_work *work, const double *x, const double *stiffness,
                    element_tangent tangent, pool *threads, double *force, double *blocks)
{
    assemble_job job = {b, NULL, work, x, stiffness, tangent, false, force, blocks};
    bool fading = work->prony && work->h > 0; // adds to what all elements have left
    bool stiff = tangent != ELEMENT_FORCE_ONLY, alone = stiff && !threads && !fading;
    job.direct = !threads && !stiffness && !fading; // else they are asked for later
    if (job.direct)
        memset(force, 0, 3 * (size_t)b->nnode * sizeof *force);
    if (alone)
        memset(blocks, 0, 9 * (size_t)b->pattern.nblock * sizeof *blocks);
    for (int k = 0; k < b->nfamily; k++) {
        job.family = &b->family[k];
        if (job.family->still)
            continue;
        if (alone)
            scatter_family(&job);
        else
            pool_for(threads, job.family->nbatch, 32, evaluate_batches, &job);
    }
    if (fading)
        body_prony_add(b, work, x, stiffness, tangent, threads);
    if (!job.direct)
        pool_for(threads, b->nnode, 512, gather_forces, &job);
    if (stiff && !alone)
        pool_for(threads, b->pattern.nblock, 1024, gather_blocks, &job);
    double energy = 0;
    for (size_t i = 0; i < b->nslot; i++) // empty lanes have none
        energy += work->energy[i];
    return energy;
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

int body_inverted(const body *b, const double *x)
{
    int n = 0;
    for (int k = 0; k < b->nfamily; k++) {
        const element_family *f = &b->family[k];
        for (int j = 0; j < f->nbatch && !f->still && (f->kind->inverted || f->kind->points); j++)
            n += f->kind->inverted ? f->kind->inverted(family_batch(f, j), x)
                                   : inverted_points(f, j, x);
    }
    return n;
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
            for (int a = 0; a < f->kind->nnode; a++)
                for (int c = 0; c < f->kind->nnode; c++)
                    add_product(&K[9 * (a >= c ? element_pair(a, c) : element_pair(c, a))], a < c,
                                &displacement[3 * node[c]], &force[3 * node[a]]);
        }
    }
}

double body_dead_work(const body *b, const body_loading *how, const double *x)
{
    double work = hang_work(b, how, x);
    for (int i = 0; i < body_nposition(b) && body_gravity_changed(how); i++)
        for (int axis = 0; axis < 3; axis++)
            work += how->share * b->weigh[i] * how->gravity[axis] *
                    (x[3 * i + axis] - b->X[3 * i + axis]);
    for (int i = 0; i < 3 * body_nposition(b); i++) {
        double force = how->share * b->dead[i];
        for (int k = 0; k < b->nspell; k++)
            force += body_share(&b->spell[k].span, how) * b->spell[k].force[i];
        work += force * (x[i] - b->X[i]);
    }
    return work;
}

void body_loads(const body *b, const body_loading *how, const double *x, double *force,
                double *blocks)
{
    for (int i = 0; i < 3 * b->nnode; i++)
        force[i] += how->share * b->dead[i];
    for (int i = 0; i < body_nposition(b) && body_gravity_changed(how); i++)
        vec_axpy(&force[3 * i], how->share * b->weigh[i], how->gravity);
    for (int k = 0; k < b->nspell; k++) {
        double share = body_share(&b->spell[k].span, how);
        for (int i = 0; i < 3 * b->nnode && share != 0; i++)
            force[i] += share * b->spell[k].force[i];
    }
    hang_load(b, how, x, force, blocks);
    for (int k = 0; k < b->npressure; k++) {
        const body_pressure *p = &b->pressure[k];
        double share = body_share(&p->span, how);
        if (share == 0)
            continue;
        // it pushes into the material: against the normals; and A = d(f_int - f_ext)/dx
        face_force(&p->face, NULL, x, -share * p->value, force);
        if (blocks)
            face_stiffness(&p->face, x, share * p->value, p->block, blocks);
    }
    for (int k = 0; k < b->nliquid; k++) {
        body_liquid liquid = b->liquid[k];
        if (body_gravity_changed(how))
            vec_axpy(liquid.weight, liquid.density, how->gravity);
        liquid_force(&liquid, x, how->share, force);
        if (blocks)
            liquid_stiffness(&liquid, x, -how->share, blocks);
    }
}
