// Values: quantities, points, ranges, words, numbers.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { COUNT_MAX = 1000000000 };

void *read_alloc(const reader *r, int count, size_t size)
{
    void *memory = arena_alloc(r->arena, (size_t)count, size);
    if (!memory)
        report_no_memory(r->report, "the scene");
    return memory;
}

lithe_status read_location(const reader *r, const tree_node *node, const char **location)
{
    *location = tree_mark_text(r->arena, tree_location(node));
    return *location ? LITHE_OK : report_no_memory(r->report, "the scene");
}

static lithe_status check_text(const reader *r, const tree_node *node, const char *expected)
{
    if (node->kind != TREE_TEXT)
        return tree_fail(r->report, node->at, "this is a %s, expected %s",
                         node->kind == TREE_LIST ? "list" : "map", expected);
    if (!node->text[0])
        return tree_fail(r->report, tree_value_location(node), "nothing is given here; expected %s",
                         expected);
    return LITHE_OK;
}

lithe_status read_quantity_node(const reader *r, const tree_node *node,
                                quantity_dimension dimension, bool infinite, double *value)
{
    char message[QUANTITY_MESSAGE_MAX];
    LITHE_TRY(check_text(r, node, quantity_expected(dimension)));
    lithe_status status =
        quantity_parse(node->text, dimension, &r->units, infinite, value, message);
    if (status == LITHE_INVALID)
        return tree_fail(r->report, node->at, "%s", message);
    if (status != LITHE_OK)
        return report_no_memory(r->report, "the scene");
    return LITHE_OK;
}

static quantity_dimension dimension_of(keys_block block, const char *key)
{
    const keys_row *row = keys_find(block, key);
    assert(row);
    return row->dimension;
}

lithe_status read_quantity(const reader *r, const tree_node *map, keys_block block, const char *key,
                           double *value)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    return read_quantity_node(r, node, dimension_of(block, key), false, value);
}

lithe_status read_positive(const reader *r, const tree_node *map, keys_block block, const char *key,
                           double *value)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_quantity(r, map, block, key, value));
    if (*value > 0)
        return LITHE_OK;
    return tree_fail(r->report, node->at, "%s must be above 0, not '%s'", key, QUOTE(node->text));
}

static lithe_status check_list(const reader *r, const tree_node *node, int n, const char *form)
{
    if (node->kind == TREE_LIST && node->nchild == n)
        return LITHE_OK;
    if (node->kind == TREE_LIST)
        return tree_fail(r->report, node->at, "this list has %d items, expected %s", node->nchild,
                         form);
    return tree_fail(r->report, tree_value_location(node), "expected %s", form);
}

lithe_status read_triple_node(const reader *r, const tree_node *node, quantity_dimension dimension,
                              bool infinite, double value[3])
{
    char form[96];
    snprintf(form, sizeof form, "[x, y, z], each %s", quantity_expected(dimension));
    LITHE_TRY(check_list(r, node, 3, form));
    int i = 0;
    for (const tree_node *c = node->child; c; c = c->next)
        LITHE_TRY(read_quantity_node(r, c, dimension, infinite, &value[i++]));
    return LITHE_OK;
}

lithe_status read_triple(const reader *r, const tree_node *map, keys_block block, const char *key,
                         double value[3])
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    return read_triple_node(r, node, dimension_of(block, key), false, value);
}

lithe_status read_direction(const reader *r, const tree_node *map, keys_block block, bool *given,
                            double value[3])
{
    const tree_node *node = tree_find(map, "direction");
    *given = node != NULL;
    LITHE_TRY(read_triple(r, map, block, "direction", value));
    if (!node || value[0] != 0 || value[1] != 0 || value[2] != 0)
        return LITHE_OK;
    return tree_fail(r->report, node->at,
                     "the direction must not be zero; write one such as [0, 0, 1]");
}

lithe_status read_range(const reader *r, const tree_node *map, keys_block block, const char *key,
                        double value[2])
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    quantity_dimension dimension = dimension_of(block, key);
    LITHE_TRY(check_list(r, node, 2, "[lowest, highest]"));
    const tree_node *low = node->child, *high = low->next;
    LITHE_TRY(read_quantity_node(r, low, dimension, true, &value[0]));
    LITHE_TRY(read_quantity_node(r, high, dimension, true, &value[1]));
    if (value[0] > value[1])
        return tree_fail(r->report, node->at,
                         "the lowest %s, '%s', is above the highest, '%s'; swap them", key,
                         QUOTE(low->text), QUOTE(high->text));
    return LITHE_OK;
}

lithe_status read_corners(const reader *r, const tree_node *map, const char *key, double a[3],
                          double b[3])
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    LITHE_TRY(check_list(r, node, 2, "two opposite corners [[x, y, z], [x, y, z]]"));
    LITHE_TRY(read_triple_node(r, node->child, QUANTITY_LENGTH, true, a));
    return read_triple_node(r, node->child->next, QUANTITY_LENGTH, true, b);
}

