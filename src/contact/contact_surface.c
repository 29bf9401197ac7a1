#include "contact/contact_surface.h"

#include "base/memory.h"
#include "base/vec.h"
#include "contact/shape_traits.h"
#include "contact/surface_cut.h"
#include "contact/tolerances.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct half_edge {
    int low, high; // vertices
    int from;      // 3 * triangle + its edge; -1 - segment
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

// The third side of a quad's triangle, from its last corner to its first, is a diagonal.
static void note_diagonal(contact_surface *s, int from, int edge)
{
    if (s->tri_quad[from / 3] >= 0 && from % 3 == 2)
        s->diagonal[edge] = s->tri_quad[from / 3];
}

// A segment along an edge of a triangle is that edge; it is thick, if it is, by its vertices.
static void list_edges(contact_surface *s, const half_edge *half, int nhalf)
{
    s->closed = s->ntri > 0;
    for (int i = 0; i < nhalf; s->nedge++) {
        int *edge = &s->edge[4 * s->nedge], n = 0;
        edge[0] = half[i].low;
        edge[1] = half[i].high;
        edge[2] = edge[3] = s->diagonal[s->nedge] = -1;
        for (; i < nhalf && half[i].low == edge[0] && half[i].high == edge[1]; i++) {
            if (half[i].from < 0)
                continue;
            s->tri_edge[half[i].from] = s->nedge;
            note_diagonal(s, half[i].from, s->nedge);
            if (s->second[half[i].from / 3])
                continue;
            if (n < 2)
                edge[2 + n] = half[i].from / 3;
            n++;
        }
        if (n > 2)
            edge[3] = -1; // more than two sides: none is the other one
        s->closed = s->closed && (n == 2 || (n == 0 && s->diagonal[s->nedge] >= 0));
    }
}

static lithe_status find_edges(contact_surface *s, const surface_cut *cut, arena *memory)
{
    int nhalf = 3 * s->ntri + cut->nsegment;
    half_edge *half = memory_alloc((size_t)(nhalf + 1) * sizeof *half);
    s->edge = arena_new(memory, 4 * ((size_t)nhalf + 1), int);
    s->tri_edge = arena_new(memory, 3 * (size_t)s->ntri + 1, int);
    s->flat = arena_new(memory, (size_t)nhalf + 1, bool);
    s->diagonal = arena_new(memory, (size_t)nhalf + 1, int);
    if (!half || !s->edge || !s->tri_edge || !s->flat || !s->diagonal) {
        memory_free(half);
        return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < nhalf; i++) {
        int k = i - 3 * s->ntri;
        int a = k < 0 ? s->tri[i] : cut->segment[2 * k];
        int b = k < 0 ? s->tri[i % 3 == 2 ? i - 2 : i + 1] : cut->segment[2 * k + 1];
        half[i] = (half_edge){a < b ? a : b, a < b ? b : a, k < 0 ? i : -1 - k};
    }
    qsort(half, (size_t)nhalf, sizeof *half, by_vertices);
    list_edges(s, half, nhalf);
    memory_free(half);
    return LITHE_OK;
}

static bool triangle_normal(const contact_surface *s, int t, double n[3])
{
    const int *v = &s->tri[3 * t];
    double a[3], b[3];
    vec_sub(a, &s->rest[3 * v[1]], &s->rest[3 * v[0]]);
    vec_sub(b, &s->rest[3 * v[2]], &s->rest[3 * v[0]]);
    vec_cross(n, a, b);
    double length = vec_norm(n);
    if (!(length > 0))
        return false;
    vec_scale(n, 1 / length);
    return true;
}

// What meets an edge within a plane that never bends meets the triangles beside it as soon.
static void find_flat(contact_surface *s)
{
    for (int e = 0; e < s->nedge && s->stiff; e++) {
        const int *edge = &s->edge[4 * e];
        double n[2][3], c[3];
        if (edge[3] < 0 || !triangle_normal(s, edge[2], n[0]) || !triangle_normal(s, edge[3], n[1]))
            continue;
        vec_cross(c, n[0], n[1]);
        s->flat[e] = vec_norm(c) < SURFACE_FLAT && vec_dot(n[0], n[1]) > 0;
    }
}

// Nor does a vertex matter that lies in such a plane with all that is around it.
static void skip_flat_vertices(const contact_surface *s, bool *taken)
{
    for (int e = 0; e < s->nedge && s->stiff; e++)
        for (int i = 0; i < 2 && s->flat[e]; i++)
            taken[s->edge[4 * e + i]] = true;
    for (int e = 0; e < s->nedge && s->stiff; e++)
        for (int i = 0; i < 2 && !s->flat[e]; i++)
            taken[s->edge[4 * e + i]] = false;
}

static void add_vertex(surface_cell *c, int vertex, bool *taken)
{
    if (!taken[vertex])
        c->vertex[c->nvertex++] = vertex;
    taken[vertex] = true;
}

