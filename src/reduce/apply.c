// The reduced model of a whole one. It is a model like any other: its only body has the nodes of
// the elements that stand for all and of cables' points, moves by modes, and has its coordinates
// themselves as nodes behind these, three to a node. There loads, gravity, masses and rows that
// would need many nodes act, projected once.
#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"
#include "body/modal.h"
#include "reduce/basis.h"
#include "reduce/chosen.h"
#include "reduce/supervise.h"
#include "row/point.h"
#include "row/polynomial.h"

#include <math.h>
#include <string.h>

typedef struct applying {
    const lithe_reduction *r;
    lithe_model *whole, *m;
    const body *from;
    body *b;
    arena scratch;
    lithe_report *report;
    double *Phi;   // orthonormal in the measure of the mass (nnode x 3 x nmode)
    double mass;   // … times the whole mass, kg
    int *renumber; // of the whole's nodes, -1: it is not needed (nnode)
    int nactive;
} applying;

static lithe_status no_memory(const applying *a)
{
    return report_no_memory(a->report, "the reduced model");
}

// out = Phi' f
static void project(const applying *a, const double *f, double *out)
{
    int n = a->r->nmode;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int i = 0; i < 3 * a->from->nnode; i++)
        for (int k = 0; k < n && f[i] != 0; k++)
            out[k] += a->Phi[(size_t)i * (size_t)n + (size_t)k] * f[i];
}

// Nodes that are needed: of elements, of cables' points and of patches whose rotation is measured.
static bool needs_nodes(const row *r)
{
    return row_as_line(r) || r->kind == ROW_ROTATION;
}

static void number_node(applying *a, int node)
{
    if (a->renumber[node] < 0)
        a->renumber[node] = a->nactive++;
}

// Nodes of one element stand together, so that what is known of them lies together.
static void number_elements(applying *a)
{
    int k = 0;
    for (int i = 0; i < a->r->nelement; i++) {
        while (a->r->element[i] >= a->from->family[k].element_adr + a->from->family[k].n)
            k++;
        const element_family *f = &a->from->family[k];
        int e = a->r->element[i] - f->element_adr;
        for (int n = 0; n < f->kind->nnode; n++)
            number_node(a, f->node[f->kind->nnode * e + n]);
    }
}

static lithe_status number_nodes(applying *a)
{
    a->renumber = arena_new(&a->scratch, a->from->nnode, int);
    if (!a->renumber)
        return no_memory(a);
    for (int i = 0; i < a->from->nnode; i++)
        a->renumber[i] = -1;
    number_elements(a);
    for (int r = 0; r < a->whole->nrow; r++)
        for (int i = 0; needs_nodes(&a->whole->row[r]) && i < a->whole->row[r].nnode; i++)
            number_node(a, a->whole->row[r].node[i]);
    return LITHE_OK;
}

// Lines of Phi for the nodes that are needed, and 1 where a coordinate is itself.
static double *lines_of_modes(applying *a, int nnode)
{
    size_t n = (size_t)a->r->nmode;
    double *Phi = arena_new(&a->scratch, 3 * (size_t)nnode * n, double);
    for (int i = 0; Phi && i < 3 * a->from->nnode; i++)
        if (a->renumber[i / 3] >= 0)
            memcpy(&Phi[(size_t)(3 * a->renumber[i / 3] + i % 3) * n], &a->Phi[(size_t)i * n],
                   n * sizeof *Phi);
    for (size_t k = 0; Phi && k < n; k++)
        Phi[(3 * (size_t)a->nactive + k) * n + k] = 1;
    return Phi;
}

