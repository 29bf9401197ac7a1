// The beam space: frames along a centre line, which move, rotate and deform their sections. A
// couples frames that are near each other on the line, so its lower half is a band.
#include "base/rotation.h"
#include "base/vec.h"
#include "base/worst.h"
#include "body/beam_space.h"
#include "body/body.h"
#include "body/small_factor.h"

#include <math.h>
#include <string.h>

enum { NODES = 16 }; // of a class that are taken together

struct beam_factor {
    double *A; // lower half, with room for a vector behind each line and eight lines (n x stride)
    int stride;
    small_factor factor;
    double *J, *KJ; // of some nodes (3 NODES x widest)
    double *M, *T;  // see add_second (nfree x 9, nfree x 9 x shapes)
};

// Where a frame is: its coordinates, or those at rest, and its rotation.
typedef struct frame_pose {
    double c[3], R[9], s[BEAM_SHAPES_MAX];
} frame_pose;

static frame_pose pose_of(const beam_map *m, const double *q, int frame)
{
    frame_pose p = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(p.c, &m->origin[3 * frame], sizeof p.c);
    if (m->free[frame] < 0)
        return p;
    q += m->size * m->free[frame];
    memcpy(p.c, q, sizeof p.c);
    rotation_matrix(q + 3, p.R);
    memcpy(p.s, q + 6, (size_t)m->nshape * sizeof *p.s);
    return p;
}

static void rest(const body *b, double *q)
{
    const beam_map *m = b->beam;
    memset(q, 0, (size_t)b->nq * sizeof *q);
    for (int f = 0; f < m->nframe; f++)
        if (m->free[f] >= 0)
            memcpy(&q[m->size * m->free[f]], &m->origin[3 * f], 3 * sizeof *q);
}

static void advance(const body *b, const double *q, double share, const double *motion, double *out)
{
    int size = b->beam->size;
    for (int at = 0; at < b->nq; at += size) {
        rotation_advance(&q[at + 3], share, &motion[at + 3], &out[at + 3]);
        for (int i = at; i < at + size; i++)
            if (i < at + 3 || i >= at + 6)
                out[i] = q[i] + share * motion[i];
    }
}

static void motion(const body *b, const double *from, const double *to, double *out)
{
    int size = b->beam->size;
    for (int at = 0; at < b->nq; at += size) {
        for (int i = at; i < at + size; i++)
            out[i] = to[i] - from[i];
        rotation_between(&from[at + 3], &to[at + 3], &out[at + 3]);
    }
}

// Numbers as kernels take them, with room behind them.
enum { ROOM = BEAM_FRAMES_MAX * (6 + BEAM_SHAPES_MAX) + LANES };

static void pad(const body *b, const double *q, double *room)
{
    memcpy(room, q, (size_t)b->nq * sizeof *q);
    memset(room + b->nq, 0, LANES * sizeof *q);
}

// The arm of a node in its frame as it is now, in the world, times its weight.
static void arm_of(const beam_map *m, const frame_pose *p, int side, double out[3])
{
    const double *arm = &m->arm[3 * side];
    double y[3] = {arm[0], arm[1], arm[2]};
    for (int j = 0; j < m->nshape; j++)
        vec_axpy(y, p->s[j], &m->shape[3 * (side * m->nshape + j)]);
    mat_apply(out, p->R, y);
}

static void find_poses(const beam_map *m, const double *q, frame_pose *pose)
{
    for (int f = 0; f < m->nframe; f++)
        pose[f] = pose_of(m, q, f);
}

static void node_positions(const body *b, const double *q, double *x)
{
    const beam_map *m = b->beam;
    frame_pose pose[BEAM_FRAMES_MAX];
    find_poses(m, q, pose);
    memset(x, 0, 3 * (size_t)b->nnode * sizeof *x);
    for (int k = 0; k < m->nbatch; k++) {
        const frame_pose *p = &pose[m->batch[k].frame];
        m->kernels->position(&m->batch[k], m->nshape, p->c, p->R, p->s, x);
    }
}

// A node's columns of one frame: dx = weight dc + spin x arm + R shapes ds
static void fill_columns(const beam_map *m, const frame_pose *p, int side, int stride, double *J)
{
    int width = beam_whole(m->nshape);
    double arm[3], weight = m->side[side].weight;
    m->kernels->rotate(width, p->R, m->lines + 3 * (size_t)side * (size_t)width, stride, J + 6);
    mat_apply(arm, p->R, &m->arm[3 * side]);
    for (int j = 0; j < m->nshape; j++)
        for (int i = 0; i < 3; i++)
            arm[i] += p->s[j] * J[i * stride + 6 + j];
    double line[3][6] = {{weight, 0, 0, 0, arm[2], -arm[1]},
                         {0, weight, 0, -arm[2], 0, arm[0]},
                         {0, 0, weight, arm[1], -arm[0], 0}};
    for (int i = 0; i < 3; i++)
        memcpy(J + (ptrdiff_t)i * stride, line[i], sizeof line[i]);
}

