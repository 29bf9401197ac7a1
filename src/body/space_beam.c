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

struct beam_factor {
    double *A; // lower half (n x n)
    small_factor factor;
    double *KJ;    // see beam_map.product_adr
    bool *reached; // nodes that have a part in it (nnode)
};

static int nside_of(const body *b)
{
    return b->beam->side_adr[b->nnode];
}

// Frames that carry what is held stand still.
static void number_frames(const body *b, beam_map *m)
{
    for (int i = 0; i < b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1] && b->held[i]; k++)
            m->free[m->side[k].frame] = -1;
    for (int f = 0; f < m->nframe; f++)
        m->free[f] = m->free[f] < 0 ? -1 : m->nfree++;
}

// Distance from its origin at which a frame's nodes lie: root of the mean square.
static void measure_arms(const body *b, beam_map *m)
{
    for (int f = 0; f < m->nframe; f++) {
        double sum = 0, weight = 0;
        for (int k = 0; k < nside_of(b); k++)
            if (m->side[k].frame == f) {
                const double *arm = &m->local[3 * (size_t)(k * (1 + m->nshape))];
                sum += vec_dot(arm, arm);
                weight += m->side[k].weight * m->side[k].weight;
            }
        m->arm[f] = sum > 0 ? sqrt(sum / weight) : 1;
    }
}

lithe_status body_set_beam(body *b, beam_map *m, arena *memory)
{
    b->beam = m;
    m->size = 6 + m->nshape;
    m->nfree = 0;
    m->kernels = beam_choose();
    m->free = arena_new(memory, m->nframe, int);
    m->arm = arena_new(memory, m->nframe, double);
    if (!m->free || !m->arm)
        return LITHE_NO_MEMORY;
    number_frames(b, m);
    measure_arms(b, m);
    b->space = &space_beam;
    b->nq = b->nline = b->ndof = m->size * m->nfree;
    b->nJ = 3 * (size_t)m->size * (size_t)nside_of(b);
    return LITHE_OK;
}

// The free frames of a node, and the first of those of its neighbours.
static void find_windows(const body *b, beam_map *m)
{
    for (int i = 0; i < b->nnode; i++) {
        m->low[i] = m->nfree;
        m->high[i] = -1;
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int f = m->free[m->side[k].frame];
            m->low[i] = f >= 0 && f < m->low[i] ? f : m->low[i];
            m->high[i] = f > m->high[i] ? f : m->high[i];
        }
    }
}

// Nodes that are coupled see each other's first frames.
static lithe_status widen_windows(const body *b, beam_map *m)
{
    arena scratch = {0};
    int *own = arena_new(&scratch, b->nnode, int);
    for (int i = 0; own && i < b->nnode; i++)
        own[i] = m->low[i];
    for (int j = 0; own && j < b->nrow; j++)
        for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++) {
            int p = b->block_node[j], q = b->block_node[b->pattern.row[k]];
            m->low[p] = own[q] < m->low[p] ? own[q] : m->low[p];
            m->low[q] = own[p] < m->low[q] ? own[p] : m->low[q];
        }
    arena_free(&scratch);
    return own ? LITHE_OK : LITHE_NO_MEMORY;
}

// Columns of K J that a node needs: from the first frame it is coupled with to its own last.
static int columns_of(const beam_map *m, int node)
{
    return m->high[node] < 0 ? 0 : m->size * (m->high[node] - m->low[node] + 1);
}

lithe_status body_finish_beam(body *b, arena *memory)
{
    beam_map *m = b->beam;
    m->low = arena_new(memory, b->nnode, int);
    m->high = arena_new(memory, b->nnode, int);
    m->product_adr = arena_new(memory, b->nnode + 1, size_t);
    if (!m->low || !m->high || !m->product_adr)
        return LITHE_NO_MEMORY;
    find_windows(b, m);
    LITHE_TRY(widen_windows(b, m));
    for (int i = 0; i < b->nnode; i++)
        m->product_adr[i + 1] =
            m->product_adr[i] + (b->block[i] >= 0 ? 3 * (size_t)columns_of(m, i) : 0);
    return LITHE_OK;
}

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

