// The reduced model of a whole one that keeps all nodes, so that rows, loads, masses and contacts
// are the same: in a beam space, or by modes where there are contacts, whose surface needs its
// nodes. It has some or all of the elements.
#include "base/memory.h"
#include "base/status.h"
#include "reduce/beam_line.h"
#include "reduce/chosen.h"
#include "reduce/supervise.h"
#include "row/cavity.h"

#include <math.h>
#include <string.h>

typedef struct applying {
    const lithe_reduction *r;
    const lithe_model *whole;
    lithe_model *m;
    const body *from;
    body *b;
    arena scratch;
    lithe_report *report;
} applying;

static lithe_status no_memory(const applying *a)
{
    return report_no_memory(a->report, "the reduced model");
}

static lithe_status set_frames(applying *a)
{
    beam_map *map = NULL;
    LITHE_TRY(beam_lay(a->from, a->r, &a->m->memory, &map, a->report));
    LITHE_TRY(beam_check_held(map, a->report));
    bool well = body_set_beam(a->b, map, &a->m->memory) == LITHE_OK;
    return well ? LITHE_OK : no_memory(a);
}

static lithe_status begin_body(applying *a)
{
    const body *from = a->from;
    int nfamily = 0;
    element_family *family = arena_new(&a->scratch, from->nfamily, element_family);
    if (!family)
        return no_memory(a);
    if (a->r->element) {
        if (chosen_families(a->r, from, &a->m->memory, &a->scratch, family, &nfamily) != LITHE_OK)
            return no_memory(a);
    } else {
        nfamily = from->nfamily;
        memcpy(family, from->family, (size_t)nfamily * sizeof *family);
    }
    a->b->name = from->name;
    if (body_begin(a->b, from->nnode, from->X, from->held, from->hold, nfamily, family,
                   &a->m->memory) != LITHE_OK)
        return no_memory(a);
    if (a->r->nframe > 0)
        return set_frames(a);
    bool well = body_set_modes(a->b, a->r->nmode, a->r->mode, &a->m->memory) == LITHE_OK;
    return well ? LITHE_OK : no_memory(a);
}

// Loads and masses act on the same nodes.
static lithe_status fill_body(applying *a)
{
    body *b = a->b;
    const body *from = a->from;
    b->mass = from->mass;
    b->weigh = from->weigh;
    b->dead = from->dead;
    b->nspell = from->nspell;
    b->spell = from->spell;
    b->volume = from->volume;
    b->ncavity = from->ncavity;
    b->cavity_volume = from->cavity_volume;
    memcpy(b->quality, from->quality, sizeof b->quality);
    b->nmass = from->nmass;
    b->coupled = arena_new(&a->m->memory, b->nmass, body_mass);
    b->weight = a->r->element ? arena_new(&a->m->memory, a->r->nelement, double) : NULL;
    if (!b->coupled || (a->r->element && !b->weight))
        return no_memory(a);
    if (b->nmass > 0)
        memcpy(b->coupled, from->coupled, (size_t)b->nmass * sizeof *b->coupled);
    if (b->weight)
        memcpy(b->weight, a->r->weight, (size_t)a->r->nelement * sizeof *b->weight);
    return LITHE_OK;
}

static lithe_status choose_region(applying *a, row *r)
{
    bool well = chosen_region(a->r, a->from, &a->m->memory, &a->scratch, r) == LITHE_OK;
    return well ? LITHE_OK : no_memory(a);
}

static lithe_status copy_rows(applying *a)
{
    lithe_model *m = a->m;
    m->row = arena_new(&m->memory, m->nrow, row);
    if (!m->row)
        return no_memory(a);
    if (m->nrow > 0)
        memcpy(m->row, a->whole->row, (size_t)m->nrow * sizeof *m->row);
    for (int r = 0; r < m->nrow && a->r->element; r++)
        if (m->row[r].kind == ROW_MODULUS)
            LITHE_TRY(choose_region(a, &m->row[r]));
    return LITHE_OK;
}

