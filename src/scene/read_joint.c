// Joints: what they join, where, and about which axis.
#include "scene/reader.h"

#include "base/status.h"

static lithe_status read_axis(const reader *r, const tree_node *map, keys_block block,
                              const char *key, bool free, lithe_axis_def *axis)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    if (!free)
        return tree_fail(r->report, node->key_at,
                         "this kind of joint leaves no %s free that could have one; remove it",
                         key);
    LITHE_TRY(read_map(r, node, block));
    LITHE_TRY(read_range(r, node, block, "limits", axis->limit));
    LITHE_TRY(read_not_negative(r, node, block, "stiffness", &axis->stiffness));
    LITHE_TRY(read_quantity(r, node, block, "rest", &axis->rest));
    LITHE_TRY(read_not_negative(r, node, block, "damping", &axis->damping));
    LITHE_TRY(read_not_negative(r, node, block, "friction", &axis->friction));
    if (tree_find(node, "rest") && !(axis->stiffness > 0))
        return tree_fail(r->report, tree_find(node, "rest")->key_at,
                         "rest is where a spring pulls to; give its stiffness too");
    return LITHE_OK;
}

static lithe_status read_mimic(const reader *r, const tree_node *map, lithe_joint_def *joint)
{
    const tree_node *node = tree_find(map, "mimic");
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_map(r, node, KEYS_MIMIC));
    LITHE_TRY(
        read_reference(r, node, "joint", tree_find(r->root, "joints"), "joint", &joint->mimic));
    return read_quantity(r, node, KEYS_MIMIC, "ratio", &joint->ratio);
}

static lithe_status read_axes_of(const reader *r, const tree_node *node, lithe_joint_def *joint)
{
    lithe_joint_kind kind = joint->kind;
    bool travels = kind == LITHE_JOINT_PRISMATIC || kind == LITHE_JOINT_CYLINDRICAL ||
                   kind == LITHE_JOINT_PLANAR;
    bool rotates = kind == LITHE_JOINT_HINGE || kind == LITHE_JOINT_CYLINDRICAL ||
                   kind == LITHE_JOINT_PLANAR || kind == LITHE_JOINT_UNIVERSAL;
    LITHE_TRY(read_axis(r, node, KEYS_JOINT_ANGLE, "angle", rotates, &joint->angle));
    LITHE_TRY(read_axis(r, node, KEYS_JOINT_ANGLE, "cross_angle", kind == LITHE_JOINT_UNIVERSAL,
                        &joint->cross_angle));
    return read_axis(r, node, KEYS_JOINT_TRAVEL, "travel", travels, &joint->travel);
}

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
    LITHE_TRY(read_axes_of(r, node, joint));
    LITHE_TRY(read_mimic(r, node, joint));
    return read_joint_frame(r, node, joint);
}
