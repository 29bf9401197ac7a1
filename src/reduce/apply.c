// The reduced model of a whole one. It is a model like any other: its only body has the points that
// elements, rows and loads need as nodes, and moves by modes or in a beam space.
#include "base/memory.h"
#include "base/status.h"
#include "base/vec.h"
#include "reduce/applying.h"
#include "row/cavity.h"

#include <math.h>
#include <string.h>

lithe_status apply_no_memory(const applying *a)
{
    return report_no_memory(a->report, "the reduced model");
}

bool apply_node(applying *a, int node, int *point)
{
    if (a->itself[node] < 0)
        a->itself[node] = points_add(&a->point, 1, (const int[]){node}, (const double[]){1}, false);
    *point = a->itself[node];
    return *point >= 0;
}

// A point where what nodes have shares of acts at once: their mean by these shares.
static lithe_status add_load(applying *a, const double *share, int stride, applied_load *out)
{
    int n = a->from->nnode, *node = arena_new(&a->scratch, n, int);
    double *weight = arena_new(&a->scratch, n, double), sum = 0;
    if (!node || !weight)
        return apply_no_memory(a);
    for (int i = 0; i < n; i++)
        sum += fabs(share[i * stride]);
    for (int i = 0; i < n && sum > 0; i++) {
        node[i] = i;
        weight[i] = share[i * stride] / sum;
    }
    *out = (applied_load){-1, sum};
    if (sum > 0 && (out->point = points_add(&a->point, n, node, weight, true)) < 0)
        return apply_no_memory(a);
    return LITHE_OK;
}

lithe_status apply_loads(applying *a)
{
    const body *from = a->from;
    a->spell = arena_new(&a->scratch, from->nspell, applied_load);
    if (!a->spell)
        return apply_no_memory(a);
    for (int axis = 0; axis < 3; axis++)
        LITHE_TRY(add_load(a, from->dead + axis, 3, &a->dead[axis]));
    LITHE_TRY(add_load(a, from->weigh, 1, &a->weigh));
    for (int k = 0; k < from->nspell; k++)
        LITHE_TRY(add_load(a, from->spell[k].weight, 1, &a->spell[k]));
    return LITHE_OK;
}

static lithe_status fill_spell(applying *a, int k)
{
    body_spell *to = &a->b->spell[k];
    *to = a->from->spell[k];
    to->weight = arena_new(&a->m->memory, a->b->nnode, double);
    if (!to->weight)
        return apply_no_memory(a);
    if (a->spell[k].point >= 0)
        to->weight[a->spell[k].point] = a->spell[k].amount;
    return LITHE_OK;
}

lithe_status apply_fill_loads(applying *a)
{
    body *b = a->b;
    for (int axis = 0; axis < 3; axis++)
        if (a->dead[axis].point >= 0)
            b->dead[3 * a->dead[axis].point + axis] = a->dead[axis].amount;
    if (a->weigh.point >= 0)
        b->weigh[a->weigh.point] = a->weigh.amount;
    b->nspell = a->from->nspell;
    b->spell = arena_new(&a->m->memory, b->nspell, body_spell);
    if (!b->spell)
        return apply_no_memory(a);
    for (int k = 0; k < b->nspell; k++)
        LITHE_TRY(fill_spell(a, k));
    return LITHE_OK;
}

lithe_status apply_begin(applying *a, int more, const double *more_X)
{
    body *b = a->b;
    int nnode = a->point.n + more;
    double *X = arena_new(&a->scratch, 3 * (size_t)nnode, double);
    double *hold = arena_new(&a->scratch, 3 * (size_t)nnode, double);
    unsigned char *held = arena_new(&a->scratch, nnode, unsigned char);
    b->light = arena_new(&a->m->memory, nnode, bool);
    if (!X || !hold || !held || !b->light)
        return apply_no_memory(a);
    for (int i = 0; i < a->point.n; i++) {
        points_sum(&a->point, i, a->from->X, &X[3 * i]);
        b->light[i] = a->point.light[i];
    }
    if (more > 0 && more_X)
        memcpy(&X[3 * a->point.n], more_X, 3 * (size_t)more * sizeof *X);
    held[POINTS_ORIGIN] = LITHE_XYZ;
    b->name = a->from->name;
    bool well =
        body_begin(b, nnode, X, held, hold, a->nfamily, a->family, &a->m->memory) == LITHE_OK;
    return well ? LITHE_OK : apply_no_memory(a);
}

