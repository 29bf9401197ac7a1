// Pairs that couple two bodies, or far parts of one: their stiffness stands beside the factors. Its
// coordinates are the nodes that such pairs touch; P picks them.
#include "base/memory.h"
#include "step/contact_rows.h"

#include <string.h>

// What slips has a part that is not symmetric, which has no place in A.
static bool slides(const lithe_state *s, const contact_row *c)
{
    return c->turn > 0 && !s->positive;
}

static bool stands_beside(const lithe_state *s, const contact_row *c)
{
    return c->coupled || slides(s, c);
}

static void mark_coordinates(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    memset(t->coordinate, -1, 3 * (size_t)m->nnode * sizeof *t->coordinate);
    for (int r = 0; r < rows->n; r++)
        for (int i = 0; i < rows->row[r].pair.npoint && stands_beside(s, &rows->row[r]); i++) {
            const surface_entry *entry;
            int n = proximity_point(&m->contact.world, &rows->row[r].pair, i, &entry);
            for (int k = 0; k < n; k++)
                t->coordinate[3 * entry[k].node] = 0;
        }
}

// Numbers them, body by body. Returns how many there are.
static int number_coordinates(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    int n = 0;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        t->body_adr[k] = n;
        for (int i = 0; i < b->nnode; i++) {
            int *at = &t->coordinate[3 * (b->node_adr + i)];
            bool marked = at[0] == 0 && (b->space != &space_nodal || b->block[i] >= 0);
            for (int axis = 0; axis < 3; axis++)
                at[axis] = marked && !(b->held[i] & (1 << axis)) ? n++ : -1;
        }
    }
    t->body_adr[m->nbody] = n;
    return n;
}

static bool reserve(const lithe_model *m, step_contact *t, int n)
{
    size_t columns = 0;
    for (int k = 0; k < m->nbody; k++) {
        t->columns_adr[k] = columns;
        columns += (size_t)m->body[k].nline * (size_t)(t->body_adr[k + 1] - t->body_adr[k]);
    }
    if (columns > t->max_columns) {
        memory_free(t->columns);
        t->max_columns = 0;
        if (!(t->columns = memory_alloc((columns + columns / 4) * sizeof *t->columns)))
            return false;
        t->max_columns = columns + columns / 4;
    }
    if (n <= t->couple.max)
        return true;
    int room = n + n / 4;
    arena_free(&t->couple_memory);
    t->couple_memory = (arena){0};
    t->couple.max = 0;
    t->Z = arena_new(&t->couple_memory, (size_t)room * (size_t)(m->nrow + 1), double);
    t->T = arena_new(&t->couple_memory, (size_t)room * (size_t)(m->nrow + 1), double);
    t->u = arena_new(&t->couple_memory, 2 * (size_t)room, double);
    return t->Z && t->T && t->u && coupling_create(&t->couple_memory, room, &t->couple);
}

static int chunk_width(const step_contact *t, int k, int first)
{
    int left = t->body_adr[k + 1] - t->body_adr[k] - first;
    return left < CONTACT_CHUNK ? left : CONTACT_CHUNK;
}

static double *chunk_of(const lithe_model *m, const step_contact *t, int k, int first)
{
    return t->columns + t->columns_adr[k] + (size_t)m->body[k].nline * (size_t)first;
}

