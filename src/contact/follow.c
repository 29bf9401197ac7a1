// A contact between skins as a function of x: the vertex and the face, or the two edges, that met
// when it was found stay the same, and its gap is that to the plane of the face, or that between
// the lines of the edges. Both are smooth. docs/theory/contact-detection.md.
#include "contact/find.h"

#include "base/vec.h"

#include <math.h>
#include <string.h>

static const contact_skin *skin_of(const contact_world *world, const contact *c, bool second)
{
    const contact_pair *pair = &world->pair[c->pair];
    return &world->skin[second ? pair->second : pair->first];
}

static void position(const contact_skin *s, int vertex, const contact_place *at, double out[3])
{
    if (s->frame < 0) {
        memcpy(out, &at->x[3 * (size_t)s->node[vertex]], 3 * sizeof *out);
        return;
    }
    mat_apply(out, at->shape[s->frame].R, &s->rest[3 * vertex]);
    vec_axpy(out, 1, at->shape[s->frame].at);
}

bool find_plane(const double p[3], const double *const corner[3], double n[3], double weight[3])
{
    double u[3], v[3], d[3], across[3];
    vec_sub(u, corner[1], corner[0]);
    vec_sub(v, corner[2], corner[0]);
    vec_sub(d, p, corner[0]);
    vec_cross(n, u, v);
    double square = vec_dot(n, n);
    if (!(square > 1e-20 * vec_dot(u, u) * vec_dot(v, v)))
        return false;
    vec_cross(across, d, v);
    weight[1] = vec_dot(across, n) / square;
    vec_cross(across, u, d);
    weight[2] = vec_dot(across, n) / square;
    weight[0] = 1 - weight[1] - weight[2];
    vec_scale(n, 1 / sqrt(square));
    return true;
}

// What a contact is made of at some place, in the order of its entries.
typedef struct stand {
    int n;         // 4
    int vertex[4]; // of the skins
    const contact_skin *s[4];
    double x[4][3];
    double weight[4];
    double side[4];   // of weight, where it lies between the vertices
    double normal[3]; // from the second side to the first
    double at[3];
    double gap;
} stand;

static void take(stand *k, const contact_skin *s, int vertex, const contact_place *at)
{
    k->s[k->n] = s;
    k->vertex[k->n] = vertex;
    position(s, vertex, at, k->x[k->n++]);
}

static void close_gap(stand *k)
{
    double d[3] = {0, 0, 0};
    for (int i = 0; i < 4; i++)
        vec_axpy(d, k->weight[i], k->x[i]);
    k->gap = vec_dot(d, k->normal);
    for (int i = 0; i < 4; i++)
        k->gap -= k->side[i] * k->weight[i] * k->s[i]->radius[k->vertex[i]];
}

static bool stand_on_face(const contact_world *world, const contact *c, const contact_place *at,
                          stand *k)
{
    const contact_skin *from = skin_of(world, c, c->back), *onto = skin_of(world, c, !c->back);
    double out[3], weight[3], side = c->back ? -1 : 1;
    take(k, from, c->feature[0], at);
    for (int i = 0; i < 3; i++)
        take(k, onto, onto->tri[3 * c->feature[1] + i], at);
    if (!find_plane(k->x[0], (const double *const[]){k->x[1], k->x[2], k->x[3]}, out, weight))
        return false;
    memset(k->at, 0, sizeof k->at);
    k->weight[0] = k->side[0] = side;
    for (int i = 0; i < 3; i++) {
        k->weight[i + 1] = -side * weight[i];
        k->side[i + 1] = -side;
        k->normal[i] = side * out[i];
        vec_axpy(k->at, weight[i], k->x[i + 1]);
    }
    if (c->back)
        memcpy(k->at, k->x[0], sizeof k->at);
    close_gap(k);
    return true;
}

