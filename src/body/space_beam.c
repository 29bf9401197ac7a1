// The beam space: frames along a centre line, which move, rotate and deform their sections. A
// couples frames that are near each other on the line, so its lower half is a band.
#include "base/rotation.h"
#include "base/vec.h"
#include "base/worst.h"
#include "body/beam_space.h"
#include "body/body.h"
#include "body/space_small.h"

#include <math.h>
#include <string.h>

enum {
    NODES = 16, // of the same frames that are taken together
    NEAR = 32,  // whose lines of dx/dq are kept at hand
};

struct beam_work {
    double *J, *KJ; // of some nodes of every span in a window (nspan x 3 NODES x widest)
    int *waiting;   // … how many there are (nspan)
    double *lines;  // dx/dq of nodes that were asked for last (NEAR x 3 widest)
    int near[NEAR]; // which nodes they are of; -1: none
    size_t widest;
};

// Where frames are, which is what J has: their coordinates, or those at rest, and rotations.
static beam_pose pose_of(const beam_map *m, const double *q, int frame)
{
    beam_pose p = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    memcpy(p.c, &m->origin[3 * frame], sizeof p.c);
    if (m->free[frame] < 0)
        return p;
    q += m->size * m->free[frame];
    memcpy(p.c, q, sizeof p.c);
    rotation_matrix(q + 3, p.R);
    memcpy(p.s, q + 6, (size_t)m->nshape * sizeof *p.s);
    return p;
}

static const beam_pose *pose_in(const double *J, int frame)
{
    return (const beam_pose *)(const void *)J + frame;
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

static int nbatch_of(const beam_map *m, int frame)
{
    return m->batch_adr[frame + 1] - m->batch_adr[frame];
}

static void node_positions(const body *b, const double *q, double *x)
{
    const beam_map *m = b->beam;
    memset(x, 0, 3 * (size_t)b->nnode * sizeof *x);
    for (int f = 0; f < m->nframe; f++) {
        beam_pose p = pose_of(m, q, f);
        m->kernels->position(nbatch_of(m, f), &m->batch[m->batch_adr[f]], m->nshape, &p, x);
    }
}

static void jacobian(const body *b, const double *q, double *J)
{
    for (int f = 0; f < b->beam->nframe; f++) {
        beam_pose p = pose_of(b->beam, q, f);
        memcpy(J + (size_t)f * sizeof p / sizeof *J, &p, sizeof p);
    }
}

static void push(const body *b, const double *J, const double *dq, double *dx)
{
    const beam_map *m = b->beam;
    memset(dx, 0, 3 * (size_t)b->nnode * sizeof *dx);
    for (int f = 0; f < m->nframe; f++)
        if (m->free[f] >= 0)
            m->kernels->push(nbatch_of(m, f), &m->batch[m->batch_adr[f]], m->nshape, pose_in(J, f),
                             &dq[m->size * m->free[f]], dx);
}

// The arm of a node in its frame as it is now, times its weight; and in the world.
static inline void arm_in_frame(const beam_map *m, const beam_pose *p, int side, double out[3])
{
    const double *shape = &m->shape[3 * side * m->nshape];
    memcpy(out, &m->arm[3 * side], 3 * sizeof *out);
    for (int j = 0; j < m->nshape; j++)
        vec_axpy(out, p->s[j], &shape[3 * j]);
}

static void arm_of(const beam_map *m, const beam_pose *p, int side, double out[3])
{
    double y[3];
    arm_in_frame(m, p, side, y);
    mat_apply(out, p->R, y);
}

// line (every `stride`) += J' of a force on one node
static void scatter(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line)
{
    const beam_map *m = b->beam;
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
        int frame = m->free[m->side[k].frame];
        const beam_pose *p = pose_in(J, m->side[k].frame);
        double arm[3], moment[3], g[3], *to = line + (size_t)stride * (size_t)(m->size * frame);
        if (frame < 0)
            continue;
        arm_of(m, p, k, arm);
        vec_cross(moment, arm, f);
        mat_apply_transposed(g, p->R, f);
        for (int i = 0; i < 3; i++) {
            to[i * stride] += m->side[k].weight * f[i];
            to[(3 + i) * stride] += moment[i];
        }
        for (int j = 0; j < m->nshape; j++)
            to[(6 + j) * stride] += vec_dot(&m->shape[3 * (k * m->nshape + j)], g);
    }
}

static void gather_line(const body *b, const double *J, const double *f, double *line)
{
    const beam_map *m = b->beam;
    memset(line, 0, (size_t)b->nq * sizeof *line);
    for (int k = 0; k < m->nframe; k++)
        if (m->free[k] >= 0)
            m->kernels->pull(nbatch_of(m, k), &m->batch[m->batch_adr[k]], m->nshape, pose_in(J, k),
                             f, &line[m->size * m->free[k]]);
}

