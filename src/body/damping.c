// Viscous damping of a body, element by element, D_e, in proportion to stiffness: symmetric, takes
// energy from every motion but the rigid ones, to which it gives no force at all, and its forces
// have no resultant and no moment.
//
// A solid element's is its stiffness at rest K, carried along by its deformation gradient F: D_ab =
// F K_ab F'. That is the viscous stress of Kelvin and Voigt, S = C dE/dt with Green's strain E and
// the moduli C of small strains; where the nodes rotate with x, F' takes their motion to a rotation
// of the rest shape, of which K knows nothing. Of elements whose nodes do not follow one F exactly,
// and of others, with their clamped stiffness in place of F K F', rigid motions are taken out: D_e
// = P' K P with P = I - R (R'R)^-1 R' and R the rates of rigid motion of the nodes.
#include "body/damping.h"

#include "base/vec.h"
#include "body/gram.h"
#include "body/tolerances.h"

#include <string.h>

typedef struct damping_job {
    const body *b;
    const body_damping *damping;
    const double *x;
    const double *stiffness;
    int family;
} damping_job;

// Rates of the element's nodes when it rotates about its middle, one row-major 3x3 block a node: of
// a position, spin x arm; of a rotation, the spin itself.
static void find_rotating(const body *b, int n, const int *node, const double *x, double *R)
{
    int nposition = 0;
    double middle[3] = {0};
    memset(R, 0, 9 * (size_t)n * sizeof *R);
    for (int a = 0; a < n; a++)
        if (node[a] < body_nposition(b)) {
            vec_axpy(middle, 1, &x[3 * node[a]]);
            nposition++;
        }
    for (int a = 0; a < n; a++) {
        double *block = &R[9 * a], arm[3];
        if (node[a] >= body_nposition(b)) {
            block[0] = block[4] = block[8] = 1;
            continue;
        }
        for (int i = 0; i < 3; i++)
            arm[i] = x[3 * node[a] + i] - middle[i] / nposition;
        block[1] = arm[2];
        block[2] = -arm[1];
        block[3] = -arm[2];
        block[5] = arm[0];
        block[6] = arm[1];
        block[7] = -arm[0];
    }
}

static bool is_solid(const element_family *f)
{
    return f->kind->nrotation == 0 && f->kind->nnode >= 4 && !f->kind->lengthwise;
}

// Where D of an element is, in a tile that is used up at once.
static double *element_of(const body_damping *d, const element_family *f, int e)
{
    size_t npair = (size_t)family_npair(f);
    return d->element + 9 * (size_t)(e % (PARTS_TILE * LANES)) * npair;
}

// The nodes of a lane; lanes past the last element have its nodes, and no stiffness.
static const int *nodes_of(const element_family *f, int k, int lane)
{
    int e = k * LANES + lane;
    return &f->node[f->kind->nnode * (e < f->n ? e : f->n - 1)];
}

// g_a with F = sum x_a g_a' nearest to the motion of the nodes: (sum Y Y')^-1 Y_a, Y from their
// middle at rest.
static void fit_gradient(const body *b, const int *node, int n, double *g)
{
    double middle[3] = {0}, gram[9] = {0}, inverse[9];
    for (int a = 0; a < n; a++)
        vec_axpy(middle, 1.0 / n, &b->X[3 * node[a]]);
    for (int a = 0; a < n; a++) {
        vec_sub(&g[3 * a], &b->X[3 * node[a]], middle);
        for (int i = 0; i < 9; i++)
            gram[i] += g[3 * a + i / 3] * g[3 * a + i % 3];
    }
    gram_invert(gram, inverse);
    for (int a = 0; a < n; a++) {
        double own[3];
        memcpy(own, &g[3 * a], sizeof own);
        mat_apply(&g[3 * a], inverse, own);
    }
}

static lithe_status fit_family(const body *b, const element_family *f, arena *memory, double **out)
{
    size_t n = (size_t)f->kind->nnode;
    double *fit = *out = arena_new(memory, (size_t)f->nbatch * n * 3 * LANES, double);
    for (int k = 0; k < f->nbatch && fit; k++)
        for (int l = 0; l < LANES; l++) {
            double g[3 * BODY_ELEMENT_NODES];
            fit_gradient(b, nodes_of(f, k, l), (int)n, g);
            for (size_t i = 0; i < 3 * n; i++)
                fit[((size_t)k * 3 * n + i) * LANES + (size_t)l] = g[i];
        }
    return fit ? LITHE_OK : LITHE_NO_MEMORY;
}

