#define _GNU_SOURCE // cores are not in POSIX
#include "base/pool.h"

#include "base/arena.h"
#include "base/clock.h"

#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <unistd.h>

// How long a thread that waits stays awake, s: longer than what one thread does alone between two
// loops of a step of a millisecond.
static const double AWAKE = 500e-6;

enum { LINE = 64 }; // bytes that cores hand to each other at once

// The pieces of one thread that nobody has taken yet: the loop's number, and the next one's.
typedef struct lot {
    _Alignas(LINE) atomic_ullong ticket;
} lot;

// A loop; written by the caller alone while nothing of it can be taken.
typedef struct loop {
    _Atomic(pool_work *) work;
    _Atomic(void *) context;
    _Atomic(const int *) adr; // NULL: everybody has as many pieces
    atomic_int n, grain;
} loop;

struct pool {
    arena memory; // that all of it lies in
    loop loop;
    lot *lot; // (nworker + 1) the first one is the caller's
    int nworker, ncore;
    int others; // threads beside it
    pthread_t *worker;
    atomic_int numbered; // workers that know which one they are
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    atomic_bool quit;
    _Alignas(LINE) atomic_uint round; // number of the loop; workers wait for it to change
    atomic_int asleep;                // workers
    _Alignas(LINE) atomic_int left;   // pieces that are not done
    atomic_bool caller_sleeps;
};

static atomic_int all_threads; // of all pools of the process

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int count_cores(void)
{
    cpu_set_t may;
    if (sched_getaffinity(0, sizeof may, &may) == 0)
        return CPU_COUNT(&may);
    long online = sysconf(_SC_NPROCESSORS_ONLN); // more cores than the set has room for
    return online > INT_MAX ? INT_MAX : (int)online;
}

static bool may_stay_awake(const pool *p)
{
    return atomic_load(&all_threads) <= p->ncore;
}

void pool_pause(const pool *p)
{
    if (!p || may_stay_awake(p))
        relax();
    else
        sched_yield();
}

static uint64_t ticket_of(unsigned round, unsigned piece)
{
    return (uint64_t)round << 32 | piece;
}

static int count_pieces(const pool *p)
{
    int n = atomic_load_explicit(&p->loop.n, memory_order_acquire);
    int grain = atomic_load_explicit(&p->loop.grain, memory_order_acquire);
    return n / grain + (n % grain > 0);
}

// First piece of thread i; of pool_size: the end.
static int first_piece(const pool *p, int i)
{
    const int *adr = atomic_load_explicit(&p->loop.adr, memory_order_acquire);
    return adr ? adr[i] : (int)((long long)count_pieces(p) * i / (p->nworker + 1));
}

static void do_piece(pool *p, int piece)
{
    int n = atomic_load(&p->loop.n), grain = atomic_load(&p->loop.grain), first = piece * grain;
    pool_work *work = atomic_load(&p->loop.work);
    work(atomic_load(&p->loop.context), first, n - first < grain ? n : first + grain);
}

// Takes pieces of thread i until there are none. A ticket of this round that has not changed since
// the loop was read says that what was read is this round's loop.
static int empty_lot(pool *p, int i, unsigned round)
{
    int done = 0;
    unsigned long long ticket = atomic_load(&p->lot[i].ticket);
    while (ticket >> 32 == round && (ticket & UINT32_MAX) < (uint64_t)first_piece(p, i + 1)) {
        if (!atomic_compare_exchange_weak(&p->lot[i].ticket, &ticket, ticket + 1))
            continue;
        do_piece(p, (int)(ticket & UINT32_MAX));
        done++;
        ticket = atomic_load(&p->lot[i].ticket);
    }
    return done;
}

// One's own pieces first, then those of the others.
static void take_pieces(pool *p, int own, unsigned round)
{
    int n = p->nworker + 1, done = 0;
    for (int k = 0; k < n; k++)
        done += empty_lot(p, own + k < n ? own + k : own + k - n, round);
    if (done == 0 || atomic_fetch_sub(&p->left, done) > done || !atomic_load(&p->caller_sleeps))
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
}

static bool round_began(const pool *p, unsigned seen)
{
    return atomic_load_explicit(&p->round, memory_order_acquire) != seen;
}

static bool round_ended(const pool *p, unsigned round)
{
    (void)round;
    return atomic_load_explicit(&p->left, memory_order_acquire) == 0;
}

// Waits awake for something that comes soon; false: it did not.
static bool comes_soon(const pool *p, bool (*came)(const pool *p, unsigned round), unsigned round)
{
    enum { LOOKS = 32 }; // for one at the clock
    double end = clock_now() + AWAKE;
    do
        for (int k = 0; k < LOOKS && may_stay_awake(p); k++) {
            if (came(p, round))
                return true;
            relax();
        }
    while (may_stay_awake(p) && clock_now() < end);
    return came(p, round);
}

