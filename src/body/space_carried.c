// The carried space: frames, and nodes that no frame carries. J is a matrix of 3x3 blocks, of which
// only those of carried nodes are stored; the nodal tangent is pulled back block by block.
#include "base/rotation.h"
#include "base/vec.h"
#include "base/worst.h"
#include "body/body.h"
#include "body/gram.h"
#include "body/space_sparse.h"
#include "body/tolerances.h"

#include <math.h>
#include <string.h>

static void rest(const body *b, double *q)
{
    memcpy(q, b->carry->rest, 3 * (size_t)b->carry->ntriple * sizeof *q);
}

static void advance(const body *b, const double *q, double share, const double *motion, double *out)
{
    const carry_map *c = b->carry;
    for (int t = 0; t < c->ntriple; t++)
        if (c->kind[t] == CARRY_ROTATION)
            rotation_advance(&q[3 * t], share, &motion[3 * t], &out[3 * t]);
        else
            for (int i = 3 * t; i < 3 * t + 3; i++)
                out[i] = q[i] + share * motion[i];
}

static void motion(const body *b, const double *from, const double *to, double *out)
{
    const carry_map *c = b->carry;
    for (int t = 0; t < c->ntriple; t++)
        if (c->kind[t] == CARRY_ROTATION)
            rotation_between(&from[3 * t], &to[3 * t], &out[3 * t]);
        else
            vec_sub(&out[3 * t], &to[3 * t], &from[3 * t]);
}

// Where a frame is: its position, rotation vector and rotation.
typedef struct frame_pose {
    double c[3], theta[3], R[9];
} frame_pose;

static frame_pose pose_of(const carry_frame *f, const double *q)
{
    frame_pose p;
    for (int i = 0; i < 3; i++) {
        p.c[i] = f->hinge ? f->origin[i] : q[3 * f->triple[0] + i];
        p.theta[i] = f->hinge ? q[3 * f->triple[1]] * f->axis[i] : q[3 * f->triple[1] + i];
    }
    rotation_matrix(p.theta, p.R);
    return p;
}

static void member_position(const body *b, const carry_member *member, const frame_pose *p,
                            double *x)
{
    double at[3];
    if (member->node >= body_nposition(b)) {
        memcpy(&x[3 * member->node], p->theta, sizeof p->theta);
        return;
    }
    mat_apply(at, p->R, member->arm);
    vec_axpy(at, 1, p->c);
    vec_axpy(&x[3 * member->node], member->weight, at);
}

static void node_positions(const body *b, const double *q, double *x)
{
    const carry_map *c = b->carry;
    for (int k = 0; k < c->nbusy; k++) {
        int i = c->busy[k];
        if (c->triple[i] >= 0)
            memcpy(&x[3 * i], &q[3 * c->triple[i]], 3 * sizeof *x);
        else
            memset(&x[3 * i], 0, 3 * sizeof *x);
    }
    for (int k = 0; k < c->nframe; k++) {
        frame_pose p = pose_of(&c->frame[k], q);
        for (int i = 0; i < c->frame[k].nbusy; i++)
            member_position(b, &c->frame[k].member[i], &p, x);
    }
    for (int i = 0; i < c->ntie; i++)
        vec_axpy(&x[3 * c->tie[i].node], c->tie[i].weight, &q[3 * c->triple[c->tie[i].host]]);
}

static void follow(const body *b, const double *q, double *x)
{
    const carry_map *c = b->carry;
    for (int k = 0; k < c->nframe; k++)
        for (int i = c->frame[k].nbusy; i < c->frame[k].nmember; i++)
            memset(&x[3 * c->frame[k].member[i].node], 0, 3 * sizeof *x);
    for (int k = 0; k < c->nframe; k++) {
        frame_pose p = pose_of(&c->frame[k], q);
        for (int i = c->frame[k].nbusy; i < c->frame[k].nmember; i++)
            member_position(b, &c->frame[k].member[i], &p, x);
    }
}

