// Which order of elimination: the best of several.
#ifndef SPARSE_ORDER_H
#define SPARSE_ORDER_H

#include "sparse/etree.h"

// Leaves in t the postordered elimination tree whose fronts are estimated to take the least time.
// Everything is allocated in `memory`.
lithe_status order_choose(const etree_graph *g, arena *memory, etree *t);

#endif
