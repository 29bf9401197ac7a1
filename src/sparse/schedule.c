#include "sparse/supernode.h"
#include "sparse/symbolic.h"

// Fronts are shared out as tasks. The tree is cut: a subtree that costs no more than a limit is one
// task, or several small ones that hang on the same front are; of the fronts above, each is a task.
// The top of the tree, below which lies more than half of everything, is the last task, which is
// done when all others are, and whose fronts are shared between the threads. All of it is decided
// for one supposed machine, never for the threads at hand, so that the same fronts meet in the same
// way on any.
static const double SHARE_COST = 3e3; // ns, of which a task that pays has more: to begin and to end
static const double TOP_SHARE = 0.5;
static const double FULL_SHARE = 0.5; // of the limit, from which on nothing more is put to a task
enum { SUPPOSED_THREADS = 8, PARTS_PER_THREAD = 2, NONE = -1 };

typedef struct plan {
    double *cost;    // (nfront)
    double *subtree; // (nfront) cost of what is below and with it
    int *depth;      // (nfront)
    int *task_of;    // (nfront)
    int *all;        // (nfront) 0, 1, 2, …
    int *open;       // (nfront + 1) the task of small subtrees on a front, the last: on none
    double *filled;  // (nfront + 1) … and its cost
    int *mark;       // (n) the last task that has the row in its border
    int *entry;      // (n) … where
    double total, limit;
    int nleaf, ntask; // without the last
} plan;

static void weigh(const sparse_symbolic *sym, plan *p)
{
    for (int f = sym->nfront - 1; f >= 0; f--) {
        const sparse_front *front = &sym->front[f];
        p->cost[f] = supernode_cost(front->npivot, front->nrow);
        p->depth[f] = front->parent < 0 ? 0 : p->depth[front->parent] + 1;
        p->task_of[f] = NONE;
        p->all[f] = f;
    }
    for (int f = 0; f < sym->nfront; f++) {
        p->total += p->cost[f];
        p->subtree[f] += p->cost[f];
        if (sym->front[f].parent >= 0)
            p->subtree[sym->front[f].parent] += p->subtree[f];
    }
    p->limit = p->total / (SUPPOSED_THREADS * PARTS_PER_THREAD);
    if (p->limit < SHARE_COST)
        p->limit = SHARE_COST;
}

// What is not worth sharing is all top.
static bool is_top(const plan *p, int f)
{
    return f < 0 || p->subtree[f] > TOP_SHARE * p->total || p->total < 2 * SHARE_COST;
}

static bool is_above(const plan *p, int f)
{
    return is_top(p, f) || p->subtree[f] > p->limit;
}

// The task of a subtree that hangs on `parent`: the one that is open there, or a new one.
static int join_task(const sparse_symbolic *sym, plan *p, int parent, double cost)
{
    int on = parent < 0 ? sym->nfront : parent;
    if (p->filled[on] == 0)
        p->open[on] = p->nleaf++;
    p->filled[on] += cost;
    if (p->filled[on] >= FULL_SHARE * p->limit)
        p->filled[on] = 0;
    return p->open[on];
}

static void plan_tasks(const sparse_symbolic *sym, plan *p)
{
    for (int f = 0; f < sym->nfront; f++)
        if (!is_above(p, f) && is_above(p, sym->front[f].parent))
            p->task_of[f] = join_task(sym, p, sym->front[f].parent, p->subtree[f]);
    p->ntask = p->nleaf;
    for (int f = 0; f < sym->nfront; f++)
        if (is_above(p, f) && !is_top(p, f))
            p->task_of[f] = p->ntask++;
    for (int f = sym->nfront - 1; f >= 0; f--)
        if (p->task_of[f] == NONE)
            p->task_of[f] = is_top(p, f) ? p->ntask : p->task_of[sym->front[f].parent];
}

// What waits for what.
static void link_tasks(sparse_symbolic *sym, const plan *p)
{
    for (int t = 0; t < sym->ntask; t++)
        sym->task[t].above = p->ntask;
    for (int f = 0; f < sym->nfront; f++) {
        int parent = sym->front[f].parent, own = p->task_of[f];
        if (parent >= 0 && p->task_of[parent] != own)
            sym->task[own].above = p->task_of[parent];
    }
    for (int t = p->ntask - 1; t >= 0; t--) {
        sparse_task *task = &sym->task[t], *above = &sym->task[task->above];
        task->way = task->cost + above->way;
        above->nwait += task->above < p->ntask;
    }
}

