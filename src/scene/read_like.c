// Things that are like others of their section have their keys too, where they give none of their
// own; what loads, actuators, effectors and sensors are on may be another body.
#include "scene/reader.h"

#include "base/quote.h"
#include "base/status.h"

#include <string.h>

typedef struct like_section {
    const char *key, *what;
    bool carried; // its entries name the body that they are on in a map of their own
} like_section;

static lithe_status copy_node(const reader *r, const tree_node *node, tree_node **copy)
{
    *copy = tree_add(r->arena, node->kind, node->at);
    if (!*copy)
        return report_no_memory(r->report, r->path);
    **copy = *node;
    (*copy)->next = NULL;
    return LITHE_OK;
}

// The same map, on another body.
static lithe_status carry(const reader *r, const tree_node *body, tree_node *map)
{
    const tree_node *entry = map->child;
    map->child = map->last_child = NULL;
    map->nchild = 0;
    for (; entry; entry = entry->next) {
        tree_node *copy;
        LITHE_TRY(copy_node(r, strcmp(entry->key, "body") == 0 ? body : entry, &copy));
        tree_append(map, copy);
    }
    return LITHE_OK;
}

static bool is_on(const tree_node *node, const char *body)
{
    for (const tree_node *c = node->child; c; c = c->next) {
        const tree_node *named = tree_find(c, "body");
        if (named && named->kind == TREE_TEXT && strcmp(named->text, body) == 0)
            return true;
    }
    return false;
}

// Keys of `from` that there are none of its own for.
static lithe_status take_keys(const reader *r, const like_section *section, const tree_node *from,
                              tree_node *node)
{
    const tree_node *body = section->carried ? tree_find(node, "body") : NULL;
    for (const tree_node *c = from->child; c; c = c->next) {
        bool its_own = section->carried && strcmp(c->key, "body") == 0;
        if (tree_find(node, c->key) || strcmp(c->key, "like") == 0 || its_own)
            continue;
        tree_node *copy;
        LITHE_TRY(copy_node(r, c, &copy));
        if (body && tree_find(c, "body"))
            LITHE_TRY(carry(r, body, copy));
        tree_append(node, copy);
    }
    if (body && body->kind == TREE_TEXT && !is_on(node, body->text))
        return tree_fail(r->report, body->key_at,
                         "'%s' names no body that this one could be on instead; remove body, or "
                         "write it out",
                         QUOTE(from->key));
    return LITHE_OK;
}

// depth: of those that are like each other, one after the other.
static lithe_status make_alike(const reader *r, const like_section *section,
                               const tree_node *entries, tree_node *node, int depth)
{
    const tree_node *like = tree_find(node, "like"), *body = tree_find(node, "body");
    const char *name = NULL;
    if (!like && section->carried && body)
        return tree_fail(r->report, body->key_at,
                         "body stands here beside like; otherwise inside of what the %s is made of",
                         section->what);
    if (!like)
        return LITHE_OK;
    LITHE_TRY(read_reference(r, node, "like", entries, section->what, &name));
    tree_node *from = tree_find(entries, name);
    if (depth > entries->nchild)
        return tree_fail(r->report, like->at,
                         "'%s' is like itself, by way of others; give one of them its own keys",
                         QUOTE(name));
    if (from->kind != TREE_MAP)
        return LITHE_OK; // which is told where it is read
    LITHE_TRY(make_alike(r, section, entries, from, depth + 1));
    return take_keys(r, section, from, node);
}

static lithe_status make_all_alike(const reader *r, const like_section *section,
                                   const tree_node *entries)
{
    if (!entries || entries->kind != TREE_MAP)
        return LITHE_OK;
    for (tree_node *c = entries->child; c; c = c->next)
        if (c->kind == TREE_MAP)
            LITHE_TRY(make_alike(r, section, entries, c, 0));
    return LITHE_OK;
}

// Members first, so that a body that is like another one takes them as they are meant.
lithe_status read_likes(const reader *r)
{
    static const like_section members = {"members", "member", false},
                              sections[] = {
                                  {"bodies", "body", false},       {"joints", "joint", false},
                                  {"loads", "load", true},         {"actuators", "actuator", true},
                                  {"effectors", "effector", true}, {"sensors", "sensor", true}};
    const tree_node *bodies = tree_find(r->root, "bodies");
    for (const tree_node *c = bodies ? bodies->child : NULL; c; c = c->next)
        LITHE_TRY(make_all_alike(r, &members, tree_find(c, members.key)));
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
        LITHE_TRY(make_all_alike(r, &sections[i], tree_find(r->root, sections[i].key)));
    return LITHE_OK;
}
