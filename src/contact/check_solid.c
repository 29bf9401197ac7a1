// Pairs of surfaces. Where two closed surfaces overlap, triangles of them meet or cross, or one is
// inside of the other as a whole: so triangles that meet or cross are marked first, and only what
// they and, from there on, vertices inside lead to is looked at.
#include "base/vec.h"
#include "contact/check_inside.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// How often edges and faces are halved and quartered.
enum { EDGE_LEVELS = 4, DEEP_EDGE_LEVELS = 8, FACE_LEVELS = 2, DEEP_FACE_LEVELS = 6 };

// Are all corners of a triangle beyond a plane, and off it?
static bool is_beyond(const check_item *a, const double at[3], const double n[3],
                      double contact_distance)
{
    double limit = contact_distance * vec_norm(n), d[3];
    for (int i = 0; i < 3; i++) {
        vec_sub(d, a->x[i], at);
        if (vec_dot(d, n) <= limit)
            return false;
    }
    return true;
}

// … beside the other triangle: above or below its plane, or beyond one of its edges?
static bool is_beside(const check_item *a, const check_item *b, double contact_distance)
{
    double n[3], back[3], edge[3], out[3];
    check_normal(b, n);
    for (int k = 0; k < 3; k++)
        back[k] = -n[k];
    bool found =
        is_beyond(a, b->x[0], n, contact_distance) || is_beyond(a, b->x[0], back, contact_distance);
    for (int i = 0; i < 3 && !found; i++) {
        vec_sub(edge, b->x[(i + 1) % 3], b->x[i]);
        vec_cross(out, edge, n);
        found = is_beyond(a, b->x[i], out, contact_distance);
    }
    return found;
}

static bool are_in_contact(const check_item *a, const check_item *b, double contact_distance)
{
    double at[3];
    if (is_beside(a, b, contact_distance) || is_beside(b, a, contact_distance))
        return false;
    return check_item_gap(a, b, at) <= contact_distance;
}

typedef void visit_pair(check_probe *p, int i, int j);

typedef struct node_pair {
    int a, b;
} node_pair;

static void visit_leaves(check_probe *p, node_pair k, visit_pair *visit)
{
    const check_node *a = &p->a->node[k.a], *b = &p->b->node[k.b];
    bool same = p->a == p->b && k.a == k.b;
    for (int i = 0; i < a->n; i++)
        for (int j = same ? i + 1 : 0; j < b->n; j++)
            visit(p, p->a->order[a->first + i], p->b->order[b->first + j]);
}

// Calls visit for all items of a and b whose boxes are near; of a surface with itself, each once.
static void visit_pairs(check_probe *p, visit_pair *visit)
{
    node_pair stack[4 * CHECK_DEPTH];
    int depth = 0;
    stack[depth++] = (node_pair){0, 0};
    while (depth > 0) {
        node_pair k = stack[--depth];
        const check_node *a = &p->a->node[k.a], *b = &p->b->node[k.b];
        if (!check_boxes_meet(&p->pa->node[k.a], &p->pb->node[k.b]))
            continue;
        if (a->second == 0 && b->second == 0) {
            visit_leaves(p, k, visit);
            continue;
        }
        assert(depth + 3 <= 4 * CHECK_DEPTH);
        if (p->a == p->b && k.a == k.b) {
            stack[depth++] = (node_pair){k.a + 1, k.a + 1};
            stack[depth++] = (node_pair){k.a + 1, a->second};
            stack[depth++] = (node_pair){a->second, a->second};
        } else if (b->second == 0 || (a->second != 0 && a->n >= b->n)) {
            stack[depth++] = (node_pair){k.a + 1, k.b};
            stack[depth++] = (node_pair){a->second, k.b};
        } else {
            stack[depth++] = (node_pair){k.a, k.b + 1};
            stack[depth++] = (node_pair){k.a, b->second};
        }
    }
}

