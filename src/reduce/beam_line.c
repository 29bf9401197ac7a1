#include "reduce/beam_line.h"

#include "base/status.h"
#include "base/vec.h"
#include "reduce/tolerances.h"

#include <math.h>
#include <string.h>

lithe_status beam_frames_on(int npoint, const double *point, int n, double *frame,
                            lithe_report *report)
{
    double length = 0, done = 0;
    for (int i = 0; i + 1 < npoint; i++) {
        double piece = vec_distance(&point[3 * i], &point[3 * (i + 1)]);
        if (!(piece > 0) || !isfinite(piece))
            return LITHE_FAIL(report, LITHE_INVALID,
                              "points %d and %d of the centre line are the same, or no numbers", i,
                              i + 1);
        length += piece;
    }
    if (n == npoint) {
        memcpy(frame, point, 3 * (size_t)n * sizeof *frame);
        return LITHE_OK;
    }
    for (int k = 0, i = 0; k < n; k++) {
        double at = length * k / (n - 1), piece = vec_distance(&point[0], &point[3]);
        for (i = 0, done = 0; i + 2 < npoint && at > done + piece; i++) {
            done += piece;
            piece = vec_distance(&point[3 * (i + 1)], &point[3 * (i + 2)]);
        }
        double t = fmin(1, (at - done) / piece);
        for (int axis = 0; axis < 3; axis++)
            frame[3 * k + axis] = (1 - t) * point[3 * i + axis] + t * point[3 * (i + 1) + axis];
    }
    return LITHE_OK;
}

// How far nodes are from what is held, along edges of elements; INFINITY: no element has it.
static void find_distances(const body *b, double *distance)
{
    for (int i = 0; i < b->nnode; i++)
        distance[i] = INFINITY;
    for (int k = 0; k < b->nfamily; k++)
        for (int i = 0; i < b->family[k].n * b->family[k].kind->nnode; i++)
            if (b->held[b->family[k].node[i]])
                distance[b->family[k].node[i]] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (int k = 0; k < b->nfamily; k++) {
            const element_family *f = &b->family[k];
            int n = f->kind->nnode;
            for (int i = 0; i < f->n * n; i++)
                for (int j = i / n * n; j < i / n * n + n; j++) {
                    double there = distance[f->node[i]] +
                                   vec_distance(&b->X[3 * f->node[i]], &b->X[3 * f->node[j]]);
                    changed = changed || there < distance[f->node[j]];
                    distance[f->node[j]] = fmin(distance[f->node[j]], there);
                }
        }
    }
}

// Means of the nodes between equal distances; returns how many there are.
static int find_middles(const body *b, const double *distance, int nlevel, double *point)
{
    double farthest = 0;
    int n = 0;
    for (int i = 0; i < b->nnode; i++)
        if (isfinite(distance[i]))
            farthest = fmax(farthest, distance[i]);
    for (int level = 0; level < nlevel; level++) {
        double sum[3] = {0}, low = farthest * level / nlevel,
               high = farthest * (level + 1) / nlevel;
        int count = 0;
        for (int i = 0; i < b->nnode; i++)
            if (distance[i] >= low && (distance[i] < high || level + 1 == nlevel) &&
                isfinite(distance[i])) {
                vec_axpy(sum, 1, &b->X[3 * i]);
                count++;
            }
        for (int axis = 0; axis < 3 && count > 0; axis++)
            point[3 * n + axis] = sum[axis] / count;
        n += count > 0;
    }
    return n;
}

// An end of the line goes on as far as there are nodes.
static void extend(const body *b, const double *distance, const double *before, double *end)
{
    double along[3], most = 0;
    vec_sub(along, end, before);
    vec_scale(along, 1 / vec_norm(along));
    for (int i = 0; i < b->nnode; i++) {
        double way[3];
        vec_sub(way, &b->X[3 * i], end);
        // what lies farther aside than ahead belongs elsewhere on a bent line
        if (isfinite(distance[i]) && vec_dot(way, along) > 0.5 * vec_norm(way))
            most = fmax(most, vec_dot(way, along));
    }
    vec_axpy(end, most, along);
}

