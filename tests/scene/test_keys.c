// docs/scene.md and the table of keys say the same.
#include "scene/keys.h"
#include "scene/scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *docs;

static int load_docs(void **state)
{
    (void)state;
    FILE *file = fopen(LITHE_ROOT "/docs/scene.md", "rb");
    if (!file)
        return -1;
    enum { BYTES = 1 << 20 };
    docs = calloc(BYTES, 1);
    size_t bytes = docs ? fread(docs, 1, BYTES - 1, file) : 0;
    fclose(file);
    return bytes > 0 ? 0 : -1;
}

static int free_docs(void **state)
{
    (void)state;
    free(docs);
    return 0;
}

// The line with the heading that ends with `path` in backquotes; NULL if there is none.
static const char *find_heading(const char *path)
{
    char ending[128];
    snprintf(ending, sizeof ending, ": `%s`\n", path);
    for (const char *at = docs; (at = strstr(at, ending)); at++) {
        const char *line = at;
        while (line > docs && line[-1] != '\n')
            line--;
        if (*line == '#')
            return line;
    }
    return NULL;
}

// Whether the section under the heading holds a table row that begins so.
static bool section_has(const char *heading, const char *begin)
{
    if (!heading)
        return false;
    const char *end = strstr(heading, "\n#");
    const char *row = strstr(heading, begin);
    return row && (!end || row < end);
}

static void every_key_is_documented_with_its_type(void **state)
{
    (void)state;
    for (int i = 0; i < keys_count(); i++) {
        const keys_row *row = keys_row_at(i);
        const char *heading = find_heading(keys_path(row->block));
        char type[KEYS_TYPE_TEXT_MAX], begin[128];
        snprintf(begin, sizeof begin, "\n| `%s` | %s |", row->key, keys_type_text(row, type));
        if (!section_has(heading, begin))
            fail_msg("docs/scene.md lacks under `%s` the row: %s", keys_path(row->block),
                     begin + 1);
    }
}

static bool block_has_key(const char *path, const char *key)
{
    for (int i = 0; i < keys_count(); i++)
        if (strcmp(keys_path(keys_row_at(i)->block), path) == 0 &&
            strcmp(keys_row_at(i)->key, key) == 0)
            return true;
    return false;
}

// Keys of the table, those that several kinds of one thing share once.
static int count_distinct(void)
{
    int n = 0;
    for (int i = 0; i < keys_count(); i++) {
        bool shared = false;
        for (int k = 0; k < i && !shared; k++)
            shared =
                strcmp(keys_row_at(i)->key, keys_row_at(k)->key) == 0 &&
                strcmp(keys_path(keys_row_at(i)->block), keys_path(keys_row_at(k)->block)) == 0;
        n += !shared;
    }
    return n;
}

static void every_documented_key_exists(void **state)
{
    (void)state;
    char path[128] = "", key[128];
    int n = 0;
    for (const char *line = docs; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (sscanf(line, "#%*[^`\n]`%127[^`\n]`", path) == 1)
            continue;
        if (sscanf(line, "| `%127[^`]` |", key) == 1) {
            n++;
            if (!block_has_key(path, key))
                fail_msg("docs/scene.md documents '%s' under `%s`, which is no key", key, path);
        }
    }
    assert_true(n >= count_distinct());
}

static void every_block_of_keys_is_described(void **state)
{
    (void)state;
    for (int b = 0; b < KEYS_BLOCKS; b++) {
        bool none = b >= (int)KEYS_SENSOR_OF(0) && !keys_path((keys_block)b);
        assert_true(none || keys_path((keys_block)b));
        if (!none)
            assert_non_null(find_heading(keys_path((keys_block)b)));
    }
    for (int i = 0; i < keys_count(); i++)
        assert_true(strlen(keys_row_at(i)->meaning) > 3);
}

static void the_documented_example_is_a_scene(void **state)
{
    (void)state;
    const char *begin = strstr(docs, "```yaml\n");
    assert_non_null(begin);
    begin += strlen("```yaml\n");
    const char *end = strstr(begin, "```");
    assert_non_null(end);
    lithe_report report = lithe_report_default();
    lithe_scene *scene = NULL;
    if (lithe_scene_read_text(begin, (size_t)(end - begin), "docs/scene.md", 0, NULL, &scene,
                              &report))
        fail_msg("%s", report.error);
    assert_int_equal(lithe_scene_def(scene)->nactuator, 2);
    lithe_scene_free(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_documented_with_its_type),
        cmocka_unit_test(every_documented_key_exists),
        cmocka_unit_test(every_block_of_keys_is_described),
        cmocka_unit_test(the_documented_example_is_a_scene),
    };
    return cmocka_run_group_tests(tests, load_docs, free_docs);
}