// Moduli of a linear tetrahedron of stiffness K at rest, from one of its diagonal blocks. False: K
// is another, since the material has directions of its own.
static bool find_moduli(const double *K, const double *g, double moduli[2])
{
    const double *own = &K[9 * element_pair(1, 1)], *first = &g[3];
    double square = vec_dot(first, first), Kg[3];
    bool isotropic = true;
    mat_apply(Kg, own, first);
    double stretch = vec_dot(first, Kg) / (square * square); // lambda + 2 mu
    moduli[1] = 0.5 * ((own[0] + own[4] + own[8]) / square - stretch);
    moduli[0] = stretch - 2 * moduli[1];
    for (int a = 1; a < 4; a++)
        for (int c = 1; c <= a; c++)
            for (int i = 0; i < 9; i++) {
                double expected = moduli[0] * g[3 * a + i / 3] * g[3 * c + i % 3] +
                                  moduli[1] * g[3 * c + i / 3] * g[3 * a + i % 3];
                if (i % 4 == 0)
                    expected += moduli[1] * vec_dot(&g[3 * a], &g[3 * c]);
                double off = fabs(K[9 * element_pair(a, c) + i] - expected);
                double size = stretch * vec_norm(&g[3 * a]) * vec_norm(&g[3 * c]);
                isotropic = isotropic && off <= BODY_ISOTROPIC * size; // no number is not
            }
    return isotropic;
}

// Leaves moduli NULL where an element is not isotropic.
static lithe_status moduli_of_family(const element_family *f, const double *fit,
                                     const double *stiff, arena *memory, double **out)
{
    double *moduli = arena_new(memory, (size_t)f->nbatch * 2 * LANES, double);
    if (!moduli)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < f->n; e++) {
        double g[12], own[2];
        int k = e / LANES, l = e % LANES;
        for (int i = 0; i < 12; i++)
            g[i] = fit[(k * 12 + i) * LANES + l];
        if (!find_moduli(stiff + 9 * (size_t)(f->block_adr + e * family_npair(f)), g, own))
            return LITHE_OK;
        for (int i = 0; i < 2; i++)
            moduli[(2 * k + i) * LANES + l] = own[i];
    }
    *out = moduli;
    return LITHE_OK;
}

