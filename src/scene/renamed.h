// Keys that had another name once. They are read for one version more, with a notice that names the
// new one.
#ifndef SCENE_RENAMED_H
#define SCENE_RENAMED_H

#include "scene/tree.h"

// Gives every old key of a scene its new name. LITHE_INVALID: a map holds both.
lithe_status renamed_apply(tree_node *root, lithe_report *report);

#endif
