#include "scene/set.h"

#include "base/quote.h"
#include "base/status.h"
#include "scene/yaml.h"

#include <string.h>

typedef struct setter {
    arena *arena;
    lithe_report *report;
    tree_mark mark;   // "--set path"
    tree_node *value; // to be put at the end of the path
    char *part;       // the path from the current key on, cut in place
} setter;

static lithe_status no_memory(lithe_report *report)
{
    return report_no_memory(report, "the scene");
}

// Gives the present node the kind and content of another, keeping its key and its siblings.
static void replace(tree_node *node, const tree_node *by)
{
    node->kind = by->kind;
    node->at = by->at;
    node->text = by->text;
    node->nchild = by->nchild;
    node->child = by->child;
    node->last_child = by->last_child;
}

// The item of that number; items may be appended one at a time.
static lithe_status find_item(setter *s, tree_node *list, const char *part, tree_node **found)
{
    size_t digits = strspn(part, "0123456789");
    int number = 0;
    for (size_t i = 0; i < digits && number <= YAML_NODES_MAX; i++)
        number = 10 * number + (part[i] - '0');
    if (digits == 0 || part[digits])
        return tree_fail(s->report, s->mark,
                         "'%s' is not the number of a list item; this list has items 0 to %d",
                         QUOTE(part), list->nchild - 1);
    if (number > list->nchild)
        return tree_fail(s->report, s->mark,
                         "there is no item %s: this list has %d items, numbered from 0",
                         QUOTE(part), list->nchild);
    tree_node *item = list->child;
    for (int i = 0; i < number && item; i++)
        item = item->next;
    *found = item;
    return LITHE_OK;
}

// The entry for one part of the path, added as an empty map where there is none.
static lithe_status enter(setter *s, tree_node *node, char *part, tree_node **found)
{
    if (node->kind == TREE_TEXT)
        return tree_fail(s->report, s->mark,
                         "'%s' is looked for inside '%s', which is a plain value", QUOTE(part),
                         QUOTE(node->text));
    *found = NULL;
    if (node->kind == TREE_LIST)
        LITHE_TRY(find_item(s, node, part, found));
    else
        *found = tree_find(node, part);
    if (*found)
        return LITHE_OK;
    *found = tree_add(s->arena, TREE_MAP, s->mark);
    if (!*found)
        return no_memory(s->report);
    if (node->kind == TREE_MAP) {
        (*found)->key = part;
        (*found)->key_at = s->mark;
    }
    tree_append(node, *found);
    return LITHE_OK;
}

static lithe_status follow(setter *s, tree_node *root)
{
    tree_node *node = root;
    int depth = 0;
    for (char *part = s->part; part; depth++) {
        char *dot = strchr(part, '.');
        if (dot)
            *dot = 0;
        if (!*part)
            return tree_fail(s->report, s->mark, "the path has an empty part; write key.key=value");
        if (depth == YAML_DEPTH_MAX)
            return tree_fail(s->report, s->mark, "the path has more than %d parts", YAML_DEPTH_MAX);
        LITHE_TRY(enter(s, node, part, &node));
        part = dot ? dot + 1 : NULL;
    }
    replace(node, s->value);
    return LITHE_OK;
}

lithe_status set_apply(tree_node *root, const char *text, arena *a, lithe_report *report)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return LITHE_FAIL(report, LITHE_INVALID,
                          "--set %s: expected path=value, such as materials.skin.young=200kPa",
                          QUOTE(text));
    setter s = {a, report, {NULL, 0, 0}, NULL, arena_strdup(a, text)};
    if (!s.part)
        return no_memory(report);
    s.part[equals - text] = 0;
    s.mark.source = arena_format(a, "--set %s", QUOTE(s.part));
    if (!s.mark.source)
        return no_memory(report);
    LITHE_TRY(yaml_read(equals + 1, strlen(equals + 1), s.mark, a, &s.value, report));
    return follow(&s, root);
}
