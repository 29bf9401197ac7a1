#include "contact/check_surface.h"

#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF = 4 };

bool check_items_join(const check_surface *a, int i, const check_surface *b, int j)
{
    for (int k = 0; k < a->corners; k++)
        for (int l = 0; l < b->corners; l++) {
            int v = a->item[a->corners * i + k], w = b->item[b->corners * j + l];
            if (a->from.node[v] >= 0 && a->from.node[v] == b->from.node[w])
                return true;
            if (a == b && v == w)
                return true;
        }
    return false;
}

static int *find_around(check_surface *s, arena *memory)
{
    int n = s->nitem * s->corners;
    s->around_adr = arena_new(memory, s->from.nvertex + 2, int);
    s->around = arena_new(memory, n + 1, int);
    if (!s->around_adr || !s->around)
        return NULL;
    for (int k = 0; k < n; k++)
        s->around_adr[s->item[k] + 2]++;
    for (int v = 0; v < s->from.nvertex; v++)
        s->around_adr[v + 2] += s->around_adr[v + 1];
    for (int k = 0; k < n; k++)
        s->around[s->around_adr[s->item[k] + 1]++] = k / s->corners;
    return s->around;
}

// Which way, and how often, the triangles about a vertex have the edge to another.
static void count_edge(const check_surface *s, int a, int b, int *there, int *back, int *number)
{
    *there = *back = 0;
    *number = -1;
    for (int k = s->around_adr[a]; k < s->around_adr[a + 1]; k++)
        for (int i = 0; i < 3; i++) {
            const int *tri = &s->item[3 * s->around[k]];
            bool same = tri[i] == a && tri[(i + 1) % 3] == b;
            bool reversed = tri[i] == b && tri[(i + 1) % 3] == a;
            *there += same;
            *back += reversed;
            int known = s->item_edge[3 * s->around[k] + i];
            if ((same || reversed) && known >= 0)
                *number = known;
        }
}

static bool find_edges(check_surface *s, arena *memory)
{
    s->item_edge = arena_new(memory, 3 * s->nitem + 1, int);
    s->edge = arena_new(memory, 6 * s->nitem + 1, int);
    if (!s->item_edge || !s->edge)
        return false;
    memset(s->item_edge, -1, (3 * (size_t)s->nitem + 1) * sizeof *s->item_edge);
    s->closed = s->corners == 3 && s->nitem > 0;
    for (int t = 0; t < s->nitem && s->corners == 3; t++)
        for (int i = 0; i < 3; i++) {
            int a = s->item[3 * t + i], b = s->item[3 * t + (i + 1) % 3], there, back, number;
            count_edge(s, a, b, &there, &back, &number);
            s->closed = s->closed && there == back;
            if (number < 0) {
                number = s->nedge++;
                s->edge[2 * number] = a;
                s->edge[2 * number + 1] = b;
            }
            s->item_edge[3 * t + i] = number;
        }
    return true;
}

// One vertex of each connected part.
static bool find_pieces(check_surface *s, arena *memory)
{
    int n = s->from.nvertex, *stack = memory_alloc(((size_t)n + 1) * sizeof *stack);
    unsigned char *seen = memory_alloc((size_t)n + 1);
    s->piece = arena_new(memory, n + 1, int);
    bool ok = stack && seen && s->piece;
    if (ok)
        memset(seen, 0, (size_t)n + 1);
    for (int v = 0; v < n && ok; v++) {
        int depth = 0;
        if (seen[v] || s->around_adr[v] == s->around_adr[v + 1])
            continue;
        s->piece[s->npiece++] = v;
        seen[v] = 1;
        stack[depth++] = v;
        while (depth > 0) {
            int at = stack[--depth];
            for (int k = s->around_adr[at]; k < s->around_adr[at + 1]; k++)
                for (int i = 0; i < s->corners; i++) {
                    int w = s->item[s->corners * s->around[k] + i];
                    if (!seen[w])
                        stack[depth++] = w;
                    seen[w] = 1;
                }
        }
    }
    memory_free(stack);
    memory_free(seen);
    return ok;
}

static double volume_of(const check_surface *s)
{
    double sum = 0;
    for (int t = 0; t < s->nitem; t++) {
        check_item tri = check_item_of(s, s->from.rest, t);
        sum += vec_triple(tri.x[0], tri.x[1], tri.x[2]) / 6;
    }
    return sum;
}

static double middle_of(const check_surface *s, int item, int axis)
{
    double sum = 0;
    for (int i = 0; i < s->corners; i++)
        sum += s->from.rest[3 * s->item[s->corners * item + i] + axis];
    return sum / s->corners;
}

// Longest side of the box around the middles of some items.
static int widest(const check_surface *s, int first, int n)
{
    double span[3];
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = first; i < first + n; i++) {
            low = fmin(low, middle_of(s, s->order[i], k));
            high = fmax(high, middle_of(s, s->order[i], k));
        }
        span[k] = high - low;
    }
    return span[0] >= span[1] && span[0] >= span[2] ? 0 : span[1] >= span[2] ? 1 : 2;
}

typedef struct middle_key {
    double at;
    int item;
} middle_key;

static int compare_keys(const void *a, const void *b)
{
    const middle_key *p = a, *q = b;
    if (p->at != q->at)
        return p->at < q->at ? -1 : 1;
    return p->item < q->item ? -1 : p->item > q->item;
}

