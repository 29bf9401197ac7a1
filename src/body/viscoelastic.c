// Bodies of viscoelastic materials: which elements remember, and what.
#include "body/body.h"

#include <string.h>

enum { SYMMETRIC = 6 };

static bool remembers(int n, const law_material *const *stuff, int e)
{
    return e < n && stuff[e] && stuff[e]->nprony > 0;
}

// Whether any element of a family's batch remembers.
static bool batch_remembers(const element_family *f, int k, int n, const law_material *const *stuff)
{
    bool any = false;
    for (int e = k * LANES; e < (k + 1) * LANES && e < f->n; e++)
        any = any || remembers(n, stuff, f->element_adr + e);
    return any;
}

static lithe_status count_batches(body *b, int n, const law_material *const *stuff,
                                  body_prony *prony)
{
    for (int e = 0; e < n; e++)
        if (remembers(n, stuff, e))
            prony->nterm = stuff[e]->nprony > prony->nterm ? stuff[e]->nprony : prony->nterm;
    for (int j = 0; j < b->nfamily; j++)
        for (int k = 0; k < b->family[j].nbatch; k++)
            if (batch_remembers(&b->family[j], k, n, stuff)) {
                if (!b->family[j].kind->points)
                    return LITHE_INVALID;
                prony->nbatch++;
            }
    return LITHE_OK;
}

static void *rows(arena *memory, size_t n) // of LANES numbers each
{
    return arena_new(memory, n * LANES, double);
}

// One point of a batch, or a set of strains after its points; empty lanes and elements without
// memory weigh nothing. Returns how many there are, 0: no memory.
static int fill_point(const element_family *f, int k, int q, int nterm, int n,
                      const law_material *const *stuff, arena *memory, prony_batch *out)
{
    int nnode = f->kind->nnode;
    *out = (prony_batch){.nnode = nnode, .lane = k * LANES};
    out->node = arena_alloc(memory, (size_t)nnode, sizeof *out->node);
    out->gradient = rows(memory, 3 * (size_t)nnode);
    out->weight = rows(memory, 1);
    out->ratio = rows(memory, (size_t)nterm);
    out->time = rows(memory, (size_t)nterm);
    if (!out->node || !out->gradient || !out->weight || !out->ratio || !out->time)
        return 0;
    int npoint =
        f->kind->points(family_batch(f, k), 0, out->gradient, out->weight, &out->parameter);
    int nset = f->kind->extra ? f->kind->extra->nset : 0;
    if (q < npoint) {
        f->kind->points(family_batch(f, k), q, out->gradient, out->weight, &out->parameter);
    } else {
        out->extra = f->kind->extra;
        out->of = family_batch(f, k);
        out->set = q - npoint;
    }
    for (int l = 0; l < LANES; l++) {
        int e = k * LANES + l < f->n ? k * LANES + l : f->n - 1;
        const law_material *m = stuff[f->element_adr + e];
        bool some = k * LANES + l < f->n && remembers(n, stuff, f->element_adr + e);
        out->law = m->law;
        out->weight[l] = some ? out->weight[l] : 0;
        for (int a = 0; a < nnode; a++)
            out->node[a][l] = f->node[nnode * e + a];
        for (int t = 0; t < nterm; t++) {
            bool term = some && t < m->nprony;
            out->ratio[t][l] = term ? m->ratio[t] : 0;
            out->time[t][l] = term ? m->time[t] : 1;
        }
    }
    return npoint + nset;
}

static lithe_status fill_batches(body *b, int n, const law_material *const *stuff, arena *memory,
                                 body_prony *prony)
{
    enum { MOST_POINTS = 27 };
    prony->adr = arena_new(memory, prony->nbatch + 1, int);
    prony->family = arena_new(memory, prony->nbatch, int);
    prony->batch = arena_new(memory, (size_t)MOST_POINTS * (size_t)prony->nbatch, prony_batch);
    if (!prony->adr || !prony->family || !prony->batch)
        return LITHE_NO_MEMORY;
    for (int j = 0, i = 0; j < b->nfamily; j++)
        for (int k = 0; k < b->family[j].nbatch; k++) {
            if (!batch_remembers(&b->family[j], k, n, stuff))
                continue;
            int npoint = 1;
            prony->family[i] = j;
            for (int q = 0; q < npoint; q++)
                if (!(npoint = fill_point(&b->family[j], k, q, prony->nterm, n, stuff, memory,
                                          &prony->batch[prony->adr[i] + q])))
                    return LITHE_NO_MEMORY;
            prony->adr[i + 1] = prony->adr[i] + npoint;
            i++;
        }
    return LITHE_OK;
}

