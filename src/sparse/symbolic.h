// What the symbolic analysis leaves behind: fronts, how they fit together, and where their numbers
// live.
//
// A front is a dense symmetric matrix over its pivot blocks and the block rows below them. Its
// pivot columns, the panel, are stored by columns with the rows
//
//     0 .. 3 npivot             pivots
//     .. pivot_rows             zeros up to a multiple of SPARSE_PACK
//     pivot_rows .. + 3 nrow    rows below
//     .. ld                     zeros
//
// so that both parts begin on a whole vector. The panel becomes L; the rest of the front, the
// update matrix (lower triangle of 3 nrow columns of update_ld rows), is added into the parent's
// front and forgotten.
#ifndef SPARSE_SYMBOLIC_H
#define SPARSE_SYMBOLIC_H

#include "sparse/sparse.h"

enum {
    SPARSE_PACK = 8,         // doubles in the widest vector
    SPARSE_PANEL_BLOCK = 64, // pivot columns that are eliminated together; a multiple of the former
};

// Rows [source, source + count) of a child's update matrix fall on rows [target, target + count)
// of the parent's panel.
typedef struct sparse_run {
    int source, target, count;
} sparse_run;

// One block of A and where it goes.
typedef struct sparse_entry {
    size_t target; // of its first number, from the start of all panels
    int block;
} sparse_entry;

typedef struct sparse_front {
    int first;  // pivot block, in the order of elimination
    int npivot; // blocks
    int nrow;   // blocks
    int parent; // -1: none
    int nchild, child_adr;
    int nrun, run_adr; // into the parent
    int nentry, entry_adr;
    int nplain; // entries that go in as they are: the first ones; the others are transposed
    size_t row_adr;
    int pivot_rows, ld, update_ld;
    size_t panel_adr;
    size_t alone_adr;  // of the update matrix from the desk, when one thread factors all
    size_t update_adr; // … from the task's desk, or among the kept ones
    bool kept;         // the parent belongs to another task
    int task;
    int nmerge, merge_adr; // entries of borders that are its pivots'
} sparse_front;

// Fronts that one thread factors in turn. Going up with a right-hand side, what they bring to rows
// of other tasks is first summed in the task's border, an entry for each of these rows.
typedef struct sparse_task {
    int nfront, front_adr;
    int nborder, border_adr;
    int above;   // the task that waits for it; the last one waits for all
    int nwait;   // tasks that it waits for itself; of the last one nothing is counted
    double cost; // ns, estimated
    double way;  // … with that of all tasks above it but the last
} sparse_task;

struct sparse_symbolic {
    int n;
    int nfront;
    sparse_front *front; // (nfront) in postorder
    int *order;          // (n) A's block row of every eliminated one
    int *position;       // (n) where A's block row stands in that order
    int *front_of;       // (n) the front that eliminates A's block row
    int *row;            // elimination numbers of the rows below pivots, ascending in each front
    int *forward_row;    // the same, or n + where in `border` those of other tasks are
    int *child;          // fronts
    sparse_run *run;
    sparse_entry *entry; // (nblock) by front
    int *diagonal;       // (n) A's diagonal blocks

    // A task waits for those below it in the tree, which have smaller numbers. Those that wait for
    // none are the first ones, [0, nleaf); the last one is the top of the tree.
    int ntask, nleaf;
    sparse_task *task;
    int *leaf; // (nleaf) in the order in which they are begun
    int *task_front;
    int nborder;
    int *border;      // elimination numbers, task by task
    int *border_task; // (nborder)
    int *merge;       // (nborder) entries, front by front, task after task in each

    size_t npanel; // doubles

    // A thread works at a desk, where it keeps what no other thread sees; update matrices that
    // outlive their task lie elsewhere. The first desk is larger, for the last task.
    int max_desk;                         // more are of no use
    size_t first_desk, other_desk, nkept; // doubles
    size_t alone_desk;                    // … of one thread that factors all
    double flops;
    size_t nonzeros;
};

// Chooses the tasks and lays out the update matrices. scratch: for what is needed only meanwhile.
lithe_status schedule_create(sparse_symbolic *sym, arena *memory, arena *scratch);

static inline int sparse_padded(int rows)
{
    return (rows + SPARSE_PACK - 1) / SPARSE_PACK * SPARSE_PACK;
}

#endif