// The longest ways first.
static void list_leaves(sparse_symbolic *sym)
{
    for (int i = 0; i < sym->nleaf; i++) {
        int k = i;
        for (; k > 0 && sym->task[sym->leaf[k - 1]].way < sym->task[i].way; k--)
            sym->leaf[k] = sym->leaf[k - 1];
        sym->leaf[k] = i;
    }
}

static void list_tasks(sparse_symbolic *sym, const plan *p)
{
    sym->ntask = p->ntask + 1;
    sym->nleaf = p->nleaf;
    for (int f = 0; f < sym->nfront; f++)
        sym->task[p->task_of[f]].nfront++;
    for (int t = 0, adr = 0; t < sym->ntask; t++) {
        sym->task[t].front_adr = adr;
        adr += sym->task[t].nfront;
        sym->task[t].nfront = 0;
    }
    for (int f = 0; f < sym->nfront; f++) {
        sparse_task *task = &sym->task[p->task_of[f]];
        sym->front[f].task = p->task_of[f];
        sym->task_front[task->front_adr + task->nfront++] = f;
        task->cost += p->cost[f];
    }
}

// The entry in a task's border of a row that another task eliminates; a new one where it has none.
static int border_entry(const plan *p, int task, int row, int *nborder)
{
    if (p->mark[row] != task) {
        p->mark[row] = task;
        p->entry[row] = (*nborder)++;
    }
    return p->entry[row];
}

// Fills `border` and `forward_row` if there is room for them; counts the entries either way.
static void find_borders(sparse_symbolic *sym, const plan *p)
{
    sym->nborder = 0;
    for (int i = 0; i < sym->n; i++)
        p->mark[i] = -1;
    for (int t = 0; t < sym->ntask; t++) {
        sparse_task *task = &sym->task[t];
        task->border_adr = sym->nborder;
        for (int i = 0; i < task->nfront; i++) {
            const sparse_front *front = &sym->front[sym->task_front[task->front_adr + i]];
            for (size_t k = front->row_adr; k < front->row_adr + (size_t)front->nrow; k++) {
                int row = sym->row[k];
                bool own = sym->front[sym->front_of[sym->order[row]]].task == t;
                int entry = own ? row : sym->n + border_entry(p, t, row, &sym->nborder);
                if (sym->border && !own) {
                    sym->border[entry - sym->n] = row;
                    sym->border_task[entry - sym->n] = t;
                }
                if (sym->forward_row)
                    sym->forward_row[k] = entry;
            }
        }
        task->nborder = sym->nborder - task->border_adr;
    }
}

static sparse_front *front_of_border(const sparse_symbolic *sym, int entry)
{
    return &sym->front[sym->front_of[sym->order[sym->border[entry]]]];
}

// Sorts the entries of all borders by the front that eliminates their row.
static void list_merges(sparse_symbolic *sym)
{
    for (int i = 0; i < sym->nborder; i++)
        front_of_border(sym, i)->nmerge++;
    for (int f = 0, adr = 0; f < sym->nfront; f++) {
        sym->front[f].merge_adr = adr;
        adr += sym->front[f].nmerge;
        sym->front[f].nmerge = 0;
    }
    for (int i = 0; i < sym->nborder; i++) {
        sparse_front *front = front_of_border(sym, i);
        sym->merge[front->merge_adr + front->nmerge++] = i;
    }
}

static lithe_status list_borders(sparse_symbolic *sym, const plan *p, arena *memory)
{
    const sparse_front *last = &sym->front[sym->nfront - 1];
    size_t nrow = sym->nfront > 0 ? last->row_adr + (size_t)last->nrow : 0;
    find_borders(sym, p);
    sym->border = arena_new(memory, sym->nborder, int);
    sym->border_task = arena_new(memory, sym->nborder, int);
    sym->merge = arena_new(memory, sym->nborder, int);
    sym->forward_row = arena_new(memory, nrow, int);
    if (!sym->border || !sym->border_task || !sym->merge || !sym->forward_row)
        return LITHE_NO_MEMORY;
    find_borders(sym, p);
    list_merges(sym);
    return LITHE_OK;
}

static size_t update_size(const sparse_front *front)
{
    return (size_t)front->update_ld * 3 * (size_t)front->nrow;
}