static bool stand_on_edge(const contact_world *world, const contact *c, const contact_place *at,
                          stand *k)
{
    const contact_skin *a = skin_of(world, c, false), *b = skin_of(world, c, true);
    double u[3], v[3], w[3];
    for (int i = 0; i < 4; i++)
        take(k, i < 2 ? a : b,
             i < 2 ? a->edge[4 * c->feature[0] + i] : b->edge[4 * c->feature[1] + i - 2], at);
    vec_sub(u, k->x[1], k->x[0]);
    vec_sub(v, k->x[3], k->x[2]);
    vec_sub(w, k->x[2], k->x[0]);
    vec_cross(k->normal, u, v);
    double square = vec_dot(k->normal, k->normal), across[3];
    if (!(square > 1e-4 * vec_dot(u, u) * vec_dot(v, v)))
        return false; // nearly parallel
    vec_cross(across, w, v);
    double s = vec_dot(across, k->normal) / square;
    vec_cross(across, w, u);
    double t = vec_dot(across, k->normal) / square;
    memcpy(k->weight, (const double[]){1 - s, s, t - 1, -t}, sizeof k->weight);
    memcpy(k->side, (const double[]){1, 1, -1, -1}, sizeof k->side);
    vec_scale(k->normal, (vec_dot(k->normal, c->normal) < 0 ? -1 : 1) / sqrt(square));
    for (int i = 0; i < 3; i++)
        k->at[i] = (1 - t) * k->x[2][i] + t * k->x[3][i];
    close_gap(k);
    return true;
}

static bool find_stand(const contact_world *world, const contact *c, const contact_place *at,
                       stand *k)
{
    k->n = 0;
    return c->form == CONTACT_FACE    ? stand_on_face(world, c, at, k)
           : c->form == CONTACT_EDGES ? stand_on_edge(world, c, at, k)
                                      : false;
}

bool contact_gap(const contact_world *world, const contact *c, const contact_place *at, double *gap)
{
    stand k;
    if (c->form == CONTACT_VOLUME)
        return volume_gap(world, c, at, gap);
    if (!find_stand(world, c, at, &k))
        return false;
    *gap = k.gap;
    return true;
}

bool contact_follow(const contact_world *world, contact *c, contact_entry *entry,
                    const contact_place *at)
{
    stand k;
    if (!find_stand(world, c, at, &k))
        return false;
    c->gap = k.gap;
    memcpy(c->normal, k.normal, sizeof c->normal);
    memcpy(c->at, k.at, sizeof c->at);
    int n = 0;
    for (int i = 0; i < 4; i++) {
        if (k.s[i]->node[k.vertex[i]] < 0)
            continue;
        contact_entry *e = &entry[n++];
        e->node = k.s[i]->node[k.vertex[i]];
        e->weight = k.weight[i];
        for (int axis = 0; axis < 3; axis++)
            e->H[axis] = e->weight * c->normal[axis];
    }
    c->n = n;
    return true;
}

