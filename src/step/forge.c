#include "step/forge.h"

#include "base/clock.h"
#include "base/memory.h"
#include "step/phases.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

struct forge {
    const lithe_model *m;
    lithe_state shop; // only what step_assemble and step_factor use
    long step;        // whose shape the shop has
    bool finished;    // a factor waits to be collected
    lithe_status status;
    double seconds;
    long count;
    int inverted;
    // Whoever sees `busy` clear may touch all of the above; setting it hands that to the thread.
    atomic_bool busy;
    atomic_bool quit;
    bool threaded;
    pthread_t thread;
    sem_t asked, done;
};

// An exact tangent that is not positive definite is clamped: whatever commands held its negative
// modes back may have changed by the time the factor is used.
static lithe_status factor_exactly(const lithe_model *m, lithe_state *shop)
{
    if (step_tangent(m, shop, STEP_INVERSE, false) == LITHE_OK)
        return LITHE_OK;
    return step_tangent(m, shop, STEP_INVERSE, true);
}

// An old factor only leads the way, which needs few digits; and a step that reads half as much is
// less often late, since caches are small and shared with others.
static lithe_status factor_shape(const lithe_model *m, lithe_state *shop)
{
    LITHE_TRY(factor_exactly(m, shop));
    for (int k = 0; k < m->nbody; k++)
        m->body[k].space->round(&shop->tangent[k]);
    return LITHE_OK;
}

static void work(forge *f, bool exact)
{
    double start = clock_now();
    f->status = exact ? factor_exactly(f->m, &f->shop) : factor_shape(f->m, &f->shop);
    f->inverted = step_inverted(f->m, f->shop.now.x);
    f->finished = true;
    f->count++;
    f->seconds = clock_now() - start;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) // a signal came
        ;
}

static void *forge_main(void *arg)
{
    forge *f = arg;
    for (;;) {
        wait_for(&f->asked);
        if (atomic_load(&f->quit))
            return NULL;
        work(f, false);
        atomic_store_explicit(&f->busy, false, memory_order_release);
        sem_post(&f->done);
    }
}

// Signals are for the threads of the program that uses us.
static bool start_thread(forge *f)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    f->threaded = pthread_create(&f->thread, NULL, forge_main, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return f->threaded;
}

static bool shop_create(const lithe_model *m, int threads, arena *memory, lithe_state *shop)
{
    size_t n = 3 * (size_t)m->nnode;
    shop->now.x = arena_new(memory, n, double);
    shop->now.J = arena_new(memory, m->nJ, double);
    shop->now.internal = arena_new(memory, n, double);
    shop->now.external = arena_new(memory, n, double);
    shop->now.effort = arena_new(memory, m->nact, double);
    return shop->now.x && shop->now.J && shop->now.internal && shop->now.external &&
           shop->now.effort &&
           state_tangent_create(m, shop, threads > 1 ? threads : 1, memory) == LITHE_OK &&
           state_nodal_create(m, shop, memory) == LITHE_OK;
}

forge *forge_create(const lithe_model *m, arena *memory, int threads)
{
    forge *f = memory_alloc(sizeof *f);
    if (!f)
        return NULL;
    memset(f, 0, sizeof *f);
    f->m = m;
    sem_init(&f->asked, 0, 0);
    sem_init(&f->done, 0, 0);
    bool good = shop_create(m, threads, memory, &f->shop);
    if (good && threads > 1)
        good = (f->shop.threads = pool_create(threads)) != NULL;
    if (good && threads > 0)
        good = start_thread(f);
    if (good)
        return f;
    forge_free(f);
    return NULL;
}

void forge_free(forge *f)
{
    if (!f)
        return;
    if (f->threaded) {
        atomic_store(&f->quit, true);
        sem_post(&f->asked);
        pthread_join(f->thread, NULL);
    }
    pool_free(f->shop.threads);
    sem_destroy(&f->asked);
    sem_destroy(&f->done);
    memory_free(f);
}

bool forge_busy(const forge *f)
{
    return atomic_load_explicit(&f->busy, memory_order_acquire);
}

void forge_wait(forge *f)
{
    while (forge_busy(f)) // `done` may still stand from an earlier factor
        wait_for(&f->done);
}

static void load(forge *f, const forge_shape *asked)
{
    lithe_state *shop = &f->shop;
    f->step = asked->step;
    f->finished = false;
    shop->aim_load = asked->load;
    shop->motion.time = asked->time;
    memcpy(shop->now.x, asked->x, 3 * (size_t)f->m->nnode * sizeof *shop->now.x);
    shop->now.q = shop->now.x; // spaces are nodal here
    memcpy(shop->now.effort, asked->effort, (size_t)f->m->nact * sizeof *shop->now.effort);
}

void forge_ask(forge *f, const forge_shape *asked)
{
    load(f, asked);
    while (sem_trywait(&f->done) == 0)
        ;
    atomic_store_explicit(&f->busy, true, memory_order_release);
    sem_post(&f->asked);
}

void forge_make(forge *f, const forge_shape *asked, bool exact)
{
    load(f, asked);
    work(f, exact);
}

bool forge_finished(const forge *f)
{
    return f->finished;
}

void forge_fetch(const forge *f, int part, int parts)
{
    for (int k = 0; k < f->m->nbody; k++)
        f->m->body[k].space->fetch(&f->shop.tangent[k], part, parts);
}

// The element stiffness goes with the factor: forces of sliders are taken from it.
lithe_status forge_collect(forge *f, lithe_state *s, long *step, double **of)
{
    lithe_state *shop = &f->shop;
    if (!f->finished)
        return LITHE_OK;
    f->finished = false;
    if (f->status != LITHE_OK)
        return LITHE_FAIL(&s->report, f->status, "%s", shop->report.error);
    for (int k = 0; k < f->m->nbody; k++) {
        body_exchange_factors(&s->tangent[k], &shop->tangent[k]);
        body_work mine = s->work[k], *its = &shop->work[k];
        s->work[k].stiff = its->stiff;
        s->work[k].kept = its->kept;
        its->stiff = mine.stiff;
        its->kept = mine.kept;
    }
    s->found.use = TANGENT_GOOD;
    s->found.clamped = shop->found.clamped;
    s->found.negative = shop->found.negative;
    double *x = shop->now.x;
    shop->now.x = *of;
    *of = x;
    *step = f->step;
    return LITHE_OK;
}

double forge_seconds(const forge *f)
{
    return f->seconds;
}

long forge_count(const forge *f)
{
    return f->count;
}

int forge_inverted(const forge *f)
{
    return f->inverted;
}