// The column of an angle: what rotates moves by axis x arm, and what is a rotation spins about
// axis.
static void angle_block(const body *b, const carry_frame *f, const carry_member *member,
                        const double arm[3], double J[9])
{
    double way[3];
    vec_cross(way, f->axis, arm);
    memset(J, 0, 9 * sizeof *J);
    for (int i = 0; i < 3; i++)
        J[3 * i] = member->node >= body_nposition(b) ? f->axis[i] : member->weight * way[i];
}

// A spin w moves an arm by w x arm = -[arm]x w.
static void member_blocks(const body *b, const carry_frame *f, const carry_member *member,
                          const frame_pose *p, double *J)
{
    double arm[3];
    mat_apply(arm, p->R, member->arm);
    if (f->hinge) {
        angle_block(b, f, member, arm, J);
        return;
    }
    memset(J, 0, 18 * sizeof *J);
    if (member->node >= body_nposition(b)) {
        J[9] = J[13] = J[17] = 1;
        return;
    }
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        J[4 * i] = member->weight;
        J[9 + 3 * j + k] = member->weight * arm[i];
        J[9 + 3 * k + j] = -member->weight * arm[i];
    }
}

static void jacobian(const body *b, const double *q, double *J)
{
    const carry_map *c = b->carry;
    for (int k = 0; k < c->nframe; k++) {
        const carry_frame *f = &c->frame[k];
        frame_pose p = pose_of(f, q);
        for (int i = 0; i < f->nbusy; i++)
            member_blocks(b, f, &f->member[i], &p, &J[9 * (size_t)f->member[i].entry]);
    }
    for (int i = 0; i < c->ntie; i++) {
        double *block = &J[9 * (size_t)c->tie[i].entry];
        memset(block, 0, 9 * sizeof *block);
        block[0] = block[4] = block[8] = c->tie[i].weight;
    }
}

static void push(const body *b, const double *J, const double *dq, double *dx)
{
    const carry_map *c = b->carry;
    memset(dx, 0, 3 * (size_t)b->nnode * sizeof *dx);
    for (int k = 0; k < c->nbusy; k++) {
        int i = c->busy[k];
        if (c->triple[i] >= 0)
            memcpy(&dx[3 * i], &dq[3 * c->triple[i]], 3 * sizeof *dx);
        for (int e = c->entry_adr[i]; e < c->entry_adr[i + 1]; e++) {
            double way[3];
            mat_apply(way, &J[9 * (size_t)e], &dq[3 * c->entry_triple[e]]);
            vec_axpy(&dx[3 * i], 1, way);
        }
    }
}

static const double *pull(const body *b, const double *J, const double *f, double *out)
{
    const carry_map *c = b->carry;
    memset(out, 0, 3 * (size_t)c->ntriple * sizeof *out);
    for (int k = 0; k < c->nbusy; k++) {
        int i = c->busy[k];
        if (c->triple[i] >= 0)
            vec_axpy(&out[3 * c->triple[i]], 1, &f[3 * i]); // which others may follow too
        for (int e = c->entry_adr[i]; e < c->entry_adr[i + 1]; e++) {
            double g[3];
            mat_apply_transposed(g, &J[9 * (size_t)e], &f[3 * i]);
            vec_axpy(&out[3 * c->entry_triple[e]], 1, g);
        }
    }
    return out;
}

// Where members are in the mean, in their frame, and how they move there.
static void find_middle(const body *b, const carry_frame *f, const double *dx, double middle[3],
                        double mean[3])
{
    double total = 0;
    for (int i = 0; i < f->nbusy; i++) {
        const carry_member *member = &f->member[i];
        if (member->node >= body_nposition(b))
            continue;
        vec_axpy(middle, member->weight, member->arm);
        vec_axpy(mean, member->weight, &dx[3 * member->node]);
        total += member->weight;
    }
    vec_scale(middle, total > 0 ? 1 / total : 0);
    vec_scale(mean, total > 0 ? 1 / total : 0);
}

