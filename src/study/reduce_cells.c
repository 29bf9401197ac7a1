// The few cells of cavities' walls that stand for all in a beam space, chosen as elements are: by
// what the force of a pressure on each moves.
#include "base/status.h"
#include "base/vec.h"
#include "reduce/cavity_cells.h"
#include "step/state.h"
#include "study/beam_training.h"

#include <math.h>
#include <string.h>

typedef struct cell_training {
    const beam_training *t;
    cavity_cells cells;
    int row_id;
    double pressure;   // that forces are those of, Pa
    double *mean;      // what unit forces on points do to coordinates (nsample x npoint x 3 x n)
    int *first, *last; // free frames that a triangle reaches (ntri)
    double *weight;    // that were found (ntri)
} cell_training;

// As large as the actuator may, or else as it was in samples.
static double pressure_of(const reducing *r, int row_id)
{
    const double *limit = r->whole->row[row_id].limit.effort;
    double most = fmax(fabs(limit[0]), fabs(limit[1]));
    if (isfinite(most))
        return most;
    most = 0;
    for (int i = 0; i < r->train.n; i++) {
        const double *found = reduce_found(r, &r->train, i);
        if (reduce_converged(found))
            most = fmax(most, fabs(reduce_effort(r, found)[row_id]));
    }
    return most;
}

static double *mean_of(const cell_training *c, int sample, int point)
{
    size_t n = (size_t)c->t->n;
    return &c->mean[((size_t)sample * (size_t)c->cells.npoint + (size_t)point) * 3 * n];
}

static void find_means(const cell_training *c)
{
    const beam_training *t = c->t;
    for (int k = 0; k < t->nsample; k++)
        for (int p = 0; p < c->cells.npoint; p++)
            for (int i = c->cells.adr[p]; i < c->cells.adr[p + 1]; i++)
                for (int axis = 0; axis < 3; axis++) {
                    double f[3] = {0};
                    f[axis] = 1.0 / (c->cells.adr[p + 1] - c->cells.adr[p]);
                    t->b->space->scatter(t->b, &t->J[(size_t)k * t->b->nJ], c->cells.node[i], f, 1,
                                         mean_of(c, k, p) + (size_t)axis * (size_t)t->n);
                }
}

static void corner_position(const cell_training *c, const double *x, int corner, double out[3])
{
    int p = ~corner;
    memset(out, 0, 3 * sizeof *out);
    if (corner >= 0)
        memcpy(out, &x[3 * corner], 3 * sizeof *out);
    else
        for (int i = c->cells.adr[p]; i < c->cells.adr[p + 1]; i++)
            vec_axpy(out, 1.0 / (c->cells.adr[p + 1] - c->cells.adr[p]), &x[3 * c->cells.node[i]]);
}

static void pull_corner(const cell_training *c, int sample, int corner, const double f[3],
                        double *g)
{
    const beam_training *t = c->t;
    if (corner >= 0)
        t->b->space->scatter(t->b, &t->J[(size_t)sample * t->b->nJ], corner, f, 1, g);
    for (int i = 0; corner < 0 && i < 3 * t->n; i++)
        g[i % t->n] += f[i / t->n] * mean_of(c, sample, ~corner)[i];
}

// g += the force of the pressure on a tetrahedron, on coordinates
static void pull_tet(const cell_training *c, int sample, const cell_tet *tet, double *g)
{
    const double *x = &c->t->x[(size_t)sample * 3 * (size_t)c->t->b->nnode];
    double base[3], edge[3][3], back[3] = {0};
    corner_position(c, x, ~tet->base, base);
    for (int i = 0; i < 3; i++) {
        corner_position(c, x, tet->corner[i], edge[i]);
        vec_axpy(edge[i], -1, base);
    }
    for (int i = 0; i < 3; i++) {
        double f[3];
        vec_cross(f, edge[(i + 1) % 3], edge[(i + 2) % 3]);
        vec_scale(f, c->pressure * tet->sign / 6);
        pull_corner(c, sample, tet->corner[i], f, g);
        vec_axpy(back, -1, f);
    }
    pull_corner(c, sample, ~tet->base, back, g);
}

static void widen(const beam_map *m, int node, int *first, int *last)
{
    for (int k = m->side_adr[node]; k < m->side_adr[node + 1]; k++) {
        int f = m->free[m->side[k].frame];
        *first = f >= 0 && f < *first ? f : *first;
        *last = f > *last ? f : *last;
    }
}

