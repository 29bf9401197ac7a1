#include "contact/distance.h"
#include "contact/traverse.h"

#include "base/vec.h"

typedef struct search {
    traverse t;
    const proximity_positions *positions;
    double reach;
    int n;
    proximity_list *list;
} search;

// Is the vertex farther from the face's plane than it may be? Most are.
static bool plane_is_far(const proximity_positions *positions, const proximity_pair *pair,
                         double reach)
{
    const double *x[4];
    double u[3], v[3], w[3], n[3];
    for (int i = 0; i < 4; i++)
        x[i] = &positions->x[3 * (size_t)pair->vertex[i]];
    vec_sub(u, x[2], x[1]);
    vec_sub(v, x[3], x[1]);
    vec_sub(w, x[0], x[1]);
    vec_cross(n, u, v);
    double height = vec_dot(w, n);
    return height * height > reach * reach * vec_dot(n, n);
}

// The same of the two planes that are parallel to both edges.
static bool edges_are_far(const proximity_positions *positions, const proximity_pair *pair,
                          double reach)
{
    const double *x[4];
    double u[3], v[3], w[3], n[3];
    for (int i = 0; i < 4; i++)
        x[i] = &positions->x[3 * (size_t)pair->vertex[i]];
    vec_sub(u, x[1], x[0]);
    vec_sub(v, x[3], x[2]);
    vec_sub(w, x[0], x[2]);
    vec_cross(n, u, v);
    double height = vec_dot(w, n);
    return height * height > reach * reach * vec_dot(n, n);
}

static void look(void *context, const proximity_pair *pair)
{
    search *s = context;
    double reach = s->reach + pair->thickness;
    if ((pair->kind == PAIR_VERTEX_FACE && plane_is_far(s->positions, pair, reach)) ||
        (pair->kind == PAIR_EDGE_EDGE && edges_are_far(s->positions, pair, reach)))
        return;
    proximity_measure m;
    proximity_measure_pair(s->t.world, s->positions, pair, &m);
    if (!(m.distance < s->reach) || (pair->shape >= 0 && m.weight == 0) ||
        !traverse_moves(&s->t, pair))
        return;
    if (s->n < s->list->max) {
        s->list->pair[s->n] = *pair;
        s->list->pair[s->n].id = traverse_id(s->t.world, pair);
        s->list->at[s->n] = m;
    }
    s->n++;
}

int proximity_find(const proximity_world *world, proximity_positions *positions,
                   const proximity_filter *filter, double reach, proximity_list *list)
{
    search s = {.t = {.world = world,
                      .positions = positions,
                      .filter = filter,
                      .margin = reach,
                      .keep = true,
                      .visit = look},
                .positions = positions,
                .reach = reach,
                .list = list};
    s.t.context = &s;
    traverse_pairs(&s.t, positions);
    list->n = s.n < list->max ? s.n : list->max;
    return s.n;
}
