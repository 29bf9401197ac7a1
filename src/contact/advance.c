#include "contact/advance.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/distance.h"
#include "contact/rimmed.h"
#include "contact/shape_traits.h"
#include "contact/tolerances.h"
#include "contact/traverse.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { MOST_STEPS = 64 };

#define NEAR_ENOUGH 0.02 // of what a pair within reach may come nearer, it may leave unused

// A pair on its way, in the shape's own frame if there is one. Points go from x by u; what their
// paths bow beside the straight line is at most bow * t (1 - t).
typedef struct mover {
    const proximity_pair *pair;
    const contact_shape *shape;
    double x[4][3], u[4][3];
    double speed; // how fast the distance can fall along straight lines, m over the whole way
    double bow;   // m
} mover;

typedef struct bounds {
    traverse t;
    const advance_way *way;
    double listed, share;
    int n;
    advance_list *hits;
} bounds;

// The angle of the rotation that takes one frame to the other, and its axis.
static double angle_between(const contact_frame *a, const contact_frame *b, double axis[3])
{
    double S[9], trace = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] = vec_dot(&b->R[3 * i], &a->R[3 * j]); // R_b R_a'
    for (int i = 0; i < 3; i++) {
        axis[i] = 0.5 * (S[3 * ((i + 2) % 3) + (i + 1) % 3] - S[3 * ((i + 1) % 3) + (i + 2) % 3]);
        trace += S[4 * i];
    }
    double sine = vec_norm(axis), angle = atan2(sine, 0.5 * (trace - 1));
    if (sine < ADVANCE_STRAIGHT_ANGLE && angle > 1) { // half a turn: S = 2 axis axis' - I
        int k = S[0] > S[4] ? (S[0] > S[8] ? 0 : 2) : (S[4] > S[8] ? 1 : 2);
        double length = sqrt(0.5 * (S[4 * k] + 1));
        for (int i = 0; i < 3; i++)
            axis[i] = 0.5 * (S[3 * i + k] + (i == k)) / length;
    } else if (sine > 0) {
        vec_scale(axis, 1 / sine);
    }
    return angle;
}

static bool same_rotation(const contact_frame *a, const contact_frame *b)
{
    int differs = 0;
    for (int i = 0; i < 9; i++)
        differs |= a->R[i] != b->R[i];
    return !differs;
}

// A rigid surface that rotates by an angle: its points go along arcs, R(t) q with |R''| = angle^2.
static double bow_of_surface(const bounds *b, int surface, const double x[3])
{
    const contact_surface *s = &b->t.world->surface[surface];
    if (s->frame < 0 || s->frame >= b->t.world->nshape)
        return 0;
    const contact_frame *from = &b->way->start->frame[s->frame];
    const contact_frame *to = &b->way->end->frame[s->frame];
    if (same_rotation(from, to))
        return 0;
    double axis[3], angle = angle_between(from, to, axis);
    return 0.5 * angle * angle * vec_distance(x, from->at);
}

static int points_of_first(const proximity_pair *pair)
{
    return pair->kind == PAIR_EDGE_EDGE ? 2 : pair->shape >= 0 ? pair->npoint : 1;
}

static void gather_surfaces(const bounds *b, mover *m)
{
    int na = points_of_first(m->pair);
    for (int i = 0; i < m->pair->npoint; i++) {
        size_t v = 3 * (size_t)m->pair->vertex[i];
        memcpy(m->x[i], &b->way->start->x[v], sizeof m->x[i]);
        vec_sub(m->u[i], &b->way->end->x[v], m->x[i]);
        m->bow = fmax(m->bow, bow_of_surface(b, m->pair->surface[i >= na], m->x[i]));
    }
}

