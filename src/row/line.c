#include "row/line.h"

#include "base/vec.h"
#include "row/point.h"
#include "row/tolerances.h"

// Unit vector from point k to point k + 1; returns the segment's length.
static double segment(const row_line *line, int k, const double *x, double t[3])
{
    double a[3], b[3];
    point_position(&line->point[k], x, a);
    point_position(&line->point[k + 1], x, b);
    vec_sub(t, b, a);
    double length = vec_norm(t);
    for (int i = 0; i < 3; i++)
        t[i] = length > LINE_NO_LENGTH ? t[i] / length : 0;
    return length;
}

static double weight_of(const row_line *line, int k)
{
    return line->weight ? line->weight[k] : 1;
}

double line_length(const row_line *line, const double *x)
{
    double length = 0, t[3];
    for (int k = 0; k + 1 < line->npoint; k++)
        if (weight_of(line, k) != 0)
            length += weight_of(line, k) * segment(line, k, x, t);
    return length;
}

static void pull_point(const row_line *line, int p, const double *x, double scale,
                       const double t[3], double *H)
{
    const row_point *point = &line->point[p];
    point_arms arms = point_rotated(point, x);
    for (int a = 0; a < point_nnode(point); a++) {
        double pull[3];
        point_push(point, &arms, a, t, pull);
        vec_axpy(&H[3 * line->slot[line->slot_adr[p] + a]], scale, pull);
    }
}

void line_gradient(const row_line *line, const double *x, double *H)
{
    double t[3];
    for (int k = 0; k + 1 < line->npoint; k++) {
        double scale = line->sign * weight_of(line, k);
        if (scale == 0)
            continue;
        segment(line, k, x, t);
        pull_point(line, k, x, -scale, t, H);
        pull_point(line, k + 1, x, scale, t, H);
    }
}

// One segment: its direction, and its points' arms.
typedef struct line_segment {
    const row_point *point[2];
    point_arms arms[2];
    double length, t[3];
} line_segment;

static line_segment take_segment(const row_line *line, int k, const double *x)
{
    line_segment s;
    s.length = segment(line, k, x, s.t);
    for (int end = 0; end < 2; end++) {
        s.point[end] = &line->point[k + end];
        s.arms[end] = point_rotated(s.point[end], x);
    }
    return s;
}

// K += scale Ja' (I - t t') Jb for node a of one end and node c of another
static void add_across(const line_segment *s, int end, int a, int other, int c, double scale,
                       double *K)
{
    double Ja[9], Jc[9], P[9], PJ[9];
    for (int i = 0; i < 9; i++)
        P[i] = (end == other ? scale : -scale) * ((i % 4 == 0) - s->t[i / 3] * s->t[i % 3]);
    if (!point_is_arm(s->point[end], a) && !point_is_arm(s->point[other], c)) {
        double weight = point_weight(s->point[end], a) * point_weight(s->point[other], c);
        for (int i = 0; i < 9; i++)
            K[i] += weight * P[i];
        return;
    }
    point_rate(s->point[end], &s->arms[end], a, Ja);
    point_rate(s->point[other], &s->arms[other], c, Jc);
    mat_mul(PJ, P, Jc);
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 3; j++)
            K[i] += Ja[3 * j + i / 3] * PJ[3 * j + i % 3];
}

// The block of A that pair (end, a), (other, c) of segment k goes to.
static size_t pair_adr(const row_line *line, int k, int end, int a, int other, int c)
{
    int first = point_nnode(&line->point[k]), n = first + point_nnode(&line->point[k + 1]);
    int i = end * first + a, j = other * first + c;
    return line->block_adr[k] + (size_t)i * (size_t)n + (size_t)j;
}

// K += tension times the second derivative of the length by the rotation of node a's arm
static void add_rotating(const line_segment *s, int end, int a, double tension, double *K)
{
    double f[3], T[9];
    for (int i = 0; i < 3; i++)
        f[i] = (end ? tension : -tension) * s->t[i];
    point_rotating(s->arms[end].arm[a - s->point[end]->nposition], f, T);
    for (int i = 0; i < 9; i++)
        K[i] += T[i];
}

static void segment_stiffness(const row_line *line, int k, const line_segment *s, double tension,
                              bool positive, double *const *blocks)
{
    for (int end = 0; end < 2; end++)
        for (int a = 0; a < point_nnode(s->point[end]); a++)
            for (int other = 0; other < 2; other++)
                for (int c = 0; c < point_nnode(s->point[other]); c++) {
                    int at = line->block[pair_adr(line, k, end, a, other, c)];
                    if (at < 0)
                        continue;
                    double *K = &blocks[s->point[end]->body][9 * (size_t)at];
                    add_across(s, end, a, other, c, tension / s->length, K);
                    if (end == other && a == c && point_is_arm(s->point[end], a) && !positive)
                        add_rotating(s, end, a, tension, K);
                }
}

