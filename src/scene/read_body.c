// Bodies: their mesh and transform, and what selections pick from them.
#include "scene/reader.h"

#include "base/status.h"
#include "base/vec.h"

#include <string.h>

static lithe_status read_sphere(const reader *r, const tree_node *node, lithe_selection *where)
{
    LITHE_TRY(read_map(r, node, KEYS_SPHERE));
    LITHE_TRY(read_triple(r, node, KEYS_SPHERE, "center", where->a));
    return read_positive(r, node, KEYS_SPHERE, "radius", &where->radius);
}

static lithe_status read_plane(const reader *r, const tree_node *node, lithe_selection *where)
{
    LITHE_TRY(read_map(r, node, KEYS_PLANE));
    LITHE_TRY(read_triple(r, node, KEYS_PLANE, "point", where->a));
    LITHE_TRY(read_triple(r, node, KEYS_PLANE, "normal", where->b));
    if (where->b[0] == 0 && where->b[1] == 0 && where->b[2] == 0)
        return tree_fail(r->report, tree_find(node, "normal")->at,
                         "the normal must not be zero; write a direction such as [0, 0, 1]");
    return LITHE_OK;
}

lithe_status read_true(const reader *r, const tree_node *node, const char *expected)
{
    if (node->kind == TREE_TEXT && strcmp(node->text, "true") == 0)
        return LITHE_OK;
    return tree_fail(r->report, tree_value_location(node), "expected %s", expected);
}

static lithe_status read_oriented_box(const reader *r, const tree_node *node,
                                      lithe_selection *where)
{
    LITHE_TRY(read_map(r, node, KEYS_ORIENTED_BOX));
    LITHE_TRY(read_triple(r, node, KEYS_ORIENTED_BOX, "center", where->a));
    LITHE_TRY(read_triple(r, node, KEYS_ORIENTED_BOX, "size", where->b));
    for (int i = 0; i < 3; i++)
        if (!(where->b[i] > 0))
            return tree_fail(r->report, tree_find(node, "size")->at, "sizes must be above 0");
    return read_triple(r, node, KEYS_ORIENTED_BOX, "rotate", where->rotate);
}

static lithe_status read_part(const reader *r, const tree_node *map, int depth,
                              lithe_selection *where);

static lithe_status read_parts(const reader *r, const tree_node *node, int depth,
                               lithe_selection *where)
{
    if (node->kind != TREE_LIST || node->nchild == 0)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of selections, [{box: ...}, {group: ...}]");
    if (depth >= LITHE_SELECTION_DEPTH)
        return tree_fail(r->report, node->at, "selections are at most %d deep within each other",
                         LITHE_SELECTION_DEPTH);
    lithe_selection *part = read_alloc(r, node->nchild, sizeof *part);
    if (!part)
        return LITHE_NO_MEMORY;
    where->npart = node->nchild;
    where->part = part;
    for (const tree_node *c = node->child; c; c = c->next) {
        LITHE_TRY(read_map(r, c, KEYS_PARTS));
        LITHE_TRY(read_no_nearest(r, c, "a part of a selection"));
        LITHE_TRY(read_part(r, c, depth + 1, part++));
    }
    return LITHE_OK;
}

lithe_status read_selection(const reader *r, const tree_node *map, lithe_selection *where)
{
    return read_part(r, map, 0, where);
}

