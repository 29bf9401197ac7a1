#include "contact/traverse.h"

#include "base/vec.h"
#include "contact/shape_traits.h"
#include "contact/tolerances.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef traverse_sides sides;

static box3 box_around(const box3 *of, int n, const int *number)
{
    box3 around = of[number[0]];
    for (int i = 1; i < n; i++)
        for (int k = 0; k < 3; k++) {
            const box3 *b = &of[number[i]];
            around.lower[k] = b->lower[k] < around.lower[k] ? b->lower[k] : around.lower[k];
            around.upper[k] = b->upper[k] > around.upper[k] ? b->upper[k] : around.upper[k];
        }
    return around;
}

static void fit_vertices(const traverse *t, proximity_positions *boxes)
{
    for (int v = 0; v < boxes->nvertex; v++) {
        box3 *b = &boxes->vertex[v];
        memcpy(b->lower, &t->positions->x[3 * (size_t)v], sizeof b->lower);
        memcpy(b->upper, &t->positions->x[3 * (size_t)v], sizeof b->upper);
        if (t->end)
            box_add(b, &t->end->x[3 * (size_t)v]);
    }
}

static void fit_boxes(const traverse *t, proximity_positions *boxes)
{
    fit_vertices(t, boxes);
    for (int i = 0; i < t->world->nsurface; i++) {
        const contact_surface *s = &t->world->surface[i];
        const box3 *vertex = &boxes->vertex[t->world->vertex_adr[i]];
        box3 *cell = &boxes->cell[boxes->cell_adr[i]], *edge = &boxes->edge[boxes->edge_adr[i]];
        const double *thick = &boxes->thick[boxes->cell_adr[i]];
        for (int e = 0; e < s->nedge; e++)
            edge[e] = box_around(vertex, 2, &s->edge[4 * e]);
        for (int c = 0; c < s->ncell; c++) {
            cell[c] = box_around(vertex, s->cell[c].n, s->cell[c].corner);
            box_grow(&cell[c], 0.5 * t->margin + thick[c]);
        }
        tree_fit(&s->tree, cell, &boxes->node[boxes->node_adr[i]]);
    }
}

static bool beside(const contact_surface *s, int u, int v)
{
    for (int i = s->beside_adr[u]; i < s->beside_adr[u + 1]; i++)
        if (s->beside[i] == v)
            return true;
    return false;
}

// u of the first side, v of the second
static bool one_material(const sides *p, int u, int v)
{
    if (p->same)
        return p->thin ? u == v : beside(p->s[0], u, v);
    for (int i = p->s[0]->beside_adr[u]; p->twin && i < p->s[0]->beside_adr[u + 1]; i++) {
        int twin = p->twin[p->s[0]->beside[i]];
        if (twin >= 0 && beside(p->s[1], twin, v))
            return true;
    }
    return false;
}

// Are two features, na vertices of side `side` and nb of the other, next to each other?
static bool incident(const sides *p, int side, int na, const int *a, int nb, const int *b)
{
    if (!p->same && !p->twin)
        return false;
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++)
            if (one_material(p, side ? b[j] : a[i], side ? a[i] : b[j]))
                return true;
    return false;
}

// How many vertices a feature a, or b, of a pair has.
static const int corners[2][4] = {[0] = {1, 1, 1, 2}, [1] = {1, 2, 3, 2}};

static const int *vertices_of(const contact_surface *s, int n, const int *feature)
{
    return n == 3 ? &s->tri[3 * *feature] : n == 2 ? &s->edge[4 * *feature] : feature;
}

static double rest_length2(const contact_surface *s, const int *edge)
{
    double d[3];
    vec_sub(d, &s->rest[3 * edge[0]], &s->rest[3 * edge[1]]);
    return vec_dot(d, d);
}

