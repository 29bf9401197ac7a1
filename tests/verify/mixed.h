// A body of rods, shells, springs and threads, with or without a block that they are glued to.
#ifndef VERIFY_MIXED_H
#define VERIFY_MIXED_H

#include "piece.h"

enum { MIXED_ROD = 1, MIXED_SHELL = 2, MIXED_SPRING = 4, MIXED_THREAD = 8, MIXED_BLOCK = 16 };

typedef struct mixed {
    piece part;
    lithe_rod_def rod;
    lithe_shell_def shell;
    lithe_mesh *sheet;
    lithe_spring_def spring[2];
    lithe_thread_def thread;
} mixed;

// A unit block of E 1 in n^3 cells around which the parts are; springs and threads need it. After
// this, part may be changed until mixed_compile.
bool mixed_begin(mixed *m, int parts, lithe_element element, int n);
bool mixed_compile(mixed *m);
void mixed_end(mixed *m);

const char *mixed_name(int parts);

#endif
