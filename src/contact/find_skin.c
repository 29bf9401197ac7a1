// A skin against a skin: vertices near triangles, and sharp edges that cross.
#include "contact/find.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

// One direction: vertices of `from` against triangles of `onto`.
typedef struct vertex_search {
    find *f;
    const contact_skin *from, *onto;
    const skin_pose *pf, *po, *pf_before, *po_before;
    bool back; // `from` is the pair's second skin
    int vertex;
    skin_point best; // where the vertex is nearest; of a body to itself, so far
} vertex_search;

static double stand_off(const vertex_search *s, const skin_point *p)
{
    double radius = s->from->radius[s->vertex];
    for (int i = 0; i < 3; i++)
        radius += p->weight[i] * s->onto->radius[s->onto->tri[3 * p->tri + i]];
    return radius;
}

// Of the faces that meet where the vertex is nearest, the one that looks most against it.
static int opposed_face(const vertex_search *s, const skin_point *p)
{
    const double *own = &s->pf->vertex_normal[3 * s->vertex];
    int best = p->tri;
    for (int i = 0; i < 3; i++) {
        const int *edge = &s->onto->edge[4 * s->onto->tri_edge[3 * p->tri + i]];
        int other = edge[2] == p->tri ? edge[3] : edge[2];
        if (other >= 0 && p->weight[(i + 2) % 3] == 0 &&
            vec_dot(own, &s->po->tri_normal[3 * other]) <
                vec_dot(own, &s->po->tri_normal[3 * best]) - 1e-3)
            best = other;
    }
    return best;
}

// Puts p on the plane of a face; false: the face has no area.
static bool put_on_face(const vertex_search *s, int tri, skin_point *p)
{
    const double *corner[3];
    double weight[3], normal[3];
    for (int i = 0; i < 3; i++)
        corner[i] = &s->po->x[3 * s->onto->tri[3 * tri + i]];
    if (!find_plane(&s->pf->x[3 * s->vertex], corner, normal, weight))
        return false;
    p->tri = tri;
    memcpy(p->weight, weight, sizeof weight);
    memcpy(p->normal, normal, sizeof normal);
    memset(p->at, 0, sizeof p->at);
    for (int i = 0; i < 3; i++)
        vec_axpy(p->at, weight[i], corner[i]);
    return true;
}

// Out of the triangle's material. Where the nearest point is on an edge or corner and not close
// yet, from there to the vertex; close by that direction would spin, and a face's normal serves.
// True: p is on the plane of a face.
static bool contact_normal(const vertex_search *s, skin_point *p, double out[3])
{
    const double *x = &s->pf->x[3 * s->vertex];
    bool close = fabs(p->distance) <= CONTACT_CLOSE * s->f->pair->alarm;
    bool plane = (close || p->feature == NEAREST_INSIDE) &&
                 put_on_face(s, p->feature == NEAREST_INSIDE ? p->tri : opposed_face(s, p), p);
    memcpy(out, p->normal, sizeof p->normal);
    for (int i = 0; i < 3 && !plane && !close; i++)
        out[i] = (x[i] - p->at[i]) / p->distance;
    return plane;
}

// Beside a skin that is a part of a surface, not above it: the vertex has passed its rim.
static bool beyond_rim(const skin_point *p, const double x[3])
{
    double d[3];
    vec_sub(d, x, p->at);
    return p->feature != NEAREST_INSIDE &&
           fabs(vec_dot(d, p->normal)) < FIND_SAME_SIDE * vec_norm(d);
}

// plane: p is on the plane of its face.
static void add_vertex(const vertex_search *s, const skin_point *p, const double out[3], double gap,
                       bool plane)
{
    find *f = s->f;
    double normal[3], side = s->back ? -1 : 1;
    for (int i = 0; i < 3; i++)
        normal[i] = side * out[i];
    double area = s->back ? 0 : s->pf->area[s->vertex];
    for (int i = 0; i < 3 && s->back; i++)
        area += p->weight[i] * s->po->area[s->onto->tri[3 * p->tri + i]];
    find_kind kind = s->back ? FIND_VERTEX_BACK : FIND_VERTEX;
    uint64_t id = find_id(f->pair_id, kind, s->vertex, plane ? 1 + p->tri : 0);
    contact *c =
        find_open(f, id, gap, normal, s->back ? &s->pf->x[3 * s->vertex] : p->at, fabs(area));
    if (!c)
        return;
    find_entry(f, c, s->from, s->vertex, side);
    for (int i = 0; i < 3; i++)
        if (plane || p->weight[i] > 0)
            find_entry(f, c, s->onto, s->onto->tri[3 * p->tri + i], -side * p->weight[i]);
    if (!plane)
        return;
    c->form = CONTACT_FACE;
    c->back = s->back;
    c->feature[0] = s->vertex;
    c->feature[1] = p->tri;
}