static void sort_along(check_surface *s, int axis, int first, int n, middle_key *key)
{
    for (int i = 0; i < n; i++)
        key[i] = (middle_key){middle_of(s, s->order[first + i], axis), s->order[first + i]};
    qsort(key, (size_t)n, sizeof *key, compare_keys);
    for (int i = 0; i < n; i++)
        s->order[first + i] = key[i].item;
}

// Nodes in the order in which a walk that takes first halves first meets them.
static bool build_tree(check_surface *s, arena *memory)
{
    struct {
        int first, n, parent;
    } todo[CHECK_DEPTH];
    int depth = 0;
    middle_key *key = memory_alloc(((size_t)s->nitem + 1) * sizeof *key);
    s->order = arena_new(memory, s->nitem + 1, int);
    s->node = arena_new(memory, 2 * s->nitem + 2, check_node);
    bool ok = key && s->order && s->node;
    for (int i = 0; i < s->nitem && ok; i++)
        s->order[i] = i;
    todo[depth].first = 0;
    todo[depth].n = s->nitem;
    todo[depth++].parent = -1;
    while (ok && depth > 0) {
        int first = todo[--depth].first, n = todo[depth].n, parent = todo[depth].parent;
        int at = s->nnode++;
        if (parent >= 0)
            s->node[parent].second = at;
        s->node[at] = (check_node){.first = first, .n = n};
        if (n <= LEAF)
            continue;
        sort_along(s, widest(s, first, n), first, n, key);
        assert(depth + 2 <= CHECK_DEPTH);
        todo[depth].first = first + n / 2;
        todo[depth].n = n - n / 2;
        todo[depth++].parent = at;
        todo[depth].first = first;
        todo[depth].n = n / 2;
        todo[depth++].parent = -1;
    }
    memory_free(key);
    return ok;
}

static bool find_held(check_surface *s, const bool *held, arena *memory)
{
    s->held = arena_new(memory, s->nitem + 1, bool);
    for (int t = 0; t < s->nitem && s->held; t++) {
        s->held[t] = held && s->from.frame < 0;
        for (int i = 0; i < s->corners; i++) {
            int node = s->from.node[s->item[s->corners * t + i]];
            s->held[t] = s->held[t] && node >= 0 && held[node];
        }
    }
    return s->held;
}

lithe_status check_surface_build(const check_source *from, const bool *held, arena *memory,
                                 check_surface *out)
{
    bool triangles = from->ntri > 0;
    *out = (check_surface){.from = *from,
                           .nitem = triangles ? from->ntri : from->nsegment,
                           .corners = triangles ? 3 : 2,
                           .item = triangles ? from->tri : from->segment};
    for (int v = 0; v < from->nvertex; v++)
        out->thick = fmax(out->thick, from->radius[v]);
    if (!find_around(out, memory) || !find_edges(out, memory) || !find_pieces(out, memory) ||
        !find_held(out, held, memory) || !build_tree(out, memory))
        return LITHE_NO_MEMORY;
    out->hollow = out->closed && volume_of(out) < 0;
    return LITHE_OK;
}

lithe_status check_pose_create(const check_surface *s, arena *memory, check_pose *out)
{
    out->x = arena_new(memory, 3 * (size_t)s->from.nvertex + 1, double);
    out->box = arena_new(memory, s->nitem + 1, check_box);
    out->node = arena_new(memory, s->nnode + 1, check_box);
    out->marked = arena_new(memory, s->nitem + 1, unsigned char);
    out->edge = arena_new(memory, s->nedge + 1, unsigned char);
    out->vertex = arena_new(memory, s->from.nvertex + 1, unsigned char);
    out->stack = arena_new(memory, s->from.nvertex + 1, int);
    bool ok =
        out->x && out->box && out->node && out->marked && out->edge && out->vertex && out->stack;
    return ok ? LITHE_OK : LITHE_NO_MEMORY;
}

static void vertex_positions(const check_surface *s, check_pose *p, const check_positions *at)
{
    for (int v = 0; v < s->from.nvertex; v++) {
        double *x = &p->x[3 * v];
        if (s->from.frame < 0) {
            memcpy(x, &at->x[3 * (size_t)s->from.node[v]], 3 * sizeof *x);
            continue;
        }
        const contact_frame *f = &at->shape[s->from.frame];
        mat_apply(x, f->R, &s->from.rest[3 * v]);
        vec_axpy(x, 1, f->at);
    }
}

void check_pose_fit(const check_surface *s, check_pose *p, const check_positions *at, double margin)
{
    vertex_positions(s, p, at);
    for (int i = 0; i < s->nitem; i++) {
        check_item item = check_item_of(s, p->x, i);
        double thick = check_max(check_max(item.radius[0], item.radius[1]), item.radius[2]);
        p->box[i] = check_box_of(item.n, item.x, thick + margin);
    }
    for (int k = s->nnode - 1; k >= 0 && s->nitem > 0; k--) {
        const check_node *node = &s->node[k];
        if (node->second > 0) {
            p->node[k] = check_box_both(&p->node[k + 1], &p->node[node->second]);
            continue;
        }
        p->node[k] = p->box[s->order[node->first]];
        for (int i = 1; i < node->n; i++)
            p->node[k] = check_box_both(&p->node[k], &p->box[s->order[node->first + i]]);
    }
}
