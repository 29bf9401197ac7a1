// The dense space: x = X + Phi q. A few coordinates move all nodes, so A = Phi' K Phi is small and
// full. What is held stands still in all of Phi.
#include "base/worst.h"
#include "body/body.h"
#include "body/modal.h"
#include "body/space_small.h"

#include <math.h>
#include <string.h>

struct modes {
    int width;     // of a line, see modal.h
    double *Phi;   // (nnode x 3 x width)
    float *single; // the same for the tangent of a reduced body (nnode x 3 x modal_single(width))
    const modal_kernels *kernels;
    int nblock; // of the nodal tangent
    modal_block *block;
    int *entry_adr; // of every node, in a reduced body (nnode + 1)
    nodal_entry *entry;
};

struct dense_work {
    double *KPhi;  // (nnode x 3 x width)
    float *single; // of a reduced body instead, see modal_work
};

lithe_status body_set_modes(body *b, int n, const double *Phi, arena *memory)
{
    struct modes *m = b->modes = arena_new(memory, 1, struct modes);
    size_t lines = 3 * (size_t)b->nnode, width = (size_t)modal_width(n);
    if (!m || !(m->Phi = arena_alloc(memory, lines * width / LANES, sizeof(lanes))))
        return LITHE_NO_MEMORY;
    m->width = (int)width;
    m->kernels = modal_choose();
    for (size_t i = 0; i < lines; i++)
        if (!(b->held[i / 3] & (1 << i % 3)))
            memcpy(&m->Phi[i * width], &Phi[i * (size_t)n], (size_t)n * sizeof *Phi);
    b->space = &space_dense;
    b->nq = b->nline = b->ndof = n;
    return LITHE_OK;
}

// A few elements that stand for all make a tangent that is no better than single precision. But
// contacts are so much stiffer than they that little would be left of these, and steps would take
// twice as many iterations.
static bool round_modes(body *b, arena *memory)
{
    struct modes *m = b->modes;
    size_t lines = 3 * (size_t)b->nnode, width = (size_t)m->width,
           line = (size_t)modal_single(m->width);
    m->single = arena_new(memory, lines * line, float);
    for (size_t i = 0; m->single && i < lines; i++)
        for (size_t k = 0; k < width; k++)
            m->single[i * line + k] = (float)m->Phi[i * width + k];
    return m->single != NULL;
}

lithe_status body_finish_modes(body *b, arena *memory)
{
    struct modes *m = b->modes;
    m->nblock = b->pattern.nblock;
    m->block = arena_new(memory, m->nblock, modal_block);
    for (int j = 0; m->block && j < b->nrow; j++)
        for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++)
            m->block[k] = (modal_block){b->block_node[b->pattern.row[k]], b->block_node[j]};
    if (!m->block || (b->rounds && !round_modes(b, memory)))
        return LITHE_NO_MEMORY;
    return b->rounds ? nodal_entries(b, memory, &m->entry_adr, &m->entry) : LITHE_OK;
}

static void rest(const body *b, double *q)
{
    memset(q, 0, (size_t)b->nq * sizeof *q);
}

static void advance(const body *b, const double *q, double share, const double *motion, double *out)
{
    for (int i = 0; i < b->nq; i++)
        out[i] = q[i] + share * motion[i];
}

static void motion(const body *b, const double *from, const double *to, double *out)
{
    for (int i = 0; i < b->nq; i++)
        out[i] = to[i] - from[i];
}

// A line of numbers as the kernels take it: whole vectors.
enum { MOST_WIDTH = BODY_MODES_MAX };

static const double *padded(const body *b, const double *q, lanes room[MOST_WIDTH / LANES])
{
    memset(room, 0, (size_t)b->modes->width * sizeof *q);
    memcpy(room, q, (size_t)b->nq * sizeof *q);
    return (const double *)room;
}

static void push(const body *b, const double *J, const double *dq, double *dx)
{
    (void)J;
    const struct modes *m = b->modes;
    lanes room[MOST_WIDTH / LANES];
    m->kernels->push(3 * b->nnode, m->width, m->Phi, padded(b, dq, room), NULL, dx);
}

static void node_positions(const body *b, const double *q, double *x)
{
    const struct modes *m = b->modes;
    lanes room[MOST_WIDTH / LANES];
    m->kernels->push(3 * b->nnode, m->width, m->Phi, padded(b, q, room), b->X, x);
}

