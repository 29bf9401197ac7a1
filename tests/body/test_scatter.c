#include "body/scatter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { BLOCKS = 40, ADDED = 500, VARIANTS = 3 };

static double uniform(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) / 16777216.0 - 0.5;
}

// Adds one number at a time, in the same order.
static void add_plainly(const int *to, const double *K, double *blocks)
{
    for (int k = 0; k < ADDED; k++)
        for (int i = 0; i < 9 && to[k] >= 0; i++) {
            int from = to[k] & 1 ? 3 * (i % 3) + i / 3 : i;
            double *sum = &blocks[9 * (to[k] / 4) + i];
            *sum = (to[k] & 2 ? 0 : *sum) + K[9 * k + from];
        }
}

// What was there before; where something comes first it must not be seen.
static void fill(double *blocks)
{
    for (int i = 0; i < 9 * BLOCKS; i++)
        blocks[i] = i;
}

static void every_instruction_set_adds_blocks_and_their_transposes_to_the_bit(void **state)
{
    (void)state;
    unsigned seed = 3;
    static double K[9 * ADDED], apart[9 * ADDED], plain[9 * BLOCKS], blocks[9 * BLOCKS];
    static int to[ADDED + SCATTER_AHEAD];
    for (int i = 0; i < 9 * ADDED; i++)
        K[i] = uniform(&seed);
    for (int k = 0; k < ADDED; k++)
        to[k] = (int)((uniform(&seed) + 0.5) * (4 * BLOCKS + 16)) - 16;
    for (int k = 0; k < ADDED; k++)
        to[k] = to[k] < -8 ? SCATTER_NOWHERE : to[k] < 0 ? SCATTER_APART : to[k];
    fill(plain);
    add_plainly(to, K, plain);
    int tried = 0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        scatter_function *scatter = scatter_variant(variant);
        if (!scatter)
            continue;
        fill(blocks);
        memset(apart, 0, sizeof apart);
        scatter(ADDED, to, K, apart, blocks);
        assert_memory_equal(blocks, plain, sizeof plain);
        for (int i = 0; i < 9 * ADDED; i++)
            assert_true(apart[i] == (to[i / 9] == SCATTER_APART ? K[i] : 0));
        fill(blocks);
        scatter(ADDED, to, K, NULL, blocks);
        assert_memory_equal(blocks, plain, sizeof plain);
        tried++;
    }
    assert_true(tried > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_adds_blocks_and_their_transposes_to_the_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
