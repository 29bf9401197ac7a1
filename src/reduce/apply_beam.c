// A reduced body in a beam space. A sum of nodes follows their frames as a node does, with the sums
// of their weights, arms and shapes. In motion there are nodes besides that are frames themselves:
// c, the columns of R, and those of R times every shape's number. All nodes are sums of these, so
// their mass matrix is exactly that of the whole robot in its beam space, and so are velocities.
#include "base/status.h"
#include "base/vec.h"
#include "body/body_near.h"
#include "reduce/applying.h"
#include "reduce/beam_line.h"
#include "reduce/supervise.h"

#include <math.h>
#include <string.h>

enum { FRAME_NODES = 4 + 3 * BEAM_SHAPES_MAX };

static int frame_nodes(const beam_map *m)
{
    return 4 + 3 * m->nshape;
}

// What a frame's nodes have to be multiplied with to give a side: x = Z . these.
static void side_factors(const beam_map *m, int side, double out[FRAME_NODES])
{
    out[0] = m->side[side].weight;
    memcpy(&out[1], &m->arm[3 * side], 3 * sizeof *out);
    memcpy(&out[4], &m->shape[3 * side * m->nshape], 3 * (size_t)m->nshape * sizeof *out);
}

typedef struct laying {
    beam_map *to;
    int nside;
    double (*sum)[FRAME_NODES]; // of one point, by frames (nframe)
    bool *there;
} laying;

static void put_side(laying *l, int frame, const double factor[FRAME_NODES])
{
    beam_map *to = l->to;
    int k = l->nside++;
    to->side[k] = (beam_side){frame, factor[0]};
    memcpy(&to->arm[3 * k], &factor[1], 3 * sizeof *factor);
    memcpy(&to->shape[3 * k * to->nshape], &factor[4], 3 * (size_t)to->nshape * sizeof *factor);
}

static void put_point(const applying *a, laying *l, int p)
{
    const beam_map *m = a->carried;
    int n = frame_nodes(m);
    for (int t = a->point.adr[p]; t < a->point.adr[p + 1]; t++) {
        int node = a->point.node[t];
        for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
            double factor[FRAME_NODES];
            side_factors(m, k, factor);
            l->there[m->side[k].frame] = true;
            for (int i = 0; i < n; i++)
                l->sum[m->side[k].frame][i] += a->point.weight[t] * factor[i];
        }
    }
    for (int f = 0; f < m->nframe; f++)
        if (l->there[f]) {
            put_side(l, f, l->sum[f]);
            memset(l->sum[f], 0, sizeof l->sum[f]);
            l->there[f] = false;
        }
    l->to->side_adr[p + 1] = l->nside;
}

// Nodes that are what a frame has.
static void put_frames(const applying *a, laying *l)
{
    const beam_map *m = a->carried;
    int node = a->point.n;
    for (int f = 0; f < m->nframe; f++)
        for (int i = 0; !m->still[f] && i < frame_nodes(m); i++) {
            double factor[FRAME_NODES] = {0};
            factor[i] = 1;
            put_side(l, f, factor);
            l->to->side_adr[++node] = l->nside;
        }
}

static size_t most_sides(const applying *a)
{
    const beam_map *m = a->carried;
    size_t most = (size_t)m->nframe * (size_t)frame_nodes(m);
    for (int p = 0; p < a->point.n; p++) {
        size_t terms = 2 * (size_t)(a->point.adr[p + 1] - a->point.adr[p]);
        most += terms < (size_t)m->nframe ? terms : (size_t)m->nframe;
    }
    return most;
}

// Where its frames take every node.
static lithe_status lay_nodes(applying *a, int nnode, beam_map *to)
{
    arena *memory = &a->m->memory;
    const beam_map *m = a->carried;
    size_t most = most_sides(a);
    *to = (beam_map){.nframe = m->nframe,
                     .nshape = m->nshape,
                     .origin = m->origin,
                     .still = m->still,
                     .reach = m->reach,
                     .side_adr = arena_new(memory, nnode + 1, int),
                     .side = arena_new(memory, most, beam_side),
                     .arm = arena_new(memory, 3 * most, double),
                     .shape = arena_new(memory, 3 * most * (size_t)m->nshape, double)};
    laying l = {.to = to,
                .sum = arena_alloc(&a->scratch, (size_t)m->nframe, sizeof *l.sum),
                .there = arena_new(&a->scratch, m->nframe, bool)};
    if (!to->side_adr || !to->side || !to->arm || !to->shape || !l.sum || !l.there)
        return apply_no_memory(a);
    for (int p = 0; p < a->point.n; p++)
        put_point(a, &l, p);
    if (nnode > a->point.n)
        put_frames(a, &l);
    return LITHE_OK;
}

static bool moves(const applying *a)
{
    return a->m->dynamics.scheme != LITHE_STATIC;
}

// Where frames' own nodes are at rest.
static double *rest_of_frames(applying *a, int n)
{
    const beam_map *m = a->carried;
    double *X = arena_new(&a->scratch, 3 * (size_t)n, double);
    for (int f = 0, at = 0; X && at < n; f++)
        if (!m->still[f]) {
            memcpy(&X[3 * at], &m->origin[3 * f], 3 * sizeof *X);
            for (int axis = 0; axis < 3; axis++)
                X[3 * (at + 1 + axis) + axis] = 1;
            at += frame_nodes(m);
        }
    return X;
}

