#include "row/row.h"

#include "base/vec.h"
#include "row/cavity.h"
#include "row/cells.h"
#include "row/cloud.h"
#include "row/line.h"
#include "row/link.h"
#include "row/point.h"
#include "row/polynomial.h"

#include <stdlib.h>
#include <string.h>

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool has_line(const row *r)
{
    return row_as_line(r) != NULL;
}

static bool has_cloud(const row *r)
{
    return r->kind == ROW_MEAN || r->kind == ROW_ROTATION || r->kind == ROW_ANGLE;
}

// The nodes that a row uses, as often as it names them. Returns how many; out may be NULL.
static int named_nodes(const row *r, int *out)
{
    if (r->polynomial) {
        for (int i = 0; out && i < polynomial_nnode(r->polynomial); i++)
            out[i] = r->polynomial->first + i;
        return polynomial_nnode(r->polynomial);
    }
    if (r->cells) {
        if (out)
            memcpy(out, r->cells->node, 3 * (size_t)r->cells->n * sizeof *out);
        return 3 * r->cells->n;
    }
    if (r->kind == ROW_LINK) {
        int own[LINK_NODES], count = link_nodes(r->link, own);
        if (out)
            memcpy(out, own, (size_t)count * sizeof *out);
        return count;
    }
    int n = has_cloud(r) ? r->cloud.n : 0;
    if (out && n > 0)
        memcpy(out, r->cloud.node, (size_t)n * sizeof *out);
    for (size_t i = 0; r->kind == ROW_CAVITY && i < face_ncorner(&r->shell.face); i++) {
        int node = face_corner(&r->shell.face, i);
        if (node >= 0 && out)
            out[n] = node;
        n += node >= 0;
    }
    for (int i = 0; has_cloud(r) && i < r->cloud.nrotation; i++, n++)
        if (out)
            out[n] = r->cloud.rotation[i];
    for (int p = 0; has_line(r) && p < r->line.npoint; p++)
        for (int a = 0; a < point_nnode(&r->line.point[p]); a++, n++)
            if (out)
                out[n] = point_node(&r->line.point[p], a);
    return n;
}

static int slot_of(const row *r, int node)
{
    const int *at = bsearch(&node, r->node, (size_t)r->nnode, sizeof node, ascending);
    return (int)(at - r->node);
}

