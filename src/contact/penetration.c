#include "contact/penetration.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/distance.h"
#include "contact/tolerances.h"
#include "contact/traverse.h"

#include <math.h>
#include <string.h>

typedef struct search {
    traverse t;
    double below, deep;
    int match; // whose nearest ones are being gathered
    int n;
    penetration_list *list;
} search;

// ---------------------------------------------------------------- normals

static void normal_of_triangle(const contact_surface *s, const double *x, int t, double n[3])
{
    const int *v = &s->tri[3 * t];
    double a[3], b[3];
    vec_sub(a, &x[3 * v[1]], &x[3 * v[0]]);
    vec_sub(b, &x[3 * v[2]], &x[3 * v[0]]);
    vec_cross(n, a, b);
    double length = vec_norm(n);
    if (length > 0)
        vec_scale(n, 1 / length);
}

// Weighted by angles they tell inside from outside at corners too [baerentzen2005].
static void find_normals(const proximity_world *world, const proximity_positions *positions,
                         penetration_list *list)
{
    memset(list->normal, 0, 3 * (size_t)list->nvertex * sizeof *list->normal);
    for (int i = 0; i < world->nsurface; i++) {
        const contact_surface *s = &world->surface[i];
        const double *x = &positions->x[3 * (size_t)world->vertex_adr[i]];
        double *normal = &list->normal[3 * (size_t)world->vertex_adr[i]];
        for (int t = 0; t < s->ntri; t++) {
            const int *v = &s->tri[3 * t];
            double n[3], a[3], b[3], c[3];
            normal_of_triangle(s, x, t, n);
            for (int k = 0; k < 3; k++) {
                vec_sub(a, &x[3 * v[(k + 1) % 3]], &x[3 * v[k]]);
                vec_sub(b, &x[3 * v[(k + 2) % 3]], &x[3 * v[k]]);
                vec_cross(c, a, b);
                vec_axpy(&normal[3 * v[k]], atan2(vec_norm(c), vec_dot(a, b)), n);
            }
        }
    }
}

// Out of the material at an edge, not of length 1.
static void normal_of_edge(const contact_surface *s, const double *x, int edge, double n[3])
{
    double m[3];
    memset(n, 0, 3 * sizeof *n);
    for (int k = 2; k < 4; k++)
        if (s->edge[4 * edge + k] >= 0) {
            normal_of_triangle(s, x, s->edge[4 * edge + k], m);
            vec_axpy(n, 1, m);
        }
}

// Out of the material at the point of a triangle with these weights.
static void normal_at(const search *q, int surface, int tri, const double weight[3], double n[3])
{
    const proximity_world *world = q->t.world;
    const contact_surface *s = &world->surface[surface];
    const double *x = &q->t.positions->x[3 * (size_t)world->vertex_adr[surface]];
    int none = -1, only = -1, nzero = 0;
    for (int i = 0; i < 3; i++)
        if (weight[i] == 0) {
            none = i;
            nzero++;
        } else {
            only = i;
        }
    int edge = nzero == 1 ? s->tri_edge[3 * tri + (none + 1) % 3] : -1;
    if (nzero == 0 || (nzero == 1 && s->edge[4 * edge + 2] < 0)) // or on a second diagonal
        normal_of_triangle(s, x, tri, n);
    else if (nzero == 1)
        normal_of_edge(s, x, edge, n);
    else
        memcpy(n,
               &q->list->normal[3 * (size_t)(world->vertex_adr[surface] + s->tri[3 * tri + only])],
               3 * sizeof *n);
}

// ---------------------------------------------------------------- what is found

static void add(search *q, const penetration *p)
{
    if (!(p->distance < q->below) || !(p->distance > -q->deep) || !traverse_moves(&q->t, &p->pair))
        return;
    if (q->n < q->list->max) {
        q->list->item[q->n] = *p;
        q->list->item[q->n].pair.id = traverse_id(q->t.world, &p->pair);
    }
    q->n++;
}

