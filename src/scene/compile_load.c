// Loads: gravity, forces at points, tractions and pressures on surfaces.
#include "base/vec.h"
#include "scene/compile.h"

#include <stdio.h>
#include <string.h>

static void apply_gravity(const compiler *c, body *b)
{
    for (int i = 0; i < body_nposition(b); i++)
        vec_axpy(&b->dead[3 * i], b->weigh[i], c->def->gravity);
}

static body_span span_of(const compiler *c, const lithe_load_def *load)
{
    return (body_span){load->from, load->until, (int)(load - c->def->load)};
}

// The nodes' shares of a load of fixed direction, all 0.
static lithe_status add_spell(compiler *c, body *b, body_span span, const double value[3],
                              double **weight)
{
    body_spell *spell = &b->spell[b->nspell++];
    spell->span = span;
    memcpy(spell->value, value, sizeof spell->value);
    *weight = spell->weight = arena_new(&c->model->memory, b->nnode, double);
    return *weight ? LITHE_OK : compile_no_memory(c);
}

lithe_status compile_hang(compiler *c, const row_point *point, const double force[3],
                          body_span span)
{
    body *b = &c->model->body[point->body];
    double *weight = NULL;
    if (span.load >= 0)
        LITHE_TRY(add_spell(c, b, span, force, &weight));
    for (int a = 0; a < point->nposition; a++) {
        int node = point->node[a] - b->node_adr;
        if (weight)
            weight[node] += point->weight[a];
        else
            vec_axpy(&b->dead[3 * node], point->weight[a], force);
    }
    for (int i = 0; i < point->nrotation; i++)
        if (body_add_hang(b, point->node[point->nposition + i] - b->node_adr, point->arm[i], force,
                          span, &c->model->memory) != LITHE_OK)
            return compile_no_memory(c);
    return LITHE_OK;
}

static lithe_status apply_force(compiler *c, int body_id, const lithe_load_def *load)
{
    char what[LITHE_TEXT_MAX];
    row_point point;
    snprintf(what, sizeof what, "load '%.200s'", load->name);
    LITHE_TRY(compile_embed(c, body_id, load->location, what, load->at, &point));
    return compile_hang(c, &point, load->value, span_of(c, load));
}

// A moment acts on rotations.
static lithe_status apply_moment(compiler *c, int body_id, const lithe_load_def *load)
{
    body *b = &c->model->body[body_id];
    char what[LITHE_TEXT_MAX];
    row_point point;
    snprintf(what, sizeof what, "load '%.200s'", load->name);
    LITHE_TRY(compile_embed(c, body_id, load->location, what, load->at, &point));
    const compile_body *part = &c->body[body_id];
    int node[ROW_POINT_NODE] = {0};
    for (int a = 0; a < point.nposition; a++)
        node[a] = point.node[a] - b->node_adr;
    bool rigid = compile_is_still(part, point.nposition, node);
    if (point.nrotation == 0 && !rigid)
        return compile_fail(c, load->location,
                            "load '%s': a moment needs a point of a rod, a shell or a rigid part, "
                            "which turn; on a solid, use forces",
                            load->name);
    double *weight = NULL;
    LITHE_TRY(add_spell(c, b, span_of(c, load), load->value, &weight));
    if (rigid)
        weight[compile_frame_node(part, part->owner[node[0]])] = 1;
    for (int a = 0; a < point.nposition && !rigid; a++)
        weight[b->rotation[node[a]]] += point.weight[a];
    return LITHE_OK;
}

static lithe_status apply_traction(compiler *c, body *b, const lithe_load_def *load,
                                   const face_set *face)
{
    double area = 0, *weight = NULL;
    LITHE_TRY(add_spell(c, b, span_of(c, load), load->value, &weight));
    face_areas(face, b->X, weight);
    for (int i = 0; i < b->nnode; i++)
        area += weight[i];
    for (int i = 0; i < b->nnode && load->total; i++)
        weight[i] /= area;
    return LITHE_OK;
}

static lithe_status check_times(const compiler *c, const lithe_load_def *load)
{
    bool timed = load->from != -INFINITY || load->until != INFINITY;
    if (isnan(load->from) || isnan(load->until) || load->until < load->from)
        return compile_fail(c, load->location, "load '%s' ends at %g s, before it begins at %g s",
                            load->name, load->until, load->from);
    if (timed && c->def->dynamics.scheme == LITHE_STATIC)
        return compile_fail(c, load->location,
                            "load '%s' begins or ends at a time, and in statics there is none; add "
                            "a section dynamics, or leave 'from' and 'until' out",
                            load->name);
    return LITHE_OK;
}

static lithe_status apply_load(compiler *c, const lithe_load_def *load)
{
    int body_id;
    LITHE_TRY(compile_find_body(c, load->location, load->body, &body_id));
    for (int i = 0; i < 3; i++)
        if (!isfinite(load->value[i]) || !isfinite(load->pressure))
            return compile_fail(c, load->location, "load '%s' is not a finite number", load->name);
    LITHE_TRY(check_times(c, load));
    if (load->kind == LITHE_POINT_FORCE)
        return apply_force(c, body_id, load);
    if (load->kind == LITHE_MOMENT)
        return apply_moment(c, body_id, load);
    body *b = &c->model->body[body_id];
    face_set face;
    LITHE_TRY(compile_find_faces(c, body_id, load->location, load->surface, &face));
    if (load->kind == LITHE_TRACTION)
        return apply_traction(c, b, load, &face);
    b->pressure[b->npressure++] =
        (body_pressure){.face = face, .value = load->pressure, .span = span_of(c, load)};
    return LITHE_OK;
}

static lithe_status keep_load(compiler *c, const lithe_load_def *load)
{
    lithe_model *m = c->model;
    bool pressure = load->kind == LITHE_PRESSURE;
    const double alone[3] = {load->pressure};
    m->load_kind[m->nload] = load->kind;
    memcpy(&m->load_value[3 * m->nload], pressure ? alone : load->value, sizeof alone);
    m->load_name[m->nload] = arena_strdup(&m->memory, load->name);
    return m->load_name[m->nload++] ? LITHE_OK : compile_no_memory(c);
}

lithe_status compile_loads(compiler *c)
{
    for (int k = 0; k < c->model->nbody; k++) {
        body *b = &c->model->body[k];
        b->pressure = arena_new(&c->model->memory, c->def->nload, body_pressure);
        b->spell = arena_new(&c->model->memory, c->def->nload, body_spell);
        if (!b->pressure || !b->spell)
            return compile_no_memory(c);
        apply_gravity(c, b);
    }
    lithe_model *m = c->model;
    memcpy(m->gravity, c->def->gravity, sizeof m->gravity);
    m->nlead = compile_nlead(c);
    m->nsetting =
        c->def->nload + 3 + m->nmaterial + 3 * c->def->nload + 3 * m->nbody + 3 * m->nlead;
    m->load_name = arena_new(&m->memory, c->def->nload, const char *);
    m->load_kind = arena_new(&m->memory, c->def->nload, lithe_load_kind);
    m->load_value = arena_new(&m->memory, 3 * (size_t)c->def->nload, double);
    if (!m->load_name || !m->load_kind || !m->load_value)
        return compile_no_memory(c);
    for (int i = 0; i < c->def->nload; i++) {
        LITHE_TRY(apply_load(c, &c->def->load[i]));
        LITHE_TRY(keep_load(c, &c->def->load[i]));
    }
    return LITHE_OK;
}
