// YAML text into a tree.
#ifndef SCENE_YAML_H
#define SCENE_YAML_H

#include "scene/tree.h"

enum {
    YAML_BYTES_MAX = 1 << 20,
    YAML_NODES_MAX = 100000,
    YAML_DEPTH_MAX = 32,
};

// One document of maps, lists and text. Anchors, aliases and tags are refused: a scene needs none,
// and with them a short file can stand for a huge one. first.line 0: locations carry no lines.
lithe_status yaml_read(const char *text, size_t bytes, tree_mark first, arena *a, tree_node **root,
                       lithe_report *report);

#endif
