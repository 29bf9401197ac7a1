#include "contact/proximity.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/distance.h"
#include "contact/fade.h"
#include "contact/rimmed.h"
#include "contact/shape_traits.h"
#include "contact/tolerances.h"
#include "contact/traverse.h"

#include <math.h>
#include <string.h>

static bool same_vertex(const contact_surface *a, int u, const contact_surface *b, int v)
{
    int n = a->entry_adr[u + 1] - a->entry_adr[u];
    if (n == 0 || n != b->entry_adr[v + 1] - b->entry_adr[v])
        return false;
    const surface_entry *p = &a->entry[a->entry_adr[u]], *q = &b->entry[b->entry_adr[v]];
    for (int i = 0; i < n; i++)
        if (p[i].node != q[i].node || fabs(p[i].weight - q[i].weight) > PROXIMITY_SAME_WEIGHT)
            return false;
    return true;
}

static lithe_status find_twins(const contact_surface *a, const contact_surface *b, arena *memory,
                               int **out)
{
    int *twin = *out = arena_new(memory, (size_t)a->nvertex + 1, int);
    if (!twin)
        return LITHE_NO_MEMORY;
    // vertices of both are in ascending order of how many nodes, then which nodes, they have
    for (int u = 0; u < a->nvertex; u++) {
        twin[u] = -1;
        for (int v = 0; v < b->nvertex && twin[u] < 0; v++)
            if (same_vertex(a, u, b, v))
                twin[u] = v;
    }
    return LITHE_OK;
}

lithe_status proximity_world_prepare(proximity_world *world, arena *memory)
{
    world->vertex_adr = arena_new(memory, (size_t)world->nsurface + 1, int);
    world->rim = arena_new(memory, (size_t)world->nshape + 1, int);
    world->twin = arena_new(memory, (size_t)world->nmatch + 1, int *);
    if (!world->vertex_adr || !world->rim || !world->twin)
        return LITHE_NO_MEMORY;
    for (int o = 0; o < world->nshape; o++)
        world->rim[o] = -1;
    for (int i = 0; i < world->nsurface; i++) {
        const contact_surface *s = &world->surface[i];
        world->vertex_adr[i + 1] = world->vertex_adr[i] + s->nvertex;
        if (s->frame >= 0 && s->frame < world->nshape &&
            shape_traits_of(&world->shape[s->frame])->nrim > 0)
            world->rim[s->frame] = i;
    }
    for (int i = 0; i < world->nmatch; i++) {
        const proximity_match *m = &world->match[i];
        if (m->self && m->second >= 0 && m->second != m->first)
            LITHE_TRY(find_twins(&world->surface[m->first], &world->surface[m->second], memory,
                                 &world->twin[i]));
    }
    return LITHE_OK;
}

lithe_status proximity_positions_create(const proximity_world *world, arena *memory,
                                        proximity_positions *out)
{
    size_t n = (size_t)world->nsurface + 1;
    *out = (proximity_positions){.nvertex = world->vertex_adr[world->nsurface]};
    out->cell_adr = arena_new(memory, n, int);
    out->node_adr = arena_new(memory, n, int);
    out->edge_adr = arena_new(memory, n, int);
    if (!out->cell_adr || !out->node_adr || !out->edge_adr)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < world->nsurface; i++) {
        out->cell_adr[i + 1] = out->cell_adr[i] + world->surface[i].ncell;
        out->node_adr[i + 1] = out->node_adr[i] + world->surface[i].tree.nnode;
        out->edge_adr[i + 1] = out->edge_adr[i] + world->surface[i].nedge;
    }
    size_t ncell = (size_t)out->cell_adr[world->nsurface] + 1;
    out->x = arena_new(memory, 3 * (size_t)out->nvertex + 1, double);
    out->frame = arena_new(memory, (size_t)world->nshape + 1, contact_frame);
    out->cell = arena_new(memory, ncell, box3);
    out->thick = arena_new(memory, ncell, double);
    out->node = arena_new(memory, (size_t)out->node_adr[world->nsurface] + 1, box3);
    out->vertex = arena_new(memory, (size_t)out->nvertex + 1, box3);
    out->edge = arena_new(memory, (size_t)out->edge_adr[world->nsurface] + 1, box3);
    if (!out->x || !out->frame || !out->cell || !out->thick || !out->node || !out->vertex ||
        !out->edge)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < world->nsurface; i++) {
        const contact_surface *s = &world->surface[i];
        for (int c = 0; c < s->ncell; c++)
            for (int k = 0; k < s->cell[c].n; k++) {
                double *thick = &out->thick[out->cell_adr[i] + c];
                *thick = fmax(*thick, s->radius[s->cell[c].corner[k]]);
            }
    }
    return traverse_keep_create(world, out, memory);
}

