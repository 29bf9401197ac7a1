// Rows: actuators and effectors.
#include "base/nearest.h"
#include "scene/compile.h"

#include <stdio.h>
#include <string.h>

static void world_point(row_point *p, const double at[3])
{
    p->body = -1;
    memcpy(p->world, at, sizeof p->world);
}

static lithe_status compile_line(compiler *c, const lithe_actuator_def *d, row *r)
{
    int n = 0;
    char what[LITHE_TEXT_MAX];
    snprintf(what, sizeof what, "actuator '%.200s'", d->name);
    r->line.point = arena_new(&c->model->memory, d->npoint + 2, row_point);
    if (!r->line.point)
        return compile_no_memory(c);
    if (d->kind == LITHE_CABLE && d->has_pulled_from)
        world_point(&r->line.point[n++], d->pulled_from);
    for (int i = 0; i < d->npoint; i++) {
        int body_id;
        LITHE_TRY(compile_find_body(c, d->place, d->point[i].body, &body_id));
        LITHE_TRY(compile_embed(c, body_id, d->place, what, d->point[i].at, &r->line.point[n++]));
    }
    if (d->kind == LITHE_CABLE && d->has_tied_to)
        world_point(&r->line.point[n++], d->tied_to);
    r->line.npoint = n;
    return LITHE_OK;
}

// Two neighbouring points in the same place give a segment no direction.
static lithe_status check_segments(const compiler *c, const lithe_actuator_def *d, const row *r)
{
    for (int i = 0; i + 1 < r->line.npoint; i++) {
        double a[3], b[3], gap = 0;
        row_point_position(&r->line.point[i], c->model->X, a);
        row_point_position(&r->line.point[i + 1], c->model->X, b);
        for (int k = 0; k < 3; k++)
            gap = fmax(gap, fabs(a[k] - b[k]));
        if (!(gap > 1e-9))
            return compile_fail(c, d->place,
                                "actuator '%s': its points %d and %d are in the same place",
                                d->name, i + 1, i + 2);
    }
    return LITHE_OK;
}

static const lithe_cavity_def *find_cavity_def(const lithe_body_def *body_def, const char *name)
{
    for (int i = 0; i < body_def->ncavity; i++)
        if (strcmp(body_def->cavity[i].name, name) == 0)
            return &body_def->cavity[i];
    return NULL;
}

static lithe_status unknown_cavity(const compiler *c, const lithe_actuator_def *d,
                                   const lithe_body_def *body_def)
{
    nearest near = nearest_start(d->cavity);
    for (int i = 0; i < body_def->ncavity; i++)
        nearest_offer(&near, body_def->cavity[i].name);
    const char *meant = nearest_found(&near);
    return compile_fail(c, d->place, "body '%s' has no cavity '%s'%s%s%s", body_def->name,
                        d->cavity, meant ? "; did you mean '" : "", meant ? meant : "",
                        meant ? "'?" : "");
}

// One of the cavities that were found in the mesh, as triangles with normals out of the cavity.
static lithe_status take_piece(compiler *c, int body_id, int cavity, row_shell *shell)
{
    const mesh_boundary *boundary = &c->body[body_id].boundary;
    int adr = c->model->body[body_id].node_adr;
    shell->tri = arena_new(&c->model->memory, 3 * (size_t)boundary->ntri, int);
    if (!shell->tri)
        return compile_no_memory(c);
    for (int t = 0; t < boundary->ntri; t++) {
        if (boundary->piece[t] != boundary->cavity[cavity])
            continue;
        int *tri = &shell->tri[3 * shell->ntri++];
        tri[0] = adr + boundary->tri[3 * t];
        tri[1] =
            adr +
            boundary->tri[3 * t + 2]; // turned: the boundary's normals point out of the material
        tri[2] = adr + boundary->tri[3 * t + 1];
    }
    return LITHE_OK;
}

// A surface group of the mesh, which must be closed.
static lithe_status take_group(compiler *c, int body_id, const lithe_cavity_def *d,
                               row_shell *shell)
{
    int ntri, *tri, edge[2];
    bool closed;
    LITHE_TRY(compile_find_surface(c, body_id, d->place, d->group, &ntri, &tri));
    if (surface_is_closed(ntri, tri, &closed, edge) != LITHE_OK)
        return compile_no_memory(c);
    if (!closed)
        return compile_fail(
            c, d->place,
            "cavity '%s': the surface '%s' is not closed: its edge between nodes %d and "
            "%d has no triangle on one side",
            d->name, d->group, edge[0], edge[1]);
    shell->ntri = ntri;
    shell->tri = arena_new(&c->model->memory, 3 * (size_t)ntri, int);
    if (!shell->tri)
        return compile_no_memory(c);
    bool inward = surface_volume(ntri, tri, c->body[body_id].X) < 0;
    for (int i = 0; i < 3 * ntri; i++) {
        int corner = inward && i % 3 ? i + (i % 3 == 1 ? 1 : -1) : i;
        shell->tri[i] = c->model->body[body_id].node_adr + tri[corner];
    }
    return LITHE_OK;
}