static void mark_contact(check_probe *p, int i, int j)
{
    if (!check_boxes_meet(&p->pa->box[i], &p->pb->box[j]) ||
        (p->pa->marked[i] && p->pb->marked[j]) || (p->self && check_items_join(p->a, i, p->b, j)))
        return;
    check_item a = check_item_of(p->a, p->pa->x, i), b = check_item_of(p->b, p->pb->x, j);
    if (!are_in_contact(&a, &b, p->work->contact_distance))
        return;
    p->pa->marked[i] = p->pb->marked[j] = 1;
}

static void clear(const check_surface *s, check_pose *p)
{
    memset(p->marked, 0, (size_t)s->nitem);
    memset(p->edge, 0, (size_t)s->nedge);
    memset(p->vertex, 0, (size_t)s->from.nvertex);
}

enum { LOOKED = 1, SPREAD = 2 }; // at a vertex; from a vertex on

// Everything about vertices that are inside is looked at too.
static void spread(const check_probe *p, int *depth, int vertex)
{
    if (p->pa->vertex[vertex] & SPREAD)
        return;
    p->pa->vertex[vertex] |= SPREAD;
    p->pa->stack[(*depth)++] = vertex;
}

// Of a body in itself what a vertex is near to differs with every triangle that it is of; whether
// it is inside does not.
static void look_at_vertices(check_probe *p, int item, int *depth)
{
    for (int i = 0; i < 3; i++) {
        int v = p->a->item[3 * item + i];
        unsigned char *mark = &p->pa->vertex[v];
        if (*mark && (!p->self || !(*mark & SPREAD)))
            continue;
        check_own_vertex(p, item, v);
        p->spreads = !*mark;
        *mark |= LOOKED;
        check_point look = check_look(p, &p->pa->x[3 * v]);
        if (!look.near && look.inside)
            spread(p, depth, v);
    }
    p->spreads = false;
}

// closely: edges that nothing goes through too.
static void look_at_edges(check_probe *p, int item, bool closely)
{
    for (int i = 0; i < 3; i++) {
        int e = p->a->item_edge[3 * item + i];
        const int *end = &p->a->edge[2 * e];
        if (p->pa->edge[e])
            continue;
        p->pa->edge[e] = 1;
        check_own_edge(p, e);
        check_cut(p, &p->pa->x[3 * end[0]], &p->pa->x[3 * end[1]],
                  closely ? DEEP_EDGE_LEVELS : EDGE_LEVELS, closely);
    }
}

// What of a is inside of b, from the triangles that are marked on.
static void look_inside(check_probe *p)
{
    int depth = 0;
    for (int k = 0; k < p->a->npiece; k++) { // a part that is inside as a whole meets nothing
        p->nown = p->non = 0;
        p->spreads = true;
        if (p->self)
            break;
        check_point look = check_look(p, &p->pa->x[3 * p->a->piece[k]]);
        if (!look.near && look.inside)
            spread(p, &depth, p->a->piece[k]);
    }
    p->spreads = false;
    for (int t = 0; t < p->a->nitem; t++)
        if (p->pa->marked[t] && !p->a->held[t]) {
            look_at_vertices(p, t, &depth);
            look_at_edges(p, t, false);
        }
    while (depth > 0) {
        int v = p->pa->stack[--depth];
        for (int k = p->a->around_adr[v]; k < p->a->around_adr[v + 1]; k++) {
            int t = p->a->around[k];
            if (!p->pa->marked[t] && !p->a->held[t]) {
                p->pa->marked[t] = 1;
                look_at_vertices(p, t, &depth);
            }
        }
    }
}

