#include "sparse/supernode.h"
#include "sparse/symbolic.h"

// Fronts are shared out in rounds: in each, subtrees of what is left of the tree are cut off and
// become tasks that do not wait for each other. What is left when cutting no longer pays is done in
// turn. All of it is decided for one supposed machine, never for the threads at hand, so that the
// same fronts meet in the same way on any.
static const double ROUND_COST =
    3e3; // ns to begin a round on threads that are awake, and to end it
static const double WORTH_A_ROUND = 0.95;
static const double LATER_GAIN = 2; // by which later rounds, and fronts that are shared, are faster
enum { SUPPOSED_THREADS = 8, TASKS_PER_THREAD = 3 };

typedef struct plan {
    double *cost;    // (nfront)
    double *subtree; // (nfront) cost of what is left below and with it
    int *depth;      // (nfront)
    int *task_of;    // (nfront) -1: left
    int *all;        // (nfront) 0, 1, 2, …
    int *mark;       // (n) the last task that has the row in its border
    int *entry;      // (n) … where
    int ntask;
} plan;

static void weigh(const sparse_symbolic *sym, plan *p)
{
    for (int f = sym->nfront - 1; f >= 0; f--) {
        const sparse_front *front = &sym->front[f];
        p->cost[f] = supernode_cost(front->npivot, front->nrow);
        p->depth[f] = front->parent < 0 ? 0 : p->depth[front->parent] + 1;
        p->task_of[f] = -1;
        p->all[f] = f;
    }
}

// Fills subtree for the fronts that are left; gives the cost of them all.
static double weigh_rest(const sparse_symbolic *sym, plan *p)
{
    double total = 0;
    for (int f = 0; f < sym->nfront; f++)
        p->subtree[f] = 0;
    for (int f = 0; f < sym->nfront; f++) {
        if (p->task_of[f] >= 0)
            continue;
        total += p->cost[f];
        p->subtree[f] += p->cost[f];
        if (sym->front[f].parent >= 0)
            p->subtree[sym->front[f].parent] += p->subtree[f];
    }
    return total;
}

// Whether the tree is cut above f when subtrees up to `limit` are cut off.
static bool is_cut(const sparse_symbolic *sym, const plan *p, int f, double limit)
{
    int parent = sym->front[f].parent;
    return p->task_of[f] < 0 && p->subtree[f] <= limit &&
           (parent < 0 || p->subtree[parent] > limit);
}

// Time of a round and of what it leaves; *shared: cost of what is cut off.
static double round_time(const sparse_symbolic *sym, const plan *p, double total, double limit,
                         double *shared)
{
    double biggest = 0;
    *shared = 0;
    for (int f = 0; f < sym->nfront; f++)
        if (is_cut(sym, p, f, limit)) {
            *shared += p->subtree[f];
            biggest = p->subtree[f] > biggest ? p->subtree[f] : biggest;
        }
    double even = *shared / SUPPOSED_THREADS;
    return (total - *shared) / LATER_GAIN + (even > biggest ? even : biggest) + ROUND_COST;
}

// The fronts of a cut-off subtree get its task; small subtrees next to each other share one.
static void cut_tasks(const sparse_symbolic *sym, plan *p, double limit, double shared)
{
    double filled = 0, full = shared / (SUPPOSED_THREADS * TASKS_PER_THREAD);
    for (int f = 0; f < sym->nfront; f++) {
        if (p->task_of[f] >= 0 || p->subtree[f] > limit)
            continue;
        bool cut = is_cut(sym, p, f, limit);
        p->task_of[f] = p->ntask;
        if (!cut)
            continue;
        filled += p->subtree[f];
        if (filled >= full) {
            filled = 0;
            p->ntask++;
        }
    }
    if (filled > 0)
        p->ntask++;
}

// Cuts off one round of tasks; false when it does not pay.
static bool cut_round(const sparse_symbolic *sym, plan *p)
{
    double total = weigh_rest(sym, p), limit = 0, shared = 0;
    double best = WORTH_A_ROUND * total / LATER_GAIN;
    for (int parts = 2; parts <= 4 * SUPPOSED_THREADS; parts += parts / 2) {
        double cut, time = round_time(sym, p, total, total / parts, &cut);
        if (time < best) {
            best = time;
            limit = total / parts;
            shared = cut;
        }
    }
    if (limit > 0)
        cut_tasks(sym, p, limit, shared);
    return limit > 0;
}

static void plan_rounds(sparse_symbolic *sym, plan *p)
{
    while (sym->nround < SPARSE_MAX_ROUND && cut_round(sym, p))
        sym->round_adr[++sym->nround] = p->ntask;
    for (int f = 0; f < sym->nfront; f++)
        if (p->task_of[f] < 0)
            p->task_of[f] = p->ntask;
}

static void list_tasks(sparse_symbolic *sym, const plan *p)
{
    sym->ntask = p->ntask + 1;
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
    sym->max_desk = 1;
    for (int r = 0; r < sym->nround; r++)
        if (sym->round_adr[r + 1] - sym->round_adr[r] > sym->max_desk)
            sym->max_desk = sym->round_adr[r + 1] - sym->round_adr[r];
}

lithe_status schedule_create(sparse_symbolic *sym, arena *memory, arena *scratch)
{
    plan p = {0};
    p.cost = arena_new(scratch, sym->nfront, double);
    p.subtree = arena_new(scratch, sym->nfront, double);
    p.depth = arena_new(scratch, sym->nfront, int);
    p.task_of = arena_new(scratch, sym->nfront, int);
    p.all = arena_new(scratch, sym->nfront, int);
    sym->task_front = arena_new(memory, sym->nfront, int);
    p.mark = arena_new(scratch, sym->n, int);
    p.entry = arena_new(scratch, sym->n, int);
    if (!p.cost || !p.subtree || !p.depth || !p.task_of || !p.all || !p.mark || !p.entry ||
        !sym->task_front)
        return LITHE_NO_MEMORY;
    weigh(sym, &p);
    plan_rounds(sym, &p);
    sym->task = arena_new(memory, p.ntask + 1, sparse_task);
    if (!sym->task)
        return LITHE_NO_MEMORY;
    list_tasks(sym, &p);
    LITHE_TRY(list_borders(sym, &p, memory));
    lay_out_alone(sym, &p);
    lay_out_tasks(sym, &p);
    return LITHE_OK;
}
