// Rods, shells, springs and threads of a body.
#include "scene/reader.h"

#include "base/status.h"

// The named things under a key, one struct each; *n is 0 where the key is not there.
static lithe_status begin(const reader *r, const tree_node *map, const char *key, size_t size,
                          int *n, void *out, const tree_node **first)
{
    const tree_node *node = tree_find(map, key);
    *n = 0;
    *first = NULL;
    if (!node)
        return LITHE_OK;
    LITHE_TRY(read_named(r, node));
    void *memory = read_alloc(r, node->nchild, size);
    if (!memory)
        return LITHE_NO_MEMORY;
    *(void **)out = memory;
    *n = node->nchild;
    *first = node->child;
    return LITHE_OK;
}

lithe_status read_triples(const reader *r, const tree_node *map, const char *key, int *n,
                          const double **out)
{
    const tree_node *list = tree_find(map, key);
    if (list->kind != TREE_LIST || list->nchild < 2)
        return tree_fail(r->report, tree_value_location(list),
                         "expected two points or more, [[x, y, z], [x, y, z], ...]");
    double *point = read_alloc(r, list->nchild, 3 * sizeof *point);
    if (!point)
        return LITHE_NO_MEMORY;
    *n = list->nchild;
    *out = point;
    for (const tree_node *c = list->child; c; c = c->next, point += 3)
        LITHE_TRY(read_triple_node(r, c, QUANTITY_LENGTH, false, point));
    return LITHE_OK;
}

// A material of its own, or the body's.
static lithe_status read_stuff(const reader *r, const tree_node *map, const lithe_body_def *body,
                               const char *what, const char **material)
{
    if (tree_find(map, "material"))
        return read_material_name(r, map, material);
    if (body->material)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(map),
                     "%s needs a material, its own or its body's; add material: NAME", what);
}

static lithe_status read_section(const reader *r, const tree_node *map, lithe_rod_def *rod)
{
    const tree_node *tube = tree_find(map, "tube"), *flat = tree_find(map, "rectangle");
    if (tube) {
        rod->section = LITHE_TUBE;
        LITHE_TRY(read_map(r, tube, KEYS_TUBE));
        LITHE_TRY(read_positive(r, tube, KEYS_TUBE, "outer", &rod->size[0]));
        return read_positive(r, tube, KEYS_TUBE, "inner", &rod->size[1]);
    }
    if (flat) {
        rod->section = LITHE_RECTANGLE;
        LITHE_TRY(read_map(r, flat, KEYS_RECTANGLE));
        LITHE_TRY(read_positive(r, flat, KEYS_RECTANGLE, "along", &rod->size[0]));
        return read_positive(r, flat, KEYS_RECTANGLE, "across", &rod->size[1]);
    }
    rod->section = LITHE_ROUND;
    return read_positive(r, map, KEYS_ROD, "circle", &rod->size[0]);
}

static lithe_status read_rod(const reader *r, const tree_node *node, const lithe_body_def *body,
                             lithe_rod_def *rod)
{
    *rod = lithe_rod_def_default();
    rod->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_ROD));
    LITHE_TRY(read_location(r, node, &rod->location));
    LITHE_TRY(read_triples(r, node, "points", &rod->npoint, &rod->point));
    LITHE_TRY(read_bool(r, node, "smooth", &rod->smooth));
    LITHE_TRY(read_count(r, node, "elements", &rod->elements));
    LITHE_TRY(read_stuff(r, node, body, "a rod", &rod->material));
    LITHE_TRY(read_section(r, node, rod));
    LITHE_TRY(read_positive(r, node, KEYS_ROD, "taper", &rod->taper));
    LITHE_TRY(read_triple(r, node, KEYS_ROD, "axis", rod->axis));
    return read_bool(r, node, "glued", &rod->glued);
}

static lithe_status read_shell(const reader *r, const tree_node *node, const lithe_body_def *body,
                               lithe_shell_def *shell)
{
    *shell = lithe_shell_def_default();
    shell->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_SHELL));
    LITHE_TRY(read_location(r, node, &shell->location));
    if (tree_find(node, "mesh") && tree_find(node, "group"))
        return tree_fail(r->report, tree_find(node, "group")->key_at,
                         "a shell has a mesh of its own or a group of the body's; remove one");
    if (tree_find(node, "mesh"))
        LITHE_TRY(read_file_name(r, node, "mesh", &shell->mesh_file));
    LITHE_TRY(read_text(r, node, "group", &shell->group));
    LITHE_TRY(read_positive(r, node, KEYS_SHELL, "thickness", &shell->thickness));
    LITHE_TRY(read_stuff(r, node, body, "a shell", &shell->material));
    return read_bool(r, node, "glued", &shell->glued);
}

static lithe_status read_spring(const reader *r, const tree_node *node, lithe_spring_def *spring)
{
    *spring = lithe_spring_def_default();
    spring->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_SPRING));
    LITHE_TRY(read_location(r, node, &spring->location));
    LITHE_TRY(read_triple(r, node, KEYS_SPRING, "from", spring->from));
    spring->tied = tree_find(node, "tied_to") != NULL;
    LITHE_TRY(read_triple(r, node, KEYS_SPRING, spring->tied ? "tied_to" : "to", spring->to));
    LITHE_TRY(read_positive(r, node, KEYS_SPRING, "stiffness", &spring->stiffness));
    LITHE_TRY(read_quantity(r, node, KEYS_SPRING, "rest", &spring->rest));
    return read_bool(r, node, "slack", &spring->slack);
}

static lithe_status read_thread(const reader *r, const tree_node *node, const lithe_body_def *body,
                                lithe_thread_def *thread)
{
    *thread = lithe_thread_def_default();
    thread->name = node->key;
    LITHE_TRY(read_map(r, node, KEYS_THREAD));
    LITHE_TRY(read_location(r, node, &thread->location));
    LITHE_TRY(read_triples(r, node, "points", &thread->npoint, &thread->point));
    LITHE_TRY(read_bool(r, node, "closed", &thread->closed));
    LITHE_TRY(read_positive(r, node, KEYS_THREAD, "radius", &thread->radius));
    LITHE_TRY(read_stuff(r, node, body, "a thread", &thread->material));
    return read_bool(r, node, "slack", &thread->slack);
}

lithe_status read_slender(const reader *r, const tree_node *map, lithe_body_def *body)
{
    const tree_node *c;
    lithe_rod_def *rod = NULL;
    lithe_shell_def *shell = NULL;
    lithe_spring_def *spring = NULL;
    lithe_thread_def *thread = NULL;
    LITHE_TRY(begin(r, map, "rods", sizeof *rod, &body->nrod, &rod, &c));
    for (body->rod = rod; c; c = c->next)
        LITHE_TRY(read_rod(r, c, body, rod++));
    LITHE_TRY(begin(r, map, "shells", sizeof *shell, &body->nshell, &shell, &c));
    for (body->shell = shell; c; c = c->next)
        LITHE_TRY(read_shell(r, c, body, shell++));
    LITHE_TRY(begin(r, map, "springs", sizeof *spring, &body->nspring, &spring, &c));
    for (body->spring = spring; c; c = c->next)
        LITHE_TRY(read_spring(r, c, spring++));
    LITHE_TRY(begin(r, map, "threads", sizeof *thread, &body->nthread, &thread, &c));
    for (body->thread = thread; c; c = c->next)
        LITHE_TRY(read_thread(r, c, body, thread++));
    return LITHE_OK;
}
