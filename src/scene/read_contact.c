#include "scene/read.h"

#include "base/status.h"

static lithe_status read_round(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_ROUND));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_ROUND, "from", o->at));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_ROUND, "to", o->to));
    return read_positive(r, node, KEYS_OBSTACLE_ROUND, "radius", &o->radius);
}

static lithe_status read_plane(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_PLANE));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_PLANE, "at", o->at));
    return read_triple(r, node, KEYS_OBSTACLE_PLANE, "normal", o->normal);
}

static lithe_status read_sphere(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_SPHERE));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_SPHERE, "center", o->at));
    return read_positive(r, node, KEYS_OBSTACLE_SPHERE, "radius", &o->radius);
}

static lithe_status read_box(const reader *r, const tree_node *node, lithe_obstacle_def *o)
{
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE_BOX));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_BOX, "center", o->at));
    LITHE_TRY(read_triple(r, node, KEYS_OBSTACLE_BOX, "size", o->size));
    return read_triple(r, node, KEYS_OBSTACLE_BOX, "rotate", o->rotate);
}

lithe_status read_obstacle(const reader *r, const tree_node *node, lithe_obstacle_def *obstacle)
{
    static const struct {
        const char *key;
        lithe_obstacle_kind kind;
        lithe_status (*read)(const reader *r, const tree_node *node, lithe_obstacle_def *o);
    } kinds[] = {{"plane", LITHE_OBSTACLE_PLANE, read_plane},
                 {"sphere", LITHE_OBSTACLE_SPHERE, read_sphere},
                 {"capsule", LITHE_OBSTACLE_CAPSULE, read_round},
                 {"cylinder", LITHE_OBSTACLE_CYLINDER, read_round},
                 {"box", LITHE_OBSTACLE_BOX, read_box},
                 {"pipe", LITHE_OBSTACLE_PIPE, read_round}};
    LITHE_TRY(read_map(r, node, KEYS_OBSTACLE));
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const tree_node *shape = tree_find(node, kinds[k].key);
        if (!shape)
            continue;
        *obstacle = lithe_obstacle_def_default(kinds[k].kind);
        obstacle->name = node->key;
        LITHE_TRY(read_place(r, node, &obstacle->place));
        return kinds[k].read(r, shape, obstacle);
    }
    return LITHE_OK; // read_map has refused it
}

static lithe_status read_self(const reader *r, const tree_node *map, lithe_contacts_def *contacts)
{
    const tree_node *node = tree_find(map, "self");
    if (!node)
        return LITHE_OK;
    if (node->kind != TREE_LIST)
        return tree_fail(r->report, tree_value_place(node),
                         "expected a list of bodies such as [robot]");
    const char **name = read_alloc(r, node->nchild, sizeof *name);
    if (!name)
        return LITHE_NO_MEMORY;
    contacts->self = name;
    contacts->nself = node->nchild;
    for (const tree_node *c = node->child; c; c = c->next) {
        if (c->kind != TREE_TEXT)
            return tree_fail(r->report, tree_value_place(c), "expected the name of a body");
        *name++ = c->text;
    }
    return LITHE_OK;
}

lithe_status read_contacts(const reader *r, lithe_contacts_def *contacts)
{
    static const char *const searches[] = {"local", "global"};
    const tree_node *node = tree_find(r->root, "contacts");
    if (!node)
        return LITHE_OK;
    int search = 0;
    LITHE_TRY(read_map(r, node, KEYS_CONTACTS));
    LITHE_TRY(read_place(r, node, &contacts->place));
    LITHE_TRY(read_count(r, node, "max", &contacts->max));
    LITHE_TRY(read_positive(r, node, KEYS_CONTACTS, "alarm", &contacts->alarm));
    LITHE_TRY(read_word(r, node, "search", 2, searches, &search));
    contacts->global = search == 1;
    return read_self(r, node, contacts);
}