// L^-1 P of one body, a chunk of columns at a time.
static void find_columns(const lithe_model *m, lithe_state *s, int k)
{
    step_contact *t = &s->contact;
    const body *b = &m->body[k];
    int count = t->body_adr[k + 1] - t->body_adr[k];
    memset(t->columns + t->columns_adr[k], 0,
           (size_t)b->nline * (size_t)count * sizeof *t->columns);
    for (int i = 0; i < 3 * b->nnode; i++) {
        int at = t->coordinate[3 * b->node_adr + i] - t->body_adr[k];
        if (at < 0)
            continue;
        int first = at - at % CONTACT_CHUNK;
        double unit[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        b->space->scatter(b, body_jacobian(b, s->now.J), i / 3, unit, chunk_width(t, k, first),
                          chunk_of(m, t, k, first) + (at - first));
    }
    for (int first = 0; first < count; first += CONTACT_CHUNK)
        b->space->forward(b, &s->tangent[k], chunk_width(t, k, first), 0, NULL,
                          chunk_of(m, t, k, first));
}

// out (wa x wb, of stride) = A' D^-1 B
static void multiply(int lines, const double *inverse, int wa, const double *A, int wb,
                     const double *B, size_t stride, double *out)
{
    double sum[CONTACT_CHUNK * CONTACT_CHUNK] = {0};
    for (int i = 0; i < lines; i++, A += wa, B += wb)
        for (int a = 0; a < wa; a++) {
            double scaled = inverse[i] * A[a], *c = &sum[a * CONTACT_CHUNK];
            if (scaled == 0)
                continue;
            for (int b = 0; b < wb; b++)
                c[b] += scaled * B[b];
        }
    for (int a = 0; a < wa; a++)
        memcpy(&out[(size_t)a * stride], &sum[a * CONTACT_CHUNK], (size_t)wb * sizeof *out);
}

// S = P' A^-1 P: bodies do not meet in it.
static void find_compliance(const lithe_model *m, lithe_state *s, int k)
{
    step_contact *t = &s->contact;
    size_t n = (size_t)t->couple.n;
    int count = t->body_adr[k + 1] - t->body_adr[k], lines = m->body[k].nline;
    for (int a = 0; a < count; a += CONTACT_CHUNK)
        for (int b = 0; b <= a; b += CONTACT_CHUNK)
            multiply(lines, m->body[k].space->inverse_pivots(&s->tangent[k]), chunk_width(t, k, a),
                     chunk_of(m, t, k, a), chunk_width(t, k, b), chunk_of(m, t, k, b), n,
                     &t->couple.S[(size_t)(t->body_adr[k] + a) * n + (size_t)(t->body_adr[k] + b)]);
}

static void add_points(const lithe_model *m, step_contact *t, const contact_row *c, const double *H,
                       int a, int b, double *K)
{
    const surface_entry *line, *column;
    int nline = proximity_point(&m->contact.world, &c->pair, a, &line);
    int ncolumn = proximity_point(&m->contact.world, &c->pair, b, &column);
    int size = 3 * c->pair.npoint;
    size_t n = (size_t)t->couple.n;
    for (int i = 0; i < nline; i++)
        for (int j = 0; j < ncolumn; j++)
            for (int l = 0; l < 9; l++) {
                int first = t->coordinate[3 * line[i].node + l / 3];
                int second = t->coordinate[3 * column[j].node + l % 3];
                if (first >= 0 && second >= 0)
                    K[(size_t)first * n + (size_t)second] +=
                        t->unit * line[i].weight * column[j].weight *
                        H[(3 * a + l / 3) * size + 3 * b + l % 3];
            }
}

static void find_stiffness(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    const contact_rows *rows = s->now.contact;
    size_t square = (size_t)t->couple.n * (size_t)t->couple.n;
    memset(t->couple.K, 0, square * sizeof *t->couple.K);
    memset(t->couple.slant, 0, square * sizeof *t->couple.slant);
    t->couple.symmetric = true;
    for (int r = 0; r < rows->n; r++) {
        const contact_row *c = &rows->row[r];
        int n = 3 * c->pair.npoint;
        double H[144];
        for (int i = 0; i < c->pair.npoint * c->pair.npoint && c->coupled; i++)
            add_points(m, t, c, &t->H[144 * (size_t)r], i / c->pair.npoint, i % c->pair.npoint,
                       t->couple.K);
        if (!slides(s, c))
            continue;
        for (int i = 0; i < n * n; i++) {
            int a = i / n, b = i % n;
            H[i] = c->at.share[a / 3] * c->slide[a % 3] * c->at.share[b / 3] * c->at.normal[b % 3];
        }
        t->couple.symmetric = false;
        for (int i = 0; i < c->pair.npoint * c->pair.npoint; i++)
            add_points(m, t, c, H, i / c->pair.npoint, i % c->pair.npoint, t->couple.slant);
    }
}

// Nodes that frames or modes carry do not move independently, and S would be singular: they get a
// little compliance of their own.
static void loosen(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    size_t n = (size_t)t->couple.n;
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, t->couple.S[i * n + i]);
    for (int k = 0; k < m->nbody; k++)
        for (int i = t->body_adr[k]; i < t->body_adr[k + 1] && m->body[k].space != &space_nodal;
             i++)
            t->couple.S[(size_t)i * n + (size_t)i] += 1e-9 * most;
}