static lithe_status lay_out(applying *a)
{
    lithe_model *m = a->m;
    const body *b = a->b;
    m->nelement = b->nelement;
    m->nq = m->ndof = b->nq;
    m->nJ = b->nJ;
    if (!a->r->element)
        return LITHE_OK;
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

static lithe_status couple_masses(const body *b, sparse_builder *builder)
{
    for (int k = 0; k < b->nmass; k++)
        LITHE_TRY(body_couple(b, builder, 2, b->coupled[k].node));
    return LITHE_OK;
}

static lithe_status couple_surface(const body *b, const contact_surface *s, sparse_builder *builder)
{
    for (int i = 0; i < s->ntri && s->frame < 0; i++) {
        int node[3 * SURFACE_FACE], n = 0;
        for (int c = 0; c < 3; c++)
            for (int k = s->entry_adr[s->tri[3 * i + c]]; k < s->entry_adr[s->tri[3 * i + c] + 1];
                 k++)
                node[n++] = s->entry[k].node;
        LITHE_TRY(body_couple(b, builder, n, node));
    }
    return LITHE_OK;
}

static lithe_status finish_body(applying *a)
{
    lithe_model *m = a->m;
    sparse_builder *builder = sparse_builder_create(a->b->nrow);
    lithe_status status = builder ? couple_masses(a->b, builder) : LITHE_NO_MEMORY;
    for (int i = 0; m->contact.on && i < m->contact.world.nsurface && status == LITHE_OK; i++)
        status = couple_surface(a->b, &m->contact.world.surface[i], builder);
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++) {
        status = row_couple(&m->row[r], 0, a->b, builder);
        if (status == LITHE_OK && m->row[r].kind == ROW_CAVITY)
            status = shell_couple(&m->row[r].shell, a->b, builder); // no longer faces of elements
    }
    if (status == LITHE_OK)
        status = body_finish(a->b, builder, &m->memory);
    for (int r = 0; r < m->nrow && status == LITHE_OK; r++)
        status = row_finish(&m->row[r], m->nbody, m->body, &m->memory);
    sparse_builder_free(builder);
    return status == LITHE_OK ? LITHE_OK : no_memory(a);
}

// What roundoff leaves in the force on a coordinate grows with the nodes that it moves.
static double noise_of(const applying *a)
{
    double largest = 1;
    if (a->b->beam)
        return beam_noise(a->b->beam, a->b->nnode, a->whole->noise);
    for (int k = 0; k < a->r->nmode; k++) {
        double sum = 0;
        for (int i = 0; i < 3 * a->b->nnode; i++)
            sum += pow(a->r->mode[(size_t)i * (size_t)a->r->nmode + (size_t)k], 2);
        largest = fmax(largest, sum);
    }
    return a->whole->noise * sqrt(largest);
}

static lithe_status build(applying *a)
{
    lithe_model *m = a->m;
    m->body = a->b = arena_new(&m->memory, 1, body);
    m->reduction = arena_new(&m->memory, 1, model_reduction);
    if (!m->body || !m->reduction)
        return no_memory(a);
    LITHE_TRY(begin_body(a));
    LITHE_TRY(fill_body(a));
    LITHE_TRY(lay_out(a));
    LITHE_TRY(copy_rows(a));
    LITHE_TRY(finish_body(a));
    m->noise = noise_of(a);
    *m->reduction =
        (model_reduction){.nelement = a->b->nelement, .info = a->r->info, .step = reduction_step};
    return LITHE_OK;
}

lithe_status reduction_apply_nodes(const lithe_reduction *r, const lithe_model *whole,
                                   lithe_model *m, lithe_report *report)
{
    applying a = {.r = r, .whole = whole, .m = m, .from = &whole->body[0], .report = report};
    lithe_status status = build(&a);
    arena_free(&a.scratch);
    return status;
}