// Frame after frame: what a side writes behind its columns, the next one writes anew.
static void jacobian(const body *b, const double *q, double *J)
{
    const beam_map *m = b->beam;
    frame_pose pose[BEAM_FRAMES_MAX];
    find_poses(m, q, pose);
    for (int i = 0; i < b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int frame = m->side[k].frame, f = m->free[frame];
            if (f >= 0)
                fill_columns(m, &pose[frame], k, m->stride[i],
                             J + m->J_adr[i] + m->size * (f - m->first[i]));
        }
}

// Where a node's columns begin in a line of all coordinates.
static int column_of(const beam_map *m, int node)
{
    return m->size * m->first[node];
}

static void push(const body *b, const double *J, const double *dq, double *dx)
{
    const beam_map *m = b->beam;
    double room[ROOM];
    pad(b, dq, room);
    for (int i = 0; i < b->nnode; i++)
        m->kernels->push(beam_ncolumn(m, i), m->stride[i], J + m->J_adr[i], room + column_of(m, i),
                         &dx[3 * i]);
}

// line (every `stride`) += J' of a force on one node
static void scatter(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line)
{
    const beam_map *m = b->beam;
    const double *own = J + m->J_adr[node];
    int n = beam_ncolumn(m, node), at = column_of(m, node), next = m->stride[node];
    for (int c = 0; c < n; c++)
        line[(size_t)(at + c) * (size_t)stride] +=
            f[0] * own[c] + f[1] * own[next + c] + f[2] * own[2 * next + c];
}

static void gather_line(const body *b, const double *J, const double *f, double *line)
{
    const beam_map *m = b->beam;
    double room[ROOM];
    memset(room, 0, (size_t)(b->nq + LANES) * sizeof *room);
    for (int i = 0; i < b->nnode; i++)
        if (f[3 * i] != 0 || f[3 * i + 1] != 0 || f[3 * i + 2] != 0)
            m->kernels->pull(beam_ncolumn(m, i), m->stride[i], J + m->J_adr[i], &f[3 * i],
                             room + column_of(m, i));
    memcpy(line, room, (size_t)b->nq * sizeof *line);
}

static void gather(const body *b, const double *J, const double *f, int stride, double *line)
{
    double room[ROOM];
    gather_line(b, J, f, room);
    for (int i = 0; i < b->nq; i++)
        line[(size_t)i * (size_t)stride] = room[i];
}

static const double *pull(const body *b, const double *J, const double *f, double *out)
{
    gather_line(b, J, f, out);
    return out;
}

