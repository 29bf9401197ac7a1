// What is fixed of frames and the nodes that they carry: triples of q, blocks of J, the pattern of
// A and the maps into it.
#include "body/carry.h"

#include "base/eigen.h"
#include "base/rotation.h"
#include "base/vec.h"
#include "body/body.h"

#include <math.h>
#include <string.h>

// Each body has its own copy, since members are found again where they are.
static lithe_status copy_frames(carry_map *c, int nframe, const carry_frame *frame, arena *memory)
{
    c->nframe = nframe;
    c->frame = arena_new(memory, nframe, carry_frame);
    for (int k = 0; c->frame && k < nframe; k++) {
        carry_frame *f = &c->frame[k];
        *f = frame[k];
        f->member = arena_new(memory, f->nmember, carry_member);
        if (!f->member)
            return LITHE_NO_MEMORY;
        memcpy(f->member, frame[k].member, (size_t)f->nmember * sizeof *f->member);
        f->nbusy = f->nmember;
    }
    return c->frame ? LITHE_OK : LITHE_NO_MEMORY;
}

static lithe_status copy_ties(carry_map *c, int ntie, const carry_tie *tie, arena *memory)
{
    c->ntie = ntie;
    c->tie = arena_new(memory, ntie, carry_tie);
    if (!c->tie)
        return LITHE_NO_MEMORY;
    if (ntie > 0)
        memcpy(c->tie, tie, (size_t)ntie * sizeof *tie);
    return LITHE_OK;
}

// Which nodes are carried, how many triples that leaves, and how many blocks of J there are.
static void count(body *b, carry_map *c)
{
    for (int k = 0; k < c->nframe; k++)
        for (int i = 0; i < c->frame[k].nmember; i++) {
            int node = c->frame[k].member[i].node;
            c->triple[node] = -1;
            c->entry_adr[node + 1] += c->frame[k].hinge ? 1 : 2;
        }
    for (int i = 0; i < c->ntie; i++) {
        c->triple[c->tie[i].node] = -1;
        c->entry_adr[c->tie[i].node + 1]++;
    }
    for (int i = 0; i < b->nnode; i++) {
        if (c->triple[i] >= 0)
            c->triple[i] = c->ntriple++;
        c->entry_adr[i + 1] += c->entry_adr[i];
    }
    c->nentry = c->entry_adr[b->nnode];
    for (int k = 0; k < c->nframe; k++) {
        c->frame[k].triple[0] = c->frame[k].hinge ? -1 : c->ntriple++;
        c->frame[k].triple[1] = c->ntriple++;
    }
}

static bool carry_arrays(carry_map *c, arena *memory)
{
    size_t n = (size_t)c->ntriple;
    c->kind = arena_new(memory, n, unsigned char);
    c->held = arena_new(memory, n, unsigned char);
    c->hold = arena_new(memory, 3 * n, double);
    c->rest = arena_new(memory, 3 * n, double);
    c->arm = arena_new(memory, n, double);
    c->row = arena_new(memory, n, int);
    c->row_triple = arena_new(memory, n, int);
    c->entry_triple = arena_new(memory, c->nentry, int);
    return c->kind && c->held && c->hold && c->rest && c->arm && c->row && c->row_triple &&
           c->entry_triple;
}

// Distance from its origin at which a frame's nodes lie: root of the mean square.
static double radius_of(const body *b, const carry_frame *f)
{
    double sum = 0;
    int n = 0;
    for (int i = 0; i < f->nmember; i++)
        if (f->member[i].node < body_nposition(b)) {
            sum += vec_dot(f->member[i].arm, f->member[i].arm);
            n++;
        }
    return sum > 0 ? sqrt(sum / n) : 1;
}

static void fill_nodes(const body *b, carry_map *c)
{
    for (int i = 0; i < b->nnode; i++) {
        int t = c->triple[i];
        if (t < 0)
            continue;
        c->kind[t] = i < body_nposition(b) ? CARRY_POSITION : CARRY_ROTATION;
        c->held[t] = b->held[i];
        c->arm[t] = i < body_nposition(b) ? 1 : b->rotation_arm;
        memcpy(&c->hold[3 * t], &b->hold[3 * i], 3 * sizeof *c->hold);
        memcpy(&c->rest[3 * t], &b->X[3 * i], 3 * sizeof *c->rest);
    }
}