// Where the vertex comes from, as seen from the triangles that move too.
static bool came_through(const vertex_search *s, skin_point *hit)
{
    const double *x = &s->pf->x[3 * s->vertex];
    if (!s->pf_before || !s->po_before)
        return false;
    double start[3];
    memcpy(start, &s->pf_before->x[3 * s->vertex], sizeof start);
    skin_point near =
        skin_nearest(s->onto, s->po, x, 2 * vec_distance(start, x) + s->f->pair->alarm);
    for (int i = 0; near.tri >= 0 && i < 3; i++) {
        int corner = s->onto->tri[3 * near.tri + i];
        vec_axpy(start, near.weight[i], &s->po->x[3 * corner]);
        vec_axpy(start, -near.weight[i], &s->po_before->x[3 * corner]);
    }
    return sweep_skin(s->onto, s->po, start, x, hit);
}

// Where the nearest way out is not the way in, the plane where the vertex came in takes its place.
static bool swept(const vertex_search *s, const skin_point *nearest)
{
    const double *x = &s->pf->x[3 * s->vertex];
    skin_point hit;
    if (!came_through(s, &hit) ||
        (nearest->tri >= 0 && vec_dot(hit.normal, nearest->normal) > FIND_SAME_SIDE))
        return false;
    double way[3];
    vec_sub(way, x, hit.at);
    add_vertex(s, &hit, hit.normal, vec_dot(way, hit.normal) - stand_off(s, &hit), false);
    return true;
}

// In a corner that opens towards the vertex it is near to more than one face, and each of them
// holds it. best: where it is nearest.
static void look_at_other_face(void *context, int tri)
{
    vertex_search *s = context;
    const double *x = &s->pf->x[3 * s->vertex], *n = &s->po->tri_normal[3 * tri], *corner[3];
    double alarm = s->f->pair->alarm, way[3], across[3];
    const double alike = 0.998; // cosine: faces that turn by less are one
    skin_point p = {.tri = tri};
    for (int i = 0; i < 3; i++)
        corner[i] = &s->po->x[3 * s->onto->tri[3 * tri + i]];
    vec_sub(way, x, corner[0]);
    double height = vec_dot(way, n);
    if (tri == s->best.tri || height < -0.2 * alarm || vec_dot(n, s->best.normal) > alike ||
        !find_faces(&s->pf->vertex_normal[3 * s->vertex], n) ||
        nearest_on_triangle(x, corner, p.weight) != NEAREST_INSIDE)
        return;
    for (int i = 0; i < 3; i++)
        vec_axpy(p.at, p.weight[i], corner[i]);
    vec_sub(across, s->best.at, p.at);
    double gap = height - stand_off(s, &p);
    if (gap <= alarm && vec_dot(across, n) > 1e-3 * alarm)
        add_vertex(s, &p, n, gap, true);
}

static void look_at_other_faces(vertex_search *s, const skin_point *nearest, const double out[3])
{
    box3 near = box_empty();
    box_add(&near, &s->pf->x[3 * s->vertex]);
    box_grow(&near, s->f->pair->alarm + stand_off(s, nearest));
    s->best = *nearest;
    memcpy(s->best.normal, out, sizeof s->best.normal);
    tree_query(&s->onto->tree, s->po->node, &near, look_at_other_face, s);
}

static void look_at_vertex(vertex_search *s, double reach)
{
    const double *x = &s->pf->x[3 * s->vertex];
    skin_point p = skin_nearest(s->onto, s->po, x, reach + s->from->radius[s->vertex]);
    if (swept(s, &p))
        return;
    if (p.tri < 0 || (s->back && s->from->ntri > 0 && p.feature <= NEAREST_CORNER2))
        return; // corner against corner is found from the front
    if (!s->onto->closed && beyond_rim(&p, x))
        return;
    double out[3], way[3];
    bool plane = contact_normal(s, &p, out);
    vec_sub(way, x, p.at);
    double gap = vec_dot(way, out) - stand_off(s, &p);
    if (gap > s->f->pair->alarm)
        return;
    if (!find_faces(&s->pf->vertex_normal[3 * s->vertex], out)) {
        find_leave(s->f->list, gap, s->f->pair_id);
        return;
    }
    int before = s->f->list->n;
    add_vertex(s, &p, out, gap, plane);
    if (s->f->list->n > before)
        look_at_other_faces(s, &p, out);
}

