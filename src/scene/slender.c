#include "scene/slender.h"

#include "base/vec.h"
#include "element/beam.h"
#include "element/shell.h"
#include "mesh/normal.h"
#include "scene/tolerances.h"

#include <stdlib.h>
#include <string.h>

// What grows while parts are added to a body.
typedef struct growth {
    compiler *c;
    compile_body *part;
    mesh *m;         // the body's mesh with everything in it
    double size;     // of the body, m
    int most;        // room for nodes
    bool *rotates;   // (most)
    int owner_first; // nodes from here on are of the part that is being added
} growth;

static double size_of(const double *X, int n)
{
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * n; i++) {
        lower[i % 3] = fmin(lower[i % 3], X[i]);
        upper[i % 3] = fmax(upper[i % 3], X[i]);
    }
    return n > 0 ? vec_distance(lower, upper) : 0;
}

// A node that rotates: one of another rod or shell in the same position, or a new one.
static int add_node(growth *g, const double at[3])
{
    double *X = g->part->X;
    for (int i = 0; i < g->owner_first; i++)
        if (g->rotates[i] && vec_distance(&X[3 * i], at) <= SCENE_WELDED * g->size)
            return i;
    int node = g->m->nnode++;
    g->m->nslender++;
    memcpy(&X[3 * node], at, 3 * sizeof *X);
    g->rotates[node] = true;
    return node;
}

static lithe_status add_group(growth *g, const char *name, int dim, int n, const int *member)
{
    int *copy = arena_new(&g->c->scratch, n, int);
    if (!copy)
        return compile_no_memory(g->c);
    memcpy(copy, member, (size_t)n * sizeof *copy);
    g->m->group[g->m->ngroup++] = (mesh_group){name, dim, n, copy};
    return LITHE_OK;
}

