// Members of a body: several meshes, soft and rigid, and where they are attached to each other.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/status.h"

#include <string.h>

static lithe_status check_made(const reader *r, const tree_node *node)
{
    const tree_node *mass = tree_find(node, "mass");
    bool rigid = tree_find(node, "rigid_body");
    bool mesh = false;
    LITHE_TRY(read_one_mesh(r, node, &mesh));
    if (!rigid && !mesh)
        return tree_fail(r->report, tree_location(node),
                         "a member needs a 'mesh' (the mesh file), 'box', 'ball' or 'cylinder', or "
                         "a 'rigid_body'");
    if (!rigid && mass)
        return tree_fail(r->report, mass->key_at,
                         "the mass of a member is for rigid ones; give its material a density");
    return LITHE_OK;
}

static lithe_status read_member(const reader *r, const tree_node *node, lithe_body_def *member)
{
    *member = lithe_body_def_default();
    member->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_MEMBER));
    LITHE_TRY(read_location(r, node, &member->location));
    LITHE_TRY(check_made(r, node));
    if (tree_find(node, "mesh"))
        LITHE_TRY(read_file_name(r, node, "mesh", &member->mesh_file));
    LITHE_TRY(read_mesh_unit(r, node, KEYS_MEMBER, "mesh", &member->mesh_unit));
    LITHE_TRY(read_solid(r, node, KEYS_MEMBER, member));
    LITHE_TRY(read_transform(r, node, member));
    LITHE_TRY(read_material_name(r, node, &member->material));
    LITHE_TRY(read_positive(r, node, KEYS_MEMBER, "mass", &member->mass));
    return read_rigid_body(r, node, member);
}

static lithe_status read_points(const reader *r, const tree_node *list, lithe_attachment_def *a)
{
    if (list->kind != TREE_LIST || list->nchild < 1)
        return tree_fail(r->report, tree_value_location(list),
                         "expected one point or more, [[x, y, z], ...]");
    double *point = read_alloc(r, list->nchild, 3 * sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    a->npoint = list->nchild;
    a->point = point;
    for (const tree_node *c = list->child; c; c = c->next, point += 3)
        LITHE_TRY(read_triple_node(r, c, QUANTITY_LENGTH, false, point));
    return LITHE_OK;
}

static lithe_status read_attachment(const reader *r, const tree_node *node,
                                    const tree_node *members, lithe_attachment_def *a)
{
    const tree_node *points = tree_find(node, "points"), *overlap = tree_find(node, "overlap");
    *a = lithe_attachment_def_default();
    LITHE_TRY(read_map(r, node, KEYS_ATTACHMENT));
    LITHE_TRY(read_location(r, node, &a->location));
    LITHE_TRY(read_reference(r, node, "member", members, "member", &a->member));
    LITHE_TRY(read_reference(r, node, "to", members, "member", &a->to));
    a->kind = points ? LITHE_ATTACH_POINTS : overlap ? LITHE_ATTACH_OVERLAP : LITHE_ATTACH_NODES;
    if (points)
        return read_points(r, points, a);
    if (overlap)
        return read_true(r, overlap, "overlap: true");
    return read_selection(r, node, &a->where);
}

static lithe_status read_attachments(const reader *r, const tree_node *map,
                                     const tree_node *members, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "attachments");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of attachments: [{member: NAME, to: NAME, box: ...}]");
    lithe_attachment_def *attachment = read_alloc(r, node->nchild, sizeof *attachment);
    if (!attachment)
        return LITHE_NO_MEMORY;
    body->nattachment = node->nchild;
    body->attachment = attachment;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_attachment(r, c, members, attachment++));
    return LITHE_OK;
}

lithe_status read_members(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *node = tree_find(map, "members"), *stray = tree_find(map, "attachments");
    if (!node && stray)
        return tree_fail(r->report, stray->key_at,
                         "attachments are between members, and the body has none; add members");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_named(r, node));
    lithe_body_def *member = read_alloc(r, node->nchild, sizeof *member);
    if (!member)
        return LITHE_NO_MEMORY;
    body->nmember = node->nchild;
    body->member = member;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_member(r, c, member++));
    return read_attachments(r, map, node, body);
}
