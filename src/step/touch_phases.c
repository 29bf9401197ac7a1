// The contacts' part of each phase of a pass.
#include "solve/box.h"
#include "step/step.h"

#include <string.h>

static void scatter(const lithe_model *m, lithe_state *s, int k)
{
    const body *b = &m->body[k];
    const step_touch *t = &s->touch;
    size_t n = (size_t)t->nrow;
    double *columns = t->columns[k], H[3];
    memset(columns, 0, (size_t)b->nline * n * sizeof *columns);
    for (int r = 0; r < t->nrow; r++)
        for (int i = 0; i < touch_contact(t, r)->n; i++) {
            int node = touch_gradient(t, r, i, H)->node - b->node_adr;
            if (node >= 0 && node < b->nnode)
                b->space->scatter(b, body_jacobian(b, s->now.J), node, H, t->nrow, &columns[r]);
        }
}

// Adds -force times the bending of the gap over the nodes of one contact, all of one body, to the
// blocks that exist.
static void add_curvature(const lithe_model *m, lithe_state *s, int c, const double *bend)
{
    const contact *at = &s->touch.list.contact[c];
    const contact_entry *e = &s->touch.list.entry[at->adr];
    int k = 0;
    while (e[0].node >= m->body[k].node_adr + m->body[k].nnode)
        k++;
    const body *b = &m->body[k];
    for (int i = 0; i < at->n; i++)
        for (int j = 0; j < at->n; j++) {
            int line = b->block[e[i].node - b->node_adr],
                column = b->block[e[j].node - b->node_adr];
            int block = line < column || column < 0 ? -1 : sparse_find(&b->pattern, line, column);
            for (int l = 0; block >= 0 && l < 9; l++)
                s->blocks[k][9 * (size_t)block + (size_t)l] -=
                    s->now.press[c] * bend[3 * at->n * (3 * i + l / 3) + 3 * j + l % 3];
        }
}

enum { MOST = 3 }; // nodes of a contact that bends

// The second derivative of the gap; of a point that is kept, by the shape's curvature alone.
static bool find_bend(const lithe_state *s, int c, double *bend)
{
    const contact *k = &s->touch.list.contact[c];
    const contact_entry *e = &s->touch.list.entry[k->adr];
    if (!s->touch.kept[c])
        return contact_curvature(&s->touch.list, c, s->now.x, bend);
    for (int i = 0; i < 9 * k->n * k->n && k->curved; i++) {
        int line = i / (3 * k->n), column = i % (3 * k->n);
        bend[i] =
            e[line / 3].weight * e[column / 3].weight * k->curvature[3 * (line % 3) + column % 3];
    }
    return k->curved;
}

typedef struct volume_adding {
    const lithe_model *m;
    lithe_state *s;
    double force;
} volume_adding;

// Both nodes are of one triangle.
static void add_block(void *user, int line, int column, const double block[9])
{
    const volume_adding *adding = user;
    int k = 0;
    while (line >= adding->m->body[k].node_adr + adding->m->body[k].nnode)
        k++;
    const body *b = &adding->m->body[k];
    int i = b->block[line - b->node_adr], j = b->block[column - b->node_adr];
    int at = i < j || j < 0 ? -1 : sparse_find(&b->pattern, i, j);
    for (int l = 0; at >= 0 && l < 9; l++)
        adding->s->blocks[k][9 * (size_t)at + (size_t)l] += adding->force * block[l];
}

// A -= force * d2(gap)/dx2 where a body lies on something round. Convex obstacles make A less
// definite, so the clamped A does without.
void touch_stiffness(const lithe_model *m, lithe_state *s)
{
    double bend[9 * MOST * MOST] = {0};
    contact_place at = {s->now.x, s->touch.shape, s->touch.skin};
    for (int c = 0; c < s->touch.list.n; c++) {
        const contact *k = &s->touch.list.contact[c];
        volume_adding adding = {m, s, s->now.press[c]};
        if (s->now.press[c] > 0 && k->form == CONTACT_VOLUME)
            contact_volume_bend(&m->touch.world, k, &at, s->positive, add_block, &adding);
        else if (s->now.press[c] > 0 && !s->positive && find_bend(s, c, bend))
            add_curvature(m, s, c, bend);
    }
}

void touch_rows(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    size_t n = (size_t)t->nrow;
    for (int c = 0; c < t->list.n; c++)
        t->gap_free[c] = t->list.contact[c].gap;
    slip_free(m, s);
    for (int r = 0; r < t->nrow && s->slipping; r++)
        t->gap_free[r] += touch_motion(s, r, s->slip);
    for (int k = 0; k < m->nbody && n > 0; k++) {
        scatter(m, s, k);
        const body *b = &m->body[k];
        b->space->forward(b, &s->tangent[k], t->nrow, 0, NULL, t->columns[k]);
        const double *inverse = b->space->inverse_pivots(&s->tangent[k]);
        for (int i = 0; i < b->nline; i++) {
            double y = inverse[i] * s->rhs[k][i];
            for (size_t c = 0; c < n; c++)
                t->gap_free[c] += t->columns[k][(size_t)i * n + c] * y;
        }
    }
    bend_rows(m, s);
}

// Held nodes that a slider moves carry contacts with them.
static void condense_sliders(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    for (int r = 0; r < m->nact; r++) {
        const double *way = step_carried(m, s, r);
        for (int c = 0; c < t->list.n && way; c++)
            t->W_cr[c * s->ncol + r] += touch_motion(s, c, way);
    }
}