// Room for what the inner loops pack, of the front that needs most.
static size_t pack_size(const sparse_symbolic *sym, int nfront, const int *front_id)
{
    size_t most = 0;
    for (int i = 0; i < nfront; i++) {
        const sparse_front *front = &sym->front[front_id[i]];
        int columns = 3 * front->npivot;
        if (columns > SPARSE_PANEL_BLOCK)
            columns = SPARSE_PANEL_BLOCK;
        size_t size = (size_t)front->ld * (size_t)columns;
        most = size > most ? size : most;
    }
    return most;
}

// Update matrices that are not kept lie on two stacks, for even and for odd depth: a front's own
// matrix goes on one while its children's are still on the other. In postorder the children are
// always uppermost. Gives the size of the desk that these fronts need.
static size_t stack_updates(sparse_symbolic *sym, const plan *p, int nfront, const int *front_id)
{
    size_t top[2] = {0, 0}, peak[2] = {0, 0}, pack = pack_size(sym, nfront, front_id);
    for (int i = 0; i < nfront; i++) {
        sparse_front *front = &sym->front[front_id[i]];
        int side = p->depth[front_id[i]] & 1;
        size_t *end = front->kept ? &sym->nkept : &top[side];
        front->update_adr = *end;
        *end += update_size(front);
        if (top[side] > peak[side])
            peak[side] = top[side];
        for (int c = 0; c < front->nchild; c++) {
            const sparse_front *child = &sym->front[sym->child[front->child_adr + c]];
            if (!child->kept)
                top[1 - side] -= update_size(child);
        }
    }
    for (int i = 0; i < nfront; i++)
        if (!sym->front[front_id[i]].kept)
            sym->front[front_id[i]].update_adr += pack + (p->depth[front_id[i]] & 1 ? peak[0] : 0);
    return pack + peak[0] + peak[1];
}

// One thread takes the fronts in postorder, so that its stacks stay low and in the cache.
static void lay_out_alone(sparse_symbolic *sym, const plan *p)
{
    sym->alone_desk = stack_updates(sym, p, sym->nfront, p->all);
    for (int f = 0; f < sym->nfront; f++)
        sym->front[f].alone_adr = sym->front[f].update_adr;
}

static void lay_out_tasks(sparse_symbolic *sym, const plan *p)
{
    for (int f = 0; f < sym->nfront; f++) {
        int parent = sym->front[f].parent;
        sym->front[f].kept = parent >= 0 && p->task_of[f] != p->task_of[parent];
    }
    for (int t = 0; t < sym->ntask; t++) {
        const sparse_task *task = &sym->task[t];
        size_t size = stack_updates(sym, p, task->nfront, sym->task_front + task->front_adr);
        if (size > sym->first_desk)
            sym->first_desk = size;
        if (size > sym->other_desk && t < sym->ntask - 1)
            sym->other_desk = size;
    }
    sym->max_desk = sym->nleaf > 1 ? sym->nleaf : 1;
}

lithe_status schedule_create(sparse_symbolic *sym, arena *memory, arena *scratch)
{
    plan p = {0};
    p.cost = arena_new(scratch, sym->nfront, double);
    p.subtree = arena_new(scratch, sym->nfront, double);
    p.depth = arena_new(scratch, sym->nfront, int);
    p.task_of = arena_new(scratch, sym->nfront, int);
    p.all = arena_new(scratch, sym->nfront, int);
    p.open = arena_new(scratch, sym->nfront + 1, int);
    p.filled = arena_new(scratch, sym->nfront + 1, double);
    sym->task_front = arena_new(memory, sym->nfront, int);
    p.mark = arena_new(scratch, sym->n, int);
    p.entry = arena_new(scratch, sym->n, int);
    if (!p.cost || !p.subtree || !p.depth || !p.task_of || !p.all || !p.open || !p.filled ||
        !p.mark || !p.entry || !sym->task_front)
        return LITHE_NO_MEMORY;
    weigh(sym, &p);
    plan_tasks(sym, &p);
    sym->task = arena_new(memory, p.ntask + 1, sparse_task);
    sym->leaf = arena_new(memory, p.nleaf, int);
    if (!sym->task || !sym->leaf)
        return LITHE_NO_MEMORY;
    list_tasks(sym, &p);
    link_tasks(sym, &p);
    list_leaves(sym);
    LITHE_TRY(list_borders(sym, &p, memory));
    lay_out_alone(sym, &p);
    lay_out_tasks(sym, &p);
    return LITHE_OK;
}