// q = R(t)' y(t), with y straight: |q''| <= angle^2 |y| + 2 angle |y'|.
static void gather_shape(const bounds *b, mover *m)
{
    const contact_frame *from = &b->way->start->frame[m->pair->shape];
    const contact_frame *to = &b->way->end->frame[m->pair->shape];
    double axis[3], angle = same_rotation(from, to) ? 0 : angle_between(from, to, axis);
    m->shape = &b->t.world->shape[m->pair->shape];
    for (int i = 0; i < m->pair->npoint; i++) {
        size_t v = 3 * (size_t)m->pair->vertex[i];
        double end[3], y0[3], y1[3];
        contact_frame_into(from, &b->way->start->x[v], m->x[i]);
        contact_frame_into(to, &b->way->end->x[v], end);
        vec_sub(m->u[i], end, m->x[i]);
        vec_sub(y0, &b->way->start->x[v], from->at);
        vec_sub(y1, &b->way->end->x[v], to->at);
        double far = fmax(vec_norm(y0), vec_norm(y1));
        m->bow = fmax(m->bow, 0.5 * (angle * angle * far + 2 * angle * vec_distance(y0, y1)));
    }
}

// What all points do together brings nothing nearer.
static void find_speed(mover *m)
{
    int n = m->pair->npoint, na = points_of_first(m->pair);
    double mean[3] = {0, 0, 0}, most[2] = {0, 0};
    for (int i = 0; i < n && !m->shape; i++)
        vec_axpy(mean, 1.0 / n, m->u[i]);
    for (int i = 0; i < n; i++) {
        vec_axpy(m->u[i], -1, mean);
        most[i >= na] = fmax(most[i >= na], vec_dot(m->u[i], m->u[i]));
    }
    m->speed = sqrt(most[0]) + sqrt(most[1]);
}

static const contact_frame own_frame = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};

static void measure_shape(const mover *m, const double *const *y, double *d, double n[3],
                          double share[4])
{
    rimmed_form f;
    if (m->pair->npoint == 1) {
        share[0] = 1;
        *d = shape_distance(m->shape, &own_frame, y[0], n);
        return;
    }
    rimmed_lowest(m->shape, m->pair->npoint, y, &f);
    *d = f.distance;
    memcpy(n, f.normal, sizeof f.normal);
    memcpy(share, f.share, (size_t)m->pair->npoint * sizeof *share);
}

// A plane across the shortest way between the features stays between them until one of the points
// comes to it; so it does at a convex shape. How far may the points go? `room`: of the distance.
static double step_to_plane(const mover *m, const double *const *y, const double n[3],
                            const double share[4], double room)
{
    int na = points_of_first(m->pair), np = m->pair->npoint;
    double foot[3] = {0, 0, 0}, rise[4], way[4], step = INFINITY;
    assert(np <= PROXIMITY_POINTS);
    for (int i = 0; i < na; i++)
        vec_axpy(foot, share[i], y[i]);
    for (int i = 0; i < np; i++) { // height over the nearest point of its own feature
        double d[3], sign = i < na ? 1 : -1;
        if (i == na) {
            memset(foot, 0, sizeof foot);
            for (int j = na; j < np; j++)
                vec_axpy(foot, -share[j], y[j]);
        }
        vec_sub(d, y[i], foot);
        rise[i] = fmax(sign * vec_dot(n, d), 0);
        way[i] = sign * vec_dot(n, m->u[i]);
    }
    for (int i = 0; i < na; i++)
        for (int j = na; j < np + (na == np); j++) {
            double fall = -way[i] - (j < np ? way[j] : 0) + m->bow;
            double over = room + rise[i] + (j < np ? rise[j] : 0);
            step = fall > 0 ? fmin(step, over / fall) : step;
        }
    return step;
}

// A pair at some time of its way.
typedef struct moment {
    double y[4][3]; // points
    double t, d, n[3], share[4];
    double off; // what is taken off the distance of the cores, m
} moment;

static void measure_at(const mover *m, double t, moment *out)
{
    const double *y[4] = {out->y[0], out->y[1], out->y[2], out->y[3]};
    for (int i = 0; i < m->pair->npoint; i++)
        for (int k = 0; k < 3; k++)
            out->y[i][k] = m->x[i][k] + t * m->u[i][k];
    if (m->shape) {
        measure_shape(m, y, &out->d, out->n, out->share);
    } else {
        distance_form f;
        int na = points_of_first(m->pair);
        distance_find((distance_kind){na, m->pair->npoint - na}, y, &f);
        out->d = f.d;
        memcpy(out->n, f.normal, sizeof out->n);
        memcpy(out->share, f.share, (size_t)f.n * sizeof *out->share);
    }
    out->t = t;
    out->off = m->pair->thickness + m->bow * t * (1 - t);
    out->d -= out->off;
}

