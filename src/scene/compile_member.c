// Bodies of several meshes: their members become one mesh, in the world and in metres. The name of
// each is a group of its volumes, NAME.GROUP one of its mesh's groups. A rigid member is a rigid
// part whose mass and inertia are those of the rigid body that it would be by itself: its volumes,
// which have none, are there to be seen, selected and come into contact.
#include "base/memory.h"
#include "base/vec.h"
#include "mesh/select.h"
#include "scene/compile.h"
#include "scene/tolerances.h"

#include <stdio.h>
#include <string.h>

struct compile_member {
    const lithe_body_def *def;
    compile_body own; // what it would be by itself, as far as its nodes and volumes
    int first, nnode; // its nodes in the body's mesh
    int centre;       // of mass, of a rigid one: a node of the body; -1: it deforms
    double mass;      // of a rigid one, kg
};

static bool is_rigid(const compile_member *m)
{
    return m->def->shape != LITHE_SOFT;
}

int compile_find_member(const compile_body *part, const char *name)
{
    for (int i = 0; i < part->def->nmember && name; i++)
        if (strcmp(part->def->member[i].name, name) == 0)
            return i;
    return -1;
}

int compile_member_centre(const compile_body *part, int member)
{
    return part->member[member].centre;
}

int compile_member_frame(const compile_body *part, int member)
{
    int centre = compile_member_centre(part, member);
    return centre >= 0 ? part->owner[centre] : -1;
}

// ## what a body of members may have

static lithe_status check_body(const compiler *c, const lithe_body_def *d)
{
    if (d->mesh || d->mesh_file || d->solid || d->shape != LITHE_SOFT || d->nmode > 0)
        return compile_fail(c, d->location,
                            "body '%s' has members, so it has no mesh, modes or shape of its own; "
                            "make the mesh one of them",
                            d->name);
    if (d->mass > 0)
        return compile_fail(c, d->location,
                            "body '%s' has members: give rigid ones a mass, and the materials of "
                            "the others a density",
                            d->name);
    return LITHE_OK;
}

static lithe_status check_member(const compiler *c, const lithe_body_def *d, int i)
{
    const lithe_body_def *m = &d->member[i];
    if (!m->name || !m->name[0])
        return compile_fail(c, m->location, "body '%s' has a member without a name", d->name);
    if (compile_find_member(&(compile_body){.def = d}, m->name) != i)
        return compile_fail(c, m->location, "body '%s' has two members called '%s'", d->name,
                            m->name);
    for (int k = 0; k < d->nrigid; k++)
        if (m->shape != LITHE_SOFT && d->rigid[k].name && strcmp(d->rigid[k].name, m->name) == 0)
            return compile_fail(c, m->location,
                                "body '%s' has a rigid part and a rigid member called '%s'",
                                d->name, m->name);
    LITHE_TRY(compile_check_filled(c, m, "member"));
    if (m->nregion + m->nfix + m->nsurface + m->ncavity + m->nrod + m->nshell + m->nspring +
            m->nthread + m->nrigid + m->nmember + m->nmode >
        0)
        return compile_fail(c, m->location,
                            "member '%s': a member has a mesh or shape, a place and a material; "
                            "all else belongs to the body",
                            m->name);
    if (!(m->mesh_unit > 0) || !isfinite(m->mesh_unit) || (m->shape == LITHE_SOFT && m->mass != 0))
        return compile_fail(c, m->location,
                            "member '%s': its unit must be above 0, and only rigid ones have a "
                            "mass of their own",
                            m->name);
    for (int axis = 0; axis < 3; axis++)
        if (!isfinite(m->rotate[axis]) || !isfinite(m->move[axis]))
            return compile_fail(c, m->location,
                                "member '%s' is placed at something that is not a number", m->name);
    return LITHE_OK;
}

// Members are placed in the body, and the body in the world. The definitions are our own copies.
static void transform_members(lithe_body_def *d)
{
    double R[9], own[9], both[9];
    bool rotated = d->rotate[0] != 0 || d->rotate[1] != 0 || d->rotate[2] != 0;
    mat_from_angles(R, d->rotate);
    for (int i = 0; i < d->nmember; i++) {
        lithe_body_def *m = (lithe_body_def *)&d->member[i];
        mat_from_angles(own, m->rotate);
        mat_mul(both, R, own);
        if (rotated)
            mat_to_angles(both, m->rotate);
        mat_apply(m->move, R, m->move);
        vec_axpy(m->move, 1, d->move);
    }
    memset(d->rotate, 0, sizeof d->rotate);
    memset(d->move, 0, sizeof d->move);
}