lithe_status beam_frames_in(const body *b, int n, double *frame, lithe_report *report)
{
    enum { LEVELS = 8 };
    arena scratch = {0};
    double point[3 * LEVELS] = {0}, *distance = arena_new(&scratch, b->nnode, double);
    lithe_status status = LITHE_OK;
    int npoint = 0;
    if (distance) {
        find_distances(b, distance);
        npoint = find_middles(b, distance, LEVELS, point);
    }
    if (!distance)
        status = report_no_memory(report, "the centre line");
    else if (npoint < 2)
        status = LITHE_FAIL(report, LITHE_INVALID,
                            "no centre line can be found: nothing holds the robot, or it is no "
                            "longer than an element; give the line");
    if (status == LITHE_OK) {
        extend(b, distance, &point[3], &point[0]);
        extend(b, distance, &point[3 * (npoint - 2)], &point[3 * (npoint - 1)]);
        status = beam_frames_on(npoint, point, n, frame, report);
    }
    arena_free(&scratch);
    return status;
}

// Where on the line of frames a point is: after which frame, and which share of the way to the
// next.
static int locate(const lithe_reduction *r, const double x[3], double *share)
{
    double nearest = INFINITY;
    int at = 0;
    for (int k = 0; k + 1 < r->nframe; k++) {
        const double *from = &r->frame[3 * k];
        double along[3], way[3];
        vec_sub(along, from + 3, from);
        vec_sub(way, x, from);
        double t = fmin(fmax(0, vec_dot(way, along) / vec_dot(along, along)), 1);
        vec_axpy(way, -t, along);
        double distance = vec_norm(way);
        if (distance < nearest * (1 - BEAM_SNAP)) {
            nearest = distance;
            at = k;
            *share = t < BEAM_SNAP ? 0 : t > 1 - BEAM_SNAP ? 1 : t;
        }
    }
    return at;
}

// Arms and shapes of a node's sides. Half of the way along the line is in its arms: then the line
// between two frames that rotate is bent as they are, and nothing is sheared.
static void set_sides(const lithe_reduction *r, beam_map *m, int node, const double x[3])
{
    double middle[3] = {0};
    size_t nshape = (size_t)m->nshape;
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++)
        vec_axpy(middle, m->side[k].weight, &m->origin[3 * m->side[k].frame]);
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
        const double *origin = &m->origin[3 * m->side[k].frame];
        double weight = m->side[k].weight;
        for (int axis = 0; axis < 3; axis++)
            m->arm[3 * k + axis] = weight * (x[axis] - 0.5 * (middle[axis] + origin[axis]));
        for (size_t i = 3 * nshape * (size_t)k; i < 3 * nshape * (size_t)(k + 1); i++)
            m->shape[i] = weight * r->shape[i];
    }
}

// Which frames carry which nodes.
static void find_sides(const lithe_reduction *r, const body *b, beam_map *m)
{
    int n = 0;
    for (int i = 0; i < b->nnode; i++) {
        double t = 0;
        int k = locate(r, &b->X[3 * i], &t);
        if (t < 1)
            m->side[n++] = (beam_side){k, 1 - t};
        if (t > 0)
            m->side[n++] = (beam_side){k + 1, t};
        m->side_adr[i + 1] = n;
    }
}

static lithe_status check_frames(const beam_map *m, int nside, lithe_report *report)
{
    for (int f = 0; f < m->nframe; f++) {
        int n = 0;
        for (int k = 0; k < nside; k++)
            n += m->side[k].frame == f;
        if (n < 3)
            return LITHE_FAIL(report, LITHE_INVALID,
                              "frame %d of %d on the centre line, at (%.4g, %.4g, %.4g) m, carries "
                              "%d nodes; it needs 3: take fewer frames, or another line",
                              f + 1, m->nframe, m->origin[3 * f], m->origin[3 * f + 1],
                              m->origin[3 * f + 2], n);
    }
    return LITHE_OK;
}

