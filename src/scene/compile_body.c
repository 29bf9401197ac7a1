// Bodies: meshes, transforms, materials, what is held.
#include "base/spelling.h"
#include "base/vec.h"
#include "lithe/mesh.h"
#include "mesh/compact.h"
#include "mesh/embed.h"
#include "mesh/select.h"
#include "scene/actuator_kind.h"
#include "scene/tolerances.h"
#include "step/need.h"

#include <string.h>

static lithe_status name_location(const compiler *c, const char *at, lithe_status status)
{
    if (status == LITHE_OK || !at || !c->report)
        return status;
    char text[LITHE_TEXT_MAX];
    memcpy(text, c->report->error, sizeof text);
    return LITHE_FAIL(c->report, status, "%.300s: %s", at, text);
}

lithe_status compile_read_mesh(const compiler *c, const char *at, const char *file,
                               lithe_mesh **out)
{
    return name_location(c, at, lithe_mesh_read(file, out, c->report));
}

lithe_status compile_make_mesh(const compiler *c, const lithe_body_def *d, lithe_mesh **out)
{
    return name_location(c, d->location, lithe_body_mesh(d, out, c->report));
}

static lithe_status read_mesh(compiler *c, compile_body *part)
{
    static const lithe_mesh none = {0};
    if (part->def->nmember > 0) {
        LITHE_TRY(compile_unite(c, part));
        return compile_cells(c, part);
    }
    part->mesh = part->def->mesh;
    if (!part->mesh) {
        LITHE_TRY(compile_make_mesh(c, part->def, &part->owned));
        part->mesh = part->owned;
    }
    if (!part->mesh)
        part->mesh = &none;
    if (compile_is_rigid(part))
        LITHE_TRY(compile_rigid_mesh(c, part));
    return compile_cells(c, part);
}

void compile_transform(const lithe_body_def *def, const double at[3], double out[3])
{
    double R[9], p[3];
    mat_from_angles(R, def->rotate);
    for (int axis = 0; axis < 3; axis++)
        p[axis] = def->mesh_unit * at[axis];
    mat_apply(out, R, p);
    vec_axpy(out, 1, def->move);
}

static lithe_status location(compiler *c, compile_body *part)
{
    const mesh *m = part->mesh;
    part->nposition = m->nnode;
    part->X = arena_new(&c->scratch, 3 * (size_t)m->nnode, double);
    if (!part->X)
        return compile_no_memory(c);
    for (int i = 0; i < m->nnode; i++)
        compile_transform(part->def, &m->x[3 * i], &part->X[3 * i]);
    if (compile_is_rigid(part)) {
        LITHE_TRY(compile_rigid_skin(c, part));
        return compile_rigid_locate(c, part);
    }
    LITHE_TRY(mesh_find_boundary(m, part->X, &c->scratch, &part->boundary, c->report));
    LITHE_TRY(slender_collect(c, part));
    return joints_collect(c, part);
}

static const char *selection_name(lithe_selection_kind kind)
{
    static const char *const name[] = {"all",     "box",          "sphere", "plane",  "group",
                                       "nearest", "oriented_box", "all_of", "any_of", "none_of"};
    return name[kind];
}

// A selection that selects nothing is a mistake, mostly of units or transform, so the message says
// where the body is.
static lithe_status empty(const compiler *c, const char *at, const compile_body *part,
                          const lithe_selection *where, const char *what, int count)
{
    if (count < 0) {
        nearest near = nearest_start(where->group ? where->group : "");
        for (int g = 0; g < part->mesh->ngroup; g++)
            nearest_offer(&near, part->mesh->group[g].name);
        for (int s = 0; s < part->def->nsurface; s++)
            nearest_offer(&near, part->def->surface[s].name);
        const char *meant = nearest_found(&near);
        return compile_fail(c, at, "body '%s' has no group or surface '%s' of that kind%s%s%s",
                            part->def->name, where->group ? where->group : "",
                            meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
    }
    double lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * part->mesh->nnode; i++) {
        lower[i % 3] = fmin(lower[i % 3], part->X[i]);
        upper[i % 3] = fmax(upper[i % 3], part->X[i]);
    }
    return compile_fail(
        c, at,
        "the %s selects no %s of body '%s', which reaches from (%.4g, %.4g, %.4g) to (%.4g, %.4g, "
        "%.4g) m: check units and place",
        selection_name(where->kind), what, part->def->name, lower[0], lower[1], lower[2], upper[0],
        upper[1], upper[2]);
}