static int ascending(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static section section_of(const lithe_rod_def *rod, double share)
{
    double scale = 1 + (rod->taper - 1) * share;
    return (section){(section_kind)rod->section, {scale * rod->size[0], scale * rod->size[1]}};
}

// The world axis that stays farthest from the rod's direction.
static void pick_axis(const lithe_rod_def *rod, const double *point, double axis[3])
{
    double best = -1;
    memcpy(axis, rod->axis, 3 * sizeof *axis);
    if (vec_norm(axis) > 0)
        return;
    for (int k = 2; k >= 0; k--) {
        double worst = 0, unit[3] = {k == 0, k == 1, k == 2};
        for (int e = 0; e < rod->elements; e++) {
            double d[3];
            vec_sub(d, &point[3 * (e + 1)], &point[3 * e]);
            worst = fmax(worst, fabs(d[k]) / vec_norm(d));
        }
        if (1 - worst > best + SCENE_FARTHER_AXIS) {
            best = 1 - worst;
            memcpy(axis, unit, sizeof unit);
        }
    }
}

static lithe_status check_rod(const compiler *c, const lithe_rod_def *rod)
{
    const double *s = rod->size;
    bool good = s[0] > 0 && isfinite(s[0]);
    if (rod->section == LITHE_TUBE)
        good = good && s[1] >= 0 && s[1] < s[0];
    if (rod->section == LITHE_RECTANGLE)
        good = good && s[1] > 0 && isfinite(s[1]);
    if (!good)
        return compile_fail(
            c, rod->location,
            "rod '%s': its section has sizes %g and %g m; they must be above 0, and "
            "a tube's inner radius below its outer one",
            rod->name, s[0], s[1]);
    if (!(rod->taper > 0) || !isfinite(rod->taper))
        return compile_fail(c, rod->location, "rod '%s': its taper is %g; it must be above 0",
                            rod->name, rod->taper);
    return LITHE_OK;
}

static lithe_status add_rod(growth *g, const lithe_rod_def *rod)
{
    compiler *c = g->c;
    struct slender *s = g->part->slender;
    double *point = arena_new(&c->scratch, 3 * (size_t)(rod->elements + 1), double);
    double *share = arena_new(&c->scratch, (size_t)rod->elements + 1, double), axis[3];
    int *node = arena_new(&c->scratch, (size_t)rod->elements + 1, int), material;
    if (!point || !share || !node)
        return compile_no_memory(c);
    LITHE_TRY(check_rod(c, rod));
    LITHE_TRY(slender_run(c, rod, point, share));
    LITHE_TRY(compile_find_material(
        c, rod->location, rod->material ? rod->material : g->part->def->material, &material));
    g->owner_first = g->m->nnode;
    pick_axis(rod, point, axis);
    for (int k = 0; k <= rod->elements; k++)
        node[k] = add_node(g, &point[3 * k]);
    for (int e = 0; e < rod->elements; e++) {
        slender_beam *b = &s->beam[s->nbeam++];
        *b = (slender_beam){{node[e], node[e + 1]},
                            material,
                            {section_of(rod, share[e]), section_of(rod, share[e + 1])},
                            {axis[0], axis[1], axis[2]}};
    }
    qsort(node, (size_t)rod->elements + 1, sizeof *node, ascending);
    return add_group(g, rod->name, 0, rod->elements + 1, node);
}

bool slender_has_volumes(const lithe_body_def *d)
{
    return d->mesh || d->mesh_file || d->solid;
}

// Triangle t of the body's own mesh or of another one becomes part of a shell.
static void add_triangle(growth *g, const lithe_shell_def *shell, int material, bool inside,
                         const int node[3])
{
    struct slender *s = g->part->slender;
    slender_triangle *t = &s->triangle[s->ntriangle++];
    *t = (slender_triangle){{node[0], node[1], node[2]}, material, shell->thickness, inside};
    for (int a = 0; a < 3; a++)
        g->rotates[node[a]] = true;
}

// Triangles that the body's mesh has.
static lithe_status add_own(growth *g, const lithe_shell_def *shell, int material)
{
    const mesh *m = g->part->mesh;
    const mesh_group *group = shell->group ? mesh_find_group(m, shell->group, 2) : NULL;
    int n = group ? group->nmember : m->ntri, *member = arena_new(&g->c->scratch, n, int);
    if (shell->group && !group)
        return compile_fail(g->c, shell->location,
                            "shell '%s': the body's mesh has no group of triangles '%s'",
                            shell->name, shell->group);
    if (n == 0)
        return compile_fail(g->c, shell->location,
                            "shell '%s': the body's mesh has no triangles; give the shell a mesh",
                            shell->name);
    if (!member)
        return compile_no_memory(g->c);
    for (int i = 0; i < n; i++) {
        member[i] = group ? group->member[i] : i;
        add_triangle(g, shell, material, false, &m->tri[3 * member[i]]);
    }
    return add_group(g, shell->name, 2, n, member);
}

// Triangles of a mesh of its own, placed as the body's.
static lithe_status add_other(growth *g, const lithe_shell_def *shell, const mesh *other,
                              int material)
{
    mesh *m = g->m;
    bool inside = shell->glued && slender_has_volumes(g->part->def);
    int *node = arena_new(&g->c->scratch, other->nnode, int);
    int *member = arena_new(&g->c->scratch, other->ntri, int);
    if (!node || !member)
        return compile_no_memory(g->c);
    if (other->ntri == 0)
        return compile_fail(g->c, shell->location, "shell '%s': its mesh has no triangles",
                            shell->name);
    g->owner_first = m->nnode;
    for (int i = 0; i < other->nnode; i++)
        node[i] = -1;
    for (int t = 0; t < other->ntri; t++) {
        int corner[3];
        for (int a = 0; a < 3; a++) {
            int i = other->tri[3 * t + a];
            double at[3];
            compile_transform(g->part->def, &other->x[3 * i], at);
            if (node[i] < 0)
                node[i] = add_node(g, at);
            corner[a] = m->tri[3 * m->ntri + a] = node[i];
        }
        member[t] = m->ntri++;
        add_triangle(g, shell, material, inside, corner);
    }
    return add_group(g, shell->name, 2, other->ntri, member);
}

static lithe_status add_shell(growth *g, int k)
{
    const lithe_shell_def *shell = &g->part->def->shell[k];
    int material;
    if (!(shell->thickness > 0) || !isfinite(shell->thickness))
        return compile_fail(g->c, shell->location,
                            "shell '%s': its thickness is %g m; it must be above 0", shell->name,
                            shell->thickness);
    LITHE_TRY(compile_find_material(g->c, shell->location,
                                    shell->material ? shell->material : g->part->def->material,
                                    &material));
    const mesh *other = g->part->shell_mesh[k];
    return other ? add_other(g, shell, other, material) : add_own(g, shell, material);
}

static lithe_status read_shell_meshes(compiler *c, compile_body *part)
{
    int n = part->def->nshell;
    part->shell_mesh = arena_new(&c->scratch, n, const lithe_mesh *);
    part->shell_owned = arena_new(&c->scratch, n, lithe_mesh *);
    if (!part->shell_mesh || !part->shell_owned)
        return compile_no_memory(c);
    for (int k = 0; k < n; k++) {
        const lithe_shell_def *shell = &part->def->shell[k];
        part->shell_mesh[k] = shell->mesh;
        if (shell->mesh || !shell->mesh_file)
            continue;
        LITHE_TRY(lithe_mesh_read(shell->mesh_file, &part->shell_owned[k], c->report));
        part->shell_mesh[k] = part->shell_owned[k];
    }
    return LITHE_OK;
}

// Room for all that may come.
static lithe_status make_room(growth *g)
{
    compile_body *part = g->part;
    const lithe_body_def *d = part->def;
    const mesh *m = part->mesh;
    int most = m->nnode, beams = 0, triangles = 0, tris = m->ntri;
    for (int i = 0; i < d->nrod; i++) {
        if (d->rod[i].elements < 1 || d->rod[i].elements > 100000)
            return compile_fail(g->c, d->rod[i].location,
                                "rod '%s' has %d elements; it needs 1 to 100000", d->rod[i].name,
                                d->rod[i].elements);
        most += d->rod[i].elements + 1;
        beams += d->rod[i].elements;
    }
    for (int i = 0; i < d->nshell; i++) {
        const mesh *other = part->shell_mesh[i];
        most += other ? other->nnode : 0;
        tris += other ? other->ntri : 0;
        triangles += other ? other->ntri : m->ntri;
    }
    double *X = arena_new(&g->c->scratch, 6 * (size_t)most, double);
    mesh *all = g->m = arena_new(&g->c->scratch, 1, mesh);
    g->rotates = arena_new(&g->c->scratch, most, bool);
    part->slender = arena_new(&g->c->scratch, 1, struct slender);
    int *tri = arena_new(&g->c->scratch, 3 * (size_t)tris, int);
    mesh_group *group =
        arena_new(&g->c->scratch, (size_t)(m->ngroup + d->nrod + d->nshell), mesh_group);
    if (!X || !all || !g->rotates || !part->slender || !tri || !group)
        return compile_no_memory(g->c);
    part->slender->beam = arena_new(&g->c->scratch, beams, slender_beam);
    part->slender->triangle = arena_new(&g->c->scratch, triangles, slender_triangle);
    if (!part->slender->beam || !part->slender->triangle)
        return compile_no_memory(g->c);
    if (m->nnode > 0)
        memcpy(X, part->X, 3 * (size_t)m->nnode * sizeof *X);
    if (m->ntri > 0)
        memcpy(tri, m->tri, 3 * (size_t)m->ntri * sizeof *tri);
    if (m->ngroup > 0)
        memcpy(group, m->group, (size_t)m->ngroup * sizeof *group);
    *all = *m;
    all->memory = (arena){0};
    all->x = X;
    all->tri = tri;
    all->group = group;
    part->X = X;
    g->most = most;
    return LITHE_OK;
}

// Every position that rotates gets a rotation, after all positions.
static lithe_status number_rotations(growth *g)
{
    compile_body *part = g->part;
    int n = g->m->nnode;
    part->rotation = arena_new(&g->c->model->memory, n, int);
    if (!part->rotation)
        return compile_no_memory(g->c);
    part->nposition = n;
    part->nrotation = 0;
    for (int i = 0; i < n; i++)
        part->rotation[i] = g->rotates[i] ? n + part->nrotation++ : -1;
    for (int i = 3 * n; i < 3 * (n + part->nrotation); i++)
        part->X[i] = 0;
    return LITHE_OK;
}

// Shells' triangles that no element lies behind are boundary too, as pieces of their own.
static lithe_status extend_boundary(growth *g)
{
    mesh_boundary *b = &g->part->boundary;
    struct slender *s = g->part->slender;
    int extra = g->part->mesh->ntet == 0 ? s->ntriangle : g->m->ntri - g->part->mesh->ntri;
    s->nboundary = extra;
    if (extra == 0)
        return LITHE_OK;
    int n = b->ntri + extra, first = s->ntriangle - extra;
    int *tri = arena_new(&g->c->scratch, 3 * (size_t)n, int);
    int *tet = arena_new(&g->c->scratch, n, int), *piece = arena_new(&g->c->scratch, n, int);
    if (!tri || !tet || !piece)
        return compile_no_memory(g->c);
    for (int t = 0; t < n; t++) {
        const int *from = t < b->ntri ? &b->tri[3 * t] : s->triangle[first + t - b->ntri].node;
        memcpy(&tri[3 * t], from, 3 * sizeof *tri);
        tet[t] = t < b->ntri ? b->tet[t] : -1;
        piece[t] = t < b->ntri ? b->piece[t] : b->npiece;
    }
    b->tri = tri;
    b->tet = tet;
    b->piece = piece;
    b->ntri = n;
    b->npiece++;
    return LITHE_OK;
}

lithe_status slender_collect(compiler *c, compile_body *part)
{
    const lithe_body_def *d = part->def;
    growth g = {.c = c, .part = part};
    if (d->nrod + d->nshell == 0)
        return LITHE_OK;
    LITHE_TRY(read_shell_meshes(c, part));
    LITHE_TRY(make_room(&g));
    if (!g.m)
        return LITHE_NO_MEMORY;
    for (int i = 0; i < d->nrod; i++)
        g.size = fmax(g.size, size_of(d->rod[i].point, d->rod[i].npoint));
    g.size = fmax(g.size, size_of(part->X, part->mesh->nnode));
    // shells of the body's own mesh first: their triangles stand before those of other meshes
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < d->nshell; i++)
            if ((part->shell_mesh[i] != NULL) == pass)
                LITHE_TRY(add_shell(&g, i));
    for (int i = 0; i < d->nrod; i++)
        LITHE_TRY(add_rod(&g, &d->rod[i]));
    LITHE_TRY(extend_boundary(&g));
    LITHE_TRY(number_rotations(&g));
    part->mesh = g.m;
    return LITHE_OK;
}