void touch_products(const touch_columns *a, const touch_columns *b, int lines,
                    const double *inverse, double *out)
{
    for (int i = 0; i < lines; i++) {
        const double *A = &a->of[(size_t)i * (size_t)a->n], *B = &b->of[(size_t)i * (size_t)b->n];
        for (int c = 0; c < a->n; c++) {
            double scaled = inverse[i] * A[c];
            int last = a->of == b->of ? c + 1 : b->n;
            for (int d = 0; d < last && scaled != 0; d++)
                out[c * b->n + d] += scaled * B[d];
        }
    }
}

// W_cc and W_cr = Y_c' D^-1 Y, summed over bodies.
void touch_condense(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int n = t->nrow, rows = s->ncol;
    memset(t->W_cc, 0, (size_t)n * (size_t)n * sizeof *t->W_cc);
    memset(t->W_cr, 0, (size_t)n * (size_t)rows * sizeof *t->W_cr);
    for (int k = 0; k < m->nbody; k++) {
        const double *inverse = m->body[k].space->inverse_pivots(&s->tangent[k]);
        touch_columns Y = {n, t->columns[k]}, R = {rows, s->columns[k]};
        touch_products(&Y, &Y, m->body[k].nline, inverse, t->W_cc);
        touch_products(&Y, &R, m->body[k].nline, inverse, t->W_cr);
    }
    for (int c = 0; c < n; c++)
        for (int d = 0; d < c; d++)
            t->W_cc[d * n + c] = t->W_cc[c * n + d];
    condense_sliders(m, s);
    bend_condense(m, s);
}

// Actuators as solve_forward has them, and contacts beside them: one mixed complementarity problem
// [coevoet2019, eq. 4.8].
void touch_gather(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    int n = m->nact, nc = t->nrow, all = n + nc;
    for (int r = 0; r < n; r++) {
        memcpy(&t->W[r * all], &s->W[r * n], (size_t)n * sizeof *t->W);
        for (int c = 0; c < nc; c++)
            t->W[r * all + n + c] = t->W[(n + c) * all + r] = t->W_cr[c * s->ncol + r];
    }
    for (int c = 0; c < nc; c++)
        memcpy(&t->W[(n + c) * all + n], &t->W_cc[c * nc], (size_t)nc * sizeof *t->W);
}

static void gather_bounds(const lithe_model *m, lithe_state *s, const double *q, const double *lo,
                          const double *hi)
{
    step_touch *t = &s->touch;
    int n = m->nact, nc = t->nrow;
    for (int r = 0; r < n; r++) {
        t->q[r] = q[r];
        t->lo[r] = lo[r];
        t->hi[r] = hi[r];
        t->lambda[r] = s->target[r];
        for (int c = 0; c < nc; c++)
            t->q[r] -= t->W_cr[c * s->ncol + r] * s->now.press[c];
    }
    for (int c = 0; c < nc; c++) {
        t->q[n + c] = t->gap_free[c];
        for (int d = 0; d < nc; d++)
            t->q[n + c] -= t->W_cc[c * nc + d] * s->now.press[d];
        for (int r = 0; r < n; r++)
            t->q[n + c] -= t->W_cr[c * s->ncol + r] * s->now.effort[r];
        t->lo[n + c] = 0;
        t->hi[n + c] = INFINITY; // of gaps
        t->lambda[n + c] = s->now.press[c];
    }
}

static lithe_status fail_solve(const lithe_model *m, lithe_state *s, box_residual found)
{
    int nc = s->touch.list.n;
    if (found.endless)
        return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                          "%d contacts and the commanded displacements leave no room: something is "
                          "squeezed between what cannot give way",
                          nc);
    return LITHE_FAIL(&s->report, LITHE_NOT_CONVERGED,
                      "the forces of %d actuators and %d contacts could not be found (gap %.1e)",
                      m->nact, nc, found.gap);
}

lithe_status touch_solve(const lithe_model *m, lithe_state *s, const double *q, const double *lo,
                         const double *hi)
{
    step_touch *t = &s->touch;
    int n = m->nact, nc = t->nrow;
    touch_gather(m, s);
    gather_bounds(m, s, q, lo, hi);
    if (t->nslider > 0 && s->saddle) {
        s->indefinite = !brace_solve(m, s);
    } else if (t->nslider > 0) {
        LITHE_TRY(slip_solve(m, s));
    } else if (s->saddle) {
        s->indefinite = !saddle_solve(m, s);
    } else {
        box_residual found = box_solve(t->box, n + nc, t->W, t->q, t->lo, t->hi, t->lambda);
        if (!found.solved)
            return fail_solve(m, s, found);
    }
    memcpy(s->target, t->lambda, (size_t)n * sizeof *s->target);
    memcpy(t->target, t->lambda + n, (size_t)nc * sizeof *t->target);
    return LITHE_OK;
}

void touch_correct(const lithe_model *m, lithe_state *s, int k)
{
    const step_touch *t = &s->touch;
    size_t n = (size_t)t->nrow;
    for (int i = 0; i < m->body[k].nline; i++)
        for (size_t c = 0; c < n; c++)
            s->rhs[k][i] += t->columns[k][(size_t)i * n + c] * (t->target[c] - s->now.press[c]);
    bend_correct(m, s, k);
}

double touch_effect(const lithe_state *s, int r)
{
    const step_touch *t = &s->touch;
    double sum = 0;
    for (int c = 0; c < t->nrow; c++)
        sum += t->W_cr[c * s->ncol + r] * (t->target[c] - s->now.press[c]);
    return sum;
}