// The material of every cell of the mesh. Regions override the body's own material, later ones
// earlier ones.
static lithe_status choose_materials(compiler *c, compile_body *part)
{
    int *id = part->material = arena_new(&c->scratch, part->skeleton.ncell, int);
    int ncell = part->skeleton.ncell, own = 0, *pick = arena_new(&c->scratch, ncell, int);
    if (!pick || !id)
        return compile_no_memory(c);
    part->material_id = -1;
    if (ncell > 0 && !part->member)
        LITHE_TRY(compile_find_material(c, part->def->location, part->def->material, &own));
    if (compile_is_rigid(part) && part->def->material)
        LITHE_TRY(
            compile_find_material(c, part->def->location, part->def->material, &part->material_id));
    for (int e = 0; e < ncell; e++)
        id[e] = own;
    if (part->member)
        LITHE_TRY(compile_member_materials(c, part, id));
    for (int r = 0; r < part->def->nregion; r++) {
        const lithe_region_def *region = &part->def->region[r];
        LITHE_TRY(compile_find_material(c, region->location, region->material, &own));
        int n = select_cells(&part->skeleton, part->X, &region->where, pick);
        if (n <= 0)
            return empty(c, region->location, part, &region->where, "element", n);
        for (int i = 0; i < n; i++)
            id[pick[i]] = own;
    }
    return LITHE_OK;
}

// Cells that are near each other one after the other, so that what they add to is near too.
static int *order_cells(compiler *c, const compile_body *part)
{
    const mesh_skeleton *cells = &part->skeleton;
    int *order = arena_new(&c->scratch, cells->ncell, int);
    double(*centroid)[3] = arena_alloc(&c->scratch, (size_t)cells->ncell, sizeof *centroid);
    if (!order || !centroid)
        return NULL;
    for (int e = 0; e < cells->ncell; e++) {
        int n = cells->cell_adr[e + 1] - cells->cell_adr[e];
        for (int a = 0; a < n; a++)
            vec_axpy(centroid[e], 1.0 / n, &part->X[3 * cells->cell_node[cells->cell_adr[e] + a]]);
    }
    compact_order(cells->ncell, (const double(*)[3])centroid, LANES, order);
    return order;
}

// Elements are numbered law after law, since a family has one law, those that cannot deform behind
// the others of it, and neighbours together within.
static lithe_status number_elements(compiler *c, int k)
{
    compile_body *part = &c->body[k];
    int ncell = part->skeleton.ncell, n = 0;
    const int *id = part->material;
    part->element = arena_new(&c->scratch, ncell, int);
    int more = slender_nelement(part) + joints_nelement(part) + average_nelement(part);
    if (compile_is_rigid(part)) {
        int *material = c->model->cell_material + c->model->body[k].element_adr;
        for (int t = 0; t < part->boundary.ntri; t++)
            material[t] = part->material_id >= 0 ? part->material_id : 0;
        return LITHE_OK;
    }
    part->stuff = arena_new(&c->scratch, ncell + more, const law_material *);
    part->still = arena_new(&c->scratch, ncell + more, bool);
    const int *compact = order_cells(c, part);
    if (!part->element || !part->stuff || !part->still || !compact)
        return compile_no_memory(c);
    for (int order = 0; order < 2 * LAW_KINDS; order++)
        for (int i = 0; i < ncell; i++) {
            int e = compact[i];
            const law_material *stuff = average_stuff(part, id[e], false);
            const mesh_skeleton *cells = &part->skeleton;
            bool still = compile_is_still(part, cells->cell_adr[e + 1] - cells->cell_adr[e],
                                          &cells->cell_node[cells->cell_adr[e]]);
            if ((int)stuff->law != order / 2 || still != (order % 2 == 1))
                continue;
            part->element[e] = n;
            part->stuff[n] = stuff;
            part->still[n] = still;
            c->model->cell_scaled[c->model->body[k].element_adr + n] = true;
            c->model->cell_material[c->model->body[k].element_adr + n++] = id[e];
        }
    for (int e = 0; e < more; e++) {
        int joint = e - slender_nelement(part), patch = joint - joints_nelement(part);
        int material = joint < 0   ? slender_material(part, e)
                       : patch < 0 ? joints_material(part, joint)
                                   : average_material(part, patch);
        part->stuff[n] = patch < 0 ? &c->material[material] : average_stuff(part, material, true);
        c->model->cell_scaled[c->model->body[k].element_adr + n] =
            joint < 0 || patch >= 0 || joints_follow_material(part, joint);
        c->model->cell_material[c->model->body[k].element_adr + n++] = material;
    }
    return LITHE_OK;
}

