// The nodal space: q are the nodes themselves, positions and then rotations. A node with any axis
// that is not held is one block row of A.
#include "base/rotation.h"
#include "base/vec.h"
#include "base/worst.h"
#include "body/body.h"
#include "body/space_sparse.h"

#include <math.h>
#include <string.h>

static void rest(const body *b, double *q)
{
    memcpy(q, b->X, 3 * (size_t)b->nnode * sizeof *q);
}

static void advance(const body *b, const double *q, double share, const double *motion, double *out)
{
    int npos = 3 * body_nposition(b);
    for (int i = 0; i < npos; i++)
        out[i] = q[i] + share * motion[i];
    for (int i = npos; i < 3 * b->nnode; i += 3)
        rotation_advance(&q[i], share, &motion[i], &out[i]);
}

static void motion(const body *b, const double *from, const double *to, double *out)
{
    int npos = 3 * body_nposition(b);
    for (int i = 0; i < npos; i++)
        out[i] = to[i] - from[i];
    for (int i = npos; i < 3 * b->nnode; i += 3)
        rotation_between(&from[i], &to[i], &out[i]);
}

static void node_positions(const body *b, const double *q, double *x)
{
    memcpy(x, q, 3 * (size_t)b->nnode * sizeof *x);
}

static void jacobian(const body *b, const double *q, double *J)
{
    (void)b, (void)q, (void)J;
}

static void push(const body *b, const double *J, const double *dq, double *dx)
{
    (void)J;
    memcpy(dx, dq, 3 * (size_t)b->nnode * sizeof *dx);
}

static const double *pull(const body *b, const double *J, const double *f, double *out)
{
    (void)b, (void)J, (void)out;
    return f;
}

static void curve(const body *b, const double *q, const double *dq, double *dx)
{
    (void)b, (void)q, (void)dq, (void)dx; // x is linear in q
}

static void fit(const body *b, const double *q, const double *dx, double *dq)
{
    (void)q;
    memcpy(dq, dx, 3 * (size_t)b->nnode * sizeof *dq);
}

// A rotation that is held goes where the load wants it by one spin.
static void support_rotation(const body *b, int i, const double *q, double load, double *out)
{
    double aim[3], spin[3];
    for (int axis = 0; axis < 3; axis++)
        aim[axis] = load * b->hold[3 * i + axis];
    rotation_between(&q[3 * i], aim, spin);
    for (int axis = 0; axis < 3; axis++)
        out[3 * i + axis] = b->held[i] & (1 << axis) ? spin[axis] : 0;
}

static void support(const body *b, const double *q, double load, double *out)
{
    int npos = body_nposition(b);
    memset(out, 0, 3 * (size_t)b->nnode * sizeof *out);
    for (int i = 0; i < npos && b->moves; i++)
        for (int k = 3 * i; k < 3 * i + 3 && b->held[i]; k++)
            if (b->held[i] & (1 << k % 3))
                out[k] = b->X[k] + load * b->hold[k] - q[k];
    for (int i = npos; i < b->nnode && b->moves; i++)
        support_rotation(b, i, q, load, out);
}

static void only_held(const body *b, const double *from, double *out)
{
    for (int i = 0; i < b->nnode; i++)
        for (int axis = 0; axis < 3 && b->held[i]; axis++)
            if (b->held[i] & (1 << axis))
                out[3 * i + axis] = from[3 * i + axis];
}

// Of free axes.
static double square_node(unsigned held, const double f[3])
{
    if (!held)
        return f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += held & (1u << axis) ? 0 : f[axis] * f[axis];
    return sum;
}

// Several sums, which need not wait for each other.
static double square_nodes(const body *b, const double *f, int first, int last)
{
    enum { SUMS = 4 };
    double sum[SUMS] = {0};
    for (int i = first; i < last; i++)
        sum[i % SUMS] += square_node(b->held[i], &f[3 * i]);
    return sum[0] + sum[1] + sum[2] + sum[3];
}