void traverse_pair(const sides *p, const proximity_candidate *c, proximity_pair *out)
{
    const int *vertex[2];
    *out = (proximity_pair){.match = p->match,
                            .kind = (pair_kind)c->kind,
                            .feature = {c->feature[0], c->feature[1]},
                            .shape = -1,
                            .swapped = !p->same && (c->side == 1) != p->named_back};
    for (int k = 0; k < 2; k++) {
        int n = corners[k][c->kind];
        const contact_surface *s = p->s[k ^ c->side];
        double thick = 0;
        out->surface[k] = p->surface[k ^ c->side];
        vertex[k] = vertices_of(s, n, &c->feature[k]);
        for (int i = 0; i < n; i++) {
            int v = vertex[k][i];
            thick = s->radius[v] > thick ? s->radius[v] : thick;
            out->vertex[out->npoint++] = p->t->world->vertex_adr[out->surface[k]] + v;
        }
        out->thickness += thick;
    }
    if (c->kind == PAIR_EDGE_EDGE)
        out->parallel =
            CONTACT_FADES * rest_length2(p->s[0], vertex[0]) * rest_length2(p->s[1], vertex[1]);
}

static void emit(const sides *p, proximity_candidate c)
{
    int n[2] = {corners[0][c.kind], corners[1][c.kind]};
    if (incident(p, c.side, n[0], vertices_of(p->s[c.side], n[0], &c.feature[0]), n[1],
                 vertices_of(p->s[!c.side], n[1], &c.feature[1])))
        return;
    proximity_pair pair;
    traverse_pair(p, &c, &pair);
    p->t->visit(p->t->context, &pair);
}

// Is a vertex a corner of the quad that a triangle is cut from?
static bool in_quad(const contact_surface *s, int tri, int vertex)
{
    const int *v = s->tri_quad[tri] >= 0 ? &s->quad[4 * s->tri_quad[tri]] : NULL;
    return v && (vertex == v[0] || vertex == v[1] || vertex == v[2] || vertex == v[3]);
}

// What a cell has brought along and is near enough to another cell's box.
typedef struct parts {
    int nvertex, vertex[3];
    int nedge, edge[3];
} parts;

static bool has_corner(const surface_cell *c, int v)
{
    return (v == c->corner[0]) | (c->n > 1 && v == c->corner[1]) | (c->n > 2 && v == c->corner[2]);
}

static void near_parts(const sides *p, int side, int cell, int other, const box3 *box, parts *out)
{
    const contact_surface *s = p->s[side];
    const surface_cell *c = &s->cell[cell], *o = &p->s[!side]->cell[other];
    const proximity_positions *positions = p->t->positions;
    const box3 *vertex = &positions->vertex[p->t->world->vertex_adr[p->surface[side]]];
    const box3 *edge = &positions->edge[positions->edge_adr[p->surface[side]]];
    box3 where = *box;
    box_grow(&where,
             0.5 * p->t->margin + positions->thick[positions->cell_adr[p->surface[side]] + cell]);
    out->nvertex = out->nedge = 0;
    for (int i = 0; i < c->nvertex; i++)
        if (!(p->same && has_corner(o, c->vertex[i])) && box_meets(&vertex[c->vertex[i]], &where))
            out->vertex[out->nvertex++] = c->vertex[i];
    for (int i = 0; i < c->nedge && o->nedge > 0; i++)
        if (box_meets(&edge[c->edge[i]], &where))
            out->edge[out->nedge++] = c->edge[i];
}

// Vertices of cell a of one side, and cell b of the other.
static void vertices_on_cell(const sides *p, int side, const parts *part, int cell_a, int cell_b)
{
    static const pair_kind kind[4] = {0, PAIR_VERTEX_VERTEX, PAIR_VERTEX_EDGE, PAIR_VERTEX_FACE};
    const contact_surface *sb = p->s[!side];
    const surface_cell *a = &p->s[side]->cell[cell_a], *b = &sb->cell[cell_b];
    bool points = a->n == 1 && b->n == 1;
    if ((b->n == 1 && !(points && side == 0)) || (p->rim && (side == 0 || b->n < 3)))
        return;
    int feature = b->n == 3 ? b->tri : b->n == 2 ? b->edge[0] : b->corner[0];
    for (int i = 0; i < part->nvertex; i++) {
        int v = part->vertex[i];
        if (p->same && b->n == 3 && in_quad(sb, b->tri, v))
            continue;
        emit(p, (proximity_candidate){{v, feature}, (short)kind[b->n], (short)side});
    }
}