static const lithe_surface_def *find_surface_def(const compile_body *part, const char *name)
{
    for (int i = 0; name && i < part->def->nsurface; i++)
        if (strcmp(part->def->surface[i].name, name) == 0)
            return &part->def->surface[i];
    return NULL;
}

lithe_status compile_pick_surface(compiler *c, int body_id, const char *at, const char *name,
                                  int *n, int **pick)
{
    const compile_body *part = &c->body[body_id];
    const lithe_surface_def *d = find_surface_def(part, name);
    lithe_selection group = {.kind = LITHE_GROUP, .group = name};
    const lithe_selection *where = d ? &d->where : &group;
    *pick = arena_new(&c->scratch, part->boundary.ntri, int);
    if (!*pick)
        return compile_no_memory(c);
    *n = select_triangles(part->mesh, &part->boundary, part->X, where, *pick);
    return *n > 0 ? LITHE_OK
                  : empty(c, d && *n == 0 ? d->location : at, part, where, "boundary triangle", *n);
}

bool compile_has_surface(const compile_body *part, const char *name)
{
    return find_surface_def(part, name) || (name && mesh_find_group(part->mesh, name, 2));
}

lithe_status compile_find_surface(compiler *c, int body_id, const char *at, const char *name,
                                  int *ntri, int **tri)
{
    int *pick = NULL;
    LITHE_TRY(compile_pick_surface(c, body_id, at, name, ntri, &pick));
    *tri = arena_new(&c->scratch, 3 * (size_t)*ntri, int);
    if (!*tri)
        return compile_no_memory(c);
    for (int i = 0; i < *ntri; i++)
        memcpy(&(*tri)[3 * i], &c->body[body_id].boundary.tri[3 * pick[i]], 3 * sizeof(int));
    return LITHE_OK;
}

// Each corner of some triangles once, ascending.
static lithe_status corner_nodes(compiler *c, int nnode, int ntri, const int *tri, int *count,
                                 int **node)
{
    bool *used = arena_new(&c->scratch, nnode, bool);
    *node = arena_new(&c->scratch, nnode, int);
    if (!used || !*node)
        return compile_no_memory(c);
    for (int i = 0; i < 3 * ntri; i++)
        used[tri[i]] = true;
    *count = 0;
    for (int i = 0; i < nnode; i++)
        if (used[i])
            (*node)[(*count)++] = i;
    return LITHE_OK;
}

// A scene's surface serves as a group of nodes too.
lithe_status compile_find_nodes(compiler *c, int body_id, const char *at,
                                const lithe_selection *where, int *count, int **node)
{
    compile_body *part = &c->body[body_id];
    if (where->kind == LITHE_GROUP && find_surface_def(part, where->group)) {
        int ntri = 0, *tri = NULL;
        LITHE_TRY(compile_find_surface(c, body_id, at, where->group, &ntri, &tri));
        return corner_nodes(c, part->mesh->nnode, ntri, tri, count, node);
    }
    *node = arena_new(&c->scratch, part->mesh->nnode, int);
    if (!*node)
        return compile_no_memory(c);
    *count = select_nodes(part->mesh, part->X, where, *node);
    return *count > 0 ? LITHE_OK : empty(c, at, part, where, "node", *count);
}

