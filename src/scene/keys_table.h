// The keys that are no kind's own, in two files by what they tell of.
#ifndef SCENE_KEYS_TABLE_H
#define SCENE_KEYS_TABLE_H

#include "scene/keys.h"

#define OPTIONAL KEYS_OPTIONAL
#define REQUIRED KEYS_REQUIRED
#define ONE_OF   KEYS_ONE_OF

typedef struct keys_table {
    const keys_row *row;
    int n;
} keys_table;

extern const keys_table keys_robot, keys_run;

#endif