// Of every vertex the nearest face alone tells where it is.
static void flush(search *q)
{
    for (int v = 0; v < q->list->nvertex; v++)
        if (q->list->near[v]) {
            q->list->near[v] = false;
            add(q, &q->list->nearest[v]);
        }
}

static proximity_measure measure(const search *q, const proximity_pair *pair, penetration *out)
{
    proximity_measure m;
    proximity_measure_pair(q->t.world, q->t.positions, pair, &m);
    out->pair = *pair;
    out->distance = m.distance;
    memcpy(out->normal, m.normal, sizeof out->normal);
    memcpy(out->share, m.share, sizeof out->share);
    return m;
}

// A surface of triangles has an inside; a sheet or a rod is as thick as it is.
static bool has_inside(const proximity_world *world, const proximity_pair *pair)
{
    const contact_surface *s = &world->surface[pair->surface[1]];
    if (pair->kind != PAIR_VERTEX_FACE)
        return false;
    for (int i = 0; i < 3; i++)
        if (s->radius[s->tri[3 * pair->feature[1] + i]] > 0)
            return false;
    return true;
}

// Turns a core's distance r, of length d, into one that is negative where r points into b. A r that
// is nothing but rounding has no direction of its own, unless both features lie across it.
static void sign(const search *q, penetration *p, bool across, const double outward[3])
{
    double length = vec_norm(outward), thickness = p->pair.thickness;
    double core = p->distance + thickness;
    const double *x = q->t.positions->x;
    double size = vec_distance(&x[3 * (size_t)p->pair.vertex[p->pair.npoint - 1]],
                               &x[3 * (size_t)p->pair.vertex[p->pair.npoint - 2]]);
    if (vec_dot(p->normal, outward) < 0) {
        vec_scale(p->normal, -1);
        p->distance = -core - thickness;
    }
    for (int k = 0; k < 3 && !across && core < PENETRATION_NO_DIRECTION * size && length > 0; k++)
        p->normal[k] = outward[k] / length;
}

// At rest, a vertex that lies behind a face of its own body is at the other side of a wall.
static bool other_side_of_wall(const search *q, const proximity_pair *pair, const double *share)
{
    const contact_surface *s = &q->t.world->surface[pair->surface[0]];
    if (pair->surface[0] != pair->surface[1] || pair->kind != PAIR_VERTEX_FACE)
        return false;
    double n[3], d[3];
    memcpy(d, &s->rest[3 * pair->feature[0]], sizeof d);
    for (int i = 0; i < 3; i++)
        vec_axpy(d, share[1 + i], &s->rest[3 * s->tri[3 * pair->feature[1] + i]]);
    normal_of_triangle(s, s->rest, pair->feature[1], n);
    return vec_dot(n, d) < 0;
}

static void look_at_vertex(search *q, const proximity_pair *pair)
{
    penetration p;
    proximity_measure m = measure(q, pair, &p);
    double core = p.distance + pair->thickness;
    if (core > q->deep + pair->thickness)
        return;
    if (!has_inside(q->t.world, pair)) {
        add(q, &p);
        return;
    }
    if (other_side_of_wall(q, pair, p.share))
        return;
    int v = pair->vertex[0];
    penetration *best = &q->list->nearest[v];
    double before = best->distance + best->pair.thickness; // of the core, signed
    if (q->list->near[v] && core >= fabs(before))
        return;
    double weight[3] = {-p.share[1], -p.share[2], -p.share[3]}, outward[3];
    normal_at(q, pair->surface[1], pair->feature[1], weight, outward);
    sign(q, &p, m.free == 2, outward);
    q->list->near[v] = true;
    *best = p;
}

// Does no face beside the edge reach further along n than the edge itself?
static bool is_ridge(const contact_surface *s, const double *x, int edge, const double n[3])
{
    const int *e = &s->edge[4 * edge];
    for (int k = 2; k < 4; k++) {
        if (e[k] < 0)
            continue;
        const int *v = &s->tri[3 * e[k]];
        for (int i = 0; i < 3; i++) {
            double d[3];
            if (v[i] == e[0] || v[i] == e[1])
                continue;
            vec_sub(d, &x[3 * v[i]], &x[3 * e[0]]);
            if (vec_dot(d, n) > PENETRATION_CONVEX * vec_norm(d))
                return false;
        }
    }
    return true;
}

