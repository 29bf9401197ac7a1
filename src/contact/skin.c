#include "contact/skin.h"

#include "base/memory.h"
#include "base/vec.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Numbers the nodes that the skin uses, in ascending order.
static lithe_status number_vertices(contact_skin *s, const skin_source *from, int *vertex,
                                    arena *memory)
{
    for (int i = 0; i < from->nnode; i++)
        vertex[i] = -1;
    for (int i = 0; i < 3 * s->ntri; i++)
        vertex[from->tri[i]] = 0;
    for (int i = 0; i < 2 * s->nsegment; i++)
        vertex[from->segment[i]] = 0;
    for (int i = 0; i < from->nnode; i++)
        if (vertex[i] == 0)
            vertex[i] = s->nvertex++;
    size_t n = s->nvertex > 0 ? (size_t)s->nvertex : 1;
    s->node = arena_new(memory, n, int);
    s->rest = arena_new(memory, 3 * n, double);
    s->radius = arena_new(memory, n, double);
    return s->node && s->rest && s->radius ? LITHE_OK : LITHE_NO_MEMORY;
}

typedef struct half_edge {
    int low, high; // vertices
    int from;      // 3 * triangle + its edge
} half_edge;

static int by_vertices(const void *a, const void *b)
{
    const half_edge *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->from < q->from ? -1 : p->from > q->from;
}

static void list_edges(contact_skin *s, const half_edge *half)
{
    s->closed = s->ntri > 0;
    for (int i = 0; i < 3 * s->ntri; s->nedge++) {
        int *edge = &s->edge[4 * s->nedge];
        edge[0] = half[i].low;
        edge[1] = half[i].high;
        edge[2] = half[i].from / 3;
        edge[3] = -1;
        int n = 0;
        for (; i < 3 * s->ntri && half[i].low == edge[0] && half[i].high == edge[1]; i++, n++) {
            s->tri_edge[half[i].from] = s->nedge;
            if (n == 1)
                edge[3] = half[i].from / 3;
        }
        s->closed = s->closed && n == 2;
    }
}

static lithe_status find_edges(contact_skin *s, arena *memory)
{
    size_t n = 3 * (size_t)(s->ntri > 0 ? s->ntri : 1);
    half_edge *half = memory_alloc(n * sizeof *half);
    s->edge = arena_new(memory, 4 * n, int);
    s->tri_edge = arena_new(memory, n, int);
    if (!half || !s->edge || !s->tri_edge) {
        memory_free(half);
        return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < 3 * s->ntri; i++) {
        int a = s->tri[i], b = s->tri[i % 3 == 2 ? i - 2 : i + 1];
        half[i] = a < b ? (half_edge){a, b, i} : (half_edge){b, a, i};
    }
    qsort(half, 3 * (size_t)s->ntri, sizeof *half, by_vertices);
    list_edges(s, half);
    memory_free(half);
    return LITHE_OK;
}

static lithe_status build_tree(contact_skin *s, arena *memory)
{
    int n = s->ntri > 0 ? s->ntri : s->nsegment;
    double *centre = memory_alloc(3 * (size_t)(n > 0 ? n : 1) * sizeof *centre);
    if (!centre)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < n; i++)
        for (int axis = 0; axis < 3; axis++) {
            const int *end = &s->segment[2 * (s->ntri > 0 ? 0 : i)];
            const int *corner = s->ntri > 0 ? &s->tri[3 * i] : (int[]){end[0], end[1], end[1]};
            centre[3 * i + axis] = (s->rest[3 * corner[0] + axis] + s->rest[3 * corner[1] + axis] +
                                    s->rest[3 * corner[2] + axis]) /
                                   3;
        }
    lithe_status status = tree_build(&s->tree, n, centre, memory);
    memory_free(centre);
    return status;
}

static void fill_vertices(contact_skin *s, const skin_source *from, const int *vertex)
{
    for (int i = 0; i < from->nnode; i++)
        if (vertex[i] >= 0) {
            s->node[vertex[i]] = from->node_adr < 0 ? -1 : from->node_adr + i;
            s->radius[vertex[i]] = from->radius ? from->radius[i] : 0;
            memcpy(&s->rest[3 * vertex[i]], &from->x[3 * i], 3 * sizeof *from->x);
        }
    for (int i = 0; i < 3 * s->ntri; i++)
        s->tri[i] = vertex[from->tri[i]];
    for (int i = 0; i < 2 * s->nsegment; i++)
        s->segment[i] = vertex[from->segment[i]];
}

