// A scene as text arranged in maps and lists, each piece with the location it came from.
#ifndef SCENE_TREE_H
#define SCENE_TREE_H

#include "base/arena.h"

#include "lithe/lithe.h"

typedef enum tree_kind { TREE_TEXT, TREE_LIST, TREE_MAP } tree_kind;

typedef struct tree_mark {
    const char *source; // the file, or "--set path"
    int line, column;   // from 1; line 0: the source has no lines
} tree_mark;

typedef struct tree_node {
    tree_kind kind;
    tree_mark at;
    const char *key; // of an entry of a map, else NULL
    tree_mark key_at;
    const char *text; // TREE_TEXT
    int nchild;
    struct tree_node *child, *last_child;
    struct tree_node *next; // sibling
} tree_node;

tree_node *tree_add(arena *a, tree_kind kind, tree_mark at); // NULL: no memory
void tree_append(tree_node *parent, tree_node *child);

// The entry of that name; NULL when there is none, or map is not a map.
tree_node *tree_find(const tree_node *map, const char *key);

// The node at a path of keys and of list items counted from 0, such as "bodies.robot.fix.0.axes";
// NULL when there is none.
const tree_node *tree_follow(const tree_node *root, const char *path);

// Where the thing stands: at its key if it has one, else at its value.
tree_mark tree_location(const tree_node *node);

// Where its value stands; at the key if the value is empty.
tree_mark tree_value_location(const tree_node *node);

// "file:line:column", or the source alone.
char *tree_mark_text(arena *a, tree_mark mark); // NULL: no memory

// The earlier and later of two entries that carry the same name, among n entries in their order;
// the array is sorted on the way. Returns false if all differ.
typedef struct tree_pair {
    const tree_node *first, *second;
} tree_pair;
bool tree_find_duplicate(const tree_node **entry, int n, tree_pair *pair);

// Fails with LITHE_INVALID at a location.
__attribute__((format(printf, 3, 4))) lithe_status tree_fail(lithe_report *report, tree_mark mark,
                                                             const char *format, ...);

#endif
