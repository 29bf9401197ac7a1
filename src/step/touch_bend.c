// The second derivative of gaps between skins. A face turns under the vertex that stands on it, and
// that couples nodes of two bodies, or far ones of one, for which A has no place. With the force of
// the contact it is of low rank,
//
//     -force d2(gap) = force / 2 sum (p p' - m m'),   p, m = slide s +- turn / s
//
// so A^-1 becomes (A + U M U')^-1 by the formula of Sherman, Morrison and Woodbury in W:
//
//     W' = W - W_.U S^-1 W_U.,   S = M^-1 + U' A^-1 U
//
// docs/theory/contact-step.md.
#include "base/vec.h"
#include "step/step.h"

#include <string.h>

enum { MOST_BENDS = 64, COLUMNS = 4 }; // contacts that bend, columns of each

struct touch_bend {
    int max, n;              // columns: those of p, then those of m
    int *node;               // (max x 4), -1: none
    double *U;               // (max x 12)
    double *inverse;         // of M (max)
    double **columns;        // L^-1 U, body by body (3 block rows x n)
    double *free;            // U' dx if forces stay (max)
    double *S;               // (max x max) its factors L, D
    double *W_c, *W_r;       // with contacts (max x nrow), with rows (max x ncol)
    double *Z_c, *Z_r, *Z_u; // S^-1 (W_c, W_r, free)
    double *push;            // (max)
};

int bend_most(const lithe_model *m)
{
    bool skins = false;
    for (int k = 0; k < m->touch.world.npair && m->touch.max > 0; k++)
        skins = skins || m->touch.world.pair[k].second >= 0;
    if (!skins || m->step.mode != LITHE_CONVERGED)
        return 0;
    return COLUMNS * (m->touch.max < MOST_BENDS ? m->touch.max : MOST_BENDS);
}

bool bend_create(const lithe_model *m, arena *a, step_touch *t)
{
    int most = bend_most(m);
    if (most == 0)
        return true;
    touch_bend *b = t->bend = arena_new(a, 1, touch_bend);
    if (!b)
        return false;
    size_t n = (size_t)most, c = (size_t)touch_most(m), r = (size_t)m->nrow;
    struct {
        double **array;
        size_t count;
    } needed[] = {{&b->U, 12 * n},  {&b->inverse, n}, {&b->free, n},    {&b->S, n * n},
                  {&b->W_c, n * c}, {&b->W_r, n * r}, {&b->Z_c, n * c}, {&b->Z_r, n * r},
                  {&b->Z_u, n},     {&b->push, n}};
    bool ok = true;
    for (size_t k = 0; k < sizeof needed / sizeof *needed; k++)
        ok = ok && (*needed[k].array = arena_new(a, needed[k].count, double)) != NULL;
    b->max = most;
    b->node = arena_new(a, 4 * n, int);
    b->columns = arena_new(a, m->nbody, double *);
    ok = ok && b->node && b->columns;
    for (int k = 0; k < m->nbody && ok; k++)
        ok = (b->columns[k] = arena_new(a, (size_t)m->body[k].nline * n, double)) != NULL;
    return ok;
}

static double length_of(double v[4][3])
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += vec_dot(v[i], v[i]);
    return sqrt(sum);
}

// One term slide * turn as p and m.
static void add_pair(touch_bend *b, int half, int at, const contact *k, const contact_entry *e,
                     double slide[4][3], double turn[4][3], double force)
{
    double scale = sqrt(length_of(turn) / length_of(slide));
    for (int side = 0; side < 2; side++) {
        int column = at + side * half;
        double sign = side ? -1 : 1;
        b->inverse[column] = sign * 2 / force;
        for (int i = 0; i < 4; i++) {
            b->node[4 * column + i] = i < k->n ? e[i].node : -1;
            for (int axis = 0; axis < 3; axis++)
                b->U[12 * column + 3 * i + axis] =
                    scale * slide[i][axis] + sign * turn[i][axis] / scale;
        }
    }
}

