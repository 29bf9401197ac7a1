#include "step/forge.h"

#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

struct forge {
    const lithe_model *m;
    step_tangent shop;  // where it is made
    step_point at;      // of what shape; only q, x, effort and two forces
    body_loading loads; // … and of which loads
    double *setting;    // (nsetting)
    long step;          // whose shape that is
    bool finished;      // a factor waits to be collected
    lithe_report report;
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

static lithe_status factor(forge *f, bool clamped)
{
    f->shop.found.clamped = clamped;
    tangent_elements(f->m, &f->at, &f->loads, &f->shop);
    tangent_efforts(f->m, &f->at, &f->shop);
    tangent_pull_back(f->m, &f->at, NULL, &f->shop); // spaces are nodal here
    tangent_report sum = tangent_factor(f->m, &f->shop);
    return tangent_judge(f->m, &sum, 0, &f->shop, &f->report);
}

// An exact tangent that is not positive definite is clamped: whatever commands held its negative
// modes back may have changed by the time the factor is used.
static lithe_status factor_exactly(forge *f)
{
    return factor(f, false) == LITHE_OK ? LITHE_OK : factor(f, true);
}

// An old factor only leads the way, which needs few digits; and a step that reads half as much is
// less often late, since caches are small and shared with others.
static lithe_status factor_shape(forge *f)
{
    LITHE_TRY(factor_exactly(f));
    for (int k = 0; k < f->m->nbody; k++)
        f->m->body[k].space->round(&f->shop.of[k]);
    return LITHE_OK;
}

static void work(forge *f, bool exact)
{
    double start = clock_now();
    f->status = exact ? factor_exactly(f) : factor_shape(f);
    f->inverted = step_inverted(f->m, f->at.x);
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

static bool shop_create(forge *f, int threads, arena *memory)
{
    const lithe_model *m = f->m;
    size_t n = 3 * (size_t)m->nnode;
    f->at.x = arena_new(memory, n, double);
    f->at.internal = arena_new(memory, n, double);
    f->at.external = arena_new(memory, n, double);
    f->at.effort = arena_new(memory, m->nact, double);
    f->setting = arena_new(memory, m->nsetting, double);
    return f->setting && f->at.x && f->at.internal && f->at.external && f->at.effort &&
           tangent_create(m, threads > 1 ? threads : 1, memory, &f->shop) == LITHE_OK &&
           tangent_create_nodal(m, memory, &f->shop) == LITHE_OK;
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
    bool good = shop_create(f, threads, memory);
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
    f->step = asked->step;
    f->finished = false;
    f->loads = (body_loading){asked->load, asked->time, f->setting, f->setting + f->m->nload};
    memcpy(f->setting, asked->setting, (size_t)f->m->nsetting * sizeof *f->setting);
    memcpy(f->at.x, asked->x, 3 * (size_t)f->m->nnode * sizeof *f->at.x);
    f->at.q = f->at.x; // spaces are nodal here
    memcpy(f->at.effort, asked->effort, (size_t)f->m->nact * sizeof *f->at.effort);
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
        f->m->body[k].space->fetch(&f->shop.of[k], part, parts);
}

// The element stiffness goes with the factor: forces of sliders are taken from it.
lithe_status forge_collect(forge *f, lithe_state *s, long *step, double **of)
{
    step_tangent *shop = &f->shop, *mine = &s->tangent;
    if (!f->finished)
        return LITHE_OK;
    f->finished = false;
    if (f->status != LITHE_OK)
        return LITHE_FAIL(&s->report, f->status, "%s", f->report.error);
    for (int k = 0; k < f->m->nbody; k++) {
        body_exchange_factors(&mine->of[k], &shop->of[k]);
        body_exchange_stiffness(&mine->work[k], &shop->work[k]);
    }
    mine->found.use = TANGENT_GOOD;
    mine->found.clamped = shop->found.clamped;
    mine->found.negative = shop->found.negative;
    double *x = f->at.x;
    f->at.x = *of;
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