static bool has_node(const contact_skin *a, int vertex, const contact_skin *b, int tri)
{
    for (int i = 0; i < 3; i++)
        if (a->node[vertex] == b->node[b->tri[3 * tri + i]])
            return true;
    return false;
}

// At rest the vertex lay close behind the triangle: it is the other side of a wall.
static bool through_wall(const vertex_search *s, int tri, double alarm)
{
    const double *x = &s->from->rest[3 * s->vertex], *corner[3];
    double weight[3], at[3] = {0, 0, 0}, u[3], v[3], n[3], d[3];
    for (int i = 0; i < 3; i++)
        corner[i] = &s->onto->rest[3 * s->onto->tri[3 * tri + i]];
    nearest_on_triangle(x, corner, weight);
    for (int i = 0; i < 3; i++)
        vec_axpy(at, weight[i], corner[i]);
    vec_sub(u, corner[1], corner[0]);
    vec_sub(v, corner[2], corner[0]);
    vec_cross(n, u, v);
    vec_sub(d, x, at);
    return vec_dot(d, n) < 0 && vec_norm(d) < 4 * alarm;
}

// Was the vertex in front of the triangle when the step began, and has it moved by more than it is
// deep now?
static bool passed(const vertex_search *s, const skin_point *p)
{
    double before[3], now[3], start[3], foot[3] = {0, 0, 0}, moved[3], u[3], v[3], n[3];
    const double *corner[3];
    if (!s->pf_before || !s->po_before || p->distance >= 0 || p->feature != NEAREST_INSIDE)
        return false;
    for (int i = 0; i < 3; i++) {
        corner[i] = &s->po_before->x[3 * s->onto->tri[3 * p->tri + i]];
        vec_axpy(foot, p->weight[i], corner[i]);
    }
    memcpy(start, &s->pf_before->x[3 * s->vertex], sizeof start);
    vec_sub(before, start, foot);
    vec_sub(now, &s->pf->x[3 * s->vertex], p->at);
    vec_sub(moved, now, before);
    vec_sub(u, corner[1], corner[0]);
    vec_sub(v, corner[2], corner[0]);
    vec_cross(n, u, v);
    return vec_dot(before, n) > 0 && vec_norm(moved) > -p->distance;
}

static void look_at_own_triangle(void *context, int tri)
{
    vertex_search *s = context;
    double alarm = s->f->pair->alarm;
    const double *x = &s->pf->x[3 * s->vertex], *corner[3];
    if (has_node(s->from, s->vertex, s->onto, tri) ||
        !find_faces(&s->pf->vertex_normal[3 * s->vertex], &s->po->tri_normal[3 * tri]))
        return;
    skin_point p = {.tri = tri};
    for (int i = 0; i < 3; i++)
        corner[i] = &s->po->x[3 * s->onto->tri[3 * tri + i]];
    p.feature = nearest_on_triangle(x, corner, p.weight);
    for (int i = 0; i < 3; i++)
        vec_axpy(p.at, p.weight[i], corner[i]);
    memcpy(p.normal, &s->po->tri_normal[3 * tri], sizeof p.normal);
    double d[3];
    vec_sub(d, x, p.at);
    p.distance = copysign(vec_norm(d), vec_dot(d, p.normal));
    bool nearer = s->best.tri < 0 || fabs(p.distance) < fabs(s->best.distance);
    if (nearer && (fabs(p.distance) <= alarm || passed(s, &p)) && !through_wall(s, tri, alarm))
        s->best = p;
}

static void look_at_own_vertex(vertex_search *s)
{
    const double *x = &s->pf->x[3 * s->vertex];
    // what came to meet it has moved as well
    double reach = s->pf_before ? 2 * vec_distance(x, &s->pf_before->x[3 * s->vertex]) : 0;
    box3 near = box_empty();
    box_add(&near, x);
    box_grow(&near, s->f->pair->alarm + reach);
    s->best.tri = -1;
    tree_query(&s->onto->tree, s->po->node, &near, look_at_own_triangle, s);
    if (s->best.tri < 0)
        return;
    double out[3], way[3];
    bool plane = contact_normal(s, &s->best, out);
    vec_sub(way, x, s->best.at);
    add_vertex(s, &s->best, out, vec_dot(way, out) - stand_off(s, &s->best), plane);
}