static lithe_status read_part(const reader *r, const tree_node *map, int depth,
                              lithe_selection *where)
{
    static const struct {
        const char *key;
        lithe_selection_kind kind;
    } made[] = {{"all_of", LITHE_ALL_OF}, {"any_of", LITHE_ANY_OF}, {"none_of", LITHE_NONE_OF}};
    const tree_node *node;
    *where = (lithe_selection){.kind = LITHE_ALL};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if ((node = tree_find(map, made[i].key))) {
            where->kind = made[i].kind;
            return read_parts(r, node, depth, where);
        }
    if ((node = tree_find(map, "oriented_box"))) {
        where->kind = LITHE_ORIENTED_BOX;
        return read_oriented_box(r, node, where);
    }
    if ((node = tree_find(map, "all")))
        return read_true(r, node,
                         "all: true; to select less, use box, sphere, plane, group or nearest "
                         "instead");
    if ((node = tree_find(map, "sphere"))) {
        where->kind = LITHE_SPHERE;
        return read_sphere(r, node, where);
    }
    if ((node = tree_find(map, "plane"))) {
        where->kind = LITHE_PLANE;
        return read_plane(r, node, where);
    }
    if (tree_find(map, "box")) {
        where->kind = LITHE_BOX;
        return read_corners(r, map, "box", where->a, where->b);
    }
    if (tree_find(map, "nearest")) {
        where->kind = LITHE_NEAREST;
        return read_triple(r, map, KEYS_SELECTION, "nearest", where->a);
    }
    where->kind = tree_find(map, "group") ? LITHE_GROUP : LITHE_ALL;
    return read_text(r, map, "group", &where->group);
}

lithe_status read_no_nearest(const reader *r, const tree_node *map, const char *what)
{
    const tree_node *node = tree_find(map, "nearest");
    if (!node)
        return LITHE_OK;
    return tree_fail(r->report, node->key_at,
                     "nearest picks a single node and cannot make %s; use box or sphere", what);
}

lithe_status read_axes(const reader *r, const tree_node *map, int *axes)
{
    static const char *const names[] = {"x", "y", "z"};
    const tree_node *node = tree_find(map, "axes");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST || node->nchild == 0)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of axes such as [x, z]");
    *axes = 0;
    for (const tree_node *c = node->child; c; c = c->next) {
        int axis = 0;
        LITHE_TRY(read_word_node(r, c, "axis", 3, names, &axis));
        if (*axes & (1 << axis))
            return tree_fail(r->report, c->at, "the axis %s is given twice; remove one",
                             names[axis]);
        *axes |= 1 << axis;
    }
    return LITHE_OK;
}

static lithe_status check_displacement(const reader *r, const tree_node *map,
                                       const lithe_fix_def *fix)
{
    for (int i = 0; i < 3; i++)
        if (fix->displacement[i] != 0 && !(fix->axes & (1 << i)))
            return tree_fail(r->report, tree_find(map, "displacement")->at,
                             "a displacement along %c, which axes leaves free; add %c to axes or "
                             "make it 0",
                             "xyz"[i], "xyz"[i]);
    return LITHE_OK;
}

static lithe_status read_fixed_rotations(const reader *r, const tree_node *node, lithe_fix_def *fix)
{
    bool rotations = fix->axes == LITHE_XYZ;
    LITHE_TRY(read_bool(r, node, "rotations", &rotations));
    LITHE_TRY(read_triple(r, node, KEYS_FIX, "rotation", fix->rotation));
    fix->rotations = rotations ? LITHE_XYZ : 0;
    if (!rotations && (fix->rotation[0] != 0 || fix->rotation[1] != 0 || fix->rotation[2] != 0))
        return tree_fail(
            r->report, tree_find(node, "rotation")->at,
            "a rotation of nodes whose rotations are free; add rotations: true or remove it");
    return LITHE_OK;
}

static lithe_status read_fix(const reader *r, const tree_node *node, lithe_fix_def *fix)
{
    *fix = lithe_fix_def_default();
    LITHE_TRY(read_map(r, node, KEYS_FIX));
    LITHE_TRY(read_location(r, node, &fix->location));
    LITHE_TRY(read_selection(r, node, &fix->where));
    LITHE_TRY(read_axes(r, node, &fix->axes));
    LITHE_TRY(read_triple(r, node, KEYS_FIX, "displacement", fix->displacement));
    LITHE_TRY(read_fixed_rotations(r, node, fix));
    LITHE_TRY(check_displacement(r, node, fix));
    return read_fix_play(r, node, fix);
}