lithe_status read_count(const reader *r, const tree_node *map, const char *key, int *value)
{
    return read_count_to(r, map, key, COUNT_MAX, value);
}

lithe_status read_count_to(const reader *r, const tree_node *map, const char *key, int most,
                           int *value)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    LITHE_TRY(check_text(r, node, "a whole number"));
    size_t digits = strspn(node->text, "0123456789");
    long number = 0;
    for (size_t i = 0; i < digits && number <= most; i++)
        number = 10 * number + (node->text[i] - '0');
    if (digits == 0 || node->text[digits] || number < 1 || number > most)
        return tree_fail(r->report, node->at, "%s must be a whole number from 1 to %d, not '%s'",
                         key, most, QUOTE(node->text));
    *value = (int)number;
    return LITHE_OK;
}

lithe_status read_bool(const reader *r, const tree_node *map, const char *key, bool *value)
{
    static const char *const words[] = {"false", "true"};
    int choice = *value;
    LITHE_TRY(read_word(r, map, key, 2, words, &choice));
    *value = choice == 1;
    return LITHE_OK;
}

lithe_status read_text(const reader *r, const tree_node *map, const char *key, const char **value)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    LITHE_TRY(check_text(r, node, "a text"));
    *value = node->text;
    return LITHE_OK;
}

static const scene_file *find_file(const scene_files *files, const char *name)
{
    for (int i = 0; i < files->n; i++)
        if (strcmp(files->file[i].name, name) == 0)
            return &files->file[i];
    return NULL;
}

static lithe_status locate(const reader *r, const tree_node *node, const char *name,
                           const char **path)
{
    const char *slash = strrchr(r->path, '/');
    const scene_file *packed = r->packed ? find_file(r->packed, name) : NULL;
    *path = packed ? packed->path
            : name[0] == '/' || !slash
                ? name
                : arena_format(r->arena, "%.*s/%s", (int)(slash - r->path), r->path, name);
    if (!*path)
        return report_no_memory(r->report, "the scene");
    if (r->packed && !packed)
        return tree_fail(r->report, node->at, "the recording does not hold '%s'", QUOTE(name));
    return LITHE_OK;
}

lithe_status read_file_name(const reader *r, const tree_node *map, const char *key,
                            const char **value)
{
    const char *name = ""; // the key is there, see read.h
    LITHE_TRY(read_text(r, map, key, &name));
    LITHE_TRY(locate(r, tree_find(map, key), name, value));
    if (find_file(r->files, name))
        return LITHE_OK;
    if (r->files->n == SCENE_FILES_MAX)
        return tree_fail(r->report, tree_find(map, key)->at, "a scene names at most %d files",
                         SCENE_FILES_MAX);
    r->files->file[r->files->n++] = (scene_file){name, *value};
    return LITHE_OK;
}

static lithe_status fail_word(const reader *r, const tree_node *node, const char *key, int nword,
                              const char *const *word)
{
    char known[256] = "";
    nearest n = nearest_start(node->text);
    size_t used = 0;
    for (int i = 0; i < nword && used < sizeof known; i++) {
        nearest_offer(&n, word[i]);
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", i ? ", " : "", word[i]);
    }
    const char *meant = nearest_found(&n);
    if (meant)
        return tree_fail(r->report, node->at,
                         "unknown %s '%s': did you mean '%s'? (expected one of %s)", key,
                         QUOTE(node->text), meant, known);
    return tree_fail(r->report, node->at, "unknown %s '%s'; expected one of %s", key,
                     QUOTE(node->text), known);
}

lithe_status read_word_node(const reader *r, const tree_node *node, const char *key, int nword,
                            const char *const *word, int *value)
{
    LITHE_TRY(check_text(r, node, "a word"));
    for (int i = 0; i < nword; i++)
        if (strcmp(node->text, word[i]) == 0) {
            *value = i;
            return LITHE_OK;
        }
    return fail_word(r, node, key, nword, word);
}

lithe_status read_word(const reader *r, const tree_node *map, const char *key, int nword,
                       const char *const *word, int *value)
{
    const tree_node *node = tree_find(map, key);
    return node ? read_word_node(r, node, key, nword, word, value) : LITHE_OK;
}

lithe_status read_unit(const reader *r, const tree_node *map, keys_block block, const char *key,
                       unit *value, bool *given)
{
    char message[QUANTITY_MESSAGE_MAX];
    const tree_node *node = tree_find(map, key);
    *given = node != NULL;
    if (!node)
        return LITHE_OK;
    LITHE_TRY(check_text(r, node, "a unit such as mm"));
    if (quantity_parse_unit(node->text, dimension_of(block, key), value, message) != LITHE_OK)
        return tree_fail(r->report, node->at, "%s", message);
    return LITHE_OK;
}
