// A reduced body that moves by modes. Behind its points stand its coordinates, three to a node,
// whose lines of Phi are those of a unit matrix: there masses act, and volumes, which are
// polynomials of them.
#include "base/status.h"
#include "body/modal.h"
#include "reduce/applying.h"
#include "reduce/basis.h"
#include "reduce/supervise.h"
#include "row/polynomial.h"

#include <math.h>
#include <string.h>

// out = Phi' f
static void project(const applying *a, const double *f, double *out)
{
    int n = a->r->nmode;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < 3 * a->from->nnode; i++)
        for (int k = 0; k < n && f[i] != 0; k++)
            out[k] += a->Phi[(size_t)i * (size_t)n + (size_t)k] * f[i];
}

// Lines of Phi for the points, and 1 where a coordinate is itself.
static double *lines_of_modes(applying *a, int nnode)
{
    size_t n = (size_t)a->r->nmode;
    double *Phi = arena_new(&a->scratch, 3 * (size_t)nnode * n, double);
    for (int p = 0; Phi && p < a->point.n; p++)
        for (int t = a->point.adr[p]; t < a->point.adr[p + 1]; t++)
            for (size_t i = 0; i < 3 * n; i++)
                Phi[3 * (size_t)p * n + i] +=
                    a->point.weight[t] * a->Phi[3 * (size_t)a->point.node[t] * n + i];
    for (size_t k = 0; Phi && k < n; k++)
        Phi[(3 * (size_t)a->first + k) * n + k] = 1;
    return Phi;
}

lithe_status apply_modes(applying *a)
{
    size_t numbers = 3 * (size_t)a->from->nnode * (size_t)a->r->nmode;
    a->Phi = arena_new(&a->scratch, numbers, double);
    if (!a->Phi)
        return apply_no_memory(a);
    memcpy(a->Phi, a->r->mode, numbers * sizeof *a->Phi);
    LITHE_TRY(basis_orthonormalize(a->from, a->r->nmode, a->Phi, &a->scratch, &a->mass, a->report));
    LITHE_TRY(apply_rows(a));
    a->first = a->point.n;
    LITHE_TRY(apply_begin(a, (a->r->nmode + 2) / 3, NULL));
    const double *Phi = lines_of_modes(a, a->b->nnode);
    if (!Phi || body_set_modes(a->b, a->r->nmode, Phi, &a->m->memory) != LITHE_OK)
        return apply_no_memory(a);
    return LITHE_OK;
}

static row_polynomial *new_polynomial(applying *a)
{
    size_t n = (size_t)a->r->nmode;
    arena *memory = &a->m->memory;
    row_polynomial *p = arena_new(memory, 1, row_polynomial);
    if (!p)
        return NULL;
    *p = (row_polynomial){.n = a->r->nmode, .first = a->first};
    p->linear = arena_new(memory, n, double);
    p->quadratic = arena_new(memory, n * n, double);
    p->cubic = arena_new(memory, n * (n + 1) / 2 * n, double);
    return p->linear && p->quadratic && p->cubic ? p : NULL;
}

// The second derivative of a volume is linear in the nodes, so that differences of it are exact:
// out_i = Phi_i' (V''(X + step Phi_k) - V''(X)) Phi_j; k < 0: out_i = Phi_i' V''(X) Phi_j
typedef struct volume_work {
    double *x, *rate, *column[2]; // (nnode x 3)
} volume_work;

static void column_of(const applying *a, int k, double *out)
{
    for (int i = 0; i < 3 * a->from->nnode; i++)
        out[i] = k < 0 ? 0 : a->Phi[(size_t)i * (size_t)a->r->nmode + (size_t)k];
}

static void volume_rate(const applying *a, const face_set *face, int k, double step,
                        const volume_work *w, double *out)
{
    size_t bytes = 3 * (size_t)a->from->nnode * sizeof *w->rate;
    memset(w->rate, 0, bytes);
    if (k >= 0) {
        for (int i = 0; i < 3 * a->from->nnode; i++)
            w->x[i] = a->from->X[i] + step * w->column[1][i];
        face_rate(face, w->x, w->column[0], 1 / step, w->rate);
        face_rate(face, a->from->X, w->column[0], -1 / step, w->rate);
    } else
        face_rate(face, a->from->X, w->column[0], 1, w->rate);
    project(a, w->rate, out);
}