// ## one member

static lithe_status read_member(compiler *c, compile_member *m)
{
    static const lithe_mesh none = {0};
    lithe_body_def cut = *m->def; // rigid members are tetrahedra, and all are of one kind
    cut.element = LITHE_TET10;
    m->own.mesh = m->def->mesh;
    if (!m->own.mesh) {
        LITHE_TRY(compile_make_mesh(c, &cut, &m->own.owned));
        m->own.mesh = m->own.owned;
    }
    if (!m->own.mesh)
        m->own.mesh = &none;
    if (!is_rigid(m) && m->own.mesh->ntet == 0 && mesh_find_other(m->own.mesh) == MESH_NKIND)
        return compile_fail(c, m->def->location,
                            "member '%s' has no volumes; give it a mesh of them, or make it a "
                            "rigid_body",
                            m->def->name);
    return LITHE_OK;
}

static lithe_status transform_member(compiler *c, compile_member *m)
{
    compile_body *own = &m->own;
    own->X = arena_new(&c->scratch, 3 * (size_t)own->mesh->nnode + 3, double);
    if (!own->X)
        return compile_no_memory(c);
    for (int i = 0; i < own->mesh->nnode; i++)
        compile_transform(m->def, &own->mesh->x[3 * (size_t)i], &own->X[3 * (size_t)i]);
    return LITHE_OK;
}

// A closed surface as tetrahedra around the centre of mass, which must see all of it.
static lithe_status fill_skin(compiler *c, compile_member *m, int *ntet, int **tet)
{
    const mesh_boundary *skin = &m->own.boundary;
    int centre = m->own.rigid->centre;
    const double *X = m->own.X;
    double whole = m->own.rigid->volume;
    *ntet = skin->ntri;
    *tet = arena_new(&c->scratch, 4 * (size_t)skin->ntri + 1, int);
    if (!*tet)
        return compile_no_memory(c);
    for (int t = 0; t < skin->ntri; t++) {
        const int *tri = &skin->tri[3 * (size_t)t];
        double x[3][3];
        for (int i = 0; i < 3; i++)
            vec_sub(x[i], &X[3 * (size_t)tri[i]], &X[3 * (size_t)centre]);
        if (!(vec_triple(x[0], x[1], x[2]) / 6 > SCENE_MOMENT * whole / skin->ntri))
            return compile_fail(c, m->def->location,
                                "rigid member '%s': its surface cannot all be seen from its centre "
                                "of mass, so it must be given as volumes; fill it by lithe mesh",
                                m->def->name);
        memcpy(&(*tet)[4 * (size_t)t], (int[]){centre, tri[0], tri[1], tri[2]}, 4 * sizeof **tet);
    }
    return LITHE_OK;
}

// As the rigid body that it would be: nodes of its mesh, one at its centre of mass, tetrahedra.
static lithe_status make_rigid(compiler *c, compile_member *m)
{
    lithe_body_def *linear = arena_new(&c->scratch, 1, lithe_body_def);
    if (!linear)
        return compile_no_memory(c);
    *linear = *m->def;
    linear->element = LITHE_AS_MESHED;
    m->own.def = linear;
    LITHE_TRY(compile_rigid_mesh(c, &m->own));
    if (skeleton_create(m->own.mesh, SKELETON_LINEAR, &m->own.skeleton) != LITHE_OK)
        return compile_no_memory(c);
    m->own.mesh = m->own.skeleton.mesh;
    LITHE_TRY(transform_member(c, m));
    LITHE_TRY(compile_rigid_skin(c, &m->own));
    LITHE_TRY(compile_rigid_locate(c, &m->own));
    int id = -1;
    if (m->def->material)
        LITHE_TRY(compile_find_material(c, m->def->location, m->def->material, &id));
    double density = id >= 0 ? c->material[id].density : 0;
    m->mass = m->def->mass > 0 ? m->def->mass : density * m->own.rigid->volume;
    if (!(m->mass > 0) && c->def->dynamics.scheme != LITHE_STATIC)
        return compile_fail(c, m->def->location,
                            "rigid member '%s' has no mass, and what moves needs one: give it a "
                            "mass, or a material with a density",
                            m->def->name);
    m->nnode = m->own.rigid->centre + 1;
    return LITHE_OK;
}

