#include "scene/renamed.h"

#include "base/status.h"

#include <string.h>

enum { DEPTH = 4 };

// path: keys down to the map that holds it; "*": every entry, of a map or a list.
typedef struct renamed_key {
    const char *path[DEPTH + 1], *old, *now;
} renamed_key;

static const renamed_key table[] = {
    {{"contacts"}, "alarm", "detection_distance"},
    {{"contacts", "pairs", "*"}, "alarm", "detection_distance"},
    {{"bodies", "*", "fix"}, "turns", "rotations"},
    {{"bodies", "*", "fix"}, "turn", "rotation"},
    {{"bodies", "*", "fix", "*"}, "turns", "rotations"},
    {{"bodies", "*", "fix", "*"}, "turn", "rotation"},
};

static lithe_status rename_in(tree_node *map, const renamed_key *key, lithe_report *report)
{
    tree_node *found = tree_find(map, key->old);
    if (!found)
        return LITHE_OK;
    if (tree_find(map, key->now))
        return tree_fail(report, found->key_at,
                         "'%s' is the old name of '%s', which is given too; "
                         "remove it",
                         key->old, key->now);
    tree_mark at = found->key_at;
    if (at.line > 0)
        report_notice(report,
                      "%s:%d:%d: '%s' is called '%s' now; the old name goes with the next "
                      "version",
                      at.source, at.line, at.column, key->old, key->now);
    else
        report_notice(report,
                      "%s: '%s' is called '%s' now; the old name goes with the next version",
                      at.source, key->old, key->now);
    found->key = key->now;
    return LITHE_OK;
}

static lithe_status follow(tree_node *node, const renamed_key *key, int depth, lithe_report *report)
{
    const char *step = key->path[depth];
    if (!step)
        return rename_in(node, key, report);
    bool all = strcmp(step, "*") == 0;
    for (tree_node *c = node->child; c; c = c->next)
        if (all || (c->key && strcmp(c->key, step) == 0))
            LITHE_TRY(follow(c, key, depth + 1, report));
    return LITHE_OK;
}

lithe_status renamed_apply(tree_node *root, lithe_report *report)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        LITHE_TRY(follow(root, &table[i], 0, report));
    return LITHE_OK;
}