void proximity_positions_at(const proximity_world *world, proximity_positions *positions,
                            const double *x, const contact_frame *frame)
{
    if (world->nshape > 0)
        memcpy(positions->frame, frame, (size_t)world->nshape * sizeof *frame);
    for (int i = 0; i < world->nsurface; i++) {
        const contact_surface *s = &world->surface[i];
        contact_surface_positions(s, x, s->frame >= 0 ? &frame[s->frame] : NULL,
                                  &positions->x[3 * (size_t)world->vertex_adr[i]]);
    }
}

static distance_kind kind_of(const proximity_pair *pair)
{
    switch (pair->kind) {
    case PAIR_VERTEX_VERTEX: return (distance_kind){1, 1};
    case PAIR_VERTEX_EDGE: return (distance_kind){1, 2};
    case PAIR_EDGE_EDGE: return (distance_kind){2, 2};
    default: return (distance_kind){1, 3};
    }
}

static void gather(const proximity_positions *positions, const proximity_pair *pair,
                   const double *x[4])
{
    for (int i = 0; i < pair->npoint; i++)
        x[i] = &positions->x[3 * (size_t)pair->vertex[i]];
}

// In the shape's own frame.
static void gather_own(const proximity_positions *positions, const proximity_pair *pair,
                       double own[4][3], const double *x[4])
{
    const contact_frame *at = &positions->frame[pair->shape];
    for (int i = 0; i < pair->npoint; i++) {
        contact_frame_into(at, &positions->x[3 * (size_t)pair->vertex[i]], own[i]);
        x[i] = own[i];
    }
}

static void measure_surfaces(const proximity_positions *positions, const proximity_pair *pair,
                             proximity_measure *out)
{
    const double *x[4];
    distance_form f;
    gather(positions, pair, x);
    distance_find(kind_of(pair), x, &f);
    out->distance = f.d - pair->thickness;
    memcpy(out->normal, f.normal, sizeof out->normal);
    memcpy(out->share, f.share, (size_t)f.n * sizeof *out->share);
    out->free = f.nfree;
    out->weight = out->edge = 1;
    if (pair->kind == PAIR_EDGE_EDGE) {
        for (int i = 0; i < 4; i++)
            out->edge = fmin(out->edge, fabs(f.share[i]));
        out->weight = fade(distance_cross(x, NULL, NULL) / pair->parallel).value;
    }
}

static void measure_rimmed(const proximity_world *world, const proximity_positions *positions,
                           const proximity_pair *pair, proximity_measure *out)
{
    double own[4][3];
    const double *x[4];
    rimmed_form f;
    gather_own(positions, pair, own, x);
    if (pair->npoint == 2)
        rimmed_edge(&world->shape[pair->shape], x, world->soft, &f);
    else
        rimmed_face(&world->shape[pair->shape], x, world->soft, &f);
    out->distance = f.distance - pair->thickness;
    mat_apply(out->normal, positions->frame[pair->shape].R, f.normal);
    memcpy(out->share, f.share, (size_t)f.n * sizeof *out->share);
    out->free = pair->npoint - 1;
    out->weight = f.weight;
    out->edge = f.slack;
}

void proximity_measure_pair(const proximity_world *world, const proximity_positions *positions,
                            const proximity_pair *pair, proximity_measure *out)
{
    memset(out->share, 0, sizeof out->share);
    if (pair->kind == PAIR_SHAPE_VERTEX) {
        double d = shape_distance(&world->shape[pair->shape], &positions->frame[pair->shape],
                                  &positions->x[3 * (size_t)pair->vertex[0]], out->normal);
        out->distance = d - pair->thickness;
        out->share[0] = out->weight = out->edge = 1;
        out->free = 0;
    } else if (pair->shape >= 0) {
        measure_rimmed(world, positions, pair, out);
    } else {
        measure_surfaces(positions, pair, out);
    }
}

// R B R' of every 3 x 3 block of H (3 n x 3 n), and R g of every three of g.
static void rotate_out(const contact_frame *at, int n, double *g, double *H)
{
    for (int i = 0; i < n && g; i++)
        mat_apply(&g[3 * i], at->R, &g[3 * i]);
    for (int b = 0; b < n * n && H; b++) {
        double B[9], RB[9], *to = &H[(b / n) * 9 * n + (b % n) * 3];
        for (int k = 0; k < 9; k++)
            B[k] = to[(k / 3) * 3 * n + k % 3];
        mat_mul(RB, at->R, B);
        for (int k = 0; k < 9; k++)
            to[(k / 3) * 3 * n + k % 3] = vec_dot(&RB[3 * (k / 3)], &at->R[3 * (k % 3)]);
    }
}

