#include "reduce/points.h"

#include "base/vec.h"

#include <string.h>

// More room, with what there is.
static void *grown(arena *memory, const void *from, int n, int room, size_t size)
{
    void *to = arena_alloc(memory, (size_t)room, size);
    if (to && from)
        memcpy(to, from, (size_t)n * size);
    return to;
}

static bool make_room(points *p, int n)
{
    if (p->n + 2 > p->room) {
        int room = 2 * p->room + 64;
        p->adr = grown(p->memory, p->adr, p->room > 0 ? p->n + 1 : 0, room, sizeof *p->adr);
        p->light = grown(p->memory, p->light, p->n, room, sizeof *p->light);
        p->room = room;
    }
    if (!p->node || p->nterm + n > p->term_room) {
        int room = 2 * p->term_room + n + 64;
        p->node = grown(p->memory, p->node, p->nterm, room, sizeof *p->node);
        p->weight = grown(p->memory, p->weight, p->nterm, room, sizeof *p->weight);
        p->term_room = room;
    }
    return p->adr && p->light && p->node && p->weight;
}

bool points_create(arena *memory, points *out)
{
    *out = (points){.memory = memory};
    return points_add(out, 0, NULL, NULL, false) == POINTS_ORIGIN;
}

int points_add(points *p, int n, const int *node, const double *weight, bool light)
{
    if (!make_room(p, n))
        return -1;
    for (int i = 0; i < n; i++)
        if (weight[i] != 0) {
            p->node[p->nterm] = node[i];
            p->weight[p->nterm++] = weight[i];
        }
    p->light[p->n] = light;
    p->adr[++p->n] = p->nterm;
    return p->n - 1;
}

int points_add_edge(points *p, int from, int to)
{
    return points_add(p, 2, (const int[]){from, to}, (const double[]){-1, 1}, false);
}

void points_sum(const points *p, int point, const double *x, double out[3])
{
    memset(out, 0, 3 * sizeof *out);
    for (int k = p->adr[point]; k < p->adr[point + 1]; k++)
        vec_axpy(out, p->weight[k], &x[3 * p->node[k]]);
}