// Waits for a round other than the one seen last. Who counts as asleep looks once more before it
// sleeps, and who begins a round looks for sleepers after that: one of the two sees the other.
static unsigned wait_for_round(pool *p, unsigned seen)
{
    if (!comes_soon(p, round_began, seen)) {
        pthread_mutex_lock(&p->lock);
        atomic_fetch_add(&p->asleep, 1);
        while (atomic_load(&p->round) == seen)
            pthread_cond_wait(&p->start, &p->lock);
        atomic_fetch_sub(&p->asleep, 1);
        pthread_mutex_unlock(&p->lock);
    }
    return atomic_load(&p->round);
}

static void begin_round(pool *p)
{
    atomic_fetch_add(&p->round, 1);
    if (atomic_load(&p->asleep) == 0)
        return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_broadcast(&p->start);
    pthread_mutex_unlock(&p->lock);
}

static void *worker_main(void *arg)
{
    pool *p = arg;
    int own = 1 + atomic_fetch_add(&p->numbered, 1);
    for (unsigned round = wait_for_round(p, 0); !atomic_load(&p->quit);
         round = wait_for_round(p, round))
        take_pieces(p, own, round);
    return NULL;
}

static bool start_workers(pool *p, int wanted)
{
    p->nworker = wanted;
    atomic_fetch_add(&all_threads, wanted + 1);
    for (int i = 0; i < wanted; i++)
        if (pthread_create(&p->worker[i], NULL, worker_main, p) != 0) {
            p->nworker = i;
            atomic_fetch_sub(&all_threads, wanted - i);
            return false;
        }
    return true;
}

// Lots must not share lines, so all lie in an arena, which aligns them.
pool *pool_create(int nthread)
{
    arena memory = {0};
    int wanted = nthread > 1 ? nthread - 1 : 0;
    pool *p = arena_new(&memory, 1, pool);
    pthread_t *worker = arena_new(&memory, wanted, pthread_t);
    lot *lots = arena_new(&memory, wanted + 1, lot);
    if (!p || !worker || !lots) {
        arena_free(&memory);
        return NULL;
    }
    p->memory = memory;
    p->ncore = count_cores();
    p->worker = worker;
    p->lot = lots;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->start, NULL);
    pthread_cond_init(&p->done, NULL);
    if (start_workers(p, wanted))
        return p;
    pool_free(p);
    return NULL;
}

void pool_free(pool *p)
{
    if (!p)
        return;
    atomic_store(&p->quit, true);
    begin_round(p);
    for (int i = 0; i < p->nworker; i++)
        pthread_join(p->worker[i], NULL);
    atomic_fetch_sub(&all_threads, p->nworker + 1 + p->others);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->start);
    pthread_mutex_destroy(&p->lock);
    arena memory = p->memory;
    arena_free(&memory);
}

void pool_spare(pool *p, int others)
{
    p->others += others;
    atomic_fetch_add(&all_threads, others);
}

int pool_size(const pool *p)
{
    return p ? p->nworker + 1 : 1;
}

static void wait_for_others(pool *p)
{
    if (comes_soon(p, round_ended, 0))
        return;
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->caller_sleeps, true);
    while (atomic_load(&p->left) > 0)
        pthread_cond_wait(&p->done, &p->lock);
    atomic_store(&p->caller_sleeps, false);
    pthread_mutex_unlock(&p->lock);
}

// Nothing can be taken while the loop changes: lots are closed before and opened after it.
static void run(pool *p, const int *adr, int n, int grain, pool_work *work, void *context)
{
    unsigned round = atomic_load(&p->round) + 1;
    for (int i = 0; i <= p->nworker; i++)
        atomic_store_explicit(&p->lot[i].ticket, ticket_of(round, UINT32_MAX),
                              memory_order_relaxed);
    atomic_store_explicit(&p->loop.adr, adr, memory_order_release);
    atomic_store_explicit(&p->loop.n, n, memory_order_release);
    atomic_store_explicit(&p->loop.grain, grain, memory_order_release);
    atomic_store_explicit(&p->loop.work, work, memory_order_release);
    atomic_store_explicit(&p->loop.context, context, memory_order_release);
    atomic_store_explicit(&p->left, count_pieces(p), memory_order_release);
    for (int i = 0; i <= p->nworker; i++)
        atomic_store_explicit(&p->lot[i].ticket, ticket_of(round, (unsigned)first_piece(p, i)),
                              memory_order_release);
    begin_round(p);
    take_pieces(p, 0, round);
    wait_for_others(p);
}

void pool_for(pool *p, int n, int grain, pool_work *work, void *context)
{
    if (grain < 1)
        grain = 1;
    if (p && p->nworker > 0 && n > grain) {
        run(p, NULL, n, grain, work, context);
        return;
    }
    for (int first = 0; first < n; first += grain)
        work(context, first, n - first < grain ? n : first + grain);
}

void pool_for_owned(pool *p, const int *adr, pool_work *work, void *context)
{
    int n = adr[pool_size(p)];
    if (p && p->nworker > 0 && n > 1)
        run(p, adr, n, 1, work, context);
    else
        for (int i = 0; i < n; i++)
            work(context, i, i + 1);
}
