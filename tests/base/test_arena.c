#include "base/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void arena_memory_is_zeroed_aligned_and_apart(void **unused)
{
    (void)unused;
    arena a = {0};
    double *first = arena_new(&a, 1000, double);
    double *large = arena_new(&a, 100000, double);
    char *last = arena_new(&a, 1, char);
    assert_non_null(first);
    assert_non_null(large);
    assert_int_equal((uintptr_t)large % 64, 0);
    assert_int_equal((uintptr_t)last % 64, 0);
    for (int i = 0; i < 100000; i++)
        large[i] = 1;
    for (int i = 0; i < 1000; i++)
        assert_true(first[i] == 0);
    assert_int_equal(*last, 0);
    arena_free(&a);
}

static void arena_refuses_sizes_that_overflow(void **unused)
{
    (void)unused;
    arena a = {0};
    assert_null(arena_alloc(&a, SIZE_MAX / 4, 8));
    assert_null(arena_alloc(&a, SIZE_MAX / 16, 8));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_memory_is_zeroed_aligned_and_apart),
        cmocka_unit_test(arena_refuses_sizes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
