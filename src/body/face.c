#include "body/face.h"

#include "base/vec.h"
#include "body/pressure.h"
#include "mesh/surface.h"

// Bilinear on [-1, 1]^2.
static void shape_four(double s, double t, face_point *p)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    for (int a = 0; a < 4; a++) {
        double u = 1 + corner[a][0] * s, v = 1 + corner[a][1] * t;
        p->N[a] = u * v / 4;
        p->slope[a][0] = corner[a][0] * v / 4;
        p->slope[a][1] = corner[a][1] * u / 4;
    }
}

// Linear on the triangle (0, 0) (1, 0) (0, 1).
static void shape_three(double s, double t, face_point *p)
{
    static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    double L[3] = {1 - s - t, s, t};
    for (int a = 0; a < 3; a++) {
        p->N[a] = L[a];
        p->slope[a][0] = slope[a][0];
        p->slope[a][1] = slope[a][1];
    }
}

// Quadratic on the same. (0, 0) (1, 0) (0, 1).
static void shape_six(double s, double t, face_point *p)
{
    static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    double L[3] = {1 - s - t, s, t};
    for (int a = 0; a < 3; a++) {
        int b = (a + 1) % 3;
        p->N[a] = L[a] * (2 * L[a] - 1);
        p->N[3 + a] = 4 * L[a] * L[b];
        for (int i = 0; i < 2; i++) {
            p->slope[a][i] = (4 * L[a] - 1) * slope[a][i];
            p->slope[3 + a][i] = 4 * (L[a] * slope[b][i] + L[b] * slope[a][i]);
        }
    }
}

// Orbits of a symmetric rule on the triangle: the weight of each point (all of them sum to 1) and
// its barycentric coordinates a, b, 1 - a - b in every order. [dunavant1985]
typedef struct orbit {
    int n; // 3: a = b
    double weight, a, b;
} orbit;

static int orbit_points(int norbit, const orbit *o, face_point *point)
{
    int n = 0;
    for (int k = 0; k < norbit; k++) {
        double L[3] = {o[k].a, o[k].b, 1 - o[k].a - o[k].b};
        for (int i = 0; i < o[k].n; i++, n++) {
            shape_six(L[i % 3], L[(i % 3 + (i < 3 ? 1 : 2)) % 3], &point[n]);
            point[n].weight = 0.5 * o[k].weight;
        }
    }
    return n;
}

lithe_status face_shifted(const face_set *s, int by, arena *memory, face_set *out)
{
    *out = *s;
    out->tri = arena_new(memory, 3 * (size_t)s->ntri, int);
    out->wide = arena_new(memory, FACE_NODES * (size_t)s->nwide, int);
    if (!out->tri || !out->wide)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < 3 * s->ntri; i++)
        out->tri[i] = s->tri[i] + by;
    for (int i = 0; i < FACE_NODES * s->nwide; i++)
        out->wide[i] = s->wide[i] < 0 ? -1 : s->wide[i] + by;
    return LITHE_OK;
}

int face_points(int nnode, bool steep, face_point point[FACE_POINTS])
{
    static const orbit fourth[] = {{3, 0.223381589678011, 0.445948490915965, 0.445948490915965},
                                   {3, 0.109951743655322, 0.091576213509771, 0.091576213509771}};
    static const orbit sixth[] = {{3, 0.116786275726379, 0.249286745170910, 0.249286745170910},
                                  {3, 0.050844906370207, 0.063089014491502, 0.063089014491502},
                                  {6, 0.082851075618374, 0.310352451033785, 0.053145049844816}};
    if (nnode == 6)
        return steep ? orbit_points(3, sixth, point) : orbit_points(2, fourth, point);
    for (int i = 0; nnode == 3 && i < 3; i++) { // the middles of the edges
        shape_three(i == 2 ? 0 : 0.5, i == 0 ? 0 : 0.5, &point[i]);
        point[i].weight = 1.0 / 6;
    }
    if (nnode == 3)
        return 3;
    const double gauss = 0.57735026918962576451;
    for (int i = 0; i < 4; i++) {
        shape_four(i % 2 ? gauss : -gauss, i / 2 ? gauss : -gauss, &point[i]);
        point[i].weight = 1;
    }
    return 4;
}

void face_tangents(const face_point *p, int nnode, const int *node, const double *x,
                   double tangent[2][3])
{
    for (int i = 0; i < 3; i++)
        tangent[0][i] = tangent[1][i] = 0;
    for (int a = 1; a < nnode; a++) { // from the first node: slopes add up to 0
        double way[3];
        vec_sub(way, &x[3 * node[a]], &x[3 * node[0]]);
        vec_axpy(tangent[0], p->slope[a][0], way);
        vec_axpy(tangent[1], p->slope[a][1], way);
    }
}

// The force of a unit pressure on every node of a wide face.
static void wide_force(const int *node, const double *x, double f[FACE_NODES][3])
{
    face_point point[FACE_POINTS];
    int nnode = face_width(node), npoint = face_points(nnode, false, point);
    for (int i = 0; i < 3 * nnode; i++)
        f[i / 3][i % 3] = 0;
    for (int q = 0; q < npoint; q++) {
        double tangent[2][3], n[3];
        face_tangents(&point[q], nnode, node, x, tangent);
        vec_cross(n, tangent[0], tangent[1]);
        for (int a = 0; a < nnode; a++)
            vec_axpy(f[a], point[q].weight * point[q].N[a], n);
    }
}