static lithe_status read_fixes(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "fix");
    if (!node)
        return LITHE_OK;
    bool list = node->kind == TREE_LIST;
    int n = list ? node->nchild : 1;
    lithe_fix_def *fix = read_alloc(r, n, sizeof *fix);
    if (!fix)
        return LITHE_NO_MEMORY;
    body->nfix = n;
    body->fix = fix;
    if (!list)
        return read_fix(r, node, fix);
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_fix(r, c, fix++));
    return LITHE_OK;
}

static lithe_status read_regions(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "regions");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of regions: [{box: ..., material: NAME}]");
    lithe_region_def *region = read_alloc(r, node->nchild, sizeof *region);
    if (!region)
        return LITHE_NO_MEMORY;
    body->nregion = node->nchild;
    body->region = region;
    for (const tree_node *c = node->child; c; c = c->next, region++) {
        *region = lithe_region_def_default();
        LITHE_TRY(read_map(r, c, KEYS_REGION));
        LITHE_TRY(read_no_nearest(r, c, "a region"));
        LITHE_TRY(read_location(r, c, &region->location));
        LITHE_TRY(read_selection(r, c, &region->where));
        LITHE_TRY(read_material_name(r, c, &region->material));
    }
    return LITHE_OK;
}

static lithe_status read_surfaces(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "surfaces");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_named(r, node));
    lithe_surface_def *surface = read_alloc(r, node->nchild, sizeof *surface);
    if (!surface)
        return LITHE_NO_MEMORY;
    body->nsurface = node->nchild;
    body->surface = surface;
    for (const tree_node *c = node->child; c; c = c->next, surface++) {
        *surface = lithe_surface_def_default();
        surface->name = c->key;
        LITHE_TRY(read_map(r, c, KEYS_SURFACE));
        LITHE_TRY(read_no_nearest(r, c, "a surface"));
        LITHE_TRY(read_location(r, c, &surface->location));
        LITHE_TRY(read_selection(r, c, &surface->where));
    }
    return LITHE_OK;
}

static lithe_status read_inertia(const reader *r, const tree_node *node, lithe_body_def *body)
{
    const tree_node *inertia = tree_find(node, "inertia");
    LITHE_TRY(read_triple(r, node, KEYS_RIGID_BODY, "inertia", body->inertia));
    if (inertia && vec_norm(body->inertia) == 0)
        return tree_fail(r->report, tree_location(inertia),
                         "an inertia of 0 is that of no body: give its principal moments about the "
                         "centre of mass, or leave it out, for that of its volume");
    return read_triple(r, node, KEYS_RIGID_BODY, "products", body->products);
}

static lithe_status read_rigid(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "rigid");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_named(r, node));
    lithe_rigid_def *rigid = read_alloc(r, node->nchild, sizeof *rigid);
    if (!rigid)
        return LITHE_NO_MEMORY;
    body->nrigid = node->nchild;
    body->rigid = rigid;
    for (const tree_node *c = node->child; c; c = c->next, rigid++) {
        *rigid = lithe_rigid_def_default();
        rigid->name = c->key;
        LITHE_TRY(read_map(r, c, KEYS_RIGID));
        LITHE_TRY(read_no_nearest(r, c, "a rigid part"));
        LITHE_TRY(read_location(r, c, &rigid->location));
        LITHE_TRY(read_selection(r, c, &rigid->where));
    }
    return LITHE_OK;
}

static lithe_status read_length_of(const reader *r, const tree_node *map, const char *key,
                                   lithe_body_def *body)
{
    const tree_node *node = tree_find(map, key);
    LITHE_TRY(read_map(r, node, KEYS_RIGID_ROUND));
    LITHE_TRY(read_positive(r, node, KEYS_RIGID_ROUND, "radius", &body->size[0]));
    return read_positive(r, node, KEYS_RIGID_ROUND, "length", &body->size[1]);
}

