// A robot of rigid links from a URDF file: its links become bodies of the scene, its joints joints,
// as if they were written there, in the pose in which all its angles and travels are 0.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/status.h"
#include "base/vec.h"
#include "scene/xml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A frame in the world, or in another one: x -> R x + c.
typedef struct urdf_pose {
    double R[9], c[3];
} urdf_pose;

typedef struct urdf_link {
    const char *name;
    const xml_node *node;
    const xml_node *joint; // that carries it; NULL: the root
    int parent;            // link that the joint stands on; -1: none
    bool placed;
    urdf_pose pose; // in the world
} urdf_link;

typedef struct urdf {
    const reader *r;
    const char *name; // of the file, as the scene names it
    const tree_node *at;
    int nlink;
    urdf_link *link;
    tree_node *bodies, *joints;
} urdf;

static tree_mark mark_of(const urdf *u, const xml_node *node)
{
    return (tree_mark){u->name, node ? node->line : 1, node ? node->column : 1};
}

#define FAIL(u, node, ...) tree_fail((u)->r->report, mark_of((u), (node)), __VA_ARGS__)

static lithe_status no_memory(const urdf *u)
{
    return report_no_memory(u->r->report, "the scene");
}

// ## Numbers

// n of them in an attribute; left alone where it is absent.
static lithe_status read_numbers(const urdf *u, const xml_node *node, const char *name, int n,
                                 double *out)
{
    const char *text = xml_value(node, name);
    if (!text)
        return LITHE_OK;
    for (int i = 0; i < n; i++) {
        char *end;
        out[i] = strtod(text, &end);
        if (end == text || !isfinite(out[i]))
            return FAIL(u, node, "%s of <%s> must be %d number%s", name, node->name, n,
                        n > 1 ? "s" : "");
        text = end;
    }
    if (text[strspn(text, " \t\r\n")] != '\0')
        return FAIL(u, node, "%s of <%s> has more than %d number%s", name, node->name, n,
                    n > 1 ? "s" : "");
    return LITHE_OK;
}

static lithe_status need_number(const urdf *u, const xml_node *node, const char *name, double *out)
{
    if (!xml_value(node, name))
        return FAIL(u, node, "<%s> needs %s", node->name, name);
    return read_numbers(u, node, name, 1, out);
}

// ## Poses

static lithe_status read_origin(const urdf *u, const xml_node *of, urdf_pose *out)
{
    const xml_node *origin = xml_find(of, "origin");
    double angle[3] = {0};
    memset(out->c, 0, sizeof out->c);
    LITHE_TRY(read_numbers(u, origin, "xyz", 3, out->c));
    LITHE_TRY(read_numbers(u, origin, "rpy", 3, angle));
    mat_from_angles(out->R, angle);
    return LITHE_OK;
}

static urdf_pose after(const urdf_pose *outer, const urdf_pose *inner)
{
    urdf_pose p;
    mat_mul(p.R, outer->R, inner->R);
    mat_apply(p.c, outer->R, inner->c);
    vec_axpy(p.c, 1, outer->c);
    return p;
}

// ## Pieces of the scene

static tree_node *add(const urdf *u, tree_node *parent, tree_kind kind, const char *key,
                      const xml_node *from)
{
    tree_mark mark = mark_of(u, from);
    tree_node *node = parent ? tree_add(u->r->arena, kind, mark) : NULL;
    if (!node)
        return NULL;
    node->key = key;
    node->key_at = mark;
    tree_append(parent, node);
    return node;
}

static bool add_text(const urdf *u, tree_node *parent, const char *key, const char *text,
                     const xml_node *from)
{
    tree_node *node = text ? add(u, parent, TREE_TEXT, key, from) : NULL;
    if (node)
        node->text = text;
    return node;
}

static bool add_number(const urdf *u, tree_node *parent, const char *key, double value,
                       const char *in, const xml_node *from)
{
    return add_text(u, parent, key, arena_format(u->r->arena, "%.17g%s", value, in), from);
}

static bool add_list(const urdf *u, tree_node *parent, const char *key, int n, const double *value,
                     const char *in, const xml_node *from)
{
    tree_node *list = add(u, parent, TREE_LIST, key, from);
    bool ok = list;
    for (int i = 0; i < n; i++)
        ok = ok && add_number(u, list, NULL, value[i], in, from);
    return ok;
}

