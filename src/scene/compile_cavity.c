// Walls of cavities: by number, by a point inside, by a closed surface group.
#include "base/spelling.h"
#include "scene/compile.h"

#include <string.h>

static const lithe_cavity_def *find_cavity_def(const lithe_body_def *body_def, const char *name)
{
    for (int i = 0; i < body_def->ncavity; i++)
        if (strcmp(body_def->cavity[i].name, name) == 0)
            return &body_def->cavity[i];
    return NULL;
}

static lithe_status unknown_cavity(const compiler *c, const char *location, const char *name,
                                   const lithe_body_def *body_def)
{
    nearest near = nearest_start(name);
    for (int i = 0; i < body_def->ncavity; i++)
        nearest_offer(&near, body_def->cavity[i].name);
    const char *meant = nearest_found(&near);
    return compile_fail(c, location, "body '%s' has no cavity '%s'%s%s%s", body_def->name, name,
                        meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

// Some triangles of the boundary as the wall, with normals out of the cavity. flipped: the
// boundary's normals, which point out of the material, are to be flipped for that.
static lithe_status take(compiler *c, int body_id, int n, const int *pick, bool flipped,
                         row_shell *shell)
{
    const compile_body *part = &c->body[body_id];
    int adr = c->model->body[body_id].node_adr;
    shell->ntri = n;
    shell->tri = arena_new(&c->model->memory, 3 * (size_t)n, int);
    if (!shell->tri)
        return compile_no_memory(c);
    for (int i = 0; i < n; i++)
        compile_flip_triangle(&part->boundary.tri[3 * pick[i]], flipped, adr, &shell->tri[3 * i]);
    return compile_faces(c, part, n, pick, flipped, adr, &shell->face);
}

// One of the cavities that were found in the mesh.
static lithe_status take_piece(compiler *c, int body_id, int cavity, row_shell *shell)
{
    const mesh_boundary *boundary = &c->body[body_id].boundary;
    int n = 0, *pick = arena_new(&c->scratch, boundary->ntri, int);
    if (!pick)
        return compile_no_memory(c);
    for (int t = 0; t < boundary->ntri; t++)
        if (boundary->piece[t] == boundary->cavity[cavity])
            pick[n++] = t;
    return take(c, body_id, n, pick, true, shell);
}

// A surface group of the mesh, which must be closed.
static lithe_status take_group(compiler *c, int body_id, const lithe_cavity_def *d,
                               row_shell *shell)
{
    int ntri, *tri, n, *pick, edge[2];
    bool closed;
    LITHE_TRY(compile_find_surface(c, body_id, d->location, d->group, &ntri, &tri));
    LITHE_TRY(compile_pick_surface(c, body_id, d->location, d->group, &n, &pick));
    if (surface_is_closed(ntri, tri, &closed, edge) != LITHE_OK)
        return compile_no_memory(c);
    if (!closed)
        return compile_fail(
            c, d->location,
            "cavity '%s': the surface '%s' is not closed: its edge between nodes %d and "
            "%d has no triangle on one side",
            d->name, d->group, edge[0], edge[1]);
    return take(c, body_id, n, pick, surface_volume(ntri, tri, c->body[body_id].X) < 0, shell);
}

static lithe_status pick_inside(compiler *c, int body_id, const lithe_cavity_def *d,
                                row_shell *shell)
{
    const mesh_boundary *boundary = &c->body[body_id].boundary;
    for (int k = 0; k < boundary->ncavity; k++) {
        LITHE_TRY(take_piece(c, body_id, k, shell));
        if (surface_encloses(shell->ntri, shell->tri, c->model->X, d->inside))
            return LITHE_OK;
    }
    return compile_fail(c, d->location,
                        "cavity '%s': the point (%.4g, %.4g, %.4g) m is in none of the %d closed "
                        "cavities of body '%s'",
                        d->name, d->inside[0], d->inside[1], d->inside[2], boundary->ncavity,
                        c->body[body_id].def->name);
}

static lithe_status pick_number(compiler *c, int body_id, const char *location, int number,
                                row_shell *shell)
{
    int ncavity = c->body[body_id].boundary.ncavity;
    if (ncavity == 0)
        return compile_fail(
            c, location, "body '%s' has no closed cavity: no part of its boundary encloses a void",
            c->body[body_id].def->name);
    if (number < 1 || number > ncavity)
        return compile_fail(c, location, "there is no cavity number %d; body '%s' has %d", number,
                            c->body[body_id].def->name, ncavity);
    return take_piece(c, body_id, number - 1, shell);
}

lithe_status compile_shell(compiler *c, const char *location, const char *who,
                           const char *body_name, const char *cavity_name, row_shell *shell)
{
    LITHE_TRY(compile_find_body(c, location, body_name, &shell->body));
    int k = shell->body, ncavity = c->body[k].boundary.ncavity;
    const lithe_body_def *body_def = c->body[k].def;
    if (!cavity_name) {
        if (ncavity > 1)
            return compile_fail(c, location,
                                "body '%s' has %d cavities: name one under its cavities, and say "
                                "which one '%s' means",
                                body_def->name, ncavity, who);
        return pick_number(c, k, location, 1, shell);
    }
    const lithe_cavity_def *cavity = find_cavity_def(body_def, cavity_name);
    if (!cavity)
        return unknown_cavity(c, location, cavity_name, body_def);
    if (cavity->pick == LITHE_CAVITY_GROUP)
        return take_group(c, k, cavity, shell);
    if (cavity->pick == LITHE_CAVITY_INSIDE)
        return pick_inside(c, k, cavity, shell);
    return pick_number(c, k, cavity->location, cavity->number, shell);
}