lithe_status read_rigid_body(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "rigid_body");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_RIGID_BODY));
    if (tree_find(node, "mesh")) {
        body->shape = LITHE_RIGID_MESH;
        LITHE_TRY(read_true(r, tree_find(node, "mesh"), "mesh: true"));
    } else if (tree_find(node, "box")) {
        body->shape = LITHE_RIGID_BOX;
        LITHE_TRY(read_triple(r, node, KEYS_RIGID_BODY, "box", body->size));
    } else if (tree_find(node, "sphere")) {
        body->shape = LITHE_RIGID_SPHERE;
        LITHE_TRY(read_positive(r, node, KEYS_RIGID_BODY, "sphere", &body->size[0]));
    } else {
        bool flat = tree_find(node, "cylinder");
        body->shape = flat ? LITHE_RIGID_CYLINDER : LITHE_RIGID_CAPSULE;
        LITHE_TRY(read_length_of(r, node, flat ? "cylinder" : "capsule", body));
    }
    LITHE_TRY(read_triple(r, node, KEYS_RIGID_BODY, "center", body->centre));
    return read_inertia(r, node, body);
}

static lithe_status read_cavity(const reader *r, const tree_node *node, lithe_cavity_def *cavity)
{
    *cavity = lithe_cavity_def_default();
    cavity->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_BODY_CAVITY));
    LITHE_TRY(read_location(r, node, &cavity->location));
    cavity->pick = tree_find(node, "inside")  ? LITHE_CAVITY_INSIDE
                   : tree_find(node, "group") ? LITHE_CAVITY_GROUP
                                              : LITHE_CAVITY_NUMBER;
    LITHE_TRY(read_count(r, node, "number", &cavity->number));
    LITHE_TRY(read_triple(r, node, KEYS_BODY_CAVITY, "inside", cavity->inside));
    return read_text(r, node, "group", &cavity->group);
}

static lithe_status read_cavities(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "cavities");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_named(r, node));
    lithe_cavity_def *cavity = read_alloc(r, node->nchild, sizeof *cavity);
    if (!cavity)
        return LITHE_NO_MEMORY;
    body->ncavity = node->nchild;
    body->cavity = cavity;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_cavity(r, c, cavity++));
    return LITHE_OK;
}

lithe_status read_mesh_unit(const reader *r, const tree_node *map, keys_block block,
                            const char *file, double *mesh_unit)
{
    unit u = r->units.unit[QUANTITY_LENGTH];
    bool given;
    LITHE_TRY(read_unit(r, map, block, "mesh_unit", &u, &given));
    const tree_node *mesh = tree_find(map, file);
    if (mesh && !given && !r->units.declared[QUANTITY_LENGTH])
        return tree_fail(
            r->report, mesh->at,
            "nothing says the unit of the mesh's coordinates; add mesh_unit: mm to %s or declare "
            "units: {length: mm}",
            block == KEYS_BODY ? "the body" : "it");
    *mesh_unit = given || r->units.declared[QUANTITY_LENGTH] ? unit_to_si(&u, 1) : 1;
    return LITHE_OK;
}

lithe_status read_transform(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "place");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_TRANSFORM));
    LITHE_TRY(read_triple(r, node, KEYS_TRANSFORM, "rotate", body->rotate));
    return read_triple(r, node, KEYS_TRANSFORM, "move", body->move);
}

// What is filled with cells here.
lithe_status read_solid(const reader *r, const tree_node *map, keys_block block,
                        lithe_body_def *body)
{
    bool box = tree_find(map, "box"), ball = tree_find(map, "ball");
    const tree_node *cell = tree_find(map, "cell");
    bool solid = box || ball || tree_find(map, "cylinder");
    if (cell && ((!solid && !tree_find(map, "mesh")) || tree_find(map, "rigid_body")))
        return tree_fail(r->report, cell->key_at,
                         "a cell is for what is filled here: a soft box, ball or cylinder, or a "
                         "mesh file that is a closed surface");
    LITHE_TRY(read_positive(r, map, block, "cell", &body->cell));
    if (!solid)
        return LITHE_OK;
    body->mesh_unit = 1;
    body->solid = box ? LITHE_SOLID_BOX : ball ? LITHE_SOLID_BALL : LITHE_SOLID_CYLINDER;
    if (box)
        return read_triple(r, map, block, "box", body->size);
    return ball ? read_positive(r, map, block, "ball", &body->size[0])
                : read_length_of(r, map, "cylinder", body);
}