lithe_status compile_find_elements(compiler *c, int body_id, const char *at,
                                   const lithe_selection *where, int *count, int **element)
{
    compile_body *part = &c->body[body_id];
    int ncell = part->skeleton.ncell, npatch = average_nelement(part);
    int patch = ncell + slender_nelement(part) + joints_nelement(part); // the first one
    bool *in = arena_new(&c->scratch, ncell, bool);
    *element = arena_new(&c->scratch, ncell + npatch, int);
    if (!*element || !in)
        return compile_no_memory(c);
    *count = select_cells(&part->skeleton, part->X, where, *element);
    if (*count <= 0)
        return empty(c, at, part, where, "element", *count);
    for (int i = 0; i < *count; i++) {
        in[(*element)[i]] = true;
        (*element)[i] = part->element[(*element)[i]];
    }
    for (int p = 0; p < npatch; p++)
        if (in[average_cell(part, p)])
            (*element)[(*count)++] = patch + p;
    return LITHE_OK;
}

// The rotation of a node; -1: it does not rotate.
static int rotation_of(const compile_body *part, int node)
{
    return part->rotation ? part->rotation[node] : -1;
}

// What a slider moves is held, by it, and does not rotate.
static lithe_status hold_sliders(compiler *c, int body_id)
{
    for (int a = 0; a < c->def->nactuator; a++) {
        const lithe_actuator_def *d = &c->def->actuator[a];
        int n = 0, *node = NULL, other;
        if (!actuator_kinds[d->kind]->holds)
            continue;
        LITHE_TRY(compile_find_body(c, d->location, d->body, &other));
        if (other != body_id)
            continue;
        LITHE_TRY(compile_find_nodes(c, body_id, d->location, &d->where, &n, &node));
        for (int i = 0; i < n; i++) {
            c->body[body_id].held[node[i]] = LITHE_XYZ;
            if (rotation_of(&c->body[body_id], node[i]) >= 0)
                c->body[body_id].held[rotation_of(&c->body[body_id], node[i])] = LITHE_XYZ;
        }
    }
    return LITHE_OK;
}

static void hold_node(compile_body *part, int node, int axes, const double at[3], int lead)
{
    for (int axis = 0; axis < 3; axis++)
        if (axes & (1 << axis)) {
            part->held[node] |= (unsigned char)(1 << axis);
            part->hold[3 * node + axis] = at[axis];
            part->lead[3 * node + axis] = lead;
        }
}

static lithe_status hold_nodes(compiler *c, int body_id)
{
    compile_body *part = &c->body[body_id];
    size_t nnode = (size_t)part->nposition + (size_t)part->nrotation;
    part->held = arena_new(&c->scratch, nnode, unsigned char);
    part->hold = arena_new(&c->scratch, 3 * nnode, double);
    part->lead = arena_new(&c->scratch, 3 * nnode, int);
    if (!part->held || !part->hold || !part->lead)
        return compile_no_memory(c);
    memset(part->lead, -1, 3 * nnode * sizeof *part->lead);
    for (int k = 0; k < part->def->nfix; k++) {
        const lithe_fix_def *fix = &part->def->fix[k];
        int n = 0, *node = NULL;
        LITHE_TRY(compile_find_nodes(c, body_id, fix->location, &fix->where, &n, &node));
        int rotations = fix->rotations != LITHE_AS_AXES ? fix->rotations
                        : fix->axes == LITHE_XYZ        ? LITHE_XYZ
                                                        : 0;
        bool rotated = fix->rotation[0] == 0 && fix->rotation[1] == 0 && fix->rotation[2] == 0;
        for (int i = 0; i < n; i++) {
            int rotation = part->owner && part->owner[node[i]] >= 0
                               ? compile_frame_node(part, part->owner[node[i]])
                               : rotation_of(part, node[i]);
            hold_node(part, node[i], fix->axes, fix->displacement, compile_is_led(fix) ? k : -1);
            if (rotation >= 0)
                hold_node(part, rotation, rotations, fix->rotation, -1);
            rotated = rotated || rotation >= 0;
        }
        if (!rotated)
            return compile_fail(c, fix->location,
                                "body '%s': a fix turns nodes of a solid, which do not turn by "
                                "themselves; make them a rigid part, or turn them by a servo",
                                part->def->name);
    }
    return hold_sliders(c, body_id);
}

// Nodes of no element have no stiffness: they stay where they are.
static lithe_status hold_orphans(compiler *c, compile_body *part)
{
    bool *used = arena_new(&c->scratch, part->mesh->nnode, bool);
    if (!used)
        return compile_no_memory(c);
    for (int i = 0; i < 4 * part->mesh->ntet; i++)
        used[part->mesh->tet[i]] = true;
    for (int e = 0; e < slender_nelement(part); e++) {
        const int *node;
        for (int a = slender_cell(part, e, &node) - 1; a >= 0; a--)
            used[node[a]] = true;
    }
    for (int i = 0; i < part->mesh->nnode; i++)
        if (!used[i] && !(part->owner && part->owner[i] >= 0))
            part->held[i] = LITHE_XYZ;
    return LITHE_OK;
}

