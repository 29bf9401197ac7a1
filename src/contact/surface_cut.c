// Cutting faces into triangles between vertices that are weighted sums of nodes. Every face lists
// the vertices it wants; those of neighbours that mean the same sum of nodes are then found by
// sorting, so that it makes no difference in which order faces come.
#include "contact/surface_cut.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PIECES = 8 };

typedef struct wish {
    int n, node[SURFACE_FACE]; // ascending
    double weight[SURFACE_FACE];
    int number; // in the order of the faces
} wish;

typedef struct cutter {
    const surface_source *from;
    int pieces[2]; // of faces of four, of six
    int nwish;
    wish *wish;
    int ntri, *tri; // of wishes
    int nquad, *quad, *tri_quad;
    bool *second;
    int *vertex; // of each wish
} cutter;

static int face_width(const int *face)
{
    return face[3] < 0 ? 3 : face[4] < 0 ? 4 : 6;
}

static int pieces_of(const cutter *c, int width)
{
    return width == 4 ? c->pieces[0] : width == 6 ? c->pieces[1] : 1;
}

static int wishes_of(int width, int n)
{
    return width == 4 ? (n + 1) * (n + 1) : (n + 1) * (n + 2) / 2;
}

static int triangles_of(int width, int n)
{
    return width == 4 ? 4 * n * n : n * n;
}

// Asks for the vertex that is this sum of nodes.
static int ask(cutter *c, int n, const int *node, const double *weight)
{
    wish *w = &c->wish[c->nwish];
    *w = (wish){.number = c->nwish};
    for (int i = 0; i < n; i++) {
        if (weight[i] == 0)
            continue;
        int k = w->n++;
        for (; k > 0 && w->node[k - 1] > node[i]; k--) {
            w->node[k] = w->node[k - 1];
            w->weight[k] = w->weight[k - 1];
        }
        w->node[k] = node[i];
        w->weight[k] = weight[i];
    }
    return c->nwish++;
}

static void add_triangle(cutter *c, int a, int b, int d)
{
    c->tri_quad[c->ntri] = -1;
    c->second[c->ntri] = false;
    int *t = &c->tri[3 * c->ntri++];
    t[0] = a;
    t[1] = b;
    t[2] = d;
}

static int ask_bilinear(cutter *c, const int *node, double u, double v)
{
    double weight[4] = {(1 - u) * (1 - v), u * (1 - v), u * v, (1 - u) * v};
    return ask(c, 4, node, weight);
}

// Both cuts; the first one is along the diagonal from corner `from`.
static void add_quad(cutter *c, const int v[4], int from)
{
    for (int cut = 0; cut < 2; cut++)
        for (int half = 0; half < 2; half++) {
            int k = from + cut + 2 * half;
            add_triangle(c, v[k % 4], v[(k + 1) % 4], v[(k + 2) % 4]);
            c->tri_quad[c->ntri - 1] = c->nquad;
            c->second[c->ntri - 1] = cut == 1;
        }
    memcpy(&c->quad[4 * c->nquad++], v, 4 * sizeof *v);
}

