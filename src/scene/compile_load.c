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

// Where loads of fixed direction are added: to those that never change, or to one of their own.
static lithe_status find_dead(compiler *c, body *b, body_span span, double **force)
{
    *force = b->dead;
    if (span.load < 0)
        return LITHE_OK;
    body_spell *spell = &b->spell[b->nspell++];
    spell->span = span;
    *force = spell->force = arena_new(&c->model->memory, 3 * (size_t)b->nnode, double);
    return *force ? LITHE_OK : compile_no_memory(c);
}

lithe_status compile_hang(compiler *c, const row_point *point, const double force[3],
                          body_span span)
{
    body *b = &c->model->body[point->body];
    double *dead = NULL;
    LITHE_TRY(find_dead(c, b, span, &dead));
    for (int a = 0; a < point->nposition; a++)
        vec_axpy(&dead[3 * (point->node[a] - b->node_adr)], point->weight[a], force);
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
    double *dead = NULL;
    LITHE_TRY(find_dead(c, b, span_of(c, load), &dead));
    if (rigid)
        vec_axpy(&dead[3 * compile_frame_node(part, part->owner[node[0]])], 1, load->value);
    for (int a = 0; a < point.nposition && !rigid; a++)
        vec_axpy(&dead[3 * b->rotation[node[a]]], point.weight[a], load->value);
    return LITHE_OK;
}

static lithe_status apply_traction(compiler *c, body *b, const lithe_load_def *load,
                                   const face_set *face)
{
    double area = 0, *force = NULL, *share = arena_new(&c->scratch, b->nnode, double);
    if (!share)
        return compile_no_memory(c);
    LITHE_TRY(find_dead(c, b, span_of(c, load), &force));
    face_areas(face, b->X, share);
    for (int i = 0; i < b->nnode; i++)
        area += share[i];
    for (int i = 0; i < b->nnode; i++)
        vec_axpy(&force[3 * i], share[i] / (load->total ? area : 1), load->value);
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
    m->nsetting = c->def->nload + 3 + m->nmaterial;
    m->load_name = arena_new(&m->memory, c->def->nload, const char *);
    for (int i = 0; m->load_name && i < c->def->nload; i++) {
        LITHE_TRY(apply_load(c, &c->def->load[i]));
        if (!(m->load_name[m->nload++] = arena_strdup(&m->memory, c->def->load[i].name)))
            return compile_no_memory(c);
    }
    return m->load_name ? LITHE_OK : compile_no_memory(c);
}