void proximity_hessian(const proximity_world *world, const proximity_positions *positions,
                       const proximity_pair *pair, const proximity_measure *m, double *H)
{
    double own[4][3];
    const double *x[4];
    (void)m;
    if (pair->kind == PAIR_SHAPE_VERTEX) {
        shape_hessian(&world->shape[pair->shape], &positions->frame[pair->shape],
                      &positions->x[3 * (size_t)pair->vertex[0]], H);
    } else if (pair->shape >= 0) {
        gather_own(positions, pair, own, x);
        rimmed_hessian(&world->shape[pair->shape], x, pair->npoint, H);
        rotate_out(&positions->frame[pair->shape], pair->npoint, NULL, H);
    } else {
        distance_form f;
        gather(positions, pair, x);
        distance_find(kind_of(pair), x, &f);
        distance_hessian(&f, x, H);
    }
}

static void weigh_edges(const proximity_positions *positions, const proximity_pair *pair, double *g,
                        double *H)
{
    const double *x[4];
    double gc[12], Hc[144], weight = 1;
    gather(positions, pair, x);
    double c = distance_cross(x, gc, H ? Hc : NULL);
    fade_multiply(12, fade(c / pair->parallel), pair->parallel, gc, Hc, &weight, g, H);
}

bool proximity_weigh(const proximity_world *world, const proximity_positions *positions,
                     const proximity_pair *pair, const proximity_measure *m, double *g, double *H)
{
    int n = 3 * pair->npoint;
    memset(g, 0, (size_t)n * sizeof *g);
    if (H)
        memset(H, 0, (size_t)(n * n) * sizeof *H);
    if (!(m->weight < 1))
        return false;
    if (pair->kind == PAIR_EDGE_EDGE) {
        weigh_edges(positions, pair, g, H);
        return true;
    }
    double own[4][3];
    const double *x[4];
    gather_own(positions, pair, own, x);
    rimmed_weigh(&world->shape[pair->shape], x, pair->npoint, world->soft, g, H);
    rotate_out(&positions->frame[pair->shape], pair->npoint, g, H);
    return true;
}

int proximity_side(const proximity_pair *pair, int i)
{
    return pair->shape < 0 && i >= kind_of(pair).na;
}

int proximity_point(const proximity_world *world, const proximity_pair *pair, int i,
                    const surface_entry **entry)
{
    int surface = pair->surface[proximity_side(pair, i)];
    const contact_surface *s = &world->surface[surface];
    int v = pair->vertex[i] - world->vertex_adr[surface];
    *entry = &s->entry[s->entry_adr[v]];
    return s->entry_adr[v + 1] - s->entry_adr[v];
}

int proximity_entries(const proximity_world *world, const proximity_pair *pair,
                      const double share[4], proximity_entry entry[PROXIMITY_ENTRIES])
{
    int n = 0;
    for (int i = 0; i < pair->npoint; i++) {
        const surface_entry *from;
        int count = share[i] != 0 ? proximity_point(world, pair, i, &from) : 0;
        for (int e = 0; e < count; e++) {
            int k = 0;
            while (k < n && entry[k].node < from[e].node)
                k++;
            if (k == n || entry[k].node != from[e].node) {
                memmove(&entry[k + 1], &entry[k], (size_t)(n++ - k) * sizeof *entry);
                entry[k] = (proximity_entry){.node = from[e].node};
            }
            entry[k].weight += share[i] * from[e].weight;
        }
    }
    return n;
}

lithe_status proximity_reserve(proximity_list *list, int n)
{
    if (n <= list->max)
        return LITHE_OK;
    int max = n + n / 4 + 64;
    proximity_pair *grown = memory_grow(list->pair, (size_t)list->n * sizeof *list->pair,
                                        (size_t)max * sizeof *list->pair);
    if (!grown)
        return LITHE_NO_MEMORY;
    list->pair = grown;
    proximity_measure *at =
        memory_grow(list->at, (size_t)list->n * sizeof *list->at, (size_t)max * sizeof *list->at);
    if (!at)
        return LITHE_NO_MEMORY;
    list->at = at;
    list->max = max;
    return LITHE_OK;
}

void proximity_list_free(proximity_list *list)
{
    memory_free(list->pair);
    memory_free(list->at);
    *list = (proximity_list){0};
}