// How far inside a closed skin its surface still has to be looked for.
static double depth_of(const contact_skin *s, const skin_pose *p)
{
    double least = INFINITY;
    for (int i = 0; i < 3 && s->tree.nnode > 0; i++)
        least = fmin(least, p->node[0].upper[i] - p->node[0].lower[i]);
    return s->closed ? 0.5 * least : 0;
}

static void search_vertices(vertex_search *s)
{
    if (s->onto->ntri == 0)
        return;
    double alarm = s->f->pair->alarm, reach = fmax(alarm, depth_of(s->onto, s->po));
    for (s->vertex = 0; s->vertex < s->from->nvertex; s->vertex++) {
        box3 path = box_empty();
        box_add(&path, &s->pf->x[3 * s->vertex]);
        if (s->pf_before)
            box_add(&path, &s->pf_before->x[3 * s->vertex]);
        box_grow(&path, alarm + s->from->radius[s->vertex]);
        if (!box_meets(&path, &s->po->node[0]))
            continue;
        if (s->f->pair->self)
            look_at_own_vertex(s);
        else
            look_at_vertex(s, reach);
    }
}

// Is there a contact among those from `first` to before `end` that speaks for the same spot?
static bool is_covered(const contact_list *list, int first, int end, const contact *c)
{
    for (int i = first; i < end; i++) {
        const contact *front = &list->contact[i];
        if (vec_distance(front->at, c->at) < 0.7 * sqrt(front->area) &&
            vec_dot(front->normal, c->normal) > FIND_SAME_SIDE)
            return true;
    }
    return false;
}

// Vertices of the second skin count only where those of the first are far apart: two rows for one
// spot share its force in no certain way. far: gap from which on they are left out.
static void drop_covered(contact_list *list, int first, int back, double far)
{
    int kept = back, nentry = back < list->n ? list->contact[back].adr : list->nentry;
    for (int i = back; i < list->n; i++) {
        contact c = list->contact[i];
        if (c.gap > far && is_covered(list, first, back, &c))
            continue;
        memmove(&list->entry[nentry], &list->entry[c.adr], (size_t)c.n * sizeof *list->entry);
        c.adr = nentry;
        nentry += c.n;
        list->contact[kept++] = c;
    }
    list->n = kept;
    list->nentry = nentry;
}

void find_vertices_of_skin(find *f)
{
    int first = f->list->n;
    vertex_search s = {f, f->a, f->b, f->pa, f->pb, f->pa_before, f->pb_before, false, 0, {0}};
    search_vertices(&s);
    if (f->a == f->b)
        return; // they have all been looked at
    int back = f->list->n;
    s = (vertex_search){f, f->b, f->a, f->pb, f->pa, f->pb_before, f->pa_before, true, 0, {0}};
    search_vertices(&s);
    drop_covered(f->list, first, back, f->far);
}

// A ridge: its two faces turn away from each other by more than 20 degrees. Rims count.
static bool is_sharp(const contact_skin *s, const skin_pose *p, int edge)
{
    const int *e = &s->edge[4 * edge];
    if (e[3] < 0)
        return true;
    const double *n0 = &p->tri_normal[3 * e[2]], *n1 = &p->tri_normal[3 * e[3]];
    if (vec_dot(n0, n1) > 0.94)
        return false;
    for (int i = 0; i < 3; i++) {
        int v = s->tri[3 * e[3] + i];
        double d[3];
        vec_sub(d, &p->x[3 * v], &p->x[3 * e[0]]);
        if (v != e[0] && v != e[1])
            return vec_dot(d, n0) < 0;
    }
    return false;
}

bool find_ridge(const contact_skin *s, const skin_pose *p, int edge, const double n[3])
{
    const double slant = 0.02;
    const int *e = &s->edge[4 * edge];
    for (int side = 2; side < 4 && e[side] >= 0; side++)
        for (int i = 0; i < 3; i++) {
            int v = s->tri[3 * e[side] + i];
            double u[3], d[3];
            if (v == e[0] || v == e[1])
                continue;
            vec_sub(u, &p->x[3 * e[1]], &p->x[3 * e[0]]);
            vec_sub(d, &p->x[3 * v], &p->x[3 * e[0]]);
            vec_axpy(d, -vec_dot(d, u) / vec_dot(u, u), u); // across the edge
            if (vec_dot(d, n) > slant * vec_norm(d))
                return false;
        }
    return true;
}

typedef struct edge_search {
    find *f;
    int edge;
} edge_search;