static void list_cells(contact_surface *s, const surface_cut *cut, bool *vertex_taken,
                       bool *edge_taken)
{
    for (int t = 0; t < s->ntri; t++) {
        surface_cell *c = &s->cell[s->ncell++];
        c->n = 3;
        c->tri = t;
        for (int i = 0; i < 3; i++) {
            int edge = s->tri_edge[3 * t + i];
            c->corner[i] = s->tri[3 * t + i];
            add_vertex(c, c->corner[i], vertex_taken);
            if (!edge_taken[edge] && !s->flat[edge])
                c->edge[c->nedge++] = edge;
            edge_taken[edge] = true;
        }
    }
    for (int e = 0; e < s->nedge; e++)
        if (!edge_taken[e]) {
            surface_cell *c = &s->cell[s->ncell++];
            *c = (surface_cell){.n = 2, .tri = -1, .nedge = 1, .edge = {e}};
            for (int i = 0; i < 2; i++) {
                c->corner[i] = s->edge[4 * e + i];
                add_vertex(c, c->corner[i], vertex_taken);
            }
        }
    for (int i = 0; i < cut->npoint; i++)
        if (!vertex_taken[cut->point[i]]) {
            surface_cell *c = &s->cell[s->ncell++];
            *c = (surface_cell){.n = 1, .tri = -1, .corner = {cut->point[i]}};
            add_vertex(c, c->corner[0], vertex_taken);
        }
}

static lithe_status build_cells(contact_surface *s, const surface_cut *cut, arena *memory)
{
    size_t most = (size_t)s->ntri + (size_t)s->nedge + (size_t)cut->npoint + 1;
    s->cell = arena_new(memory, most, surface_cell);
    size_t bytes = (size_t)s->nvertex + (size_t)s->nedge + 1;
    bool *taken = memory_alloc(bytes);
    double *centre = memory_alloc(3 * most * sizeof *centre);
    lithe_status status = s->cell && taken && centre ? LITHE_OK : LITHE_NO_MEMORY;
    if (status == LITHE_OK) {
        memset(taken, 0, bytes);
        skip_flat_vertices(s, taken);
        list_cells(s, cut, taken, taken + s->nvertex);
        for (int i = 0; i < s->ncell; i++) {
            const surface_cell *c = &s->cell[i];
            for (int k = 0; k < 3; k++) {
                double sum = 0;
                for (int j = 0; j < c->n; j++)
                    sum += s->rest[3 * c->corner[j] + k];
                centre[3 * i + k] = sum / c->n;
            }
        }
        status = tree_build(&s->tree, s->ncell, centre, memory);
    }
    memory_free(taken);
    memory_free(centre);
    return status;
}

lithe_status contact_surface_build(contact_surface *s, const surface_source *from, arena *memory)
{
    surface_cut cut = {0};
    *s = (contact_surface){.frame = from->node_adr < 0 ? from->frame : -1,
                           .stiff = from->node_adr < 0 || from->stiff};
    lithe_status status = surface_cut_faces(s, from, memory, &cut);
    if (status == LITHE_OK)
        status = find_edges(s, &cut, memory);
    if (status == LITHE_OK) {
        find_flat(s);
        status = build_cells(s, &cut, memory);
    }
    surface_cut_free(&cut);
    LITHE_TRY(status);
    return surface_find_beside(s, memory);
}

lithe_status contact_surface_of_shape(contact_surface *s, const contact_shape *shape, int frame,
                                      arena *memory)
{
    shape_skin skin = {0};
    double radius[SHAPE_VERTICES];
    int node[SHAPE_VERTICES];
    if (shape_traits_of(shape)->skin)
        shape_traits_of(shape)->skin(shape, &skin);
    for (int i = 0; i < skin.nvertex; i++) {
        radius[i] = skin.radius;
        node[i] = i;
    }
    bool points = skin.ntri == 0 && !skin.segment;
    surface_source source = {.nnode = skin.nvertex,
                             .x = skin.x,
                             .node_adr = -1,
                             .frame = frame,
                             .ntri = skin.ntri,
                             .tri = skin.tri,
                             .nsegment = skin.segment,
                             .segment = node,
                             .npoint = points ? skin.nvertex : 0,
                             .point = node,
                             .radius = radius};
    return contact_surface_build(s, &source, memory);
}

void contact_surface_positions(const contact_surface *s, const double *x,
                               const contact_frame *frame, double *out)
{
    for (int v = 0; v < s->nvertex && s->frame >= 0; v++) {
        mat_apply(&out[3 * v], frame->R, &s->rest[3 * v]);
        vec_axpy(&out[3 * v], 1, frame->at);
    }
    if (s->frame < 0)
        contact_surface_carry(s, x, out);
}

void contact_surface_carry(const contact_surface *s, const double *dx, double *out)
{
    for (int v = 0; v < s->nvertex; v++) {
        double sum[3] = {0, 0, 0};
        for (int i = s->entry_adr[v]; i < s->entry_adr[v + 1]; i++)
            vec_axpy(sum, s->entry[i].weight, &dx[3 * s->entry[i].node]);
        memcpy(&out[3 * v], sum, sizeof sum);
    }
}

void contact_surface_roll(const double *points, const double way[3], double more[SURFACE_POINTS])
{
    double share[3];
    for (int axis = 0; axis < 3; axis++) {
        double arm[3] = {0};
        for (int i = 0; i < SURFACE_POINTS; i++)
            vec_axpy(arm, surface_side(i, axis) / SURFACE_POINTS, &points[3 * i]);
        share[axis] = vec_dot(way, arm) / vec_dot(arm, arm);
    }
    for (int i = 0; i < SURFACE_POINTS; i++) {
        more[i] = 0;
        for (int axis = 0; axis < 3; axis++)
            more[i] += surface_side(i, axis) * share[axis] / SURFACE_POINTS;
    }
}
