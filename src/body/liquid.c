#include "body/liquid.h"

#include "base/vec.h"
#include "body/pressure.h"

enum { PAIRS = FACE_NODES * (FACE_NODES + 1) / 2 }; // a >= b

typedef struct wall {
    int nnode;
    const int *node;
    int npoint;
    face_point point[FACE_POINTS];
} wall;

static wall wall_of(const body_liquid *liquid, int k)
{
    const face_set *s = &liquid->face;
    wall w;
    bool wide = k >= s->ntri;
    w.node = wide ? &s->wide[FACE_NODES * (k - s->ntri)] : &s->tri[3 * k];
    w.nnode = wide ? face_width(w.node) : 3;
    w.npoint = face_points(w.nnode, true, w.point);
    return w;
}

// What a point of a wall knows.
typedef struct spot {
    double tangent[2][3], n[3], p;
} spot;

static spot spot_at(const body_liquid *liquid, const wall *w, const face_point *p, const double *x)
{
    spot s = {.p = -vec_dot(liquid->weight, liquid->reference)};
    face_tangents(p, w->nnode, w->node, x, s.tangent);
    vec_cross(s.n, s.tangent[0], s.tangent[1]);
    for (int a = 0; a < w->nnode; a++)
        s.p += p->N[a] * vec_dot(liquid->weight, &x[3 * w->node[a]]);
    return s;
}

void liquid_force(const body_liquid *liquid, const double *x, double scale, double *f)
{
    for (int k = 0; k < liquid->face.ntri + liquid->face.nwide; k++) {
        wall w = wall_of(liquid, k);
        for (int q = 0; q < w.npoint; q++) {
            spot s = spot_at(liquid, &w, &w.point[q], x);
            for (int a = 0; a < w.nnode; a++)
                vec_axpy(&f[3 * w.node[a]], scale * w.point[q].weight * w.point[q].N[a] * s.p, s.n);
        }
    }
}

// K += the part of df_a/dx_b at one point: N_a (p [dN_b/dt dx/ds - dN_b/ds dx/dt]x + n N_b rho g')
static void add_derivative(const body_liquid *liquid, const face_point *p, const spot *s, int a,
                           int b, double K[9])
{
    double w = p->weight * p->N[a], change[3];
    for (int i = 0; i < 3; i++)
        change[i] = p->slope[b][1] * s->tangent[0][i] - p->slope[b][0] * s->tangent[1][i];
    pressure_add_cross(w * s->p, change, K);
    for (int i = 0; i < 9; i++)
        K[i] += w * p->N[b] * s->n[i / 3] * liquid->weight[i % 3];
}

static void wall_stiffness(const body_liquid *liquid, const wall *w, const double *x, double scale,
                           const int *block, double *blocks)
{
    spot s[FACE_POINTS];
    for (int q = 0; q < w->npoint; q++)
        s[q] = spot_at(liquid, w, &w->point[q], x);
    for (int a = 0, pair = 0; a < w->nnode; a++)
        for (int b = 0; b <= a; b++, pair++) {
            double K[2][9] = {{0}};
            for (int q = 0; q < w->npoint && block[pair] >= 0; q++) {
                add_derivative(liquid, &w->point[q], &s[q], a, b, K[0]);
                add_derivative(liquid, &w->point[q], &s[q], b, a, K[1]);
            }
            for (int i = 0; i < 9 && block[pair] >= 0; i++) {
                int t = 3 * (i % 3) + i / 3;
                blocks[9 * (size_t)(block[pair] >> 1) + (size_t)(block[pair] & 1 ? t : i)] +=
                    0.5 * scale * (K[0][i] + K[1][t]);
            }
        }
}

void liquid_stiffness(const body_liquid *liquid, const double *x, double scale, double *blocks)
{
    for (int k = 0; k < liquid->face.ntri + liquid->face.nwide; k++) {
        wall w = wall_of(liquid, k);
        wall_stiffness(liquid, &w, x, scale, &liquid->block[PAIRS * k], blocks);
    }
}

lithe_status liquid_finish(body_liquid *liquid, const sparse_pattern *pattern, const int *row,
                           arena *memory)
{
    int n = liquid->face.ntri + liquid->face.nwide;
    liquid->block = arena_new(memory, PAIRS * (size_t)n, int);
    if (!liquid->block)
        return LITHE_NO_MEMORY;
    for (int k = 0; k < n; k++) {
        wall w = wall_of(liquid, k);
        for (int a = 0, pair = 0; a < w.nnode; a++)
            for (int b = 0; b <= a; b++, pair++)
                liquid->block[PAIRS * k + pair] =
                    sparse_locate(pattern, row[w.node[a]], row[w.node[b]]);
    }
    return LITHE_OK;
}