static bool edges_share_node(const find *f, const int *ea, const int *eb)
{
    for (int i = 0; i < 4; i++)
        if (f->a->node[ea[i / 2]] == f->b->node[eb[i % 2]])
            return true;
    return false;
}

// Normal from b to a at the points where the edges are nearest, and the signed distance.
static bool edge_gap(const find *f, const int *ea, const int *eb, const double mean[3], double *s,
                     double *t, double n[3], double *gap)
{
    const double *a0 = &f->pa->x[3 * ea[0]], *a1 = &f->pa->x[3 * ea[1]];
    const double *b0 = &f->pb->x[3 * eb[0]], *b1 = &f->pb->x[3 * eb[1]];
    const double rim = 1e-3; // nearer to its end a vertex speaks for the edge
    nearest_of_segments(a0, a1, b0, b1, s, t);
    if (*s < rim || *s > 1 - rim || *t < rim || *t > 1 - rim)
        return false;
    double u[3], v[3], d[3];
    vec_sub(u, a1, a0);
    vec_sub(v, b1, b0);
    vec_cross(n, u, v);
    double length = vec_norm(n), side = vec_dot(n, mean) < 0 ? -1 : 1;
    if (length < 0.1 * vec_norm(u) * vec_norm(v))
        return false; // nearly parallel: their ends speak for them
    for (int i = 0; i < 3; i++) {
        n[i] *= side / length;
        d[i] = a0[i] + *s * u[i] - b0[i] - *t * v[i];
    }
    *gap = vec_dot(d, n);
    return true;
}

static void look_at_edges(edge_search *search, int edge)
{
    find *f = search->f;
    const int *ea = &f->a->edge[4 * search->edge], *eb = &f->b->edge[4 * edge];
    if (f->pair->self && edges_share_node(f, ea, eb))
        return;
    double mean[3], s, t, n[3], gap, back[3], at[3] = {0, 0, 0};
    vec_sub(mean, &f->pb->edge_normal[3 * edge], &f->pa->edge_normal[3 * search->edge]);
    if (!edge_gap(f, ea, eb, mean, &s, &t, n, &gap))
        return;
    gap -= (1 - s) * f->a->radius[ea[0]] + s * f->a->radius[ea[1]] + (1 - t) * f->b->radius[eb[0]] +
           t * f->b->radius[eb[1]];
    for (int i = 0; i < 3; i++)
        back[i] = -n[i];
    if (fabs(gap) > f->pair->alarm || !find_ridge(f->b, f->pb, edge, n) ||
        !find_ridge(f->a, f->pa, search->edge, back))
        return;
    vec_axpy(at, 1 - t, &f->pb->x[3 * eb[0]]);
    vec_axpy(at, t, &f->pb->x[3 * eb[1]]);
    double area = (1 - s) * f->pa->area[ea[0]] + s * f->pa->area[ea[1]];
    contact *c = find_open(f, find_id(f->pair_id, FIND_EDGE, search->edge, edge), gap, n, at, area);
    if (!c)
        return;
    find_entry(f, c, f->a, ea[0], 1 - s);
    find_entry(f, c, f->a, ea[1], s);
    find_entry(f, c, f->b, eb[0], t - 1);
    find_entry(f, c, f->b, eb[1], -t);
    c->form = CONTACT_EDGES;
    c->feature[0] = search->edge;
    c->feature[1] = edge;
}

static void look_at_edges_of(void *context, int tri)
{
    edge_search *search = context;
    const find *f = search->f;
    for (int i = 0; i < 3; i++) {
        int edge = f->b->tri_edge[3 * tri + i];
        bool counted = f->a == f->b && edge <= search->edge;
        if (f->b->edge[4 * edge + 2] == tri && !counted && is_sharp(f->b, f->pb, edge))
            look_at_edges(search, edge);
    }
}

void find_edges_of_skin(find *f)
{
    edge_search search = {f, 0};
    for (int e = 0; e < f->a->nedge && f->b->ntri > 0; e++) {
        box3 near = box_empty();
        box_add(&near, &f->pa->x[3 * f->a->edge[4 * e]]);
        box_add(&near, &f->pa->x[3 * f->a->edge[4 * e + 1]]);
        box_grow(&near, f->pair->alarm);
        if (!box_meets(&near, &f->pb->node[0]) || !is_sharp(f->a, f->pa, e))
            continue;
        search.edge = e;
        tree_query(&f->b->tree, f->pb->node, &near, look_at_edges_of, &search);
    }
}