lithe_status skin_build(contact_skin *s, const skin_source *from, arena *memory)
{
    *s = (contact_skin){.ntri = from->ntri,
                        .nsegment = from->ntri > 0 ? 0 : from->nsegment,
                        .frame = from->node_adr < 0 ? from->frame : -1};
    int *vertex = memory_alloc((size_t)(from->nnode > 0 ? from->nnode : 1) * sizeof *vertex);
    s->tri = arena_new(memory, 3 * (size_t)(s->ntri > 0 ? s->ntri : 1), int);
    s->segment = arena_new(memory, 2 * (size_t)(s->nsegment > 0 ? s->nsegment : 1), int);
    lithe_status status =
        vertex && s->tri && s->segment ? number_vertices(s, from, vertex, memory) : LITHE_NO_MEMORY;
    if (status == LITHE_OK)
        fill_vertices(s, from, vertex);
    memory_free(vertex);
    LITHE_TRY(status);
    LITHE_TRY(find_edges(s, memory));
    return build_tree(s, memory);
}

lithe_status skin_pose_create(const contact_skin *s, arena *memory, skin_pose *out)
{
    size_t v = s->nvertex > 0 ? (size_t)s->nvertex : 1, t = s->ntri > 0 ? (size_t)s->ntri : 1;
    size_t e = s->nedge > 0 ? (size_t)s->nedge : 1, items = t + (size_t)s->nsegment;
    out->x = arena_new(memory, 3 * v, double);
    out->tri_normal = arena_new(memory, 3 * t, double);
    out->edge_normal = arena_new(memory, 3 * e, double);
    out->vertex_normal = arena_new(memory, 3 * v, double);
    out->area = arena_new(memory, v, double);
    out->item = arena_new(memory, items, box3);
    out->node = arena_new(memory, 2 * items + 1, box3);
    if (!out->x || !out->tri_normal || !out->edge_normal || !out->vertex_normal || !out->area ||
        !out->item || !out->node)
        return LITHE_NO_MEMORY;
    memcpy(out->x, s->rest, 3 * (size_t)s->nvertex * sizeof *out->x);
    skin_fit(s, out);
    return LITHE_OK;
}

static void normalize(double n[3])
{
    double length = vec_norm(n);
    for (int i = 0; i < 3 && length > 0; i++)
        n[i] /= length;
}

static double angle_between(const double a[3], const double b[3])
{
    double c[3];
    vec_cross(c, a, b);
    return atan2(vec_norm(c), vec_dot(a, b));
}

// Angle-weighted normals tell inside from outside at corners too [baerentzen2005].
static void fit_triangle(const contact_skin *s, skin_pose *p, int t)
{
    const int *v = &s->tri[3 * t];
    double edge[3][3], *n = &p->tri_normal[3 * t];
    for (int i = 0; i < 3; i++)
        vec_sub(edge[i], &p->x[3 * v[(i + 1) % 3]], &p->x[3 * v[i]]);
    vec_cross(n, edge[0], edge[1]);
    double area = 0.5 * vec_norm(n);
    normalize(n);
    for (int i = 0; i < 3; i++) {
        double back[3] = {-edge[(i + 2) % 3][0], -edge[(i + 2) % 3][1], -edge[(i + 2) % 3][2]};
        vec_axpy(&p->vertex_normal[3 * v[i]], angle_between(edge[i], back), n);
        vec_axpy(&p->edge_normal[3 * s->tri_edge[3 * t + i]], 1, n);
        p->area[v[i]] += area / 3;
    }
}

// Half of what a segment shows to one side counts for each of its ends.
static void fit_segment(const contact_skin *s, skin_pose *p, int k)
{
    const int *v = &s->segment[2 * k];
    double length = vec_distance(&p->x[3 * v[0]], &p->x[3 * v[1]]);
    for (int i = 0; i < 2; i++)
        p->area[v[i]] += length * s->radius[v[i]];
}