static lithe_status copy_cavities(compiler *c, int k)
{
    const mesh_boundary *boundary = &c->body[k].boundary;
    double *volume = arena_new(&c->model->memory, boundary->ncavity, double);
    if (!volume)
        return compile_no_memory(c);
    memcpy(volume, boundary->volume, (size_t)boundary->ncavity * sizeof *volume);
    c->model->body[k].ncavity = boundary->ncavity;
    c->model->body[k].cavity_volume = volume;
    return LITHE_OK;
}

static lithe_status set_prony(compiler *c, const compile_body *part, body *b)
{
    lithe_status status = body_set_prony(b, b->nelement, part->stuff, &c->model->memory);
    if (status == LITHE_INVALID)
        return compile_fail(
            c, part->def->location,
            "body '%s': a rod, shell or spring cannot be of a material with a Prony "
            "series; give it one without",
            part->def->name);
    return status == LITHE_OK ? LITHE_OK : compile_no_memory(c);
}

// Modes move positions by adding, and nothing else moves them. Old factors serve nodal spaces
// alone.
static lithe_status check_space(const compiler *c, int k)
{
    const compile_body *part = &c->body[k];
    bool held = false;
    if (c->def->step.mode == LITHE_ASYNCHRONOUS &&
        (part->nframe + part->ntie > 0 || part->def->nmode > 0))
        return compile_fail(
            c, part->def->location,
            "body '%s' has rigid parts, attachments, servos or modes, and the mode asynchronous "
            "is for bodies without; use realtime or converged",
            part->def->name);
    for (int i = 0; i < 3 * part->nposition; i++)
        held = held || part->hold[i] != 0 || part->lead[i] >= 0;
    if (part->def->nmode > BODY_MODES_MAX)
        return compile_fail(c, part->def->location, "body '%s' has %d modes; give at most %d",
                            part->def->name, part->def->nmode, BODY_MODES_MAX);
    if (part->def->nmode <= 0 || (part->nrotation == 0 && !held && part->def->mode))
        return LITHE_OK;
    return compile_fail(
        c, part->def->location,
        "body '%s' moves by %d modes; then it can have no rods, shells, rigid parts, "
        "servos or displaced supports",
        part->def->name, part->def->nmode);
}