static void jacobian(const body *b, const double *q, double *J)
{
    (void)b, (void)q, (void)J; // Phi, always
}

static const double *pull(const body *b, const double *J, const double *f, double *out)
{
    (void)J;
    const struct modes *m = b->modes;
    lanes room[MOST_WIDTH / LANES];
    m->kernels->pull(3 * b->nnode, m->width, m->Phi, f, (double *)room);
    memcpy(out, room, (size_t)b->nq * sizeof *out);
    return out;
}

static void curve(const body *b, const double *q, const double *dq, double *dx)
{
    (void)b, (void)q, (void)dq, (void)dx; // x is linear in q
}

static void support(const body *b, const double *q, double load, double *out)
{
    (void)q, (void)load;
    memset(out, 0, (size_t)b->nq * sizeof *out);
}

static void only_held(const body *b, const double *from, double *out)
{
    (void)b, (void)from, (void)out; // no coordinate is held
}

static double square(const body *b, const double *f)
{
    double sum = 0;
    for (int i = 0; i < b->nq; i++)
        sum += f[i] * f[i];
    return sum;
}

static double largest(const body *b, const double *dq)
{
    double most = 0;
    for (int i = 0; i < b->nq; i++)
        most = worst_of(most, fabs(dq[i]));
    return most;
}

static lithe_status create(const body *b, const space_size *size, arena *memory, space_tangent *out)
{
    (void)size;
    struct dense_work *f = out->dense = arena_new(memory, 1, struct dense_work);
    size_t width = (size_t)b->modes->width;
    if (!f)
        return LITHE_NO_MEMORY;
    out->A = arena_alloc(memory, width * width / LANES, sizeof(lanes));
    size_t lines = 3 * (size_t)b->nnode;
    if (b->modes->single)
        f->single = arena_new(memory, modal_work((int)width, b->modes->nblock), float);
    else
        f->KPhi = arena_alloc(memory, lines * width / LANES, sizeof(lanes));
    if (!out->A || (!f->KPhi && !f->single))
        return LITHE_NO_MEMORY;
    return space_small_create(b, (int)width, NULL, memory, out);
}

static double bytes(const body *b, const space_size *size)
{
    (void)size;
    double n = b->nq, width = b->modes->width;
    return 8 * (width * width + n * n + n + 3 * width * b->nnode);
}

static void assemble(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t)
{
    (void)q, (void)J, (void)force;
    const struct modes *m = b->modes;
    struct dense_work *f = t->dense;
    if (m->single) {
        m->kernels->tangent(b->nnode, m->width, m->entry_adr, m->entry, m->nblock, t->K, m->single,
                            f->single, t->A);
        return;
    }
    m->kernels->multiply(3 * b->nnode, m->width, m->nblock, m->block, t->K, m->Phi, f->KPhi);
    m->kernels->square(3 * b->nnode, m->width, m->Phi, f->KPhi, t->A);
}

static void scatter(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line)
{
    (void)J;
    size_t width = (size_t)b->modes->width;
    const double *Phi = &b->modes->Phi[3 * (size_t)node * width];
    if (f[0] == 0 && f[1] == 0 && f[2] == 0)
        return;
    for (size_t k = 0; k < (size_t)b->nq; k++)
        line[k * (size_t)stride] +=
            Phi[k] * f[0] + Phi[width + k] * f[1] + Phi[2 * width + k] * f[2];
}

static void gather(const body *b, const double *J, const double *f, int stride, double *line)
{
    lanes room[MOST_WIDTH / LANES];
    const double *pulled = pull(b, J, f, (double *)room);
    for (int k = 0; k < b->nq; k++)
        line[(size_t)k * (size_t)stride] = pulled[k];
}

const space space_dense = {
    .name = "dense",
    .rest = rest,
    .advance = advance,
    .motion = motion,
    .positions = node_positions,
    .jacobian = jacobian,
    .push = push,
    .pull = pull,
    .curve = curve,
    .support = support,
    .only_held = only_held,
    .square = square,
    .largest = largest,
    .create = create,
    .create_nodal = space_small_create_nodal,
    .bytes = bytes,
    .assemble = assemble,
    .factor = space_small_factor,
    .gather = gather,
    .scatter = scatter,
    .spread = space_small_spread,
    .mark = space_small_mark,
    .forward = space_small_forward,
    .reach = space_small_reach,
    .inverse_pivots = space_small_inverse_pivots,
    .backward = space_small_backward,
};