static lithe_status fill_volume(applying *a, const row *r, row_polynomial *p)
{
    size_t lines = 3 * (size_t)a->from->nnode, n = (size_t)p->n;
    volume_work w = {
        arena_new(&a->scratch, lines, double),
        arena_new(&a->scratch, lines, double),
        {arena_new(&a->scratch, lines, double), arena_new(&a->scratch, lines, double)}};
    if (!w.x || !w.rate || !w.column[0] || !w.column[1])
        return apply_no_memory(a);
    double step = a->whole->size; // what nodes move by along a mode is of the order of 1
    for (int j = 0; j < p->n; j++) {
        column_of(a, j, w.column[0]);
        volume_rate(a, &r->shell.face, -1, 1, &w, &p->quadratic[(size_t)j * n]);
        for (int i = j; i < p->n; i++) {
            column_of(a, i, w.column[1]);
            volume_rate(a, &r->shell.face, i, step, &w,
                        &p->cubic[(size_t)(i * (i + 1) / 2 + j) * n]);
        }
    }
    return LITHE_OK;
}

lithe_status apply_modes_volume(applying *a, const row *of, row *r)
{
    double *H = arena_new(&a->scratch, 3 * (size_t)of->nnode, double);
    double *f = arena_new(&a->scratch, 3 * (size_t)a->from->nnode, double);
    row_polynomial *p = r->polynomial = new_polynomial(a);
    if (!H || !f || !p)
        return apply_no_memory(a);
    p->constant = row_value(of, a->whole->X);
    row_gradient(of, a->whole->X, H);
    for (int i = 0; i < of->nnode; i++)
        memcpy(&f[3 * of->node[i]], &H[3 * i], 3 * sizeof *f);
    project(a, f, p->linear);
    return fill_volume(a, of, p);
}

// Lines as the kernels take them.
static double *padded_lines(applying *a, const double *line)
{
    size_t n = (size_t)a->r->nmode, width = (size_t)modal_width(a->r->nmode),
           lines = 3 * (size_t)a->from->nnode;
    double *out = arena_alloc(&a->m->memory, lines * width / LANES, sizeof(lanes));
    for (size_t i = 0; out && i < lines; i++)
        memcpy(&out[i * width], &line[i * n], n * sizeof *out);
    return out;
}

static lithe_status link_whole(applying *a)
{
    model_reduction *link = a->m->reduction;
    size_t numbers = 3 * (size_t)a->from->nnode * (size_t)a->r->nmode;
    double *back = arena_new(&a->scratch, numbers, double);
    if (!back)
        return apply_no_memory(a);
    basis_dual(a->from, a->r->nmode, a->Phi, a->mass, back);
    *link = (model_reduction){.nelement = a->r->nelement,
                              .first = a->first,
                              .width = modal_width(a->r->nmode),
                              .Phi = padded_lines(a, a->Phi),
                              .back = padded_lines(a, back),
                              .info = a->r->info,
                              .step = reduction_step};
    return link->Phi && link->back ? LITHE_OK : apply_no_memory(a);
}

// What roundoff leaves in the force on a coordinate grows with what a mode moves.
static double noise_of(const applying *a)
{
    double largest = 0;
    for (int k = 0; k < a->r->nmode; k++) {
        double sum = 0;
        for (int i = 0; i < 3 * a->from->nnode; i++) {
            double entry = a->Phi[(size_t)i * (size_t)a->r->nmode + (size_t)k];
            sum += entry * entry;
        }
        largest = fmax(largest, sum);
    }
    return a->whole->noise * sqrt(largest);
}

static lithe_status project_start(applying *a)
{
    lithe_model *m = a->m;
    double *q = arena_new(&a->scratch, a->r->nmode, double);
    m->velocity = arena_new(&m->memory, 3 * (size_t)m->nnode, double);
    if (!q || !m->velocity)
        return apply_no_memory(a);
    basis_nearest(a->from, a->r->nmode, a->Phi, a->mass, a->whole->velocity, &a->scratch, q);
    a->b->space->push(a->b, NULL, q, m->velocity);
    m->mass = a->mass * sqrt(3.0 * (a->b->nnode - a->first));
    return LITHE_OK;
}

lithe_status apply_modes_fill(applying *a)
{
    double has_mass = 0;
    for (int i = 0; i < a->from->nnode; i++)
        has_mass += a->from->mass[i];
    for (int i = a->first; i < a->b->nnode && has_mass > 0; i++)
        a->b->mass[i] = a->mass;
    if (a->whole->velocity)
        LITHE_TRY(project_start(a));
    a->m->noise = noise_of(a);
    return link_whole(a);
}
