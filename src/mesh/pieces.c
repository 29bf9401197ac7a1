#include "mesh/pieces.h"

#include "base/memory.h"
#include "base/vec.h"
#include "mesh/tolerances.h"

#include <stdlib.h>
#include <string.h>

typedef struct edge_use {
    int low, high;
    int corner;   // 3 tri + corner of it where the edge starts
    double angle; // about the edge, of the triangle's third node; set where more than two meet
} edge_use;

static int compare_edge(const void *left, const void *right)
{
    const edge_use *a = left;
    const edge_use *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

static int compare_angle(const void *left, const void *right)
{
    const edge_use *a = left;
    const edge_use *b = right;
    if (a->angle < b->angle)
        return -1;
    if (a->angle > b->angle)
        return 1;
    return (a->corner > b->corner) - (a->corner < b->corner);
}

// A forest over the triangles: each tree is a piece.
typedef struct joint {
    int parent;
    int size;     // of the tree below, where it is a root
    bool flipped; // must be flipped to agree with its parent
} joint;

static int find_root(const joint *j, int i, bool *flipped)
{
    for (*flipped = false; j[i].parent != i; i = j[i].parent)
        *flipped ^= j[i].flipped;
    return i;
}

// Joining the smaller tree to the larger keeps paths short.
static void join(joint *j, int a, int b, bool flipped)
{
    bool flipped_a, flipped_b;
    a = find_root(j, a, &flipped_a);
    b = find_root(j, b, &flipped_b);
    if (a == b)
        return;
    int large = j[a].size >= j[b].size ? a : b;
    int small = large == a ? b : a;
    j[small].parent = large;
    j[small].flipped = flipped_a ^ flipped_b ^ flipped;
    j[large].size += j[small].size;
}

static void list_edges(const mesh_boundary *b, edge_use *use)
{
    for (int c = 0; c < 3 * b->ntri; c++) {
        int from = b->tri[c];
        int to = b->tri[c % 3 == 2 ? c - 2 : c + 1];
        use[c] = (edge_use){from < to ? from : to, from < to ? to : from, c, 0};
    }
    qsort(use, 3 * (size_t)b->ntri, sizeof *use, compare_edge);
}

static void unit(double v[3])
{
    double length = vec_norm(v);
    for (int i = 0; i < 3; i++)
        v[i] /= length;
}

// Two directions across the edge, which with it make a right-handed frame.
static void edge_frame(const double *x, const edge_use *e, double u[3], double v[3])
{
    double along[3];
    vec_sub(along, x + 3 * (size_t)e->high, x + 3 * (size_t)e->low);
    unit(along);
    int least = 0;
    for (int i = 1; i < 3; i++)
        if (fabs(along[i]) < fabs(along[least]))
            least = i;
    double axis[3] = {least == 0, least == 1, least == 2};
    vec_cross(u, along, axis);
    unit(u);
    vec_cross(v, along, u);
}

static void set_angles(const mesh_boundary *b, const double *x, edge_use *use, int n)
{
    double u[3], v[3], r[3];
    edge_frame(x, use, u, v);
    for (int i = 0; i < n; i++) {
        int c = use[i].corner;
        int third = b->tri[c % 3 == 0 ? c + 2 : c - 1];
        vec_sub(r, x + 3 * (size_t)third, x + 3 * (size_t)use[i].low);
        use[i].angle = atan2(vec_dot(r, v), vec_dot(r, u));
    }
}

// Seen along the edge from low to high, a triangle that runs the edge that way has the void
// (its normal) on its counterclockwise side.
static bool void_follows(const mesh_boundary *b, const edge_use *use)
{
    return b->tri[use->corner] == use->low;
}

// Neighbours agree when they run their common edge in opposite directions.
static void join_neighbours(const mesh_boundary *b, const edge_use *p, const edge_use *q, joint *j)
{
    bool flipped = void_follows(b, p) == void_follows(b, q);
    join(j, p->corner / 3, q->corner / 3, flipped);
}

static void join_crowded(const mesh_boundary *b, const double *x, edge_use *use, int n, joint *j)
{
    set_angles(b, x, use, n);
    qsort(use, (size_t)n, sizeof *use, compare_angle);
    bool alternate = n % 2 == 0;
    for (int i = 0; i < n && alternate; i++)
        alternate = void_follows(b, &use[i]) != void_follows(b, &use[(i + 1) % n]);
    for (int i = 0; i < n; i++) // where tetrahedra overlap there is no order: all are one piece
        if (!alternate || void_follows(b, &use[i]))
            join_neighbours(b, &use[i], &use[(i + 1) % n], j);
}

static void join_triangles(const mesh_boundary *b, const double *x, edge_use *use, joint *j)
{
    int n = 3 * b->ntri;
    for (int i = 0; i < b->ntri; i++)
        j[i] = (joint){i, 1, false};
    for (int i = 0, next; i < n; i = next) {
        for (next = i + 1;
             next < n && use[next].low == use[i].low && use[next].high == use[i].high;)
            next++;
        if (next - i == 2)
            join_neighbours(b, &use[i], &use[i + 1], j);
        else
            join_crowded(b, x, use + i, next - i, j);
    }
}

// Pieces are numbered by their first triangle.
static void number_pieces(const joint *j, mesh_boundary *b, int *piece_of_root)
{
    bool flipped;
    for (int i = 0; i < b->ntri; i++)
        piece_of_root[i] = -1;
    for (int i = 0; i < b->ntri; i++) {
        int root = find_root(j, i, &flipped);
        if (piece_of_root[root] < 0)
            piece_of_root[root] = b->npiece++;
        b->piece[i] = piece_of_root[root];
    }
}

static double area(const double *x, const int tri[3])
{
    double p[3], q[3], n[3];
    vec_sub(p, x + 3 * (size_t)tri[1], x + 3 * (size_t)tri[0]);
    vec_sub(q, x + 3 * (size_t)tri[2], x + 3 * (size_t)tri[0]);
    vec_cross(n, p, q);
    return vec_norm(n) / 2;
}

// Where a mesh folds over itself, the tetrahedra behind neighbouring triangles disagree about what
// is outside. A surface of mixed direction has no volume, so the larger area decides for its piece.
static int flip_minority(const joint *j, const double *x, mesh_boundary *b, double *balance)
{
    bool flipped;
    int nflipped = 0;
    for (int i = 0; i < b->npiece; i++)
        balance[i] = 0;
    for (int i = 0; i < b->ntri; i++) {
        find_root(j, i, &flipped);
        balance[b->piece[i]] += (flipped ? -1 : 1) * area(x, b->tri + 3 * (size_t)i);
    }
    for (int i = 0; i < b->ntri; i++) {
        int *tri = b->tri + 3 * (size_t)i;
        find_root(j, i, &flipped);
        if (flipped == (balance[b->piece[i]] >= 0)) {
            int second = tri[1];
            tri[1] = tri[2];
            tri[2] = second;
            nflipped++;
        }
    }
    return nflipped;
}

lithe_status pieces_find(const double *x, arena *memory, mesh_boundary *b, int *nflipped)
{
    size_t n = (size_t)b->ntri;
    b->piece = arena_new(memory, n, int);
    edge_use *use = memory_alloc(3 * n * sizeof *use);
    joint *j = memory_alloc(n * sizeof *j);
    int *piece_of_root = memory_alloc(n * sizeof *piece_of_root);
    double *balance = memory_alloc(n * sizeof *balance);
    bool enough = b->piece && use && j && piece_of_root && balance;
    if (enough) {
        list_edges(b, use);
        join_triangles(b, x, use, j);
        number_pieces(j, b, piece_of_root);
        *nflipped = flip_minority(j, x, b, balance);
    }
    memory_free(use);
    memory_free(j);
    memory_free(piece_of_root);
    memory_free(balance);
    return enough ? LITHE_OK : LITHE_NO_MEMORY;
}

typedef struct piece_shape {
    int piece;
    double volume; // 6 times, signed: negative for a void
    double box[2][3];
    const double *origin; // a node of it
} piece_shape;

static void grow_box(piece_shape *s, const double p[3])
{
    for (int k = 0; k < 3; k++) {
        s->box[0][k] = fmin(s->box[0][k], p[k]);
        s->box[1][k] = fmax(s->box[1][k], p[k]);
    }
}

static void add_triangle(piece_shape *s, const double *x, const int tri[3])
{
    double r[3][3];
    if (!s->origin) {
        s->origin = x + 3 * (size_t)tri[0];
        memcpy(s->box[0], s->origin, sizeof s->box[0]);
        memcpy(s->box[1], s->origin, sizeof s->box[1]);
    }
    for (int k = 0; k < 3; k++) {
        grow_box(s, x + 3 * (size_t)tri[k]);
        vec_sub(r[k], x + 3 * (size_t)tri[k], s->origin);
    }
    s->volume += vec_triple(r[0], r[1], r[2]);
}

static bool is_cavity(const piece_shape *s)
{
    double size = fmax(s->box[1][0] - s->box[0][0],
                       fmax(s->box[1][1] - s->box[0][1], s->box[1][2] - s->box[0][2]));
    return s->volume / 6 < -MESH_CRACK * size * size * size;
}

static int compare_volume(const void *left, const void *right)
{
    const piece_shape *a = left;
    const piece_shape *b = right;
    if (a->volume != b->volume)
        return a->volume < b->volume ? -1 : 1;
    return (a->piece > b->piece) - (a->piece < b->piece);
}

lithe_status pieces_find_cavities(const double *x, arena *memory, mesh_boundary *b)
{
    piece_shape *shape = memory_alloc((size_t)b->npiece * sizeof *shape);
    b->cavity = arena_new(memory, b->npiece, int);
    b->volume = arena_new(memory, b->npiece, double);
    if (!shape || !b->cavity || !b->volume) {
        memory_free(shape);
        return LITHE_NO_MEMORY;
    }
    for (int i = 0; i < b->npiece; i++)
        shape[i] = (piece_shape){.piece = i};
    for (int i = 0; i < b->ntri; i++)
        add_triangle(&shape[b->piece[i]], x, b->tri + 3 * (size_t)i);
    for (int i = 0; i < b->npiece; i++)
        if (is_cavity(&shape[i]))
            shape[b->ncavity++] = shape[i];
    qsort(shape, (size_t)b->ncavity, sizeof *shape, compare_volume);
    for (int i = 0; i < b->ncavity; i++) {
        b->cavity[i] = shape[i].piece;
        b->volume[i] = -shape[i].volume / 6;
    }
    memory_free(shape);
    return LITHE_OK;
}
