// Points of lines: on bodies, spread over patches of them, or of the world.
#include "scene/reader.h"

#include "base/status.h"

static lithe_status read_patch(const reader *r, const tree_node *node,
                               const lithe_selection **patch)
{
    if (!patch)
        return tree_fail(r->report, tree_location(node),
                         "a selection is a patch that an actuator pulls on; give the point as at: "
                         "[x, y, z]");
    lithe_selection *where = read_alloc(r, 1, sizeof *where);
    if (!where)
        return LITHE_NO_MEMORY;
    *patch = where;
    LITHE_TRY(read_no_nearest(r, node, "a patch"));
    return read_selection(r, node, where);
}

static lithe_status check_carrier(const reader *r, const tree_node *node, const char *body)
{
    if (body)
        return LITHE_OK;
    return tree_fail(r->report, node->at,
                     "nothing says which body carries this point; add body: NAME, or write the "
                     "point as {body: NAME, at: [x, y, z]}, or {world: [x, y, z]}");
}

static lithe_status read_described(const reader *r, const tree_node *node, lithe_point_def *point,
                                   const lithe_selection **patch)
{
    LITHE_TRY(read_map(r, node, KEYS_END));
    if (tree_find(node, "world")) {
        const tree_node *body = tree_find(node, "body");
        if (body)
            return tree_fail(r->report, body->key_at,
                             "a point of the world is on no body; remove one");
        point->body = NULL;
        return read_triple(r, node, KEYS_END, "world", point->at);
    }
    LITHE_TRY(read_body_name(r, node, &point->body));
    LITHE_TRY(check_carrier(r, node, point->body));
    if (tree_find(node, "at"))
        return read_triple(r, node, KEYS_END, "at", point->at);
    return read_patch(r, node, patch);
}

lithe_status read_carried(const reader *r, const tree_node *node, const char *body,
                          lithe_point_def *point, const lithe_selection **patch)
{
    point->body = body;
    if (node->kind == TREE_MAP)
        return read_described(r, node, point, patch);
    if (node->kind == TREE_TEXT)
        return tree_fail(r->report, node->at,
                         "expected a point, [x, y, z] or {body: NAME, at: [x, y, z]}");
    LITHE_TRY(read_triple_node(r, node, QUANTITY_LENGTH, false, point->at));
    return check_carrier(r, node, body);
}

lithe_status read_carrieds(const reader *r, const tree_node *map, const char *key, int extra,
                           point_list *out)
{
    const char *body = NULL;
    const tree_node *node = tree_find(map, key);
    LITHE_TRY(read_body_name(r, map, &body));
    bool one_point = node->kind == TREE_LIST && node->child && node->child->kind == TREE_TEXT;
    if (node->kind != TREE_LIST || node->nchild == 0 || one_point)
        return tree_fail(r->report, tree_value_location(node),
                         "expected a list of points, [[x, y, z], ...], also for a single one");
    int most = node->nchild + extra;
    out->point = read_alloc(r, most, sizeof *out->point);
    if (out->patches)
        out->patch = read_alloc(r, most, sizeof *out->patch);
    if (!out->point || (out->patches && !out->patch))
        return LITHE_NO_MEMORY;
    for (const tree_node *c = node->child; c; c = c->next, out->n++)
        LITHE_TRY(read_carried(r, c, body, &out->point[out->n],
                               out->patches ? &out->patch[out->n] : NULL));
    return LITHE_OK;
}

lithe_status read_ends(const reader *r, const tree_node *node, point_list *out)
{
    static const char *const key[] = {"from", "to"};
    const char *body = NULL;
    LITHE_TRY(read_body_name(r, node, &body));
    out->point = read_alloc(r, 2, sizeof *out->point);
    out->patch = read_alloc(r, 2, sizeof *out->patch);
    if (!out->point || !out->patch)
        return LITHE_NO_MEMORY;
    for (; out->n < 2; out->n++)
        LITHE_TRY(read_carried(r, tree_find(node, key[out->n]), body, &out->point[out->n],
                               out->patches ? &out->patch[out->n] : NULL));
    return LITHE_OK;
}

lithe_status read_line_points(const reader *r, const tree_node *node, int *n,
                              const lithe_point_def **point)
{
    point_list line = {0};
    LITHE_TRY(read_map(r, node, KEYS_LINE));
    LITHE_TRY(read_carrieds(r, node, "through", 0, &line));
    *n = line.n;
    *point = line.point;
    if (line.n >= 2)
        return LITHE_OK;
    return tree_fail(r->report, tree_location(node), "a line needs two points or more");
}