// The least length over which a nearest point slides: an edge, a height of the triangle, the
// shorter edge times the sine between two. 0: edges that are nearly parallel, where it jumps.
static double sliding_length(const mover *m, const moment *at)
{
    int na = points_of_first(m->pair), nb = m->pair->npoint - na;
    double e[3][3] = {{0}}, n[3], longest = 0, shortest = INFINITY;
    if (nb == 1)
        return INFINITY;
    for (int i = 0; i < (nb == 3 ? 3 : na); i++) {
        int from = nb == 3 ? 1 + i : nb == 2 && na == 2 ? 2 * i : 1;
        int to = nb == 3 ? 1 + (i + 1) % 3 : from + 1;
        vec_sub(e[i], at->y[to], at->y[from]);
        longest = fmax(longest, vec_norm(e[i]));
        shortest = fmin(shortest, vec_norm(e[i]));
    }
    if (nb == 2 && na == 1)
        return longest;
    vec_cross(n, e[0], e[1]);
    double area = vec_norm(n);
    if (nb == 3)
        return longest > 0 ? area / longest : 0;
    return area > 0.2 * shortest * longest ? area / longest : 0;
}

// What rocks about its nearest point hardly comes nearer, though its ends may go far. The distance
// has no more negative curvature along the way than about u^2 / l (1 + d / l) where points go by u
// and nearest points slide over lengths of l (distance.h: the term that grows as d gets small is
// positive); 24 is generous, and for moves of l / 32, within which lengths and angles stay.
static double step_by_hessian(const mover *m, const moment *at, double floor)
{
    double length = sliding_length(m, at), rate = -m->bow, most = 0;
    for (int i = 0; i < m->pair->npoint; i++) {
        rate += at->share[i] * vec_dot(at->n, m->u[i]);
        most = fmax(most, vec_dot(m->u[i], m->u[i]));
    }
    double room = at->d - floor, speed = sqrt(most);
    if (!(length > 0) || !(speed > 0) || !(room > 0))
        return 0;
    double core = at->d + at->off, second = 24 * most / length * (1 + 2 * core / length);
    double step = 2 * room / (sqrt(rate * rate + 2 * second * room) - rate);
    return fmin(step, length / (32 * speed));
}

// How far it is safe to go on from there.
static double step_from(const mover *m, const moment *at, double floor)
{
    const double *y[4] = {at->y[0], at->y[1], at->y[2], at->y[3]};
    if (!m->shape)
        return fmax(step_to_plane(m, y, at->n, at->share, at->d - floor),
                    step_by_hessian(m, at, floor));
    const shape_traits *shape = shape_traits_of(m->shape);
    if (!shape->stride)
        return step_to_plane(m, y, at->n, at->share, at->d - floor);
    return m->bow > 0 ? (at->d - floor) / (m->speed + m->bow)
                      : shape->stride(m->shape, y[0], m->u[0], floor + at->off);
}

// As far as it is safe, but no farther than `limit`: steps within which nothing can come nearer
// than the floor, as in [li2021], but along the shortest way only, so that what slides is not held
// up.
static double safe_share(const mover *m, moment *at, double unused, double floor, double limit)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        double t = at->t + (1 - ADVANCE_ROUNDING) * step_from(m, at, floor);
        if (t >= limit)
            return limit;
        measure_at(m, t, at);
        if (at->d - floor < unused)
            break;
    }
    return at->t;
}

