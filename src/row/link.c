#include "row/link.h"

#include "base/rotation.h"
#include "base/vec.h"
#include "row/cloud.h"
#include "row/point.h"

#include <string.h>

int link_nodes(const row_link *link, int *node)
{
    int n = 0;
    for (int side = 0; side < 2; side++) {
        const row_point *p = &link->point[side];
        for (int a = 0; link->by_points && a < point_nnode(p); a++)
            node[n++] = p->node[a];
        if (link->rotation[side] >= 0)
            node[n++] = link->rotation[side];
    }
    if (link->other)
        n += link_nodes(link->other, node + n);
    return n;
}

static void direction_at(const row_link *link, int side, const double *x, double out[3])
{
    double R[9];
    memcpy(out, link->direction[side], 3 * sizeof *out);
    if (link->rotation[side] < 0)
        return;
    rotation_matrix(&x[3 * (size_t)link->rotation[side]], R);
    mat_apply(out, R, out);
}

// s and w
static void sides_at(const row_link *link, const double *x, double s[3], double w[3])
{
    double from[3];
    direction_at(link, 0, x, s);
    if (!link->by_points) {
        direction_at(link, 1, x, w);
        return;
    }
    point_position(&link->point[0], x, from);
    point_position(&link->point[1], x, w);
    vec_axpy(w, -1, from);
}

static void axis_at(const row_link *link, const double *x, double out[3])
{
    double R[9];
    memcpy(out, link->axis, 3 * sizeof *out);
    if (link->rotation[0] < 0)
        return;
    rotation_matrix(&x[3 * (size_t)link->rotation[0]], R);
    mat_apply(out, R, out);
}

// The rotation vector of the second side, as a patch has it that is one rotation.
static row_cloud patch_of(const row_link *link)
{
    return (row_cloud){.component = link->component, .rotation = {link->rotation[1]}};
}

static double own_value(const row_link *link, const double *x)
{
    double s[3], w[3], n[3], across[3];
    if (link->vector) {
        row_cloud patch = patch_of(link);
        return cloud_rotation(&patch, x);
    }
    sides_at(link, x, s, w);
    if (!link->twist)
        return vec_dot(s, w);
    axis_at(link, x, n);
    vec_cross(across, n, s);
    return atan2(vec_dot(across, w), vec_dot(s, w));
}

double link_value(const row_link *link, const double *x)
{
    return own_value(link, x) - (link->other ? link->ratio * own_value(link->other, x) : 0);
}

static void add(int nnode, const int *node, int which, const double f[3], double *H)
{
    for (int i = 0; i < nnode; i++)
        if (node[i] == which)
            vec_axpy(&H[3 * i], 1, f);
}

static void push_point(const row_point *p, const double *x, const double f[3], int nnode,
                       const int *node, double *H)
{
    point_arms arms = point_rotated(p, x);
    for (int a = 0; a < point_nnode(p); a++) {
        double g[3];
        point_push(p, &arms, a, f, g);
        add(nnode, node, p->node[a], g, H);
    }
}

// A spin of the first side changes s . w by spin . (s x w), one of the second by spin . (w x s).
static void own_gradient(const row_link *link, const double *x, int nnode, const int *node,
                         double *H)
{
    double s[3], w[3], about[3], back[3];
    if (link->vector) {
        row_cloud patch = patch_of(link);
        cloud_rotation_gradient(&patch, x, about);
        add(nnode, node, link->rotation[1], about, H);
        return;
    }
    sides_at(link, x, s, w);
    vec_cross(about, s, w);
    if (link->twist) // a spin of the second side about the axis, less that of the first
        axis_at(link, x, about);
    for (int i = 0; i < 3 && link->twist; i++)
        about[i] = -about[i];
    add(nnode, node, link->rotation[0], about, H);
    for (int i = 0; i < 3; i++)
        back[i] = -(link->by_points ? s : about)[i];
    if (!link->by_points) {
        add(nnode, node, link->rotation[1], back, H);
        return;
    }
    push_point(&link->point[1], x, s, nnode, node, H);
    push_point(&link->point[0], x, back, nnode, node, H);
}

void link_gradient(const row_link *link, const double *x, int nnode, const int *node, double *H)
{
    double of_other[3 * LINK_NODES] = {0};
    own_gradient(link, x, nnode, node, H);
    if (!link->other)
        return;
    own_gradient(link->other, x, nnode, node, of_other);
    for (int i = 0; i < 3 * nnode; i++)
        H[i] -= link->ratio * of_other[i];
}