// One mesh alone makes a body, or a member.
lithe_status read_one_mesh(const reader *r, const tree_node *map, bool *found)
{
    static const char *const key[] = {"mesh", "box", "ball", "cylinder", "members"};
    const tree_node *first = NULL;
    for (size_t i = 0; i < sizeof key / sizeof *key; i++) {
        const tree_node *node = tree_find(map, key[i]);
        if (node && first)
            return tree_fail(r->report, node->key_at,
                             "there is '%s' already; several meshes in one body are its members",
                             first->key);
        first = node ? node : first;
    }
    *found = first;
    return LITHE_OK;
}

// A body is made of a mesh of some material, of rods and shells, or of all of these.
static lithe_status check_made(const reader *r, const tree_node *node)
{
    bool mesh = false, rods = tree_find(node, "rods");
    const keys_row *missing = NULL;
    LITHE_TRY(read_one_mesh(r, node, &mesh));
    if (tree_find(node, "rigid_body") || tree_find(node, "members"))
        return LITHE_OK;
    if (!mesh && !rods && !tree_find(node, "shells"))
        return tree_fail(r->report, tree_location(node),
                         "a body needs one of the keys 'mesh' (the mesh file), 'box', 'ball', "
                         "'cylinder', 'members', 'rods', 'shells' and 'rigid_body'");
    if (mesh && !tree_find(node, "shells") && !tree_find(node, "material"))
        missing = keys_find(KEYS_BODY, "material");
    if (!missing)
        return LITHE_OK;
    char text[KEYS_TYPE_TEXT_MAX];
    return tree_fail(r->report, tree_location(node), "a body needs the key '%s' (%s): %s",
                     missing->key, keys_type_text(missing, text), missing->meaning);
}

lithe_status read_body(const reader *r, const tree_node *node, lithe_body_def *body)
{
    static const char *const elements[] = {
        [LITHE_AS_MESHED] = "as-meshed",
        [LITHE_TET4] = "tet4",
        [LITHE_TET10] = "tet10",
        [LITHE_HEX8] = "hex8",
        [LITHE_TET4_AVERAGED] = "tet4-averaged",
    };
    int element = LITHE_AS_MESHED;
    *body = lithe_body_def_default();
    body->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_BODY));
    LITHE_TRY(read_location(r, node, &body->location));
    LITHE_TRY(check_made(r, node));
    if (tree_find(node, "mesh"))
        LITHE_TRY(read_file_name(r, node, "mesh", &body->mesh_file));
    LITHE_TRY(read_mesh_unit(r, node, KEYS_BODY, "mesh", &body->mesh_unit));
    LITHE_TRY(read_solid(r, node, KEYS_BODY, body));
    LITHE_TRY(read_transform(r, node, body));
    LITHE_TRY(read_word(r, node, "element", 5, elements, &element));
    body->element = (lithe_element)element;
    LITHE_TRY(read_material_name(r, node, &body->material));
    LITHE_TRY(read_positive(r, node, KEYS_BODY, "mass", &body->mass));
    LITHE_TRY(read_triple(r, node, KEYS_BODY, "velocity", body->velocity));
    LITHE_TRY(read_triple(r, node, KEYS_BODY, "spin", body->spin));
    LITHE_TRY(read_regions(r, node, body));
    LITHE_TRY(read_fixes(r, node, body));
    LITHE_TRY(read_rigid(r, node, body));
    LITHE_TRY(read_rigid_body(r, node, body));
    LITHE_TRY(read_waypath(r, node, &body->nwaypoint, &body->waypoint_time, &body->waypoint));
    LITHE_TRY(read_surfaces(r, node, body));
    LITHE_TRY(read_slender(r, node, body));
    LITHE_TRY(read_members(r, node, body));
    LITHE_TRY(read_cavities(r, node, body));
    return read_body_frame(r, node, body);
}