static lithe_status build_body(compiler *c, int k)
{
    compile_body *part = &c->body[k];
    body *b = &c->model->body[k];
    b->name = arena_strdup(&c->model->memory, part->def->name);
    if (!b->name)
        return compile_no_memory(c);
    LITHE_TRY(compile_frames(c, k));
    LITHE_TRY(compile_attach(c, k));
    LITHE_TRY(number_elements(c, k));
    LITHE_TRY(hold_nodes(c, k));
    LITHE_TRY(hold_orphans(c, part));
    LITHE_TRY(compile_carried(c, k));
    LITHE_TRY(check_space(c, k));
    enum { MOST_FAMILIES = 2 * LAW_KINDS + 16 };
    element_family family[MOST_FAMILIES];
    int nfamily = 0;
    LITHE_TRY(compile_families(c, part, &nfamily, family));
    LITHE_TRY(slender_families(c, part, family, &nfamily));
    LITHE_TRY(joints_families(c, part, family, &nfamily));
    LITHE_TRY(average_families(c, part, family, &nfamily));
    LITHE_TRY(compile_rigid_family(c, part, family, &nfamily));
    b->nrotation = part->nrotation;
    b->rotation = part->rotation;
    if (body_begin(b, part->nposition + part->nrotation, part->X, part->held, part->hold, nfamily,
                   family, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    if (part->nframe + part->ntie > 0 && body_carry(b, part->nframe, part->frame, part->ntie,
                                                    part->tie, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    if (part->def->nmode > 0 &&
        body_set_modes(b, part->def->nmode, part->def->mode, &c->model->memory) != LITHE_OK)
        return compile_no_memory(c);
    LITHE_TRY(compile_quality(c, part, b));
    if (compile_is_rigid(part))
        return compile_rigid_mass(c, part, b);
    LITHE_TRY(set_prony(c, part, b));
    LITHE_TRY(compile_mass(c, part, b));
    return copy_cavities(c, k);
}

lithe_status compile_bodies(compiler *c)
{
    lithe_model *m = c->model;
    LITHE_TRY(compile_materials(c));
    for (int k = 0; k < m->nbody; k++) {
        c->body[k].def = &c->def->body[k];
        LITHE_TRY(compile_fibres(c, &c->body[k]));
        LITHE_TRY(read_mesh(c, &c->body[k]));
        double sure, all = compile_need(c, &sure);
        LITHE_TRY(need_check(sure, all, c->report));
        LITHE_TRY(location(c, &c->body[k]));
        LITHE_TRY(choose_materials(c, &c->body[k]));
        LITHE_TRY(average_collect(c, &c->body[k]));
        m->body[k].element_adr = m->nelement;
        m->nelement += c->body[k].skeleton.ncell + slender_nelement(&c->body[k]) +
                       joints_nelement(&c->body[k]) + average_nelement(&c->body[k]);
        if (compile_is_rigid(&c->body[k]))
            m->nelement += c->body[k].boundary.ntri;
    }
    m->cell_material = arena_new(&m->memory, m->nelement, int);
    m->cell_scaled = arena_new(&m->memory, m->nelement, bool);
    if (!m->cell_material || !m->cell_scaled)
        return compile_no_memory(c);
    for (int k = 0; k < m->nbody; k++)
        LITHE_TRY(build_body(c, k));
    return LITHE_OK;
}

lithe_status compile_embed(compiler *c, int body_id, const char *at, const char *what,
                           const double point[3], row_point *out)
{
    const double just_outside = 0.05; // of the body's size: further off, it is a mistake
    const double arm_reach = 0.2;     // … of a rod's or shell's, which carry points on arms
    const compile_body *part = &c->body[body_id];
    const body *b = &c->model->body[body_id];
    for (int i = 0; i < 3; i++)
        if (!isfinite(point[i]))
            return compile_fail(c, at, "%s: a point is not a number", what);
    if (compile_is_rigid(part)) { // which carries any point, on an arm
        *out = (row_point){.body = body_id, .nposition = 1, .nrotation = 1, .weight = {1}};
        out->node[0] = b->node_adr + part->rigid->centre;
        out->node[1] = b->node_adr + compile_frame_node(part, 0);
        vec_sub(out->arm[0], point, &b->X[3 * part->rigid->centre]);
        return LITHE_OK;
    }
    mesh_point embedded = {.outside = INFINITY};
    if (part->mesh->ntet > 0)
        embed_point(part->mesh, part->X, point, &embedded);
    double size = vec_distance(b->lower, b->upper);
    row_point slender;
    double aside = slender_embed(part, point, &slender);
    if (aside < embedded.outside && aside <= arm_reach * size) {
        *out = slender;
        out->body = body_id;
        for (int a = 0; a < out->nposition + out->nrotation; a++)
            out->node[a] += b->node_adr;
        return LITHE_OK;
    }
    embedded.outside = fmin(embedded.outside, aside);
    if (embedded.outside > just_outside * size)
        return compile_fail(
            c, at,
            "%s: the point (%.4g, %.4g, %.4g) m lies %.3g mm outside body '%s', which reaches from "
            "(%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g) m: check units and place",
            what, point[0], point[1], point[2], 1e3 * embedded.outside, b->name, b->lower[0],
            b->lower[1], b->lower[2], b->upper[0], b->upper[1], b->upper[2]);
    if (embedded.outside > SCENE_OUTSIDE * size)
        report_notice(
            c->report,
            "%s%s%s: the point (%.4g, %.4g, %.4g) m lies %.3g mm outside body '%s'; the nearest "
            "element carries it",
            at ? at : "", at ? ": " : "", what, point[0], point[1], point[2],
            1e3 * embedded.outside, b->name);
    *out = (row_point){.body = body_id};
    compile_carry(part, &embedded, point, out);
    for (int a = 0; a < out->nposition; a++)
        out->node[a] += b->node_adr;
    return LITHE_OK;
}
