#include "mesh/normal.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/tolerances.h"

#include <stdlib.h>
#include <string.h>

enum {
    ENOUGH = 8,  // points that a surface is laid through, if there are as many
    MOST = 40,   // triangles around a corner, its own first
    UNKNOWN = 5, // of a paraboloid through the corner
};

typedef struct normal_finder {
    int ntri;
    const int *tri;
    const double *x;
    double *face;   // unit normals (ntri x 3)
    int *neighbour; // across the side from corner s to s + 1 (ntri x 3): -1: none; else twice the
                    // triangle, plus 1 if it looks to the other side
} normal_finder;

typedef struct side_entry {
    int low, high;
    int side; // 3 tri + s
} side_entry;

static int compare_side(const void *left, const void *right)
{
    const side_entry *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->side > b->side) - (a->side < b->side);
}

static int side_start(const normal_finder *f, int side)
{
    return f->tri[side];
}

static void find_faces(normal_finder *f)
{
    for (int t = 0; t < f->ntri; t++) {
        double u[3], v[3], *n = &f->face[3 * (size_t)t];
        const int *tri = &f->tri[3 * (size_t)t];
        vec_sub(u, &f->x[3 * (size_t)tri[1]], &f->x[3 * (size_t)tri[0]]);
        vec_sub(v, &f->x[3 * (size_t)tri[2]], &f->x[3 * (size_t)tri[0]]);
        vec_cross(n, u, v);
        double length = vec_norm(n);
        vec_scale(n, length > 0 ? 1 / length : 0);
    }
}

// Where two triangles, and no more, meet smoothly.
static void join_sides(normal_finder *f, int a, int b)
{
    bool flipped = side_start(f, a) == side_start(f, b);
    double cosine = vec_dot(&f->face[3 * (size_t)(a / 3)], &f->face[3 * (size_t)(b / 3)]);
    if ((flipped ? -cosine : cosine) < cos(NORMAL_CREASE * 3.14159265358979323846 / 180))
        return;
    f->neighbour[a] = 2 * (b / 3) + flipped;
    f->neighbour[b] = 2 * (a / 3) + flipped;
}

static void find_neighbours(normal_finder *f, side_entry *entry)
{
    int n = 3 * f->ntri;
    for (int i = 0; i < n; i++) {
        int from = f->tri[i], to = f->tri[i % 3 == 2 ? i - 2 : i + 1];
        entry[i] = (side_entry){from < to ? from : to, from < to ? to : from, i};
        f->neighbour[i] = -1;
    }
    qsort(entry, (size_t)n, sizeof *entry, compare_side);
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1;
             next < n && entry[next].low == entry[i].low && entry[next].high == entry[i].high;)
            next++;
        if (next - i == 2)
            join_sides(f, entry[i].side, entry[i + 1].side);
    }
}

// Triangles around a corner, and the nodes that they have besides it.
typedef struct surrounding {
    int node; // of the corner
    int ntri, tri[MOST];
    bool flipped[MOST]; // looks to the other side than the first
    int npoint, point[3 * MOST];
} surrounding;

static bool has_node(const normal_finder *f, int t, int node)
{
    const int *tri = &f->tri[3 * (size_t)t];
    return tri[0] == node || tri[1] == node || tri[2] == node;
}

static void add_triangle(const normal_finder *f, surrounding *s, int t, bool flipped)
{
    for (int i = 0; i < s->ntri; i++)
        if (s->tri[i] == t)
            return;
    if (s->ntri == MOST)
        return;
    s->tri[s->ntri] = t;
    s->flipped[s->ntri++] = flipped;
    for (int k = 0; k < 3; k++) {
        int node = f->tri[3 * (size_t)t + k], i = 0;
        while (i < s->npoint && s->point[i] != node)
            i++;
        if (node != s->node && i == s->npoint)
            s->point[s->npoint++] = node;
    }
}

// Those that the triangles from `first` on have beside them; fan: only those at the corner itself.
static void spread(const normal_finder *f, surrounding *s, int first, int last, bool fan)
{
    for (int i = first; i < last; i++)
        for (int k = 0; k < 3; k++) {
            int next = f->neighbour[3 * (size_t)s->tri[i] + k];
            if (next >= 0 && (!fan || has_node(f, next / 2, s->node)))
                add_triangle(f, s, next / 2, s->flipped[i] != (next % 2 == 1));
        }
}