static void edges_on_edges(const sides *p, const parts *a, const parts *b)
{
    const contact_surface *sa = p->s[0], *sb = p->s[1];
    for (int i = 0; i < a->nedge; i++)
        for (int j = 0; j < b->nedge; j++) {
            const int *u = &sa->edge[4 * a->edge[i]], *v = &sb->edge[4 * b->edge[j]];
            if (p->same && (u[0] == v[0] || u[0] == v[1] || u[1] == v[0] || u[1] == v[1]))
                continue;
            int quad = p->same ? sa->diagonal[a->edge[i]] : -1;
            if (quad >= 0 && quad == sb->diagonal[b->edge[j]])
                continue; // the two diagonals of one face
            emit(p, (proximity_candidate){{a->edge[i], b->edge[j]}, PAIR_EDGE_EDGE, 0});
        }
}

static void visit_cells(const sides *p, int a, int b)
{
    const proximity_positions *positions = p->t->positions;
    const box3 *box[2] = {&positions->cell[positions->cell_adr[p->surface[0]] + a],
                          &positions->cell[positions->cell_adr[p->surface[1]] + b]};
    if (!box_meets(box[0], box[1]))
        return;
    parts part[2];
    near_parts(p, 0, a, b, box[1], &part[0]);
    near_parts(p, 1, b, a, box[0], &part[1]);
    vertices_on_cell(p, 0, &part[0], a, b);
    vertices_on_cell(p, 1, &part[1], b, a);
    edges_on_edges(p, &part[0], &part[1]);
}

static void visit_leaves(const sides *p, int a, int b)
{
    const tree *ta = &p->s[0]->tree, *tb = &p->s[1]->tree;
    box_node na = ta->node[a], nb = tb->node[b];
    bool own = p->same && a == b;
    for (int i = 0; i < na.n; i++)
        for (int j = own ? i + 1 : 0; j < nb.n; j++)
            visit_cells(p, ta->item[na.first + i], tb->item[nb.first + j]);
}

typedef struct node_pair {
    int a, b;
    int depth; // of both together
} node_pair;

// Which side is split depends on the trees alone, so that what is visited is visited in one order.
static void split(const sides *p, node_pair at, node_pair *stack, int *n)
{
    box_node na = p->s[0]->tree.node[at.a], nb = p->s[1]->tree.node[at.b];
    if (p->same && at.a == at.b) {
        stack[(*n)++] = (node_pair){na.first + 1, na.first + 1, at.depth + 2};
        stack[(*n)++] = (node_pair){na.first, na.first + 1, at.depth + 2};
        stack[(*n)++] = (node_pair){na.first, na.first, at.depth + 2};
        return;
    }
    bool first = nb.n > 0 || (na.n == 0 && at.depth % 2 == 0);
    for (int k = 1; k >= 0; k--)
        stack[(*n)++] = first ? (node_pair){na.first + k, at.b, at.depth + 1}
                              : (node_pair){at.a, nb.first + k, at.depth + 1};
}

static void visit_trees(const sides *p)
{
    const proximity_positions *positions = p->t->positions;
    const box3 *box[2];
    node_pair stack[4 * TREE_DEPTH];
    int n = 0;
    for (int k = 0; k < 2; k++)
        box[k] = &positions->node[positions->node_adr[p->surface[k]]];
    if (p->s[0]->tree.nnode > 0 && p->s[1]->tree.nnode > 0)
        stack[n++] = (node_pair){0, 0, 0};
    while (n > 0) {
        node_pair at = stack[--n];
        if (!box_meets(&box[0][at.a], &box[1][at.b]))
            continue;
        if (p->s[0]->tree.node[at.a].n > 0 && p->s[1]->tree.node[at.b].n > 0) {
            visit_leaves(p, at.a, at.b);
            continue;
        }
        split(p, at, stack, &n);
        assert(n + 3 <= 4 * TREE_DEPTH); // halving: each depth is the logarithm of an int
    }
}