static lithe_status make_member(compiler *c, compile_member *m)
{
    m->centre = -1;
    m->own.def = m->def;
    LITHE_TRY(read_member(c, m));
    if (is_rigid(m))
        return make_rigid(c, m);
    LITHE_TRY(transform_member(c, m));
    m->nnode = m->own.mesh->nnode;
    return LITHE_OK;
}

// ## all of them as one mesh

typedef struct member_volumes { // of one member: tetrahedra, and what else its mesh has
    int ntet;
    const int *tet;
    const mesh *from;
} member_volumes;

static lithe_status volumes_of(compiler *c, compile_member *m, member_volumes *out)
{
    *out = (member_volumes){m->own.mesh->ntet, m->own.mesh->tet, m->own.mesh};
    if (!is_rigid(m) || out->ntet > 0)
        return LITHE_OK;
    int *tet = NULL;
    LITHE_TRY(fill_skin(c, m, &out->ntet, &tet));
    out->tet = tet;
    return LITHE_OK;
}

static void append(int *to, int *n, int count, const int *from, int width, int shift)
{
    for (int i = 0; i < count * width; i++)
        to[*n * width + i] = from[i] + shift;
    *n += count;
}

static bool allocate(const compile_body *part, const member_volumes *volumes, lithe_mesh *m)
{
    size_t ntet = 0, ntri = 0, nother[MESH_NKIND] = {0}, ngroup = 0, nnode = 0;
    bool all = true;
    for (int i = 0; i < part->def->nmember; i++) {
        const mesh *from = volumes[i].from;
        nnode += (size_t)part->member[i].nnode;
        ntet += (size_t)volumes[i].ntet;
        ntri += (size_t)from->ntri;
        ngroup += 1 + (size_t)from->ngroup;
        for (int k = 0; k < MESH_NKIND && !is_rigid(&part->member[i]); k++)
            nother[k] += (size_t)from->other[k].n;
    }
    if (nnode > MESH_MAX_COUNT || ntet > MESH_MAX_COUNT || ntri > MESH_MAX_COUNT)
        return false;
    m->x = arena_new(&m->memory, 3 * nnode, double);
    m->tet = arena_new(&m->memory, 4 * ntet, int);
    m->tri = arena_new(&m->memory, 3 * ntri, int);
    m->group = arena_new(&m->memory, ngroup, mesh_group);
    for (int k = 0; k < MESH_NKIND; k++) {
        size_t width = (size_t)mesh_kind_width((mesh_kind)k);
        m->other[k].node = arena_new(&m->memory, width * nother[k], int);
        all = all && m->other[k].node;
    }
    return all && m->x && m->tet && m->tri && m->group;
}

// Where volumes of a member stand among all: its tetrahedra, then those of each kind.
typedef struct volume_start {
    int tet, tri, other[MESH_NKIND];
} volume_start;

static int volume_number(const mesh *all, const member_volumes *from, const volume_start *start,
                         int volume)
{
    if (volume < from->ntet)
        return start->tet + volume;
    int number = all->ntet, k = 0;
    for (volume -= from->ntet; volume >= from->from->other[k].n; k++) {
        volume -= from->from->other[k].n;
        number += all->other[k].n;
    }
    return number + start->other[k] + volume;
}

static lithe_status add_group(lithe_mesh *m, const char *member, const char *name, int dim, int n,
                              int **out)
{
    mesh_group *group = &m->group[m->ngroup++];
    size_t length = strlen(member) + (name ? strlen(name) + 1 : 0) + 1;
    char *text = arena_new(&m->memory, length, char);
    int *list = arena_new(&m->memory, n, int);
    if (!text || !list)
        return LITHE_NO_MEMORY;
    snprintf(text, length, "%s%s%s", member, name ? "." : "", name ? name : "");
    *group = (mesh_group){.name = text, .dim = dim, .nmember = n, .member = list};
    *out = list;
    return LITHE_OK;
}

static lithe_status add_groups(lithe_mesh *m, const compile_member *member,
                               const member_volumes *from, const volume_start *start)
{
    int n = from->ntet, *list = NULL;
    for (int k = 0; k < MESH_NKIND && !is_rigid(member); k++)
        n += from->from->other[k].n;
    LITHE_TRY(add_group(m, member->def->name, NULL, 3, n, &list));
    for (int i = 0; i < n; i++)
        list[i] = volume_number(m, from, start, i);
    for (int g = 0; g < from->from->ngroup; g++) {
        const mesh_group *group = &from->from->group[g];
        LITHE_TRY(add_group(m, member->def->name, group->name, group->dim, group->nmember, &list));
        for (int i = 0; i < group->nmember; i++)
            list[i] = group->dim == 3   ? volume_number(m, from, start, group->member[i])
                      : group->dim == 2 ? start->tri + group->member[i]
                                        : member->first + group->member[i];
    }
    return LITHE_OK;
}

