#include "io/json.h"

#include "io/number.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// What `write` writes must be exactly this.
static void expect(void (*write)(json *j), const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    json j = {.out = open_memstream(&text, &size)};
    assert_non_null(j.out);
    write(&j);
    fclose(j.out);
    assert_string_equal(text, expected);
    free(text);
}

static void write_nested(json *j)
{
    const double xyz[3] = {1, -0.5, 0.1};
    json_begin_object(j, NULL);
    json_string(j, "name", "tip");
    json_begin_object(j, "empty");
    json_end_object(j);
    json_begin_array(j, "list");
    json_numbers(j, NULL, 3, xyz);
    json_null(j, NULL);
    json_bool(j, NULL, true);
    json_end_array(j);
    json_integer(j, "n", -7);
    json_end_object(j);
}

static void items_are_separated_at_every_depth(void **unused)
{
    (void)unused;
    expect(write_nested, "{\"name\": \"tip\",\n \"empty\": {},\n \"list\": [[1, -0.5, 0.1], null, "
                         "true],\n \"n\": -7}\n");
}

static void write_infinite(json *j)
{
    const double odd[3] = {INFINITY, -INFINITY, NAN};
    json_numbers(j, NULL, 3, odd);
}

static void what_is_not_finite_becomes_null(void **unused)
{
    (void)unused;
    expect(write_infinite, "[null,\n null,\n null]\n");
}

static void write_strings(json *j)
{
    json_begin_array(j, NULL);
    json_string(j, NULL, "a\"b\\c\n\t\x01\x7f");
    json_string(j, NULL, "\xc3\xa9\xe2\x82\xac\xf0\x9f\xa4\x96"); // two, three and four bytes
    json_string(j, NULL, "a\xffz");                               // never a lead
    json_string(j, NULL, "\xc3");                                 // cut short
    json_string(j, NULL, "\xed\xa0\x80");                         // a surrogate
    json_string(j, NULL, "\xc0\xaf");                             // overlong
    json_end_array(j);
}

static void strings_are_escaped_and_always_utf8(void **unused)
{
    (void)unused;
    expect(
        write_strings,
        "[\"a\\\"b\\\\c\\n\\u0009\\u0001\\u007f\",\n \"\xc3\xa9\xe2\x82\xac\xf0\x9f\xa4\x96\",\n "
        "\"a\\ufffdz\",\n \"\\ufffd\",\n \"\\ufffd\\ufffd\\ufffd\",\n \"\\ufffd\\ufffd\"]\n");
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed ^ *seed >> 29;
}

static void numbers_read_back_to_the_same_value(void **unused)
{
    (void)unused;
    char text[NUMBER_TEXT];
    uint64_t seed = 1;
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = next_random(&seed);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            assert_true(strtod(number_text(value, text), NULL) == value);
    }
    const double edge[] = {0, DBL_MAX, -DBL_MAX, DBL_MIN, DBL_TRUE_MIN, 0.1, 1.0 / 3};
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
        assert_true(strtod(number_text(edge[i], text), NULL) == edge[i]);
}

static void numbers_use_no_more_digits_than_needed(void **unused)
{
    (void)unused;
    char text[NUMBER_TEXT];
    assert_string_equal(number_text(0.1, text), "0.1");
    assert_string_equal(number_text(180e3, text), "180000");
    assert_string_equal(number_text(0.1 + 0.2, text), "0.30000000000000004");
    assert_string_equal(number_text(-0.0, text), "0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_separated_at_every_depth),
        cmocka_unit_test(what_is_not_finite_becomes_null),
        cmocka_unit_test(strings_are_escaped_and_always_utf8),
        cmocka_unit_test(numbers_read_back_to_the_same_value),
        cmocka_unit_test(numbers_use_no_more_digits_than_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
