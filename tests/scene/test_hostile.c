// No input makes the reader crash, hang or take memory without end.
#include "base/memory.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static char error_text[LITHE_TEXT_MAX];

static lithe_status read_bytes(const char *text, size_t bytes)
{
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    lithe_status status = lithe_scene_read_text(text, bytes, "s.yaml", 0, NULL, &scene, &report);
    memcpy(error_text, report.error, sizeof error_text);
    lithe_scene_free(scene);
    return status;
}

// Bytes of one piece after another, `bytes` in all.
static char *repeat(const char *piece, size_t bytes)
{
    char *text = test_malloc(bytes);
    size_t n = strlen(piece);
    for (size_t i = 0; i < bytes; i++)
        text[i] = piece[i % n];
    return text;
}

static void an_alias_bomb_is_refused_at_its_first_anchor(void **unused)
{
    (void)unused;
    const char *bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n"
                       "b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]\n"
                       "c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]\n"
                       "d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]\n";
    assert_int_equal(read_bytes(bomb, strlen(bomb)), LITHE_INVALID);
    assert_memory_equal(error_text, "s.yaml:1:4: anchors", 19);
}

static void deep_nesting_is_refused(void **unused)
{
    (void)unused;
    const char *const piece[] = {"[", "{a: ", "- ", "? "};
    const char *const error[] = {"nested deeper than 32", "nested deeper than 32",
                                 "nested deeper than 32", "a key must be a plain name"};
    for (int i = 0; i < 4; i++) {
        char *text = repeat(piece[i], 1 << 20);
        assert_int_equal(read_bytes(text, 1 << 20), LITHE_INVALID);
        assert_non_null(strstr(error_text, error[i]));
        test_free(text);
    }
}

static void a_huge_file_is_refused(void **unused)
{
    (void)unused;
    size_t bytes = (1 << 20) + 1;
    char *text = repeat("# words\n", bytes);
    assert_int_equal(read_bytes(text, bytes), LITHE_INVALID);
    assert_non_null(strstr(error_text, "larger than 1048576 bytes"));
    assert_int_equal(read_bytes(text, bytes - 1), LITHE_INVALID);
    assert_non_null(strstr(error_text, "nothing here"));
    test_free(text);
}

static void very_many_values_are_refused(void **unused)
{
    (void)unused;
    char *text = repeat("a,\n", 1 << 20);
    text[0] = '[';
    text[1] = 'a';
    text[2] = ',';
    assert_int_equal(read_bytes(text, 1 << 20), LITHE_INVALID);
    assert_non_null(strstr(error_text, "more than 100000 values"));
    test_free(text);
}

// A large map must not cost the square of its size.
static void many_keys_are_checked_quickly(void **unused)
{
    (void)unused;
    enum { N = 49000 };
    char *text = test_malloc((size_t)N * 20 + 100);
    size_t used = (size_t)sprintf(text, "materials:\n");
    for (int i = 0; i < N; i++)
        used += (size_t)sprintf(text + used, " m%d: {}\n", i);
    clock_t start = clock();
    assert_int_equal(read_bytes(text, used), LITHE_INVALID);
    assert_non_null(strstr(error_text, "needs the key 'bodies'"));
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 10);
    used += (size_t)sprintf(text + used, " m17: {}\n");
    assert_int_equal(read_bytes(text, used), LITHE_INVALID);
    assert_non_null(strstr(error_text, "s.yaml:49002:2: the key 'm17' is given twice (first in "
                                       "line 19)"));
    test_free(text);
}

static void a_megabyte_of_one_thing_is_refused_in_bounded_messages(void **unused)
{
    (void)unused;
    const char *const piece[] = {"a",  "'",     "\"", "a:\n", ":",   "- a\n", "é",  "\n",
                                 "&",  "*",     "!",  "%",    "|\n", "0",     "[]", "{",
                                 "\t", "---\n", "\r", "a b",  "\\",  "?\n"};
    for (size_t i = 0; i < sizeof piece / sizeof piece[0]; i++) {
        char *text = repeat(piece[i], 1 << 20);
        assert_int_equal(read_bytes(text, 1 << 20), LITHE_INVALID);
        assert_true(strlen(error_text) > 10 && strlen(error_text) < 600);
        test_free(text);
    }
}