static const double *local_of(const beam_map *m, int side)
{
    return &m->local[3 * (size_t)side * (size_t)(1 + m->nshape)];
}

// The arm of a node in its frame as it is now, in the world, times its weight.
static void arm_of(const beam_map *m, const frame_pose *p, int side, double out[3])
{
    const double *local = local_of(m, side);
    double y[3] = {local[0], local[1], local[2]};
    for (int j = 0; j < m->nshape; j++)
        vec_axpy(y, p->s[j], &local[3 * (1 + j)]);
    mat_apply(out, p->R, y);
}

static void node_positions(const body *b, const double *q, double *x)
{
    const beam_map *m = b->beam;
    frame_pose pose[BEAM_FRAMES_MAX];
    for (int f = 0; f < m->nframe; f++)
        pose[f] = pose_of(m, q, f);
    for (int i = 0; i < b->nnode; i++) {
        memset(&x[3 * i], 0, 3 * sizeof *x);
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            double arm[3];
            arm_of(m, &pose[m->side[k].frame], k, arm);
            vec_axpy(&x[3 * i], m->side[k].weight, pose[m->side[k].frame].c);
            vec_axpy(&x[3 * i], 1, arm);
        }
    }
}

// Of one side (3 x size): dx = weight dc + spin x arm + R shapes ds
static void side_block(const beam_map *m, const frame_pose *p, int side, double *J)
{
    int size = m->size;
    double arm[3];
    arm_of(m, p, side, arm);
    memset(J, 0, 3 * (size_t)size * sizeof *J);
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        J[i * size + i] = m->side[side].weight;
        J[j * size + 3 + k] = arm[i];
        J[k * size + 3 + j] = -arm[i];
    }
    for (int s = 0; s < m->nshape; s++) {
        double way[3];
        mat_apply(way, p->R, local_of(m, side) + 3 * (1 + s));
        for (int i = 0; i < 3; i++)
            J[i * size + 6 + s] = way[i];
    }
}

static void jacobian(const body *b, const double *q, double *J)
{
    const beam_map *m = b->beam;
    frame_pose pose[BEAM_FRAMES_MAX];
    for (int f = 0; f < m->nframe; f++)
        pose[f] = pose_of(m, q, f);
    for (int k = 0; k < nside_of(b); k++)
        if (m->free[m->side[k].frame] >= 0)
            side_block(m, &pose[m->side[k].frame], k, &J[3 * (size_t)m->size * (size_t)k]);
}

static const double *block_of(const beam_map *m, const double *J, int side)
{
    return &J[3 * (size_t)m->size * (size_t)side];
}

static void push(const body *b, const double *J, const double *dq, double *dx)
{
    const beam_map *m = b->beam;
    for (int i = 0; i < b->nnode; i++) {
        memset(&dx[3 * i], 0, 3 * sizeof *dx);
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int f = m->free[m->side[k].frame];
            if (f >= 0)
                m->kernels->push(m->size, block_of(m, J, k), &dq[m->size * f], &dx[3 * i]);
        }
    }
}

// line (every `stride`) += J' of a force on one node
static void scatter(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line)
{
    const beam_map *m = b->beam;
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
        int frame = m->free[m->side[k].frame], size = m->size;
        double on_frame[6 + BEAM_SHAPES_MAX] = {0};
        if (frame < 0)
            continue;
        m->kernels->pull(size, block_of(m, J, k), f, on_frame);
        for (int c = 0; c < size; c++)
            line[(size_t)(size * frame + c) * (size_t)stride] += on_frame[c];
    }
}