static void fill_frame(body *b, carry_map *c, carry_frame *f)
{
    for (int part = f->hinge ? 1 : 0; part < 2; part++) {
        int t = f->triple[part];
        c->kind[t] = f->hinge ? CARRY_ANGLE : part == 0 ? CARRY_POSITION : CARRY_ROTATION;
        c->held[t] = (unsigned char)(f->hinge ? LITHE_Y | LITHE_Z : f->held[part]);
        c->arm[t] = part == 0 ? 1 : radius_of(b, f);
        for (int i = 0; i < 3; i++) {
            c->rest[3 * t + i] = part == 0 ? f->origin[i] : 0;
            c->hold[3 * t + i] = c->held[t] & (1 << i) && !f->hinge ? f->hold[part][i] : 0;
            b->moves = b->moves || c->hold[3 * t + i] != 0;
        }
    }
}

// Blocks of J stand by node; those of one frame are neighbours.
static lithe_status fill_entries(const body *b, carry_map *c)
{
    arena scratch = {0};
    int *next = arena_new(&scratch, b->nnode, int);
    for (int i = 0; next && i < b->nnode; i++)
        next[i] = c->entry_adr[i];
    for (int k = 0; next && k < c->nframe; k++)
        for (int i = 0; i < c->frame[k].nmember; i++) {
            carry_member *member = &c->frame[k].member[i];
            member->entry = next[member->node];
            for (int part = c->frame[k].hinge ? 1 : 0; part < 2; part++)
                c->entry_triple[next[member->node]++] = c->frame[k].triple[part];
        }
    for (int i = 0; next && i < c->ntie; i++) {
        c->tie[i].entry = next[c->tie[i].node];
        c->entry_triple[next[c->tie[i].node]++] = c->triple[c->tie[i].host];
    }
    arena_free(&scratch);
    return next ? LITHE_OK : LITHE_NO_MEMORY;
}

static void number_rows(body *b, carry_map *c)
{
    b->ndof = 0;
    for (int t = 0; t < c->ntriple; t++) {
        c->row[t] = c->held[t] == LITHE_XYZ ? -1 : c->nrow;
        if (c->row[t] >= 0)
            c->row_triple[c->nrow++] = t;
        for (int axis = 0; axis < 3; axis++)
            b->ndof += !(c->held[t] & (1 << axis));
    }
}

lithe_status body_carry(body *b, int nframe, const carry_frame *frame, int ntie,
                        const carry_tie *tie, arena *memory)
{
    carry_map *c = b->carry = arena_new(memory, 1, carry_map);
    if (!c)
        return LITHE_NO_MEMORY;
    c->triple = arena_new(memory, b->nnode, int);
    c->entry_adr = arena_new(memory, b->nnode + 1, int);
    c->busy = arena_new(memory, b->nnode, int);
    if (!c->triple || !c->entry_adr || !c->busy)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < b->nnode; i++)
        c->busy[c->nbusy++] = i;
    LITHE_TRY(copy_frames(c, nframe, frame, memory));
    LITHE_TRY(copy_ties(c, ntie, tie, memory));
    count(b, c);
    if (!carry_arrays(c, memory))
        return LITHE_NO_MEMORY;
    fill_nodes(b, c);
    for (int k = 0; k < c->nframe; k++)
        fill_frame(b, c, &c->frame[k]);
    LITHE_TRY(fill_entries(b, c));
    number_rows(b, c);
    b->space = &space_carried;
    b->nq = 3 * c->ntriple;
    b->nJ = 9 * (size_t)c->nentry;
    b->nline = 3 * c->nrow;
    return LITHE_OK;
}

// Triples that a node moves with, and their blocks of J (-1: it is one itself). Returns how many. A
// triple comes more than once where a node follows several points of one frame.
enum { MOST_TRIPLES = 2 * CARRY_MOST };

static int triples_of(const carry_map *c, int node, int triple[MOST_TRIPLES],
                      int entry[MOST_TRIPLES])
{
    if (c->triple[node] >= 0) {
        triple[0] = c->triple[node];
        entry[0] = -1;
        return 1;
    }
    int n = 0;
    for (int e = c->entry_adr[node]; e < c->entry_adr[node + 1]; e++, n++) {
        triple[n] = c->entry_triple[e];
        entry[n] = e;
    }
    return n;
}