// Balls around both features tell of most pairs that nothing comes near enough to matter.
static bool balls_are_far(const mover *m, double way)
{
    int n = m->pair->npoint, na = points_of_first(m->pair);
    double centre[2][3] = {{0}}, radius2[2] = {0, 0};
    for (int i = 0; i < n; i++)
        vec_axpy(centre[i >= na], 1.0 / (i < na ? na : n - na), m->x[i]);
    for (int i = 0; i < n; i++) {
        double d[3];
        vec_sub(d, m->x[i], centre[i >= na]);
        radius2[i >= na] = fmax(radius2[i >= na], vec_dot(d, d));
    }
    double between = vec_distance(centre[0], centre[1]) - m->pair->thickness;
    return between - sqrt(radius2[0]) - sqrt(radius2[1]) > way;
}

static void note(bounds *b, const proximity_pair *pair, double share, double distance)
{
    if (b->n < b->hits->max) {
        advance_hit *hit = &b->hits->hit[b->n];
        *hit = (advance_hit){.pair = *pair, .share = share, .distance = distance};
        hit->pair.id = traverse_id(b->t.world, pair);
    }
    b->n++;
}

static void look(void *context, const proximity_pair *pair)
{
    bounds *b = context;
    const advance_way *way = b->way;
    double limit = b->hits ? fmax(b->listed, b->share) : b->share;
    mover m = {.pair = pair};
    if (pair->shape >= 0)
        gather_shape(b, &m);
    else
        gather_surfaces(b, &m);
    find_speed(&m);
    double way_on = (m.speed + m.bow) * limit;
    if (way_on == 0 ||
        (!m.shape && balls_are_far(&m, way_on + fmax(way->keep * way->reach, way->least))))
        return;
    moment at;
    measure_at(&m, 0, &at);
    double distance = at.d;
    double floor = fmax(way->keep * fmin(distance, way->reach), fmin(way->least, 0.9 * distance));
    if (distance <= 0 || distance - floor > way_on)
        return;
    double unused = NEAR_ENOUGH * (fmin(distance, way->reach) - floor);
    double share = safe_share(&m, &at, fmax(unused, 0), floor, limit);
    if (share >= limit || !traverse_moves(&b->t, pair))
        return;
    b->share = fmin(b->share, share);
    if (b->hits && share < b->listed)
        note(b, pair, share, distance);
}

double advance_safe(const proximity_world *world, const advance_way *way,
                    const proximity_filter *filter, double listed, advance_list *hits, int *nhit)
{
    bounds b = {.t = {.world = world,
                      .positions = way->start,
                      .end = way->end,
                      .filter = filter,
                      .margin = fmax(way->least, way->keep * way->reach),
                      .keep = true,
                      .visit = look},
                .way = way,
                .listed = fmin(listed, 1),
                .share = 1,
                .hits = hits};
    b.t.context = &b;
    traverse_pairs(&b.t, way->start);
    if (hits)
        hits->n = b.n < hits->max ? b.n : hits->max;
    if (nhit)
        *nhit = b.n;
    return b.share;
}

void advance_frame(const contact_frame *start, const contact_frame *end, double share,
                   contact_frame *out)
{
    double axis[3], angle = angle_between(start, end, axis);
    for (int k = 0; k < 3; k++)
        out->at[k] = start->at[k] + share * (end->at[k] - start->at[k]);
    memcpy(out->R, share >= 1 ? end->R : start->R, sizeof out->R);
    if (share >= 1 || angle == 0)
        return;
    double c = cos(share * angle), s = sin(share * angle);
    double K[9] = {0, -axis[2], axis[1], axis[2], 0, -axis[0], -axis[1], axis[0], 0}, Q[9];
    for (int k = 0; k < 9; k++)
        Q[k] = (k % 4 == 0 ? c : 0) + s * K[k] + (1 - c) * axis[k / 3] * axis[k % 3];
    mat_mul(out->R, Q, start->R);
}

lithe_status advance_reserve(advance_list *list, int n)
{
    if (n <= list->max)
        return LITHE_OK;
    int max = n + n / 4 + 64;
    advance_hit *grown = memory_grow(list->hit, (size_t)list->n * sizeof *list->hit,
                                     (size_t)max * sizeof *list->hit);
    if (!grown)
        return LITHE_NO_MEMORY;
    list->hit = grown;
    list->max = max;
    return LITHE_OK;
}

void advance_list_free(advance_list *list)
{
    memory_free(list->hit);
    *list = (advance_list){0};
}