// What a frame does when its members move so, in the least squares. Members that rotate tell the
// spin itself, and count far more than the others, whose arms squared are in m^2.
static void fit_frame(const body *b, const carry_frame *f, const frame_pose *p, const double *dx,
                      double way[3], double spin[3])
{
    double middle[3] = {0}, mean[3] = {0}, gram[9] = {0}, moment[3] = {0}, inverse[9], arm[3];
    find_middle(b, f, dx, middle, mean);
    for (int i = 0; i < f->nbusy; i++) {
        const carry_member *member = &f->member[i];
        const double *moved = &dx[3 * member->node];
        double own[3], rel[3], part[3];
        if (member->node >= body_nposition(b)) {
            vec_axpy(moment, 1, moved);
            for (int k = 0; k < 9; k += 4)
                gram[k] += 1;
            continue;
        }
        vec_sub(own, member->arm, middle);
        mat_apply(arm, p->R, own);
        vec_sub(rel, moved, mean);
        vec_cross(part, arm, rel);
        vec_axpy(moment, member->weight, part);
        for (int k = 0; k < 9; k++)
            gram[k] += member->weight * ((k % 4 ? 0 : vec_dot(arm, arm)) - arm[k / 3] * arm[k % 3]);
    }
    gram_invert(gram, inverse);
    mat_apply(spin, inverse, moment);
    mat_apply(arm, p->R, middle);
    vec_cross(way, arm, spin); // the origin goes by -spin x arm against the middle
    vec_axpy(way, 1, mean);
}

static void fit(const body *b, const double *q, const double *dx, double *dq)
{
    const carry_map *c = b->carry;
    memset(dq, 0, 3 * (size_t)c->ntriple * sizeof *dq);
    for (int i = 0; i < b->nnode; i++)
        if (c->triple[i] >= 0)
            memcpy(&dq[3 * c->triple[i]], &dx[3 * i], 3 * sizeof *dq);
    for (int k = 0; k < c->nframe; k++) {
        const carry_frame *f = &c->frame[k];
        frame_pose p = pose_of(f, q);
        double way[3], spin[3];
        fit_frame(b, f, &p, dx, way, spin);
        if (f->hinge) {
            dq[3 * f->triple[1]] = vec_dot(f->axis, spin);
            continue;
        }
        memcpy(&dq[3 * f->triple[0]], way, sizeof way);
        memcpy(&dq[3 * f->triple[1]], spin, sizeof spin);
    }
}

// w x (w x arm) of everything that a spin w carries
static void curve(const body *b, const double *q, const double *dq, double *dx)
{
    const carry_map *c = b->carry;
    for (int k = 0; k < c->nframe; k++) {
        const carry_frame *f = &c->frame[k];
        frame_pose p = pose_of(f, q);
        double spin[3];
        for (int i = 0; i < 3; i++)
            spin[i] = f->hinge ? dq[3 * f->triple[1]] * f->axis[i] : dq[3 * f->triple[1] + i];
        for (int i = 0; i < f->nmember; i++) {
            double arm[3], way[3], inward[3];
            mat_apply(arm, p.R, f->member[i].arm);
            vec_cross(way, spin, arm);
            vec_cross(inward, spin, way);
            if (f->member[i].node < body_nposition(b))
                vec_axpy(&dx[3 * f->member[i].node], f->member[i].weight, inward);
        }
    }
}

static bool is_held(const carry_map *c, int i)
{
    return c->held[i / 3] & (1 << i % 3);
}

static void support(const body *b, const double *q, double load, double *out)
{
    const carry_map *c = b->carry;
    for (int t = 0; t < c->ntriple; t++) {
        double aim[3], way[3];
        for (int i = 0; i < 3; i++)
            aim[i] = c->rest[3 * t + i] + load * c->hold[3 * t + i];
        if (c->kind[t] == CARRY_ROTATION)
            rotation_between(&q[3 * t], aim, way);
        else
            vec_sub(way, aim, &q[3 * t]);
        for (int i = 0; i < 3; i++)
            out[3 * t + i] = b->moves && is_held(c, 3 * t + i) ? way[i] : 0;
    }
}

static void only_held(const body *b, const double *from, double *out)
{
    for (int i = 0; i < 3 * b->carry->ntriple; i++)
        if (is_held(b->carry, i))
            out[i] = from[i];
}