// Frames that carry what is held stand still. Nodes that no element has are held by themselves, and
// do not count.
static void hold_frames(const body *b, beam_map *m)
{
    for (int f = 0; f < b->nfamily; f++)
        for (int i = 0; i < b->family[f].n * b->family[f].kind->nnode; i++) {
            int node = b->family[f].node[i];
            for (int k = m->side_adr[node]; k < m->side_adr[node + 1] && b->held[node]; k++)
                m->still[m->side[k].frame] = true;
        }
}

// Distance from its origin at which a frame's nodes lie: root of the mean square.
static void measure_reach(const body *b, beam_map *m)
{
    for (int f = 0; f < m->nframe; f++) {
        double sum = 0, weight = 0;
        for (int k = 0; k < beam_nside(m, b->nnode); k++)
            if (m->side[k].frame == f) {
                sum += vec_dot(&m->arm[3 * k], &m->arm[3 * k]);
                weight += m->side[k].weight * m->side[k].weight;
            }
        m->reach[f] = sum > 0 ? sqrt(sum / weight) : 1;
    }
}

lithe_status beam_lay(const body *b, const lithe_reduction *r, arena *memory, beam_map **out,
                      lithe_report *report)
{
    beam_map *m = *out = arena_new(memory, 1, beam_map);
    size_t most = 2 * (size_t)b->nnode;
    if (!m)
        return report_no_memory(report, "frames");
    *m = (beam_map){.nframe = r->nframe, .nshape = r->nshape};
    m->origin = arena_new(memory, 3 * (size_t)r->nframe, double);
    m->side_adr = arena_new(memory, b->nnode + 1, int);
    m->side = arena_new(memory, most, beam_side);
    m->arm = arena_new(memory, 3 * most, double);
    m->shape = arena_new(memory, 3 * most * (size_t)r->nshape, double);
    m->still = arena_new(memory, r->nframe, bool);
    m->reach = arena_new(memory, r->nframe, double);
    if (!m->origin || !m->side_adr || !m->side || !m->arm || !m->shape || !m->still || !m->reach)
        return report_no_memory(report, "frames");
    memcpy(m->origin, r->frame, 3 * (size_t)r->nframe * sizeof *m->origin);
    find_sides(r, b, m);
    if (m->nshape > 0 && r->nside != beam_nside(m, b->nnode))
        return LITHE_FAIL(report, LITHE_INVALID,
                          "the reduction has shapes of %d nodes' sides, and frames carry %d: make "
                          "a new one by lithe reduce",
                          r->nside, beam_nside(m, b->nnode));
    for (int i = 0; i < b->nnode; i++)
        set_sides(r, m, i, &b->X[3 * i]);
    hold_frames(b, m);
    measure_reach(b, m);
    return check_frames(m, beam_nside(m, b->nnode), report);
}

lithe_status beam_check_held(const beam_map *m, lithe_report *report)
{
    int still = 0;
    for (int f = 0; f < m->nframe; f++)
        still += m->still[f];
    if (still > 0 && still < m->nframe)
        return LITHE_OK;
    return LITHE_FAIL(report, LITHE_INVALID,
                      still > 0 ? "all frames on the centre line carry nodes that are held: take "
                                  "more frames"
                                : "no frame on the centre line carries a node that is held");
}

double beam_noise(const beam_map *m, int nnode, double noise)
{
    double largest = 1;
    for (int f = 0; f < m->nframe; f++) {
        double sum = 0;
        for (int k = 0; k < beam_nside(m, nnode); k++)
            if (m->side[k].frame == f)
                sum += m->side[k].weight * m->side[k].weight;
        largest = fmax(largest, sum);
    }
    return noise * sqrt(largest);
}
