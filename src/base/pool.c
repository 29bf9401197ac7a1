#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct pool {
    int nworker;
    pthread_t *worker;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    unsigned long round; // counts pool_for calls; workers wait for it to change
    int busy;            // workers that have not finished this round
    bool quit;
    // the loop of this round
    void (*work)(void *context, int first, int last);
    void *context;
    int n, grain;
    atomic_int next;
};

static void take_pieces(pool *p)
{
    for (;;) {
        int first = atomic_fetch_add(&p->next, p->grain);
        if (first >= p->n)
            return;
        int last = p->n - first < p->grain ? p->n : first + p->grain;
        p->work(p->context, first, last);
    }
}

static void *worker_main(void *arg)
{
    pool *p = arg;
    unsigned long seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (p->round == seen && !p->quit)
            pthread_cond_wait(&p->start, &p->lock);
        if (p->quit)
            break;
        seen = p->round;
        pthread_mutex_unlock(&p->lock);
        take_pieces(p);
        pthread_mutex_lock(&p->lock);
        if (--p->busy == 0)
            pthread_cond_signal(&p->done);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

pool *pool_create(int nthread)
{
    pool *p = memory_alloc(sizeof *p);
    if (!p)
        return NULL;
    *p = (pool){0};
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->start, NULL);
    pthread_cond_init(&p->done, NULL);
    int wanted = nthread > 1 ? nthread - 1 : 0;
    p->worker = memory_alloc((size_t)wanted * sizeof *p->worker);
    bool ok = p->worker != NULL;
    while (ok && p->nworker < wanted) {
        ok = pthread_create(&p->worker[p->nworker], NULL, worker_main, p) == 0;
        p->nworker += ok;
    }
    if (ok)
        return p;
    pool_free(p);
    return NULL;
}

void pool_free(pool *p)
{
    if (!p)
        return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    for (int i = 0; i < p->nworker; i++)
        pthread_join(p->worker[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->start);
    pthread_mutex_destroy(&p->lock);
    memory_free(p->worker);
    memory_free(p);
}

int pool_size(const pool *p)
{
    return p ? p->nworker + 1 : 1;
}

void pool_for(pool *p, int n, int grain, void (*work)(void *context, int first, int last),
              void *context)
{
    if (grain < 1)
        grain = 1;
    if (!p || p->nworker == 0 || n <= grain) {
        for (int first = 0; first < n; first += grain)
            work(context, first, n - first < grain ? n : first + grain);
        return;
    }
    pthread_mutex_lock(&p->lock);
    p->work = work;
    p->context = context;
    p->n = n;
    p->grain = grain;
    atomic_store(&p->next, 0);
    p->busy = p->nworker;
    p->round++;
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
    take_pieces(p);
    pthread_mutex_lock(&p->lock);
    while (p->busy > 0)
        pthread_cond_wait(&p->done, &p->lock);
    pthread_mutex_unlock(&p->lock);
}