static void gather(const lithe_model *m, const lithe_state *s)
{
    const step_touch *t = &s->touch;
    touch_bend *b = t->bend;
    contact_place at = {s->now.x, t->shape, t->skin};
    contact_bend bend[MOST_BENDS];
    int from[MOST_BENDS], count = 0;
    for (int c = 0; c < t->list.n && COLUMNS * count < b->max; c++)
        if (s->now.press[c] > 0 &&
            contact_bends(&m->touch.world, &t->list.contact[c], &at, &bend[count]) &&
            length_of(bend[count].turn[0]) > 0 && length_of(bend[count].turn[1]) > 0)
            from[count++] = c;
    b->n = COLUMNS * count;
    for (int i = 0; i < 2 * count; i++) {
        const contact *k = &t->list.contact[from[i / 2]];
        add_pair(b, 2 * count, i, k, &t->list.entry[k->adr], bend[i / 2].slide[i % 2],
                 bend[i / 2].turn[i % 2], s->now.press[from[i / 2]]);
    }
}

static double motion(const touch_bend *b, int column, const double *displacement)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        if (b->node[4 * column + i] >= 0)
            sum += vec_dot(&b->U[12 * column + 3 * i],
                           &displacement[3 * (size_t)b->node[4 * column + i]]);
    return sum;
}

static void scatter(const lithe_model *m, const lithe_state *s, const touch_bend *b, int k)
{
    const body *at = &m->body[k];
    size_t n = (size_t)b->n;
    memset(b->columns[k], 0, (size_t)at->nline * n * sizeof *b->columns[k]);
    for (int i = 0; i < 4 * b->n; i++) {
        int node = b->node[i] - at->node_adr;
        if (b->node[i] >= 0 && node >= 0 && node < at->nnode)
            at->space->scatter(at, body_jacobian(at, s->now.J), node, &b->U[3 * i], b->n,
                               &b->columns[k][i / 4]);
    }
}

void bend_rows(const lithe_model *m, lithe_state *s)
{
    touch_bend *b = s->touch.bend;
    if (!b)
        return;
    b->n = 0;
    if (!s->positive && !s->straight)
        gather(m, s);
    for (int i = 0; i < b->n; i++)
        b->free[i] = s->slipping ? motion(b, i, s->slip) : 0;
    for (int k = 0; k < m->nbody && b->n > 0; k++) {
        const body *at = &m->body[k];
        scatter(m, s, b, k);
        at->space->forward(at, &s->tangent[k], b->n, 0, NULL, b->columns[k]);
        const double *inverse = at->space->inverse_pivots(&s->tangent[k]);
        for (int i = 0; i < at->nline; i++)
            for (int c = 0; c < b->n; c++)
                b->free[c] +=
                    b->columns[k][(size_t)i * (size_t)b->n + (size_t)c] * inverse[i] * s->rhs[k][i];
    }
}

static void condense_body(const lithe_model *m, const lithe_state *s, int k)
{
    const step_touch *t = &s->touch;
    touch_bend *b = t->bend;
    const double *inverse = m->body[k].space->inverse_pivots(&s->tangent[k]);
    int lines = m->body[k].nline;
    touch_columns U = {b->n, b->columns[k]}, C = {t->nrow, t->columns[k]},
                  R = {s->ncol, s->columns[k]};
    touch_products(&U, &U, lines, inverse, b->S);
    touch_products(&U, &C, lines, inverse, b->W_c);
    touch_products(&U, &R, lines, inverse, b->W_r);
}

// S = L D L', its lower half, unpivoted: where A + U M U' is positive, D is positive in the columns
// of p and negative in those of m. more: how many negative modes it has more than A. False: a pivot
// vanishes.
static bool factor(touch_bend *b, int *more)
{
    int n = b->n, positive = 0;
    for (int i = 0; i < n; i++) {
        double *at = &b->S[i * n];
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                at[j] -= at[k] * b->S[j * n + k];
        }
        for (int j = 0; j < i; j++) { // at[j] = L_ij D_j
            double scaled = at[j] / b->S[j * n + j];
            at[i] -= scaled * at[j];
            at[j] = scaled;
        }
        if (at[i] == 0)
            return false;
        positive += at[i] > 0;
    }
    *more = positive - n / 2;
    return true;
}

// May the step go on with so many more negative modes? If commands and contacts can hold them; the
// saddle's solver finds out.
static bool is_held(const lithe_model *m, lithe_state *s, int more)
{
    if (more == 0)
        return true;
    s->negative += more;
    s->held = step_taut_rows(m, s) + touch_pressing(s);
    s->saddle = s->negative > 0;
    return (!s->task.inverse || inverse_may_hold(m, s)) && s->negative <= s->held;
}

