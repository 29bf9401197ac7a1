// Which thread begins with which tasks: the same ones with factors and with right-hand sides, up
// the tree and down, so that it finds its part of L in its own cache.
#include "sparse/factor.h"

#include <assert.h>

enum { MOST_THREADS = 256, NONE = -1 };

// A thread as it should go: what it has done last, and when.
typedef struct hand {
    double time; // ns
    int task;
} hand;

static hand *first_free(int n, hand *hands)
{
    hand *first = hands;
    for (int i = 1; i < n; i++)
        if (hands[i].time < first->time)
            first = &hands[i];
    return first;
}

// The longest way to the top first, each to who is free first [graham1969], going up from what is
// done as far as nothing else is waited for.
static void hand_out(sparse_factor *f, int nthread)
{
    const sparse_symbolic *sym = f->sym;
    hand hands[MOST_THREADS];
    for (int i = 0; i < nthread; i++)
        hands[i] = (hand){0, NONE};
    for (int given = 0; given < sym->nleaf;) {
        hand *who = first_free(nthread, hands);
        int next = who->task == NONE ? NONE : factor_next(f, who->task);
        if (next == NONE) {
            next = sym->leaf[given++];
            f->owner[next] = (int)(who - hands);
        }
        *who = (hand){who->time + sym->task[next].cost, next};
    }
}

static void queue_up(sparse_factor *f, int nthread)
{
    for (int i = 0, k = 0; i < nthread; i++) {
        f->queue_adr[i] = k;
        for (int j = 0; j < f->sym->nleaf; j++)
            if (f->owner[f->sym->leaf[j]] == i)
                f->queue[k++] = f->sym->leaf[j];
    }
    f->queue_adr[nthread] = f->sym->nleaf;
}

static void undo(sparse_factor *f)
{
    for (int t = 0; t < f->sym->ntask; t++)
        atomic_store_explicit(&f->due[t], f->sym->task[t].nwait, memory_order_relaxed);
}

void factor_begin(sparse_factor *f, int nthread)
{
    assert(nthread > 0 && nthread <= f->max_threads && nthread <= MOST_THREADS);
    undo(f);
    if (f->nthread == nthread)
        return;
    f->nthread = nthread;
    hand_out(f, nthread);
    queue_up(f, nthread);
    undo(f);
}

int factor_next(sparse_factor *f, int t)
{
    int above = f->sym->task[t].above;
    bool ready = above < f->sym->ntask - 1 && atomic_fetch_sub(&f->due[above], 1) == 1;
    return ready ? above : NONE;
}
