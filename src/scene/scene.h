// A scene that was read: its definitions, the memory behind them, and what bare numbers mean in it.
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/arena.h"
#include "base/quantity.h"
#include "scene/tree.h"

struct lithe_scene {
    arena arena;
    lithe_def def;
    quantity_units units;
    const tree_node *root; // the text behind the definitions, overrides applied
};

// lithe_scene_read on a text in memory, as if it had been read from `path`.
lithe_status scene_read_text(const char *text, size_t bytes, const char *path, int nset,
                             const char *const *set, lithe_scene **scene, lithe_report *report);

#endif