// X <- S^-1 X (n x width)
static void solve(const touch_bend *b, int width, double *X)
{
    int n = b->n;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            for (int c = 0; c < width; c++)
                X[i * width + c] -= b->S[i * n + k] * X[k * width + c];
    for (int i = 0; i < n; i++)
        for (int c = 0; c < width; c++)
            X[i * width + c] /= b->S[i * n + i];
    for (int i = n - 1; i >= 0; i--)
        for (int k = i + 1; k < n; k++)
            for (int c = 0; c < width; c++)
                X[i * width + c] -= b->S[k * n + i] * X[k * width + c];
}

// Held nodes that a slider moves turn faces with them.
static void carry(const lithe_model *m, lithe_state *s)
{
    touch_bend *b = s->touch.bend;
    for (int r = 0; r < m->nact; r++) {
        const double *way = step_carried(m, s, r);
        for (int c = 0; c < b->n && way; c++)
            b->Z_r[c * s->ncol + r] += motion(b, c, way);
    }
}

// W and what is free, less what bending takes.
static void correct(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    const touch_bend *b = t->bend;
    int n = m->nact, nc = t->nrow, nr = s->ncol;
    for (int u = 0; u < b->n; u++) {
        for (int c = 0; c < nc; c++) {
            double w = b->W_c[u * nc + c];
            t->gap_free[c] -= w * b->Z_u[u];
            for (int d = 0; d < nc; d++)
                t->W_cc[c * nc + d] -= w * b->Z_c[u * nc + d];
            for (int r = 0; r < nr; r++)
                t->W_cr[c * nr + r] -= w * b->Z_r[u * nr + r];
        }
        for (int r = 0; r < nr; r++) {
            double w = b->W_r[u * nr + r];
            if (r < n && row_is_parameter(&m->row[r]))
                continue;
            s->delta_free[r] -= w * b->Z_u[u];
            for (int c = 0; c < n; c++)
                s->W[r * n + c] -= w * b->Z_r[u * nr + c];
        }
    }
}

void bend_condense(const lithe_model *m, lithe_state *s)
{
    step_touch *t = &s->touch;
    touch_bend *b = t->bend;
    if (!b || b->n == 0)
        return;
    size_t n = (size_t)b->n, nc = (size_t)t->nrow, nr = (size_t)s->ncol;
    memset(b->S, 0, n * n * sizeof *b->S);
    memset(b->W_c, 0, n * nc * sizeof *b->W_c);
    memset(b->W_r, 0, n * nr * sizeof *b->W_r);
    for (int k = 0; k < m->nbody; k++)
        condense_body(m, s, k);
    for (size_t i = 0; i < n; i++)
        b->S[i * n + i] += b->inverse[i];
    memcpy(b->Z_c, b->W_c, n * nc * sizeof *b->Z_c);
    memcpy(b->Z_r, b->W_r, n * nr * sizeof *b->Z_r);
    memcpy(b->Z_u, b->free, n * sizeof *b->Z_u);
    int more = 0;
    if (!factor(b, &more) || !is_held(m, s, more)) {
        s->indefinite = true;
        return;
    }
    carry(m, s);
    solve(b, t->nrow, b->Z_c);
    solve(b, s->ncol, b->Z_r);
    solve(b, 1, b->Z_u);
    correct(m, s);
}

bool bend_used(const lithe_state *s)
{
    return s->touch.bend && s->touch.bend->n > 0;
}

// rhs += Y_U push with the push of this pass.
void bend_correct(const lithe_model *m, lithe_state *s, int k)
{
    const step_touch *t = &s->touch;
    touch_bend *b = t->bend;
    if (!b || b->n == 0 || t->list.n == 0)
        return;
    for (int u = 0; u < b->n && k == 0; u++) {
        b->push[u] = -b->Z_u[u];
        for (int c = 0; c < t->nrow; c++)
            b->push[u] -= b->Z_c[u * t->nrow + c] * (t->target[c] - s->now.press[c]);
        for (int r = 0; r < m->nact; r++)
            b->push[u] -= b->Z_r[u * s->ncol + r] * (s->target[r] - s->now.effort[r]);
    }
    for (int i = 0; i < m->body[k].nline; i++)
        for (int u = 0; u < b->n; u++)
            s->rhs[k][i] += b->columns[k][(size_t)i * (size_t)b->n + (size_t)u] * b->push[u];
}