static void gather_line(const body *b, const double *J, const double *f, double *line)
{
    const beam_map *m = b->beam;
    memset(line, 0, (size_t)b->nq * sizeof *line);
    for (int i = 0; i < b->nnode; i++) {
        if (f[3 * i] == 0 && f[3 * i + 1] == 0 && f[3 * i + 2] == 0)
            continue;
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int frame = m->free[m->side[k].frame];
            if (frame >= 0)
                m->kernels->pull(m->size, block_of(m, J, k), &f[3 * i], &line[m->size * frame]);
        }
    }
}

static void gather(const body *b, const double *J, const double *f, int stride, double *line)
{
    if (stride == 1) {
        gather_line(b, J, f, line);
        return;
    }
    for (int i = 0; i < b->nq; i++)
        line[(size_t)i * (size_t)stride] = 0;
    for (int i = 0; i < b->nnode; i++)
        if (f[3 * i] != 0 || f[3 * i + 1] != 0 || f[3 * i + 2] != 0)
            scatter(b, J, i, &f[3 * (size_t)i], stride, line);
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
                mat_apply(along, p.R, local_of(m, k) + 3 * (1 + s));
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

// What a coordinate of a frame is worth in metres: a rotation moves what is at the end of its arm.
static double worth(const beam_map *m, int i, const double *arm)
{
    int part = i % m->size;
    return part >= 3 && part < 6 ? arm[i / m->size] : 1;
}

static double square(const body *b, const double *f)
{
    double sum = 0;
    for (int i = 0; i < b->nq; i++) {
        double force = f[i] / worth(b->beam, i, b->beam->arm);
        sum += force * force;
    }
    return sum;
}

static double largest(const body *b, const double *dq)
{
    double most = 0;
    for (int i = 0; i < b->nq; i++)
        most = worst_of(most, worth(b->beam, i, b->beam->arm) * fabs(dq[i]));
    return most;
}

// Of every line of A, where its band begins.
static void find_bands(const body *b, int *first)
{
    const beam_map *m = b->beam;
    for (int i = 0; i < b->nq; i++)
        first[i] = m->size * (i / m->size);
    for (int i = 0; i < b->nnode; i++)
        for (int f = m->low[i]; m->high[i] >= 0 && b->block[i] >= 0 && f <= m->high[i]; f++)
            for (int c = 0; c < m->size; c++)
                if (m->size * m->low[i] < first[m->size * f + c])
                    first[m->size * f + c] = m->size * m->low[i];
}

static lithe_status create(const body *b, const space_size *size, arena *memory, space_tangent *out)
{
    (void)size;
    struct beam_factor *f = out->beam = arena_new(memory, 1, struct beam_factor);
    size_t n = (size_t)b->nq;
    if (!f)
        return LITHE_NO_MEMORY;
    f->A = arena_new(memory, n * n, double);
    f->KJ = arena_new(memory, b->beam->product_adr[b->nnode], double);
    f->reached = arena_new(memory, b->nnode, bool);
    int *first = arena_new(memory, n, int);
    if (!f->A || !f->KJ || !f->reached || !first)
        return LITHE_NO_MEMORY;
    find_bands(b, first);
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
    return 8 * (2 * n * n + 2 * n + (double)b->beam->product_adr[b->nnode]);
}

// Columns of K J of node i += K J_j, as far as they are needed.
static void add_product(const body *b, const double *J, int i, int j, const double K[9],
                        struct beam_factor *t)
{
    const beam_map *m = b->beam;
    int size = m->size, columns = columns_of(m, i);
    double *out = &t->KJ[m->product_adr[i]];
    if (!t->reached[i])
        memset(out, 0, 3 * (size_t)columns * sizeof *out);
    t->reached[i] = true;
    for (int k = m->side_adr[j]; k < m->side_adr[j + 1]; k++) {
        int f = m->free[m->side[k].frame];
        if (f < 0 || f > m->high[i])
            continue;
        m->kernels->multiply(size, K, block_of(m, J, k), columns, out + size * (f - m->low[i]));
    }
}

static bool is_zero(const double K[9])
{
    for (int i = 0; i < 9; i++)
        if (K[i] != 0)
            return false;
    return true;
}

// Nodes that no element has, where a few stand for all, have blocks of zeros.
static void multiply(const body *b, const double *J, const double *K, struct beam_factor *t)
{
    memset(t->reached, false, (size_t)b->nnode * sizeof *t->reached);
    for (int j = 0; j < b->nrow; j++)
        for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++) {
            const double *block = &K[9 * (size_t)k];
            int row = b->block_node[b->pattern.row[k]], column = b->block_node[j];
            if (is_zero(block))
                continue;
            if (row == column) { // only its lower half is sure
                double whole[9] = {block[0], block[3], block[6], block[3], block[4],
                                   block[7], block[6], block[7], block[8]};
                add_product(b, J, row, row, whole, t);
                continue;
            }
            double other[9];
            for (int i = 0; i < 9; i++)
                other[i] = block[3 * (i % 3) + i / 3];
            add_product(b, J, row, column, block, t);
            add_product(b, J, column, row, other, t);
        }
}