static void cut_four(cutter *c, const int *node, int n)
{
    int least = 0;
    for (int i = 1; i < 4; i++)
        least = node[i] < node[least] ? i : least;
    int corner[MOST_PIECES + 1][MOST_PIECES + 1];
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            corner[i][j] = ask_bilinear(c, node, (double)i / n, (double)j / n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            add_quad(
                c, (int[4]){corner[i][j], corner[i + 1][j], corner[i + 1][j + 1], corner[i][j + 1]},
                least % 2);
}

static int ask_triangle(cutter *c, const int *node, int width, double u, double v)
{
    double w = 1 - u - v;
    if (width == 3)
        return ask(c, 3, node, (double[3]){w, u, v});
    double weight[6] = {w * (2 * w - 1), u * (2 * u - 1), v * (2 * v - 1),
                        4 * w * u,       4 * u * v,       4 * v * w};
    return ask(c, 6, node, weight);
}

static void cut_triangle(cutter *c, const int *node, int width, int n)
{
    int at[MOST_PIECES + 1][MOST_PIECES + 1];
    for (int i = 0; i <= n; i++)
        for (int j = 0; i + j <= n; j++)
            at[i][j] = ask_triangle(c, node, width, (double)i / n, (double)j / n);
    for (int i = 0; i < n; i++)
        for (int j = 0; i + j < n; j++) {
            add_triangle(c, at[i][j], at[i + 1][j], at[i][j + 1]);
            if (i + j + 1 < n)
                add_triangle(c, at[i + 1][j], at[i + 1][j + 1], at[i][j + 1]);
        }
}

static void cut_all(cutter *c)
{
    const surface_source *from = c->from;
    for (int f = 0; f < from->nface; f++) {
        const int *node = &from->face[SURFACE_FACE * f];
        int width = face_width(node), n = pieces_of(c, width);
        if (width == 4)
            cut_four(c, node, n);
        else
            cut_triangle(c, node, width, n);
    }
    for (int t = 0; t < from->ntri; t++)
        cut_triangle(c, &from->tri[3 * t], 3, 1);
    for (int i = 0; i < 2 * from->nsegment; i++)
        ask(c, 1, &from->segment[i], (double[1]){1});
    for (int i = 0; i < from->npoint; i++)
        ask(c, 1, &from->point[i], (double[1]){1});
}

// Two faces may come to one and the same weight by different roundings.
static int compare(const wish *p, const wish *q)
{
    if (p->n != q->n)
        return p->n < q->n ? -1 : 1;
    for (int i = 0; i < p->n; i++)
        if (p->node[i] != q->node[i])
            return p->node[i] < q->node[i] ? -1 : 1;
    for (int i = 0; i < p->n; i++) {
        long a = lround(p->weight[i] * 0x1p24), b = lround(q->weight[i] * 0x1p24);
        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

static int by_meaning(const void *a, const void *b)
{
    const wish *p = a, *q = b;
    int way = compare(p, q);
    return way ? way : (p->number > q->number) - (p->number < q->number);
}

static lithe_status make_vertices(cutter *c, contact_surface *s, arena *memory)
{
    const surface_source *from = c->from;
    int nentry = 0;
    qsort(c->wish, (size_t)c->nwish, sizeof *c->wish, by_meaning);
    for (int i = 0; i < c->nwish; i++) {
        bool same = i > 0 && compare(&c->wish[i - 1], &c->wish[i]) == 0;
        if (!same)
            nentry += c->wish[i].n;
        s->nvertex += !same;
        c->vertex[c->wish[i].number] = s->nvertex - 1;
    }
    size_t n = (size_t)s->nvertex + 1;
    s->entry_adr = arena_new(memory, n, int);
    s->entry = arena_new(memory, (size_t)nentry + 1, surface_entry);
    s->rest = arena_new(memory, 3 * n, double);
    s->radius = arena_new(memory, n, double);
    if (!s->entry_adr || !s->entry || !s->rest || !s->radius)
        return LITHE_NO_MEMORY;
    for (int i = 0, entry = 0, v = -1; i < c->nwish; i++) {
        const wish *w = &c->wish[i];
        if (c->vertex[w->number] == v)
            continue;
        v = c->vertex[w->number];
        for (int k = 0; k < w->n; k++) {
            vec_axpy(&s->rest[3 * v], w->weight[k], &from->x[3 * w->node[k]]);
            s->radius[v] += from->radius ? w->weight[k] * from->radius[w->node[k]] : 0;
            if (from->node_adr >= 0)
                s->entry[entry++] = (surface_entry){from->node_adr + w->node[k], w->weight[k]};
        }
        s->entry_adr[v + 1] = entry;
    }
    return LITHE_OK;
}

static lithe_status allocate(cutter *c)
{
    const surface_source *from = c->from;
    size_t nwish = 3 * (size_t)from->ntri + 2 * (size_t)from->nsegment + (size_t)from->npoint + 1;
    size_t ntri = (size_t)from->ntri + 1;
    for (int f = 0; f < from->nface; f++) {
        int width = face_width(&from->face[SURFACE_FACE * f]), n = pieces_of(c, width);
        nwish += (size_t)wishes_of(width, n);
        ntri += (size_t)triangles_of(width, n);
    }
    c->wish = memory_alloc(nwish * sizeof *c->wish);
    c->vertex = memory_alloc(nwish * sizeof *c->vertex);
    c->tri = memory_alloc(3 * ntri * sizeof *c->tri);
    c->tri_quad = memory_alloc(ntri * sizeof *c->tri_quad);
    c->second = memory_alloc(ntri * sizeof *c->second);
    c->quad = memory_alloc(ntri * sizeof *c->quad); // four triangles each
    return c->wish && c->vertex && c->tri && c->tri_quad && c->second && c->quad ? LITHE_OK
                                                                                 : LITHE_NO_MEMORY;
}

static lithe_status take_triangles(const cutter *c, contact_surface *s, arena *memory)
{
    size_t n = (size_t)c->ntri + 1;
    s->tri = arena_new(memory, 3 * n, int);
    s->tri_quad = arena_new(memory, n, int);
    s->second = arena_new(memory, n, bool);
    s->quad = arena_new(memory, 4 * (size_t)c->nquad + 1, int);
    if (!s->tri || !s->tri_quad || !s->second || !s->quad)
        return LITHE_NO_MEMORY;
    s->ntri = c->ntri;
    s->nquad = c->nquad;
    for (int i = 0; i < 3 * c->ntri; i++)
        s->tri[i] = c->vertex[c->tri[i]];
    for (int i = 0; i < 4 * c->nquad; i++)
        s->quad[i] = c->vertex[c->quad[i]];
    memcpy(s->tri_quad, c->tri_quad, (size_t)c->ntri * sizeof *s->tri_quad);
    memcpy(s->second, c->second, (size_t)c->ntri * sizeof *s->second);
    return LITHE_OK;
}

// Segments and points were asked for last, in this order.
static lithe_status take_rest(const cutter *c, surface_cut *out)
{
    const surface_source *from = c->from;
    out->nsegment = from->nsegment;
    out->npoint = from->npoint;
    out->segment = memory_alloc((2 * (size_t)from->nsegment + 1) * sizeof(int));
    out->point = memory_alloc(((size_t)from->npoint + 1) * sizeof(int));
    if (!out->segment || !out->point)
        return LITHE_NO_MEMORY;
    const int *vertex = &c->vertex[c->nwish - 2 * from->nsegment - from->npoint];
    memcpy(out->segment, vertex, 2 * (size_t)from->nsegment * sizeof(int));
    memcpy(out->point, vertex + 2 * (size_t)from->nsegment, (size_t)from->npoint * sizeof(int));
    return LITHE_OK;
}

lithe_status surface_cut_faces(contact_surface *s, const surface_source *from, arena *memory,
                               surface_cut *out)
{
    int pieces = from->pieces > MOST_PIECES ? MOST_PIECES : from->pieces;
    cutter c = {.from = from, .pieces = {pieces > 0 ? pieces : 1, pieces > 0 ? pieces : 4}};
    lithe_status status = allocate(&c);
    if (status == LITHE_OK) {
        cut_all(&c);
        status = make_vertices(&c, s, memory);
    }
    if (status == LITHE_OK)
        status = take_triangles(&c, s, memory);
    if (status == LITHE_OK)
        status = take_rest(&c, out);
    memory_free(c.tri_quad);
    memory_free(c.second);
    memory_free(c.quad);
    memory_free(c.wish);
    memory_free(c.vertex);
    memory_free(c.tri);
    return status;
}

void surface_cut_free(surface_cut *cut)
{
    memory_free(cut->segment);
    memory_free(cut->point);
}

// The way along edges from one vertex to others, as far as it matters.
typedef struct walk {
    int *adr, *next; // neighbours of every vertex
    double *way;     // (nvertex) m, INFINITY: not there yet
    int n, *queue;   // (nvertex) vertices that were reached
} walk;

static void list_neighbours(const contact_surface *s, walk *w)
{
    memset(w->adr, 0, ((size_t)s->nvertex + 2) * sizeof(int));
    for (int e = 0; e < s->nedge; e++)
        for (int i = 0; i < 2; i++)
            w->adr[s->edge[4 * e + i] + 2]++;
    for (int v = 0; v < s->nvertex; v++)
        w->adr[v + 2] += w->adr[v + 1];
    for (int e = 0; e < s->nedge; e++)
        for (int i = 0; i < 2; i++)
            w->next[w->adr[s->edge[4 * e + i] + 1]++] = s->edge[4 * e + 1 - i];
}

// A vertex is looked at anew whenever a shorter way to it is found.
static void walk_from(const contact_surface *s, walk *w, int start, double limit)
{
    for (int i = 0; i < w->n; i++)
        w->way[w->queue[i]] = INFINITY;
    w->n = 1;
    w->queue[0] = start;
    w->way[start] = 0;
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (int i = 0; i < w->n; i++) {
            int v = w->queue[i];
            for (int k = w->adr[v]; k < w->adr[v + 1]; k++) {
                int u = w->next[k];
                double way = w->way[v] + vec_distance(&s->rest[3 * v], &s->rest[3 * u]);
                if (way >= limit || way >= w->way[u])
                    continue;
                if (w->way[u] == INFINITY)
                    w->queue[w->n++] = u;
                w->way[u] = way;
                shorter = true;
            }
        }
    }
}

static int by_number(const void *a, const void *b)
{
    int p = *(const int *)a, q = *(const int *)b;
    return (p > q) - (p < q);
}

// What is bent as narrowly as it is thick comes back to itself after half a circle: nearer along
// the surface than that, two points are one piece of material.
static int keep_beside(const contact_surface *s, walk *w, int v)
{
    int n = 0;
    for (int i = 0; i < w->n; i++) {
        int u = w->queue[i];
        bool near = u == v || w->way[u] < 0.5 * M_PI * (s->radius[v] + s->radius[u]);
        w->way[u] = INFINITY;
        if (near)
            w->queue[n++] = u;
    }
    w->n = 0;
    qsort(w->queue, (size_t)n, sizeof *w->queue, by_number);
    return n;
}

static lithe_status list_beside(contact_surface *s, walk *w, arena *memory)
{
    double thick = 0;
    size_t total = 0, room = 2 * (size_t)s->nvertex + 1;
    int *all = memory_alloc(room * sizeof *all);
    if (!all)
        return LITHE_NO_MEMORY;
    for (int v = 0; v < s->nvertex; v++) {
        thick = fmax(thick, s->radius[v]);
        w->way[v] = INFINITY;
    }
    for (int v = 0; v < s->nvertex; v++) {
        walk_from(s, w, v, 0.5 * M_PI * (s->radius[v] + thick));
        size_t n = (size_t)keep_beside(s, w, v);
        if (total + n > room) {
            room = 2 * (total + n);
            int *grown = memory_grow(all, total * sizeof *all, room * sizeof *all);
            if (!grown) {
                memory_free(all);
                return LITHE_NO_MEMORY;
            }
            all = grown;
        }
        memcpy(all + total, w->queue, n * sizeof *all);
        total += n;
        s->beside_adr[v + 1] = (int)total;
    }
    s->beside = arena_new(memory, total + 1, int);
    if (s->beside)
        memcpy(s->beside, all, total * sizeof *all);
    memory_free(all);
    return s->beside ? LITHE_OK : LITHE_NO_MEMORY;
}

lithe_status surface_find_beside(contact_surface *s, arena *memory)
{
    size_t n = (size_t)s->nvertex + 1;
    walk w = {.adr = memory_alloc((n + 1) * sizeof(int)),
              .next = memory_alloc((2 * (size_t)s->nedge + 1) * sizeof(int)),
              .way = memory_alloc(n * sizeof(double)),
              .queue = memory_alloc(n * sizeof(int))};
    s->beside_adr = arena_new(memory, n, int);
    lithe_status status = LITHE_NO_MEMORY;
    if (w.adr && w.next && w.way && w.queue && s->beside_adr) {
        list_neighbours(s, &w);
        status = list_beside(s, &w, memory);
    }
    memory_free(w.adr);
    memory_free(w.next);
    memory_free(w.way);
    memory_free(w.queue);
    return status;
}
