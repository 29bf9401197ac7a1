// Loops that threads share: every item once, whatever the threads do meanwhile.
#include "base/clock.h"
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

enum { MOST_ITEMS = 1000 };

typedef struct counter {
    atomic_int item[MOST_ITEMS];
    atomic_int most;    // items of one piece
    atomic_bool beyond; // a piece reached past the end
    int n;
    double seconds; // that an item takes
} counter;

static void count(void *context, int first, int last)
{
    counter *c = context;
    if (first < 0 || first >= last || last > c->n) {
        atomic_store(&c->beyond, true); // no assertion: it is not the test's thread
        return;
    }
    if (last - first > atomic_load(&c->most))
        atomic_store(&c->most, last - first);
    for (int i = first; i < last; i++)
        atomic_fetch_add(&c->item[i], 1);
    for (double end = clock_now() + c->seconds; c->seconds > 0 && clock_now() < end;)
        ;
}

static void assert_each(counter *c, int times)
{
    assert_false(atomic_load(&c->beyond));
    for (int i = 0; i < MOST_ITEMS; i++)
        assert_int_equal(atomic_exchange(&c->item[i], 0), i < c->n ? times : 0);
}

static void every_item_is_done_once(void **unused)
{
    (void)unused;
    static counter c;
    for (int threads = 1; threads <= 9; threads += 4) {
        pool *p = pool_create(threads);
        assert_non_null(p);
        assert_int_equal(pool_size(p), threads);
        for (int grain = 1; grain < 2000; grain *= 7)
            for (c.n = 0; c.n <= MOST_ITEMS; c.n = 3 * c.n + 1) {
                atomic_store(&c.most, 0);
                pool_for(p, c.n, grain, count, &c);
                assert_each(&c, 1);
                assert_true(atomic_load(&c.most) <= grain);
            }
        pool_free(p);
    }
}

static void without_a_pool_the_caller_does_all(void **unused)
{
    (void)unused;
    static counter c = {.n = 17};
    const int adr[] = {0, 17};
    pool_for(NULL, c.n, 5, count, &c);
    pool_for_owned(NULL, adr, count, &c);
    assert_each(&c, 2);
    assert_int_equal(pool_size(NULL), 1);
    pool_free(NULL);
}

// Threads with many items of their own, with none, and one that alone has some.
static void owned_items_are_done_once(void **unused)
{
    (void)unused;
    static counter c;
    static const int adr[][5] = {
        {0, 40, 40, 90, 100}, {0, 0, 0, 0, 7}, {0, 7, 7, 7, 7}, {0, 0, 1, 1, 1}, {0, 0, 0, 0, 0}};
    pool *p = pool_create(4);
    assert_non_null(p);
    for (size_t k = 0; k < sizeof adr / sizeof *adr; k++) {
        c.n = adr[k][4];
        pool_for_owned(p, adr[k], count, &c);
        assert_each(&c, 1);
    }
    pool_free(p);
}

// Short loops in quick succession: late threads must not take part in the next one.
static void loops_do_not_mix(void **unused)
{
    (void)unused;
    static counter c;
    pool *p = pool_create(3);
    assert_non_null(p);
    for (int k = 0; k < 20000; k++) {
        c.n = 2 + k % 5;
        pool_for(p, c.n, 1 + k % 2, count, &c);
        for (int i = 0; i < c.n; i++)
            assert_int_equal(atomic_exchange(&c.item[i], 0), 1);
    }
    assert_each(&c, 0);
    pool_free(p);
}

// Long pauses put threads to sleep, long items the caller.
static void sleepers_wake(void **unused)
{
    (void)unused;
    static counter c;
    const struct timespec pause = {0, 2000000};
    pool *p = pool_create(2);
    assert_non_null(p);
    for (int k = 0; k < 20; k++) {
        nanosleep(&pause, NULL);
        c.n = 4;
        c.seconds = k % 2 ? 1e-3 : 0;
        pool_for(p, c.n, 1, count, &c);
        assert_each(&c, 1);
    }
    pool_free(p);
}

static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// After half a millisecond nobody keeps a core busy, and nobody ever does on too few cores.
static void idle_threads_sleep(void **unused)
{
    (void)unused;
    static counter c = {.n = 64};
    const struct timespec pause = {0, 200000000};
    for (int threads = 2; threads <= 64; threads *= 32) {
        pool *p = pool_create(threads);
        assert_non_null(p);
        pool_for(p, c.n, 1, count, &c);
        double before = cpu_seconds();
        nanosleep(&pause, NULL);
        assert_true(cpu_seconds() - before < 0.02);
        pool_free(p);
        assert_each(&c, 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once),
        cmocka_unit_test(without_a_pool_the_caller_does_all),
        cmocka_unit_test(owned_items_are_done_once),
        cmocka_unit_test(loops_do_not_mix),
        cmocka_unit_test(sleepers_wake),
        cmocka_unit_test(idle_threads_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
