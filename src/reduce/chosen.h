// The elements of a body that stand for all of them, in a reduced model.
#ifndef REDUCE_CHOSEN_H
#define REDUCE_CHOSEN_H

#include "reduce/reduction.h"

// Those of one family, counted from its first; families in order, *at 0 before the first. Returns
// how many there are.
int chosen_of(const lithe_reduction *r, const element_family *f, int *at, int *element);

// Families of those elements alone, on the same nodes. LITHE_NO_MEMORY or LITHE_OK, nothing said.
lithe_status chosen_families(const lithe_reduction *r, const body *from, arena *memory,
                             arena *scratch, element_family *family, int *nfamily);

// … of a row's region; the same.
lithe_status chosen_region(const lithe_reduction *r, const body *from, arena *memory,
                           arena *scratch, row *of);

#endif