int slender_nelement(const compile_body *part)
{
    return part->slender ? part->slender->nbeam + part->slender->ntriangle : 0;
}

int slender_material(const compile_body *part, int e)
{
    const struct slender *s = part->slender;
    return e < s->nbeam ? s->beam[e].material : s->triangle[e - s->nbeam].material;
}

static lithe_status build_beams(compiler *c, const compile_body *part, element_family *f)
{
    const struct slender *s = part->slender;
    const element_kind *kind = beam_kind(element_best_variant());
    if (family_create(f, kind, s->nbeam, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    f->profile = arena_new(&c->model->memory, 2 * (size_t)s->nbeam, section);
    f->inertia = arena_new(&c->model->memory, 9 * (size_t)s->nbeam, double);
    if (!f->profile || !f->inertia)
        return compile_no_memory(c);
    for (int e = 0; e < s->nbeam; e++) {
        const slender_beam *b = &s->beam[e];
        memcpy(&f->profile[2 * e], b->end, sizeof b->end);
        const law_material *m = &c->material[b->material];
        int node[BEAM_NODE] = {b->node[0], b->node[1], part->rotation[b->node[0]],
                               part->rotation[b->node[1]]};
        double length = vec_distance(&part->X[3 * node[0]], &part->X[3 * node[1]]);
        beam_stiffness k = beam_measure(&b->end[0], &b->end[1], length, m->young, m->poisson);
        if (!beam_set(f, e, node, part->X, b->axis, &k))
            return compile_fail(c, part->def->location,
                                "body '%s': a rod runs along the axis of its section near (%.4g, "
                                "%.4g, %.4g) m; give it another axis",
                                part->def->name, part->X[3 * node[0]], part->X[3 * node[0] + 1],
                                part->X[3 * node[0] + 2]);
    }
    return LITHE_OK;
}

// Of the surface that the shells' triangles stand for, at their corners.
static lithe_status find_normals(compiler *c, const compile_body *part, double *normal)
{
    const struct slender *s = part->slender;
    int *tri = arena_new(&c->scratch, 3 * (size_t)s->ntriangle, int);
    for (int i = 0; tri && i < 3 * s->ntriangle; i++)
        tri[i] = s->triangle[i / 3].node[i % 3];
    return tri ? normals_find(s->ntriangle, tri, part->X, normal) : LITHE_NO_MEMORY;
}

static lithe_status build_triangles(compiler *c, const compile_body *part, element_family *f)
{
    const struct slender *s = part->slender;
    const element_kind *kind = shell_kind(element_best_variant());
    double(*normal)[3][3] = arena_alloc(&c->scratch, (size_t)s->ntriangle, sizeof *normal);
    if (family_create(f, kind, s->ntriangle, &c->model->memory) != LITHE_OK || !normal ||
        find_normals(c, part, normal[0][0]) != LITHE_OK)
        return compile_no_memory(c);
    for (int e = 0; e < s->ntriangle; e++) {
        const slender_triangle *t = &s->triangle[e];
        const law_material *m = &c->material[t->material];
        int node[SHELL_NODE];
        for (int a = 0; a < 3; a++) {
            node[a] = t->node[a];
            node[3 + a] = part->rotation[t->node[a]];
        }
        if (!shell_set(f, e, node, part->X, (const double(*)[3])normal[e], t->thickness, m->young,
                       m->poisson))
            return compile_fail(c, part->def->location, "body '%s': triangle %d of a shell is flat",
                                part->def->name, e);
    }
    return LITHE_OK;
}

lithe_status slender_families(compiler *c, const compile_body *part, element_family *family, int *n)
{
    if (part->slender && part->slender->nbeam > 0)
        LITHE_TRY(build_beams(c, part, &family[(*n)++]));
    if (part->slender && part->slender->ntriangle > 0)
        LITHE_TRY(build_triangles(c, part, &family[(*n)++]));
    return LITHE_OK;
}

// cell: the nodes of an element at most, for what walks over a body's elements.
int slender_cell(const compile_body *part, int e, const int **node)
{
    const struct slender *s = part->slender;
    bool beam = e < s->nbeam;
    *node = beam ? s->beam[e].node : s->triangle[e - s->nbeam].node;
    return beam ? 2 : 3;
}