static lithe_status pick_inside(compiler *c, int body_id, const lithe_cavity_def *d,
                                row_shell *shell)
{
    const mesh_boundary *boundary = &c->body[body_id].boundary;
    for (int k = 0; k < boundary->ncavity; k++) {
        shell->ntri = 0;
        LITHE_TRY(take_piece(c, body_id, k, shell));
        if (surface_encloses(shell->ntri, shell->tri, c->model->X, d->inside))
            return LITHE_OK;
    }
    return compile_fail(c, d->place,
                        "cavity '%s': the point (%.4g, %.4g, %.4g) m is in none of the %d closed "
                        "cavities of body '%s'",
                        d->name, d->inside[0], d->inside[1], d->inside[2], boundary->ncavity,
                        c->body[body_id].def->name);
}

static lithe_status pick_number(compiler *c, int body_id, const char *place, int number,
                                row_shell *shell)
{
    int ncavity = c->body[body_id].boundary.ncavity;
    if (ncavity == 0)
        return compile_fail(
            c, place, "body '%s' has no closed cavity: no part of its boundary encloses a void",
            c->body[body_id].def->name);
    if (number < 1 || number > ncavity)
        return compile_fail(c, place, "there is no cavity number %d; body '%s' has %d", number,
                            c->body[body_id].def->name, ncavity);
    return take_piece(c, body_id, number - 1, shell);
}

static lithe_status compile_shell(compiler *c, const lithe_actuator_def *d, row *r)
{
    LITHE_TRY(compile_find_body(c, d->place, d->body, &r->shell.body));
    int k = r->shell.body, ncavity = c->body[k].boundary.ncavity;
    const lithe_body_def *body_def = c->body[k].def;
    if (!d->cavity) {
        if (ncavity > 1)
            return compile_fail(
                c, d->place,
                "body '%s' has %d cavities: name one under its cavities, and say which "
                "one '%s' fills",
                body_def->name, ncavity, d->name);
        return pick_number(c, k, d->place, 1, &r->shell);
    }
    const lithe_cavity_def *cavity = find_cavity_def(body_def, d->cavity);
    if (!cavity)
        return unknown_cavity(c, d, body_def);
    if (cavity->pick == LITHE_CAVITY_GROUP)
        return take_group(c, k, cavity, &r->shell);
    if (cavity->pick == LITHE_CAVITY_INSIDE)
        return pick_inside(c, k, cavity, &r->shell);
    return pick_number(c, k, cavity->place, cavity->number, &r->shell);
}

static lithe_status compile_actuator(compiler *c, const lithe_actuator_def *d, row *r)
{
    r->kind = d->kind;
    r->name = arena_strdup(&c->model->memory, d->name);
    if (!r->name)
        return compile_no_memory(c);
    memcpy(r->effort_limit, d->effort_limit, sizeof r->effort_limit);
    memcpy(r->displacement_limit, d->displacement_limit, sizeof r->displacement_limit);
    r->command = d->command;
    r->value = d->value;
    if (d->kind == LITHE_CAVITY) {
        LITHE_TRY(compile_shell(c, d, r));
    } else {
        LITHE_TRY(compile_line(c, d, r));
        LITHE_TRY(check_segments(c, d, r));
    }
    return row_begin(r, c->model->X, &c->model->memory) == LITHE_OK ? LITHE_OK
                                                                    : compile_no_memory(c);
}

static lithe_status compile_effector(compiler *c, const lithe_effector_def *d, model_effector *e)
{
    int body_id;
    char what[LITHE_TEXT_MAX];
    if (!d->name || !d->name[0])
        return compile_fail(c, d->place, "an effector has no name");
    snprintf(what, sizeof what, "effector '%.200s'", d->name);
    e->name = arena_strdup(&c->model->memory, d->name);
    if (!e->name)
        return compile_no_memory(c);
    LITHE_TRY(compile_find_body(c, d->place, d->point.body, &body_id));
    return compile_embed(c, body_id, d->place, what, d->point.at, &e->point);
}

lithe_status compile_rows(compiler *c)
{
    lithe_model *m = c->model;
    m->nrow = c->def->nactuator;
    m->neffector = c->def->neffector;
    m->row = arena_new(&m->memory, m->nrow, row);
    m->row_adr = arena_new(&m->memory, m->nrow + 1, int);
    m->effector = arena_new(&m->memory, m->neffector, model_effector);
    if (!m->row || !m->row_adr || !m->effector)
        return compile_no_memory(c);
    for (int r = 0; r < m->nrow; r++) {
        LITHE_TRY(compile_actuator(c, &c->def->actuator[r], &m->row[r]));
        m->row_adr[r + 1] = m->row_adr[r] + m->row[r].nnode;
    }
    for (int e = 0; e < m->neffector; e++)
        LITHE_TRY(compile_effector(c, &c->def->effector[e], &m->effector[e]));
    return LITHE_OK;
}
