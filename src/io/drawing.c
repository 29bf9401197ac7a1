#include "io/drawing.h"

#include "base/status.h"
#include "base/vec.h"
#include "control/task.h"
#include "step/outline.h"

#include <math.h>
#include <string.h>

static int actuator_of_row(const lithe_model *m, int row)
{
    for (int i = 0; i < lithe_nactuator(m); i++)
        if (row == lithe_row_of_actuator(m, i))
            return i;
    return -1;
}

static void add_line(drawing *d, drawing_line line)
{
    line.adr = d->npoint;
    d->npoint += line.n;
    d->line[d->nline++] = line;
}

static bool is_rod(const lithe_model *m, int element)
{
    enum { VTK_LINE = 3 };
    return lithe_element_cell(m)[element] == VTK_LINE;
}

static lithe_status list_lines(drawing *d)
{
    const lithe_model *m = d->model;
    int nrod = 0;
    for (int e = 0; e < lithe_nelement(m); e++)
        nrod += is_rod(m, e);
    d->line = arena_new(&d->memory, lithe_nrow(m) + nrod + 1, drawing_line);
    if (!d->line)
        return LITHE_NO_MEMORY;
    for (int r = 0; r < lithe_nrow(m); r++)
        if (lithe_row_npoint(m, r) > 0)
            add_line(d, (drawing_line){.row = r,
                                       .actuator = actuator_of_row(m, r),
                                       .n = lithe_row_npoint(m, r)});
    for (int e = 0; e < lithe_nelement(m); e++)
        if (is_rod(m, e))
            add_line(d, (drawing_line){.row = -1, .element = e, .actuator = -1, .n = 2});
    return LITHE_OK;
}

static int vertex_of_node(const skin *k, int node)
{
    int low = 0, high = k->nvertex - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (k->node[middle] < node)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static lithe_status list_cavities(drawing *d)
{
    const lithe_model *m = d->model;
    int most = 0;
    for (int r = 0; r < lithe_ndriven(m); r++)
        most += outline_cavity_triangles(m, r);
    d->cavity = arena_new(&d->memory, lithe_ndriven(m) + 1, drawing_cavity);
    d->cavity_tri = arena_new(&d->memory, 3 * (size_t)most + 1, int);
    if (!d->cavity || !d->cavity_tri)
        return LITHE_NO_MEMORY;
    for (int r = 0; r < lithe_ndriven(m); r++) {
        int n = outline_cavity_triangles(m, r), node[3];
        if (n > 0)
            d->cavity[d->ncavity++] = (drawing_cavity){actuator_of_row(m, r), d->ncavity_tri, n};
        for (int i = 0; i < n; i++) {
            outline_cavity_triangle(m, r, i, node);
            for (int k = 0; k < 3; k++)
                d->cavity_tri[3 * d->ncavity_tri + k] = vertex_of_node(&d->skin, node[k]);
            d->ncavity_tri++;
        }
    }
    return LITHE_OK;
}

static lithe_status list_markers(drawing *d)
{
    const lithe_model *m = d->model;
    d->marker = arena_new(&d->memory, lithe_nrow(m) + 1, drawing_marker);
    if (!d->marker)
        return LITHE_NO_MEMORY;
    for (int e = 0; e < lithe_neffector(m); e++) {
        const lithe_measure *what = &control_of(m)->effector[e];
        for (int i = 0; i < what->npoint; i++) {
            int row = lithe_row_of_effector(m, e) + i * what->ncomponent;
            if (outline_has_centre(m, row))
                d->marker[d->nmarker++] = (drawing_marker){e, row, what->ncomponent};
        }
    }
    return LITHE_OK;
}

static void find_box(drawing *d)
{
    const double *x = lithe_rest(d->model);
    for (int axis = 0; axis < 3; axis++) {
        d->lower[axis] = INFINITY;
        d->upper[axis] = -INFINITY;
    }
    for (int i = 0; i < 3 * lithe_nnode(d->model); i++) {
        d->lower[i % 3] = fmin(d->lower[i % 3], x[i]);
        d->upper[i % 3] = fmax(d->upper[i % 3], x[i]);
    }
}

static lithe_status fill(drawing *d, lithe_report *report)
{
    LITHE_TRY(skin_find(d->model, &d->memory, &d->skin, report));
    LITHE_TRY(list_lines(d));
    LITHE_TRY(list_cavities(d));
    LITHE_TRY(list_markers(d));
    find_box(d);
    d->element = arena_new(&d->memory, 2 * (size_t)lithe_nelement(d->model), double);
    return d->element ? LITHE_OK : LITHE_NO_MEMORY;
}

lithe_status drawing_create(const lithe_model *m, drawing *d, lithe_report *report)
{
    *d = (drawing){.model = m};
    if (fill(d, report) == LITHE_OK)
        return LITHE_OK;
    drawing_free(d);
    return report_no_memory(report, "drawing the robot");
}

void drawing_free(drawing *d)
{
    arena_free(&d->memory);
    *d = (drawing){0};
}

static float *put(const double point[3], float *out)
{
    for (int i = 0; i < 3; i++)
        *out++ = (float)point[i];
    return out;
}

float *drawing_vertices(const drawing *d, const lithe_state *s, float *out)
{
    const double *x = lithe_position(s);
    for (int v = 0; v < d->skin.nvertex; v++)
        out = put(x + 3 * (size_t)d->skin.node[v], out);
    return out;
}

float *drawing_lines(const drawing *d, const lithe_state *s, float *out)
{
    const lithe_model *m = d->model;
    const double *x = lithe_position(s);
    for (int i = 0; i < d->nline; i++) {
        const drawing_line *line = &d->line[i];
        for (int k = 0; k < line->n; k++) {
            double point[3];
            if (line->row >= 0)
                lithe_row_point(m, s, line->row, k, point);
            const int *end = lithe_element_node(m) + lithe_element_start(m)[line->element];
            out = put(line->row >= 0 ? point : x + 3 * (size_t)end[k], out);
        }
    }
    return out;
}

float *drawing_joints(const drawing *d, const lithe_state *s, float *out)
{
    for (int i = 0; i < lithe_njoint(d->model); i++) {
        outline_joint joint;
        outline_find_joint(d->model, s, i, &joint);
        out = put(joint.axis, put(joint.at, out));
        *out++ = joint.at_stop;
    }
    return out;
}

float *drawing_markers(const drawing *d, const lithe_state *s, float *out)
{
    for (int i = 0; i < d->nmarker; i++) {
        double point[3];
        lithe_row_centre(d->model, s, d->marker[i].row, point);
        out = put(point, out);
    }
    return out;
}

float *drawing_targets(const drawing *d, const lithe_state *s, const double *value,
                       const double *target, float *out)
{
    for (int i = 0; i < d->nmarker; i++) {
        const drawing_marker *k = &d->marker[i];
        double point[3], direction[3];
        lithe_row_centre(d->model, s, k->row, point);
        for (int r = k->row; r < k->row + k->n; r++) {
            bool moves = lithe_row_direction(d->model, r, direction);
            vec_axpy(point, moves ? target[r] - value[r] : NAN, direction);
        }
        out = put(point, out);
    }
    return out;
}

void drawing_measured(const drawing *d, const lithe_state *s, const double *measured, float *marker)
{
    float *at = marker;
    for (int i = 0; i < d->nmarker; i++, at += 3) {
        const drawing one = {
            .model = d->model, .nmarker = 1, .marker = d->marker + i}; // as a target of that marker
        float point[3];
        drawing_targets(&one, s, lithe_row_values(s), measured, point);
        if (isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]))
            memcpy(at, point, sizeof point);
    }
}