// A += J' (K J) of one node, the lower half by blocks of frames
static void add_square(const body *b, const double *J, int i, const double *KJ, double *A)
{
    const beam_map *m = b->beam;
    int size = m->size, columns = columns_of(m, i), first = size * m->low[i];
    for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
        int f = m->free[m->side[k].frame];
        if (f >= 0)
            m->kernels->square(size, block_of(m, J, k), size * (f - m->low[i] + 1), columns,
                               &KJ[m->product_adr[i]], b->nq,
                               &A[(size_t)(size * f) * (size_t)b->nq + (size_t)first]);
    }
}

// Of one side with a force: the second derivative of force . phi, of spins, and of spins and
// shapes; lower half of a frame's block. Its block of J tells the arm and where shapes lead.
static void add_rotating(const beam_map *m, const double *J, const double f[3], size_t stride,
                         double *A)
{
    size_t size = (size_t)m->size;
    double arm[3] = {J[size + 5], J[2 * size + 3], J[4]}, moment[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            A[(size_t)(3 + i) * stride + 3 + (size_t)j] +=
                0.5 * (arm[i] * f[j] + f[i] * arm[j]) - (i == j ? vec_dot(arm, f) : 0);
    for (size_t s = 6; s < size; s++) {
        vec_cross(moment, (const double[]){J[s], J[size + s], J[2 * size + s]}, f);
        for (int j = 0; j < 3; j++)
            A[s * stride + 3 + (size_t)j] += moment[j];
    }
}

static void add_second(const body *b, const double *J, const double *force, double *A)
{
    const beam_map *m = b->beam;
    size_t n = (size_t)b->nq;
    for (int i = 0; i < b->nnode; i++)
        for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++) {
            int f = m->free[m->side[k].frame];
            if (f >= 0 && (force[3 * i] != 0 || force[3 * i + 1] != 0 || force[3 * i + 2] != 0))
                add_rotating(m, block_of(m, J, k), &force[3 * i], n,
                             &A[(size_t)(m->size * f) * (n + 1)]);
        }
}

static void assemble(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t)
{
    (void)q;
    struct beam_factor *f = t->beam;
    size_t n = (size_t)b->nq;
    for (size_t i = 0; i < n; i++)
        memset(&f->A[i * n], 0,
               (i / (size_t)b->beam->size + 1) * (size_t)b->beam->size * sizeof *f->A);
    multiply(b, J, t->K, f);
    for (int i = 0; i < b->nnode; i++)
        if (f->reached[i])
            add_square(b, J, i, f->KJ, f->A);
    if (force)
        add_second(b, J, force, f->A);
    for (size_t i = 0; i < n; i++) // a shape that moves nothing is pinned
        if (f->A[i * (n + 1)] == 0 && i % (size_t)b->beam->size >= 6)
            f->A[i * (n + 1)] = 1;
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
    (void)threads;
    small_factor *f = &t->beam->factor;
    small_factor_make(f, t->beam->A, b->nq);
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