// spin x (spin x arm) + 2 spin x (R shapes ds)
static void curve(const body *b, const double *q, const double *dq, double *dx)
{
    const beam_map *m = b->beam;
    for (int i = 0; i < b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int f = m->free[m->side[k].frame];
            if (f < 0)
                continue;
            frame_pose p = pose_of(m, q, m->side[k].frame);
            const double *way = &dq[m->size * f];
            double arm[3], rate[3], along[3], inward[3];
            arm_of(m, &p, k, arm);
            vec_cross(rate, way + 3, arm);
            for (int s = 0; s < m->nshape; s++) {
                mat_apply(along, p.R, &m->shape[3 * (k * m->nshape + s)]);
                vec_axpy(rate, 2 * way[6 + s], along);
            }
            vec_cross(inward, way + 3, rate);
            vec_axpy(&dx[3 * i], 1, inward);
        }
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

// What a coordinate of a free frame is worth in metres: a rotation moves what is in its reach.
static double worth(const beam_map *m, int part, int frame)
{
    return part >= 3 && part < 6 ? m->reach[frame] : 1;
}

static double square(const body *b, const double *f)
{
    const beam_map *m = b->beam;
    double sum = 0;
    for (int k = 0; k < m->nframe; k++)
        for (int i = 0; m->free[k] >= 0 && i < m->size; i++) {
            double force = f[m->size * m->free[k] + i] / worth(m, i, k);
            sum += force * force;
        }
    return sum;
}

static double largest(const body *b, const double *dq)
{
    const beam_map *m = b->beam;
    double most = 0;
    for (int k = 0; k < m->nframe; k++)
        for (int i = 0; m->free[k] >= 0 && i < m->size; i++)
            most = worst_of(most, worth(m, i, k) * fabs(dq[m->size * m->free[k] + i]));
    return most;
}

// Of every line of A, where its band begins.
static void find_bands(const beam_map *m, int n, int *first)
{
    for (int i = 0; i < n; i++)
        first[i] = m->size * (i / m->size);
    for (int k = 0; k < m->nclass; k++)
        for (int i = m->size * m->class[k].first; i < m->size * (m->class[k].last + 1); i++)
            if (m->size * m->class[k].low < first[i])
                first[i] = m->size * m->class[k].low;
}

// Numbers of a line of K J, for the frames of a class and its neighbours.
static int width_of(const beam_map *m, const beam_class *c)
{
    return beam_whole(m->size * (c->high - c->low + 1)) + LANES;
}

static size_t widest(const beam_map *m)
{
    int most = LANES;
    for (int k = 0; k < m->nclass; k++)
        most = width_of(m, &m->class[k]) > most ? width_of(m, &m->class[k]) : most;
    for (int k = 0; k < m->nclass; k++) {
        int stride = m->stride[m->order[m->class[k].adr]];
        most = stride > most ? stride : most;
    }
    return (size_t)most;
}

static lithe_status create(const body *b, const space_size *size, arena *memory, space_tangent *out)
{
    (void)size;
    const beam_map *m = b->beam;
    struct beam_factor *f = out->beam = arena_new(memory, 1, struct beam_factor);
    size_t n = (size_t)b->nq, numbers = 3 * NODES * widest(m),
           moments = 9 * (size_t)m->nfree * (size_t)(1 + beam_whole(m->nshape));
    if (!f)
        return LITHE_NO_MEMORY;
    f->stride = beam_whole(b->nq) + LANES;
    f->A = arena_new(memory, (n + LANES) * (size_t)f->stride, double);
    f->J = arena_new(memory, numbers, double);
    f->KJ = arena_new(memory, numbers, double);
    f->M = arena_new(memory, moments, double);
    int *first = arena_new(memory, n, int);
    if (!f->A || !f->J || !f->KJ || !f->M || !first)
        return LITHE_NO_MEMORY;
    f->T = f->M + 9 * (size_t)m->nfree;
    find_bands(m, b->nq, first);
    return small_factor_create(b->nq, first, memory, &f->factor);
}

static lithe_status create_nodal(const body *b, arena *memory, space_tangent *out)
{
    out->K = arena_new(memory, 9 * (size_t)b->pattern.nblock, double);
    return out->K ? LITHE_OK : LITHE_NO_MEMORY;
}

static double bytes(const body *b, const space_size *size)
{
    (void)size;
    double n = b->nq;
    return 8 * (2 * n * n + 20 * n + 6 * NODES * (double)widest(b->beam));
}

static bool is_zero(const double K[9])
{
    for (int i = 0; i < 9; i++)
        if (K[i] != 0)
            return false;
    return true;
}

// Three lines of K J, in the columns of a class. False: K has nothing there, as of nodes that no
// element has where a few stand for all.
static bool multiply_node(const body *b, const beam_class *c, int node, const double *K,
                          const double *J, int width, double *out)
{
    const beam_map *m = b->beam;
    bool some = false;
    for (int e = m->entry_adr[node]; e < m->entry_adr[node + 1]; e++) {
        int j = m->entry[e].column;
        const double *block = &K[9 * (size_t)m->entry[e].block];
        if (m->last[j] < 0 || is_zero(block))
            continue;
        double turned[9] = {block[0], block[3], block[6], block[1], block[4],
                            block[7], block[2], block[5], block[8]};
        if (j == node) { // only its lower half is sure
            turned[3] = block[3];
            turned[6] = block[6];
            turned[7] = block[7];
        }
        if (!some)
            memset(out, 0, 3 * (size_t)width * sizeof *out);
        some = true;
        m->kernels->multiply(beam_ncolumn(m, j), m->stride[j], J + m->J_adr[j],
                             m->entry[e].transposed || j == node ? turned : block, width,
                             out + m->size * (m->first[j] - c->low));
    }
    return some;
}

// A += J' (K J) of the nodes of a class, some at a time
static void add_class(const body *b, const beam_class *c, const double *J, const double *K,
                      struct beam_factor *t)
{
    const beam_map *m = b->beam;
    int width = width_of(m, c), stride = m->stride[m->order[c->adr]], n = 0;
    int row = m->size * c->first, column = m->size * c->low;
    for (int i = 0; i < c->n; i++) {
        int node = m->order[c->adr + i];
        if (multiply_node(b, c, node, K, J, width, &t->KJ[3 * (size_t)(n * width)])) {
            memcpy(&t->J[3 * (size_t)(n * stride)], J + m->J_adr[node],
                   3 * (size_t)stride * sizeof *J);
            n++;
        }
        if (n < NODES && i + 1 < c->n)
            continue;
        m->kernels->square(3 * n, m->size * (c->last - c->first + 1), stride, t->J, row - column,
                           m->size * (c->high - c->low + 1), width, t->KJ, t->stride,
                           &t->A[(size_t)row * (size_t)t->stride + (size_t)column]);
        n = 0;
    }
}

// Of a frame, whose nodes have forces f: the second derivative of the sum of f . phi, of spins and
// of spins and shapes. M: sum of arm f', T: sum of shapes f'.
static void add_rotating(const beam_map *m, const double M[9], const double *T, int stride,
                         double *A)
{
    int width = beam_whole(m->nshape);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            A[(ptrdiff_t)(3 + i) * stride + 3 + j] +=
                0.5 * (M[3 * i + j] + M[3 * j + i]) - (i == j ? M[0] + M[4] + M[8] : 0);
    for (int s = 0; s < m->nshape; s++)
        for (int i = 0; i < 3; i++) { // shape x f
            int j = (i + 1) % 3, k = (i + 2) % 3;
            A[(ptrdiff_t)(6 + s) * stride + 3 + i] +=
                T[(3 * j + k) * width + s] - T[(3 * k + j) * width + s];
        }
}

// A frame's columns of J tell the arm and where shapes lead.
static void add_second(const body *b, const double *J, const double *force, struct beam_factor *t)
{
    const beam_map *m = b->beam;
    int width = beam_whole(m->nshape);
    memset(t->M, 0, 9 * (size_t)m->nfree * (size_t)(1 + width) * sizeof *t->M);
    for (int i = 0; i < b->nnode; i++) {
        const double *f = &force[3 * i];
        int stride = m->stride[i];
        if (f[0] == 0 && f[1] == 0 && f[2] == 0)
            continue;
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int frame = m->free[m->side[k].frame];
            if (frame < 0)
                continue;
            const double *own = J + m->J_adr[i] + m->size * (frame - m->first[i]);
            double arm[3] = {own[stride + 5], own[2 * stride + 3], own[4]};
            m->kernels->bend(width, arm, stride, own + 6, f, &t->M[9 * frame],
                             &t->T[9 * (size_t)(frame * width)]);
        }
    }
    for (int f = 0; f < m->nfree; f++)
        add_rotating(m, &t->M[9 * f], &t->T[9 * (size_t)(f * width)], t->stride,
                     &t->A[(size_t)(m->size * f) * (size_t)(t->stride + 1)]);
}