static lithe_status begin_body(applying *a)
{
    int nnode = a->nactive + (a->r->nmode + 2) / 3, nfamily = 0;
    element_family *family = arena_new(&a->scratch, a->from->nfamily, element_family);
    double *X = arena_new(&a->scratch, 3 * (size_t)nnode, double);
    double *hold = arena_new(&a->scratch, 3 * (size_t)nnode, double);
    unsigned char *held = arena_new(&a->scratch, nnode, unsigned char);
    const double *Phi = lines_of_modes(a, nnode);
    if (!family || !X || !hold || !held || !Phi)
        return no_memory(a);
    for (int i = 0; i < a->from->nnode; i++)
        if (a->renumber[i] >= 0)
            memcpy(&X[3 * a->renumber[i]], &a->from->X[3 * i], 3 * sizeof *X);
    if (chosen_families(a->r, a->from, a->renumber, &a->m->memory, &a->scratch, family, &nfamily) !=
        LITHE_OK)
        return no_memory(a);
    a->b->name = a->from->name;
    if (body_begin(a->b, nnode, X, held, hold, nfamily, family, &a->m->memory) != LITHE_OK ||
        body_set_modes(a->b, a->r->nmode, Phi, &a->m->memory) != LITHE_OK)
        return no_memory(a);
    return LITHE_OK;
}

// A force of fixed direction, on the coordinates.
static double *project_load(applying *a, const double *force)
{
    double *out = arena_new(&a->m->memory, 3 * (size_t)a->b->nnode, double);
    if (out)
        project(a, force, out + 3 * (size_t)a->nactive);
    return out;
}

// What a vector brings of which nodes have shares, axis by axis.
static double *project_shares(applying *a, const double *share)
{
    size_t lines = 3 * (size_t)a->b->nnode;
    double *weight = arena_new(&a->scratch, 3 * (size_t)a->from->nnode, double);
    double *along = arena_new(&a->m->memory, 3 * lines, double);
    for (size_t axis = 0; weight && along && axis < 3; axis++) {
        for (int i = 0; i < 3 * a->from->nnode; i++)
            weight[i] = (size_t)(i % 3) == axis ? share[i / 3] : 0;
        project(a, weight, along + axis * lines + 3 * (size_t)a->nactive);
    }
    return weight ? along : NULL;
}

static lithe_status project_loads(applying *a)
{
    body *b = a->b;
    b->dead = project_load(a, a->from->dead);
    b->fall = project_shares(a, a->from->weigh);
    b->nspell = a->from->nspell;
    b->spell = arena_new(&a->m->memory, b->nspell, body_spell);
    for (int k = 0; b->spell && k < b->nspell; k++) {
        b->spell[k] = a->from->spell[k];
        if (!(b->spell[k].along = project_shares(a, a->from->spell[k].weight)))
            return no_memory(a);
    }
    return b->dead && b->fall && b->spell ? LITHE_OK : no_memory(a);
}

static lithe_status fill_body(applying *a)
{
    body *b = a->b;
    const body *from = a->from;
    LITHE_TRY(project_loads(a));
    b->weight = arena_new(&a->m->memory, a->r->nelement, double);
    if (!b->weight)
        return no_memory(a);
    memcpy(b->weight, a->r->weight, (size_t)a->r->nelement * sizeof *b->weight);
    double has_mass = 0;
    for (int i = 0; i < from->nnode; i++)
        has_mass += from->mass[i];
    for (int i = a->nactive; i < b->nnode && has_mass > 0; i++)
        b->mass[i] = a->mass;
    b->volume = from->volume;
    memcpy(b->lower, from->lower, sizeof b->lower);
    memcpy(b->upper, from->upper, sizeof b->upper);
    memcpy(b->quality, from->quality, sizeof b->quality);
    b->ncavity = from->ncavity;
    b->cavity_volume = from->cavity_volume;
    return LITHE_OK;
}

