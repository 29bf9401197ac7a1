// The elements of a body that stand for all of them, in a reduced model.
#ifndef REDUCE_CHOSEN_H
#define REDUCE_CHOSEN_H

#include "reduce/reduction.h"

// Families of those elements alone. renumber: the new number of every node of theirs (nnode).
// LITHE_NO_MEMORY or LITHE_OK, nothing said.
lithe_status chosen_families(const lithe_reduction *r, const body *from, const int *renumber,
                             arena *memory, arena *scratch, element_family *family, int *nfamily);

// … of a row's region; the same.
lithe_status chosen_region(const lithe_reduction *r, const body *from, arena *memory,
                           arena *scratch, row *of);

#endif
