#include "scene/tree.h"

#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tree_node *tree_add(arena *a, tree_kind kind, tree_mark at)
{
    tree_node *node = arena_new(a, 1, tree_node);
    if (!node)
        return NULL;
    node->kind = kind;
    node->at = at;
    return node;
}

void tree_append(tree_node *parent, tree_node *child)
{
    if (parent->last_child)
        parent->last_child->next = child;
    else
        parent->child = child;
    parent->last_child = child;
    parent->nchild++;
}

tree_node *tree_find(const tree_node *map, const char *key)
{
    if (map->kind != TREE_MAP)
        return NULL;
    for (tree_node *c = map->child; c; c = c->next)
        if (strcmp(c->key, key) == 0)
            return c;
    return NULL;
}

static const tree_node *find_part(const tree_node *node, const char *part, size_t n)
{
    size_t digits = strspn(part, "0123456789"), number = 0;
    for (size_t i = 0; i < digits && i < 9; i++)
        number = 10 * number + (size_t)(part[i] - '0');
    const tree_node *c = node->kind == TREE_TEXT ? NULL : node->child;
    if (node->kind == TREE_LIST)
        for (c = digits == n && n > 0 && n < 9 ? c : NULL; c && number > 0; number--)
            c = c->next;
    while (node->kind == TREE_MAP && c && (strncmp(c->key, part, n) != 0 || c->key[n]))
        c = c->next;
    return c;
}

const tree_node *tree_follow(const tree_node *root, const char *path)
{
    const tree_node *node = root;
    while (node) {
        size_t n = strcspn(path, ".");
        node = find_part(node, path, n);
        if (!path[n])
            break;
        path += n + 1;
    }
    return node;
}

tree_mark tree_location(const tree_node *node)
{
    return node->key ? node->key_at : node->at;
}

tree_mark tree_value_location(const tree_node *node)
{
    bool empty = node->kind == TREE_TEXT && !node->text[0];
    return empty ? tree_location(node) : node->at;
}

char *tree_mark_text(arena *a, tree_mark mark)
{
    if (mark.line == 0)
        return arena_strdup(a, mark.source);
    return arena_format(a, "%s:%d:%d", mark.source, mark.line, mark.column);
}

static int compare_keys(const void *a, const void *b)
{
    const tree_node *x = *(const tree_node *const *)a;
    const tree_node *y = *(const tree_node *const *)b;
    int order = strcmp(x->key, y->key);
    if (order != 0)
        return order;
    if (x->key_at.line != y->key_at.line)
        return x->key_at.line < y->key_at.line ? -1 : 1;
    return (x->key_at.column > y->key_at.column) - (x->key_at.column < y->key_at.column);
}

bool tree_find_duplicate(const tree_node **entry, int n, tree_pair *pair)
{
    if (n < 2)
        return false;
    qsort(entry, (size_t)n, sizeof(const tree_node *), compare_keys);
    for (int i = 0; i + 1 < n; i++)
        if (strcmp(entry[i]->key, entry[i + 1]->key) == 0) {
            *pair = (tree_pair){entry[i], entry[i + 1]};
            return true;
        }
    return false;
}

lithe_status tree_fail(lithe_report *report, tree_mark mark, const char *format, ...)
{
    char text[LITHE_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (mark.line == 0)
        return LITHE_FAIL(report, LITHE_INVALID, "%s: %s", mark.source, text);
    return LITHE_FAIL(report, LITHE_INVALID, "%s:%d:%d: %s", mark.source, mark.line, mark.column,
                      text);
}