static double square(const body *b, const double *f)
{
    double unit = 1 / (b->rotation_arm * b->rotation_arm);
    int npos = body_nposition(b);
    return square_nodes(b, f, 0, npos) + unit * square_nodes(b, f, npos, b->nnode);
}

static double largest(const body *b, const double *dq)
{
    double most = 0;
    for (int i = 0; i < 3 * b->nnode; i++)
        most = worst_of(most, (i < 3 * body_nposition(b) ? 1 : b->rotation_arm) * fabs(dq[i]));
    return most;
}

static lithe_status create_nodal(const body *b, arena *memory, space_tangent *out)
{
    out->K = out->A = arena_new(memory, 9 * (size_t)b->pattern.nblock, double);
    return out->K ? LITHE_OK : LITHE_NO_MEMORY;
}

// Makes rows and columns of held axes those of a diagonal matrix.
static void assemble(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t)
{
    (void)q, (void)J, (void)force;
    for (int k = 0; k < b->nmasked; k++) {
        const int *masked = &b->masked[3 * k];
        space_mask(&t->A[9 * (size_t)masked[0]], b->held[masked[1]], b->held[masked[2]],
                   masked[1] == masked[2]);
    }
}

static space_report factor(const body *b, space_tangent *t, pool *threads, double *y)
{
    int row;
    space_report report = space_sparse_factor(t, threads, y, &row);
    report.node = row >= 0 ? b->block_node[row] : -1;
    return report;
}

// out = R' f, the frame of the factor's lines; R = 1 without rotations
static void rotate_back(const double *R, int node, const double f[3], double out[3])
{
    if (R)
        mat_apply_transposed(out, &R[9 * (size_t)node], f);
    else
        memcpy(out, f, 3 * sizeof *out);
}

static void gather(const body *b, const double *J, const double *f, int stride, double *line)
{
    for (int i = 0; i < b->nrow; i++) {
        int node = b->block_node[i];
        double g[3];
        rotate_back(J, node, &f[3 * (size_t)node], g);
        for (int axis = 0; axis < 3; axis++)
            line[(size_t)(3 * i + axis) * (size_t)stride] =
                b->held[node] & (1 << axis) ? 0 : g[axis];
    }
}

static void scatter(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line)
{
    double g[3];
    if (b->block[node] < 0)
        return;
    rotate_back(J, node, f, g);
    for (int axis = 0; axis < 3; axis++)
        if (!(b->held[node] & (1 << axis)))
            line[(size_t)(3 * b->block[node] + axis) * (size_t)stride] += g[axis];
}

static void spread(const body *b, const double *J, const double *line, double *dq)
{
    for (int i = 0; i < b->nrow; i++) {
        double *out = &dq[3 * (size_t)b->block_node[i]];
        if (J)
            mat_apply(out, &J[9 * (size_t)b->block_node[i]], &line[3 * i]);
        else
            memcpy(out, &line[3 * i], 3 * sizeof *out);
    }
}

static void mark_node(const body *b, int node, bool *mark)
{
    if (b->block[node] >= 0)
        mark[b->block[node]] = true;
}

const space space_nodal = {
    .name = "nodal",
    .rest = rest,
    .advance = advance,
    .motion = motion,
    .positions = node_positions,
    .jacobian = jacobian,
    .push = push,
    .pull = pull,
    .fit = fit,
    .curve = curve,
    .support = support,
    .only_held = only_held,
    .square = square,
    .largest = largest,
    .create = space_sparse_create,
    .create_nodal = create_nodal,
    .bytes = space_sparse_bytes,
    .assemble = assemble,
    .factor = factor,
    .gather = gather,
    .scatter = scatter,
    .spread = spread,
    .mark = mark_node,
    .forward = space_sparse_forward,
    .reach = space_sparse_reach,
    .inverse_pivots = space_sparse_pivots,
    .backward = space_sparse_backward,
    .round = space_sparse_round,
    .fetch = space_sparse_fetch,
};
