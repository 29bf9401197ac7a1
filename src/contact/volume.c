// Contact by volume: one row for each patch of the first skin, instead of one for each point
// [allard2010]. The volume by which a patch overlaps the other side may be as much as it is when
// the patch just lies on it, with a soft edge w = CONTACT_LAYER alarm:
//
//     row = w / 4 - 1/A sum_q A_q s(-gap_q),   s(d) = 0 | (d + w)^2 / 4 w | d
//
// over spots q of its triangles. s is convex and has a continuous derivative, so the row is a
// concave function of the gaps, and Newton's method converges. docs/theory/contact-volume.md.
#include "contact/find.h"

#include "base/memory.h"
#include "base/vec.h"

#include <math.h>
#include <string.h>

enum { SPOTS = 4 }; // of a triangle: the middles of the four that its edges' middles cut it into

static const double spot_weight[SPOTS][3] = {{1.0 / 3, 1.0 / 3, 1.0 / 3},
                                             {2.0 / 3, 1.0 / 6, 1.0 / 6},
                                             {1.0 / 6, 2.0 / 3, 1.0 / 6},
                                             {1.0 / 6, 1.0 / 6, 2.0 / 3}};

static void rest_triangle(const contact_skin *s, int t, double centre[3], double normal[3],
                          double *area)
{
    double u[3], v[3];
    const double *x[3];
    memset(centre, 0, 3 * sizeof *centre);
    for (int i = 0; i < 3; i++) {
        x[i] = &s->rest[3 * s->tri[3 * t + i]];
        vec_axpy(centre, 1.0 / 3, x[i]);
    }
    vec_sub(u, x[1], x[0]);
    vec_sub(v, x[2], x[0]);
    vec_cross(normal, u, v);
    double length = vec_norm(normal);
    *area = 0.5 * length;
    vec_scale(normal, length > 0 ? 1 / length : 0);
}

// The triangle that is farthest from all seeds becomes the next one, until all are within the
// radius of one that looks the same way; each belongs to the nearest. Returns how many there are.
static int choose_seeds(const contact_skin *s, double radius, int *of, double *distance)
{
    const double alike = 0.5; // cosine
    int count = 0, seed = 0;
    for (int t = 0; t < s->ntri; t++)
        distance[t] = INFINITY;
    while (seed >= 0) {
        double at[3], n[3], area, c[3], m[3];
        int next = -1;
        rest_triangle(s, seed, at, n, &area);
        for (int t = 0; t < s->ntri; t++) {
            rest_triangle(s, t, c, m, &area);
            double d = t == seed ? -1 : vec_dot(n, m) < alike ? INFINITY : vec_distance(at, c);
            if (d < distance[t]) {
                distance[t] = d;
                of[t] = count;
            }
            if (distance[t] > radius && (next < 0 || distance[t] > distance[next]))
                next = t;
        }
        count++;
        seed = next;
    }
    return count;
}

static void fill_patches(const contact_skin *s, const int *of, contact_patches *out)
{
    int at = 0;
    for (int p = 0; p < out->n; p++) {
        out->adr[p] = at;
        out->area[p] = 0;
        for (int t = 0; t < s->ntri; t++) {
            double centre[3], normal[3], area;
            if (of[t] != p)
                continue;
            rest_triangle(s, t, centre, normal, &area);
            out->area[p] += area;
            out->tri[at++] = t;
        }
    }
    out->adr[out->n] = at;
}

// Mean length of an edge at rest.
static double mean_edge(const contact_skin *s)
{
    double sum = 0;
    for (int e = 0; e < s->nedge; e++)
        sum += vec_distance(&s->rest[3 * s->edge[4 * e]], &s->rest[3 * s->edge[4 * e + 1]]);
    return s->nedge > 0 ? sum / s->nedge : 0;
}

lithe_status contact_patches_build(const contact_skin *s, double radius, double alarm,
                                   arena *memory, contact_patches *out)
{
    size_t n = s->ntri > 0 ? (size_t)s->ntri : 1;
    int *of = memory_alloc(n * sizeof *of);
    double *distance = memory_alloc(n * sizeof *distance);
    out->tri = arena_new(memory, n, int);
    if (!of || !distance || !out->tri) {
        memory_free(of);
        memory_free(distance);
        return LITHE_NO_MEMORY;
    }
    out->n = choose_seeds(s, radius > 0 ? radius : fmax(4 * alarm, 3 * mean_edge(s)), of, distance);
    out->adr = arena_new(memory, (size_t)out->n + 1, int);
    out->area = arena_new(memory, (size_t)out->n, double);
    if (out->adr && out->area)
        fill_patches(s, of, out);
    memory_free(of);
    memory_free(distance);
    return out->adr && out->area ? LITHE_OK : LITHE_NO_MEMORY;
}

