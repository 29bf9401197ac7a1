// Maps: which keys they may and must hold, and the names that users give.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/spelling.h"
#include "base/status.h"

#include <stdio.h>
#include <string.h>

// "law, young, poisson": the keys of a block, or only those of which exactly one must be given.
static void list_keys(keys_block block, bool one_of, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < keys_count() && used < size; i++) {
        const keys_row *row = keys_row_at(i);
        if (keys_allowed(block, row) && (!one_of || row->need == KEYS_ONE_OF))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", row->key);
    }
}

static lithe_status fail_unknown(const reader *r, const tree_node *entry, keys_block block)
{
    char known[320];
    list_keys(block, false, known, sizeof known);
    nearest n = nearest_start(entry->key);
    for (int i = 0; i < keys_count(); i++)
        if (keys_allowed(block, keys_row_at(i)))
            nearest_offer(&n, keys_row_at(i)->key);
    const char *meant = nearest_found(&n);
    if (meant)
        return tree_fail(r->report, entry->key_at,
                         "unknown key '%s' in %s: did you mean '%s'? (expected one of %s)",
                         QUOTE(entry->key), keys_what(block), meant, known);
    return tree_fail(r->report, entry->key_at, "unknown key '%s' in %s; expected one of %s",
                     QUOTE(entry->key), keys_what(block), known);
}

static lithe_status fail_choice(const reader *r, const tree_node *map, keys_block block,
                                const tree_node *first, const tree_node *second)
{
    char choices[256];
    list_keys(block, true, choices, sizeof choices);
    if (!second)
        return tree_fail(r->report, tree_location(map), "%s needs one of %s", keys_what(block),
                         choices);
    return tree_fail(r->report, second->key_at,
                     "%s takes only one of %s, and '%s' is given already; remove one",
                     keys_what(block), choices, first->key);
}

static bool must_choose(keys_block block)
{
    if (keys_selection(block) == KEYS_SELECTS_SOME)
        return false;
    for (int i = 0; i < keys_count(); i++)
        if (keys_allowed(block, keys_row_at(i)) && keys_row_at(i)->need == KEYS_ONE_OF)
            return true;
    return false;
}

static lithe_status check_one_of(const reader *r, const tree_node *map, keys_block block)
{
    const tree_node *first = NULL;
    for (const tree_node *c = map->child; c; c = c->next) {
        if (keys_find(block, c->key)->need != KEYS_ONE_OF)
            continue;
        if (first)
            return fail_choice(r, map, block, first, c);
        first = c;
    }
    if (first || !must_choose(block))
        return LITHE_OK;
    return fail_choice(r, map, block, NULL, NULL);
}

static lithe_status check_required(const reader *r, const tree_node *map, keys_block block)
{
    for (int i = 0; i < keys_count(); i++) {
        const keys_row *row = keys_row_at(i);
        if (row->block == block && row->need == KEYS_REQUIRED && !tree_find(map, row->key)) {
            char type[KEYS_TYPE_TEXT_MAX];
            return tree_fail(r->report, tree_location(map), "%s needs the key '%s' (%s): %s",
                             keys_what(block), row->key, keys_type_text(row, type), row->meaning);
        }
    }
    return LITHE_OK;
}

static lithe_status fail_not_map(const reader *r, const tree_node *node, const char *expected)
{
    if (node->kind == TREE_LIST)
        return tree_fail(r->report, node->at, "this is a list, expected %s", expected);
    if (!node->text[0])
        return tree_fail(r->report, tree_value_location(node),
                         "nothing is given here; expected %s, or leave it out", expected);
    return tree_fail(r->report, node->at, "'%s' is a plain value, expected %s", QUOTE(node->text),
                     expected);
}

static lithe_status fail_not_block(const reader *r, const tree_node *node, keys_block block)
{
    char known[320], expected[384];
    list_keys(block, false, known, sizeof known);
    snprintf(expected, sizeof expected, "a map of %s", known);
    return fail_not_map(r, node, expected);
}

lithe_status read_map(const reader *r, const tree_node *node, keys_block block)
{
    if (node->kind != TREE_MAP)
        return fail_not_block(r, node, block);
    for (const tree_node *c = node->child; c; c = c->next)
        if (!keys_find(block, c->key))
            return fail_unknown(r, c, block);
    LITHE_TRY(check_required(r, node, block));
    return check_one_of(r, node, block);
}

static bool is_name(const char *text)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    size_t n = strspn(text, allowed);
    return n > 0 && n < NEAREST_NAME_MAX && !text[n];
}

lithe_status read_named(const reader *r, const tree_node *node)
{
    if (node->kind != TREE_MAP)
        return fail_not_map(r, node, "a map of names and what they stand for");
    for (const tree_node *c = node->child; c; c = c->next)
        if (!is_name(c->key))
            return tree_fail(r->report, c->key_at,
                             "'%s' is not a name; names hold letters, digits, _ and -, %d at most",
                             QUOTE(c->key), NEAREST_NAME_MAX - 1);
    return LITHE_OK;
}

static lithe_status fail_reference(const reader *r, const tree_node *node, const tree_node *among,
                                   const char *what)
{
    nearest n = nearest_start(node->text);
    const tree_node *first = among && among->kind == TREE_MAP ? among->child : NULL;
    for (const tree_node *c = first; c; c = c->next)
        nearest_offer(&n, c->key);
    const char *meant = nearest_found(&n);
    if (meant)
        return tree_fail(r->report, node->at, "there is no %s '%s': did you mean '%s'?", what,
                         QUOTE(node->text), meant);
    if (!first)
        return tree_fail(r->report, node->at, "there is no %s '%s'; none is defined", what,
                         QUOTE(node->text));
    return tree_fail(r->report, node->at, "there is no %s '%s'; the first defined is '%s'", what,
                     QUOTE(node->text), QUOTE(first->key));
}

lithe_status read_reference(const reader *r, const tree_node *map, const char *key,
                            const tree_node *among, const char *what, const char **value)
{
    const tree_node *node = tree_find(map, key);
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_text(r, map, key, value));
    if (among && tree_find(among, *value))
        return LITHE_OK;
    return fail_reference(r, node, among, what);
}

lithe_status read_material_name(const reader *r, const tree_node *map, const char **value)
{
    return read_reference(r, map, "material", tree_find(r->root, "materials"), "material", value);
}

lithe_status read_body_name(const reader *r, const tree_node *map, const char **value)
{
    return read_reference(r, map, "body", tree_find(r->root, "bodies"), "body", value);
}

lithe_status read_cavity_name(const reader *r, const tree_node *map, const char **body,
                              const char **cavity)
{
    LITHE_TRY(read_body_name(r, map, body));
    const tree_node *owner = tree_find(tree_find(r->root, "bodies"), *body);
    return read_reference(r, map, "cavity", tree_find(owner, "cavities"), "cavity of that body",
                          cavity);
}