static void gather(const body *b, const double *J, const double *f, int stride, double *line)
{
    double room[BEAM_FRAMES_MAX * (6 + BEAM_SHAPES_MAX)];
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
            beam_pose p = pose_of(m, q, m->side[k].frame);
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
    for (int k = 0; k < m->nwindow; k++)
        for (int i = m->window[k].adr; i < m->window[k].adr + m->window[k].n; i++) {
            int node = m->order[i], low = m->size * m->window[k].low;
            for (int l = m->size * m->first[node]; l < m->size * (m->last[node] + 1); l++)
                first[l] = low < first[l] ? low : first[l];
        }
}

// Numbers of a line of K J, for the frames of a window.
static int width_of(const beam_map *m, const beam_window *w)
{
    return beam_whole(m->size * (w->high - w->low + 1)) + LANES;
}

// No line of a node is longer than one of its window.
static size_t widest(const beam_map *m)
{
    int most = LANES;
    for (int k = 0; k < m->nwindow; k++) {
        int width = width_of(m, &m->window[k]) + LANES;
        most = width > most ? width : most;
    }
    return (size_t)most;
}

static size_t most_spans(const beam_map *m)
{
    int most = 1;
    for (int k = 0; k < m->nwindow; k++)
        most = m->window[k].nspan > most ? m->window[k].nspan : most;
    return (size_t)most;
}

static lithe_status create(const body *b, const space_size *size, arena *memory, space_tangent *out)
{
    (void)size;
    const beam_map *m = b->beam;
    struct beam_work *f = out->beam = arena_new(memory, 1, struct beam_work);
    size_t n = (size_t)b->nq, nspan = most_spans(m);
    if (!f)
        return LITHE_NO_MEMORY;
    int stride = beam_whole(b->nq) + LANES;
    f->widest = widest(m);
    // with room for a vector behind each line and eight lines
    out->A = arena_new(memory, (n + LANES) * (size_t)stride, double);
    f->J = arena_new(memory, 3 * NODES * nspan * f->widest, double);
    f->KJ = arena_new(memory, 3 * NODES * nspan * f->widest, double);
    f->waiting = arena_new(memory, nspan, int);
    f->lines = arena_new(memory, 3 * NEAR * f->widest, double);
    int *first = arena_new(memory, n, int);
    if (!out->A || !f->J || !f->KJ || !f->waiting || !f->lines || !first)
        return LITHE_NO_MEMORY;
    find_bands(m, b->nq, first);
    return space_small_create(b, stride, first, memory, out);
}

static double bytes(const body *b, const space_size *size)
{
    (void)size;
    double n = b->nq;
    size_t room = 3 * (2 * NODES * most_spans(b->beam) + NEAR) * widest(b->beam);
    return 8 * (2 * n * n + 20 * n + (double)room);
}

// Three lines of dx/dq of a node. Those of neighbours are asked for soon again, and making them
// costs less than to fetch them from afar.
static const double *lines_of(const body *b, int node, const double *J, struct beam_work *t)
{
    const beam_map *m = b->beam;
    int at = node % NEAR, n = m->stride[node], width = beam_whole(m->nshape);
    double *lines = &t->lines[3 * (size_t)at * t->widest];
    if (t->near[at] == node)
        return lines;
    t->near[at] = node;
    // what sides do not write: behind the last one, and where a frame in between is not its own
    int nside = 0;
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++)
        nside += m->free[m->side[k].frame] >= 0;
    bool all = nside == m->last[node] - m->first[node] + 1;
    for (int i = 0; i < 3; i++)
        memset(lines + (i + 1) * n - (all ? LANES : n), 0,
               (size_t)(all ? LANES : n) * sizeof *lines);
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
        int f = m->free[m->side[k].frame];
        const beam_pose *p = pose_in(J, m->side[k].frame);
        double arm[3];
        if (f < 0)
            continue;
        // ascending: what one writes behind its columns, the next one writes anew
        arm_in_frame(m, p, k, arm);
        m->kernels->columns(width, p->R, m->lines + 3 * (size_t)k * (size_t)width,
                            m->side[k].weight, arm, n, lines + m->size * (f - m->first[node]));
    }
    return lines;
}

static bool is_zero(const double K[9])
{
    for (int i = 0; i < 9; i++)
        if (K[i] != 0)
            return false;
    return true;
}