void line_stiffness(const row_line *line, const double *x, double tension, bool positive,
                    double *const *blocks)
{
    for (int k = 0; k + 1 < line->npoint; k++) {
        double pull = tension * weight_of(line, k);
        if (pull == 0)
            continue;
        line_segment s = take_segment(line, k, x);
        if (s.length > LINE_NO_LENGTH)
            segment_stiffness(line, k, &s, pull, positive, blocks);
    }
}

// force += what a motion adds at one end: J' f, and the rotation of its arms under the pull
static void push_end(const line_segment *s, int end, const double f[3], double tension,
                     const double *motion, double *force)
{
    const row_point *p = s->point[end];
    for (int a = 0; a < point_nnode(p); a++) {
        double push[3], T[9] = {0}, rotated[3];
        point_push(p, &s->arms[end], a, f, push);
        vec_axpy(&force[3 * point_node(p, a)], 1, push);
        if (!point_is_arm(p, a))
            continue;
        add_rotating(s, end, a, tension, T);
        mat_apply(rotated, T, &motion[3 * p->node[a]]);
        vec_axpy(&force[3 * p->node[a]], 1, rotated);
    }
}

void line_stiffness_times(const row_line *line, const double *x, double tension,
                          const double *displacement, double *force)
{
    for (int k = 0; k + 1 < line->npoint; k++) {
        double near[3], far[3], change[3], f[2][3], pull = tension * weight_of(line, k);
        if (pull == 0)
            continue;
        line_segment s = take_segment(line, k, x);
        if (s.length <= LINE_NO_LENGTH)
            continue;
        point_motion(s.point[0], &s.arms[0], displacement, near);
        point_motion(s.point[1], &s.arms[1], displacement, far);
        vec_sub(change, far, near);
        vec_axpy(change, -vec_dot(s.t, change), s.t);
        for (int i = 0; i < 3; i++) {
            f[1][i] = pull / s.length * change[i];
            f[0][i] = -f[1][i];
        }
        for (int end = 0; end < 2; end++)
            push_end(&s, end, f[end], pull, displacement, force);
    }
}

lithe_status line_couple(const row_line *line, int body_id, const body *b, sparse_builder *builder)
{
    for (int k = 0; k + 1 < line->npoint; k++) {
        int node[2 * ROW_PATCH_NODE], n = 0;
        for (int end = k; end < k + 2; end++) {
            const row_point *p = &line->point[end];
            bool here = p->body == body_id && weight_of(line, k) != 0;
            for (int a = 0; a < point_nnode(p) && here; a++)
                node[n++] = point_node(p, a) - b->node_adr;
        }
        LITHE_TRY(body_couple(b, builder, n, node));
    }
    return LITHE_OK;
}

// Block of A for two nodes of the bodies; the symmetric half only, so -1 above the diagonal.
static int pair_block(const row_point *p, int a, const row_point *q, int c, const body *bodies)
{
    if (p->body < 0 || p->body != q->body)
        return -1;
    const body *b = &bodies[p->body];
    int i = b->block[point_node(p, a) - b->node_adr];
    int j = b->block[point_node(q, c) - b->node_adr];
    return i < 0 || j < 0 || i < j ? -1 : sparse_find(&b->pattern, i, j);
}

lithe_status line_finish(row_line *line, const body *bodies, arena *memory)
{
    size_t total = 0;
    line->block_adr = arena_new(memory, line->npoint, size_t);
    for (int k = 0; line->block_adr && k + 1 < line->npoint; k++) {
        int n = point_nnode(&line->point[k]) + point_nnode(&line->point[k + 1]);
        line->block_adr[k] = total;
        total += weight_of(line, k) != 0 ? (size_t)n * (size_t)n : 0;
    }
    line->block = arena_new(memory, total, int);
    if (!line->block_adr || !line->block)
        return LITHE_NO_MEMORY;
    for (int k = 0; k + 1 < line->npoint; k++)
        for (int side = 0; side < 4 && weight_of(line, k) != 0; side++) {
            const row_point *p = &line->point[k + side / 2], *q = &line->point[k + side % 2];
            for (int a = 0; a < point_nnode(p); a++)
                for (int c = 0; c < point_nnode(q); c++)
                    line->block[pair_adr(line, k, side / 2, a, side % 2, c)] =
                        pair_block(p, a, q, c, bodies);
        }
    return LITHE_OK;
}