lithe_status body_set_prony(body *b, int n, const law_material *const *stuff, arena *memory)
{
    body_prony prony = {.kernels = prony_choose()};
    LITHE_TRY(count_batches(b, n, stuff, &prony));
    if (prony.nbatch == 0)
        return LITHE_OK;
    LITHE_TRY(fill_batches(b, n, stuff, memory, &prony));
    b->prony = arena_new(memory, 1, body_prony);
    if (!b->prony)
        return LITHE_NO_MEMORY;
    *b->prony = prony;
    return LITHE_OK;
}

static size_t point_numbers(const body_prony *prony)
{
    return (size_t)(SYMMETRIC * (1 + prony->nterm)) * LANES;
}

size_t body_nhistory(const body *b)
{
    return b->prony ? (size_t)b->prony->adr[b->prony->nbatch] * point_numbers(b->prony) : 0;
}

lithe_status body_prony_create(const body *b, arena *memory, body_work *out)
{
    const body_prony *prony = b->prony;
    if (!prony)
        return LITHE_OK;
    size_t n = (size_t)prony->adr[prony->nbatch];
    out->prony = arena_new(memory, n, prony_state);
    out->history = arena_new(memory, body_nhistory(b), double);
    double *step = arena_new(memory, n * (SYMMETRIC + 1) * LANES, double);
    if (!out->prony || !out->history || !step)
        return LITHE_NO_MEMORY;
    for (size_t i = 0; i < n; i++) {
        double(*own)[LANES] = (double(*)[LANES])(out->history + i * point_numbers(prony));
        double(*now)[LANES] = (double(*)[LANES])(step + i * (SYMMETRIC + 1) * LANES);
        out->prony[i] = (prony_state){
            .stress = own, .over = own + SYMMETRIC, .hold = now, .share = now + SYMMETRIC};
    }
    return LITHE_OK;
}

void body_prony_reset(const body *b, body_work *work)
{
    memset(work->history, 0, body_nhistory(b) * sizeof *work->history);
    work->h = 0;
}

void body_prony_begin(const body *b, body_work *work, double h)
{
    const body_prony *prony = b->prony;
    work->h = h;
    for (int i = 0; i < prony->adr[prony->nbatch]; i++)
        prony_begin(&prony->batch[i], prony->nterm, h, &work->prony[i]);
}

// Factors of the elements of a batch, ones past the family's last.
static const double *lane_factors(const element_family *f, const double *stiffness, int lane,
                                  double out[LANES])
{
    if (!stiffness)
        return NULL;
    for (int l = 0; l < LANES; l++)
        out[l] = lane + l < f->n ? stiffness[f->element_adr + lane + l] : 1;
    return out;
}

void body_prony_end(const body *b, body_work *work, const double *x, const double *stiffness)
{
    const body_prony *prony = b->prony;
    for (int k = 0; k < prony->nbatch; k++)
        for (int i = prony->adr[k]; i < prony->adr[k + 1]; i++) {
            double factor[LANES];
            prony_end(
                prony->kernels, &prony->batch[i], prony->nterm, work->h, x,
                lane_factors(&b->family[prony->family[k]], stiffness, prony->batch[i].lane, factor),
                &work->prony[i]);
        }
}

typedef struct add_job {
    const body *b;
    const body_work *work;
    const double *x, *stiffness;
    element_tangent tangent;
} add_job;

static void add_batches(void *context, int first, int last)
{
    const add_job *job = context;
    const body_prony *prony = job->b->prony;
    for (int k = first; k < last; k++) {
        const element_family *f = &job->b->family[prony->family[k]];
        for (int i = prony->adr[k]; i < prony->adr[k + 1]; i++) {
            double factor[LANES];
            int lane = prony->batch[i].lane;
            prony->kernels->add(&prony->batch[i], &job->work->prony[i], job->x,
                                lane_factors(f, job->stiffness, lane, factor), job->tangent,
                                body_output(f, job->work, (size_t)lane));
        }
    }
}

void body_prony_add(const body *b, const body_work *work, const double *x, const double *stiffness,
                    element_tangent tangent, pool *threads)
{
    add_job job = {b, work, x, stiffness, tangent};
    pool_for(threads, b->prony->nbatch, 32, add_batches, &job);
}
