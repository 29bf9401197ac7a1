#include "sparse/supernode.h"
#include "sparse/symbolic.h"

// A task is worth waking a thread for, and there are enough of them for a few threads. Neither
// depends on the number of threads: the same fronts meet in the same way on any.
static const double TASK_COST = 25e3; // ns
enum { TASKS_WANTED = 24 };

typedef struct plan {
    double *subtree; // (nfront) cost of everything below and with it
    int *depth;      // (nfront)
    int *task_of;    // (nfront)
    int ntask;       // without the top
    double limit;    // subtrees above it belong to the top
} plan;

static void weigh(const sparse_symbolic *sym, plan *p)
{
    double total = 0;
    for (int f = 0; f < sym->nfront; f++) {
        const sparse_front *front = &sym->front[f];
        double cost = supernode_cost(front->npivot, front->nrow);
        total += cost;
        p->subtree[f] += cost;
        if (front->parent >= 0)
            p->subtree[front->parent] += p->subtree[f];
    }
    for (int f = sym->nfront - 1; f >= 0; f--)
        p->depth[f] = sym->front[f].parent < 0 ? 0 : p->depth[sym->front[f].parent] + 1;
    p->limit = total / TASKS_WANTED > TASK_COST ? total / TASKS_WANTED : TASK_COST;
}

static bool is_top(const plan *p, int f)
{
    return p->subtree[f] > p->limit;
}

// Subtrees that hang from the top, next to each other until a task is full.
static void share_out(const sparse_symbolic *sym, plan *p)
{
    double filled = 0;
    for (int f = 0; f < sym->nfront; f++) {
        p->task_of[f] = p->ntask;
        int parent = sym->front[f].parent;
        if (is_top(p, f) || (parent >= 0 && !is_top(p, parent)))
            continue;
        filled += p->subtree[f];
        if (filled > p->limit / 2) {
            filled = 0;
            p->ntask++;
        }
    }
    if (filled > 0)
        p->ntask++;
    for (int f = 0; f < sym->nfront; f++)
        if (is_top(p, f))
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
        sym->task_front[task->front_adr + task->nfront++] = f;
    }
}

static size_t update_size(const sparse_front *front)
{
    return (size_t)front->update_ld * 3 * (size_t)front->nrow;
}

// Update matrices lie on two stacks, for even and for odd depth: a front's own matrix goes on one
// while its children's are still on the other. In postorder the children are always uppermost.
static void stack_updates(sparse_symbolic *sym, const plan *p, int t)
{
    const int *front_id = sym->task_front + sym->task[t].front_adr;
    size_t top[2] = {0, 0}, peak[2] = {0, 0};
    for (int i = 0; i < sym->task[t].nfront; i++) {
        sparse_front *front = &sym->front[front_id[i]];
        int side = p->depth[front_id[i]] & 1;
        front->update_adr = top[side];
        top[side] += update_size(front);
        if (top[side] > peak[side])
            peak[side] = top[side];
        for (int c = 0; c < front->nchild; c++) {
            int child = sym->child[front->child_adr + c];
            if (p->task_of[child] == t)
                top[1 - side] -= update_size(&sym->front[child]);
        }
    }
    for (int i = 0; i < sym->task[t].nfront; i++) {
        int odd = p->depth[front_id[i]] & 1;
        sym->front[front_id[i]].update_adr += sym->nworkspace + (odd ? peak[0] : 0);
    }
    sym->nworkspace += peak[0] + peak[1];
}

static void place_pack(sparse_symbolic *sym, sparse_task *task)
{
    size_t most = 0;
    for (int i = 0; i < task->nfront; i++) {
        const sparse_front *front = &sym->front[sym->task_front[task->front_adr + i]];
        int columns = 3 * front->npivot;
        if (columns > SPARSE_PANEL_BLOCK)
            columns = SPARSE_PANEL_BLOCK;
        size_t size = (size_t)front->ld * (size_t)columns;
        most = size > most ? size : most;
    }
    task->pack_adr = sym->nworkspace;
    sym->nworkspace += most;
}

lithe_status schedule_create(sparse_symbolic *sym, arena *memory, arena *scratch)
{
    plan p = {0};
    p.subtree = arena_new(scratch, sym->nfront, double);
    p.depth = arena_new(scratch, sym->nfront, int);
    p.task_of = arena_new(scratch, sym->nfront, int);
    sym->task_front = arena_new(memory, sym->nfront, int);
    if (!p.subtree || !p.depth || !p.task_of || !sym->task_front)
        return LITHE_NO_MEMORY;
    weigh(sym, &p);
    share_out(sym, &p);
    sym->task = arena_new(memory, p.ntask + 1, sparse_task);
    if (!sym->task)
        return LITHE_NO_MEMORY;
    list_tasks(sym, &p);
    for (int t = 0; t < sym->ntask; t++) {
        stack_updates(sym, &p, t);
        place_pack(sym, &sym->task[t]);
    }
    return LITHE_OK;
}