static void assemble(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t)
{
    (void)q;
    struct beam_factor *f = t->beam;
    const beam_map *m = b->beam;
    size_t n = (size_t)b->nq;
    memset(f->A, 0, n * (size_t)f->stride * sizeof *f->A);
    for (int k = 0; k < m->nclass; k++)
        add_class(b, &m->class[k], J, t->K, f);
    if (force)
        add_second(b, J, force, f);
    for (size_t i = 0; i < n; i++) { // a shape that moves nothing is pinned
        double *pivot = &f->A[i * (size_t)(f->stride + 1)];
        *pivot = *pivot == 0 && i % (size_t)m->size >= 6 ? 1 : *pivot;
    }
}

static void spread(const body *b, const double *J, const double *line, double *dq)
{
    (void)J;
    memcpy(dq, line, (size_t)b->nq * sizeof *dq);
}

// Half solves fill all lines of so small an A.
static void mark_node(const body *b, int node, bool *mark)
{
    (void)node;
    memset(mark, true, ((size_t)b->nline + 2) / 3 * sizeof *mark);
}

static void forward(const body *b, space_tangent *t, int nrhs, int nblock, const int *block,
                    double *B)
{
    (void)b, (void)nblock, (void)block;
    small_factor_forward(&t->beam->factor, nrhs, B);
}

static int reach(const body *b, const space_tangent *t, space_span *span)
{
    (void)t;
    *span = (space_span){0, b->nq};
    return 1;
}

static const double *inverse_pivots(const space_tangent *t)
{
    return t->beam->factor.inverse;
}

static void backward(const body *b, space_tangent *t, int nrhs, double *Y)
{
    (void)b;
    small_factor_backward(&t->beam->factor, nrhs, Y);
}

static space_report factor(const body *b, space_tangent *t, pool *threads, double *y)
{
    (void)b, (void)threads;
    small_factor *f = &t->beam->factor;
    small_factor_make(f, t->beam->A, t->beam->stride);
    if (y)
        small_factor_forward(f, 1, y);
    return (space_report){f->negative, f->singular, -1};
}

const space space_beam = {
    .name = "beam",
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
    .create_nodal = create_nodal,
    .bytes = bytes,
    .assemble = assemble,
    .factor = factor,
    .gather = gather,
    .scatter = scatter,
    .spread = spread,
    .mark = mark_node,
    .forward = forward,
    .reach = reach,
    .inverse_pivots = inverse_pivots,
    .backward = backward,
};
