#include "scene/compile.h"
#include "scene/adopt.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "base/vec.h"
#include "control/task.h"
#include "row/link.h"
#include "scene/tolerances.h"
#include "step/need.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

lithe_status compile_fail(const compiler *c, const char *location, const char *format, ...)
{
    char text[LITHE_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return LITHE_FAIL(c->report, LITHE_INVALID, "%.300s%s%s", location ? location : "",
                      location ? ": " : "", text);
}

lithe_status compile_no_memory(const compiler *c)
{
    double sure, all = compile_need(c, &sure);
    return all > 0 ? report_too_large(c->report, all) : report_no_memory(c->report, "the model");
}

double compile_need(const compiler *c, double *sure)
{
    double all = *sure = 0;
    for (int k = 0; c->body && k < c->def->nbody; k++)
        if (c->body[k].skeleton.ncell > 0) {
            static const int as_tet4[SKELETON_NCELL] = {1, 4, 3}; // what an element's numbers take
            const mesh_skeleton *cells = &c->body[k].skeleton;
            int n = as_tet4[cells->kind[0]] * cells->ncell;
            all += need_of_mesh(cells->mesh->nnode, n);
            *sure += need_of_elements(n);
        }
    return all;
}

lithe_status compile_find_body(const compiler *c, const char *location, const char *name,
                               int *body_id)
{
    nearest near = nearest_start(name ? name : "");
    for (int k = 0; k < c->def->nbody; k++) {
        if (name && strcmp(c->def->body[k].name, name) == 0) {
            *body_id = k;
            return LITHE_OK;
        }
        nearest_offer(&near, c->def->body[k].name);
    }
    const char *meant = nearest_found(&near);
    return compile_fail(c, location, "there is no body '%s'%s%s%s", name ? name : "",
                        meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

// Copies the families' elements as cells of the model. A cell shows positions; one without a type
// has no nodes of its own.
static void copy_cells(lithe_model *m, int k)
{
    const body *b = &m->body[k];
    int e = b->element_adr;
    for (int i = 0; i < b->nfamily; i++) {
        const element_family *f = &b->family[i];
        int ncorner = f->kind->cell ? f->kind->nnode - f->kind->nrotation : 0;
        for (int j = 0; j < f->n; j++, e++) {
            m->cell_adr[e + 1] = m->cell_adr[e] + ncorner;
            m->cell_type[e] = (unsigned char)f->kind->cell;
            m->cell_body[e] = k;
            for (int a = 0; a < ncorner; a++)
                m->cell_node[m->cell_adr[e] + a] =
                    b->position_adr + f->node[f->kind->nnode * j + a];
        }
    }
}

// Lays the bodies' nodes and elements one after the other.
static lithe_status lay_out(compiler *c)
{
    lithe_model *m = c->model;
    size_t ncorner = 0;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        m->body[k].id = k;
        m->body[k].node_adr = m->nnode;
        m->body[k].position_adr = m->nposition;
        m->nnode += b->nnode;
        m->nposition += body_nposition(b);
        m->body[k].q_adr = m->nq;
        m->body[k].J_adr = m->nJ;
        m->nq += b->nq;
        m->nJ += b->nJ;
        for (int i = 0; i < b->nfamily; i++)
            ncorner += (size_t)b->family[i].n * (size_t)b->family[i].kind->nnode;
    }
    m->X = arena_new(&m->memory, 3 * (size_t)m->nnode, double);
    m->cell_adr = arena_new(&m->memory, m->nelement + 1, int);
    m->cell_node = arena_new(&m->memory, ncorner, int);
    m->cell_type = arena_new(&m->memory, m->nelement, unsigned char);
    m->cell_body = arena_new(&m->memory, m->nelement, int);
    m->rest =
        m->nposition < m->nnode ? arena_new(&m->memory, 3 * (size_t)m->nposition, double) : m->X;
    if (!m->X || !m->rest || !m->cell_adr || !m->cell_node || !m->cell_type || !m->cell_body)
        return compile_no_memory(c);
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        memcpy(m->X + 3 * (size_t)b->node_adr, b->X, 3 * (size_t)b->nnode * sizeof *m->X);
        memcpy(m->rest + 3 * (size_t)b->position_adr, b->X,
               3 * (size_t)body_nposition(b) * sizeof *m->rest);
        copy_cells(m, k);
    }
    return LITHE_OK;
}

// The size of what a row measures.
static double row_scale(const lithe_model *m, const row *r)
{
    if (r->kind == ROW_CAVITY || r->kind == ROW_LENGTHS)
        return r->rest > 0 ? r->rest : row_value(r, m->X);
    bool number = r->kind == ROW_ROTATION || r->kind == ROW_MODULUS || r->kind == ROW_ANGLE ||
                  (r->kind == ROW_LINK && r->link->twist);
    return number ? 1 : m->size;
}

static void measure(lithe_model *m)
{
    double lower[3], upper[3];
    for (int i = 0; i < 3; i++) {
        lower[i] = INFINITY;
        upper[i] = -INFINITY;
    }
    m->noise = 0;
    for (int k = 0; k < m->nbody; k++) {
        const body *b = &m->body[k];
        for (int i = 0; i < 3; i++) {
            lower[i] = fmin(lower[i], b->lower[i]);
            upper[i] = fmax(upper[i], b->upper[i]);
            m->reach = fmax(m->reach, fmax(fabs(b->lower[i]), fabs(b->upper[i])));
        }
        m->noise += body_noise(b) + SCENE_GRIP_NOISE * b->grip * vec_distance(b->lower, b->upper);
        m->ndof += b->ndof;
    }
    m->size = vec_distance(lower, upper);
    for (int r = 0; r < m->nrow; r++)
        m->row[r].scale = row_scale(m, &m->row[r]);
}

// Patterns of A: what elements and rows couple; then everything that needs the patterns.
// What is too large to be squared is no number from the start.
static lithe_status check_rest(const compiler *c)
{
    const lithe_model *m = c->model;
    for (int r = 0; r < m->nrow; r++)
        if (!isfinite(m->row[r].rest) || !isfinite(row_value(&m->row[r], m->X)))
            return compile_fail(c, NULL,
                                "what '%s' measures at rest is not a number: its points are too "
                                "far apart; check their coordinates and units",
                                m->row[r].name ? m->row[r].name : "a row");
    for (int k = 0; k < m->nbody; k++)
        if (!isfinite(body_noise(&m->body[k])))
            return compile_fail(c, c->body[k].def->location,
                                "body '%s': forces of its elements are no numbers: something of it "
                                "is too large; check sizes of rods and shells, and units",
                                c->body[k].def->name);
    return LITHE_OK;
}

static lithe_status finish_bodies(compiler *c)
{
    lithe_model *m = c->model;
    for (int k = 0; k < m->nbody; k++) {
        compile_body *part = &c->body[k];
        part->builder = sparse_builder_create(m->body[k].nrow);
        if (!part->builder)
            return compile_no_memory(c);
        for (int r = 0; r < m->nrow; r++)
            if (row_couple(&m->row[r], k, &m->body[k], part->builder) != LITHE_OK)
                return compile_no_memory(c);
        if (compile_rigid_couple(part, &m->body[k], part->builder) != LITHE_OK)
            return compile_no_memory(c);
        if (body_finish(&m->body[k], part->builder, &m->memory) != LITHE_OK)
            return compile_no_memory(c);
    }
    for (int r = 0; r < m->nrow; r++)
        if (row_finish(&m->row[r], m->nbody, m->body, &m->memory) != LITHE_OK)
            return compile_no_memory(c);
    return check_rest(c);
}

static lithe_status compile_all(compiler *c)
{
    LITHE_TRY(compile_check(c));
    LITHE_TRY(compile_bodies(c));
    LITHE_TRY(lay_out(c));
    if (c->def->dynamics.scheme == LITHE_STATIC || c->def->dynamics.from_equilibrium)
        LITHE_TRY(compile_holds(c));
    LITHE_TRY(compile_motion(c));
    LITHE_TRY(compile_loads(c));
    LITHE_TRY(compile_rows(c));
    LITHE_TRY(compile_surfaces(c));
    LITHE_TRY(control_compile(c->def, c->model, c->report));
    LITHE_TRY(finish_bodies(c));
    LITHE_TRY(compile_leads(c));
    measure(c->model);
    LITHE_TRY(compile_contacts(c));
    compile_spectral_radius(c->model);
    return compile_idle(c);
}

static void compiler_free(compiler *c)
{
    for (int k = 0; c->body && k < c->def->nbody; k++) {
        compile_members_free(&c->body[k]);
        skeleton_free(&c->body[k].skeleton);
        lithe_mesh_free(c->body[k].owned);
        lithe_mesh_free(c->body[k].padded);
        for (int i = 0; c->body[k].shell_owned && i < c->def->body[k].nshell; i++)
            lithe_mesh_free(c->body[k].shell_owned[i]);
        sparse_builder_free(c->body[k].builder);
    }
    arena_free(&c->scratch);
}

static lithe_status compile(compiler *c)
{
    lithe_model *m = c->model;
    const lithe_def *def = c->def;
    m->step = def->step;
    m->dynamics = def->dynamics;
    m->step.deadline = def->step.deadline > 0 ? def->step.deadline : def->step.dt;
    m->nbody = def->nbody;
    m->body = arena_new(&m->memory, def->nbody, body);
    c->body = arena_new(&c->scratch, def->nbody, compile_body);
    return m->body && c->body ? compile_all(c) : compile_no_memory(c);
}

lithe_status lithe_compile(const lithe_def *def, lithe_model **model, lithe_report *report)
{
    *model = NULL;
    lithe_model *m = memory_alloc(sizeof *m);
    if (!m)
        return report_no_memory(report, "the model");
    memset(m, 0, sizeof *m);
    lithe_def own;
    compiler c = {.def = &own, .model = m, .report = report};
    lithe_status status = def_adopt(def, &c.scratch, &own, report);
    if (status == LITHE_OK)
        status = compile(&c);
    if (status == LITHE_OK)
        status = compile_reduction(&c, &m);
    compiler_free(&c);
    if (status == LITHE_OK)
        *model = m;
    else
        lithe_model_free(m);
    return status;
}

void lithe_model_free(lithe_model *m)
{
    if (!m)
        return;
    if (m->reduction)
        lithe_model_free(m->reduction->whole);
    arena_free(&m->memory);
    memory_free(m);
}
