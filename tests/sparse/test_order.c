#include "sparse/matrices.h"
#include "sparse/order.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static atomic_int arrived;
static atomic_bool over;

static void count(int number)
{
    (void)number;
    atomic_fetch_add(&arrived, 1);
}

static struct sigaction installed(int number)
{
    struct sigaction now;
    assert_int_equal(sigaction(number, NULL, &now), 0);
    return now;
}

static void *send_often(void *whom)
{
    while (!atomic_load(&over)) {
        pthread_kill(*(pthread_t *)whom, SIGTERM);
        nanosleep(&(struct timespec){.tv_nsec = 20000}, NULL);
    }
    return NULL;
}

// Ordering takes a library that has ideas of its own about signals.
static void signals_are_the_callers_while_it_orders(void **unused)
{
    (void)unused;
    enum { TIMES = 5 };
    matrix m;
    etree_graph g;
    etree quiet, t;
    build_pattern(&(family){"cube", 12 * 12 * 12, join_cube}, &m);
    assert_int_equal(etree_graph_create(&m.p, &m.memory, &g), LITHE_OK);
    assert_int_equal(order_choose(&g, &m.memory, &quiet), LITHE_OK);

    struct sigaction mine = {.sa_handler = count, .sa_flags = SA_RESTART}, old;
    sigemptyset(&mine.sa_mask);
    sigaddset(&mine.sa_mask, SIGHUP);
    assert_int_equal(sigaction(SIGTERM, &mine, &old), 0);
    pthread_t self = pthread_self(), sender;
    assert_int_equal(pthread_create(&sender, NULL, send_often, &self), 0);
    for (int k = 0; k < TIMES; k++) {
        int before = atomic_load(&arrived);
        assert_int_equal(order_choose(&g, &m.memory, &t), LITHE_OK);
        assert_memory_equal(t.order, quiet.order, (size_t)g.n * sizeof *t.order);
        assert_true(atomic_load(&arrived) > before);
    }
    atomic_store(&over, true);
    pthread_join(sender, NULL);

    struct sigaction after = installed(SIGTERM);
    assert_ptr_equal(after.sa_handler, count);
    assert_int_equal(after.sa_flags & (SA_RESTART | SA_NODEFER | (int)SA_RESETHAND), SA_RESTART);
    assert_true(sigismember(&after.sa_mask, SIGHUP) == 1);
    assert_ptr_equal(installed(SIGABRT).sa_handler, SIG_DFL);
    sigaction(SIGTERM, &old, NULL);
    free_matrix(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_are_the_callers_while_it_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