// ## Second derivatives, as spins of R1 and R2 see them
//
//     of s by itself and of arms:  point_rotating
//     of s by w:                   (spin x s) . dw = spin . (s x dw)
//
// An angle has none: where the hinge holds it grows evenly with the spin about its axis.

// Blocks of A, by body; of a pair, whether it stands there transposed.
typedef struct link_block {
    int body, block; // -1: none
    bool transposed;
} link_block;

struct link_blocks {
    link_block spin[2];                    // of the rotations that carry directions
    link_block arm[2][ROW_POINT_ROTATION]; // of those that carry points
    link_block pair[ROW_POINT_NODE];       // of the first direction's rotation and the nodes that
                                           // carry the first point
};

// The first direction rotates, and what it is compared with is a way between points.
static bool is_carried(const row_link *link)
{
    return link->by_points && link->rotation[0] >= 0;
}

static bool is_of(const body *b, int node)
{
    return node >= b->node_adr && node < b->node_adr + b->nnode;
}

lithe_status link_couple(const row_link *link, int body_id, const body *b, sparse_builder *builder)
{
    const row_point *p = &link->point[0];
    int node[ROW_POINT_NODE + 1], n = 0;
    if (link->other)
        LITHE_TRY(link_couple(link->other, body_id, b, builder));
    if (!is_carried(link) || p->body != body_id || !is_of(b, link->rotation[0]))
        return LITHE_OK;
    node[n++] = link->rotation[0] - b->node_adr;
    for (int a = 0; a < point_nnode(p); a++)
        if (p->node[a] != link->rotation[0])
            node[n++] = p->node[a] - b->node_adr;
    return body_couple(b, builder, n, node);
}

static link_block find_block(int nbody, const body *bodies, int first, int second)
{
    for (int k = 0; k < nbody; k++) {
        const body *b = &bodies[k];
        if (first < 0 || !is_of(b, first) || !is_of(b, second))
            continue;
        int i = b->block[first - b->node_adr], j = b->block[second - b->node_adr];
        if (i < 0 || j < 0)
            break;
        return (link_block){k, sparse_find(&b->pattern, i > j ? i : j, i > j ? j : i), i < j};
    }
    return (link_block){-1, -1, false};
}

lithe_status link_finish(row_link *link, int nbody, const body *bodies, arena *memory)
{
    struct link_blocks *block = arena_new(memory, 1, struct link_blocks);
    if (!block)
        return LITHE_NO_MEMORY;
    for (int side = 0; side < 2; side++) {
        const row_point *p = &link->point[side];
        int rotation = link->rotation[side];
        block->spin[side] = find_block(nbody, bodies, rotation, rotation);
        for (int i = 0; link->by_points && p->body >= 0 && i < p->nrotation; i++) {
            rotation = p->node[p->nposition + i];
            block->arm[side][i] = find_block(nbody, bodies, rotation, rotation);
        }
    }
    const row_point *p = &link->point[0];
    for (int a = 0; is_carried(link) && a < point_nnode(p); a++)
        block->pair[a] = find_block(nbody, bodies, link->rotation[0], p->node[a]);
    link->block = block;
    return link->other ? link_finish(link->other, nbody, bodies, memory) : LITHE_OK;
}

static void add_block(link_block at, double scale, const double T[9], double *const *blocks)
{
    if (at.block < 0)
        return;
    double *A = &blocks[at.body][9 * (size_t)at.block];
    for (int i = 0; i < 9; i++)
        A[i] += scale * T[at.transposed ? 3 * (i % 3) + i / 3 : i];
}

// s as it rotates with the first point, which is less: -(s x rate).
static void add_pairs(const row_link *link, const double s[3], const double *x, double scale,
                      double *const *blocks)
{
    const row_point *p = &link->point[0];
    point_arms arms = point_rotated(p, x);
    for (int a = 0; a < point_nnode(p); a++) {
        double J[9], T[9];
        point_rate(p, &arms, a, J);
        for (int j = 0; j < 3; j++) {
            double column[3] = {J[j], J[3 + j], J[6 + j]}, way[3];
            vec_cross(way, column, s);
            for (int i = 0; i < 3; i++)
                T[3 * i + j] = way[i];
        }
        add_block(link->block->pair[a], scale, T, blocks);
        if (p->node[a] != link->rotation[0])
            continue;
        link_block back = link->block->pair[a];
        back.transposed = !back.transposed;
        add_block(back, scale, T, blocks);
    }
}

