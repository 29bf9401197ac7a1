// A robot's definition, which an older program may have made, as this version has it.
#ifndef SCENE_ADOPT_H
#define SCENE_ADOPT_H

#include "base/arena.h"
#include "base/status.h"

// Structs and their arrays are copied into `memory`; strings and numbers stay the caller's.
lithe_status def_adopt(const lithe_def *def, arena *memory, lithe_def *out, lithe_report *report);

#endif