static lithe_status build_pattern(const body *b, carry_map *c, arena *memory)
{
    sparse_builder *builder = sparse_builder_create(c->nrow);
    lithe_status status = builder ? LITHE_OK : LITHE_NO_MEMORY;
    for (int j = 0; j < b->nrow && status == LITHE_OK; j++)
        for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++) {
            int clique[2 * MOST_TRIPLES], unused[MOST_TRIPLES];
            int n = triples_of(c, b->block_node[j], clique, unused);
            n += triples_of(c, b->block_node[b->pattern.row[k]], clique + n, unused);
            for (int i = 0; i < n; i++)
                clique[i] = c->row[clique[i]];
            if (status == LITHE_OK)
                status = sparse_builder_clique(builder, n, clique, NULL);
        }
    if (status == LITHE_OK)
        status = sparse_builder_finish(builder, memory, &c->pattern);
    sparse_builder_free(builder);
    return status;
}

// Where left' K right goes, as in carry_product; -1: nowhere. alone: no product of the same block
// stands for its transpose.
static int target_of(const carry_map *c, int left, int right, bool alone)
{
    int at = sparse_locate(&c->pattern, c->row[left], c->row[right]);
    if (at < 0)
        return -1;
    return 4 * (at >> 1) + (left == right && !alone ? 2 : 0) + (at & 1);
}

// What block k of the nodal tangent, of nodes i and j, becomes. Returns the number of products, and
// writes them unless out is NULL.
static int products_of(const carry_map *c, int k, int i, int j, carry_product *out)
{
    int left[MOST_TRIPLES] = {0}, right[MOST_TRIPLES] = {0};
    int of_left[MOST_TRIPLES] = {0}, of_right[MOST_TRIPLES] = {0};
    int nleft = triples_of(c, i, left, of_left), nright = triples_of(c, j, right, of_right), n = 0;
    for (int l = 0; l < nleft; l++)
        for (int r = 0; r < (i == j ? l + 1 : nright); r++) {
            int at = target_of(c, left[l], right[r], i == j && l == r);
            if (at < 0)
                continue;
            if (out)
                out[n] = (carry_product){2 * k + (i == j), of_left[l], of_right[r], at};
            n++;
        }
    return n;
}

static lithe_status list_products(const body *b, carry_map *c, arena *memory)
{
    c->direct = arena_new(memory, b->pattern.nblock, int);
    if (!c->direct)
        return LITHE_NO_MEMORY;
    for (int pass = 0; pass < 2; pass++) {
        c->nproduct = 0;
        for (int j = 0; j < b->nrow; j++)
            for (int k = b->pattern.col_adr[j]; k < b->pattern.col_adr[j + 1]; k++) {
                int row = b->block_node[b->pattern.row[k]], column = b->block_node[j];
                bool free = c->triple[row] >= 0 && c->triple[column] >= 0;
                c->direct[k] = free ? sparse_locate(&c->pattern, c->row[c->triple[row]],
                                                    c->row[c->triple[column]])
                                    : -1;
                if (!free)
                    c->nproduct +=
                        products_of(c, k, row, column, pass ? &c->product[c->nproduct] : NULL);
            }
        if (!pass && !(c->product = arena_new(memory, c->nproduct, carry_product)))
            return LITHE_NO_MEMORY;
    }
    return LITHE_OK;
}

static lithe_status list_masked(carry_map *c, arena *memory)
{
    for (int pass = 0; pass < 2; pass++) {
        c->nmasked = 0;
        for (int j = 0; j < c->nrow; j++)
            for (int k = c->pattern.col_adr[j]; k < c->pattern.col_adr[j + 1]; k++) {
                int row = c->row_triple[c->pattern.row[k]], column = c->row_triple[j];
                if (!c->held[row] && !c->held[column])
                    continue;
                if (pass) {
                    int *masked = &c->masked[3 * c->nmasked];
                    masked[0] = k;
                    masked[1] = row;
                    masked[2] = column;
                }
                c->nmasked++;
            }
        if (!pass && !(c->masked = arena_new(memory, 3 * (size_t)c->nmasked, int)))
            return LITHE_NO_MEMORY;
    }
    return LITHE_OK;
}

lithe_status carry_finish(body *b, arena *memory)
{
    LITHE_TRY(build_pattern(b, b->carry, memory));
    LITHE_TRY(sparse_analyze(&b->carry->pattern, memory, &b->symbolic));
    LITHE_TRY(list_products(b, b->carry, memory));
    return list_masked(b->carry, memory);
}