static row_polynomial *new_polynomial(applying *a, bool cubic)
{
    size_t n = (size_t)a->r->nmode;
    arena *memory = &a->m->memory;
    row_polynomial *p = arena_new(memory, 1, row_polynomial);
    if (!p)
        return NULL;
    *p = (row_polynomial){.n = a->r->nmode, .first = a->nactive};
    p->linear = arena_new(memory, n, double);
    p->quadratic = cubic ? arena_new(memory, n * n, double) : NULL;
    p->cubic = cubic ? arena_new(memory, n * (n + 1) / 2 * n, double) : NULL;
    return p->linear && (!cubic || (p->quadratic && p->cubic)) ? p : NULL;
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
        return no_memory(a);
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

// What a row measures of many nodes, as a polynomial of the coordinates.
static lithe_status project_row(applying *a, const row *of, row *r)
{
    double *H = arena_new(&a->scratch, 3 * (size_t)of->nnode, double);
    double *f = arena_new(&a->scratch, 3 * (size_t)a->from->nnode, double);
    row_polynomial *p = r->polynomial = new_polynomial(a, row_as_cavity(of) != NULL);
    if (!H || !f || !p)
        return no_memory(a);
    p->constant = row_value(of, a->whole->X);
    row_gradient(of, a->whole->X, H);
    for (int i = 0; i < of->nnode; i++)
        memcpy(&f[3 * of->node[i]], &H[3 * i], 3 * sizeof *f);
    project(a, f, p->linear);
    return p->quadratic ? fill_volume(a, of, p) : LITHE_OK;
}

static lithe_status renumber_line(applying *a, row *r)
{
    row_point *point = arena_new(&a->m->memory, r->line.npoint, row_point);
    if (!point)
        return no_memory(a);
    for (int i = 0; i < r->line.npoint; i++) {
        point[i] = r->line.point[i];
        int n = point_nnode(&point[i]), *node = point[i].node;
        if (point[i].patch) {
            row_patch *patch = arena_new(&a->m->memory, 1, row_patch);
            node = arena_new(&a->m->memory, n, int);
            if (!patch || !node)
                return no_memory(a);
            *patch = (row_patch){n, node, point[i].patch->weight};
            point[i].patch = patch;
        }
        for (int k = 0; k < n; k++)
            node[k] = a->renumber[point_node(&r->line.point[i], k)];
    }
    r->line.point = point;
    return LITHE_OK;
}

static lithe_status renumber_cloud(applying *a, row *r)
{
    int *node = arena_new(&a->m->memory, r->cloud.n, int);
    if (!node)
        return no_memory(a);
    for (int i = 0; i < r->cloud.n; i++)
        node[i] = a->renumber[r->cloud.node[i]];
    r->cloud.node = node;
    return LITHE_OK;
}

static lithe_status choose_region(applying *a, row *r)
{
    bool well = chosen_region(a->r, a->from, &a->m->memory, &a->scratch, r) == LITHE_OK;
    return well ? LITHE_OK : no_memory(a);
}

static lithe_status make_row(applying *a, const row *of, row *r)
{
    *r = *of;
    double rest = r->rest;
    if (row_as_line(of))
        LITHE_TRY(renumber_line(a, r));
    else if (of->kind == ROW_ROTATION)
        LITHE_TRY(renumber_cloud(a, r));
    else if (of->kind == ROW_MODULUS)
        LITHE_TRY(choose_region(a, r));
    else
        LITHE_TRY(project_row(a, of, r));
    if (row_begin(r, false, a->m->X, &a->m->memory) != LITHE_OK)
        return no_memory(a);
    r->rest = rest;
    return LITHE_OK;
}

static lithe_status make_rows(applying *a)
{
    lithe_model *m = a->m;
    m->row = arena_new(&m->memory, m->nrow, row);
    m->row_adr = arena_new(&m->memory, m->nrow + 1, int);
    if (!m->row || !m->row_adr)
        return no_memory(a);
    for (int r = 0; r < m->nrow; r++) {
        LITHE_TRY(make_row(a, &a->whole->row[r], &m->row[r]));
        m->row_adr[r + 1] = m->row_adr[r] + m->row[r].nnode;
    }
    return LITHE_OK;
}

static lithe_status lay_out(applying *a)
{
    lithe_model *m = a->m;
    const body *b = a->b;
    m->nnode = m->nposition = b->nnode;
    m->nelement = b->nelement;
    m->nq = m->ndof = b->nq;
    m->nJ = 0;
    m->X = m->rest = b->X;
    m->cell_material = arena_new(&m->memory, m->nelement, int);
    m->cell_scaled = arena_new(&m->memory, m->nelement, bool);
    if (!m->cell_material || !m->cell_scaled)
        return no_memory(a);
    for (int i = 0; i < m->nelement; i++) {
        m->cell_material[i] = a->whole->cell_material[a->r->element[i]];
        m->cell_scaled[i] = a->whole->cell_scaled[a->r->element[i]];
    }
    return LITHE_OK;
}

static lithe_status finish_body(applying *a)
{
    lithe_model *m = a->m;
    sparse_builder *builder = sparse_builder_create(a->b->nrow);
    lithe_status status = builder ? LITHE_OK : LITHE_NO_MEMORY;
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++)
        status = row_couple(&m->row[r], 0, a->b, builder);
    if (status == LITHE_OK)
        status = body_finish(a->b, builder, &m->memory);
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++)
        status = row_finish(&m->row[r], m->nbody, m->body, &m->memory);
    sparse_builder_free(builder);
    return status == LITHE_OK ? LITHE_OK : no_memory(a);
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
    model_reduction *link = a->m->reduction = arena_new(&a->m->memory, 1, model_reduction);
    size_t numbers = 3 * (size_t)a->from->nnode * (size_t)a->r->nmode;
    double *back = arena_new(&a->scratch, numbers, double);
    if (!link || !back)
        return no_memory(a);
    basis_dual(a->from, a->r->nmode, a->Phi, a->mass, back);
    *link = (model_reduction){.nelement = a->r->nelement,
                              .first = a->nactive,
                              .width = modal_width(a->r->nmode),
                              .Phi = padded_lines(a, a->Phi),
                              .back = padded_lines(a, back),
                              .info = a->r->info,
                              .step = reduction_step};
    return link->Phi && link->back ? LITHE_OK : no_memory(a);
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
        return no_memory(a);
    basis_nearest(a->from, a->r->nmode, a->Phi, a->mass, a->whole->velocity, &a->scratch, q);
    a->b->space->push(a->b, NULL, q, m->velocity);
    m->mass = a->mass * sqrt(3.0 * (a->b->nnode - a->nactive));
    return LITHE_OK;
}