// ## Links

// What is not of a thing at all: a frame, as many files have them.
static bool is_bare(const urdf_link *l)
{
    return !xml_find(l->node, "inertial") && !xml_find(l->node, "collision");
}

// The link that a frame is fixed to; -1: the world.
static int carrier(const urdf *u, int link)
{
    while (link >= 0 && is_bare(&u->link[link]))
        link = u->link[link].parent;
    return link;
}

// A name of a mesh as the scene would have it: beside the URDF file, or in its package.
static const char *mesh_name(const urdf *u, const char *file)
{
    static const char package[] = "package://";
    const char *slash = strrchr(u->name, '/');
    int folder = slash ? (int)(slash - u->name) : 0;
    if (strncmp(file, "file://", 7) == 0)
        file += 7;
    if (strncmp(file, package, sizeof package - 1) == 0) {
        const char *rest = strchr(file + sizeof package - 1, '/');
        file = rest ? rest + 1 : file;
        const char *inner = folder > 0 ? u->name + folder : u->name;
        while (inner > u->name && inner[-1] != '/')
            inner--;
        bool apart = folder > 0 && u->name + folder - inner == 4 && strncmp(inner, "urdf", 4) == 0;
        return apart ? arena_format(u->r->arena, "%.*s%s", (int)(inner - u->name), u->name, file)
               : folder > 0 ? arena_format(u->r->arena, "%.*s/%s", folder, u->name, file)
                            : file;
    }
    return file[0] == '/' || folder == 0
               ? file
               : arena_format(u->r->arena, "%.*s/%s", folder, u->name, file);
}

static lithe_status add_mesh(const urdf *u, tree_node *body, tree_node *rigid, const xml_node *mesh)
{
    const char *file = xml_value(mesh, "filename");
    double scale[3] = {1, 1, 1};
    if (!file)
        return FAIL(u, mesh, "<mesh> needs filename");
    LITHE_TRY(read_numbers(u, mesh, "scale", 3, scale));
    bool metres = scale[0] == 1, millimetres = scale[0] == 1.0 / 1000;
    if (scale[0] != scale[1] || scale[0] != scale[2] || (!metres && !millimetres))
        return FAIL(u, mesh,
                    "the scale of a mesh may be 1 (metres) or 0.001 (millimetres) in all "
                    "directions; rescale '%s' itself",
                    QUOTE(file));
    bool ok = add_text(u, body, "mesh", mesh_name(u, file), mesh) &&
              add_text(u, body, "mesh_unit", metres ? "m" : "mm", mesh) &&
              add_text(u, rigid, "mesh", "true", mesh);
    return ok ? LITHE_OK : no_memory(u);
}

static lithe_status add_cylinder(const urdf *u, tree_node *rigid, const xml_node *cylinder)
{
    double radius = 0, length = 0;
    LITHE_TRY(need_number(u, cylinder, "radius", &radius));
    LITHE_TRY(need_number(u, cylinder, "length", &length));
    tree_node *map = add(u, rigid, TREE_MAP, "cylinder", cylinder);
    bool ok = map && add_number(u, map, "radius", radius, " m", cylinder) &&
              add_number(u, map, "length", length, " m", cylinder);
    return ok ? LITHE_OK : no_memory(u);
}