void link_stiffness(const row_link *link, const double *x, double scale, double *const *blocks)
{
    double s[3], w[3], T[9];
    if (link->other)
        link_stiffness(link->other, x, -link->ratio * scale, blocks);
    if (link->twist || link->vector)
        return;
    sides_at(link, x, s, w);
    point_rotating(s, w, T);
    add_block(link->block->spin[0], scale, T, blocks);
    if (!link->by_points) {
        add_block(link->block->spin[1], scale, T, blocks);
        return;
    }
    for (int side = 0; side < 2; side++) {
        const row_point *p = &link->point[side];
        point_arms arms = point_rotated(p, x);
        for (int i = 0; p->body >= 0 && i < p->nrotation; i++) {
            point_rotating(arms.arm[i], s, T);
            add_block(link->block->arm[side][i], side ? scale : -scale, T, blocks);
        }
    }
    if (is_carried(link))
        add_pairs(link, s, x, scale, blocks);
}

static void add_spin(int rotation, double scale, const double f[3], double *force)
{
    if (rotation >= 0)
        vec_axpy(&force[3 * (size_t)rotation], scale, f);
}

// Of two directions: with spins a and b, a . (s x (b x w)) besides what each does alone.
static void times_directions(const row_link *link, const double s[3], const double w[3],
                             double scale, const double *motion, double *force)
{
    static const double none[3] = {0};
    const double *spin[2], *vector[2] = {s, w};
    double T[9];
    point_rotating(s, w, T);
    for (int side = 0; side < 2; side++)
        spin[side] = link->rotation[side] < 0 ? none : &motion[3 * (size_t)link->rotation[side]];
    for (int side = 0; side < 2; side++) {
        double own[3], other[3], way[3];
        mat_apply(own, T, spin[side]);
        vec_cross(way, spin[1 - side], vector[1 - side]);
        vec_cross(other, vector[side], way);
        add_spin(link->rotation[side], scale, own, force);
        add_spin(link->rotation[side], scale, other, force);
    }
}

static void push_nodes(const row_point *p, const point_arms *arms, double scale, const double f[3],
                       double *force)
{
    for (int a = 0; a < point_nnode(p); a++) {
        double g[3];
        point_push(p, arms, a, f, g);
        vec_axpy(&force[3 * (size_t)p->node[a]], scale, g);
    }
}

void link_stiffness_times(const row_link *link, const double *x, double scale, const double *motion,
                          double *force)
{
    double s[3], w[3], T[9], ds[3] = {0}, dw[3] = {0}, f[3];
    if (link->other)
        link_stiffness_times(link->other, x, -link->ratio * scale, motion, force);
    if (link->twist || link->vector)
        return;
    sides_at(link, x, s, w);
    if (!link->by_points) {
        times_directions(link, s, w, scale, motion, force);
        return;
    }
    if (link->rotation[0] >= 0)
        vec_cross(ds, &motion[3 * (size_t)link->rotation[0]], s);
    for (int side = 0; side < 2; side++) {
        const row_point *p = &link->point[side];
        double sign = side ? 1 : -1, way[3];
        point_arms arms = point_rotated(p, x);
        point_motion(p, &arms, motion, way);
        vec_axpy(dw, sign, way);
        push_nodes(p, &arms, sign * scale, ds, force);
        for (int i = 0; p->body >= 0 && i < p->nrotation; i++) {
            int rotation = p->node[p->nposition + i];
            point_rotating(arms.arm[i], s, T);
            mat_apply(f, T, &motion[3 * (size_t)rotation]);
            add_spin(rotation, sign * scale, f, force);
        }
    }
    if (link->rotation[0] < 0)
        return;
    point_rotating(s, w, T);
    mat_apply(f, T, &motion[3 * (size_t)link->rotation[0]]);
    add_spin(link->rotation[0], scale, f, force);
    vec_cross(f, s, dw);
    add_spin(link->rotation[0], scale, f, force);
}

void link_load(const row_link *link, const double *x, double effort, double force[3],
               double moment[3])
{
    double s[3], w[3], about[3];
    sides_at(link, x, s, w);
    vec_cross(about, w, s);
    if (link->twist)
        axis_at(link, x, about);
    vec_axpy(link->by_points ? force : moment, link->back ? -effort : effort,
             link->by_points ? s : about);
}