void traverse_open(const traverse *t, int match, sides *out)
{
    const proximity_world *world = t->world;
    const proximity_match *m = &world->match[match];
    bool rim = m->second < 0;
    int first = m->first, second = rim ? world->rim[m->shape] : m->second;
    bool back = second < first && !rim;
    *out = (sides){.t = t,
                   .match = match,
                   .surface = {back ? second : first, back ? first : second},
                   .same = first == second,
                   .named_back = back,
                   .rim = rim,
                   .twin = world->twin[match]};
    for (int k = 0; k < 2; k++)
        out->s[k] = &world->surface[out->surface[k]];
    out->thin = out->s[0]->beside_adr[out->s[0]->nvertex] == out->s[0]->nvertex;
}

// Everything that goes with a shape.
typedef struct against {
    const traverse *t;
    int match;
    const contact_surface *s;
    const contact_shape *shape;
    const contact_frame *at;
    double shift, spin; // how far the shape goes, m, and rotates
    bool ends;          // its distance is convex: edges and faces count besides vertices
} against;

// Could any point of the box be within reach of the shape? The distance falls by no more than the
// way that is gone.
static bool box_near(const against *g, const box3 *b)
{
    double centre[3], half2 = 0, n[3];
    for (int i = 0; i < 3; i++) {
        double half = 0.5 * (b->upper[i] - b->lower[i]);
        centre[i] = b->lower[i] + half;
        half2 += half * half;
    }
    double half = sqrt(half2);
    double moved = g->shift + g->spin * (vec_distance(centre, g->at->at) + half);
    return shape_distance(g->shape, g->at, centre, n) - half - moved < 0.5 * g->t->margin;
}

static void emit_shape(const against *g, pair_kind kind, int n, const int *vertex, int feature,
                       double thickness)
{
    const proximity_match *m = &g->t->world->match[g->match];
    proximity_pair pair = {.match = g->match,
                           .kind = kind,
                           .npoint = n,
                           .surface = {m->first, -1},
                           .feature = {feature, 0},
                           .shape = m->shape,
                           .thickness = thickness};
    for (int i = 0; i < n; i++)
        pair.vertex[i] = g->t->world->vertex_adr[m->first] + vertex[i];
    g->t->visit(g->t->context, &pair);
}

static void visit_cell_of_shape(const against *g, const surface_cell *c, double thick)
{
    const contact_surface *s = g->s;
    for (int i = 0; i < c->nvertex; i++)
        emit_shape(g, PAIR_SHAPE_VERTEX, 1, &c->vertex[i], c->vertex[i], s->radius[c->vertex[i]]);
    for (int i = 0; i < c->nedge && g->ends; i++) {
        const int *v = &s->edge[4 * c->edge[i]];
        emit_shape(g, PAIR_SHAPE_EDGE, 2, v, c->edge[i], fmax(s->radius[v[0]], s->radius[v[1]]));
    }
    if (c->n == 3 && g->ends)
        emit_shape(g, PAIR_SHAPE_FACE, 3, c->corner, c->tri, thick);
}

static void visit_tree_of_shape(const against *g, int surface)
{
    const proximity_positions *positions = g->t->positions;
    const box3 *node = &positions->node[positions->node_adr[surface]];
    const box3 *cell = &positions->cell[positions->cell_adr[surface]];
    const double *thick = &positions->thick[positions->cell_adr[surface]];
    const tree *t = &g->s->tree;
    int stack[TREE_DEPTH], n = 0;
    if (t->nnode > 0)
        stack[n++] = 0;
    while (n > 0) {
        int k = stack[--n];
        if (!box_near(g, &node[k]))
            continue;
        for (int i = 0; i < t->node[k].n; i++) {
            int c = t->item[t->node[k].first + i];
            if (box_near(g, &cell[c]))
                visit_cell_of_shape(g, &g->s->cell[c], thick[c]);
        }
        if (t->node[k].n == 0) {
            assert(n + 2 <= TREE_DEPTH);
            stack[n++] = t->node[k].first + 1;
            stack[n++] = t->node[k].first;
        }
    }
}