static double square(const body *b, const double *f)
{
    const carry_map *c = b->carry;
    double sum = 0;
    for (int i = 0; i < 3 * c->ntriple; i++)
        if (!is_held(c, i))
            sum += f[i] * f[i] / (c->arm[i / 3] * c->arm[i / 3]);
    return sum;
}

static double largest(const body *b, const double *dq)
{
    const carry_map *c = b->carry;
    double most = 0;
    for (int i = 0; i < 3 * c->ntriple; i++)
        most = worst_of(most, c->arm[i / 3] * fabs(dq[i]));
    return most;
}

static lithe_status create_nodal(const body *b, arena *memory, space_tangent *out)
{
    out->K = arena_new(memory, 9 * (size_t)b->pattern.nblock, double);
    out->A = arena_new(memory, 9 * (size_t)b->carry->pattern.nblock, double);
    return out->K && out->A ? LITHE_OK : LITHE_NO_MEMORY;
}

static double bytes(const body *b, const space_size *size)
{
    return space_sparse_bytes(b, size) + 72.0 * b->carry->pattern.nblock;
}

static void add_block(double *A, const double P[9], bool transposed)
{
    for (int i = 0; i < 9; i++)
        A[i] += transposed ? P[3 * (i % 3) + i / 3] : P[i];
}

// P = left' K right. Of a diagonal block only the lower half is sure.
static void product_of(const carry_product *p, const double *J, const double *K, bool diagonal,
                       double P[9])
{
    static const double one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *left = p->left < 0 ? one : &J[9 * (size_t)p->left],
                 *right = p->right < 0 ? one : &J[9 * (size_t)p->right];
    double whole[9], half[9];
    memcpy(whole, K, sizeof whole);
    if (diagonal) {
        whole[1] = K[3];
        whole[2] = K[6];
        whole[5] = K[7];
    }
    mat_mul(half, whole, right);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P[3 * i + j] =
                left[i] * half[j] + left[3 + i] * half[3 + j] + left[6 + i] * half[6 + j];
}

// The second derivative of force . phi along spins, and along an angle.
static void add_rotating(const body *b, const double *q, const double *force, double *A)
{
    const carry_map *c = b->carry;
    for (int k = 0; k < c->nframe; k++) {
        const carry_frame *f = &c->frame[k];
        frame_pose p = pose_of(f, q);
        int row = c->row[f->triple[1]];
        for (int m = 0; m < f->nbusy && row >= 0; m++) {
            const carry_member *member = &f->member[m];
            double arm[3], *K = &A[9 * (size_t)c->pattern.col_adr[row]], w = member->weight;
            const double *at = &force[3 * member->node];
            if (member->node >= body_nposition(b))
                continue; // spins as its frame does
            mat_apply(arm, p.R, member->arm);
            if (f->hinge)
                K[0] += w * (vec_dot(f->axis, arm) * vec_dot(f->axis, at) - vec_dot(arm, at));
            for (int i = 0; i < 9 && !f->hinge; i++)
                K[i] += w * (0.5 * (arm[i / 3] * at[i % 3] + at[i / 3] * arm[i % 3]) -
                             (i % 4 ? 0 : vec_dot(arm, at)));
        }
    }
}

// The numbers beside an angle are pinned.
static void finish_hinges(const carry_map *c, double *A)
{
    for (int t = 0; t < c->ntriple; t++) {
        if (c->kind[t] != CARRY_ANGLE || c->row[t] < 0)
            continue;
        double *K = &A[9 * (size_t)c->pattern.col_adr[c->row[t]]], size = fabs(K[0]);
        K[0] += BODY_HINGE_SHARE * size;
        K[4] = K[8] = size > 0 ? size : 1;
    }
}

