#include "row/row.h"

#include "base/memory.h"
#include "row/line.h"
#include "row/shell.h"

#include <stdlib.h>
#include <string.h>

void row_point_position(const row_point *p, const double *x, double out[3])
{
    memcpy(out, p->world, 3 * sizeof *out);
    if (p->body < 0)
        return;
    for (int i = 0; i < 3; i++) {
        out[i] = 0;
        for (int a = 0; a < 4; a++)
            out[i] += p->weight[a] * x[3 * p->node[a] + i];
    }
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

// The nodes that a row uses, as often as it names them. Returns how many; out may be NULL.
static int named_nodes(const row *r, int *out)
{
    int n = 0;
    if (r->kind == LITHE_CAVITY) {
        n = 3 * r->shell.ntri;
        if (out)
            memcpy(out, r->shell.tri, (size_t)n * sizeof *out);
        return n;
    }
    for (int p = 0; p < r->line.npoint; p++)
        for (int a = 0; a < 4 && r->line.point[p].body >= 0; a++, n++)
            if (out)
                out[n] = r->line.point[p].node[a];
    return n;
}

static int slot_of(const row *r, int node)
{
    const int *at = bsearch(&node, r->node, (size_t)r->nnode, sizeof node, ascending);
    return (int)(at - r->node);
}

static void find_slots(row *r)
{
    if (r->kind == LITHE_CAVITY) {
        for (int i = 0; i < 3 * r->shell.ntri; i++)
            r->shell.slot[i] = slot_of(r, r->shell.tri[i]);
        return;
    }
    for (int p = 0; p < r->line.npoint; p++)
        for (int a = 0; a < 4 && r->line.point[p].body >= 0; a++)
            r->line.slot[4 * p + a] = slot_of(r, r->line.point[p].node[a]);
}

lithe_status row_begin(row *r, const double *x, arena *memory)
{
    int n = named_nodes(r, NULL);
    r->node = arena_new(memory, n, int);
    int **slot = r->kind == LITHE_CAVITY ? &r->shell.slot : &r->line.slot;
    *slot = arena_new(memory, r->kind == LITHE_CAVITY ? n : 4 * r->line.npoint, int);
    if (!r->node || !*slot)
        return LITHE_NO_MEMORY;
    named_nodes(r, r->node);
    qsort(r->node, (size_t)n, sizeof *r->node, ascending);
    for (int i = 0; i < n; i++)
        if (i == 0 || r->node[i] != r->node[r->nnode - 1])
            r->node[r->nnode++] = r->node[i];
    find_slots(r);
    r->line.sign = r->kind == LITHE_CABLE ? -1 : 1;
    r->rest = 0;
    r->rest = fabs(row_value(r, x));
    return LITHE_OK;
}

lithe_status row_couple(const row *r, int body_id, const body *b, sparse_builder *builder)
{
    if (r->kind == LITHE_CAVITY)
        return LITHE_OK; // its triangles are faces of elements
    return line_couple(&r->line, body_id, b, builder);
}

lithe_status row_finish(row *r, const body *bodies, arena *memory)
{
    return r->kind == LITHE_CAVITY ? shell_finish(&r->shell, bodies, memory)
                                   : line_finish(&r->line, bodies, memory);
}

double row_value(const row *r, const double *x)
{
    return r->kind == LITHE_CAVITY ? shell_volume(&r->shell, x) - r->rest
                                   : r->line.sign * (line_length(&r->line, x) - r->rest);
}

void row_gradient(const row *r, const double *x, double *H)
{
    memset(H, 0, 3 * (size_t)r->nnode * sizeof *H);
    if (r->kind == LITHE_CAVITY)
        pressure_force(r->shell.ntri, r->shell.tri, r->shell.slot, x, 1, H);
    else
        line_gradient(&r->line, x, H);
}

void row_stiffness(const row *r, const double *x, double effort, bool positive,
                   double *const *blocks)
{
    if (effort == 0)
        return;
    if (r->kind == LITHE_CAVITY) {
        if (!positive) // d2V/dx2 is indefinite
            shell_stiffness(&r->shell, x, -effort, blocks);
        return;
    }
    double tension = -r->line.sign * effort; // a length is convex in its points
    if (!positive || tension > 0)
        line_stiffness(&r->line, x, tension, blocks);
}