static void look_closely(check_probe *p)
{
    memset(p->pa->edge, 0, (size_t)p->a->nedge);
    for (int t = 0; t < p->a->nitem; t++) {
        if (!p->pa->marked[t] || p->a->held[t])
            continue;
        check_item tri = check_item_of(p->a, p->pa->x, t);
        look_at_edges(p, t, true);
        check_own_item(p, t);
        // where it is not deep, what matters is whether it is, not by how much
        bool deep = p->work->best > 0.2 * vec_distance(tri.x[0], tri.x[1]);
        check_over(p, tri.x, deep ? DEEP_FACE_LEVELS : FACE_LEVELS);
    }
}

static check_probe probe_of(check_work *w, const check_world *world, int pair, bool swapped)
{
    const check_pair *k = &world->pair[pair];
    int a = swapped ? k->second : k->first, b = swapped ? k->first : k->second;
    return (check_probe){.work = w,
                         .pair = pair,
                         .self = k->self,
                         .a = &world->surface[a],
                         .b = &world->surface[b],
                         .pa = &w->pose[a],
                         .pb = &w->pose[b]};
}

static bool may_meet(const check_probe *p)
{
    return p->a->nitem > 0 && p->b->nitem > 0 &&
           (p->a->hollow || p->b->hollow || check_boxes_meet(&p->pa->node[0], &p->pb->node[0]));
}

void check_solids(check_work *w, const check_world *world, int pair)
{
    check_probe one = probe_of(w, world, pair, false), other = probe_of(w, world, pair, true);
    if (!may_meet(&one))
        return;
    clear(one.a, one.pa);
    clear(one.b, one.pb);
    visit_pairs(&one, mark_contact);
    look_inside(&one);
    if (one.a != one.b)
        look_inside(&other);
    if (w->best <= w->small || w->deepest.pair != pair)
        return;
    look_closely(&one);
    if (one.a != one.b)
        look_closely(&other);
}

// Were two items of one body apart at rest? Only then they may come into contact.
static bool were_apart(const check_probe *p, int i, int j)
{
    check_item a = check_item_of(p->a, p->a->from.rest, i),
               b = check_item_of(p->b, p->b->from.rest, j);
    double at[3];
    return check_item_gap(&a, &b, at) > p->work->contact_distance;
}

static void measure_thick(check_probe *p, int i, int j)
{
    if (!check_boxes_meet(&p->pa->box[i], &p->pb->box[j]) || (p->a->held[i] && p->b->held[j]) ||
        (p->self && (check_items_join(p->a, i, p->b, j) || !were_apart(p, i, j))))
        return;
    check_item a = check_item_of(p->a, p->pa->x, i), b = check_item_of(p->b, p->pb->x, j);
    double at[3], gap = check_item_gap(&a, &b, at);
    check_tell(p->work, p->pair, -gap, at);
}

// The middle of what is thick, inside of what is solid.
static void look_at_middle(check_probe *p)
{
    p->nown = p->non = 0;
    p->self = false;
    for (int k = 0; k < p->a->npiece; k++) {
        p->offset = p->a->from.radius[p->a->piece[k]];
        check_look(p, &p->pa->x[3 * p->a->piece[k]]);
    }
    for (int t = 0; t < p->a->nitem && p->work->best > p->work->small; t++) {
        check_item item = check_item_of(p->a, p->pa->x, t);
        p->offset = fmin(item.radius[0], item.radius[1]);
        for (int i = 0; i < item.n && !p->a->held[t]; i++)
            check_look(p, item.x[i]);
        for (int i = 0; i < (item.n == 3 ? 3 : 1) && !p->a->held[t]; i++)
            check_cut(p, item.x[i], item.x[(i + 1) % item.n], 2 * EDGE_LEVELS, false);
    }
}

void check_thick(check_work *w, const check_world *world, int pair)
{
    check_probe one = probe_of(w, world, pair, false), other = probe_of(w, world, pair, true);
    if (!may_meet(&one))
        return;
    visit_pairs(&one, measure_thick);
    if (one.b->closed && one.a->thick > 0 && !one.self)
        look_at_middle(&one);
    if (one.a->closed && one.b->thick > 0 && !one.self)
        look_at_middle(&other);
}