static lithe_status keep_rest(const element_family *f, const double *stiff, arena *memory,
                              double **out)
{
    size_t n = (size_t)f->kind->nnode, npair = (size_t)family_npair(f), nown = npair - n;
    double *rest = *out = arena_new(memory, (size_t)f->nbatch * nown * 9 * LANES, double);
    for (size_t e = 0; e < (size_t)f->n && rest; e++) {
        const double *K = stiff + 9 * ((size_t)f->block_adr + e * npair);
        double *to = rest + e / LANES * 9 * nown * LANES + e % LANES;
        for (int a = 1; a < (int)n; a++)
            for (int c = 1; c <= a; c++)
                for (int i = 0; i < 9; i++, to += LANES)
                    *to = K[9 * element_pair(a, c) + i];
    }
    return rest ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status create_family(const body *b, int j, const double *stiff, arena *memory,
                                  body_damping *out)
{
    const element_family *f = &b->family[j];
    LITHE_TRY(fit_family(b, f, memory, &out->fit[j]));
    if (f->kind->nnode == 4)
        LITHE_TRY(moduli_of_family(f, out->fit[j], stiff, memory, &out->moduli[j]));
    return out->moduli[j] ? LITHE_OK : keep_rest(f, stiff, memory, &out->rest[j]);
}

static bool is_apart(const body *b, int node)
{
    return b->block[node] < 0;
}

// Only where what is held moves does what is no part of A count.
static lithe_status list_rim(const body *b, const element_family *f, arena *memory,
                             damping_rim *out)
{
    out->element = arena_new(memory, f->n + 1, int);
    for (int e = 0; e < f->n && out->element && b->moves && !f->still; e++) {
        bool any = false;
        for (int a = 0; a < f->kind->nnode; a++)
            any = any || is_apart(b, f->node[f->kind->nnode * e + a]);
        if (any)
            out->element[out->n++] = e;
    }
    out->D = arena_new(memory, 9 * (size_t)out->n * (size_t)family_npair(f) + 1, double);
    return out->element && out->D ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status create_rest(const body *b, arena *memory, body_damping *out)
{
    arena scratch = {0};
    body_work work = {0};
    double *force = arena_new(&scratch, 3 * (size_t)b->nnode, double);
    double *blocks = arena_new(&scratch, 9 * (size_t)b->pattern.nblock + 1, double);
    lithe_status status =
        force && blocks ? body_work_create(b, true, 1, &scratch, &work) : LITHE_NO_MEMORY;
    if (status == LITHE_OK)
        body_elastic(b, &work, b->X, NULL, ELEMENT_EXACT, NULL, force, blocks);
    for (int j = 0; j < b->nfamily && status == LITHE_OK; j++)
        if (is_solid(&b->family[j]) && !b->family[j].still)
            status = create_family(b, j, work.stiff, memory, out);
    for (int j = 0; j < b->nfamily && status == LITHE_OK; j++)
        status = list_rim(b, &b->family[j], memory, &out->rim[j]);
    arena_free(&scratch);
    return status;
}

lithe_status body_damping_create(const body *b, arena *memory, body_damping *out)
{
    size_t tile = 0;
    for (int k = 0; k < b->nfamily; k++)
        tile =
            (size_t)family_npair(&b->family[k]) > tile ? (size_t)family_npair(&b->family[k]) : tile;
    tile *= (size_t)PARTS_TILE * LANES;
    out->kernels = damping_choose();
    out->element = arena_new(memory, 9 * tile + 1, double);
    out->blocks = arena_new(memory, 9 * (size_t)b->pattern.nblock + 1, double);
    out->rest = arena_new(memory, b->nfamily + 1, double *);
    out->fit = arena_new(memory, b->nfamily + 1, double *);
    out->moduli = arena_new(memory, b->nfamily + 1, double *);
    out->rim = arena_new(memory, b->nfamily + 1, damping_rim);
    if (!out->element || !out->blocks || !out->rest || !out->fit || !out->moduli || !out->rim)
        return LITHE_NO_MEMORY;
    return create_rest(b, memory, out);
}

static void find_solid(const damping_job *job, int k)
{
    const element_family *f = &job->b->family[job->family];
    size_t n = (size_t)f->kind->nnode, nown = (size_t)family_npair(f) - n;
    const int *node[LANES];
    for (int l = 0; l < LANES; l++)
        node[l] = nodes_of(f, k, l);
    const body_damping *d = job->damping;
    const double *fit = d->fit[job->family] + (size_t)k * 3 * n * LANES;
    double *out = element_of(d, f, k * LANES);
    if (d->moduli[job->family])
        d->kernels->tet4(node, job->x, fit, d->moduli[job->family] + (size_t)k * 2 * LANES, out);
    else
        d->kernels->solid((int)n, node, job->x, fit,
                          d->rest[job->family] + (size_t)k * 9 * nown * LANES, out);
}

static void find_other(const damping_job *job, int k)
{
    const element_family *f = &job->b->family[job->family];
    _Alignas(64) double energy[LANES], force[3 * BODY_ELEMENT_NODES * LANES];
    element_output out = {energy, force, element_of(job->damping, f, k * LANES)};
    f->kind->evaluate(family_batch(f, k), job->x,
                      f->kind->lengthwise ? ELEMENT_LENGTH : ELEMENT_POSITIVE, out);
}

// out += a' a
static void add_square(const double a[9], double out[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                out[3 * i + j] += a[3 * k + i] * a[3 * k + j];
}

// Takes rigid motions out of what a batch has. Lanes past the last element move as that one.
static void project(const damping_job *job, int k)
{
    const element_family *f = &job->b->family[job->family];
    int n = f->kind->nnode;
    _Alignas(64) double rotating[9 * BODY_ELEMENT_NODES * LANES], inverse[9 * LANES];
    for (int l = 0; l < LANES; l++) {
        double R[9 * BODY_ELEMENT_NODES], gram[9] = {0}, own[9];
        find_rotating(job->b, n, nodes_of(f, k, l), job->x, R);
        for (int a = 0; a < n; a++)
            add_square(&R[9 * a], gram);
        gram_invert(gram, own);
        for (int i = 0; i < 9 * n; i++)
            rotating[i * LANES + l] = R[i];
        for (int i = 0; i < 9; i++)
            inverse[i * LANES + l] = own[i];
    }
    job->damping->kernels->project(n, rotating, inverse, element_of(job->damping, f, k * LANES));
}

static void find_batch(const damping_job *job, int k)
{
    const element_family *f = &job->b->family[job->family];
    if (is_solid(f))
        find_solid(job, k);
    else
        find_other(job, k);
    for (int e = k * LANES; e < (k + 1) * LANES && e < f->n; e++) {
        double *D = element_of(job->damping, f, e);
        for (int i = 0; i < 9 * family_npair(f) && job->stiffness; i++)
            D[i] *= job->stiffness[f->element_adr + e];
    }
    if (is_solid(f) ? f->kind->nnode > 4 : !f->kind->lengthwise)
        project(job, k);
}

// D of the elements of the rim that are in the tile before `end`, from number r on.
static int keep_rim(const body_damping *d, const element_family *f, damping_rim *rim, int r,
                    int end)
{
    size_t size = 9 * (size_t)family_npair(f);
    for (; r < rim->n && rim->element[r] < end; r++)
        memcpy(rim->D + size * (size_t)r, element_of(d, f, rim->element[r]), size * sizeof *rim->D);
    return r;
}

void body_damping_find(const body *b, const body_damping *d, const double *x,
                       const double *stiffness)
{
    damping_job job = {b, d, x, stiffness, 0};
    for (job.family = 0; job.family < b->nfamily; job.family++) {
        const element_family *f = &b->family[job.family];
        int npair = family_npair(f), kept = 0;
        for (int first = 0; first < f->nbatch && !f->still; first += PARTS_TILE) {
            int last = f->nbatch - first < PARTS_TILE ? f->nbatch : first + PARTS_TILE;
            int end = last * LANES < f->n ? last * LANES : f->n;
            for (int k = first; k < last; k++)
                find_batch(&job, k);
            kept = keep_rim(d, f, &d->rim[job.family], kept, end);
            b->scatter((end - first * LANES) * npair,
                       &b->into[(size_t)f->block_adr + (size_t)(first * LANES * npair)],
                       element_of(d, f, first * LANES), NULL, d->blocks);
        }
    }
}

// force += factor D v of what an element has beside A; each block counts both ways.
static void add_element(const body *b, const double *D, int n, const int *node, double factor,
                        const double *v, double *force)
{
    for (int a = 0; a < n; a++)
        for (int c = 0; c <= a; c++, D += 9) {
            const double *va = &v[3 * node[a]], *vc = &v[3 * node[c]];
            double *fa = &force[3 * node[a]], *fc = &force[3 * node[c]];
            if (!is_apart(b, node[a]) && !is_apart(b, node[c]))
                continue;
            for (int i = 0; i < 3; i++) {
                fa[i] += factor * vec_dot(&D[3 * i], vc);
                if (c < a)
                    fc[i] += factor * (D[i] * va[0] + D[3 + i] * va[1] + D[6 + i] * va[2]);
            }
        }
}

void body_damping_times(const body *b, const body_damping *d, double factor, const double *velocity,
                        double *force)
{
    d->kernels->times(&b->pattern, b->block_node, d->blocks, factor, velocity, force);
    for (int k = 0; k < b->nfamily; k++) {
        const damping_rim *rim = &d->rim[k];
        int n = b->family[k].kind->nnode, npair = family_npair(&b->family[k]);
        for (int r = 0; r < rim->n; r++)
            add_element(b, rim->D + 9 * (size_t)(r * npair), n,
                        &b->family[k].node[n * rim->element[r]], factor, velocity, force);
    }
}

void body_add_damping(const body *b, const body_damping *d, double factor, double *blocks)
{
    for (int i = 0; i < 9 * b->pattern.nblock; i++)
        blocks[i] += factor * d->blocks[i];
}
