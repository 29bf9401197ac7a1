#include "step/factor_thread.h"

#include "base/clock.h"
#include "base/memory.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>

struct factor_thread {
    const lithe_model *m;
    step_tangent tangent; // where it is made
    step_point at;        // of what shape; only q, x, effort and two forces
    body_loading loads;   // … and of which loads
    double *setting;      // (nsetting)
    long step;            // whose shape that is
    bool finished;        // a factor waits to be collected
    lithe_report report;
    lithe_status status;
    double seconds;
    long count;
    int inverted;
    // Whoever sees `busy` clear may use all of the above; setting it hands that to the thread.
    atomic_bool busy;
    atomic_bool quit;
    bool threaded;
    pthread_t thread;
    sem_t asked, done;
};

static lithe_status factor(factor_thread *f, bool clamped)
{
    f->tangent.found.clamped = clamped;
    tangent_elements(f->m, &f->at, &f->loads, &f->tangent);
    tangent_efforts(f->m, &f->at, &f->tangent);
    tangent_pull_back(f->m, &f->at, NULL, &f->tangent); // spaces are nodal here
    tangent_report sum = tangent_factor(f->m, &f->tangent, NULL);
    return tangent_judge(f->m, &sum, 0, &f->tangent, &f->report);
}

// An exact tangent that is not positive definite is clamped: whatever commands held its negative
// modes back may have changed by the time the factor is used.
static lithe_status factor_exactly(factor_thread *f)
{
    return factor(f, false) == LITHE_OK ? LITHE_OK : factor(f, true);
}

// An old factor only leads the way, which needs few digits; and a step that reads half as much is
// less often late, since caches are small and shared with others.
static lithe_status factor_shape(factor_thread *f)
{
    LITHE_TRY(factor_exactly(f));
    for (int k = 0; k < f->m->nbody; k++)
        f->m->body[k].space->round(&f->tangent.of[k]);
    return LITHE_OK;
}

static void work(factor_thread *f, bool exact)
{
    double start = clock_now();
    f->status = exact ? factor_exactly(f) : factor_shape(f);
    f->inverted = step_inverted(f->m, f->tangent.threads, f->at.x);
    f->finished = true;
    f->count++;
    f->seconds = clock_now() - start;
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0) // a signal came
        ;
}

static void *factor_thread_main(void *arg)
{
    factor_thread *f = arg;
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
static bool start_thread(factor_thread *f)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    f->threaded = pthread_create(&f->thread, NULL, factor_thread_main, f) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return f->threaded;
}

static bool tangent_start(factor_thread *f, int threads, arena *memory)
{
    const lithe_model *m = f->m;
    size_t n = 3 * (size_t)m->nnode;
    f->at.x = arena_new(memory, n, double);
    f->at.internal = arena_new(memory, n, double);
    f->at.external = arena_new(memory, n, double);
    f->at.effort = arena_new(memory, m->nact, double);
    f->setting = arena_new(memory, m->nsetting, double);
    return f->setting && f->at.x && f->at.internal && f->at.external && f->at.effort &&
           tangent_create(m, threads > 1 ? threads : 1, memory, &f->tangent) == LITHE_OK &&
           tangent_create_nodal(m, memory, &f->tangent) == LITHE_OK;
}

factor_thread *factor_thread_create(const lithe_model *m, arena *memory, int threads)
{
    factor_thread *f = memory_alloc(sizeof *f);
    if (!f)
        return NULL;
    memset(f, 0, sizeof *f);
    f->m = m;
    sem_init(&f->asked, 0, 0);
    sem_init(&f->done, 0, 0);
    bool good = tangent_start(f, threads, memory);
    if (good && threads > 1)
        good = (f->tangent.threads = pool_create(threads)) != NULL;
    if (good && threads > 1)
        pool_spare(f->tangent.threads, 1); // the one that steps, whose deadline comes first
    if (good && threads > 0)
        good = start_thread(f);
    if (good)
        return f;
    factor_thread_free(f);
    return NULL;
}

void factor_thread_free(factor_thread *f)
{
    if (!f)
        return;
    if (f->threaded) {
        atomic_store(&f->quit, true);
        sem_post(&f->asked);
        pthread_join(f->thread, NULL);
    }
    pool_free(f->tangent.threads);
    sem_destroy(&f->asked);
    sem_destroy(&f->done);
    memory_free(f);
}

bool factor_thread_busy(const factor_thread *f)
{
    return atomic_load_explicit(&f->busy, memory_order_acquire);
}

void factor_thread_wait(factor_thread *f)
{
    while (factor_thread_busy(f)) // `done` may still stand from an earlier factor
        wait_for(&f->done);
}

static void load(factor_thread *f, const factor_thread_shape *asked)
{
    f->step = asked->step;
    f->finished = false;
    f->loads = model_loading(f->m, asked->load, asked->time, f->setting);
    memcpy(f->setting, asked->setting, (size_t)f->m->nsetting * sizeof *f->setting);
    memcpy(f->at.x, asked->x, 3 * (size_t)f->m->nnode * sizeof *f->at.x);
    f->at.q = f->at.x; // spaces are nodal here
    memcpy(f->at.effort, asked->effort, (size_t)f->m->nact * sizeof *f->at.effort);
}

void factor_thread_ask(factor_thread *f, const factor_thread_shape *asked)
{
    load(f, asked);
    while (sem_trywait(&f->done) == 0)
        ;
    atomic_store_explicit(&f->busy, true, memory_order_release);
    sem_post(&f->asked);
}

void factor_thread_make(factor_thread *f, const factor_thread_shape *asked, bool exact)
{
    load(f, asked);
    work(f, exact);
}

bool factor_thread_finished(const factor_thread *f)
{
    return f->finished;
}

void factor_thread_fetch(const factor_thread *f, int part, int parts)
{
    for (int k = 0; k < f->m->nbody; k++)
        f->m->body[k].space->fetch(&f->tangent.of[k], part, parts);
}

// The element stiffness goes with the factor: forces of sliders are taken from it.
lithe_status factor_thread_collect(factor_thread *f, lithe_state *s, long *step, double **of)
{
    step_tangent *tangent = &f->tangent, *mine = &s->tangent;
    if (!f->finished)
        return LITHE_OK;
    f->finished = false;
    if (f->status != LITHE_OK)
        return LITHE_FAIL(&s->report, f->status, "%s", f->report.error);
    for (int k = 0; k < f->m->nbody; k++) {
        body_exchange_factors(&mine->of[k], &tangent->of[k]);
        body_exchange_stiffness(&mine->work[k], &tangent->work[k]);
    }
    mine->found.use = TANGENT_GOOD;
    mine->found.clamped = tangent->found.clamped;
    mine->found.negative = tangent->found.negative;
    double *x = f->at.x;
    f->at.x = *of;
    *of = x;
    *step = f->step;
    return LITHE_OK;
}

double factor_thread_seconds(const factor_thread *f)
{
    return f->seconds;
}

long factor_thread_count(const factor_thread *f)
{
    return f->count;
}

int factor_thread_inverted(const factor_thread *f)
{
    return f->inverted;
}
