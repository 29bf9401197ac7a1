// Overrides: "bodies.robot.fix.0.axes=[x, z]" replaces or adds one entry of a tree.
#ifndef SCENE_SET_H
#define SCENE_SET_H

#include "scene/tree.h"

// Maps that the path needs and the tree lacks are added; list items are counted from 0, and the
// number after the last one appends. What the override brings has "--set path" as its location.
lithe_status set_apply(tree_node *root, const char *text, arena *a, lithe_report *report);

#endif