static void fit_boxes(const contact_skin *s, skin_pose *p)
{
    for (int t = 0; t < s->ntri; t++) {
        p->item[t] = box_empty();
        for (int i = 0; i < 3; i++)
            box_add(&p->item[t], &p->x[3 * s->tri[3 * t + i]]);
    }
    for (int k = 0; k < s->nsegment; k++) {
        p->item[k] = box_empty();
        for (int i = 0; i < 2; i++) {
            box3 end = box_empty();
            box_add(&end, &p->x[3 * s->segment[2 * k + i]]);
            box_grow(&end, s->radius[s->segment[2 * k + i]]);
            box_add(&p->item[k], end.lower);
            box_add(&p->item[k], end.upper);
        }
    }
    tree_fit(&s->tree, p->item, p->node);
}

void skin_fit(const contact_skin *s, skin_pose *p)
{
    memset(p->vertex_normal, 0, 3 * (size_t)s->nvertex * sizeof(double));
    memset(p->edge_normal, 0, 3 * (size_t)s->nedge * sizeof(double));
    memset(p->area, 0, (size_t)s->nvertex * sizeof(double));
    for (int t = 0; t < s->ntri; t++)
        fit_triangle(s, p, t);
    for (int k = 0; k < s->nsegment; k++)
        fit_segment(s, p, k);
    for (int v = 0; v < s->nvertex; v++)
        normalize(&p->vertex_normal[3 * v]);
    for (int e = 0; e < s->nedge; e++)
        normalize(&p->edge_normal[3 * e]);
    fit_boxes(s, p);
}

void skin_follow(const contact_skin *s, skin_pose *p, const double *x, const contact_frame *frame)
{
    for (int v = 0; v < s->nvertex; v++) {
        if (s->frame < 0) {
            memcpy(&p->x[3 * v], &x[3 * (size_t)s->node[v]], 3 * sizeof *x);
            continue;
        }
        mat_apply(&p->x[3 * v], frame[s->frame].R, &s->rest[3 * v]);
        vec_axpy(&p->x[3 * v], 1, frame[s->frame].at);
    }
    skin_fit(s, p);
}

static const double *feature_normal(const contact_skin *s, const skin_pose *p, int t,
                                    nearest_feature f)
{
    if (f <= NEAREST_CORNER2)
        return &p->vertex_normal[3 * s->tri[3 * t + (int)f]];
    if (f <= NEAREST_EDGE2)
        return &p->edge_normal[3 * s->tri_edge[3 * t + (int)f - NEAREST_EDGE0]];
    return &p->tri_normal[3 * t];
}

static void try_triangle(const contact_skin *s, const skin_pose *p, int t, const double point[3],
                         double *least2, skin_point *best)
{
    const double *corner[3] = {&p->x[3 * s->tri[3 * t]], &p->x[3 * s->tri[3 * t + 1]],
                               &p->x[3 * s->tri[3 * t + 2]]};
    double weight[3], at[3] = {0, 0, 0}, d[3];
    nearest_feature feature = nearest_on_triangle(point, corner, weight);
    for (int i = 0; i < 3; i++)
        vec_axpy(at, weight[i], corner[i]);
    vec_sub(d, point, at);
    double distance2 = vec_dot(d, d);
    if (distance2 >= *least2)
        return;
    *least2 = distance2;
    best->tri = t;
    best->feature = feature;
    memcpy(best->weight, weight, sizeof weight);
    memcpy(best->at, at, sizeof at);
}

skin_point skin_nearest(const contact_skin *s, const skin_pose *p, const double point[3],
                        double reach)
{
    skin_point best = {.tri = -1};
    double least2 = reach * reach;
    int stack[TREE_DEPTH], depth = 0;
    if (s->ntri > 0)
        stack[depth++] = 0;
    while (depth > 0) {
        tree_node node = s->tree.node[stack[--depth]];
        if (box_distance2(&p->node[stack[depth]], point) >= least2)
            continue;
        for (int i = 0; i < node.n; i++)
            try_triangle(s, p, s->tree.item[node.first + i], point, &least2, &best);
        if (node.n > 0)
            continue;
        // the nearer child is looked at first
        bool second = box_distance2(&p->node[node.first + 1], point) <
                      box_distance2(&p->node[node.first], point);
        assert(depth + 2 <= TREE_DEPTH);
        stack[depth++] = node.first + !second;
        stack[depth++] = node.first + second;
    }
    if (best.tri < 0)
        return best;
    double d[3];
    memcpy(best.normal, feature_normal(s, p, best.tri, best.feature), sizeof best.normal);
    vec_sub(d, point, best.at);
    best.distance = copysign(vec_norm(d), vec_dot(d, best.normal));
    return best;
}