// The shape of a link, and the pose of the shape in the link. Without one it is a small ball, which
// shows where its mass is.
static lithe_status add_shape(const urdf *u, const urdf_link *l, tree_node *body, tree_node *rigid,
                              urdf_pose *pose)
{
    const xml_node *collision = xml_find(l->node, "collision"),
                   *more = collision ? xml_find_next(collision->next, "collision") : NULL,
                   *geometry = xml_find(collision, "geometry");
    if (more)
        return FAIL(u, more, "link '%s' has more than one <collision>; merge them in one mesh",
                    QUOTE(l->name));
    LITHE_TRY(read_origin(u, collision ? collision : xml_find(l->node, "inertial"), pose));
    if (!collision)
        return add_number(u, rigid, "sphere", 0.01, " m", l->node) ? LITHE_OK : no_memory(u);
    const xml_node *shape = geometry ? geometry->child : NULL;
    const char *kind = shape ? shape->name : "";
    if (strcmp(kind, "mesh") == 0)
        return add_mesh(u, body, rigid, shape);
    if (strcmp(kind, "cylinder") == 0)
        return add_cylinder(u, rigid, shape);
    if (strcmp(kind, "sphere") == 0) {
        double radius = 0;
        LITHE_TRY(need_number(u, shape, "radius", &radius));
        return add_number(u, rigid, "sphere", radius, " m", shape) ? LITHE_OK : no_memory(u);
    }
    if (strcmp(kind, "box") == 0 && xml_value(shape, "size")) {
        double size[3] = {0};
        LITHE_TRY(read_numbers(u, shape, "size", 3, size));
        return add_list(u, rigid, "box", 3, size, " m", shape) ? LITHE_OK : no_memory(u);
    }
    return FAIL(u, shape ? shape : collision,
                "the geometry of link '%s' must be a box with its size, a cylinder, a sphere or a "
                "mesh",
                QUOTE(l->name));
}

// Mass, centre and inertia, seen from the shape.
static lithe_status add_inertial(const urdf *u, const urdf_link *l, tree_node *body,
                                 tree_node *rigid, const urdf_pose *shape)
{
    static const char *const name[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const xml_node *inertial = xml_find(l->node, "inertial"), *mass = xml_find(inertial, "mass"),
                   *inertia = xml_find(inertial, "inertia");
    double value = 0, I[6] = {0}, way[3], centre[3], rotated[9], half[9], back[9];
    urdf_pose own = {0};
    if (!mass || !inertia)
        return FAIL(u, l->node,
                    "link '%s' moves, and needs <inertial> with <mass> and <inertia>; a frame "
                    "without them is fixed to another link",
                    QUOTE(l->name));
    LITHE_TRY(need_number(u, mass, "value", &value));
    for (int i = 0; i < 6; i++)
        LITHE_TRY(i < 3 ? need_number(u, inertia, name[i], &I[i])
                        : read_numbers(u, inertia, name[i], 1, &I[i]));
    LITHE_TRY(read_origin(u, inertial, &own));
    vec_sub(way, own.c, shape->c);
    mat_apply_transposed(centre, shape->R, way);
    double T[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]}, Q[9], Qt[9];
    for (int i = 0; i < 9; i++)
        back[i] = shape->R[3 * (i % 3) + i / 3];
    mat_mul(Q, back, own.R);
    for (int i = 0; i < 9; i++)
        Qt[i] = Q[3 * (i % 3) + i / 3];
    mat_mul(half, Q, T);
    mat_mul(rotated, half, Qt);
    bool ok = add_number(u, body, "mass", value, " kg", mass) &&
              add_list(u, rigid, "center", 3, centre, " m", inertial) &&
              add_list(u, rigid, "inertia", 3, (double[]){rotated[0], rotated[4], rotated[8]},
                       " kg.m^2", inertia) &&
              add_list(u, rigid, "products", 3, (double[]){rotated[1], rotated[2], rotated[5]},
                       " kg.m^2", inertia);
    return ok ? LITHE_OK : no_memory(u);
}

static lithe_status add_link(const urdf *u, const urdf_link *l)
{
    tree_node *body = add(u, u->bodies, TREE_MAP, l->name, l->node),
              *rigid = add(u, body, TREE_MAP, "rigid_body", l->node),
              *stands = add(u, body, TREE_MAP, "place", l->node);
    urdf_pose shape = {0};
    double angle[3];
    if (!stands || !rigid)
        return no_memory(u);
    LITHE_TRY(add_shape(u, l, body, rigid, &shape));
    LITHE_TRY(add_inertial(u, l, body, rigid, &shape));
    urdf_pose world = after(&l->pose, &shape);
    mat_to_angles(world.R, angle);
    bool ok = add_list(u, stands, "rotate", 3, angle, " rad", l->node) &&
              add_list(u, stands, "move", 3, world.c, " m", l->node);
    return ok ? LITHE_OK : no_memory(u);
}

// ## Joints