// What is told of it is told of the whole.
static lithe_status fill_body(applying *a)
{
    body *b = a->b;
    const body *from = a->from;
    b->weight = arena_new(&a->m->memory, a->r->nelement, double);
    if (!b->weight)
        return apply_no_memory(a);
    memcpy(b->weight, a->r->weight, (size_t)a->r->nelement * sizeof *b->weight);
    b->rounds = true;
    b->volume = from->volume;
    memcpy(b->lower, from->lower, sizeof b->lower);
    memcpy(b->upper, from->upper, sizeof b->upper);
    memcpy(b->quality, from->quality, sizeof b->quality);
    b->ncavity = from->ncavity;
    b->cavity_volume = from->cavity_volume;
    return apply_fill_loads(a);
}

static lithe_status lay_out(applying *a)
{
    lithe_model *m = a->m;
    const body *b = a->b;
    m->nnode = m->nposition = b->nnode;
    m->nelement = b->nelement;
    m->nq = m->ndof = b->nq;
    m->nJ = b->nJ;
    m->X = m->rest = b->X;
    m->cell_material = arena_new(&m->memory, m->nelement, int);
    m->cell_scaled = arena_new(&m->memory, m->nelement, bool);
    if (!m->cell_material || !m->cell_scaled)
        return apply_no_memory(a);
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
    for (int k = 0; k < a->b->nmass && status == LITHE_OK; k++)
        status = body_couple(a->b, builder, 2, a->b->coupled[k].node);
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++)
        status = row_couple(&m->row[r], 0, a->b, builder);
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++)
        if (m->row[r].kind == ROW_CAVITY && !m->row[r].polynomial && !m->row[r].cells)
            status = shell_couple(&m->row[r].shell, a->b, builder);
    if (status == LITHE_OK)
        status = body_finish(a->b, builder, &m->memory);
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++)
        status = row_finish(&m->row[r], m->nbody, m->body, &m->memory);
    sparse_builder_free(builder);
    return status == LITHE_OK ? LITHE_OK : apply_no_memory(a);
}

static lithe_status begin(applying *a)
{
    lithe_model *m = a->m;
    m->body = a->b = arena_new(&m->memory, 1, body);
    m->reduction = arena_new(&m->memory, 1, model_reduction);
    a->itself = arena_new(&a->scratch, a->from->nnode, int);
    if (!m->body || !m->reduction || !a->itself || !points_create(&a->scratch, &a->point))
        return apply_no_memory(a);
    for (int i = 0; i < a->from->nnode; i++)
        a->itself[i] = -1;
    return LITHE_OK;
}

static lithe_status build(applying *a)
{
    bool beam = a->r->nframe > 0;
    LITHE_TRY(begin(a));
    LITHE_TRY(apply_elements(a));
    LITHE_TRY(apply_loads(a));
    LITHE_TRY(beam ? apply_beam(a) : apply_modes(a)); // rows ask what coordinates are
    LITHE_TRY(fill_body(a));
    LITHE_TRY(lay_out(a));
    LITHE_TRY(apply_finish_rows(a));
    LITHE_TRY(beam ? apply_beam_fill(a) : apply_modes_fill(a));
    return finish_body(a);
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
    bool nodes = !r->element || whole->contact.on;
    lithe_status status = nodes ? reduction_apply_nodes(r, whole, m, report) : build(&a);
    arena_free(&a.scratch);
    if (status != LITHE_OK) {
        m->reduction = NULL;
        lithe_model_free(m);
        return status;
    }
    m->reduction->whole = whole;
    m->reduction->patch = reduction_patch(r);
    *out = m;
    return LITHE_OK;
}

bool lithe_model_patch(const lithe_model *m, lithe_reduction_patch *out)
{
    if (m->reduction && m->reduction->patch.nnode > 0)
        *out = m->reduction->patch;
    return m->reduction && m->reduction->patch.nnode > 0;
}

bool lithe_model_reduction(const lithe_model *m, lithe_reduction_info *out)
{
    if (m->reduction)
        *out = m->reduction->info;
    return m->reduction != NULL;
}
