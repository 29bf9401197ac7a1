// Which thread does which tasks: the same ones with factors and with right-hand sides, up the tree
// and down, so that it finds its part of L in its own cache.
#include "sparse/factor.h"

#include <assert.h>

enum { MOST_THREADS = 256 };

// The dearer of two tasks of one owner comes first.
static bool comes_before(const sparse_factor *f, int a, int b)
{
    if (f->owner[a] != f->owner[b])
        return f->owner[a] < f->owner[b];
    return f->sym->task[a].cost > f->sym->task[b].cost;
}

static void sort(const sparse_factor *f, int n, int *queue)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && comes_before(f, queue[j], queue[j - 1]); j--) {
            int swap = queue[j];
            queue[j] = queue[j - 1];
            queue[j - 1] = swap;
        }
}

static int least(int n, const double *load)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (load[i] < load[best])
            best = i;
    return best;
}

// Dear tasks first, each to who has least so far [graham1969].
static void share_round(sparse_factor *f, int round, int nthread)
{
    int first = f->sym->round_adr[round], n = f->sym->round_adr[round + 1] - first;
    int *queue = f->queue + first, *adr = factor_round(f, round);
    double load[MOST_THREADS] = {0};
    for (int i = 0; i < n; i++) {
        queue[i] = first + i;
        f->owner[first + i] = 0;
    }
    sort(f, n, queue);
    for (int i = 0; i < n; i++) {
        int owner = least(nthread, load);
        f->owner[queue[i]] = owner;
        load[owner] += f->sym->task[queue[i]].cost;
    }
    sort(f, n, queue);
    for (int i = 0, k = 0; i <= nthread; i++) {
        while (k < n && f->owner[queue[k]] < i)
            k++;
        adr[i] = k;
    }
}

int *factor_round(const sparse_factor *f, int round)
{
    return f->queue_adr + (size_t)round * (size_t)(f->max_threads + 1);
}

void factor_share_out(sparse_factor *f, int nthread)
{
    assert(nthread <= f->max_threads && nthread <= MOST_THREADS);
    if (f->nthread == nthread)
        return;
    f->nthread = nthread;
    for (int r = 0; r < f->sym->nround; r++)
        share_round(f, r, nthread);
}