// What a kind is called here; NULL: it holds nothing.
static lithe_status kind_of(const urdf *u, const xml_node *joint, const char **kind)
{
    static const char *const known[][2] = {{"revolute", "hinge"},      {"continuous", "hinge"},
                                           {"prismatic", "prismatic"}, {"fixed", "fixed"},
                                           {"planar", "planar"},       {"floating", NULL}};
    const char *type = xml_value(joint, "type");
    for (size_t i = 0; type && i < sizeof known / sizeof *known; i++)
        if (strcmp(type, known[i][0]) == 0) {
            *kind = known[i][1];
            return LITHE_OK;
        }
    return FAIL(u, joint,
                "the type of a joint must be revolute, continuous, prismatic, fixed, planar or "
                "floating");
}

static lithe_status add_free(const urdf *u, const xml_node *joint, tree_node *out, bool linear)
{
    const xml_node *limit = xml_find(joint, "limit"), *dynamics = xml_find(joint, "dynamics");
    bool stops = limit && strcmp(xml_value(joint, "type"), "continuous") != 0 &&
                 (xml_value(limit, "lower") || xml_value(limit, "upper"));
    double range[2] = {0}, damping = 0, friction = 0;
    LITHE_TRY(read_numbers(u, limit, "lower", 1, &range[0]));
    LITHE_TRY(read_numbers(u, limit, "upper", 1, &range[1]));
    LITHE_TRY(read_numbers(u, dynamics, "damping", 1, &damping));
    LITHE_TRY(read_numbers(u, dynamics, "friction", 1, &friction));
    if (!stops && damping == 0 && friction == 0)
        return LITHE_OK;
    tree_node *map = add(u, out, TREE_MAP, linear ? "travel" : "angle", joint);
    bool ok = map;
    if (stops)
        ok = ok && add_list(u, map, "limits", 2, range, linear ? " m" : " rad", limit);
    if (damping != 0)
        ok = ok &&
             add_number(u, map, "damping", damping, linear ? " N.s/m" : " N.m.s/rad", dynamics);
    if (friction != 0)
        ok = ok && add_number(u, map, "friction", friction, linear ? " N" : " N.m", dynamics);
    return ok ? LITHE_OK : no_memory(u);
}

static lithe_status add_mimic(const urdf *u, const xml_node *joint, tree_node *out)
{
    const xml_node *mimic = xml_find(joint, "mimic");
    double ratio = 1, offset = 0;
    if (!mimic)
        return LITHE_OK;
    if (!xml_value(mimic, "joint"))
        return FAIL(u, mimic, "<mimic> needs joint");
    LITHE_TRY(read_numbers(u, mimic, "multiplier", 1, &ratio));
    LITHE_TRY(read_numbers(u, mimic, "offset", 1, &offset));
    if (offset != 0)
        return FAIL(u, mimic,
                    "an offset of <mimic> cannot be met in the pose in which all angles are 0; "
                    "put it into the <origin> of the joint");
    tree_node *map = add(u, out, TREE_MAP, "mimic", mimic);
    bool ok = map && add_text(u, map, "joint", xml_value(mimic, "joint"), mimic) &&
              add_number(u, map, "ratio", ratio, "", mimic);
    return ok ? LITHE_OK : no_memory(u);
}

static lithe_status add_joint(const urdf *u, const urdf_link *l)
{
    const xml_node *joint = l->joint, *axis_of = xml_find(joint, "axis");
    const char *kind = NULL;
    double axis[3] = {1, 0, 0}, world[3];
    int with = carrier(u, l->parent);
    LITHE_TRY(kind_of(u, joint, &kind));
    if (!kind)
        return LITHE_OK;
    LITHE_TRY(read_numbers(u, axis_of, "xyz", 3, axis));
    mat_apply(world, l->pose.R, axis);
    tree_node *out = add(u, u->joints, TREE_MAP, xml_value(joint, "name"), joint);
    bool ok = out && add_text(u, out, "kind", kind, joint) &&
              add_text(u, out, "body", l->name, joint) &&
              add_list(u, out, "at", 3, l->pose.c, " m", joint);
    if (with >= 0)
        ok = ok && add_text(u, out, "with", u->link[with].name, joint);
    if (strcmp(kind, "fixed") == 0)
        return ok ? LITHE_OK : no_memory(u);
    ok = ok && add_list(u, out, "axis", 3, world, "", axis_of ? axis_of : joint);
    if (!ok)
        return no_memory(u);
    LITHE_TRY(add_free(u, joint, out, strcmp(kind, "hinge") != 0));
    return add_mimic(u, joint, out);
}