// One spot: its gap as a function of the corners of its triangle, and of those of the other side's.
typedef struct spot {
    double area;      // m^2
    double gap;       // m
    double normal[3]; // from the second side to the first
    double q[3];
    int n;
    int node[6]; // -1: of an obstacle
    double weight[6];
} spot;

static double layer_of(const contact_pair *pair)
{
    return CONTACT_LAYER * pair->alarm;
}

static double soft(double w, double depth)
{
    return depth <= -w ? 0 : depth >= w ? depth : (depth + w) * (depth + w) / (4 * w);
}

static double soft_slope(double w, double depth)
{
    return depth <= -w ? 0 : depth >= w ? 1 : (depth + w) / (2 * w);
}

static bool gap_to_skin(const contact_world *world, const contact_pair *pair,
                        const contact_place *at, double reach, spot *k)
{
    const contact_skin *onto = &world->skin[pair->second];
    skin_point p = skin_nearest(onto, &at->skin[pair->second], k->q, reach);
    if (p.tri < 0)
        return false;
    bool direct = p.feature != NEAREST_INSIDE && fabs(p.distance) > 1e-6 * pair->alarm;
    k->gap = p.distance;
    for (int i = 0; i < 3; i++) {
        k->normal[i] = direct ? (k->q[i] - p.at[i]) / p.distance : p.normal[i];
        k->node[k->n] = onto->node[onto->tri[3 * p.tri + i]];
        k->weight[k->n++] = -p.weight[i];
    }
    return true;
}

// False: it is too far, or looks away.
static bool find_spot(const contact_world *world, const contact_pair *pair, const contact_place *at,
                      double reach, int tri, int which, spot *k)
{
    const contact_skin *s = &world->skin[pair->first];
    double centre[3], n[3], u[3], v[3], x[3][3], area, radius = 0;
    rest_triangle(s, tri, centre, n, &area);
    *k = (spot){.area = area / SPOTS};
    for (int i = 0; i < 3; i++) {
        int vertex = s->tri[3 * tri + i];
        memcpy(x[i],
               at->x ? &at->x[3 * (size_t)s->node[vertex]] : &at->skin[pair->first].x[3 * vertex],
               sizeof x[i]);
        k->node[k->n] = s->node[vertex];
        k->weight[k->n++] = spot_weight[which][i];
        radius += spot_weight[which][i] * s->radius[vertex];
        vec_axpy(k->q, spot_weight[which][i], x[i]);
    }
    if (pair->second < 0)
        k->gap =
            shape_distance(&world->shape[pair->shape], &at->shape[pair->shape], k->q, k->normal);
    else if (!gap_to_skin(world, pair, at, reach, k))
        return false;
    k->gap -= radius;
    vec_sub(u, x[1], x[0]);
    vec_sub(v, x[2], x[0]);
    vec_cross(n, u, v);
    vec_scale(n, 1 / fmax(vec_norm(n), 1e-300));
    return k->gap < layer_of(pair) && find_faces(n, k->normal);
}

// How deep a spot can be found in the other side: half of its smallest width if it is closed.
static double reach_of(const contact_world *world, const contact_pair *pair, const skin_pose *pose)
{
    double least = INFINITY;
    if (pair->second < 0 || !world->skin[pair->second].closed)
        return pair->alarm;
    const box3 *all = &pose[pair->second].node[0];
    for (int i = 0; i < 3; i++)
        least = fmin(least, all->upper[i] - all->lower[i]);
    return fmax(pair->alarm, 0.5 * least);
}

static box3 box_of(const find *f)
{
    box3 near;
    if (f->b)
        near = f->pb->node[0];
    else
        shape_box(f->shape, f->at, near.lower, near.upper);
    box_grow(&near, layer_of(f->pair));
    return near;
}

static void add_node(contact_list *list, contact *c, int node, double weight, const double H[3])
{
    contact_entry *e = &list->entry[c->adr];
    int i = 0;
    while (i < c->n && e[i].node != node)
        i++;
    if (i == c->n) {
        e[i] = (contact_entry){.node = node};
        c->n++;
        list->nentry++;
    }
    e[i].weight += weight;
    vec_axpy(e[i].H, weight, H);
}

static void add_spot(contact_list *list, contact *c, const spot *k, double w, double patch_area)
{
    double share = k->area / patch_area * soft_slope(w, -k->gap);
    c->gap -= k->area / patch_area * soft(w, -k->gap);
    c->least = fmin(c->least, k->gap);
    c->share += share;
    c->area += k->area * soft_slope(w, -k->gap);
    vec_axpy(c->normal, share, k->normal);
    vec_axpy(c->at, share, k->q);
    for (int i = 0; i < k->n; i++)
        if (k->node[i] >= 0)
            add_node(list, c, k->node[i], share * k->weight[i], k->normal);
}