static void look_at_edges(search *q, const proximity_pair *pair)
{
    const proximity_world *world = q->t.world;
    const contact_surface *s[2];
    const double *x[2];
    double outward[2][3], back[3];
    penetration p;
    proximity_measure m = measure(q, pair, &p);
    if (p.distance > q->deep)
        return;
    bool solid = true;
    for (int k = 0; k < 2; k++) {
        s[k] = &world->surface[pair->surface[k]];
        x[k] = &q->t.positions->x[3 * (size_t)world->vertex_adr[pair->surface[k]]];
        normal_of_edge(s[k], x[k], pair->feature[k], outward[k]);
        solid = solid && s[k]->edge[4 * pair->feature[k] + 2] >= 0;
        if (s[k]->diagonal[pair->feature[k]] >= 0)
            return; // of a face of four, whose sides and corners know more
    }
    if (!solid || pair->thickness > 0) {
        add(q, &p);
        return;
    }
    for (int i = 0; i < 4; i++)
        if (p.share[i] == 0) // an end: a vertex knows more
            return;
    sign(q, &p, m.weight == 1, outward[1]);
    for (int k = 0; k < 3; k++)
        back[k] = -p.normal[k];
    if (vec_dot(p.normal, outward[0]) < 0 && is_ridge(s[1], x[1], pair->feature[1], p.normal) &&
        is_ridge(s[0], x[0], pair->feature[0], back))
        add(q, &p);
}

static void look(void *context, const proximity_pair *pair)
{
    search *q = context;
    if (pair->match != q->match)
        flush(q);
    q->match = pair->match;
    if (pair->shape >= 0) {
        penetration p;
        if (measure(q, pair, &p).weight > 0)
            add(q, &p);
    } else if (pair->kind == PAIR_EDGE_EDGE) {
        look_at_edges(q, pair);
    } else {
        look_at_vertex(q, pair);
    }
}

int penetration_find(const proximity_world *world, proximity_positions *positions,
                     const proximity_filter *filter, double below, double deep,
                     penetration_list *list)
{
    search q = {.t = {.world = world,
                      .positions = positions,
                      .filter = filter,
                      .margin = fmax(below, deep),
                      .visit = look},
                .below = below,
                .deep = deep,
                .list = list};
    q.t.context = &q;
    find_normals(world, positions, list);
    traverse_pairs(&q.t, positions);
    flush(&q);
    list->n = q.n < list->max ? q.n : list->max;
    return q.n;
}

static lithe_status reserve_scratch(const proximity_world *world, penetration_list *list)
{
    size_t n = (size_t)world->vertex_adr[world->nsurface] + 1;
    list->normal = memory_alloc(3 * n * sizeof *list->normal);
    list->nearest = memory_alloc(n * sizeof *list->nearest);
    list->near = memory_alloc(n * sizeof *list->near);
    if (!list->normal || !list->nearest || !list->near)
        return LITHE_NO_MEMORY;
    memset(list->near, 0, n * sizeof *list->near);
    list->nvertex = (int)n - 1;
    return LITHE_OK;
}

lithe_status penetration_reserve(const proximity_world *world, penetration_list *list, int n)
{
    if (!list->near)
        LITHE_TRY(reserve_scratch(world, list));
    if (n <= list->max)
        return LITHE_OK;
    int max = n + n / 4 + 64;
    penetration *grown = memory_grow(list->item, (size_t)list->n * sizeof *list->item,
                                     (size_t)max * sizeof *list->item);
    if (!grown)
        return LITHE_NO_MEMORY;
    list->item = grown;
    list->max = max;
    return LITHE_OK;
}

void penetration_list_free(penetration_list *list)
{
    memory_free(list->item);
    memory_free(list->normal);
    memory_free(list->nearest);
    memory_free(list->near);
    *list = (penetration_list){0};
}
