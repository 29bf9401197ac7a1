// A scene that was read: its definitions, the memory behind them, and what bare numbers mean in it.
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "base/arena.h"
#include "base/quantity.h"
#include "lithe/drive.h"
#include "scene/tree.h"

// A file that a scene names: as it stands there, and where it is.
typedef struct scene_file {
    const char *name, *path;
} scene_file;

enum { SCENE_FILES_MAX = 256 };

typedef struct scene_files {
    int n;
    scene_file file[SCENE_FILES_MAX];
} scene_files;

struct lithe_scene {
    arena arena;
    const char *text; // as it was read, without overrides; ended with 0
    size_t bytes;
    scene_files *files; // that it names, each once
    lithe_def def;
    lithe_drive_def drive;
    quantity_units units;
    const tree_node *root; // the text behind the definitions, overrides applied
};

// lithe_scene_read_text, with files taken from elsewhere: those that `packed` names, and no others.
lithe_status scene_read_packed(const char *text, size_t bytes, const char *path, int nset,
                               const char *const *set, const scene_files *packed,
                               lithe_scene **scene, lithe_report *report);

#endif
