// Steps are short: most of what was not near a moment ago is not near now.
#include "base/vec.h"
#include "contact/traverse.h"

#include <math.h>
#include <string.h>

enum { ROOM = 32 }; // candidates for every cell

// A share of the mean edge: little more is near then, and much can move before one looks anew.
#define SLACK 0.4

// Of that: distances are measured anew where vertices have gone so far.
#define STALE 0.05

static double mean_edge(const proximity_world *world)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < world->nsurface; i++) {
        const contact_surface *s = &world->surface[i];
        for (int e = 0; e < s->nedge && s->frame < 0; e++, n++)
            sum += vec_distance(&s->rest[3 * s->edge[4 * e]], &s->rest[3 * s->edge[4 * e + 1]]);
    }
    return n > 0 ? sum / n : 0;
}

lithe_status traverse_keep_create(const proximity_world *world, proximity_positions *positions,
                                  arena *memory)
{
    proximity_kept *k = &positions->kept;
    *k = (proximity_kept){.slack = SLACK * mean_edge(world),
                          .max = ROOM * positions->cell_adr[world->nsurface]};
    k->x = arena_new(memory, 3 * (size_t)positions->nvertex + 1, double);
    k->measured = arena_new(memory, 3 * (size_t)positions->nvertex + 1, double);
    k->adr = arena_new(memory, (size_t)world->nmatch + 1, int);
    k->pair = arena_new(memory, (size_t)k->max + 1, proximity_candidate);
    k->distance = arena_new(memory, (size_t)k->max + 1, double);
    return k->x && k->measured && k->adr && k->pair && k->distance ? LITHE_OK : LITHE_NO_MEMORY;
}

// How far any vertex is from where it was.
static double farthest(int nvertex, const double *x, const double *was)
{
    double most = 0;
    for (int i = 0; i < 3 * nvertex; i += 3) {
        double d[3];
        vec_sub(d, &x[i], &was[i]);
        double square = vec_dot(d, d);
        most = square > most ? square : most;
    }
    return sqrt(most);
}

static bool rotates(const traverse *t)
{
    for (int o = 0; o < t->world->nshape; o++)
        for (int i = 0; i < 9; i++)
            if (t->positions->frame[o].R[i] != t->end->frame[o].R[i])
                return true;
    return false;
}

// How far any vertex goes from x. On a straight way nothing is farther from where it was than at
// one of its ends; what rotates bows out by no more than it goes.
static double way_from(const traverse *t, const double *x)
{
    int n = t->positions->nvertex;
    double moved = farthest(n, t->positions->x, x);
    if (!t->end)
        return moved;
    moved = fmax(moved, farthest(n, t->end->x, x));
    return moved + (rotates(t) ? farthest(n, t->end->x, t->positions->x) : 0);
}

// Two features come nearer by no more than what both have moved.
bool traverse_keep_serves(const traverse *t)
{
    const proximity_kept *k = &t->positions->kept;
    return k->margin > 0 && k->margin - 2 * way_from(t, k->x) >= t->margin;
}

typedef struct keeper {
    const traverse *t;
    proximity_kept *kept;
    int n, match;
} keeper;

static void keep(void *context, const proximity_pair *pair)
{
    keeper *k = context;
    proximity_measure m;
    proximity_measure_pair(k->t->world, k->t->positions, pair, &m);
    if (!(m.distance < k->kept->margin))
        return;
    for (; k->match < pair->match; k->match++)
        k->kept->adr[k->match + 1] = k->n;
    traverse_sides p;
    traverse_open(k->t, pair->match, &p);
    if (k->n < k->kept->max) {
        k->kept->pair[k->n] = (proximity_candidate){{pair->feature[0], pair->feature[1]},
                                                    (short)pair->kind,
                                                    (short)(pair->surface[0] != p.surface[0])};
        k->kept->distance[k->n] = m.distance;
    }
    k->n++;
}

// Where there are more than there is room for, nothing is kept.
void traverse_keep_fill(const traverse *t, proximity_positions *positions)
{
    proximity_kept *kept = &positions->kept;
    keeper k = {.t = t, .kept = kept};
    kept->margin = 0;
    if (!(kept->slack > 0))
        return;
    kept->margin = t->margin + kept->slack;
    traverse all = {.world = t->world,
                    .positions = positions,
                    .margin = kept->margin,
                    .context = &k,
                    .visit = keep};
    kept->adr[0] = 0;
    traverse_surfaces(&all, positions);
    for (; k.match < t->world->nmatch; k.match++)
        kept->adr[k.match + 1] = k.n;
    memcpy(kept->x, positions->x, 3 * (size_t)positions->nvertex * sizeof *kept->x);
    memcpy(kept->measured, kept->x, 3 * (size_t)positions->nvertex * sizeof *kept->x);
    if (k.n > kept->max)
        kept->margin = 0;
}

static void measure_again(const traverse *t, proximity_positions *positions)
{
    proximity_kept *kept = &positions->kept;
    for (int match = 0; match < t->world->nmatch; match++) {
        traverse_sides p;
        if (kept->adr[match] < kept->adr[match + 1])
            traverse_open(t, match, &p);
        for (int i = kept->adr[match]; i < kept->adr[match + 1]; i++) {
            proximity_pair pair;
            proximity_measure m;
            traverse_pair(&p, &kept->pair[i], &pair);
            proximity_measure_pair(t->world, positions, &pair, &m);
            kept->distance[i] = m.distance;
        }
    }
    memcpy(kept->measured, positions->x, 3 * (size_t)positions->nvertex * sizeof *kept->x);
    kept->moved = 0;
}

void traverse_keep_follow(const traverse *t, proximity_positions *positions)
{
    proximity_kept *kept = &positions->kept;
    kept->moved = way_from(t, kept->measured);
    if (!t->end && kept->moved > STALE * kept->slack)
        measure_again(t, positions);
}

void traverse_keep_visit(const traverse_sides *p)
{
    const proximity_kept *kept = &p->t->positions->kept;
    double near = p->t->margin + 2 * kept->moved;
    for (int i = kept->adr[p->match]; i < kept->adr[p->match + 1]; i++) {
        proximity_pair pair;
        if (kept->distance[i] > near)
            continue;
        traverse_pair(p, &kept->pair[i], &pair);
        p->t->visit(p->t->context, &pair);
    }
}