static void assemble(const body *b, const double *q, const double *J, const double *force,
                     space_tangent *t)
{
    const carry_map *c = b->carry;
    memset(t->A, 0, 9 * (size_t)c->pattern.nblock * sizeof *t->A);
    for (int k = 0; k < b->pattern.nblock; k++)
        if (c->direct[k] >= 0)
            add_block(&t->A[9 * (size_t)(c->direct[k] >> 1)], &t->K[9 * (size_t)k],
                      c->direct[k] & 1);
    for (int k = 0; k < c->nproduct; k++) {
        const carry_product *p = &c->product[k];
        double P[9], *A = &t->A[9 * (size_t)(p->at >> 2)];
        product_of(p, J, &t->K[9 * (size_t)(p->block >> 1)], p->block & 1, P);
        add_block(A, P, p->at & 1);
        if (p->at & 2)
            add_block(A, P, !(p->at & 1));
    }
    if (force)
        add_rotating(b, q, force, t->A);
    for (int k = 0; k < c->nmasked; k++) {
        const int *masked = &c->masked[3 * k];
        space_mask(&t->A[9 * (size_t)masked[0]], c->held[masked[1]], c->held[masked[2]],
                   masked[1] == masked[2]);
    }
    finish_hinges(c, t->A);
}

// A node of a triple, for messages.
static int some_node(const body *b, int triple)
{
    const carry_map *c = b->carry;
    for (int k = 0; k < c->nframe; k++)
        if (c->frame[k].triple[0] == triple || c->frame[k].triple[1] == triple)
            return c->frame[k].member[0].node;
    for (int i = 0; i < b->nnode; i++)
        if (c->triple[i] == triple)
            return i;
    return -1;
}

static space_report factor(const body *b, space_tangent *t, pool *threads, double *y)
{
    int row;
    space_report report = space_sparse_factor(t, threads, y, &row);
    report.node = row >= 0 ? some_node(b, b->carry->row_triple[row]) : -1;
    return report;
}

static void add_line(const carry_map *c, int triple, const double g[3], int stride, double *line)
{
    for (int axis = 0; axis < 3 && c->row[triple] >= 0; axis++)
        if (!(c->held[triple] & (1 << axis)))
            line[(size_t)(3 * c->row[triple] + axis) * (size_t)stride] += g[axis];
}

static void scatter(const body *b, const double *J, int node, const double f[3], int stride,
                    double *line)
{
    const carry_map *c = b->carry;
    if (c->triple[node] >= 0)
        add_line(c, c->triple[node], f, stride, line);
    for (int e = c->entry_adr[node]; e < c->entry_adr[node + 1]; e++) {
        double g[3];
        mat_apply_transposed(g, &J[9 * (size_t)e], f);
        add_line(c, c->entry_triple[e], g, stride, line);
    }
}

static void gather(const body *b, const double *J, const double *f, int stride, double *line)
{
    for (int i = 0; i < b->nline; i++)
        line[(size_t)i * (size_t)stride] = 0;
    for (int k = 0; k < b->carry->nbusy; k++)
        scatter(b, J, b->carry->busy[k], &f[3 * (size_t)b->carry->busy[k]], stride, line);
}

static void spread(const body *b, const double *J, const double *line, double *dq)
{
    (void)J;
    for (int i = 0; i < b->carry->nrow; i++)
        memcpy(&dq[3 * b->carry->row_triple[i]], &line[3 * i], 3 * sizeof *dq);
}

static void mark_node(const body *b, int node, bool *mark)
{
    const carry_map *c = b->carry;
    if (c->triple[node] >= 0 && c->row[c->triple[node]] >= 0)
        mark[c->row[c->triple[node]]] = true;
    for (int e = c->entry_adr[node]; e < c->entry_adr[node + 1]; e++)
        if (c->row[c->entry_triple[e]] >= 0)
            mark[c->row[c->entry_triple[e]]] = true;
}

const space space_carried = {
    .name = "carried",
    .rest = rest,
    .advance = advance,
    .motion = motion,
    .positions = node_positions,
    .follow = follow,
    .jacobian = jacobian,
    .push = push,
    .pull = pull,
    .fit = fit,
    .curve = curve,
    .support = support,
    .only_held = only_held,
    .square = square,
    .largest = largest,
    .create = space_sparse_create,
    .create_nodal = create_nodal,
    .bytes = bytes,
    .assemble = assemble,
    .factor = factor,
    .gather = gather,
    .scatter = scatter,
    .spread = spread,
    .mark = mark_node,
    .forward = space_sparse_forward,
    .reach = space_sparse_reach,
    .inverse_pivots = space_sparse_pivots,
    .backward = space_sparse_backward,
};