static lithe_status unite(compiler *c, compile_body *part, const member_volumes *volumes,
                          volume_start *start)
{
    lithe_mesh *m = part->owned = memory_alloc(sizeof *m);
    if (!m)
        return compile_no_memory(c);
    memset(m, 0, sizeof *m);
    if (!allocate(part, volumes, m))
        return compile_no_memory(c);
    for (int i = 0; i < part->def->nmember; i++) {
        compile_member *member = &part->member[i];
        const mesh *from = volumes[i].from;
        member->first = m->nnode;
        member->centre = is_rigid(member) ? m->nnode + member->own.rigid->centre : -1;
        start[i] = (volume_start){.tet = m->ntet, .tri = m->ntri};
        memcpy(&m->x[3 * (size_t)m->nnode], member->own.X,
               3 * (size_t)member->nnode * sizeof *m->x);
        append(m->tet, &m->ntet, volumes[i].ntet, volumes[i].tet, 4, m->nnode);
        append(m->tri, &m->ntri, from->ntri, from->tri, 3, m->nnode);
        for (int k = 0; k < MESH_NKIND && !is_rigid(member); k++) {
            start[i].other[k] = m->other[k].n;
            append(m->other[k].node, &m->other[k].n, from->other[k].n, from->other[k].node,
                   mesh_kind_width((mesh_kind)k), m->nnode);
        }
        m->nnode += member->nnode;
    }
    for (int i = 0; i < part->def->nmember; i++)
        if (add_groups(m, &part->member[i], &volumes[i], &start[i]) != LITHE_OK)
            return compile_no_memory(c);
    part->mesh = m;
    return LITHE_OK;
}

// Rigid members are rigid parts, behind those that the definition has.
static lithe_status name_rigid(compiler *c, compile_body *part)
{
    lithe_body_def *d = (lithe_body_def *)part->def; // our own copy
    lithe_rigid_def *rigid = arena_new(&c->scratch, d->nrigid + d->nmember, lithe_rigid_def);
    if (!rigid)
        return compile_no_memory(c);
    int n = 0;
    for (; n < d->nrigid; n++)
        rigid[n] = d->rigid[n];
    for (int i = 0; i < d->nmember; i++)
        if (is_rigid(&part->member[i])) {
            const lithe_body_def *member = &d->member[i];
            rigid[n] = lithe_rigid_def_default();
            rigid[n].name = member->name;
            rigid[n].location = member->location;
            rigid[n++].where = (lithe_selection){.kind = LITHE_GROUP, .group = member->name};
        }
    d->nrigid = n;
    d->rigid = rigid;
    d->mesh_unit = 1;
    return LITHE_OK;
}

lithe_status compile_unite(compiler *c, compile_body *part)
{
    int n = part->def->nmember;
    member_volumes *volumes = arena_new(&c->scratch, n, member_volumes);
    volume_start *start = arena_new(&c->scratch, n, volume_start);
    part->member = arena_new(&c->scratch, n, compile_member);
    if (!volumes || !start || !part->member)
        return compile_no_memory(c);
    LITHE_TRY(check_body(c, part->def));
    for (int i = 0; i < n; i++) {
        part->member[i].def = &part->def->member[i];
        LITHE_TRY(check_member(c, part->def, i));
    }
    transform_members((lithe_body_def *)part->def);
    for (int i = 0; i < n; i++) {
        LITHE_TRY(make_member(c, &part->member[i]));
        LITHE_TRY(volumes_of(c, &part->member[i], &volumes[i]));
    }
    LITHE_TRY(unite(c, part, volumes, start));
    return name_rigid(c, part);
}

void compile_members_free(compile_body *part)
{
    for (int i = 0; part->member && i < part->def->nmember; i++) {
        compile_body *own = &part->member[i].own;
        skeleton_free(&own->skeleton);
        lithe_mesh_free(own->owned);
        lithe_mesh_free(own->padded);
    }
}

