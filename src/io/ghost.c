#include "io/ghost.h"

#include "base/vec.h"
#include "solve/dense.h"
#include "step/outline.h"

#include <math.h>
#include <string.h>

enum { ANCHORS = 24, LINEAR = 4 }; // points that stay, at most; terms of a linear function

// Points that are known: those that are told, then some that are held.
typedef struct knots {
    int told, n;
    double (*at)[3];
    double size; // of the robot, m
} knots;

static double distance_to(const knots *k, const double x[3])
{
    double least = INFINITY;
    for (int i = 0; i < k->n; i++)
        least = fmin(least, vec_distance(k->at[i], x));
    return least;
}

static bool is_apart(const knots *k, const double x[3])
{
    const double near = 1.0 / 1024; // of the size: one more so near would tell the same
    return distance_to(k, x) > near * k->size;
}

static double size_of(const lithe_state *s, const skin *k)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int v = 0; v < k->nvertex; v++)
        for (int i = 0; i < 3; i++) {
            double x = lithe_position(s)[3 * (size_t)k->node[v] + (size_t)i];
            lower[i] = fmin(lower[i], x);
            upper[i] = fmax(upper[i], x);
        }
    return vec_distance(lower, upper);
}

// One after the other that which is farthest from all before.
static void add_anchors(const lithe_model *m, const lithe_state *s, const skin *k, knots *out)
{
    for (int i = 0; i < ANCHORS; i++) {
        const double *farthest = NULL;
        double most = 0;
        for (int v = 0; v < k->nvertex; v++) {
            const double *x = lithe_position(s) + 3 * (size_t)k->node[v];
            double away = outline_is_held(m, k->node[v]) ? distance_to(out, x) : 0;
            if (away > most) {
                most = away;
                farthest = x;
            }
        }
        if (!farthest || !is_apart(out, farthest))
            return;
        memcpy(out->at[out->n++], farthest, sizeof out->at[0]);
    }
}

// 1, x, y, z, in units of the size.
static double linear(const knots *k, const double x[3], int term)
{
    return term == 0 ? 1 : (x[term - 1] - k->at[0][term - 1]) / k->size;
}

// The spline sum_j c_j |x - x_j| + a + b . x, of which sum_j c_j = 0 and sum_j c_j x_j = 0, takes
// given values at the knots.
static void fill_system(const knots *k, double *A, double *B)
{
    int n = k->n + LINEAR;
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    memset(B, 0, (size_t)n * (size_t)k->told * sizeof *B);
    for (int i = 0; i < k->n; i++) {
        for (int j = 0; j < k->n; j++)
            A[i * n + j] = vec_distance(k->at[i], k->at[j]) / k->size;
        for (int t = 0; t < LINEAR; t++)
            A[i * n + k->n + t] = A[(k->n + t) * n + i] = linear(k, k->at[i], t);
    }
    for (int i = 0; i < k->told; i++)
        B[i * k->told + i] = 1;
}

static void fill_weights(const lithe_state *s, const skin *k, const knots *at, const double *B,
                         float *weight)
{
    for (int v = 0; v < k->nvertex; v++)
        for (int i = 0; i < at->told; i++) {
            const double *x = lithe_position(s) + 3 * (size_t)k->node[v];
            double sum = 0;
            for (int t = 0; t < LINEAR; t++)
                sum += B[(at->n + t) * at->told + i] * linear(at, x, t);
            for (int j = 0; j < at->n; j++)
                sum += B[j * at->told + i] * vec_distance(at->at[j], x) / at->size;
            *weight++ = (float)sum;
        }
}

lithe_status ghost_create(const lithe_model *m, const lithe_state *s, const skin *k, int npoint,
                          const double *point, arena *memory, ghost *out)
{
    *out = (ghost){0};
    size_t most = (size_t)npoint + ANCHORS;
    knots at = {.at = arena_alloc(memory, most, sizeof *at.at), .size = size_of(s, k)};
    double *A = arena_new(memory, (most + LINEAR) * (most + LINEAR), double);
    double *B = arena_new(memory, (most + LINEAR) * ((size_t)npoint + 1), double);
    out->weight = arena_new(memory, (size_t)k->nvertex * (size_t)npoint + 1, float);
    out->off = arena_new(memory, 3 * (size_t)npoint + 1, float);
    out->point = arena_new(memory, npoint + 1, int);
    if (!at.at || !A || !B || !out->weight || !out->off || !out->point)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < npoint; i++)
        if (is_apart(&at, point + 3 * (size_t)i)) {
            out->point[at.n] = i;
            memcpy(at.at[at.n++], point + 3 * (size_t)i, sizeof at.at[0]);
        }
    if (at.n < GHOST_LEAST)
        return LITHE_OK;
    at.told = at.n;
    add_anchors(m, s, k, &at);
    fill_system(&at, A, B);
    if (!dense_solve(at.n + LINEAR, at.told, A, B))
        return LITHE_OK;
    fill_weights(s, k, &at, B, out->weight);
    out->npoint = at.told;
    return LITHE_OK;
}

float *ghost_vertices(const ghost *g, int nvertex, const float *vertex, float *out)
{
    const float *w = g->weight;
    for (int v = 0; v < nvertex; v++, vertex += 3, out += 3) {
        memcpy(out, vertex, 3 * sizeof *out);
        for (int i = 0; i < g->npoint; i++, w++)
            for (int axis = 0; axis < 3; axis++)
                out[axis] += *w * g->off[3 * i + axis];
    }
    return out;
}