// Three lines of K J, in the columns of a window. False: K has nothing there, as of nodes that no
// element has where a few stand for all.
static bool multiply_node(const body *b, const beam_window *w, int node, const double *K,
                          const double *J, struct beam_work *t, double *out)
{
    const beam_map *m = b->beam;
    int width = width_of(m, w);
    bool some = false;
    for (int e = m->entry_adr[node]; e < m->entry_adr[node + 1]; e++) {
        int j = m->entry[e].column;
        const double *block = &K[9 * (size_t)m->entry[e].block];
        if (m->last[j] < 0 || is_zero(block))
            continue;
        double across[9] = {block[0], block[3], block[6], block[1], block[4],
                            block[7], block[2], block[5], block[8]};
        if (j == node) { // only its lower half is sure
            across[3] = block[3];
            across[6] = block[6];
            across[7] = block[7];
        }
        if (!some)
            memset(out, 0, 3 * (size_t)width * sizeof *out);
        some = true;
        m->kernels->multiply(beam_ncolumn(m, j), m->stride[j], lines_of(b, j, J, t),
                             m->entry[e].transposed || j == node ? across : block, width,
                             out + m->size * (m->first[j] - w->low));
    }
    return some;
}

// A += J' (K J) of nodes that have waited; all have the frames of this one.
static void add_waiting(const beam_map *m, const beam_window *w, int node, space_tangent *t)
{
    struct beam_work *work = t->beam;
    int span = m->span[node], row = m->size * m->first[node], column = m->size * w->low;
    size_t at = 3 * NODES * (size_t)span * work->widest;
    m->kernels->square(3 * work->waiting[span], beam_ncolumn(m, node), m->stride[node],
                       work->J + at, row - column, m->size * (w->high - w->low + 1), width_of(m, w),
                       work->KJ + at, t->stride,
                       &t->A[(size_t)row * (size_t)t->stride + (size_t)column]);
    work->waiting[span] = 0;
}

// Nodes of a window in order, so that neighbours come together.
static void add_window(const body *b, const beam_window *w, const double *J, space_tangent *t)
{
    const beam_map *m = b->beam;
    struct beam_work *work = t->beam;
    size_t width = (size_t)width_of(m, w);
    for (int i = w->adr; i < w->adr + w->n; i++) {
        int node = m->order[i], span = m->span[node], *n = &work->waiting[span];
        size_t at = 3 * NODES * (size_t)span * work->widest, stride = (size_t)m->stride[node];
        if (!multiply_node(b, w, node, t->K, J, work, &work->KJ[at + 3 * (size_t)*n * width]))
            continue;
        memcpy(&work->J[at + 3 * (size_t)*n * stride], lines_of(b, node, J, work),
               3 * stride * sizeof *work->J);
        if (++*n == NODES)
            add_waiting(m, w, node, t);
    }
    for (int i = w->adr; i < w->adr + w->n; i++)
        if (work->waiting[m->span[m->order[i]]] > 0)
            add_waiting(m, w, m->order[i], t);
}

// Of a frame, whose nodes have forces f: the second derivative of the sum of f . phi, of spins and
// of spins and shapes. M: sum of arms f', T: sum of shapes x f, as the frame sees them.
static void add_rotating(const beam_map *m, const beam_pose *p, const double M[9], const double *T,
                         int stride, double *A)
{
    double half[9], rotated[9], moment[3];
    mat_mul(half, p->R, M);
    for (int i = 0; i < 9; i++)
        rotated[i] = vec_dot(&half[i / 3 * 3], &p->R[i % 3 * 3]);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            A[(ptrdiff_t)(3 + i) * stride + 3 + j] +=
                0.5 * (rotated[3 * i + j] + rotated[3 * j + i]) - (i == j ? M[0] + M[4] + M[8] : 0);
    for (int s = 0; s < m->nshape; s++) {
        mat_apply(moment, p->R, &T[3 * s]);
        for (int i = 0; i < 3; i++)
            A[(ptrdiff_t)(6 + s) * stride + 3 + i] += moment[i];
    }
}

static void add_second(const body *b, const double *J, const double *force, space_tangent *t)
{
    const beam_map *m = b->beam;
    double M[9], T[3 * BEAM_SHAPES_MAX];
    for (int f = 0; f < m->nframe; f++) {
        if (m->free[f] < 0)
            continue;
        m->kernels->moments(nbatch_of(m, f), &m->batch[m->batch_adr[f]], m->nshape, pose_in(J, f),
                            force, M, T);
        add_rotating(m, pose_in(J, f), M, T, t->stride,
                     &t->A[(size_t)(m->size * m->free[f]) * (size_t)(t->stride + 1)]);
    }
}

static void assemble(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t)
{
    (void)q;
    const beam_map *m = b->beam;
    size_t n = (size_t)b->nq;
    memset(t->A, 0, n * (size_t)t->stride * sizeof *t->A);
    memset(t->beam->near, -1, sizeof t->beam->near);
    for (int k = 0; k < m->nwindow; k++)
        add_window(b, &m->window[k], J, t);
    if (force)
        add_second(b, J, force, t);
    for (size_t i = 0; i < n; i++) { // a shape that moves nothing is pinned
        double *pivot = &t->A[i * (size_t)(t->stride + 1)];
        *pivot = *pivot == 0 && i % (size_t)m->size >= 6 ? 1 : *pivot;
    }
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