// Nearest point to x among the triangles that are at most `rings` edges away from tri.
static void nearest_around(const contact_skin *s, const skin_pose *p, int tri, int rings,
                           const double x[3], double *least, double foot[3])
{
    const double *corner[3];
    double weight[3], at[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        corner[i] = &p->x[3 * s->tri[3 * tri + i]];
    nearest_on_triangle(x, corner, weight);
    for (int i = 0; i < 3; i++)
        vec_axpy(at, weight[i], corner[i]);
    if (vec_distance(x, at) < *least) {
        *least = vec_distance(x, at);
        memcpy(foot, at, sizeof at);
    }
    for (int i = 0; i < 3 && rings > 0; i++) {
        const int *edge = &s->edge[4 * s->tri_edge[3 * tri + i]];
        int other = edge[2] == tri ? edge[3] : edge[2];
        if (other >= 0)
            nearest_around(s, p, other, rings - 1, x, least, foot);
    }
}

static bool face_holds(const contact_world *world, const contact_poses *poses, const contact *c)
{
    enum { RINGS = 2 };
    const contact_pair *pair = &world->pair[c->pair];
    int from = c->back ? pair->second : pair->first, onto = c->back ? pair->first : pair->second;
    const contact_skin *s = &world->skin[onto];
    const skin_pose *p = &poses->skin[onto];
    const double *corner = &p->x[3 * s->tri[3 * c->feature[1]]];
    double least = INFINITY, foot[3] = {0}, d[3];
    nearest_around(s, p, c->feature[1], RINGS, &poses->skin[from].x[3 * c->feature[0]], &least,
                   foot);
    vec_sub(d, foot, corner);
    return vec_dot(d, &p->tri_normal[3 * c->feature[1]]) >= -1e-9 * vec_norm(d);
}

static bool edges_hold(const contact_world *world, const contact_poses *poses, const contact *c)
{
    const contact_pair *pair = &world->pair[c->pair];
    double back[3] = {-c->normal[0], -c->normal[1], -c->normal[2]};
    return find_ridge(&world->skin[pair->second], &poses->skin[pair->second], c->feature[1],
                      c->normal) &&
           find_ridge(&world->skin[pair->first], &poses->skin[pair->first], c->feature[0], back);
}

bool contact_holds(const contact_world *world, const contact_poses *poses, const contact *c)
{
    return c->form == CONTACT_FACE    ? face_holds(world, poses, c)
           : c->form == CONTACT_EDGES ? edges_hold(world, poses, c)
                                      : c->form == CONTACT_LINE;
}

// How far the vertex stands beside its face, or the crossing beside an edge.
double contact_beside(const contact_world *world, const contact *c, const contact_place *at)
{
    stand k;
    if (!find_stand(world, c, at, &k))
        return 0;
    double off = 0, foot[3] = {0, 0, 0}, near[3] = {0, 0, 0}, weight[3];
    for (int i = 0; i < 4 && c->form == CONTACT_EDGES; i++)
        off =
            fmax(off, -k.side[i] * k.weight[i] * vec_distance(k.x[i - i % 2], k.x[i - i % 2 + 1]));
    if (c->form == CONTACT_EDGES)
        return off;
    const double *corner[3] = {k.x[1], k.x[2], k.x[3]};
    for (int i = 0; i < 3; i++)
        vec_axpy(foot, k.side[i + 1] * k.weight[i + 1], corner[i]);
    nearest_on_triangle(foot, corner, weight);
    for (int i = 0; i < 3; i++)
        vec_axpy(near, weight[i], corner[i]);
    return vec_distance(foot, near);
}

static void bend_of_face(const stand *k, double side, contact_bend *out)
{
    double edge[3], n[3], tangent[2][3];
    for (int i = 0; i < 3; i++)
        n[i] = side * k->normal[i]; // of the face
    vec_sub(edge, k->x[2], k->x[1]);
    memcpy(tangent[0], edge, sizeof edge);
    vec_scale(tangent[0], 1 / vec_norm(edge));
    vec_cross(tangent[1], n, tangent[0]);
    vec_sub(edge, k->x[3], k->x[1]);
    double twice = vec_dot(edge, tangent[1]) * vec_distance(k->x[1], k->x[2]); // the area
    for (int i = 0; i < 4; i++) {
        double rise[3] = {0, 0, 0}; // of the corner's weight over the face
        if (i > 0) {
            vec_sub(edge, k->x[1 + (i + 1) % 3], k->x[1 + i % 3]);
            vec_cross(rise, n, edge);
            vec_scale(rise, 1 / twice);
        }
        for (int t = 0; t < 2; t++)
            for (int axis = 0; axis < 3; axis++) {
                out->slide[t][i][axis] = side * k->weight[i] * tangent[t][axis];
                out->turn[t][i][axis] = vec_dot(rise, tangent[t]) * n[axis];
            }
    }
}

static void bend_of_edges(const stand *k, contact_bend *out)
{
    double span[2][3], dual[2][3], n[3];
    vec_sub(span[0], k->x[1], k->x[0]);
    vec_sub(span[1], k->x[3], k->x[2]);
    vec_cross(n, span[0], span[1]);
    for (int t = 0; t < 2; t++) {
        vec_cross(dual[t], span[1 - t], n);
        vec_scale(dual[t], 1 / vec_dot(dual[t], span[t]));
        for (int i = 0; i < 4; i++)
            for (int axis = 0; axis < 3; axis++) {
                double end = i / 2 != t ? 0 : i % 2 ? 1 : -1;
                out->slide[t][i][axis] = k->weight[i] * dual[t][axis];
                out->turn[t][i][axis] = end * k->normal[axis];
            }
    }
}

bool contact_bends(const contact_world *world, const contact *c, const contact_place *at,
                   contact_bend *out)
{
    stand k;
    if (!find_stand(world, c, at, &k))
        return false;
    *out = (contact_bend){0};
    if (c->form == CONTACT_FACE)
        bend_of_face(&k, c->back ? -1 : 1, out);
    else
        bend_of_edges(&k, out);
    int n = 0;
    for (int i = 0; i < 4; i++)
        if (k.s[i]->node[k.vertex[i]] >= 0) {
            for (int t = 0; t < 2 && n < i; t++) {
                memcpy(out->slide[t][n], out->slide[t][i], sizeof out->slide[t][n]);
                memcpy(out->turn[t][n], out->turn[t][i], sizeof out->turn[t][n]);
            }
            n++;
        }
    return true;
}