// Normals and places are means.
static void finish_row(contact *c)
{
    double length = vec_norm(c->normal);
    vec_scale(c->normal, length > 0 ? 1 / length : 0);
    vec_scale(c->at, 1 / c->share);
}

static contact *open_row(find *f, int patch)
{
    const double none[3] = {0, 0, 0};
    contact *c = find_open(f, find_id(f->pair_id, FIND_PATCH, patch, 0), layer_of(f->pair) / 4,
                           none, none, 0);
    if (!c)
        return NULL;
    c->form = CONTACT_VOLUME;
    c->feature[0] = patch;
    c->share = 0;
    return c;
}

static void find_patch(find *f, const contact_world *world, const contact_place *at,
                       const box3 *near, double reach, int patch)
{
    const contact_patches *p = f->pair->patches;
    contact_list *list = f->list;
    double w = layer_of(f->pair);
    contact *c = NULL;
    for (int i = p->adr[patch]; i < p->adr[patch + 1]; i++) {
        if (!box_meets(&f->pa->item[p->tri[i]], near))
            continue;
        for (int which = 0; which < SPOTS; which++) {
            spot k;
            if (!find_spot(world, f->pair, at, reach, p->tri[i], which, &k))
                continue;
            c = c ? c : open_row(f, patch);
            if (!c || list->nentry + k.n > list->max_entry) {
                list->lost += c != NULL;
                return;
            }
            add_spot(list, c, &k, w, p->area[patch]);
        }
    }
    if (c)
        finish_row(c);
}

void find_volumes(find *f, const contact_world *world, const contact_poses *poses)
{
    contact_place at = {NULL, poses->shape, poses->skin};
    double reach = reach_of(world, f->pair, poses->skin);
    box3 near = box_of(f);
    for (int p = 0; p < f->pair->patches->n; p++)
        find_patch(f, world, &at, &near, reach, p);
}

bool volume_gap(const contact_world *world, const contact *c, const contact_place *at, double *gap)
{
    const contact_pair *pair = &world->pair[c->pair];
    const contact_patches *p = pair->patches;
    int patch = c->feature[0];
    double w = layer_of(pair), sum = 0;
    if (pair->second >= 0 && world->skin[pair->second].frame < 0)
        return false; // the other side would have to be fitted anew
    double reach = reach_of(world, pair, at->skin);
    for (int i = p->adr[patch]; i < p->adr[patch + 1]; i++)
        for (int which = 0; which < SPOTS; which++) {
            spot k;
            if (find_spot(world, pair, at, reach, p->tri[i], which, &k))
                sum += k.area * soft(w, -k.gap);
        }
    *gap = w / 4 - sum / p->area[patch];
    return true;
}

// Adds -d2(row) of one spot: its edge is soft, s'' dgap dgap' - s' d2gap. Of two bodies each gets
// its own part, twice where they share it, which is more than the whole.
static void bend_spot(const contact_world *world, const contact_pair *pair, const contact_place *at,
                      const spot *k, double scale, bool positive, contact_add add, void *user)
{
    double w = layer_of(pair), D[9] = {0}, depth = -k->gap;
    bool shared = pair->second >= 0 && world->skin[pair->second].frame < 0;
    // without a line search, what is about to cross the edge brakes as well
    double wide = shared || world->one_sided ? 2 * w : w;
    double edge = fabs(depth) < wide ? (shared ? 2 : 1) / (2 * w) : 0;
    double slope = soft_slope(w, depth);
    if (pair->second < 0 && !positive)
        shape_curvature(&world->shape[pair->shape], &at->shape[pair->shape], k->q, D);
    for (int i = 0; i < k->n; i++)
        for (int j = 0; j < k->n; j++) {
            double block[9], both = k->area * scale * k->weight[i] * k->weight[j];
            if ((i < 3) != (j < 3) || k->node[i] < 0 || k->node[j] < 0)
                continue;
            for (int l = 0; l < 9; l++)
                block[l] = both * (edge * k->normal[l / 3] * k->normal[l % 3] - slope * D[l]);
            add(user, k->node[i], k->node[j], block);
        }
}

void contact_volume_bend(const contact_world *world, const contact *c, const contact_place *at,
                         bool positive, contact_add add, void *user)
{
    const contact_pair *pair = &world->pair[c->pair];
    const contact_patches *p = pair->patches;
    double reach = reach_of(world, pair, at->skin);
    for (int i = p->adr[c->feature[0]]; i < p->adr[c->feature[0] + 1]; i++)
        for (int which = 0; which < SPOTS; which++) {
            spot k;
            if (find_spot(world, pair, at, reach, p->tri[i], which, &k))
                bend_spot(world, pair, at, &k, 1 / p->area[c->feature[0]], positive, add, user);
        }
}