void body_grip(const body *b, const double *force, double *grip)
{
    const carry_map *c = b->carry;
    memset(grip, 0, (size_t)b->nq * sizeof *grip);
    for (int k = 0; c && k < c->nframe; k++)
        for (int i = 0; !c->frame[k].hinge && i < c->frame[k].nmember; i++) {
            const carry_member *of = &c->frame[k].member[i];
            if (of->node < body_nposition(b))
                vec_axpy(&grip[3 * c->frame[k].triple[0]], of->weight, &force[3 * of->node]);
        }
    for (int i = 0; c && i < c->ntie; i++)
        vec_axpy(&grip[3 * c->triple[c->tie[i].host]], c->tie[i].weight,
                 &force[3 * c->tie[i].node]);
    for (int i = 0; c && i < 3 * c->ntriple; i++)
        if (!(c->held[i / 3] & (1 << i % 3)) || c->kind[i / 3] != CARRY_POSITION)
            grip[i] = 0;
}

static bool is_point(const body *b, const carry_member *member)
{
    return member->node < body_nposition(b) && member->weight == 1;
}

// The rotation R that makes the sum of (R from) . to the largest, S being the sum of from to': in a
// unit quaternion q it is q' N q, so q is the eigenvector of the largest eigenvalue.
static void nearest_rotation(const double S[9], double theta[3])
{
    double N[16], value[4], vector[16], q[4];
    const double d[4] = {S[0] + S[4] + S[8], S[0] - S[4] - S[8], S[4] - S[0] - S[8],
                         S[8] - S[0] - S[4]};
    for (int i = 0; i < 4; i++)
        N[5 * i] = d[i];
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        N[1 + i] = N[4 * (1 + i)] = S[3 * j + k] - S[3 * k + j];
        N[4 * (1 + i) + 1 + j] = N[4 * (1 + j) + 1 + i] = S[3 * i + j] + S[3 * j + i];
    }
    eigen_symmetric(4, N, value, vector);
    int most = 0;
    for (int i = 1; i < 4; i++)
        most = value[i] > value[most] ? i : most;
    for (int i = 0; i < 4; i++)
        q[i] = vector[4 * i + most];
    rotation_from_quaternion(q, theta);
}

static void show_frame(const body *b, const carry_frame *f, double *x)
{
    double arm[3] = {0}, at[3] = {0}, S[9] = {0}, theta[3];
    int n = 0;
    for (int i = 0; i < f->nmember; i++)
        if (is_point(b, &f->member[i])) {
            vec_axpy(arm, 1, f->member[i].arm);
            vec_axpy(at, 1, &x[3 * f->member[i].node]);
            n++;
        }
    vec_scale(arm, n > 0 ? 1.0 / n : 0);
    vec_scale(at, n > 0 ? 1.0 / n : 0);
    for (int i = 0; i < f->nmember; i++) {
        double from[3], to[3];
        if (!is_point(b, &f->member[i]))
            continue;
        vec_sub(from, f->member[i].arm, arm);
        vec_sub(to, &x[3 * f->member[i].node], at);
        for (int k = 0; k < 9; k++)
            S[k] += from[k / 3] * to[k % 3];
    }
    nearest_rotation(S, theta);
    for (int i = 0; i < f->nmember; i++)
        if (f->member[i].node >= body_nposition(b))
            memcpy(&x[3 * f->member[i].node], theta, sizeof theta);
}

void carry_show(const body *b, double *x)
{
    for (int k = 0; k < b->carry->nframe; k++)
        show_frame(b, &b->carry->frame[k], x);
}

// Members that are not idle come first, in their order.
static void sort_members(carry_frame *f, const bool *idle)
{
    int n = 0;
    for (int i = 0; i < f->nmember; i++) {
        carry_member member = f->member[i];
        if (idle[member.node])
            continue;
        memmove(&f->member[n + 1], &f->member[n], (size_t)(i - n) * sizeof member);
        f->member[n++] = member;
    }
    f->nbusy = n;
}

// Blocks of the nodal tangent that are of busy nodes, which alone are not zero.
static void keep_products(const body *b, carry_map *c, const bool *idle)
{
    int n = 0, k = 0;
    for (int j = 0; j < b->nrow; j++)
        for (int at = b->pattern.col_adr[j]; at < b->pattern.col_adr[j + 1]; at++)
            for (; k < c->nproduct && c->product[k].block >> 1 == at; k++)
                if (!idle[b->block_node[j]] && !idle[b->block_node[b->pattern.row[at]]])
                    c->product[n++] = c->product[k];
    c->nproduct = n;
}

void body_idle(body *b, const bool *idle)
{
    carry_map *c = b->carry;
    c->nbusy = 0;
    for (int i = 0; i < b->nnode; i++)
        if (!idle[i])
            c->busy[c->nbusy++] = i;
    for (int k = 0; k < c->nframe; k++)
        sort_members(&c->frame[k], idle);
    keep_products(b, c, idle);
}