lithe_status contact_couple(const lithe_model *m, lithe_state *s, int *negative)
{
    step_contact *t = &s->contact;
    *negative = t->couple.n = 0;
    if (!m->contact.on)
        return LITHE_OK;
    mark_coordinates(m, s);
    int n = number_coordinates(m, s);
    if (n == 0)
        return LITHE_OK;
    if (!reserve(m, t, n))
        return report_no_memory(&s->report, "contacts");
    t->couple.n = n;
    memset(t->couple.S, 0, (size_t)n * (size_t)n * sizeof *t->couple.S);
    for (int k = 0; k < m->nbody; k++) {
        find_columns(m, s, k);
        find_compliance(m, s, k);
    }
    loosen(m, s);
    find_stiffness(m, s);
    if (!coupling_factor(&t->couple))
        return LITHE_NOT_CONVERGED;
    *negative = t->couple.negative;
    return LITHE_OK;
}

// u = P' A^-1 r = Y_P' D^-1 y of all bodies; y: one column of each body's, of a stride.
static void project(const lithe_model *m, const lithe_state *s, double *const *y, size_t stride,
                    int column, double *u)
{
    const step_contact *t = &s->contact;
    for (int k = 0; k < m->nbody; k++) {
        int count = t->body_adr[k + 1] - t->body_adr[k], lines = m->body[k].nline;
        const double *inverse = m->body[k].space->inverse_pivots(&s->tangent[k]);
        for (int first = 0; first < count; first += CONTACT_CHUNK) {
            int width = chunk_width(t, k, first);
            const double *Y = chunk_of(m, t, k, first);
            double *out = &u[t->body_adr[k] + first];
            memset(out, 0, (size_t)width * sizeof *out);
            for (int i = 0; i < lines; i++, Y += width) {
                double scaled = inverse[i] * y[k][(size_t)i * stride + (size_t)column];
                for (int c = 0; c < width; c++)
                    out[c] += scaled * Y[c];
            }
        }
    }
}

// What the rows measure after the free motion, with what couples.
void contact_rows_free_motion(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (t->couple.n == 0)
        return;
    int n = t->couple.n;
    project(m, s, s->rhs, 1, 0, t->u);
    coupling_apply(&t->couple, t->u);
    for (int r = 0; r < s->ncol; r++) {
        double *z = &t->Z[(size_t)r * (size_t)n], *force = &t->T[(size_t)r * (size_t)n];
        project(m, s, s->columns, (size_t)s->ncol, r, z);
        memcpy(force, z, (size_t)n * sizeof *z);
        coupling_apply(&t->couple, force);
        for (int i = 0; i < n; i++)
            s->delta_free[r] -= z[i] * t->u[i];
    }
}

void contact_condense(const lithe_model *m, lithe_state *s)
{
    const step_contact *t = &s->contact;
    int n = t->couple.n;
    for (int r = 0; r < s->ncol && n > 0; r++)
        for (int c = 0; c < m->nact; c++)
            for (int i = 0; i < n; i++)
                s->W[r * m->nact + c] -= t->Z[(size_t)r * (size_t)n + (size_t)i] *
                                         t->T[(size_t)c * (size_t)n + (size_t)i];
}

// y -= Y_P t
void contact_correct(const lithe_model *m, lithe_state *s)
{
    step_contact *t = &s->contact;
    if (t->couple.n == 0)
        return;
    project(m, s, s->rhs, 1, 0, t->u);
    coupling_apply(&t->couple, t->u);
    for (int k = 0; k < m->nbody; k++) {
        int count = t->body_adr[k + 1] - t->body_adr[k], lines = m->body[k].nline;
        for (int first = 0; first < count; first += CONTACT_CHUNK) {
            int width = chunk_width(t, k, first);
            const double *Y = chunk_of(m, t, k, first), *force = &t->u[t->body_adr[k] + first];
            for (int i = 0; i < lines; i++, Y += width)
                for (int c = 0; c < width; c++)
                    s->rhs[k][i] -= Y[c] * force[c];
        }
    }
}