// ## The tree of links

static int find_link(const urdf *u, const char *name)
{
    for (int i = 0; name && i < u->nlink; i++)
        if (strcmp(u->link[i].name, name) == 0)
            return i;
    return -1;
}

static lithe_status list_links(urdf *u, const xml_node *robot)
{
    for (const xml_node *n = xml_find(robot, "link"); n; n = xml_find_next(n->next, "link"))
        u->nlink++;
    u->link = arena_new(u->r->arena, (size_t)u->nlink + 1, urdf_link);
    if (!u->link)
        return no_memory(u);
    int i = 0;
    for (const xml_node *n = xml_find(robot, "link"); n; n = xml_find_next(n->next, "link")) {
        const char *name = xml_value(n, "name");
        if (!name || !name[0])
            return FAIL(u, n, "a link needs a name");
        u->link[i++] = (urdf_link){.name = name, .node = n, .parent = -1};
    }
    return i > 0 ? LITHE_OK : FAIL(u, robot, "a robot needs links");
}

static lithe_status list_joints(urdf *u, const xml_node *robot)
{
    for (const xml_node *n = xml_find(robot, "joint"); n; n = xml_find_next(n->next, "joint")) {
        const char *parent = xml_value(xml_find(n, "parent"), "link"),
                   *child = xml_value(xml_find(n, "child"), "link");
        int above = find_link(u, parent), below = find_link(u, child);
        if (!xml_value(n, "name"))
            return FAIL(u, n, "a joint needs a name");
        if (above < 0 || below < 0)
            return FAIL(u, n, "joint '%s' needs a parent and a child that are links; '%s' is none",
                        QUOTE(xml_value(n, "name")),
                        above < 0 ? (parent ? QUOTE(parent) : "") : (child ? QUOTE(child) : ""));
        if (above == below)
            return FAIL(u, n, "joint '%s' joins '%s' with itself", QUOTE(xml_value(n, "name")),
                        QUOTE(child));
        if (u->link[below].joint)
            return FAIL(u, n, "link '%s' is the child of two joints; links are a tree",
                        QUOTE(child));
        u->link[below].joint = n;
        u->link[below].parent = above;
    }
    return LITHE_OK;
}

// From the root outwards.
static lithe_status locate_links(urdf *u, const urdf_pose *root)
{
    bool any = true;
    while (any) {
        any = false;
        for (int i = 0; i < u->nlink; i++) {
            urdf_link *l = &u->link[i];
            urdf_pose origin = {0};
            if (l->placed || (l->parent >= 0 && !u->link[l->parent].placed))
                continue;
            LITHE_TRY(read_origin(u, l->joint, &origin));
            l->pose = l->joint ? after(&u->link[l->parent].pose, &origin) : *root;
            l->placed = any = true;
        }
    }
    for (int i = 0; i < u->nlink; i++)
        if (!u->link[i].placed)
            return FAIL(u, u->link[i].node, "link '%s' hangs on no root: its joints are a ring",
                        QUOTE(u->link[i].name));
    return LITHE_OK;
}

static lithe_status check_frame(const urdf *u, const urdf_link *l)
{
    const char *kind = "fixed";
    if (l->joint)
        LITHE_TRY(kind_of(u, l->joint, &kind));
    if (kind && strcmp(kind, "fixed") == 0)
        return LITHE_OK;
    return FAIL(u, l->node,
                "link '%s' moves, and has neither <inertial> nor <collision>; give it what it "
                "weighs, or make its joint fixed",
                QUOTE(l->name));
}

// A root that is a thing is held at its own frame, or falls.
static lithe_status hold_root(const urdf *u, const urdf_link *l, bool free)
{
    if (free)
        return LITHE_OK;
    const char *name = arena_format(u->r->arena, "%s-base", l->name);
    tree_node *out = name ? add(u, u->joints, TREE_MAP, name, l->node) : NULL;
    bool ok = out && add_text(u, out, "kind", "fixed", l->node) &&
              add_text(u, out, "body", l->name, l->node) &&
              add_list(u, out, "at", 3, l->pose.c, " m", l->node);
    return ok ? LITHE_OK : no_memory(u);
}