static void every_cut_of_a_scene_is_an_error_or_a_scene(void **unused)
{
    (void)unused;
    const char *text = "units: {length: mm}\n"
                       "materials: {m: {law: corotational, young: 3 kPa, poisson: 0.4}}\n"
                       "bodies:\n"
                       "  b: {mesh: f, material: m, fix: [{box: [[0, 0, 0], [1, 1, 1]]}]}\n"
                       "effectors: {e: {point: {body: b, at: [0, 0, 0]}}}\n"
                       "sensors: {s: {string: {body: b, through: [[0, 0, 0], [0, 0, 1]]}}}\n"
                       "actuators: {a: {slider: {body: b, all: true, direction: [0, 0, 1]}}}\n"
                       "step: {dt: 1 s}\n"
                       "task: {follow: [{effector: e, polygon: {corners: [[0, 0, 0], [1, 1, 1]], "
                       "period: 1 s}}, {sensor: s, waypoints: [{time: 1 s, at: 3}]}]}\n";
    for (size_t n = 0; n <= strlen(text); n++) {
        char *cut = test_malloc(n + 1); // so that a sanitizer sees reads past the end
        memcpy(cut, text, n);
        lithe_status status = read_bytes(cut, n);
        assert_true(status == LITHE_OK || status == LITHE_INVALID);
        test_free(cut);
    }
    assert_int_equal(read_bytes(text, strlen(text)), LITHE_OK);
}

static int allocations_left;
static int live;

static void *scarce_alloc(size_t bytes)
{
    if (allocations_left-- <= 0)
        return NULL;
    live++;
    return malloc(bytes);
}

static void counted_free(void *memory)
{
    live--;
    free(memory);
}

// Enough materials that the arena needs several chunks.
static size_t large_scene(char *text)
{
    size_t used = (size_t)sprintf(text, "units: {length: mm}\nmaterials:\n");
    for (int i = 0; i < 300; i++)
        used += (size_t)sprintf(text + used,
                                "  m%d: {law: corotational, young: 3 kPa, poisson: 0.4}\n", i);
    used +=
        (size_t)sprintf(text + used, "bodies: {b: {mesh: f, material: m7, fix: {all: true}}}\n");
    return used;
}

static void the_kth_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    static char text[40000];
    size_t bytes = large_scene(text);
    const char *set = "materials.extra={law: corotational, young: 1 kPa, poisson: 0}";
    lithe_status status = LITHE_NO_MEMORY;
    int k = 0;
    lithe_set_allocator(scarce_alloc, counted_free);
    for (; status != LITHE_OK && k < 1000; k++) {
        lithe_report report = lithe_report_default();
        lithe_scene *scene = NULL;
        allocations_left = k;
        live = 0;
        status = lithe_scene_read_text(text, bytes, "s.yaml", 1, &set, &scene, &report);
        assert_true(status == LITHE_OK || status == LITHE_NO_MEMORY);
        assert_true((scene != NULL) == (status == LITHE_OK));
        assert_true(status == LITHE_OK || strstr(report.error, "out of memory"));
        lithe_scene_free(scene);
        assert_int_equal(live, 0);
    }
    lithe_set_allocator(NULL, NULL);
    assert_int_equal(status, LITHE_OK);
    assert_true(k > 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_alias_bomb_is_refused_at_its_first_anchor),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(a_huge_file_is_refused),
        cmocka_unit_test(very_many_values_are_refused),
        cmocka_unit_test(many_keys_are_checked_quickly),
        cmocka_unit_test(a_megabyte_of_one_thing_is_refused_in_bounded_messages),
        cmocka_unit_test(every_cut_of_a_scene_is_an_error_or_a_scene),
        cmocka_unit_test(the_kth_failing_allocation_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