static void visit_shape(const traverse *t, int match)
{
    const proximity_world *world = t->world;
    const proximity_match *m = &world->match[match];
    against g = {.t = t,
                 .match = match,
                 .s = &world->surface[m->first],
                 .shape = &world->shape[m->shape],
                 .at = &t->positions->frame[m->shape],
                 .ends = shape_traits_of(&world->shape[m->shape])->nrim > 0};
    if (t->end) {
        const contact_frame *to = &t->end->frame[m->shape];
        double between = 0;
        for (int i = 0; i < 9; i++) // |R - R'|^2 = 8 sin^2(angle / 2)
            between += (to->R[i] - g.at->R[i]) * (to->R[i] - g.at->R[i]);
        g.shift = vec_distance(to->at, g.at->at);
        g.spin = 2 * asin(fmin(sqrt(between / 8), 1));
    }
    visit_tree_of_shape(&g, m->first);
}

static bool is_off(const traverse *t, int match)
{
    return t->filter && t->filter->off && t->filter->off[match];
}

// Does a match have a second surface: a shape with rims has one, these?
static bool has_surface(const traverse *t, int match)
{
    const proximity_match *m = &t->world->match[match];
    return m->second >= 0 || t->world->rim[m->shape] >= 0;
}

void traverse_surfaces(const traverse *t, proximity_positions *boxes)
{
    fit_boxes(t, boxes);
    for (int i = 0; i < t->world->nmatch; i++)
        if (has_surface(t, i) && !is_off(t, i)) {
            sides p;
            traverse_open(t, i, &p);
            visit_trees(&p);
        }
}

void traverse_pairs(const traverse *t, proximity_positions *boxes)
{
    bool kept = t->keep && traverse_keep_serves(t);
    if (t->keep && !kept && !t->end) {
        traverse_keep_fill(t, boxes);
        kept = traverse_keep_serves(t);
    }
    if (kept)
        traverse_keep_follow(t, boxes);
    bool fitted = false;
    for (int i = 0; i < t->world->nmatch; i++) {
        bool shape = t->world->match[i].second < 0, surface = has_surface(t, i);
        if (is_off(t, i))
            continue;
        if (!fitted && (shape || !kept))
            fit_boxes(t, boxes);
        fitted = fitted || shape || !kept;
        if (shape)
            visit_shape(t, i);
        sides p;
        if (surface)
            traverse_open(t, i, &p);
        if (surface && kept)
            traverse_keep_visit(&p);
        else if (surface)
            visit_trees(&p);
    }
}

uint64_t traverse_id(const proximity_world *world, const proximity_pair *pair)
{
    const proximity_match *m = &world->match[pair->match];
    bool back = pair->shape < 0 && m->second >= 0 && pair->surface[0] > pair->surface[1];
    return (uint64_t)1 << 63 | (uint64_t)(unsigned)pair->match << 52 |
           (uint64_t)(unsigned)pair->kind << 49 | (uint64_t)back << 48 |
           (uint64_t)(unsigned)pair->feature[0] << 24 | (uint64_t)(unsigned)pair->feature[1];
}

bool traverse_moves(const traverse *t, const proximity_pair *pair)
{
    if (!t->filter || !t->filter->held)
        return true;
    for (int i = 0; i < pair->npoint; i++) {
        const surface_entry *entry;
        int n = proximity_point(t->world, pair, i, &entry);
        for (int e = 0; e < n; e++)
            if (!t->filter->held[entry[e].node])
                return true;
    }
    return false;
}