static lithe_status build(applying *a)
{
    lithe_model *m = a->m;
    size_t numbers = 3 * (size_t)a->from->nnode * (size_t)a->r->nmode;
    m->body = a->b = arena_new(&m->memory, 1, body);
    a->Phi = arena_new(&a->scratch, numbers, double);
    if (!m->body || !a->Phi)
        return no_memory(a);
    memcpy(a->Phi, a->r->mode, numbers * sizeof *a->Phi);
    LITHE_TRY(basis_orthonormalize(a->from, a->r->nmode, a->Phi, &a->scratch, &a->mass, a->report));
    LITHE_TRY(number_nodes(a));
    LITHE_TRY(begin_body(a));
    LITHE_TRY(fill_body(a));
    LITHE_TRY(lay_out(a));
    LITHE_TRY(make_rows(a));
    LITHE_TRY(finish_body(a));
    if (a->whole->velocity)
        LITHE_TRY(project_start(a));
    m->noise = noise_of(a);
    return link_whole(a);
}

lithe_status reduction_apply(const lithe_reduction *r, lithe_model *whole, lithe_model **out,
                             lithe_report *report)
{
    *out = NULL;
    LITHE_TRY(reduction_check(r, whole, report));
    lithe_model *m = memory_alloc(sizeof *m);
    if (!m)
        return report_no_memory(report, "the reduced model");
    *m = *whole;
    m->memory = (arena){0};
    m->reduction = NULL;
    applying a = {.r = r, .whole = whole, .m = m, .from = &whole->body[0], .report = report};
    bool nodes = r->nframe > 0 || whole->contact.on;
    lithe_status status = nodes ? reduction_apply_nodes(r, whole, m, report) : build(&a);
    arena_free(&a.scratch);
    if (status != LITHE_OK) {
        m->reduction = NULL;
        lithe_model_free(m);
        return status;
    }
    m->reduction->whole = whole;
    *out = m;
    return LITHE_OK;
}

bool lithe_model_reduction(const lithe_model *m, lithe_reduction_info *out)
{
    if (m->reduction)
        *out = m->reduction->info;
    return m->reduction != NULL;
}