// The first node of a cell is one of the member's mesh, whatever nodes elements add behind all.
static bool has_cell(const compile_body *part, int member, int cell)
{
    const compile_member *m = &part->member[member];
    int node = part->skeleton.cell_node[part->skeleton.cell_adr[cell]];
    return node >= m->first && node < m->first + m->nnode;
}

lithe_status compile_member_nodes(compiler *c, const compile_body *part, int member, bool **in)
{
    const mesh_skeleton *cells = &part->skeleton;
    const compile_member *m = &part->member[member];
    *in = arena_new(&c->scratch, part->mesh->nnode, bool);
    if (!*in)
        return compile_no_memory(c);
    for (int i = 0; i < m->nnode; i++)
        (*in)[m->first + i] = true;
    for (int e = 0; e < cells->ncell; e++)
        for (int a = cells->cell_adr[e]; a < cells->cell_adr[e + 1] && has_cell(part, member, e);
             a++)
            (*in)[cells->cell_node[a]] = true;
    return LITHE_OK;
}

// The body's mesh with the tetrahedra of one member alone.
lithe_status compile_member_mesh(compiler *c, const compile_body *part, int member, mesh *out)
{
    const mesh *m = part->mesh;
    *out = *m;
    out->ntet = 0;
    out->tet = arena_new(&c->scratch, 4 * (size_t)m->ntet, int);
    if (!out->tet)
        return compile_no_memory(c);
    for (int e = 0; e < m->ntet; e++)
        if (has_cell(part, member, skeleton_cell_of(&part->skeleton, e)))
            memcpy(&out->tet[4 * (size_t)out->ntet++], &m->tet[4 * (size_t)e],
                   4 * sizeof *out->tet);
    return LITHE_OK;
}

// ## materials and masses

static lithe_status cells_of(compiler *c, const compile_body *part, int member, int *n, int **cell)
{
    lithe_selection where = {.kind = LITHE_GROUP, .group = part->def->member[member].name};
    *cell = arena_new(&c->scratch, part->skeleton.ncell, int);
    if (!*cell)
        return compile_no_memory(c);
    *n = select_cells(&part->skeleton, part->X, &where, *cell);
    return LITHE_OK;
}

// Its own, or the body's; of a rigid one, whose elements do nothing, any.
static const char *material_of(const lithe_body_def *d, int member)
{
    const char *name = d->member[member].material ? d->member[member].material : d->material;
    for (int i = 0; i < d->nmember && !name && d->member[member].shape != LITHE_SOFT; i++)
        name = d->member[i].material;
    return name;
}

lithe_status compile_member_materials(compiler *c, const compile_body *part, int *material)
{
    for (int i = 0; i < part->def->nmember; i++) {
        const lithe_body_def *member = &part->def->member[i];
        const char *name = material_of(part->def, i);
        int id = 0, n = 0, *cell = NULL;
        if (!name)
            return compile_fail(c, member->location,
                                "member '%s' needs a material, its own or its body's",
                                member->name);
        LITHE_TRY(compile_find_material(c, member->location, name, &id));
        LITHE_TRY(cells_of(c, part, i, &n, &cell));
        for (int e = 0; e < n; e++)
            material[cell[e]] = id;
    }
    return LITHE_OK;
}

lithe_status compile_member_density(compiler *c, const compile_body *part, double *density)
{
    for (int i = 0; part->member && i < part->def->nmember; i++) {
        int n = 0, *cell = NULL;
        if (!is_rigid(&part->member[i]))
            continue;
        LITHE_TRY(cells_of(c, part, i, &n, &cell));
        for (int e = 0; e < n; e++)
            density[part->element[cell[e]]] = 0;
    }
    return LITHE_OK;
}

// Mass at the centre, inertia at the frame's rotation, as of a rigid body.
lithe_status compile_member_mass(compiler *c, const compile_body *part, body *b)
{
    for (int i = 0; part->member && i < part->def->nmember; i++) {
        const compile_member *m = &part->member[i];
        if (!is_rigid(m))
            continue;
        if (!b->inertia &&
            !(b->inertia = arena_new(&c->model->memory, 9 * (size_t)b->nrotation, double)))
            return compile_no_memory(c);
        int rotation = compile_frame_node(part, compile_member_frame(part, i));
        b->mass[m->centre] += m->mass;
        b->weigh[m->centre] += m->mass;
        for (int k = 0; k < 9; k++)
            b->inertia[9 * (rotation - body_nposition(b)) + k] +=
                m->mass * m->own.rigid->inertia[k];
    }
    return LITHE_OK;
}