double face_volume(const face_set *s, const double *x)
{
    double volume = surface_volume(s->ntri, s->tri, x);
    for (int k = 0; k < s->nwide; k++) {
        const int *node = &s->wide[FACE_NODES * k];
        double f[FACE_NODES][3];
        wide_force(node, x, f);
        for (int a = 0; a < face_width(node); a++)
            volume += vec_dot(&x[3 * node[a]], f[a]) / 3;
    }
    return volume;
}

void face_areas(const face_set *s, const double *x, double *share)
{
    for (int t = 0; t < s->ntri; t++) {
        const int *node = &s->tri[3 * t];
        double e1[3], e2[3], n[3];
        vec_sub(e1, &x[3 * node[1]], &x[3 * node[0]]);
        vec_sub(e2, &x[3 * node[2]], &x[3 * node[0]]);
        vec_cross(n, e1, e2);
        for (int a = 0; a < 3; a++)
            share[node[a]] += vec_norm(n) / 6;
    }
    for (int k = 0; k < s->nwide; k++) {
        const int *node = &s->wide[FACE_NODES * k];
        face_point point[FACE_POINTS];
        int nnode = face_width(node), npoint = face_points(nnode, true, point);
        for (int q = 0; q < npoint; q++) {
            double tangent[2][3], n[3];
            face_tangents(&point[q], nnode, node, x, tangent);
            vec_cross(n, tangent[0], tangent[1]);
            for (int a = 0; a < nnode; a++)
                share[node[a]] += point[q].weight * point[q].N[a] * vec_norm(n);
        }
    }
}

void face_force(const face_set *s, const int *slot, const double *x, double scale, double *f)
{
    pressure_force(s->ntri, s->tri, slot ? slot : s->tri, x, scale, f);
    for (int k = 0; k < s->nwide; k++) {
        const int *node = &s->wide[FACE_NODES * k];
        const int *to = slot ? &slot[3 * s->ntri + FACE_NODES * k] : node;
        double own[FACE_NODES][3];
        wide_force(node, x, own);
        for (int a = 0; a < face_width(node); a++)
            vec_axpy(&f[3 * to[a]], scale, own[a]);
    }
}

void face_rate(const face_set *s, const double *x, const double *displacement, double scale,
               double *f)
{
    pressure_rate(s->ntri, s->tri, x, displacement, scale, f);
    for (int k = 0; k < s->nwide; k++) {
        const int *node = &s->wide[FACE_NODES * k];
        face_point point[FACE_POINTS];
        int nnode = face_width(node), npoint = face_points(nnode, false, point);
        for (int q = 0; q < npoint; q++) {
            double tangent[2][3], way[2][3], n[3], more[3];
            face_tangents(&point[q], nnode, node, x, tangent);
            face_tangents(&point[q], nnode, node, displacement, way);
            vec_cross(n, way[0], tangent[1]);
            vec_cross(more, tangent[0], way[1]);
            vec_axpy(n, 1, more);
            for (int a = 0; a < nnode; a++)
                vec_axpy(&f[3 * node[a]], scale * point[q].weight * point[q].N[a], n);
        }
    }
}

// df_a/dx_b = [k_ab]x with k_ab = int N_a (dN_b/dt dx/ds - dN_b/ds dx/dt). Its symmetric part has
// the blocks [k_ab - k_ba]x / 2, none for a = b.
static void wide_area_rates(const int *node, const double *x, double k[FACE_PAIRS][3])
{
    face_point point[FACE_POINTS];
    int nnode = face_width(node), npoint = face_points(nnode, false, point);
    for (int i = 0; i < 3 * FACE_PAIRS; i++)
        k[i / 3][i % 3] = 0;
    for (int q = 0; q < npoint; q++) {
        const face_point *p = &point[q];
        double tangent[2][3];
        face_tangents(p, nnode, node, x, tangent);
        for (int a = 1, pair = 0; a < nnode; a++)
            for (int b = 0; b < a; b++, pair++) {
                double w = 0.5 * p->weight;
                double s = w * (p->N[a] * p->slope[b][1] - p->N[b] * p->slope[a][1]);
                double t = w * (p->N[b] * p->slope[a][0] - p->N[a] * p->slope[b][0]);
                vec_axpy(k[pair], s, tangent[0]);
                vec_axpy(k[pair], t, tangent[1]);
            }
    }
}

void face_stiffness(const face_set *s, const double *x, double scale, const int *block,
                    double *blocks)
{
    pressure_stiffness(s->ntri, s->tri, x, scale, block, blocks);
    for (int i = 0; i < s->nwide; i++) {
        double k[FACE_PAIRS][3];
        wide_area_rates(&s->wide[FACE_NODES * i], x, k);
        for (int pair = 0; pair < FACE_PAIRS; pair++) {
            int at = block[3 * s->ntri + FACE_PAIRS * i + pair];
            if (at >= 0)
                pressure_add_cross(at & 1 ? -scale : scale, k[pair], &blocks[9 * (at >> 1)]);
        }
    }
}

lithe_status face_blocks(const face_set *s, const sparse_pattern *pattern, const int *row,
                         arena *memory, int **block)
{
    int *out = *block = arena_new(memory, face_npair(s), int);
    if (!out)
        return LITHE_NO_MEMORY;
    pressure_blocks(pattern, row, s->ntri, s->tri, out);
    out += 3 * s->ntri;
    for (int k = 0; k < s->nwide; k++) {
        const int *node = &s->wide[FACE_NODES * k];
        for (int a = 1; a < FACE_NODES; a++)
            for (int b = 0; b < a; b++)
                *out++ =
                    a < face_width(node) ? sparse_locate(pattern, row[node[a]], row[node[b]]) : -1;
    }
    return LITHE_OK;
}
