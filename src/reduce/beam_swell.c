// Shapes by which sections swell and shrink, known beforehand: what sections of a bar do that is
// stretched or bent and contracts across. docs/theory/reduction.md
#include "base/status.h"
#include "base/vec.h"
#include "reduce/beam_line.h"

#include <math.h>
#include <string.h>

typedef struct swelling {
    const beam_map *map;
    lithe_reduction *r;
    int n; // shapes
} swelling;

// Along the line at a frame, and across.
static void section_axes(const lithe_reduction *r, int frame, double along[3], double y[3],
                         double z[3])
{
    int from = frame > 0 ? frame - 1 : 0, to = frame + 1 < r->nframe ? frame + 1 : frame, least = 0;
    vec_sub(along, &r->frame[3 * to], &r->frame[3 * from]);
    vec_scale(along, 1 / vec_norm(along));
    for (int axis = 1; axis < 3; axis++)
        least = fabs(along[axis]) < fabs(along[least]) ? axis : least;
    memset(y, 0, 3 * sizeof *y);
    y[least] = 1;
    vec_axpy(y, -along[least], along);
    vec_scale(y, 1 / vec_norm(y));
    vec_cross(z, along, y);
}

// Evenly, and more on one side than on the other, along y and along z: angles in the section stay.
static void fill_side(const swelling *s, const double x[3], const double middle[3], int side)
{
    double along[3], across[2][3], arm[3], *shape = &s->r->shape[3 * side * s->n];
    section_axes(s->r, s->map->side[side].frame, along, across[0], across[1]);
    vec_sub(arm, x, middle);
    double y = vec_dot(arm, across[0]), z = vec_dot(arm, across[1]);
    const double part[3][2] = {{y, z}, {(y * y - z * z) / 2, y * z}, {y * z, (z * z - y * y) / 2}};
    for (int j = 0; j < s->n; j++)
        for (int i = 0; i < 2; i++)
            vec_axpy(&shape[3 * j], part[j][i], across[i]);
}

// To the length 1 in the mean over a frame's nodes, each by its share.
static void scale_shape(const swelling *s, int nside, int frame, int j)
{
    double sum = 0, share = 0;
    for (int k = 0; k < nside; k++) {
        const double *shape = &s->r->shape[3 * (k * s->n + j)];
        double weight = s->map->side[k].frame == frame ? s->map->side[k].weight : 0;
        sum += weight * vec_dot(shape, shape);
        share += weight;
    }
    for (int k = 0; k < nside && sum > 0; k++)
        if (s->map->side[k].frame == frame)
            vec_scale(&s->r->shape[3 * (k * s->n + j)], sqrt(share / sum));
}

lithe_status beam_swell(const body *b, int n, lithe_reduction *r, lithe_report *report)
{
    arena scratch = {0};
    beam_map *map = NULL;
    lithe_status status = beam_lay(b, r, &scratch, &map, report);
    if (status == LITHE_OK) {
        swelling s = {map, r, n};
        int nside = r->nside = beam_nside(map, b->nnode);
        r->shape = arena_new(&r->memory, 3 * (size_t)nside * (size_t)n, double);
        if (!r->shape)
            status = report_no_memory(report, "shapes of sections");
        for (int i = 0; r->shape && i < b->nnode; i++) {
            double middle[3] = {0};
            for (int k = map->side_adr[i]; k < map->side_adr[i + 1]; k++)
                vec_axpy(middle, map->side[k].weight, &map->origin[3 * map->side[k].frame]);
            for (int k = map->side_adr[i]; k < map->side_adr[i + 1]; k++)
                fill_side(&s, &b->X[3 * i], middle, k);
        }
        for (int f = 0; r->shape && f < r->nframe; f++)
            for (int j = 0; j < n; j++)
                scale_shape(&s, nside, f, j);
        r->nshape = n;
    }
    arena_free(&scratch);
    return status;
}