static lithe_status add_robot(const urdf *u, bool free)
{
    for (int i = 0; i < u->nlink; i++) {
        const urdf_link *l = &u->link[i];
        if (is_bare(l)) {
            LITHE_TRY(check_frame(u, l));
            continue;
        }
        LITHE_TRY(add_link(u, l));
        LITHE_TRY(l->joint ? add_joint(u, l) : hold_root(u, l, free));
    }
    return LITHE_OK;
}

// ## What is not read

typedef struct unread_elements {
    const char *name[8];
    int n;
} unread_elements;

static void note_unread(const xml_node *of, const char *const *read, unread_elements *found)
{
    for (const xml_node *n = of->child; n; n = n->next) {
        bool known = false;
        for (int i = 0; read[i]; i++)
            known = known || strcmp(n->name, read[i]) == 0;
        for (int i = 0; i < found->n; i++)
            known = known || strcmp(n->name, found->name[i]) == 0;
        if (!known && found->n < (int)(sizeof found->name / sizeof *found->name))
            found->name[found->n++] = n->name;
    }
}

// Looks alone may be left out without a word.
static void tell_unread(const urdf *u, const xml_node *robot)
{
    static const char *const of_robot[] = {"link", "joint", "material", NULL};
    static const char *const of_link[] = {"inertial", "collision", "visual", NULL};
    static const char *const of_joint[] = {"parent", "child",    "origin", "axis",
                                           "limit",  "dynamics", "mimic",  NULL};
    unread_elements found = {0};
    char list[LITHE_TEXT_MAX / 2] = "";
    size_t used = 0;
    note_unread(robot, of_robot, &found);
    for (const xml_node *n = xml_find(robot, "link"); n; n = xml_find_next(n->next, "link"))
        note_unread(n, of_link, &found);
    for (const xml_node *n = xml_find(robot, "joint"); n; n = xml_find_next(n->next, "joint"))
        note_unread(n, of_joint, &found);
    for (int i = 0; i < found.n && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s<%.40s>", i ? ", " : "",
                                 found.name[i]);
    if (found.n > 0)
        report_notice(u->r->report, "%s: %s: not read, and nothing of it is in the scene", u->name,
                      list);
}

// The section of that name of the scene, made if it is not there.
static tree_node *section_of(const urdf *u, const char *key)
{
    tree_node *root = (tree_node *)u->r->root, *found = tree_find(root, key);
    return found ? found : add(u, root, TREE_MAP, key, NULL);
}

static lithe_status read_pose(const reader *r, const tree_node *node, urdf_pose *out)
{
    const tree_node *stands = tree_find(node, "place");
    double angle[3] = {0};
    memset(out->c, 0, sizeof out->c);
    if (stands) {
        LITHE_TRY(read_map(r, stands, KEYS_TRANSFORM));
        LITHE_TRY(read_triple(r, stands, KEYS_TRANSFORM, "rotate", angle));
        LITHE_TRY(read_triple(r, stands, KEYS_TRANSFORM, "move", out->c));
    }
    mat_from_angles(out->R, angle);
    return LITHE_OK;
}

lithe_status read_urdf(const reader *r)
{
    static const char *const bases[] = {"fixed", "free"};
    const tree_node *node = tree_find(r->root, "urdf");
    const char *path = NULL;
    int base = 0;
    xml_node *robot = NULL;
    urdf_pose root = {0};
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_URDF));
    LITHE_TRY(read_file_name(r, node, "file", &path));
    LITHE_TRY(read_word(r, node, "base", 2, bases, &base));
    LITHE_TRY(read_pose(r, node, &root));
    LITHE_TRY(xml_read(path, r->arena, &robot, r->report));
    urdf u = {.r = r, .name = tree_find(node, "file")->text, .at = node};
    if (!robot || strcmp(robot->name, "robot") != 0)
        return FAIL(&u, robot, "this is no URDF: its outermost element must be <robot>");
    u.bodies = section_of(&u, "bodies");
    u.joints = section_of(&u, "joints");
    if (!u.bodies || !u.joints)
        return no_memory(&u);
    LITHE_TRY(list_links(&u, robot));
    LITHE_TRY(list_joints(&u, robot));
    LITHE_TRY(locate_links(&u, &root));
    tell_unread(&u, robot);
    return add_robot(&u, base == 1);
}