lithe_status apply_beam(applying *a)
{
    beam_map *to = arena_new(&a->m->memory, 1, beam_map);
    int nfree = 0, more;
    if (!to)
        return apply_no_memory(a);
    LITHE_TRY(beam_lay(a->from, a->r, &a->m->memory, &a->carried, a->report));
    LITHE_TRY(beam_check_held(a->carried, a->report));
    LITHE_TRY(apply_rows(a));
    for (int f = 0; f < a->carried->nframe; f++)
        nfree += !a->carried->still[f];
    more = moves(a) ? nfree * frame_nodes(a->carried) : 0;
    const double *X = rest_of_frames(a, more);
    if (!X)
        return apply_no_memory(a);
    LITHE_TRY(apply_begin(a, more, X));
    LITHE_TRY(lay_nodes(a, a->b->nnode, to));
    bool well = body_set_beam(a->b, to, &a->m->memory) == LITHE_OK;
    return well ? LITHE_OK : apply_no_memory(a);
}

// What nodes i and j have in the mass matrix of frames' nodes.
static void add_mass(const beam_map *m, int i, int j, double mass, int n, double *M)
{
    for (int k = m->side_adr[i]; k < m->side_adr[i + 1]; k++)
        for (int l = m->side_adr[j]; l < m->side_adr[j + 1]; l++) {
            int f = m->free[m->side[k].frame], g = m->free[m->side[l].frame], own = frame_nodes(m);
            double left[FRAME_NODES], right[FRAME_NODES];
            side_factors(m, k, left);
            side_factors(m, l, right);
            for (int p = 0; f >= 0 && g >= 0 && p < own; p++)
                for (int q = 0; q < own; q++)
                    M[(size_t)(own * f + p) * (size_t)n + (size_t)(own * g + q)] +=
                        mass * left[p] * right[q];
        }
}

static lithe_status couple_masses(applying *a, int n, const double *M)
{
    body *b = a->b;
    size_t most = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            most += M[(size_t)i * (size_t)n + (size_t)j] != 0;
    b->coupled = arena_new(&a->m->memory, most, body_mass);
    if (!b->coupled)
        return apply_no_memory(a);
    for (int i = 0; i < n; i++) {
        b->mass[a->point.n + i] = M[(size_t)i * (size_t)(n + 1)];
        for (int j = 0; j < i; j++)
            if (M[(size_t)i * (size_t)n + (size_t)j] != 0)
                b->coupled[b->nmass++] = (body_mass){.node = {a->point.n + i, a->point.n + j},
                                                     .mass = M[(size_t)i * (size_t)n + (size_t)j]};
    }
    return LITHE_OK;
}

static lithe_status fill_masses(applying *a)
{
    const body *from = a->from;
    int n = a->b->nnode - a->point.n;
    double *M = arena_new(&a->scratch, (size_t)n * (size_t)n, double);
    if (!M)
        return apply_no_memory(a);
    for (int i = 0; i < from->nnode; i++)
        add_mass(a->carried, i, i, from->mass[i], n, M);
    for (int k = 0; k < from->nmass; k++) {
        const body_mass *m = &from->coupled[k];
        add_mass(a->carried, m->node[0], m->node[1], m->mass, n, M);
        add_mass(a->carried, m->node[1], m->node[0], m->mass, n, M);
    }
    return couple_masses(a, n, M);
}

// All nodes of the whole in the same space, with their masses.
static lithe_status carry_all(applying *a, body *all)
{
    const body *from = a->from;
    all->name = from->name;
    sparse_builder *builder = NULL;
    bool well = body_begin(all, from->nnode, from->X, from->held, from->hold, 0, NULL,
                           &a->m->memory) == LITHE_OK &&
                body_set_beam(all, a->carried, &a->m->memory) == LITHE_OK &&
                (builder = sparse_builder_create(all->nrow)) != NULL;
    all->mass = from->mass;
    all->nmass = from->nmass;
    all->coupled = arena_new(&a->m->memory, from->nmass, body_mass);
    well = well && all->coupled;
    if (well && from->nmass > 0)
        memcpy(all->coupled, from->coupled, (size_t)from->nmass * sizeof *all->coupled);
    for (int k = 0; well && k < all->nmass; k++)
        well = body_couple(all, builder, 2, all->coupled[k].node) == LITHE_OK;
    well = well && body_finish(all, builder, &a->m->memory) == LITHE_OK;
    sparse_builder_free(builder);
    return well ? LITHE_OK : apply_no_memory(a);
}

// Velocities of the start are those nearest to the whole's.
static lithe_status project_start(applying *a, const body *all)
{
    lithe_model *m = a->m;
    const body *b = a->b;
    body_near near;
    double *q = arena_new(&a->scratch, b->nq, double), *dq = arena_new(&a->scratch, b->nq, double);
    double *J = arena_new(&a->scratch, b->nJ, double);
    m->velocity = arena_new(&m->memory, 3 * (size_t)b->nnode, double);
    if (!q || !dq || !J || !m->velocity || body_near_create(all, &a->scratch, &near) != LITHE_OK)
        return apply_no_memory(a);
    b->space->rest(b, q);
    b->space->jacobian(b, q, J);
    if (body_nearest(all, &near, q, a->whole->velocity, dq)) // else the first step says why not
        b->space->push(b, J, dq, m->velocity);
    return LITHE_OK;
}

lithe_status apply_beam_fill(applying *a)
{
    body *all = arena_new(&a->m->memory, 1, body);
    if (!all)
        return apply_no_memory(a);
    LITHE_TRY(carry_all(a, all));
    if (moves(a))
        LITHE_TRY(fill_masses(a));
    if (a->whole->velocity)
        LITHE_TRY(project_start(a, all));
    a->m->noise = beam_noise(a->carried, a->from->nnode, a->whole->noise);
    *a->m->reduction = (model_reduction){.nelement = a->r->nelement,
                                         .first = a->point.n,
                                         .all = all,
                                         .info = a->r->info,
                                         .step = reduction_step};
    return LITHE_OK;
}