static int surround(const normal_finder *f, surrounding *s, int t, int node)
{
    *s = (surrounding){.node = node};
    add_triangle(f, s, t, false);
    for (int first = 0, last = 1; first < last; first = last, last = s->ntri)
        spread(f, s, first, last, true);
    int fan = s->ntri;
    for (int first = 0, last = fan, layer = 0; first < last && (layer == 0 || s->npoint < ENOUGH);
         layer++) {
        spread(f, s, first, last, false);
        first = last;
        last = s->ntri;
    }
    return fan;
}

// Solves A y = b, A positive; b becomes y.
static void solve(double A[UNKNOWN][UNKNOWN], double b[UNKNOWN])
{
    for (int k = 0; k < UNKNOWN; k++)
        for (int i = k + 1; i < UNKNOWN; i++) {
            double share = A[i][k] / A[k][k];
            for (int j = k; j < UNKNOWN; j++)
                A[i][j] -= share * A[k][j];
            b[i] -= share * b[k];
        }
    for (int i = UNKNOWN - 1; i >= 0; i--) {
        for (int j = i + 1; j < UNKNOWN; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
}

// Slopes at the corner of z = b0 x + b1 y + b2 x^2 + b3 x y + b4 y^2 through the points, in the
// frame; nearer ones count for more. What the points leave open is as flat as can be.
static void fit(const normal_finder *f, const surrounding *s, double frame[3][3], double b[UNKNOWN])
{
    double A[UNKNOWN][UNKNOWN] = {{0}}, size = 0;
    const double *centre = &f->x[3 * (size_t)s->node];
    for (int i = 0; i < s->npoint; i++)
        size = fmax(size, vec_distance(&f->x[3 * (size_t)s->point[i]], centre));
    memset(b, 0, UNKNOWN * sizeof *b);
    for (int i = 0; i < s->npoint; i++) {
        double r[3], q[3];
        vec_sub(r, &f->x[3 * (size_t)s->point[i]], centre);
        for (int k = 0; k < 3; k++)
            q[k] = vec_dot(r, frame[k]) / size;
        double row[UNKNOWN] = {q[0], q[1], q[0] * q[0], q[0] * q[1], q[1] * q[1]};
        double near = 1 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
        for (int j = 0; j < UNKNOWN * UNKNOWN; j++)
            A[j / UNKNOWN][j % UNKNOWN] += near * row[j / UNKNOWN] * row[j % UNKNOWN];
        for (int j = 0; j < UNKNOWN; j++)
            b[j] += near * row[j] * q[2];
    }
    for (int j = 0; j < UNKNOWN; j++)
        A[j][j] += MESH_FIT_REGULARIZATION * s->npoint;
    solve(A, b);
}

static void find_normal(const normal_finder *f, int t, int node, double out[3])
{
    surrounding s;
    double frame[3][3] = {{0}}, b[UNKNOWN];
    int fan = surround(f, &s, t, node);
    for (int i = 0; i < fan; i++)
        vec_axpy(frame[2], s.flipped[i] ? -1 : 1, &f->face[3 * (size_t)s.tri[i]]);
    double length = vec_norm(frame[2]);
    memcpy(out, &f->face[3 * (size_t)t], 3 * sizeof *out);
    if (!(length > 0)) // triangles without area
        return;
    vec_scale(frame[2], 1 / length);
    double side[3] = {fabs(frame[2][0]) < 0.6, fabs(frame[2][0]) >= 0.6, 0};
    vec_cross(frame[0], side, frame[2]);
    vec_scale(frame[0], 1 / vec_norm(frame[0]));
    vec_cross(frame[1], frame[2], frame[0]);
    fit(f, &s, frame, b);
    memcpy(out, frame[2], sizeof frame[2]);
    for (int k = 0; k < 2; k++)
        vec_axpy(out, -b[k], frame[k]);
    vec_scale(out, 1 / vec_norm(out));
}

lithe_status normals_find(int ntri, const int *tri, const double *x, double *normal)
{
    normal_finder f = {.ntri = ntri, .tri = tri, .x = x};
    f.face = memory_alloc((3 * (size_t)ntri + 1) * sizeof *f.face);
    f.neighbour = memory_alloc((3 * (size_t)ntri + 1) * sizeof *f.neighbour);
    side_entry *entry = memory_alloc((3 * (size_t)ntri + 1) * sizeof *entry);
    bool enough = f.face && f.neighbour && entry;
    if (enough) {
        find_faces(&f);
        find_neighbours(&f, entry);
        for (int i = 0; i < 3 * ntri; i++)
            find_normal(&f, i / 3, tri[i], &normal[3 * (size_t)i]);
    }
    memory_free(f.face);
    memory_free(f.neighbour);
    memory_free(entry);
    return enough ? LITHE_OK : LITHE_NO_MEMORY;
}
