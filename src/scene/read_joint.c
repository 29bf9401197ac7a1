// Joints: what they join, where, and about which axis.
#include "scene/reader.h"

#include "base/status.h"

lithe_status read_joint(const reader *r, const tree_node *node, lithe_joint_def *joint)
{
    static const char *const kinds[] = {
        [LITHE_JOINT_FIXED] = "fixed",
        [LITHE_JOINT_HINGE] = "hinge",
        [LITHE_JOINT_BALL] = "ball",
        [LITHE_JOINT_PRISMATIC] = "prismatic",
        [LITHE_JOINT_CYLINDRICAL] = "cylindrical",
        [LITHE_JOINT_PLANAR] = "planar",
        [LITHE_JOINT_UNIVERSAL] = "universal",
    };
    int kind = LITHE_JOINT_FIXED;
    *joint = lithe_joint_def_default();
    joint->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_JOINT));
    LITHE_TRY(read_location(r, node, &joint->location));
    LITHE_TRY(read_word(r, node, "kind", LITHE_JOINT_UNIVERSAL + 1, kinds, &kind));
    joint->kind = (lithe_joint_kind)kind;
    LITHE_TRY(read_body_name(r, node, &joint->body));
    LITHE_TRY(read_text(r, node, "part", &joint->part));
    LITHE_TRY(read_reference(r, node, "with", tree_find(r->root, "bodies"), "body", &joint->with));
    LITHE_TRY(read_text(r, node, "with_part", &joint->with_part));
    LITHE_TRY(read_triple(r, node, KEYS_JOINT, "at", joint->at));
    LITHE_TRY(read_triple(r, node, KEYS_JOINT, "axis", joint->axis));
    LITHE_TRY(read_triple(r, node, KEYS_JOINT, "cross", joint->cross));
    bool round = joint->kind == LITHE_JOINT_FIXED || joint->kind == LITHE_JOINT_BALL;
    const tree_node *axis = tree_find(node, "axis"), *cross = tree_find(node, "cross");
    if (round && axis)
        return tree_fail(r->report, axis->key_at, "a %s joint has no axis; remove it", kinds[kind]);
    if (!round && !axis)
        return tree_fail(r->report, tree_location(node), "a %s joint needs an axis", kinds[kind]);
    if ((joint->kind == LITHE_JOINT_UNIVERSAL) != (cross != NULL))
        return tree_fail(r->report, cross ? cross->key_at : tree_location(node),
                         "cross is the second axis of a universal joint, which needs it, and of no "
                         "other");
    return LITHE_OK;
}