static lithe_status find_cells(const row *r, arena *memory)
{
    row_cells *c = r->cells;
    c->slot = arena_new(memory, 3 * (size_t)c->n, int);
    for (int i = 0; c->slot && i < 3 * c->n; i++)
        c->slot[i] = slot_of(r, c->node[i]);
    return c->slot ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status find_corner_slots(row *r, arena *memory)
{
    size_t n = face_ncorner(&r->shell.face);
    r->shell.slot = arena_new(memory, n, int);
    for (size_t i = 0; r->shell.slot && i < n; i++) {
        int node = face_corner(&r->shell.face, i);
        r->shell.slot[i] = node < 0 ? -1 : slot_of(r, node);
    }
    return r->shell.slot ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status find_line_slots(row *r, int named, arena *memory)
{
    row_line *line = &r->line;
    line->slot = arena_new(memory, named, int);
    line->slot_adr = arena_new(memory, line->npoint + 1, int);
    if (!line->slot || !line->slot_adr)
        return LITHE_NO_MEMORY;
    for (int p = 0, n = 0; p < line->npoint; p++) {
        line->slot_adr[p] = n;
        for (int a = 0; a < point_nnode(&line->point[p]); a++)
            line->slot[n++] = slot_of(r, point_node(&line->point[p], a));
        line->slot_adr[p + 1] = n;
    }
    return LITHE_OK;
}

lithe_status row_begin(row *r, bool relative, const double *x, arena *memory)
{
    int n = named_nodes(r, NULL);
    r->node = arena_new(memory, n, int);
    if (!r->node)
        return LITHE_NO_MEMORY;
    named_nodes(r, r->node);
    qsort(r->node, (size_t)n, sizeof *r->node, ascending);
    r->nnode = 0;
    for (int i = 0; i < n; i++)
        if (i == 0 || r->node[i] != r->node[r->nnode - 1])
            r->node[r->nnode++] = r->node[i];
    if (r->polynomial)
        return LITHE_OK; // it says what it measures from
    if (r->cells)
        return find_cells(r, memory);
    if (has_line(r))
        LITHE_TRY(find_line_slots(r, n, memory));
    if (r->kind == ROW_CAVITY)
        LITHE_TRY(find_corner_slots(r, memory));
    if (r->kind == ROW_ROTATION)
        LITHE_TRY(cloud_measure_arms(&r->cloud, x, memory));
    r->line.sign = r->kind == ROW_CABLE ? -1 : 1;
    r->rest = 0;
    if (relative)
        r->rest = r->kind == ROW_MEAN ? row_value(r, x) : fabs(row_value(r, x));
    return LITHE_OK;
}

lithe_status row_couple(const row *r, int body_id, const body *b, sparse_builder *builder)
{
    if (r->polynomial)
        return polynomial_couple(r->polynomial, body_id, b, builder);
    if (r->cells)
        return cells_couple(r->cells, body_id, b, builder);
    if (r->kind == ROW_LINK)
        return link_couple(r->link, body_id, b, builder);
    // a cavity's wall is made of faces of elements; a mean's gradient rotates with single nodes at
    // most
    return has_line(r) ? line_couple(&r->line, body_id, b, builder) : LITHE_OK;
}

lithe_status row_finish(row *r, int nbody, const body *bodies, arena *memory)
{
    if (r->polynomial)
        return polynomial_finish(r->polynomial, bodies, memory);
    if (r->cells)
        return cells_finish(r->cells, bodies, memory);
    if (has_line(r))
        return line_finish(&r->line, bodies, memory);
    if (r->kind == ROW_MEAN)
        cloud_finish(&r->cloud, bodies);
    if (r->kind == ROW_LINK)
        return link_finish(r->link, nbody, bodies, memory);
    return r->kind == ROW_CAVITY ? shell_finish(&r->shell, bodies, memory) : LITHE_OK;
}

double row_value(const row *r, const double *x)
{
    if (r->polynomial)
        return polynomial_value(r->polynomial, x);
    if (r->cells)
        return cells_value(r->cells, x);
    switch (r->kind) {
    case ROW_CABLE:
    case ROW_LENGTHS:
    case ROW_PISTON: return r->line.sign * (line_length(&r->line, x) - r->rest);
    case ROW_CAVITY: return shell_volume(&r->shell, x) - r->rest;
    case ROW_ANGLE:
    case ROW_MEAN: return cloud_mean(&r->cloud, x) - r->rest;
    case ROW_ROTATION: return cloud_rotation(&r->cloud, x);
    case ROW_LINK: return link_value(r->link, x);
    case ROW_SLIDER:
    case ROW_MODULUS: break;
    }
    return 0;
}

void row_gradient(const row *r, const double *x, double *H)
{
    memset(H, 0, 3 * (size_t)r->nnode * sizeof *H);
    if (r->polynomial)
        polynomial_gradient(r->polynomial, x, H);
    else if (r->cells)
        cells_gradient(r->cells, x, H);
    else if (has_line(r))
        line_gradient(&r->line, x, H);
    else if (r->kind == ROW_CAVITY)
        face_force(&r->shell.face, r->shell.slot, x, 1, H);
    else if (r->kind == ROW_MEAN || r->kind == ROW_ANGLE)
        cloud_mean_gradient(&r->cloud, x, H);
    else if (r->kind == ROW_ROTATION)
        cloud_rotation_gradient(&r->cloud, x, H);
    else if (r->kind == ROW_LINK)
        link_gradient(r->link, x, r->nnode, r->node, H);
}

void row_stiffness(const row *r, const double *x, double effort, bool positive,
                   double *const *blocks)
{
    if (effort == 0)
        return;
    if (r->polynomial) {
        if (!positive) // a volume's is indefinite
            polynomial_stiffness(r->polynomial, x, -effort, blocks);
        return;
    }
    if (r->cells) {
        if (!positive)
            cells_stiffness(r->cells, x, -effort, blocks);
        return;
    }
    if (r->kind == ROW_CAVITY && !positive) // d2V/dx2 is indefinite
        shell_stiffness(&r->shell, x, -effort, blocks);
    double tension = -r->line.sign * effort; // a length is convex in its points
    if (has_line(r) && (!positive || tension > 0))
        line_stiffness(&r->line, x, tension, positive, blocks);
    if (r->kind == ROW_MEAN && !positive)
        cloud_stiffness(&r->cloud, x, -effort, blocks);
    if (r->kind == ROW_LINK && !positive)
        link_stiffness(r->link, x, -effort, blocks);
}

void row_stiffness_times(const row *r, const double *x, double effort, const double *displacement,
                         double *force)
{
    if (effort == 0)
        return;
    if (r->polynomial) {
        polynomial_stiffness_times(r->polynomial, x, -effort, displacement, force);
        return;
    }
    if (r->cells) {
        cells_stiffness_times(r->cells, x, -effort, displacement, force);
        return;
    }
    if (r->kind == ROW_CAVITY)
        face_rate(&r->shell.face, x, displacement, -effort, force);
    if (has_line(r))
        line_stiffness_times(&r->line, x, -r->line.sign * effort, displacement, force);
    if (r->kind == ROW_MEAN)
        cloud_stiffness_times(&r->cloud, x, -effort, displacement, force);
    if (r->kind == ROW_LINK)
        link_stiffness_times(r->link, x, -effort, displacement, force);
}

// A parameter's number is what others have as their effort.
row_limit row_limit_of(const row *r, const double effort[2], const double displacement[2],
                       double effort_rate, double displacement_rate)
{
    bool slider = row_drives_support(r);
    row_limit limit = {.effort_rate = slider ? displacement_rate : effort_rate,
                       .displacement_rate = slider ? INFINITY : displacement_rate};
    for (int side = 0; side < 2; side++) {
        limit.effort[side] = row_inward(r, slider ? displacement[side] : effort[side]);
        limit.displacement[side] = displacement[side];
    }
    return limit;
}

bool row_limit_is_sound(const row_limit *limit)
{
    return limit->effort[0] <= limit->effort[1] &&
           limit->displacement[0] <= limit->displacement[1] && limit->effort_rate >= 0 &&
           limit->displacement_rate >= 0;
}