// Frames that a triangle's cell reaches.
static void find_frames(const cell_training *c, int triangle)
{
    const beam_map *m = c->t->b->beam;
    cell_tet tet[CELL_TETS];
    int n = cells_of(&c->cells, triangle, tet), *first = &c->first[triangle],
        *last = &c->last[triangle];
    *first = m->nfree;
    *last = -1;
    for (int k = 0; k < 4 * n; k++) {
        int corner = k % 4 == 3 ? ~tet[k / 4].base : tet[k / 4].corner[k % 4], p = ~corner;
        if (corner >= 0)
            widen(m, corner, first, last);
        for (int i = corner < 0 ? c->cells.adr[p] : 0; corner < 0 && i < c->cells.adr[p + 1]; i++)
            widen(m, c->cells.node[i], first, last);
    }
}

static bool open_group(const cell_training *c, int last, arena *scratch, beam_group *out)
{
    const beam_training *t = c->t;
    *out = (beam_group){.first = last, .last = last};
    out->member = arena_new(scratch, c->cells.face->ntri, int);
    if (!out->member)
        return false;
    for (int i = 0; i < c->cells.face->ntri; i++)
        if (c->last[i] == last) {
            out->member[out->n++] = i;
            out->first = c->first[i] < out->first ? c->first[i] : out->first;
        }
    if (!beam_group_create(t, scratch, out))
        return false;
    for (int i = 0; i < out->n; i++)
        for (int k = 0; k < t->nsample; k++) {
            cell_tet tet[CELL_TETS];
            double g[BEAM_COORDINATES] = {0};
            int n = cells_of(&c->cells, out->member[i], tet);
            for (int j = 0; j < n; j++)
                pull_tet(c, k, &tet[j], g);
            beam_group_fill(t, out, i, k, c->first[out->member[i]], c->last[out->member[i]], g,
                            beam_counts(k));
        }
    return true;
}

static bool choose_group(const cell_training *c, int last, int *found)
{
    const reducing *r = c->t->r;
    arena scratch = {0};
    beam_group of;
    int n = 0;
    bool well = open_group(c, last, &scratch, &of);
    double *weight = well ? arena_new(&scratch, of.n, double) : NULL;
    double tolerance = 0.25 * r->element_share * r->how.tolerance / sqrt(c->t->b->beam->nfree);
    well =
        weight && (of.n == 0 || beam_group_choose(c->t, &of, tolerance, 0, weight, &n) == LITHE_OK);
    for (int i = 0; well && i < of.n; i++)
        c->weight[of.member[i]] = weight[i];
    *found += n;
    arena_free(&scratch);
    return well;
}

static bool train(cell_training *c, arena *scratch)
{
    const beam_training *t = c->t;
    const row_shell *shell = &t->beam->row[c->row_id].shell;
    size_t n = (size_t)shell->face.ntri;
    if (cells_open(shell, t->b, t->b->beam, scratch, &c->cells) != LITHE_OK)
        return false;
    c->mean =
        arena_new(scratch, 3 * (size_t)t->nsample * (size_t)c->cells.npoint * (size_t)t->n, double);
    c->first = arena_new(scratch, n, int);
    c->last = arena_new(scratch, n, int);
    c->weight = arena_new(scratch, n, double);
    if (!c->mean || !c->first || !c->last || !c->weight)
        return false;
    find_means(c);
    for (int i = 0; i < shell->face.ntri; i++)
        find_frames(c, i);
    return true;
}

static lithe_status keep_cells(const cell_training *c, int found, lithe_reduction *out)
{
    int n = out->ncell + found, *cell = arena_new(&out->memory, 2 * (size_t)n, int);
    double *weight = arena_new(&out->memory, n, double);
    if (!cell || !weight)
        return report_no_memory(c->t->r->report, "cells");
    if (out->ncell > 0) {
        memcpy(cell, out->cell, 2 * (size_t)out->ncell * sizeof *cell);
        memcpy(weight, out->cell_weight, (size_t)out->ncell * sizeof *weight);
    }
    for (int i = 0; i < c->cells.face->ntri; i++)
        if (c->weight[i] > 0) {
            cell[2 * out->ncell] = c->row_id;
            cell[2 * out->ncell + 1] = i;
            weight[out->ncell++] = c->weight[i];
        }
    out->cell = cell;
    out->cell_weight = weight;
    return LITHE_OK;
}

// Walls of wider faces than triangles stay whole.
lithe_status reduce_cells(beam_training *t, lithe_reduction *out)
{
    const lithe_model *m = t->beam;
    for (int r = 0; r < m->nact; r++) {
        arena scratch = {0};
        cell_training c = {.t = t, .row_id = r, .pressure = pressure_of(t->r, r)};
        int found = 0;
        if (m->row[r].kind != ROW_CAVITY || m->row[r].shell.face.nwide > 0 || !(c.pressure > 0))
            continue;
        bool well = train(&c, &scratch);
        for (int f = 0; well && f < t->b->beam->nfree; f++)
            well = choose_group(&c, f, &found);
        lithe_status status =
            well ? keep_cells(&c, found, out) : report_no_memory(t->r->report, "cells");
        arena_free(&scratch);
        LITHE_TRY(status);
    }
    return LITHE_OK;
}
