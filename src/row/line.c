#include "row/line.h"

#include "base/vec.h"

// Two points closer than this (m) have no direction: the segment then pulls and stiffens nothing.
static const double no_length = 1e-12;

// Unit vector from point k to point k + 1; returns the segment's length.
static double segment(const row_line *line, int k, const double *x, double t[3])
{
    double a[3], b[3];
    row_point_position(&line->point[k], x, a);
    row_point_position(&line->point[k + 1], x, b);
    vec_sub(t, b, a);
    double length = vec_norm(t);
    for (int i = 0; i < 3; i++)
        t[i] = length > no_length ? t[i] / length : 0;
    return length;
}

double line_length(const row_line *line, const double *x)
{
    double length = 0, t[3];
    for (int k = 0; k + 1 < line->npoint; k++)
        length += segment(line, k, x, t);
    return length;
}

static void pull_point(const row_line *line, int p, double scale, const double t[3], double *H)
{
    const row_point *point = &line->point[p];
    for (int a = 0; a < 4 && point->body >= 0; a++)
        vec_axpy(&H[3 * line->slot[4 * p + a]], scale * point->weight[a], t);
}

void line_gradient(const row_line *line, const double *x, double *H)
{
    double t[3];
    for (int k = 0; k + 1 < line->npoint; k++) {
        segment(line, k, x, t);
        pull_point(line, k, -line->sign, t, H);
        pull_point(line, k + 1, line->sign, t, H);
    }
}

// The weight with which node a (0 … 7) of a segment moves its far end against its near end.
static double end_weight(const row_line *line, int k, int a)
{
    return a < 4 ? -line->point[k].weight[a] : line->point[k + 1].weight[a - 4];
}

void line_stiffness(const row_line *line, const double *x, double tension, double *const *blocks)
{
    for (int k = 0; k + 1 < line->npoint; k++) {
        double t[3];
        double length = segment(line, k, x, t);
        if (length <= no_length)
            continue;
        for (int pair = 0; pair < 64; pair++) {
            int at = line->block[64 * k + pair], a = pair / 8;
            if (at < 0)
                continue;
            double s = tension / length * end_weight(line, k, a) * end_weight(line, k, pair % 8);
            double *K = &blocks[line->point[k + a / 4].body][9 * (size_t)at];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    K[3 * i + j] += s * ((i == j) - t[i] * t[j]);
        }
    }
}

static void push_point(const row_point *point, double scale, const double f[3], double *force)
{
    for (int a = 0; a < 4 && point->body >= 0; a++)
        vec_axpy(&force[3 * point->node[a]], scale * point->weight[a], f);
}

// How a point moves with the nodes; a point of the world does not.
static void point_motion(const row_point *point, const double *displacement, double motion[3])
{
    for (int i = 0; i < 3; i++) {
        motion[i] = 0;
        for (int a = 0; a < 4 && point->body >= 0; a++)
            motion[i] += point->weight[a] * displacement[3 * point->node[a] + i];
    }
}

void line_stiffness_times(const row_line *line, const double *x, double tension,
                          const double *displacement, double *force)
{
    for (int k = 0; k + 1 < line->npoint; k++) {
        double t[3], near[3], far[3], turn[3];
        double length = segment(line, k, x, t);
        if (length <= no_length)
            continue;
        point_motion(&line->point[k], displacement, near);
        point_motion(&line->point[k + 1], displacement, far);
        vec_sub(turn, far, near);
        vec_axpy(turn, -vec_dot(t, turn), t);
        push_point(&line->point[k], -tension / length, turn, force);
        push_point(&line->point[k + 1], tension / length, turn, force);
    }
}

lithe_status line_couple(const row_line *line, int body_id, const body *b, sparse_builder *builder)
{
    for (int k = 0; k + 1 < line->npoint; k++) {
        int node[8], n = 0;
        for (int end = k; end < k + 2; end++)
            for (int a = 0; a < 4 && line->point[end].body == body_id; a++)
                node[n++] = line->point[end].node[a] - b->node_adr;
        LITHE_TRY(body_couple(b, builder, n, node));
    }
    return LITHE_OK;
}

// Block of A for nodes a and c (0 … 7) of segment k; the symmetric half only, so -1 above the
// diagonal.
static int pair_block(const row_line *line, const body *bodies, int k, int a, int c)
{
    const row_point *p = &line->point[k + a / 4], *q = &line->point[k + c / 4];
    if (p->body < 0 || p->body != q->body)
        return -1;
    const body *b = &bodies[p->body];
    int i = b->block[p->node[a % 4] - b->node_adr], j = b->block[q->node[c % 4] - b->node_adr];
    return i < 0 || j < 0 || i < j ? -1 : sparse_find(&b->pattern, i, j);
}

lithe_status line_finish(row_line *line, const body *bodies, arena *memory)
{
    line->block = arena_new(memory, 64 * (size_t)(line->npoint - 1), int);
    if (!line->block)
        return LITHE_NO_MEMORY;
    for (int k = 0; k + 1 < line->npoint; k++)
        for (int pair = 0; pair < 64; pair++)
            line->block[64 * k + pair] = pair_block(line, bodies, k, pair / 8, pair % 8);
    return LITHE_OK;
}