lithe_status drawing_add_ghost(drawing *d, const lithe_state *s, const bool *measured,
                               lithe_report *report)
{
    const lithe_model *m = d->model;
    int n = 0;
    double direction[3], *point = arena_new(&d->memory, 3 * (size_t)d->nmarker + 1, double);
    d->told = arena_new(&d->memory, d->nmarker + 1, int);
    if (!point || !d->told)
        return report_no_memory(report, "drawing the machine");
    for (int i = 0; i < d->nmarker; i++) {
        bool told = lithe_row_direction(m, d->marker[i].row, direction);
        for (int r = d->marker[i].row; r < d->marker[i].row + d->marker[i].n; r++)
            told = told && measured[r];
        if (!told)
            continue;
        lithe_row_centre(m, s, d->marker[i].row, point + 3 * (size_t)n);
        d->told[n++] = i;
    }
    if (ghost_create(m, s, &d->skin, n, point, &d->memory, &d->ghost) != LITHE_OK)
        return report_no_memory(report, "drawing the machine");
    return LITHE_OK;
}

float *drawing_ghost(const drawing *d, const lithe_state *s, const float *vertex, const float *at,
                     float *out)
{
    const ghost *g = &d->ghost;
    for (int i = 0; i < g->npoint; i++) {
        int marker = d->told[g->point[i]];
        double point[3];
        lithe_row_centre(d->model, s, d->marker[marker].row, point);
        for (int axis = 0; axis < 3; axis++)
            g->off[3 * i + axis] = at[3 * marker + axis] - (float)point[axis];
    }
    return ghost_vertices(g, d->skin.nvertex, vertex, out);
}

void drawing_aim(const drawing *d, int marker, const double point[3], double *target)
{
    const drawing_marker *k = &d->marker[marker];
    for (int i = 0; i < k->n; i++) {
        double direction[3];
        lithe_row_direction(d->model, k->row + i, direction);
        target[i] = vec_dot(direction, point);
    }
}

float *drawing_fields(const drawing *d, const lithe_state *s, int fields, float *out)
{
    double *energy = d->element, *mises = d->element + lithe_nelement(d->model);
    if (!fields)
        return out;
    lithe_element_fields(d->model, s, energy, mises);
    if (fields & DRAWING_ENERGY) {
        skin_average(&d->skin, energy, out);
        out += d->skin.nvertex;
    }
    if (fields & DRAWING_VON_MISES) {
        skin_average(&d->skin, mises, out);
        out += d->skin.nvertex;
    }
    return out;
}

int drawing_contacts(const drawing *d, const lithe_state *s, float *out)
{
    int n = 0;
    for (int i = 0; i < lithe_ncontact(s) && n < DRAWING_CONTACTS; i++) {
        lithe_contact c;
        if (lithe_contact_get(d->model, s, i, &c) != LITHE_OK || !(c.force > 0))
            continue;
        double force[3] = {0};
        vec_axpy(force, c.force, c.normal);
        if (out)
            put(force, put(c.at, out + 6 * (size_t)n));
        n++;
    }
    return n;
}
