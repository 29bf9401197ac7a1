// The robots of the refinement studies, as meshes of blocks of any element: the finger of
// examples/finger, an accordion like that of examples/accordion with rounded folds, and a bar.
#ifndef EXPERIMENTS_STUDY_H
#define EXPERIMENTS_STUDY_H

#include "blocks.h"

// Cells along a block and a hinge of the finger, below and above a notch's depth, and across.
typedef struct finger_cut {
    int block, hinge, below, above, across;
} finger_cut;

bool study_finger(const char *path, blocks_kind kind, finger_cut n);

// Cells of the accordion round the axis (a multiple of four for hexahedra), along half a fold,
// across the wall, and along a radius of the plates.
typedef struct accordion_cut {
    int around, fold, wall, radius;
} accordion_cut;

// From x = 0 on, with its axis along x (mm).
bool study_bar(const char *path, blocks_kind kind, const double size[3], const int cells[3]);

bool study_accordion(const char *path, blocks_kind kind, accordion_cut n);

#endif
